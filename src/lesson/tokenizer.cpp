#define PCRE2_CODE_UNIT_WIDTH 8
#include "lesson/tokenizer.h"

#include <pcre2.h>

#include <algorithm>
#include <memory>
#include <queue>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/text.h"
#include "base/utf8.h"
#include "lesson/vocabulary.h"
#include "text/say.h"

namespace attn {

const char* const kGpt2Pattern = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

namespace {

constexpr std::string_view kSentenceBlank = "\u2581", kInWord = "##";
constexpr std::size_t kLongestWord = 100;  // characters of a WordPiece word; a longer one is unknown

std::size_t size_of_first(std::string_view text) { return std::max<std::size_t>(1, decode(text).size); }

/// "<0xE2>" of SentencePiece is a byte.
std::string byte_token(unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + ">";
}

/// The byte that each letter of a byte-level vocabulary stands for.
const std::map<std::string, char, std::less<>>& bytes_of_letters() {
  static const std::map<std::string, char, std::less<>> kBytes = [] {
    std::map<std::string, char, std::less<>> bytes;
    for (int byte = 0; byte < 256; ++byte) {
      const char c = static_cast<char>(byte);
      bytes[byte_letters({&c, 1})] = c;
    }
    return bytes;
  }();
  return kBytes;
}

/// A part of a piece, linked to those beside it.
struct Fragment {
  std::size_t begin, end;
  int before, next;
};

/// Two neighbors that may be merged, as long as they still end where they did.
struct Neighbors {
  std::int64_t rank;
  int left;
  std::size_t middle, end;
  bool operator<(const Neighbors& other) const {
    return rank != other.rank ? rank > other.rank : left > other.left;  // the lowest, then the first, is on top
  }
};

}  // namespace

// ---- splitting ----

std::function<std::vector<std::string>(const std::string&)> pattern_splitter(const std::string& pattern,
                                                                             bool keeps_rest) {
  int error = 0;
  PCRE2_SIZE at = 0;
  const std::shared_ptr<pcre2_code> code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                                       PCRE2_UTF | PCRE2_UCP, &error, &at, nullptr),
                                         pcre2_code_free);
  if (!code) throw UserError(say("tokenizer.pattern", {{"pattern", visible(elide(pattern, 60))}}));
  return [code, keeps_rest](const std::string& text) {
    const std::unique_ptr<pcre2_match_data, void (*)(pcre2_match_data*)> found(
        pcre2_match_data_create_from_pattern(code.get(), nullptr), pcre2_match_data_free);
    // A pattern that goes back for ever ends there, and the rest is one piece.
    const std::unique_ptr<pcre2_match_context, void (*)(pcre2_match_context*)> limits(
        pcre2_match_context_create(nullptr), pcre2_match_context_free);
    pcre2_set_match_limit(limits.get(), 100'000);
    const PCRE2_SIZE* bounds = pcre2_get_ovector_pointer(found.get());
    std::vector<std::string> pieces;
    std::size_t done = 0, from = 0;
    while (from < text.size()) {
      charge(1);
      const int count = pcre2_match(code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), from,
                                    PCRE2_NO_UTF_CHECK, found.get(), limits.get());
      if (count < 0) break;
      if (bounds[0] > done && keeps_rest) pieces.push_back(text.substr(done, bounds[0] - done));
      if (bounds[1] > bounds[0]) pieces.push_back(text.substr(bounds[0], bounds[1] - bounds[0]));
      done = bounds[1];
      from = bounds[1] > bounds[0] ? done : done + size_of_first(std::string_view(text).substr(done));
    }
    if (done < text.size() && keeps_rest) pieces.push_back(text.substr(done));
    return pieces;
  };
}

// ---- what it is made of ----

void Tokenizer::add(std::string token, std::int64_t id) {
  const auto place = static_cast<std::size_t>(id);
  if (place >= tokens_.size()) tokens_.resize(place + 1);
  tokens_[place] = token;
  ids_.insert_or_assign(std::move(token), id);
}

void Tokenizer::add_merge(std::string_view left, std::string_view right) {
  ranks_.try_emplace(std::string(left) + ' ' + std::string(right), static_cast<std::int64_t>(ranks_.size()));
}

