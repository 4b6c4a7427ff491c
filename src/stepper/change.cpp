#include "stepper/change.h"

#include "stepper/show.h"

namespace attn {
std::shared_ptr<const LessonRun> lesson_run(std::shared_ptr<const Lesson> lesson, Trace trace) {
  auto run = std::make_shared<LessonRun>();
  run->lesson = std::move(lesson);
  run->order = visible_steps(trace);
  run->trace = std::make_shared<const Trace>(std::move(trace));
  return run;
}

void free_play(State& state, std::string_view code) {
  if (!state.free_play) tell(state, "free.begin");
  state.free_play = true;
  state.asked = Asked::FreePlay;
  (void)code;
}

void leave_free_play(State& state, std::string_view) {
  if (!state.free_play) return tell(state, "free.not");
  state.free_play = false;
  state.typed.clear();
  tell(state, "free.end");
  show_place(state, false);
}

}  // namespace attn
