// Rows that ask a tensor something, convert its element type, or say whether it takes part in gradients.
#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/interpreter.h"
#include "python/natives.h"
#include "tensor/core/error.h"
#include "tensor/core/read.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/layout.h"
#include "text/unsupported.h"
#include "torch/axis_rules.h"
#include "torch/gradient.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

Value size_op(OpCall& call) {
  const TensorObject& handle = call.handle("input");
  Value size = make_size(handle.tensor.shape(), &handle.axes);
  if (!call.has("dim")) return size;
  const std::int64_t dim = axis_of(call.integer("dim"), handle.tensor.dim());
  return size.as<Tuple>()->items[static_cast<std::size_t>(dim)];
}

Value dim_op(OpCall& call) { return Value(call.tensor("input").dim()); }
Value numel_op(OpCall& call) { return Value(call.tensor("input").numel()); }
Value item_op(OpCall& call) { return from_scalar(item(call.tensor("input"))); }

Value nested_list(const Tensor& x) {
  check_stack();
  if (x.dim() == 0) return from_scalar(item(x));
  std::vector<Value> items;
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    charge(1);
    items.push_back(nested_list(select(x, 0, i)));
  }
  return make_list(std::move(items));
}
Value tolist_op(OpCall& call) { return nested_list(call.tensor("input")); }

Value stride_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (call.has("dim")) {
    return Value(x.strides()[static_cast<std::size_t>(axis_of(call.integer("dim"), x.dim()))]);
  }
  std::vector<Value> items;
  for (const std::int64_t stride : x.strides()) items.emplace_back(stride);
  return make_tuple(std::move(items));
}

Value storage_offset_op(OpCall& call) { return Value(call.tensor("input").offset()); }
// Not an address of this process: each run gives the same one.
Value data_ptr_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (x.numel() == 0) return Value(std::int64_t{0});
  return Value(call.interpreter().address_of(x.storage()) + x.offset() * size_of(x.dtype()));
}

Value storage_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  const std::int64_t held = x.storage().buffer->bytes() / size_of(wide_of(x.dtype()));
  return call.interpreter().call(library_function(call.interpreter(), "storage", "TypedStorage"),
                                 {make_tensor(x.as_strided({held}, {1}, 0))}, call.span());
}

Value is_contiguous_op(OpCall& call) { return Value(call.tensor("input").is_contiguous()); }
Value is_floating_point_op(OpCall& call) { return Value(is_floating(call.tensor("input").dtype())); }
Value equal_op(OpCall& call) { return Value(equal(call.tensor("input"), call.tensor("other"))); }

Value allclose_op(OpCall& call) {
  return Value(allclose(call.tensor("input"), call.tensor("other"), call.real("rtol"), call.real("atol"),
                        call.flag("equal_nan")));
}

// ---- element types: a tensor that has the type already comes back itself ----

Value converted(OpCall& call, DType dtype, bool copy = false) {
  const Tensor& x = call.tensor("input");
  if (x.dtype() == dtype) return copy ? make_tensor(clone(x)) : call.value("input");
  return make_tensor(to(x, dtype));
}

template <DType kType>
Value convert_op(OpCall& call) {
  return converted(call, kType);
}

Value to_op(OpCall& call) {
  const DType own = call.tensor("input").dtype();
  const DType wanted = call.has("tensor") ? call.tensor("tensor").dtype() : call.dtype("dtype").value_or(own);
  return converted(call, wanted, call.flag("copy"));
}

Value type_as_op(OpCall& call) { return converted(call, call.tensor("other").dtype()); }
Value cpu_op(OpCall& call) { return call.value("input"); }

// In the order of DType.
constexpr std::string_view kClassNames[] = {"torch.BoolTensor",     "torch.ByteTensor",   "torch.CharTensor",
                                            "torch.ShortTensor",    "torch.UInt16Tensor", "torch.IntTensor",
                                            "torch.UInt32Tensor",   "torch.LongTensor",   "torch.HalfTensor",
                                            "torch.BFloat16Tensor", "torch.FloatTensor",  "torch.DoubleTensor"};

// torch.FloatTensor or 'torch.FloatTensor'.
DType dtype_of_class(OpCall& call, const Value& value) {
  const auto* text = value.as<Str>();
  const auto* builtin = value.as<Builtin>();
  const std::string name = text ? text->text : builtin && builtin->op ? "torch." + std::string(builtin->op->name) : "";
  for (std::size_t i = 0; i < std::size(kClassNames); ++i)
    if (kClassNames[i] == name) return static_cast<DType>(i);
  throw unsupported(call.span(), "unsupported.op.type");
}

