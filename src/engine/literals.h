#pragma once
// Values as literals of Python.
#include <string>
#include <vector>

namespace attn {

/// A text as a string of Python: control characters, bidi marks and invisible characters as escapes.
std::string string_literal(const std::string& text);

/// "[a, b]" on lines of up to 100 characters.
std::string list_literal(const std::vector<std::string>& items);

}  // namespace attn
