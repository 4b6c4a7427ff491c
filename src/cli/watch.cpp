#include "cli/watch.h"

#include <chrono>
#include <optional>
#include <thread>

#include "base/files.h"
#include "base/limits.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/guard.h"
#include "cli/output.h"
#include "render/page.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr auto kPause = std::chrono::milliseconds(100);

/// Waits until the file is there, differs from `former` and is no longer written to. False: interrupted.
bool wait_for_change(const std::string& path, const std::optional<FileState>& former) {
  std::optional<FileState> last = former;
  while (!interrupt_requested()) {
    std::this_thread::sleep_for(kPause);
    const std::optional<FileState> now = file_state(path);
    if (now && now != former && now == last) return true;
    last = now;
  }
  return false;
}

void write_separator(const std::string& path, int run, const RenderOptions& options) {
  Page page(options);
  page.put(say("watch.again", {{"file", path}, {"run", std::to_string(run)}}), Style::Title);
  Line rule;
  for (int i = 0; i < page.width(); ++i) rule.add(page.glyphs().rule, Style::Dim);
  page.put(rule);
  write_out("\n" + page.text() + "\n");
}

}  // namespace

int watch(const std::string& path, const Request& request, const std::function<int()>& once) {
  if (!is_file(path)) {
    report(say("option.watch", {{"file", elide(path, 200)}}));
    return kBadInput;
  }
  for (int run = 1;; ++run) {
    const std::optional<FileState> state = file_state(path);
    {
      const LimitScope scope(request.limits);
      guarded(once);
    }
    if (!wait_for_change(path, state)) return kInterrupted;
    write_separator(path, run + 1, render_options(request));
  }
}

}  // namespace attn
