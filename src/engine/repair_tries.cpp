#include "engine/repair_tries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "engine/repair_sizes.h"
#include "syntax/snippet.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

void offer_if(Trial& trial, const std::optional<Edit>& edit) {
  if (edit) trial.offer({*edit});
}

// ---- another order of axes, more axes, fewer entries ----

std::optional<Edit> transposed(Trial& trial, std::size_t place) {
  std::optional<Edit> edit = trial.with(place, "torch.transpose", {int_value(-2), int_value(-1)}, ".transpose(-2, -1)");
  const std::string_view code = trial.code(place);
  for (const std::string_view turn : {".t()", ".T", ".mT", ".transpose(-2, -1)", ".transpose(-1, -2)"})
    if (edit && code.ends_with(turn) && as_operand(code) == code)
      edit->code = code.substr(0, code.size() - turn.size());
  return edit;
}

/// Rows of weights that add up to 1 are not meant to be turned: their columns do not.
bool is_weights(const Tensor& tensor) {
  constexpr std::int64_t kMost = 1 << 16;
  if (!is_floating(tensor.dtype()) || tensor.dim() < 2 || tensor.numel() == 0 || tensor.numel() > kMost) return false;
  const std::vector<double> numbers = to_doubles(tensor);
  const auto width = static_cast<std::ptrdiff_t>(tensor.size(tensor.dim() - 1));
  for (auto row = numbers.begin(); row != numbers.end(); row += width) {
    const bool adds_up = std::fabs(std::accumulate(row, row + width, 0.0) - 1) < 1e-3;
    if (!adds_up || *std::min_element(row, row + width) < 0) return false;
  }
  return width > 1;
}

/// A mask with one entry for each query would hide whole rows of scores, and scores are not turned to fit a mask.
bool is_odd_for_mask(const Trial& trial, const Edit& edit) {
  const Tensor& tensor = edit.value.as<TensorObject>()->tensor;
  const bool is_mask = trial.places()[edit.place].argument == (trial.places()[0].argument < 0 ? 0 : 1);
  return trial.op_name() == "masked_fill" && (!is_mask || tensor.size(tensor.dim() - 1) == 1);
}

/// A table that is the same for every sentence of `other`: positions, a bias, a mask. What other layers computed, or
/// has an axis for the batch, is text.
bool is_table(const Trial& trial, std::size_t place, std::size_t other) {
  const Shape &shape = trial.tensor(place).shape(), &text = trial.tensor(other).shape();
  if (trial.is_computed(place) || shape.size() > text.size()) return false;
  if (trial.is_of_module(place) != trial.is_of_module(other)) return trial.is_of_module(place);
  if (shape.size() < text.size()) return true;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] == 1 && text[axis] > 1) return true;
  return shape.size() <= 2 && place > other;  // no batch: "x + positions"
}

/// A mask that is added: large negative numbers hide.
bool hides(const Tensor& tensor) {
  constexpr std::int64_t kMost = 1 << 16;
  if (!is_floating(tensor.dtype()) || tensor.numel() > kMost) return false;
  const std::vector<double> numbers = to_doubles(tensor);
  return std::any_of(numbers.begin(), numbers.end(), [](double x) { return x < -1000; });
}

/// Positions are added to a text as they are: it is the text that is turned.
bool is_positions(const Trial& trial, std::size_t place) {
  if (trial.op_name() != "add" || hides(trial.tensor(place))) return false;
  const std::vector<std::size_t> tensors = trial.tensors();
  return std::any_of(tensors.begin(), tensors.end(), [&](std::size_t other) {
    return is_table(trial, place, other) && !is_table(trial, other, place);
  });
}

/// The last operand first: in a product of queries and keys it is the keys that are turned.
void transposes(Trial& trial) {
  std::vector<std::size_t> tensors = trial.tensors();
  std::reverse(tensors.begin(), tensors.end());
  for (const std::size_t place : tensors) {
    if (is_positions(trial, place)) continue;
    const std::optional<Edit> edit = transposed(trial, place);
    if (edit && !is_odd_for_mask(trial, *edit) && !is_weights(trial.tensor(place))) trial.offer({*edit});
  }
}

void swapped(Trial& trial) {
  const std::vector<std::size_t> tensors = trial.tensors();
  if (tensors.size() != 2) return;
  const std::size_t a = tensors[0], b = tensors[1];
  trial.offer({{a, as_operand(trial.code(b)), trial.value(b)}, {b, as_operand(trial.code(a)), trial.value(a)}});
}

