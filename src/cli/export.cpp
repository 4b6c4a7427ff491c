// attn-tutor export
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "cli/progress_bar.h"
#include "cli/trace_result.h"
#include "cli/transcript.h"
#include "engine/lesson_files.h"
#include "engine/runner.h"
#include "explain/lint/notes.h"
#include "explain/without_answers.h"
#include "render/formats.h"
#include "text/say.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

const Format& chosen_format(const Request& request) {
  const std::string& name = request.format;
  const Format* format = name.empty() ? format_of_file(request.output) : find_format(name);
  if (format) return *format;
  if (!name.empty())
    throw UserError(say("export.format.unknown", {{"name", elide(name, 40)}}),
                    say("export.format.unknown.hint", {{"list", format_names()}}));
  throw UserError(say("export.format.file", {{"file", elide(request.output, 60)}}),
                  say("export.format.hint", {{"list", format_names()}}));
}

// False after it was reported that the file stays.
bool write_transcript(const std::string& path, const std::string& bytes, const Request& request) {
  if (!may_replace(path, request)) return refused(file_stays(path, request), request), false;
  write_file(path, bytes);
  // Where somebody looks on: that it went well, and where to. With --all the progress says it.
  if (isatty(STDERR_FILENO) && !request.all && !request.quiet)
    write_error(say("export.done", {{"path", visible(path)}}) + "\n");
  return true;
}

int export_one(const Lesson& lesson, const Request& typed, const Format& format, ProgressBar& progress) {
  const Request request = with_student(typed, lesson);
  Trace trace = run_lesson(lesson, request.run);
  if (trace.outcome == RunOutcome::Interrupted && request.output != "-") {  // a whole transcript may stand there
    progress.clear();
    return report_failure(trace, request);
  }
  const LimitScope showing(limits_of_showing(request));
  note_findings(trace, lesson);
  add_sums(trace.files, lesson);
  if (request.no_answers) trace = without_answers(std::move(trace), format.questions == Questions::Run);
  RenderOptions options = transcript_options(request);
  options.outputs = !request.no_answers;
  const std::string bytes = format.render(trace, options);
  progress.clear();
  if (request.output == "-") {
    std::signal(SIGPIPE, SIG_IGN);  // half a transcript is no transcript: to be told, and no quiet end
    write_out(bytes);
  } else if (!write_transcript(request.output, bytes, request)) {
    return kOutputFailed;
  }
  report_weights(trace, request);
  return report_failure(trace, request);
}

int export_all(const Request& request, const Format& format) {
  std::error_code error;
  fs::create_directories(request.output, error);
  if (error) throw WriteError(request.output, error.message());
  const Catalogue catalogue = shared_catalogue(request);
  std::vector<IndexEntry> index;
  ProgressBar progress;
  int worst = kFine;
  for (std::size_t i = 0; i < catalogue.entries().size(); ++i) {
    const CatalogueEntry& entry = catalogue.entries()[i];
    progress.show(i, catalogue.entries().size(), entry.id);
    Request one = request;
    one.word = catalogue.word(entry);
    const std::string file = fs::path(entry.path).stem().string() + std::string(format.extension);
    one.output = (fs::path(request.output) / file).string();
    std::optional<Lesson> lesson;
    const int failed = guarded(one, [&] { return lesson = open_program(one), kFine; });
    const int ended = lesson ? export_one(*lesson, one, format, progress) : failed;
    if (ended == kInterrupted) return ended;
    worst = graver(worst, ended);
    index.push_back(
        {entry.number, entry.title, file, lesson ? lesson->summary : "", lesson ? minutes_to_learn(*lesson) : 0});
  }
  // A newcomer begins with the tour.
  std::stable_partition(index.begin(), index.end(),
                        [](const IndexEntry& entry) { return fs::path(entry.file).stem() == "tour"; });
  const std::string file = "index" + std::string(format.index_extension);
  if (!write_transcript((fs::path(request.output) / file).string(), format.index(index), request)) return kOutputFailed;
  return worst;
}

int run_export(const Request& request) {
  if (request.output.empty()) throw UserError(say("export.no_file"), say("export.no_file.hint"));
  if (request.all == !request.word.empty())
    throw UserError(say(request.all ? "export.both" : "export.neither"), "attn-tutor export 3 -o lesson3.md");
  if (request.all && request.format.empty())
    throw UserError(say("export.all.format"), say("export.format.hint", {{"list", format_names()}}));
  if (request.all && request.output == "-") throw UserError(say("export.all.folder"), say("export.all.folder.hint"));
  const Format& format = chosen_format(request);
  if (request.no_answers && format.questions == Questions::None)
    throw UserError(say("export.no_answers", {{"format", std::string(format.name)}}),
                    say("export.format.hint", {{"list", question_format_names()}}));
  if (request.all) return export_all(request, format);
  ProgressBar progress;
  return export_one(open_program(request), request, format, progress);
}

}  // namespace

const Command kExportCommand = {"export",
                                "Writes a lesson with all its shapes and numbers to one file that needs no other.",
                                kTakesExport | kTakesViews | kTakesStudent | kTakesSeed | kTakesWeights | kTakesLimits |
                                    kTakesView | kTakesCatalogue,
                                run_export, "attn-tutor export 3 -o lesson3.md"};

}  // namespace attn
