// attn-tutor check: everything that is wrong with lesson files.
#include "engine/check.h"

#include <algorithm>

#include "base/text.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "text/say.h"

namespace attn {
namespace {

struct Count {
  int errors = 0;
  int warnings = 0;
};

std::string findings_text(const std::string& path, const Count& count) {
  const std::string file = visible(path);
  if (count.errors + count.warnings == 0) return say("check.fine", {{"file", file}});
  return say("check.found", {{"file", file},
                             {"errors", say_count("check.errors", count.errors)},
                             {"warnings", say_count("check.warnings", count.warnings)}});
}

void show(const Diagnostic& diagnostic, const Source& source, const Request& request, Count& count) {
  ++(diagnostic.severity == Severity::Error ? count.errors : count.warnings);
  report(diagnostic, source, request);
}

Count check_file(const Catalogue& catalogue, const std::string& file, const Request& request) {
  Count count;
  LoadFindings findings;
  const Lesson lesson = catalogue.open(file, findings);
  for (const Diagnostic& finding : findings.diagnostics) show(finding, lesson.source, request, count);
  if (findings.failed()) return count;
  for (const CheckFinding& finding : check_lesson(lesson)) show(finding.diagnostic, finding.source, request, count);
  return count;
}

int run_check(const Request& request) {
  const Catalogue catalogue = open_catalogue(request);
  std::vector<std::string> files = request.files;
  if (files.empty()) {
    for (const CatalogueEntry& entry : catalogue.entries()) files.push_back(catalogue.word(entry));
  }
  Count total;
  int unread = kFine;  // the code of the files that could not be read
  for (const std::string& file : files) {
    Count count;
    const int code = guarded(request, [&] { return count = check_file(catalogue, file, request), kFine; });
    if (code == kInterrupted) return code;
    if (code != kFine) {
      unread = std::max(unread, code);
      continue;
    }
    total.errors += count.errors;
    total.warnings += count.warnings;
    if (request.quiet) continue;
    write_out(findings_text(file, count) + "\n");
  }
  return std::max<int>(unread, total.errors + total.warnings == 0 ? kFine : kFailed);
}

}  // namespace

const Command kCheckCommand = {"check", "Checks lessons: runs them and lists everything that is wrong.",
                               kTakesFiles | kTakesView | kTakesCatalogue, run_check,
                               "attn-tutor check lessons/03-batch.md"};

}  // namespace attn
