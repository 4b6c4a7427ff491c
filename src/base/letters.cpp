#include "base/letters.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <vector>

#include "base/limits.h"
#include "base/utf8.h"

namespace attn {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16;  // bytes between two looks

template <class F>
void each_character(std::string_view text, F&& visit) {
  while (!text.empty()) {
    look();
    const Decoded decoded = decode(text);
    visit(decoded.code, text.substr(0, decoded.size));
    text.remove_prefix(decoded.size);
  }
}

void append(std::string& out, std::int32_t code) {
  utf8proc_uint8_t bytes[4];
  const auto count = utf8proc_encode_char(code, bytes);
  for (utf8proc_ssize_t i = 0; i < count; ++i) out += static_cast<char>(bytes[i]);
}

constexpr std::int32_t kSharpS = 0xDF;  // its large form is two letters

template <class Map>
std::string mapped(std::string_view text, Map&& map) {
  std::string out;
  out.reserve(text.size());
  each_character(text, [&](std::int32_t code, std::string_view bytes) {
    if (code < 0) {
      out += bytes;
    } else {
      map(out, code);
    }
  });
  return out;
}

void append_upper(std::string& out, std::int32_t code) {
  if (code == kSharpS) {
    out += "SS";
  } else {
    append(out, utf8proc_toupper(code));
  }
}

bool is_large(std::int32_t code) {
  const auto category = utf8proc_category(code);
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
}
bool is_small(std::int32_t code) { return utf8proc_category(code) == UTF8PROC_CATEGORY_LL; }

bool is_letter(std::int32_t code) {
  const auto category = utf8proc_category(code);
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool is_decimal(std::int32_t code) { return utf8proc_category(code) == UTF8PROC_CATEGORY_ND; }

bool is_digit(std::int32_t code) {
  if (is_decimal(code)) return true;
  return code == 0xB2 || code == 0xB3 || code == 0xB9 || code == 0x2070 || (code >= 0x2074 && code <= 0x2079) ||
         (code >= 0x2080 && code <= 0x2089);  // superscripts and subscripts
}

bool is_number(std::int32_t code) {
  const auto category = utf8proc_category(code);
  return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}

bool is_blank(std::int32_t code) {
  if ((code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x20) || code == 0x85) return true;
  const auto category = code < 0x80 ? UTF8PROC_CATEGORY_CN : utf8proc_category(code);
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

bool has_only_case(std::string_view text, bool (*wanted)(std::int32_t), bool (*other)(std::int32_t)) {
  bool some = false, none_other = true;
  each_character(text, [&](std::int32_t code, std::string_view) {
    some = some || wanted(code);
    none_other = none_other && !other(code);
  });
  return some && none_other;
}

}  // namespace

std::string lower_case(std::string_view text) {
  return mapped(text, [](std::string& out, std::int32_t code) { append(out, utf8proc_tolower(code)); });
}

std::int64_t combining_class(std::int32_t code) { return utf8proc_get_property(code)->combining_class; }

namespace {

// Whether the letter that a text begins with joins none ahead of it in any form.
bool begins_anew(std::string_view text) {
  utf8proc_int32_t code = 0, parts[32] = {};
  int boundary = 0;
  if (utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), std::ssize(text), &code) <= 0)
    return (text[0] & 0xC0) != 0x80;
  constexpr auto kOptions = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
  if (utf8proc_decompose_char(code, parts, std::ssize(parts), kOptions, &boundary) > 0) code = parts[0];
  const bool is_inner_jamo = (code >= 0x1161 && code <= 0x1175) || (code >= 0x11A8 && code <= 0x11C2);
  constexpr utf8proc_uint16_t kSecondOfPairs = 0x8000;  // utf8proc: from here on, but for UINT16_MAX, which is none
  const utf8proc_property_t* const letter = utf8proc_get_property(code);
  const bool is_second = letter->comb_index >= kSecondOfPairs && letter->comb_index != UINT16_MAX;
  return letter->combining_class == 0 && !is_second && !is_inner_jamo;
}

using Codes = std::vector<utf8proc_int32_t>;

// The letters of which those of a text are made; nothing for invalid UTF-8.
std::optional<Codes> parts_of(std::string_view text, utf8proc_option_t options) {
  Codes out;
  int boundary = 0;
  while (!text.empty()) {
    utf8proc_int32_t code = 0, parts[32] = {};
    const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), std::ssize(text), &code);
    if (size <= 0) return std::nullopt;
    const auto count = utf8proc_decompose_char(code, parts, std::ssize(parts), options, &boundary);
    out.insert(out.end(), parts, parts + std::max<utf8proc_ssize_t>(count, 0));
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return out;
}

