// The sentences beside the source that says them: none is left over, none is missing, and the words given are those of
// the sentence. Ids that are put together at run time are known by how they begin and end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "text/sentences.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

/// A literal as its bytes, or a word or sign of code.
struct CodeToken {
  bool is_literal = false;
  std::string text;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The end of the quoted text that begins at `at`.
std::size_t quote_end(const std::string& code, std::size_t at) {
  std::size_t end = at + 1;
  while (code[end] != code[at]) end += code[end] == '\\' ? 2 : 1;
  return end;
}

/// Without comments and #include; literals beside one another are one.
std::vector<CodeToken> tokens_of(const std::string& code) {
  std::vector<CodeToken> tokens;
  for (std::size_t at = 0; at < code.size();) {
    const char c = code[at];
    if (code.compare(at, 2, "//") == 0 || code.compare(at, 8, "#include") == 0) {
      at = std::min(code.find('\n', at), code.size());
    } else if (code.compare(at, 2, "R\"") == 0) {
      const std::size_t open = code.find('(', at);
      const std::string close = ")" + code.substr(at + 2, open - at - 2) + "\"";
      const std::size_t end = code.find(close, open);
      tokens.push_back({true, code.substr(open + 1, end - open - 1)});
      at = end + close.size();
    } else if (c == '"') {
      const std::size_t end = quote_end(code, at);
      const std::string text = code.substr(at + 1, end - at - 1);
      if (!tokens.empty() && tokens.back().is_literal) tokens.back().text += text;
      else tokens.push_back({true, text});
      at = end + 1;
    } else if (c == '\'') {
      at = quote_end(code, at) + 1;
    } else if (is_word(c)) {
      const std::size_t begin = at;
      while (is_word(code[at]) || (code[at] == '\'' && std::isdigit(static_cast<unsigned char>(code[begin])) != 0))
        ++at;
      tokens.push_back({false, code.substr(begin, at - begin)});
    } else {
      if (std::isspace(static_cast<unsigned char>(c)) == 0) tokens.push_back({false, std::string(1, c)});
      ++at;
    }
  }
  return tokens;
}

/// Of src/, by path.
const std::map<std::string, std::vector<CodeToken>>& source_files() {
  static const auto files = [] {
    std::map<std::string, std::vector<CodeToken>> out;
    const fs::path root = fs::path(ATTN_SOURCE_DIR) / "src";
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream in(entry.path());
      const std::string code((std::istreambuf_iterator<char>(in)), {});
      out[entry.path().lexically_relative(root).string()] = tokens_of(code + "\n");
    }
    return out;
  }();
  return files;
}

const std::set<std::string>& literals() {
  static const auto all = [] {
    std::set<std::string> out;
    for (const auto& [path, tokens] : source_files())
      for (const CodeToken& token : tokens)
        if (token.is_literal) out.insert(token.text);
    return out;
  }();
  return all;
}

std::string area_of(std::string_view id) { return std::string(id.substr(0, id.find('.'))); }

std::set<std::string> placeholders_of(std::string_view id) {
  std::set<std::string> out;
  for (const Sentence& sentence : sentences_of(id)) {
    const std::string whole = sentence.text();
    std::string_view text = whole;
    for (std::size_t open; (open = text.find('{')) != std::string_view::npos;) {
      const std::size_t close = text.find('}', open);
      out.emplace(text.substr(open + 1, close - open - 1));
      text.remove_prefix(close);
    }
  }
  return out;
}

// How ids begin and end that no literal holds: "rule." with the id that an op throws, "page." with a word of the
// script. What stands between is a literal.
constexpr std::string_view kBeginnings[] = {"rule.", "rule.einsum.", "lint.", "page.", "page.block."};
constexpr std::string_view kEndings[] = {
    ".one",       ".nowhere", ".vector",  ".right",    ".times",   ".hint",    ".self",     ".module", ".function",
    ".recurrent", ".idle",    ".never",   ".copy",     ".list",    ".plus",    ".summed",   ".mask",   ".twice",
    ".argmax",    ".others",  ".nothing", ".left_out", ".turned",  ".logs",    ".again",    ".scaled", ".half",
    ".joined",    ".total",   ".whole",   ".cut",      ".writing", ".open",    ".backward", ".angles", ".rotated",
    ".masked",    ".signs",   ".topk",    ".sigmoid",  ".scores",  ".columns", ".replaced", ".first"};

