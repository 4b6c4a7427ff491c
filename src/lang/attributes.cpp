// What stands after a dot: members of modules, properties and methods of tensors, layers and containers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/diagnostic.h"
#include "base/number.h"
#include "base/text.h"
#include "lang/array.h"
#include "lang/class.h"
#include "lang/collections.h"
#include "lang/elsewhere.h"
#include "lang/evaluator.h"
#include "lang/exceptions.h"
#include "lang/layer.h"
#include "lang/library.h"
#include "lang/object_builtins.h"
#include "lang/op.h"
#include "lang/operators.h"
#include "lang/record.h"
#include "lang/torch_functions.h"

namespace attn {
namespace {

constexpr std::string_view kModules[] = {"torch",
                                         "torch.nn",
                                         "torch.nn.functional",
                                         "torch.nn.init",
                                         "torch.nn.parameter",
                                         "torch.functional",
                                         "torch.linalg",
                                         "torch.autograd",
                                         "torch.special",
                                         "torch.random",
                                         "torch.cuda",
                                         "torch.backends",
                                         "torch.backends.cuda",
                                         "torch.backends.mps",
                                         "math",
                                         "typing",
                                         "dataclasses",
                                         "copy",
                                         "collections",
                                         "__future__"};

struct Named {
  std::string_view name;
  Value value;
};

// Members of modules that are values and not functions.
const std::vector<Named>& constants() {
  constexpr double kPi = 3.141592653589793, kE = 2.718281828459045;
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  auto dtype = [](DType type) { return Value(make<DTypeObject>(type)); };
  const OutsideHeap outside;  // they outlive the run that asks first
  thread_local const std::vector<Named> table = {
      {"torch.float32", dtype(DType::Float32)},
      {"torch.float", dtype(DType::Float32)},
      {"torch.float64", dtype(DType::Float64)},
      {"torch.double", dtype(DType::Float64)},
      {"torch.int64", dtype(DType::Int64)},
      {"torch.long", dtype(DType::Int64)},
      {"torch.bool", dtype(DType::Bool)},
      {"torch.int32", dtype(DType::Int32)},
      {"torch.int", dtype(DType::Int32)},
      {"torch.int16", dtype(DType::Int16)},
      {"torch.short", dtype(DType::Int16)},
      {"torch.int8", dtype(DType::Int8)},
      {"torch.uint8", dtype(DType::UInt8)},
      {"torch.float16", dtype(DType::Float16)},
      {"torch.half", dtype(DType::Float16)},
      {"torch.bfloat16", dtype(DType::BFloat16)},
      {"torch.pi", Value(kPi)},
      {"torch.e", Value(kE)},
      {"torch.inf", Value(kInf)},
      {"torch.nan", Value(kNan)},
      {"math.pi", Value(kPi)},
      {"math.e", Value(kE)},
      {"math.inf", Value(kInf)},
      {"math.nan", Value(kNan)},
      {"math.tau", Value(2 * kPi)},
      {"torch.Tensor", make<TypeObject>("torch.Tensor")},
      {"torch.Size", make<TypeObject>("torch.Size")},
      {"torch.dtype", make<TypeObject>("torch.dtype")},
      {"torch.nn.parameter.Parameter", make<TypeObject>(std::string(kParameterPath))},
      {"torch.nn.Parameter", make<TypeObject>(std::string(kParameterPath))},
      {"torch.__version__", make_str("1.13.1")},
  };
  return table;
}

// ---- math ----

struct MathFunction {
  std::string_view name;
  double (*function)(double);
};
constexpr MathFunction kMath[] = {{"sqrt", std::sqrt},
                                  {"exp", std::exp},
                                  {"sin", std::sin},
                                  {"cos", std::cos},
                                  {"tan", std::tan},
                                  {"tanh", std::tanh},
                                  {"log2", std::log2},
                                  {"log10", std::log10},
                                  {"fabs", std::fabs},
                                  {"atan", std::atan},
                                  {"asin", std::asin},
                                  {"acos", std::acos},
                                  {"erf", std::erf},
                                  {"cbrt", std::cbrt},
                                  {"sinh", std::sinh},
                                  {"cosh", std::cosh},
                                  {"asinh", std::asinh},
                                  {"acosh", std::acosh},
                                  {"atanh", std::atanh},
                                  {"erfc", std::erfc},
                                  {"log1p", std::log1p},
                                  {"expm1", std::expm1},
                                  {"gamma", std::tgamma},
                                  {"lgamma", std::lgamma},
                                  {"degrees", [](double x) { return x * (180.0 / 3.141592653589793); }},
                                  {"radians", [](double x) { return x * (3.141592653589793 / 180.0); }}};

double real_argument(const CallArguments& arguments, std::size_t at) {
  const auto value = as_real(arguments.positional.at(at));
  if (!value && arguments.positional[at].as<TensorObject>())
    throw CellError(Code::Value, arguments.span, std::string(kNoScalar));
  if (!value)
    throw CellError(Code::Type, arguments.span,
                    fmt::format("must be real number, not {}", type_name(arguments.positional[at])));
  return *value;
}

void expect_arguments(const CallArguments& arguments, std::string_view name, std::size_t least, std::size_t most) {
  const std::size_t given = arguments.positional.size();
  if (given >= least && given <= most && arguments.keywords.empty()) return;
  if (least == 1 && most == 1)
    throw CellError(Code::Type, arguments.span,
                    fmt::format("math.{}() takes exactly one argument ({} given)", name, given));
  const bool too_few = given < least;
  throw CellError(Code::Type, arguments.span,
                  fmt::format("{} expected {}{} arguments, got {}", name,
                              least == most ? ""
                              : too_few     ? "at least "
                                            : "at most ",
                              too_few ? least : most, given));
}

Value math_result(double result, double argument, Span span) {
  if (std::isnan(result) && !std::isnan(argument)) throw CellError(Code::Value, span, "math domain error");
  if (std::isinf(result) && std::isfinite(argument)) throw python_error("OverflowError", span, "math range error");
  return Value(result);
}

Value math_log(Interpreter&, CallArguments& arguments) {
  expect_arguments(arguments, "log", 1, 2);
  const double x = real_argument(arguments, 0);
  if (x <= 0) throw CellError(Code::Value, arguments.span, "math domain error");
  if (arguments.positional.size() == 1) return Value(std::log(x));
  return Value(std::log(x) / std::log(real_argument(arguments, 1)));
}

Value math_pow(Interpreter&, CallArguments& arguments) {
  expect_arguments(arguments, "pow", 2, 2);
  return math_result(std::pow(real_argument(arguments, 0), real_argument(arguments, 1)), 0, arguments.span);
}

template <double (*Round)(double)>
Value math_round(Interpreter&, CallArguments& arguments) {
  expect_arguments(arguments, "floor", 1, 1);
  if (arguments.positional[0].as_int()) return arguments.positional[0];
  const double result = Round(real_argument(arguments, 0));
  if (std::isnan(result)) throw CellError(Code::Value, arguments.span, "cannot convert float NaN to integer");
  if (std::isinf(result))
    throw python_error("OverflowError", arguments.span, "cannot convert float infinity to integer");
  if (!(std::fabs(result) < 9e18)) throw CellError(Code::Unsupported, arguments.span, "an int beyond 64 bits");
  return Value(static_cast<std::int64_t>(result));
}

template <bool (*Test)(double)>
Value math_test(Interpreter&, CallArguments& arguments) {
  expect_arguments(arguments, "isnan", 1, 1);
  return Value(Test(real_argument(arguments, 0)));
}
bool is_nan(double x) { return std::isnan(x); }
bool is_inf(double x) { return std::isinf(x); }
bool is_finite(double x) { return std::isfinite(x); }

Value math_isclose(Interpreter&, CallArguments& arguments) {
  double rel_tol = 1e-9, abs_tol = 0;
  for (const auto& [name, value] : arguments.keywords)
    (name == "rel_tol" ? rel_tol : abs_tol) = as_real(value).value_or(0);
  const double a = real_argument(arguments, 0), b = real_argument(arguments, 1);
  return Value(a == b || std::fabs(a - b) <= std::max(rel_tol * std::max(std::fabs(a), std::fabs(b)), abs_tol));
}

Value math_prod(Interpreter& interpreter, CallArguments& arguments) {
  Value product(std::int64_t{1});
  for (const auto& [name, value] : arguments.keywords) {
    if (name != "start")
      throw CellError(Code::Type, arguments.span, fmt::format("'{}' is an invalid keyword argument for prod()", name));
    product = value;
  }
  if (arguments.positional.size() != 1)
    throw CellError(Code::Type, arguments.span,
                    fmt::format("prod() takes exactly 1 positional argument ({} given)", arguments.positional.size()));
  interpreter.for_each(arguments.positional[0], arguments.span, [&](const Value& factor) {
    const Span span = arguments.span;
    product = apply_binary(interpreter, BinaryOp::Mul, product, factor, {span, span, span});
    return true;
  });
  return product;
}

std::int64_t whole_argument(const CallArguments& arguments, std::size_t at) {
  const Value& value = arguments.positional.at(at);
  if (const auto number = as_index(value)) return *number;
  throw CellError(Code::Type, arguments.span,
                  fmt::format("'{}' object cannot be interpreted as an integer", type_name(value)));
}

Value math_gcd(Interpreter&, CallArguments& arguments) {
  std::int64_t result = 0;
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) result = std::gcd(result, whole_argument(arguments, i));
  return Value(result);
}

// n (n - 1) ... (n - count + 1), divided by count! where `divide` says so.
std::int64_t falling_product(std::int64_t n, std::int64_t count, bool divide, Span span) {
  std::int64_t result = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto product = checked_mul(result, divide ? n - count + 1 + i : n - i);
    if (!product) throw CellError(Code::Unsupported, span, "an int beyond 64 bits");
    result = divide ? *product / (i + 1) : *product;
  }
  return result;
}

