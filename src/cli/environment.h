#pragma once
// The environment variables that the program reads: a row each, for help and the man page. A test holds the rows
// against the source.
#include <span>
#include <string_view>

namespace attn {

struct Variable {
  std::string_view names;     // blank-separated, where several mean the same
  std::string_view sentence;  // its id
};

std::span<const Variable> variables();

}  // namespace attn
