#pragma once
// Names that Python, numpy and PyTorch have and this program does not. They are not typing errors, so they get an
// answer of their own. Hints for some of them are a table; data/names.txt lists the names that exist.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace attn {

struct UnsupportedNames {
  std::string_view owners;  // "torch. Tensor.": blank-separated, as the names; "import." for modules
  std::string_view names;
  std::string_view hint;  // the id of what to write instead
};

std::span<const UnsupportedNames> unsupported_names();

/// Whether data/names.txt lists the names of an owner: "torch.nn", "Tensor", "str", "builtins".
bool has_listed_names(std::string_view owner);

/// Whether the owner has that name in PyTorch 1.13.1, numpy 1.24 or Python 3.11.
bool is_name_of(std::string_view owner, std::string_view name);

/// What `from module import *` binds; empty where the names of the module are not listed.
std::vector<std::string> public_names(const std::string& module);

/// Whether `top` is a module of Python's own, or one that notebooks install beside PyTorch.
bool is_standard_module(std::string_view top);
bool is_installed_module(std::string_view top);

/// Refuses a keyword that functions of numpy have in numpy 1.24; any other is the caller's mistake, and this returns.
///   Errors: CellError Unsupported.
void refuse_keyword(std::string_view function, std::string_view keyword, Span span);

/// Refuses a path that is not known here: "Tensor.backward", "torch.optim.Adam", "builtins.open".
///   Errors: CellError Unsupported, with what to write instead.
[[noreturn]] void refuse_name(const std::string& path, Span span);

}  // namespace attn
