#include "render/op_parts.h"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::size_t kLongestRound = 64;  // ops
constexpr std::size_t kFewRounds = 3;      // are shown each where their shapes differ, and named where they are alike
constexpr std::size_t kShortestMove = 2;   // ops that take more lines than to say that they were done above
constexpr int kFarthestMove = 200;  // steps further up nobody goes back to, and looking at all takes their square

/// What plotting records: the tensor is shown as a table, so a row that says that it stays as it is would say nothing.
constexpr std::string_view kPicture = "imshow";

constexpr std::string_view kTimes[] = {"op.times", "op.times.dims", "op.times.shapes"};  // by Likeness

/// Arguments that are the sizes of the result, which are compared as shapes.
constexpr std::string_view kSizes[] = {"size", "shape"};

using Ops = std::span<const Op* const>;

bool is_same_code(const Op& a, const Op& b) { return a.span == b.span && a.name == b.name; }

Likeness difference(const Trace& trace, const Op& a, const Op& b) {
  const auto same = [&](ValueId x, ValueId y) { return recorded_text(trace, x) == recorded_text(trace, y); };
  for (std::size_t i = 0; i < std::min(a.inputs.size(), b.inputs.size()); ++i)
    if (!same(a.inputs[i].value, b.inputs[i].value)) return Likeness::OtherShapes;
  if (!std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(), same))
    return Likeness::OtherShapes;
  const auto dim = [](const auto& attribute) { return attribute.first.starts_with("dim"); };
  const auto first = std::find_if(a.attributes.begin(), a.attributes.end(), dim);
  const auto second = std::find_if(b.attributes.begin(), b.attributes.end(), dim);
  const bool same_dim = first == a.attributes.end() || second == b.attributes.end() || *first == *second;
  return same_dim ? Likeness::Alike : Likeness::OtherDims;
}

bool makes(const Op& op, ValueId value) {
  return std::find(op.outputs.begin(), op.outputs.end(), value) != op.outputs.end();
}

/// Whether the op goes on with what the one before it made.
bool goes_on(const Op& before, const Op& op) { return !op.inputs.empty() && makes(before, op.inputs[0].value); }

/// How many of the first ops are one move: each works on what the one before it made.
std::size_t chain_length(Ops ops) {
  std::size_t length = ops.empty() ? 0 : 1;
  while (length < ops.size() && goes_on(*ops[length - 1], *ops[length])) ++length;
  return length;
}

/// Compares two moves: the same ops on tensors whose axes may have other names and sizes, as long as what comes out
/// differs in the same axes.
class SameMove {
 public:
  SameMove(const Trace& trace, Ops there, Ops here) : trace_(trace) {
    if (there.empty() || here.empty() || !starts_alike(*there[0], *here[0])) return;
    while (length_ < std::min(there.size(), here.size()) && is_alike(*there[length_], *here[length_])) ++length_;
  }

  /// How many of the first ops are the same.
  std::size_t length() const { return length_; }

 private:
  using NamedSize = std::pair<std::string_view, std::int64_t>;

  bool starts_alike(const Op& there, const Op& here) {
    if (there.inputs.empty() || here.inputs.empty()) return false;
    const ValueId from = there.inputs[0].value, to = here.inputs[0].value;
    if (from < 0 || to < 0) return false;
    const RecordedValue &a = trace_.value(from), &b = trace_.value(to);
    if (!a.is_tensor || !b.is_tensor || a.shape.size() != b.shape.size()) return false;
    for (std::size_t i = 0; i < a.shape.size(); ++i) {
      if (axes_.try_emplace(axis(a, i), axis(b, i)).first->second != axis(b, i)) return false;
    }
    return true;
  }

  bool is_alike(const Op& there, const Op& here) const {
    if (there.name != here.name || there.inputs.size() != here.inputs.size() || !has_same_attributes(there, here))
      return false;
    for (std::size_t i = 1; i < there.inputs.size(); ++i) {
      const OpOperand &a = there.inputs[i], &b = here.inputs[i];
      const bool is_named = !a.written.empty() || !b.written.empty();
      if (is_named ? a.value != b.value : !corresponds(a.value, b.value)) return false;
    }
    return std::equal(there.outputs.begin(), there.outputs.end(), here.outputs.begin(), here.outputs.end(),
                      [&](ValueId a, ValueId b) { return corresponds(a, b); });
  }

  static bool has_same_attributes(const Op& there, const Op& here) {
    const auto same = [](const auto& a, const auto& b) {
      return a.first == b.first &&
             (a.second == b.second || std::find(std::begin(kSizes), std::end(kSizes), a.first) != std::end(kSizes));
    };
    return std::equal(there.attributes.begin(), there.attributes.end(), here.attributes.begin(), here.attributes.end(),
                      same);
  }

