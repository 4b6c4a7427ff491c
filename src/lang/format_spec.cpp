#include "lang/format_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "base/number.h"
#include "base/text.h"
#include "tensor/read.h"

namespace attn {
namespace {

[[noreturn]] void fail(const std::string& message, Code code = Code::Value) { throw CellError(code, {}, message); }

constexpr int kMaxWidth = 10'000;

struct FormatSpec {
  std::string fill = " ";
  char align = 0;
  char sign = '-';
  bool alternate = false;
  bool zero = false;
  int width = 0;
  char grouping = 0;
  int precision = -1;
  char type = 0;
};

int read_number(std::string_view spec, std::size_t& at) {
  int number = 0;
  while (at < spec.size() && spec[at] >= '0' && spec[at] <= '9') {
    number = number * 10 + (spec[at++] - '0');
    if (number > kMaxWidth) fail("Too many decimal digits in format string");
  }
  return number;
}

bool is_align(char c) { return c == '<' || c == '>' || c == '^' || c == '='; }

// [[fill]align][sign][#][0][width][grouping][.precision][type]
FormatSpec parse_spec(std::string_view spec) {
  FormatSpec out;
  std::size_t at = 0;
  const std::size_t fill_bytes = spec.empty() ? 0 : graphemes(spec)[0].size();
  if (fill_bytes > 0 && fill_bytes < spec.size() && is_align(spec[fill_bytes])) {
    out.fill = std::string(spec.substr(0, fill_bytes));
    out.align = spec[fill_bytes];
    at = fill_bytes + 1;
  } else if (!spec.empty() && is_align(spec[0])) {
    out.align = spec[at++];
  }
  if (at < spec.size() && (spec[at] == '+' || spec[at] == '-' || spec[at] == ' ')) out.sign = spec[at++];
  if (at < spec.size() && spec[at] == '#') out.alternate = true, ++at;
  if (at < spec.size() && spec[at] == '0') out.zero = true, ++at;
  out.width = read_number(spec, at);
  if (at < spec.size() && (spec[at] == ',' || spec[at] == '_')) out.grouping = spec[at++];
  if (at < spec.size() && spec[at] == '.') {
    ++at;
    const std::size_t digits = at;
    out.precision = read_number(spec, at);
    if (at == digits) fail("Format specifier missing precision");
  }
  if (at < spec.size()) out.type = spec[at++];
  if (at < spec.size()) fail("Invalid format specifier");
  if (out.zero && !out.align) {
    out.align = '=';
    out.fill = "0";
  }
  return out;
}

std::string repeat(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

// `sign` stands in front of `body`; '=' pads between the two.
std::string padded(const FormatSpec& spec, const std::string& sign, const std::string& body, char default_align) {
  const int length = static_cast<int>(graphemes(sign).size() + graphemes(body).size());
  const int missing = std::max(0, spec.width - length);
  const char align = spec.align ? spec.align : default_align;
  if (align == '<') return sign + body + repeat(spec.fill, missing);
  if (align == '^') return repeat(spec.fill, missing / 2) + sign + body + repeat(spec.fill, missing - missing / 2);
  if (align == '=') return sign + repeat(spec.fill, missing) + body;
  return repeat(spec.fill, missing) + sign + body;
}

// Thousands separators in the digits before '.', 'e' or '%'.
std::string grouped(const std::string& digits, char separator, int every) {
  if (!separator) return digits;
  const std::size_t whole = std::min(digits.find_first_of(".e%"), digits.size());
  std::string out;
  for (std::size_t i = 0; i < whole; ++i) {
    if (i > 0 && (whole - i) % static_cast<std::size_t>(every) == 0) out += separator;
    out += digits[i];
  }
  return out + digits.substr(whole);
}

std::string sign_text(bool negative, char mode) {
  if (negative) return "-";
  return mode == '+' ? "+" : mode == ' ' ? " " : "";
}

std::string float_body(double value, const FormatSpec& spec) {
  const int precision = spec.precision < 0 ? 6 : spec.precision;
  switch (spec.type) {
    case 'f':
    case 'F': return format_fixed(value, precision);
    case 'e': return format_exponent(value, precision);
    case 'g':
    case 'n': return format_general(value, precision);
    case '%': return format_fixed(value * 100, precision) + "%";
    case 0: {
      if (spec.precision < 0) return python_repr(value);
      const std::string text = format_general(value, precision);
      return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
    }
    default: break;
  }
  fail(fmt::format("Unknown format code '{}' for object of type 'float'", spec.type));
}

std::string format_float(double value, const FormatSpec& spec) {
  const bool negative = std::signbit(value) && !std::isnan(value);
  const std::string body = float_body(std::fabs(value), spec);
  return padded(spec, sign_text(negative, spec.sign), grouped(body, spec.grouping, 3), '>');
}

std::string in_base(std::uint64_t value, unsigned base, bool upper) {
  std::string out;
  do {
    const auto digit = static_cast<char>(value % base);
    out += static_cast<char>(digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10);
  } while (value /= base);
  return {out.rbegin(), out.rend()};
}

std::string format_int(std::int64_t value, const FormatSpec& spec) {
  if (std::string_view("eEfFgGn%").find(spec.type) != std::string_view::npos && spec.type && spec.type != 'n') {
    return format_float(static_cast<double>(value), spec);
  }
  if (spec.precision >= 0) fail("Precision not allowed in integer format specifier");
  const auto magnitude = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  struct Base {
    char type;
    unsigned base;
    const char* prefix;
  };
  constexpr Base kBases[] = {{0, 10, ""},    {'d', 10, ""},   {'n', 10, ""},  {'b', 2, "0b"},
                             {'o', 8, "0o"}, {'x', 16, "0x"}, {'X', 16, "0X"}};
  if (spec.type == 'c') return padded(spec, "", std::string(1, static_cast<char>(value & 0x7f)), '<');
  for (const Base& row : kBases) {
    if (row.type != spec.type) continue;
    const std::string digits =
        grouped(in_base(magnitude, row.base, row.type == 'X'), spec.grouping, row.base == 10 ? 3 : 4);
    return padded(spec, sign_text(value < 0, spec.sign) + (spec.alternate ? row.prefix : ""), digits, '>');
  }
  fail(fmt::format("Unknown format code '{}' for object of type 'int'", spec.type));
}

std::string format_text(const std::string& text, const FormatSpec& spec, const std::string& type) {
  if (spec.type && spec.type != 's')
    fail(fmt::format("Unknown format code '{}' for object of type '{}'", spec.type, type));
  if (spec.align == '=') fail("'=' alignment not allowed in string format specifier");
  std::string body = text;
  if (spec.precision >= 0) {
    const auto characters = graphemes(text);
    body.clear();
    for (std::size_t i = 0; i < characters.size() && static_cast<int>(i) < spec.precision; ++i) body += characters[i];
  }
  return padded(spec, "", body, '<');
}

}  // namespace

std::string format_value(const Value& value, std::string_view spec) {
  const TensorObject* tensor = value.as<TensorObject>();
  if (tensor && tensor->tensor.dim() == 0 && !tensor->is_parameter)
    return format_value(from_scalar(item(tensor->tensor)), spec);
  if (const Array* array = value.as<Array>(); array && array->tensor->tensor.dim() == 0)
    return format_value(from_scalar(item(array->tensor->tensor)), spec);
  if (spec.empty()) return str(value);
  if (const bool* b = value.as_bool()) {
    const FormatSpec parsed = parse_spec(spec);
    return parsed.type == 0 || parsed.type == 's' ? format_text(*b ? "True" : "False", parsed, "bool")
                                                  : format_int(*b, parsed);
  }
  if (const Int* i = value.as_int()) return format_int(i->value, parse_spec(spec));
  if (const double* d = value.as_float()) return format_float(*d, parse_spec(spec));
  if (const Str* text = value.as<Str>()) return format_text(text->text, parse_spec(spec), "str");
  const std::string type = tensor ? "Tensor" : type_name(value);
  fail("unsupported format string passed to " + type + ".__format__", Code::Type);
}

std::string percent_format(std::string_view text, const Value& arguments) {
  const Tuple* tuple = arguments.as<Tuple>();
  std::size_t used = 0;
  auto next_argument = [&]() -> Value {
    if (!tuple && used++ == 0) return arguments;
    if (tuple && used < tuple->items.size()) return tuple->items[used++];
    fail("not enough arguments for format string", Code::Type);
  };
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    const std::size_t end = text.find_first_of("diufFeEgGsrxXoc%", at + 1);
    if (end == std::string_view::npos) fail("incomplete format");
    std::string spec(text.substr(at + 1, end - at - 1));
    const char type = text[end];
    at = end;
    if (type == '%') {
      out += '%';
      continue;
    }
    const bool left = spec.starts_with('-');
    if (left) spec.erase(0, 1);
    const std::string align = left ? "<" : type == 's' || type == 'r' ? ">" : "";
    const Value argument = next_argument();
    if (type == 's' || type == 'r') {
      out += format_value(make_str(type == 'r' ? repr(argument) : str(argument)), align + spec + "s");
    } else if (type == 'd' || type == 'i' || type == 'u') {
      const auto number = as_real(argument);
      if (!number)
        fail(fmt::format("%{} format: a real number is required, not {}", type, type_name(argument)), Code::Type);
      out += format_value(Value(static_cast<std::int64_t>(*number)), align + spec + "d");
    } else {
      out += format_value(argument, align + spec + type);
    }
  }
  if (tuple && used < tuple->items.size()) fail("not all arguments converted during string formatting", Code::Type);
  return out;
}

}  // namespace attn
