#pragma once
// How far a long piece of work has come, on one line of standard error that goes away again.
#include <cstddef>
#include <string>

namespace attn {

/// Shown on a terminal alone.
class ProgressBar {
 public:
  ProgressBar();
  /// Clears the line, so that a message can begin on it.
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// "[======--------------] 3/10 batch": three are done and `name` is being made.
  void show(std::size_t done, std::size_t all, const std::string& name);
  void clear();

 private:
  bool is_terminal_;
  bool is_shown_ = false;
};

}  // namespace attn
