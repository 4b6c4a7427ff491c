#pragma once
// The tokens of a tokenizer, and the pieces that a word falls into: always the longest token that fits.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "lesson/findings.h"

namespace attn {

/// How the tokens of a vocabulary say where words begin and end. It shows in the tokens themselves.
enum class TokenMarks {
  None,       // a piece is a piece, wherever it is
  WordPiece,  // "##ing" goes on within a word
  ByteLevel,  // "Ġcat" begins a word after a blank; all else than ASCII is written as bytes, each as a letter
  Blank,      // "▁cat" begins any word
  WordEnd     // "cat</w>" ends a word
};

/// Bytes as the letters that byte-level vocabularies write for them: printable ones of Latin-1 are themselves, the
/// others follow from U+0100 on.  Source: openai/gpt-2, encoder.py, bytes_to_unicode.
std::string byte_letters(std::string_view text);

class Vocabulary {
 public:
  static constexpr std::size_t kLargest = 1'000'000;  // tokens: the largest in use have some 900,000

  /// A token a line, its id is the number of the line from 0.
  ///   Errors: findings (not UTF-8, a token that appears twice, an empty line, no token, over kLargest of them).
  static Vocabulary from_lines(const Source& source, LoadFindings& findings);
  /// The `vocab` of a tokenizer.json with its `added_tokens`, or a JSON object of tokens and ids alone.
  ///   Errors: findings (not JSON, no vocabulary in it, a token or an id that appears twice, ids with gaps or
  ///   from kLargest on).
  static Vocabulary from_json(const Source& source, LoadFindings& findings);
  /// Each token with its place as its id. They are all different.
  static Vocabulary of(std::vector<std::string> tokens);

  const std::vector<std::string>& tokens() const { return tokens_; }
  TokenMarks marks() const { return marks_; }
  std::optional<std::int64_t> find(std::string_view token) const;

  /// The ids of the pieces of a word; `is_first`: no blank comes before it. A word that has no pieces is tried in
  /// lower case, then it is the token for unknown words ([UNK], <unk>). Nothing if there is no such token.
  std::optional<std::vector<std::int64_t>> split(std::string_view word, bool is_first) const;
  /// The id of the word as a whole, else of the word in lower case.
  std::optional<std::int64_t> whole(std::string_view word) const;
  /// Up to three tokens that are spelled much like it, the nearest first.
  std::vector<std::string> near(std::string_view word) const;

 private:
  std::optional<std::vector<std::int64_t>> pieces(std::string_view word, bool is_first) const;
  std::optional<std::vector<std::int64_t>> longest_pieces(std::string_view text) const;

  std::vector<std::string> tokens_;
  std::map<std::string, std::int64_t, std::less<>> ids_;
  std::size_t longest_ = 0;  // bytes of a token
  TokenMarks marks_ = TokenMarks::None;
};

}  // namespace attn
