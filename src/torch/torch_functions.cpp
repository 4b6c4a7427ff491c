#include "torch/torch_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <limits>

#include "base/diagnostic.h"
#include "base/number.h"
#include "python/argument_count.h"
#include "python/types/record.h"
#include "tensor/core/print.h"
#include "text/say.h"
#include "text/unsupported.h"
#include "torch/generator.h"
#include "torch/lib.h"
#include "torch/numpy/array.h"
#include "torch/op.h"

namespace attn {
namespace {

/// The argument with that place or name; null when it is missing.
const Value* argument(const CallArguments& arguments, std::size_t place, std::string_view name) {
  if (place < arguments.positional.size()) return &arguments.positional[place];
  for (const auto& [keyword, value] : arguments.keywords)
    if (keyword == name) return &value;
  return nullptr;
}

void expect_keywords(const CallArguments& arguments, std::string_view function,
                     std::initializer_list<std::string_view> known) {
  for (const auto& [keyword, value] : arguments.keywords) {
    if (std::find(known.begin(), known.end(), keyword) != known.end()) continue;
    fail(Code::Type, arguments, fmt::format("{}() got an unexpected keyword argument '{}'", function, keyword));
  }
}

// ---- devices ----

constexpr std::string_view kDeviceTypes =
    "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, ort, xla, lazy, vulkan, mps, meta, hpu, "
    "privateuseone";

bool is_device_type(std::string_view type) {
  std::string_view rest = kDeviceTypes;
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(", "), rest.size());
    if (rest.substr(0, comma) == type) return true;
    rest.remove_prefix(std::min(comma + 2, rest.size()));
  }
  return false;
}

Value make_device(const std::string& type, std::optional<std::int64_t> index) {
  const std::string repr =
      index ? fmt::format("device(type='{}', index={})", type, *index) : fmt::format("device(type='{}')", type);
  Ref<Record> device = make<Record>("device", repr, index ? fmt::format("{}:{}", type, *index) : type);
  device->fields = {{"type", make_str(type)}, {"index", index ? Value(*index) : Value()}};
  return device;
}

Value no(Interpreter&, CallArguments&) { return Value(false); }
Value zero(Interpreter&, CallArguments&) { return Value(std::int64_t{0}); }

// ---- limits of numbers ----

struct FloatLimits {
  const char* name;
  std::int64_t bits;
  double resolution, max, eps, tiny;
};

Value float_limits(const FloatLimits& row) {
  const auto [name, bits, resolution, max, eps, tiny] = row;
  const auto text = [](double value) { return format_general(value, 6); };
  const std::string repr =
      fmt::format("finfo(resolution={}, min={}, max={}, eps={}, smallest_normal={}, tiny={}, dtype={})",
                  text(resolution), text(-max), text(max), text(eps), text(tiny), text(tiny), name);
  Ref<Record> limits = make<Record>("finfo", repr, repr);
  limits->fields = {{"min", Value(-max)},
                    {"max", Value(max)},
                    {"eps", Value(eps)},
                    {"tiny", Value(tiny)},
                    {"smallest_normal", Value(tiny)},
                    {"resolution", Value(resolution)},
                    {"bits", Value(bits)},
                    {"dtype", make_str(name)}};
  return limits;
}

const DTypeObject* limits_type(const CallArguments& arguments, const char* function) {
  expect_keywords(arguments, function, {"type"});
  const Value* given = argument(arguments, 0, "type");
  if (!given) return nullptr;
  if (const auto* dtype = given->as<DTypeObject>()) return dtype;
  fail(Code::Type, arguments,
       fmt::format("{}(): argument 'type' (position 1) must be torch.dtype, not {}", function, type_name(*given)));
}

Value finfo(Interpreter&, CallArguments& arguments) {
  const DTypeObject* dtype = limits_type(arguments, "finfo");
  if (dtype && !is_floating(dtype->dtype))
    fail(Code::Type, arguments,
         "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'");
  if (dtype && dtype->dtype == DType::Float16) return float_limits({"float16", 16, 1e-3, 65504, 0x1p-10, 0x1p-14});
  if (dtype && dtype->dtype == DType::BFloat16)
    return float_limits({"bfloat16", 16, 1e-2, 0x1.FEp127, 0x1p-7, 0x1p-126});
  const bool is_double = dtype && dtype->dtype == DType::Float64;
  return float_limits(is_double ? FloatLimits{"float64", 64, 1e-15, DBL_MAX, DBL_EPSILON, DBL_MIN}
                                : FloatLimits{"float32", 32, 1e-6, FLT_MAX, FLT_EPSILON, FLT_MIN});
}

