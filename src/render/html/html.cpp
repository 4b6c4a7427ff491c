// html: a page of its own that loads nothing. Without its script it is a plain document; the script adds steps,
// predictions and slices (data/page/), and is allowed by its hash alone.
#include <fmt/format.h>

#include "base/embedded.h"
#include "base/sha256.h"
#include "base/text.h"
#include "explain/wording.h"
#include "render/formats.h"
#include "render/html/data.h"
#include "render/html/map.h"
#include "render/html/question.h"
#include "render/html/steps.h"
#include "render/html/text.h"
#include "render/lesson_map.h"
#include "render/run_note.h"
#include "render/session.h"
#include "render/text.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr int kLowestHeading = 3;  // in the table of contents

std::string_view embedded(std::string_view path) {
  for (const EmbeddedFile& file : embedded_files())
    if (file.path == path) return file.bytes;
  return {};
}

/// The parts of the script, in order: one script element.
constexpr const char* kScripts[] = {"page",    "numbers",     "tables", "arithmetic",
                                    "answers", "predictions", "keys",   "steps"};

/// Without the lines that are there for its readers.
std::string page_script() {
  std::string out;
  for (const char* part : kScripts) {
    for (const std::string_view line : split_lines(embedded(fmt::format("data/page/{}.js", part)))) {
      const std::string_view code = trim(line);
      if (!code.empty() && !code.starts_with("//")) out += std::string(code) + "\n";
    }
  }
  return out;
}

class PageWriter {
 public:
  PageWriter(const Trace& trace, const RenderOptions& options)
      : trace_(trace), index_(trace), calls_(trace, index_, options.every_call), page_{trace, index_, options} {
    page_.options.color = false;
  }

  std::string write() {
    for (const Prose& note : run_notes(trace_)) add(note);
    for (std::size_t i = starts_with_title(trace_) ? 1 : 0; i < trace_.blocks.size(); ++i) {
      if (const CellRecord* cell = std::get_if<CellRecord>(&trace_.blocks[i])) put(*cell);
      else if (is_drawn_map(trace_, std::get<Prose>(trace_.blocks[i]))) put_map_here();
      else add(std::get<Prose>(trace_.blocks[i]));
    }
    put_prose();
    for (std::size_t i = 0; i < trace_.diagnostics.size(); ++i)
      if (!index_.told.contains(static_cast<int>(i))) body_ += html_error(page_, static_cast<int>(i));
    if (trace_.session)
      for (const Prose& block : session_prose(*trace_.session)) add(block);
    put_prose();
    body_.insert(map_at_, html_map(trace_, [&](StepId step) { return anchor_of(step); }));
    return whole();
  }

 private:
  void add(const Prose& prose) {
    prose_.push_back(prose);
    if (prose.kind == Prose::Kind::Heading && prose.level <= kLowestHeading)
      contents_ += fmt::format("<li class=\"h{}\"><a href=\"#{}\">{}</a></li>\n", prose.level, heading_id(prose),
                               html_text(plain_text(prose.runs)));
  }

  /// It is drawn when the page is known that its boxes lead to.
  void put_map_here() {
    put_prose();
    map_at_ = body_.size();
  }

  /// Of a step that the page does not show, the call that it belongs to, or its cell.
  std::string anchor_of(StepId step) const {
    const auto is_there = [&](const std::string& id) { return body_.find(" id=\"" + id + "\"") != std::string::npos; };
    std::string id;
    for (StepId up = step; up >= 0; up = trace_.step(up).parent) {
      const auto number = index_.numbers.find(up);
      if (number == index_.numbers.end()) continue;
      if (id = fmt::format("step-{}", number->second); is_there(id)) return id;
    }
    id = fmt::format("cell-{}", trace_.step(step).cell);
    return is_there(id) ? id : "";
  }

  void put_prose() {
    body_ += html_prose(prose_);
    prose_.clear();
  }

