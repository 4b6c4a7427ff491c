#include "tests/cli/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "tests/cli/steering.h"

extern char** environ;

namespace attn {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLongestRun = std::chrono::seconds(100);  // less than what a test may take in all

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("pipe");
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  return {ends[0], ends[1]};
}

void close_end(int& end) {
  if (end >= 0) ::close(end);
  end = -1;
}

// In the child: makes `descriptor` what the set-up says. `pipe_end` is the child's end of the pipe.
void place(int descriptor, Stream stream, int pipe_end) {
  const int mode = descriptor == 0 ? O_RDONLY : O_WRONLY;
  int source = -1;
  switch (stream) {
    case Stream::Pipe:
    case Stream::Broken:
    case Stream::Unread: source = pipe_end; break;
    case Stream::Null: source = ::open("/dev/null", mode); break;
    case Stream::Full: source = ::open("/dev/full", mode); break;
    case Stream::Directory: source = ::open("/", O_RDONLY); break;
    case Stream::Closed: ::close(descriptor); return;
  }
  if (source == descriptor) return;
  dup2(source, descriptor);
}

void limit(decltype(RLIMIT_AS) resource, long most) {
  if (most == 0) return;
  const rlimit value{static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
  setrlimit(resource, &value);
}

bool handles_interrupt(pid_t child) {
  std::ifstream status("/proc/" + std::to_string(child) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("SigCgt:")) return std::stoull(line.substr(7), nullptr, 16) & (1u << (SIGINT - 1));
  }
  return false;
}

