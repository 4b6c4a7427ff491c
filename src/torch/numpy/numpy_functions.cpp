// The module `numpy`: a row per function, which calls the op of PyTorch's table that computes it. Those that are also
// methods of arrays are listed in array.cpp; an array before the dot is their first argument. Over 400 lines because
// numpy has many names and each needs its line or two.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "python/class.h"
#include "python/modules/library.h"
#include "python/natives.h"
#include "tensor/core/read.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/create.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/sort.h"
#include "text/say.h"
#include "text/unsupported.h"
#include "torch/numpy/array.h"
#include "torch/op.h"
#include "torch/program_files.h"

namespace attn {
namespace {

using Keywords = std::vector<std::pair<std::string, Value>>;

Value array_argument(MethodCall& call, std::size_t i = 0) {
  if (call[i].as<TensorObject>()) throw unsupported(call.given.span, "unsupported.numpy.tensor");
  return as_array(call[i], {}, call.span(i));
}

/// An array that is computed with: of one of the wide types.
Value numbers(MethodCall& call, std::size_t i = 0) {
  Value array = array_argument(call, i);
  const DType dtype = array_tensor(array).dtype();
  if (is_narrow(dtype)) {
    throw unsupported(call.given.span, "unsupported.array.narrow",
                      {{"type", numpy_name(dtype)}, {"wide", is_floating(dtype) ? "float32" : "int64"}});
  }
  return array;
}

/// The same, as floats: int64 becomes float64.
Value floats(MethodCall& call, std::size_t i = 0) {
  const Value array = numbers(call, i);
  const DType dtype = array_tensor(array).dtype();
  if (dtype == DType::Bool) throw unsupported(call.given.span, "unsupported.numpy.floats");
  return is_floating(dtype) ? array : make_array(to(array_tensor(array), DType::Float64));
}

/// The same, where bools count as 0 and 1.
Value shares(MethodCall& call, std::size_t i = 0) {
  const Value array = numbers(call, i);
  return array_tensor(array).dtype() == DType::Bool ? make_array(to(array_tensor(array), DType::Float64))
                                                    : floats(call, i);
}

Value run(MethodCall& call, std::string_view op, std::vector<Value> arguments, Keywords keywords = {}) {
  const OpInfo* row = find_op(op);
  if (!row) throw unsupported(call.given.span, "unsupported.name", {{"name", std::string(op)}});
  for (Value& value : arguments)
    if (const Array* array = value.as<Array>()) value = array->tensor;
  CallArguments given{std::move(arguments), std::move(keywords), {}, call.given.span};
  given.spans.assign(given.positional.size() + given.keywords.size(), call.given.span);
  return call.interpreter.call_op(*row, given);
}

Value array_of(MethodCall& call, std::string_view op, std::vector<Value> arguments, Keywords keywords = {}) {
  return array_from(run(call, op, std::move(arguments), std::move(keywords)));
}

std::optional<DType> dtype_argument(MethodCall& call, std::size_t i) {
  return call[i].is_none() ? std::nullopt : std::optional(numpy_dtype(call[i], call.span(i)));
}

Value size_value(const Shape& shape) {
  std::vector<Value> items;
  for (const std::int64_t size : shape) items.push_back(Value(size));
  return make_tuple(std::move(items));
}

void check_axis(MethodCall& call, const Value& axis, std::int64_t dims) {
  const auto number = as_index(axis);
  if (number && dims == 0) throw unsupported(call.given.span, "unsupported.numpy.axis_of_number");
  if (number && (*number >= dims || *number < -dims)) {
    throw CellError(CellError(Code::Value, call.given.span,
                              fmt::format("axis {} is out of bounds for array of dimension {}", *number, dims))
                        .diagnostic(),
                    "AxisError");
  }
}

Keywords axis_keywords(MethodCall& call, const Value& array, const Value& axis, const Value& keepdims) {
  Keywords out;
  check_axis(call, axis, array_tensor(array).dim());
  Value dims = axis;
  if (dims.is_none()) {
    std::vector<Value> all;
    for (std::int64_t i = 0; i < array_tensor(array).dim(); ++i) all.push_back(Value(i));
    dims = make_tuple(std::move(all));
  }
  out.emplace_back("dim", as_index(dims) ? int_value(*as_index(dims)) : dims);
  if (!keepdims.is_none()) out.emplace_back("keepdim", Value(truthy(keepdims)));
  return out;
}

// ---- creation ----

/// The argument, which must have axes.
Value with_axes(MethodCall& call) {
  Value x = array_argument(call);
  if (array_tensor(x).dim() == 0) throw unsupported(call.given.span, "unsupported.numpy.axes_of_number");
  return x;
}

Value set_printoptions(MethodCall& call) {
  PrintOptions& options = call.interpreter.array_print_options();
  const auto whole = [&](std::size_t place, std::int64_t now) {
    return call[place].is_none() ? now : call.integer(place);
  };
  options.precision = static_cast<int>(std::clamp<std::int64_t>(whole(0, options.precision), 0, 60));
  options.threshold = whole(1, options.threshold);
  options.edge_items = std::clamp<std::int64_t>(whole(2, options.edge_items), 0, 1 << 30);
  options.line_width =
      static_cast<std::size_t>(std::max<std::int64_t>(whole(3, static_cast<std::int64_t>(options.line_width)), 1));
  if (!call[4].is_none()) options.sci_mode = truthy(call[4]) ? std::optional(false) : std::nullopt;
  if (!call[5].is_none() || !call[6].is_none()) throw unsupported(call.given.span, "unsupported.numpy.print");
  return {};
}

Value get_printoptions(MethodCall& call) {
  const PrintOptions& options = call.interpreter.array_print_options();
  Ref<Dict> out = make<Dict>();
  const auto put = [&](const char* name, Value value) { out->set(make_str(name), std::move(value)); };
  put("precision", Value(std::int64_t{options.precision}));
  put("threshold", Value(options.threshold));
  put("edgeitems", Value(options.edge_items));
  put("linewidth", Value(static_cast<std::int64_t>(options.line_width)));
  put("suppress", Value(options.sci_mode == std::optional(false)));
  return out;
}

bool is_array_of_texts(const Value& value) {
  const ClassObject* type = class_of(value);
  return type && type->name == "ndarray" && value.as<Instance>() && value.as<Instance>()->attributes.find("items");
}

/// A list of words, or of lists of them, becomes an array of str, which is Python's (src/lib/texts.py).
bool holds_texts(const Value& value) {
  const auto* items = items_of(value);
  return value.as<Str>() || (items && !items->empty() && holds_texts(items->front()));
}

Value array_of_texts(MethodCall& call) {
  return call.interpreter.call(library_function(call.interpreter, "texts", "ndarray"), {call[0]}, call.given.span);
}

Value array(MethodCall& call) {
  if (!call[0].as<Str>() && (holds_texts(call[0]) || is_array_of_texts(call[0]))) return array_of_texts(call);
  const Value made = as_array(call[0], dtype_argument(call, 1), call.span(0));
  return make_array(cast(array_tensor(made), array_tensor(made).dtype()));  // np.array copies, np.asarray does not
}
Value asarray(MethodCall& call) {
  if (is_array_of_texts(call[0])) return call[0];
  if (!call[0].as<Str>() && holds_texts(call[0])) return array_of_texts(call);
  const Value made = as_array(call[0], dtype_argument(call, 1), call.span(0));
  return made.as<Array>()->is_scalar ? Value(make<Array>(made.as<Array>()->tensor)) : made;
}

template <int kNumber>
Value numpy_filled(MethodCall& call) {
  return make_array(
      full(call.ints(call[0]), Scalar(std::int64_t{kNumber}), dtype_argument(call, 1).value_or(DType::Float64)));
}
template <int kNumber>
Value numpy_filled_like(MethodCall& call) {
  const Value like = array_argument(call);
  return make_array(full(array_tensor(like).shape(), Scalar(std::int64_t{kNumber}),
                         dtype_argument(call, 1).value_or(array_tensor(like).dtype())));
}
Value full_array(MethodCall& call) {
  const Value value = array_argument(call, 1);
  if (array_tensor(value).dim() > 0) throw unsupported(call.given.span, "unsupported.numpy.full");
  const DType dtype = dtype_argument(call, 2).value_or(array_tensor(value).dtype());
  return make_array(full(call.ints(call[0]), item(array_tensor(value)), dtype));
}
Value full_like(MethodCall& call) {
  const Value like = array_argument(call), value = array_argument(call, 1);
  if (array_tensor(value).dim() > 0) throw unsupported(call.given.span, "unsupported.numpy.full_like");
  const DType dtype = dtype_argument(call, 2).value_or(array_tensor(like).dtype());
  return make_array(
      to(full(array_tensor(like).shape(), item(array_tensor(value)), array_tensor(value).dtype()), dtype));
}

Value eye_array(MethodCall& call) {
  const std::int64_t rows = call.integer(0), columns = call[1].is_none() ? rows : call.integer(1);
  if (rows < 0 || columns < 0) call.fail(Code::Value, "negative dimensions are not allowed");
  const std::int64_t diagonal = call.integer(2, 0);
  Tensor out = zeros({rows, columns}, DType::Float64);
  double* const data = out.mutable_data<double>();
  for (std::int64_t i = 0; i < rows; ++i)
    if (i + diagonal >= 0 && i + diagonal < columns) data[i * columns + i + diagonal] = 1;
  return make_array(to(out, dtype_argument(call, 3).value_or(DType::Float64)));
}
Value identity(MethodCall& call) {
  return make_array(eye(call.integer(0), call.integer(0), dtype_argument(call, 1).value_or(DType::Float64)));
}

// numpy takes the step as the difference of the first two numbers.
Value arange_array(MethodCall& call) {
  const bool has_start = call.has(1) && !call[1].is_none();
  const Value start = has_start ? call[0] : int_value(0), stop = has_start ? call[1] : call[0];
  const Value step = call.has(2) && !call[2].is_none() ? call[2] : int_value(1);
  DType type = DType::Int64;
  for (const Value& value : {start, stop, step}) {
    if (!as_real(value)) call.fail(Code::Type, "unsupported operand for arange(): " + type_name(value));
    if (!as_index(value)) type = DType::Float64;
  }
  const double first = *as_real(start), stride = *as_real(step);
  if (stride == 0) call.fail(Code::Value, "Maximum allowed size exceeded");
  const auto length = static_cast<std::int64_t>(std::max(0.0, std::ceil((*as_real(stop) - first) / stride)));
  check_length(static_cast<std::size_t>(length));
  const DType wanted = dtype_argument(call, 3).value_or(type);
  if (type == DType::Int64) {
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < length; ++i) {
      look();
      values.push_back(*as_index(start) + i * *as_index(step));
    }
    return make_array(to(Tensor::from(values, {length}), wanted));
  }
  if (wanted != DType::Float64) throw unsupported(call.given.span, "unsupported.numpy.arange");
  const double delta = (first + stride) - first;
  std::vector<double> values;
  for (std::int64_t i = 0; i < length; ++i) {
    look();
    values.push_back(first + static_cast<double>(i) * delta);
  }
  return make_array(Tensor::from(values, {length}));
}

Value linspace_array(MethodCall& call) {
  const auto start = as_real(call[0]), stop = as_real(call[1]);
  const std::int64_t count = call.integer(2, 50);
  if (!start || !stop) throw unsupported(call.given.span, "unsupported.numpy.linspace");
  if (count < 0) call.fail(Code::Value, fmt::format("Number of samples, {}, must be non-negative.", count));
  check_length(static_cast<std::size_t>(count));
  const bool has_end = !call.has(3) || truthy(call[3]);
  const auto parts = static_cast<double>(has_end ? count - 1 : count);
  const double step = (*stop - *start) / parts;
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i) {
    look();
    const auto at = static_cast<double>(i);
    values.push_back(parts > 0 ? (step == 0 ? at / parts * (*stop - *start) : at * step) + *start : *start);
  }
  if (has_end && count > 1) values.back() = *stop;
  return make_array(to(Tensor::from(values, {count}), dtype_argument(call, 4).value_or(DType::Float64)));
}

