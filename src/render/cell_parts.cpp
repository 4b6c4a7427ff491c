#include "render/cell_parts.h"

#include <set>

#include "render/line.h"
#include "render/source.h"
#include "render/step.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr int kWidestDetail = 40;

using Rounds = std::vector<std::vector<StepId>>;

class PartsMaker {
 public:
  PartsMaker(const Trace& trace, const TraceIndex& index, ShownCalls& calls, const RenderOptions& options)
      : trace_(trace), index_(index), calls_(calls), options_(options) {}

  void add_steps(const std::vector<StepId>& steps) {
    for (const StepId id : steps) {
      const auto number = index_.numbers.find(id);
      const bool has_children = index_.children.contains(id);
      CellPart& part = add(CellPart::Kind::Step);
      part.step = id;
      part.number = number == index_.numbers.end() ? 0 : number->second;
      part.plain = !has_children && is_plain(trace_, trace_.step(id));
      if (trace_.step(id).diagnostic >= 0) told_.insert(trace_.step(id).diagnostic);
      if (!has_children) continue;
      ++depth_;
      add_children(id);
      --depth_;
    }
  }

  /// Of one that was told already nothing.
  void add_error(int diagnostic) {
    if (diagnostic >= 0 && told_.insert(diagnostic).second) add(CellPart::Kind::Error).diagnostic = diagnostic;
  }

  std::vector<CellPart> take() { return std::move(parts_); }

 private:
  CellPart& add(CellPart::Kind kind, std::string text = {}, std::string detail = {}) {
    CellPart part;
    part.kind = kind;
    part.depth = depth_;
    part.text = std::move(text);
    part.detail = std::move(detail);
    parts_.push_back(std::move(part));
    return parts_.back();
  }

  void add_children(StepId parent) {
    const Children children = children_of(trace_, index_, parent);
    add_calls(children.calls);
    if (children.body.empty()) return;
    if (is_loop(trace_, trace_.step(parent))) add_rounds(trace_.step(parent), children.body);
    else add_steps(children.body);
  }

  /// What happens inside of the functions that a statement calls; those that are known already in one sentence.
  void add_calls(const std::vector<CallSteps>& calls) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (calls_.is_new(calls[i])) {
        add(CellPart::Kind::Call, say("call.inside", {{"function", trace_.step(calls[i].steps.front()).function}}));
        calls_.enter(calls[i]);
        add_steps(calls[i].steps);
        calls_.leave(calls[i]);
        continue;
      }
      std::vector<CallSteps> same = {calls[i]};
      while (i + 1 < calls.size() && !calls_.is_new(calls[i + 1]) && is_same_function(same[0], calls[i + 1]))
        same.push_back(calls[++i]);
      add(CellPart::Kind::Again, calls_.again(same));
      // Errors in steps that are not shown: those of a function that calls itself too often.
      for (StepId id = same.front().steps.front(); id <= calls_.last_of(same.back()); ++id)
        add_error(trace_.step(id).diagnostic);
    }
  }

  bool is_same_function(const CallSteps& a, const CallSteps& b) const {
    return trace_.step(a.steps.front()).header == trace_.step(b.steps.front()).header;
  }

  void add_rounds(const Step& parent, const std::vector<StepId>& children) {
    Rounds rounds;
    std::vector<StepId> otherwise;  // of the loop
    std::int64_t round = -1;
    for (const StepId id : children) {
      const std::int64_t own = trace_.step(id).iteration;
      if (own < round) {
        otherwise.push_back(id);
        continue;
      }
      if (rounds.empty() || own != round) rounds.emplace_back();
      round = own;
      rounds.back().push_back(id);
    }
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      if (i == kFirstRounds && number_of(rounds.back()) > kFirstRounds + 1) {
        add_left_out(rounds);
        i = rounds.size() - 1;
      } else if (const std::size_t next = i > 0 ? number_of(rounds[i - 1]) + 1 : 1; number_of(rounds[i]) > next) {
        add_unrecorded(number_of(rounds[i]) - next);
      }
      add(CellPart::Kind::Round, say("step.round", {{"number", std::to_string(number_of(rounds[i]))}}),
          bindings_text(parent, i, rounds.size()));
      add_steps(rounds[i]);
    }
    add_steps(otherwise);
  }

  /// From 1.
  std::size_t number_of(const std::vector<StepId>& round) const {
    return static_cast<std::size_t>(trace_.step(round.front()).iteration) + 1;
  }

  /// "… 5 more rounds, steps 9 to 18". A long record does not have all of them.
  void add_left_out(const Rounds& rounds) {
    const std::size_t left_out = number_of(rounds.back()) - number_of(rounds[kFirstRounds - 1]) - 1;
    const auto count = static_cast<std::int64_t>(left_out);
    const std::int64_t recorded = std::ssize(rounds) - static_cast<std::int64_t>(kFirstRounds) - 1;
    if (recorded == 0) return add_unrecorded(left_out);
    const std::string gap(glyphs(options_).gap);
    const StepId from = rounds[kFirstRounds].front(), to = rounds[rounds.size() - 2].back();
    calls_.leave_out(from, to);
    const auto first = index_.numbers.find(from),
               last = index_.numbers.find(index_.last.at(static_cast<std::size_t>(to)));
    const bool numbered = first != index_.numbers.end() && last != index_.numbers.end();
    const std::string steps = numbered ? steps_text(first->second, last->second) : "";
    add(CellPart::Kind::LeftOut, recorded == count ? say_count("more.rounds", count, {{"gap", gap}, {"steps", steps}})
                                                   : say("more.rounds.partly", {{"gap", gap},
                                                                                {"count", std::to_string(count)},
                                                                                {"recorded", std::to_string(recorded)},
                                                                                {"steps", steps}}));
  }

  void add_unrecorded(std::size_t rounds) {
    add(CellPart::Kind::LeftOut, say_count("more.rounds.unrecorded", static_cast<std::int64_t>(rounds),
                                           {{"gap", std::string(glyphs(options_).gap)}}));
  }

  /// "   i = 1" of a round.
  std::string bindings_text(const Step& loop, std::size_t round, std::size_t rounds) const {
    const std::size_t per_round = loop.bindings.size() % rounds == 0 ? loop.bindings.size() / rounds : 0;
    std::string out;
    for (std::size_t k = round * per_round; k < (round + 1) * per_round; ++k) {
      const Binding& binding = loop.bindings[k];
      if (binding.value < 0) continue;
      const RecordedValue& value = trace_.value(binding.value);
      out += "   " + binding.target;
      out += value.is_tensor ? " " + axes_text(value) : " = " + shortened(value.text, kWidestDetail, options_);
    }
    return out;
  }

  const Trace& trace_;
  const TraceIndex& index_;
  ShownCalls& calls_;
  const RenderOptions& options_;
  std::vector<CellPart> parts_;
  std::set<int> told_;
  int depth_ = 0;
};

}  // namespace

std::vector<CellPart> cell_parts(const Trace& trace, const TraceIndex& index, ShownCalls& calls, const CellRecord& cell,
                                 const RenderOptions& options) {
  PartsMaker parts(trace, index, calls, options);
  parts.add_steps(cell.steps);
  // An error that belongs to no step: the cell could not be read.
  parts.add_error(cell.diagnostic);
  return parts.take();
}

}  // namespace attn