  bool corresponds(ValueId there, ValueId here) const {
    if (there < 0 || here < 0) return there == here;
    const RecordedValue &a = trace_.value(there), &b = trace_.value(here);
    if (!a.is_tensor || !b.is_tensor) return a.is_tensor == b.is_tensor && a.text == b.text;
    if (a.shape.size() != b.shape.size()) return false;
    for (std::size_t i = 0; i < a.shape.size(); ++i) {
      const auto known = axes_.find(axis(a, i));
      if ((known == axes_.end() ? axis(a, i) : known->second) != axis(b, i)) return false;
    }
    return true;
  }

  static NamedSize axis(const RecordedValue& value, std::size_t i) { return {value.axes[i].name, value.shape[i]}; }

  const Trace& trace_;
  std::map<NamedSize, NamedSize> axes_;  // of the tensor there -> of the one here
  std::size_t length_ = 0;
};

class OpPartsMaker {
 public:
  OpPartsMaker(const Trace& trace, const Step& step)
      : trace_(trace), step_(step), id_(static_cast<StepId>(&step - trace.steps.data())), ops_(shown_ops(trace, step)) {
    if (!says_no_more() && (ops_.size() < kShortestMove || !add_earlier_round())) add(ops_);
  }

  std::vector<OpPart> take() { return std::move(parts_); }

 private:
  struct Repetition {
    std::size_t length = 0, times = 1;
    Likeness rounds = Likeness::Alike;
  };

  /// x = torch.randn(2, 3): the code has the op, and x is shown with its axes.
  bool says_no_more() const {
    if (ops_.size() != 1 || !ops_[0]->inputs.empty() || ops_[0]->outputs.size() != 1) return false;
    const ValueId result = ops_[0]->outputs[0];
    return step_.value == result || std::any_of(step_.bindings.begin(), step_.bindings.end(),
                                                [&](const Binding& binding) { return binding.value == result; });
  }

  OpPart& add(OpPart::Kind kind, Ops ops) {
    OpPart& part = parts_.emplace_back();
    part.kind = kind;
    part.op = ops.back();
    for (const Op* op : ops)
      if (std::find(part.names.begin(), part.names.end(), op->name) == part.names.end()) part.names.push_back(op->name);
    return part;
  }

  void add(Ops ops) {
    std::size_t shown = 0;
    for (std::size_t i = 0; i < ops.size();) {
      const Repetition found = repetition(ops.subspan(i));
      if (found.times == 1) {
        ++i;
        continue;
      }
      add_once(ops.subspan(shown, i - shown));
      const Ops rounds = ops.subspan(i, found.length * found.times);
      if (is_folded(rounds, found)) add_rounds(rounds, found);
      else
        for (std::size_t k = 0; k < found.times; ++k) add(rounds.subspan(k * found.length, found.length));
      i += rounds.size();
      shown = i;
    }
    add_once(ops.subspan(shown));
  }