bool is_used(const std::string& id) {
  if (literals().contains(id)) return true;
  return std::ranges::any_of(
             kEndings, [&](auto end) { return id.ends_with(end) && is_used(id.substr(0, id.size() - end.size())); }) ||
         std::ranges::any_of(kBeginnings, [&](auto begin) {
           return id.starts_with(begin) && literals().contains(id.substr(begin.size()));
         });
}

TEST(Uses, EverySentenceIsSaid) {
  for (const Sentence& sentence : sentences()) EXPECT_TRUE(is_used(std::string(sentence.id))) << sentence.id;
}

bool looks_like_an_id(const std::string& text) {
  return text.find('.') != std::string::npos && text.front() != '.' && text.back() != '.' &&
         std::ranges::all_of(text, [](char c) { return is_word(c) || c == '.'; });
}

// What ops throw are ids of rules, without "rule."; ops without a name in PyTorch, and others, only look like ids.
TEST(Uses, EveryIdHasItsSentence) {
  static const std::set<std::string> kOthers = {
      "verify.py", "safetensors.torch", "config.json",    "model.safetensors", "model.safetensors.index.json",
      "model.pt",  "tokenizer.json",    "tokenizer.model"};
  std::set<std::string> areas;
  for (const Sentence& sentence : sentences()) areas.insert(area_of(sentence.id));
  int ids = 0;
  for (const auto& [path, tokens] : source_files()) {
    for (const CodeToken& token : tokens) {
      if (!token.is_literal || !looks_like_an_id(token.text) || !areas.contains(area_of(token.text))) continue;
      if (kOthers.contains(token.text) || !sentences_of("rule." + token.text).empty()) continue;
      if ((path.starts_with("python/") || path.starts_with("torch/")) && token.text.starts_with("op.")) continue;
      ++ids;
      EXPECT_FALSE(sentences_of(token.text).empty()) << path << " says " << token.text;
    }
  }
  EXPECT_GT(ids, 500);
}

/// The index after the bracket that closes the one at `at`.
std::size_t after_bracket(const std::vector<CodeToken>& tokens, std::size_t at) {
  int depth = 0;
  do {
    const std::string sign = tokens[at].is_literal ? "" : tokens[at].text;
    depth += sign == "(" || sign == "{" || sign == "[" ? 1 : sign == ")" || sign == "}" || sign == "]" ? -1 : 0;
    ++at;
  } while (depth > 0);
  return at;
}

/// The arguments of the call whose "(" is at `at`, as [begin, end).
std::vector<std::pair<std::size_t, std::size_t>> arguments_of(const std::vector<CodeToken>& tokens, std::size_t at) {
  const std::size_t end = after_bracket(tokens, at) - 1;
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t begin = ++at; at <= end;) {
    const bool is_sign = !tokens[at].is_literal;
    if (at == end || (is_sign && tokens[at].text == ",")) {
      out.emplace_back(begin, at);
      begin = ++at;
    } else {
      at =
          is_sign && std::string("({[").find(tokens[at].text) != std::string::npos ? after_bracket(tokens, at) : at + 1;
    }
  }
  return out;
}

/// The names in {{"name", ...}, {"name", ...}}; nothing where it is a variable.
std::optional<std::set<std::string>> words_of(const std::vector<CodeToken>& tokens, std::size_t begin,
                                              std::size_t end) {
  std::set<std::string> out;
  if (tokens[begin].text != "{") return std::nullopt;
  for (std::size_t at = begin + 1; at + 1 < end; at = after_bracket(tokens, at)) {
    if (tokens[at].text == ",") ++at;
    if (tokens[at].text != "{" || !tokens[at + 1].is_literal) return std::nullopt;
    out.insert(tokens[at + 1].text);
  }
  return out;
}

/// The words of an id; of what is unsupported those of its hint, too.
std::set<std::string> wanted_by(const std::string& id) {
  std::set<std::string> wanted = placeholders_of(id);
  if (id.starts_with("unsupported.")) wanted.merge(placeholders_of(id + ".hint"));
  return wanted;
}

/// A call whose words are written out, and the ids in its argument: several where a condition chooses among them.
struct Said {
  std::vector<std::string> ids;
  bool is_chosen = false;
  bool is_counted = false;
  std::set<std::string> words;
};

