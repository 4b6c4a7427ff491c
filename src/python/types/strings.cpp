// Methods of str. Texts are UTF-8; what a cell sees are numbers of characters, so places are counted, not taken. Over
// 400 lines because Python has that many methods: each has its row and its few lines.
#include <fmt/format.h>

#include <algorithm>

#include "base/letters.h"
#include "base/limits.h"
#include "python/natives.h"
#include "python/types/bytes.h"
#include "python/types/methods.h"

namespace attn {
namespace {

const std::string& self_text(const MethodCall& call) { return call.self.as<Str>()->text; }

Value text_list(const std::vector<std::string_view>& parts) {
  std::vector<Value> items;
  for (const std::string_view part : parts) {
    look();
    items.push_back(make_str(std::string(part)));
  }
  return make_list(std::move(items));
}

template <std::string (*Map)(std::string_view)>
Value mapped(MethodCall& call) {
  return make_str(Map(self_text(call)));
}

std::string capitalized(std::string_view text) {
  const std::size_t first = character_offset(text, 1);
  return title_case(text.substr(0, first)) + lower_case(text.substr(first));
}

template <CharacterClass Wanted>
Value is_class(MethodCall& call) {
  return Value(consists_of(self_text(call), Wanted));
}

template <bool (*Test)(std::string_view)>
Value is_case(MethodCall& call) {
  return Value(Test(self_text(call)));
}

// ---- parts of a text ----

// The text between the arguments `first` and `first + 1`, which count characters as in a slice.
struct Window {
  std::string_view text;
  std::int64_t start;  // in characters
  bool is_outside;     // the start lies behind the end: not even "" is found there
};

Window window(const MethodCall& call, std::size_t first) {
  const Str& self = *call.self.as<Str>();
  const auto size = static_cast<std::int64_t>(self.length());
  auto bound = [&](std::size_t i, std::int64_t missing) {
    if (call[i].is_none()) return missing;
    const std::int64_t at = call.integer(i);
    return at < 0 ? std::max<std::int64_t>(std::max(at, -size) + size, 0) : at;
  };
  const std::int64_t start = bound(first, 0), stop = std::min(bound(first + 1, size), size);
  if (start > stop) return {{}, start, true};
  const std::size_t from = self.offset(static_cast<std::size_t>(start));
  const std::size_t end = self.offset(static_cast<std::size_t>(stop));
  return {std::string_view(self.text).substr(from, end - from), start, false};
}

std::int64_t place_of_text(const MethodCall& call, bool from_right) {
  const std::string& wanted = call.text(0);
  const Window part = window(call, 1);
  charge(static_cast<std::int64_t>(self_text(call).size()));
  if (part.is_outside) return -1;
  const std::size_t at = from_right ? find_last_text(part.text, wanted) : find_text(part.text, wanted);
  if (at == std::string_view::npos) return -1;
  return part.start + static_cast<std::int64_t>(character_count(part.text.substr(0, at)));
}

template <bool FromRight>
Value place_of(MethodCall& call) {
  return Value(place_of_text(call, FromRight));
}

template <bool FromRight>
Value index_text(MethodCall& call) {
  const std::int64_t at = place_of_text(call, FromRight);
  if (at < 0) call.fail(Code::Value, "substring not found");
  return Value(at);
}

std::size_t occurrences(std::string_view text, std::string_view wanted) {
  if (wanted.empty()) return character_count(text) + 1;
  std::size_t count = 0;
  for (std::size_t at = find_text(text, wanted); at != std::string_view::npos;
       at = find_text(text, wanted, at + wanted.size())) {
    ++count;
  }
  return count;
}

Value count_text(MethodCall& call) {
  const std::string& wanted = call.text(0);
  const Window part = window(call, 1);
  return Value(part.is_outside ? std::int64_t{0} : static_cast<std::int64_t>(occurrences(part.text, wanted)));
}

template <bool AtEnd>
Value has_affix(MethodCall& call) {
  const std::string_view name = AtEnd ? "endswith" : "startswith";
  const Window part = window(call, 1);
  const Value given = call[0];
  const Tuple* several = given.as<Tuple>();
  const std::vector<Value> alone = {given};
  for (const Value& item : several ? several->items : alone) {
    charge(1);
    const Str* affix = item.as<Str>();
    if (!affix) {
      call.fail(Code::Type,
                several ? fmt::format("tuple for {} must only contain str, not {}", name, type_name(item))
                        : fmt::format("{} first arg must be str or a tuple of str, not {}", name, type_name(item)));
    }
    if (part.is_outside) continue;
    if (AtEnd ? part.text.ends_with(affix->text) : part.text.starts_with(affix->text)) return Value(true);
  }
  return Value(false);
}

// ---- taking off ----

// Bytes of the character at the start of `text` if it is to go: one of `characters`, or a blank without those.
std::size_t strippable(std::string_view text, const std::optional<std::string_view>& characters) {
  if (!characters) return leading_blank(text);
  const std::string_view first = text.substr(0, character_offset(text, 1));
  return !first.empty() && characters->find(first) != std::string_view::npos ? first.size() : 0;
}

std::string_view last_character(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && (static_cast<unsigned char>(text[--begin]) & 0xC0) == 0x80) continue;
  return text.substr(begin);
}

template <bool Left, bool Right>
Value strip(MethodCall& call) {
  std::optional<std::string_view> characters;
  if (!call[0].is_none()) {
    const Str* given = call[0].as<Str>();
    if (!given) call.fail(Code::Type, "strip arg must be None or str");
    characters = given->text;
  }
  std::string_view text = self_text(call);
  while (Left && strippable(text, characters) > 0) text.remove_prefix(strippable(text, characters));
  while (Right && !text.empty() && strippable(last_character(text), characters) > 0) {
    text.remove_suffix(last_character(text).size());
  }
  return make_str(std::string(text));
}

template <bool AtEnd>
Value remove_affix(MethodCall& call) {
  std::string_view text = self_text(call);
  const std::string& affix = call.text(0);
  if (AtEnd ? text.ends_with(affix) : text.starts_with(affix)) {
    text = AtEnd ? text.substr(0, text.size() - affix.size()) : text.substr(affix.size());
  }
  return make_str(std::string(text));
}

// ---- splitting and joining ----

// At most `most` words and what is left of them; all words when `most` is negative.
std::vector<std::string_view> split_at_blanks(std::string_view text, std::int64_t most, bool from_right) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t blank = at < text.size() ? leading_blank(text.substr(at)) : 1;
    if (blank > 0) {
      if (at > begin) words.push_back(text.substr(begin, at - begin));
      begin = at + blank;
    }
    at += blank > 0 ? blank : 1;
  }
  if (most < 0 || static_cast<std::size_t>(most) >= words.size()) return words;
  const auto kept = static_cast<std::size_t>(most);
  if (from_right) {
    const std::string_view last = words[words.size() - kept - 1];
    const auto rest = static_cast<std::size_t>(last.data() + last.size() - text.data());
    words.erase(words.begin(), words.end() - most);
    words.insert(words.begin(), text.substr(0, rest));
  } else {
    const auto rest = static_cast<std::size_t>(words[kept].data() - text.data());
    words.resize(kept);
    words.push_back(text.substr(rest));
  }
  return words;
}