Value iinfo(Interpreter&, CallArguments& arguments) {
  const DTypeObject* dtype = limits_type(arguments, "iinfo");
  if (!dtype) fail(Code::Type, arguments, "iinfo() missing 1 required positional arguments: \"type\"");
  if (is_floating(dtype->dtype))
    fail(Code::Type, arguments,
         "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'");
  if (dtype->dtype == DType::Bool) fail(Code::Runtime, arguments, "expected scalar type Long but found Bool");
  const std::int64_t bits = 8 * size_of(dtype->dtype);
  const bool is_signed = !is_unsigned(dtype->dtype);
  const std::int64_t max =
      is_signed ? std::numeric_limits<std::int64_t>::max() >> (64 - bits) : (std::int64_t{1} << bits) - 1;
  const std::int64_t min = is_signed ? -max - 1 : 0;
  const std::string name(short_name(dtype->dtype));
  const std::string repr = fmt::format("iinfo(min={}, max={}, dtype={})", format_general(static_cast<double>(min), 6),
                                       format_general(static_cast<double>(max), 6), name);
  Ref<Record> limits = make<Record>("iinfo", repr, repr);
  limits->fields = {{"min", Value(min)}, {"max", Value(max)}, {"bits", Value(bits)}, {"dtype", make_str(name)}};
  return limits;
}

Value get_default_dtype(Interpreter&, CallArguments&) { return make<DTypeObject>(DType::Float32); }

Value set_default_dtype(Interpreter&, CallArguments& arguments) {
  const Value* given = argument(arguments, 0, "d");
  const DTypeObject* dtype = given ? given->as<DTypeObject>() : nullptr;
  if (dtype && dtype->dtype == DType::Float32) return {};
  throw unsupported(arguments.span, "unsupported.default_type");
}

Value set_default_tensor_type(Interpreter&, CallArguments& arguments) {
  const Value* given = argument(arguments, 0, "t");
  const Builtin* type = given ? given->as<Builtin>() : nullptr;
  if (given && (type ? type->name == "FloatTensor" : str(*given) == "torch.FloatTensor")) return {};
  throw unsupported(arguments.span, "unsupported.default_type");
}

// ---- printing ----

// PyTorch takes whatever it is given and fails, or prints nonsense, where a tensor is printed: those are refused.
struct PrintSetting {
  std::string_view name;
  std::int64_t least, most;
  bool may_be_infinite;
};

constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();
constexpr PrintSetting kPrecision = {"precision", 0, 1000, false}, kThreshold = {"threshold", 0, kEndless, true},
                       kEdgeItems = {"edgeitems", 1, kEndless, true}, kLineWidth = {"linewidth", 0, kEndless, false};

std::int64_t whole(const CallArguments& arguments, const PrintSetting& setting, const Value& value) {
  const double* real = value.as_float();
  if (setting.may_be_infinite && real && *real == std::numeric_limits<double>::infinity()) return setting.most;
  const auto number = value.as_bool() && setting.name == "precision" ? std::nullopt : as_index(value);
  if (number && *number >= setting.least && *number <= setting.most) return *number;
  const std::string name(setting.name), least = std::to_string(setting.least);
  if (setting.most == kEndless)
    throw unsupported(arguments.span, "unsupported.printoptions", {{"name", name}, {"least", least}});
  throw unsupported(arguments.span, "unsupported.printoptions.between",
                    {{"name", name}, {"least", least}, {"most", std::to_string(setting.most)}});
}

PrintOptions profile(const CallArguments& arguments, const Value& name) {
  const Str* text = name.as<Str>();
  PrintOptions options;
  if (text && text->text == "default") return options;
  if (text && text->text == "short") {
    options.precision = 2;
    options.edge_items = 2;
    return options;
  }
  if (!text || text->text != "full") throw unsupported(arguments.span, "unsupported.printoptions.profile");
  options.threshold = std::numeric_limits<std::int64_t>::max();
  return options;
}

Value set_printoptions(Interpreter& interpreter, CallArguments& arguments) {
  constexpr std::array<std::string_view, 6> kNames = {"precision", "threshold", "edgeitems",
                                                      "linewidth", "profile",   "sci_mode"};
  for (const auto& [keyword, value] : arguments.keywords)
    if (std::find(kNames.begin(), kNames.end(), keyword) == kNames.end())
      fail(Code::Type, arguments, fmt::format("set_printoptions() got an unexpected keyword argument '{}'", keyword));
  PrintOptions options = interpreter.print_options();
  const auto given = [&](std::size_t place) -> const Value* {
    const Value* value = argument(arguments, place, kNames[place]);
    return value && !value->is_none() ? value : nullptr;
  };
  if (const Value* name = given(4)) options = profile(arguments, *name);
  if (const Value* value = given(0)) options.precision = static_cast<int>(whole(arguments, kPrecision, *value));
  if (const Value* value = given(1)) options.threshold = whole(arguments, kThreshold, *value);
  if (const Value* value = given(2))
    options.edge_items = std::min<std::int64_t>(whole(arguments, kEdgeItems, *value), 1 << 30);
  if (const Value* value = given(3))
    options.line_width = static_cast<std::size_t>(whole(arguments, kLineWidth, *value));
  options.sci_mode.reset();
  if (const Value* value = given(5)) options.sci_mode = truthy(*value);
  interpreter.print_options() = options;
  return {};
}

Value initial_seed(Interpreter& interpreter, CallArguments&) {
  return Value(static_cast<std::int64_t>(interpreter.generator().initial_seed()));
}

