// Lesson files: loaded, checked, run, and drawn in one of the formats.
#include "engine/check.h"
#include "engine/runner.h"
#include "lesson/load.h"
#include "tests/fuzz/fuzz.h"

namespace attn {
namespace {

LoadOptions load_options() {
  LoadOptions options;
  options.read_data = [](std::string_view file) -> std::optional<std::string> {
    if (file == "words.json") return R"([["the", "bird"], ["a", "cat", "sat"]])";
    if (file == "ids.json") return "[[1, 2], [0]]";
    return std::nullopt;
  };
  options.lesson_exists = [](std::string_view file) { return file == "01-a.md"; };
  return options;
}

}  // namespace

void fuzz_lesson(std::string_view bytes) {
  const LimitScope limits(kFuzzLimits);
  LoadFindings findings;
  const Lesson lesson = load_lesson("lessons/07-fuzz.md", std::string(bytes), findings, load_options());
  for (const Diagnostic& finding : findings.diagnostics) look_at(finding, lesson.source);
  if (findings.failed()) return;
  allowing<UserError, LimitReached>([&] {
    for (const CheckFinding& finding : check_lesson(lesson)) look_at(finding.diagnostic, finding.source);
    look_at(run_lesson(lesson), bytes.size());
  });
}

}  // namespace attn
