// What bytes do: by the slots and methods of str (bytes.h), and what only they have.
#include <fmt/format.h>

#include <algorithm>

#include "base/letters.h"
#include "base/limits.h"
#include "base/text.h"
#include "base/utf8.h"
#include "base/words.h"
#include "python/argument_count.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/natives.h"
#include "python/operators.h"
#include "python/type.h"
#include "python/types/bytes.h"
#include "text/unsupported.h"

namespace attn {
namespace {

// ---- a character for each byte ----

constexpr std::uint32_t kPrivate = 0xE000;

void append_byte(std::string& text, unsigned char byte) {
  const bool is_plain = byte < 0x1C || (byte > 0x1F && byte < 0x80);  // str has blanks from 0x1C to 0x1F
  append_utf8(text, is_plain ? byte : kPrivate + byte);
}

Value of_text(Value text) { return make<Bytes>(std::move(text)); }

// What a method of str made, as bytes.
Value made_of_text(const Value& value) {
  charge(1);
  if (value.as<Str>()) return of_text(value);
  const List* list = value.as<List>();
  const Tuple* tuple = value.as<Tuple>();
  if (!list && !tuple) return value;
  std::vector<Value> items;
  for (const Value& item : list ? list->items : tuple->items) items.push_back(made_of_text(item));
  return list ? make_list(std::move(items)) : make_tuple(std::move(items));
}

unsigned char byte_of(const Value& value, Span span) {
  const auto number = as_index(value);
  if (!number)
    throw CellError(Code::Type, span, fmt::format("'{}' object cannot be interpreted as an integer", type_name(value)));
  if (*number < 0 || *number > 255) throw CellError(Code::Value, span, "bytes must be in range(0, 256)");
  return static_cast<unsigned char>(*number);
}

// An operand or argument as str has it: of bytes their text, of an int that byte.
Value text_operand(const Value& value, Span span) {
  charge(1);
  if (const Bytes* bytes = value.as<Bytes>()) return bytes->text;
  if (value.as<Str>()) throw CellError(Code::Type, span, "a bytes-like object is required, not 'str'");
  if (const Tuple* tuple = value.as<Tuple>()) {
    const NestedLevel level(kWhileCalling);
    std::vector<Value> items;
    for (const Value& item : tuple->items) items.push_back(text_operand(item, span));
    return make_tuple(std::move(items));
  }
  return value;
}

Value byte_text(const Value& value, Span span) {
  if (!as_index(value)) return text_operand(value, span);
  std::string text;
  append_byte(text, byte_of(value, span));
  return make_str(std::move(text));
}

// ---- encodings ----

enum class Encoding { Utf8, Latin1, Ascii };

Encoding encoding_of(const MethodCall& call) {
  std::string name = call.has(0) ? lower_case(call.text(0)) : "utf-8";
  std::replace(name.begin(), name.end(), '_', '-');
  if (has_word("utf-8 utf8", name)) return Encoding::Utf8;
  if (has_word("latin-1 latin1 iso-8859-1", name)) return Encoding::Latin1;
  if (has_word("ascii us-ascii", name)) return Encoding::Ascii;
  throw unsupported(call.given.span, "unsupported.encoding", {{"name", call.text(0)}});
}

std::string errors_of(const MethodCall& call) {
  const std::string errors = call.has(1) ? call.text(1) : "strict";
  if (!has_word("strict ignore replace", errors))
    throw unsupported(call.given.span, "unsupported.encoding.errors", {{"name", errors}});
  return errors;
}

// "byte 0xff in position 0: invalid start byte"
std::string wrong_bytes(std::string_view rest, std::size_t at, std::size_t size) {
  const auto first = static_cast<unsigned char>(rest[0]);
  const bool starts = first >= 0xC2 && first <= 0xF4;
  const bool is_cut = starts && size == rest.size();
  const std::string where = is_cut && size > 1 ? fmt::format("bytes in position {}-{}", at, at + size - 1)
                                               : fmt::format("byte 0x{:02x} in position {}", first, at);
  return where + (is_cut   ? ": unexpected end of data"
                  : starts ? ": invalid continuation byte"
                           : ": invalid start byte");
}

std::string decoded_utf8(std::string_view raw, const std::string& errors, Span span) {
  std::string text;
  for (std::size_t at = 0; at < raw.size();) {
    look();
    const Decoded one = decode(raw.substr(at));
    if (one.code >= 0) text.append(raw, at, one.size);
    else if (errors == "replace") text += "\uFFFD";
    else if (errors == "strict")
      throw python_error("UnicodeDecodeError", span,
                         "'utf-8' codec can't decode " + wrong_bytes(raw.substr(at), at, one.size));
    at += one.size;
  }
  return text;
}

Value decode_bytes(MethodCall& call) {
  const std::string raw = raw_bytes(*call.self.as<Bytes>()), errors = errors_of(call);
  const Encoding encoding = encoding_of(call);
  check_length(raw.size());
  if (encoding == Encoding::Utf8) return make_str(decoded_utf8(raw, errors, call.given.span));
  std::string text;
  for (std::size_t at = 0; at < raw.size(); ++at) {
    const auto byte = static_cast<unsigned char>(raw[at]);
    if (byte < 0x80 || encoding == Encoding::Latin1) append_utf8(text, byte);
    else if (errors == "replace") text += "\uFFFD";
    else if (errors == "strict")
      throw python_error(
          "UnicodeDecodeError", call.given.span,
          fmt::format("'ascii' codec can't decode byte 0x{:02x} in position {}: ordinal not in range(128)", byte, at));
  }
  return make_str(std::move(text));
}

// "\\xe9", "\\u2192"
std::string escaped_code(std::int32_t code) {
  if (code < 0x100) return fmt::format("\\x{:02x}", code);
  return code < 0x10000 ? fmt::format("\\u{:04x}", code) : fmt::format("\\U{:08x}", code);
}

// ---- methods ----

const Method& row_of_str(std::string_view name) {
  const auto rows = string_methods();
  return *std::find_if(rows.begin(), rows.end(), [&](const Method& row) { return row.name == name; });
}

Value bytes_hex(MethodCall& call) {
  const std::string between = call.has(0) ? call.text(0) : "";
  std::string text;
  for (const char c : raw_bytes(*call.self.as<Bytes>())) {
    look();
    text += (text.empty() ? "" : between) + fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return make_str(std::move(text));
}

Value join_bytes(MethodCall& call) {
  std::vector<Value> texts;
  call.interpreter.for_each(call[0], call.span(0), [&](const Value& item) {
    if (!item.as<Bytes>())
      call.fail(Code::Type,
                fmt::format("sequence item {}: expected a bytes-like object, {} found", texts.size(), type_name(item)));
    return texts.push_back(item.as<Bytes>()->text), true;
  });
  MethodCall of_str{
      call.interpreter, call.self.as<Bytes>()->text, call.given, call.name, {make_list(std::move(texts))}};
  return of_text(row_of_str("join").function(of_str));
}

// By a function of src/lib/operator.py, which takes None for what is not given.
Value through_library(MethodCall& call) {
  Interpreter& in = call.interpreter;
  const Value function = library_function(in, "operator", std::string(call.name) + "_bytes");
  return in.call(function, {call.self, call[0], call[1]}, call.given.span);
}

constexpr std::string_view kOfStr =
    "split rsplit lower upper title capitalize swapcase strip lstrip rstrip removeprefix removesuffix replace "
    "startswith endswith count find rfind index rindex isdigit isalpha isalnum isspace isupper islower isascii ljust "
    "rjust center zfill partition rpartition expandtabs";
constexpr std::string_view kTakesByte = "count find rfind index rindex";

// The method of str on the text.
Value through_text(MethodCall& call) {
  const Value text = call.self.as<Bytes>()->text;
  MethodCall of_str{call.interpreter, text, call.given, call.name, call.arguments};
  for (std::size_t i = 0; i < of_str.arguments.size(); ++i) {
    std::optional<Value>& argument = of_str.arguments[i];
    const bool is_byte = i == 0 && has_word(kTakesByte, call.name);
    if (argument) argument = (is_byte ? byte_text : text_operand)(*argument, call.span(i));
  }
  if (call.name == "isascii")
    return Value(std::ranges::all_of(text.as<Str>()->text, [](char c) { return (c & 0x80) == 0; }));
  return made_of_text(row_of_str(call.name).function(of_str));
}

std::span<const Method> bytes_methods(const Value&) {
  static const std::vector<Method> rows = [] {
    std::vector<Method> made = {{"decode", 0, 2, decode_bytes, "encoding errors"},
                                {"hex", 0, 1, bytes_hex, "sep"},
                                {"join", 1, 1, join_bytes},
                                {"translate", 1, 2, through_library, "table delete"},
                                {"splitlines", 0, 1, through_library, "keepends"}};
    for_each_word(kOfStr, [&](std::string_view name) {
      made.push_back(row_of_str(name));
      made.back().function = through_text;
    });
    return made;
  }();
  return rows;
}

// ---- slots ----

std::string bytes_repr(const Value& self) {
  const std::string raw = raw_bytes(*self.as<Bytes>());
  const bool has_single = raw.find('\'') != std::string::npos;
  const char quote = has_single && raw.find('"') == std::string::npos ? '"' : '\'';
  std::string out = {'b', quote};
  for (const char c : raw) {
    look();
    if (is_cut_off(out)) return out;
    if (c == quote || c == '\\') (out += '\\') += c;
    else if (c == '\n') out += "\\n";
    else if (c == '\t') out += "\\t";
    else if (c == '\r') out += "\\r";
    else if (c >= ' ' && c < 0x7F) out += c;
    else out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return out + quote;
}

Value bytes_item(Interpreter& interpreter, const Value& self, const Value& index, const OperatorSpans& spans) {
  const Bytes& bytes = *self.as<Bytes>();
  if (!index.as<Slice>()) item_place(index, bytes.text.as<Str>()->length(), "index", spans.whole);
  const Value part = Str::kType.get_item(interpreter, bytes.text, index, spans);
  return index.as<Slice>() ? of_text(part) : int_value(first_code(part.as<Str>()->text) & 0xFF);
}

std::optional<Value> bytes_binary(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b,
                                  const OperatorSpans& spans) {
  if (op == BinaryOp::Mod) throw unsupported(spans.whole, "unsupported.bytes.format");
  const Bytes *x = a.as<Bytes>(), *y = b.as<Bytes>();
  if (op == BinaryOp::Add && !(x && y)) return std::nullopt;
  const auto made = Str::kType.binary(interpreter, op, x ? x->text : a, y ? y->text : b, spans);
  return made ? std::optional(of_text(*made)) : std::nullopt;
}

}  // namespace

Value make_bytes(std::string_view raw) {
  std::string text;
  for (const char c : raw) {
    look();
    append_byte(text, static_cast<unsigned char>(c));
  }
  return of_text(make_str(std::move(text)));
}

std::string raw_bytes(const Bytes& bytes) {
  std::string raw;
  for (std::string_view rest = bytes.text.as<Str>()->text; !rest.empty();) {
    look();
    const Decoded one = decode(rest);
    raw += static_cast<char>(one.code & 0xFF);
    rest.remove_prefix(one.size);
  }
  return raw;
}

const Type Bytes::kType = {
    .name = "bytes",
    .repr = bytes_repr,
    .length = [](const Value& self) { return Str::kType.length(self.as<Bytes>()->text); },
    .hash = [](const Value& self) { return Str::kType.hash(self.as<Bytes>()->text); },
    .equals = [](const Value& a, const Value& b) -> std::optional<bool> {
      if (!a.as<Bytes>() || !b.as<Bytes>()) return std::nullopt;
      return Str::kType.equals(a.as<Bytes>()->text, b.as<Bytes>()->text);
    },
    .each =
        [](Interpreter& interpreter, const Value& self, Span span, const Visit& visit) {
          Str::kType.each(interpreter, self.as<Bytes>()->text, span, [&](const Value& character) {
            return visit(int_value(first_code(character.as<Str>()->text) & 0xFF));
          });
        },
    .iterator = "bytes_iterator",
    .methods = bytes_methods,
    .get_item = bytes_item,
    .contains =
        [](Interpreter& interpreter, const Value& self, const Value& item, Span span) {
          return Str::kType.contains(interpreter, self.as<Bytes>()->text, byte_text(item, span), span);
        },
    .binary = bytes_binary,
    .compare = [](Interpreter& interpreter, CompareOp op, const Value& a, const Value& b,
                  const OperatorSpans& spans) -> std::optional<Value> {
      if (!a.as<Bytes>() || !b.as<Bytes>()) return std::nullopt;
      return Str::kType.compare(interpreter, op, a.as<Bytes>()->text, b.as<Bytes>()->text, spans);
    },
};

Value encode(MethodCall& call) {
  const Encoding encoding = encoding_of(call);
  const std::string &text = call.self.as<Str>()->text, errors = errors_of(call);
  check_length(text.size());
  if (encoding == Encoding::Utf8) return make_bytes(text);
  const std::int32_t most = encoding == Encoding::Ascii ? 0x7F : 0xFF;
  std::string raw;
  std::size_t place = 0;
  for (std::string_view rest = text; !rest.empty(); ++place) {
    const Decoded one = decode(rest);
    rest.remove_prefix(one.size);
    if (one.code <= most) raw += static_cast<char>(one.code);
    else if (errors == "replace") raw += '?';
    else if (errors == "strict")
      throw python_error("UnicodeEncodeError", call.given.span,
                         fmt::format("'{}' codec can't encode character '{}' in position {}: ordinal not in range({})",
                                     most == 0x7F ? "ascii" : "latin-1", escaped_code(one.code), place, most + 1));
  }
  return make_bytes(raw);
}

Value recoded(Interpreter& interpreter, const CallArguments& arguments, const std::string& method) {
  Value function;
  if (!container_method(arguments.positional[0], method, function))
    throw CellError(
        Code::Type, arguments.span,
        fmt::format("decoding to str: need a bytes-like object, {} found", type_name(arguments.positional[0])));
  CallArguments rest = arguments;
  rest.positional.erase(rest.positional.begin());
  rest.spans.erase(rest.spans.begin());
  return interpreter.call(function, rest);
}

Value construct_bytes(Interpreter& interpreter, const CallArguments& arguments) {
  expect(arguments, "bytes", 0, 3, {"source", "encoding", "errors"});
  if (arguments.positional.empty()) return make_bytes("");
  const Value& from = arguments.positional[0];
  const Span span = arguments.span;
  if (from.as<Bytes>()) return from;
  if (from.as<Str>()) {
    const bool has_encoding = arguments.positional.size() + arguments.keywords.size() > 1;
    if (!has_encoding) throw CellError(Code::Type, span, "string argument without an encoding");
    return recoded(interpreter, arguments, "encode");
  }
  std::string raw;
  if (const auto count = as_index(from)) {
    if (*count < 0) throw CellError(Code::Value, span, "negative count");
    check_length(static_cast<std::size_t>(*count));
    raw.assign(static_cast<std::size_t>(*count), '\0');
  } else {
    interpreter.for_each(from, span,
                         [&](const Value& item) { return raw += static_cast<char>(byte_of(item, span)), true; });
  }
  return make_bytes(raw);
}

}  // namespace attn
