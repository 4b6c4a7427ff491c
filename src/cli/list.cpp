// attn-tutor list, and attn-tutor alone: the lessons, how far one has come, and on a terminal the way into one.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "cli/session.h"
#include "engine/outline.h"
#include "explain/messages.h"
#include "stepper/state_folder.h"
#include "stepper/terminal.h"

namespace attn {
namespace {

struct Row {
  CatalogueEntry entry;
  int steps = 0;
  std::string summary;
  Progress progress;
  int seen() const { return std::min(steps_then(), static_cast<int>(progress.seen.size())); }
  int steps_then() const { return progress.steps > 0 ? progress.steps : steps; }
};

std::vector<Row> read_rows(const Request& request) {
  // Lessons of a folder are files of somebody, without progress of their own in this list.
  const StateFolder folder = request.lessons.empty() ? StateFolder::of_user() : StateFolder("");
  const Catalogue catalogue = open_catalogue(request);
  std::vector<Row> rows;
  for (const CatalogueEntry& entry : catalogue.entries()) {
    LoadFindings findings;
    const Lesson lesson = catalogue.open(entry, findings);
    std::string notice;
    rows.push_back({entry, count_statements(lesson), lesson.summary, folder.load(entry.id, notice)});
    if (!notice.empty() && !request.quiet) report(notice);
  }
  return rows;
}

std::string count_text(const Row& row) {
  if (row.progress.finished) return say("list.done");
  if (!row.progress.empty())
    return say("list.begun", {{"seen", std::to_string(row.seen())}, {"steps", std::to_string(row.steps_then())}});
  return say("list.steps", {{"steps", std::to_string(row.steps)}});
}

std::string text_of(const std::vector<Row>& rows, const RenderOptions& options) {
  std::string text;
  for (const Row& row : rows) {
    const std::string count = count_text(row);
    const int title_width = std::max(10, options.width - 6 - display_width(count) - 2);
    text += pad_left(std::to_string(row.entry.number), 3) + "  " +
            pad_right(elide(visible(row.entry.title), title_width, options.ascii), title_width) + " " + count + "\n";
  }
  return text;
}

nlohmann::json json_of(const std::vector<Row>& rows) {
  nlohmann::json all = nlohmann::json::array();
  for (const Row& row : rows) {
    all.push_back({{"number", row.entry.number},
                   {"id", row.entry.id},
                   {"title", row.entry.title},
                   {"steps", row.steps},
                   {"seen", row.progress.empty() ? 0 : row.seen()},
                   {"finished", row.progress.finished},
                   {"summary", row.summary}});
  }
  return all;
}

// Where Enter leads: to the lesson that was open last, behind it when it is finished, else to the first.
const Row& proposed(const std::vector<Row>& rows) {
  const std::vector<std::string> saved = StateFolder::of_user().lessons();
  for (auto name = saved.rbegin(); name != saved.rend(); ++name) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].entry.id != *name) continue;
      return rows[i].progress.finished && i + 1 < rows.size() ? rows[i + 1] : rows[i];
    }
  }
  for (const Row& row : rows) {
    if (row.entry.number == 1) return row;
  }
  return rows.front();
}

// The lesson that the learner chooses; nothing when none.
std::optional<std::string> ask_for_lesson(const Row& proposal) {
  Terminal terminal(TerminalMode::Lines);
  const std::string number = std::to_string(proposal.entry.number);
  terminal.write("\n" + say(proposal.progress.empty() ? "list.start" : "list.resume", {{"number", number}}) + " ");
  while (true) {
    const TerminalEvent event = terminal.read();
    if (event.kind == TerminalEvent::Kind::Resize || event.kind == TerminalEvent::Kind::Resume) continue;
    const std::string typed(trim(event.line));
    if (event.kind != TerminalEvent::Kind::Line) terminal.write("\n");
    if (event.kind != TerminalEvent::Kind::Line || typed == "q" || typed == "quit") return std::nullopt;
    return typed.empty() ? number : typed;
  }
}

int choose_lesson(const std::vector<Row>& rows, const Request& request) {
  const std::optional<std::string> word = ask_for_lesson(proposed(rows));
  if (!word) return kFine;
  Request chosen = request;
  chosen.word = *word;
  int code = kFine;
  const std::optional<Lesson> lesson = open_lesson(chosen, code);
  return lesson ? run_session(*lesson, chosen) : code;
}

int run(const Request& request) {
  const std::vector<Row> rows = read_rows(request);
  if (request.json) {
    write_out(json_of(rows).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    return kFine;
  }
  write_out(text_of(rows, render_options(request)));
  if (request.bare && !rows.empty() && wants_session(request)) return choose_lesson(rows, request);
  if (!request.quiet) write_out("\n" + say("list.hint") + "\n");
  return kFine;
}

}  // namespace

const Command kListCommand = {"list", "The lessons, with their titles, their steps and how far you have come.",
                              kTakesView | kTakesCatalogue | kTakesJson, run, "attn-tutor list"};

}  // namespace attn
