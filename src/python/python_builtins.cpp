#include "python/python_builtins.h"

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/letters.h"
#include "base/number.h"
#include "base/utf8.h"
#include "python/argument_count.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/natives.h"
#include "python/operators.h"
#include "python/type.h"
#include "python/types/bytes.h"
#include "python/types/format_spec.h"
#include "python/types/record.h"
#include "syntax/characters.h"
#include "text/unsupported.h"

namespace attn {
namespace {

// The one argument of a function that takes one: "ord() takes exactly one argument (2 given)".
const Value& only(const CallArguments& arguments, std::string_view name) {
  if (arguments.positional.size() != 1 || !arguments.keywords.empty())
    fail(Code::Type, arguments,
         fmt::format("{}() takes exactly one argument ({} given)", name, arguments.positional.size()));
  return arguments.positional[0];
}

// ---- numbers ----

Value divmod(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "divmod", 2, 2);
  const Value &a = arguments.positional[0], &b = arguments.positional[1];
  if (Value own; call_special(a, "__divmod__", {b}, own)) return own;
  const OperatorSpans spans{arguments.span, arguments.spans[0], arguments.spans[1]};
  const auto is_plain = [](const Value& v) {
    return v.is_number() || v.is_none() || v.as<Str>() || v.as<List>() || v.as<Tuple>() || v.as<Dict>() || v.as<Set>();
  };
  if (is_plain(a) && is_plain(b) && !(a.is_number() && b.is_number()))
    fail(Code::Type, arguments,
         fmt::format("unsupported operand type(s) for divmod(): '{}' and '{}'", type_name(a), type_name(b)));
  const bool has_float = a.as_float() || b.as_float();
  if (has_float && as_real(b) == 0.0) fail(Code::ZeroDivision, arguments, "float divmod()");
  return make_tuple({apply_binary(in, BinaryOp::FloorDiv, a, b, spans), apply_binary(in, BinaryOp::Mod, a, b, spans)});
}

// 0b101 and the like: `type` is the letter of a format specification.
template <char Type>
Value in_base(Interpreter&, CallArguments& arguments) {
  const Value& value = only(arguments, Type == 'b' ? "bin" : Type == 'o' ? "oct" : "hex");
  const auto number = as_index(value);
  if (!number)
    fail(Code::Type, arguments, fmt::format("'{}' object cannot be interpreted as an integer", type_name(value)));
  return make_str(format_value(Value(*number), std::string("#") + Type));
}

// ---- characters ----

Value chr(Interpreter&, CallArguments& arguments) {
  const Value& value = only(arguments, "chr");
  const auto code = as_index(value);
  if (!code)
    fail(Code::Type, arguments, fmt::format("'{}' object cannot be interpreted as an integer", type_name(value)));
  if (*code < INT32_MIN || *code > INT32_MAX)
    throw python_error("OverflowError", arguments.span, "Python int too large to convert to C int");
  if (!is_code_point(*code)) fail(Code::Value, arguments, "chr() arg not in range(0x110000)");
  return make_str(character(*code, arguments.span));
}

Value ord(Interpreter&, CallArguments& arguments) {
  const Value& value = only(arguments, "ord");
  const Bytes* bytes = value.as<Bytes>();
  const Str* text = bytes ? bytes->text.as<Str>() : value.as<Str>();
  if (!text)
    fail(Code::Type, arguments, fmt::format("ord() expected string of length 1, but {} found", type_name(value)));
  const std::size_t count = character_count(text->text);
  if (count != 1)
    fail(Code::Type, arguments, fmt::format("ord() expected a character, but string of length {} found", count));
  return Value(first_code(text->text) & (bytes ? 0xFF : -1));
}

Value ascii(Interpreter&, CallArguments& arguments) { return make_str(ascii_repr(only(arguments, "ascii"))); }

// ---- looking into things ----

// Ints and what equals them hash as in Python; Python's hashes of strings differ from run to run.
Value hash(Interpreter&, CallArguments& arguments) {
  const Value& given = only(arguments, "hash");
  const Value value = has_number(given) ? from_scalar(*as_scalar(given)) : given;
  if (const auto known = python_hash(value)) return Value(*known);
  if (Value own; call_special(value, "__hash__", {}, own)) return Value(*python_hash(own));
  return Value(static_cast<std::int64_t>(ValueHash()(value) >> 3));
}

Value slice_function(Interpreter&, CallArguments& arguments) {
  expect(arguments, "slice", 1, 3);
  const auto& given = arguments.positional;
  if (given.size() == 1) return make<Slice>(Value(), given[0], Value());
  return make<Slice>(given[0], given[1], given.size() == 3 ? given[2] : Value());
}

/// The owner of globals(): what is written there is bound.
struct GlobalNames : Object {
  static const Type kType;
  GlobalNames() : Object(kType) {}
};

const Type GlobalNames::kType = {
    .name = "dict",
    .set_attribute = [](Interpreter& in, const Value&, const std::string& name, const Value& value,
                        Span) { return in.set(name, value), true; },
    .delete_attribute = [](Interpreter&, const Value&, const std::string&, Span span) -> bool {
      throw unsupported(span, "unsupported.globals.delete");
    }};

Ref<Dict> dict_of_names(const Scope& scope) {
  Ref<Dict> names = make<Dict>();
  if (!scope.outer && !scope.names.contains("__name__")) names->set(make_str("__name__"), make_str("__main__"));
  // Python's order: *args and **kwargs come behind the other parameters.
  for (const bool are_stars : {false, true}) {
    if (!scope.function || !scope.function->parameters) break;
    for (const Parameter& parameter : *scope.function->parameters) {
      const bool is_star = parameter.kind == ParameterKind::Star || parameter.kind == ParameterKind::DoubleStar;
      if (const Value* value = is_star == are_stars ? scope.names.find(parameter.name) : nullptr)
        names->set(make_str(std::string(parameter.name.text())), *value);
    }
  }
  for (const auto& [name, value] : scope.names) names->set(make_str(std::string(name.text())), value);
  return names;
}

/// The names that the program sees where it calls, be it by way of the library: partial(globals)().
const Scope& scope_of_call(const Interpreter& in, const CallArguments& arguments) {
  return is_in_library(arguments.span) ? *in.program_scope() : *in.place().scope;
}

Value globals(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "globals", 0, 0);
  const Scope* scope = &scope_of_call(in, arguments);
  while (scope->outer) scope = scope->outer.get();
  Ref<Dict> names = dict_of_names(*scope);
  names->mirrored = make<GlobalNames>();
  return names;
}

