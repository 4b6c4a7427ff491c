#pragma once
// Modules beside torch that notebooks import: a table of functions per module, as rows of methods.h whose object is
// None. What a module has and no row names is refused where it is used, not where it is imported.
#include <span>
#include <string>
#include <string_view>

#include "python/object_builtins.h"
#include "python/types/methods.h"

namespace attn {

struct Library {
  std::string_view module;  // "numpy.random"
  std::span<const Method> functions;
};

std::span<const Method> numpy_functions();
std::span<const Method> numpy_random_functions();
std::span<const Method> numpy_generator_methods();
std::span<const Method> random_functions();
std::span<const Method> pyplot_functions();
std::span<const Method> seaborn_functions();
std::span<const Method> tqdm_functions();
std::span<const Method> gc_functions();
std::span<const Method> unicodedata_functions();
std::span<const Method> time_functions();
std::span<const Method> json_functions();
std::span<const Method> itertools_functions();
std::span<const Method> functools_functions();
std::span<const Method> safetensors_functions();
std::span<const Method> safetensors_torch_functions();

/// Whether the program read the clock of `time` a second time, as whoever measures does.
bool has_measured_time(Interpreter& interpreter);

/// What src/lib/re.py has beside Python (patterns.cpp).
std::span<const NativeRow> pattern_natives();

/// Whether `import path` names a module of these tables.
bool is_library(std::string_view path);
/// A function, constant or type of such a module; false when no row names it.
bool library_member(const std::string& path, const std::string& name, Value& out);
std::vector<std::string> library_names(std::string_view path);

/// An object that does nothing: a figure, the axes of a plot, a progress bar.
struct Quiet : Object {
  static const Type kType;
  Quiet(std::string t, Value i = {}, Shape s = {})
      : Object(kType), type(std::move(t)), items(std::move(i)), grid(std::move(s)) {}
  void clear() override { items = Value(); }
  std::string type;  // "Axes", "tqdm"
  Value items;       // of a progress bar: what it goes through
  Shape grid;        // of axes: those of plt.subplots(2, 3) are [2, 3]
};

}  // namespace attn
