#include "python/modules/library.h"

#include <algorithm>
#include <limits>

namespace attn {
namespace {

const std::vector<Library>& libraries() {
  static const std::vector<Library> table = {{"numpy", numpy_functions()},
                                             {"numpy.random", numpy_random_functions()},
                                             {"random", random_functions()},
                                             {"matplotlib.pyplot", pyplot_functions()},
                                             {"seaborn", seaborn_functions()},
                                             {"tqdm", tqdm_functions()},
                                             {"tqdm.auto", tqdm_functions()},
                                             {"tqdm.notebook", tqdm_functions()},
                                             {"gc", gc_functions()},
                                             {"unicodedata", unicodedata_functions()},
                                             {"time", time_functions()},
                                             {"json", json_functions()},
                                             {"itertools", itertools_functions()},
                                             {"functools", functools_functions()},
                                             {"safetensors", safetensors_functions()},
                                             {"safetensors.torch", safetensors_torch_functions()}};
  return table;
}

// Modules that have constants only, or of which nothing is known but that they may be imported.
constexpr std::string_view kOthers[] = {"string", "sys", "os", "os.path", "torch.utils"};

struct LibraryConstant {
  std::string_view path;
  Value value;
};

const std::vector<LibraryConstant>& library_constants() {
  const OutsideHeap outside;
  const auto text = [](const char* words) { return make_str(words); };
  static constexpr double kInf = std::numeric_limits<double>::infinity();
  thread_local const std::vector<LibraryConstant> table = {
      {"numpy.pi", Value(3.141592653589793)},
      {"numpy.e", Value(2.718281828459045)},
      {"numpy.inf", Value(kInf)},
      {"numpy.Inf", Value(kInf)},
      {"numpy.nan", Value(std::numeric_limits<double>::quiet_NaN())},
      {"numpy.newaxis", Value()},
      {"numpy.ndarray", make<TypeObject>("numpy.ndarray")},
      {"string.ascii_lowercase", text("abcdefghijklmnopqrstuvwxyz")},
      {"string.ascii_uppercase", text("ABCDEFGHIJKLMNOPQRSTUVWXYZ")},
      {"string.ascii_letters", text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")},
      {"string.digits", text("0123456789")},
      {"string.hexdigits", text("0123456789abcdefABCDEF")},
      {"string.octdigits", text("01234567")},
      {"string.punctuation", text("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")},
      {"string.printable", text("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!\"#$%&'()*+,-./:;<=>?@"
                                "[\\]^_`{|}~ \t\n\r\x0b\x0c")},
      {"string.whitespace", text(" \t\n\r\x0b\x0c")},
      {"sys.maxsize", Value(std::numeric_limits<std::int64_t>::max())},
  };
  return table;
}

bool has_functions(std::string_view path) {
  const auto& rows = libraries();
  return std::any_of(rows.begin(), rows.end(), [&](const Library& row) { return row.module == path; });
}

// Of plots nothing is drawn: all their names stand for objects that do nothing.
bool draws(std::string_view path) {
  const std::string_view top = path.substr(0, path.find('.'));
  return top == "matplotlib" || top == "mpl_toolkits" || top == "seaborn";
}

}  // namespace

bool is_of_numpy(const Method& row) {
  const auto has = [&](std::span<const Method> rows) {
    return std::any_of(rows.begin(), rows.end(), [&](const Method& own) { return &own == &row; });
  };
  return has(numpy_functions()) || has(numpy_random_functions()) || has(numpy_generator_methods());
}

bool is_library(std::string_view path) {
  return draws(path) || has_functions(path) ||
         std::find(std::begin(kOthers), std::end(kOthers), path) != std::end(kOthers);
}

bool library_member(const std::string& path, const std::string& name, Value& out) {
  const std::string whole = path + "." + name;
  for (const LibraryConstant& constant : library_constants())
    if (constant.path == whole) return out = constant.value, true;
  for (const Library& library : libraries()) {
    if (library.module != path) continue;
    for (const Method& row : library.functions)
      if (row.name == name) return out = bound_method(row, Value()), true;
  }
  if (!draws(path) || has_functions(whole)) return false;
  return out = make<Quiet>("object"), true;
}

std::vector<std::string> library_names(std::string_view path) {
  std::vector<std::string> names;
  for (const Library& library : libraries())
    if (library.module == path)
      for (const Method& row : library.functions) names.emplace_back(row.name);
  return names;
}

}  // namespace attn