  void put(const CellRecord& cell) {
    put_prose();
    const std::string code = html_block(trace_.sources.at(cell.source).text, "code", true);
    if (cell.options.hidden && !cell.failed) {
      body_ += html_folded("hidden", say("markdown.hidden"), code, fmt::format(" id=\"cell-{}\"", cell.ordinal));
      return;
    }
    const bool is_bug = !cell.options.wrong.empty();
    body_ += fmt::format("<section class=\"cell{}\" id=\"cell-{}\" aria-label=\"{}\">\n", is_bug ? " bug" : "",
                         cell.ordinal, html_text(say("page.code", {{"cell", std::to_string(cell.ordinal)}})));
    const bool is_written = cell.question && cell.question->kind == Predict::None;
    if (cell.question) body_ += html_question(*cell.question);
    if (!is_written) body_ += code;
    const std::string shown = html_steps(page_, calls_, cell) + comparison(cell);
    body_ += cell.question ? html_answer(trace_, cell, (is_written ? code : "") + shown) : shown;
    body_ += "</section>\n";
  }

  std::string comparison(const CellRecord& cell) {
    if (!cell.comparison) return {};
    // The answer will say it.
    if (cell.comparison->effect == Effect::Raises && cell.question && cell.question->kind == Predict::Effect) return {};
    std::string out = "<p class=\"label\"><strong>" + say("label.compare") + "</strong></p>\n<ul class=\"compare\">\n";
    for (const std::string& line : comparison_text(trace_, *cell.comparison))
      out += "<li>" + html_text(line) + "</li>\n";
    return out + "</ul>\n";
  }

  std::string whole() const {
    const std::string_view style = embedded("data/page.css");
    const std::string script = page_script();
    const std::string title = html_text(trace_.title.empty() ? "attn-tutor" : title_text(trace_));
    const std::string policy = fmt::format(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        base64(sha256(style)), base64(sha256(script)));
    std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    out += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", policy);
    out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    out += "<meta name=\"color-scheme\" content=\"light dark\">\n";
    out += fmt::format("<meta name=\"generator\" content=\"{}\">\n<title>{}</title>\n", kTranscriptMark, title);
    out += fmt::format("<style>{}</style>\n</head>\n<body>\n<header><h1>{}</h1></header>\n", style, title);
    if (!contents_.empty())
      out += fmt::format(
          "<nav class=\"contents\" "
          "aria-label=\"{0}\"><details><summary>{0}</summary>\n<ul>\n{1}</ul></details></nav>\n",
          html_text(say("page.contents")), contents_);
    out += "<main>\n" + body_ + "</main>\n";
    out += "<footer><p>" + html_text(say("page.made")) + "</p></footer>\n";
    out += "<script type=\"application/json\" id=\"data\">" + html_data(page_) + "</script>\n";
    return out + fmt::format("<script>{}</script>\n</body>\n</html>\n", script);
  }

  const Trace& trace_;
  const TraceIndex index_;
  ShownCalls calls_;
  HtmlPage page_;
  std::vector<Prose> prose_;  // that is not written yet
  std::string body_, contents_;
  std::size_t map_at_ = 0;
};

}  // namespace

std::string render_html(const Trace& trace, const RenderOptions& options) { return PageWriter(trace, options).write(); }

namespace {

std::string minutes_text(const IndexEntry& entry) {
  if (entry.minutes == 0) return {};
  const std::string minutes = say("list.minutes", {{"minutes", std::to_string(entry.minutes)}});
  return " <span class=\"note\">" + html_text(minutes) + "</span>";
}

}  // namespace

std::string render_html_index(const std::vector<IndexEntry>& entries) {
  const std::string_view style = embedded("data/page.css");
  const std::string title = html_text(say("list.title"));
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{}'; base-uri "
      "'none'\">\n",
      base64(sha256(style)));
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += fmt::format("<meta name=\"generator\" content=\"{}\">\n<title>{}</title>\n<style>{}</style>\n</head>\n",
                     kTranscriptMark, title, style);
  out += fmt::format("<body>\n<header><h1>{}</h1></header>\n<main><ol class=\"lessons\">\n", title);
  for (const IndexEntry& entry : entries)
    out += fmt::format("<li{}><a href=\"{}\">{}</a>{}{}</li>\n",
                       entry.number ? fmt::format(" value=\"{}\"", *entry.number) : " class=\"plain\"",
                       html_text(entry.file), html_text(entry.title), minutes_text(entry),
                       entry.summary.empty() ? "" : "<p>" + html_text(entry.summary) + "</p>");
  return out + "</ol></main>\n</body>\n</html>\n";
}

}  // namespace attn
