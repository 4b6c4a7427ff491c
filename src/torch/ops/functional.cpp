// Rows of torch.nn.functional. linear and layer_norm are composites: what they consist of is recorded below them.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/number.h"
#include "python/interpreter.h"
#include "tensor/core/error.h"
#include "tensor/core/read.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/create.h"
#include "tensor/ops/index.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/random.h"
#include "tensor/ops/reduce.h"
#include "text/unsupported.h"
#include "torch/axis_rules.h"
#include "torch/lib.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

// The name of PyTorch's last step, which depends on the shape and memory order of x.
std::string_view linear_grad_fn(const Tensor& x, bool has_bias) {
  if (!has_bias) return x.dim() == 1 ? "SqueezeBackward3" : x.dim() == 2 ? "MmBackward0" : "UnsafeViewBackward0";
  if (x.dim() == 2) return "AddmmBackward0";
  return x.dim() == 3 && x.is_contiguous() ? "ViewBackward0" : "AddBackward0";
}

void check_linear(const Tensor& x, const Tensor& weight) {
  if (x.dim() == 0 || weight.dim() != 2 || x.size(x.dim() - 1) == weight.size(1)) return;
  const std::int64_t last = x.size(x.dim() - 1), rows = x.numel() / std::max<std::int64_t>(last, 1);
  throw TensorError("linear.inner", Code::Shape, "RuntimeError",
                    fmt::format("mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", rows, last,
                                weight.size(1), weight.size(0)),
                    {{"input", last}, {"weight", weight.size(1)}});
}

bool is_one_step_linear(const Tensor& x) { return x.dim() == 2 || (x.dim() == 3 && x.is_contiguous()); }

// With a bias PyTorch does all in one step where it can; its texts then differ from those of matmul and add.
void check_one_step(const OpCall& call) {
  const Tensor &x = call.tensor("input"), &weight = call.tensor("weight"), &bias = call.tensor("bias");
  if (!is_one_step_linear(x) || weight.dim() > 2) return;
  if (weight.dim() != 2)
    throw TensorError("linear.weight", Code::Shape, "RuntimeError",
                      fmt::format("mat2 must be a matrix, got {}-D tensor", weight.dim()));
  if (x.dtype() != weight.dtype() || bias.dtype() != weight.dtype()) {
    throw TensorError(
        "linear.dtype", Code::Type, "RuntimeError",
        fmt::format("{} and mat2 must have the same dtype", x.dtype() != weight.dtype() ? "mat1" : "self"));
  }
  // Where there is nothing to multiply PyTorch multiplies the bias alone by a whole number.
  if (bias.dtype() == DType::Bool && x.size(x.dim() - 1) == 0 && x.size(0) > 0 && weight.size(0) > 0)
    throw_cannot_cast(DType::Int64, DType::Bool);
  const std::int64_t rows = x.numel() / std::max<std::int64_t>(x.size(x.dim() - 1), 1), out = weight.size(0);
  if (bias.dim() != 1) {
    expand(bias, {rows, out});
    return;
  }
  const std::int64_t size = bias.size(0);
  if (size == out || size == 1) return;
  throw TensorError("linear.bias", Code::Shape, "RuntimeError",
                    fmt::format("The expanded size of the tensor ({}) must match the existing size ({}) at "
                                "non-singleton dimension 1.  Target sizes: [{}, {}].  Tensor sizes: [{}]",
                                out, size, rows, out, size),
                    {{"bias", size}, {"weight", out}});
}

// The bias is added in place.
void require_no_growth(const Tensor& product, const Tensor& bias) {
  const Shape shape = broadcast_shapes(product.shape(), bias.shape());
  if (shape == product.shape()) return;
  throw TensorError("linear.bias_shape", Code::Shape, "RuntimeError",
                    fmt::format("output with shape {} doesn't match the broadcast shape {}",
                                shape_text(product.shape()), shape_text(shape)));
}

// Added in place, the bias takes the type of the product.
Value bias_like(OpCall& call, DType dtype) {
  const DType own = call.tensor("bias").dtype();
  if (own == dtype) return call.value("bias");
  if (is_floating(own) && !is_floating(dtype)) throw_cannot_cast(own, dtype, "linear.dtype");
  return call.call("Tensor.to", {call.value("bias"), make<DTypeObject>(dtype)});
}

