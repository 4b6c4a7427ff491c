#include "explain/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "base/number.h"
#include "explain/lint_flow.h"
#include "explain/wording.h"
#include "tensor/core/read.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::int64_t kMostNumbers = std::int64_t{1} << 22;  // of a softmax that is looked at number by number

bool has_few_numbers(const RecordedValue& value) {
  return value.is_tensor && value.has_numbers() && value.tensor.numel() <= kMostNumbers;
}

std::string short_number(double value) { return format_general(value, 5); }

bool is_near(double a, double b) { return std::fabs(a - b) <= 1e-3 * std::fabs(b); }

Finding found(const Flow& flow, std::string_view rule, const Op& op, const Words& message, const Words& right,
              const std::string& form = {}) {
  const std::string id = "lint." + std::string(rule);
  return {rule, flow.id_of(op), say(id + form, message), say(id + form + ".right", right)};
}

/// "axis 2 (query_len 5)".
std::string axis_at_place(const RecordedValue& value, std::size_t axis) {
  const bool named = axis < value.axes.size() && !value.axes[axis].name.empty();
  if (!named) return axis_with_size(value, axis);
  return say("axis.place", {{"axis", std::to_string(axis)}, {"size", axis_with_size(value, axis)}});
}

/// The rows along an axis, one after another: f(numbers of the row, index of its first number).
template <class F>
void for_each_row(const RecordedValue& value, std::size_t axis, F&& f) {
  const std::vector<double> numbers = to_doubles(value.tensor);
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < value.shape.size(); ++i) inner *= static_cast<std::size_t>(value.shape[i]);
  const auto length = static_cast<std::size_t>(value.shape[axis]);
  if (length == 0) return;
  std::vector<double> row(length);
  for (std::size_t block = 0; block + inner * length <= numbers.size(); block += inner * length) {
    for (std::size_t i = 0; i < inner; ++i) {
      for (std::size_t k = 0; k < length; ++k) row[k] = numbers[block + k * inner + i];
      f(row, static_cast<std::int64_t>(block + i));
    }
  }
}

/// "batch_size 0, n_heads 1, query_len 2": the row that begins with that number.
std::string row_text(const RecordedValue& value, std::size_t axis, std::int64_t first) {
  const Shape index = unravel(first, value.shape);
  std::string out;
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (i == axis) continue;
    const bool named = i < value.axes.size() && !value.axes[i].name.empty();
    out +=
        fmt::format("{}{}{}{}", out.empty() ? "" : ", ", named ? value.axes[i].name : "", named ? " " : "", index[i]);
  }
  return out;
}

// ---- the axis of the softmax ----

/// A softmax over another axis than the one that is added up over next.
std::optional<Finding> softmax_over_another_axis(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  if (!axis || !flow.scores_of(input_named(op, "input"))) return std::nullopt;
  const RecordedValue& weights = flow.value(op.outputs[0]);
  for (const Flow::Use& use : flow.products_with(op.outputs[0], *axis)) {
    if (use.axis == use.contracted) return std::nullopt;  // one that fits is enough
  }
  const auto uses = flow.products_with(op.outputs[0], *axis);
  if (uses.empty()) return std::nullopt;
  // The axis that is added up over, as the softmax saw it: where the weights were not turned on the way, the same one.
  const RecordedValue& operand = flow.value(uses[0].operand);
  if (operand.shape != weights.shape) return std::nullopt;
  const std::string contracted = axis_at_place(operand, uses[0].contracted);
  const auto dim = static_cast<std::int64_t>(uses[0].contracted) - static_cast<std::int64_t>(weights.shape.size());
  return found(flow, "softmax", op, {{"axis", axis_at_place(weights, *axis)}, {"contracted", contracted}},
               {{"dim", std::to_string(dim)}});
}

// ---- masks ----

/// The mask of an op on scores: the operand that says where.
ValueId mask_of(const Flow& flow, const Op& op) {
  const std::string_view name = plain_name(op);
  if (name == "masked_fill") return input_named(op, "mask");
  if (name == "where") return input_named(op, "condition");
  if (name != "add" && name != "mul") return -1;
  const ValueId input = input_named(op, "input"), other = input_named(op, "other");
  if (input < 0 || other < 0 || op.outputs.empty()) return -1;
  return flow.value(other).shape == flow.value(op.outputs[0]).shape ? input : other;
}

/// Whether some entries differ from others.
bool tells_apart(const RecordedValue& mask) {
  if (!has_few_numbers(mask)) return false;
  const std::vector<double> numbers = to_doubles(mask.tensor);
  return std::adjacent_find(numbers.begin(), numbers.end(), std::not_equal_to<>()) != numbers.end();
}