// The marks behind each letter by their class. utf8proc exchanges neighbours, in a time that grows with the square of
// their number.
void put_marks_in_order(Codes& codes) {
  const auto is_mark = [](utf8proc_int32_t code) { return combining_class(code) > 0; };
  std::size_t compared = 0;
  const auto stands_before = [&](utf8proc_int32_t a, utf8proc_int32_t b) {
    if (++compared % kPiece == 0) look();
    return combining_class(a) < combining_class(b);
  };
  for (auto end = codes.begin(); end != codes.end();) {
    const auto begin = std::find_if(end, codes.end(), is_mark);
    end = std::find_if_not(begin, codes.end(), is_mark);
    if (!std::is_sorted(begin, end, stands_before)) std::stable_sort(begin, end, stands_before);
  }
}

void append_in_form(std::string& result, std::string_view text, int form) {
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | form);
  std::optional<Codes> codes = parts_of(text, options);
  if (!codes) {
    result += text;
    return;
  }
  put_marks_in_order(*codes);
  const auto size = utf8proc_normalize_utf32(codes->data(), std::ssize(*codes), options);
  for (utf8proc_ssize_t i = 0; i < size; ++i) append(result, (*codes)[static_cast<std::size_t>(i)]);
}

// In pieces, between which an interrupt is heard.
std::string in_form(std::string_view text, int options) {
  std::string result;
  while (!text.empty()) {
    look();
    std::size_t end = std::min(kPiece, text.size());
    while (end < text.size() && !begins_anew(text.substr(end))) ++end;
    append_in_form(result, text.substr(0, end), options);
    text.remove_prefix(end);
  }
  return result;
}

}  // namespace

std::string composed(std::string_view text) { return in_form(text, UTF8PROC_COMPOSE); }

std::string without_accents(std::string_view text) { return in_form(text, UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK); }

std::optional<std::string> normalized(std::string_view text, std::string_view form) {
  const bool keeps = form == "NFC" || form == "NFD";
  if (!keeps && form != "NFKC" && form != "NFKD") return std::nullopt;
  return in_form(text, (form.ends_with('C') ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE) | (keeps ? 0 : UTF8PROC_COMPAT));
}

std::string category_of(std::int32_t code) { return utf8proc_category_string(code); }

std::string case_fold(std::string_view text) {
  return mapped(text, [](std::string& out, std::int32_t code) {
    utf8proc_int32_t folded[4];
    int boundary = 0;
    const auto count = utf8proc_decompose_char(code, folded, std::size(folded), UTF8PROC_CASEFOLD, &boundary);
    for (utf8proc_ssize_t i = 0; i < count; ++i) append(out, folded[i]);
  });
}

std::string upper_case(std::string_view text) { return mapped(text, append_upper); }

std::string title_case(std::string_view text) {
  bool inside = false;
  return mapped(text, [&](std::string& out, std::int32_t code) {
    if (inside) {
      append(out, utf8proc_tolower(code));
    } else if (code == kSharpS) {
      out += "Ss";
    } else {
      append(out, utf8proc_totitle(code));
    }
    inside = is_large(code) || is_small(code);
  });
}

bool consists_of(std::string_view text, CharacterClass wanted) {
  bool all = !text.empty();
  each_character(text, [&](std::int32_t code, std::string_view) {
    switch (wanted) {
      case CharacterClass::Letter: all = all && is_letter(code); break;
      case CharacterClass::Decimal: all = all && is_decimal(code); break;
      case CharacterClass::Digit: all = all && is_digit(code); break;
      case CharacterClass::Number: all = all && is_number(code); break;
      case CharacterClass::LetterOrDigit: all = all && (is_letter(code) || is_number(code)); break;
      case CharacterClass::Blank: all = all && is_blank(code); break;
    }
  });
  return all;
}

