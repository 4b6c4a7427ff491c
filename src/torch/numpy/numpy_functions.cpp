// The module `numpy`: a row per function, which calls the op of PyTorch's table that computes it. Those that are also
// methods of arrays are listed in array.cpp; an array before the dot is their first argument. Over 400 lines because
// numpy has many names and each needs its line or two.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/limits.h"
#include "base/number.h"
#include "python/class.h"
#include "python/modules/library.h"
#include "python/modules/unsupported_names.h"
#include "python/natives.h"
#include "python/types/bytes.h"
#include "tensor/core/read.h"
#include "tensor/io/stored_elements.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/create.h"
#include "tensor/ops/layout.h"
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

DType array_type(const Value& array) { return array_tensor(array).dtype(); }

/// A parameter that numpy has and that is not known here.
void refuse_given(MethodCall& call, std::size_t i, std::string_view keyword) {
  if (!call[i].is_none()) refuse_keyword(call.name, keyword, call.given.span);
}

/// order=: whether elements are taken column by column.
bool column_major(MethodCall& call, std::size_t i) {
  const Value order = call[i];
  const Str* text = order.as<Str>();
  if (text && text->text == "F") return true;
  if (!order.is_none() && !(text && (text->text == "C" || text->text == "K"))) refuse_given(call, i, "order");
  return false;
}
/// The same elements, laid out in memory in that order.
Tensor in_order(const Tensor& x, bool by_columns) { return by_columns ? numpy_T(contiguous(numpy_T(x))) : x; }

/// A copy as order= lays it out: without one, with the axes in the order in which they are in the memory of `source`.
Tensor laid_out(MethodCall& call, std::size_t i, const Tensor& own, const Tensor& source) {
  const bool by_columns = column_major(call, i);
  if (by_columns || (!call[i].is_none() && str(call[i]) == "C")) return in_order(own, by_columns);
  Shape order(own.shape().size()), back(own.shape().size());
  std::iota(order.begin(), order.end(), 0);
  const auto step = [&](std::int64_t axis) { return source.strides()[static_cast<std::size_t>(axis)]; };
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return step(a) > step(b); });
  for (std::size_t to = 0; to < order.size(); ++to)
    back[static_cast<std::size_t>(order[to])] = static_cast<std::int64_t>(to);
  return source.is_contiguous() ? own : permute(contiguous(permute(own, order)), back);
}

/// An array that is computed with: of one of the wide types.
Value numbers(MethodCall& call, std::size_t i = 0) {
  const Value array = array_argument(call, i);
  const DType dtype = array_type(array);
  return is_narrow(dtype) ? make_array(to(array_tensor(array), wide_of(dtype))) : array;
}

/// The same, as floats: int64 becomes float64.
Value floats(MethodCall& call, std::size_t i = 0) {
  const Value array = array_argument(call, i);
  return make<Array>(wide_operand(array, float_type(array_type(array))).ref<TensorObject>());
}