Value from_numpy(Interpreter&, CallArguments& arguments) {
  if (arguments.positional.size() != 1)
    fail(Code::Type, arguments,
         "from_numpy() takes exactly one argument (" + std::to_string(arguments.positional.size()) + " given)");
  return tensor_from_numpy(arguments.positional[0], arguments.span);
}

// Shares what it can: a tensor of that type is itself, an array gives its numbers.
Value as_tensor_function(Interpreter& interpreter, CallArguments& arguments) {
  const Value* given = argument(arguments, 0, "data");
  const Value* dtype = argument(arguments, 1, "dtype");
  if (!given) fail(Code::Type, arguments, "as_tensor() missing 1 required positional arguments: \"data\"");
  const bool shares = given->as<TensorObject>() || (given->as<Array>() && !given->as<Array>()->is_scalar);
  if (!shares) return interpreter.call_op(*find_op("torch.tensor"), arguments);
  Value tensor = given->as<Array>() ? tensor_from_numpy(*given, arguments.span) : *given;
  if (!dtype || dtype->is_none()) return tensor;
  const CallArguments to{{tensor, *dtype}, {}, {arguments.span, arguments.span}, arguments.span};
  return interpreter.call_op(*find_op("Tensor.to"), to);
}

// The wrapper of PyTorch before 0.4: the same numbers, with a gradient or without.
Value variable(Interpreter& interpreter, CallArguments& arguments) {
  expect_keywords(arguments, "Variable", {"data", "requires_grad"});
  const Value* data = argument(arguments, 0, "data");
  const Value* wants = argument(arguments, 1, "requires_grad");
  if (!data || !data->as<TensorObject>())
    fail(Code::Type, arguments,
         "Variable data has to be a tensor, but got " + std::string(data ? type_name(*data) : "nothing"));
  Value made = interpreter.call_op(*find_op("torch.detach"), {{*data}, {}, {arguments.span}, arguments.span});
  if (wants && truthy(*wants)) made.as<TensorObject>()->requires_grad = true;
  return made;
}

Value get_rng_state(Interpreter& interpreter, CallArguments&) { return state_of(interpreter.generator()); }

Value set_rng_state(Interpreter& interpreter, CallArguments& arguments) {
  const Value* given = argument(arguments, 0, "new_state");
  put_state(interpreter.generator(), given ? *given : Value(), arguments.span);
  return {};
}

constexpr NativeRow kTorchFunctions[] = {
    {"torch.get_rng_state", get_rng_state},
    {"torch.random.get_rng_state", get_rng_state},
    {"torch.set_rng_state", set_rng_state},
    {"torch.random.set_rng_state", set_rng_state},
    {"torch.autograd.Variable", variable},
    {"torch.as_tensor", as_tensor_function},
    {"torch.from_numpy", from_numpy},
    {"torch.cuda.is_available", no},
    {"torch.cuda.device_count", zero},
    {"torch.cuda.manual_seed", nothing},
    {"torch.cuda.manual_seed_all", nothing},
    {"torch.cuda.empty_cache", nothing},
    {"torch.backends.mps.is_available", no},
    {"torch.backends.mps.is_built", no},
    {"torch.backends.cuda.is_built", no},
    {"torch.finfo", finfo},
    {"torch.iinfo", iinfo},
    {"torch.get_default_dtype", get_default_dtype},
    {"torch.set_default_dtype", set_default_dtype},
    {"torch.set_default_tensor_type", set_default_tensor_type},
    {"torch.set_num_threads", nothing},
    {"torch.set_float32_matmul_precision", nothing},
    {"torch.use_deterministic_algorithms", nothing},
    {"torch.set_printoptions", set_printoptions},
    {"torch.initial_seed", initial_seed},
    {"torch.random.initial_seed", initial_seed},
};

}  // namespace

Value torch_device(const CallArguments& arguments) {
  expect_keywords(arguments, "device", {"type", "device", "index"});
  const Value* given = argument(arguments, 0, "type");
  if (!given) given = argument(arguments, 0, "device");
  if (!given) fail(Code::Type, arguments, say("argument.device"));
  if (given->as<Record>()) return *given;
  if (given->as_int()) return make_device("cuda", given->as_int()->value);
  const Str* text = given->as<Str>();
  if (!text) fail(Code::Type, arguments, "device(): argument 'type' must be str, not " + type_name(*given));
  const std::size_t colon = text->text.find(':');
  const std::string type = text->text.substr(0, colon);
  if (!is_device_type(type))
    fail(Code::Runtime, arguments,
         fmt::format("Expected one of {} device type at start of device string: {}", kDeviceTypes, type));
  std::optional<std::int64_t> index;
  if (colon != std::string::npos) {
    index = parse_int(text->text.substr(colon + 1));
    if (!index) fail(Code::Runtime, arguments, "Invalid device string: '" + text->text + "'");
  }
  if (const Value* number = argument(arguments, 1, "index")) index = as_index(*number);
  return make_device(type, index);
}

Value cpu_device() { return make_device("cpu", std::nullopt); }

std::span<const NativeRow> torch_functions() { return kTorchFunctions; }

}  // namespace attn