Value math_factorial(Interpreter&, CallArguments& arguments) {
  expect_arguments(arguments, "factorial", 1, 1);
  const std::int64_t n = whole_argument(arguments, 0);
  if (n < 0) throw CellError(Code::Value, arguments.span, "factorial() not defined for negative values");
  return Value(falling_product(n, n, false, arguments.span));
}

template <bool Divide>
Value math_choices(Interpreter&, CallArguments& arguments) {
  expect_arguments(arguments, Divide ? "comb" : "perm", 2, 2);
  const std::int64_t n = whole_argument(arguments, 0), k = whole_argument(arguments, 1);
  if (n < 0) throw CellError(Code::Value, arguments.span, "n must be a non-negative integer");
  if (k < 0) throw CellError(Code::Value, arguments.span, "k must be a non-negative integer");
  if (k > n) return Value(std::int64_t{0});
  return Value(falling_product(n, Divide ? std::min(k, n - k) : k, Divide, arguments.span));
}

Value math_isqrt(Interpreter&, CallArguments& arguments) {
  expect_arguments(arguments, "isqrt", 1, 1);
  const std::int64_t n = whole_argument(arguments, 0);
  if (n < 0) throw CellError(Code::Value, arguments.span, "isqrt() argument must be nonnegative");
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
  while (root > 0 && root > n / root) --root;
  while ((root + 1) <= n / (root + 1)) ++root;
  return Value(root);
}

