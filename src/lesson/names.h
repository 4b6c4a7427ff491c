#pragma once
// Which names a piece of Python binds, as far as can be seen without parsing it: enough to tell that `write=NAME`
// names nothing. The language itself lives in lang/, which lesson/ does not know.
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// Names bound by assignments, def, class, for, import, `as` and :=, in order. Nothing is said about invalid code.
std::vector<std::string> bound_names(std::string_view code);

}  // namespace attn
