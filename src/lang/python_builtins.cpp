#include "lang/python_builtins.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/letters.h"
#include "base/number.h"
#include "lang/argument_count.h"
#include "lang/class.h"
#include "lang/evaluator.h"
#include "lang/format_spec.h"
#include "lang/operators.h"
#include "lang/record.h"

namespace attn {
namespace {

using Arguments = CallArguments;

// The one argument of a function that takes one: "ord() takes exactly one argument (2 given)".
const Value& only(const Arguments& arguments, std::string_view name) {
  if (arguments.positional.size() != 1 || !arguments.keywords.empty())
    fail(Code::Type, arguments,
         fmt::format("{}() takes exactly one argument ({} given)", name, arguments.positional.size()));
  return arguments.positional[0];
}

// ---- numbers ----

Value divmod(Interpreter& in, Arguments& arguments) {
  expect(arguments, "divmod", 2, 2);
  const Value &a = arguments.positional[0], &b = arguments.positional[1];
  const OperatorSpans spans{arguments.span, arguments.spans[0], arguments.spans[1]};
  return make_tuple({apply_binary(in, BinaryOp::FloorDiv, a, b, spans), apply_binary(in, BinaryOp::Mod, a, b, spans)});
}

// 0b101 and the like: `type` is the letter of a format specification.
template <char Type>
Value in_base(Interpreter&, Arguments& arguments) {
  const Value& value = only(arguments, Type == 'b' ? "bin" : Type == 'o' ? "oct" : "hex");
  const auto number = as_index(value);
  if (!number)
    fail(Code::Type, arguments, fmt::format("'{}' object cannot be interpreted as an integer", type_name(value)));
  return make_str(format_value(Value(*number), std::string("#") + Type));
}

// ---- characters ----

std::string utf8(std::int64_t code) {
  const auto part = [&](int shift, int mask, int mark) { return static_cast<char>(((code >> shift) & mask) | mark); };
  if (code < 0x80) return {part(0, 0x7f, 0)};
  if (code < 0x800) return {part(6, 0x1f, 0xc0), part(0, 0x3f, 0x80)};
  if (code < 0x10000) return {part(12, 0x0f, 0xe0), part(6, 0x3f, 0x80), part(0, 0x3f, 0x80)};
  return {part(18, 0x07, 0xf0), part(12, 0x3f, 0x80), part(6, 0x3f, 0x80), part(0, 0x3f, 0x80)};
}

// The code point at the start of valid UTF-8.
std::int64_t first_code(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = character_offset(text, 1);
  std::int64_t code = length == 1 ? lead : lead & (0x7f >> length);
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
  return code;
}

Value chr(Interpreter&, Arguments& arguments) {
  const Value& value = only(arguments, "chr");
  const auto code = as_index(value);
  if (!code)
    fail(Code::Type, arguments, fmt::format("'{}' object cannot be interpreted as an integer", type_name(value)));
  if (*code < 0 || *code >= 0x110000) fail(Code::Value, arguments, "chr() arg not in range(0x110000)");
  if (*code >= 0xd800 && *code < 0xe000)
    fail(Code::Unsupported, arguments, "half of a surrogate pair is not supported in a string");
  return make_str(utf8(*code));
}

Value ord(Interpreter&, Arguments& arguments) {
  const Value& value = only(arguments, "ord");
  const Str* text = value.as<Str>();
  if (!text)
    fail(Code::Type, arguments, fmt::format("ord() expected string of length 1, but {} found", type_name(value)));
  const std::size_t count = character_count(text->text);
  if (count != 1)
    fail(Code::Type, arguments, fmt::format("ord() expected a character, but string of length {} found", count));
  return Value(first_code(text->text));
}

Value ascii(Interpreter&, Arguments& arguments) { return make_str(ascii_repr(only(arguments, "ascii"))); }

// ---- looking into things ----

// Ints and what equals them hash to themselves as in Python; Python's hashes of strings differ from run to run.
Value hash(Interpreter&, Arguments& arguments) {
  const Value& value = only(arguments, "hash");
  if (const auto number = value.is_number() && !value.as_float() ? as_index(value) : std::nullopt)
    return Value(*number == -1 ? std::int64_t{-2} : *number);
  if (Value own; call_special(value, "__hash__", {}, own)) return own;
  const double* real = value.as_float();
  if (real && *real == static_cast<double>(static_cast<std::int64_t>(*real)) && *real < 9e18 && *real > -9e18)
    return Value(static_cast<std::int64_t>(*real));
  return Value(static_cast<std::int64_t>(ValueHash()(value) >> 3));
}

Value slice(Interpreter&, Arguments& arguments) {
  expect(arguments, "slice", 1, 3);
  const auto& given = arguments.positional;
  if (given.size() == 1) return make<Slice>(Value(), given[0], Value());
  return make<Slice>(given[0], given[1], given.size() == 3 ? given[2] : Value());
}

Value vars(Interpreter& in, Arguments& arguments) {
  const Value& value = only(arguments, "vars");
  if (!class_of(value)) fail(Code::Type, arguments, "vars() argument must have __dict__ attribute");
  return get_attribute(in, value, "__dict__", arguments.span, arguments.span);
}

Value dir(Interpreter&, Arguments& arguments) {
  std::vector<std::string> names = attribute_names(only(arguments, "dir"));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<Value> out;
  for (const std::string& name : names) out.push_back(make_str(name));
  return make_list(std::move(out));
}

Value delattr(Interpreter&, Arguments& arguments) {
  expect(arguments, "delattr", 2, 2);
  const std::string name = str(arguments.positional[1]);
  Instance* instance = arguments.positional[0].as<Instance>();
  if (!instance || !instance->attributes.erase(name)) {
    fail(Code::Attribute, arguments,
         fmt::format("'{}' object has no attribute '{}'", type_name(arguments.positional[0]), name));
  }
  return {};
}

constexpr NativeRow kFunctions[] = {{"divmod", divmod},    {"bin", in_base<'b'>}, {"oct", in_base<'o'>},
                                    {"hex", in_base<'x'>}, {"chr", chr},          {"ord", ord},
                                    {"ascii", ascii},      {"hash", hash},        {"slice", slice},
                                    {"vars", vars},        {"dir", dir},          {"delattr", delattr}};

}  // namespace

std::span<const NativeRow> python_functions() { return kFunctions; }

Value not_implemented() {
  thread_local const Value value = [] {
    const OutsideHeap outside;
    return Value(make<Record>("NotImplementedType", "NotImplemented", "NotImplemented"));
  }();
  return value;
}

bool is_not_implemented(const Value& value) {
  const Record* record = value.as<Record>();
  return record && record->type_name == "NotImplementedType";
}

}  // namespace attn
