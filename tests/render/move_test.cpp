#include "render/move.h"

#include <gmock/gmock.h>

#include "explain/element.h"
#include "tests/render/lesson_traces.h"

namespace attn {
namespace {

/// How render_move() draws the way of an element of `y`.
std::string drawn_move(const std::string& code, const Shape& index) {
  const Trace trace = test::trace_of_file("p.py", "import torch\n" + code + "\n");
  return render_move(trace, explain_move(trace, find_bound(trace, "y"), index));
}

TEST(Move, TheNeighboursInMemoryEndWithTheTensor) {
  for (const char* type : {"uint8", "int32", "int64", "float16", "float32", "float64"})
    EXPECT_THAT(drawn_move("x = torch.arange(7, dtype=torch." + std::string(type) + ")\ny = x[2:6]", {3}),
                testing::ContainsRegex("storage [^0-9]*2\\.? 3\\.? 4\\.? \\[5\\.?\\] 6\\.?\n"))
        << type;
}

TEST(Move, SaysWhatTheRowIsWhereAViewCutThroughTheWords) {
  EXPECT_THAT(drawn_move("words, width, heads, part = 3, 4, 2, 2\nx = torch.arange(12.).view(words, width)\n"
                         "y = x.view(heads, words, part)",
                         {0, 1, 0}),
              testing::HasSubstr("row 1 is the second half of words 0\n"));
}

}  // namespace
}  // namespace attn
