#include "render/html/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "base/text.h"
#include "explain/element.h"
#include "explain/named_sizes.h"
#include "explain/value_history.h"
#include "render/html/arithmetic.h"
#include "render/html/numbers.h"
#include "text/say.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

// The sentences of the script, without "page.".
constexpr const char* kWords[] = {
    "back",       "next",       "steps",    "place",    "only",       "keys",        "check",         "reveal",
    "right",      "wrong",      "shape",    "value",    "choice",     "write",       "compare",       "empty",
    "yes",        "no",         "raises",   "axis",     "part",       "other_shape", "other_numbers", "no_difference",
    "first",      "again",      "left",     "left_one", "key_arrows", "key_numbers", "key_cells",     "key_columns",
    "key_enter",  "key_escape", "key_list", "kept",     "close",      "forget",      "theme_auto",    "theme_light",
    "theme_dark", "given",      "made_by",  "more",     "terms",      "missing",     "sums"};
// Those that a session says, too.
constexpr std::pair<const char*, const char*> kSessionWords[] = {
    {"unreadable", "judge.shape.how"},    {"token", "judge.shape.token"},
    {"negative", "judge.shape.negative"}, {"name", "judge.name"},
    {"number", "judge.value.how"},        {"alike", "rows.alike"}};
// What is filled into them there.
constexpr const char* kPlaces[] = {"step", "steps", "op",    "line",  "count", "names", "first",
                                   "last", "axis",  "token", "other", "word",  "from",  "to"};
constexpr int kMostLevels = 6;  // of arithmetic below one number

/// The words at the edges of tables: each list once, whatever number of tensors has it.
class WordLists {
 public:
  std::size_t number_of(const std::vector<std::string>& words) {
    Json shown = Json::array();
    for (const std::string& word : words) shown.push_back(visible(word));
    const auto known = std::find(lists_.begin(), lists_.end(), shown);
    if (known != lists_.end()) return static_cast<std::size_t>(known - lists_.begin());
    lists_.push_back(std::move(shown));
    return lists_.size() - 1;
  }
  const Json& json() const { return lists_; }

 private:
  Json lists_ = Json::array();
};

/// [["batch_size", 3], ["key_len", 2, 0]]: behind the size the number of the list of words. With the number of an axis
/// behind that, the list holds those for each place of that axis, one after another.
Json axes_json(const RecordedValue& value, WordLists& lists) {
  Json axes = Json::array();
  for (std::size_t d = 0; d < value.shape.size(); ++d) {
    const AxisRecord axis = d < value.axes.size() ? value.axes[d] : AxisRecord{};
    Json one = {visible(axis.name), value.shape[d]};
    if (axis.words) one.push_back(lists.number_of(*axis.words));
    for (std::size_t by = 0; by < value.axes.size() && axis.words && !axis.by.empty(); ++by)
      if (value.axes[by].name == axis.by) one.push_back(by);
    axes.push_back(std::move(one));
  }
  return axes;
}

bool is_explained(const RecordedValue& value) { return value.tensor.defined() && value.tensor.numel() > 0; }

/// The arithmetic of the tables, and of what stands behind their numbers in no table, a few levels deep; `values`: all
/// that it speaks of.
std::map<ValueId, Arithmetic> all_arithmetic(const HtmlPage& page, std::set<ValueId>& values) {
  LevelExplainer explain(page.trace);
  std::map<ValueId, Arithmetic> made;
  std::set<ValueId> known, next = page.shown;
  for (int level = 0; level < kMostLevels; ++level) {
    std::set<ValueId> found;
    for (const ValueId id : next) {
      if (!known.insert(id).second || !is_explained(page.trace.value(id))) continue;
      Arithmetic arithmetic = arithmetic_of(page.trace, explain, id);
      found.insert(arithmetic.operands.begin(), arithmetic.operands.end());
      if (!arithmetic.json.is_null()) made.emplace(id, std::move(arithmetic));
    }
    values.insert(found.begin(), found.end());
    next = std::move(found);
  }
  return made;
}

