#include "torch/axis_rules.h"

#include <algorithm>

#include "torch/axis_names.h"

// Every rule ends in fitted(): a name never stands on an axis that the rule did not foresee.
namespace attn::axis_rule {
namespace {

const TensorObject* first_input(const OpCall& call) { return call.inputs().empty() ? nullptr : call.inputs().front(); }

Axes input_axes(const OpCall& call) { return first_input(call) ? first_input(call)->axes : Axes(); }

/// `dim` of the call as a place among `dims` axes, counted from the front.
std::size_t dim_of(const OpCall& call, std::size_t dims, std::string_view parameter = "dim", std::int64_t missing = 0) {
  std::int64_t dim = call.has(parameter) ? call.integer(parameter) : missing;
  if (dim < 0) dim += static_cast<std::int64_t>(dims);
  return as_size(dim);
}

/// Axes that are broadcast together, from the right: a wide named axis wins over one of size 1, an earlier operand over
/// a later one.
struct AlignedOperand {
  Shape shape;
  Axes axes;
};

Axis broadcast_axis(const std::vector<AlignedOperand>& operands, std::size_t from_right, std::int64_t size) {
  const Axis* chosen = nullptr;
  bool chosen_is_wide = false;
  for (const AlignedOperand& operand : operands) {
    if (from_right >= operand.axes.size()) continue;
    const std::size_t place = operand.axes.size() - 1 - from_right;
    const Axis& axis = operand.axes[place];
    const bool is_wide = operand.shape[place] == size;
    if (axis.name.empty() && !axis.words && !axis.origin) continue;
    if (!chosen || (chosen->name.empty() && !axis.name.empty()) || (is_wide && !chosen_is_wide && !axis.name.empty())) {
      chosen = &axis;
      chosen_is_wide = is_wide;
    }
  }
  if (!chosen) return {};
  // What one operand's name claims another may have lost.
  for (const AlignedOperand& operand : operands) {
    if (from_right >= operand.axes.size() || is_doubtful(chosen->name)) continue;
    const std::size_t place = operand.axes.size() - 1 - from_right;
    const Axis& axis = operand.axes[place];
    const bool is_doubt = is_doubtful(axis.name) && claimed_name(axis.name) == chosen->name;
    if (is_doubt && operand.shape[place] == size) chosen = &axis;
  }
  return chosen_is_wide ? *chosen : without_words(*chosen);
}

Axes broadcast_axes(const std::vector<AlignedOperand>& operands, const Shape& shape) {
  Axes axes;
  for (std::size_t i = 0; i < shape.size(); ++i)
    axes.push_back(broadcast_axis(operands, shape.size() - 1 - i, shape[i]));
  return axes;
}

/// The name that all operands agree on at a place; unnamed ones do not count.
Axis agreed(const std::vector<TensorObject*>& inputs, std::size_t place) {
  Axis axis;
  for (const TensorObject* input : inputs) {
    if (place >= input->axes.size()) continue;
    const Axis& other = input->axes[place];
    if (!axis.name.empty() && !other.name.empty() && axis.name != other.name) return {};
    if (axis.name.empty()) axis = other;
    else if (axis.words && other.words && (axis.by != other.by || *axis.words != *other.words)) axis.words = nullptr;
  }
  return axis;
}

Axes agreed_axes(const std::vector<TensorObject*>& inputs) {
  Axes axes;
  std::size_t dims = 0;
  for (const TensorObject* input : inputs) dims = std::max(dims, input->axes.size());
  for (std::size_t i = 0; i < dims; ++i) axes.push_back(agreed(inputs, i));
  return axes;
}

/// The sizes that the call asks for, whatever its parameter is called.
std::vector<Value> size_values(const OpCall& call) {
  for (const char* parameter : {"size", "shape"})
    if (call.has(parameter)) return call.int_values(parameter);
  return {};
}

}  // namespace

Axes same(const OpCall& call, const Tensor& output, std::size_t) { return fitted(input_axes(call), output); }

Axes broadcast(const OpCall& call, const Tensor& output, std::size_t) {
  std::vector<AlignedOperand> operands;
  for (const TensorObject* input : call.inputs()) operands.push_back({input->tensor.shape(), input->axes});
  return fitted(broadcast_axes(operands, output.shape()), output);
}

Axes reduce(const OpCall& call, const Tensor& output, std::size_t) {
  const Axes axes = input_axes(call);
  std::vector<bool> is_reduced(axes.size(), !call.has("dim") || call.ints("dim").empty());
  for (std::int64_t dim : call.ints("dim")) {
    if (dim < 0) dim += static_cast<std::int64_t>(axes.size());
    if (as_size(dim) < axes.size()) is_reduced[as_size(dim)] = true;
  }
  Axes out;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!is_reduced[i]) out.push_back(axes[i]);
    if (is_reduced[i] && call.flag("keepdim")) out.emplace_back();
  }
  return fitted(std::move(out), output);
}