bool is_python_identifier(std::string_view text) {
  bool is_first = true, all = !text.empty();
  each_character(text, [&](std::int32_t code, std::string_view) {
    const auto category = code < 0 ? UTF8PROC_CATEGORY_CN : utf8proc_category(code);
    const bool starts = code == '_' || is_letter(code) || category == UTF8PROC_CATEGORY_NL;
    const bool continues = category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
                           category == UTF8PROC_CATEGORY_ND || category == UTF8PROC_CATEGORY_PC;
    all = all && (starts || (!is_first && continues));
    is_first = false;
  });
  return all;
}

bool is_upper_case(std::string_view text) { return has_only_case(text, is_large, is_small); }
bool is_lower_case(std::string_view text) { return has_only_case(text, is_small, is_large); }

bool is_printable(std::string_view text) {
  bool all = true;
  each_character(text, [&](std::int32_t code, std::string_view) {
    if (code >= 0x20 && code < 0x7F) return;
    const auto category = code < 0 ? UTF8PROC_CATEGORY_CN : utf8proc_category(code);
    all = all && category != UTF8PROC_CATEGORY_CN && category < UTF8PROC_CATEGORY_ZS;
  });
  return all;
}

std::size_t leading_blank(std::string_view text) {
  if (text.empty()) return 0;
  look();
  const Decoded decoded = decode(text);
  return is_blank(decoded.code) ? decoded.size : 0;
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), kPiece))) {
    look();
    const std::string_view block = text.substr(0, kPiece);
    count += static_cast<std::size_t>(std::count_if(
        block.begin(), block.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  }
  return count;
}

std::int64_t first_code(std::string_view text) { return decode(text).code; }

std::size_t character_offset(std::string_view text, std::size_t at) {
  std::size_t offset = 0;
  while (at-- > 0 && offset < text.size()) {
    look();
    ++offset;
    while (offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xC0) == 0x80) ++offset;
  }
  return offset;
}

namespace {

constexpr std::size_t kApart = 256;

}  // namespace

CharacterPlaces::CharacterPlaces(std::string_view text) : count_(character_count(text)) {
  if (count_ == text.size()) return;
  starts_.push_back(0);
  for (std::size_t at = kApart; at <= count_; at += kApart)
    starts_.push_back(starts_.back() + character_offset(text.substr(starts_.back()), kApart));
}

std::size_t CharacterPlaces::offset(std::string_view text, std::size_t at) const {
  if (at >= count_) return text.size();
  if (starts_.empty()) return at;
  const std::size_t start = starts_[at / kApart];
  return start + character_offset(text.substr(start), at % kApart);
}

namespace {

// Positions that are tried between two looks; at each of them all of `wanted` may be compared.
std::size_t piece_for(std::string_view wanted) {
  constexpr std::size_t kMostCompared = 50'000'000;
  return std::clamp<std::size_t>(kMostCompared / (wanted.size() + 1), 1, kPiece);
}

}  // namespace

// memmem() takes time with the length of both, where string_view::find() takes their product.
std::size_t find_text(std::string_view text, std::string_view wanted, std::size_t at) {
  const std::size_t piece = std::max(kPiece, wanted.size());
  for (; at <= text.size(); at += piece) {
    look();
    const std::string_view part = text.substr(at, piece + wanted.size());
    const void* const found = memmem(part.data(), part.size(), wanted.data(), wanted.size());
    if (found) return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
  }
  return std::string_view::npos;
}

std::size_t find_last_text(std::string_view text, std::string_view wanted) {
  const std::size_t piece = piece_for(wanted);
  while (text.size() >= wanted.size()) {
    look();
    const std::size_t begin = text.size() - std::min(text.size(), piece + wanted.size());
    const std::size_t found = text.substr(begin).rfind(wanted);
    if (found != std::string_view::npos) return begin + found;
    if (begin == 0) break;
    text = text.substr(0, text.size() - piece);
  }
  return std::string_view::npos;
}

std::string repeated(std::string_view text, std::int64_t count) {
  std::string out;
  if (count <= 0) return out;
  const std::size_t size = text.size() * static_cast<std::size_t>(count);
  out.reserve(size);
  out = text;
  while (out.size() < size) {
    look();
    out.append(out.data(), std::min(out.size(), size - out.size()));
  }
  return out;
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

}  // namespace attn
