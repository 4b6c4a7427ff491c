// Scores on their way to the softmax: what the product is divided by, which labels and lengths meet, what is dropped.
#include <cmath>

#include "base/text.h"
#include "explain/lint/lint_rules.h"
#include "explain/wording.h"
#include "torch/op.h"

namespace attn {
namespace {

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
      const std::vector<const Op*>& users = flow.users(id);
      const auto takes = [](const Op* user) { return plain_name(*user) != "size"; };
      if (std::count_if(users.begin(), users.end(), takes) > 1) break;  // words that are more than queries or keys
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
  if (is_near(divisor, size) || is_near(divisor, 1 / std::sqrt(size)) || is_near(divisor, 2 * size)) return true;
  const std::vector<double> sizes = other_sizes(flow, product, size);
  return std::any_of(sizes.begin(), sizes.end(),
                     [&](double other) { return other > 1 && is_near(divisor * divisor, other); });
}

/// Whether a value is what a layer made, moved about: linear(x, weight), or a product with a parameter.
const Op* layer_behind(const Flow& flow, ValueId id) {
  const Op* op = flow.maker(unmoved(flow, id));
  if (!op || op->inputs.size() < 2) return nullptr;
  const std::string_view name = plain_name(*op);
  if (name == "chunk" || name == "split" || name == "unbind" || name == "index") return nullptr;
  return (name == "linear" || name == "matmul") && flow.value(op->inputs[1].value).is_parameter ? op : nullptr;
}

/// The letters of "bhqd,bhkd->bhqk" in the code of an einsum.
struct Labels {
  std::string left, right, out;
  std::size_t out_at = 0;  // in the code
};

std::optional<Labels> labels_of(const Flow& flow, const Op& op) {
  if (plain_name(op) != "einsum") return std::nullopt;
  const std::string_view code = code_of(flow, op);
  const std::size_t begin = code.find_first_of("'\"");
  const std::size_t end = begin == std::string_view::npos ? begin : code.find(code[begin], begin + 1);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view equation = code.substr(begin + 1, end - begin - 1);
  const std::size_t comma = equation.find(','), arrow = equation.find("->");
  if (comma == std::string_view::npos || arrow == std::string_view::npos || comma > arrow) return std::nullopt;
  const std::string_view out = trim(equation.substr(arrow + 2));
  return Labels{std::string(trim(equation.substr(0, comma))),
                std::string(trim(equation.substr(comma + 1, arrow - comma - 1))), std::string(out),
                static_cast<std::size_t>(out.data() - code.data())};
}

/// A value that was stretched to meet another, on purpose.
bool is_stretched(const Flow& flow, ValueId id, int depth = 8) {
  const Op* op = flow.maker(id);
  if (!op || depth == 0) return false;
  const std::string_view name = plain_name(*op);
  if (name == "expand" || name == "repeat" || name == "repeat_interleave" || name == "expand_as" || name == "stack" ||
      name == "unsqueeze" || name == "tile" || name == "cat")
    return true;
  return !op->inputs.empty() && is_stretched(flow, op->inputs[0].value, depth - 1);
}

/// The layers that a value was made by, through ops that keep the place of each entry.
void layers_of(const Flow& flow, ValueId id, int depth, std::vector<const Op*>& out) {
  const Op* op = flow.maker(id);
  if (!op || depth == 0) return;
  if (const Op* layer = layer_behind(flow, id)) return out.push_back(layer);
  if (plain_name(*op) != "add" && plain_name(*op) != "tanh") return;
  for (const OpOperand& input : op->inputs) layers_of(flow, input.value, depth - 1, out);
}

/// What pairs two texts of one length, neither of which was stretched to meet the other: a sum of two layers, or a
/// layer of both side by side.
const Op* pair_behind(const Flow& flow, ValueId id) {
  const Op* op = flow.maker(id);
  const bool is_layer = op && layer_behind(flow, id) == op;
  const Op* pair = is_layer ? flow.maker(op->inputs[0].value) : op;
  if (!pair || plain_name(*pair) != (is_layer ? "cat" : "add") || pair->inputs.size() != 2) return nullptr;
  const Shape &left = flow.value(pair->inputs[0].value).shape, &right = flow.value(pair->inputs[1].value).shape;
  if (left != right || left.size() != 3 || left[1] < 2) return nullptr;
  if (is_layer) {
    const bool is_wider = flow.value(pair->outputs[0]).shape[2] == 2 * left[2];
    const auto is_apart = [&](const OpOperand& operand) { return !is_stretched(flow, operand.value); };
    const bool are_two = pair->inputs[0].value != pair->inputs[1].value;
    return is_wider && are_two && std::all_of(pair->inputs.begin(), pair->inputs.end(), is_apart) ? pair : nullptr;
  }
  std::vector<const Op*> layers;
  layers_of(flow, pair->inputs[0].value, 4, layers);
  layers_of(flow, pair->inputs[1].value, 4, layers);
  if (layers.size() != 2 || layers[0]->inputs[1].value == layers[1]->inputs[1].value) return nullptr;
  const auto is_apart = [&](const Op* layer) { return !is_stretched(flow, layer->inputs[0].value); };
  return std::all_of(layers.begin(), layers.end(), is_apart) ? pair : nullptr;
}

/// Names of ints of that size, those of heads and keys first, then the number.
std::vector<std::string> names_of_size(const Trace& trace, const Op& op, const std::string& size) {
  std::vector<std::string> names;
  const int activation = op.step < 0 ? 0 : trace.step(op.step).activation;
  for (const Step& step : trace.steps) {
    for (const Binding& binding : step.bindings) {
      if (binding.value < 0 || trace.value(binding.value).type != "int" || trace.value(binding.value).text != size)
        continue;
      const bool is_in_reach = step.activation == activation || binding.target.starts_with("self.");
      const bool is_width = binding.target.find("d") != std::string::npos;  // head_dim, d_k, head_size
      const bool is_count = binding.target.ends_with("heads") || binding.target.ends_with("n_head") ||
                            binding.target.ends_with("num_head");
      if (is_in_reach && is_width && !is_count && std::find(names.begin(), names.end(), binding.target) == names.end())
        names.push_back(binding.target);
    }
  }
  std::stable_partition(names.begin(), names.end(), [](const std::string& name) {
    return name.find("head") != std::string::npos || name.find("d_k") != std::string::npos;
  });
  names.push_back(size);
  return names;
}

/// Behind the last / or * that is in no bracket.
std::optional<Span> last_operand(std::string_view code, Span span) {
  int depth = 0;
  for (std::size_t i = code.size(); i-- > 1;) {
    if (code[i] == ')' || code[i] == ']') ++depth;
    if (code[i] == '(' || code[i] == '[') --depth;
    if (depth != 0 || (code[i] != '/' && code[i] != '*')) continue;
    if (code[i - 1] == '*') {
      --i;  // of **
      continue;
    }
    span.begin += static_cast<std::uint32_t>(i + 1);
    return span;
  }
  return std::nullopt;
}

/// q @ k.T / d ** 1/2: divided by d, and then by 2.
std::optional<Finding> divided_by_half(const Flow& flow, const Scores& scores, const std::string& size) {
  for (const Op* step : scores.way) {
    const std::string code(code_of(flow, *step));
    for (const std::string_view half : {"** 1/2", "**1/2", "** 1 / 2", "**1 / 2"}) {
      if (!code.ends_with(half)) continue;
      Finding finding = found(flow, "scale", *step, {{"size", size}}, {{"size", size}}, ".half");
      finding.tries.push_back({{step->span, code.substr(0, code.size() - half.size()) + "** 0.5"}});
      return finding;
    }
  }
  return std::nullopt;
}

/// (a @ b + c @ d) / 2 is the mean of two products.
bool is_mean_of_two(const Flow& flow, const Scores& scores, double divisor) {
  return is_near(divisor, 2) && std::any_of(scores.way.begin(), scores.way.end(), [&](const Op* step) {
           return plain_name(*step) == "add" && step->inputs.size() == 2 && flow.scores_of(step->inputs[0].value) &&
                  flow.scores_of(step->inputs[1].value);
         });
}

/// What an operand is called, or what it was before its axes were turned: "q" of q.transpose(-2, -1).
std::string name_behind(const Flow& flow, const OpOperand& operand) {
  if (!operand.written.empty()) return operand.written;
  const Op* turn = flow.maker(operand.value);
  return turn && is_move(*turn) && !turn->inputs.empty() ? turn->inputs[0].written : "";
}

bool begins_with(std::string_view name, char letter) { return !name.empty() && (name[0] | 0x20) == letter; }

/// A scale that belongs to another axis than the one that was added up over.
std::optional<Finding> scale_of_another_axis(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(softmax_input(flow, op)) : std::nullopt;
  if (!scores) return std::nullopt;
  const RecordedValue& left = flow.value(scores->product.left);
  const double size = static_cast<double>(left.shape[scores->product.left_axis]);
  const Op* scale = nullptr;
  const double before =
      factor_before(flow, scores->product.left, scale) * factor_before(flow, scores->product.right, scale);
  double factor = before;
  for (const Op* step : scores->way) {
    const double here = factor_of(flow, *step);
    if (here == 0) continue;
    factor *= here;
    scale = step;
  }
  if (!scale || !(factor > 0) || size < 2 || !is_suspect(flow, scores->product, 1 / factor, size)) return std::nullopt;
  if (is_mean_of_two(flow, *scores, 1 / factor)) return std::nullopt;
  const bool times = plain_name(*scale) == "mul";
  const std::string number = std::to_string(static_cast<std::int64_t>(size));
  const auto operand = last_operand(code_of(flow, *scale), scale->span);
  if (is_near(before * std::sqrt(size), 1) && is_near(factor * size, 1)) {
    Finding twice = found(flow, "scale", *scale, {{"size", number}}, {}, ".twice");
    if (operand) twice.tries.push_back({{{operand->source, operand->begin - 1, operand->end}, ""}});
    return twice;
  }
  if (is_near(1 / factor, 2 * size)) return divided_by_half(flow, *scores, number);
  Finding finding = found(flow, "scale", *scale,
                          {{"axis", axis_with_size(left, scores->product.left_axis)},
                           {"given", short_number(times ? factor : 1 / factor)},
                           {"size", number},
                           {"root", short_number(times ? 1 / std::sqrt(size) : std::sqrt(size))}},
                          {{"size", number}}, times ? ".times" : "");
  std::vector<std::string> sizes = names_of_size(flow.trace(), *scale, number);
  const std::string& query = scores->product.op->inputs[0].written;
  if (!query.empty() && scores->product.left_axis + 1 == left.shape.size())
    sizes.insert(std::prev(sizes.end()), query + ".shape[-1]");
  for (const std::string& name : sizes)
    if (operand) finding.tries.push_back({{*operand, " " + name + (times ? " ** -0.5" : " ** 0.5")}});
  return finding;
}

/// Scores of layers' outputs that nothing divides.
std::optional<Finding> no_scale(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(softmax_input(flow, op)) : std::nullopt;
  if (!scores || flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;
  const Contraction& product = scores->product;
  const std::int64_t size = flow.value(product.left).shape[product.left_axis];
  if (size < 4 || !layer_behind(flow, product.left) || !layer_behind(flow, product.right)) return std::nullopt;
  for (const Op* step : scores->way) {
    const std::string_view name = plain_name(*step);
    if (name == "div" || name == "mul") return std::nullopt;
  }
  const std::string root = short_number(std::sqrt(static_cast<double>(size)));
  Finding finding = remarked(flow, "unscaled", *product.op,
                             {{"axis", axis_with_size(flow.value(product.left), product.left_axis)}, {"root", root}},
                             {{"size", std::to_string(size)}});
  finding.tries.push_back(
      {{product.op->span, std::string(code_of(flow, *product.op)) + " / " + std::to_string(size) + " ** 0.5"}});
  return finding;
}

/// (q @ k.T / d ** 0.5) @ v: scores that no softmax made weights of.
std::optional<Finding> scores_as_weights(const Flow& flow, const Op& op) {
  const auto summed = flow.contraction(op);
  const auto scores = summed ? flow.scores_of(summed->left) : std::nullopt;
  if (!scores || !made_by_layer(flow, summed->right).op) return std::nullopt;
  const Contraction& product = scores->product;
  if (!layer_behind(flow, product.left) || !layer_behind(flow, product.right)) return std::nullopt;
  const double root = std::sqrt(static_cast<double>(flow.value(product.left).shape[product.left_axis]));
  const bool is_scaled = std::any_of(scores->way.begin(), scores->way.end(),
                                     [&](const Op* step) { return is_near(factor_of(flow, *step) * root, 1); });
  if (!is_scaled) return std::nullopt;
  Finding finding = remarked(flow, "raw", op, {}, {});
  const std::string& written = op.inputs[0].written;
  const std::string code(code_of(flow, op));
  if (!written.empty() && code.starts_with(written))
    finding.tries.push_back({{op.span, written + ".softmax(-1)" + code.substr(written.size())}});
  return finding;
}

}  // namespace

/// "bhqd,bhkd->bhkq", and then "bhqk,...": the labels of the same weights in another order.
std::optional<Finding> exchanged_labels(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(softmax_input(flow, op)) : std::nullopt;
  if (!scores) return std::nullopt;
  const auto made = labels_of(flow, *scores->product.op);
  const auto uses = flow.products_with(op.outputs[0], *axis);
  if (!made || uses.size() != 1 || uses[0].axis != *axis) return std::nullopt;  // turned on the way
  const auto taken = labels_of(flow, *uses[0].op);
  if (!taken) return std::nullopt;
  const std::string read = uses[0].op->inputs[0].value == uses[0].operand ? taken->left : taken->right;
  if (read == made->out || !std::is_permutation(read.begin(), read.end(), made->out.begin(), made->out.end()))
    return std::nullopt;
  Finding finding = found(flow, "labels", *uses[0].op, {{"made", made->out}, {"read", read}}, {{"read", read}});
  Span span = scores->product.op->span;
  span.begin += static_cast<std::uint32_t>(made->out_at);
  span.end = span.begin + static_cast<std::uint32_t>(made->out.size());
  finding.tries.push_back({{span, read}});
  const std::string code(code_of(flow, *uses[0].op));
  finding.tries.push_back({{uses[0].op->span, replaced(code, read, made->out)}});
  return finding;
}

namespace {

/// k @ q.transpose(-2, -1), and a softmax over the last axis: each key shares its weight out to the queries.
std::optional<Finding> exchanged_roles(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(softmax_input(flow, op)) : std::nullopt;
  if (!scores || scores->product.op->inputs.size() != 2) return std::nullopt;
  const auto uses = flow.products_with(op.outputs[0], *axis);
  const bool is_read_in_rows =
      *axis + 1 == flow.value(op.outputs[0]).shape.size() && uses.size() == 1 && uses[0].axis == uses[0].contracted;
  const std::string left = name_behind(flow, scores->product.op->inputs[0]),
                    right = name_behind(flow, scores->product.op->inputs[1]);
  if (!is_read_in_rows || !begins_with(left, 'k') || !begins_with(right, 'q')) return std::nullopt;
  const Op& product = *scores->product.op;
  Finding finding = found(flow, "exchanged", product, {{"queries", right}, {"keys", left}}, {});
  const std::string code(code_of(flow, product));
  const std::size_t first = code.find(left), second = code.rfind(right);
  if (first == 0 && second != std::string::npos && second >= left.size()) {
    std::string swapped = code;
    swapped.replace(second, right.size(), left).replace(0, left.size(), right);
    finding.tries.push_back({{product.span, swapped}});
  }
  return finding;
}

/// tanh(W q + U k), or of both side by side, with both of one length: query i is paired with key i alone.
std::optional<Finding> paired_lengths(const Flow& flow, const Op& op) {
  if (plain_name(op) != "tanh" || op.inputs.empty()) return std::nullopt;
  const auto pair = pair_behind(flow, op.inputs[0].value);
  if (!pair) return std::nullopt;
  const RecordedValue& left = flow.value(pair->inputs[0].value);
  // The scores: one number for each pair, or after the accident for each place.
  for (const Op* user : flow.users(op.outputs[0])) {
    if (user->outputs.empty()) continue;
    const Shape& scored = flow.value(user->outputs[0]).shape;
    const bool is_score = (plain_name(*user) == "linear" || plain_name(*user) == "matmul") &&
                          (scored.size() == 2 || (scored.size() == 3 && scored[2] == 1));
    if (!is_score) continue;
    const auto written = [&](std::size_t operand, const char* otherwise) {
      const std::string& text = pair->inputs[operand].written;
      return text.empty() ? otherwise : text;
    };
    const Words names = {{"left", written(0, "query")}, {"right", written(1, "key")}};
    return remarked(flow, "pairs", *pair, {{"axis", axis_at_place(left, 1)}}, names,
                    plain_name(*pair) == "cat" ? ".joined" : "");
  }
  return std::nullopt;
}

/// Dropout between the product and the softmax: a score of 0 is a score.
std::optional<Finding> dropped_scores(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  if (!axis || flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;
  for (ValueId id = softmax_input(flow, op); id >= 0;) {
    const Op* step = flow.maker(id);
    if (!step || step->inputs.empty() || step->inputs[0].value == id) return std::nullopt;
    const std::string_view name = plain_name(*step);
    if (name == "dropout" && flow.scores_of(step->inputs[0].value)) {
      Finding finding = found(flow, "dropout", *step, {}, {});
      const std::string_view code = code_of(flow, *step);
      const std::vector<Span> dropped = arguments_of(flow, *step);
      if (dropped.size() == 1 && (op.span.begin >= step->span.end || op.span.end <= step->span.begin)) {
        const std::string call(code.substr(0, dropped[0].begin - step->span.begin));
        const std::string scores(flow.trace().sources[step->span.source].slice(dropped[0]));
        finding.tries.push_back({{op.span, call + std::string(code_of(flow, op)) + ")"}, {step->span, scores}});
      }
      return finding;
    }
    if (name != "masked_fill" && name != "div" && name != "mul" && name != "add") return std::nullopt;
    id = step->inputs[0].value;
  }
  return std::nullopt;
}

}  // namespace

Rules score_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = scale_of_another_axis}, {.at_op = no_scale},       {.at_op = exchanged_labels},
      {.at_op = exchanged_roles},       {.at_op = paired_lengths}, {.at_op = dropped_scores},
      {.at_op = scores_as_weights},
  };
  return kRows;
}

}  // namespace attn
