// attn-tutor touch: a lesson again with one value changed, and what moved.
#include "engine/touch.h"

#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "cli/trace_result.h"
#include "engine/runner.h"
#include "explain/run_difference.h"
#include "render/run_difference.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

Json axes_json(const ValueChange& value) {
  Json axes = Json::array();
  for (const AxisChange& axis : value.axes)
    axes.push_back({{"axis", axis.name}, {"moved", axis.moved}, {"kept", axis.kept}});
  return axes;
}

// Every tensor of the run, also those ahead of the change.
Json to_json(const Trace& before, const Trace& after) {
  Json tensors = Json::array();
  for (const ValueChange& value : run_difference(before, after).values) {
    if (!value.is_tensor) continue;
    const bool is_there = value.after_value >= 0;
    const Trace& trace = is_there ? after : before;
    const Shape& shape = trace.value(is_there ? value.after_value : value.before_value).shape;
    Json row = {{"step", value.step}, {"name", value.name}, {"shape", shape}, {"change", change_word(value.change)}};
    if (value.change == Change::OtherNumbers) {
      row["moved"] = value.difference.differing;
      row["numbers"] = value.difference.total;
      row["axes"] = axes_json(value);
    }
    tensors.push_back(std::move(row));
  }
  return {{"lesson", before.lesson_id}, {"change", after.options.touch->code}, {"tensors", std::move(tensors)}};
}

int run_touch(const Request& request) {
  const Lesson lesson = open_program(request);
  const Trace before = run_noted(lesson, request);
  if (const int failed = report_failure(before, request)) return failed;  // there is nothing to compare with
  const Trace after = run_touched(lesson, before, request.change);
  page_out(request.json ? json_text(to_json(before, after), 2) + "\n"
                        : render_touched(before, after, render_options(request)),
           request);
  return report_failure(after, request);
}

}  // namespace

const Command kTouchCommand = {"touch", "Runs a lesson again with one value changed, and shows which numbers moved.",
                               kTakesLesson | kTakesViews | kTakesChange | kTakesSeed | kTakesWeights | kTakesLimits |
                                   kTakesView | kTakesCatalogue | kTakesJson,
                               run_touch, "attn-tutor touch 3 'query[0, 1] += 1'"};

}  // namespace attn
