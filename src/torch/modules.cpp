// Members of modules: constants, functions of the tables, layers, other modules.
#include <limits>

#include "python/modules/collections.h"
#include "python/modules/library.h"
#include "python/modules/python_math.h"
#include "python/modules/unsupported_names.h"
#include "python/natives.h"
#include "python/object_builtins.h"
#include "python/operators.h"
#include "python/types/record.h"
#include "tensor/core/scalar_type.h"
#include "torch/generator.h"
#include "torch/nn/layer.h"
#include "torch/numpy/array.h"
#include "torch/op.h"
#include "torch/torch_functions.h"

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
                                         "torch.autograd.function",
                                         "torch.autograd.functional",
                                         "tempfile",
                                         "torch.special",
                                         "torch.random",
                                         "torch.cuda",
                                         "torch.cuda.amp",
                                         "torch.amp",
                                         "torch.utils.checkpoint",
                                         "torch.jit",
                                         "timeit",
                                         "inspect",
                                         "types",
                                         "statistics",
                                         "warnings",
                                         "datetime",
                                         "collections.abc",
                                         "torch.backends",
                                         "torch.backends.cuda",
                                         "torch.backends.mps",
                                         "torch.backends.cudnn",
                                         "torch.nn.utils",
                                         "torch.nn.utils.rnn",
                                         "torch.utils.data",
                                         "torch.optim",
                                         "torch.optim.lr_scheduler",
                                         "torch.optim.swa_utils",
                                         "numpy.linalg",
                                         "IPython",
                                         "IPython.display",
                                         "einops.layers",
                                         "numpy.lib",
                                         "numpy.lib.stride_tricks",
                                         "re",
                                         "argparse",
                                         "logging",
                                         "pprint",
                                         "contextlib",
                                         "csv",
                                         "fractions",
                                         "hashlib",
                                         "io",
                                         "pathlib",
                                         "pickle",
                                         "shutil",
                                         "queue",
                                         "textwrap",
                                         "platform",
                                         "torch.testing",
                                         "torch.distributions",
                                         "numpy.testing",
                                         "abc",
                                         "enum",
                                         "heapq",
                                         "bisect",
                                         "operator",
                                         "math",
                                         "typing",
                                         "dataclasses",
                                         "copy",
                                         "collections",
                                         "__future__"};

// Modules of which src/lib has members: those that a file of it has and data/names.txt lists for the module.
struct LibraryMembers {
  std::string_view module, file;
};
constexpr LibraryMembers kLibraryMembers[] = {
    {"torch.utils.data", "data"},
    {"torch.autograd", "autograd"},
    {"torch.autograd.function", "autograd"},
    {"torch.cuda.amp", "training"},
    {"torch.amp", "training"},
    {"torch.utils.checkpoint", "training"},
    {"torch.nn.utils", "optim"},
    {"torch.nn.utils", "weight_norm"},
    {"torch.nn.utils.rnn", "sequences"},
    {"torch.optim", "optim"},
    {"torch.optim.lr_scheduler", "schedules"},
    {"torch.optim.swa_utils", "averaging"},
    {"torch.optim.optimizer", "optim"},
    {"torch.optim.sgd", "optim"},
    {"torch.optim.adam", "optim"},
    {"torch.optim.adamw", "optim"},
    {"torch.optim.nadam", "optim"},
    {"torch.optim.radam", "optim"},
    {"torch.optim.rmsprop", "optim"},
    {"torch.optim.adagrad", "optim"},
    {"torch.optim.adadelta", "optim"},
    {"torch.utils.data.dataset", "data"},
    {"torch.utils.data.dataloader", "data"},
    {"torch.utils.data.sampler", "data"},
    {"numpy", "arrays"},
    {"numpy", "partition"},
    {"numpy", "ndarray"},
    {"numpy", "array_parts"},
    {"numpy", "array_sets"},
    {"numpy", "array_angles"},
    {"numpy", "array_files"},
    {"numpy", "numbers_in_files"},
    {"numpy.linalg", "arrays"},
    {"numpy.lib.stride_tricks", "arrays"},
    {"numpy.lib.stride_tricks", "ndarray"},
    {"IPython.display", "display"},
    {"unittest", "unittest"},
    {"einops", "einops"},
    {"einops.layers.torch", "einops"},
    {"platform", "programs"},
    {"collections", "deque"},
    {"itertools", "itertools"},
    {"functools", "functools"},
    {"re", "re"},
    {"abc", "abc"},
    {"enum", "enum"},
    {"heapq", "heapq"},
    {"bisect", "heapq"},
    {"operator", "operator"},
    {"dataclasses", "dataclasses"},
    {"json", "files"},
    {"os.path", "files"},
    {"os", "files"},
    {"io", "files"},
    {"shutil", "files"},
    {"pathlib", "paths"},
    {"pickle", "saving"},
    {"torch", "saving"},
    {"torch", "complex"},
    {"torch", "training"},
    {"torch", "composed"},
    {"torch.linalg", "matrices"},
    {"torch.nn.functional", "attention"},
    {"torch.autograd.functional", "autograd"},
    {"torch.random", "training"},
    {"tempfile", "files"},
    {"timeit", "programs"},
    {"inspect", "programs"},
    {"types", "programs"},
    {"statistics", "statistics"},
    {"datetime", "datetime"},
    {"torch.jit", "training"},
    {"argparse", "programs"},
    {"logging", "programs"},
    {"pprint", "programs"},
    {"sys", "programs"},
    {"textwrap", "programs"},
    {"contextlib", "contextlib"},
    {"warnings", "programs"},
    {"queue", "queue"},
    {"csv", "csv"},
    {"fractions", "fractions"},
    {"hashlib", "hashlib"},
    {"typing", "typing"},
    {"torch.testing", "testing"},
    {"numpy.testing", "testing"},
    {"torch.distributions", "distributions"},
    {"torch.distributions.categorical", "distributions"},
    {"torch.distributions.normal", "distributions"},
    {"torch.distributions.bernoulli", "distributions"},
    {"torch.distributions.distribution", "distributions"},
    {"torch.distributions.kl", "distributions"},
    {"torch.distributions.uniform", "distributions"},
    {"torch.distributions.exponential", "distributions"},
};

