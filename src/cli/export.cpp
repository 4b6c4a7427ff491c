// attn-tutor export
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "cli/trace_result.h"
#include "cli/transcript.h"
#include "engine/runner.h"
#include "render/formats.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr int kWidth = 100;  // the same bytes whatever the terminal is

RenderOptions transcript_options(const Request& request) {
  return {request.width.value_or(kWidth), false, request.ascii};
}

std::string format_names() {
  std::string names;
  for (const Format& format : all_formats()) names += (names.empty() ? "" : ", ") + std::string(format.name);
  return names;
}

// Null after the mistake was reported.
const Format* chosen_format(const Request& request) {
  const std::string& name = request.format;
  const Format* format = name.empty() ? format_of_file(request.output) : find_format(name);
  if (format) return format;
  if (!name.empty()) {
    report(fmt::format("there is no format {}", elide(name, 40)), "the formats are " + format_names());
  } else {
    report(fmt::format("which format? {} does not tell", request.output == "-" ? "-" : elide(request.output, 60)),
           "--format takes one of " + format_names());
  }
  return nullptr;
}

bool write_transcript(const std::string& path, const std::string& bytes, const Request& request) {
  if (!request.force && !may_replace(path)) {
    report(fmt::format("{} is there already and is no transcript", path), "--force replaces it");
    return false;
  }
  write_file(path, bytes);
  return true;
}

int export_one(const Request& request, const Format& format) {
  int code = kFine;
  const std::optional<Lesson> lesson = open_program(request, code);
  if (!lesson) return code;
  const Trace trace = run_lesson(*lesson, request.run);
  const std::string bytes = format.render(trace, transcript_options(request));
  if (request.output == "-") {
    write_out(bytes);
  } else if (!write_transcript(request.output, bytes, request)) {
    return kOutputFailed;
  }
  report_weights(trace, request);
  report_failure(trace, request);
  return exit_code(trace);
}

// "\r[3/10] batch" on a terminal; nothing elsewhere.
void show_progress(std::size_t done, std::size_t all, const std::string& name) {
  if (!isatty(STDERR_FILENO)) return;
  write_error(fmt::format("\r\x1b[K[{}/{}] {}", done, all, name));
  if (done == all) write_error("\r\x1b[K");
}

int export_all(const Request& request, const Format& format) {
  std::error_code error;
  fs::create_directories(request.output, error);
  if (error) throw WriteError(request.output, error.message());
  const Catalogue catalogue = open_catalogue(request);
  std::vector<IndexEntry> index;
  int worst = kFine;
  for (std::size_t i = 0; i < catalogue.entries().size(); ++i) {
    const CatalogueEntry& entry = catalogue.entries()[i];
    show_progress(i + 1, catalogue.entries().size(), entry.id);
    Request one = request;
    one.word = fs::path(entry.path).filename();
    const std::string file = fs::path(entry.path).stem().string() + std::string(format.extension);
    one.output = (fs::path(request.output) / file).string();
    if (const int code = export_one(one, format); code != kFine) worst = graver(worst, code);
    index.push_back({entry.number, entry.title, file});
  }
  const std::string file = "index" + std::string(format.index_extension);
  if (!write_transcript((fs::path(request.output) / file).string(), format.index(index), request)) return kOutputFailed;
  return worst;
}

int run(const Request& request) {
  if (request.output.empty()) {
    report("export needs -o FILE", "attn-tutor export 3 -o lesson3.html, or -o - for standard output");
    return kUsage;
  }
  if (request.all == !request.word.empty()) {
    report(request.all ? "export takes a LESSON or --all, not both" : "export needs a LESSON, or --all",
           "attn-tutor export 3 -o lesson3.md");
    return kUsage;
  }
  if (request.all && request.format.empty()) {
    report("export --all needs --format", "--format takes one of " + format_names());
    return kUsage;
  }
  const Format* format = chosen_format(request);
  if (!format) return kUsage;
  return request.all ? export_all(request, *format) : export_one(request, *format);
}

}  // namespace

const Command kExportCommand = {"export",
                                "Writes a lesson with all its shapes and numbers to a file that stands alone.",
                                kTakesExport | kTakesSeed | kTakesWeights | kTakesLimits | kTakesView | kTakesCatalogue,
                                run, "attn-tutor export 3 -o lesson3.md"};

}  // namespace attn
