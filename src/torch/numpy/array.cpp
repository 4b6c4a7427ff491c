// Making arrays, numpy's types and how they mix, attributes.
#include "torch/numpy/array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "base/words.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "python/interpreter.h"
#include "python/modules/library.h"
#include "python/modules/unsupported_names.h"
#include "python/natives.h"
#include "python/type.h"
#include "python/types/record.h"
#include "tensor/core/error.h"
#include "tensor/core/read.h"
#include "tensor/ops/join.h"
#include "tensor/ops/pointwise.h"
#include "text/say.h"
#include "text/unsupported.h"
#include "torch/tensor_data.h"

namespace attn {
namespace {

// Names of types; the first of each is the one that numpy shows.
struct ArrayType {
  std::string_view names;
  DType dtype;
};
constexpr ArrayType kArrayTypes[] = {{"bool_ bool bool8", DType::Bool},
                                     {"uint8 ubyte", DType::UInt8},
                                     {"int8 byte", DType::Int8},
                                     {"int16 short", DType::Int16},
                                     {"uint16 ushort", DType::UInt16},
                                     {"int32 intc", DType::Int32},
                                     {"uint32 uintc", DType::UInt32},
                                     {"int64 int int_ intp long", DType::Int64},
                                     {"float16 half", DType::Float16},
                                     {"float32 single", DType::Float32},
                                     {"float64 float float_ double", DType::Float64}};

// The size of an element in bytes, as files have it.
constexpr ArrayType kCodes[] = {{"u1 B", DType::UInt8},   {"i1 b", DType::Int8},    {"i2 h", DType::Int16},
                                {"u2 H", DType::UInt16},  {"i4 i", DType::Int32},   {"u4 I", DType::UInt32},
                                {"i8 q l", DType::Int64}, {"f2 e", DType::Float16}, {"f4 f", DType::Float32},
                                {"f8 d", DType::Float64}, {"b1 ?", DType::Bool}};

// "u2" and "<u2", the lowest byte first.
std::optional<DType> coded_type(std::string_view code) {
  if (code.starts_with('<') || code.starts_with('=') || code.starts_with('|')) code.remove_prefix(1);
  for (const ArrayType& row : kCodes)
    if (has_word(row.names, code)) return row.dtype;
  return std::nullopt;
}

std::optional<DType> named_type(std::string_view name) {
  for (const ArrayType& row : kArrayTypes)
    if (has_word(row.names, name)) return row.dtype;
  return std::nullopt;
}

DType promote_types(DType a, DType b) {
  if (a == b) return a;
  if (is_floating(a) == is_floating(b) || a == DType::Bool || b == DType::Bool) return promote(a, b);
  const DType floating = is_floating(a) ? a : b, whole = is_floating(a) ? b : a;
  if (whole >= DType::Int32) return DType::Float64;
  return floating == DType::Float16 && whole >= DType::Int16 ? DType::Float32 : floating;
}

int category(DType dtype) { return dtype == DType::Bool ? 0 : is_floating(dtype) ? 2 : 1; }

// The smallest type that holds a number beside an array of `array`. One that is not negative counts as unsigned where
// that is shorter, but beside signed integers as signed.
DType smallest_type(const Scalar& number, DType array, Span span) {
  if (is_float(number)) {
    const double size = std::fabs(to_double(number));
    if (size < 65000 || !std::isfinite(size)) return DType::Float16;
    return size < 3.4e38 ? DType::Float32 : DType::Float64;
  }
  const std::int64_t value = to_int(number), bits = value < 0 ? -(value + 1) : value;
  if (value >= 0 && (is_floating(array) || is_unsigned(array)))
    return bits <= UINT8_MAX    ? DType::UInt8
           : bits <= UINT16_MAX ? DType::UInt16
           : bits <= UINT32_MAX ? DType::UInt32
           : is_floating(array) ? DType::Int64
                                : throw unsupported(span, "unsupported.array.type", {{"type", "uint64"}});
  return bits <= INT8_MAX    ? DType::Int8
         : bits <= INT16_MAX ? DType::Int16
         : bits <= INT32_MAX ? DType::Int32
                             : DType::Int64;
}

// The type of nested lists of numbers; nothing for what holds arrays with dimensions, which are stacked.
std::optional<DType> list_type(const Value& value, Span span, int depth = 0) {
  look();
  if (value.as_bool()) return DType::Bool;
  if (value.as_int()) return DType::Int64;
  if (value.as_float()) return DType::Float64;
  if (const Array* array = value.as<Array>())
    return array->is_scalar ? std::optional(array->tensor->tensor.dtype()) : std::nullopt;
  if (value.as<TensorObject>()) return std::nullopt;
  if (value.as<Range>() || has_number(value)) return DType::Int64;
  const auto* items = items_of(value);
  if (!items) throw unsupported(span, "unsupported.array.items", {{"type", type_name(value)}});
  if (depth == kMostArrayAxes)
    throw CellError(Code::Value, span,
                    "setting an array element with a sequence. The requested array would exceed the maximum number of "
                    "dimension of 32.");
  std::optional<DType> widest;
  for (const Value& item : *items) {
    const auto type = list_type(item, span, depth + 1);
    if (!type) return std::nullopt;
    widest = widest ? promote_types(*widest, *type) : *type;
  }
  return widest ? widest : DType::Float64;
}

/// Of nested lists and arrays, as far as all of their rows have it.
Shape common_shape(const Value& value) {
  if (const Array* const array = value.as<Array>()) return array->tensor->tensor.shape();
  const auto* const items = items_of(value);
  if (!items) return {};
  Shape shape = {std::ssize(*items)};
  if (items->empty()) return shape;
  Shape rows = common_shape(items->front());
  for (const Value& item : *items) {
    charge(1);
    const Shape row = common_shape(item);
    rows.erase(std::ranges::mismatch(rows, row).in1, rows.end());
  }
  shape.insert(shape.end(), rows.begin(), rows.end());
  return shape;
}

[[noreturn]] void refuse_ragged(const Value& value, Span span) {
  const Shape shape = common_shape(value);
  throw CellError(Code::Value, span,
                  fmt::format("setting an array element with a sequence. The requested array has an inhomogeneous "
                              "shape after {} dimensions. The detected shape was {} + inhomogeneous part.",
                              shape.size(), repr(make_tuple(std::vector<Value>(shape.begin(), shape.end())))),
                  say("array.ragged.hint"));
}

Tensor stacked_rows(const Value& value, Span span) {
  std::vector<Tensor> tensors;
  std::optional<DType> widest;
  for (const Value& item : *items_of(value)) {
    tensors.push_back(as_array(item, {}, span).as<Array>()->tensor->tensor);
    widest = widest ? promote_types(*widest, tensors.back().dtype()) : tensors.back().dtype();
    if (tensors.back().shape() != tensors.front().shape()) refuse_ragged(value, span);
  }
  for (Tensor& tensor : tensors) tensor = to(tensor, *widest);
  return stack(tensors, 0);
}

Tensor read_numbers(const Value& value, Span span) {
  const auto type = list_type(value, span);
  if (!type) return stacked_rows(value, span);
  try {
    return tensor_from(value, *type);
  } catch (const TensorError& error) {
    if (error.rule() == "tensor.ragged") refuse_ragged(value, span);
    throw to_cell_error(error, span);
  }
}

Value shape_tuple(const Tensor& tensor, const Axes& axes) {
  return make_tuple(make_size(tensor.shape(), &axes).as<Tuple>()->items);
}

constexpr std::string_view kArrayMethods =
    "sum mean max min argmax argmin prod std var any all cumsum reshape transpose squeeze dot round clip repeat "
    "swapaxes "
    "cumprod tobytes "
    "argsort astype tolist item copy flatten ravel fill diagonal trace";

}  // namespace

Value make_array(Tensor tensor, bool is_scalar) {
  return make<Array>(make<TensorObject>(std::move(tensor)), is_scalar);
}

Value array_from(const Value& tensor) {
  const Ref<TensorObject> handle = tensor.ref<TensorObject>();
  return make<Array>(handle, handle->tensor.dim() == 0);
}

Value as_array(const Value& value, std::optional<DType> dtype, Span span) {
  Value out = value;
  if (value.as<TensorObject>()) {
    out = tensor_to_numpy(value, span);
  } else if (!value.as<Array>()) {
    // A class that can be gone through by places, as deque.
    const bool is_sequence = has_special(value, "__len__") && has_special(value, "__getitem__") && !value.as<Dict>();
    const Value items = is_sequence ? make_list(Interpreter::current()->to_vector(value, span)) : value;
    out = make_array(read_numbers(items, span));
  }
  const Tensor& tensor = out.as<Array>()->tensor->tensor;
  return dtype && *dtype != tensor.dtype() ? make_array(to(tensor, *dtype)) : out;
}

bool numpy_type(const std::string& name, Value& out) {
  if (name == "int" || name == "float" || name == "bool" || name == "long") return false;  // gone since numpy 1.24
  const auto type = named_type(name);
  if (!type) return false;
  return out = make<TypeObject>("numpy." + (*type == DType::Bool ? "bool_" : numpy_name(*type))), true;
}

Value dtype_value(DType dtype) {
  const std::string name = numpy_name(dtype);
  Ref<Record> out = make<Record>("dtype[" + name + "]", "dtype('" + name + "')", name);
  out->equals = same_numpy_dtype;
  out->fields = {{"name", make_str(name)},
                 {"itemsize", Value(size_of(dtype))},
                 {"kind", make_str(dtype == DType::Bool ? "b"
                                   : is_floating(dtype) ? "f"
                                   : is_unsigned(dtype) ? "u"
                                                        : "i")}};
  return out;
}

std::string numpy_name(DType dtype) { return std::string(short_name(dtype)); }

DType numpy_dtype(const Value& value, Span span) {
  std::optional<DType> type;
  if (const TypeObject* named = value.as<TypeObject>()) {
    const std::string_view name = named->name;
    type = named_type(name.starts_with("numpy.") ? name.substr(6) : name);
  }
  if (const Str* text = value.as<Str>()) {
    type = named_type(text->text);
    if (!type) type = coded_type(text->text);
  }
  if (const Record* record = value.as<Record>()) type = named_type(record->text);
  if (!type) throw unsupported(span, "unsupported.array.type", {{"type", repr(value)}});
  return *type;
}

bool construct_numpy(const TypeObject& type, const CallArguments& arguments, Value& out) {
  const std::string_view name = type.name;
  const auto dtype = name.starts_with("numpy.") ? named_type(name.substr(6)) : std::nullopt;
  if (!dtype) return false;
  const Value value = arguments.positional.empty() ? Value(std::int64_t{0}) : arguments.positional[0];
  const Value array = as_array(value, dtype, arguments.span);
  const Tensor& tensor = array.as<Array>()->tensor->tensor;
  if (value.as<Array>() && tensor.numel() == 1 && tensor.dim() > 0 && *dtype == DType::Float64)
    throw unsupported(arguments.span, "unsupported.array.convert", {{"type", type.name}});
  return out = make_array(cast(tensor, *dtype), tensor.dim() == 0), true;
}

std::optional<bool> same_numpy_dtype(const Value& a, const Value& b) {
  const auto name = [](const Value& value) -> std::optional<DType> {
    const Record* record = value.as<Record>();
    return record && record->type_name.starts_with("dtype[") ? named_type(record->text) : std::nullopt;
  };
  if (!name(a) && !name(b)) return std::nullopt;
  const Value& other = name(a) ? b : a;
  std::optional<DType> second = name(other);
  if (const TypeObject* type = other.as<TypeObject>())
    second = named_type(type->name.starts_with("numpy.") ? type->name.substr(6) : type->name);
  if (const Str* text = other.as<Str>()) second = named_type(text->text);
  return second && *second == *name(name(a) ? a : b);
}

DType numpy_promote(const Array& a, const Array& b, Span span) {
  const Tensor &x = a.tensor->tensor, &y = b.tensor->tensor;
  if ((x.dim() == 0) == (y.dim() == 0)) return promote_types(x.dtype(), y.dtype());
  const Tensor &array = x.dim() ? x : y, &number = x.dim() ? y : x;
  const int kind = category(number.dtype());
  if (kind == 0 || kind > category(array.dtype())) return promote_types(array.dtype(), number.dtype());
  return promote_types(array.dtype(), smallest_type(item(number), array.dtype(), span));
}

DType float_type(DType dtype) {
  if (is_floating(dtype)) return dtype;
  if (dtype >= DType::Int32) return DType::Float64;
  return dtype >= DType::Int16 ? DType::Float32 : DType::Float16;
}

Value wide_operand(const Value& array, DType dtype) {
  const Tensor& tensor = array_tensor(array);
  if (tensor.dtype() == dtype && !is_narrow(dtype)) return array.as<Array>()->tensor;
  return make_tensor(to(to(tensor, dtype), wide_of(dtype)));
}

Value narrow_result(const Value& tensor, DType dtype) {
  const Tensor& computed = tensor.as<TensorObject>()->tensor;
  if (!is_narrow(dtype) || computed.dtype() != wide_of(dtype)) return array_from(tensor);
  return array_from(make_tensor(to(computed, dtype)));
}

// What class `Array` of src/lib/ndarray.py has: methods, and attributes that are worked out when they are asked for.
static bool python_attribute(Interpreter& interpreter, const Value& object, const std::string& name, Span span,
                             Value& out) {
  const bool is_known = name == "flush" || is_name_of("numpy.ndarray", name);  // np.memmap has it
  if (name.starts_with('_') || !is_known) return false;
  const Value function = library_function(interpreter, "ndarray", "Array." + name);
  if (function.is_none()) return false;
  if (has_word("flags strides flat real", name)) return out = interpreter.call(function, {object}, span), true;
  out = make<Builtin>(name, [function, object](Interpreter& in, CallArguments& arguments) {
    arguments.positional.insert(arguments.positional.begin(), object);
    arguments.spans.insert(arguments.spans.begin(), arguments.span);
    return in.call(function, arguments);
  });
  return true;
}

static bool array_attribute(Interpreter& interpreter, const Value& object, const std::string& name, Span, Span span,
                            Value& out) {
  const Array& array = *object.as<Array>();
  const Tensor& tensor = array.tensor->tensor;
  if (name == "shape") return out = shape_tuple(tensor, array.tensor->axes), true;
  if (name == "dtype") return out = dtype_value(tensor.dtype()), true;
  if (name == "ndim") return out = Value(tensor.dim()), true;
  if (name == "size") return out = Value(tensor.numel()), true;
  if (name == "itemsize") return out = Value(size_of(tensor.dtype())), true;
  if (name == "nbytes") return out = Value(size_of(tensor.dtype()) * tensor.numel()), true;
  if (name == "T") {
    const Value turned = call_named_op(interpreter, "Tensor.T", {array.tensor}, {span}, span);
    return out = make<Array>(turned.ref<TensorObject>(), array.is_scalar), true;
  }
  if (!has_word(kArrayMethods, name)) return python_attribute(interpreter, object, name, span, out);
  for (const Method& row : numpy_functions()) {
    if (row.name != name) continue;
    const Value function = bound_method(row, Value());
    out = make<Builtin>(name, [function, object](Interpreter& in, CallArguments& arguments) {
      arguments.positional.insert(arguments.positional.begin(), object);
      arguments.spans.insert(arguments.spans.begin(), arguments.span);
      return in.call(function, arguments);
    });
    return true;
  }
  return false;
}

static std::vector<std::string> names_of_array(const Value&) {
  std::vector<std::string> names = words_in("shape dtype ndim size itemsize nbytes T");
  for (std::string& method : words_in(kArrayMethods)) names.push_back(std::move(method));
  for (std::string& listed : public_names("numpy.ndarray")) {
    if (!library_function(*Interpreter::current(), "ndarray", "Array." + listed).is_none())
      names.push_back(std::move(listed));
  }
  return names;
}

static void each_of_array(Interpreter& interpreter, const Value& array, Span span, const Visit& visit) {
  const Tensor& tensor = array.as<Array>()->tensor->tensor;
  if (tensor.dim() == 0) throw CellError(Code::Type, span, "iteration over a 0-d array");
  const std::int64_t count = tensor.size(0);
  for (std::int64_t i = 0; i < count; ++i) {
    if (!visit(array_item(interpreter, array, Value(i), {span, span, span}))) return;
  }
}

Value tensor_to_numpy(const Value& tensor, Span span) {
  const TensorObject& handle = *tensor.as<TensorObject>();
  if (handle.requires_grad)
    throw CellError(Code::Runtime, span,
                    "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.");
  if (handle.tensor.dtype() == DType::BFloat16)
    throw CellError(Code::Type, span, "Got unsupported ScalarType BFloat16");
  Ref<TensorObject> shared = make<TensorObject>(handle.tensor);
  shared->axes = handle.axes;
  return make<Array>(shared);
}

Value tensor_from_numpy(const Value& array, Span span) {
  const Array* given = array.as<Array>();
  if (!given || given->is_scalar)
    throw CellError(Code::Type, span, fmt::format("expected np.ndarray (got {})", type_name(array)));
  require_forward(*given, span);
  require_torch_type(given->tensor->tensor.dtype(), span);
  Ref<TensorObject> shared = make<TensorObject>(given->tensor->tensor);
  shared->axes = given->tensor->axes;
  return shared;
}

namespace {

bool array_truth(const Value& self) {
  const Tensor& tensor = array_tensor(self);
  if (tensor.numel() == 1) return to_double(item(tensor)) != 0;
  if (tensor.numel() == 0) return false;
  throw CellError(Code::Value, {},
                  "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()");
}

std::optional<Value> array_length(const Value& self) {
  const TensorObject& tensor = *self.as<Array>()->tensor;
  if (tensor.tensor.dim() == 0) throw CellError(Code::Type, {}, "len() of unsized object");
  return make_size(tensor.tensor.shape(), &tensor.axes).as<Tuple>()->items[0];
}

std::string array_name(const Value& self) {
  if (!self.as<Array>()->is_scalar) return "numpy.ndarray";
  const DType dtype = array_tensor(self).dtype();
  return dtype == DType::Bool ? "numpy.bool_" : "numpy." + numpy_name(dtype);
}

// a.shape = (2, 3)
bool set_array_attribute(Interpreter& interpreter, const Value& self, const std::string& name, const Value& value,
                         Span span) {
  Array& array = *self.as<Array>();
  if (name != "shape" || array.is_scalar) return false;
  interpreter.require_effects("wrong_cell.write", span);
  Value reshape;
  array_attribute(interpreter, self, "reshape", span, span, reshape);
  array.tensor = interpreter.call(reshape, {value}, span).as<Array>()->tensor;
  return true;
}

}  // namespace

const Type Array::kType = {
    .name = "numpy.ndarray",
    .name_of = array_name,
    .listed_as = "numpy.ndarray",
    .repr = [](const Value& self) { return array_repr(*self.as<Array>()); },
    .str = [](const Value& self) { return array_str(*self.as<Array>()); },
    .truthy = array_truth,
    .length = array_length,
    .number =
        [](const Value& self) {
          return self.as<Array>()->is_scalar ? std::optional(item(array_tensor(self))) : std::nullopt;
        },
    .single =
        [](const Value& self) {
          return array_tensor(self).numel() == 1 ? std::optional(item(array_tensor(self))) : std::nullopt;
        },
    .hash = refuse_hash,
    .each = each_of_array,
    .attribute = array_attribute,
    .set_attribute = set_array_attribute,
    .attribute_names = names_of_array,
    .get_item = array_item,
    .set_item = set_array_item,
    .rank = 2,
    .binary = array_binary,
    .compare = array_compare,
    .in_place = array_in_place,
    .absolute =
        [](Interpreter& interpreter, const Value& self, Span span, Span operand) {
          const DType dtype = array_tensor(self).dtype();
          if (dtype == DType::Bool) return make_array(cast(array_tensor(self), dtype), self.as<Array>()->is_scalar);
          return narrow_result(call_named_op(interpreter, "torch.abs", {wide_operand(self, dtype)}, {operand}, span),
                               dtype);
        },
    .unary = array_unary,
    .copy = [](const Value& self, Span) { return Copier().copy(self); },
    .deep_copy =
        [](const Value& self, Copier& copier) {
          const Array& array = *self.as<Array>();
          return copier.remember(self, make<Array>(copier.copy(array.tensor).ref<TensorObject>(), array.is_scalar));
        },
};

}  // namespace attn
