// Format specs of Python, as in f"{x:>8.3f}": read, checked and applied. Over 400 lines because each kind of value has
// its own letters.
#include "python/types/format_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "base/diagnostic.h"
#include "base/letters.h"
#include "base/limits.h"
#include "base/long_text.h"
#include "base/number.h"
#include "base/utf8.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "python/type.h"
#include "tensor/core/read.h"
#include "text/unsupported.h"

namespace attn {
namespace {

[[noreturn]] void refuse_format(const std::string& message, Code code = Code::Value) {
  throw CellError(code, {}, message);
}

constexpr std::int64_t kMaxWidth = 10'000;

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

int read_width(std::string_view spec, std::size_t& at) {
  const std::size_t begin = at;
  while (at < spec.size() && spec[at] >= '0' && spec[at] <= '9') ++at;
  if (at == begin) return 0;
  const auto number = parse_int(spec.substr(begin, at - begin));
  if (!number) refuse_format("Too many decimal digits in format string");
  if (*number > kMaxWidth) throw unsupported({}, "unsupported.format.width", {{"most", std::to_string(kMaxWidth)}});
  return static_cast<int>(*number);
}

[[noreturn]] void unknown_code(char code, std::string_view type) {
  const std::string shown = code > ' ' ? std::string(1, code) : fmt::format("\\x{:x}", static_cast<unsigned>(code));
  refuse_format(fmt::format("Unknown format code '{}' for object of type '{}'", shown, type));
}

// A separator fits decimal numbers, and _ also those of other bases.
void check_grouping(const FormatSpec& spec, std::string_view object) {
  const bool is_number = !spec.type && object != "str";
  const bool is_grouped = is_number || std::string_view("defgEG%F").find(spec.type) != std::string_view::npos;
  const bool is_by_four = spec.grouping == '_' && std::string_view("boxX").find(spec.type) != std::string_view::npos;
  if (spec.grouping && !is_grouped && !is_by_four)
    refuse_format(fmt::format("Cannot specify '{}' with '{}'.", spec.grouping, spec.type ? spec.type : 's'));
}

bool is_align(char c) { return c == '<' || c == '>' || c == '^' || c == '='; }

// [[fill]align][sign][z][#][0][width][grouping][.precision][type]
FormatSpec parse_spec(std::string_view spec, std::string_view type) {
  FormatSpec out;
  std::size_t at = 0;
  const std::size_t fill_bytes = character_offset(spec, 1);
  const bool fill_given = fill_bytes > 0 && fill_bytes < spec.size() && is_align(spec[fill_bytes]);
  if (fill_given) {
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
  if (!fill_given && at < spec.size() && spec[at] == '0') out.zero = true, ++at;
  if (out.zero) out.fill = "0";
  out.width = read_width(spec, at);
  if (at < spec.size() && (spec[at] == ',' || spec[at] == '_')) out.grouping = spec[at++];
  if (out.grouping && at < spec.size() && (spec[at] == ',' || spec[at] == '_') && spec[at] != out.grouping)
    refuse_format("Cannot specify both ',' and '_'.");
  if (at < spec.size() && spec[at] == '.') {
    ++at;
    const std::size_t digits = at;
    out.precision = read_width(spec, at);
    if (at == digits) refuse_format("Format specifier missing precision");
  }
  const std::string_view rest = spec.substr(at);
  if (character_count(rest) > 1)
    refuse_format(fmt::format("Invalid format specifier '{}' for object of type '{}'", spec, type));
  if (rest.size() > 1) throw unsupported({}, "unsupported.format.type", {{"type", std::string(rest)}});
  if (rest == std::string_view("\0", 1)) unknown_code(rest[0], type);  // 0 stands for no type below
  if (!rest.empty()) out.type = rest[0];
  check_grouping(out, type);
  if (out.zero && !out.align) out.align = type == "str" ? '<' : '=';
  return out;
}

// `sign` stands in front of `body`; '=' pads between the two.
std::string padded(const FormatSpec& spec, const std::string& sign, const std::string& body, char default_align) {
  const int length = static_cast<int>(character_count(sign) + character_count(body));
  const int missing = std::max(0, spec.width - length);
  const char align = spec.align ? spec.align : default_align;
  if (align == '<') return sign + body + repeated(spec.fill, missing);
  if (align == '^') return repeated(spec.fill, missing / 2) + sign + body + repeated(spec.fill, missing - missing / 2);
  if (align == '=') return sign + repeated(spec.fill, missing) + body;
  return repeated(spec.fill, missing) + sign + body;
}

// Thousands separators in the digits before '.', 'e' or '%'.
std::string grouped(const std::string& digits, char separator, int every) {
  if (!separator) return digits;
  const std::size_t whole = std::min(digits.find_first_of(".eE%"), digits.size());
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

// The # of a format keeps the point where no digits follow it.
std::string with_point(std::string body) {
  if (body.find_first_of(".n") == std::string::npos) body.insert(std::min(body.find_first_of("eE"), body.size()), ".");
  return body;
}

std::string without_zeros(std::string digits) {
  if (digits.find('.') == std::string::npos) return digits;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.ends_with('.')) digits.pop_back();
  return digits;
}

// 'g', and with `point_zero` what a format without a type makes of a precision: 1e+02 for 100.0, which 'g' writes 100.
std::string general(double value, int precision, bool point_zero, bool alternate) {
  if (!std::isfinite(value)) return format_general(value, precision);
  precision = std::max(precision, 1);
  const std::string scientific = format_exponent(value, precision - 1);
  const std::size_t mark = scientific.find('e');
  const auto exponent = static_cast<int>(*parse_int(scientific.substr(mark + (scientific[mark + 1] == '+' ? 2 : 1))));
  const bool is_scientific = exponent < -4 || exponent >= precision - point_zero;
  std::string digits = is_scientific ? scientific.substr(0, mark) : format_fixed(value, precision - 1 - exponent);
  digits = alternate ? with_point(digits) : without_zeros(digits);
  if (is_scientific) return digits + scientific.substr(mark);
  return point_zero && digits.find('.') == std::string::npos ? digits + ".0" : digits;
}

std::string float_digits(double value, const FormatSpec& spec) {
  const int precision = spec.precision < 0 ? 6 : spec.precision;
  switch (spec.type) {
    case 'f': return format_fixed(value, precision);
    case 'F': return upper_case(format_fixed(value, precision));
    case 'e': return format_exponent(value, precision);
    case 'E': return upper_case(format_exponent(value, precision));
    case 'G': return upper_case(general(value, precision, false, spec.alternate));
    case 'g':
    case 'n': return general(value, precision, false, spec.alternate);
    case '%': return format_fixed(value * 100, precision);
    case 0: return spec.precision < 0 ? python_repr(value) : general(value, precision, true, spec.alternate);
    default: unknown_code(spec.type, "float");
  }
}

std::string float_body(double value, const FormatSpec& spec) {
  const std::string digits = float_digits(value, spec);
  const bool keeps_point = spec.alternate && std::isfinite(value);
  return (keeps_point ? with_point(digits) : digits) + (spec.type == '%' ? "%" : "");
}

// "{1234:08,}": zeros stand between the sign and the digits and are grouped with them.
std::string zeros_grouped(const FormatSpec& spec, const std::string& sign, std::string digits, int every) {
  const bool fills = spec.fill == "0" && spec.align == '=' && spec.grouping;
  const auto width = [&] { return static_cast<int>(sign.size() + grouped(digits, spec.grouping, every).size()); };
  while (fills && digits[0] >= '0' && digits[0] <= '9' && width() < spec.width) digits.insert(0, "0");
  return grouped(digits, spec.grouping, every);
}

std::string format_float(double value, const FormatSpec& spec) {
  const std::string body = float_body(std::fabs(value), spec);
  const bool is_zero = body.substr(0, body.find('e')).find_first_of("123456789aifAIF") == std::string::npos;
  const bool negative = std::signbit(value) && !std::isnan(value) && !(spec.no_negative_zero && is_zero);
  const std::string sign = sign_text(negative, spec.sign);
  return padded(spec, sign, zeros_grouped(spec, sign, body, 3), '>');
}

std::string digits_in_base(std::uint64_t value, unsigned base, bool upper) {
  std::string out;
  do {
    const auto digit = static_cast<char>(value % base);
    out += static_cast<char>(digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10);
  } while (value /= base);
  return {out.rbegin(), out.rend()};
}

std::string format_character(std::int64_t code, const FormatSpec& spec) {
  if (spec.sign_given || spec.alternate) refuse_format("neither a sign nor # is allowed with 'c'");
  if (!is_code_point(code)) throw python_error("OverflowError", {}, "%c arg not in range(0x110000)");
  return padded(spec, "", character(code, {}), '>');
}

std::string format_int(std::int64_t value, const FormatSpec& spec, std::string_view type) {
  if (std::string_view("eEfFgGn%").find(spec.type) != std::string_view::npos && spec.type && spec.type != 'n') {
    return format_float(static_cast<double>(value), spec);
  }
  if (spec.type && std::string_view("dnboxXc").find(spec.type) == std::string_view::npos) unknown_code(spec.type, type);
  if (spec.precision >= 0) refuse_format("Precision not allowed in integer format specifier");
  if (spec.no_negative_zero) refuse_format("Negative zero coercion (z) not allowed in integer format specifier");
  const auto magnitude = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  struct IntegerBase {
    char type;
    unsigned base;
    const char* prefix;
  };
  constexpr IntegerBase kBases[] = {{0, 10, ""},    {'d', 10, ""},   {'n', 10, ""},  {'b', 2, "0b"},
                                    {'o', 8, "0o"}, {'x', 16, "0x"}, {'X', 16, "0X"}};
  if (spec.type == 'c') return format_character(value, spec);
  for (const IntegerBase& row : kBases) {
    if (row.type != spec.type) continue;
    const std::string sign = sign_text(value < 0, spec.sign) + (spec.alternate ? row.prefix : "");
    const std::string digits = digits_in_base(magnitude, row.base, row.type == 'X');
    return padded(spec, sign, zeros_grouped(spec, sign, digits, row.base == 10 ? 3 : 4), '>');
  }
  unknown_code(spec.type, type);
}

std::string format_text(const std::string& text, const FormatSpec& spec, const std::string& type) {
  if (spec.type && spec.type != 's') unknown_code(spec.type, type);
  const auto refuse = [](const char* what) {
    refuse_format(fmt::format("{} not allowed in string format specifier", what));
  };
  if (spec.sign_given) refuse(spec.sign == ' ' ? "Space" : "Sign");
  if (spec.no_negative_zero) refuse("Negative zero coercion (z)");
  if (spec.alternate) refuse("Alternate form (#)");
  if (spec.align == '=') refuse("'=' alignment");
  const bool is_cut = spec.precision >= 0;
  const std::size_t end = is_cut ? character_offset(text, static_cast<std::size_t>(spec.precision)) : text.size();
  return padded(spec, "", text.substr(0, end), '<');
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
  if (has_number(value)) return format_value(from_scalar(*as_scalar(value)), spec);
  if (const bool* b = value.as_bool()) {
    const FormatSpec parsed = parse_spec(spec, "bool");
    return format_int(*b, parsed, "bool");
  }
  if (const Int* i = value.as_int()) return format_int(i->value, parse_spec(spec, "int"), "int");
  if (const double* d = value.as_float()) return format_float(*d, parse_spec(spec, "float"));
  if (const Str* text = value.as<Str>()) return format_text(text->text, parse_spec(spec, "str"), "str");
  const std::string type = tensor ? "Tensor" : type_name(value);
  refuse_format("unsupported format string passed to " + type + ".__format__", Code::Type);
}

namespace {

// One field of a % format: %(key)-08.3f
struct PercentField {
  std::optional<std::string> key;
  std::string flags, width, precision;
  bool has_precision = false;
  char type = 0;
  std::size_t place = 0;  // of the type in the text
};

// `next` gives the argument that a * stands for.
PercentField parse_percent(std::string_view text, std::size_t& at, const std::function<Value()>& next) {
  look();
  PercentField field;
  const auto more = [&] {
    if (at >= text.size()) refuse_format("incomplete format");
    return true;
  };
  if (more() && text[at] == '(') {
    const std::size_t end = text.find(')', at);
    if (end == std::string_view::npos) refuse_format("incomplete format key");
    field.key = std::string(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  while (more() && std::string_view("-+ #0").find(text[at]) != std::string_view::npos) field.flags += text[at++];
  const auto number = [&](std::string& out) {
    if (more() && text[at] == '*') {
      const Value given = next();
      if (!given.as_int() && !given.as_bool()) refuse_format("* wants int", Code::Type);
      return ++at, void(out = str(Value(*as_index(given))));
    }
    while (more() && text[at] >= '0' && text[at] <= '9') out += text[at++];
  };
  number(field.width);
  if (more() && text[at] == '.') {
    field.has_precision = true;
    number((++at, field.precision));
  }
  while (more() && (text[at] == 'l' || text[at] == 'h')) ++at;
  field.type = text[at];
  field.place = at++;
  return field;
}

// The text of %s, %r, %a and %c.
std::string percent_text(char type, const Value& value) {
  if (type == 'r') return repr(value);
  if (type == 'a') return ascii_repr(value);
  if (type == 's') return str(value);
  if (const Str* text = value.as<Str>(); text && character_count(text->text) == 1) return text->text;
  const auto code = value.as_float() ? std::nullopt : as_index(value);
  if (!code) refuse_format("%c requires int or char", Code::Type);
  return format_value(Value(*code), "c");
}

std::int64_t percent_int(const Value& value, double number) {
  if (const auto exact = as_index(value)) return *exact;
  if (std::isnan(number)) refuse_format("cannot convert float NaN to integer");
  if (std::isinf(number)) throw python_error("OverflowError", {}, "cannot convert float infinity to integer");
  if (std::fabs(number) >= 9.2e18) throw unsupported({}, "unsupported.int");
  return static_cast<std::int64_t>(number);
}

// %.3d: zeros in front of the digits, behind the sign and the base.
std::string with_least_digits(const Value& whole, FormatSpec spec, std::int64_t least) {
  const int width = std::exchange(spec.width, 0);
  std::string text = format_int(*as_index(whole), spec, "int");
  std::size_t first = text.find_first_not_of("+- ");
  if (text.size() > first + 1 && text[first] == '0' && text[first + 1] > '9') first += 2;
  if (spec.zero) least = std::max(least, width - static_cast<std::int64_t>(first));
  const auto digits = static_cast<std::int64_t>(text.size() - first);
  if (digits < least) text.insert(first, static_cast<std::size_t>(least - digits), '0');
  spec.width = width;
  spec.fill = " ";
  spec.align = spec.align == '<' ? '<' : '>';
  return padded(spec, "", text, '>');
}

std::string format_percent(const PercentField& field, const Value& value) {
  if (std::string_view("diuoxXeEfFgGcrsa").find(field.type) == std::string_view::npos)
    refuse_format("unsupported format character");
  const auto has = [&](char flag) { return field.flags.find(flag) != std::string::npos; };
  std::string width = field.width;
  bool left = has('-');
  if (width.starts_with('-')) left = true, width.erase(0, 1);
  const std::string precision = field.has_precision ? "." + (field.precision.empty() ? "0" : field.precision) : "";
  const std::string_view type(&field.type, 1);
  if (type.find_first_of("srac") != std::string_view::npos) {
    const std::string text = percent_text(field.type, value);
    return format_value(make_str(text), (left ? "<" : ">") + width + (field.type == 'c' ? "" : precision));
  }
  const bool is_whole = type.find_first_of("diuoxX") != std::string_view::npos;
  const auto number = as_real(value);
  if (!number && !is_whole) refuse_format("must be real number, not " + type_name(value), Code::Type);
  if (!number || (type.find_first_of("oxX") != std::string_view::npos && value.as_float())) {
    refuse_format(fmt::format("%{} format: {} is required, not {}", field.type,
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
  const Value whole(percent_int(value, *number));
  const char code = type.find_first_of("iu") != std::string_view::npos ? 'd' : field.type;
  if (!field.has_precision) return format_value(whole, spec + code);
  std::size_t at = 0;
  return with_least_digits(whole, parse_spec(spec + code, "int"), read_width(field.precision, at));
}

// What can be indexed counts as a mapping, which may have more than is asked for.
bool may_have_more(const Value& value) {
  return value.as<Dict>() || value.as<List>() || value.as<Range>() || value.as<TensorObject>() || value.as<Array>();
}

}  // namespace

std::string percent_format(std::string_view text, const Value& arguments) {
  const Tuple* tuple = arguments.as<Tuple>();
  std::size_t used = 0;
  auto next_argument = [&]() -> Value {
    if (!tuple && used++ == 0) return arguments;
    if (tuple && used < tuple->items.size()) return tuple->items[used++];
    refuse_format("not enough arguments for format string", Code::Type);
  };
  std::string out;
  LongTextLook look;
  for (std::size_t at = 0; at < text.size();) {
    look();
    if (text[at] != '%') {
      out += text[at++];
      continue;
    }
    const std::size_t begin = ++at;
    const PercentField field = parse_percent(text, at, next_argument);
    if (field.type == '%' && field.place == begin) {
      out += '%';
    } else if (field.key) {
      const Dict* dict = arguments.as<Dict>();
      if (!dict) refuse_format("format requires a mapping", Code::Type);
      const Value* value = dict->find(make_str(*field.key));
      if (!value) throw key_error(make_str(*field.key), {});
      out += format_percent(field, *value);
      used = 1;
    } else {
      out += format_percent(field, next_argument());
    }
  }
  if (tuple ? used < tuple->items.size() : used == 0 && !may_have_more(arguments))
    refuse_format("not all arguments converted during string formatting", Code::Type);
  return out;
}

std::string character(std::int64_t code, Span span) {
  if (code >= 0xd800 && code < 0xe000) throw unsupported(span, "unsupported.surrogate_number");
  std::string out;
  append_utf8(out, static_cast<std::uint32_t>(code));
  return out;
}

}  // namespace attn
