// torch.einsum as PyTorch computes it, from left to right: every operand is permuted so that its axes stand in one
// common order (those of the result, then those that are summed), with axes of size 1 where it has none; then two
// operands at a time become one, by a product of matrices where an axis is summed and element by element where none is.
// Each step is a recorded op.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>

#include "base/diagnostic.h"
#include "python/types/changing.h"
#include "tensor/core/error.h"
#include "torch/axis_rules.h"
#include "torch/ops/einsum_equation.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

class Contraction {
 public:
  Contraction(OpCall& call, const Equation& equation, EinsumOrder order)
      : call_(call), equation_(equation), order_(std::move(order)), meeting_(order_.axes, 0) {}

  Value run(const std::vector<Value>& operands) {
    std::deque<Value> left;
    for (std::size_t i = 0; i < operands.size(); ++i) left.push_back(aligned(operands[i], i));
    const bool is_alone = left.size() == 1;
    while (left.size() > 1) {
      const Value product = combined(left[0], left[1]);
      left.erase(left.begin(), left.begin() + 2);
      left.push_back(product);
    }
    if (order_.axes == order_.output_axes) return left.front();
    if (!is_alone) return without_summed(left.front());
    Shape summed;
    for (std::size_t axis = order_.output_axes; axis < order_.axes; ++axis)
      summed.push_back(static_cast<std::int64_t>(axis));
    return step("torch.sum", {left.front(), sizes(summed)});
  }

 private:
  Value step(std::string_view op, std::vector<Value> arguments) { return call_.call(op, std::move(arguments)); }

  static Value sizes(const Shape& shape) {
    std::vector<Value> items;
    for (const std::int64_t size : shape) items.push_back(int_value(size));
    return make_tuple(std::move(items));
  }
  static const Tensor& tensor(const Value& value) { return value.as<TensorObject>()->tensor; }
  static std::int64_t size_at(const Value& value, std::size_t axis) {
    return tensor(value).size(static_cast<std::int64_t>(axis));
  }

  // Notes the size of a letter or of an axis of the ellipsis, and that one more operand has it.
  void note_ellipsis(std::size_t axis, std::int64_t size, std::int64_t dim, std::size_t operand) {
    if (size == 1) return;
    std::int64_t& known = ellipsis_sizes_.emplace(axis, 1).first->second;
    if (known != 1 && known != size)
      refuse_einsum(
          "size",
          fmt::format("dimension {} covered by ellipsis in operand {}has size {} which does not broadcast with "
                      "previously seen ellipsis with size {} for the respective dimension",
                      dim, operand, size, known),
          Code::Shape);
    known = size;
    ++meeting_[order_.ellipsis + axis];
  }
  void note_letter(char letter, std::int64_t size, std::size_t operand) {
    if (size == 1) return;
    std::int64_t& known = letter_sizes_.emplace(letter, 1).first->second;
    if (known != 1 && known != size)
      refuse_einsum(
          "size",
          fmt::format("subscript {} has size {} for operand {} which does not broadcast with previously seen size {}",
                      letter, size, operand, known),
          Code::Shape);
    known = size;
    ++meeting_[order_.places.at(letter)];
  }

  // The diagonal of two axes, in the place of the first.
  Value on_diagonal(const Value& x, char letter, std::size_t operand, std::int64_t first, std::int64_t second) {
    const std::int64_t a = tensor(x).size(second), b = tensor(x).size(first);
    if (a != b)
      refuse_einsum("repeat",
                    fmt::format("subscript {} is repeated for operand {} but the sizes don't match, {} != {}", letter,
                                operand, a, b),
                    Code::Shape);
    const Value line = step("torch.diagonal", {x, int_value(0), int_value(first), int_value(second)});
    return step("torch.movedim", {line, int_value(-1), int_value(first)});
  }

  // The operand with its axes in the common order.
  Value aligned(Value x, std::size_t operand) {
    const std::string& letters = equation_.operands[operand];
    Shape places(order_.axes, -1);
    std::int64_t dim = 0;
    const std::size_t covered =
        letters.find(kEllipsis) == std::string::npos ? 0 : ellipsis_axes(letters, tensor(x).shape().size());
    for (const char letter : letters) {
      if (letter == kEllipsis) {
        for (std::size_t axis = order_.ellipsis_axes - covered; axis < order_.ellipsis_axes; ++axis) {
          note_ellipsis(axis, tensor(x).size(dim), dim, operand);
          places[order_.ellipsis + axis] = dim++;
        }
        continue;
      }
      std::int64_t& place = places[order_.places.at(letter)];
      if (place >= 0) {
        x = on_diagonal(x, letter, operand, place, dim);
        continue;
      }
      note_letter(letter, tensor(x).size(dim), operand);
      place = dim++;
    }
    for (std::int64_t& place : places) {
      if (place >= 0) continue;
      x = step("torch.unsqueeze", {x, int_value(dim)});
      place = dim++;
    }
    return step("torch.permute", {x, sizes(places)});
  }

