// Every lesson here and under PyTorch: each statement's bindings, value, printed text, writes in place and exception,
// and each {{ }} of the prose.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/runner.h"
#include "lesson/catalogue.h"
#include "tests/oracle/compare.h"

namespace attn {
namespace {

using oracle::Json;
using Lines = std::vector<std::string>;

bool is_name(const std::string& target) { return target.find_first_of(".[") == std::string::npos; }

// What stands in one top-level statement and everything under it.
struct Statement {
  const Step* step = nullptr;
  std::vector<StepId> steps;  // itself and those under it, in order
  std::string printed;
  const Step* failed = nullptr;
};

// The tensors that names are bound to and the newest contents of each storage, as far as the run has been followed.
class Names {
 public:
  explicit Names(const Trace& trace) : trace_(&trace) {}

  /// Follows a statement; the names it bound, with their last value, and those it wrote to without binding them.
  void follow(const Statement& statement);
  const std::map<std::string, ValueId>& bound() const { return bound_; }
  const std::vector<std::string>& changed() const { return changed_; }

  /// What a name is bound to.
  ValueId value_of(const std::string& name) const { return names_.at(name); }
  /// What a name holds now, writes through views of it included.
  oracle::TensorFacts now(ValueId id) const;

 private:
  void see(ValueId id, bool is_another = false);
  const RecordedValue& at(ValueId id) const { return trace_->value(id); }

  const Trace* trace_;
  std::map<std::string, ValueId> names_;    // every name that holds a tensor
  std::map<std::int64_t, ValueId> newest_;  // storage -> the value with the highest version of it
  std::map<std::tuple<std::int64_t, Shape, Shape>, ValueId> newest_views_;  // the same of storage, shape and strides
  std::map<std::string, ValueId> bound_;                                    // by the statement
  std::vector<std::string> changed_;                                        // by the statement
};

// `is_another`: made as a view, so that it is no new state of a tensor that is known.
void Names::see(ValueId id, bool is_another) {
  if (id < 0 || !at(id).is_tensor || !at(id).kept) return;
  const auto keep_newest = [&](auto& values, const auto& key) {
    const auto [place, is_new] = values.try_emplace(key, id);
    if (!is_new && !is_another && at(place->second).version <= at(id).version) place->second = id;
  };
  keep_newest(newest_, at(id).storage);
  keep_newest(newest_views_, std::tuple(at(id).storage, at(id).shape, at(id).strides));
}

void Names::follow(const Statement& statement) {
  std::map<std::string, std::int64_t> versions;
  for (const auto& [name, id] : names_) versions[name] = at(newest_.at(at(id).storage)).version;
  bound_.clear();
  for (const StepId id : statement.steps) {
    const Step& step = trace_->step(id);
    for (const OpId op : step.ops)
      for (const ValueId output : trace_->op(op).outputs) see(output, trace_->op(op).is_view);
    for (const Binding& binding : step.bindings) {
      see(binding.value);
      if (!is_name(binding.target) || step.activation > 0) continue;  // names of a function are its own
      bound_[binding.target] = binding.value;
      names_.erase(binding.target);
      if (at(binding.value).is_tensor && at(binding.value).kept) names_[binding.target] = binding.value;
    }
    see(step.value);
  }
  changed_.clear();
  for (const auto& [name, version] : versions)
    if (!bound_.contains(name) && at(newest_.at(at(names_.at(name)).storage)).version > version)
      changed_.push_back(name);
}

oracle::TensorFacts Names::now(ValueId id) const {
  const RecordedValue& value = at(id);
  const RecordedValue& newest = at(newest_.at(value.storage));
  const RecordedValue& marked = at(newest_views_.at({value.storage, value.shape, value.strides}));
  return {value.type, newest.tensor.as_strided(value.shape, value.strides, value.tensor.offset()), marked.requires_grad,
          marked.grad_fn};
}

class Check {
 public:
  Check(const Lesson& lesson, const Trace& trace, const Json& fixture)
      : lesson_(lesson), trace_(trace), fixture_(fixture), names_(trace) {}

