#include "cli/child.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/limits.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace attn {
namespace {

constexpr std::size_t kMostKept = std::size_t{16} << 20;
constexpr int kLookForInterrupt = 50;  // milliseconds

/// The reading end of a pipe whose writing end is for the child.
struct Pipe {
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(std::size_t end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
  std::array<int, 2> ends{};
};

/// False when nothing more will come.
bool read_some(Pipe& pipe, std::string& text) {
  char block[1 << 14];
  const ssize_t count = ::read(pipe.ends[0], block, sizeof block);
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  if (text.size() < kMostKept) text.append(block, static_cast<std::size_t>(count));
  return true;
}

void read_both(Pipe& out, Pipe& err, ChildResult& result, pid_t child) {
  bool out_open = true, err_open = true;
  while (out_open || err_open) {
    pollfd polled[] = {{out_open ? out.ends[0] : -1, POLLIN, 0}, {err_open ? err.ends[0] : -1, POLLIN, 0}};
    ::poll(polled, 2, kLookForInterrupt);
    try {
      charge(1);
    } catch (const LimitReached&) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
      throw;
    }
    if (polled[0].revents != 0) out_open = read_some(out, result.out);
    if (polled[1].revents != 0) err_open = read_some(err, result.err);
  }
}

/// The wall of address space around our own work is not the child's.
class WithoutWall {
 public:
  WithoutWall() {
    ::getrlimit(RLIMIT_AS, &own_);
    rlimit open = own_;
    open.rlim_cur = open.rlim_max;
    ::setrlimit(RLIMIT_AS, &open);
  }
  ~WithoutWall() { ::setrlimit(RLIMIT_AS, &own_); }
  WithoutWall(const WithoutWall&) = delete;
  WithoutWall& operator=(const WithoutWall&) = delete;

 private:
  rlimit own_{};
};

/// What a child has instead of our own streams.
class ChildStreams {
 public:
  ChildStreams() { posix_spawn_file_actions_init(&actions_); }
  ~ChildStreams() { posix_spawn_file_actions_destroy(&actions_); }
  ChildStreams(const ChildStreams&) = delete;
  ChildStreams& operator=(const ChildStreams&) = delete;
  void no_input() { posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0); }
  void put(int descriptor, int stream) { posix_spawn_file_actions_adddup2(&actions_, descriptor, stream); }
  const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// Signals that we ignore are not to be ignored by the child.
int spawn(const std::vector<std::string>& words, const ChildStreams& streams, pid_t& child) {
  const WithoutWall no_wall;
  sigset_t usual;
  sigemptyset(&usual);
  for (const int signal : {SIGINT, SIGQUIT, SIGPIPE}) sigaddset(&usual, signal);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const int failed = ::posix_spawnp(&child, argv[0], streams.actions(), &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  return failed;
}

int exit_code_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// What the handler below reads and writes.
std::atomic<pid_t> fed_child{0};
std::atomic<int> ending{0};
static_assert(std::atomic<pid_t>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void end_child_first(int signal) {
  ending = signal;
  if (fed_child != 0) ::kill(fed_child, SIGTERM);
}

/// While the child has the terminal, its keys are for the child, and it may stop reading at any time. A signal that
/// ends us ends the child first, which puts the terminal back.
class SignalsOfChild {
 public:
  ~SignalsOfChild() { fed_child = 0; }
  SignalsOfChild() = default;
  SignalsOfChild(const SignalsOfChild&) = delete;
  SignalsOfChild& operator=(const SignalsOfChild&) = delete;

  void began(pid_t child) {
    fed_child = child;
    if (ending != 0) ::kill(child, SIGTERM);  // it came too early for the handler
  }

 private:
  EndingLater handlers_{
      {SIGINT, SIG_IGN}, {SIGQUIT, SIG_IGN}, {SIGPIPE, SIG_IGN}, {SIGTERM, end_child_first}, {SIGHUP, end_child_first}};
};

void interrupt_first(int signal) {
  ending = signal;
  request_interrupt();
}

}  // namespace

EndingLater::EndingLater(std::initializer_list<std::pair<int, void (*)(int)>> handlers) {
  for (const auto& [signal, handler] : handlers) {
    struct sigaction action {
    }, before{};
    action.sa_handler = handler;
    ::sigaction(signal, &action, &before);
    // nohup: what is ignored from outside stays so.
    if (before.sa_handler == SIG_IGN) ::sigaction(signal, &before, nullptr);
    before_.emplace_back(signal, before);
  }
}

EndingLater::~EndingLater() {
  for (const auto& [signal, before] : before_) ::sigaction(signal, &before, nullptr);
  if (ending != 0) ::raise(ending.exchange(0));
}

ChildResult run_child(const std::vector<std::string>& words) {
  Pipe out, err;
  if (out.ends[1] < 0 || err.ends[1] < 0) throw WriteError("pipe", std::generic_category().message(errno));
  pid_t child = 0;
  ChildStreams streams;
  streams.no_input();
  streams.put(out.ends[1], STDOUT_FILENO);
  streams.put(err.ends[1], STDERR_FILENO);
  const int failed = spawn(words, streams, child);
  ChildResult result;
  if (failed != 0) {
    result.err = std::generic_category().message(failed);
    return result;
  }
  out.close_end(1);
  err.close_end(1);
  read_both(out, err, result, child);
  result.code = exit_code_of(child);
  return result;
}

int feed_child(const std::vector<std::string>& words, std::string_view text) {
  SignalsOfChild signals;
  Pipe in;
  if (in.ends[0] < 0) return -1;
  pid_t child = 0;
  ChildStreams streams;
  streams.put(in.ends[0], STDIN_FILENO);
  if (spawn(words, streams, child) != 0) return -1;
  signals.began(child);
  in.close_end(0);
  write_all(in.ends[1], text);
  in.close_end(1);
  return exit_code_of(child);
}

TemporaryFolder::TemporaryFolder() : ends_later_({{SIGTERM, interrupt_first}, {SIGHUP, interrupt_first}}) {
  std::error_code error;
  path_ = (std::filesystem::temp_directory_path(error) / "attn-tutor-XXXXXX").string();
  if (error || !::mkdtemp(path_.data())) throw WriteError(path_, std::generic_category().message(errno));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace attn
