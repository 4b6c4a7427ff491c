// ipynb: a notebook (nbformat 4.5) that runs from top to bottom under PyTorch, with the outputs that it will have.
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/long_text.h"
#include "base/text.h"
#include "render/code/python_code.h"
#include "render/formats.h"
#include "render/lesson_map.h"
#include "render/markdown/markdown.h"
#include "render/markdown_prose.h"
#include "render/plain.h"
#include "render/run_note.h"
#include "render/session.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

/// A text as the list of its lines, each with its line feed: what Jupyter writes. One of millions of lines is one
/// text, which notebooks may have, too.
Json lines_of(std::string_view text) {
  constexpr std::size_t kLong = std::size_t{4} << 20;
  if (text.size() > kLong) return std::string(text);
  Json lines = Json::array();
  LongTextLook look;
  while (!text.empty()) {
    look();
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(std::string(text.substr(0, end)));
    text.remove_prefix(end);
  }
  return lines;
}

/// Without the line feed that ends it.
std::string_view cell_source(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

Json stream(const std::string& text) {
  return {{"output_type", "stream"}, {"name", "stdout"}, {"text", lines_of(visible(text))}};
}

Json result(const std::string& text, int count) {
  return {{"output_type", "execute_result"},
          {"metadata", Json::object()},
          {"data", {{"text/plain", lines_of(visible(text))}}},
          {"execution_count", count}};
}

class NotebookWriter {
 public:
  NotebookWriter(const Trace& trace, bool has_outputs) : trace_(trace), has_outputs_(has_outputs) {}

  std::string write() {
    if (const std::string code = code_before_cells(trace_); !code.empty()) put_code("before", code, true);
    for (const TraceBlock& block : trace_.blocks) {
      if (const CellRecord* cell = std::get_if<CellRecord>(&block)) put(*cell);
      else prose_.push_back(with_map(trace_, std::get<Prose>(block), {}));
      if (&block != &trace_.blocks.front()) continue;
      for (Prose& note : run_notes(trace_)) prose_.push_back(std::move(note));
    }
    if (trace_.session)
      for (Prose& block : session_prose(*trace_.session)) prose_.push_back(std::move(block));
    put_markdown("");
    const Json language = {{"name", "python"}},
               mark = {{"format", kTranscriptMark}, {"lesson", visible(trace_.lesson_id)}};
    Json notebook = {{"cells", Json::array()},
                     {"metadata",
                      {{"kernelspec", {{"display_name", "Python 3"}, {"language", "python"}, {"name", "python3"}}},
                       {"language_info", language},
                       {"title", visible(trace_.title)},
                       {"attn_tutor", mark}}},
                     {"nbformat", 4},
                     {"nbformat_minor", 5}};
    notebook["cells"] = std::move(cells_);  // last: members that are there are copied when there are more
    return json_dump(notebook, 1, false) + "\n";
  }

 private:
  /// The prose so far, and `more` after it, as one cell.
  void put_markdown(const std::string& more) {
    std::string text = markdown_prose(prose_);
    prose_.clear();
    if (!text.empty() && !more.empty()) text += "\n";
    text += more;
    if (text.empty()) return;
    cells_.push_back({{"cell_type", "markdown"},
                      {"id", "text-" + std::to_string(++texts_)},
                      {"metadata", Json::object()},
                      {"source", lines_of(cell_source(text))}});
  }

  Json& put_code(const std::string& id, const std::string& code, bool hidden) {
    Json metadata = Json::object();
    if (hidden) metadata["jupyter"] = {{"source_hidden", true}};
    cells_.push_back({{"cell_type", "code"},
                      {"id", id},
                      {"metadata", metadata},
                      {"execution_count", has_outputs_ ? Json(++count_) : Json()},
                      {"outputs", Json::array()},
                      {"source", lines_of(cell_source(code))}});
    return cells_.back();
  }

  void put(const CellRecord& cell) {
    // The question and the answer are in cells of their own, and what tells the answer is folded.
    put_markdown("");
    put_markdown(markdown_question(cell));
    const bool is_written = cell.question && cell.question->kind == Predict::None;
    const bool hidden = is_written || (cell.options.hidden && !cell.failed);
    Json& code = put_code("cell-" + std::to_string(cell.ordinal), cell_code(trace_, cell), hidden);
    if (has_outputs_) put_outputs(cell, code);
    if (cell.question) code["metadata"]["jupyter"]["outputs_hidden"] = true;
    // Whether it raises an error is asked, and not told by where the notebook stops.
    const bool is_asked = cell.options.predict == Predict::Raises || cell.options.predict == Predict::Effect;
    if (!cell.question && is_asked) code["metadata"]["tags"] = {"raises-exception"};
    const std::string comparison = markdown_comparison(trace_, cell);
    put_markdown(cell.question ? markdown_answers(trace_, cell, comparison) : comparison);
  }

  void put_outputs(const CellRecord& cell, Json& code) {
    const CellOutput output = cell_output(trace_, cell);
    if (!output.printed.empty()) code["outputs"].push_back(stream(output.printed));
    if (cell.failed) put_error(cell, code);
    else if (output.result >= 0) code["outputs"].push_back(result(value_repr(trace_.value(output.result)), count_));
  }

  void put_error(const CellRecord& cell, Json& code) {
    if (cell.diagnostic < 0) return;
    const Diagnostic& error = trace_.diagnostics.at(static_cast<std::size_t>(cell.diagnostic));
    const std::string type = visible(cell.raised), message = visible(error.message);
    code["outputs"].push_back({{"output_type", "error"},
                               {"ename", type},
                               {"evalue", message},
                               {"traceback", {(type.empty() ? "" : type + ": ") + message}}});
  }

  const Trace& trace_;
  bool has_outputs_;
  Json cells_ = Json::array();
  std::vector<Prose> prose_;  // that is not written yet
  int texts_ = 0;
  int count_ = 0;
};

}  // namespace

std::string render_notebook(const Trace& trace, const RenderOptions& options) {
  return NotebookWriter(trace, options.outputs).write();
}

}  // namespace attn
