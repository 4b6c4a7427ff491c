#pragma once
// Python's built-in exceptions: their family tree, and the way between an exception as a value and a CellError.
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "lang/value.h"

namespace attn {

bool is_exception_name(std::string_view name);
const std::vector<std::string>& exception_names();

/// Whether `type` is `base` or derived from it: KeyError, LookupError.
bool is_subexception(std::string_view type, std::string_view base);

/// Whether `except` may catch it: what Python would raise, and neither a limit nor something unsupported.
bool is_catchable(const CellError& error);

/// The error that `raise value` throws. `value` is an exception, an instance of a class derived from one, or such a
/// class.
///   Errors: CellError Type "exceptions must derive from BaseException".
CellError to_error(Interpreter& interpreter, const Value& value, Span span);

/// str(error) of an exception's arguments.
std::string exception_text(std::string_view type, const std::vector<Value>& arguments);

}  // namespace attn