// ---- elementwise ----

template <std::size_t N>
struct OpName {
  constexpr OpName(const char (&text)[N]) { std::copy_n(text, N, letters); }
  char letters[N]{};
  constexpr std::string_view view() const { return {letters, N - 1}; }
};

// np.exp(tensor) gives a tensor.
template <OpName kOp, Value (*kArgument)(MethodCall&, std::size_t)>
Value elementwise(MethodCall& call) {
  if (const TensorObject* tensor = call[0].as<TensorObject>()) {
    if (!is_floating(tensor->tensor.dtype()) || is_narrow(tensor->tensor.dtype()) || kOp.view().starts_with("torch.is"))
      throw CellError(Code::Unsupported, call.given.span, say("unsupported.numpy.tensor"),
                      say("unsupported.numpy.tensor.torch"));
    tensor_to_numpy(call[0], call.given.span);  // refuses one that requires a gradient, as PyTorch does
    return run(call, kOp.view(), {call[0]});
  }
  const Value array = kArgument(call, 0);
  if (array_tensor(array).dtype() == DType::Bool) throw unsupported(call.given.span, "unsupported.numpy.bools");
  return array_from(run(call, kOp.view(), {array}));
}
template <OpName kOp>
constexpr auto kFloats = elementwise<kOp, floats>;

