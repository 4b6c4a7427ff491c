#pragma once
// The terminal itself: its settings, signals, size, what is typed and what is shown. Nothing else in the program
// touches them. The settings are put back in every way out, also when a fault ends the program.
//
// Signals only leave a note and wake the code that waits (and ask a running computation to stop); what they mean is
// decided by who reads. Ctrl-Z is dealt with here: the terminal is given back, the program stops, and comes back as it
// was.
#include <csignal>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepper/keys.h"

namespace attn {

/// What happened at the terminal.
struct TerminalEvent {
  enum class Kind {
    Key,
    Line,       // a whole line was typed; only in TerminalMode::Lines
    Interrupt,  // Ctrl-C
    Resize,     // the window has another size
    Resume,     // back from Ctrl-Z: what was on the line is gone
    End,        // nothing more can be typed: the end of the input, or the terminal was taken away
    Signal      // the program is asked to end: `signal` says what
  };
  Kind kind = Kind::Key;
  Key key = {};
  std::string line = {};
  int signal = 0;
};

enum class TerminalMode {
  Keys,  // every key at once
  Lines  // the terminal's own line editing: no settings are changed, no escape sequence is sent
};

/// The settings the program was started with, for one that ends here and now; nothing where there is no Terminal.
void restore_terminal() noexcept;

/// Whether the window is small enough for an editor of lines (libedit) to draw on.
bool can_edit_lines();

/// One at a time: signals are the whole program's.
class Terminal {
 public:
  /// Takes over signals; in TerminalMode::Keys, also the terminal's settings. Standard input and output are used.
  explicit Terminal(TerminalMode mode);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  TerminalMode mode() const { return mode_; }
  /// Cells of a line, at most 1,000; 80 when it is not known.
  int width() const;
  int height() const;

  /// Waits for the next event. Keys or lines that were typed before an interrupt are dropped with it.
  TerminalEvent read();
  /// The next key, if it comes within so long; only in TerminalMode::Keys. Other events wait for read().
  std::optional<Key> read_soon(int milliseconds);
  /// What was typed ahead is thrown away.
  void forget_typed();
  /// Keys that read() gives before all others.
  void unread(std::vector<Key> keys) { ahead_.insert(ahead_.begin(), keys.begin(), keys.end()); }
  /// Whether nothing is typed and no signal comes for so long: a moment for work that can wait.
  bool is_quiet(int milliseconds);
  /// Writes all of it. False when the terminal is gone.
  bool write(std::string_view text);

  /// The settings that read() needs, whatever others have set in between.
  void keep_raw();
  /// The settings the program was started with, until keep_raw() or read().
  void give_back();
  /// Ask for pasted text to be marked as such, or no longer.
  void mark_pastes(bool on);

  /// The signal that asks the program to end, or 0. A computation that was interrupted looks here.
  int ending_signal() const;
  /// Whether Ctrl-C was pressed since the last call; the note is taken away.
  bool take_interrupt();

 private:
  bool wait(int timeout_ms);
  bool read_bytes();
  std::optional<Key> next_key();
  bool take_note(TerminalEvent& event);

  TerminalMode mode_;
  KeyDecoder decoder_;
  std::deque<Key> ahead_;
  std::string line_;  // in TerminalMode::Lines: what was read beyond the line given last
  bool is_gone_ = false;
};

}  // namespace attn