  // Two operands as one. Axes that no later operand has are summed.
  Value combined(Value a, Value b) {
    Shape both, only_a, only_b;
    for (std::size_t axis = order_.output_axes; axis < order_.axes; ++axis) {
      const auto dim = static_cast<std::int64_t>(axis);
      const bool in_a = size_at(a, axis) != 1, in_b = size_at(b, axis) != 1;
      if (in_a && in_b) {
        if (--meeting_[axis] != 1) continue;
        both.push_back(dim);
        meeting_[axis] = 0;
      } else if (meeting_[axis] == 1 && (in_a || in_b)) {
        (in_a ? only_a : only_b).push_back(dim);
        meeting_[axis] = 0;
      }
    }
    if (!only_a.empty()) a = step("torch.sum", {a, sizes(only_a), Value(true)});
    if (!only_b.empty()) b = step("torch.sum", {b, sizes(only_b), Value(true)});
    return both.empty() ? step("torch.mul", {a, b}) : summed_product(a, b, both);
  }

  // Axes in four kinds: of both and the result, of a, summed, of b; then it is a product of stacks of matrices.
  Value summed_product(const Value& a, const Value& b, const Shape& summed) {
    Shape shared, left, right;
    std::array<std::int64_t, 4> size = {1, 1, 1, 1};
    for (std::size_t axis = 0; axis < order_.axes; ++axis) {
      const auto dim = static_cast<std::int64_t>(axis);
      const std::int64_t in_a = size_at(a, axis), in_b = size_at(b, axis);
      const bool is_summed = std::find(summed.begin(), summed.end(), dim) != summed.end();
      if (is_summed) {
        size[2] *= in_a;
      } else if (in_a != 1 && in_b != 1) {
        shared.push_back(dim);
        size[0] *= in_a;
      } else if (in_a != 1) {
        left.push_back(dim);
        size[1] *= in_a;
      } else {
        right.push_back(dim);
        size[3] *= in_b;
      }
    }
    const Value rows = matrices(a, joined({shared, left, summed, right}), {size[0], size[1], size[2]});
    const Value columns = matrices(b, joined({shared, summed, right, left}), {size[0], size[2], size[3]});
    const Value product = step("torch.bmm", {rows, columns});
    return spread(product, a, b, joined({shared, left, summed, right}), summed);
  }

  static Shape joined(std::initializer_list<Shape> parts) {
    Shape out;
    for (const Shape& part : parts) out.insert(out.end(), part.begin(), part.end());
    return out;
  }

  Value matrices(const Value& x, const Shape& axes, const Shape& shape) {
    return step("torch.reshape", {step("torch.permute", {x, sizes(axes)}), sizes(shape)});
  }

  // The stacks of matrices with one axis for each letter again, in the common order.
  Value spread(const Value& product, const Value& a, const Value& b, const Shape& axes, const Shape& summed) {
    Shape shape, back(axes.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const bool is_summed = std::find(summed.begin(), summed.end(), axes[i]) != summed.end();
      const auto axis = static_cast<std::size_t>(axes[i]);
      shape.push_back(is_summed ? 1 : std::max(size_at(a, axis), size_at(b, axis)));
      if (!is_summed && (size_at(a, axis) == 0 || size_at(b, axis) == 0)) shape.back() = 0;
      back[axis] = static_cast<std::int64_t>(i);
    }
    return step("torch.permute", {step("Tensor.view", {product, sizes(shape)}), sizes(back)});
  }

  Value without_summed(const Value& x) {
    const Shape& shape = tensor(x).shape();
    return step("Tensor.view",
                {x, sizes(Shape(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(order_.output_axes)))});
  }

  OpCall& call_;
  const Equation& equation_;
  EinsumOrder order_;
  std::vector<int> meeting_;  // per axis: operands left that have it with a size other than 1
  std::map<char, std::int64_t> letter_sizes_;
  std::map<std::size_t, std::int64_t> ellipsis_sizes_;
};

// ---- the call ----

/// einsum("ij,jk", a, b), einsum("ij,jk", [a, b]) and einsum(a, [0, 1], b, [1, 2], [0, 2]).
struct EinsumCall {
  std::string equation;
  std::vector<Value> operands;
};

[[noreturn]] void refuse_arguments() {
  throw TensorError("einsum.arguments", Code::Value, "ValueError",
                    "einsum(): must specify the equation string and at least one operand, or at least one operand and "
                    "its subscripts list");
}

const std::vector<Value>* items_of_sequence(const Value& value) {
  if (const auto* list = value.as<List>()) return &list->items;
  if (const auto* tuple = value.as<Tuple>()) return &tuple->items;
  return nullptr;
}