/// The sentences as the script fills them in.
Json words_json() {
  Words places;
  for (const char* place : kPlaces) places.emplace_back(place, "{" + std::string(place) + "}");
  Json words = Json::object();
  for (const char* word : kWords) words[word] = say("page." + std::string(word), places);
  for (const auto& [word, id] : kSessionWords) words[word] = say(id, places);
  return words;
}

/// Under which a browser remembers answers: the lesson, and of the run what decides its numbers.
std::string memory_key(const Trace& trace, const Json& word_lists) {
  std::string run = word_lists.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (trace.options.seed) run += std::to_string(*trace.options.seed);
  for (const auto& [name, value] : trace.options.set) run += '\n' + name + '=' + value;
  for (const Source& source : trace.sources) run += '\0' + std::string(source.text);
  return fmt::format("attn-tutor/{}/{}", visible(trace.lesson_id), base64(sha256(run)).substr(0, 12));
}

/// The size that a name in an answer stands for, where a shape is asked for.
Json sizes_json(const Trace& trace) {
  const bool asks = std::any_of(trace.blocks.begin(), trace.blocks.end(), [](const TraceBlock& block) {
    const CellRecord* cell = std::get_if<CellRecord>(&block);
    return cell && cell->question && cell->question->kind == Predict::Shape;
  });
  Json sizes = Json::object();
  if (!asks) return sizes;
  for (const auto& [name, size] : named_sizes(trace)) sizes[visible(name)] = size;
  return sizes;
}

/// What stands in a table comes first, then what says where operands stand, then the smaller ones: an operand without
/// its numbers still has its places.
void carry_all(NumberCarrier& carrier, const HtmlPage& page, const std::map<ValueId, Arithmetic>& made,
               const std::set<ValueId>& operands) {
  for (const ValueId id : page.shown) carrier.carry(id);
  for (const ValueId id : page.shown)
    if (const auto arithmetic = made.find(id); arithmetic != made.end()) carrier.has_needed(arithmetic->second);
  std::vector<ValueId> rest(operands.begin(), operands.end());
  std::stable_sort(rest.begin(), rest.end(), [&](ValueId a, ValueId b) {
    const auto size = [&](ValueId id) { return numel_of(page.trace.value(id).shape); };
    return size(a) < size(b);
  });
  for (const ValueId id : rest) carrier.carry(id);
}

}  // namespace

std::string html_data(const HtmlPage& page) {
  const Trace& trace = page.trace;
  std::set<ValueId> operands = page.shown;
  const std::map<ValueId, Arithmetic> arithmetic = all_arithmetic(page, operands);
  NumberCarrier carrier(trace, arithmetic);
  carry_all(carrier, page, arithmetic, operands);
  Json values = Json::object(), made = Json::object();
  WordLists lists;
  const ValueHistory history(trace);
  for (const auto& [id, one] : arithmetic)
    if (carrier.has_needed(one) && (carrier.has(id) || !one.json.contains("kinds")))
      made[std::to_string(id)] = one.json;
  for (const ValueId id : operands) {
    const RecordedValue& value = trace.value(id);
    Json json = {{"name", visible(history.name(id))}, {"axes", axes_json(value, lists)}};
    if (carrier.has(id)) json.update(carrier.json(id, page.shown.contains(id)));
    values[std::to_string(id)] = std::move(json);
  }
  const Json data = {{"key", memory_key(trace, lists.json())},
                     {"words", words_json()},
                     {"sizes", sizes_json(trace)},
                     {"lists", lists.json()},
                     {"values", std::move(values)},
                     {"made", std::move(made)}};
  std::string text = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  // "</script>" and "<!--" would end or change the element.
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  text.pop_back();
  return text + ",\"rows\":" + carrier.rows_json() + "}";  // much text, in which nothing is to be escaped
}

}  // namespace attn
