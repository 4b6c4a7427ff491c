#pragma once
// Modules beside torch that notebooks import: a table of functions per module, as rows of methods.h whose object is
// None. What a module has and no row names is refused where it is used, not where it is imported.
#include <span>
#include <string>
#include <string_view>

#include "python/natives.h"
#include "python/object_builtins.h"
#include "python/types/methods.h"

namespace attn {

struct Library {
  std::string_view module;  // "numpy.random"
  std::span<const Method> functions;
};

std::span<const Method> numpy_functions();
std::span<const Method> numpy_random_functions();
std::span<const Method> random_functions();
std::span<const Method> pyplot_functions();
std::span<const Method> seaborn_functions();
std::span<const Method> tqdm_functions();
std::span<const Method> time_functions();
std::span<const Method> warnings_functions();
std::span<const Method> json_functions();
std::span<const Method> itertools_functions();
std::span<const Method> functools_functions();
std::span<const Method> safetensors_functions();
std::span<const Method> safetensors_torch_functions();

/// What a row does whose function of that name is in a file of src/lib.
template <const char* File>
Value in_library(MethodCall& call) {
  return call.interpreter.call(library_function(call.interpreter, File, call.name), call.given);
}

/// What files of the library have beside Python to make Python's own objects.
std::span<const NativeRow> python_natives();

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
