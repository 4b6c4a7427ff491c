#pragma once
// Running another program and reading what it prints. No shell is involved.
#include <csignal>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

struct ChildResult {
  int code = -1;    // its exit code; 128 + n after signal n; -1: it could not be started
  std::string out;  // of both, at most 16 MiB are kept
  std::string err;
};

/// Finds the program on PATH as a shell would. Ends it when the run is interrupted.
///   Errors: LimitReached (Interrupt); WriteError where no pipe can be had.
ChildResult run_child(const std::vector<std::string>& words);

/// Runs a program that reads the text and has our terminal, such as a pager, until it ends; it may stop reading before
/// the text does. Gives its exit code, -1 when it could not be started.
int feed_child(const std::vector<std::string>& words, std::string_view text);

/// Other handlers of signals while it lives. One that should have ended the program meanwhile does so at its end.
class EndingLater {
 public:
  explicit EndingLater(std::initializer_list<std::pair<int, void (*)(int)>> handlers);
  ~EndingLater();
  EndingLater(const EndingLater&) = delete;
  EndingLater& operator=(const EndingLater&) = delete;

 private:
  std::vector<std::pair<int, struct sigaction>> before_;
};

/// A folder under the system's one for temporary files; removed with all that is in it. SIGTERM and SIGHUP are heard as
/// an interrupt is while it is there, and end the program then.
class TemporaryFolder {
 public:
  /// Errors: WriteError.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  EndingLater ends_later_;  // first: its end comes last
  std::string path_;
};

}  // namespace attn