Axes matmul(const OpCall& call, const Tensor& output, std::size_t) {
  if (call.inputs().size() < 2) return Axes(as_size(output.dim()));
  const TensorObject &left = *call.inputs()[0], &right = *call.inputs()[1];
  const std::size_t n_left = left.axes.size(), n_right = right.axes.size();
  const auto batch_of = [](const TensorObject& object) {
    const auto count = static_cast<std::ptrdiff_t>(std::max<std::size_t>(object.axes.size(), 2) - 2);
    const Shape& shape = object.tensor.shape();
    return AlignedOperand{Shape(shape.begin(), shape.begin() + count),
                          Axes(object.axes.begin(), object.axes.begin() + count)};
  };
  const std::size_t n_own = (n_left > 1 ? 1u : 0u) + (n_right > 1 ? 1u : 0u);
  if (output.shape().size() < n_own) return Axes(as_size(output.dim()));
  const Shape batch(output.shape().begin(), output.shape().end() - static_cast<std::ptrdiff_t>(n_own));
  Axes axes = broadcast_axes({batch_of(left), batch_of(right)}, batch);
  if (n_left > 1) axes.push_back(left.axes[n_left - 2]);
  if (n_right > 1) axes.push_back(right.axes[n_right - 1]);
  return fitted(std::move(axes), output);
}

Axes linear(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = input_axes(call);
  const Axes& rows = call.handle("weight").axes;
  if (!axes.empty()) axes.pop_back();
  if (rows.size() == 2) axes.push_back(rows[0]);
  return fitted(std::move(axes), output);
}

Axes view(const OpCall& call, const Tensor& output, std::size_t) {
  const TensorObject* input = first_input(call);
  Axes axes = regrouped(input->tensor.shape(), input->axes, output.shape());
  const std::vector<Value> sizes = size_values(call);
  const TensorObject* other = call.has("other") ? &call.handle("other") : nullptr;  // of view_as
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Axis wanted = other ? other->axes[i] : i < sizes.size() ? axis_from(sizes[i], output.shape()[i]) : Axis();
    // A name that was asked for is better than "a*b", but an axis that nothing happened to stays what it was.
    const bool is_merged = axes[i].name.find('*') != std::string::npos;
    if (!axes[i].name.empty() && !is_merged) continue;
    const Shape &from = input->tensor.shape(), &to = output.shape();
    if (!wanted.name.empty()) axes[i] = renamed(from, input->axes, to, i, wanted);
    else if (axes[i].name.empty()) axes[i].name = lost_name(from, input->axes, to, i);
  }
  return fitted(std::move(axes), output);
}

Axes flatten(const OpCall& call, const Tensor& output, std::size_t) {
  const TensorObject* input = first_input(call);
  return fitted(regrouped(input->tensor.shape(), input->axes, output.shape()), output);
}

Axes permute(const OpCall& call, const Tensor& output, std::size_t) {
  const Axes axes = input_axes(call);
  Axes out;
  for (std::int64_t dim : call.ints("dims")) {
    if (dim < 0) dim += static_cast<std::int64_t>(axes.size());
    if (as_size(dim) < axes.size()) out.push_back(axes[as_size(dim)]);
  }
  return fitted(std::move(out), output);
}

Axes transpose(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = input_axes(call);
  const std::size_t first = dim_of(call, axes.size(), "dim0", -2), second = dim_of(call, axes.size(), "dim1", -1);
  if (first < axes.size() && second < axes.size()) std::swap(axes[first], axes[second]);
  return fitted(std::move(axes), output);
}

Axes reversed(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = input_axes(call);
  std::reverse(axes.begin(), axes.end());
  return fitted(std::move(axes), output);
}

Axes squeeze(const OpCall& call, const Tensor& output, std::size_t) {
  const TensorObject* input = first_input(call);
  const std::size_t only = dim_of(call, input->axes.size());
  Axes axes;
  for (std::size_t i = 0; i < input->axes.size(); ++i) {
    const bool goes = input->tensor.shape()[i] == 1 && (!call.has("dim") || i == only);
    if (!goes) axes.push_back(input->axes[i]);
  }
  return fitted(std::move(axes), output);
}

