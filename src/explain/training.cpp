#include "explain/training.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/number.h"
#include "base/text.h"
#include "base/words.h"
#include "explain/value_history.h"
#include "tensor/core/read.h"
#include "tensor/ops/compare.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::string_view kBackward = "backward", kMove = "optimizer_step", kGradient = ".grad";
constexpr double kNextToNothing = 1e-5;  // of the largest gradient: rounding left it

const Op* training_op(const Trace& trace, const Step& step) {
  for (const OpId id : step.ops) {
    const Op& op = trace.op(id);
    if (op.parent < 0 && (op.name == kBackward || op.name == kMove)) return &op;
  }
  return nullptr;
}

struct Sizes {
  double largest = 0;  // of the finite elements, without their signs
  std::int64_t zeros = 0, nan = 0, inf = 0;
};

Sizes sizes_of(const Tensor& x) {
  const Statistics all = statistics(x);
  Sizes sizes{std::max(std::fabs(all.min), std::fabs(all.max)), 0, all.nan, all.inf};
  for (std::int64_t i = 0; i < x.numel(); ++i) sizes.zeros += to_double(element_at(x, i)) == 0 ? 1 : 0;
  return sizes;
}

std::string in_short(double value) { return format_general(value, 3); }

class Gradients {
 public:
  Gradients(const Trace& trace, const Step& step) : trace_(trace), step_(step) {
    for (const Binding& binding : step.bindings) largest_ = std::max(largest_, sizes(binding).largest);
    for (const OpId id : step.ops) {
      const Op& op = trace.op(id);
      if (!op.in_place || op.outputs.empty() || op.inputs.empty() || op.inputs[0].value < 0) continue;
      if (is_any_other_than_zero(trace.value(op.inputs[0].value))) added_.insert(op.outputs[0]);
    }
  }

  /// How early it is told: what is wrong comes first.
  static int rank(const Sizes& sizes, bool is_missing) { return is_missing ? 0 : sizes.nan + sizes.inf > 0 ? 1 : 2; }

  std::vector<TrainedRow> rows() const {
    std::vector<TrainedRow> out;
    for (int wanted = 0; wanted <= 2; ++wanted) {
      for (const Binding& binding : step_.bindings) {
        if (!binding.target.ends_with(kGradient)) continue;
        const Sizes found = sizes(binding);
        const bool is_missing = !trace_.value(binding.value).is_tensor;
        if (rank(found, is_missing) == wanted) out.push_back(row(binding, found, is_missing));
      }
    }
    return out;
  }

 private:
  Sizes sizes(const Binding& binding) const {
    const RecordedValue& value = trace_.value(binding.value);
    return value.is_tensor && value.has_numbers() ? sizes_of(value.tensor) : Sizes{};
  }

  TrainedRow row(const Binding& binding, const Sizes& sizes, bool is_missing) const {
    const std::string name = binding.target.substr(0, binding.target.size() - kGradient.size());
    if (is_missing) return {name, -1, say("gradient.missing")};
    const RecordedValue& value = trace_.value(binding.value);
    if (!value.has_numbers()) return {name, binding.value, say("summary.not_kept")};
    std::vector<std::string> notes;
    if (sizes.nan > 0) notes.push_back(say("gradient.nan", {{"count", std::to_string(sizes.nan)}}));
    if (sizes.inf > 0) notes.push_back(say("gradient.infinite", {{"count", std::to_string(sizes.inf)}}));
    if (sizes.zeros == value.tensor.numel()) {
      notes.push_back(say("gradient.zero"));
    } else if (sizes.nan + sizes.inf < value.tensor.numel()) {
      const bool is_tiny = sizes.largest <= kNextToNothing * largest_;
      notes.push_back(say(is_tiny ? "gradient.tiny" : "gradient.largest", {{"value", in_short(sizes.largest)}}));
      if (sizes.zeros > 0) notes.push_back(say_count("gradient.zeros", sizes.zeros));
    }
    if (added_.contains(binding.value)) notes.push_back(say("gradient.added"));
    return {name, binding.value, join(notes, ", ")};
  }

  static bool is_any_other_than_zero(const RecordedValue& value) {
    return value.has_numbers() && sizes_of(value.tensor).zeros < value.tensor.numel();
  }

  const Trace& trace_;
  const Step& step_;
  double largest_ = 0;
  std::unordered_set<ValueId> added_;  // gradients where there was one already, other than 0
};