template <OpName kOp>
Value absolute(MethodCall& call) {
  return array_tensor(numbers(call)).dtype() == DType::Bool ? array_argument(call) : elementwise<kOp, numbers>(call);
}

template <BinaryOp kOp>
Value numpy_binary(MethodCall& call) {
  const Value a = call[0].as<Array>() ? call[0] : array_argument(call, 0);
  const OperatorSpans spans{call.given.span, call.span(0), call.span(1)};
  return array_from(apply_binary(call.interpreter, kOp, a, array_argument(call, 1), spans).as<Array>()->tensor);
}

template <OpName kOp>
Value larger(MethodCall& call) {
  const Value a = numbers(call, 0), b = numbers(call, 1);
  const DType common = numpy_promote(*a.as<Array>(), *b.as<Array>());
  return array_of(call, kOp.view(),
                  {make_tensor(to(array_tensor(a), common)), make_tensor(to(array_tensor(b), common))});
}

template <CompareOp kOp>
Value numpy_compare(MethodCall& call) {
  return apply_compare(call.interpreter, kOp, array_argument(call, 0), array_argument(call, 1),
                       {call.given.span, call.span(0), call.span(1)});
}

Value clip(MethodCall& call) {
  const Value x = numbers(call);
  for (std::size_t i : {1U, 2U})
    if (call[i].as_float() && !is_floating(array_tensor(x).dtype()))
      throw unsupported(call.given.span, "unsupported.numpy.clip");
  return array_of(call, "torch.clamp", {x, call[1], call[2]});
}

