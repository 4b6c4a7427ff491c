#include "cli/answers.h"

#include "base/files.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/trace_result.h"
#include "engine/runner.h"
#include "stepper/batch.h"
#include "stepper/stepper.h"

namespace attn {
namespace {

constexpr std::int64_t kLongestAnswers = std::int64_t{1} << 20;

}  // namespace

int run_answers(const Lesson& lesson, const Request& request) {
  const std::string lines = read_file(*request.answers, kLongestAnswers);
  SessionOptions options;
  options.render = render_options(request);
  options.quiz = request.quiz;
  Trace trace = run_lesson(lesson, request.run);
  if (const int failed = exit_code(trace); failed != kFine) {
    if (!trace.diagnostics.empty()) report_trace(trace, trace.diagnostics.back(), request);
    return failed;
  }
  const State state = start_session(lesson, std::move(trace), options);
  const std::vector<BatchAnswer> answers = answer_all(state, lines);
  write_out(request.json ? batch_json(answers) : batch_text(answers, options.render));
  return all_right(answers) ? kFine : kFailed;
}

}  // namespace attn
