#include "engine/changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "engine/literals.h"
#include "engine/own_input.h"
#include "engine/parameters.h"
#include "engine/runner.h"
#include "lang/interpreter.h"
#include "syntax/parser.h"

namespace attn {
namespace {

/// A parameter and the expression in the comment behind it.
struct Size {
  std::string name;
  Source expression;
};

std::vector<Size> sizes_of(const Source& cell) {
  constexpr std::string_view kMark = "# =";
  std::vector<Size> sizes;
  const Block block = parse_or_empty(cell);
  for (const Literal& literal : literals(block)) {
    const std::string_view rest = std::string_view(cell.text).substr(literal.span.end);
    const std::string_view comment = trim(rest.substr(0, rest.find('\n')));
    if (!comment.starts_with(kMark)) continue;
    const int line = position_of(cell, literal.span.begin).line;
    sizes.push_back({literal.name, {cell.name, std::string(trim(comment.substr(kMark.size()))), line}});
  }
  return sizes;
}

/// Which option brought the input.
std::string option_of(const RunOptions& options) { return options.given.data.empty() ? "--text" : "--data"; }

void refuse_both(const Lesson& lesson, const RunOptions& options, const Changes& changes) {
  for (const Cell* cell : cells(lesson)) {
    if (!cell->options.parameters) continue;
    for (const Size& size : sizes_of(cell->source)) {
      if (changes.settings.contains(size.name))
        throw ParameterError(
            fmt::format("{} follows from {} here; leave out --set {}=...", size.name, option_of(options), size.name));
    }
  }
}

std::string value_of(const Source& expression, Interpreter& interpreter) {
  const std::uint32_t number = interpreter.add_source(expression);
  const ExprPtr tree = parse_expression(Source(interpreter.sources()[number]), number);
  return repr(interpreter.evaluate(*tree));
}

}  // namespace

Changes changes_of(const Lesson& lesson, const RunOptions& options) {
  Changes changes;
  if (lesson.form == LessonForm::Lesson) changes.settings = settings_of(lesson, options);
  changes.data = own_literals(lesson, options);
  if (!changes.data.empty()) refuse_both(lesson, options, changes);
  return changes;
}

std::string changed_code(const Lesson& lesson, const Cell& cell, const Changes& changes, Interpreter& interpreter) {
  if (cell.options.parameters) {
    std::map<std::string, std::string> settings = changes.settings;
    if (!changes.data.empty())
      for (const Size& size : sizes_of(cell.source)) settings[size.name] = value_of(size.expression, interpreter);
    return with_settings(cell.source, settings);
  }
  if (changes.data.empty()) return cell.source.text;
  const Block block = parse_or_empty(cell.source, lesson.form);
  std::vector<Literal> own = literals(block);
  std::erase_if(own, [&](const Literal& literal) { return !can_be_filled(lesson, cell, literal); });
  return with_values(cell.source.text, own, changes.data);
}

}  // namespace attn