Value round_array(MethodCall& call) {
  Value x = numbers(call);
  const std::int64_t digits = call.integer(1, 0);
  if (array_tensor(x).dtype() == DType::Bool) throw unsupported(call.given.span, "unsupported.numpy.round");
  if (array_tensor(x).dim() == 0 && !is_floating(array_tensor(x).dtype())) return array_from(x.as<Array>()->tensor);
  if (!is_floating(array_tensor(x).dtype())) {
    if (digits < 0) throw unsupported(call.given.span, "unsupported.numpy.round_to_tens");
    return x;
  }
  if (digits == 0) return array_of(call, "torch.round", {x});
  const double unit = std::pow(10.0, static_cast<double>(std::abs(digits)));
  const Tensor scaled = digits > 0 ? mul(array_tensor(x), unit) : div(array_tensor(x), unit);
  const Value whole = run(call, "torch.round", {make_tensor(scaled)});
  const Tensor& rounded = whole.as<TensorObject>()->tensor;
  const Tensor out = digits > 0 ? div(rounded, unit) : mul(rounded, unit);
  return make_array(out, out.dim() == 0);
}

Value where_array(MethodCall& call) {
  const Value condition = array_argument(call);
  const Value mask = make_tensor(to(array_tensor(condition), DType::Bool));
  if (!call.has(1)) {
    const Value places = run(call, "torch.where", {mask});
    std::vector<Value> out;
    for (const Value& item : places.as<Tuple>()->items) out.push_back(array_from(item));
    return make_tuple(std::move(out));
  }
  const Value a = array_argument(call, 1), b = array_argument(call, 2);
  const DType common = numpy_promote(*a.as<Array>(), *b.as<Array>());
  return array_of(call, "torch.where",
                  {mask, make_tensor(to(array_tensor(a), common)), make_tensor(to(array_tensor(b), common))});
}

// ---- reductions: (a, axis, keepdims) ----

template <OpName kOp, Value (*kArgument)(MethodCall&, std::size_t)>
Value numpy_reduced(MethodCall& call) {
  const Value x = kArgument(call, 0);
  if (!call[3].is_none()) throw unsupported(call.given.span, "unsupported.numpy.reduction_dtype");
  return array_of(call, kOp.view(), {x}, axis_keywords(call, x, call[1], call[2]));
}

template <OpName kOp>
Value numpy_extreme(MethodCall& call) {
  const Value x = numbers(call);
  if (array_tensor(x).numel() == 0 && !call[1].is_none())
    throw unsupported(call.given.span, "unsupported.numpy.empty_maximum");
  if (array_tensor(x).numel() == 0)
    call.fail(Code::Value, fmt::format("zero-size array to reduction operation {} which has no identity",
                                       kOp.view() == "torch.amax" ? "maximum" : "minimum"));
  return numpy_reduced<kOp, numbers>(call);
}

// Of one axis, or of all.
template <OpName kOp, Value (*kArgument)(MethodCall&, std::size_t)>
Value along_axis(MethodCall& call) {
  Value x = kArgument(call, 0);
  if (kOp.view().starts_with("torch.arg") && array_tensor(x).dtype() == DType::Bool)
    x = make_array(to(array_tensor(x), DType::Int64));
  if (call[1].is_none() && truthy(call[2])) throw unsupported(call.given.span, "unsupported.numpy.keepdims");
  if (call[1].is_none()) return array_of(call, kOp.view(), {make_tensor(array_tensor(x))});
  const auto axis = as_index(call[1]);
  if (!axis) throw unsupported(call.given.span, "unsupported.numpy.axes");
  check_axis(call, call[1], array_tensor(x).dim());
  Keywords keywords = {{"dim", int_value(*axis)}};
  if (truthy(call[2])) keywords.emplace_back("keepdim", Value(true));
  return array_of(call, kOp.view(), {x}, keywords);
}

