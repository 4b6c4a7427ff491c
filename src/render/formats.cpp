#include "render/formats.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "render/markdown_prose.h"
#include "render/prose.h"
#include "render/session.h"
#include "render/text.h"
#include "text/say.h"

namespace attn {

// Each in its file.
std::string render_plain_text(const Trace& trace, const RenderOptions& options);
std::string render_markdown(const Trace& trace, const RenderOptions& options);
std::string render_html(const Trace& trace, const RenderOptions& options);
std::string render_html_index(const std::vector<IndexEntry>& entries);
std::string render_json(const Trace& trace, const RenderOptions& options);
std::string render_notebook(const Trace& trace, const RenderOptions& options);
std::string render_python(const Trace& trace, const RenderOptions& options);
std::string render_safetensors(const Trace& trace, const RenderOptions& options);
std::string render_csv(const Trace& trace, const RenderOptions& options);

std::span<const Format> all_formats() {
  static constexpr Format kFormats[] = {
      {"txt", ".txt", "\nattn-tutor transcript\n", "plain text, as on a terminal", render_plain_text, Questions::Read},
      {"md", ".md", "<!-- attn-tutor transcript -->\n", "Markdown, to be read on GitHub", render_markdown,
       Questions::Read},
      {"html", ".html", "<meta name=\"generator\" content=\"attn-tutor transcript\">",
       "a page of its own that opens from disk, with steps, heatmaps and predictions", render_html, Questions::Read,
       ".html", render_html_index},
      {"json", ".json", "{\n\"format\": \"attn-tutor transcript\"",
       "the record of the run, with all numbers (docs/trace.schema.json)", render_json},
      {"ipynb", ".ipynb", "  \"format\": \"attn-tutor transcript\"",
       "a notebook for Jupyter with PyTorch, with its outputs", render_notebook, Questions::Run},
      {"py", ".py", "# attn-tutor transcript: ", "a script for PyTorch that checks every shape", render_python},
      {"safetensors", ".safetensors", "{\"__metadata__\":{\"format\":\"attn-tutor transcript\"",
       "the tensors that have a name at the end", render_safetensors},
      {"csv", ".csv", ",attn-tutor transcript\n",
       "a table for spreadsheets: every tensor, its axes, what its step cost", render_csv},
  };
  return kFormats;
}

const Format* find_format(std::string_view name) {
  const auto formats = all_formats();
  const auto row = std::find_if(formats.begin(), formats.end(), [&](const Format& f) { return f.name == name; });
  return row == formats.end() ? nullptr : &*row;
}

const Format* format_of_file(std::string_view path) {
  const auto formats = all_formats();
  const auto row =
      std::find_if(formats.begin(), formats.end(), [&](const Format& f) { return path.ends_with(f.extension); });
  return row == formats.end() ? nullptr : &*row;
}

std::string format_names() {
  std::vector<std::string> names;
  for (const Format& format : all_formats()) names.emplace_back(format.name);
  return join(names, ", ");
}

std::string question_format_names() {
  std::vector<std::string> names;
  for (const Format& format : all_formats())
    if (format.questions != Questions::None) names.emplace_back(format.name);
  return join(names, ", ");
}

std::string format_extensions() {
  std::vector<std::string> extensions;
  for (const Format& format : all_formats()) extensions.emplace_back(format.extension);
  return join(extensions, ", ");
}

bool has_transcript_mark(std::string_view bytes) {
  const auto formats = all_formats();
  return std::any_of(formats.begin(), formats.end(),
                     [&](const Format& format) { return bytes.find(format.mark) != std::string_view::npos; });
}

std::string render_index(const std::vector<IndexEntry>& entries) {
  std::string out = fmt::format("<!-- {} -->\n\n# {}\n\n", kTranscriptMark, say("list.title"));
  for (const IndexEntry& entry : entries)
    out += fmt::format("- {}[{}](<{}>)\n", entry.number ? std::to_string(*entry.number) + " " : "",
                       markdown_text(entry.title), visible(entry.file));
  return out;
}

std::string render_plain_text(const Trace& trace, const RenderOptions& options) {
  RenderOptions plain = options;
  plain.color = false;
  std::string out = render_text(trace, plain);
  if (trace.session) {
    Page page(plain);
    put_prose(page, session_prose(*trace.session));
    out += "\n\n" + page.text();
  }
  return out + "\n" + std::string(kTranscriptMark) + "\n";
}

}  // namespace attn
