#pragma once
// Python's built-in exceptions: their family tree, and the way between an exception as a value and a CellError.
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "python/class.h"
#include "python/value.h"
#include "tensor/core/error.h"

namespace attn {

struct Raised;

bool is_exception_name(std::string_view name);
const std::vector<std::string>& exception_names();

/// The one that it derives from, empty for BaseException: LookupError of KeyError.
std::string_view exception_base(std::string_view type);
/// Whether `type` is `base` or derived from it: KeyError, LookupError.
bool is_subexception(std::string_view type, std::string_view base);

/// Whether `except` may catch it: what Python would raise, and neither a limit nor something unsupported.
bool is_catchable(const CellError& error);

/// The exception that `raise value` or `from value` speaks of: the value, or an object of the class that it is.
///   Errors: CellError Type "exceptions must derive from BaseException".
Value to_exception(Interpreter& interpreter, const Value& value, Span span, std::string_view message);
/// The error that `raise` throws for an exception.
CellError to_error(const Value& exception, Span span);
/// What an error has of a long message, the whole of which its exception has: an error is copied where it is noted and
/// shown, and the middle is never shown.
std::string ends_of_message(std::string text);

/// The error of a tensor function, told at the place of the call.
CellError to_cell_error(const TensorError& error, Span span);

/// An error of Python's own of the named type, where the code alone does not say it: "OverflowError".
CellError python_error(std::string_view type, Span span, std::string message, std::string hint = {});

inline constexpr std::string_view kWhileCalling = " while calling a Python object";

/// A step into what another value holds, in a walk that calls itself. Errors: RecursionError beyond as many levels as
/// Python goes down, which says what was being done: " in comparison".
class NestedLevel {
 public:
  static constexpr int kDeepest = 1000;
  explicit NestedLevel(std::string_view doing, int deepest = kDeepest) {
    if (depth_ >= deepest) refuse(doing);
    ++depth_;
  }
  ~NestedLevel() { --depth_; }
  NestedLevel(const NestedLevel&) = delete;
  NestedLevel& operator=(const NestedLevel&) = delete;

 private:
  [[noreturn]] static void refuse(std::string_view doing);
  static constinit inline thread_local int depth_ = 0;
};

/// The KeyError of a key that is missing, which an `except` can look at.
CellError key_error(const Value& key, Span span, std::string hint = {});
/// OverflowError of a power of floats, with the number of the system's error as its first argument.
CellError result_out_of_range(Span span);

/// What `except ... as error` binds: the object that the error carries, or one made from its text.
Value exception_object(const CellError& error, const Raised& raised);

/// What it was made with, or `args` have been set to since: none where its __dict__ has lost them.
std::vector<Value> exception_arguments(const Value& exception);
/// Sets an attribute: of `args` a tuple is made. Errors: TypeError for `args` that are not iterable.
bool set_exception_attribute(Interpreter& interpreter, const Value& exception, const std::string& name,
                             const Value& value, Span span);

/// Attributes that every exception has: args, __cause__, __context__, with_traceback(), ... False for other names.
bool exception_attribute(const Value& exception, const std::string& name, Value& out);

/// Where an exception keeps attributes of its own; null for what is none.
Members* exception_members(const Value& exception);

/// str(error) of an exception's arguments.
std::string exception_text(std::string_view type, const std::vector<Value>& arguments);

}  // namespace attn
