#include "lesson/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/limits.h"
#include "base/text.h"
#include "lesson/load.h"
#include "lesson/markdown.h"
#include "text/say.h"

namespace attn {
namespace {

using nlohmann::json;

constexpr int kMaxJsonDepth = 100;

struct TooDeep {};

/// Keeps what is needed: pictures and other rich outputs are dropped while reading. (A callback of json::parse() would
/// do so, too, but looks through all of a list after each object in it.)
class NotebookTree : public nlohmann::detail::json_sax_dom_parser<json> {
  using Tree = nlohmann::detail::json_sax_dom_parser<json>;

 public:
  using Tree::Tree;

  bool start_object(std::size_t size) { return enter(), Tree::start_object(size); }
  bool start_array(std::size_t size) { return enter(), Tree::start_array(size); }
  bool end_object() { return --depth_, Tree::end_object(); }
  bool end_array() { return --depth_, Tree::end_array(); }
  bool key(std::string& name) {
    is_rich_ = name.starts_with("image/") || name == "text/html" || name == "application/javascript";
    return Tree::key(name);
  }
  bool string(std::string& text) {
    look();
    if (is_rich_) text.clear();
    return Tree::string(text);
  }

 private:
  void enter() {
    look();
    if (depth_++ == kMaxJsonDepth) throw TooDeep{};
  }

