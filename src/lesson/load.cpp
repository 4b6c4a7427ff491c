#include "lesson/load.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <unordered_set>
#include <utility>

#include "base/letters.h"
#include "base/text.h"
#include "syntax/names.h"
#include "syntax/parser.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::size_t kMaxQuoteDepth = 200;

/// Deep nesting is refused before the parser spends time on it.
bool nested_too_deeply(const Source& file, LoadFindings& findings) {
  std::size_t at = 0;
  for (std::string_view line : split_lines(file.text)) {
    const std::string_view marks = line.substr(0, line.find_first_not_of("> \t"));
    if (static_cast<std::size_t>(std::count(marks.begin(), marks.end(), '>')) > kMaxQuoteDepth) {
      const auto place = static_cast<std::uint32_t>(at);
      findings.error({0, place, place + 1}, say("file.quotes", {{"most", std::to_string(kMaxQuoteDepth)}}));
      return true;
    }
    at += line.size() + 1;
  }
  return false;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void find_title(Lesson& lesson, LoadFindings& findings) {
  for (const LessonBlock& block : lesson.blocks) {
    const Prose* prose = std::get_if<Prose>(&block);
    if (!prose) continue;
    if (prose->kind == Prose::Kind::Heading && lesson.title.empty()) lesson.title = one_line(plain_text(prose->runs));
    const bool paragraph = prose->kind == Prose::Kind::Paragraph && prose->quotes == 0;
    if (paragraph && lesson.summary.empty()) lesson.summary = one_line(plain_text(prose->runs));
  }
  if (lesson.title.empty()) findings.error({}, say("prose.title"), say("prose.title.hint"));
}

/// The three dots of `name = ...`; null when the code is anything else (comments aside).
const Expr* find_dots(const Block& block) {
  const auto is_note = [](const Stmt& stmt) { return std::holds_alternative<AxisNote>(stmt.node); };
  if (std::count_if(block.begin(), block.end(), std::not_fn(is_note)) != 1) return nullptr;
  const std::vector<Assignment> bound = assignments(block);
  const Expr* value = bound.size() == 1 ? bound[0].value : nullptr;
  for (const Stmt& stmt : block) {
    const auto* noted = std::get_if<AnnAssign>(&stmt.node);
    if (noted && std::holds_alternative<Name>(noted->target->node)) value = noted->value.get();
  }
  const Constant* constant = value ? std::get_if<Constant>(&value->node) : nullptr;
  return constant && std::holds_alternative<EllipsisLiteral>(constant->value) ? value : nullptr;
}

/// Puts the literal of the data file in the place of the three dots.
void insert_literal(Cell& cell, const std::optional<std::string>& literal, LoadFindings& findings) {
  const std::string& file = cell.options.data;
  const SyntaxTree tree = read_cell(cell.source, 0, false);
  const Expr* dots = find_dots(tree.block);
  if (!dots) {
    findings.error(cell.fence, say("fence.data.line"), say("fence.data.line.hint"));
  }
  if (!literal || !dots) return;
  std::size_t replaced = 0;
  const std::string text = valid_utf8(trim(*literal), &replaced);
  if (replaced > 0) findings.error(cell.fence, say("file.data.utf8", {{"file", file}}));
  cell.source.text.replace(dots->span.begin, 3, text);
}

/// A file of tensors stays a file, which the code of the lesson reads; any other is a literal in the code.
void take_data(Cell& cell, const ReadData& read_data, Lesson& lesson, LoadFindings& findings) {
  const std::string& file = cell.options.data;
  std::optional<std::string> bytes = read_data ? read_data(file) : std::nullopt;
  if (!bytes) findings.error(cell.fence, say("file.data", {{"file", file}}));
  if (!is_tensor_file(file)) return insert_literal(cell, bytes, findings);
  if (bytes) lesson.files[file] = std::make_shared<const std::string>(std::move(*bytes));
}

using Names = std::unordered_set<Symbol>;

void report_name(const Cell& cell, const std::string& name, std::string_view id, const Names& names,
                 LoadFindings& findings) {
  constexpr std::size_t kMany = 1000;  // of so many names none is worth the search
  std::vector<std::string> known;
  if (names.size() < kMany) known.assign(names.begin(), names.end());
  std::sort(known.begin(), known.end());
  const std::string near = nearest(name, known);
  findings.error(cell.fence, say(id, {{"name", name}}), near.empty() ? "" : did_you_mean("\"" + near + "\""));
}

/// Names on a fence must be bound where the reader expects them, as far as can be told without running; `is_known`:
/// whether `before` is all that the cells above bind.
void check_names(const Cell& cell, const Names& before, bool is_known, const Names& here, LoadFindings& findings) {
  const CellOptions& options = cell.options;
  if (!options.write.empty() && !here.contains(options.write)) {
    report_name(cell, options.write, "fence.write.unbound", here, findings);
  }
  if (is_known && !options.wrong.empty() && !before.contains(options.wrong)) {
    report_name(cell, options.wrong, "fence.wrong.unbound", before, findings);
  }
  if (is_known && !options.predict_name.empty() && !here.contains(options.predict_name) &&
      !before.contains(options.predict_name)) {
    report_name(cell, options.predict_name, "fence.predict.unbound", before, findings);
  }
  if (options.predict == Predict::Shape && options.predict_name.empty() && here.empty()) {
    findings.error(cell.fence, say("fence.predict.nothing"), say("fence.predict.nothing.hint"));
  }
}

void read_data_files(Lesson& lesson, const LoadOptions& options, LoadFindings& findings) {
  for (LessonBlock& block : lesson.blocks) {
    Cell* cell = std::get_if<Cell>(&block);
    if (!cell) continue;
    if (trim(cell->source.text).empty()) findings.error(cell->fence, say("cell.empty"));
    if (!cell->options.data.empty()) take_data(*cell, options.read_data, lesson, findings);
  }
}

void check_cells(const Lesson& lesson, LoadFindings& findings) {
  Names names;
  bool is_known = true;
  for (const Cell* cell : cells(lesson)) {
    if (cell->tree->error && cell->options.raises.empty()) {
      is_known = false;  // nobody knows what it would bind
      continue;
    }
    Names here = names_bound_anywhere(cell->tree->block);
    check_names(*cell, names, is_known, here, findings);
    // A wrong cell runs in a copy of the scope.
    if (cell->options.wrong.empty()) names.merge(here);
  }
  if (cells(lesson).empty()) findings.error({}, say("cell.none"), say("cell.form"));
}

// ---- the bytes of a file as text: size, encoding, line ends ----

/// CR LF and CR as LF; NUL as U+FFFD, as CommonMark demands.
std::string line_feeds_only(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\0') {
      out += "\uFFFD";
    } else if (text[i] != '\r') {
      out += text[i];
    } else if (i + 1 >= text.size() || text[i + 1] != '\n') {
      out += '\n';
    }
  }
  return out;
}