Value variance(MethodCall& call) {
  const Value x = floats(call);
  const Value mean = array_of(call, "op.numpy_mean", {x}, axis_keywords(call, x, call[1], Value(true)));
  const Value distance = array_of(call, "torch.sub", {x, mean});
  const Value squares = array_of(call, "torch.mul", {distance, distance});
  const Value total = array_of(call, "op.numpy_sum", {squares}, axis_keywords(call, x, call[1], call[2]));
  const std::int64_t sums = std::max<std::int64_t>(array_tensor(total).numel(), 1);
  const std::int64_t count = array_tensor(x).numel() / sums - call.integer(3, 0);
  return array_of(call, "torch.div", {total, int_value(std::max<std::int64_t>(count, 0))});
}

Value deviation(MethodCall& call) { return array_of(call, "torch.sqrt", {variance(call)}); }

template <OpName kOp>
Value running(MethodCall& call) {
  Value x = numbers(call);
  if (call[1].is_none()) x = array_of(call, "torch.flatten", {x});
  check_axis(call, call[1], array_tensor(x).dim());
  const std::int64_t axis = call[1].is_none() ? 0 : call.integer(1);
  return array_of(call, kOp.view(), {x, int_value(axis)});
}

// ---- shape ----

// reshape(a, (2, 3)), a.reshape(2, 3)
Value reshape_array(MethodCall& call) {
  const Value x = array_argument(call);
  Shape shape;
  const auto& given = call.given.positional;
  if (given.size() == 2) shape = call.ints(given[1]);
  for (std::size_t i = 1; given.size() > 2 && i < given.size(); ++i) shape.push_back(call.integer(i));
  try {
    return array_of(call, "torch.reshape", {x, size_value(shape)});
  } catch (const CellError& error) {
    if (error.type() != "RuntimeError") throw;
    call.fail(Code::Value, fmt::format("cannot reshape array of size {} into shape {}", array_tensor(x).numel(),
                                       numpy_shape(shape)));
  }
}

Value transpose_array(MethodCall& call) {
  const Value x = with_axes(call);
  const auto& given = call.given.positional;
  Shape order;
  if (given.size() == 2 && !given[1].is_none()) order = call.ints(given[1]);
  for (std::size_t i = 1; given.size() > 2 && i < given.size(); ++i) order.push_back(call.integer(i));
  for (std::int64_t i = array_tensor(x).dim(); given.size() == 1 && i-- > 0;) order.push_back(i);
  return array_of(call, "torch.permute", {x, size_value(order)});
}

Value expand_dims(MethodCall& call) {
  return array_of(call, "torch.unsqueeze", {array_argument(call), int_value(call.integer(1))});
}
Value squeeze_array(MethodCall& call) {
  const Value x = with_axes(call);
  if (call[1].is_none()) return make<Array>(run(call, "torch.squeeze", {x}).ref<TensorObject>());
  const std::int64_t axis = call.integer(1);
  check_axis(call, call[1], array_tensor(x).dim());
  if (array_tensor(x).size(wrap_dim(axis, array_tensor(x).dim())) != 1)
    call.fail(Code::Value, "cannot select an axis to squeeze out which has size not equal to one");
  return make<Array>(run(call, "torch.squeeze", {x, int_value(axis)}).ref<TensorObject>());
}
Value swapaxes(MethodCall& call) {
  return array_of(call, "torch.transpose",
                  {array_argument(call), int_value(call.integer(1)), int_value(call.integer(2))});
}
Value broadcast_array(MethodCall& call) {
  return array_of(call, "torch.broadcast_to", {array_argument(call), size_value(call.ints(call[1]))});
}
Value flatten_array(MethodCall& call) {
  const Value flat = array_of(call, "torch.flatten", {array_argument(call)});
  return make_array(cast(array_tensor(flat), array_tensor(flat).dtype()));
}
Value ravel(MethodCall& call) { return array_of(call, "torch.flatten", {array_argument(call)}); }

// The arrays of a list, of one type.
Value several(MethodCall& call) {
  std::vector<Value> arrays;
  for (const Value& item : call.interpreter.to_vector(call[0], call.span(0)))
    arrays.push_back(as_array(item, {}, call.span(0)));
  if (arrays.empty()) call.fail(Code::Value, "need at least one array to concatenate");
  DType common = array_tensor(arrays[0]).dtype();
  for (const Value& array : arrays) {
    const Array first(make<TensorObject>(full({1}, Scalar(false), common)));
    const Array other(make<TensorObject>(full({1}, Scalar(false), array_tensor(array).dtype())));
    common = numpy_promote(first, other);
  }
  for (Value& array : arrays) {
    const Tensor& tensor = array_tensor(array);
    array = tensor.dtype() == common ? Value(array.as<Array>()->tensor) : make_tensor(to(tensor, common));
  }
  return make_list(std::move(arrays));
}
template <OpName kOp>
Value joined_along(MethodCall& call) {
  if (call.has(1) && call[1].is_none()) throw unsupported(call.given.span, "unsupported.numpy.concatenate");
  return array_of(call, kOp.view(), {several(call), int_value(call.integer(1, 0))});
}
template <OpName kOp>
Value stacked_arrays(MethodCall& call) {
  return array_of(call, kOp.view(), {several(call)});
}