Tokenizer Tokenizer::of_words(const std::vector<std::string>& words) {
  Tokenizer tokenizer;
  tokenizer.model_ = Model::WordsAlone;
  for (const std::string& word : words) tokenizer.add(word, static_cast<std::int64_t>(tokenizer.tokens_.size()));
  tokenizer.splitters_.push_back(pattern_splitter(R"([\w'-]+|[^\s\w])", false));
  return tokenizer;
}

// ---- encoding ----

std::vector<std::int64_t> Tokenizer::encode(std::string_view given) const {
  const std::string valid = valid_utf8(given);
  std::string_view text = valid;
  std::vector<std::int64_t> ids = before_;
  while (!text.empty()) {
    // The first of the added tokens in the text, of several there the longest.
    std::size_t first = std::string_view::npos;
    const std::pair<std::string, std::int64_t>* found = nullptr;
    for (const auto& token : added_) {
      charge(1 + static_cast<std::int64_t>(text.size()) / 64);
      const std::size_t at = text.find(token.first);
      if (at > first || at == std::string_view::npos) continue;
      if (at == first && found && found->first.size() >= token.first.size()) continue;
      first = at;
      found = &token;
    }
    encode_plain(text.substr(0, first), ids);
    if (!found) break;
    ids.push_back(found->second);
    text.remove_prefix(first + found->first.size());
  }
  ids.insert(ids.end(), behind_.begin(), behind_.end());
  return ids;
}

void Tokenizer::encode_plain(std::string_view text, std::vector<std::int64_t>& out) const {
  if (text.empty()) return;
  std::string whole(text);
  for (const Normalizer& normalizer : normalizers_) whole = normalizer(std::move(whole));
  if (begins_with_blank_ && !whole.starts_with(' ')) whole.insert(0, " ");
  std::vector<std::string> pieces = {std::move(whole)};
  for (const Splitter& split : splitters_) {
    std::vector<std::string> parts;
    for (const std::string& piece : pieces)
      for (std::string& part : split(piece)) parts.push_back(std::move(part));
    pieces = std::move(parts);
  }
  for (const std::string& piece : pieces) encode_piece(piece, out);
}

void Tokenizer::encode_piece(const std::string& piece, std::vector<std::int64_t>& out) const {
  const std::string text = model_ == Model::ByteLevel ? byte_letters(piece) : piece;
  const auto whole = ids_.find(text);
  const bool is_one = model_ == Model::WordsAlone || model_ == Model::WordPiece || takes_whole_pieces_;
  if (is_one && whole != ids_.end()) out.push_back(whole->second);
  else if (model_ == Model::WordsAlone) add_unknown(piece, out);
  else if (model_ == Model::WordPiece) longest_pieces(text, out);
  else merge_piece(text, out);
}

// The pair with the lowest rank is joined, again and again; the parts that are left are the tokens.
void Tokenizer::merge_piece(std::string_view piece, std::vector<std::int64_t>& out) const {
  std::vector<Fragment> fragments;
  for (std::size_t at = 0; at < piece.size();) {
    const std::size_t end = at + size_of_first(piece.substr(at));
    const int number = static_cast<int>(fragments.size());
    fragments.push_back({at, end, number - 1, number + 1});
    at = end;
  }
  if (fragments.empty()) return;
  fragments.back().next = -1;
  std::priority_queue<Neighbors> pairs;
  const auto note_pair = [&](int left) {
    if (left < 0 || fragments[static_cast<std::size_t>(left)].next < 0) return;
    const Fragment& a = fragments[static_cast<std::size_t>(left)];
    const Fragment& b = fragments[static_cast<std::size_t>(a.next)];
    charge(1);
    std::string key(piece.substr(a.begin, a.end - a.begin));
    key.append(" ").append(piece.substr(b.begin, b.end - b.begin));
    const auto rank = ranks_.find(key);
    if (rank != ranks_.end()) pairs.push({rank->second, left, a.end, b.end});
  };
  for (int left = 0; left < static_cast<int>(fragments.size()); ++left) note_pair(left);
  while (!pairs.empty()) {
    const Neighbors pair = pairs.top();
    pairs.pop();
    Fragment& a = fragments[static_cast<std::size_t>(pair.left)];
    const bool is_there = a.end == pair.middle && a.next >= 0 && a.begin < a.end &&
                          fragments[static_cast<std::size_t>(a.next)].end == pair.end;
    if (!is_there) continue;
    Fragment& b = fragments[static_cast<std::size_t>(a.next)];
    a.end = b.end;
    a.next = b.next;
    b.begin = b.end;  // nothing is left of it
    if (a.next >= 0) fragments[static_cast<std::size_t>(a.next)].before = pair.left;
    note_pair(a.before);
    note_pair(pair.left);
  }
  for (int at = 0; at >= 0; at = fragments[static_cast<std::size_t>(at)].next) {
    const Fragment& fragment = fragments[static_cast<std::size_t>(at)];
    const std::string_view part = piece.substr(fragment.begin, fragment.end - fragment.begin);
    const auto id = ids_.find(std::string(part));
    if (id != ids_.end()) out.push_back(id->second);
    else add_unknown(part, out);
  }
}

