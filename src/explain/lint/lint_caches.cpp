// Keys and values that are kept from word to word: what is appended, what is kept, what is read.
#include <algorithm>

#include "base/text.h"
#include "explain/lint/lint_rules.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

/// cat((old, new)) along the words, which are the last axis but one, or the second.
struct Joined {
  ValueId before = -1, appended = -1;
  std::size_t axis = 0;
};

std::optional<Joined> joined_by(const Flow& flow, const Op& op) {
  if (plain_name(op) != "cat" || op.inputs.size() != 2 || op.outputs.empty()) return std::nullopt;
  const auto dim = attribute(op, "dim");
  const std::size_t dims = flow.value(op.outputs[0]).shape.size();
  const std::size_t axis = wrapped_axis(dim && !ints_in(*dim).empty() ? ints_in(*dim)[0] : 0, dims);
  if (axis >= dims) return std::nullopt;
  return Joined{op.inputs[0].value, op.inputs[1].value, axis};
}

bool has_same_numbers(const RecordedValue& a, const RecordedValue& b) {
  return a.shape == b.shape && has_few_numbers(a) && has_few_numbers(b) && to_doubles(a.tensor) == to_doubles(b.tensor);
}

bool is_in_call_of(const Trace& trace, const Op& op, const Op& other) {
  if (op.step < 0 || other.step < 0) return false;
  const Step &a = trace.step(op.step), &b = trace.step(other.step);
  return a.activation == b.activation && (a.activation != 0 || (a.parent == b.parent && a.iteration == b.iteration));
}

/// The name that a call gave to what was joined.
std::string name_in_call(const Trace& trace, const Op& op) {
  for (const Step& step : trace.steps)
    for (const Binding& binding : step.bindings)
      if (binding.value == op.outputs[0] && step.activation == trace.step(op.step).activation &&
          binding.target.find_first_of(".[") == std::string::npos)
        return binding.target;
  return {};
}

/// self.cache_k, self.cache_v = k_new, v_new with the joined k and v in their places, and k[:, -1:] as k.
LineEdits joined_is_kept(const Flow& flow, const Op& op) {
  const Trace& trace = flow.trace();
  LineEdits edits;
  for (const Step& step : trace.steps) {
    const std::string_view code = trace.sources[step.span.source].slice(step.span);
    const std::size_t equals = code.find(" = ");
    if (step.activation != trace.step(op.step).activation || equals == std::string_view::npos ||
        code.find_first_of(".[") > equals || code.find('\n') != std::string_view::npos)
      continue;
    const std::string kept(code.substr(equals + 3));
    std::string right = kept;
    for (const Op* other : flow.ops()) {
      if (!joined_by(flow, *other) || !is_in_call_of(trace, op, *other)) continue;
      const std::string name = name_in_call(trace, *other), &appended = other->inputs[1].written;
      if (name.empty()) continue;
      for (const char* newest : {"[:, -1:]", "[:, :, -1:]", "[..., -1:, :]", "[:, -1:, :]", "[:, :, -1:, :]"})
        right = replaced(right, name + newest, name);
      if (appended.size() > 1 && appended != name) right = replaced(right, appended, name);
    }
    if (right == kept || kept.find('(') != std::string::npos) continue;
    Span span = step.span;
    span.begin += static_cast<std::uint32_t>(equals + 3);
    if (std::none_of(edits.begin(), edits.end(), [&](const LineEdit& edit) { return edit.span == span; }))
      edits.push_back({span, right});
  }
  return edits;
}