template <OpName kOp>
Value triangle(MethodCall& call) {
  const Value x = array_argument(call);
  if (array_tensor(x).dim() < 2) throw unsupported(call.given.span, "unsupported.numpy.triangle");
  return array_of(call, kOp.view(), {x, int_value(call.integer(1, 0))});
}

Value tile(MethodCall& call) {
  return array_of(call, "torch.tile", {array_argument(call), size_value(call.ints(call[1]))});
}
Value repeat_array(MethodCall& call) {
  Value x = array_argument(call);
  if (call[2].is_none()) x = array_of(call, "torch.flatten", {x});
  return array_of(call, "torch.repeat_interleave",
                  {x, int_value(call.integer(1)), int_value(call[2].is_none() ? 0 : call.integer(2))});
}
Value numpy_flip(MethodCall& call) {
  const Value x = with_axes(call);
  Shape axes;
  if (!call[1].is_none()) axes = call.ints(call[1]);
  for (std::int64_t i = 0; call[1].is_none() && i < array_tensor(x).dim(); ++i) axes.push_back(i);
  return array_of(call, "torch.flip", {x, size_value(axes)});
}
template <OpName kOp>
Value numpy_diagonal(MethodCall& call) {
  return array_of(call, kOp.view(), {array_argument(call), int_value(call.integer(1, 0))});
}
Value numpy_trace(MethodCall& call) { return array_of(call, "torch.trace", {array_argument(call)}); }

// ---- products ----

Value numpy_dot(MethodCall& call) {
  const Value a = array_argument(call, 0), b = array_argument(call, 1);
  const OperatorSpans spans{call.given.span, call.span(0), call.span(1)};
  const bool is_scaling = array_tensor(a).dim() == 0 || array_tensor(b).dim() == 0;
  if (array_tensor(b).dim() > 2) throw unsupported(call.given.span, "unsupported.numpy.dot");
  return apply_binary(call.interpreter, is_scaling ? BinaryOp::Mul : BinaryOp::MatMul, a, b, spans);
}
Value outer(MethodCall& call) {
  const Value a = array_of(call, "torch.flatten", {numbers(call, 0)});
  const Value b = array_of(call, "torch.flatten", {numbers(call, 1)});
  const DType common = numpy_promote(*a.as<Array>(), *b.as<Array>());
  return array_of(call, "torch.outer",
                  {make_tensor(to(array_tensor(a), common)), make_tensor(to(array_tensor(b), common))});
}

// ---- order, questions, conversions ----

Value argsort(MethodCall& call) {
  with_axes(call);
  const Value array = numbers(call), axis = int_value(call.integer(1, -1));
  const Value stable = array_of(call, "torch.argsort", {array}, {{"dim", axis}, {"stable", Value(true)}});
  if (call.has(2) && str(call[2]) != "quicksort") return stable;
  // Without equal elements there is one order, and the op is recorded.
  const Tensor order = quicksort_order(array_tensor(array), call.integer(1, -1));
  return equal(order, array_tensor(stable)) ? stable : make_array(order);
}
Value numpy_sort(MethodCall& call) {
  with_axes(call);
  const Value sorted = run(call, "torch.sort", {numbers(call), int_value(call.integer(1, -1))});
  return array_from(sorted.as<Tuple>()->items[0]);
}

Value allclose_arrays(MethodCall& call) {
  const Value a = floats(call, 0), b = floats(call, 1);
  const Tensor x = to(array_tensor(a), DType::Float64), y = to(array_tensor(b), DType::Float64);
  Keywords keywords;
  if (call.has(2)) keywords.emplace_back("rtol", call[2]);
  if (call.has(3)) keywords.emplace_back("atol", call[3]);
  if (call.has(4)) keywords.emplace_back("equal_nan", call[4]);
  return run(call, "torch.allclose", {make_tensor(x), make_tensor(y)}, keywords);
}
Value array_equal(MethodCall& call) {
  const Value a = array_argument(call, 0), b = array_argument(call, 1);
  const bool same_shape = array_tensor(a).shape() == array_tensor(b).shape();
  return Value(same_shape && to_int(item(all(eq(Operand(to(array_tensor(a), DType::Float64)),
                                                Operand(to(array_tensor(b), DType::Float64)))))) != 0);
}