Value linear_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  check_linear(x, call.tensor("weight"));
  if (call.has("bias")) check_one_step(call);
  const bool is_matrix = call.tensor("weight").dim() >= 2;
  const Value columns = is_matrix ? call.call("torch.t", {call.value("weight")}) : call.value("weight");
  // In one step three axes are as two, and so may be those of the bias.
  const bool is_flat = x.dim() == 3 && is_one_step_linear(x) && call.has("bias") && call.tensor("bias").dim() == 2;
  Value rows = call.value("input");
  if (is_flat) rows = call.call("torch.flatten", {rows, int_value(0), int_value(1)});
  Value result = call.call("torch.matmul", {rows, columns});
  if (call.has("bias")) {
    require_no_growth(result.as<TensorObject>()->tensor, call.tensor("bias"));
    result = call.call("torch.add", {result, bias_like(call, result.as<TensorObject>()->tensor.dtype())});
  }
  if (is_flat) result = call.call("torch.unflatten", {result, int_value(0), make_size({x.size(0), x.size(1)})});
  return composite(call, result, linear_grad_fn(x, call.has("bias")));
}

void check_normalized_shape(const Shape& normalized, const Shape& shape) {
  const bool fits = !normalized.empty() && normalized.size() <= shape.size() &&
                    std::equal(normalized.rbegin(), normalized.rend(), shape.rbegin());
  if (fits) return;
  std::string sizes;
  for (const std::int64_t size : normalized) sizes += ", " + std::to_string(size);
  throw TensorError("layer_norm.shape", Code::Shape, "RuntimeError",
                    fmt::format("Given normalized_shape={}, expected input with shape [*{}], but got input of size{}",
                                shape_text(normalized), sizes, shape_text(shape)));
}

// In PyTorch's order: what the numbers of the layer are comes before what it is applied to.
void check_parameters(const OpCall& call, const Shape& normalized) {
  if (normalized.empty())
    throw TensorError("layer_norm.shape", Code::Shape, "RuntimeError",
                      "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, "
                      "but got normalized_shape = []");
  for (const char* name : {"weight", "bias"}) {
    if (!call.has(name) || call.tensor(name).shape() == normalized) continue;
    throw TensorError("layer_norm.weight", Code::Shape, "RuntimeError",
                      fmt::format("Expected {} to be of same shape as normalized_shape, but got {} of shape {} and "
                                  "normalized_shape = {}",
                                  name, name, shape_text(call.tensor(name).shape()), shape_text(normalized)));
  }
}

void check_layer_norm_types(const OpCall& call) {
  const DType dtype = call.tensor("input").dtype();
  require_floating(dtype, "LayerNormKernelImpl");
  for (const char* name : {"weight", "bias"}) {
    if (!call.has(name) || call.tensor(name).dtype() == dtype) continue;
    throw TensorError("layer_norm.dtype", Code::Type, "RuntimeError",
                      fmt::format("expected scalar type {} but found {}", scalar_type_name(dtype),
                                  scalar_type_name(call.tensor(name).dtype())));
  }
}

// (x - mean) / sqrt(variance + eps) over the last axes, then weight and bias element by element.
Value layer_norm_op(OpCall& call) {
  const Shape normalized = call.ints("normalized_shape");
  check_parameters(call, normalized);
  check_normalized_shape(normalized, call.tensor("input").shape());
  check_layer_norm_types(call);
  std::vector<Value> last;
  for (auto i = -static_cast<std::int64_t>(normalized.size()); i < 0; ++i) last.emplace_back(i);
  const GradientSwitch without(call.interpreter(), false);  // layer_norm__input() of src/lib/backward.py goes back
  const Value x = call.value("input"), dims = make_tuple(last);
  const Value mean = call.call("op.row_mean", {x, dims, Value(true)});
  const Value variance = call.call("op.row_var", {x, dims, Value(false), Value(true)});
  const Value scale = call.call("torch.rsqrt", {call.call("torch.add", {variance, Value(call.real("eps"))})});
  call.keep(make_tuple({mean, scale}));
  Value result = call.call("op.normalize", {x, mean, scale});
  // Beside a weight PyTorch adds 0 where there is no bias: a weight of 0 gives no -0.
  const bool has_bias = call.has("bias"), has_weight = call.has("weight");
  if (has_bias && has_weight) result = call.call("torch.addcmul", {call.value("bias"), result, call.value("weight")});
  else if (has_weight)
    result = call.call("torch.add", {call.call("torch.mul", {result, call.value("weight")}), Value(0.0)});
  else if (has_bias) result = call.call("torch.add", {result, call.value("bias")});
  Tensor& out = result.as<TensorObject>()->tensor;
  out = contiguous(out);  // as PyTorch's, in whatever order x lies
  return composite(call, result, "NativeLayerNormBackward0");
}

