// The vocabulary of a tokenizer.json, read event by event: nothing else of that file is kept, and tokens that occur
// twice are seen.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/limits.h"
#include "base/text.h"
#include "lesson/vocabulary.h"
#include "text/say.h"

namespace attn {
namespace {

using nlohmann::json;

constexpr std::int64_t kLargestId = Vocabulary::kLargest - 1;
constexpr std::size_t kMaxPath = 100;

std::string token_text(std::string_view token) { return fmt::format("\"{}\"", elide(visible(token), 40)); }

/// The events of nlohmann's parser. Tokens are taken from where they stand: "model"/"vocab", "vocab" or, of a file that
/// holds nothing else, the outermost object; "added_tokens" has its own form.
class VocabularyReader : public nlohmann::json_sax<json> {
 public:
  VocabularyReader(const Source& source, LoadFindings& findings) : source_(source), findings_(findings) {}

  Vocabulary take() {
    if (findings_.failed()) return {};
    if (vocab_.empty()) vocab_ = std::move(flat_);
    if (vocab_.empty()) return fail(say("vocabulary.none"), say("vocabulary.how")), Vocabulary();
    for (auto& [id, token] : added_) put(vocab_, token, id);
    return findings_.failed() ? Vocabulary() : in_order();
  }

  bool start_object(std::size_t) override { return enter(false); }
  bool start_array(std::size_t) override { return enter(true); }
  bool end_object() override {
    if (is_added_token(path_.size()) && added_id_ >= 0) added_[added_id_] = added_token_;
    return leave();
  }
  bool end_array() override { return leave(); }
  bool key(string_t& word) override {
    look();
    path_.back() = word;
    return true;
  }
  bool number_unsigned(number_unsigned_t number) override {
    if (number > static_cast<std::uint64_t>(kLargestId)) return no_id(std::to_string(number));
    return take_number(static_cast<std::int64_t>(number));
  }
  bool number_integer(number_integer_t number) override { return no_id(std::to_string(number)); }
  bool number_float(number_float_t, const string_t& word) override { return no_id(word); }
  bool string(string_t& word) override {
    look();
    if (is_in_list() && next_ > kLargestId)
      return fail(say("vocabulary.most", {{"most", std::to_string(Vocabulary::kLargest)}}));
    if (is_in_list()) put(vocab_, word, next_++);
    else if (is_added_token(path_.size()) && path_.back() == "content") added_token_ = word;
    else if (is_in_vocab()) fail(say("vocabulary.string", {{"token", token_text(path_.back())}}));
    return true;
  }
  bool boolean(bool) override { return true; }
  bool null() override { return true; }
  bool binary(binary_t&) override { return true; }  // JSON as text has none
  bool parse_error(std::size_t read, const std::string&, const nlohmann::detail::exception&) override {
    const auto at = static_cast<std::uint32_t>(std::min(read > 0 ? read - 1 : 0, source_.text.size()));
    findings_.error({0, at, at + 1}, say("json.stops"), say("vocabulary.how"));
    return false;
  }

 private:
  bool enter(bool) {
    if (path_.size() == kMaxPath) return fail(say("json.nested", {{"most", std::to_string(kMaxPath)}}));
    path_.emplace_back();
    if (is_added_token(path_.size())) added_id_ = -1;
    return true;
  }
  bool leave() {
    path_.pop_back();
    return true;
  }

  /// Whether the keys up to here lead to the object or list of tokens; `inner` levels below it are open.
  bool leads_to_vocab(std::size_t inner) const {
    const std::size_t size = path_.size();
    return (size == 1 + inner && inner > 0 && path_[0] == "vocab") ||
           (size == 2 + inner && inner > 0 && path_[0] == "model" && path_[1] == "vocab");
  }
  bool is_in_vocab() const { return leads_to_vocab(1); }
  bool is_in_list() const { return leads_to_vocab(2); }  // Unigram: [token, score]
  bool is_added_token(std::size_t depth) const { return depth == 3 && path_[0] == "added_tokens"; }

  bool take_number(std::int64_t number) {
    if (is_in_vocab()) put(vocab_, path_.back(), number);
    else if (path_.size() == 1) put(flat_, path_.back(), number);
    else if (is_added_token(path_.size()) && path_.back() == "id") added_id_ = number;
    return true;
  }
  bool no_id(const std::string& number) {
    if (is_in_vocab())
      fail(say(
          "vocabulary.id",
          {{"token", token_text(path_.back())}, {"id", elide(number, 40)}, {"largest", std::to_string(kLargestId)}}));
    return true;
  }

  using Tokens = std::map<std::int64_t, std::string>;
  void put(Tokens& tokens, const std::string& token, std::int64_t id) {
    const auto [place, is_new] = tokens.try_emplace(id, token);
    if (is_new) {
      if (const auto [first, is_known] = seen_.try_emplace(token, id); !is_known && first->second != id)
        fail(say(
            "vocabulary.ids",
            {{"token", token_text(token)}, {"first", std::to_string(first->second)}, {"second", std::to_string(id)}}));
    } else if (place->second != token || &tokens == &flat_) {
      fail(say("vocabulary.tokens",
               {{"id", std::to_string(id)}, {"first", token_text(place->second)}, {"second", token_text(token)}}));
    }
  }

  Vocabulary in_order() {
    std::vector<std::string> tokens;
    for (auto& [id, token] : vocab_) {
      if (id != static_cast<std::int64_t>(tokens.size()))
        return fail(say("vocabulary.gap", {{"id", std::to_string(tokens.size())}, {"next", std::to_string(id)}})),
               Vocabulary();
      tokens.push_back(std::move(token));
    }
    return Vocabulary::of(std::move(tokens));
  }

  bool fail(std::string message, std::string hint = {}) {
    findings_.error({}, std::move(message), std::move(hint));
    return false;
  }

  const Source& source_;
  LoadFindings& findings_;
  std::vector<std::string> path_;  // the keys that lead here; empty for those of lists
  Tokens vocab_, flat_, added_;
  std::map<std::string, std::int64_t> seen_;
  std::int64_t next_ = 0;  // id of the next token of a list
  std::int64_t added_id_ = -1;
  std::string added_token_;
};

}  // namespace

Vocabulary Vocabulary::from_json(const Source& source, LoadFindings& findings) {
  VocabularyReader reader(source, findings);
  // nlohmann takes a byte 0 for the end of its input, and would not look at what follows.
  if (const std::size_t zero = source.text.find('\0'); zero != std::string::npos)
    return reader.parse_error(zero + 1, "", json::other_error::create(0, "", nullptr)), Vocabulary();
  json::sax_parse(source.text, &reader);
  return reader.take();
}

}  // namespace attn
