#include "lesson/vocabulary.h"

#include <algorithm>

#include "base/letters.h"
#include "base/limits.h"
#include "base/text.h"
#include "base/utf8.h"
#include "text/say.h"

namespace attn {
namespace {

struct MarkRow {
  TokenMarks marks;
  std::string_view sign;
  bool at_end;
};

// The first row of which a token has the sign decides. A sign alone is an ordinary token.
constexpr MarkRow kMarks[] = {{TokenMarks::ByteLevel, "\u0120", false},
                              {TokenMarks::Blank, "\u2581", false},
                              {TokenMarks::WordEnd, "</w>", true},
                              {TokenMarks::WordPiece, "##", false}};

constexpr std::string_view kGoesOn = "##";
constexpr std::string_view kUnknown[] = {"[UNK]", "<unk>", "<UNK>", "[unk]"};

TokenMarks marks_of(const std::vector<std::string>& tokens) {
  for (const MarkRow& row : kMarks) {
    const auto has_sign = [&](const std::string& token) {
      return token.size() > row.sign.size() && (row.at_end ? token.ends_with(row.sign) : token.starts_with(row.sign));
    };
    if (std::any_of(tokens.begin(), tokens.end(), has_sign)) return row.marks;
  }
  return TokenMarks::None;
}

}  // namespace

std::string byte_letters(std::string_view text) {
  static const std::vector<std::string> kLetters = [] {
    std::vector<std::string> letters;
    unsigned next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const bool is_printable = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xFF && byte != 0xAD);
      append_utf8(letters.emplace_back(), is_printable ? byte : next++);
    }
    return letters;
  }();
  std::string out;
  for (const char c : text) out += kLetters[static_cast<unsigned char>(c)];
  return out;
}

Vocabulary Vocabulary::of(std::vector<std::string> tokens) {
  Vocabulary vocabulary;
  vocabulary.tokens_ = std::move(tokens);
  for (std::size_t id = 0; id < vocabulary.tokens_.size(); ++id) {
    look();
    const std::string& token = vocabulary.tokens_[id];
    vocabulary.ids_.try_emplace(token, static_cast<std::int64_t>(id));
    vocabulary.longest_ = std::max(vocabulary.longest_, token.size());
  }
  vocabulary.marks_ = marks_of(vocabulary.tokens_);
  return vocabulary;
}

Vocabulary Vocabulary::from_lines(const Source& source, LoadFindings& findings) {
  std::vector<std::string> tokens;
  std::map<std::string_view, std::size_t> lines;
  for (std::string_view line : split_lines(source.text)) {
    look();
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto begin = static_cast<std::uint32_t>(line.data() - source.text.data());
    const Span place = {0, begin, begin + static_cast<std::uint32_t>(line.size())};
    const auto [first, is_new] = lines.try_emplace(line, tokens.size() + 1);
    if (line.empty()) findings.error(place, say("vocabulary.line"), say("vocabulary.form"));
    else if (!is_new) findings.error(place, say("vocabulary.twice", {{"line", std::to_string(first->second)}}));
    else if (valid_utf8(line) != line) findings.error(place, say("vocabulary.utf8"));
    tokens.emplace_back(line);
    if (tokens.size() > kLargest) {
      findings.error(place, say("vocabulary.most", {{"most", std::to_string(kLargest)}}));
      break;
    }
  }
  if (tokens.empty()) findings.error({}, say("vocabulary.empty"), say("vocabulary.form"));
  return findings.failed() ? Vocabulary() : of(std::move(tokens));
}

std::optional<std::int64_t> Vocabulary::find(std::string_view token) const {
  const auto found = ids_.find(token);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::vector<std::int64_t>> Vocabulary::longest_pieces(std::string_view text) const {
  std::vector<std::int64_t> pieces;
  while (!text.empty()) {
    const std::string prefix(marks_ == TokenMarks::WordPiece && !pieces.empty() ? kGoesOn : "");
    std::optional<std::int64_t> found;
    std::size_t size = std::min(text.size(), longest_);
    for (; size > 0 && !(found = find(prefix + std::string(text.substr(0, size)))); --size) charge(1);
    if (!found) return std::nullopt;
    pieces.push_back(*found);
    text.remove_prefix(size);
  }
  return pieces;
}

std::optional<std::vector<std::int64_t>> Vocabulary::pieces(std::string_view word, bool is_first) const {
  switch (marks_) {
    case TokenMarks::None:
    case TokenMarks::WordPiece: return longest_pieces(word);
    case TokenMarks::WordEnd: return longest_pieces(std::string(word) + "</w>");
    case TokenMarks::Blank: return longest_pieces("\u2581" + std::string(word));
    case TokenMarks::ByteLevel: return longest_pieces((is_first ? "" : "\u0120") + byte_letters(word));
  }
  return std::nullopt;
}

std::optional<std::vector<std::int64_t>> Vocabulary::split(std::string_view word, bool is_first) const {
  if (auto found = pieces(word, is_first)) return found;
  if (auto found = pieces(lower_case(word), is_first)) return found;
  for (const std::string_view token : kUnknown)
    if (const auto id = find(token)) return std::vector<std::int64_t>{*id};
  return std::nullopt;
}

std::optional<std::int64_t> Vocabulary::whole(std::string_view word) const {
  const auto id = find(word);
  return id ? id : find(lower_case(word));
}

std::vector<std::string> Vocabulary::near(std::string_view word) const {
  constexpr std::size_t kMost = 3, kMostSearched = 100'000;
  std::vector<std::string> near, rest = tokens_;
  if (rest.size() > kMostSearched || word.size() > 100) return near;
  while (near.size() < kMost) {
    std::string next = nearest(word, rest);
    if (next.empty()) break;
    std::erase(rest, next);
    near.push_back(std::move(next));
  }
  return near;
}

}  // namespace attn
