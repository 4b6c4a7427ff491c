#include "stepper/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/letters.h"
#include "base/number.h"
#include "base/text.h"
#include "engine/student.h"
#include "render/page.h"
#include "render/plain.h"
#include "render/prose.h"
#include "render/run_note.h"
#include "render/source.h"
#include "render/text.h"
#include "stepper/question.h"
#include "stepper/steps.h"
#include "syntax/characters.h"
#include "syntax/lexer.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::string_view kMark = "# attn-tutor sheet";
// The lines of the header that are read back; not sentences, so that a sheet is understood in every language.
constexpr std::string_view kLesson = "lesson:", kName = "name:", kRun = "run:";

constexpr int kWidth = 96;

// How an answer looks: a row per kind of question, in the order of Predict.
constexpr const char* kHow[] = {"sheet.write.how", "judge.shape.how", "judge.value.how", "judge.raises.how",
                                "judge.effect.how"};

// ---- reading ----

/// "12. text": the number, and what follows it. `strict`: not "2.5", which may be an answer.
struct Numbered {
  std::size_t number = 0;
  std::string_view rest;
};
std::optional<Numbered> numbered(std::string_view line, bool strict) {
  line = trim(line);
  std::size_t digits = 0;
  while (digits < line.size() && is_digit(line[digits])) ++digits;
  if (digits == 0 || digits > 3 || digits == line.size()) return std::nullopt;
  if (line[digits] != '.' && line[digits] != ')') return std::nullopt;
  if (strict && digits + 1 < line.size() && is_digit(line[digits + 1])) return std::nullopt;
  return Numbered{static_cast<std::size_t>(*parse_int(line.substr(0, digits))), line.substr(digits + 1)};
}

/// The line of each question's number: after that of the question before it, if there is one; nothing where it is
/// missing. An answer such as "5." or "2.5" is not taken for a number while its own line is there.
std::map<std::size_t, std::size_t> number_lines(const std::vector<std::string>& lines) {
  std::map<std::size_t, std::vector<std::size_t>> places, loose;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const auto found = numbered(lines[i], true)) places[found->number].push_back(i);
    else if (const auto perhaps = numbered(lines[i], false)) loose[perhaps->number].push_back(i);
  }
  // A trailing blank may be gone: "2.3 4" is "3 4" where nothing else is number 2.
  for (const auto& [number, at] : loose)
    if (!places.contains(number) && !places.empty() && number < places.rbegin()->first) places[number] = at;
  std::map<std::size_t, std::size_t> out;
  std::size_t least = 0;
  for (const auto& [number, at] : places) {
    const auto later = std::find_if(at.begin(), at.end(), [&](std::size_t line) { return line >= least; });
    out[number] = later == at.end() ? at.front() : *later;
    least = std::max(least, out[number] + 1);
  }
  return out;
}

std::string without_ticks(std::string_view text) {
  text = trim(text);
  while (text.size() >= 2 && text.starts_with('`') && text.ends_with('`')) text = trim(text.substr(1, text.size() - 2));
  return std::string(text);
}

/// Lines of one answer: without fences, blank lines around and the indentation that all share but the first, which
/// follows a number.
std::string answer_of(std::string first, const std::vector<std::string>& more) {
  std::vector<std::string> lines;
  for (const std::string& line : more)
    if (!trim(line).starts_with("```")) lines.push_back(line);
  while (!lines.empty() && trim(lines.back()).empty()) lines.pop_back();
  std::size_t depth = std::string::npos;
  for (const std::string& line : lines)
    if (!trim(line).empty()) depth = std::min(depth, line.find_first_not_of(" \t"));
  std::string out = without_ticks(first);
  const std::string deeper = out.ends_with(':') ? "    " : "";  // the body of what the first line begins
  for (const std::string& line : lines) {
    if (trim(line).empty()) continue;
    const std::string text = deeper + line.substr(depth);
    out += out.empty() ? without_ticks(text) : "\n" + text;
  }
  return out;
}