bool written_in_python(const std::string& module, const std::string& name, Value& out) {
  for (const LibraryMembers& row : kLibraryMembers) {
    if (row.module != module || !is_name_of(module, name)) continue;
    out = library_function(*Interpreter::current(), row.file, name);
    if (!out.is_none()) return true;
  }
  return false;
}

struct Named {
  std::string_view name;
  Value value;
};

// Members of modules that are values and not functions.
const std::vector<Named>& torch_constants() {
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
      {"torch.functional.F", make<Module>("torch.nn.functional")},
      {"torch.Tensor", make<TypeObject>("torch.Tensor")},
      {"torch.Size", make<TypeObject>("torch.Size")},
      {"torch.dtype", make<TypeObject>("torch.dtype")},
      {"torch.device", make<TypeObject>("torch.device")},
      {"torch.Generator", make<TypeObject>(std::string(kGeneratorPath))},
      {"torch.nn.parameter.Parameter", make<TypeObject>(std::string(kParameterPath))},
      {"torch.nn.Parameter", make<TypeObject>(std::string(kParameterPath))},
      {"torch.__version__", make_str("1.13.1")},
      {"torch.backends.cudnn.deterministic", Value(false)},
      {"torch.backends.cudnn.benchmark", Value(false)},
      {"torch.backends.cudnn.enabled", Value(true)},
  };
  return table;
}

}  // namespace

// torch.nn.modules, and the files of layers in it.
static bool is_file_of_layers(std::string_view name) {
  const auto layers = all_layers();
  return std::any_of(layers.begin(), layers.end(), [&](const LayerInfo& layer) {
    return layer.path.starts_with(name) && layer.path.substr(name.size()).starts_with('.') &&
           name.starts_with("torch.nn.modules");
  });
}

bool find_module(const std::string& name, Value& out) {
  const bool is_known = std::find(std::begin(kModules), std::end(kModules), name) != std::end(kModules) ||
                        std::any_of(std::begin(kLibraryMembers), std::end(kLibraryMembers),
                                    [&](const LibraryMembers& row) { return row.module == name; }) ||
                        is_file_of_layers(name);
  if (!is_known && !is_library(name)) return false;
  out = make<Module>(name);
  return true;
}

