// Heads: the weights they share, the order of copied ones, and heads compared with heads.
#include <algorithm>

#include "base/text.h"
#include "explain/lint/lint_rules.h"
#include "explain/wording.h"

namespace attn {
namespace {

/// One small layer after the split: every head has the same weights.
std::optional<Finding> layer_of_all_heads(const Flow& flow, const Op& op) {
  if (plain_name(op) != "linear" || op.inputs.size() < 2 || op.outputs.empty()) return std::nullopt;
  const RecordedValue &input = flow.value(op.inputs[0].value), &weight = flow.value(op.inputs[1].value);
  const Op* split = flow.maker(op.inputs[0].value);
  if (!split || !is_move(*split) || split->inputs.empty() || !weight.is_parameter) return std::nullopt;
  const Shape& whole = flow.value(split->inputs[0].value).shape;
  if (input.shape.size() != 4 || whole.size() != 3 || input.shape[2] * input.shape[3] != whole[2] ||
      input.shape[2] < 2 || !flow.goes_into_product(op.outputs[0]))
    return std::nullopt;
  return remarked(flow, "shared", op,
                  {{"heads", std::to_string(input.shape[2])}, {"size", std::to_string(input.shape[3])}},
                  {{"width", std::to_string(whole[2])}});
}

/// Heads that follow one another as blocks, and how often: those before they were copied.
struct Blocks {
  ValueId heads = -1;
  std::int64_t times = 0;
};

/// k.repeat(1, times, 1, 1), tile() of the same, or k joined with itself; or a view of [batch, times, heads, ...] in
/// which the axis of the copies is in front and holds one copy, stretched.
Blocks blocks_of(const Flow& flow, const Op& op) {
  const RecordedValue &before = flow.value(op.inputs[0].value), &after = flow.value(op.outputs[0]);
  const std::string_view name = plain_name(op);
  if (after.shape.size() != 4) return {};
  if (before.shape.size() == 5 && before.strides.size() == 5) {
    const bool is_stretched = before.strides[1] == 0 && before.shape[1] > 1 && before.strides[2] != 0;
    const bool is_merged =
        after.shape == Shape{before.shape[0], before.shape[1] * before.shape[2], before.shape[3], before.shape[4]};
    ValueId heads = op.inputs[0].value;
    for (const Op* made = flow.maker(heads); made && flow.value(heads).shape.size() == 5; made = flow.maker(heads)) {
      if (made->inputs.empty()) return {};
      heads = made->inputs[0].value;
    }
    return is_stretched && is_merged && before.shape[2] > 1 ? Blocks{heads, before.shape[1]} : Blocks{};
  }
  const bool is_joined = name == "cat" && op.inputs.size() > 1 &&
                         std::all_of(op.inputs.begin(), op.inputs.end(),
                                     [&](const OpOperand& input) { return input.value == op.inputs[0].value; });
  const bool is_copied = before.shape.size() == 4 && before.shape[1] > 1 && after.shape[1] > before.shape[1] &&
                         after.shape[1] % before.shape[1] == 0 &&
                         after.shape == Shape{before.shape[0], after.shape[1], before.shape[2], before.shape[3]};
  if ((name != "repeat" && name != "tile" && !is_joined) || !is_copied) return {};
  return {op.inputs[0].value, after.shape[1] / before.shape[1]};
}

/// Blocks of copies: head i gets the keys of head i % n, where the models in use take i // groups.
std::optional<Finding> heads_in_another_order(const Flow& flow, const Op& op) {
  if (op.inputs.empty() || op.outputs.empty()) return std::nullopt;
  const Blocks blocks = blocks_of(flow, op);
  if (blocks.times == 0 || !flow.goes_into_product(op.outputs[0])) return std::nullopt;
  const std::string times = std::to_string(blocks.times);
  Finding finding =
      remarked(flow, "repeat", op, {{"heads", std::to_string(flow.value(blocks.heads).shape[1])}, {"times", times}},
               {{"times", times}});
  const std::string_view code = code_of(flow, op);
  const std::vector<Span> arguments = arguments_of(flow, op);
  if (const std::size_t at = code.rfind(".repeat("); at != std::string_view::npos && arguments.size() == 4) {
    Span call = op.span;
    call.begin += static_cast<std::uint32_t>(at);
    const std::string groups(flow.trace().sources[call.source].slice(arguments[1]));
    finding.tries.push_back({{call, ".repeat_interleave(" + groups + ", dim=1)"}});
  }
  // The op that took them, by their name.
  for (const Op* user : flow.users(blocks.heads))
    for (const OpOperand& input : user->inputs)
      if (input.value == blocks.heads && !input.written.empty() && user->step == op.step && user <= &op &&
          user->span.begin == op.span.begin)
        finding.tries.push_back({{op.span, input.written + ".repeat_interleave(" + times + ", dim=1)"}});
  return finding;
}

/// q.view(B, T, H, D) @ k.view(B, T, H, D).mT: in every word, heads are compared with heads, and no word meets another.
std::optional<Finding> heads_meet_heads(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(softmax_input(flow, op)) : std::nullopt;
  if (!scores || flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;
  const auto is_split = [&](ValueId id) {
    const Op* split = flow.maker(id);
    if (split && (plain_name(*split) == "transpose" || plain_name(*split) == "mT") && !split->inputs.empty()) {
      const Shape &before = flow.value(split->inputs[0].value).shape, &after = flow.value(id).shape;
      if (before.size() != 4 || before[1] != after[1] || before[2] != after[3]) return false;
      split = flow.maker(split->inputs[0].value);
    }
    if (!split || (plain_name(*split) != "view" && plain_name(*split) != "reshape") || split->inputs.empty())
      return false;
    const Shape &whole = flow.value(split->inputs[0].value).shape, &heads = flow.value(split->outputs[0]).shape;
    return whole.size() == 3 && heads.size() == 4 && whole[0] == heads[0] && whole[1] == heads[1] && heads[1] > 1 &&
           heads[2] > 1 && made_by_layer(flow, split->inputs[0].value).op;
  };
  const Contraction& product = scores->product;
  const Shape& shape = flow.value(op.outputs[0]).shape;
  if (plain_name(*product.op) == "einsum" || shape.size() != 4 || shape[2] != shape[3] || !is_split(product.left) ||
      !is_split(product.right))
    return std::nullopt;
  Finding finding = found(flow, "crossing", *product.op,
                          {{"heads", std::to_string(shape[2])}, {"shape", axes_text(flow.value(op.outputs[0]))}}, {});
  // Swapped after each split, and back before the merge.
  const Op& mixed = *flow.products_with(op.outputs[0], *axis)[0].op;
  LineEdits edits;
  for (const ValueId id : {product.left, product.right, mixed.inputs.back().value}) {
    const Op* split = flow.maker(id);
    if (split && is_move(*split) && plain_name(*split) != "view" && plain_name(*split) != "reshape")
      split = flow.maker(split->inputs[0].value);
    if (!split) return finding;
    edits.push_back({{split->span.source, split->span.end, split->span.end}, ".transpose(1, 2)"});
  }
  for (const Op* merge : flow.users(mixed.outputs[0])) {
    const std::string name = "." + merge->name + "(";
    const std::size_t at = code_of(flow, *merge).rfind(name);
    if ((merge->name != "view" && merge->name != "reshape") || at == std::string_view::npos) continue;
    Span called = merge->span;
    called.begin += static_cast<std::uint32_t>(at);
    called.end = called.begin + static_cast<std::uint32_t>(name.size());
    edits.push_back({called, ".transpose(1, 2).reshape("});
  }
  finding.tries.push_back(std::move(edits));
  return finding;
}

}  // namespace

Rules head_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = layer_of_all_heads},
      {.at_op = heads_in_another_order},
      {.at_op = heads_meet_heads},
  };
  return kRows;
}

}  // namespace attn
