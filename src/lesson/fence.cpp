#include "lesson/fence.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/text.h"
#include "syntax/characters.h"
#include "text/say.h"

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

// Each reader takes the value of a word and returns the id of what is wrong with it, or "".
using WordReader = std::string_view (*)(std::optional<std::string_view> value, CellOptions& options);

std::string_view read_flag(std::optional<std::string_view> value, bool& flag) {
  if (value) return "fence.flag";
  flag = true;
  return {};
}

std::string_view read_name(std::optional<std::string_view> value, std::string& name, std::string_view wrong) {
  if (!value || !is_identifier(*value)) return wrong;
  name = *value;
  return {};
}

std::string_view read_predict(std::optional<std::string_view> value, CellOptions& options) {
  const std::string_view text = value.value_or("shape");
  const std::string_view kind = text.substr(0, text.find(':'));
  for (const PredictRow& row : kPredicts) {
    if (row.name == kind) options.predict = row.kind;
  }
  if (options.predict == Predict::None) return "fence.predict";
  if (kind.size() == text.size()) return {};
  if (options.predict != Predict::Shape) return "fence.predict.other";
  return read_name(text.substr(kind.size() + 1), options.predict_name, "fence.predict.name");
}

std::string_view read_data(std::optional<std::string_view> value, CellOptions& options) {
  if (!value || !is_file_name(*value)) return "fence.data";
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
    {"write", [](auto value, CellOptions& options) { return read_name(value, options.write, "fence.name"); }},
    {"raises", [](auto value, CellOptions& options) { return read_name(value, options.raises, "fence.raises"); }},
    {"wrong", [](auto value, CellOptions& options) { return read_name(value, options.wrong, "fence.name"); }},
    {"data", read_data},
    {"fixed", [](auto value, CellOptions& options) { return read_flag(value, options.fixed); }},
    {"strides", [](auto value, CellOptions& options) { return read_flag(value, options.strides); }}};

// Words of which a cell may carry only one, and the id of why.
struct Contradiction {
  std::string_view first, second, why;
};

constexpr Contradiction kContradictions[] = {
    {"hidden", "predict", "fence.unseen"},      {"hidden", "write", "fence.unseen"},
    {"hidden", "wrong", "fence.bug"},           {"parameters", "predict", "fence.changed"},
    {"parameters", "write", "fence.changed"},   {"parameters", "raises", "fence.plain"},
    {"parameters", "wrong", "fence.plain"},     {"parameters", "data", "fence.in_lesson"},
    {"data", "predict", "fence.in_file"},       {"data", "write", "fence.in_file"},
    {"data", "raises", "fence.one_assignment"}, {"data", "wrong", "fence.one_assignment"},
    {"write", "predict", "fence.one_question"}, {"write", "wrong", "fence.write_right"},
    {"write", "raises", "fence.write_works"}};

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
  findings.error(word.span, say("fence.unknown", {{"word", std::string(word.name)}}),
                 near.empty() ? say("fence.known", {{"list", known_words()}}) : did_you_mean("\"" + near + "\""));
}

const FenceWord* find_word(const std::vector<FenceWord>& words, std::string_view name) {
  const auto found = std::find_if(words.begin(), words.end(), [&](const FenceWord& word) { return word.name == name; });
  return found == words.end() ? nullptr : &*found;
}

void check_together(const std::vector<FenceWord>& words, const CellOptions& options, LoadFindings& findings) {
  for (const Contradiction& pair : kContradictions) {
    const FenceWord* second = find_word(words, pair.second);
    if (!find_word(words, pair.first) || !second) continue;
    findings.error(second->span,
                   say("fence.contradict", {{"first", std::string(pair.first)}, {"second", std::string(pair.second)}}),
                   say(pair.why));
  }
  const FenceWord* predict = find_word(words, "predict");
  if (options.predict == Predict::Effect && options.wrong.empty()) {
    findings.error(predict->span, say("fence.effect"), say("fence.effect.hint"));
  }
  if (options.fixed && options.data.empty())
    findings.error(find_word(words, "fixed")->span, say("fence.fixed"), say("fence.fixed.hint"));
  if (options.predict == Predict::Value && !options.raises.empty()) {
    findings.error(predict->span, say("fence.contradict", {{"first", "raises"}, {"second", "predict=value"}}),
                   say("fence.no_value"));
  }
}

}  // namespace

bool is_identifier(std::string_view word) {
  return !word.empty() && starts_name(word.front()) && std::all_of(word.begin(), word.end(), continues_name);
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
      findings.error(word.span, say("fence.twice", {{"word", std::string(word.name)}}));
    } else if (const std::string_view wrong = row->read(word.value, options); !wrong.empty()) {
      findings.error(word.span, say(wrong, {{"word", std::string(word.name)}}));
    }
  }
  check_together(list, options, findings);
  return options;
}

}  // namespace attn