/// Every way to put `missing` axes of size 1 into a tensor, from `first` on.
void unsqueezed(Trial& trial, std::size_t place, const Value& value, const std::string& suffix, std::int64_t first,
                std::int64_t missing) {
  const std::int64_t dims = value.as<TensorObject>()->tensor.dim();
  for (std::int64_t axis = first; axis <= dims; ++axis) {
    const std::optional<Value> made = trial.compute("torch.unsqueeze", {value, int_value(axis)});
    if (!made) continue;
    const std::string code = suffix + fmt::format(".unsqueeze({})", axis);
    if (missing == 1) trial.offer({{place, as_operand(trial.code(place)) + code, *made}});
    else unsqueezed(trial, place, *made, code, axis + 1, missing - 1);
  }
}

void unsqueezes(Trial& trial) {
  std::int64_t most = 0;
  for (const std::size_t place : trial.tensors()) most = std::max(most, trial.tensor(place).dim());
  for (const std::size_t place : trial.tensors()) {
    const std::int64_t missing = most - trial.tensor(place).dim();
    for (std::int64_t count = 1; count <= std::clamp<std::int64_t>(missing, 1, 3); ++count)
      unsqueezed(trial, place, trial.value(place), "", 0, count);
  }
}

/// As many entries of the longer one as the other has, along an axis counted from the right: "pe[:5]". Only in sums:
/// a mask or keys of another length are those of another text. Only a table is cut: where the text is the longer one,
/// the table is too short for it.
void slices(Trial& trial) {
  const auto is_cut = [&](std::size_t place) { return trial.code(place).ends_with(']'); };
  if (trial.op_name() != "add" && trial.op_name() != "sub" && trial.op_name() != "mul") return;
  if (trial.is_product_of_rows()) return;
  const std::vector<std::size_t> tensors = trial.tensors();
  for (const std::size_t place : tensors) {
    const Tensor& tensor = trial.tensor(place);
    for (const std::size_t other : tensors) {
      if (!is_table(trial, place, other) || is_cut(place)) continue;  // cut already: at another axis
      for (std::int64_t right = 1; right <= std::min(tensor.dim(), trial.tensor(other).dim()); ++right) {
        const std::int64_t axis = tensor.dim() - right;
        const std::int64_t size = trial.tensor(other).size(trial.tensor(other).dim() - right);
        if (size < 2 || size >= tensor.size(axis)) continue;
        std::string code = "[";
        for (std::int64_t i = 0; i < axis; ++i) code += ":, ";
        code += fmt::format(":{}]", size);
        offer_if(trial, trial.with(place, "torch.narrow", {int_value(axis), int_value(0), int_value(size)}, code));
      }
    }
  }
}

/// Axes of size 1 stretched to the size of the others, where cat() would not do it.
void stretched(Trial& trial) {
  const std::vector<std::size_t> tensors = trial.tensors();
  for (const std::size_t place : tensors) {
    const Shape& shape = trial.tensor(place).shape();
    for (const std::size_t other : tensors) {
      const Shape& wanted = trial.tensor(other).shape();
      for (std::size_t axis = 0; axis < shape.size() && wanted.size() == shape.size(); ++axis) {
        if (shape[axis] != 1 || wanted[axis] == 1) continue;
        std::vector<Value> sizes(shape.size(), int_value(-1));
        sizes[axis] = int_value(wanted[axis]);
        std::string code;
        for (const Value& size : sizes) code += fmt::format("{}{}", code.empty() ? "" : ", ", size.as_int()->value);
        offer_if(trial, trial.with(place, "Tensor.expand", {make_tuple(sizes)}, ".expand(" + code + ")"));
      }
    }
  }
}

void flattened(Trial& trial) {
  const std::vector<std::size_t> tensors = trial.tensors();
  if (tensors.size() != 2) return;
  const auto scores = trial.with(tensors[0], "torch.flatten", {int_value(0), int_value(-2)}, ".flatten(0, -2)");
  const auto targets = trial.with(tensors[1], "torch.flatten", {}, ".flatten()");
  if (scores && targets) trial.offer({*scores, *targets});
}

// ---- another type of numbers ----

void as_type(Trial& trial, std::string_view name) {
  for (const std::size_t place : trial.tensors())
    offer_if(trial, trial.with(place, fmt::format("Tensor.{}", name), {}, fmt::format(".{}()", name)));
}
void as_float(Trial& trial) { as_type(trial, "float"); }
/// What is looked into, or written to, stands first.
void last_first(Trial& trial, std::string_view method) {
  std::vector<std::size_t> tensors = trial.tensors();
  std::reverse(tensors.begin(), tensors.end());
  for (const std::size_t place : tensors)
    offer_if(trial, trial.with(place, fmt::format("Tensor.{}", method), {}, fmt::format(".{}()", method)));
}
void as_long(Trial& trial) { last_first(trial, "long"); }
void as_copy(Trial& trial) { last_first(trial, "clone"); }
void as_bool(Trial& trial) { as_type(trial, "bool"); }
/// Both operands of & and |, where one alone does not do.
void all_bool(Trial& trial) {
  std::vector<Edit> edits;
  for (const std::size_t place : trial.tensors())
    if (auto edit = trial.with(place, "Tensor.bool", {}, ".bool()")) edits.push_back(std::move(*edit));
  trial.offer(edits);
}
void as_double(Trial& trial) { as_type(trial, "double"); }

