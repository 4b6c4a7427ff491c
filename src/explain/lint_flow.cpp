#include "explain/lint_flow.h"

#include <algorithm>
#include <array>

#include "base/number.h"
#include "explain/wording.h"
#include "tensor/core/read.h"
#include "text/say.h"
#include "torch/op.h"

namespace attn {
namespace {

constexpr int kDepth = 24;

// Ops whose result has, at each place, what was at that place of its operand, in some way changed.
constexpr std::array kInPlaceOfEach = {"div",       "mul",   "add",    "sub",    "masked_fill", "where",
                                       "clamp",     "float", "to",     "double", "contiguous",  "clone",
                                       "index_put", "type",  "detach", "maximum"};
// Of those, the ones that weights pass without a change of what they mean.
constexpr std::array kAsTheyAre = {"dropout", "contiguous", "float", "to", "double", "clone", "detach", "type"};

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The equation of an einsum as the source has it: the record of the op holds its tensors alone.
std::string_view quoted(std::string_view code) {
  const std::size_t begin = code.find_first_of("'\"");
  if (begin == std::string_view::npos) return {};
  const std::size_t end = code.find(code[begin], begin + 1);
  return end == std::string_view::npos ? std::string_view() : code.substr(begin + 1, end - begin - 1);
}

std::optional<std::pair<std::size_t, std::size_t>> shared_letter(std::string_view equation) {
  std::string bare;
  for (const char c : equation)
    if (c != ' ') bare += c;
  const std::size_t comma = bare.find(','), arrow = bare.find("->");
  if (comma == std::string::npos || arrow == std::string::npos || bare.find('.') != std::string::npos)
    return std::nullopt;
  const std::string left = bare.substr(0, comma), right = bare.substr(comma + 1, arrow - comma - 1);
  std::optional<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::size_t j = right.find(left[i]);
    if (j == std::string::npos || bare.find(left[i], arrow) != std::string::npos) continue;
    if (found) return std::nullopt;  // over two axes at once
    found = {i, j};
  }
  return found;
}

}  // namespace

std::string_view plain_name(const Op& op) {
  std::string_view name = op.name;
  if (name.size() > 1 && name.ends_with('_')) name.remove_suffix(1);
  return name;
}

ValueId input_named(const Op& op, std::string_view parameter) {
  for (const OpOperand& input : op.inputs)
    if (input.parameter == parameter) return input.value;
  return -1;
}

std::optional<std::string_view> attribute(const Op& op, std::string_view name) {
  for (const auto& [key, text] : op.attributes)
    if (key == name) return text;
  return std::nullopt;
}

std::vector<std::int64_t> ints_in(std::string_view text) {
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    if (text[i] == '-') ++i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    if (const auto number = parse_int(text.substr(begin, i - begin))) out.push_back(*number);
    if (i == begin) ++i;
  }
  return out;
}

std::size_t wrapped_axis(std::int64_t axis, std::size_t dims) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(dims) : axis);
}

namespace {

/// The sum of exp(x) / exp(x).sum(...).
const Op* sum_of_softmax(const Flow& flow, const Op& op) {
  if (plain_name(op) != "div" || op.inputs.size() != 2 || op.outputs.empty()) return nullptr;
  const Op *exp = flow.maker(op.inputs[0].value), *sum = flow.maker(op.inputs[1].value);
  if (!exp || !sum || plain_name(*exp) != "exp" || sum->name != "sum" || exp->inputs.empty() || sum->inputs.empty())
    return nullptr;
  const Op* summed = flow.maker(sum->inputs[0].value);  // the same exp(x), or written again
  const bool is_again = summed && plain_name(*summed) == "exp" && summed->inputs[0].value == exp->inputs[0].value;
  return is_again && attribute(*sum, "keepdim") == "True" && attribute(*sum, "dim") ? sum : nullptr;
}

}  // namespace

ValueId softmax_input(const Flow& flow, const Op& op) {
  if (plain_name(op) != "div") return input_named(op, "input");
  const ValueId scores = flow.maker(op.inputs[0].value)->inputs[0].value;
  const Op* less = flow.maker(scores);
  if (!less || plain_name(*less) != "sub" || less->inputs.size() != 2) return scores;
  const Op* largest = flow.maker(less->inputs[1].value);
  const bool is_shift = largest && (largest->name == "amax" || largest->name == "max");
  return is_shift ? less->inputs[0].value : scores;
}

