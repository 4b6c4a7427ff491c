// The transcript of a session: the lesson as a whole, then what the learner did.
#include "base/letters.h"
#include "base/text.h"
#include "render/formats.h"
#include "stepper/change.h"
#include "stepper/record.h"
#include "stepper/show.h"
#include "stepper/steps.h"

namespace attn {
namespace {

constexpr std::string_view kText = ".txt";

}  // namespace

void export_typed(State& state, std::string_view typed) {
  std::string path(trim(typed));
  if (path.empty()) path = state.options.export_name + std::string(kText);
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  const bool has_extension = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  const Format* format = has_extension ? format_of_file(path) : nullptr;
  if (!format) {
    state.asked = Asked::Export;
    return tell(state, "export.formats", {{"list", format_extensions()}});
  }
  Trace trace = trace_of(state);
  trace.session = session_record(state);
  WriteFile file{path, format->render(trace, state.options.transcript), false};
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