/// A warning at the first line that changes, with the number of places.
std::string mended(const std::string& text, LoadFindings& findings) {
  std::size_t count = 0;
  std::string valid = valid_utf8(text, &count);
  if (count == 0) return valid;
  const auto first = std::mismatch(text.begin(), text.end(), valid.begin(), valid.end()).second - valid.begin();
  const auto at = static_cast<std::uint32_t>(first);
  findings.warning({0, at, at + 3}, say_count("file.utf8", static_cast<std::int64_t>(count)), say("file.utf8.hint"));
  return valid;
}

}  // namespace

bool is_tensor_file(std::string_view name) { return name.ends_with(".safetensors"); }

LessonName lesson_name(std::string_view path) {
  LessonName name;
  if (path == "<stdin>") return {std::nullopt, "stdin", ""};
  std::string_view stem = path.substr(path.rfind('/') + 1);
  if (stem.ends_with(".md")) stem.remove_suffix(3);
  const std::size_t dot = stem.rfind('.');
  if (dot != std::string_view::npos && dot > 0 && stem.size() - dot <= 6) {
    name.language = stem.substr(dot + 1);
    stem = stem.substr(0, dot);
  }
  const std::size_t digits = std::min(stem.find_first_not_of("0123456789"), stem.size());
  if (digits > 0 && digits < 5 && stem.substr(digits).starts_with('-')) {
    std::from_chars(stem.data(), stem.data() + digits, name.number.emplace());
    stem.remove_prefix(digits + 1);
  }
  name.id = stem;
  return name;
}

Source clean_source(std::string path, std::string_view text, LoadFindings& findings) {
  Source source{std::move(path), {}, 1};
  if (text.size() > static_cast<std::size_t>(kMaxLessonSize)) {
    findings.error({},
                   say("file.size", {{"size", std::to_string(text.size())}, {"most", std::to_string(kMaxLessonSize)}}));
    return source;
  }
  if (marks_utf16(text)) {
    findings.error({}, say("file.utf16"), say("file.utf16.hint"));
    return source;
  }
  source.text = mended(line_feeds_only(without_byte_order_mark(text)), findings);
  return source;
}

Lesson load_lesson(std::string path, std::string_view text, LoadFindings& findings, const LoadOptions& options) {
  Lesson lesson;
  LessonName name = lesson_name(path);
  lesson.number = name.number.value_or(0);
  lesson.id = std::move(name.id);
  lesson.language = std::move(name.language);
  lesson.path = path;
  const std::size_t before = findings.diagnostics.size();
  lesson.source = clean_source(std::move(path), text, findings);
  const bool refused = lesson.source.text.empty() && findings.diagnostics.size() > before;
  if (refused || nested_too_deeply(lesson.source, findings)) return lesson;
  lesson.blocks = read_markdown(lesson.source, options.lesson_exists, findings);
  find_title(lesson, findings);
  read_data_files(lesson, options, findings);
  parse_cells(lesson);
  check_cells(lesson, findings);
  std::stable_sort(findings.diagnostics.begin() + static_cast<std::ptrdiff_t>(before), findings.diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.span.begin < b.span.begin; });
  return lesson;
}

}  // namespace attn
