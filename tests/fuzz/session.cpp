// Sessions: lines of an input are keys, typed lines and other events of a session over a small lesson. The first line
// says how it is begun: letters for options, then perhaps the progress of an earlier session in JSON.
#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "engine/runner.h"
#include "lesson/load.h"
#include "stepper/complete.h"
#include "stepper/progress.h"
#include "stepper/stepper.h"
#include "tests/fuzz/fuzz.h"

namespace attn {
namespace {

constexpr std::size_t kMostEvents = 30;

constexpr const char* kLesson = R"(# Small

What it is about, of {{ rows }} rows.

```python parameters
seed = 0
rows = 3
width = 4
```

## Numbers

```python
import torch
torch.manual_seed(seed)
x = torch.randn(rows, width)  # [rows, width]
```

```python predict=shape
turned = x.transpose(0, 1)
```

> **Hint** Two axes change places.

> **Trap** `{{ [rows, width] }}` That is x itself.

> **Why** The last comes first.

```python
def twice(a):
    b = a * 2
    return b
y = twice(x)
for i in range(2):
    y = y + i
```

```python write=z
z = (x @ turned).softmax(dim=-1)
```
)";

const Lesson& lesson() {
  static const Lesson loaded = [] {
    LoadFindings findings;
    Lesson lesson = load_lesson("lessons/07-small.md", kLesson, findings);
    if (!findings.diagnostics.empty()) throw std::logic_error(findings.diagnostics.front().message);
    return lesson;
  }();
  return loaded;
}

const Trace& run() {
  static const Trace trace = run_lesson(lesson());
  return trace;
}

State begun(std::string_view how) {
  const std::string_view letters = how.substr(0, how.find(' '));
  const auto has = [&](char letter) { return letters.find(letter) != std::string_view::npos; };
  SessionOptions options;
  options.accessible = has('a');
  options.fade = has('f');
  options.no_skip = has('n');
  options.quiz = has('q');
  const std::string_view progress = how.substr(std::min(letters.size() + 1, how.size()));
  return start_session(lesson(), run(), options, read_progress(progress).value_or(Progress{}));
}

Resize resized(std::string_view columns) {
  Resize size;
  std::from_chars(columns.data(), columns.data() + columns.size(), size.columns);
  return size;
}

/// What a line stands for; "\n" between backslash and n is a line feed within code.
Event event_of(const State& state, std::string_view line) {
  if (line == "#interrupt") return Interrupt{};
  if (line == "#end") return EndOfInput{};
  if (line == "#written") return Written{"a.md", "", false};
  if (line == "#exists") return Written{"a.md", "it is there", true};
  if (line.starts_with("#resize ")) return resized(line.substr(8));
  if (state.input.kind == Input::Kind::Key && !state.options.accessible) return KeyPress{std::string(line)};
  std::string text(line);
  for (std::size_t at = text.find("\\n"); at != std::string::npos; at = text.find("\\n", at)) text.replace(at, 2, "\n");
  return TypedLine{text};
}

void look_at_state(const State& state) {
  look_at(view(state));
  look_at(state.input.prompt);
  for (const Action& action : state.actions) {
    if (const WriteFile* file = std::get_if<WriteFile>(&action)) look_at(file->text);
  }
}

void complete(const State& state, std::string_view line) {
  std::size_t begin = 0;
  completions(state, line, line.size(), begin);
  wants_more(line);
}

}  // namespace

void fuzz_session(std::string_view bytes) {
  run();  // outside of the limits
  const LimitScope limits(kFuzzLimits);
  std::vector<std::string_view> lines = split_lines(bytes);
  if (lines.empty()) return;
  State state = begun(lines.front());
  look_at_state(state);
  for (std::size_t i = 1; i < std::min(lines.size(), kMostEvents) && !exit_wanted(state); ++i) {
    if (lines[i].ends_with('\t')) {
      complete(state, lines[i].substr(0, lines[i].size() - 1));
      continue;
    }
    state = update(std::move(state), event_of(state, lines[i]));
    look_at_state(state);
  }
}

}  // namespace attn