namespace {

bool find_member(const Module& module, const std::string& name, const std::string& path, Value& out) {
  if (is_library(module.name) && library_member(module.name, name, out)) return true;
  if (find_module(path, out)) return true;
  for (const Named& constant : torch_constants()) {
    if (constant.name == path) return out = constant.value, true;
  }
  if (module.name == "numpy" && numpy_type(name, out)) return true;
  if (module.name == "math") return math_member(name, out);
  if (module.name == "collections" && collections_member(name, out)) return true;
  const bool has_ops = module.name == "torch" || module.name == "torch.linalg" || module.name == "torch.nn.functional";
  if (!has_ops && written_in_python(module.name, name, out)) return true;
  for (const auto rows : {object_functions(), torch_functions()}) {
    for (const NativeRow& row : rows) {
      if (row.name == path) return out = make<Builtin>(name, row.function), true;
    }
  }
  if (module.name == "__future__") return out = Value(true), true;  // what it turns on is on here
  if (module.name == "typing" || module.name == "collections.abc" || path == "dataclasses.InitVar")
    return out = make<TypeObject>(path), true;
  if (path == "dataclasses.FrozenInstanceError" || (module.name == "json" && name == "JSONDecodeError"))
    return out = make<TypeObject>(name), true;
  const bool has_layers = module.name == "torch.nn" || (module.name.starts_with("torch.nn.modules") &&  //
                                                        is_name_of(module.name, name));
  if (const LayerInfo* const layer = has_layers ? find_layer(name) : nullptr)
    return out = make<TypeObject>(std::string(layer->path)), true;
  const OpInfo* op = find_op(path);
  if (!op) return has_ops && written_in_python(module.name, name, out);  // last: it costs a search
  return out = make<Builtin>(name, op), true;
}

}  // namespace

bool module_member(const Module& module, const std::string& name, Value& out) {
  const std::string path = module.name + "." + name;
  if (!find_member(module, name, path, out)) return false;
  if (Builtin* function = out.as<Builtin>(); function && function->path.empty()) function->path = path;
  return true;
}

bool is_idle_setting(const Module& module) { return module.name == "torch.backends.cudnn"; }

std::vector<std::string> module_member_names(const Module& module) {
  std::vector<std::string> names = names_under(module.name + ".");
  const std::string prefix = module.name + ".";
  for (const Named& constant : torch_constants()) {
    if (constant.name.starts_with(prefix)) names.emplace_back(constant.name.substr(prefix.size()));
  }
  for (const NativeRow& row : torch_functions()) {
    const std::size_t dot = row.name.rfind('.') + 1;
    if (row.name.substr(0, dot) == prefix) names.emplace_back(row.name.substr(dot));
  }
  for (std::string& library_name : library_names(module.name)) names.push_back(std::move(library_name));
  const std::vector<std::string> listed = public_names(module.name);
  for (const LibraryMembers& row : kLibraryMembers) {
    const auto has = [&](const std::string& name) {
      return row.module == module.name && !library_function(*Interpreter::current(), row.file, name).is_none();
    };
    std::copy_if(listed.begin(), listed.end(), std::back_inserter(names), has);
  }
  if (module.name == "torch.nn") {
    for (const LayerInfo& layer : all_layers()) names.emplace_back(layer.name);
  }
  if (module.name == "math") {
    for (std::string& math_name : math_names()) names.push_back(std::move(math_name));
  }
  return names;
}

bool construct_native(Interpreter& interpreter, const TypeObject& type, const CallArguments& arguments, Value& out) {
  if (const LayerInfo* layer = native_base(type.name))
    return out = construct_layer(interpreter, *layer, arguments), true;
  if (construct_numpy(type, arguments, out)) return true;
  if (type.name == kParameterPath) return out = construct_parameter(arguments), true;
  if (type.name == "torch.device") return out = torch_device(arguments), true;
  if (type.name == kGeneratorPath) return out = make<GeneratorObject>(), true;
  if (type.name != "torch.Tensor") return false;
  // The old way to say torch.tensor(...): of a tensor its alias, whatever its type.
  const TensorObject* given = arguments.positional.size() == 1 ? arguments.positional[0].as<TensorObject>() : nullptr;
  const OpInfo* typed = given ? find_op(class_name(given->tensor.dtype())) : nullptr;
  out = interpreter.call_op(typed ? *typed : *find_op("torch.FloatTensor"), arguments);
  return true;
}

bool native_type_member(const TypeObject& type, const std::string& name, Value& out) {
  const LayerInfo* layer = native_base(type.name);
  return layer && layer_class_attribute(*layer, name, out);
}

}  // namespace attn
