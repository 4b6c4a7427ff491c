#include "lang/exceptions.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/class.h"
#include "lang/interpreter.h"

namespace attn {
namespace {

struct ExceptionRow {
  std::string_view name;
  std::string_view base;
  Code code;
};
constexpr ExceptionRow kExceptions[] = {
    {"BaseException", "", Code::Runtime},
    {"Exception", "BaseException", Code::Runtime},
    {"KeyboardInterrupt", "BaseException", Code::Runtime},
    {"SystemExit", "BaseException", Code::Runtime},
    {"StopIteration", "Exception", Code::Runtime},
    {"ArithmeticError", "Exception", Code::Value},
    {"ZeroDivisionError", "ArithmeticError", Code::ZeroDivision},
    {"OverflowError", "ArithmeticError", Code::Value},
    {"AssertionError", "Exception", Code::Assertion},
    {"AttributeError", "Exception", Code::Attribute},
    {"ImportError", "Exception", Code::Runtime},
    {"ModuleNotFoundError", "ImportError", Code::Runtime},
    {"LookupError", "Exception", Code::Index},
    {"IndexError", "LookupError", Code::Index},
    {"KeyError", "LookupError", Code::Key},
    {"NameError", "Exception", Code::Name},
    {"UnboundLocalError", "NameError", Code::Name},
    {"OSError", "Exception", Code::Runtime},
    {"FileNotFoundError", "OSError", Code::Runtime},
    {"RuntimeError", "Exception", Code::Runtime},
    {"NotImplementedError", "RuntimeError", Code::Runtime},
    {"RecursionError", "RuntimeError", Code::Runtime},
    {"SyntaxError", "Exception", Code::Syntax},
    {"TypeError", "Exception", Code::Type},
    {"ValueError", "Exception", Code::Value},
    {"Warning", "Exception", Code::Runtime},
    {"UserWarning", "Warning", Code::Runtime},
    {"DeprecationWarning", "Warning", Code::Runtime},
    {"FutureWarning", "Warning", Code::Runtime},
    {"RuntimeWarning", "Warning", Code::Runtime},
};

const ExceptionRow* find_row(std::string_view name) {
  const auto* row = std::find_if(std::begin(kExceptions), std::end(kExceptions),
                                 [&](const ExceptionRow& r) { return r.name == name; });
  return row == std::end(kExceptions) ? nullptr : row;
}

// The cell's own exception classes count as the built-in one that they derive from.
CellError error_of(const std::string& type, std::string_view builtin, const std::string& text, Span span) {
  Diagnostic diagnostic;
  const ExceptionRow* row = find_row(builtin);
  diagnostic.code = row ? row->code : Code::Runtime;
  diagnostic.span = span;
  diagnostic.message = text.empty() ? type : type == builtin ? text : type + ": " + text;
  return CellError(std::move(diagnostic), type);
}

}  // namespace

bool is_exception_name(std::string_view name) { return find_row(name) != nullptr; }

const std::vector<std::string>& exception_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const ExceptionRow& row : kExceptions) made.emplace_back(row.name);
    return made;
  }();
  return names;
}

bool is_subexception(std::string_view type, std::string_view base) {
  for (const ExceptionRow* row = find_row(type); row; row = find_row(row->base)) {
    if (row->name == base) return true;
  }
  return false;
}

bool is_catchable(const CellError& error) {
  switch (error.diagnostic().code) {
    case Code::Unsupported:
    case Code::Limit:
    case Code::Interrupt:
    case Code::Format:
    case Code::Suspect:
    case Code::Axis: return false;
    default: return true;
  }
}

std::string exception_text(std::string_view type, const std::vector<Value>& arguments) {
  if (arguments.empty()) return "";
  if (arguments.size() > 1) return repr(make_tuple(arguments));
  return type == "KeyError" ? repr(arguments[0]) : str(arguments[0]);
}

CellError to_error(Interpreter& interpreter, const Value& value, Span span) {
  if (const ExceptionObject* exception = value.as<ExceptionObject>()) {
    return error_of(exception->type, exception->type, exception_text(exception->type, exception->arguments), span);
  }
  if (const Instance* instance = value.as<Instance>(); instance && !instance->type->exception.empty()) {
    return error_of(instance->type->name, instance->type->exception, str(value), span);
  }
  const TypeObject* type = value.as<TypeObject>();
  const ClassObject* own = value.as<ClassObject>();
  if ((type && is_exception_name(type->name)) || (own && !own->exception.empty())) {
    return to_error(interpreter, interpreter.call(value, {{}, {}, {}, span}), span);
  }
  throw CellError(Code::Type, span, "exceptions must derive from BaseException");
}

}  // namespace attn