template <double (*Function)(double, double)>
Value math_two(Interpreter&, CallArguments& arguments) {
  expect_arguments(arguments, "function", 2, 2);
  return Value(Function(real_argument(arguments, 0), real_argument(arguments, 1)));
}

constexpr NativeRow kMathOthers[] = {{"gcd", math_gcd},
                                     {"factorial", math_factorial},
                                     {"comb", math_choices<true>},
                                     {"perm", math_choices<false>},
                                     {"isqrt", math_isqrt},
                                     {"atan2", math_two<std::atan2>},
                                     {"hypot", math_two<std::hypot>},
                                     {"copysign", math_two<std::copysign>},
                                     {"fmod", math_two<std::fmod>},
                                     {"log", math_log},
                                     {"pow", math_pow},
                                     {"floor", math_round<std::floor>},
                                     {"ceil", math_round<std::ceil>},
                                     {"trunc", math_round<std::trunc>},
                                     {"isnan", math_test<is_nan>},
                                     {"isinf", math_test<is_inf>},
                                     {"isfinite", math_test<is_finite>},
                                     {"isclose", math_isclose},
                                     {"prod", math_prod}};

bool math_member(const std::string& name, Value& out) {
  for (const MathFunction& row : kMath) {
    if (row.name != name) continue;
    auto native = [row](Interpreter&, CallArguments& arguments) {
      expect_arguments(arguments, row.name, 1, 1);
      const double x = real_argument(arguments, 0);
      return math_result(row.function(x), x, arguments.span);
    };
    out = make<Builtin>(name, native);
    return true;
  }
  for (const NativeRow& row : kMathOthers) {
    if (row.name != name) continue;
    out = make<Builtin>(name, row.function);
    return true;
  }
  return false;
}

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
    {"grad", [](const TensorObject&) { return Value(); }},
    {"grad_fn", [](const TensorObject& t) { return t.grad_fn.empty() ? Value() : make_str("<" + t.grad_fn + ">"); }},
};