Value relu_op(OpCall& call) {
  if (call.flag("inplace")) return call.call("Tensor.relu_", {call.value("input")});
  return make_tensor(relu(call.tensor("input")));
}

// Without dim= PyTorch picks one (and warns).
std::int64_t softmax_dim(const OpCall& call) {
  if (call.has("dim")) return call.integer("dim");
  const std::int64_t dims = call.tensor("input").dim();
  return dims == 0 || dims == 1 || dims == 3 ? 0 : 1;
}

template <Tensor (*F)(const Tensor&, std::int64_t)>
Value functional_softmax_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  return make_tensor(F(to(x, call.dtype("dtype").value_or(x.dtype())), softmax_dim(call)));
}

Value dropout_op(OpCall& call) {
  const double p = call.real("p");
  if (!(p >= 0 && p <= 1)) {
    throw TensorError("dropout.p", Code::Value, "ValueError",
                      "dropout probability has to be between 0 and 1, but got " + repr(call.value("p")));
  }
  const Tensor& x = call.tensor("input");
  if (!call.flag("training") || p == 0 || x.numel() == 0) return call.value("input");
  if (call.flag("inplace")) {
    throw unsupported(call.span(), "unsupported.op.dropout");
  }
  if (p == 1) return make_tensor(mul(x, zeros({}, x.dtype())));  // nothing is drawn
  const Dropped dropped = dropout(x, p, call.interpreter().generator());
  call.keep(make_tensor(dropped.scale));
  return make_tensor(dropped.output);
}

// The index that gets no gradient is an axis's place, which Python asserts.
void check_padding_index(const OpCall& call) {
  if (!call.has("padding_idx")) return;
  const Tensor& weight = call.tensor("weight");
  const std::int64_t place = call.integer("padding_idx");
  if (place == 0) return;
  const std::int64_t rows = weight.size(axis_of(0, weight.dim()));
  if (place < rows && place >= -rows) return;
  throw TensorError("embedding.padding", Code::Assertion, "AssertionError",
                    "Padding_idx must be within num_embeddings");
}

Value embedding_op(OpCall& call) {
  check_padding_index(call);
  if (call.has("max_norm")) {
    const Value shorten = library_function(call.interpreter(), "bags", "shorten_rows");
    call.interpreter().call(
        shorten, {call.value("weight"), call.value("input"), call.value("max_norm"), call.value("norm_type")},
        call.span());
  }
  return make_tensor(embedding(call.tensor("weight"), call.tensor("input")));
}

Value one_hot_op(OpCall& call) {
  const Tensor& ids = call.tensor("input");
  if (ids.dtype() != DType::Int64) {
    throw TensorError("one_hot.type", Code::Type, "RuntimeError", "one_hot is only applicable to index tensor.");
  }
  std::int64_t classes = call.integer("num_classes");
  if (ids.numel() == 0 && classes <= 0) {
    throw TensorError("one_hot.empty", Code::Value, "RuntimeError",
                      "Can not infer total number of classes from empty tensor.");
  }
  const std::int64_t largest = ids.numel() ? to_int(item(max(ids))) : -1;
  if (ids.numel() && to_int(item(min(ids))) < 0) {
    throw TensorError("one_hot.negative", Code::Value, "RuntimeError", "Class values must be non-negative.");
  }
  if (classes == -1) classes = largest + 1;
  if (largest >= classes) {
    throw TensorError("one_hot.classes", Code::Value, "RuntimeError", "Class values must be smaller than num_classes.");
  }
  const Tensor numbers = arange(Scalar(std::int64_t{0}), Scalar(classes), Scalar(std::int64_t{1}), DType::Int64);
  return make_tensor(cast(eq(unsqueeze(ids, -1), numbers), DType::Int64));
}

