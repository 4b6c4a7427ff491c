#include "syntax/literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/diagnostic.h"
#include "base/number.h"
#include "base/utf8.h"
#include "syntax/characters.h"
#include "text/unsupported.h"

namespace attn {
namespace {

struct SimpleEscape {
  char letter;
  std::string_view meaning;
};
constexpr SimpleEscape kSimpleEscapes[] = {{'\\', "\\"}, {'\'', "'"}, {'"', "\""}, {'a', "\a"},
                                           {'b', "\b"},  {'f', "\f"}, {'n', "\n"}, {'r', "\r"},
                                           {'t', "\t"},  {'v', "\v"}, {'\n', ""}};

struct HexEscape {
  char letter;
  int digits;
  std::string_view name;
};
constexpr HexEscape kHexEscapes[] = {{'x', 2, "\\xXX"}, {'u', 4, "\\uXXXX"}, {'U', 8, "\\UXXXXXXXX"}};

std::string with_line_feeds(std::string_view body) {
  std::string out;
  out.reserve(body.size());
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\r') out += body[i];
    else if (i + 1 == body.size() || body[i + 1] != '\n') out += '\n';
  }
  return out;
}

/// Walks over the body; pos_ is behind the backslash when an escape is read.
class Unescaper {
 public:
  Unescaper(std::string_view body, Span place, bool is_bytes) : body_(body), place_(place), is_bytes_(is_bytes) {}

  std::string run() {
    while (pos_ < body_.size()) {
      const char c = body_[pos_++];
      if (c == '\\' && pos_ < body_.size()) escape();
      else out_ += c;
    }
    return std::move(out_);
  }

 private:
  Span from(std::size_t begin) const {
    const auto at = [this](std::size_t offset) { return place_.begin + static_cast<std::uint32_t>(offset); };
    return {place_.source, at(begin), at(pos_)};
  }

  void escape() {
    const char letter = body_[pos_];
    for (const SimpleEscape& row : kSimpleEscapes) {
      if (row.letter != letter) continue;
      ++pos_;
      out_ += row.meaning;
      return;
    }
    for (const HexEscape& row : kHexEscapes) {
      if (row.letter == letter && (row.digits == 2 || !is_bytes_)) return hex(row);
    }
    if (letter >= '0' && letter <= '7') return octal();
    if (letter == 'N' && !is_bytes_) {
      ++pos_;
      throw unsupported(from(pos_ - 2), "unsupported.named_character", {{"escape", "\\N{...}"}});
    }
    out_ += '\\';  // an unknown escape stays as it is written
  }

  void hex(const HexEscape& row) {
    const std::size_t begin = pos_ - 1;
    ++pos_;
    std::uint32_t code = 0;
    for (int i = 0; i < row.digits; ++i, ++pos_) {
      const int digit = pos_ < body_.size() ? digit_value(body_[pos_]) : -1;
      if (digit < 0) fail(begin, fmt::format("truncated {} escape", row.name));
      code = code * 16 + static_cast<std::uint32_t>(digit);
    }
    if (code > 0x10FFFF) fail(begin, "illegal Unicode character");
    if (code >= 0xD800 && code <= 0xDFFF) {
      throw unsupported(from(begin), "unsupported.surrogate");
    }
    append_utf8(out_, code);
  }

  void octal() {
    std::uint32_t code = 0;
    for (int i = 0; i < 3 && pos_ < body_.size() && body_[pos_] >= '0' && body_[pos_] <= '7'; ++i, ++pos_) {
      code = code * 8 + static_cast<std::uint32_t>(body_[pos_] - '0');
    }
    append_utf8(out_, code);
  }

  [[noreturn]] void fail(std::size_t begin, std::string_view what) const {
    throw CellError(Code::Syntax, from(begin),
                    fmt::format("(unicode error) 'unicodeescape' codec can't decode bytes in position {}-{}: {}", begin,
                                pos_ - 1, what));
  }

  std::string_view body_;
  Span place_;
  bool is_bytes_;
  std::size_t pos_ = 0;
  std::string out_;
};

}  // namespace

Constant number_value(std::string_view text, Span place) {
  std::string plain;
  std::remove_copy(text.begin(), text.end(), std::back_inserter(plain), '_');
  const char letter = plain.size() > 1 && plain[0] == '0' ? static_cast<char>(plain[1] | 0x20) : '\0';
  const int base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
  if (base == 10 && plain.find_first_of(".eE") != std::string::npos) return {parse_double(plain).value()};
  std::int64_t value = 0;
  const char* digits = plain.data() + (base == 10 ? 0 : 2);
  if (std::from_chars(digits, plain.data() + plain.size(), value, base).ec != std::errc{}) {
    throw unsupported(place, "unsupported.int.literal");
  }
  return {value};
}

std::string string_value(std::string_view body, bool raw, Span place, bool is_bytes) {
  const bool is_ascii = std::none_of(body.begin(), body.end(), [](char c) { return (c & 0x80) != 0; });
  if (is_bytes && !is_ascii) throw CellError(Code::Syntax, place, "bytes can only contain ASCII literal characters");
  if (raw) return with_line_feeds(body);
  if (body.find('\r') == std::string_view::npos) return Unescaper(body, place, is_bytes).run();
  return Unescaper(with_line_feeds(body), place, is_bytes).run();
}

}  // namespace attn
