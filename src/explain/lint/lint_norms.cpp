// What a normalization takes its mean and spread over: the width of each word, not the words of a text.
#include <algorithm>

#include "explain/lint/lint_rules.h"
#include "syntax/snippet.h"

namespace attn {
namespace {

/// The last of the sizes alone, in every call of the program that makes a LayerNorm of two.
LineEdits norms_of_the_width(const Trace& trace) {
  LineEdits edits;
  for (std::uint32_t number = 0; number < trace.sources.size(); ++number) {
    const Source& source = trace.sources[number];
    const std::string_view text = source.text, call = "LayerNorm(";
    for (std::size_t at = text.find(call); at != std::string_view::npos; at = text.find(call, at + 1)) {
      const std::size_t open = at + call.size();
      if (open >= text.size() || (text[open] != '(' && text[open] != '[')) continue;
      const std::size_t close = text.find(text[open] == '(' ? ')' : ']', open);
      if (close == std::string_view::npos) continue;
      const Span sizes = {number, static_cast<std::uint32_t>(open), static_cast<std::uint32_t>(close + 1)};
      const std::vector<Span> pieces = pieces_of(source, sizes);
      if (pieces.size() == 2) edits.push_back({sizes, std::string(source.slice(pieces[1]))});
    }
  }
  return edits;
}

/// Whether an op shares out weights among that many words.
bool attends_over(const Flow& flow, const Op& op, std::int64_t length) {
  const ValueId key = input_named(op, "key");
  if (key >= 0 && (plain_name(op) == "multi_head_attention" || plain_name(op) == "scaled_dot_product_attention")) {
    const Shape& shape = flow.value(key).shape;
    return std::find(shape.begin(), shape.end(), length) != shape.end();
  }
  const auto axis = softmax_axis(flow, op);
  return axis && flow.value(op.outputs[0]).shape[*axis] == length && flow.scores_of(softmax_input(flow, op));
}

/// nn.LayerNorm along the words: turned before it, and turned back after it.
std::optional<Finding> norm_across_words(const Flow& flow, const Op& op) {
  if (plain_name(op) != "layer_norm" || op.inputs.empty() || op.outputs.empty()) return std::nullopt;
  const RecordedValue& input = flow.value(op.inputs[0].value);
  // Written there: a layer may turn its words for itself.
  const auto turns = [&](const Op* each) {
    const std::string_view name = each ? plain_name(*each) : "";
    return (name == "transpose" || name == "permute" || name == "mT") &&
           code_of(flow, *each).find(name) != std::string_view::npos;
  };
  const std::vector<const Op*>& users = flow.users(op.outputs[0]);
  if (input.shape.size() != 3 || !turns(flow.maker(op.inputs[0].value)) || users.size() != 1 || !turns(users[0]))
    return std::nullopt;
  return remarked(flow, "norm", op, {{"axis", axis_at_place(input, 2)}}, {});
}

/// nn.LayerNorm((length, width)) in a transformer: one mean and one spread for all words of a text.
std::optional<Finding> norm_of_whole_texts(const Flow& flow, const Op& op) {
  const auto sizes = attribute(op, "normalized_shape");
  if (plain_name(op) != "layer_norm" || !sizes || ints_in(*sizes).size() != 2 || op.inputs.empty()) return std::nullopt;
  const RecordedValue& input = flow.value(op.inputs[0].value);
  if (input.shape.size() != 3 || input.shape[1] < 2 ||
      std::none_of(flow.ops().begin(), flow.ops().end(),
                   [&](const Op* each) { return attends_over(flow, *each, input.shape[1]); }))
    return std::nullopt;
  Finding finding = found(flow, "norm", op, {{"axis", axis_at_place(input, 1)}}, {}, ".whole");
  if (LineEdits edits = norms_of_the_width(flow.trace()); !edits.empty()) finding.tries.push_back(std::move(edits));
  return finding;
}

}  // namespace

Rules norm_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = norm_across_words},
      {.at_op = norm_of_whole_texts},
  };
  return kRows;
}

}  // namespace attn
