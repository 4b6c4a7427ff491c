#include "stepper/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <iterator>

#include "base/limits.h"
#include "python/object.h"

namespace attn {
namespace {

// ---- what handlers of signals read and write ----

std::atomic<bool> is_raw{false}, marks_pastes{false};
std::atomic<bool> was_interrupted{false}, was_resized{false}, was_resumed{false};
std::atomic<int> ending{0};
std::atomic<int> unheard{0};  // interrupts and endings since somebody looked
std::atomic<std::int64_t> unheard_since{0};
std::atomic<bool> is_leaving{false};  // nothing may be switched on any more, in whatever thread
int wake_pipe[2] = {-1, -1};
termios settings_before{}, settings_raw{};
bool has_settings = false;

constexpr std::string_view kMarkPastes = "\x1b[?2004h", kNoMarks = "\x1b[?2004l";

// Everything from here to the handlers may run in one: only what is safe there.

// Also where the terminal is not the one that jobs are controlled from.
bool is_in_foreground() {
  const pid_t group = tcgetpgrp(STDIN_FILENO);
  return group < 0 || group == getpgrp();
}

void put(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// A program in the background must not set the terminal that another one uses, and would be stopped for trying.
void set_terminal(const termios& settings) {
  if (has_settings && is_in_foreground()) tcsetattr(STDIN_FILENO, TCSANOW, &settings);
}

void give_back_now() {
  if (!is_raw || !is_in_foreground()) return;
  if (marks_pastes) put(kNoMarks);
  set_terminal(settings_before);
}

void take_again_now() {
  if (!is_raw || !is_in_foreground()) return;
  set_terminal(settings_raw);
  if (marks_pastes) put(kMarkPastes);
}

void wake() {
  const char byte = 0;
  if (::write(wake_pipe[1], &byte, 1) < 0) return;  // full: whoever waits is awake
}

// A computation that ignores the stop flag: then the signal does what it does elsewhere. Many signals at once mean
// nothing, the first of them must have waited.
constexpr int kPatience = 5;
constexpr std::int64_t kLongestSilence = 1000;  // milliseconds

void lose_patience(int number) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t milliseconds = std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
  if (unheard++ == 0) unheard_since = milliseconds;
  if (unheard < kPatience || milliseconds - unheard_since < kLongestSilence) return;
  is_leaving = true;
  give_back_now();
  std::signal(number, SIG_DFL);
  raise(number);
}

void on_ending(int number) {
  lose_patience(number);
  ending = number;
  request_interrupt();
  wake();
}

// Ctrl-C comes from the terminal; a SIGINT that was sent by a program means that we are to end.
void on_interrupt(int number, siginfo_t* info, void*) {
  const int saved = errno;
  if (info->si_code == SI_USER) {
    on_ending(number);
  } else {
    lose_patience(number);
    was_interrupted = true;
    request_interrupt();
    wake();
  }
  errno = saved;
}

void on_end(int number, siginfo_t*, void*) {
  const int saved = errno;
  on_ending(number);
  errno = saved;
}

void on_resize(int, siginfo_t*, void*) {
  const int saved = errno;
  was_resized = true;
  wake();
  errno = saved;
}

// Also after SIGSTOP, of which nobody hears before.
void on_continue(int, siginfo_t*, void*) {
  const int saved = errno;
  take_again_now();
  was_resumed = true;
  wake();
  errno = saved;
}

void on_stop(int number, siginfo_t*, void*) {
  const int saved = errno;
  give_back_now();
  struct sigaction stop {
  }, ours{};
  stop.sa_handler = SIG_DFL;
  sigaction(number, &stop, &ours);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  raise(number);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);  // here the program stops
  sigaction(number, &ours, nullptr);
  errno = saved;
}

void on_fault(int number, siginfo_t* info, void*);

struct HandlerRow {
  int signal;
  void (*handler)(int, siginfo_t*, void*);
  struct sigaction before;
};
HandlerRow handlers[] = {
    {SIGINT, on_interrupt, {}}, {SIGTERM, on_end, {}},  {SIGHUP, on_end, {}},       {SIGQUIT, on_end, {}},
    {SIGWINCH, on_resize, {}},  {SIGTSTP, on_stop, {}}, {SIGCONT, on_continue, {}}, {SIGSEGV, on_fault, {}},
    {SIGBUS, on_fault, {}},     {SIGFPE, on_fault, {}}, {SIGILL, on_fault, {}},     {SIGABRT, on_fault, {}},
};

// Then goes on to what would have happened without us: of a real fault, when the instruction is tried again.
void on_fault(int number, siginfo_t* info, void*) {
  give_back_now();
  struct sigaction next {};
  next.sa_handler = SIG_DFL;
  const bool was_sent = info->si_code <= 0;
  for (const HandlerRow& row : handlers) {
    if (row.signal == number && !was_sent) next = row.before;
  }
  sigaction(number, &next, nullptr);
  if (was_sent) raise(number);
}

// Faults are handled on a stack of their own: the usual one may be what is used up.
alignas(16) char fault_stack[64 << 10];
stack_t stack_before{};

void take_signals() {
  stack_t stack{};
  stack.ss_sp = fault_stack;
  stack.ss_size = sizeof fault_stack;
  sigaltstack(&stack, &stack_before);
  for (HandlerRow& row : handlers) {
    struct sigaction action {};
    action.sa_sigaction = row.handler;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(row.signal, &action, &row.before);
    // nohup: a signal that is ignored from outside stays so.
    if (row.before.sa_handler == SIG_IGN) sigaction(row.signal, &row.before, nullptr);
  }
}

void leave_signals() {
  sigaltstack(&stack_before, nullptr);
  for (const HandlerRow& row : handlers) sigaction(row.signal, &row.before, nullptr);
}

// Each key by itself, unchanged and without echo; Ctrl-C, Ctrl-\ and Ctrl-Z stay signals, output stays as it is.
termios raw_from(termios settings) {
  settings.c_iflag &= ~static_cast<tcflag_t>(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON);
  settings.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ECHONL | IEXTEN);
  settings.c_lflag |= ISIG;
  settings.c_cc[VMIN] =
      0;  // Ctrl-C throws away what was typed, also between poll() and read(): that must not wait then
  settings.c_cc[VTIME] = 0;
  return settings;
}