Value locals(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "locals", 0, 0);
  const Scope& scope = scope_of_call(in, arguments);
  return scope.outer ? Value(dict_of_names(scope)) : globals(in, arguments);
}

Value vars(Interpreter& in, CallArguments& arguments) {
  if (arguments.positional.empty() && arguments.keywords.empty()) return locals(in, arguments);
  const Value& value = only(arguments, "vars");
  const bool is_layer = value.object() && value.object()->type().listed_as == "Module";
  if (!class_of(value) && !is_layer && !value.as<ClassObject>())
    fail(Code::Type, arguments, "vars() argument must have __dict__ attribute");
  return get_attribute(in, value, "__dict__", arguments.span, arguments.span);
}

Value dir(Interpreter& in, CallArguments& arguments) {
  const Value& object = only(arguments, "dir");
  if (Value own; call_special(object, "__dir__", {}, own))
    return in.call(*find_builtin("sorted"), {own}, arguments.span);
  std::vector<Value> out;
  for (const std::string& name : attribute_names(object)) out.push_back(make_str(name));
  return make_list(std::move(out));
}

Value delattr(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "delattr", 2, 2);
  delete_attribute(in, arguments.positional[0], str(arguments.positional[1]), arguments.span);
  return {};
}

Value open_text(Interpreter& in, CallArguments& arguments) {
  return in.call(library_function(in, "files", "open"), arguments);
}

constexpr NativeRow kPythonFunctions[] = {
    {"divmod", divmod}, {"bin", in_base<'b'>}, {"oct", in_base<'o'>}, {"hex", in_base<'x'>},     {"chr", chr},
    {"ord", ord},       {"ascii", ascii},      {"hash", hash},        {"slice", slice_function}, {"vars", vars},
    {"dir", dir},       {"globals", globals},  {"locals", locals},    {"delattr", delattr},      {"open", open_text}};

}  // namespace

std::span<const NativeRow> python_functions() { return kPythonFunctions; }

}  // namespace attn