Axes one_hot_axes(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = call.handle("input").axes;
  axes.resize(static_cast<std::size_t>(output.dim()));
  return axes;
}

constexpr const char* kFunctionalSoftmax =
    "(input: Tensor, dim: int? = None, _stacklevel: int = 3, dtype: dtype? = None)";

const OpInfo kFunctionalOps[] = {
    OpInfo("torch.nn.functional.linear", "(input: Tensor, weight: Tensor, bias: Tensor? = None)",
           "x W^T + bias over the last axis of x.",
           "F.linear(torch.ones(2, 3), torch.arange(6.).view(2, 3), torch.tensor([1., -1.]))", linear_op,
           {.axes = axis_rule::linear,
            .element = kComposite,
            .grad_fn = "AddmmBackward0",
            .flags = kNative,
            .narrow = {.halves = Narrow::KeptBFloat16}}),
    OpInfo("torch.nn.functional.layer_norm",
           "(input: Tensor, normalized_shape: shape, weight: Tensor? = None, bias: Tensor? = None, eps: float = 1e-05)",
           "Each row shifted and scaled to mean 0 and variance 1 over its last axes.",
           "F.layer_norm(torch.arange(6.).view(2, 3), (3,))", layer_norm_op,
           {.axes = axis_rule::same, .element = kComposite, .grad_fn = "NativeLayerNormBackward0"}),
    OpInfo("torch.nn.functional.softmax", kFunctionalSoftmax,
           "exp(x) divided by its sum along an axis: positive weights that sum to 1.",
           "F.softmax(torch.tensor([[1., 2., 3.], [1., 1., 1.]]), dim=-1)", functional_softmax_op<softmax>,
           "exp({x} - {largest}) / ($+ exp({e} - {largest})$)", {.element = kReduce, .grad_fn = "SoftmaxBackward0"}),
    OpInfo("torch.nn.functional.log_softmax", kFunctionalSoftmax,
           "The logarithm of softmax, computed without overflow.", "F.log_softmax(torch.tensor([1., 2., 3.]), dim=-1)",
           functional_softmax_op<log_softmax>, "{x} - {largest} - log($+ exp({e} - {largest})$)",
           {.element = kReduce, .grad_fn = "LogSoftmaxBackward0"}),
    OpInfo("torch.nn.functional.relu", "(input: Tensor, inplace: bool = False)",
           "The element where it is positive, else 0.", "F.relu(torch.tensor([-1., 2.]))", relu_op, "max(0, {input})",
           {.grad_fn = "ReluBackward0"}),
    OpInfo(
        "torch.nn.functional.dropout", "(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False)",
        "In training each element becomes 0 with probability p, the others are divided by 1 - p.",
        "torch.manual_seed(0)\nF.dropout(torch.ones(6), 0.5)", dropout_op, "zero: {input} * 0 || {input} / (1 - {p})",
        {.element = kRandom, .grad_fn = "MulBackward0", .flags = kDraws | kDrawsVary}),
    OpInfo("torch.nn.functional.embedding",
           "(input: Tensor, weight: Tensor, padding_idx: int? = None, max_norm: float? = None, norm_type: float = 2.0, "
           "scale_grad_by_freq: bool = False, sparse: bool = False)",
           "Rows of a table, picked by number.", "F.embedding(torch.tensor([2, 0]), torch.arange(6.).view(3, 2))",
           embedding_op,
           {.axes = axis_rule::embedding,
            .element = kGather,
            .parts = {Part::Moved, "weight"},
            .grad_fn = "EmbeddingBackward0",
            .narrow = {Narrow::WideInt32}}),
    OpInfo("torch.nn.functional.one_hot", "(input: Tensor, num_classes: int = -1)",
           "A row of zeros with one 1, at the place that the number says.", "F.one_hot(torch.tensor([0, 2]), 3)",
           one_hot_op, "1 if {input.lead} == {i} else 0", {.axes = one_hot_axes, .flags = kNative}),
};

}  // namespace

std::span<const OpInfo> functional_ops() { return kFunctionalOps; }

}  // namespace attn