std::vector<std::string_view> split_at(std::string_view text, std::string_view separator, std::int64_t most,
                                       bool from_right) {
  std::vector<std::string_view> parts;
  while (most < 0 || static_cast<std::int64_t>(parts.size()) < most) {
    const std::size_t at = from_right ? find_last_text(text, separator) : find_text(text, separator);
    if (at == std::string_view::npos) break;
    parts.push_back(from_right ? text.substr(at + separator.size()) : text.substr(0, at));
    text = from_right ? text.substr(0, at) : text.substr(at + separator.size());
  }
  parts.push_back(text);
  if (from_right) std::reverse(parts.begin(), parts.end());
  return parts;
}

template <bool FromRight>
Value split_text(MethodCall& call) {
  const std::int64_t most = call.integer(1, -1);
  charge(static_cast<std::int64_t>(self_text(call).size()));
  if (call[0].is_none()) return text_list(split_at_blanks(self_text(call), most, FromRight));
  const Str* separator = call[0].as<Str>();
  if (!separator) call.fail(Code::Type, fmt::format("must be str or None, not {}", type_name(call[0])));
  if (separator->text.empty()) call.fail(Code::Value, "empty separator");
  return text_list(split_at(self_text(call), separator->text, most, FromRight));
}

template <bool FromRight>
Value partition(MethodCall& call) {
  const std::string& separator = call.text(0);
  if (separator.empty()) call.fail(Code::Value, "empty separator");
  const std::string_view text = self_text(call);
  const auto parts = split_at(text, separator, 1, FromRight);
  auto part = [](std::string_view piece) { return make_str(std::string(piece)); };
  if (parts.size() == 2) return make_tuple({part(parts[0]), part(separator), part(parts[1])});
  if (FromRight) return make_tuple({part(""), part(""), part(text)});
  return make_tuple({part(text), part(""), part("")});
}