/// The value after a key of the header.
bool is_header(std::string_view line, std::string_view key, std::string& value) {
  line = trim(line);
  if (lower_case(line.substr(0, key.size())) != key) return false;
  value = trim(line.substr(key.size()));
  return true;
}

}  // namespace

Sheet read_sheet(std::string_view text) {
  Sheet sheet;
  std::string clean = replaced(replaced(valid_utf8(text), "\r\n", "\n"), "\r", "\n");
  clean = replaced(replaced(clean, "\xEF\xBB\xBF", ""), "\xC2\xA0", " ");  // byte order mark, no-break space
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(clean)) {
    if (trim(line).starts_with(kMark)) sheet.has_header = true;
    if (!trim(line).starts_with("#")) lines.emplace_back(line);
  }
  std::string ignored;
  const auto first =
      std::find_if(lines.begin(), lines.end(), [](const std::string& line) { return !trim(line).empty(); });
  std::map<std::size_t, std::size_t> numbers = number_lines(lines);
  const auto is_first_number = [&] { return first != lines.end() && numbered(*first, true).has_value(); };
  sheet.has_header = sheet.has_header || (first != lines.end() && is_header(*first, kLesson, ignored));
  sheet.is_numbered = sheet.has_header || (is_first_number() && numbers.size() > 1);
  if (!sheet.is_numbered) {
    for (const std::string& line : lines) sheet.answers.push_back(replaced(std::string(trim(line)), "\\n", "\n"));
    while (!sheet.answers.empty() && sheet.answers.back().empty()) sheet.answers.pop_back();
    return sheet;
  }
  std::set<std::size_t> starts;
  for (const auto& [number, line] : numbers) starts.insert(line);
  const std::size_t begin = starts.empty() ? lines.size() : *starts.begin();
  for (std::size_t i = 0; i < begin; ++i) {
    if (std::string value; is_header(lines[i], kLesson, value)) {
      const std::size_t end = std::min(value.find(' '), value.size());
      sheet.lesson = value.substr(0, end);
      sheet.hash = trim(std::string_view(value).substr(end));
    } else if (is_header(lines[i], kName, value)) {
      sheet.name = value;
    } else if (is_header(lines[i], kRun, value)) {
      sheet.run = value;
    }
  }
  for (const auto& [number, line] : numbers) {
    if (number == 0) continue;
    const auto next = starts.upper_bound(line);
    const std::size_t end = next == starts.end() ? lines.size() : *next;
    const std::string_view rest = numbered(lines[line], false)->rest;
    if (sheet.answers.size() < number) sheet.answers.resize(number);
    sheet.answers[number - 1] = answer_of(
        std::string(trim(rest)),
        {lines.begin() + static_cast<std::ptrdiff_t>(line) + 1, lines.begin() + static_cast<std::ptrdiff_t>(end)});
  }
  return sheet;
}

// ---- writing ----

namespace {

class SheetWriter {
 public:
  SheetWriter(const State& state, std::string_view student) : state_(state), student_(student) {}

  std::string write() {
    put_header();
    int number = 0;
    for (std::size_t at = 0; at < step_count(state_); ++at) {
      const auto posed = posed_at(state_, at);
      if (!posed) continue;
      ++number;
      out_ += "\n";
      put_question(*posed, number, at);
      out_ += fmt::format("{}. \n", number);
    }
    return out_;
  }

 private:
  const Trace& trace() const { return trace_of(state_); }

  void put_header() {
    const std::string word =
        state_.run->lesson->number > 0 ? std::to_string(state_.run->lesson->number) : state_.run->lesson->id;
    out_ += fmt::format("{}: {}\n", kMark, visible(title_text(trace())));
    put_comment(say("sheet.how"));
    const std::string student =
        student_.empty() ? "" : " --student '" + replaced(visible(student_), "'", "'\\''") + "'";
    put_comment(say("sheet.lesson", {{"command", "attn-tutor lesson " + word + student}}));
    out_ += fmt::format("\n{} {} {}\n{} {}\n", kLesson, visible(trace().lesson_id), lesson_hash(*state_.run->lesson),
                        kName, visible(student_));
    const std::string run = asked_text(trace().options);
    out_ += fmt::format("{} {}\n", kRun, run);
  }