/// A triangle above the diagonal marks what comes after: it is 1 where a mask of attention hides.
bool marks_the_future(const Tensor& tensor) {
  constexpr std::int64_t kMost = 1 << 16;
  const std::int64_t dims = tensor.dim();
  if (dims < 2 || tensor.numel() < 4 || tensor.numel() > kMost) return false;
  const std::int64_t rows = tensor.size(dims - 2), columns = tensor.size(dims - 1);
  if (rows != columns) return false;
  const std::vector<double> numbers = to_doubles(tensor);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i) / columns % rows, column = static_cast<std::int64_t>(i) % columns;
    if ((numbers[i] != 0) != (column > row)) return false;
  }
  return true;
}

/// Masks of attention are 1 where something may be looked at, and masked_fill wants True where it may not.
void compared(Trial& trial) {
  for (const std::size_t place : trial.tensors()) {
    const bool hides = marks_the_future(trial.tensor(place));
    const auto made = trial.compute("torch.eq", {trial.value(place), int_value(hides ? 1 : 0)});
    if (made) trial.offer({{place, as_operand(trial.code(place)) + (hides ? " == 1" : " == 0"), *made}});
  }
}

void inverted(Trial& trial) {
  const std::vector<std::size_t> tensors = trial.tensors();
  for (const std::size_t place : tensors) {
    if (trial.tensor(place).dtype() != DType::Bool) continue;
    trial.offer_whole("torch.bitwise_not", {trial.value(place)}, "~" + as_operand(trial.code(place)));
  }
}

std::optional<std::size_t> place_of_argument(const Trial& trial, int argument) {
  for (std::size_t i = 0; i < trial.places().size(); ++i)
    if (trial.places()[i].argument == argument && trial.places()[i].item == OperandPlace::kWhole) return i;
  return std::nullopt;
}

// ---- another op ----

void reshape(Trial& trial) {
  trial.offer_op("Tensor.reshape", "reshape");
  for (const std::size_t place : trial.tensors())
    offer_if(trial, trial.with(place, "Tensor.contiguous", {}, ".contiguous()"));
}

void out_of_place(Trial& trial) {
  const std::string name(trial.op_name());
  if (name.ends_with('_')) trial.offer_op("Tensor." + name.substr(0, name.size() - 1), name.substr(0, name.size() - 1));
}

void turn_last_two(Trial& trial) {
  for (const std::size_t place : trial.tensors())
    trial.offer_whole("torch.transpose", {trial.value(place), int_value(-2), int_value(-1)},
                      as_operand(trial.code(place)) + ".transpose(-2, -1)");
}

void as_list(Trial& trial) {
  for (const std::size_t place : trial.tensors())
    trial.offer_whole("Tensor.tolist", {trial.value(place)}, as_operand(trial.code(place)) + ".tolist()");
}

void cat(Trial& trial) {
  const std::vector<std::size_t> tensors = trial.tensors();
  const auto list = place_of_argument(trial, 0);
  if (tensors.empty() || !list) return;
  for (std::int64_t axis = 0; axis < trial.tensor(tensors.front()).dim(); ++axis)
    trial.offer_whole("torch.cat", {trial.value(*list), int_value(axis)},
                      fmt::format("torch.cat({}, dim={})", trial.code(*list), axis));
}

/// Every product of two tensors that matmul knows.
void matmul(Trial& trial) { trial.offer_op("torch.matmul", "matmul"); }

/// Weights [batch, length] of one query for each text, times [batch, length, width].
void as_one_query(Trial& trial) {
  const std::vector<std::size_t> tensors = trial.tensors();
  if (tensors.size() != 2 || trial.op_name() != "bmm") return;
  const Tensor &weights = trial.tensor(tensors[0]), &values = trial.tensor(tensors[1]);
  if (weights.dim() != 2 || values.dim() != 3 || weights.size(0) != values.size(0)) return;
  offer_if(trial, trial.with(tensors[0], "torch.unsqueeze", {int_value(1)}, ".unsqueeze(1)"));
}

/// The heads side by side again, in front of a layer that takes all of them: from [batch, length, heads, width], or
/// from [batch, heads, length, width].
void merged_heads(Trial& trial) {
  const auto input = place_of_argument(trial, 0);
  if (!input || !trial.value(*input).as<TensorObject>() || trial.tensor(*input).dim() != 4) return;
  offer_if(trial, trial.with(*input, "torch.flatten", {int_value(2)}, ".flatten(2)"));
  const auto turned = trial.compute("torch.transpose", {trial.value(*input), int_value(1), int_value(2)});
  const auto flat = turned ? trial.compute("torch.flatten", {*turned, int_value(2)}) : std::nullopt;
  if (flat) trial.offer({{*input, as_operand(trial.code(*input)) + ".transpose(1, 2).flatten(2)", *flat}});
}

