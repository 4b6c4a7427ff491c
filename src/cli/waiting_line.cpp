#include "cli/waiting_line.h"

#include <algorithm>
#include <utility>

#include "base/number.h"
#include "base/source.h"
#include "base/text.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::chrono::milliseconds kPatience(700), kBetween(200);
constexpr int kWidth = 78;  // narrower terminals wrap it once
WaitingLine* current = nullptr;

}  // namespace

WaitingLine::WaitingLine(Write write) : write_(std::move(write)) { current = this; }
WaitingLine::~WaitingLine() { current = nullptr; }

void WaitingLine::on_round(const RoundPlace& place) {
  if (current && current->write_) current->see(place);
}

void WaitingLine::clear() {
  if (is_shown_) write_("\r\x1b[K");
  is_shown_ = false;
  loops_.clear();
}

void WaitingLine::see(const RoundPlace& place) {
  constexpr long kLookEvery = 16;  // rounds: a clock is not free
  const bool is_first = loops_.empty(), is_new = is_first || (place.depth == 0 && place.round == 0);
  if (is_new) begun_ = looked_ = Clock::now(), rounds_ = 0;
  if (is_first) waiting_since_ = begun_;
  loops_.resize(std::min(loops_.size(), place.depth));
  loops_.push_back(place);
  if (++rounds_ % kLookEvery != 0 && place.depth > 0) return;
  const Clock::time_point now = Clock::now();
  if (now - waiting_since_ < kPatience || now - looked_ < kBetween) return;
  looked_ = now;
  std::vector<std::string> parts;
  for (const RoundPlace& loop : loops_)
    parts.push_back(say("waiting.loop", {{"line", std::to_string(position_of(*loop.source, loop.at).line)},
                                         {"round", std::to_string(loop.round + 1)}}));
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  const std::string text = say(
      "waiting", {{"loops", join(parts, ", ")}, {"rate", format_general(static_cast<double>(rounds_) / seconds, 3)}});
  write_("\r" + elide(visible(text), kWidth) + "\x1b[K");
  is_shown_ = true;
}

}  // namespace attn
