#pragma once
// What learners bring in place of a lesson's data: sentences of words, or of ids. Every mistake has its place.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/source.h"
#include "lesson/findings.h"

namespace attn {

/// A word or an id, and where it is in the text that was read.
struct OwnToken {
  std::string word;      // empty in lists of ids
  std::int64_t id = -1;  // -1 in lists of words
  Span span;
};
using OwnSentence = std::vector<OwnToken>;

inline constexpr std::size_t kMostTokens = 100'000;  // of one run

/// Counts one more word or id.
///   Errors: LimitReached beyond kMostTokens.
void count_token(std::size_t& count);

/// Every line is a sentence, blanks part its words (all of Unicode's); lines without a word are passed over.
///   Errors: findings (invalid UTF-8, no word at all). Spans get `source_index`.
std::vector<OwnSentence> read_sentences(const Source& source, std::uint32_t source_index, LoadFindings& findings);

/// Ids: one sequence a line, with blanks or commas between them, in brackets or not; or one JSON list of lists. Lines
/// without an id are passed over.
///   Errors: findings, one for each malformed line: no whole number, below 0, over 2^63 - 1, brackets that do not fit.
std::vector<OwnSentence> read_ids(const Source& source, std::uint32_t source_index, LoadFindings& findings);

}  // namespace attn
