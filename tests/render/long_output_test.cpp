// Transcripts of a program that printed very much: they take no more than the text does, and hear Ctrl-C.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/limits.h"
#include "engine/runner.h"
#include "lesson/program.h"
#include "render/formats.h"

namespace attn {
namespace {

Trace trace_that_prints(const std::string& code) {
  LoadFindings findings;
  return run_lesson(load_program("a.py", code, findings), {});
}

TEST(LongOutput, OfANotebookIsOneText) {
  const Trace trace = trace_that_prints("print('a\\n' * 3000000)");
  Limits limits;
  limits.max_memory = live_memory() + (std::int64_t{128} << 20);
  const LimitScope scope(limits);
  const auto notebook = nlohmann::json::parse(find_format("ipynb")->render(trace, {}));
  const auto& output = notebook["cells"].back()["outputs"].front();
  EXPECT_EQ(output["text"].get<std::string>().size(), 6000001u);
}

TEST(LongOutput, IsWrittenWithLooksAtCtrlC) {
  const Trace trace = trace_that_prints("print('a' * 40000000)");
  const LimitScope scope(Limits{});
  for (const char* const name : {"json", "ipynb"}) {
    std::int64_t looks = 0;
    counted_looks = &looks;
    request_interrupt();
    find_format(name)->render(trace, {});
    clear_interrupt();
    counted_looks = nullptr;
    EXPECT_GE(looks, 15);  // 2 MiB between two of them
  }
}

}  // namespace
}  // namespace attn