std::optional<std::size_t> softmax_axis(const Flow& flow, const Op& op) {
  const Op* sum = sum_of_softmax(flow, op);
  const ValueId input = input_named(op, "input");
  const auto dim = attribute(sum ? *sum : op, "dim");
  if ((!sum && plain_name(op) != "softmax") || input < 0 || op.outputs.empty()) return std::nullopt;
  const std::size_t dims = flow.value(input).shape.size();
  // Without dim=, PyTorch takes the first axis of three, and the second of two or four.
  const std::vector<std::int64_t> axis = dim ? ints_in(*dim) : std::vector<std::int64_t>{dims == 2 || dims == 4};
  if (axis.size() != 1 || wrapped_axis(axis[0], dims) >= dims) return std::nullopt;
  return wrapped_axis(axis[0], dims);
}

std::optional<double> number_of(const Flow& flow, const Op& op, std::string_view parameter) {
  if (const auto text = attribute(op, parameter)) return parse_double(*text);
  const ValueId id = input_named(op, parameter);
  if (id < 0) return std::nullopt;
  const RecordedValue& value = flow.value(id);
  if (!value.is_tensor || !value.has_numbers() || value.tensor.numel() != 1) return std::nullopt;
  return to_double(item(value.tensor));
}

std::string axis_with_size(const RecordedValue& value, std::size_t axis) {
  const bool named = axis < value.axes.size() && !value.axes[axis].name.empty();
  const std::string size = std::to_string(value.shape[axis]);
  if (named) return value.axes[axis].name + " " + size;
  return say("axis.place", {{"axis", std::to_string(axis)}, {"size", say("axis.size", {{"size", size}})}});
}

Flow::Flow(const Trace& trace) : trace_(trace) {
  for (const Step& step : trace.steps) {
    kept_.insert(step.value);
    for (const Binding& binding : step.bindings) kept_.insert(binding.value);
  }
  for (const Op& op : trace.ops) {
    if (op.parent >= 0 || op.failed) continue;
    ops_.push_back(&op);
    for (const ValueId output : op.outputs) makers_.emplace(output, &op);
    for (const OpOperand& input : op.inputs) {
      add_user(input.value, op);
      const ValueId former = before_it_was_named(input.value);
      if (former < 0) continue;
      named_.emplace(input.value, former);
      add_user(former, op);
      if (const Op* op_before = maker(former)) makers_.emplace(input.value, op_before);
      if (is_kept(former)) kept_.insert(input.value);
    }
  }
}

void Flow::add_user(ValueId id, const Op& op) {
  std::vector<const Op*>& users = users_[id];
  if (users.empty() || users.back() != &op) users.push_back(&op);
}

ValueId Flow::before_it_was_named(ValueId id) const {
  constexpr ValueId kNear = 64;
  if (id < 0) return -1;
  const RecordedValue& named = value(id);
  const bool has_names =
      std::any_of(named.axes.begin(), named.axes.end(), [](const auto& axis) { return !axis.name.empty(); });
  if (!has_names || !named.has_numbers() || makers_.contains(id)) return -1;
  const auto is_same = [&](const RecordedValue& other) {
    return other.storage == named.storage && other.version == named.version && other.shape == named.shape &&
           other.strides == named.strides && other.has_numbers() && other.tensor.offset() == named.tensor.offset();
  };
  ValueId former = -1;  // the one that an op made, where several comments name it
  for (ValueId other = id - 1; other >= std::max(0, id - kNear) && (former < 0 || !makers_.contains(former)); --other)
    if (is_same(value(other))) former = other;
  return former;
}

namespace {

bool is_product(const Op& op) {
  constexpr std::array kProducts = {"matmul", "bmm", "mm", "einsum", "linear", "scaled_dot_product_attention"};
  return is_one_of(plain_name(op), kProducts);
}

bool moves_entries(const Op& op) {
  constexpr std::array kMoves = {"transpose", "permute", "view",  "reshape", "contiguous", "unsqueeze",
                                 "squeeze",   "T",       "mT",    "t",       "movedim",    "flatten",
                                 "index",     "unbind",  "split", "chunk",   "clone"};
  return is_one_of(plain_name(op), kMoves) || is_one_of(plain_name(op), kInPlaceOfEach);
}

}  // namespace

bool Flow::goes_into_product(ValueId id, int depth) const {
  return depth > 0 && std::any_of(users(id).begin(), users(id).end(), [&](const Op* op) {
           if (is_product(*op)) return true;
           return moves_entries(*op) && std::any_of(op->outputs.begin(), op->outputs.end(), [&](ValueId output) {
                    return output != id && goes_into_product(output, depth - 1);
                  });
         });
}

bool Flow::comes_from_product(ValueId id, int depth) const {
  const Op* op = maker(id);
  if (!op || depth == 0) return false;
  if (is_product(*op)) return true;
  return moves_entries(*op) && !op->inputs.empty() && op->inputs[0].value != id &&
         comes_from_product(op->inputs[0].value, depth - 1);
}

