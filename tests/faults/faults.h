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

/// Whether calls can be made to fail here: sanitizers want to be loaded first.
constexpr bool kCanFail =
#ifdef ATTN_FAILING_CALLS
    true;
#else
    false;
#endif

}  // namespace attn
