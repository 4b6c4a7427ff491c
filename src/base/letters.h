#pragma once
// What Python's str methods know about characters: upper and lower case, letters, digits, blanks. By Unicode's tables,
// not by the locale.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

std::string lower_case(std::string_view text);
std::string upper_case(std::string_view text);
/// str.casefold(): what compares letters without regard to case; a sharp s is two letters.
std::string case_fold(std::string_view text);
/// The first letter of each run of letters large, the others small: "They'Re" as in Python.
std::string title_case(std::string_view text);

/// The text without the byte order mark that some editors put first.
std::string_view without_byte_order_mark(std::string_view text);
/// Unicode's form C: an accent in one character with its letter, a Korean syllable in one.
std::string composed(std::string_view text);
/// The text decomposed (Unicode's form D) and without accents: "e" for an e with an accent.
std::string without_accents(std::string_view text);
/// "NFC", "NFD", "NFKC" or "NFKD" of Unicode; nullopt for another form.
std::optional<std::string> normalized(std::string_view text, std::string_view form);
/// The category of Unicode: "Ll", "Mn", ...
std::string category_of(std::int32_t code);
/// 0 for a letter, 230 for an accent above it, ...
std::int64_t combining_class(std::int32_t code);

/// U+0663 (an Arabic 3) is a Decimal, a small 2 above the line a Digit, a half in one character a Number.
enum class CharacterClass { Letter, Decimal, Digit, Number, LetterOrDigit, Blank };

/// Whether every character is of that class and there is one.
bool consists_of(std::string_view text, CharacterClass wanted);
/// str.isidentifier(): letters, digits, _ and marks on letters; a letter or _ first.
bool is_python_identifier(std::string_view text);
/// str.isupper() and islower(): there is a letter with case and none of the other case.
bool is_upper_case(std::string_view text);
bool is_lower_case(std::string_view text);

/// What str.isprintable() says of every character: no control characters, marks of direction, or blanks but the space.
bool is_printable(std::string_view text);

/// Bytes of the white space character that `text` starts with, or 0.
std::size_t leading_blank(std::string_view text);

/// Characters (code points) of valid UTF-8, one after another.
std::size_t character_count(std::string_view text);
/// The code point at the start of valid UTF-8 that is not empty.
std::int64_t first_code(std::string_view text);
/// The byte at which character number `at` starts; the end when there are fewer.
std::size_t character_offset(std::string_view text, std::size_t at);

/// The bytes at which the characters of a text start, counted once, so that a lookup costs the same in any text.
class CharacterPlaces {
 public:
  explicit CharacterPlaces(std::string_view text);
  std::size_t count() const { return count_; }
  /// As character_offset() of that text.
  std::size_t offset(std::string_view text, std::size_t at) const;

 private:
  std::size_t count_;
  std::vector<std::size_t> starts_;  // of every 256th character; none where each is one byte
};

/// Where `wanted` begins, as find() and rfind() of a text; the stop flag is asked on the way.
std::size_t find_text(std::string_view text, std::string_view wanted, std::size_t at = 0);
std::size_t find_last_text(std::string_view text, std::string_view wanted);

/// The text that many times; none for less than 1.
std::string repeated(std::string_view text, std::int64_t count);

}  // namespace attn
