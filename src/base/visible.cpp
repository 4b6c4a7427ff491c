// What text from strangers may contain: visible() makes control characters and invisible ones readable, valid_utf8()
// mends bytes that are no text.
#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>

#include "base/long_text.h"
#include "base/text.h"
#include "base/utf8.h"

namespace attn {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";
constexpr std::int32_t kJoiner = 0x200D;
constexpr std::int32_t kNonJoiner = 0x200C;
constexpr int kMaxMarks = 8;

bool is_printable_ascii(char c) { return (c >= ' ' && c < '\x7F') || c == '\n' || c == '\t'; }

/// How many bytes at the front are ASCII.
std::size_t ascii_run(std::string_view text) {
  return static_cast<std::size_t>(std::find_if(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; }) -
                                  text.begin());
}

bool is_mark(std::int32_t code) {
  const auto category = utf8proc_category(code);
  return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME;
}

/// Joiners belong into emoji sequences and into scripts that join letters; elsewhere they only hide.
bool joins(std::int32_t before, std::int32_t code, std::int32_t after) {
  const auto letter = [](std::int32_t c) {
    const auto category = utf8proc_category(c);
    return c >= 0x600 &&
           (category == UTF8PROC_CATEGORY_LO || category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC);
  };
  if (code != kJoiner && code != kNonJoiner) return false;
  if (code == kJoiner && is_pictograph(after)) {
    const bool modifier = before >= 0x1F3FB && before <= 0x1F3FF;
    return is_pictograph(before) || before == kVariation16 || modifier;
  }
  return letter(before) && letter(after);
}

/// Format characters (bidi controls, zero-width characters, tags), separators of lines and the invisible filler; not
/// the Arabic and Syriac number signs, which are format characters too but can be seen.
bool is_invisible(std::int32_t code) {
  if (utf8proc_get_property(code)->boundclass == UTF8PROC_BOUNDCLASS_PREPEND) return false;
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return true;
    default: return code == 0x3164 || code == 0xFFA0 || code == 0x034F;
  }
}

/// C0 but for line feed and tab, DEL, and C1.
bool is_control(std::int32_t code) {
  return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0);
}

/// 0 at the end.
std::int32_t code_at(std::string_view text, std::size_t at) {
  return at < text.size() ? decode(text.substr(at)).code : 0;
}

void append_code(std::string& out, std::int32_t code) {
  std::uint8_t bytes[4];
  const auto size = utf8proc_encode_char(code, bytes);
  out.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

void append_control(std::string& out, std::int32_t code) {
  if (code < 0x20) return append_code(out, 0x2400 + code);
  if (code == 0x7F) return append_code(out, 0x2421);
  out += fmt::format("<U+{:04X}>", code);
}

}  // namespace

std::string visible(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), is_printable_ascii)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  std::int32_t before = 0;
  int marks = 0;
  LongTextLook look;
  for (std::size_t at = 0; at < text.size();) {
    look();
    const Decoded next = decode(text.substr(at));
    const std::string_view bytes = text.substr(at, next.size);
    at += next.size;
    const std::int32_t code = next.code;
    marks = code >= 0x300 && is_mark(code) ? marks + 1 : 0;
    if (code < 0) {
      out += kReplacement;
    } else if (is_control(code) || (code >= 0xA0 && is_invisible(code) && !joins(before, code, code_at(text, at)))) {
      append_control(out, code);
    } else if (marks <= kMaxMarks) {
      out += bytes;
    }
    before = std::max(code, 0);
  }
  return out;
}

std::string valid_utf8(std::string_view text, std::size_t* replaced) {
  std::string out;
  out.reserve(text.size());
  if (replaced) *replaced = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t plain = ascii_run(text.substr(at));
    out += text.substr(at, plain);
    at += plain;
    if (at == text.size()) break;
    const Decoded next = decode(text.substr(at));
    out += next.code < 0 ? kReplacement : text.substr(at, next.size);
    if (next.code < 0 && replaced) ++*replaced;
    at += next.size;
  }
  return out;
}

}  // namespace attn
