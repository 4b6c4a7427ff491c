#pragma once
// Python's module `math`.
#include <string>
#include <vector>

#include "python/value.h"

namespace attn {

/// A function of `math`; false when there is none of that name. Its constants are those of module_member().
bool math_member(const std::string& name, Value& out);
std::vector<std::string> math_names();

}  // namespace attn