// Bytes of the line break that `text` starts with, or 0.
std::size_t leading_break(std::string_view text) {
  static constexpr std::string_view kBreaks[] = {"\r\n", "\n",   "\r",       "\v",           "\f",          "\x1c",
                                                 "\x1d", "\x1e", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
  for (const std::string_view line_break : kBreaks) {
    if (text.starts_with(line_break)) return line_break.size();
  }
  return 0;
}

Value splitlines(MethodCall& call) {
  const bool keep_ends = call.integer(0) != 0;
  std::string_view text = self_text(call);
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    look();
    const std::size_t length = leading_break(text.substr(at));
    if (length > 0) {
      lines.push_back(text.substr(0, at + (keep_ends ? length : 0)));
      text.remove_prefix(at + length);
    }
    at = length > 0 ? 0 : at + 1;
  }
  if (!text.empty()) lines.push_back(text);
  return text_list(lines);
}

Value join_texts(MethodCall& call) {
  std::vector<Value> items;
  try {
    items = call.interpreter.to_vector(call[0], call.span(0));
  } catch (const CellError& error) {
    if (error.diagnostic().message.find("is not iterable") == std::string::npos) throw;
    call.fail(Code::Type, "can only join an iterable");
  }
  std::size_t length = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Str* part = items[i].as<Str>();
    if (!part)
      call.fail(Code::Type, fmt::format("sequence item {}: expected str instance, {} found", i, type_name(items[i])));
    length += part->text.size() + self_text(call).size();
    if (length > kMaxLength) check_length(length);
  }
  check_length(length);
  std::string out;
  for (const Value& item : items) {
    look();
    if (&item != &items.front()) out += self_text(call);
    out += item.as<Str>()->text;
  }
  return make_str(std::move(out));
}

// ---- making longer ----

std::string replaced(std::string_view text, std::string_view old, std::string_view by, std::size_t most) {
  std::string out;
  std::size_t at = 0;
  for (; most > 0; --most) {
    const std::size_t found = find_text(text, old, at);
    if (found == std::string_view::npos) break;
    out += text.substr(at, found - at);
    out += by;
    at = found + old.size();
    if (!old.empty()) continue;
    if (at == text.size()) break;  // an empty text is found before each character and at the end
    const std::size_t character = character_offset(text.substr(at), 1);
    out += text.substr(at, character);
    at += character;
  }
  return out + std::string(text.substr(at));
}

Value replace(MethodCall& call) {
  for (std::size_t i = 0; i < 2; ++i) {
    if (call[i].as<Str>()) continue;
    call.fail(Code::Type, fmt::format("replace() argument {} must be str, not {}", i + 1, type_name(call[i])));
  }
  const std::string_view text = self_text(call);
  const std::int64_t most = call.integer(2, -1);
  const std::size_t found = occurrences(text, call.text(0));
  const std::size_t count = most < 0 ? found : std::min(found, static_cast<std::size_t>(most));
  check_length(text.size());
  if (count > 0 && call.text(1).size() > kMaxLength / count) check_length(SIZE_MAX);
  check_length(text.size() + count * call.text(1).size());
  return make_str(replaced(text, call.text(0), call.text(1), count));
}

std::string fill_of(const MethodCall& call) {
  if (!call.has(1)) return " ";
  const Str* fill = call[1].as<Str>();
  if (!fill)
    call.fail(Code::Type, fmt::format("The fill character must be a unicode character, not {}", type_name(call[1])));
  if (character_count(fill->text) != 1) call.fail(Code::Type, "The fill character must be exactly one character long");
  return fill->text;
}

// How many characters are missing to the width, which is the first argument.
std::int64_t missing(const MethodCall& call) {
  const std::int64_t width = call.integer(0);
  if (width <= 0) return 0;
  check_length(static_cast<std::size_t>(width) * 4);
  return std::max<std::int64_t>(width - static_cast<std::int64_t>(character_count(self_text(call))), 0);
}

Value ljust(MethodCall& call) { return make_str(self_text(call) + repeated(fill_of(call), missing(call))); }
Value rjust(MethodCall& call) { return make_str(repeated(fill_of(call), missing(call)) + self_text(call)); }

Value center(MethodCall& call) {
  const std::int64_t total = missing(call);
  const std::int64_t left = total / 2 + (total & call.integer(0) & 1);  // as Python shares out an odd rest
  const std::string fill = fill_of(call);
  return make_str(repeated(fill, left) + self_text(call) + repeated(fill, total - left));
}

