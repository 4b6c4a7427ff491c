#include "python/exceptions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "python/class.h"
#include "python/interpreter.h"
#include "python/type.h"
#include "text/say.h"

namespace attn {
namespace {

struct ExceptionRow {
  std::string_view name;
  std::string_view base;
  Code code;
  bool is_built_in = true;
};
constexpr ExceptionRow kExceptions[] = {
    {"BaseException", "", Code::Runtime},
    {"Exception", "BaseException", Code::Runtime},
    {"KeyboardInterrupt", "BaseException", Code::Runtime},
    {"SystemExit", "BaseException", Code::Runtime},
    {"StopIteration", "Exception", Code::Runtime},
    {"GeneratorExit", "BaseException", Code::Runtime},
    {"ArithmeticError", "Exception", Code::Value},
    {"ZeroDivisionError", "ArithmeticError", Code::ZeroDivision},
    {"OverflowError", "ArithmeticError", Code::Value},
    {"FloatingPointError", "ArithmeticError", Code::Value},
    {"AssertionError", "Exception", Code::Assertion},
    {"AttributeError", "Exception", Code::Attribute},
    {"FrozenInstanceError", "AttributeError", Code::Attribute, false},  // of dataclasses
    {"ImportError", "Exception", Code::Runtime},
    {"ModuleNotFoundError", "ImportError", Code::Runtime},
    {"LookupError", "Exception", Code::Index},
    {"IndexError", "LookupError", Code::Index},
    {"KeyError", "LookupError", Code::Key},
    {"NameError", "Exception", Code::Name},
    {"UnboundLocalError", "NameError", Code::Name},
    {"OSError", "Exception", Code::Runtime},
    {"FileNotFoundError", "OSError", Code::Runtime},
    {"FileExistsError", "OSError", Code::Runtime},
    {"PermissionError", "OSError", Code::Runtime},
    {"TimeoutError", "OSError", Code::Runtime},
    {"ConnectionError", "OSError", Code::Runtime},
    {"EOFError", "Exception", Code::Runtime},
    {"MemoryError", "Exception", Code::Runtime},
    {"RuntimeError", "Exception", Code::Runtime},
    {"NotImplementedError", "RuntimeError", Code::Runtime},
    {"RecursionError", "RuntimeError", Code::Runtime},
    {"SafetensorError", "Exception", Code::Runtime, false},  // of safetensors
    {"SyntaxError", "Exception", Code::Syntax},
    {"TypeError", "Exception", Code::Type},
    {"ValueError", "Exception", Code::Value},
    {"JSONDecodeError", "ValueError", Code::Value, false},  // of json
    {"UnicodeError", "ValueError", Code::Value},
    {"UnicodeDecodeError", "UnicodeError", Code::Value},
    {"UnicodeEncodeError", "UnicodeError", Code::Value},
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
    for (const ExceptionRow& row : kExceptions) {
      if (row.is_built_in) made.emplace_back(row.name);
    }
    return made;
  }();
  return names;
}

std::string_view exception_base(std::string_view type) {
  const ExceptionRow* row = find_row(type);
  return row ? row->base : "";
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
    case Code::Remark:
    case Code::Axis: return false;
    default: return true;
  }
}

std::string exception_text(std::string_view type, const std::vector<Value>& arguments) {
  const NestedLevel level(" while getting the str of an object");
  if (arguments.empty()) return "";
  if (arguments.size() > 1) return repr(make_tuple(arguments));
  return type == "KeyError" ? repr(arguments[0]) : str(arguments[0]);
}

std::vector<Value> exception_arguments(const Value& exception) {
  if (const ExceptionObject* plain = exception.as<ExceptionObject>()) return plain->arguments;
  const Value* own = exception_members(exception)->find("args");
  const Tuple* arguments = own ? own->as<Tuple>() : nullptr;
  return arguments ? arguments->items : std::vector<Value>();
}

bool set_exception_attribute(Interpreter& interpreter, const Value& exception, const std::string& name,
                             const Value& value, Span span) {
  if (name != "args") return exception_members(exception)->set(name, value), true;
  std::vector<Value> arguments = interpreter.to_vector(value, span);
  if (ExceptionObject* plain = exception.as<ExceptionObject>()) plain->arguments = std::move(arguments);
  else exception_members(exception)->set(name, make_tuple(std::move(arguments)));
  return true;
}

Value to_exception(Interpreter& interpreter, const Value& value, Span span, std::string_view message) {
  const TypeObject* type = value.as<TypeObject>();
  const ClassObject* own = value.as<ClassObject>();
  if ((type && is_exception_name(type->name)) || (own && !own->exception.empty())) {
    return interpreter.call(value, {{}, {}, {}, span});
  }
  if (exception_members(value)) return value;
  throw CellError(Code::Type, span, std::string(message));
}

// A __str__ that raises is passed over, as Python does when it shows an exception.
static std::string text_of_exception(const Value& value) {
  try {
    return str(value);
  } catch (const CellError& failure) {
    if (!is_catchable(failure)) throw;
    return "<exception str() failed>";
  }
}