/// A mask of scores that lines up with queries.
std::optional<Finding> mask_of_queries(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(input_named(op, "input")) : std::nullopt;
  if (!scores) return std::nullopt;
  for (const Op* step : scores->way) {
    const ValueId id = mask_of(flow, *step);
    if (id < 0) continue;
    const RecordedValue &mask = flow.value(id), &masked = flow.value(step->outputs[0]);
    const std::size_t dims = masked.shape.size(), shift = dims - std::min(dims, mask.shape.size());
    if (dims < 2 || *axis + 1 != dims || *axis < shift + 1 || masked.shape[*axis] < 2) continue;
    const bool is_query_mask = mask.shape[*axis - shift] == 1 && mask.shape[*axis - shift - 1] > 1;
    if (!is_query_mask || !tells_apart(mask)) continue;
    const Words words = {{"queries", axis_at_place(masked, *axis - 1)}, {"keys", axis_at_place(masked, *axis)}};
    return found(flow, "mask", *step, words, {});
  }
  return std::nullopt;
}

/// Rows of a softmax in which nothing is left to look at.
std::optional<Finding> masked_rows(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  if (!axis) return std::nullopt;
  if (flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;  // looked at, not used
  const RecordedValue &scores = flow.value(input_named(op, "input")), &weights = flow.value(op.outputs[0]);
  if (!has_few_numbers(scores) || !has_few_numbers(weights) || weights.shape[*axis] < 2) return std::nullopt;
  constexpr double kMasked = -1e3;  // -1e4, -1e9, -1e10, -inf: no score of an untrained product is that low
  std::int64_t total = 0, count = 0, first = -1;
  bool is_nan = false;
  for_each_row(scores, *axis, [&](const std::vector<double>& row, std::int64_t at) {
    ++total;
    const double highest = *std::max_element(row.begin(), row.end());
    if (std::any_of(row.begin(), row.end(), [](double x) { return std::isnan(x); }) || highest > kMasked) return;
    ++count;
    if (first < 0) first = at;
    is_nan = std::isinf(highest);
  });
  if (count == 0) return std::nullopt;
  return found(flow, "row", op,
               {{"count", std::to_string(count)},
                {"total", std::to_string(total)},
                {"place", row_text(weights, *axis, first)},
                {"what", say(is_nan ? "lint.row.nan" : "lint.row.even")}},
               {});
}

/// A mask put on weights, whose rows then do not add up to 1.
std::optional<Finding> mask_after_softmax(const Flow& flow, const Op& op) {
  const std::string_view name = plain_name(op);
  if ((name != "masked_fill" && name != "mul" && name != "where") || op.outputs.empty()) return std::nullopt;
  const ValueId mask = mask_of(flow, op), input = input_named(op, "input"), other = input_named(op, "other");
  const ValueId weights = mask == input ? other : input;
  const Op* softmax = weights < 0 ? nullptr : flow.maker(weights);
  const auto axis = softmax ? softmax_axis(flow, *softmax) : std::nullopt;
  if (!axis || mask < 0 || flow.is_drawn(mask) || !tells_apart(flow.value(mask))) return std::nullopt;
  const RecordedValue& result = flow.value(op.outputs[0]);
  if (result.shape != flow.value(weights).shape || !has_few_numbers(result)) return std::nullopt;
  // Whoever divides by the sums of the rows knows.
  for (const Op* user : flow.users(op.outputs[0]))
    if (plain_name(*user) == "sum" || plain_name(*user) == "div") return std::nullopt;
  if (flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;
  std::int64_t total = 0, count = 0, first = -1;
  double sum = 0;
  for_each_row(result, *axis, [&](const std::vector<double>& row, std::int64_t at) {
    ++total;
    double here = 0;
    for (const double x : row) here += x;
    if (std::isnan(here) || std::fabs(here - 1) <= 1e-3) return;
    ++count;
    if (first < 0) {
      first = at;
      sum = here;
    }
  });
  if (count == 0) return std::nullopt;
  return found(flow, "after", op,
               {{"count", std::to_string(count)},
                {"total", std::to_string(total)},
                {"place", row_text(result, *axis, first)},
                {"sum", short_number(sum)}},
               {});
}

// ---- the scale ----

/// What an op multiplies a tensor by; 0: something else.
double factor_of(const Flow& flow, const Op& op) {
  const std::string_view name = plain_name(op);
  if (name != "div" && name != "mul") return 0;
  auto number = number_of(flow, op, "other");
  if (!number && name == "mul") number = number_of(flow, op, "input");
  if (!number || *number == 0) return 0;
  return name == "div" ? 1 / *number : *number;
}

/// The factors that an operand of the product was multiplied by: q * scale, before or after its axes were turned.
double factor_before(const Flow& flow, ValueId id, const Op*& last) {
  double factor = 1;
  for (int depth = 0; depth < 6; ++depth) {
    const Op* op = flow.maker(id);
    if (!op || op->inputs.empty()) break;
    const std::string_view name = plain_name(*op);
    const double here = factor_of(flow, *op);
    if (here != 0) {
      factor *= here;
      last = op;
    } else if (name != "transpose" && name != "view" && name != "permute" && name != "contiguous" &&
               name != "reshape" && name != "unsqueeze") {
      break;
    }
    if (op->inputs[0].value == id) break;
    id = op->inputs[0].value;
  }
  return factor;
}

/// Sizes whose root may have been taken in the place of the right one: those of queries and keys, and the size of all
/// heads together.
std::vector<double> other_sizes(const Flow& flow, const Contraction& product, double size) {
  std::vector<double> sizes;
  for (const ValueId id : {product.left, product.right}) {
    for (const std::int64_t other : flow.value(id).shape) {
      sizes.push_back(static_cast<double>(other));
      sizes.push_back(static_cast<double>(other) * size);
    }
  }
  return sizes;
}

/// A scale that is not the right one, and is one that is easily taken for it. Others may be meant: a temperature.
bool is_suspect(const Flow& flow, const Contraction& product, double divisor, double size) {
  if (is_near(divisor, std::sqrt(size)) || is_near(divisor, 1)) return false;
  if (is_near(divisor, size) || is_near(divisor, 1 / std::sqrt(size))) return true;
  const std::vector<double> sizes = other_sizes(flow, product, size);
  return std::any_of(sizes.begin(), sizes.end(),
                     [&](double other) { return other > 1 && is_near(divisor * divisor, other); });
}

/// A scale that belongs to another axis than the one that was added up over.
std::optional<Finding> scale_of_another_axis(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(input_named(op, "input")) : std::nullopt;
  if (!scores) return std::nullopt;
  const RecordedValue& left = flow.value(scores->product.left);
  const double size = static_cast<double>(left.shape[scores->product.left_axis]);
  const Op* scale = nullptr;
  double factor = factor_before(flow, scores->product.left, scale) * factor_before(flow, scores->product.right, scale);
  for (const Op* step : scores->way) {
    const double here = factor_of(flow, *step);
    if (here == 0) continue;
    factor *= here;
    scale = step;
  }
  if (!scale || !(factor > 0) || size < 2 || !is_suspect(flow, scores->product, 1 / factor, size)) return std::nullopt;
  const bool times = plain_name(*scale) == "mul";
  const std::string number = std::to_string(static_cast<std::int64_t>(size));
  return found(flow, "scale", *scale,
               {{"axis", axis_with_size(left, scores->product.left_axis)},
                {"given", short_number(times ? factor : 1 / factor)},
                {"size", number},
                {"root", short_number(times ? 1 / std::sqrt(size) : std::sqrt(size))}},
               {{"size", number}}, times ? ".times" : "");
}

// ---- the table ----

using Rule = std::optional<Finding> (*)(const Flow& flow, const Op& op);

constexpr Rule kRules[] = {crossing_view, softmax_over_another_axis, mask_of_queries, scale_of_another_axis,
                           masked_rows,   mask_after_softmax};

}  // namespace

std::vector<Finding> lint(const Trace& trace) {
  const Flow flow(trace);
  std::vector<Finding> findings;
  std::set<std::tuple<std::string_view, std::uint32_t, std::uint32_t>> told;  // a loop would tell it again and again
  for (const Op* op : flow.ops()) {
    for (const Rule rule : kRules) {
      std::optional<Finding> finding = rule(flow, *op);
      if (!finding) continue;
      const Span span = trace.op(finding->op).span;
      if (told.emplace(finding->rule, span.source, span.begin).second) findings.push_back(std::move(*finding));
    }
  }
  return findings;
}

std::vector<Diagnostic> suspects(const Trace& trace) {
  std::vector<Diagnostic> notes;
  std::copy_if(trace.diagnostics.begin(), trace.diagnostics.end(), std::back_inserter(notes),
               [](const Diagnostic& note) { return note.code == Code::Suspect; });
  std::stable_sort(notes.begin(), notes.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(a.span.source, a.span.begin) < std::pair(b.span.source, b.span.begin);
  });
  return notes;
}

void note_findings(Trace& trace) {
  const bool is_cut = !trace.options.is_whole && std::max(trace.steps.size(), trace.ops.size()) >= kFollowed;
  if (trace.form == LessonForm::Lesson || is_cut) return;
  std::map<std::pair<std::uint32_t, std::string>, int> lines;  // where a note of a source is given in full
  for (Finding& finding : lint(trace)) {
    const Op& op = trace.op(finding.op);
    Diagnostic diagnostic;
    diagnostic.severity = Severity::Note;
    diagnostic.code = Code::Suspect;
    diagnostic.span = op.span;
    const int line = position_of(trace.sources[op.span.source], op.span.begin).line;
    const auto [first, is_first] = lines.try_emplace({op.span.source, finding.message}, line);
    diagnostic.message =
        is_first ? std::move(finding.message) : say("suspect.again", {{"line", std::to_string(first->second)}});
    diagnostic.fix = std::move(finding.right);
    trace.diagnostics.push_back(std::move(diagnostic));
    if (op.step < 0) continue;
    trace.step(op.step).warnings.push_back(static_cast<int>(trace.diagnostics.size() - 1));
  }
}

}  // namespace attn
