#pragma once
// What the tests of faults share: a folder to work in, and the program with one call that fails.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace attn {

/// A folder with an old transcript, for one run of the program.
class Workshop {
 public:
  Workshop();
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// The bytes of a file; "(none)" where there is none.
  std::string text(const std::string& name) const;
  void put(const std::string& name, const std::string& text) const;
  /// Names in the folder, sorted, hidden ones too; without the mark of the preloaded library.
  std::vector<std::string> names() const;
  bool was_failed() const;
  void clear_mark() const;

  /// The environment in which the library of failing_calls.cpp does what `settings` say.
  std::map<std::string, std::string> environment(const std::map<std::string, std::string>& settings) const;

 private:
  std::string path_;
};

/// Runs the program in the workshop's environment.
Ended run_failing(const Workshop& workshop, const std::vector<std::string>& arguments,
                  const std::map<std::string, std::string>& settings);

/// The library of failing_calls.cpp; empty where calls cannot be made to fail: sanitizers want to be loaded first.
constexpr const char* kFailingCalls =
#ifdef ATTN_FAILING_CALLS
    ATTN_FAILING_CALLS;
#else
    "";
#endif
constexpr bool kCanFail = *kFailingCalls;

/// A row of the list in docs/testing.md.
struct Row {
  const char* row;
  std::string text;
  int code;
  std::string message;  // a part of standard error; of standard output where the code is 0
};

inline const std::string kCell = "\n\n```python\nx = 1\n```\n";

inline std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace attn