  int depth_ = 0;
  bool is_rich_ = false;
};

json parse_notebook(const std::string& text) {
  json notebook;
  NotebookTree tree(notebook);
  json::sax_parse(without_lone_surrogates(text), &tree);
  return notebook;
}

// A text in a notebook is a string or a list of strings.
std::string joined(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string out;
  if (!value.is_array()) return out;
  for (const json& part : value) {
    if (part.is_string()) out += part.get_ref<const std::string&>();
  }
  return out;
}

bool is_text(const json& value) {
  const auto is_string = [](const json& part) { return part.is_string(); };
  return value.is_string() || (value.is_array() && std::all_of(value.begin(), value.end(), is_string));
}

const json& member(const json& object, const char* name) {
  static const json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(name);
  return found == object.end() ? kNothing : *found;
}

// What the cell printed and, last, the value it showed, as plain text.
std::string recorded_output(const json& outputs) {
  std::string printed, result;
  if (!outputs.is_array()) return printed;
  for (const json& output : outputs) {
    const std::string kind = joined(member(output, "output_type"));
    if (kind == "stream" && joined(member(output, "name")) == "stdout") printed += joined(member(output, "text"));
    if (kind == "execute_result") result = joined(member(member(output, "data"), "text/plain"));
  }
  if (!result.empty()) printed += result + "\n";
  return printed;
}

// Prose of a notebook stands as it is: no cell is made of it, and no {{ }} is evaluated.
void keep_as_prose(LessonBlock& block) {
  if (const Cell* cell = std::get_if<Cell>(&block)) {
    Prose code;
    code.kind = Prose::Kind::Code;
    code.text = cell->written;
    code.language = "python";
    block = std::move(code);
  }
  Prose& prose = std::get<Prose>(block);
  const auto plain = [](Runs& runs) {
    for (Run& run : runs) {
      if (run.kind != Run::Kind::Expression) continue;
      run.kind = Run::Kind::Text;
      run.text = "{{ " + run.text + " }}";
    }
  };
  plain(prose.runs);
  for (auto& row : prose.rows) {
    for (Runs& runs : row) plain(runs);
  }
}

void add_prose(Lesson& lesson, const std::string& markdown) {
  LoadFindings ignored;  // what a lesson would be told of is no business of a notebook
  const Source source = clean_source(lesson.path, markdown, ignored);
  for (LessonBlock& block : read_markdown(source, {}, ignored)) {
    keep_as_prose(block);
    lesson.blocks.push_back(std::move(block));
  }
}

void add_cell(Lesson& lesson, std::string name, std::string code, std::string recorded) {
  Cell cell;
  cell.ordinal = static_cast<int>(cells(lesson).size()) + 1;
  cell.written = code;
  cell.source = {std::move(name), std::move(code)};
  cell.recorded = std::move(recorded);
  lesson.blocks.push_back(std::move(cell));
}

void read_cells(Lesson& lesson, const json& notebook, LoadFindings& findings) {
  const json& list = member(notebook, "cells");
  if (!list.is_array()) return findings.error({}, say("notebook.form"), say("notebook.form.hint"));
  int number = 0;
  for (const json& cell : list) {
    const std::string kind = joined(member(cell, "cell_type"));
    const json& source = member(cell, "source");
    std::string text = valid_utf8(joined(source));
    if (kind == "markdown") {
      add_prose(lesson, text);
    } else if (kind == "code") {
      ++number;
      if (!is_text(source) && !source.is_null())
        return findings.error({}, say("notebook.source", {{"number", std::to_string(number)}}));
      if (trim(text).empty()) continue;
      add_cell(lesson, fmt::format("{} [cell {}]", lesson.path, number), std::move(text),
               recorded_output(member(cell, "outputs")));
    }
  }
  if (number == 0) findings.error({}, say("notebook.empty"));
}

void load_notebook(Lesson& lesson, const std::string& text, LoadFindings& findings) {
  if (marks_utf16(text)) return findings.error({}, say("file.utf16"), say("file.utf16.hint"));
  try {
    const json notebook = parse_notebook(text);
    const std::string language = joined(member(member(member(notebook, "metadata"), "kernelspec"), "language"));
    if (!language.empty() && language != "python")
      return findings.error({}, say("notebook.language", {{"language", language}}));
    read_cells(lesson, notebook, findings);
  } catch (const TooDeep&) {
    findings.error({}, say("json.nested", {{"most", std::to_string(kMaxJsonDepth)}}));
  } catch (const json::parse_error& error) {
    const auto at = static_cast<std::uint32_t>(std::min(error.byte > 0 ? error.byte - 1 : 0, text.size()));
    lesson.source = {lesson.path, text};
    findings.error({0, at, at + 1}, say("json.stops"), say("notebook.json.hint"));
  } catch (const json::out_of_range&) {
    findings.error({}, say("notebook.number"));
  }
}

bool has_fence_words(const CellOptions& options) {
  return options.parameters || options.hidden || options.asks() || !options.raises.empty() || !options.wrong.empty() ||
         !options.data.empty();
}

void load_markdown(Lesson& lesson, const std::string& text, LoadFindings& findings) {
  lesson.source = clean_source(lesson.path, text, findings);
  LoadFindings ignored;  // other tools put words of their own on a fence
  lesson.blocks = read_markdown(lesson.source, {}, ignored);
  if (cells(lesson).empty()) findings.error({}, say("script.no_code"), say("cell.form"));
}

void title_from_prose(Lesson& lesson) {
  for (const LessonBlock& block : lesson.blocks) {
    const Prose* prose = std::get_if<Prose>(&block);
    if (!prose || prose->kind != Prose::Kind::Heading || !lesson.title.empty()) continue;
    lesson.title = plain_text(prose->runs);
  }
  if (lesson.title.empty()) lesson.title = lesson.path.substr(lesson.path.rfind('/') + 1);
}

// ---- halves of characters in JSON ----

constexpr std::size_t kEscape = 6;  // "\ud83d"

/// The number of an escape \uXXXX that begins there; -1: there is none.
int escaped_unit(std::string_view text, std::size_t at) {
  const std::string_view escape = text.substr(std::min(at, text.size()), kEscape);
  if (escape.size() < kEscape || !escape.starts_with("\\u")) return -1;
  int unit = -1;
  const auto read = std::from_chars(escape.data() + 2, escape.data() + kEscape, unit, 16);
  return read.ptr == escape.data() + kEscape && unit >= 0 ? unit : -1;
}

bool is_first_half(int unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool is_second_half(int unit) { return unit >= 0xdc00 && unit < 0xe000; }

}  // namespace

bool is_program_name(std::string_view path) { return path.ends_with(".ipynb") || path.ends_with(".py"); }

bool has_lesson_form(const std::string& path, std::string_view text) {
  if (lesson_name(path).number) return true;
  LoadFindings ignored;
  const std::vector<LessonBlock> blocks = read_markdown(clean_source(path, text, ignored), {}, ignored);
  return std::any_of(blocks.begin(), blocks.end(), [](const LessonBlock& block) {
    const Cell* cell = std::get_if<Cell>(&block);
    return cell ? has_fence_words(cell->options) : count_expressions(std::get<Prose>(block)) > 0;
  });
}

Lesson load_program(const std::string& path, const std::string& text, LoadFindings& findings) {
  Lesson lesson;
  lesson.path = path;
  lesson.id = path.substr(path.rfind('/') + 1);
  lesson.form = path.ends_with(".py") ? LessonForm::Script : LessonForm::Notebook;
  lesson.source = {path, ""};
  if (path.ends_with(".md")) {
    load_markdown(lesson, text, findings);
  } else if (lesson.form == LessonForm::Notebook) {
    load_notebook(lesson, text, findings);
  } else {
    const Source source = clean_source(path, text, findings);
    if (trim(source.text).empty()) findings.error({}, say("script.empty"));
    if (text.find('\0') != text.npos) findings.error({}, say("script.null"));
    add_cell(lesson, path, source.text, "");
  }
  title_from_prose(lesson);
  parse_cells(lesson);
  return lesson;
}

std::string without_lone_surrogates(std::string text) {
  for (std::size_t at = 0; (at = text.find('\\', at)) != std::string::npos;) {
    const int unit = escaped_unit(text, at);
    if (unit < 0) {
      at += 2;  // of "\\" the second one begins no escape
    } else if (is_first_half(unit) && is_second_half(escaped_unit(text, at + kEscape))) {
      at += 2 * kEscape;
    } else {
      if (is_first_half(unit) || is_second_half(unit)) text.replace(at, kEscape, "\\ufffd");
      at += kEscape;
    }
  }
  return text;
}

}  // namespace attn