Value astype(MethodCall& call) {
  const Value x = array_argument(call);
  const DType dtype = numpy_dtype(call[1], call.span(1));
  return make<Array>(make<TensorObject>(cast(array_tensor(x), dtype)), x.as<Array>()->is_scalar);
}
Value tolist(MethodCall& call) { return run(call, "Tensor.tolist", {array_argument(call)}); }
Value item_array(MethodCall& call) {
  const Value x = array_argument(call);
  if (call.given.positional.size() > 1) throw unsupported(call.given.span, "unsupported.numpy.item");
  if (array_tensor(x).numel() != 1) call.fail(Code::Value, "can only convert an array of size 1 to a Python scalar");
  return from_scalar(item(array_tensor(x)));
}
Value copy(MethodCall& call) {
  const Value x = array_argument(call);
  return make_array(cast(array_tensor(x), array_tensor(x).dtype()), x.as<Array>()->is_scalar);
}
Value fill(MethodCall& call) {
  call.interpreter.require_effects("wrong_cell.write", call.given.span);
  const Span span = call.given.span;
  set_array_item(call.interpreter, call[0], make<EllipsisObject>(), call[1], {span, span, span});
  return {};
}
Value ndim(MethodCall& call) { return Value(array_tensor(array_argument(call)).dim()); }
Value size(MethodCall& call) { return Value(array_tensor(array_argument(call)).numel()); }
Value shape(MethodCall& call) { return size_value(array_tensor(array_argument(call)).shape()); }
Value dtype(MethodCall& call) { return dtype_value(numpy_dtype(call[0], call.span(0))); }

constexpr const char* kReduction = "a axis keepdims dtype";

