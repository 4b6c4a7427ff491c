#pragma once
// A program on a real terminal: a pseudo-terminal whose other end is a screen kept by libvterm. Tests type keys and
// wait for what they should see; nothing waits for a time to pass.
#include <sys/types.h>
#include <termios.h>

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

struct VTerm;
struct VTermScreen;

namespace attn {

inline constexpr const char* kLegend = "[q]uit";  // stands at the bottom while a key is waited for

struct ScreenSize {
  int width = 80;
  int height = 24;
};

/// What the program is started with. It sees nothing of the environment of the tests.
struct ScreenOptions {
  std::vector<std::string> program;                     // empty: attn-tutor
  std::map<std::string, std::string> environment = {};  // over kScreenEnvironment; an empty value takes it away
  ScreenSize size = {};
  std::string folder;  // where the session keeps its state; empty: nowhere
};

class Screen {
 public:
  explicit Screen(const std::vector<std::string>& arguments, const ScreenOptions& options = {});
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  void type(const std::string& keys);
  /// Whether the text stands on the screen, now or before kPatience is over. A text may be broken between two rows.
  bool expect(const std::string& text);
  /// Whether the text comes out of the program after the last call of mark(), with escape sequences left out.
  bool expect_new(const std::string& text);
  void mark() { mark_ = output_.size(); }
  /// Whether what came after mark() ends with one of the texts: the program waits.
  bool expect_end(const std::vector<std::string>& ends);
  /// Whether a text leaves the screen.
  bool expect_gone(const std::string& text);

  std::string row(int number);
  /// All rows without the blanks at their ends; blank rows at the end left out.
  std::string text();
  /// Row and column of the cursor.
  std::pair<int, int> cursor() const;

  void resize(int width, int height);
  void signal(int number);
  /// Takes the terminal away, as closing its window does.
  void close();

  /// Reads to the end and gives the exit code; 128 + n when signal n ended it; -1 when it had to be killed.
  int exit_code();
  /// The settings of the terminal as they are now, and as they were before the program started.
  termios settings() const;
  const termios& settings_before() const { return before_; }
  /// Waits until the settings are (not) those of before.
  bool expect_restored();
  bool expect_raw();

  /// Every byte that the program wrote.
  const std::string& output() const { return output_; }
  std::string output_since_mark() const { return output_.substr(mark_); }
  pid_t pid() const { return child_; }
  const std::vector<std::string>& scrolled() const { return scrolled_; }

 private:
  bool read_some(int timeout_ms);
  template <typename Condition>
  bool wait_for(Condition condition);
  void feed(const char* bytes, std::size_t count);

  VTerm* vterm_;
  VTermScreen* screen_;
  ScreenSize size_;
  int master_ = -1;
  int slave_ = -1;  // kept open, so that settings can be read after the program has ended
  pid_t child_ = -1;
  std::optional<int> status_;
  termios before_{};
  std::string output_;
  std::size_t mark_ = 0;
  bool ended_ = false;
  std::vector<std::string> scrolled_;
};

/// Whether two settings are equal in all that a program may change.
bool same_settings(const termios& left, const termios& right);

/// Text without its escape sequences and carriage returns.
std::string without_escapes(const std::string& text);

bool has_terminals();

/// A folder for one test, gone afterwards.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace attn