std::optional<Said> said_at(const std::vector<CodeToken>& tokens, std::size_t at) {
  static const std::map<std::string, std::size_t> kPlaceOfId = {
      {"say", 0}, {"say_count", 0}, {"tell", 1}, {"unsupported", 1}};
  const auto sayer = kPlaceOfId.find(tokens[at].text);
  if (tokens[at].is_literal || sayer == kPlaceOfId.end() || tokens[at + 1].text != "(") return std::nullopt;
  const auto arguments = arguments_of(tokens, at + 1);
  if (arguments.size() <= sayer->second) return std::nullopt;
  const auto [begin, end] = arguments[sayer->second];
  Said said;
  said.is_chosen = end != begin + 1;
  said.is_counted = sayer->first == "say_count";
  for (std::size_t i = begin; i < end; ++i)
    if (tokens[i].is_literal && !sentences_of(tokens[i].text).empty()) said.ids.push_back(tokens[i].text);
  const std::size_t place = sayer->second + (said.is_counted ? 2 : 1);
  if (arguments.size() <= place) return said;
  const auto words = words_of(tokens, arguments[place].first, arguments[place].second);
  if (!words) return std::nullopt;
  said.words = *words;
  return said;
}

// Where a condition chooses, one of the sentences may do without some of the words.
TEST(Uses, TheWordsAreThoseOfTheSentence) {
  int calls = 0;
  for (const auto& [path, tokens] : source_files()) {
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
      const std::optional<Said> said = said_at(tokens, i);
      if (!said) continue;
      ++calls;
      for (const std::string& id : said->ids) {
        const std::set<std::string> wanted = said->is_counted ? placeholders_of(id + ".one") : wanted_by(id);
        if (!said->is_chosen) {
          EXPECT_EQ(said->words, wanted) << path << " says " << id;
        }
        EXPECT_TRUE(std::includes(said->words.begin(), said->words.end(), wanted.begin(), wanted.end()))
            << path << " says " << id;
        if (!said->is_counted) continue;
        std::set<std::string> counted = said->words;
        counted.insert("count");
        EXPECT_EQ(counted, placeholders_of(id)) << path << " says " << id;
      }
    }
  }
  EXPECT_GT(calls, 500);
}

/// The first literal in [begin, end) that holds more than one word; "" if there is none.
std::string sentence_in(const std::vector<CodeToken>& tokens, std::pair<std::size_t, std::size_t> range) {
  for (std::size_t i = range.first; i < range.second; ++i)
    for (std::size_t at = 1; tokens[i].is_literal && at + 1 < tokens[i].text.size(); ++at)
      if (tokens[i].text[at] == ' ' && is_word(tokens[i].text[at - 1]) && is_word(tokens[i].text[at + 1]))
        return tokens[i].text;
  return "";
}

// PyTorch's and Python's own texts are written where they are raised; what we say instead of them or beside them is
// not. Below the sentences stands base.
TEST(Uses, ErrorsHaveNoSentencesInTheCode) {
  // By the name of what is called: the argument that is ours.
  static const std::map<std::string, std::size_t> kOurs = {{"CellError", 3},   {"python_error", 3}, {"key_error", 2},
                                                           {"fail_here", 0},   {"UserError", 0},    {"BadFile", 1},
                                                           {"LimitReached", 1}};
  int errors = 0;
  for (const auto& [path, tokens] : source_files()) {
    if (path.starts_with("base/") || path.ends_with(".py")) continue;  // the library's texts are PyTorch's
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
      if (tokens[i].is_literal || tokens[i + 1].is_literal || tokens[i + 1].text != "(") continue;
      const auto arguments = arguments_of(tokens, i + 1);
      const bool is_unsupported = !arguments.empty() && tokens[arguments[0].second - 1].text == "Unsupported";
      const auto found = kOurs.find(tokens[i].text);
      const std::size_t first = is_unsupported ? 1 : found == kOurs.end() ? arguments.size() : found->second;
      const std::size_t last = is_unsupported ? arguments.size() : first + 1;
      for (std::size_t ours = first; ours < std::min(last, arguments.size()); ++ours, ++errors)
        EXPECT_EQ(sentence_in(tokens, arguments[ours]), "") << path;
    }
  }
  EXPECT_GT(errors, 100);
}

TEST(Uses, SentencesAreWellFormed) {
  std::set<std::string_view> ids;
  for (const Sentence& sentence : sentences()) {
    const bool is_rule = sentence.id.starts_with("rule.");
    EXPECT_TRUE(ids.insert(sentence.id).second || is_rule) << sentence.id;
    EXPECT_EQ(std::ranges::count(sentence.text(), '{'), std::ranges::count(sentence.text(), '}')) << sentence.id;
    EXPECT_FALSE(sentence.text().empty() || sentence.text().ends_with(' ')) << sentence.id;
    for (const char c : sentence.text()) EXPECT_LT(static_cast<unsigned char>(c), 0x80u) << sentence.id;
  }
}

}  // namespace
}  // namespace attn