constexpr Method kNumpyFunctions[] = {
    {"array", 1, 2, array, "object dtype"},
    {"asarray", 1, 2, asarray, "a dtype"},
    {"load", 1, 3, numpy_load, "file mmap_mode allow_pickle"},
    {"zeros", 1, 2, numpy_filled<0>, "shape dtype"},
    {"ones", 1, 2, numpy_filled<1>, "shape dtype"},
    {"empty", 1, 2, numpy_filled<0>, "shape dtype"},
    {"full", 2, 3, full_array, "shape fill_value dtype"},
    {"zeros_like", 1, 2, numpy_filled_like<0>, "a dtype"},
    {"ones_like", 1, 2, numpy_filled_like<1>, "a dtype"},
    {"empty_like", 1, 2, numpy_filled_like<0>, "a dtype"},
    {"full_like", 2, 3, full_like, "a fill_value dtype"},
    {"eye", 1, 4, eye_array, "N M k dtype"},
    {"identity", 1, 2, identity, "n dtype"},
    {"arange", 1, 4, arange_array, "start stop step dtype"},
    {"linspace", 2, 3, linspace_array, "start stop num endpoint dtype"},
    {"sqrt", 1, 1, kFloats<"torch.sqrt">},
    {"exp", 1, 1, kFloats<"torch.exp">},
    {"log", 1, 1, kFloats<"torch.log">},
    {"log2", 1, 1, kFloats<"torch.log2">},
    {"log10", 1, 1, kFloats<"torch.log10">},
    {"log1p", 1, 1, kFloats<"torch.log1p">},
    {"expm1", 1, 1, kFloats<"torch.expm1">},
    {"sin", 1, 1, kFloats<"torch.sin">},
    {"cos", 1, 1, kFloats<"torch.cos">},
    {"tan", 1, 1, kFloats<"torch.tan">},
    {"tanh", 1, 1, kFloats<"torch.tanh">},
    {"floor", 1, 1, kFloats<"torch.floor">},
    {"ceil", 1, 1, kFloats<"torch.ceil">},
    {"isnan", 1, 1, kFloats<"torch.isnan">},
    {"isinf", 1, 1, kFloats<"torch.isinf">},
    {"isfinite", 1, 1, kFloats<"torch.isfinite">},
    {"square", 1, 1, elementwise<"torch.square", numbers>},
    {"negative", 1, 1, elementwise<"torch.neg", numbers>},
    {"sign", 1, 1, elementwise<"torch.sign", numbers>},
    {"abs", 1, 1, absolute<"torch.abs">},
    {"absolute", 1, 1, absolute<"torch.abs">},
    {"divide", 2, 2, numpy_binary<BinaryOp::Div>},
    {"true_divide", 2, 2, numpy_binary<BinaryOp::Div>},
    {"floor_divide", 2, 2, numpy_binary<BinaryOp::FloorDiv>},
    {"mod", 2, 2, numpy_binary<BinaryOp::Mod>},
    {"power", 2, 2, numpy_binary<BinaryOp::Pow>},
    {"matmul", 2, 2, numpy_binary<BinaryOp::MatMul>},
    {"dot", 2, 2, numpy_dot, "a b"},
    {"outer", 2, 2, outer, "a b"},
    {"maximum", 2, 2, larger<"torch.maximum">},
    {"minimum", 2, 2, larger<"torch.minimum">},
    {"equal", 2, 2, numpy_compare<CompareOp::Equal>},
    {"not_equal", 2, 2, numpy_compare<CompareOp::NotEqual>},
    {"less", 2, 2, numpy_compare<CompareOp::Less>},
    {"less_equal", 2, 2, numpy_compare<CompareOp::LessEqual>},
    {"greater", 2, 2, numpy_compare<CompareOp::Greater>},
    {"greater_equal", 2, 2, numpy_compare<CompareOp::GreaterEqual>},
    {"clip", 3, 3, clip, "a a_min a_max"},
    {"round", 1, 2, round_array, "a decimals"},
    {"around", 1, 2, round_array, "a decimals"},
    {"where", 1, 3, where_array},
    {"sum", 1, 2, numpy_reduced<"op.numpy_sum", numbers>, kReduction},
    {"mean", 1, 2, numpy_reduced<"op.numpy_mean", shares>, kReduction},
    {"max", 1, 2, numpy_extreme<"torch.amax">, kReduction},
    {"amax", 1, 2, numpy_extreme<"torch.amax">, kReduction},
    {"min", 1, 2, numpy_extreme<"torch.amin">, kReduction},
    {"amin", 1, 2, numpy_extreme<"torch.amin">, kReduction},
    {"prod", 1, 2, along_axis<"torch.prod", numbers>, kReduction},
    {"any", 1, 2, along_axis<"torch.any", numbers>, kReduction},
    {"all", 1, 2, along_axis<"torch.all", numbers>, kReduction},
    {"argmax", 1, 2, along_axis<"torch.argmax", numbers>, kReduction},
    {"argmin", 1, 2, along_axis<"torch.argmin", numbers>, kReduction},
    {"std", 1, 2, deviation, "a axis keepdims ddof"},
    {"var", 1, 2, variance, "a axis keepdims ddof"},
    {"cumsum", 1, 2, running<"torch.cumsum">, "a axis"},
    {"cumprod", 1, 2, running<"torch.cumprod">, "a axis"},
    {"reshape", 2, kAnyNumber, reshape_array},
    {"transpose", 1, kAnyNumber, transpose_array},
    {"expand_dims", 2, 2, expand_dims, "a axis"},
    {"squeeze", 1, 2, squeeze_array, "a axis"},
    {"swapaxes", 3, 3, swapaxes},
    {"broadcast_to", 2, 2, broadcast_array, "array shape"},
    {"flatten", 1, 1, flatten_array},
    {"ravel", 1, 1, ravel},
    {"concatenate", 1, 2, joined_along<"torch.cat">, "arrays axis"},
    {"stack", 1, 2, joined_along<"torch.stack">, "arrays axis"},
    {"vstack", 1, 1, stacked_arrays<"torch.vstack">},
    {"hstack", 1, 1, stacked_arrays<"torch.hstack">},
    {"triu", 1, 2, triangle<"torch.triu">, "m k"},
    {"tril", 1, 2, triangle<"torch.tril">, "m k"},
    {"tile", 2, 2, tile, "A reps"},
    {"repeat", 2, 3, repeat_array, "a repeats axis"},
    {"flip", 1, 2, numpy_flip, "m axis"},
    {"diag", 1, 2, numpy_diagonal<"torch.diag">, "v k"},
    {"diagonal", 1, 2, numpy_diagonal<"torch.diagonal">, "a offset"},
    {"trace", 1, 1, numpy_trace},
    {"argsort", 1, 3, argsort, "a axis kind"},
    {"sort", 1, 2, numpy_sort, "a axis"},
    {"allclose", 2, 5, allclose_arrays, "a b rtol atol equal_nan"},
    {"array_equal", 2, 2, array_equal},
    {"astype", 2, 2, astype, "a dtype"},
    {"tolist", 1, 1, tolist},
    {"item", 1, 2, item_array},
    {"copy", 1, 1, copy},
    {"fill", 2, 2, fill},
    {"ndim", 1, 1, ndim},
    {"size", 1, 1, size},
    {"shape", 1, 1, shape},
    {"dtype", 1, 1, dtype},
    {"get_printoptions", 0, 0, get_printoptions},
    {"set_printoptions", 0, 7, set_printoptions,
     "precision threshold edgeitems linewidth suppress floatmode formatter"},
};

}  // namespace

std::span<const Method> numpy_functions() { return kNumpyFunctions; }

}  // namespace attn