/// The same, where ints and bools count as float64.
Value shares(MethodCall& call, std::size_t i = 0) {
  const Value array = numbers(call, i);
  return is_floating(array_type(array)) ? array : make_array(to(array_tensor(array), DType::Float64));
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

/// What came out of an array of a narrow type, in a wide one, in the type itself.
Value narrow_again(const Value& result, DType dtype) {
  return narrow_result(result.as<Array>() ? Value(result.as<Array>()->tensor) : result, dtype);
}

constexpr std::size_t kEverywhere = SIZE_MAX;

/// Writes the result into out=, of a ufunc where its argument `where` is True; gives it where there is no out=.
Value into(MethodCall& call, std::size_t out, Value result, std::size_t where = kEverywhere) {
  Value target = call[out];
  if (const Tuple* tuple = target.as<Tuple>(); tuple && tuple->items.size() == 1) target = tuple->items[0];
  if (target.is_none()) return refuse_given(call, where, "where"), result;
  if (!target.as<Array>()) call.fail(Code::Type, "return arrays must be of ArrayType");
  call.interpreter.require_effects("wrong_cell.write", call.given.span);
  const DType from = array_type(result), to_type = array_type(target);
  if (!is_same_kind(from, to_type))
    call.fail(Code::Type, fmt::format("Cannot cast ufunc '{}' output from dtype('{}') to dtype('{}') with casting rule "
                                      "'same_kind'",
                                      call.name, numpy_name(from), numpy_name(to_type)));
  if (!call[where].is_none()) {
    const Value mask = make_tensor(to(array_tensor(array_argument(call, where)), DType::Bool));
    result = array_of(call, "torch.where", {mask, make_tensor(to(array_tensor(result), to_type)), target});
  }
  const Span span = call.given.span;
  set_array_item(call.interpreter, target, make<EllipsisObject>(), result, {span, span, span});
  return target;
}

// `of` begins the text where one of several axes is meant: "axis1: ".
void check_axis(MethodCall& call, const Value& axis, std::int64_t dims, const char* of = "") {
  const auto number = as_index(axis);
  if (number && dims == 0) throw unsupported(call.given.span, "unsupported.numpy.axis_of_number");
  if (number && (*number >= dims || *number < -dims))
    call.interpreter.call(library_function(call.interpreter, "arrays", "refuse_axis"),
                          {axis, Value(dims), make_str(of)}, call.given.span);
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

/// Printed with settings that end with the call.
Value array2string(MethodCall& call) {
  const Value x = array_argument(call);
  PrintOptions& options = call.interpreter.array_print_options();
  const PrintOptions before = options;
  options.line_width = static_cast<std::size_t>(
      std::max<std::int64_t>(call.integer(1, static_cast<std::int64_t>(before.line_width)), 1));
  options.precision = static_cast<int>(std::clamp<std::int64_t>(call.integer(2, before.precision), 0, 60));
  if (!call[3].is_none()) options.sci_mode = truthy(call[3]) ? std::optional(false) : std::nullopt;
  options.threshold = call.integer(6, before.threshold);
  options.edge_items = std::clamp<std::int64_t>(call.integer(7, before.edge_items), 0, 1 << 30);
  const std::string text =
      array_text(array_tensor(x), call.has(4) ? call.text(4) : " ", call.has(5) ? call.text(5) : "");
  options = before;
  return make_str(text);
}

bool is_array_of_texts(const Value& value) {
  const ClassObject* type = class_of(value);
  return type && type->name == "ndarray" && value.as<Instance>() && value.as<Instance>()->attributes.find("items");
}

/// A list of words, or of lists of them, becomes an array of str, which is Python's (src/lib/texts.py).
bool holds_texts(const Value& value) {
  const Value* first = &value;
  for (int depth = 0; depth <= kMostArrayAxes; ++depth) {  // a list may stand in itself
    const auto* items = items_of(*first);
    if (!items || items->empty()) break;
    first = &items->front();
  }
  return first->as<Str>();
}

Value array_of_texts(MethodCall& call) {
  const TypeObject* type = call[1].as<TypeObject>();
  if (!call[1].is_none() && !(type && type->name == "str")) {
    numpy_dtype(call[1], call.span(1));  // refuses records and objects
    return call.interpreter.call(library_function(call.interpreter, "texts", "converted"), {call[0], call[1]},
                                 call.given.span);
  }
  return call.interpreter.call(library_function(call.interpreter, "texts", "ndarray"), {call[0]}, call.given.span);
}

Value array(MethodCall& call) {
  if (!call[0].as<Str>() && (holds_texts(call[0]) || is_array_of_texts(call[0]))) return array_of_texts(call);
  refuse_given(call, 6, "like");
  const Value made = as_array(call[0], dtype_argument(call, 1), call.span(0));
  const bool copies = !call.has(2) || truthy(call[2]);  // np.asarray does not
  if (!copies && array_tensor(made).dim() >= call.integer(5, 0) && !column_major(call, 3)) return made;
  const Tensor& given = array_tensor(made);
  Tensor x = laid_out(call, 3, copies ? cast(given, given.dtype()) : given, given);
  for (std::int64_t least = call.integer(5, 0); x.dim() < least;) x = unsqueeze(x, 0);
  return make_array(std::move(x));
}
Value asarray(MethodCall& call) {
  if (is_array_of_texts(call[0])) return call[0];
  if (!call[0].as<Str>() && holds_texts(call[0])) return array_of_texts(call);
  const Value made = as_array(call[0], dtype_argument(call, 1), call.span(0));
  if (column_major(call, 2)) return make_array(in_order(array_tensor(made), true));
  return made.as<Array>()->is_scalar ? Value(make<Array>(made.as<Array>()->tensor)) : made;
}

template <int kNumber>
Value numpy_filled(MethodCall& call) {
  const DType dtype = dtype_argument(call, 1).value_or(DType::Float64);
  return make_array(in_order(full(call.ints(call[0]), Scalar(std::int64_t{kNumber}), dtype), column_major(call, 2)));
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
  const auto whole = type == DType::Int64 ? checked_sub(*as_index(stop), *as_index(start)) : std::nullopt;
  const double distance = whole ? static_cast<double>(*whole) : *as_real(stop) - first;
  const auto length = static_cast<std::int64_t>(std::max(0.0, std::ceil(distance / stride)));
  check_length(static_cast<std::size_t>(length));
  const DType wanted = dtype_argument(call, 3).value_or(type);
  if (type == DType::Int64) {
    const std::int64_t from = *as_index(start), by = *as_index(step);
    return make_array(to(made_by_place({length}, [=](std::int64_t i) { return from + i * by; }), wanted));
  }
  if (wanted != DType::Float64) throw unsupported(call.given.span, "unsupported.numpy.arange");
  const double delta = (first + stride) - first;
  return make_array(made_by_place({length}, [=](std::int64_t i) { return first + static_cast<double>(i) * delta; }));
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
  const Tensor numbers = made_by_place({count}, [&](std::int64_t i) {
    if (has_end && count > 1 && i == count - 1) return *stop;
    const auto at = static_cast<double>(i);
    return parts > 0 ? (step == 0 ? at / parts * (*stop - *start) : at * step) + *start : *start;
  });
  const Value out = make_array(to(numbers, dtype_argument(call, 5).value_or(DType::Float64)));
  return truthy(call[4]) ? make_tuple({out, make_array(Tensor::scalar(step), true)}) : out;
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
  if (array_type(array) == DType::Bool) throw unsupported(call.given.span, "unsupported.numpy.bools");
  const DType given = array_type(array_argument(call)),
              type = is_floating(array_type(array)) ? float_type(given) : given;
  return into(call, 1, narrow_result(run(call, kOp.view(), {array}), type), 2);
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
  const Value found = apply_binary(call.interpreter, kOp, a, array_argument(call, 1), spans);
  return into(call, 2, array_from(found.as<Array>()->tensor), 3);
}

template <OpName kOp>
Value larger(MethodCall& call) {
  const Value a = array_argument(call, 0), b = array_argument(call, 1);
  const DType common = numpy_promote(*a.as<Array>(), *b.as<Array>(), call.given.span);
  const Value found = run(call, kOp.view(), {wide_operand(a, common), wide_operand(b, common)});
  return into(call, 2, narrow_result(found, common), 3);
}

template <CompareOp kOp>
Value numpy_compare(MethodCall& call) {
  const OperatorSpans spans{call.given.span, call.span(0), call.span(1)};
  return into(call, 2, apply_compare(call.interpreter, kOp, array_argument(call, 0), array_argument(call, 1), spans),
              3);
}

Value clip(MethodCall& call) {
  const Value x = array_argument(call);
  const DType type = array_type(x);
  for (std::size_t i : {1U, 2U}) {
    if (call[i].is_none()) continue;
    const Value limit = array_argument(call, i);
    if (numpy_promote(*x.as<Array>(), *limit.as<Array>(), call.given.span) != type)
      throw unsupported(call.given.span, "unsupported.numpy.clip");
  }
  return into(call, 3, narrow_result(run(call, "torch.clamp", {wide_operand(x, type), call[1], call[2]}), type));
}

Value round_array(MethodCall& call) {
  Value x = array_argument(call);
  const std::int64_t digits = call.integer(1, 0);
  if (array_type(x) == DType::Float16 || array_type(x) == DType::Bool)
    throw unsupported(call.given.span, "unsupported.numpy.round");
  const DType type = array_type(x);
  const bool is_whole = !is_floating(type) && digits >= 0;
  if (is_whole) return array_tensor(x).dim() == 0 ? array_from(x.as<Array>()->tensor) : x;
  if (digits == 0) return array_of(call, "torch.round", {x});
  const double unit = std::pow(10.0, static_cast<double>(std::abs(digits)));
  const Tensor numbers = is_floating(type) ? array_tensor(x) : to(array_tensor(x), DType::Float64);
  const Tensor scaled = digits > 0 ? mul(numbers, unit) : div(numbers, unit);
  const Value whole = run(call, "torch.round", {make_tensor(scaled)});
  const Tensor& rounded = whole.as<TensorObject>()->tensor;
  const Tensor out = to(digits > 0 ? div(rounded, unit) : mul(rounded, unit), type);
  return make_array(out, out.dim() == 0);
}

Value where_array(MethodCall& call) {
  const Value condition = as_array(call[0], {}, call.span(0));  // of a tensor, too
  const Value mask = make_tensor(to(array_tensor(condition), DType::Bool));
  if (!call.has(1)) {
    const Value places = run(call, "torch.where", {mask});
    std::vector<Value> out;
    for (const Value& item : places.as<Tuple>()->items) out.push_back(array_from(item));
    return make_tuple(std::move(out));
  }
  const Value a = array_argument(call, 1), b = array_argument(call, 2);
  const DType common = numpy_promote(*a.as<Array>(), *b.as<Array>(), call.given.span);
  return array_of(call, "torch.where",
                  {mask, make_tensor(to(array_tensor(a), common)), make_tensor(to(array_tensor(b), common))});
}

// ---- reductions ----

/// With initial= or where=, which are rare.
Value reduced_in_part(MethodCall& call, const Value& x, const Value& keepdims, const Value& initial,
                      const Value& where) {
  const Value function = library_function(call.interpreter, "reductions", "reduced");
  return call.interpreter.call(function,
                               {make_str(std::string(call.name)), x, call[1], Value(truthy(keepdims)), initial, where},
                               call.given.span);
}

/// What a sum of such numbers is computed in: ints and bools in int64, a mean of them in float64.
Value summed(MethodCall& call, bool is_mean) {
  const auto wanted = dtype_argument(call, 2);
  Value x = array_argument(call);
  const DType given = array_type(x);
  if (is_unsigned(given) && !wanted && !is_mean)
    throw unsupported(call.given.span, "unsupported.array.type", {{"type", "uint64"}});
  DType type = is_floating(given) ? wide_of(given) : is_mean ? DType::Float64 : DType::Int64;
  if (wanted) {
    // numpy converts so many elements at a time, and adds up their sums.
    constexpr std::int64_t kBuffered = 8192;
    const bool is_split = is_floating(*wanted) && *wanted != given && array_tensor(x).numel() > kBuffered;
    if (is_narrow(*wanted) || *wanted == DType::Bool || is_split)
      throw unsupported(call.given.span, "unsupported.numpy.reduction_dtype");
    type = *wanted;
  }
  return given == type ? x : make_array(to(array_tensor(x), type));
}

// (a, axis, dtype, out, keepdims, initial, where), of a mean without initial
template <OpName kOp>
Value summation(MethodCall& call) {
  constexpr bool kIsMean = kOp.view() == "op.numpy_mean";
  constexpr std::size_t kOut = 3, kKeepdims = 4, kInitial = 5, kWhere = kIsMean ? 5 : 6;
  const Value x = summed(call, kIsMean);
  Value initial;
  if constexpr (!kIsMean) initial = call[kInitial];
  const bool is_half = array_type(array_argument(call)) == DType::Float16 && call[2].is_none();
  if (is_half && !kIsMean && !call[1].is_none())
    throw unsupported(call.given.span, "unsupported.array.narrow", {{"type", "float16"}, {"wide", "float32"}});
  const bool in_part = !initial.is_none() || !call[kWhere].is_none();
  const Value result = in_part ? reduced_in_part(call, x, call[kKeepdims], initial, call[kWhere])
                               : array_of(call, kOp.view(), {x}, axis_keywords(call, x, call[1], call[kKeepdims]));
  return into(call, kOut, is_half ? narrow_again(result, DType::Float16) : result);
}

// (a, axis, out, keepdims, initial, where)
template <OpName kOp>
Value numpy_extreme(MethodCall& call) {
  const Value x = numbers(call);
  if (call.has(4) || call.has(5))
    return narrow_again(reduced_in_part(call, x, call[3], call[4], call[5]), array_type(array_argument(call)));
  if (array_tensor(x).numel() == 0 && !call[1].is_none())
    throw unsupported(call.given.span, "unsupported.numpy.empty_maximum");
  if (array_tensor(x).numel() == 0)
    call.fail(Code::Value, fmt::format("zero-size array to reduction operation {} which has no identity",
                                       kOp.view() == "torch.amax" ? "maximum" : "minimum"));
  const Value found = run(call, kOp.view(), {x}, axis_keywords(call, x, call[1], call[3]));
  return into(call, 2, narrow_result(found, array_type(array_argument(call))));
}

// Of one axis, or of all: (a, axis, out, keepdims).
template <OpName kOp>
Value along_axis(MethodCall& call) {
  const Value x = numbers(call), keepdims = call[3];
  refuse_given(call, 4, "where");
  const Value operand = kOp.view().starts_with("torch.arg") && array_type(x) == DType::Bool
                            ? make_array(to(array_tensor(x), DType::Int64))
                            : x;
  if (call[1].is_none() && truthy(keepdims)) throw unsupported(call.given.span, "unsupported.numpy.keepdims");
  if (call[1].is_none()) return into(call, 2, array_of(call, kOp.view(), {make_tensor(array_tensor(operand))}));
  const auto axis = as_index(call[1]);
  if (!axis) throw unsupported(call.given.span, "unsupported.numpy.axes");
  check_axis(call, call[1], array_tensor(operand).dim());
  Keywords keywords = {{"dim", int_value(*axis)}};
  if (truthy(keepdims)) keywords.emplace_back("keepdim", Value(true));
  return into(call, 2, array_of(call, kOp.view(), {operand}, keywords));
}

// (a, axis, dtype, out, keepdims, initial, where)
Value product(MethodCall& call) {
  const Value x = summed(call, false);
  if (array_type(array_argument(call)) == DType::Float16)
    throw unsupported(call.given.span, "unsupported.array.narrow", {{"type", "float16"}, {"wide", "float32"}});
  if (call.has(5) || call.has(6)) return reduced_in_part(call, x, call[4], call[5], call[6]);
  const std::vector<Value> given = {x, call[1], call[3], call[4]};
  MethodCall inner{call.interpreter, call.self, call.given, call.name, {given.begin(), given.end()}};
  return along_axis<"torch.prod">(inner);
}

// (a, axis, dtype, out, ddof, keepdims, where)
Value variance(MethodCall& call) {
  refuse_given(call, 2, "dtype");
  refuse_given(call, 3, "out");
  refuse_given(call, 6, "where");
  const Value x = shares(call);
  const Value mean = array_of(call, "op.numpy_mean", {x}, axis_keywords(call, x, call[1], Value(true)));
  const Value distance = array_of(call, "torch.sub", {x, mean});
  const Value squares = array_of(call, "torch.mul", {distance, distance});
  const Value total = array_of(call, "op.numpy_sum", {squares}, axis_keywords(call, x, call[1], call[5]));
  const std::int64_t sums = std::max<std::int64_t>(array_tensor(total).numel(), 1);
  const std::int64_t count = array_tensor(x).numel() / sums - call.integer(4, 0);
  const Value found = run(call, "torch.div", {total, int_value(std::max<std::int64_t>(count, 0))});
  const bool is_half = array_type(array_argument(call)) == DType::Float16;
  return is_half ? narrow_result(found, DType::Float16) : array_from(found);
}

Value deviation(MethodCall& call) {
  const Value squared = variance(call);
  return narrow_result(run(call, "torch.sqrt", {wide_operand(squared, array_type(squared))}), array_type(squared));
}

/// numpy rounds each sum of float32, where PyTorch adds in float64.
template <OpName kOp>
Tensor folded(const Tensor& x, std::int64_t axis) {
  Tensor out = clone(contiguous(transpose(x, axis, -1)));
  const std::int64_t length = out.dim() ? out.size(out.dim() - 1) : 1;
  float* const data = out.mutable_data<float>();
  for (std::int64_t i = 0; i < out.numel(); ++i)
    if (i % length > 0) data[i] = kOp.view() == "torch.cumsum" ? data[i - 1] + data[i] : data[i - 1] * data[i];
  return contiguous(transpose(out, axis, -1));
}

template <OpName kOp>
Value running(MethodCall& call) {
  Value x = summed(call, false);
  refuse_given(call, 3, "out");
  if (array_type(array_argument(call)) == DType::Float16)
    throw unsupported(call.given.span, "unsupported.array.narrow", {{"type", "float16"}, {"wide", "float32"}});
  if (call[1].is_none()) x = array_of(call, "torch.flatten", {x});
  check_axis(call, call[1], array_tensor(x).dim());
  const std::int64_t axis = call[1].is_none() ? 0 : call.integer(1);
  const Value found = run(call, kOp.view(), {x, int_value(axis)});
  if (array_type(x) == DType::Float32) found.as<TensorObject>()->tensor = folded<kOp>(array_tensor(x), axis);
  return array_from(found);
}

// ---- shape ----

// reshape(a, (2, 3)), a.reshape(2, 3)
Value reshape_array(MethodCall& call) {
  const Value x = array_argument(call);
  Shape shape;
  bool by_columns = false;
  for (const auto& [name, value] : call.given.keywords) {
    if (name == "newshape") shape = call.ints(value);
    else if (name == "order" && (str(value) == "C" || str(value) == "F")) by_columns = str(value) == "F";
    else refuse_keyword(call.name, name, call.given.span);
  }
  std::vector<Value> given = call.given.positional;
  if (given.size() == 3 && given[2].as<Str>()) by_columns = str(given[2]) == "F", given.pop_back();
  if (given.size() == 2) shape = call.ints(given[1]);
  for (std::size_t i = 1; given.size() > 2 && i < given.size(); ++i) shape.push_back(call.integer(i));
  try {
    if (!by_columns) return array_of(call, "torch.reshape", {x, size_value(shape)});
    std::reverse(shape.begin(), shape.end());
    const Value turned = array_of(call, "torch.reshape", {make_tensor(numpy_T(array_tensor(x))), size_value(shape)});
    return make_array(numpy_T(array_tensor(turned)));
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
  if (given.size() <= 2 && !call[1].is_none()) order = call.ints(call[1]);
  for (std::size_t i = 1; given.size() > 2 && i < given.size(); ++i) order.push_back(call.integer(i));
  const std::int64_t dims = array_tensor(x).dim();
  for (std::int64_t i = dims; given.size() <= 2 && call[1].is_none() && i-- > 0;) order.push_back(i);
  if (std::ssize(order) != dims) call.fail(Code::Value, "axes don't match array");
  std::set<std::int64_t> taken;
  for (const std::int64_t axis : order) {
    check_axis(call, Value(axis), dims);
    if (!taken.insert(wrap_dim(axis, dims)).second) call.fail(Code::Value, "repeated axis in transpose");
  }
  return array_of(call, "torch.permute", {x, size_value(order)});
}

Value expand_dims(MethodCall& call) {
  Value out = array_argument(call);
  Shape axes = call.ints(call[1]);
  const std::int64_t dims = array_tensor(out).dim() + std::ssize(axes);
  for (std::int64_t& axis : axes) {
    check_axis(call, Value(axis), dims);
    axis = wrap_dim(axis, dims);
  }
  std::sort(axes.begin(), axes.end());
  for (const std::int64_t axis : axes) out = array_of(call, "torch.unsqueeze", {out, int_value(axis)});
  return out;
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
  const Value x = array_argument(call), first = int_value(call.integer(1)), second = int_value(call.integer(2));
  check_axis(call, first, array_tensor(x).dim(), "axis1: ");
  check_axis(call, second, array_tensor(x).dim(), "axis2: ");
  return array_of(call, "torch.transpose", {x, first, second});
}
Value broadcast_array(MethodCall& call) {
  const Value x = array_argument(call);
  const Shape own = array_tensor(x).shape(), wanted = call.ints(call[1]);
  if (own.size() > wanted.size())
    call.fail(Code::Value, "input operand has more dimensions than allowed by the axis remapping");
  const auto fits = [](std::int64_t size, std::int64_t into) { return size == into || size == 1; };
  if (!std::equal(own.rbegin(), own.rend(), wanted.rbegin(), fits))
    call.fail(Code::Value,
              fmt::format("operands could not be broadcast together with remapped shapes [original->remapped]: {}  and "
                          "requested shape {}",
                          numpy_shape(own), numpy_shape(wanted)));
  return array_of(call, "torch.broadcast_to", {x, size_value(wanted)});
}
Value ravel(MethodCall& call) {
  const Tensor x = array_tensor(array_argument(call));
  const bool in_memory_order = !call[1].is_none() && str(call[1]) == "K" && !x.is_contiguous();
  if (in_memory_order) refuse_given(call, 1, "order");
  return array_of(call, "torch.flatten", {make_tensor(column_major(call, 1) ? numpy_T(x) : x)});
}
Value flatten_array(MethodCall& call) {
  const Value flat = ravel(call);
  return make_array(cast(array_tensor(flat), array_type(flat)));
}

// Arrays that are joined have the same sizes but along the axis.
void check_joined(MethodCall& call, const std::vector<Shape>& shapes, std::int64_t axis) {
  const std::int64_t dims = std::ssize(shapes[0]);
  if (dims == 0) call.fail(Code::Value, "zero-dimensional arrays cannot be concatenated");
  check_axis(call, Value(axis), dims);
  for (std::size_t i = 1; i < shapes.size(); ++i) {
    if (std::ssize(shapes[i]) != dims)
      call.fail(Code::Value,
                fmt::format("all the input arrays must have same number of dimensions, but the array at index "
                            "0 has {} dimension(s) and the array at index {} has {} dimension(s)",
                            dims, i, shapes[i].size()));
    for (std::int64_t d = 0; d < dims; ++d) {
      const auto at = static_cast<std::size_t>(d);
      if (d == wrap_dim(axis, dims) || shapes[i][at] == shapes[0][at]) continue;
      call.fail(
          Code::Value,
          fmt::format("all the input array dimensions except for the concatenation axis must match exactly, but along "
                      "dimension {}, the array at index 0 has size {} and the array at index {} has size {}",
                      d, shapes[0][at], i, shapes[i][at]));
    }
  }
}

// Stacked ones have the same sizes altogether.
void check_stacked(MethodCall& call, const std::vector<Shape>& shapes, std::int64_t axis) {
  if (!std::all_of(shapes.begin(), shapes.end(), [&](const Shape& shape) { return shape == shapes[0]; }))
    call.fail(Code::Value, "all input arrays must have the same shape");
  check_axis(call, Value(axis), std::ssize(shapes[0]) + 1);
}

std::vector<Shape> shapes_of(const Value& arrays) {
  std::vector<Shape> shapes;
  for (const Value& array : arrays.as<List>()->items) shapes.push_back(array.as<TensorObject>()->tensor.shape());
  return shapes;
}

// The arrays of a list, of one type: dtype= or that which they have in common.
Value several(MethodCall& call, std::optional<DType> dtype = {}, std::string_view verb = "concatenate") {
  std::vector<Value> arrays;
  for (const Value& item : call.interpreter.to_vector(call[0], call.span(0)))
    arrays.push_back(as_array(item, {}, call.span(0)));
  if (arrays.empty()) call.fail(Code::Value, fmt::format("need at least one array to {}", verb));
  DType common = array_tensor(arrays[0]).dtype();
  for (const Value& array : arrays) {
    const Array first(make<TensorObject>(full({1}, Scalar(false), common)));
    const Array other(make<TensorObject>(full({1}, Scalar(false), array_tensor(array).dtype())));
    common = numpy_promote(first, other);
  }
  common = dtype.value_or(common);
  for (Value& array : arrays) {
    const Tensor& tensor = array_tensor(array);
    array = tensor.dtype() == common ? Value(array.as<Array>()->tensor) : make_tensor(to(tensor, common));
  }
  return make_list(std::move(arrays));
}
template <OpName kOp>
Value joined_along(MethodCall& call) {
  constexpr bool kIsNew = kOp.view() == "torch.stack";
  const Value arrays = several(call, dtype_argument(call, 3), kIsNew ? "stack" : "concatenate");
  if (call.has(1) && call[1].is_none()) {
    for (Value& array : arrays.as<List>()->items) array = run(call, "torch.flatten", {array});
    return into(call, 2, array_of(call, kOp.view(), {arrays}));
  }
  const std::int64_t axis = call.integer(1, 0);
  (kIsNew ? check_stacked : check_joined)(call, shapes_of(arrays), axis);
  return into(call, 2, array_of(call, kOp.view(), {arrays, int_value(axis)}));
}
template <OpName kOp>
Value stacked_arrays(MethodCall& call) {
  const Value arrays = several(call, dtype_argument(call, 1));
  std::vector<Shape> shapes = shapes_of(arrays);
  constexpr std::size_t kLeast = kOp.view() == "torch.vstack" ? 2 : kOp.view() == "torch.hstack" ? 1 : 0;
  for (Shape& shape : shapes)
    while (shape.size() < kLeast) shape.insert(shape.begin(), 1);
  if (kLeast > 0) check_joined(call, shapes, kLeast == 1 && shapes[0].size() > 1 ? 1 : 0);
  return array_of(call, kOp.view(), {arrays});
}

// np.sign keeps nan, torch.sign makes it 0.
Value numpy_sign(MethodCall& call) {
  const Value made = elementwise<"torch.sign", numbers>(call);
  if (made.as<Array>() && is_floating(array_type(made)))
    run(call, "Tensor.masked_fill_",
        {made.as<Array>()->tensor, run(call, "torch.isnan", {array_argument(call)}), Value(std::nan(""))});
  return made;
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
  const Value repeats = as_index(call[1]) ? call[1] : Value(array_argument(call, 1).as<Array>()->tensor);
  return array_of(call, "torch.repeat_interleave", {x, repeats, int_value(call[2].is_none() ? 0 : call.integer(2))});
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
  const Shape &rows = array_tensor(a).shape(), &columns = array_tensor(b).shape();
  const std::size_t inner = columns.size() < 2 ? 0 : columns.size() - 2;
  if (!is_scaling && rows.back() != columns[inner])
    call.fail(Code::Value, fmt::format("shapes {} and {} not aligned: {} (dim {}) != {} (dim {})", numpy_shape(rows),
                                       numpy_shape(columns), rows.back(), rows.size() - 1, columns[inner], inner));
  if (columns.size() > 2) throw unsupported(call.given.span, "unsupported.numpy.dot");
  if (!is_scaling) return into(call, 2, apply_binary(call.interpreter, BinaryOp::MatMul, a, b, spans));
  const auto one_row = [](const Value& x) { return Array(make<TensorObject>(reshape(array_tensor(x), {-1}))); };
  const DType common = numpy_promote(one_row(a), one_row(b));  // of a number, too, only the type counts
  const Value product = run(call, "torch.mul", {wide_operand(a, common), wide_operand(b, common)});
  return into(call, 2, narrow_result(product, common));
}
Value outer(MethodCall& call) {
  const Value a = array_of(call, "torch.flatten", {array_argument(call, 0)});
  const Value b = array_of(call, "torch.flatten", {array_argument(call, 1)});
  const DType common = numpy_promote(*a.as<Array>(), *b.as<Array>());
  return into(call, 2,
              narrow_result(run(call, "torch.outer", {wide_operand(a, common), wide_operand(b, common)}), common));
}

// ---- order, questions, conversions ----

Value argsort(MethodCall& call) {
  with_axes(call);
  const bool is_flat = call.has(1) && call[1].is_none();
  const Value array = is_flat ? array_of(call, "torch.flatten", {numbers(call)}) : numbers(call);
  const Value axis = int_value(is_flat ? -1 : call.integer(1, -1));
  refuse_given(call, 3, "order");
  if (call.has(2) && str(call[2]) == "heapsort") refuse_given(call, 2, "kind");
  const Value stable = array_of(call, "torch.argsort", {array}, {{"dim", axis}, {"stable", Value(true)}});
  if (call.has(2) && str(call[2]) != "quicksort") return stable;
  // Without equal elements there is one order, and the op is recorded.
  const Tensor order = quicksort_order(array_tensor(array), *as_index(axis));
  return equal(order, array_tensor(stable)) ? stable : make_array(order);
}
Value numpy_sort(MethodCall& call) {
  with_axes(call);
  refuse_given(call, 3, "order");  // every kind= gives the same numbers
  Value x = numbers(call);
  const bool has_axis = !call.has(1) || !call[1].is_none();
  if (!has_axis) x = array_of(call, "torch.flatten", {x});
  const Value sorted = run(call, "torch.sort", {x, int_value(has_axis ? call.integer(1, -1) : 0)});
  return narrow_result(sorted.as<Tuple>()->items[0], array_type(array_argument(call)));
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
  const bool by_columns = column_major(call, 2);
  refuse_given(call, 3, "casting");
  const bool copies = !call.has(5) || truthy(call[5]);
  if (!copies && !by_columns && dtype == array_type(x)) return x;
  return make_array(laid_out(call, 2, cast(array_tensor(x), dtype), array_tensor(x)), x.as<Array>()->is_scalar);
}
Value tolist(MethodCall& call) { return run(call, "Tensor.tolist", {array_argument(call)}); }
Value item_array(MethodCall& call) {
  const Value x = array_argument(call);
  if (call.given.positional.size() > 1) {
    const std::vector<Value> places(call.given.positional.begin() + 1, call.given.positional.end());
    const bool is_flat = places.size() == 1 && as_index(places[0]);
    const Value from = is_flat ? make_array(reshape(array_tensor(x), {-1})) : x;
    const Value index = places.size() == 1 ? places[0] : make_tuple(places);
    const Value found = array_item(call.interpreter, from, index, {call.given.span, call.span(0), call.span(1)});
    return from_scalar(item(array_tensor(found)));
  }
  if (array_tensor(x).numel() != 1) call.fail(Code::Value, "can only convert an array of size 1 to a Python scalar");
  return from_scalar(item(array_tensor(x)));
}
Value copy(MethodCall& call) {
  const Value x = array_argument(call);
  const Tensor own = cast(contiguous(array_tensor(x)), array_type(x));
  return make_array(in_order(own, column_major(call, 1)), x.as<Array>()->is_scalar);
}
/// The bytes of the elements, the lowest first.
Value tobytes(MethodCall& call) {
  const Tensor& x = array_tensor(array_argument(call));
  check_length(static_cast<std::size_t>(x.numel() * size_of(x.dtype())));
  return make_bytes(element_bytes(column_major(call, 1) ? numpy_T(x) : x));
}
Value fill(MethodCall& call) {
  call.interpreter.require_effects("wrong_cell.write", call.given.span);
  const Span span = call.given.span;
  set_array_item(call.interpreter, call[0], make<EllipsisObject>(), call[1], {span, span, span});
  return {};
}
// numpy asks what it is given for these two: of a tensor they are the tensor's own.
Value ndim(MethodCall& call) {
  if (const TensorObject* given = call[0].as<TensorObject>()) return Value(given->tensor.dim());
  return Value(array_tensor(array_argument(call)).dim());
}
Value size(MethodCall& call) { return Value(array_tensor(array_argument(call)).numel()); }
Value shape(MethodCall& call) {
  if (const TensorObject* given = call[0].as<TensorObject>()) return make_size(given->tensor.shape(), &given->axes);
  return size_value(array_tensor(array_argument(call)).shape());
}
Value dtype(MethodCall& call) { return dtype_value(numpy_dtype(call[0], call.span(0))); }

// In numpy's order; where a parameter is not known here, the function refuses it.
constexpr const char *kUnary = "x out where", *kBinary = "x1 x2 out where",
                     *kSum = "a axis dtype out keepdims initial where", *kExtreme = "a axis out keepdims initial where",
                     *kPlaceNames = "a axis out keepdims", *kQuestion = "a axis out keepdims where",
                     *kSpreadNames = "a axis dtype out ddof keepdims where";

constexpr Method kNumpyFunctions[] = {
    {"array", 1, 2, array, "object dtype copy order subok ndmin like"},
    {"asarray", 1, 3, asarray, "a dtype order"},
    {"load", 1, 3, numpy_load, "file mmap_mode allow_pickle"},
    {"zeros", 1, 3, numpy_filled<0>, "shape dtype order"},
    {"ones", 1, 3, numpy_filled<1>, "shape dtype order"},
    {"empty", 1, 3, numpy_filled<0>, "shape dtype order"},
    {"full", 2, 3, full_array, "shape fill_value dtype"},
    {"zeros_like", 1, 2, numpy_filled_like<0>, "a dtype"},
    {"ones_like", 1, 2, numpy_filled_like<1>, "a dtype"},
    {"empty_like", 1, 2, numpy_filled_like<0>, "a dtype"},
    {"full_like", 2, 3, full_like, "a fill_value dtype"},
    {"eye", 1, 4, eye_array, "N M k dtype"},
    {"identity", 1, 2, identity, "n dtype"},
    {"arange", 1, 4, arange_array, "start stop step dtype"},
    {"linspace", 2, 6, linspace_array, "start stop num endpoint retstep dtype"},
    {"sqrt", 1, 2, kFloats<"torch.sqrt">, kUnary},
    {"exp", 1, 2, kFloats<"torch.exp">, kUnary},
    {"log", 1, 2, kFloats<"torch.log">, kUnary},
    {"log2", 1, 2, kFloats<"torch.log2">, kUnary},
    {"log10", 1, 2, kFloats<"torch.log10">, kUnary},
    {"log1p", 1, 2, kFloats<"torch.log1p">, kUnary},
    {"expm1", 1, 2, kFloats<"torch.expm1">, kUnary},
    {"sin", 1, 2, kFloats<"torch.sin">, kUnary},
    {"cos", 1, 2, kFloats<"torch.cos">, kUnary},
    {"tan", 1, 2, kFloats<"torch.tan">, kUnary},
    {"arcsin", 1, 2, kFloats<"torch.asin">, kUnary},
    {"arccos", 1, 2, kFloats<"torch.acos">, kUnary},
    {"arctan", 1, 2, kFloats<"torch.atan">, kUnary},
    {"sinh", 1, 2, kFloats<"torch.sinh">, kUnary},
    {"cosh", 1, 2, kFloats<"torch.cosh">, kUnary},
    {"tanh", 1, 2, kFloats<"torch.tanh">, kUnary},
    {"exp2", 1, 2, kFloats<"torch.exp2">, kUnary},
    {"floor", 1, 2, kFloats<"torch.floor">, kUnary},
    {"ceil", 1, 2, kFloats<"torch.ceil">, kUnary},
    {"trunc", 1, 2, kFloats<"torch.trunc">, kUnary},
    {"fix", 1, 2, kFloats<"torch.trunc">, kUnary},
    {"rint", 1, 2, kFloats<"torch.round">, kUnary},
    {"isnan", 1, 2, kFloats<"torch.isnan">, kUnary},
    {"isinf", 1, 2, kFloats<"torch.isinf">, kUnary},
    {"isfinite", 1, 2, kFloats<"torch.isfinite">, kUnary},
    {"square", 1, 2, elementwise<"torch.square", numbers>, kUnary},
    {"negative", 1, 2, elementwise<"torch.neg", numbers>, kUnary},
    {"sign", 1, 2, numpy_sign, kUnary},
    {"abs", 1, 2, absolute<"torch.abs">, kUnary},
    {"absolute", 1, 2, absolute<"torch.abs">, kUnary},
    {"divide", 2, 3, numpy_binary<BinaryOp::Div>, kBinary},
    {"true_divide", 2, 3, numpy_binary<BinaryOp::Div>, kBinary},
    {"floor_divide", 2, 3, numpy_binary<BinaryOp::FloorDiv>, kBinary},
    {"mod", 2, 3, numpy_binary<BinaryOp::Mod>, kBinary},
    {"remainder", 2, 3, numpy_binary<BinaryOp::Mod>, kBinary},
    {"bitwise_and", 2, 3, numpy_binary<BinaryOp::BitAnd>, kBinary},
    {"bitwise_or", 2, 3, numpy_binary<BinaryOp::BitOr>, kBinary},
    {"bitwise_xor", 2, 3, numpy_binary<BinaryOp::BitXor>, kBinary},
    {"power", 2, 3, numpy_binary<BinaryOp::Pow>, kBinary},
    {"matmul", 2, 3, numpy_binary<BinaryOp::MatMul>, kBinary},
    {"dot", 2, 3, numpy_dot, "a b out"},
    {"outer", 2, 3, outer, "a b out"},
    {"maximum", 2, 3, larger<"torch.maximum">, kBinary},
    {"minimum", 2, 3, larger<"torch.minimum">, kBinary},
    {"equal", 2, 3, numpy_compare<CompareOp::Equal>, kBinary},
    {"not_equal", 2, 3, numpy_compare<CompareOp::NotEqual>, kBinary},
    {"less", 2, 3, numpy_compare<CompareOp::Less>, kBinary},
    {"less_equal", 2, 3, numpy_compare<CompareOp::LessEqual>, kBinary},
    {"greater", 2, 3, numpy_compare<CompareOp::Greater>, kBinary},
    {"greater_equal", 2, 3, numpy_compare<CompareOp::GreaterEqual>, kBinary},
    {"clip", 3, 4, clip, "a a_min a_max out"},
    {"round", 1, 2, round_array, "a decimals"},
    {"around", 1, 2, round_array, "a decimals"},
    {"where", 1, 3, where_array},
    {"sum", 1, 7, summation<"op.numpy_sum">, kSum},
    {"mean", 1, 5, summation<"op.numpy_mean">, "a axis dtype out keepdims where"},
    {"max", 1, 6, numpy_extreme<"torch.amax">, kExtreme},
    {"amax", 1, 6, numpy_extreme<"torch.amax">, kExtreme},
    {"min", 1, 6, numpy_extreme<"torch.amin">, kExtreme},
    {"amin", 1, 6, numpy_extreme<"torch.amin">, kExtreme},
    {"prod", 1, 7, product, kSum},
    {"any", 1, 4, along_axis<"torch.any">, kQuestion},
    {"all", 1, 4, along_axis<"torch.all">, kQuestion},
    {"argmax", 1, 3, along_axis<"torch.argmax">, kPlaceNames},
    {"argmin", 1, 3, along_axis<"torch.argmin">, kPlaceNames},
    {"std", 1, 6, deviation, kSpreadNames},
    {"var", 1, 6, variance, kSpreadNames},
    {"cumsum", 1, 4, running<"torch.cumsum">, "a axis dtype out"},
    {"cumprod", 1, 4, running<"torch.cumprod">, "a axis dtype out"},
    {"reshape", 1, kAnyNumber, reshape_array, "**"},
    {"transpose", 1, kAnyNumber, transpose_array, "a axes"},
    {"expand_dims", 2, 2, expand_dims, "a axis"},
    {"squeeze", 1, 2, squeeze_array, "a axis"},
    {"swapaxes", 3, 3, swapaxes, "a axis1 axis2"},
    {"broadcast_to", 2, 2, broadcast_array, "array shape"},
    {"flatten", 1, 2, flatten_array, "a order"},
    {"ravel", 1, 2, ravel, "a order"},
    {"concatenate", 1, 3, joined_along<"torch.cat">, "arrays axis out dtype"},
    {"stack", 1, 3, joined_along<"torch.stack">, "arrays axis out dtype"},
    {"vstack", 1, 1, stacked_arrays<"torch.vstack">, "tup dtype"},
    {"hstack", 1, 1, stacked_arrays<"torch.hstack">, "tup dtype"},
    {"triu", 1, 2, triangle<"torch.triu">, "m k"},
    {"tril", 1, 2, triangle<"torch.tril">, "m k"},
    {"tile", 2, 2, tile, "A reps"},
    {"repeat", 2, 3, repeat_array, "a repeats axis"},
    {"flip", 1, 2, numpy_flip, "m axis"},
    {"diag", 1, 2, numpy_diagonal<"torch.diag">, "v k"},
    {"diagonal", 1, 2, numpy_diagonal<"torch.diagonal">, "a offset"},
    {"trace", 1, 1, numpy_trace},
    {"argsort", 1, 4, argsort, "a axis kind order"},
    {"sort", 1, 4, numpy_sort, "a axis kind order"},
    {"allclose", 2, 5, allclose_arrays, "a b rtol atol equal_nan"},
    {"array_equal", 2, 2, array_equal},
    {"astype", 2, 6, astype, "a dtype order casting subok copy"},
    {"tolist", 1, 1, tolist},
    {"item", 1, kAnyNumber, item_array},
    {"copy", 1, 2, copy, "a order"},
    {"tobytes", 1, 2, tobytes, "a order"},
    {"fill", 2, 2, fill},
    {"ndim", 1, 1, ndim},
    {"size", 1, 1, size},
    {"shape", 1, 1, shape},
    {"dtype", 1, 1, dtype},
    {"array2string", 1, 5, array2string,
     "a max_line_width precision suppress_small separator prefix threshold edgeitems"},
    {"get_printoptions", 0, 0, get_printoptions},
    {"set_printoptions", 0, 7, set_printoptions,
     "precision threshold edgeitems linewidth suppress floatmode formatter"},
};

}  // namespace

std::span<const Method> numpy_functions() { return kNumpyFunctions; }

}  // namespace attn