// Properties that are views and so are recorded like ops.
constexpr std::string_view kViewProperties[] = {"T", "mT"};

bool tensor_attribute(Interpreter& interpreter, const Value& object, const std::string& name, Span object_span,
                      Span span, Value& out) {
  const TensorObject& tensor = *object.as<TensorObject>();
  for (const TensorProperty& property : kTensorProperties) {
    if (property.name == name) return out = property.get(tensor), true;
  }
  if (name == "numpy") {
    out =
        make<Builtin>(name, [object](Interpreter&, CallArguments& call) { return tensor_to_numpy(object, call.span); });
    return true;
  }
  if (name == "data") return out = call_named_op(interpreter, "Tensor.detach", {object}, {object_span}, span), true;
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

// Python's order: properties of the class, plain attributes, other members of the class; what the layer has registered
// and what every layer has come last.
bool layer_member(Interpreter& interpreter, const Value& object, const std::string& name, Span span, Value& out) {
  const Layer& layer = *object.as<Layer>();
  ClassObject* type = layer.type.as<ClassObject>();
  const Value* member = type ? type->find(name) : nullptr;
  const Wrapped* wrapped = member ? member->as<Wrapped>() : nullptr;
  const bool is_property = wrapped && wrapped->how == Wrapped::How::Property;
  const LayerMember* own = layer.member(name);
  if (own && own->role == Role::Setting && !is_property) return out = own->value, true;
  if (member) return out = bind_member(interpreter, *member, object, Ref<ClassObject>(type), span), true;
  if (type && name == "__class__") return out = layer.type, true;
  if (layer_attribute(interpreter, object.ref<Layer>(), name, out)) return true;
  return call_special(object, "__getattr__", {make_str(name)}, out);
}

std::vector<std::string> known_names(const Value& object) {
  if (const Module* module = object.as<Module>()) return module_member_names(*module);
  std::vector<std::string> names = container_method_names(object);
  if (object.as<TensorObject>()) {
    names = names_under("Tensor.");
    for (const TensorProperty& property : kTensorProperties) names.emplace_back(property.name);
  }
  if (const Layer* layer = object.as<Layer>()) names = layer_attribute_names(*layer);
  if (const Instance* instance = object.as<Instance>()) {
    for (const auto& item : instance->attributes.items) names.push_back(item.first);
  }
  if (const ClassObject* type = object.as<ClassObject>() ? object.as<ClassObject>() : class_of(object)) {
    for (const Value& base : type->order) {
      for (const auto& item : base.as<ClassObject>()->members.items) names.push_back(item.first);
    }
  }
  return names;
}

}  // namespace

bool find_module(const std::string& name, Value& out) {
  const bool is_known = std::find(std::begin(kModules), std::end(kModules), name) != std::end(kModules);
  if (!is_known && !is_library(name)) return false;
  out = make<Module>(name);
  return true;
}

