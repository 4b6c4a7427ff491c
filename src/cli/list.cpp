// attn-tutor list, and attn-tutor alone: the lessons, how far one has come, and on a terminal the way into one.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/json_text.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "cli/session.h"
#include "render/page.h"
#include "stepper/key_table.h"
#include "stepper/state_folder.h"
#include "stepper/terminal.h"
#include "syntax/parser.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::string_view kTour = "tour", kFirstLesson = "1";

struct LessonRow {
  CatalogueEntry entry;
  std::string word;  // what one types to open it
  int steps = 0, minutes = 0;
  std::string summary;
  std::string problem;  // of a lesson that cannot be opened: what is wrong with it
  Progress progress;
  int seen() const { return std::min(steps_then(), static_cast<int>(progress.seen.size())); }
  int steps_then() const { return progress.steps > 0 ? progress.steps : steps; }
};

// "03-x.md:5:1: format: unknown word ..." without the drawing below it.
std::string first_line(const Diagnostic& diagnostic, const Source& source) {
  const std::string drawn = draw(diagnostic, source);
  return drawn.substr(0, drawn.find('\n'));
}

std::string problem_of(const Lesson& lesson, const LoadFindings& findings) {
  for (const Diagnostic& finding : findings.diagnostics) {
    if (finding.severity == Severity::Error) return first_line(finding, lesson.source);
  }
  const Cell* cell = unreadable_cell(lesson);
  return cell ? first_line(cell->tree->error->diagnostic(), cell->source) : "";
}

LessonRow read_row(const Catalogue& catalogue, const CatalogueEntry& entry, const StateFolder& folder,
                   const Request& request) {
  LessonRow row{entry, catalogue.word(entry), 0, 0, "", "", {}};
  try {
    LoadFindings findings;
    const Lesson lesson = catalogue.open(entry, findings);
    row.steps = count_statements(lesson);
    row.minutes = minutes_to_learn(lesson);
    row.summary = lesson.summary;
    row.problem = problem_of(lesson, findings);
    std::string notice;
    row.progress = folder.load(progress_name(lesson, ""), notice);
    if (!notice.empty() && !request.quiet) report(notice);
  } catch (const FileError& error) {
    row.problem = error.what();
  }
  return row;
}

std::vector<LessonRow> read_rows(const Request& request) {
  // Lessons of a folder are files of somebody, without progress of their own in this list.
  const StateFolder folder = request.lessons.empty() ? StateFolder::of_user() : StateFolder("");
  const Catalogue catalogue = open_catalogue(request);
  std::vector<LessonRow> rows;
  for (const CatalogueEntry& entry : catalogue.entries()) rows.push_back(read_row(catalogue, entry, folder, request));
  return rows;
}

std::string count_text(const LessonRow& row) {
  if (!row.problem.empty()) return say("list.broken");
  if (row.progress.finished) return say("list.done");
  if (!row.progress.empty())
    return say("list.begun", {{"seen", std::to_string(row.seen())}, {"steps", std::to_string(row.steps_then())}});
  return say("list.minutes", {{"minutes", std::to_string(row.minutes)}});
}

// The room for the words by which lessons are opened.
int word_width(const std::vector<LessonRow>& rows, const RenderOptions& options) {
  int width = 3;
  for (const LessonRow& row : rows) width = std::max(width, display_width(visible(row.word)));
  return std::min(width, std::max(4, options.width / 4));
}

void put_row(Page& page, const LessonRow& row, int width) {
  const RenderOptions& options = page.options();
  const std::string count = count_text(row);
  const int title_width = std::max(10, options.width - width - display_width(count) - 4);
  const std::string title = row.entry.title.empty() ? row.entry.id : row.entry.title;
  page.put(pad_left(elide(visible(row.word), width, options.ascii), width) + "  " +
           pad_right(elide(visible(title), title_width, options.ascii), title_width) + " " + count);
  if (row.problem.empty()) return;
  const Page::Indent indent = page.indent(width + 2);
  page.put(Line(row.problem), 2);
}

std::string list_text(const std::vector<LessonRow>& rows, const RenderOptions& options) {
  Page page(options);
  const int width = word_width(rows, options);
  bool told = false;
  for (const LessonRow& row : rows) {
    if (row.entry.origin == CatalogueEntry::Origin::Own && !std::exchange(told, true)) {
      page.gap();
      page.put(Line(say("list.own", {{"folder", own_lessons()}})));
    }
    put_row(page, row, width);
  }
  return page.text();
}