std::string subscripts(const Value& list) {
  const auto* items = items_of_sequence(list);
  if (!items) refuse_arguments();
  std::string text;
  all_items(*items, [&](const Value& item) {
    const auto number = as_index(item);
    if (item.as<EllipsisObject>()) text += "...";
    else if (number && *number >= 0 && *number < 52)
      text += static_cast<char>(*number < 26 ? 'A' + *number : 'a' + (*number - 26));
    else
      throw TensorError("einsum.subscript", Code::Value, "ValueError",
                        "einsum(): subscript in subscript list is not within the valid range [0, 52)");
    return true;
  });
  return text;
}

EinsumCall with_lists(const std::vector<Value>& arguments) {
  EinsumCall result;
  for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) {
    result.equation += (i ? "," : "") + subscripts(arguments[i + 1]);
    result.operands.push_back(arguments[i]);
  }
  if (arguments.size() % 2 == 1) result.equation += "->" + subscripts(arguments.back());
  return result;
}

EinsumCall arguments_of(const OpCall& call) {
  const std::vector<Value> arguments = call.value("operands").as<Tuple>()->items;
  if (arguments.size() < 2) refuse_arguments();
  if (arguments[0].as<TensorObject>()) return with_lists(arguments);
  const auto* equation = arguments[0].as<Str>();
  if (!equation)
    throw TensorError(
        "einsum.equation", Code::Type, "TypeError",
        fmt::format("einsum(): argument 'equation' (position 1) must be str, not {}", type_name(arguments[0])));
  const auto* list = arguments.size() == 2 ? items_of_sequence(arguments[1]) : nullptr;
  EinsumCall result{equation->text, list ? *list : std::vector<Value>(arguments.begin() + 1, arguments.end())};
  return result;
}

std::vector<Tensor> operand_tensors(const std::vector<Value>& operands) {
  std::vector<Tensor> tensors;
  for (const Value& operand : operands) tensors.push_back(operand.as<TensorObject>()->tensor);
  return tensors;
}

Value einsum_op(OpCall& call) {
  const EinsumCall arguments = arguments_of(call);
  const std::vector<Value>& operands = arguments.operands;
  const auto other = std::find_if_not(operands.begin(), operands.end(),
                                      [](const Value& x) { return x.as<TensorObject>() != nullptr; });
  if (other != operands.end())
    throw TensorError("einsum.operand", Code::Type, "TypeError",
                      fmt::format("expected Tensor as element {} in argument 1, but got {}", other - operands.begin(),
                                  type_name(*other)));
  const Equation equation = read_equation(arguments.equation, arguments.operands.size());
  Contraction contraction(call, equation, order_axes(equation, operand_tensors(arguments.operands)));
  return last_step(call, contraction.run(arguments.operands));
}

// Each axis of the result is called what the letter's axis is called in the first operand that names it.
Axes einsum_axes(const OpCall& call, const Tensor& output, std::size_t) {
  const EinsumCall arguments = arguments_of(call);
  const Equation equation = read_equation(arguments.equation, arguments.operands.size());
  const EinsumOrder order = order_axes(equation, operand_tensors(arguments.operands));
  Axes axes(static_cast<std::size_t>(output.dim()));
  for (std::size_t i = 0; i < arguments.operands.size(); ++i) {
    const TensorObject& operand = *arguments.operands[i].as<TensorObject>();
    const std::string& letters = equation.operands[i];
    std::size_t dim = 0;
    const auto name = [&](std::size_t place) {
      const Axis& axis = operand.axes[dim];
      const bool is_wide = place < axes.size() && operand.tensor.shape()[dim] == output.shape()[place];
      if (is_wide && axes[place].name.empty()) axes[place] = axis;
      ++dim;
    };
    for (const char letter : letters) {
      if (letter != kEllipsis) {
        name(order.places.at(letter));
        continue;
      }
      const std::size_t covered = ellipsis_axes(letters, operand.axes.size());
      for (std::size_t axis = order.ellipsis_axes - covered; axis < order.ellipsis_axes; ++axis)
        name(order.ellipsis + axis);
    }
  }
  return axes;
}

const OpInfo kEinsumOps[] = {
    OpInfo("torch.einsum torch.functional.einsum", "(*operands: any)",
           "Products summed over the letters that are missing after the arrow: 'ij,jk->ik' is a @ b.",
           "torch.einsum('ij,kj->ik', torch.ones(2, 3), torch.arange(12.).view(4, 3))", einsum_op,
           {.axes = einsum_axes, .element = kComposite, .grad_fn = "ViewBackward0", .narrow = {Narrow::Moved}}),
};

}  // namespace

std::span<const OpInfo> einsum_ops() { return kEinsumOps; }

}  // namespace attn