  /// Lines that the reader passes over.
  void put_comment(const std::string& text, int indent = 0) {
    for (const std::string_view line : split_lines(text))
      for (const std::string& part : wrap(line, kWidth - indent))
        out_ +=
            part.empty() ? "#\n" : fmt::format("# {}{}\n", std::string(static_cast<std::size_t>(indent), ' '), part);
  }
  void put_code(std::string_view code) {
    const std::string text = visible(code);
    for (const std::string_view line : split_lines(text)) out_ += fmt::format("#     {}\n", line);
  }

  void put_question(const Posed& posed, int number, std::size_t at) {
    put_comment(say("sheet.question", {{"number", std::to_string(number)},
                                       {"step", std::to_string(at + 1)},
                                       {"question", posed_text(posed).front()}}));
    put_prose_before(posed);
    const std::string code = code_of(posed);
    put_comment("\n");
    put_code(code);
    put_given(posed, code);
    const std::vector<std::string> choices = posed_text(posed);
    if (choices.size() > 1) put_comment("\n");
    for (std::size_t i = 1; i < choices.size(); ++i) put_comment(choices[i], 4);
    put_comment("\n" + say(kHow[static_cast<std::size_t>(posed.question.kind)]));
  }

  /// The prose between the cell before and this one.
  void put_prose_before(const Posed& posed) {
    std::vector<Prose> prose;
    for (const TraceBlock& block : trace().blocks) {
      if (const CellRecord* cell = std::get_if<CellRecord>(&block)) {
        if (cell->ordinal == cell_number(posed)) break;
        if (!cell->options.hidden) prose.clear();
      } else if (std::get<Prose>(block).kind != Prose::Kind::Heading && &std::get<Prose>(block) != map_block(trace())) {
        prose.push_back(std::get<Prose>(block));
      }
    }
    if (prose.empty()) return;
    Page page(RenderOptions{kWidth, false, false});
    put_prose(page, prose);
    put_comment("\n");
    const std::string text = page.text();
    for (const std::string_view line : split_lines(text)) out_ += line.empty() ? "#\n" : fmt::format("# {}\n", line);
  }

  int cell_number(const Posed& posed) const { return trace().step(posed.step).cell; }

  /// The code that is asked about; of a line to be written what is above it in its cell.
  std::string code_of(const Posed& posed) const {
    if (posed.from == Posed::From::Fade) return posed.before + "____" + posed.after;
    if (posed.from == Posed::From::Quiz) return without_comments(statement_text(trace(), trace().step(posed.step)));
    const std::string& code = trace().sources.at(posed.cell->source).text;
    if (!is_written(posed)) return without_comments(code);
    const std::size_t begin = trace().step(posed.step).span.begin;
    return without_comments(std::string_view(code).substr(0, begin)) + posed.question.write + " = ____";
  }

  static std::vector<Token> tokens_of(const Source& code) {
    return tokenize(code, 0, 0, static_cast<std::uint32_t>(code.text.size()), LexMode::Lines).tokens;
  }

  /// Comments name the axes, which are the answers.
  static std::string without_comments(std::string_view text) {
    const Source code{"", std::string(text), 1};
    std::string out(text);
    for (const Token& token : tokens_of(code)) {
      const Span comment = token.kind == TokenKind::Comment ? token.span : token.comment;
      if (comment.begin == 0 || code.text[comment.begin - 1] != '#') continue;
      std::fill(out.begin() + comment.begin - 1, out.begin() + comment.end, ' ');
    }
    std::string kept;
    for (const std::string_view line : split_lines(out))
      if (const std::size_t end = line.find_last_not_of(" \t"); end != std::string::npos)
        kept += std::string(line.substr(0, end + 1)) + "\n";
    return kept;
  }

  // ---- what is needed ----

  static constexpr std::int64_t kMostNumbers = 64;
  static constexpr int kLongestValue = 80;  // cells
  static constexpr std::size_t kMostNames = 12;