bool module_member(const Module& module, const std::string& name, Value& out) {
  const std::string path = module.name + "." + name;
  if (find_module(path, out)) return true;
  for (const Named& constant : constants()) {
    if (constant.name == path) return out = constant.value, true;
  }
  if (is_library(module.name)) return library_member(module.name, name, out);
  if (module.name == "math") return math_member(name, out);
  if (module.name == "collections") return collections_member(name, out);
  for (const auto rows : {object_functions(), torch_functions()}) {
    for (const NativeRow& row : rows) {
      if (row.name == path) return out = make<Builtin>(name, row.function), true;
    }
  }
  if (module.name == "__future__") return out = Value(true), true;         // what it turns on is on here
  if (module.name == "typing") return out = make<TypeObject>(path), true;  // only annotations read them
  if (module.name == "torch.nn" && find_layer(name)) {
    out = make<TypeObject>(std::string(find_layer(name)->path));
    return true;
  }
  const OpInfo* op = find_op(path);
  if (op) out = make<Builtin>(name, op);
  return op != nullptr;
}

std::vector<std::string> module_member_names(const Module& module) {
  std::vector<std::string> names = names_under(module.name + ".");
  const std::string prefix = module.name + ".";
  for (const Named& constant : constants()) {
    if (constant.name.starts_with(prefix)) names.emplace_back(constant.name.substr(prefix.size()));
  }
  for (const NativeRow& row : torch_functions()) {
    const std::size_t dot = row.name.rfind('.') + 1;
    if (row.name.substr(0, dot) == prefix) names.emplace_back(row.name.substr(dot));
  }
  for (std::string& library_name : library_names(module.name)) names.push_back(std::move(library_name));
  if (module.name == "torch.nn") {
    for (const LayerInfo& layer : all_layers()) names.emplace_back(layer.name);
  }
  if (module.name == "math") {
    for (const MathFunction& row : kMath) names.emplace_back(row.name);
    for (const NativeRow& row : kMathOthers) names.emplace_back(row.name);
  }
  return names;
}