  Lines run();

 private:
  void compare_cell(const CellRecord& cell, const Json& expected);
  void compare_statement(const Statement& statement, const Json& expected, const std::string& place);
  void compare_value(ValueId id, bool is_name, const Json& expected, const std::string& place);
  void compare_error(const Statement& statement, const Json& expected, const std::string& place);
  bool has_block(const Statement& statement) const;
  void compare_changed(const Json& expected, const std::string& place);
  void compare_prose();
  Statement statement(StepId top) const;
  void say(std::string line) { problems_.push_back(std::move(line)); }

  const Lesson& lesson_;
  const Trace& trace_;
  const Json& fixture_;
  Names names_;
  const CellRecord* cell_ = nullptr;  // that is being compared
  Lines problems_;
};

Lines Check::run() {
  std::size_t count = 0;
  const Json& cells = fixture_["cells"];
  for (const TraceBlock& block : trace_.blocks) {
    const CellRecord* cell = std::get_if<CellRecord>(&block);
    if (!cell) continue;
    if (count < cells.size()) compare_cell(*cell, cells[count]);
    ++count;
  }
  if (count != cells.size()) say(fmt::format("{} cells for {}", count, cells.size()));
  compare_prose();
  if (trace_.outcome != RunOutcome::Fine)
    for (const Diagnostic& diagnostic : trace_.diagnostics) say("the run ended: " + diagnostic.message);
  return std::move(problems_);
}

Statement Check::statement(StepId top) const {
  Statement result;
  result.step = &trace_.step(top);
  for (std::size_t id = static_cast<std::size_t>(top); id < trace_.steps.size(); ++id) {
    const Step& step = trace_.steps[id];
    if (static_cast<StepId>(id) != top && step.parent < 0) break;
    result.steps.push_back(static_cast<StepId>(id));
    result.printed += step.printed;
    if (step.outcome == Outcome::Raised && step.diagnostic >= 0) result.failed = &step;
  }
  return result;
}

void Check::compare_cell(const CellRecord& cell, const Json& expected) {
  const Names before = names_;
  cell_ = &cell;
  const Json& statements = expected["statements"];
  if (cell.steps.size() != statements.size())
    say(fmt::format("cell {}: {} statements for {}", cell.ordinal, cell.steps.size(), statements.size()));
  for (std::size_t i = 0; i < std::min(cell.steps.size(), statements.size()); ++i) {
    const std::string place = fmt::format("cell {}: {}", cell.ordinal, statements[i]["code"].get<std::string>());
    const Statement done = statement(cell.steps[i]);
    names_.follow(done);
    compare_statement(done, statements[i], place);
  }
  if (!cell.options.wrong.empty()) names_ = before;  // it ran in a copy of the scope
}

// Whether other statements stand in it (those of functions that it calls do not).
bool Check::has_block(const Statement& statement) const {
  return std::any_of(statement.steps.begin(), statement.steps.end(), [&](StepId id) {
    const Step& step = trace_.step(id);
    return step.parent >= 0 && step.activation == 0;
  });
}

void Check::compare_statement(const Statement& statement, const Json& expected, const std::string& place) {
  const std::string printed = expected.value("printed", "");
  if (!oracle::same_text(statement.printed, printed))
    say(fmt::format("{}\n  printed:\n{}  for\n{}", place, statement.printed, printed));
  const Json bound = expected.value("bound", Json::object());
  for (const auto& [name, description] : bound.items()) {
    const std::string type = description["type"];
    if (type == "module" || type == "type" || type == "builtin_function_or_method" || type == "function") continue;
    // A list that the rounds of a loop make and fill is recorded when it is made, here described when it is full.
    if ((type == "list" || type == "dict") && has_block(statement)) continue;
    const auto found = names_.bound().find(name);
    if (found == names_.bound().end()) say(fmt::format("{}\n  {} is not bound", place, name));
    else compare_value(found->second, true, description, place + "\n  " + name);
  }
  for (const auto& [name, id] : names_.bound())
    if (!bound.contains(name)) say(fmt::format("{}\n  {} should not be bound", place, name));
  const bool has_value = expected.contains("value") && expected["value"]["type"] != "Generator";  // of manual_seed()
  if ((statement.step->value >= 0) != has_value)
    say(fmt::format("{}\n  has {}", place, has_value ? "no value" : "a value"));
  else if (has_value) compare_value(statement.step->value, false, expected["value"], place + "\n  value");
  compare_changed(expected.value("changed", Json::object()), place);
  compare_error(statement, expected, place);
}

void Check::compare_value(ValueId id, bool is_name, const Json& expected, const std::string& place) {
  const RecordedValue& value = trace_.value(id);
  if (value.is_tensor) {
    if (!value.kept) return say(place + ": its numbers were not kept");
    const oracle::TensorFacts facts =
        is_name ? names_.now(id) : oracle::TensorFacts{value.type, value.tensor, value.requires_grad, value.grad_fn};
    for (std::string& line : oracle::differences(facts, expected, place)) say(std::move(line));
    return;
  }
  const std::string type = expected["type"];
  if (value.type != type && value.type != "Module") return say(fmt::format("{}: {} for {}", place, value.type, type));
  const double spread = expected.value("spread", 0.0);
  if (expected.contains("length")) {  // `repr` holds the beginning only
    const std::string start = expected["repr"];
    if (value.text.compare(0, start.size(), start) != 0) say(place + ": another text than\n" + start);
  } else if (const auto text = oracle::repr_of(expected); text && !oracle::same_text(value.text, *text, spread)) {
    say(fmt::format("{}:\n{}\n  for\n{}", place, value.text, *text));
  }
}

void Check::compare_changed(const Json& expected, const std::string& place) {
  Lines wanted;
  for (const auto& [name, description] : expected.items()) wanted.push_back(name);
  if (wanted != names_.changed()) {
    say(fmt::format("{}\n  wrote to {} for {}", place, fmt::join(names_.changed(), ", "), fmt::join(wanted, ", ")));
    return;
  }
  for (const auto& [name, description] : expected.items())
    for (std::string& line : oracle::differences(names_.now(names_.value_of(name)), description, place + "\n  " + name))
      say(std::move(line));
}

void Check::compare_error(const Statement& statement, const Json& expected, const std::string& place) {
  if (!statement.failed) {
    if (expected.contains("error")) say(place + "\n  does not raise " + expected["error"]["text"].get<std::string>());
    return;
  }
  const Diagnostic& diagnostic = trace_.diagnostics[static_cast<std::size_t>(statement.failed->diagnostic)];
  // The record of a cell has the type of an error that was expected; of others the code tells it.
  const std::string type = cell_->options.raises.empty() || cell_->failed ? std::string(python_type(diagnostic.code))
                                                                          : cell_->options.raises;
  const Json wanted = expected.value("error", Json{{"type", "nothing"}, {"text", ""}});
  if (type != wanted["type"] || !oracle::same_error_text(diagnostic.message, wanted["text"]))
    say(fmt::format("{}\n  raises {}: {}\n  for {}: {}", place, type, diagnostic.message,
                    wanted["type"].get<std::string>(), wanted["text"].get<std::string>()));
}

// ---- prose ----

struct Field {
  std::size_t begin;  // in the file
  std::string expression;
  std::string text;
};

void collect(const Runs& written, const Runs& filled, std::vector<Field>& out) {
  for (std::size_t i = 0; i < written.size(); ++i)
    if (written[i].kind == Run::Kind::Expression)
      out.push_back({written[i].span.begin, written[i].text, filled[i].text});
}

void collect(const Prose& written, const Prose& filled, std::vector<Field>& out) {
  collect(written.runs, filled.runs, out);
  for (std::size_t row = 0; row < written.rows.size(); ++row)
    for (std::size_t i = 0; i < written.rows[row].size(); ++i) collect(written.rows[row][i], filled.rows[row][i], out);
}

void collect(const std::vector<Prose>& written, const std::vector<Prose>& filled, std::vector<Field>& out) {
  for (std::size_t i = 0; i < std::min(written.size(), filled.size()); ++i) collect(written[i], filled[i], out);
}

// The answer of a trap is kept as plain text: of its one field, what stands between the text around it.
void collect_answer(const Runs& written, const std::string& filled, std::vector<Field>& out) {
  const auto is_field = [](const Run& run) { return run.kind == Run::Kind::Expression; };
  const auto field = std::find_if(written.begin(), written.end(), is_field);
  if (field == written.end()) return;
  const std::size_t before = plain_text(Runs(written.begin(), field)).size();
  const std::size_t after = plain_text(Runs(std::next(field), written.end())).size();
  out.push_back({field->span.begin, field->text, filled.substr(before, filled.size() - before - after)});
}

void collect(const Cell& written, const CellRecord& filled, std::vector<Field>& out) {
  for (std::size_t i = 0; i < std::min(written.hints.size(), filled.hints.size()); ++i)
    collect(written.hints[i], filled.hints[i], out);
  for (std::size_t i = 0; i < std::min(written.traps.size(), filled.traps.size()); ++i) {
    collect_answer(written.traps[i].answer, filled.traps[i].answer, out);
    collect(written.traps[i].text, filled.traps[i].text, out);
  }
  collect(written.why, filled.why, out);
}

void Check::compare_prose() {
  std::vector<Field> fields;
  for (std::size_t i = 0; i < std::min(lesson_.blocks.size(), trace_.blocks.size()); ++i) {
    if (const Cell* cell = std::get_if<Cell>(&lesson_.blocks[i]))
      collect(*cell, std::get<CellRecord>(trace_.blocks[i]), fields);
    else collect(std::get<Prose>(lesson_.blocks[i]), std::get<Prose>(trace_.blocks[i]), fields);
  }
  std::sort(fields.begin(), fields.end(), [](const Field& a, const Field& b) { return a.begin < b.begin; });
  const Json& expected = fixture_["prose"];
  if (fields.size() != expected.size()) say(fmt::format("{} fields in prose for {}", fields.size(), expected.size()));
  for (std::size_t i = 0; i < std::min(fields.size(), expected.size()); ++i) {
    if (fields[i].expression != expected[i]["expression"].get<std::string>())
      return say(fmt::format("field {}: {} for {}", i, fields[i].expression, expected[i]["expression"].dump()));
    const std::string text = expected[i]["text"];
    if (!oracle::same_text(fields[i].text, text))
      say(fmt::format("{{{{ {} }}}}: {} for {}", fields[i].expression, fields[i].text, text));
  }
}

class OracleLessons : public testing::TestWithParam<std::string> {};

TEST_P(OracleLessons, AgreeWithPyTorch) {
  const Json fixture = oracle::read_fixture("lessons/" + GetParam());
  LoadFindings findings;
  const Lesson lesson = Catalogue::folder(std::string(ATTN_SOURCE_DIR) + "/lessons").open(GetParam() + ".md", findings);
  const Trace trace = run_lesson(lesson);
  const Lines problems = Check(lesson, trace, fixture).run();
  std::string report;
  for (const std::string& line : problems) report += "\n" + line;
  EXPECT_TRUE(problems.empty()) << problems.size() << " differences" << report;
}

std::string instance_name(const testing::TestParamInfo<std::string>& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return "lesson_" + name;
}

INSTANTIATE_TEST_SUITE_P(Lessons, OracleLessons, testing::ValuesIn(oracle::fixture_names("lessons")), instance_name);

}  // namespace
}  // namespace attn