Value zfill(MethodCall& call) {
  const std::string& text = self_text(call);
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  return make_str(text.substr(0, sign) + repeated("0", missing(call)) + text.substr(sign));
}

Value translate(MethodCall& call) {
  Interpreter& in = call.interpreter;
  return in.call(library_function(in, "operator", "translate"), {call.self, call[0]}, call.given.span);
}

std::string swapped_case(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view one = text.substr(at, character_offset(text.substr(at), 1));
    out += is_upper_case(one) ? lower_case(one) : upper_case(one);
    at += one.size();
  }
  return out;
}

bool is_title_case(std::string_view text) {
  return title_case(text) == text && (is_upper_case(upper_case(text)) || is_lower_case(lower_case(text)));
}

Value expandtabs(MethodCall& call) {
  const std::int64_t width = call.integer(0, 8);
  std::string out;
  std::int64_t column = 0;
  for (const char c : self_text(call)) {
    look();
    if (c == '\t') {
      const std::int64_t blanks = width > 0 ? width - column % width : 0;
      if (out.size() + static_cast<std::size_t>(blanks) > kMaxLength) check_length(SIZE_MAX);
      charge(blanks);
      out.append(static_cast<std::size_t>(blanks), ' ');
      column += blanks;
    } else {
      out += c;
      column = c == '\n' || c == '\r' ? 0 : column + ((static_cast<unsigned char>(c) & 0xC0) != 0x80);
    }
  }
  return make_str(std::move(out));
}

Value is_ascii(MethodCall& call) {
  const std::string& text = self_text(call);
  return Value(std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

constexpr Method kStringMethods[] = {{"isascii", 0, 0, is_ascii},
                                     {"isprintable", 0, 0, is_case<is_printable>},
                                     {"swapcase", 0, 0, mapped<swapped_case>},
                                     {"casefold", 0, 0, mapped<case_fold>},
                                     {"istitle", 0, 0, is_case<is_title_case>},
                                     {"isidentifier", 0, 0, is_case<is_python_identifier>},
                                     {"isnumeric", 0, 0, is_class<CharacterClass::Number>},
                                     {"isdecimal", 0, 0, is_class<CharacterClass::Decimal>},
                                     {"expandtabs", 0, 1, expandtabs, "tabsize"},
                                     {"split", 0, 2, split_text<false>, "sep maxsplit"},
                                     {"rsplit", 0, 2, split_text<true>, "sep maxsplit"},
                                     {"join", 1, 1, join_texts},
                                     {"lower", 0, 0, mapped<lower_case>},
                                     {"upper", 0, 0, mapped<upper_case>},
                                     {"title", 0, 0, mapped<title_case>},
                                     {"capitalize", 0, 0, mapped<capitalized>},
                                     {"strip", 0, 1, strip<true, true>},
                                     {"lstrip", 0, 1, strip<true, false>},
                                     {"rstrip", 0, 1, strip<false, true>},
                                     {"removeprefix", 1, 1, remove_affix<false>},
                                     {"removesuffix", 1, 1, remove_affix<true>},
                                     {"replace", 2, 3, replace},
                                     {"startswith", 1, 3, has_affix<false>},
                                     {"endswith", 1, 3, has_affix<true>},
                                     {"format", 0, kAnyNumber, format_string, "**"},
                                     {"count", 1, 3, count_text},
                                     {"find", 1, 3, place_of<false>},
                                     {"rfind", 1, 3, place_of<true>},
                                     {"index", 1, 3, index_text<false>},
                                     {"rindex", 1, 3, index_text<true>},
                                     {"isdigit", 0, 0, is_class<CharacterClass::Digit>},
                                     {"isalpha", 0, 0, is_class<CharacterClass::Letter>},
                                     {"isalnum", 0, 0, is_class<CharacterClass::LetterOrDigit>},
                                     {"isspace", 0, 0, is_class<CharacterClass::Blank>},
                                     {"isupper", 0, 0, is_case<is_upper_case>},
                                     {"islower", 0, 0, is_case<is_lower_case>},
                                     {"ljust", 1, 2, ljust},
                                     {"rjust", 1, 2, rjust},
                                     {"center", 1, 2, center},
                                     {"zfill", 1, 1, zfill},
                                     {"splitlines", 0, 1, splitlines, "keepends"},
                                     {"partition", 1, 1, partition<false>},
                                     {"rpartition", 1, 1, partition<true>},
                                     {"translate", 1, 1, translate},
                                     {"encode", 0, 2, encode, "encoding errors"}};

}  // namespace

std::span<const Method> string_methods() { return kStringMethods; }

}  // namespace attn