CellError to_error(const Value& value, Span span) {
  const Instance* instance = value.as<Instance>();
  const std::string type = instance ? instance->type->name : value.as<ExceptionObject>()->type;
  return error_of(type, instance ? instance->type->exception : type, ends_of_message(text_of_exception(value)), span);
}

std::string ends_of_message(std::string text) {
  constexpr std::size_t kEnd = 4096;
  if (text.size() <= 3 * kEnd) return text;
  return valid_utf8(text.substr(0, kEnd) + text.substr(text.size() - kEnd));
}

CellError to_cell_error(const TensorError& error, Span span) {
  Diagnostic diagnostic;
  diagnostic.code = error.code();
  diagnostic.span = span;
  diagnostic.message = *error.what() ? error.what() : say("rule." + error.rule());
  diagnostic.rule = error.rule();
  diagnostic.facts = error.facts();
  return CellError(std::move(diagnostic), error.type());
}

void NestedLevel::refuse(std::string_view doing) {
  throw python_error("RecursionError", {}, "maximum recursion depth exceeded" + std::string(doing));
}

CellError python_error(std::string_view type, Span span, std::string message, std::string hint) {
  const ExceptionRow* row = find_row(type);
  CellError error(row ? row->code : Code::Runtime, span, std::move(message), std::move(hint));
  return CellError(error.diagnostic(), std::string(type));
}

CellError key_error(const Value& key, Span span, std::string hint) {
  CellError error(Code::Key, span, ends_of_message(repr(key)), std::move(hint));
  Interpreter::current()->attach(error, make<ExceptionObject>("KeyError", std::vector<Value>{key}));
  return error;
}

CellError result_out_of_range(Span span) {
  const Value exception = make<ExceptionObject>(
      "OverflowError", std::vector<Value>{Value(std::int64_t{34}), make_str("Numerical result out of range")});
  CellError error = to_error(exception, span);
  Interpreter::current()->attach(error, exception);
  return error;
}

Value exception_object(const CellError& error, const Raised& raised) {
  if (error.object() != 0 && error.object() == raised.number) return raised.value;
  std::vector<Value> arguments;
  if (*error.what()) arguments.push_back(make_str(error.what()));
  return make<ExceptionObject>(error.type(), std::move(arguments));
}

// ---- attributes ----

Members* exception_members(const Value& value) {
  if (ExceptionObject* exception = value.as<ExceptionObject>()) return &exception->attributes;
  Instance* instance = value.as<Instance>();
  return instance && !instance->type->exception.empty() ? &instance->attributes : nullptr;
}

namespace {

Value with_traceback(const Value& exception) {
  return make<Builtin>("with_traceback", [exception](Interpreter&, CallArguments&) { return exception; });
}

Value add_note(const Value& exception) {
  return make<Builtin>("add_note", [exception](Interpreter&, CallArguments& arguments) {
    if (arguments.positional.size() != 1)
      throw CellError(Code::Type, arguments.span, "BaseException.add_note() takes exactly one argument");
    const Value note = arguments.positional[0];
    if (!note.as<Str>())
      throw CellError(Code::Type, arguments.span, fmt::format("note must be a str, not '{}'", type_name(note)));
    Members& members = *exception_members(exception);
    if (!members.find("__notes__")) members.set("__notes__", make_list({}));
    List* notes = members.find("__notes__")->as<List>();
    if (!notes) throw CellError(Code::Type, arguments.span, "Cannot add note: __notes__ is not a list");
    notes->items.push_back(note);
    return Value();
  });
}

}  // namespace

bool exception_attribute(const Value& exception, const std::string& name, Value& out) {
  const Members* members = exception_members(exception);
  if (!members) return false;
  if (const Value* own = members->find(name)) return out = *own, true;
  const ExceptionObject* object = exception.as<ExceptionObject>();
  if (object && name == "args") return out = make_tuple(object->arguments), true;
  if (object &&
      ((object->type == "StopIteration" && name == "value") || (object->type == "SystemExit" && name == "code"))) {
    return out = object->arguments.empty() ? Value() : object->arguments[0], true;
  }
  if (name == "__cause__" || name == "__context__" || name == "__traceback__") return out = Value(), true;
  if (name == "__suppress_context__") return out = Value(false), true;
  if (name == "with_traceback") return out = with_traceback(exception), true;
  if (name == "add_note") return out = add_note(exception), true;
  return false;
}

const Type ExceptionObject::kType = {
    .name = "Exception",
    .name_of = [](const Value& self) { return self.as<ExceptionObject>()->type; },
    .repr =
        [](const Value& self) {
          const ExceptionObject& exception = *self.as<ExceptionObject>();
          return exception.type + "(" + items_repr(exception.arguments) + ")";
        },
    .str =
        [](const Value& self) {
          const ExceptionObject& exception = *self.as<ExceptionObject>();
          return exception_text(exception.type, exception.arguments);
        },
    .attribute = [](Interpreter&, const Value& self, const std::string& name, Span, Span,
                    Value& out) { return exception_attribute(self, name, out); },
    .set_attribute = set_exception_attribute,
};

}  // namespace attn
