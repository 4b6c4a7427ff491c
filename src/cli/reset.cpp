// attn-tutor reset: forgets progress.
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "stepper/state_folder.h"
#include "stepper/terminal.h"
#include "text/say.h"

namespace attn {
namespace {

// What the progress of LESSON is kept under: its id, or for a file whatever it was opened as.
std::string name_of(const Request& request) {
  LoadFindings findings;
  return progress_name(open_catalogue(request).open(request.word, findings), request.word);
}

bool is_confirmed(const std::string& what) {
  Terminal terminal(TerminalMode::Lines);
  terminal.write(say("reset.ask", {{"what", what}}) + " ");
  TerminalEvent event = terminal.read();
  while (event.kind == TerminalEvent::Kind::Resize || event.kind == TerminalEvent::Kind::Resume)
    event = terminal.read();
  if (event.kind != TerminalEvent::Kind::Line) terminal.write("\n");
  const std::string_view typed = trim(event.line);
  return event.kind == TerminalEvent::Kind::Line && (typed == "y" || typed == "yes");
}

int run_reset(const Request& request) {
  if (request.all == !request.word.empty()) throw UserError(say("reset.what"), "attn-tutor reset 3");
  const StateFolder folder = StateFolder::of_user();
  const std::string name = request.all ? "" : name_of(request);
  const std::size_t kept = request.all ? folder.files().size() : folder.keeps(name);
  if (kept == 0) {
    if (!request.quiet) write_out(say("reset.nothing") + "\n");
    return kFine;
  }
  const std::string what = request.all ? say_count("reset.lessons", static_cast<std::int64_t>(kept)) : visible(name);
  if (!request.yes) {
    const bool can_ask = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !request.no_input;
    if (!can_ask) throw UserError(say("reset.yes", {{"what", what}}));
    if (!is_confirmed(what)) return kFine;
  }
  if (const std::string error = request.all ? folder.forget_all() : folder.forget(name); !error.empty())
    throw UserError(error, {}, UserError::Fault::Output);
  if (!request.quiet) write_out(say("reset.done", {{"what", what}}) + "\n");
  return kFine;
}

}  // namespace

const Command kResetCommand = {"reset", "Deletes your progress in a lesson, or with --all in all of them.",
                               kTakesReset | kTakesCatalogue, run_reset, "attn-tutor reset 3"};

}  // namespace attn
