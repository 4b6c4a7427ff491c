#pragma once
// What functions that are built in say of the arguments they are called with, in Python's words.
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "python/interpreter.h"

namespace attn {

/// Throws a CellError at the call.
[[noreturn]] void fail(Code code, const CallArguments& arguments, std::string message, std::string hint = {});

/// "getattr expected at least 2 arguments, got 1"
std::string wrong_count(std::string_view name, std::size_t least, std::size_t most, std::size_t given);

/// TypeError with these words unless there are `least` to `most` positional arguments, and no keywords but these.
void expect(const CallArguments& arguments, std::string_view name, std::size_t least, std::size_t most,
            std::initializer_list<std::string_view> keywords = {});

/// The argument of that name, or `otherwise`.
Value keyword(const CallArguments& arguments, std::string_view name, Value otherwise);

/// "a", "a and b", "a, b, and c"
std::string listed(const std::vector<std::string>& names);

}  // namespace attn
