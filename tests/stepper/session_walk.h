#pragma once
// Small lessons stepped through by events, and what is said.
#include <string>
#include <string_view>
#include <vector>

#include "stepper/key_table.h"
#include "stepper/stepper.h"
#include "tests/engine/run.h"

namespace attn {

/// A lesson with prose, hidden imports and the body.
inline Lesson small_lesson(const std::string& body) {
  return lesson_of(body, "What it is about.\n\n" + cell("import torch", "hidden"));
}

/// What most tests walk through: sizes, a product with a question, a function, a loop, a bug.
inline std::string usual_body() {
  return cell("seed = 0\nrows = 3\nwidth = 4", "parameters") + "## Numbers\n\nCounting numbers in a table.\n\n" +
         cell("x = torch.arange(rows * width).float().view(rows, width)  # [rows, width]") + "Now turn it.\n\n" +
         cell("turned = x.transpose(0, 1)", "predict=shape") +
         "> **Hint** Two axes change places.\n\n> **Hint** rows and width.\n\n"
         "> **Trap** `{{ [rows, width] }}` That is x itself.\n\n> **Why** The last comes first.\n\n" +
         cell("def twice(a):\n    b = a * 2\n    return b\ny = twice(x)") +
         cell("total = 0\nfor i in range(2):\n    total = total + i") + "A cube.\n\n" +
         cell("cube = torch.arange(24).view(2, 3, 4)") + "Write it.\n\n" + cell("z = x + 1", "write=z") +
         "The end of it.\n\nBye.\n";
}

/// A session that says what it says.
class SessionWalk {
 public:
  explicit SessionWalk(const std::string& body = usual_body(), SessionOptions options = {}, Progress progress = {},
                       int step = 0, const RunOptions& run = {}) {
    options.render.width = 80;
    const Lesson lesson = small_lesson(body);
    Trace trace = run_lesson(lesson, run);
    state = start_session(lesson, std::move(trace), std::move(options), std::move(progress), step);
  }

  std::string take(const Event& event) {
    state = update(std::move(state), event);
    return std::string(view(state));
  }
  std::string key(const std::string& name) { return take(KeyPress{name}); }
  std::string line(const std::string& text) { return take(TypedLine{text}); }
  /// ":goto 5"
  std::string command(const std::string& text) { return line(":" + text); }
  std::string said() const { return std::string(view(state)); }
  /// The number of the step, from 1.
  int step() const { return static_cast<int>(state.at) + 1; }

  template <class T>
  const T* action() const {
    for (const Action& action : state.actions) {
      if (const T* found = std::get_if<T>(&action)) return found;
    }
    return nullptr;
  }

  State state;
};

}  // namespace attn
