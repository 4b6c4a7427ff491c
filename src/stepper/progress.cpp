#include "stepper/progress.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace attn {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr std::size_t kMostTyped = 1000;

json to_json(const AnswerRecord& answer) {
  return {{"given", answer.given},
          {"mark", kMarkWords[static_cast<std::size_t>(answer.mark)]},
          {"tries", answer.tries},
          {"hints", answer.hints}};
}

json to_json(const GivenInput& given) { return {{"text", given.text}, {"data", given.data}, {"vocab", given.vocab}}; }

GivenInput given_from(const json& row) {
  return {row.at("text").get<std::vector<std::string>>(), row.at("data").get<std::string>(),
          row.at("vocab").get<std::string>()};
}

AnswerRecord answer_from(const json& row) {
  AnswerRecord answer;
  answer.given = row.at("given").get<std::string>();
  const auto mark = std::find(std::begin(kMarkWords), std::end(kMarkWords), row.at("mark").get<std::string>());
  if (mark == std::end(kMarkWords)) throw std::invalid_argument("mark");
  answer.mark = static_cast<Mark>(mark - std::begin(kMarkWords));
  answer.tries = row.at("tries").get<int>();
  answer.hints = row.at("hints").get<int>();
  return answer;
}

}  // namespace

Progress merged(const Progress& older, const Progress& newer) {
  Progress out = newer;
  if (out.at.empty()) out.at = older.at;
  out.steps = std::max(older.steps, newer.steps);
  out.finished = older.finished || newer.finished;
  out.seen.insert(older.seen.begin(), older.seen.end());
  for (const auto& [step, answer] : older.answers) {
    const auto [place, is_new] = out.answers.try_emplace(step, answer);
    if (!is_new && answer.mark < place->second.mark) place->second = answer;
  }
  // What only the other session typed comes first: it was there before.
  std::vector<TypedRecord> typed;
  for (const TypedRecord& line : older.typed) {
    if (std::find(newer.typed.begin(), newer.typed.end(), line) == newer.typed.end()) typed.push_back(line);
  }
  out.typed.insert(out.typed.begin(), typed.begin(), typed.end());
  return out;
}

std::string progress_text(const Progress& progress) {
  json answers = json::object(), typed = json::array();
  for (const auto& [step, answer] : progress.answers) answers[step] = to_json(answer);
  // Of very many the last ones: the file stays small enough to be read.
  for (std::size_t i = progress.typed.size() - std::min(progress.typed.size(), kMostTyped); i < progress.typed.size();
       ++i)
    typed.push_back(
        {{"step", progress.typed[i].step}, {"code", progress.typed[i].code}, {"result", progress.typed[i].result}});
  json file = {
      {"version", kVersion},           {"lesson", progress.lesson}, {"at", progress.at},  {"steps", progress.steps},
      {"finished", progress.finished}, {"seen", progress.seen},     {"answers", answers}, {"typed", typed}};
  if (progress.given != GivenInput{}) file["given"] = to_json(progress.given);
  return file.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::optional<Progress> read_progress(std::string_view text) {
  try {
    const json file = json::parse(text);
    if (file.at("version").get<int>() != kVersion) return std::nullopt;
    Progress progress;
    progress.lesson = file.at("lesson").get<std::string>();
    progress.at = file.at("at").get<std::string>();
    progress.steps = file.at("steps").get<int>();
    progress.finished = file.at("finished").get<bool>();
    progress.seen = file.at("seen").get<std::set<std::string>>();
    for (const auto& [step, row] : file.at("answers").items()) progress.answers[step] = answer_from(row);
    for (const json& row : file.at("typed"))
      progress.typed.push_back(
          {row.at("step").get<std::string>(), row.at("code").get<std::string>(), row.value("result", std::string())});
    if (file.contains("given")) progress.given = given_from(file["given"]);
    return progress;
  } catch (const std::exception&) {  // of the JSON library, or of a mark
    return std::nullopt;
  }
}

}  // namespace attn