nlohmann::json list_json(const std::vector<LessonRow>& rows) {
  nlohmann::json all = nlohmann::json::array();
  for (const LessonRow& row : rows) {
    all.push_back({{"number", row.entry.number ? nlohmann::json(*row.entry.number) : nlohmann::json()},
                   {"word", row.word},
                   {"id", row.entry.id},
                   {"title", row.entry.title},
                   {"steps", row.steps},
                   {"minutes", row.minutes},
                   {"seen", row.progress.empty() ? 0 : row.seen()},
                   {"finished", row.progress.finished},
                   {"summary", row.summary},
                   {"own", row.entry.origin == CatalogueEntry::Origin::Own},
                   {"problem", row.problem.empty() ? nlohmann::json() : nlohmann::json(row.problem)}});
  }
  return all;
}

const LessonRow* find_row(const std::vector<LessonRow>& rows, std::string_view word) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const LessonRow& each) { return each.word == word; });
  return row == rows.end() ? nullptr : &*row;
}

// Behind a lesson that is finished comes the next number, behind one without number the first.
const LessonRow& row_after(const std::vector<LessonRow>& rows, const LessonRow& row) {
  const LessonRow* next =
      find_row(rows, row.entry.number ? std::to_string(*row.entry.number + 1) : std::string(kFirstLesson));
  return next ? *next : row;
}

// Where Enter leads: to the lesson that was open last, behind it when it is finished; a newcomer takes the tour.
const LessonRow& proposed(const std::vector<LessonRow>& rows) {
  const std::vector<std::string> saved = StateFolder::of_user().lessons();
  for (auto name = saved.rbegin(); name != saved.rend(); ++name) {
    for (const LessonRow& row : rows) {
      if (!row.progress.empty() && row.progress.lesson == *name)
        return row.progress.finished ? row_after(rows, row) : row;
    }
  }
  for (const std::string_view word : {kTour, kFirstLesson}) {
    if (const LessonRow* row = find_row(rows, word)) return *row;
  }
  return rows.front();
}

// The lesson that the learner chooses, "" for the proposal; nothing when none.
std::optional<std::string> ask_for_lesson(const LessonRow& proposal) {
  Terminal terminal(TerminalMode::Lines);
  terminal.write("\n" + say(proposal.progress.empty() ? "list.start" : "list.resume", {{"lesson", proposal.word}}) +
                 " ");
  while (true) {
    const TerminalEvent event = terminal.read();
    if (event.kind == TerminalEvent::Kind::Resize || event.kind == TerminalEvent::Kind::Resume) continue;
    const std::string typed(trim(event.line));
    if (event.kind != TerminalEvent::Kind::Line) terminal.write("\n");
    if (event.kind != TerminalEvent::Kind::Line || is_word_of(typed, "quit")) return std::nullopt;
    return typed;
  }
}

// What cannot be opened is reported, and asked for again.
int choose_lesson(const std::vector<LessonRow>& rows, const Request& request) {
  Request chosen = request;
  const LessonRow& proposal = proposed(rows);
  while (const std::optional<std::string> word = ask_for_lesson(proposal)) {
    chosen.word = word->empty() ? proposal.word : *word;
    chosen.resumes = word->empty();
    std::optional<Lesson> lesson;
    const int failed = guarded(chosen, [&] { return lesson = open_lesson(chosen), kFine; });
    if (lesson) return run_session(*lesson, chosen);
    if (failed == kInterrupted) return failed;
  }
  return kFine;
}

int run_list(const Request& request) {
  const std::vector<LessonRow> rows = read_rows(request);
  if (request.json) {
    write_out(json_text(list_json(rows), 2) + "\n");
    return kFine;
  }
  const RenderOptions options = render_options(request);
  const bool asks = request.bare && !rows.empty() && wants_session(request);
  if (asks) write_out(join(wrap(say("list.what"), options.width), "\n") + "\n\n");
  write_out(list_text(rows, options));
  if (asks) return choose_lesson(rows, request);
  if (!request.quiet && request.lessons.empty())
    write_out("\n" + join(wrap(say("list.hint"), options.width), "\n") + "\n");
  return kFine;
}

}  // namespace

const Command kListCommand = {"list", "Lists the lessons with their titles, the time they take and your progress.",
                              kTakesView | kTakesCatalogue | kTakesJson, run_list, "attn-tutor list"};

}  // namespace attn
