#include "cli/open_lesson.h"

#include "base/files.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "lesson/program.h"

namespace attn {

Catalogue open_catalogue(const Request& request) {
  return request.lessons.empty() ? Catalogue::built_in() : Catalogue::folder(request.lessons);
}

std::optional<Lesson> open_lesson(const Request& request, int& code) {
  LoadFindings findings;
  Lesson lesson = is_program_name(request.word)
                      ? load_program(request.word, read_file(request.word, kMaxNotebookSize), findings)
                      : open_catalogue(request).open(request.word, findings);
  for (const Diagnostic& finding : findings.diagnostics) {
    // One diagnostic is enough to act on; `check` shows them all.
    if (finding.severity == Severity::Error || !request.quiet) report(finding, lesson.source, request);
    if (finding.severity == Severity::Error) break;
  }
  if (!findings.failed()) return lesson;
  code = kBadInput;
  return std::nullopt;
}

}  // namespace attn