namespace {

Value text_or_none(const std::string& text) { return text.empty() ? Value() : make_str(text); }

bool function_attribute(const Function& function, const std::string& name, Value& out) {
  if (name == "__name__") return out = make_str(function.name), true;
  if (name == "__qualname__") return out = make_str(function.qualified_name), true;
  if (name == "__doc__") return out = text_or_none(function.doc), true;
  if (name == "__module__") return out = make_str("__main__"), true;
  if (name == "__defaults__") {
    std::vector<Value> defaults;
    for (std::size_t i = 0; i < function.defaults.size(); ++i) {
      const bool is_plain = (*function.parameters)[i].kind == ParameterKind::Plain;
      if (is_plain && function.has_default[i]) defaults.push_back(function.defaults[i]);
    }
    return out = defaults.empty() ? Value() : make_tuple(std::move(defaults)), true;
  }
  const Dict* own = function.attributes.as<Dict>();
  const Value* held = own ? own->find(make_str(name)) : nullptr;
  if (held) out = *held;
  return held != nullptr;
}

// str.upper: the method as a function of its object.
bool unbound_method(const std::string& type, const std::string& name, Value& out) {
  const Value samples[] = {make_str(""), make_list({}), make_tuple({}), Value(make<Dict>()), Value(make<Set>())};
  for (const Value& sample : samples) {
    Value ignored;
    if (type_name(sample) != type || !container_method(sample, name, ignored)) continue;
    auto native = [type, name](Interpreter& interpreter, CallArguments& arguments) {
      if (arguments.positional.empty() || type_name(arguments.positional[0]) != type) {
        const std::string given = arguments.positional.empty()
                                      ? fmt::format("unbound method {}.{}() needs an argument", type, name)
                                      : fmt::format("descriptor '{}' for '{}' objects doesn't apply to a '{}' object",
                                                    name, type, type_name(arguments.positional[0]));
        throw CellError(Code::Type, arguments.span, given);
      }
      CallArguments rest = arguments;
      rest.positional.erase(rest.positional.begin());
      if (!rest.spans.empty()) rest.spans.erase(rest.spans.begin());
      const Span span = arguments.span;
      return interpreter.call(get_attribute(interpreter, arguments.positional[0], name, span, span), rest);
    };
    return out = make<Builtin>(name, native), true;
  }
  return false;
}

// dict.fromkeys(keys, value)
Value from_keys(Interpreter& interpreter, CallArguments& arguments) {
  Ref<Dict> out = make<Dict>();
  const Value value = arguments.positional.size() > 1 ? arguments.positional[1] : Value();
  interpreter.for_each(arguments.positional.at(0), arguments.span,
                       [&](const Value& key) { return out->set(key, value), true; });
  return out;
}

// _fields, _asdict() and _replace(x=5) of a namedtuple.
bool named_tuple_attribute(const Tuple& tuple, const std::string& name, Value& out) {
  if (name == "_fields") {
    std::vector<Value> fields;
    for (const std::string& field : tuple.fields) fields.push_back(make_str(field));
    return out = make_tuple(std::move(fields)), true;
  }
  if (name != "_asdict" && name != "_replace") return false;
  const Ref<Tuple> self(const_cast<Tuple*>(&tuple));
  if (name == "_asdict") {
    out = make<Builtin>(name, [self](Interpreter&, CallArguments&) {
      Ref<Dict> dict = make<Dict>();
      for (std::size_t i = 0; i < self->items.size(); ++i) dict->set(make_str(self->fields[i]), self->items[i]);
      return Value(dict);
    });
    return true;
  }
  out = make<Builtin>(name, [self](Interpreter&, CallArguments& arguments) {
    Ref<Tuple> changed = make<Tuple>(self->items);
    changed->type_name = self->type_name;
    changed->fields = self->fields;
    for (const auto& [field, value] : arguments.keywords) {
      const auto place = std::find(self->fields.begin(), self->fields.end(), field);
      if (place == self->fields.end())
        throw CellError(Code::Value, arguments.span, fmt::format("Got unexpected field names: ['{}']", field));
      changed->items[static_cast<std::size_t>(place - self->fields.begin())] = value;
    }
    return Value(changed);
  });
  return true;
}

// Attributes of functions, types, ranges, slices and numbers that cells ask for now and then.
bool plain_attribute(const Value& object, const std::string& name, Value& out) {
  if (const Function* function = object.as<Function>()) return function_attribute(*function, name, out);
  const Builtin* builtin = object.as<Builtin>();
  if (builtin && (name == "__name__" || name == "__qualname__")) return out = make_str(builtin->name), true;
  if (const BoundMethod* method = object.as<BoundMethod>()) {
    if (name == "__self__") return out = method->self, true;
    if (name == "__func__") return out = method->function, true;
    return plain_attribute(method->function, name, out);
  }
  if (const Range* range = object.as<Range>()) {
    const std::pair<std::string_view, std::int64_t> parts[] = {
        {"start", range->start}, {"stop", range->stop}, {"step", range->step}};
    for (const auto& [part, value] : parts) {
      if (part == name) return out = Value(value), true;
    }
  }
  if (const Slice* slice = object.as<Slice>()) {
    const std::pair<std::string_view, Value> parts[] = {
        {"start", slice->start}, {"stop", slice->stop}, {"step", slice->step}};
    for (const auto& [part, value] : parts) {
      if (part == name) return out = value, true;
    }
  }
  if ((object.as_int() || object.as_float()) && name == "real") return out = object, true;
  if (const double* real = object.as_float(); real && name == "is_integer") {
    const bool is_whole = std::isfinite(*real) && *real == std::floor(*real);
    return out = make<Builtin>(name, [is_whole](Interpreter&, CallArguments&) { return Value(is_whole); }), true;
  }
  if (const Int* number = object.as_int(); number && name == "bit_length") {
    std::int64_t bits = 0;
    for (auto rest = number->value < 0 ? 0 - static_cast<std::uint64_t>(number->value)
                                       : static_cast<std::uint64_t>(number->value);
         rest; rest >>= 1) {
      ++bits;
    }
    return out = make<Builtin>(name, [bits](Interpreter&, CallArguments&) { return Value(bits); }), true;
  }
  const TypeObject* type = object.as<TypeObject>();
  if (name == "fromkeys" && (object.as<Dict>() || (type && type->name == "dict")))
    return out = make<Builtin>(name, from_keys), true;
  return type && unbound_method(type->name, name, out);
}

// nn.Linear itself, not one that it made.
const LayerInfo* layer_of(const Value& object) {
  const TypeObject* type = object.as<TypeObject>();
  if (!type || !type->name.starts_with("torch.nn.modules.")) return nullptr;
  return find_layer(type->name.substr(type->name.rfind('.') + 1));
}

}  // namespace

