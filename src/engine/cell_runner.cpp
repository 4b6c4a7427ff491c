#include "engine/cell_runner.h"

#include <utility>

#include "base/text.h"
#include "engine/lesson_files.h"
#include "engine/own_input.h"
#include "engine/parameters.h"
#include "python/evaluator.h"
#include "syntax/names.h"
#include "text/say.h"

namespace attn {
namespace {

/// A parameter and the expression in the comment behind it.
struct Size {
  std::string name;
  Source expression;
};

std::vector<Size> sizes_of(const Cell& cell) {
  constexpr std::string_view kMark = "# =";
  std::vector<Size> sizes;
  for (const auto& [name, value] : assignments(cell.tree->block)) {
    const std::string_view rest = std::string_view(cell.source.text).substr(value->span.end);
    const std::string_view comment = trim(rest.substr(0, rest.find('\n')));
    if (!comment.starts_with(kMark)) continue;
    const int line = position_of(cell.source, value->span.begin).line;
    sizes.push_back({name, {cell.source.name, std::string(trim(comment.substr(kMark.size()))), line}});
  }
  return sizes;
}

/// Which option brought the input.
std::string option_of(const RunOptions& options) { return options.given.data.empty() ? "--text" : "--data"; }

void refuse_both(const Lesson& lesson, const RunOptions& options, const std::map<std::string, std::string>& settings) {
  for (const Cell* cell : cells(lesson)) {
    if (!cell->options.parameters) continue;
    for (const Size& size : sizes_of(*cell)) {
      if (settings.contains(size.name))
        throw UserError(say("set.follows", {{"name", size.name}, {"option", option_of(options)}}));
    }
  }
}

std::string value_of(const Source& expression, Interpreter& interpreter) {
  const std::uint32_t number = interpreter.add_source(expression);
  const ExprPtr tree = parse_expression(expression, number);
  return repr(interpreter.evaluate(*tree));
}

InterpreterOptions interpreter_options(const Lesson& lesson, const RunOptions& options, InterpreterOptions own,
                                       std::set<std::string>& opened) {
  if (lesson.form != LessonForm::Lesson) own.first_seed = options.seed;  // that of a lesson is a parameter
  own.is_notebook = lesson.form == LessonForm::Notebook;
  if (lesson.form == LessonForm::Script) {
    own.file = lesson.path.substr(lesson.path.rfind('/') + 1);
    if (const auto all = cells(lesson); !all.empty() && all.front()->tree) own.doc = doc_of(all.front()->tree->block);
  }
  if (const FileOpener open = files_of_lesson(lesson))
    own.open_file = [open, &opened](const std::string& name) {
      std::shared_ptr<const BytesAt> bytes = open(name);
      opened.insert(name);
      return bytes;
    };
  return own;
}

}  // namespace

CellRunner::CellRunner(const Lesson& lesson, const RunOptions& options, InterpreterOptions own)
    : lesson_(&lesson), interpreter_(nullptr, interpreter_options(lesson, options, std::move(own), opened_)) {
  if (lesson.form == LessonForm::Lesson) settings_ = settings_of(lesson, options);
  data_ = own_literals(lesson, options);
  if (!data_.empty()) refuse_both(lesson, options, settings_);
  // PyTorch would start with another seed in every run.
  if (lesson.form != LessonForm::Lesson)
    interpreter_.generator().manual_seed(static_cast<std::uint64_t>(options.seed.value_or(0)));
}

bool CellRunner::leave_fork() {
  if (!outside_) return false;
  interpreter_.restore(std::exchange(outside_, nullptr));
  return true;
}

std::string CellRunner::code_of(const Cell& cell) {
  if (cell.options.parameters) {
    std::map<std::string, std::string> settings = settings_;
    if (!data_.empty())
      for (const Size& size : sizes_of(cell)) settings[size.name] = value_of(size.expression, interpreter_);
    return with_settings(cell, settings);
  }
  std::vector<Assignment> own = assignments(cell.tree->block);
  std::erase_if(own, [&](const Assignment& assignment) { return !can_be_filled(*lesson_, cell, assignment); });
  return with_values(cell.source.text, own, data_);
}

std::shared_ptr<const SyntaxTree> CellRunner::enter(const Cell& cell) {
  leave_fork();
  if (!cell.options.wrong.empty()) outside_ = interpreter_.fork();
  if (lesson_->form != LessonForm::Lesson) interpreter_.forget_axis_sizes();
  // Numbers of expressions in prose, which a replay passes over.
  while (interpreter_.sources().size() < cell.tree->source) interpreter_.add_source({});
  Source source = cell.source;
  std::optional<CellError> error;
  try {
    source.text = code_of(cell);
  } catch (const CellError& raised) {
    error = raised;
  }
  const bool is_changed = source.text != cell.source.text;
  const std::uint32_t number = interpreter_.add_source(source);
  if (error) return std::make_shared<const SyntaxTree>(SyntaxTree{number, {}, {}, std::move(error)});
  if (!is_changed && number == cell.tree->source) return cell.tree;
  return std::make_shared<const SyntaxTree>(read_cell(source, number, lesson_->form == LessonForm::Notebook));
}

std::optional<CellError> CellRunner::run(const std::shared_ptr<const SyntaxTree>& code, Observer& observer,
                                         const Interpreter::Snapshot* from) {
  if (code->error) return code->error;
  struct Observed {
    Interpreter& interpreter;
    ~Observed() { interpreter.set_observer(nullptr); }
  } observed{interpreter_};
  interpreter_.set_observer(&observer);
  try {
    std::shared_ptr<const Block> block(code, &code->block);
    if (from) interpreter_.go_on(*from, std::move(block));
    else interpreter_.run(std::move(block));
  } catch (const CellError& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace attn
