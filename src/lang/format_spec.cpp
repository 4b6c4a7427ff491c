#include "lang/format_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "base/diagnostic.h"
#include "base/letters.h"
#include "base/number.h"
#include "base/text.h"
#include "lang/class.h"
#include "lang/exceptions.h"
#include "tensor/read.h"

namespace attn {
namespace {

[[noreturn]] void fail(const std::string& message, Code code = Code::Value) { throw CellError(code, {}, message); }

constexpr int kMaxWidth = 10'000;

struct FormatSpec {
  std::string fill = " ";
  char align = 0;
  char sign = '-';
  bool sign_given = false;
  bool no_negative_zero = false;  // z
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

// [[fill]align][sign][z][#][0][width][grouping][.precision][type]
FormatSpec parse_spec(std::string_view spec, std::string_view type) {
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
  if (at < spec.size() && (spec[at] == '+' || spec[at] == '-' || spec[at] == ' ')) {
    out.sign = spec[at++];
    out.sign_given = true;
  }
  if (at < spec.size() && spec[at] == 'z') out.no_negative_zero = true, ++at;
  if (at < spec.size() && spec[at] == '#') out.alternate = true, ++at;
  if (at < spec.size() && spec[at] == '0') out.zero = true, ++at;
  if (out.zero && out.fill == " " && at > 1 && is_align(spec[at - 2])) out.fill = "0";
  out.width = read_number(spec, at);
  if (at < spec.size() && (spec[at] == ',' || spec[at] == '_')) out.grouping = spec[at++];
  if (at < spec.size() && spec[at] == '.') {
    ++at;
    const std::size_t digits = at;
    out.precision = read_number(spec, at);
    if (at == digits) fail("Format specifier missing precision");
  }
  if (at < spec.size()) out.type = spec[at++];
  if (at < spec.size()) fail(fmt::format("Invalid format specifier '{}' for object of type '{}'", spec, type));
  if (out.zero && !out.align) {
    out.align = type == "str" ? '<' : '=';
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
    case 'f': return format_fixed(value, precision);
    case 'F': return upper_case(format_fixed(value, precision));
    case 'e': return format_exponent(value, precision);
    case 'E': return upper_case(format_exponent(value, precision));
    case 'G': return upper_case(format_general(value, precision));
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

// "{1234:08,}": zeros stand between the sign and the digits and are grouped with them.
std::string zeros_grouped(const FormatSpec& spec, const std::string& sign, std::string digits, int every) {
  const bool fills = spec.zero && spec.align == '=' && spec.grouping;
  const auto width = [&] { return static_cast<int>(sign.size() + grouped(digits, spec.grouping, every).size()); };
  while (fills && digits[0] >= '0' && digits[0] <= '9' && width() < spec.width) digits.insert(0, "0");
  return grouped(digits, spec.grouping, every);
}

std::string format_float(double value, const FormatSpec& spec) {
  if (spec.alternate) fail("the # of a float's format is not supported", Code::Unsupported);
  const std::string body = float_body(std::fabs(value), spec);
  const bool is_zero = body.substr(0, body.find('e')).find_first_of("123456789aifAIF") == std::string::npos;
  const bool negative = std::signbit(value) && !std::isnan(value) && !(spec.no_negative_zero && is_zero);
  const std::string sign = sign_text(negative, spec.sign);
  return padded(spec, sign, zeros_grouped(spec, sign, body, 3), '>');
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
  if (spec.no_negative_zero) fail("Negative zero coercion (z) not allowed in integer format specifier");
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
    if (spec.grouping == ',' && row.base != 10) fail(fmt::format("Cannot specify ',' with '{}'.", spec.type));
    const std::string sign = sign_text(value < 0, spec.sign) + (spec.alternate ? row.prefix : "");
    const std::string digits = in_base(magnitude, row.base, row.type == 'X');
    return padded(spec, sign, zeros_grouped(spec, sign, digits, row.base == 10 ? 3 : 4), '>');
  }
  fail(fmt::format("Unknown format code '{}' for object of type 'int'", spec.type));
}

std::string format_text(const std::string& text, const FormatSpec& spec, const std::string& type) {
  if (spec.type && spec.type != 's')
    fail(fmt::format("Unknown format code '{}' for object of type '{}'", spec.type, type));
  if (spec.align == '=') fail("'=' alignment not allowed in string format specifier");
  if (spec.sign_given) fail("Sign not allowed in string format specifier");
  if (spec.no_negative_zero) fail("Negative zero coercion (z) not allowed in string format specifier");
  if (spec.grouping) fail(fmt::format("Cannot specify '{}' with 's'.", spec.grouping));
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
  if (Value own; call_special(value, "__format__", {make_str(std::string(spec))}, own)) return str(own);
  if (const Array* array = value.as<Array>(); array && array->tensor->tensor.dim() == 0)
    return format_value(from_scalar(item(array->tensor->tensor)), spec);
  if (spec.empty()) return str(value);
  if (const bool* b = value.as_bool()) {
    const FormatSpec parsed = parse_spec(spec, "bool");
    return format_int(*b, parsed);
  }
  if (const Int* i = value.as_int()) return format_int(i->value, parse_spec(spec, "int"));
  if (const double* d = value.as_float()) return format_float(*d, parse_spec(spec, "float"));
  if (const Str* text = value.as<Str>()) return format_text(text->text, parse_spec(spec, "str"), "str");
  const std::string type = tensor ? "Tensor" : type_name(value);
  fail("unsupported format string passed to " + type + ".__format__", Code::Type);
}

namespace {

// One field of a % format: %(key)-08.3f
struct PercentField {
  std::optional<std::string> key;
  std::string flags, width, precision;
  bool has_precision = false;
  char type = 0;
};

// `next` gives the argument that a * stands for.
PercentField parse_percent(std::string_view text, std::size_t& at, const std::function<Value()>& next) {
  PercentField field;
  const auto more = [&] {
    if (at >= text.size()) fail("incomplete format");
    return true;
  };
  if (more() && text[at] == '(') {
    const std::size_t end = text.find(')', at);
    if (end == std::string_view::npos) fail("incomplete format key");
    field.key = std::string(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  while (more() && std::string_view("-+ #0").find(text[at]) != std::string_view::npos) field.flags += text[at++];
  const auto number = [&](std::string& out) {
    if (more() && text[at] == '*') return ++at, void(out = str(next()));
    while (more() && text[at] >= '0' && text[at] <= '9') out += text[at++];
  };
  number(field.width);
  if (more() && text[at] == '.') {
    field.has_precision = true;
    number((++at, field.precision));
  }
  while (more() && (text[at] == 'l' || text[at] == 'h')) ++at;
  field.type = text[at];
  if (std::string_view("diuoxXeEfFgGcrsa%").find(field.type) == std::string_view::npos) {
    fail(fmt::format("unsupported format character '{}' (0x{:x}) at index {}", field.type,
                     static_cast<unsigned char>(field.type), at));
  }
  ++at;
  return field;
}

std::string format_percent(const PercentField& field, const Value& value) {
  const auto has = [&](char flag) { return field.flags.find(flag) != std::string::npos; };
  std::string width = field.width;
  bool left = has('-');
  if (width.starts_with('-')) left = true, width.erase(0, 1);
  const std::string precision = field.has_precision ? "." + (field.precision.empty() ? "0" : field.precision) : "";
  const std::string_view type(&field.type, 1);
  if (type.find_first_of("srac") != std::string_view::npos) {
    std::string text = field.type == 'r' ? repr(value) : field.type == 'a' ? ascii_repr(value) : str(value);
    const auto code = as_index(value);
    if (field.type == 'c' && code) text = format_value(Value(*code), "c");
    return format_value(make_str(text), (left ? "<" : ">") + width + precision);
  }
  const bool is_whole = type.find_first_of("diuoxX") != std::string_view::npos;
  const auto number = as_real(value);
  if (!number && !is_whole) fail("must be real number, not " + type_name(value), Code::Type);
  if (!number || (type.find_first_of("oxX") != std::string_view::npos && value.as_float())) {
    fail(fmt::format("%{} format: {} is required, not {}", field.type,
                     type.find_first_of("oxX") != std::string_view::npos ? "an integer" : "a real number",
                     type_name(value)),
         Code::Type);
  }
  const std::string spec = std::string(left ? "<" : "") +
                           (has('+')   ? "+"
                            : has(' ') ? " "
                                       : "") +
                           (has('#') ? "#" : "") + (has('0') && !left ? "0" : "") + width;
  if (!is_whole) return format_value(Value(*number), spec + precision + field.type);
  const auto exact = as_index(value);
  const Value whole(exact ? *exact : static_cast<std::int64_t>(*number));
  return format_value(whole, spec + (type.find_first_of("iu") != std::string_view::npos ? 'd' : field.type));
}

}  // namespace

std::string percent_format(std::string_view text, const Value& arguments) {
  const Tuple* tuple = arguments.as<Tuple>();
  std::size_t used = 0;
  auto next_argument = [&]() -> Value {
    if (!tuple && used++ == 0) return arguments;
    if (tuple && used < tuple->items.size()) return tuple->items[used++];
    fail("not enough arguments for format string", Code::Type);
  };
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '%') {
      out += text[at++];
      continue;
    }
    const PercentField field = parse_percent(text, ++at, next_argument);
    if (field.type == '%') {
      out += '%';
    } else if (field.key) {
      const Dict* dict = arguments.as<Dict>();
      if (!dict) fail("format requires a mapping", Code::Type);
      const Value* value = dict->find(make_str(*field.key));
      if (!value) throw key_error(make_str(*field.key), {});
      out += format_percent(field, *value);
      used = 1;
    } else {
      out += format_percent(field, next_argument());
    }
  }
  const bool is_container = arguments.as<Dict>() || arguments.as<List>();  // a mapping may have more than is asked for
  if (tuple ? used < tuple->items.size() : used == 0 && !is_container)
    fail("not all arguments converted during string formatting", Code::Type);
  return out;
}

}  // namespace attn