void Tokenizer::longest_pieces(const std::string& word, std::vector<std::int64_t>& out) const {
  std::vector<std::int64_t> pieces;
  const std::size_t count = out.size();
  for (std::size_t at = 0; at < word.size() && word.size() <= 4 * kLongestWord;) {
    std::size_t size = word.size() - at;
    auto found = ids_.end();
    for (; size > 0; --size) {
      charge(1);
      found = ids_.find((at > 0 ? std::string(kInWord) : std::string()) + word.substr(at, size));
      if (found != ids_.end()) break;
    }
    if (size == 0) break;
    pieces.push_back(found->second);
    at += size;
    if (at == word.size()) out.insert(out.end(), pieces.begin(), pieces.end());
  }
  if (out.size() == count) add_unknown(word, out);
}

// As bytes, if the vocabulary has them.
void Tokenizer::add_unknown(std::string_view piece, std::vector<std::int64_t>& out) const {
  std::vector<std::int64_t> bytes;
  for (const char c : piece)
    if (const auto id = ids_.find(byte_token(static_cast<unsigned char>(c))); id != ids_.end())
      bytes.push_back(id->second);
  if (bytes.size() == piece.size()) out.insert(out.end(), bytes.begin(), bytes.end());
  else if (unknown_ >= 0) out.push_back(unknown_);
  else
    throw UserError(
        say("tokenizer.unknown", {{"piece", visible(elide(std::string(piece), 40))}}),
        did_you_mean(nearest(std::string(piece), model_ == Model::WordsAlone ? tokens_ : std::vector<std::string>())));
}

// ---- decoding ----

std::string Tokenizer::bytes_of(std::int64_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= tokens_.size()) return "";
  const std::string& token = tokens_[static_cast<std::size_t>(id)];
  const bool is_added =
      std::any_of(added_.begin(), added_.end(), [&](const auto& added) { return added.second == id; });
  if (is_added) return token;
  std::string out;
  if (model_ == Model::ByteLevel) {
    for (std::string_view rest = token; !rest.empty();) {
      const std::size_t size = size_of_first(rest);
      const auto byte = bytes_of_letters().find(rest.substr(0, size));
      if (byte != bytes_of_letters().end()) out += byte->second;
      rest.remove_prefix(size);
    }
    return out;
  }
  if (model_ != Model::Sentence) return token;
  for (int byte = 0; byte < 256 && token.starts_with("<0x"); ++byte)
    if (token == byte_token(static_cast<unsigned char>(byte))) return std::string(1, static_cast<char>(byte));
  return replaced(token, kSentenceBlank, " ");
}

std::string Tokenizer::decode(const std::vector<std::int64_t>& ids) const {
  std::string out;
  for (const std::int64_t id : ids) {
    std::string token = bytes_of(id);
    const bool goes_on = model_ == Model::WordPiece && token.starts_with(kInWord);
    if (goes_on) token.erase(0, kInWord.size());
    const bool is_apart = (model_ == Model::WordPiece || model_ == Model::WordsAlone) && !goes_on && !out.empty();
    out += (is_apart ? " " : "") + token;
  }
  return valid_utf8(out);
}

}  // namespace attn