Axes unsqueeze(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = input_axes(call);
  const std::size_t place = dim_of(call, axes.size() + 1);
  if (place <= axes.size()) axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(place), Axis());
  return fitted(std::move(axes), output);
}

Axes expand(const OpCall& call, const Tensor& output, std::size_t) {
  const TensorObject* input = first_input(call);
  const Shape& shape = output.shape();
  if (input->axes.size() > shape.size()) return Axes(shape.size());
  const std::size_t n_new = shape.size() - input->axes.size();
  const std::vector<Value> sizes = size_values(call);
  const TensorObject* other = call.has("other") ? &call.handle("other") : nullptr;
  Axes axes(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool is_stretched = i < n_new || input->tensor.shape()[i - n_new] != shape[i];
    if (i >= n_new) axes[i] = is_stretched ? without_words(input->axes[i - n_new]) : input->axes[i - n_new];
    if (!is_stretched) continue;
    const Axis wanted = other ? other->axes[i] : i < sizes.size() ? axis_from(sizes[i], shape[i]) : Axis();
    if (!wanted.name.empty()) axes[i] = wanted;
  }
  return fitted(std::move(axes), output);
}

Axes repeat(const OpCall& call, const Tensor& output, std::size_t) {
  const TensorObject* input = first_input(call);
  const std::vector<Value> counts = call.int_values("repeats");
  if (counts.size() != output.shape().size() || input->axes.size() > counts.size()) return Axes(counts.size());
  const std::size_t n_new = counts.size() - input->axes.size();
  Axes axes(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::int64_t size = i < n_new ? 1 : input->tensor.shape()[i - n_new];
    const bool is_repeated = to_int(*as_scalar(counts[i])) != 1;
    if (!is_repeated && i >= n_new) axes[i] = input->axes[i - n_new];
    if (!is_repeated || size != 1) continue;
    axes[i] = axis_from(counts[i], output.shape()[i]);
    if (axes[i].name.empty() && i >= n_new) axes[i] = without_words(input->axes[i - n_new]);
  }
  return fitted(std::move(axes), output);
}

Axes cat(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = agreed_axes(call.inputs());
  const std::size_t joined = dim_of(call, axes.size());
  if (joined >= axes.size() || joined >= call.inputs()[0]->axes.size()) return Axes(as_size(output.dim()));
  const auto unlike_first = [&](const TensorObject* input) {
    return joined >= input->axes.size() || input->axes[joined].name != call.inputs()[0]->axes[joined].name;
  };
  const bool all_agree = std::none_of(call.inputs().begin(), call.inputs().end(), unlike_first);
  axes[joined] = all_agree ? without_words(axes[joined]) : Axis();
  // More keys are still keys, but the numbers of two words side by side are not a longer word.
  const bool is_longer = output.shape()[joined] != call.inputs()[0]->tensor.shape()[joined];
  if (is_longer && joined + 1 == axes.size()) axes[joined] = Axis();
  else if (is_longer && !axes[joined].name.empty()) axes[joined].name = doubtful(axes[joined].name);
  return fitted(std::move(axes), output);
}

Axes stack(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = agreed_axes(call.inputs());
  const std::size_t place = dim_of(call, axes.size() + 1);
  if (place <= axes.size()) axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(place), Axis());
  return fitted(std::move(axes), output);
}

Axes split(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = input_axes(call);
  const std::size_t place = dim_of(call, axes.size());
  if (place < axes.size()) axes[place] = without_words(axes[place]);
  return fitted(std::move(axes), output);
}

Axes unbind(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = input_axes(call);
  const std::size_t place = dim_of(call, axes.size());
  if (place < axes.size()) axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(place));
  return fitted(std::move(axes), output);
}

Axes embedding(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = call.handle("input").axes;
  const Axes& table = call.handle("weight").axes;
  axes.push_back(table.empty() ? Axis() : table.back());
  return fitted(std::move(axes), output);
}

Axes created(const OpCall& call, const Tensor& output, std::size_t) {
  std::vector<Value> sizes = size_values(call);
  // arange(n), randperm(n), eye(n, m) say their sizes under other names.
  for (const char* parameter : {"end", "n", "m"})
    if (sizes.size() < output.shape().size() && call.has(parameter)) sizes.push_back(call.value(parameter));
  Axes axes;
  for (std::size_t i = 0; i < output.shape().size(); ++i) {
    axes.push_back(i < sizes.size() ? axis_from(sizes[i], output.shape()[i]) : Axis());
  }
  return fitted(std::move(axes), output);
}

Axes none(const OpCall&, const Tensor& output, std::size_t) { return Axes(as_size(output.dim())); }

}  // namespace attn::axis_rule