  void add_rounds(Ops ops, const Repetition& found) {
    const std::size_t heading = parts_.size();
    const Ops round = ops.first(found.length);
    add(OpPart::Kind::Rounds, round);
    add(round);
    if (parts_.size() == heading + 2) parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(heading));
    OpPart& part = parts_[heading];
    part.times = found.times;
    part.rounds = found.rounds;
    if (part.kind == OpPart::Kind::Again) name_rounds(ops, part);
  }

  /// "K, V as Q above", where each round has a tensor with a name.
  static void name_rounds(Ops ops, OpPart& part) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < ops.size(); i += ops.size() / part.times)
      if (const std::string& name = ops[i]->inputs[0].written; !name.empty()) names.push_back(name);
    if (names.size() != part.times || names.size() > kFewRounds) return;
    part.here = join(names, ", ");
    part.times = 1;
  }

  /// The ops at the start that the same code ran several times on end; of several such the one with most ops.
  Repetition repetition(Ops ops) const {
    Repetition best;
    for (std::size_t length = 1; length <= std::min(kLongestRound, ops.size() / 2); ++length) {
      std::size_t same = 0;
      while (length + same < ops.size() && is_same_code(*ops[same], *ops[length + same])) ++same;
      const std::size_t times = same / length + 1;
      if (times > 1 && length * times > best.length * best.times) best = {length, times};
    }
    for (std::size_t i = best.length; i < best.length * best.times; ++i)
      best.rounds = std::max(best.rounds, difference(trace_, *ops[i % best.length], *ops[i]));
    return best;
  }

  static bool is_folded(Ops rounds, const Repetition& found) {
    if (found.rounds == Likeness::Alike) return true;
    // Layers of a Sequential are the same code, too: each goes on with what the one before it made.
    return found.times > kFewRounds && !goes_on(*rounds[found.length - 1], *rounds[found.length]);
  }

  void add_once(Ops ops) {
    while (!ops.empty()) {
      const Ops move = ops.first(chain_length(ops));
      const std::size_t again = move.size() < kShortestMove ? 0 : add_again(move);
      for (const Op* const& op : move.subspan(again)) add(OpPart::Kind::Op, {&op, 1});
      ops = ops.subspan(move.size());
    }
  }

  /// How many of the first ops of a move were done above, in this cell.
  std::size_t add_again(Ops move) {
    for (StepId id = first_to_compare(); id <= id_; ++id) {
      if (!is_beside(trace_.step(id))) continue;
      const std::vector<const Op*> all = id == id_ ? ops_ : shown_ops(trace_, trace_.step(id));
      for (Ops there = all; !there.empty() && there[0] < move[0]; there = there.subspan(chain_length(there))) {
        const std::size_t length = SameMove(trace_, there.first(chain_length(there)), move).length();
        if (length < kShortestMove) continue;
        OpPart& part = add(OpPart::Kind::Again, move.first(length));
        part.step = id;
        part.here = move[0]->inputs[0].written;
        part.there = there[0]->inputs[0].written;
        return length;
      }
    }
    return 0;
  }

  bool add_earlier_round() {
    for (StepId id = first_to_compare(); id < id_; ++id) {
      const Step& step = trace_.step(id);
      if (!is_beside(step) || step.span != step_.span) continue;
      const std::vector<const Op*> there = shown_ops(trace_, step);
      const auto same = [&](const Op* a, const Op* b) {
        return is_same_code(*a, *b) && difference(trace_, *a, *b) == Likeness::Alike;
      };
      if (!std::equal(there.begin(), there.end(), ops_.begin(), ops_.end(), same)) continue;
      add(OpPart::Kind::Again, ops_).step = id;
      return true;
    }
    return false;
  }

  StepId first_to_compare() const {
    StepId first = id_;
    for (int beside = 0; first > 0 && beside < kFarthestMove && trace_.step(first - 1).cell == step_.cell; --first)
      beside += is_beside(trace_.step(first - 1));
    return first;
  }

  bool is_beside(const Step& step) const {
    return step.cell == step_.cell && step.activation == step_.activation && step.outcome == Outcome::Fine &&
           !step.hidden;
  }

  const Trace& trace_;
  const Step& step_;
  const StepId id_;
  const std::vector<const Op*> ops_;
  std::vector<OpPart> parts_;
};

int step_number(const Trace& trace, StepId step) {
  const std::vector<StepId> visible = visible_steps(trace);
  return static_cast<int>(std::find(visible.begin(), visible.end(), step) - visible.begin()) + 1;
}

}  // namespace

std::vector<const Op*> shown_ops(const Trace& trace, const Step& step) {
  std::vector<const Op*> shown;
  for (const OpId id : step.ops) {
    const Op& op = trace.op(id);
    const bool asks = op.outputs.empty() && op.inputs.size() < 2;
    if (op.parent < 0 && !op.failed && !asks && op.name != kPicture) shown.push_back(&op);
  }
  return shown;
}

std::string recorded_text(const Trace& trace, ValueId id) {
  if (id < 0) return {};
  const RecordedValue& value = trace.value(id);
  return value.is_tensor ? axes_text(value) : value.text;
}

std::vector<OpPart> op_parts(const Trace& trace, const Step& step) { return OpPartsMaker(trace, step).take(); }

std::string op_part_text(const Trace& trace, const Step& step, const OpPart& part) {
  std::string times;
  if (part.times > 1) {
    std::string count = std::to_string(part.times);
    if (step.has_more_ops) count = say("op.more_than", {{"count", count}});
    times = say(kTimes[static_cast<std::size_t>(part.rounds)], {{"count", count}});
  }
  if (part.kind == OpPart::Kind::Op) return times;
  const std::string ops = join(part.names, ", ");
  if (part.kind == OpPart::Kind::Rounds) return say("op.rounds", {{"ops", ops}, {"times", times}});
  const bool is_near = &trace.step(part.step) == &step;
  const Words words = {
      {"ops", ops}, {"tensor", part.there}, {"step", is_near ? "" : std::to_string(step_number(trace, part.step))}};
  std::string again = part.there.empty() ? say(is_near ? "op.again.above" : "op.again.step", words)
                                         : say(is_near ? "op.again.tensor" : "op.again.tensor.step", words);
  if (!part.here.empty() && part.here != part.there) again = part.here + " " + again;
  return part.times == 1 ? again : again + ", " + say("op.same", {{"count", std::to_string(part.times)}});
}

const Op* op_to_look_at(const Trace& trace, const Step& step) {
  for (auto id = step.ops.rbegin(); id != step.ops.rend(); ++id) {
    const Op& op = trace.op(*id);
    if (op.parent >= 0 || op.failed || op.inputs.empty() || op.outputs.empty()) continue;
    if (op.name == kPicture) return &op;
    const bool is_tensor = op.outputs.back() >= 0 && trace.value(op.outputs.back()).is_tensor;
    return op.in_place && is_tensor ? &op : nullptr;
  }
  return nullptr;
}

}  // namespace attn