std::vector<std::string> attribute_names(const Value& object) { return known_names(object); }

namespace {

std::string type_word(const TypeObject& type) { return type.name.substr(type.name.rfind('.') + 1); }

// What a library has that no row names.
[[noreturn]] void refuse_library(const Module& module, const std::string& name, Span span) {
  const std::string near = nearest(name, module_member_names(module));
  if (near.empty()) refuse_unknown(module.name + "." + name, span);
  throw CellError(Code::Unsupported, span, module.name + "." + name + " is not known here",
                  fmt::format("did you mean {}.{}?", module.name, near));
}

}  // namespace

Value get_attribute(Interpreter& interpreter, const Value& object, const std::string& name, Span object_span,
                    Span span) {
  Value out;
  bool found = false;
  if (const Module* module = object.as<Module>()) {
    if (module->is_elsewhere) refuse_unknown(module->name + "." + name, span);
    found = module_member(*module, name, out);
  } else if (object.as<TensorObject>()) {
    found = tensor_attribute(interpreter, object, name, object_span, span, out);
  } else if (object.as<Array>()) {
    found = array_attribute(interpreter, object, name, span, out);
  } else if (object.as<Quiet>()) {
    found = quiet_attribute(object, name, out);
  } else if (object.as<Layer>()) {
    found = layer_member(interpreter, object, name, span, out);
  } else if (class_attribute(interpreter, object, name, span, out)) {
    found = true;
  } else if (has_special(object, "__getattr__")) {
    found = call_special(object, "__getattr__", {make_str(name)}, out);
  } else if (const LayerInfo* layer = layer_of(object); layer && layer_class_attribute(*layer, name, out)) {
    return out;
  } else if (const TypeObject* type = object.as<TypeObject>(); type && name == "__name__") {
    return make_str(type->name.substr(type->name.rfind('.') + 1));
  } else if (plain_attribute(object, name, out)) {
    return out;
  } else if (const Record* record = object.as<Record>()) {
    if (const Value* field = record->find(name)) return *field;
  } else if (const Tuple* tuple = object.as<Tuple>(); tuple && !tuple->fields.empty()) {
    if (named_tuple_attribute(*tuple, name, out)) return out;
    const auto field = std::find(tuple->fields.begin(), tuple->fields.end(), name);
    found = field != tuple->fields.end();
    if (found) out = tuple->items[static_cast<std::size_t>(field - tuple->fields.begin())];
  }
  if (found || container_method(object, name, out)) return out;

  const Module* module = object.as<Module>();
  if (module) refuse_elsewhere(module->name + "." + name, span);
  if (module && is_library(module->name)) refuse_library(*module, name, span);
  if (object.as<Array>() || object.as<Quiet>())
    throw CellError(Code::Unsupported, span, fmt::format("{}.{} is not known here", type_name(object), name));
  if (object.as<TensorObject>()) refuse_elsewhere("Tensor." + name, span);
  const std::string owner =
      module                     ? fmt::format("module '{}'", module->name)
      : object.as<ClassObject>() ? fmt::format("type object '{}'", object.as<ClassObject>()->name)
      : object.as<TypeObject>()
          ? fmt::format("type object '{}'", type_word(*object.as<TypeObject>()))
          : fmt::format("'{}' object", object.as<Layer>() ? layer_name(*object.as<Layer>()) : type_name(object));
  const std::string near = nearest(name, known_names(object));
  const std::string_view written = interpreter.sources()[object_span.source].slice(object_span);
  throw CellError(
      Code::Attribute, span, fmt::format("{} has no attribute '{}'", owner, name),
      near.empty() ? "`attn-tutor ops` lists what is known here" : fmt::format("did you mean {}.{}?", written, near));
}

}  // namespace attn
