#include "render/code/python_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/text.h"
#include "syntax/characters.h"
#include "syntax/lexer.h"
#include "syntax/names.h"
#include "syntax/parser.h"

namespace attn {
namespace {

constexpr std::string_view kPythonIndent = "    ";

bool is_name(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), continues_name); }

/// The last binding of each name of the lesson in a statement and in those that stand in it, tensors only.
std::map<std::string, Binding> tensors_bound(const Trace& trace, StepId top, StepId end) {
  std::map<std::string, Binding> last;
  for (StepId id = top; id < end; ++id) {
    const Step& step = trace.step(id);
    if (step.activation != 0) continue;
    for (const Binding& binding : step.bindings) {
      if (!is_name(binding.target) || binding.value < 0) continue;
      if (trace.value(binding.value).is_tensor) last[binding.target] = binding;
      else last.erase(binding.target);
    }
  }
  return last;
}

std::string indented(std::string_view code) {
  std::string out;
  for (const std::string_view line : split_lines(code)) {
    if (!line.empty()) out.append(kPythonIndent).append(line);
    out += '\n';
  }
  return out;
}

std::string lines(std::string_view code) {
  std::string out(code);
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out.empty() ? out : out + "\n";
}

/// Whether the error came that the cell is for: with other sizes it may not.
bool raised_as_expected(const CellRecord& cell) {
  return !cell.options.raises.empty() && !cell.failed && !cell.raised.empty();
}

/// What a common bug returns: the value of its last statement, or the name that it binds.
struct Returned {
  bool is_expression = false;
  std::string name;
  ValueId value = -1;
};

Returned returned(const Trace& trace, const CellRecord& cell) {
  if (cell.steps.empty()) return {};
  const Step& last = trace.step(cell.steps.back());
  if (last.value >= 0) return {true, "", last.value};
  if (last.bindings.empty() || !is_name(last.bindings.back().target)) return {};
  return {false, last.bindings.back().target, last.bindings.back().value};
}

class CellCode {
 public:
  CellCode(const Trace& trace, const CellRecord& cell, const AfterBinding& after)
      : trace_(trace), cell_(cell), after_(after), text_(trace.sources[cell.source].text) {}

  std::string write() const {
    if (!cell_.options.wrong.empty()) return common_bug();
    const std::string code = with_insertions();
    return raised_as_expected(cell_) ? expecting(code) : code;
  }

 private:
  std::string with_insertions() const {
    std::map<std::size_t, std::string> inserted = loads();
    for (std::size_t i = 0; after_ && i < cell_.steps.size(); ++i) {
      const StepId id = cell_.steps[i];
      if (trace_.step(id).outcome == Outcome::Raised) continue;
      for (const auto& [name, binding] : tensors_bound(trace_, id, end_of(i)))
        inserted[line_end(id)] += lines(after_(id, binding));
    }
    std::string out;
    std::size_t done = 0;
    for (const auto& [end, code] : inserted) {
      if (end > done) out += lines(std::string_view(text_).substr(done, end - done));
      done = std::min(std::max(done, end + 1), text_.size());
      out += code;
    }
    return out + lines(std::string_view(text_).substr(done));
  }

  /// Where the last line of a statement ends.
  std::size_t line_end(StepId id) const { return std::min(text_.find('\n', trace_.step(id).span.end), text_.size()); }

  /// Behind each statement that bound a name to layers with numbers in the file of --weights: their loading, as deep in
  /// the code as the statement.
  std::map<std::size_t, std::string> loads() const {
    std::map<std::size_t, std::set<std::string>> names;
    std::map<std::size_t, std::string> out;
    if (!trace_.weights) return out;
    for (const LoadedTensor& tensor : trace_.weights->loaded) {
      const Step& step = trace_.step(tensor.step);
      if (step.span.source != cell_.source) continue;
      const std::string name = tensor.name.substr(0, tensor.name.find('.'));
      if (!names[line_end(tensor.step)].insert(name).second) continue;
      const std::size_t line = text_.rfind('\n', step.span.begin) + 1;  // 0 where there is none before
      const std::string_view before = std::string_view(text_).substr(line, step.span.begin - line);
      const std::string_view depth = before.substr(0, before.find_first_not_of(" \t"));
      out[line_end(tensor.step)] += fmt::format("{}_load_weights({}={})\n", depth, name, name);
    }
    return out;
  }

  /// The step after those of the statement.
  StepId end_of(std::size_t statement) const {
    StepId id = cell_.steps[statement] + 1;
    const auto count = static_cast<StepId>(trace_.steps.size());
    while (id < count && trace_.step(id).parent >= 0) ++id;
    return id;
  }

