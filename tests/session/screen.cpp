#include "tests/session/screen.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>
#include <vterm.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "tests/cli/program.h"

namespace attn {
namespace {

using Clock = std::chrono::steady_clock;

// Machines that test may be slow and busy; nothing that passes waits as long.
constexpr std::chrono::seconds kPatience{60};

const std::map<std::string, std::string> kEnvironment = {
    {"TERM", "xterm-256color"}, {"LANG", "C.UTF-8"}, {"HOME", "/nonexistent"}, {"PATH", "/usr/bin:/bin"}};

std::string row_text(const VTermScreenCell* cells, int columns) {
  std::string text;
  for (int column = 0; column < columns; ++column) {
    const VTermScreenCell& cell = cells[column];
    if (cell.chars[0] == static_cast<std::uint32_t>(-1)) continue;  // the right half of a wide one
    if (cell.chars[0] == 0) text += ' ';
    for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; ++i) {
      const std::uint32_t c = cell.chars[i];
      if (c < 0x80) {
        text += static_cast<char>(c);
      } else {
        const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        text += static_cast<char>((0xFF00 >> (more + 1) & 0xFF) | (c >> 6 * more));
        for (int k = more - 1; k >= 0; --k) text += static_cast<char>(0x80 | (c >> 6 * k & 0x3F));
      }
    }
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

int keep_row(int columns, const VTermScreenCell* cells, void* rows) {
  static_cast<std::vector<std::string>*>(rows)->push_back(row_text(cells, columns));
  return 1;
}

constexpr VTermScreenCallbacks kCallbacks = {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, keep_row, nullptr};

std::vector<std::string> environment_of(const ScreenOptions& options) {
  std::map<std::string, std::string> variables = kEnvironment;
  if (!options.folder.empty()) variables["XDG_STATE_HOME"] = options.folder;
  // Of the sanitizers' builds.
  for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) variables[name] = value;
  }
  for (const auto& [name, value] : options.environment) variables[name] = value;
  std::vector<std::string> out;
  for (const auto& [name, value] : variables) {
    const bool is_taken_away = value.empty() && options.environment.contains(name);
    if (!is_taken_away) out.push_back(name + "=" + value);
  }
  return out;
}

// The screen keeps every cell, the window only says how many there are.
ScreenSize kept_size(ScreenSize size) { return {std::min(size.width, 1000), std::min(size.height, 1000)}; }

winsize window_of(ScreenSize size) {
  return {static_cast<unsigned short>(size.height), static_cast<unsigned short>(size.width), 0, 0};
}

}  // namespace

Screen::Screen(const std::vector<std::string>& arguments, const ScreenOptions& options)
    : size_(kept_size(options.size)) {
  vterm_ = vterm_new(size_.height, size_.width);
  vterm_set_utf8(vterm_, 1);
  screen_ = vterm_obtain_screen(vterm_);
  vterm_screen_set_callbacks(screen_, &kCallbacks, &scrolled_);
  vterm_screen_reset(screen_, 1);

  std::vector<std::string> words = options.program.empty() ? std::vector<std::string>{ATTN_BINARY} : options.program;
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment_of(options);
  const std::vector<char*> argv = pointers(words), envp = pointers(variables);
  const winsize size = window_of(options.size);
  if (openpty(&master_, &slave_, nullptr, nullptr, &size) != 0) throw std::runtime_error("no terminal");
  fcntl(master_, F_SETFD, FD_CLOEXEC);
  tcgetattr(slave_, &before_);
  child_ = fork();
  if (child_ == 0) {
    login_tty(slave_);
    alarm(300);
    execve(argv[0], argv.data(), envp.data());
    _exit(126);
  }
}

Screen::~Screen() {
  if (child_ > 0 && !status_) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  if (master_ >= 0) ::close(master_);
  if (slave_ >= 0) ::close(slave_);
  vterm_free(vterm_);
}

void Screen::feed(const char* bytes, std::size_t count) {
  output_.append(bytes, count);
  vterm_input_write(vterm_, bytes, count);
  char answer[256];
  while (const std::size_t size = vterm_output_read(vterm_, answer, sizeof answer)) {
    if (::write(master_, answer, size) < 0) break;
  }
}

// Whether anything was read.
bool Screen::read_some(int timeout_ms) {
  if (master_ < 0 || ended_) return false;
  pollfd waiting{master_, POLLIN, 0};
  if (poll(&waiting, 1, timeout_ms) <= 0) return false;
  char block[1 << 16];
  const ssize_t count = ::read(master_, block, sizeof block);
  if (count <= 0) {
    ended_ = count == 0 || errno != EINTR;
    return false;
  }
  feed(block, static_cast<std::size_t>(count));
  return true;
}

