// Rows that make tensors out of numbers.
#include "tensor/ops/create.h"

#include <fmt/format.h>

#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/walk.h"
#include "tensor/ops/pointwise.h"
#include "torch/axis_rules.h"
#include "torch/numpy/array.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/operand_checks.h"
#include "torch/ops/rows.h"
#include "torch/tensor_data.h"

namespace attn {
namespace {

Value filled(OpCall& call, const Scalar& value) {
  return created(call, full(call.ints("size"), value, call.dtype("dtype").value_or(DType::Float32)));
}
Value zeros_op(OpCall& call) { return filled(call, Scalar(std::int64_t{0})); }
Value ones_op(OpCall& call) { return filled(call, Scalar(std::int64_t{1})); }

Value full_op(OpCall& call) {
  const Scalar value = call.number("fill_value");
  return created(call, full(call.ints("size"), value, call.dtype("dtype").value_or(default_dtype(value))));
}

Value filled_like(OpCall& call, const Scalar& value) {
  const Tensor& like = call.tensor("input");
  const DType dtype = call.dtype("dtype").value_or(like.dtype());
  Tensor out = empty_like(like, dtype);
  assign(out, full({}, value, dtype));
  return created(call, std::move(out));
}
Value zeros_like_op(OpCall& call) { return filled_like(call, Scalar(std::int64_t{0})); }
Value ones_like_op(OpCall& call) { return filled_like(call, Scalar(std::int64_t{1})); }
Value full_like_op(OpCall& call) { return filled_like(call, call.number("fill_value")); }

Value arange_op(OpCall& call) {
  const Scalar start = call.has("start") ? call.number("start") : Scalar(std::int64_t{0});
  const Scalar end = call.number("end");
  const Scalar step = call.has("step") ? call.number("step") : Scalar(std::int64_t{1});
  const bool has_float = is_float(start) || is_float(end) || is_float(step);
  const DType dtype = call.dtype("dtype").value_or(has_float ? DType::Float32 : DType::Int64);
  return created(call, arange(start, end, step, dtype));
}

Value eye_op(OpCall& call) {
  const std::int64_t rows = call.integer("n"), columns = call.optional_integer("m").value_or(rows);
  for (const auto& [name, size] : {std::pair("n", rows), std::pair("m", columns)}) {
    if (size >= 0) continue;
    throw TensorError("eye.negative", Code::Value, "RuntimeError",
                      std::string(name) + " must be greater or equal to 0, got " + std::to_string(size),
                      {{"size", size}});
  }
  const DType dtype = call.dtype("dtype").value_or(DType::Float32);
  if (dtype == DType::BFloat16) throw_not_implemented("eye", dtype);
  return created(call, eye(rows, columns, dtype));
}

Value tensor_op(OpCall& call) { return created(call, tensor_from(call.value("data"), call.dtype("dtype"))); }

constexpr const char* kTyped = "(*data: any)";

// torch.LongTensor(tensor): the tensor itself, as its alias. Another type of numbers is refused.
Value alias_of(OpCall& call, const Ref<TensorObject>& tensor, DType wanted) {
  const auto options = [](DType dtype) {
    return fmt::format(
        "TensorOptions(dtype={}, device=cpu, layout=Strided, requires_grad=false (default), "
        "pinned_memory=false (default), memory_format=(nullopt))",
        type_word(dtype));
  };
  const DType own = tensor->tensor.dtype();
  if (own != wanted)
    throw TensorError("tensor.alias", Code::Type, "TypeError",
                      fmt::format("expected {} (got {})", options(wanted), options(own)));
  const Value alias =
      call_named_op(call.interpreter(), "Tensor.view_as", {tensor, tensor}, {call.span(), call.span()}, call.span());
  std::string& history = alias.as<TensorObject>()->grad_fn;
  if (!history.empty()) history = "AliasBackward0";
  return alias;
}

// torch.LongTensor([1, 2]) holds these numbers; torch.LongTensor(2, 3) and torch.LongTensor(x.shape) have these sizes.
template <DType kType>
Value typed_tensor_op(OpCall& call) {
  const std::vector<Value> data = call.value("data").as<Tuple>()->items;
  if (data.size() == 1 && data[0].as<TensorObject>()) return alias_of(call, data[0].ref<TensorObject>(), kType);
  const Array* array = data.size() == 1 ? data[0].as<Array>() : nullptr;
  if (array && !array->is_scalar && array->tensor->tensor.dtype() == kType)
    return tensor_from_numpy(data[0], call.span());  // shares its numbers
  const bool is_size = data.size() == 1 && data[0].as<Tuple>() && data[0].as<Tuple>()->is_size;
  if (data.size() == 1 && !data[0].as_int() && !is_size) return make_tensor(tensor_from(data[0], kType));
  Shape sizes;
  for (const Value& value : is_size ? data[0].as<Tuple>()->items : data) {
    if (!value.as_int()) {
      throw TensorError("tensor.sizes", Code::Type, "TypeError",
                        "new(): sizes must be ints, not " + type_name(value) + "; data comes in one list");
    }
    sizes.push_back(value.as_int()->value);
  }
  if (data.empty()) sizes = {0};
  return make_tensor(zeros(sizes, kType));
}

const OpInfo kCreateOps[] = {
    OpInfo("torch.tensor", "(data: any, " ATTN_OPTIONS,
           "A tensor of the numbers in nested lists; the type follows from them unless dtype= says it.",
           "torch.tensor([[1., 2., 3.], [4., 5., 6.]])", tensor_op,
           {.axes = axis_rule::none, .element = kSource, .narrow = kMoves}),
    OpInfo("torch.zeros", kSizes, "A tensor of zeros.", "torch.zeros(2, 3)", zeros_op,
           {.axes = axis_rule::created, .element = kSource, .flags = kTraced, .narrow = kMoves}),
    OpInfo("torch.ones", kSizes, "A tensor of ones.", "torch.ones(2, 3)", ones_op,
           {.axes = axis_rule::created, .element = kSource, .flags = kTraced, .narrow = kMoves}),
    OpInfo("torch.empty", kSizes, "A tensor for later use. PyTorch leaves its numbers undefined; here they are zeros.",
           "torch.empty(2, 3).shape", zeros_op,
           {.axes = axis_rule::created, .element = kSource, .flags = kTraced, .narrow = kMoves}),
    OpInfo("torch.full", "(size: shape, fill_value: Number, " ATTN_OPTIONS, "A tensor with one number everywhere.",
           "torch.full((2, 3), 7.)", full_op, kFilled,
           {.axes = axis_rule::created, .element = kSource, .flags = kTraced, .narrow = kMoves}),
    OpInfo("torch.arange",
           "(end: Number, " ATTN_OPTIONS " | (start: Number, end: Number, " ATTN_OPTIONS
           " | (start: Number, end: Number, step: Number, " ATTN_OPTIONS,
           "The numbers from start (0) up to, but without, end.", "torch.arange(0, 10, 2)", arange_op,
           "{start} + {i} * {step} || {start} + {i} || {i}",
           {.axes = axis_rule::created, .element = kSource, .narrow = kMoves}),
    OpInfo("torch.eye", "(n: int, " ATTN_OPTIONS " | (n: int, m: int, " ATTN_OPTIONS,
           "Ones on the diagonal, zeros elsewhere.", "torch.eye(3)", eye_op, "1 if {i0} == {i1} else 0",
           {.axes = axis_rule::created, .element = kSource, .narrow = kMoves}),
    OpInfo("torch.zeros_like", kLike, "Zeros in the shape and type of another tensor.",
           "torch.zeros_like(torch.arange(3))", zeros_like_op, {.element = kSource, .narrow = kMoves}),
    OpInfo("torch.ones_like", kLike, "Ones in the shape and type of another tensor.",
           "torch.ones_like(torch.arange(3))", ones_like_op, {.element = kSource, .narrow = kMoves}),
    OpInfo("torch.empty_like", kLike,
           "A tensor in the shape and type of another, for later use; here its numbers are zeros.",
           "torch.empty_like(torch.arange(3)).shape", zeros_like_op, {.element = kSource, .narrow = kMoves}),
    OpInfo("torch.full_like", "(input: Tensor, fill_value: Number, " ATTN_OPTIONS,
           "One number in the shape and type of another tensor.", "torch.full_like(torch.arange(3), 7)", full_like_op,
           kFilled, {.element = kSource, .narrow = kMoves}),
    OpInfo("torch.LongTensor", kTyped, "An int64 tensor of nested lists, or of sizes.",
           "torch.LongTensor([[1, 2], [3, 4]])", typed_tensor_op<DType::Int64>,
           {.axes = axis_rule::none, .element = kSource}),
    OpInfo("torch.FloatTensor", kTyped, "A float32 tensor of nested lists, or of sizes.",
           "torch.FloatTensor([[1, 2], [3, 4]])", typed_tensor_op<DType::Float32>,
           {.axes = axis_rule::none, .element = kSource}),
    OpInfo("torch.DoubleTensor", kTyped, "A float64 tensor of nested lists, or of sizes.", "torch.DoubleTensor([1, 2])",
           typed_tensor_op<DType::Float64>, {.axes = axis_rule::none, .element = kSource}),
    OpInfo("torch.HalfTensor", kTyped, "A float16 tensor of nested lists, or of sizes.", "torch.HalfTensor([0.1, 2])",
           typed_tensor_op<DType::Float16>, {.axes = axis_rule::none, .element = kSource}),
    OpInfo("torch.IntTensor", kTyped, "An int32 tensor of nested lists, or of sizes.", "torch.IntTensor([1, 2])",
           typed_tensor_op<DType::Int32>, {.axes = axis_rule::none, .element = kSource}),
    OpInfo("torch.ShortTensor", kTyped, "An int16 tensor of nested lists, or of sizes.", "torch.ShortTensor([1, 2])",
           typed_tensor_op<DType::Int16>, {.axes = axis_rule::none, .element = kSource}),
    OpInfo("torch.ByteTensor", kTyped, "A uint8 tensor of nested lists, or of sizes.", "torch.ByteTensor([1, 2])",
           typed_tensor_op<DType::UInt8>, {.axes = axis_rule::none, .element = kSource}),
    OpInfo("torch.BoolTensor", kTyped, "A Bool tensor of nested lists, or of sizes.", "torch.BoolTensor([1, 0])",
           typed_tensor_op<DType::Bool>, {.axes = axis_rule::none, .element = kSource}),
};

}  // namespace

std::span<const OpInfo> create_ops() { return kCreateOps; }

}  // namespace attn
