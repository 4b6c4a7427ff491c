#include "lesson/own_words.h"

#include <algorithm>

#include "base/letters.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "text/say.h"

namespace attn {
namespace {

/// Whether the text is UTF-8; the first byte that is not is found to be wrong otherwise.
bool check_utf8(const Source& source, std::uint32_t number, LoadFindings& findings) {
  const std::string valid = valid_utf8(source.text);
  if (valid == source.text) return true;
  const auto place = std::mismatch(source.text.begin(), source.text.end(), valid.begin(), valid.end()).first;
  const auto at = static_cast<std::size_t>(place - source.text.begin());
  findings.error(span_of(number, at, at + 1), say("ids.utf8"), say("ids.utf8.hint"));
  return false;
}

OwnSentence words_of_line(std::string_view line, std::size_t begin, std::uint32_t number, std::size_t& count) {
  OwnSentence sentence;
  std::size_t at = 0;
  while (at < line.size()) {
    if (const std::size_t blank = leading_blank(line.substr(at))) {
      at += blank;
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && leading_blank(line.substr(end)) == 0) ++end;
    count_token(count);
    sentence.push_back({std::string(line.substr(at, end - at)), -1, span_of(number, begin + at, begin + end)});
    at = end;
  }
  return sentence;
}

/// Ids as they stand one after another. A line ends its sequence where no bracket is open, a bracket always does.
class IdReader {
 public:
  IdReader(const Source& source, std::uint32_t number, LoadFindings& findings)
      : text_(source.text), number_(number), findings_(findings) {}

  std::vector<OwnSentence> read() {
    while (at_ < text_.size())
      if (!take()) skip_line();
    if (depth_ > 0) error(text_.size(), text_.size(), say("ids.open"));
    else if (end_line()) end_sequence();
    return std::move(sentences_);
  }

 private:
  /// What stands before the place.
  enum class Before { Nothing, Id, Comma, Open, Close, CommaOfLists };

  /// Takes a sign or an id; false when the line is malformed.
  bool take() {
    const char c = text_[at_];
    if (c == '\n') return end_line() && ++at_;
    if (c == '[') return open();
    if (c == ']') return close();
    if (c == ',') return comma();
    if (const std::size_t blank = leading_blank(text_.substr(at_))) return at_ += blank, true;
    return take_id();
  }
  /// The rest of a malformed line says nothing more.
  void skip_line() {
    at_ = std::min(text_.find('\n', at_), text_.size());
    sequence_.clear();
    depth_ = 0;
    before_ = Before::Nothing;
  }

  bool end_line() {
    if (depth_ > 0) return true;
    if (before_ == Before::Comma) return error(at_ - 1, at_, say("ids.after_comma"));
    end_sequence();
    before_ = Before::Nothing;
    return true;
  }
  bool open() {
    if (before_ == Before::Id || before_ == Before::Comma || depth_ == 2) return error(at_, at_ + 1, say("ids.list"));
    ++depth_;
    return pass(Before::Open);
  }
  bool close() {
    if (depth_ == 0) return error(at_, at_ + 1, say("ids.closed"));
    if (before_ == Before::Open) return error(at_, at_ + 1, say("ids.empty"));
    if (before_ == Before::Comma) return error(at_, at_ + 1, say("ids.before_bracket"));
    --depth_;
    end_sequence();
    return pass(Before::Close);
  }
  bool comma() {
    if (before_ == Before::Close) return pass(Before::CommaOfLists);
    if (before_ == Before::Id) return pass(Before::Comma);
    return error(at_, at_ + 1, say("ids.before_comma"));
  }
  bool take_id() {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,[]", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    const auto id = parse_int(word);
    if (!id) return error(at_, end, say("ids.number", {{"text", elide(word, 40)}}));
    if (*id < 0) return error(at_, end, say("ids.negative", {{"id", std::to_string(*id)}}));
    if (before_ == Before::Close || before_ == Before::CommaOfLists) return error(at_, end, say("ids.behind"));
    count_token(count_);
    sequence_.push_back({"", *id, span_of(number_, at_, end)});
    at_ = end;
    before_ = Before::Id;
    return true;
  }

  bool pass(Before sign) {
    ++at_;
    before_ = sign;
    return true;
  }
  void end_sequence() {
    if (!sequence_.empty()) sentences_.push_back(std::exchange(sequence_, {}));
  }
  bool error(std::size_t begin, std::size_t end, std::string message) {
    findings_.error(span_of(number_, begin, end), std::move(message), say("ids.form"));
    return false;
  }

  std::string_view text_;
  std::uint32_t number_;
  LoadFindings& findings_;
  std::vector<OwnSentence> sentences_;
  OwnSentence sequence_;
  std::size_t at_ = 0;
  std::size_t count_ = 0;
  int depth_ = 0;  // of brackets
  Before before_ = Before::Nothing;
};

}  // namespace

void count_token(std::size_t& count) {
  if (++count > kMostTokens)
    throw LimitReached(LimitReached::Kind::Work, say("ids.most", {{"most", std::to_string(kMostTokens)}}));
}

std::vector<OwnSentence> read_sentences(const Source& source, std::uint32_t source_index, LoadFindings& findings) {
  std::vector<OwnSentence> sentences;
  if (!check_utf8(source, source_index, findings)) return sentences;
  std::size_t count = 0;
  for (const std::string_view line : split_lines(source.text)) {
    OwnSentence sentence =
        words_of_line(line, static_cast<std::size_t>(line.data() - source.text.data()), source_index, count);
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  }
  if (sentences.empty()) findings.error(span_of(source_index, 0, 0), say("ids.no_word"));
  return sentences;
}

std::vector<OwnSentence> read_ids(const Source& source, std::uint32_t source_index, LoadFindings& findings) {
  if (!check_utf8(source, source_index, findings)) return {};
  std::vector<OwnSentence> sentences = IdReader(source, source_index, findings).read();
  if (sentences.empty() && !findings.failed()) findings.error(span_of(source_index, 0, 0), say("ids.none"));
  return sentences;
}

}  // namespace attn
