// py: a script that runs under PyTorch and checks every shape.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "render/code/python_code.h"
#include "render/formats.h"
#include "render/lesson_map.h"
#include "render/prose.h"
#include "render/run_note.h"
#include "render/session.h"

namespace attn {
namespace {

constexpr int kCommentWidth = 100;

std::string comment(const Prose& prose) {
  Page page(RenderOptions{kCommentWidth - 2, false, false});
  put_prose(page, prose);
  std::string out;
  const std::string text = page.text();
  for (const std::string_view line : split_lines(text)) out += line.empty() ? "#\n" : fmt::format("# {}\n", line);
  return out;
}

/// assert tuple(x.shape) == (3, 5): of one axis (3,).
std::string assertion(const Trace& trace, const Binding& binding) {
  const Shape& shape = trace.value(binding.value).shape;
  std::string sizes;
  for (std::size_t i = 0; i < shape.size(); ++i) sizes += fmt::format("{}{}", i ? ", " : "", shape[i]);
  if (shape.size() == 1) sizes += ",";
  return fmt::format("assert tuple({}.shape) == ({})", binding.target, sizes);
}

}  // namespace

std::string render_python(const Trace& trace, const RenderOptions&) {
  std::string title = visible(trace.title);
  std::replace(title.begin(), title.end(), '\n', ' ');  // what follows would be code
  std::string out = fmt::format("# {}: {}\n", kTranscriptMark, title);
  for (const Prose& note : run_notes(trace)) out += comment(note);
  if (const std::string first = code_before_cells(trace); !first.empty()) out += "\n" + first;
  for (const TraceBlock& block : trace.blocks) {
    out += '\n';
    if (const CellRecord* cell = std::get_if<CellRecord>(&block))
      out += cell_code(trace, *cell, [&](StepId, const Binding& binding) { return assertion(trace, binding); });
    else out += comment(with_map(trace, std::get<Prose>(block), {}));
  }
  if (!trace.session) return out;
  for (const Prose& block : session_prose(*trace.session)) out += "\n" + comment(block);
  return out;
}

}  // namespace attn