  std::string expecting(const std::string& code) const {
    const std::string& type = cell_.options.raises;
    return fmt::format(
        "try:\n{}except {} as error:\n{}print(f\"{{type(error).__name__}}: {{error}}\")\nelse:\n{}raise "
        "AssertionError(\"{} was expected\")\n",
        indented(code), type, kPythonIndent, kPythonIndent, type);
  }

  /// def common_bug_4(energy=energy): ... return x. What it rebinds comes in as a default: the name inside is another.
  std::string common_bug() const {
    std::set<std::string> rebound;
    const SyntaxTree tree = read_cell(trace_.sources[cell_.source], 0, trace_.form == LessonForm::Notebook);
    for (const Symbol name : bound_names(tree.block))
      if (was_bound_before(name)) rebound.insert(name);
    std::vector<std::string> parameters;
    for (const std::string& name : rebound) parameters.push_back(fmt::format("{0}={0}", name));
    const std::string body = raised_as_expected(cell_) ? expecting(with_insertions()) : returning();
    const std::string name = fmt::format("common_bug_{}", cell_.ordinal);
    return fmt::format("def {}({}):\n{}\n\n{}()\n", name, join(parameters, ", "), indented(body), name);
  }

  /// The statements, the last of which gives the value.
  std::string returning() const {
    const Returned value = returned(trace_, cell_);
    if (value.is_expression) {
      const std::size_t begin = trace_.step(cell_.steps.back()).span.begin;
      return lines(std::string_view(text_).substr(0, begin)) + "return " + lines(std::string_view(text_).substr(begin));
    }
    return value.name.empty() ? lines(text_) : lines(text_) + "return " + value.name + "\n";
  }

  bool was_bound_before(const std::string& name) const {
    const StepId first = cell_.steps.empty() ? 0 : cell_.steps.front();
    for (StepId id = 0; id < first; ++id) {
      const Step& step = trace_.step(id);
      if (step.activation != 0 || is_of_a_bug(step)) continue;
      if (std::any_of(step.bindings.begin(), step.bindings.end(), [&](const Binding& b) { return b.target == name; }))
        return true;
    }
    return false;
  }

  bool is_of_a_bug(const Step& step) const {
    for (const TraceBlock& block : trace_.blocks) {
      const CellRecord* cell = std::get_if<CellRecord>(&block);
      if (cell && cell->ordinal == step.cell) return !cell->options.wrong.empty();
    }
    return false;
  }

  const Trace& trace_;
  const CellRecord& cell_;
  const AfterBinding& after_;
  const std::string& text_;
};

}  // namespace

namespace {

/// Commands of a notebook (%, !) are no Python: in their place stands a statement that does nothing.
std::string without_commands(const Trace& trace, const CellRecord& cell, const std::string& code) {
  std::set<std::string_view> commands;
  for (const int note : cell.notes) {
    const Span span = trace.diagnostics.at(static_cast<std::size_t>(note)).span;
    commands.insert(trim(trace.sources.at(span.source).slice(span)));
  }
  if (commands.empty()) return code;
  std::string out;
  for (const std::string_view line : split_lines(code)) {
    const std::string_view command = trim(line);
    const bool is_command = !command.empty() && commands.contains(command);
    out.append(line.substr(0, is_command ? line.find(command) : line.size()));
    if (is_command) out.append("pass  # ").append(command);
    out += '\n';
  }
  return out;
}

/// Between tokens a form feed is a blank, in a string it is a character; what visible() would make of it is no Python.
std::string without_form_feeds(std::string code) {
  if (code.find('\f') == std::string::npos) return code;
  const Source source{"", code, 1};
  std::string out = code;
  std::replace(out.begin(), out.end(), '\f', ' ');
  for (const Token& token : tokenize(source, 0, 0, static_cast<std::uint32_t>(code.size()), LexMode::Lines).tokens)
    if (token.kind == TokenKind::String) out.replace(token.span.begin, token.text.size(), token.text);
  return out;
}

}  // namespace

std::string cell_code(const Trace& trace, const CellRecord& cell, const AfterBinding& after) {
  return visible(without_form_feeds(without_commands(trace, cell, CellCode(trace, cell, after).write())));
}

CellOutput cell_output(const Trace& trace, const CellRecord& cell) {
  CellOutput out{cell.printed, cell.result};
  if (raised_as_expected(cell)) {
    const Diagnostic& error = trace.diagnostics.at(static_cast<std::size_t>(cell.diagnostic));
    out.printed += cell.raised + ": " + error.message + "\n";
    out.result = -1;  // the code stands in a try
  } else if (!cell.options.wrong.empty()) {
    out.result = returned(trace, cell).value;
  }
  const bool is_none = out.result >= 0 && trace.value(out.result).type == "NoneType";
  return is_none ? CellOutput{out.printed, -1} : out;
}

}  // namespace attn
