// The transcript of a session: the lesson as a whole, then what the learner did.
#include "base/letters.h"
#include "base/text.h"
#include "render/formats.h"
#include "render/html_text.h"
#include "stepper/change.h"
#include "stepper/show.h"
#include "stepper/steps.h"

namespace attn {
namespace {

constexpr std::string_view kText = ".txt";

std::string extensions() {
  std::string list;
  for (const Format& format : all_formats()) list += (list.empty() ? "" : ", ") + std::string(format.extension);
  return list;
}

/// What the learner did, where the format has a place for it: behind the lesson.
std::string with_session(const State& state, const Format& format, std::string text) {
  if (format.extension == kText) return text + "\n" + session_record(state);
  if (format.name == "md") return text + "\n```text\n" + session_record(state) + "```\n";
  if (format.name == "html") text.insert(text.rfind("</main>"), html_block(session_record(state), "printed"));
  return text;
}

}  // namespace

void export_typed(State& state, std::string_view typed) {
  std::string path(trim(typed));
  if (path.empty()) path = state.options.export_name + std::string(kText);
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  const bool has_extension = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  if (!has_extension) path += kText;
  const Format* format = format_of_file(path);
  if (!format) return tell(state, "export.formats", {{"list", extensions()}});
  RenderOptions options;
  options.ascii = state.options.render.ascii;
  WriteFile file{path, with_session(state, *format, format->render(trace_of(state), options)), false};
  state.unwritten = file;
  state.actions.emplace_back(std::move(file));
}

void replace_typed(State& state, std::string_view typed) {
  const std::string word = lower_case(trim(typed));
  if (!state.unwritten || (word != "y" && word != "yes")) {
    state.unwritten.reset();
    return tell(state, "export.not");
  }
  WriteFile file = *state.unwritten;
  file.replace = true;
  state.actions.emplace_back(std::move(file));
}

}  // namespace attn