Value type_op(OpCall& call) {
  if (const auto dtype = call.dtype("dtype")) return converted(call, *dtype);
  if (call.has("dtype")) return converted(call, dtype_of_class(call, call.value("dtype")));
  return make_str(std::string(kClassNames[static_cast<std::size_t>(call.tensor("input").dtype())]));
}

// ---- gradients ----

// The same storage, without a history.
Value detach_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  return make_tensor(x.as_strided(x.shape(), x.strides(), x.offset()));
}

Value requires_grad_op(OpCall& call) {
  set_requires_grad(call.handle("input"), call.flag("requires_grad"));
  return call.value("input");
}

constexpr const char* kMaybeDim = "(input: Tensor, dim: int? = None)";
constexpr const char* kTo =
    "(input: Tensor, dtype: dtype? = None, non_blocking: bool = False, copy: bool = False) | "
    "(input: Tensor, tensor: Tensor, non_blocking: bool = False, copy: bool = False) | "
    "(input: Tensor, device: device? = None, dtype: dtype? = None, non_blocking: bool = False, copy: bool = False)";
constexpr std::string_view kToCopy = "ToCopyBackward0";

const OpInfo kQueryOps[] = {
    OpInfo("Tensor.size", kMaybeDim, "The sizes of all axes, or of one.", "torch.zeros(2, 3).size(-1)", size_op,
           {.axes = axis_rule::none, .element = kQuery, .narrow = kMoves}),
    OpInfo("Tensor.dim Tensor.ndimension", kOne, "The number of axes.", "torch.zeros(2, 3).dim()", dim_op,
           {.axes = axis_rule::none, .element = kQuery, .narrow = kMoves}),
    OpInfo("torch.numel Tensor.numel Tensor.nelement", kOne, "The number of elements.", "torch.zeros(2, 3).numel()",
           numel_op, {.axes = axis_rule::none, .element = kQuery, .narrow = kMoves}),
    OpInfo("Tensor.item", kOne, "The only element as a Python number.", "torch.tensor([7]).item()", item_op,
           {.axes = axis_rule::none, .element = kQuery, .narrow = kMoves}),
    OpInfo("Tensor.tolist", kOne, "The elements as nested lists of Python numbers.",
           "torch.arange(4).view(2, 2).tolist()", tolist_op,
           {.axes = axis_rule::none, .element = kQuery, .narrow = kMoves}),
    OpInfo("Tensor.stride", kMaybeDim, "How many places in storage separate neighbors along each axis.",
           "torch.zeros(2, 3).t().stride()", stride_op, {.axes = axis_rule::none, .element = kQuery, .narrow = kMoves}),
    OpInfo("Tensor.storage_offset", kOne, "How many elements of its storage come before its first one.",
           "torch.arange(6)[2:].storage_offset()", storage_offset_op,
           {.axes = axis_rule::none, .element = kQuery, .narrow = kMoves}),
    OpInfo("Tensor.storage", kOne, "All numbers of its storage in a row: those of every tensor that shares it.",
           "torch.arange(6).view(2, 3).t().storage()", storage_op,
           {.axes = axis_rule::none, .element = kQuery, .narrow = kMoves}),
    OpInfo("Tensor.data_ptr", kOne, "The address of its first element in memory, in bytes.",
           "x = torch.zeros(2, 3)\nx.view(6).data_ptr() == x.data_ptr()", data_ptr_op,
           {.axes = axis_rule::none, .element = kQuery, .narrow = kMoves}),
    OpInfo("Tensor.is_contiguous", kOne, "Are the elements stored in the order of the axes?",
           "torch.zeros(2, 3).t().is_contiguous()", is_contiguous_op,
           {.axes = axis_rule::none, .element = kQuery, .narrow = kMoves}),
    OpInfo("torch.is_floating_point Tensor.is_floating_point", kOne, "Is the type a float?",
           "torch.arange(3).is_floating_point()", is_floating_point_op,
           {.axes = axis_rule::none, .element = kQuery, .narrow = kMoves}),
    OpInfo("torch.allclose Tensor.allclose",
           "(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False)",
           "Are all elements equal within atol + rtol * |other|?",
           "torch.allclose(torch.ones(2), torch.ones(2) + 1e-9)", allclose_op,
           {.axes = axis_rule::none, .element = kQuery}),
    OpInfo("torch.equal Tensor.equal", "(input: Tensor, other: Tensor)", "Same shape and every element equal?",
           "torch.equal(torch.ones(2), torch.ones(2))", equal_op,
           {.axes = axis_rule::none, .element = kQuery, .narrow = kCompares}),
    OpInfo("Tensor.float", kOne, "The numbers as float32.", "torch.arange(3).float()", convert_op<DType::Float32>,
           kConverted, {.grad_fn = kToCopy, .narrow = kMoves}),
    OpInfo("Tensor.double", kOne, "The numbers as float64.", "torch.arange(3).double()", convert_op<DType::Float64>,
           kConverted, {.grad_fn = kToCopy, .narrow = kMoves}),
    OpInfo("Tensor.long", kOne, "The numbers as int64; a float loses its fraction.", "torch.tensor([1.7, -1.7]).long()",
           convert_op<DType::Int64>, kConverted, {.grad_fn = kToCopy, .narrow = kMoves}),
    OpInfo("Tensor.int", kOne, "The numbers as int32; a float loses its fraction.", "torch.tensor([1.7, -1.7]).int()",
           convert_op<DType::Int32>, kConverted, {.grad_fn = kToCopy, .narrow = kMoves}),
    OpInfo("Tensor.short", kOne, "The numbers as int16; a float loses its fraction.", "torch.tensor([1.7]).short()",
           convert_op<DType::Int16>, kConverted, {.grad_fn = kToCopy, .narrow = kMoves}),
    OpInfo("Tensor.char", kOne, "The numbers as int8; a float loses its fraction.", "torch.tensor([1.7]).char()",
           convert_op<DType::Int8>, kConverted, {.grad_fn = kToCopy, .narrow = kMoves}),
    OpInfo("Tensor.byte", kOne, "The numbers as uint8, from 0 to 255; others wrap.", "torch.tensor([1, -1]).byte()",
           convert_op<DType::UInt8>, kConverted, {.grad_fn = kToCopy, .narrow = kMoves}),
    OpInfo("Tensor.half", kOne, "The numbers as float16, rounded to 11 binary digits.",
           "torch.tensor([0.1, 1e6]).half()", convert_op<DType::Float16>, kConverted,
           {.grad_fn = kToCopy, .narrow = kMoves}),
    OpInfo("Tensor.bfloat16", kOne, "The numbers as bfloat16, rounded to 8 binary digits.",
           "torch.tensor([0.1, 1e6]).bfloat16()", convert_op<DType::BFloat16>, kConverted,
           {.grad_fn = kToCopy, .narrow = kMoves}),
    OpInfo("Tensor.bool", kOne, "True where the element is not 0.", "torch.tensor([0, 2]).bool()",
           convert_op<DType::Bool>, kConverted, {.grad_fn = kToCopy, .narrow = kMoves}),
    OpInfo("Tensor.to", kTo, "The numbers in another type; the tensor itself when it has that type.",
           "torch.arange(3).to(torch.float32)", to_op, kConverted,
           {.axes = axis_rule::same, .grad_fn = kToCopy, .narrow = kMoves}),
    OpInfo("Tensor.type", "(input: Tensor, dtype: dtype? = None) | (input: Tensor, dtype: any)",
           "The name of the type, or the numbers in another type.", "torch.zeros(2).type()", type_op, kConverted,
           {.axes = axis_rule::same, .grad_fn = kToCopy, .narrow = kMoves}),
    OpInfo("Tensor.type_as", "(input: Tensor, other: Tensor)", "The numbers in the type of another tensor.",
           "torch.arange(3).type_as(torch.zeros(1))", type_as_op, kConverted,
           {.axes = axis_rule::same, .grad_fn = kToCopy, .narrow = kMoves}),
    OpInfo("Tensor.cpu", kOne, "The tensor itself: everything here is on the CPU.", "torch.arange(3).cpu()", cpu_op,
           kConverted, {.narrow = kMoves}),
    OpInfo("torch.detach Tensor.detach", kOne, "The same numbers without a gradient's history.",
           "torch.ones(2, requires_grad=True).detach()", detach_op,
           {.axes = axis_rule::same, .element = kIndexMap, .flags = kView, .narrow = kMoves}),
    OpInfo("Tensor.requires_grad_", "(input: Tensor, requires_grad: bool = True)", "Asks for gradients of this tensor.",
           "torch.ones(2).requires_grad_()", requires_grad_op, kConverted, {.narrow = kMoves}),
};

}  // namespace

std::span<const OpInfo> query_ops() { return kQueryOps; }

}  // namespace attn
