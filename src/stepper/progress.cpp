#include "stepper/progress.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/number.h"

namespace attn {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr std::size_t kMostTyped = 1000, kMostTypedBytes = 2 << 20;

std::string text_of(const json& value) { return value.dump(1, ' ', false, json::error_handler_t::replace); }

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

// Errors: invalid_argument for what is no int.
int count_from(const json& number) {
  const std::int64_t count = number.is_number_integer() ? number.get<std::int64_t>() : -1;
  if (count < 0 || count > INT_MAX) throw std::invalid_argument("count");
  return static_cast<int>(count);
}

AnswerRecord answer_from(const json& row) {
  AnswerRecord answer;
  answer.given = row.at("given").get<std::string>();
  const auto mark = std::find(std::begin(kMarkWords), std::end(kMarkWords), row.at("mark").get<std::string>());
  if (mark == std::end(kMarkWords)) throw std::invalid_argument("mark");
  answer.mark = static_cast<Mark>(mark - std::begin(kMarkWords));
  answer.tries = count_from(row.at("tries"));
  answer.hints = count_from(row.at("hints"));
  return answer;
}

// "batch/12/3fa09c11/77aa01bc" is step 3fa09c11/77aa01bc, named for its code, of cell 12.
struct StepName {
  int cell = 0;
  std::string_view code;
};

StepName step_name(std::string_view id) {
  const std::size_t cell = std::min(id.find('/'), id.size() - 1) + 1;
  const std::size_t code = std::min(id.find('/', cell), id.size() - 1) + 1;
  return {static_cast<int>(parse_int(id.substr(cell, code - cell - 1)).value_or(0)), id.substr(code)};
}

class StepsByCode {
 public:
  explicit StepsByCode(const std::vector<std::string>& ids) : ids_(ids.begin(), ids.end()) {
    for (const std::string& id : ids_) cells_.emplace(step_name(id).code, &id);
  }

  // The step of that name, else that of the same code in the nearest cell; nothing when the code is gone.
  const std::string* find(const std::string& id) const {
    if (const auto same = ids_.find(id); same != ids_.end()) return &*same;
    if (id.empty()) return nullptr;
    const StepName wanted = step_name(id);
    const std::string* nearest = nullptr;
    int least = 0;
    for (auto [row, end] = cells_.equal_range(wanted.code); row != end; ++row) {
      const int distance = std::abs(step_name(*row->second).cell - wanted.cell);
      if (!nearest || distance < least) nearest = row->second, least = distance;
    }
    return nearest;
  }

 private:
  std::set<std::string> ids_;
  std::multimap<std::string_view, const std::string*> cells_;
};

// Answers to --quiz and --fade have a word in front of the step.
std::size_t prefix_size(const std::string& key) {
  const std::size_t colon = key.find(':');
  return colon == std::string::npos || key.find('/') < colon ? 0 : colon + 1;
}

}  // namespace

CarriedProgress carried_over(const Progress& saved, const std::vector<std::string>& step_ids) {
  const StepsByCode steps(step_ids);
  CarriedProgress out;
  out.progress = saved;
  out.progress.seen.clear();
  out.progress.answers.clear();
  const std::string* before = nullptr;  // the place
  int before_cell = -1;
  const int place_cell = saved.at.empty() ? 0 : step_name(saved.at).cell;
  for (const std::string& id : saved.seen) {
    const std::string* now = steps.find(id);
    if (!now) continue;
    out.progress.seen.insert(*now);
    out.is_older = out.is_older || *now != id;
    const int cell = step_name(id).cell;
    if (cell <= place_cell && cell >= before_cell) before = now, before_cell = cell;
  }
  for (const auto& [key, answer] : saved.answers) {
    const std::size_t prefix = prefix_size(key);
    const std::string* now = steps.find(key.substr(prefix));
    if (prefix == 0) ++out.answers;
    if (now) out.progress.answers.insert_or_assign(key.substr(0, prefix) + *now, answer);
    if (prefix == 0 && now) ++out.kept;
    // Parameters may be other lines in this run; questions are not.
    out.is_older = out.is_older || (prefix == 0 && (!now || *now != key));
  }
  for (TypedRecord& typed : out.progress.typed) {
    if (const std::string* now = steps.find(typed.step)) typed.step = *now;
  }
  const std::string* at = steps.find(saved.at);
  out.lost_place = !at && !saved.at.empty();
  out.progress.at = at ? *at : before ? *before : "";
  return out;
}

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
  // Of very much the last lines: the file stays small enough to be read.
  std::size_t bytes = 0;
  for (auto line = progress.typed.rbegin(); line != progress.typed.rend() && typed.size() < kMostTyped; ++line) {
    json row = {{"step", line->step}, {"code", line->code}, {"result", line->result}};
    bytes += text_of(row).size();
    if (bytes > kMostTypedBytes) break;
    typed.push_back(std::move(row));
  }
  std::reverse(typed.begin(), typed.end());
  json file = {
      {"version", kVersion},           {"lesson", progress.lesson}, {"at", progress.at},  {"steps", progress.steps},
      {"finished", progress.finished}, {"seen", progress.seen},     {"answers", answers}, {"typed", typed}};
  if (progress.given != GivenInput{}) file["given"] = to_json(progress.given);
  return text_of(file) + "\n";
}

std::optional<Progress> read_progress(std::string_view text) {
  try {
    const json file = json::parse(text);
    if (count_from(file.at("version")) != kVersion) return std::nullopt;
    Progress progress;
    progress.lesson = file.at("lesson").get<std::string>();
    progress.at = file.at("at").get<std::string>();
    progress.steps = count_from(file.at("steps"));
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