winsize window() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
  return size;
}

constexpr int kMostCells = 1000;  // of a line, and lines: libedit fails on windows that are much larger

// After an Escape: how long the rest of a key may take. Over slow lines it is longer than on a screen.
constexpr int kEscapeMilliseconds = 50;

}  // namespace

void restore_terminal() noexcept { give_back_now(); }

bool can_edit_lines() {
  const winsize size = window();
  return std::max(size.ws_col, size.ws_row) <= kMostCells;
}

Terminal::Terminal(TerminalMode mode) : mode_(mode) {
  if (pipe(wake_pipe) == 0) {
    for (const int end : wake_pipe) {
      fcntl(end, F_SETFD, FD_CLOEXEC);
      fcntl(end, F_SETFL, O_NONBLOCK);
    }
  }
  was_interrupted = was_resized = was_resumed = false;
  ending = unheard = 0;
  has_settings = tcgetattr(STDIN_FILENO, &settings_before) == 0;
  settings_raw = raw_from(settings_before);
  take_signals();
  if (mode == TerminalMode::Keys) keep_raw();
}

Terminal::~Terminal() {
  mark_pastes(false);
  give_back();
  leave_signals();
  for (int& end : wake_pipe) {
    ::close(end);
    end = -1;
  }
}

int Terminal::width() const { return window().ws_col > 0 ? std::min<int>(window().ws_col, kMostCells) : 80; }
int Terminal::height() const { return window().ws_row > 0 ? std::min<int>(window().ws_row, kMostCells) : 24; }

void Terminal::keep_raw() {
  if (mode_ != TerminalMode::Keys) return;
  is_raw = true;
  set_terminal(settings_raw);
}

void Terminal::give_back() {
  if (!is_raw) return;
  set_terminal(settings_before);
  is_raw = false;
}

void Terminal::mark_pastes(bool on) {
  if (mode_ != TerminalMode::Keys || marks_pastes == on || is_leaving) return;
  write(on ? kMarkPastes : kNoMarks);
  marks_pastes = on;
}

int Terminal::ending_signal() const { return ending; }

bool Terminal::take_interrupt() {
  clear_interrupt();
  unheard = 0;
  return was_interrupted.exchange(false);
}

bool Terminal::write(std::string_view text) {
  constexpr std::size_t kBlock = std::size_t{64} << 10;
  std::size_t done = 0;
  while (!text.empty() && !is_gone_) {
    // Ctrl-C ends a text of many screens.
    if (done >= kBlock && (was_interrupted || ending)) {
      text = mode_ == TerminalMode::Keys ? "\x1b[0m\r\n" : "\n";
      done = 0;
      if (was_interrupted) take_interrupt();
    }
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), std::min(text.size(), kBlock));
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
      done += static_cast<std::size_t>(written);
    } else if (written < 0 && errno == EAGAIN) {
      pollfd waiting{STDOUT_FILENO, POLLOUT, 0};
      poll(&waiting, 1, -1);
    } else if (written == 0 || errno != EINTR) {
      is_gone_ = true;
    }
  }
  return !is_gone_;
}

