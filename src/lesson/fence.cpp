#include "lesson/fence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include "base/text.h"

namespace attn {
namespace {

/// One word of a fence with its value, if it has one, and its place.
struct FenceWord {
  std::string_view name;
  std::optional<std::string_view> value;
  Span span;
};

struct PredictRow {
  std::string_view name;
  Predict kind;
};

constexpr PredictRow kPredicts[] = {
    {"shape", Predict::Shape}, {"value", Predict::Value}, {"raises", Predict::Raises}, {"effect", Predict::Effect}};

bool is_file_name(std::string_view word) {
  return !word.empty() && word.front() != '.' && word.find_first_of("/\\:") == std::string_view::npos;
}

// Each reader takes the value of a word and returns what is wrong with it, or "".
using WordReader = std::string (*)(std::optional<std::string_view> value, CellOptions& options);

std::string read_flag(std::optional<std::string_view> value, bool& flag) {
  if (value) return "takes no value";
  flag = true;
  return {};
}

std::string read_name(std::optional<std::string_view> value, std::string& name, std::string_view what) {
  if (!value || !is_identifier(*value)) return fmt::format("needs {}", what);
  name = *value;
  return {};
}

std::string read_predict(std::optional<std::string_view> value, CellOptions& options) {
  const std::string_view text = value.value_or("shape");
  const std::string_view kind = text.substr(0, text.find(':'));
  for (const PredictRow& row : kPredicts) {
    if (row.name == kind) options.predict = row.kind;
  }
  if (options.predict == Predict::None) return "asks for shape, shape:NAME, value, raises or effect";
  if (kind.size() == text.size()) return {};
  if (options.predict != Predict::Shape) return "takes a name only with shape";
  return read_name(text.substr(kind.size() + 1), options.predict_name, "a name after shape:");
}

std::string read_data(std::optional<std::string_view> value, CellOptions& options) {
  if (!value || !is_file_name(*value)) return "needs the name of a file in data/";
  options.data = *value;
  return {};
}

struct WordRow {
  std::string_view name;
  WordReader read;
};

constexpr WordRow kWords[] = {
    {"parameters", [](auto value, CellOptions& options) { return read_flag(value, options.parameters); }},
    {"hidden", [](auto value, CellOptions& options) { return read_flag(value, options.hidden); }},
    {"predict", read_predict},
    {"write", [](auto value, CellOptions& options) { return read_name(value, options.write, "a name"); }},
    {"raises", [](auto value, CellOptions& options) { return read_name(value, options.raises, "an exception type"); }},
    {"wrong", [](auto value, CellOptions& options) { return read_name(value, options.wrong, "a name"); }},
    {"data", read_data},
    {"fixed", [](auto value, CellOptions& options) { return read_flag(value, options.fixed); }}};

// Words of which a cell may carry only one, and why.
struct Contradiction {
  std::string_view first, second, why;
};

constexpr Contradiction kContradictions[] = {{"hidden", "predict", "nobody sees the question"},
                                             {"hidden", "write", "nobody sees the question"},
                                             {"hidden", "wrong", "a bug is there to be seen"},
                                             {"parameters", "predict", "parameters may be changed from outside"},
                                             {"parameters", "write", "parameters may be changed from outside"},
                                             {"parameters", "raises", "parameters are plain assignments"},
                                             {"parameters", "wrong", "parameters are plain assignments"},
                                             {"parameters", "data", "a parameter stands in the lesson"},
                                             {"data", "predict", "the value stands in a file"},
                                             {"data", "write", "the value stands in a file"},
                                             {"data", "raises", "the cell holds one assignment"},
                                             {"data", "wrong", "the cell holds one assignment"},
                                             {"write", "predict", "a cell asks one question"},
                                             {"write", "wrong", "the learner is to write the right line"},
                                             {"write", "raises", "the learner is to write a line that works"}};

std::vector<FenceWord> split_words(std::string_view words, Span place) {
  std::vector<FenceWord> result;
  const bool known_place = place.end - place.begin == words.size();
  for (std::size_t at = words.find_first_not_of(" \t"); at < words.size(); at = words.find_first_not_of(" \t", at)) {
    const std::size_t end = std::min(words.find_first_of(" \t", at), words.size());
    const std::string_view word = words.substr(at, end - at);
    FenceWord entry{word.substr(0, word.find('=')), std::nullopt, place};
    if (entry.name.size() < word.size()) entry.value = word.substr(entry.name.size() + 1);
    if (known_place) {
      entry.span = {place.source, place.begin + static_cast<std::uint32_t>(at),
                    place.begin + static_cast<std::uint32_t>(end)};
    }
    result.push_back(entry);
    at = end;
  }
  return result;
}

std::string known_words() {
  std::string list;
  for (const WordRow& row : kWords) list += (list.empty() ? "" : ", ") + std::string(row.name);
  return list;
}

void unknown_word(const FenceWord& word, LoadFindings& findings) {
  std::vector<std::string> names;
  for (const WordRow& row : kWords) names.emplace_back(row.name);
  const std::string near = nearest(word.name, names);
  findings.error(word.span, fmt::format("unknown word \"{}\" on the fence of a cell", word.name),
                 near.empty() ? "known words: " + known_words() : fmt::format("did you mean \"{}\"?", near));
}

const FenceWord* find_word(const std::vector<FenceWord>& words, std::string_view name) {
  const auto found = std::find_if(words.begin(), words.end(), [&](const FenceWord& word) { return word.name == name; });
  return found == words.end() ? nullptr : &*found;
}

void check_together(const std::vector<FenceWord>& words, const CellOptions& options, LoadFindings& findings) {
  for (const Contradiction& pair : kContradictions) {
    const FenceWord* second = find_word(words, pair.second);
    if (!find_word(words, pair.first) || !second) continue;
    findings.error(second->span, fmt::format("\"{}\" and \"{}\" contradict each other", pair.first, pair.second),
                   std::string(pair.why));
  }
  const FenceWord* predict = find_word(words, "predict");
  if (options.predict == Predict::Effect && options.wrong.empty()) {
    findings.error(predict->span, "predict=effect needs wrong=NAME", "the effect is that of a bug on NAME");
  }
  if (options.fixed && options.data.empty())
    findings.error(find_word(words, "fixed")->span, "\"fixed\" needs data=FILE",
                   "it keeps that data where a learner brings words or ids");
  if (options.predict == Predict::Value && !options.raises.empty()) {
    findings.error(predict->span, "\"raises\" and \"predict=value\" contradict each other",
                   "a cell that fails has no value; predict=raises asks whether it fails");
  }
}

}  // namespace

bool is_identifier(std::string_view word) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); };
  if (word.empty() || !letter(word.front())) return false;
  return std::all_of(word.begin(), word.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

CellOptions parse_fence(std::string_view words, Span place, LoadFindings& findings) {
  CellOptions options;
  const std::vector<FenceWord> list = split_words(words, place);
  for (const FenceWord& word : list) {
    const auto row =
        std::find_if(std::begin(kWords), std::end(kWords), [&](const WordRow& r) { return r.name == word.name; });
    if (row == std::end(kWords)) {
      unknown_word(word, findings);
    } else if (find_word(list, word.name) != &word) {
      findings.error(word.span, fmt::format("\"{}\" stands twice on the fence", word.name));
    } else if (const std::string wrong = row->read(word.value, options); !wrong.empty()) {
      findings.error(word.span, fmt::format("\"{}\" {}", word.name, wrong));
    }
  }
  check_together(list, options, findings);
  return options;
}

}  // namespace attn