template <typename Condition>
bool Screen::wait_for(Condition condition) {
  const auto end = Clock::now() + kPatience;
  while (true) {
    if (condition()) return true;
    if (Clock::now() > end) return false;
    if (read_some(20)) continue;
    if (status_) return condition();
    int status = 0;
    if (waitpid(child_, &status, WNOHANG) == child_) {
      status_ = status;
      while (read_some(0)) {
      }
    }
  }
}

void Screen::type(const std::string& keys) {
  for (std::size_t at = 0; at < keys.size();) {
    const ssize_t written = ::write(master_, keys.data() + at, std::min<std::size_t>(keys.size() - at, 512));
    if (written <= 0) return;
    at += static_cast<std::size_t>(written);
    read_some(0);
  }
}

bool Screen::expect(const std::string& wanted) {
  return wait_for([&] {
    const std::string shown = text();
    if (shown.find(wanted) != std::string::npos) return true;
    std::string joined = shown;
    joined.erase(std::remove(joined.begin(), joined.end(), '\n'), joined.end());
    return joined.find(wanted) != std::string::npos;
  });
}

bool Screen::expect_new(const std::string& wanted) {
  return wait_for([&] { return without_escapes(output_.substr(mark_)).find(wanted) != std::string::npos; });
}

bool Screen::expect_gone(const std::string& wanted) {
  return wait_for([&] { return text().find(wanted) == std::string::npos; });
}

bool Screen::expect_end(const std::vector<std::string>& ends) {
  return wait_for([&] {
    const std::string shown = without_escapes(output_.substr(mark_));
    return std::any_of(ends.begin(), ends.end(), [&](const std::string& end) { return shown.ends_with(end); });
  });
}

std::string Screen::row(int number) {
  std::vector<VTermScreenCell> cells(static_cast<std::size_t>(size_.width));
  for (int column = 0; column < size_.width; ++column)
    vterm_screen_get_cell(screen_, {number, column}, &cells[static_cast<std::size_t>(column)]);
  return row_text(cells.data(), size_.width);
}

std::string Screen::text() {
  std::string all;
  for (int number = 0; number < size_.height; ++number) all += row(number) + "\n";
  const std::size_t last = all.find_last_not_of('\n');
  return last == std::string::npos ? "" : all.substr(0, last + 1);
}

std::pair<int, int> Screen::cursor() const {
  VTermPos position{};
  vterm_state_get_cursorpos(vterm_obtain_state(vterm_), &position);
  return {position.row, position.col};
}

void Screen::resize(int width, int height) {
  size_ = kept_size({width, height});
  vterm_set_size(vterm_, size_.height, size_.width);
  const winsize size = window_of({width, height});
  ioctl(master_, TIOCSWINSZ, &size);
}

void Screen::signal(int number) { kill(child_, number); }

void Screen::close() {
  ::close(slave_);
  ::close(master_);
  slave_ = master_ = -1;
}

int Screen::exit_code() {
  wait_for([&] { return status_.has_value(); });
  if (!status_) {
    kill(child_, SIGKILL);
    int status = 0;
    waitpid(child_, &status, 0);
    status_ = status;
    return -1;
  }
  return WIFEXITED(*status_) ? WEXITSTATUS(*status_) : 128 + WTERMSIG(*status_);
}

termios Screen::settings() const {
  termios now{};
  tcgetattr(slave_, &now);
  return now;
}

bool Screen::expect_restored() {
  return wait_for([&] { return same_settings(settings(), before_); });
}

bool Screen::expect_raw() {
  return wait_for([&] { return !(settings().c_lflag & ICANON); });
}

bool same_settings(const termios& left, const termios& right) {
  return left.c_iflag == right.c_iflag && left.c_oflag == right.c_oflag && left.c_cflag == right.c_cflag &&
         left.c_lflag == right.c_lflag && std::memcmp(left.c_cc, right.c_cc, sizeof left.c_cc) == 0;
}

std::string without_escapes(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      i += 2;
      while (i < text.size() && !(text[i] >= 0x40 && text[i] <= 0x7e)) ++i;
    } else if (text[i] != '\r') {
      out += text[i];
    }
  }
  return out;
}

bool has_terminals() {
  const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  const bool has_one = master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0;
  if (master >= 0) ::close(master);
  return has_one;
}

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "attn-session-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace attn