const Op* Flow::maker(ValueId id) const {
  const auto found = makers_.find(id);
  return found == makers_.end() ? nullptr : found->second;
}

const std::vector<const Op*>& Flow::users(ValueId id) const {
  static const std::vector<const Op*> nobody;
  const auto found = users_.find(id);
  return found == users_.end() ? nobody : found->second;
}

std::optional<Contraction> Flow::contraction(const Op& op) const {
  if (op.outputs.size() != 1 || op.inputs.size() < 2) return std::nullopt;
  const std::string_view name = plain_name(op);
  Contraction out{&op, op.inputs[0].value, op.inputs[1].value, 0, 0};
  const std::size_t left = value(out.left).shape.size(), right = value(out.right).shape.size();
  if (name == "einsum" && op.inputs.size() == 2) {
    const auto axes = shared_letter(quoted(trace_.sources[op.span.source].slice(op.span)));
    if (!axes || axes->first >= left || axes->second >= right) return std::nullopt;
    out.left_axis = axes->first;
    out.right_axis = axes->second;
    return out;
  }
  if ((name != "matmul" && name != "bmm" && name != "mm") || left < 2 || right < 2) return std::nullopt;
  out.left_axis = left - 1;
  out.right_axis = right - 2;
  return out;
}

std::optional<Scores> Flow::scores_of(ValueId id) const {
  Scores out;
  if (!find_scores(id, out, kDepth)) return std::nullopt;
  return out;
}

bool Flow::find_scores(ValueId id, Scores& out, int depth) const {
  const Op* op = maker(id);
  if (!op || depth == 0) return false;
  if (const auto product = contraction(*op)) {
    if (value(product->left).is_parameter || value(product->right).is_parameter) return false;
    out.product = *product;
    return true;
  }
  if (!is_one_of(plain_name(*op), kInPlaceOfEach)) return false;
  out.way.push_back(op);
  for (const OpOperand& input : op->inputs) {
    const bool same_shape = value(input.value).shape == value(id).shape;
    if (same_shape && input.value != id && find_scores(input.value, out, depth - 1)) return true;
  }
  out.way.pop_back();
  return false;
}

std::vector<Flow::Use> Flow::products_with(ValueId id, std::size_t axis) const {
  std::vector<Use> out;
  find_products(id, axis, out, kDepth);
  return out;
}

void Flow::find_products(ValueId id, std::size_t axis, std::vector<Use>& out, int depth) const {
  if (depth == 0) return;
  const std::size_t dims = value(id).shape.size();
  for (const Op* op : users(id)) {
    if (const auto product = contraction(*op)) {
      const auto is_it = [&](ValueId operand) {
        const auto named = named_.find(operand);
        return operand == id || (named != named_.end() && named->second == id);
      };
      if (is_it(product->left)) out.push_back({op, id, axis, product->left_axis});
      else if (is_it(product->right)) out.push_back({op, id, axis, product->right_axis});
      continue;
    }
    const std::string_view name = plain_name(*op);
    if (op->outputs.empty() || op->outputs[0] == id || value(op->outputs[0]).shape.size() != dims) continue;
    if (name == "transpose" || name == "mT" || (name == "t" && dims == 2) || (name == "T" && dims == 2)) {
      const auto a = attribute(*op, "dim0"), b = attribute(*op, "dim1");
      std::size_t from = dims - 2, to = dims - 1;
      if (name == "transpose") {
        if (!a || !b || ints_in(*a).empty() || ints_in(*b).empty()) continue;
        from = wrapped_axis(ints_in(*a)[0], dims);
        to = wrapped_axis(ints_in(*b)[0], dims);
      }
      find_products(op->outputs[0], axis == from ? to : axis == to ? from : axis, out, depth - 1);
    } else if (is_one_of(name, kAsTheyAre) || ((name == "mul" || name == "masked_fill") && !op->inputs.empty() &&
                                               value(op->outputs[0]).shape == value(id).shape)) {
      find_products(op->outputs[0], axis, out, depth - 1);
    }
  }
}

bool Flow::is_drawn(ValueId id, int depth) const {
  const Op* op = maker(id);
  if (!op || depth == 0) return false;
  const OpInfo* info = find_op(op->spelling);
  if (info && (info->flags & kDraws)) return true;
  return std::any_of(op->inputs.begin(), op->inputs.end(),
                     [&](const OpOperand& input) { return input.value != id && is_drawn(input.value, depth - 1); });
}

}  // namespace attn