void cloned(Trial& trial) {
  for (const std::size_t place : trial.tensors()) offer_if(trial, trial.with(place, "Tensor.clone", {}, ".clone()"));
}

/// Scores from which words are drawn as if they were probabilities; those below 0 show it.
void softmaxed(Trial& trial) {
  for (const std::size_t place : trial.tensors()) {
    const Tensor& tensor = trial.tensor(place);
    if (!is_floating(tensor.dtype())) continue;
    const std::vector<double> numbers = to_doubles(tensor);
    if (std::any_of(numbers.begin(), numbers.end(), [](double x) { return x < 0; }))
      offer_if(trial, trial.with(place, "torch.softmax", {int_value(-1)}, ".softmax(-1)"));
  }
}

// ---- which of these for which rule ----

using Attempt = void (*)(Trial&);

struct Row {
  std::string_view rule;  // or the beginning of one, up to a dot
  std::vector<Attempt> tries;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {"matmul.inner", {transposes, swapped, unsqueezes}},
      {"matmul.scalar", {unsqueezes}},
      {"matmul.dims", {as_one_query, matmul, squeezes, unsqueezes}},
      {"bmm.batch", {transposes, swapped, unsqueezes}},
      {"linear.inner", {merged_heads, transposes}},
      {"multihead", {}},
      {"layer_norm.shape", {}},  // turned, it would mix words: the layer is made for another width
      {"attention", {transposes, unsqueezes, as_bool}},
      {"broadcast", {unsqueezes, transposes, slices, other_axis}},
      {"assign", {out_of_place, cloned, unsqueezes}},
      {"write", {cloned}},
      {"inplace.leaf", {out_of_place}},  // as a float it would only lose the gradient that is wanted of it
      {"inplace", {out_of_place, as_float}},
      {"masked_fill.mask", {compared}},
      {"masked_select.type", {as_bool}},
      {"where.condition", {as_bool}},
      {"sub.bool", {inverted}},
      {"neg.bool", {inverted}},
      {"bitwise_not.dtype", {as_bool}},
      {"bitwise.dtype", {as_bool, all_bool}},
      {"view.stride", {reshape}},
      {"view", {free_size, fitting_sizes}},
      {"flatten.order", {swapped_ints}},
      {"permute", {whole_order}},
      {"t.dims", {turn_last_two}},
      {"expand", {unsqueezes, free_sizes}},
      {"dim.range", {fitting_axis, unsqueezes}},
      {"dim.none", {unsqueezes}},
      {"index.range", {fitting_index}},
      {"index.too_many", {fewer_indices}},
      {"index.mask", {transposes}},
      {"index.type", {as_long}},
      {"index.broadcast", {unsqueezes}},
      {"narrow.range", {fitting_int}},
      {"cat.size", {stretched, other_axis, transposes}},
      {"cat.dims", {unsqueezes}},
      {"stack.size", {cat, transposes}},
      {"split.sum", {fitting_int}},
      {"embedding.ids", {as_long}},
      {"item.numel", {as_list}},
      {"overlap", {as_copy}},
      {"one_hot.type", {as_long}},
      {"one_hot.classes", {fitting_int}},
      {"topk", {fitting_int}},
      {"kthvalue", {fitting_int}},
      {"multinomial", {softmaxed}},
      {"einsum", {other_letters}},
      {"randint.range", {swapped_ints}},
      {"triangle.dims", {unsqueezes}},
      {"conv.dims", {unsqueezes}},
      {"conv.channels", {transposes}},
      {"take_along_dim", {unsqueezes}},
  };
  return table;
}

/// Of a rule without a row: by the kind of error.
std::vector<Attempt> usual(Code code) {
  if (code == Code::Shape) return {transposes, unsqueezes, flattened, slices, other_axis};
  if (code == Code::Index) return {fitting_axis, as_long, unsqueezes};
  return {as_float, as_long, as_bool, as_double, transposes, flattened};
}

bool stands_for(std::string_view row, std::string_view rule) {
  return rule == row || (rule.starts_with(row) && rule.substr(row.size()).starts_with('.'));
}

}  // namespace

void try_repairs(Trial& trial) {
  const std::string_view rule = trial.diagnostic().rule;
  const auto row = std::find_if(rows().begin(), rows().end(), [&](const Row& r) { return stands_for(r.rule, rule); });
  const std::vector<Attempt> tries = row == rows().end() ? usual(trial.diagnostic().code) : row->tries;
  for (const Attempt& attempt : tries) {
    if (!trial.done()) attempt(trial);
  }
}

}  // namespace attn
