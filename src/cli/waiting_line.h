#pragma once
// The line that a session shows while a loop takes long: where it is, and how fast it goes.
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// One lives at a time, and draws what on_round() tells of.
class WaitingLine {
 public:
  /// `write` puts text on a terminal that can move its cursor to the left end; empty: nothing is shown.
  using Write = std::function<void(std::string_view)>;
  explicit WaitingLine(Write write);
  ~WaitingLine();
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;

  /// For RunOptions.
  static void on_round(const RoundPlace& place);
  /// Takes the line off the screen.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void see(const RoundPlace& place);

  Write write_;
  std::vector<RoundPlace> loops_;                     // from the outermost to the innermost
  Clock::time_point waiting_since_, begun_, looked_;  // begun_: the loop
  long rounds_ = 0;                                   // of innermost loops, since it began
  bool is_shown_ = false;
};

}  // namespace attn