std::vector<TrainedRow> moved_rows(const Trace& trace, const Step& step, const Op& op) {
  std::vector<TrainedRow> out;
  for (const Binding& binding : step.bindings) {
    const RecordedValue& now = trace.value(binding.value);
    const auto before = std::find_if(op.inputs.begin(), op.inputs.end(), [&](const OpOperand& input) {
      const RecordedValue& value = trace.value(input.value);
      return now.is_tensor && value.is_tensor && value.storage == now.storage && value.shape == now.shape;
    });
    if (before == op.inputs.end()) continue;
    const RecordedValue& then = trace.value(before->value);
    TrainedRow& row = out.emplace_back(TrainedRow{binding.target, binding.value, ""});
    if (!now.has_numbers() || !then.has_numbers()) continue;
    const Difference moved = compare_bits(then.tensor, now.tensor);
    row.note = moved.differing == 0 ? say("trained.still") : say("trained.moved", {{"value", in_short(moved.largest)}});
  }
  return out;
}

}  // namespace

std::vector<TrainedRow> trained_rows(const Trace& trace, const Step& step) {
  const Op* op = training_op(trace, step);
  if (!op) return {};
  return op->name == kBackward ? Gradients(trace, step).rows() : moved_rows(trace, step, *op);
}

std::string trained_by(const Trace& trace, const Step& step) {
  const Op* op = training_op(trace, step);
  return op ? op->name : std::string();
}

namespace {

/// Null where they were not kept.
const Tensor* kept_numbers(const Trace& trace, ValueId id) {
  return id >= 0 && trace.value(id).has_numbers() ? &trace.value(id).tensor : nullptr;
}

/// The number that backward() is called on in the step; -1: it is not called, or on more than one.
ValueId loss_of(const Trace& trace, const Step& step) {
  const Op* op = training_op(trace, step);
  if (!op || op->name != kBackward) return -1;
  const Tensor* loss = kept_numbers(trace, op->inputs.front().value);
  return loss && loss->numel() == 1 ? op->inputs.front().value : -1;
}

void add_changes(const Tensor& was, const Tensor& is, const Tensor& gradient, Foretold& out) {
  if (was.shape() != is.shape()) return;
  for (std::int64_t i = 0; i < was.numel(); ++i) {
    const double change = to_double(element_at(is, i)) - to_double(element_at(was, i));
    if (change == 0) continue;
    ++out.count;
    out.change = change;
    out.gradient = to_double(element_at(gradient, i));
    out.foretold += out.gradient * change;
  }
}

}  // namespace

std::optional<Foretold> foretold_change(const Trace& before, const Trace& after) {
  const ValueHistory history(before);
  for (const Step& step : before.steps) {
    const ValueId loss = loss_of(before, step);
    if (loss < 0) continue;
    const auto same =
        std::find_if(after.steps.begin(), after.steps.end(), [&](const Step& s) { return s.id == step.id; });
    const ValueId loss_now = same == after.steps.end() ? -1 : loss_of(after, *same);
    if (loss_now < 0) continue;
    Foretold out{history.name(loss), to_double(element_at(before.value(loss).tensor, 0)),
                 to_double(element_at(after.value(loss_now).tensor, 0))};
    for (const Binding& left : step.bindings) {
      const auto now = std::find_if(same->bindings.begin(), same->bindings.end(),
                                    [&](const Binding& binding) { return binding.target == left.target; });
      const bool is_leaf = left.of >= 0 && before.value(left.of).grad_fn.empty();
      if (!is_leaf || now == same->bindings.end()) continue;
      const Tensor *gradient = kept_numbers(before, left.value), *was = kept_numbers(before, left.of);
      const Tensor* is = kept_numbers(after, now->of);
      if (gradient && was && is) add_changes(*was, *is, *gradient, out);
    }
    if (out.count > 0) return out;
  }
  return std::nullopt;
}

NumberRange finite_range(const std::vector<double>& numbers) {
  NumberRange range{INFINITY, -INFINITY};
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    range.least = std::min(range.least, number);
    range.largest = std::max(range.largest, number);
  }
  return range.least <= range.largest ? range : NumberRange{NAN, NAN};
}

std::vector<double> means_of(const std::vector<double>& numbers, std::size_t count) {
  count = std::min(count, numbers.size());
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * numbers.size() / count, end = (i + 1) * numbers.size() / count;
    double sum = 0;
    for (std::size_t k = begin; k < end; ++k) sum += numbers[k];
    out.push_back(sum / static_cast<double>(end - begin));
  }
  return out;
}

std::string drawn_numbers(const std::vector<double>& numbers, std::size_t width,
                          const std::vector<std::string_view>& signs) {
  const NumberRange range = finite_range(numbers);
  const std::size_t levels = signs.size() - 1;
  std::string out;
  for (const double mean : means_of(numbers, width)) {
    const double share = range.share(mean);
    out += std::isfinite(share)
               ? signs[std::min(levels - 1, static_cast<std::size_t>(share * static_cast<double>(levels)))]
               : signs.back();
  }
  return out;
}

}  // namespace attn