void interrupt_soon(pid_t child, int milliseconds) {
  const auto deadline = Clock::now() + kLongestRun;
  while (!handles_interrupt(child) && Clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  ::kill(child, SIGINT);
}

// Until the program waits for a reader of what it writes.
void wait_until_full(int write_end) {
  const auto deadline = Clock::now() + kLongestRun;
  pollfd end = {write_end, POLLOUT, 0};
  while (poll(&end, 1, 0) > 0 && Clock::now() < deadline) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// Reads what the program writes until the ends that are read are closed. False: it took too long.
bool collect(const Pipe& out, const Pipe& err, const Conditions& conditions, Ended& ended) {
  const auto deadline = Clock::now() + kLongestRun;
  const auto end = [](const Pipe& pipe, Stream stream) {
    return pollfd{stream == Stream::Unread ? -1 : pipe.read, POLLIN, 0};
  };
  pollfd ends[2] = {end(out, conditions.out), end(err, conditions.err)};
  std::string* texts[2] = {&ended.out, &ended.err};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (Clock::now() > deadline) return false;
    poll(ends, 2, 100);
    for (int i = 0; i < 2; ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      char block[1 << 16];
      const ssize_t count = ::read(ends[i].fd, block, sizeof block);
      if (count > 0) texts[i]->append(block, static_cast<std::size_t>(count));
      if (count <= 0) ends[i].fd = -1;
    }
  }
  return true;
}

int wait_for(pid_t child, bool& hung, rusage& used) {
  const auto deadline = Clock::now() + kLongestRun;
  int status = 0;
  while (!hung) {
    if (wait4(child, &status, WNOHANG, &used) == child) return status;
    hung = Clock::now() > deadline;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ::kill(child, SIGKILL);
  wait4(child, &status, 0, &used);
  return status;
}

// Whatever a test is about: nothing that the program writes may steer the terminal.
void expect_text(const Ended& ended, const Words& words) {
  const auto has = [&](std::string_view part) {
    return std::any_of(words.begin(), words.end(), [&](const auto& word) { return word.find(part) != word.npos; });
  };
  if (!has("safetensors")) {
    EXPECT_EQ(steering_in(ended.out, has("always")), "") << testing::PrintToString(words);
  }
  EXPECT_EQ(steering_in(ended.err, has("always")), "") << testing::PrintToString(words);
}

}  // namespace

Ended run_program(const Words& arguments, const Conditions& conditions) {
  Words words = {conditions.program.empty() ? "attn-tutor" : conditions.program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  if (conditions.no_arguments) words.clear();
  Words variables;
  for (const auto& [name, value] : conditions.environment) variables.push_back(name + "=" + value);
  const std::vector<char*> argv = pointers(words), envp = pointers(variables);

  Pipe in = make_pipe(), out = make_pipe(), err = make_pipe();
  if (conditions.out == Stream::Broken) close_end(out.read);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child == 0) {
    std::signal(SIGPIPE, SIG_DFL);
    for (int other = 3; other < 64; ++other) fcntl(other, F_SETFD, FD_CLOEXEC);  // what started the test has left open
    limit(RLIMIT_AS, conditions.address_space);
    limit(RLIMIT_STACK, conditions.stack);
    limit(RLIMIT_FSIZE, conditions.file_size);
    limit(RLIMIT_NOFILE, conditions.descriptors);
    place(0, conditions.in, in.read);
    place(1, conditions.out, out.write);
    place(2, conditions.err, err.write);
    if (!conditions.folder.empty() && chdir(conditions.folder.c_str()) != 0) _exit(126);
    if (conditions.program.empty()) execve(ATTN_BINARY, argv.data(), envp.data());
    environ = const_cast<char**>(envp.data());
    execvp(conditions.program.c_str(), argv.data());
    _exit(126);
  }
  if (conditions.out == Stream::Unread) wait_until_full(out.write);
  for (int* end : {&in.read, &out.write, &err.write}) close_end(*end);
  // A text that fits the pipe, or the program has ended and nobody reads it.
  std::signal(SIGPIPE, SIG_IGN);
  if (!conditions.input.empty() && ::write(in.write, conditions.input.data(), conditions.input.size()) < 0)
    ADD_FAILURE() << "no input";
  if (!conditions.keep_input) close_end(in.write);
  if (conditions.interrupt) interrupt_soon(child, 100);
  if (conditions.interrupt_after > 0) interrupt_soon(child, conditions.interrupt_after);

  Ended ended;
  ended.hung = !collect(out, err, conditions, ended);
#if defined(ATTN_SANITIZED)  // which warns of every program that has generators
  const std::size_t warning = ended.err.find("WARNING: ASan doesn't fully support makecontext");
  if (warning != std::string::npos) {
    const std::size_t begin = ended.err.rfind('\n', warning) + 1;
    ended.err.erase(begin, ended.err.find('\n', warning) + 1 - begin);
  }
#endif
  rusage used{};
  const int status = wait_for(child, ended.hung, used);
  ended.peak = used.ru_maxrss * 1024;
  for (int* end : {&in.write, &out.read, &err.read}) close_end(*end);
  if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  expect_text(ended, words);
  return ended;
}

std::string out_of(const Words& arguments, const Conditions& conditions) {
  const Ended ended = run_program(arguments, conditions);
  EXPECT_EQ(ended.code, 0) << testing::PrintToString(arguments) << "\n" << ended.err;
  EXPECT_EQ(ended.err, "") << testing::PrintToString(arguments);
  return ended.out;
}

bool has_torch() {
  static const bool has = std::system((kPython + " -c 'import torch' > /dev/null 2>&1").c_str()) == 0;
  return has;
}

std::size_t longest_line(const std::string& text, std::string_view end) {
  std::size_t longest = 0, at = 0;
  for (std::size_t to; (to = text.find(end, at)) != std::string::npos; at = to + end.size())
    longest = std::max(longest, to - at);
  return longest;
}

std::vector<std::string> lesson_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(ATTN_SOURCE_DIR "/lessons")) {
    const std::filesystem::path stem = entry.path().stem();
    if (entry.path().extension() != ".md" || !stem.extension().empty()) continue;
    const std::string word = stem.string().substr(0, stem.string().find('-'));
    const bool is_number = word.find_first_not_of("0123456789") == std::string::npos;
    names.push_back(is_number ? std::to_string(std::stoi(word)) : stem.string());
  }
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return names;
}

TemporaryFile::TemporaryFile(const std::string& name, const std::string& text) {
  folder_ = testing::TempDir() + "attn-XXXXXX";
  if (!mkdtemp(folder_.data())) throw std::runtime_error("mkdtemp");
  path_ = folder_ + "/" + name;
  std::ofstream(path_, std::ios::binary) << text;
}

TemporaryFile::~TemporaryFile() {
  ::unlink(path_.c_str());
  ::rmdir(folder_.c_str());
}

}  // namespace attn
