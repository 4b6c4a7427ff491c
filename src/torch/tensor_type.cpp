// What tensors and dtypes do when Python asks: their operators are ops of the table.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/interpreter.h"
#include "python/natives.h"
#include "python/operators.h"
#include "python/type.h"
#include "python/types/record.h"
#include "tensor/core/error.h"
#include "tensor/core/print.h"
#include "tensor/core/read.h"
#include "tensor/ops/layout.h"
#include "text/say.h"
#include "text/unsupported.h"
#include "torch/gradient.h"
#include "torch/numpy/array.h"
#include "torch/op.h"

namespace attn {
namespace {

// ---- tensors ----

Value device() { return cpu_device(); }

struct TensorProperty {
  std::string_view name;
  Value (*get)(const TensorObject& tensor);
};
constexpr TensorProperty kTensorProperties[] = {
    {"shape", [](const TensorObject& t) { return make_size(t.tensor.shape(), &t.axes); }},
    {"dtype", [](const TensorObject& t) { return Value(make<DTypeObject>(t.tensor.dtype())); }},
    {"ndim", [](const TensorObject& t) { return Value(t.tensor.dim()); }},
    {"device", [](const TensorObject&) { return device(); }},
    {"is_cuda", [](const TensorObject&) { return Value(false); }},
    {"requires_grad", [](const TensorObject& t) { return Value(t.requires_grad); }},
    {"is_leaf", [](const TensorObject& t) { return Value(t.grad_fn.empty()); }},
    {"grad", [](const TensorObject& t) { return t.grad ? Value(t.grad) : Value(); }},
    {"retains_grad", [](const TensorObject& t) { return Value(retains_grad(t)); }},
    {"grad_fn",
     [](const TensorObject& t) {
       if (t.grad_fn.empty()) return Value();
       Ref<GradNode> node = make<GradNode>();
       node->name = t.grad_fn;
       return Value(node);
     }},
};

// Properties that are views and so are recorded like ops.
constexpr std::string_view kViewProperties[] = {"T", "mT"};

bool tensor_attribute(Interpreter& interpreter, const Value& object, const std::string& name, Span object_span,
                      Span span, Value& out) {
  TensorObject& tensor = *object.as<TensorObject>();
  renew_history(tensor);
  for (const TensorProperty& property : kTensorProperties) {
    if (property.name == name) return out = property.get(tensor), true;
  }
  if (name == "numpy") {
    out =
        make<Builtin>(name, [object](Interpreter&, CallArguments& call) { return tensor_to_numpy(object, call.span); });
    return true;
  }
  if (name == "data") {
    out = call_named_op(interpreter, "Tensor.detach", {object}, {object_span}, span);
    out.as<TensorObject>()->tensor = tensor_of(out).unseen();
    return true;
  }
  const Dict* const own = tensor.attributes.as<Dict>();
  if (const Value* found = own ? own->find(make_str(name)) : nullptr) return out = *found, true;
  const OpInfo* op = find_op("Tensor." + name);
  if (!op) return false;
  if (std::find(std::begin(kViewProperties), std::end(kViewProperties), name) != std::end(kViewProperties)) {
    out = call_named_op(interpreter, "Tensor." + name, {object}, {object_span}, span);
    return true;
  }
  Ref<Builtin> method = make<Builtin>(name, op);
  method->self = object;
  method->has_self = true;
  out = method;
  return true;
}

std::vector<std::string> tensor_names(const Value& self) {
  std::vector<std::string> names = names_under("Tensor.");
  if (const Dict* own = self.object() ? self.as<TensorObject>()->attributes.as<Dict>() : nullptr)
    for (const auto& [name, value] : own->items) names.push_back(str(name));
  for (const TensorProperty& property : kTensorProperties) names.emplace_back(property.name);
  return names;
}

bool set_tensor_attribute(Interpreter& interpreter, const Value& self, const std::string& name, const Value& value,
                          Span span) {
  TensorObject& tensor = *self.as<TensorObject>();
  const TensorObject* other = value.as<TensorObject>();
  if (name == "requires_grad") {
    interpreter.require_effects("wrong_cell.tensor", span);
    try {
      set_requires_grad(tensor, truthy(value));
    } catch (const TensorError& error) {
      throw to_cell_error(error, span);
    }
    return true;
  }
  if (name == "grad") {
    interpreter.require_effects("wrong_cell.tensor", span);
    const auto refuse = [&](Code code, const std::string& text) { throw CellError(code, span, text); };
    if (!other && !value.is_none())
      refuse(Code::Type, "assigned grad expected to be a Tensor or None but got grad of type" + type_name(value));
    if (other == &tensor) refuse(Code::Runtime, "can't assign Variable as its own grad");
    if (other && other->tensor.dtype() != tensor.tensor.dtype())
      refuse(Code::Runtime, "assigned grad has data of a different type");
    if (other && other->tensor.shape() != tensor.tensor.shape())
      refuse(Code::Runtime, "assigned grad has data of a different size");
    tensor.grad = Ref<TensorObject>(value.as<TensorObject>());
    return true;
  }
  const auto names = [&](const TensorProperty& property) { return property.name == name; };
  if (name != "data" && std::none_of(std::begin(kTensorProperties), std::end(kTensorProperties), names)) {
    interpreter.require_effects("wrong_cell.tensor", span);
    if (tensor.attributes.is_none()) tensor.attributes = make<Dict>();
    tensor.attributes.as<Dict>()->set(make_str(name), value);
    return true;
  }
  if (name != "data" || !other) return false;
  interpreter.require_effects("wrong_cell.write", span);
  tensor.tensor = other->tensor;
  tensor.axes = other->axes;
  tensor.base = {};
  tensor.graph_write = tensor.tensor.storage().graph_write;
  return true;
}

// ---- texts ----

// As PyTorch shows tensors that have no elements, those on the device "meta".
std::string unread_text(const TensorObject& object) {
  const Tensor& tensor = object.tensor;
  const std::string dtype = tensor.dtype() == DType::Float32 ? "" : fmt::format(", dtype={}", name_of(tensor.dtype()));
  std::vector<Value> sizes;
  for (const std::int64_t size : tensor.shape()) sizes.emplace_back(size);
  return fmt::format("tensor(..., size={}{})", repr(make_tuple(std::move(sizes))), dtype);
}

std::string tensor_text(const TensorObject& object) {
  if (reads_nothing() && !object.tensor.storage().buffer->is_read()) return unread_text(object);
  const Interpreter* interpreter = Interpreter::current();
  return tensor_repr(object.tensor, {object.requires_grad, object.grad_fn, object.is_parameter},
                     interpreter ? interpreter->print_options() : PrintOptions{});
}

// ---- questions ----

bool tensor_truth(const Value& self) {
  const Tensor& tensor = self.as<TensorObject>()->tensor;
  if (tensor.numel() == 1) return to_double(item(tensor)) != 0;
  if (tensor.numel() == 0) {
    throw CellError(Code::Runtime, {}, "Boolean value of Tensor with no values is ambiguous",
                    say("mistake.truth_of_none"));
  }
  throw CellError(Code::Runtime, {}, "Boolean value of Tensor with more than one value is ambiguous",
                  say("mistake.truth_of_several"));
}

std::optional<Value> tensor_length(const Value& self) {
  const TensorObject& tensor = *self.as<TensorObject>();
  if (tensor.tensor.dim() == 0) throw CellError(Code::Type, {}, "len() of a 0-d tensor");
  return make_size(tensor.tensor.shape(), &tensor.axes).as<Tuple>()->items[0];
}

std::optional<Scalar> only_element(const Value& self) {
  const Tensor& tensor = self.as<TensorObject>()->tensor;
  return tensor.numel() == 1 ? std::optional(item(tensor)) : std::nullopt;
}

// ---- iteration, x[index] ----

void each_row(Interpreter& interpreter, const Value& tensor, Span span, const Visit& visit) {
  if (tensor.as<TensorObject>()->tensor.dim() == 0) throw CellError(Code::Type, span, "iteration over a 0-d tensor");
  CallArguments arguments{{tensor}, {}, {span}, span};
  const Value rows = interpreter.call_op(*find_op("torch.unbind"), arguments);
  for (const Value& row : rows.as<Tuple>()->items) {
    if (!visit(row)) return;
  }
}

Value tensor_item(Interpreter& interpreter, const Value& self, const Value& index, const OperatorSpans& spans) {
  return call_named_op(interpreter, "op.index", {self, index}, {spans.left, spans.right}, spans.whole);
}

void set_tensor_item(Interpreter& interpreter, const Value& self, const Value& index, const Value& value,
                     const OperatorSpans& spans) {
  call_named_op(interpreter, "op.index_put", {self, index, value}, {spans.left, spans.right}, spans.whole);
}

bool tensor_contains(Interpreter& interpreter, const Value& self, const Value& item, Span span) {
  const Value wanted = has_number(item) ? from_scalar(*as_scalar(item)) : item;  // numpy.float32(2)
  if (!wanted.as<TensorObject>() && !wanted.is_number())
    throw CellError(Code::Runtime, span,
                    fmt::format("Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
                                "<class '{}'>.",
                                type_name(item)));
  const Value same = call_named_op(interpreter, "torch.eq", {self, wanted}, {span, span}, span);
  return truthy(call_named_op(interpreter, "torch.any", {same}, {span}, span));
}

// As `==` says, which is to be of one element: [tensor(1)] == [1].
std::optional<bool> tensor_equals(const Value& a, const Value& b) {
  Interpreter* const interpreter = Interpreter::current();
  const bool is_first = a.as<TensorObject>() != nullptr;
  const Value &tensor = is_first ? a : b, &other = is_first ? b : a;
  if (!interpreter || (!other.as<TensorObject>() && !other.is_number())) return std::nullopt;
  return truthy(call_named_op(*interpreter, "torch.eq", {tensor, other}, {}, {}));
}

// ---- operators ----

bool is_tensor(const Value& value) { return value.as<TensorObject>() != nullptr; }
bool is_operand(const Value& value) { return is_tensor(value) || value.is_number(); }

// PyTorch divides a number by a tensor as reciprocal times number.
Value number_over_tensor(Interpreter& interpreter, const Value& a, const Value& b, const OperatorSpans& spans) {
  const Value inverse = call_named_op(interpreter, "torch.reciprocal", {b}, {spans.right}, spans.whole);
  return call_named_op(interpreter, "torch.mul", {inverse, a}, {spans.right, spans.left}, spans.whole);
}

std::optional<Value> tensor_binary(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b,
                                   const OperatorSpans& spans) {
  const bool fits = op == BinaryOp::MatMul ? is_tensor(a) && is_tensor(b) : is_operand(a) && is_operand(b);
  if (!fits) return std::nullopt;
  if (op == BinaryOp::Div && !is_tensor(a)) return number_over_tensor(interpreter, a, b, spans);
  return call_named_op(interpreter, op_behind(op), {a, b}, {spans.left, spans.right}, spans.whole);
}

CompareOp reflected(CompareOp op) {
  switch (op) {
    case CompareOp::Less: return CompareOp::Greater;
    case CompareOp::LessEqual: return CompareOp::GreaterEqual;
    case CompareOp::Greater: return CompareOp::Less;
    case CompareOp::GreaterEqual: return CompareOp::LessEqual;
    default: return op;
  }
}

std::optional<Value> tensor_compare(Interpreter& interpreter, CompareOp op, const Value& a, const Value& b,
                                    const OperatorSpans& spans) {
  if (!is_operand(a) || !is_operand(b)) return std::nullopt;
  if (is_tensor(a)) return call_named_op(interpreter, op_behind(op), {a, b}, {spans.left, spans.right}, spans.whole);
  return call_named_op(interpreter, op_behind(reflected(op)), {b, a}, {spans.right, spans.left}, spans.whole);  // 1 < x
}

std::optional<Value> tensor_in_place(Interpreter& interpreter, BinaryOp op, const Value& self, const Value& other,
                                     const OperatorSpans& spans) {
  if (const Array* array = other.as<Array>(); array && !array->is_scalar) return std::nullopt;  // x = x + array
  const std::string row = "Tensor." + std::string(op_behind(op).substr(std::string_view("torch.").size())) + "_";
  if (!find_op(row)) return std::nullopt;
  const auto number = other.object() ? as_scalar(other) : std::nullopt;  // numpy.float64(2)
  Value operand = number ? from_scalar(*number) : other;
  if (number && operand.as_bool()) operand = Value(to_double(*number));  // as PyTorch reads a numpy.bool_
  return call_named_op(interpreter, row, {self, operand}, {spans.left, spans.right}, spans.whole);
}

// ~x of a tensor: what the op refuses with a RuntimeError, the operator refuses with a TypeError.
Value inverted(Interpreter& interpreter, const Value& a, Span span, Span operand) {
  try {
    return call_named_op(interpreter, "torch.bitwise_not", {a}, {operand}, span);
  } catch (const CellError& error) {
    if (error.diagnostic().code != Code::Type) throw;
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.message = "~ (operator.invert) is only implemented on integer and Boolean-type tensors";
    throw CellError(std::move(diagnostic), "TypeError");
  }
}

Value tensor_unary(Interpreter& interpreter, UnaryOp op, const Value& self, Span span, Span operand) {
  if (op == UnaryOp::Plus && self.as<TensorObject>()->tensor.dtype() == DType::Bool)
    throw CellError(Code::Runtime, span, "The `+` operator, on a bool tensor is not supported.");
  if (op == UnaryOp::Plus) return self;
  return op == UnaryOp::Minus ? call_named_op(interpreter, "torch.neg", {self}, {operand}, span)
                              : inverted(interpreter, self, span, operand);
}

Value deep_copy_of_tensor(const Value& self, Copier& copier) {
  const TensorObject& original = *self.as<TensorObject>();
  Ref<TensorObject> out = make<TensorObject>(clone(original.tensor));
  out->axes = original.axes;
  out->requires_grad = original.requires_grad;
  out->is_parameter = original.is_parameter;
  out->grad_fn = original.grad_fn;
  copier.remember(self, out);
  if (!original.is_parameter) out->attributes = copier.copy(original.attributes);  // PyTorch leaves out a Parameter's
  return out;
}

}  // namespace

const Type TensorObject::kType = {
    .name = "Tensor",
    .name_of = [](const Value& self) -> std::string {
      return self.as<TensorObject>()->is_parameter ? "Parameter" : "Tensor";
    },
    .path = [](const Value& self) -> std::string {
      return self.as<TensorObject>()->is_parameter ? "torch.nn.parameter.Parameter" : "torch.Tensor";
    },
    .listed_as = "Tensor",
    .repr =
        [](const Value& self) {
          renew_history(*self.as<TensorObject>());
          return tensor_text(*self.as<TensorObject>());
        },
    .truthy = tensor_truth,
    .length = tensor_length,
    .single = only_element,
    .equals = tensor_equals,
    .each = each_row,
    .attribute = tensor_attribute,
    .set_attribute = set_tensor_attribute,
    .attribute_names = tensor_names,
    .get_item = tensor_item,
    .set_item = set_tensor_item,
    .contains = tensor_contains,
    .rank = 1,
    .binary = tensor_binary,
    .compare = tensor_compare,
    .in_place = tensor_in_place,
    .absolute = [](Interpreter& interpreter, const Value& self, Span span,
                   Span operand) { return call_named_op(interpreter, "torch.abs", {self}, {operand}, span); },
    .unary = tensor_unary,
    .copy = refuse_copy,
    .deep_copy = deep_copy_of_tensor,
};

const Type DTypeObject::kType = {
    .name = "dtype",
    .path = [](const Value&) { return std::string("torch.dtype"); },
    .repr = [](const Value& self) { return std::string(name_of(self.as<DTypeObject>()->dtype)); },
    .hash = [](const Value& self) { return static_cast<std::size_t>(self.as<DTypeObject>()->dtype) + 11; },
    .equals = [](const Value& a, const Value& b) -> std::optional<bool> {
      if (!a.as<DTypeObject>() || !b.as<DTypeObject>()) return std::nullopt;
      return a.as<DTypeObject>()->dtype == b.as<DTypeObject>()->dtype;
    },
    .is_singleton = true,
    .attribute = [](Interpreter&, const Value& self, const std::string& name, Span, Span, Value& out) -> bool {
      const DType type = self.as<DTypeObject>()->dtype;
      if (name == "is_floating_point") return out = Value(is_floating(type)), true;
      if (name == "is_signed") return out = Value(type != DType::Bool && !is_unsigned(type)), true;
      return name == "is_complex" && (out = Value(false), true);
    },
};

}  // namespace attn