  /// The names of a code, in the order in which they appear.
  static std::vector<std::string> names_in(const std::string& text) {
    const Source code{"", text, 1};
    std::vector<std::string> names;
    for (const Token& token : tokens_of(code)) {
      const std::string name(token.text);
      if (token.kind == TokenKind::Name && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
    return names;
  }

  /// The last step before a question that binds the name outside of functions and common bugs; -1: none. A function
  /// has no value.
  StepId bound_before(const std::string& name, StepId end, ValueId& value) const {
    for (StepId id = end - 1; id >= 0; --id) {
      const Step& step = trace().step(id);
      if (step.activation != 0 || !cell_of(state_, step).options.wrong.empty()) continue;
      const std::string_view code = statement_text(trace(), step);
      if (code.starts_with("def " + name + "(")) return id;
      for (const Binding& binding : step.bindings) {
        if (binding.target != name) continue;
        value = binding.value;
        return id;
      }
    }
    return -1;
  }

  /// What the code uses: shapes of tensors, numbers, and for a value the numbers of small tensors.
  void put_given(const Posed& posed, const std::string& code) {
    // A line is written with names of the lesson's own.
    std::vector<std::string> names =
        names_in(is_written(posed) ? std::string(statement_text(trace(), trace().step(posed.step))) : code);
    const bool compares = posed.question.kind == Predict::Effect && !posed.question.subject.empty();
    if (compares) names.insert(names.begin(), posed.question.subject);
    std::string rows;
    std::set<std::string> told;
    const std::size_t own = names.size();  // after them the names in the functions
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string name = names[i];
      ValueId value = -1;
      const StepId step = bound_before(name, posed.step, value);
      if (step < 0 || told.size() >= kMostNames || !told.insert(name).second) continue;
      const CellRecord& cell = cell_of(state_, trace().step(step));
      // What a question is about is told by the line that computes it, if that is not the answer.
      const bool is_asked = cell.question.has_value(), is_compared = compares && name == posed.question.subject;
      if (i >= own && (value < 0 || trace().value(value).is_tensor)) continue;
      if (value < 0) {
        const std::string function = cell.options.hidden ? "" : definition(trace().step(step));
        rows += function;
        for (std::string& inner : names_in(function)) names.push_back(std::move(inner));
        continue;
      }
      if (!is_asked && !is_compared)
        rows += value_text(name, trace().value(value), posed.question.kind, cell.options.hidden);
      else if (!is_asked || cell.question->write.empty())
        rows += without_comments(statement_text(trace(), trace().step(step)));
    }
    if (rows.empty()) return;
    put_comment("\n" + say("sheet.given"));
    put_code(rows);
  }

  /// A function that the code calls. Of a long one its name says enough.
  std::string definition(const Step& step) const {
    constexpr std::ptrdiff_t kMostLines = 30;
    const std::string code = without_comments(trace().sources.at(step.span.source).slice(step.span));
    return std::count(code.begin(), code.end(), '\n') <= kMostLines ? code : "";
  }

  /// What a hidden cell computes is kept back by the lesson: of it only axes.
  static std::string value_text(const std::string& name, const RecordedValue& value, Predict kind, bool is_hidden) {
    if (!value.is_tensor && is_hidden) return {};
    if (!value.is_tensor) {
      const bool is_data = value.type == "int" || value.type == "float" || value.type == "bool" ||
                           value.type == "str" || value.type == "list" || value.type == "tuple";
      return is_data && display_width(value.text) <= kLongestValue ? fmt::format("{} = {}\n", name, value.text) : "";
    }
    std::string text = fmt::format("{} {}\n", name, axes_text(value));
    if (kind == Predict::Value && !is_hidden && value.has_numbers() && value.tensor.numel() <= kMostNumbers)
      text += value_repr(value) + "\n";
    return text;
  }

  const State& state_;
  std::string student_;
  std::string out_;
};

}  // namespace

std::string sheet_text(const State& state, std::string_view student) { return SheetWriter(state, student).write(); }

}  // namespace attn