void Terminal::forget_typed() {
  decoder_ = {};
  ahead_.clear();
  line_.clear();
  if (has_settings) tcflush(STDIN_FILENO, TCIFLUSH);
}

// What signals have left. Ending comes first.
bool Terminal::take_note(TerminalEvent& event) {
  char bytes[64];
  while (::read(wake_pipe[0], bytes, sizeof bytes) > 0) {
  }
  if (ending) {
    event.kind = TerminalEvent::Kind::Signal;
    event.signal = ending;
    return true;
  }
  if (was_interrupted) {
    take_interrupt();
    forget_typed();
    event.kind = TerminalEvent::Kind::Interrupt;
    return true;
  }
  if (was_resumed.exchange(false)) {
    event.kind = TerminalEvent::Kind::Resume;
    return true;
  }
  if (was_resized.exchange(false)) {
    event.kind = TerminalEvent::Kind::Resize;
    return true;
  }
  return false;
}

// Whether there is something to read from standard input; false after the time, or when a signal came.
bool Terminal::wait(int timeout_ms) {
  // Meanwhile what an interrupted computation has left is freed.
  constexpr std::int64_t kAtOnce = 10'000;
  while (is_quiet(0) && free_waiting(kAtOnce)) continue;
  pollfd waiting[] = {{STDIN_FILENO, POLLIN, 0}, {wake_pipe[0], POLLIN, 0}};
  const int count = poll(waiting, std::size(waiting), timeout_ms);
  return count > 0 && waiting[1].revents == 0 && waiting[0].revents != 0;
}

bool Terminal::is_quiet(int milliseconds) {
  while (std::optional<Key> key = decoder_.next()) ahead_.push_back(std::move(*key));
  if (!ahead_.empty() || line_.find('\n') != std::string::npos) return false;
  pollfd waiting[] = {{STDIN_FILENO, POLLIN, 0}, {wake_pipe[0], POLLIN, 0}};
  return poll(waiting, std::size(waiting), milliseconds) == 0;
}

bool Terminal::read_bytes() {
  char block[4096];
  const ssize_t count = ::read(STDIN_FILENO, block, sizeof block);
  if (count > 0) {
    const std::string_view bytes(block, static_cast<std::size_t>(count));
    if (mode_ == TerminalMode::Keys) decoder_.feed(bytes);
    else line_ += bytes;
    return true;
  }
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  pollfd ended{STDIN_FILENO, POLLIN, 0};
  return is_raw && has_settings && poll(&ended, 1, 0) >= 0 && !(ended.revents & (POLLHUP | POLLERR | POLLNVAL));
}

std::optional<Key> Terminal::next_key() {
  if (ahead_.empty()) return decoder_.next();
  Key key = std::move(ahead_.front());
  ahead_.pop_front();
  return key;
}

std::optional<Key> Terminal::read_soon(int milliseconds) {
  if (auto key = next_key()) return key;
  if (mode_ != TerminalMode::Keys || !wait(milliseconds) || !read_bytes()) return std::nullopt;
  return decoder_.next();
}

TerminalEvent Terminal::read() {
  keep_raw();
  while (true) {
    TerminalEvent event;
    if (take_note(event)) return event;
    if (is_gone_) return {TerminalEvent::Kind::End};
    if (mode_ == TerminalMode::Keys) {
      if (auto key = next_key()) return {TerminalEvent::Kind::Key, std::move(*key)};
      const bool is_waiting = decoder_.is_waiting();
      if (!wait(is_waiting ? kEscapeMilliseconds : -1)) {
        if (!is_waiting) continue;
        if (auto key = decoder_.flush()) return {TerminalEvent::Kind::Key, std::move(*key)};
        continue;
      }
    } else {
      const std::size_t end = line_.find('\n');
      if (end != std::string::npos) {
        event.kind = TerminalEvent::Kind::Line;
        event.line = line_.substr(0, end);
        line_.erase(0, end + 1);
        return event;
      }
      if (!wait(-1)) continue;
    }
    if (!read_bytes()) return {TerminalEvent::Kind::End};
  }
}

}  // namespace attn