/// ck[:, :pos] as ck[:, :pos + 1].
std::optional<LineEdit> one_further(const Flow& flow, const Op& cut) {
  const std::string code(code_of(flow, cut));
  for (std::size_t at = code.find(':', code.rfind('[')); at < code.size(); at = code.find(':', at + 1)) {
    const std::size_t end = code.find_first_of(",]", at + 1);
    if (end == std::string::npos || end == at + 1) continue;
    return LineEdit{cut.span, code.substr(0, end) + " + 1" + code.substr(end)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> start_of_write(const Op& op) {
  const auto items = plain_name(op) == "index_put" && !op.outputs.empty() ? attribute(op, "items") : std::nullopt;
  if (!items) return std::nullopt;
  if (const auto start = start_of_cut(*items)) return start;
  const std::vector<std::int64_t> places = ints_in(*items);
  return places.empty() ? std::nullopt : std::optional(places.back());
}

const Op* write_in_call(const Flow& flow, ValueId buffer, const Op& op) {
  const Op* write = nullptr;
  for (const Op* each : flow.ops())
    if (plain_name(*each) == "index_put" && !each->outputs.empty() && is_in_call_of(flow.trace(), *each, op) &&
        flow.value(each->outputs[0]).storage == flow.value(buffer).storage)
      write = each;
  return write;
}

namespace {

/// cat([cache, k]), and then cat of that and k again: the cache ends with k already.
std::optional<Finding> appended_twice(const Flow& flow, const Op& op) {
  const auto joined = joined_by(flow, op);
  const Op* earlier = joined ? flow.maker(joined->before) : nullptr;
  if (!earlier || plain_name(*earlier) != "cat" || attribute(*earlier, "dim") != attribute(op, "dim") ||
      earlier->inputs.empty() || earlier->inputs.back().value != joined->appended)
    return std::nullopt;
  return found(flow, "appended", op, {{"axis", axis_at_place(flow.value(joined->before), joined->axis)}}, {});
}

/// cat([cache, k]), where the cache is the key of the word before alone: what was joined is not kept.
std::optional<Finding> newest_alone_is_kept(const Flow& flow, const Op& op) {
  const auto joined = joined_by(flow, op);
  if (!joined || op.step < 0) return std::nullopt;
  const RecordedValue &before = flow.value(joined->before), &appended = flow.value(joined->appended);
  if (before.shape.size() < 3 || before.shape[joined->axis] != 1 || appended.shape[joined->axis] != 1 ||
      joined->axis + 2 != before.shape.size() || !flow.goes_into_product(op.outputs[0]) ||
      !made_by_layer(flow, joined->appended).op)
    return std::nullopt;
  for (const Op* earlier : flow.ops()) {
    if (earlier >= &op) break;
    const auto last = joined_by(flow, *earlier);
    if (!last || earlier->span != op.span || flow.value(last->before).shape != before.shape ||
        !has_same_numbers(flow.value(last->appended), before))
      continue;
    Finding finding = remarked(flow, "newest", op, {}, {});
    if (LineEdits edits = joined_is_kept(flow, op); !edits.empty()) finding.tries.push_back(std::move(edits));
    return finding;
  }
  return std::nullopt;
}

/// keys = cache[:, :pos], and the new key goes to cache[:, pos]: no query ever sees the key of its own word.
std::optional<Finding> read_before_written(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(softmax_input(flow, op)) : std::nullopt;
  if (!scores || flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;
  const Contraction& product = scores->product;
  const std::int64_t keys = flow.value(op.outputs[0]).shape[*axis];
  const Op* write = keys > 0 ? write_in_call(flow, product.right, op) : nullptr;
  if (!write || start_of_write(*write) != keys || !made_by_layer(flow, input_named(*write, "value")).op)
    return std::nullopt;
  Finding finding = found(flow, "early", *write, {{"count", std::to_string(keys)}}, {});
  LineEdits edits;
  for (const Op* cut : flow.ops()) {
    if (plain_name(*cut) != "index" || cut->outputs.empty() || !is_in_call_of(flow.trace(), *cut, op)) continue;
    const Shape& shape = flow.value(cut->outputs[0]).shape;
    const Op* filled = write_in_call(flow, cut->outputs[0], op);
    const bool is_cache = filled && start_of_write(*filled) == keys && std::count(shape.begin(), shape.end(), keys) > 0;
    if (const auto edit = is_cache ? one_further(flow, *cut) : std::nullopt) edits.push_back(*edit);
  }
  if (write < product.op && !edits.empty()) finding.tries.push_back(std::move(edits));
  return finding;
}

}  // namespace

Rules cache_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = appended_twice},
      {.at_op = newest_alone_is_kept},
      {.at_op = read_before_written},
  };
  return kRows;
}

}  // namespace attn
