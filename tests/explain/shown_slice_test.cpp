// The slice that a table shows, of values that real ops made.
#include "explain/shown_slice.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/run.h"
#include "text/say.h"

namespace attn {
namespace {

/// "2,0 the first with padding": of the value bound to `name` last.
std::string slice_of(const Trace& trace, const std::string& name) {
  EXPECT_TRUE(trace.diagnostics.empty()) << trace.diagnostics.front().message;
  for (auto step = trace.steps.rbegin(); step != trace.steps.rend(); ++step) {
    for (const Binding& binding : step->bindings) {
      if (binding.target != name) continue;
      const ShownSlice slice = ShownSlices(trace).of(*step, binding.value);
      return fmt::format("{}{}{}", fmt::join(slice.index, ","), slice.why.empty() ? "" : " ", slice.why);
    }
  }
  return "no such name";
}

// Two heads; the second of three sentences has three words, the last two.
const std::string kMasked = cell(R"(batch, heads, asks, keys = 3, 2, 2, 4
rows = [["a", "b", "c", "d"], ["e", "f", "g", "<pad>"], ["h", "i", "<pad>", "<pad>"]]
# axis batch, keys: rows
torch.manual_seed(0)
energy = torch.randn(batch, heads, asks, keys)  # [batch, heads, asks, keys]
lengths = torch.tensor([4, 3, 2])
mask = (torch.arange(keys) < lengths[:, None])[:, None, None, :]  # [batch, 1, 1, keys]
masked = energy.masked_fill(mask == 0, -1e10)
weights = masked.softmax(dim=-1)
values = torch.ones(batch, heads, keys, 5)
mixed = (weights @ values).permute(0, 2, 1, 3)
joined = mixed.reshape(batch, asks, 10))");

TEST(ShownSlice, IsTheFirstThatAMaskFills) {
  const Trace trace = trace_of(kMasked);
  EXPECT_EQ(slice_of(trace, "energy"), "0,0");  // before the mask there is nothing to see
  EXPECT_EQ(slice_of(trace, "mask"), "1,0 the first that is not all True");
  EXPECT_EQ(slice_of(trace, "masked"), "1,0 the first with padding");
}

TEST(ShownSlice, StaysWithTheSentence) {
  const Trace trace = trace_of(kMasked);
  EXPECT_EQ(slice_of(trace, "weights"), "1,0 the first with padding");
  EXPECT_EQ(slice_of(trace, "mixed"), "1,0 the first with padding");
  EXPECT_EQ(slice_of(trace, "joined"), "1 the first with padding");
}

TEST(ShownSlice, OfTwoAxesThereIsNone) {
  EXPECT_EQ(slice_of(trace_of(cell("x = torch.tensor([[1.0, float('nan')]])")), "x"), "");
}

TEST(ShownSlice, IsTheFirstWithSuchANumber) {
  const auto last = [](const std::string& code) {
    return slice_of(trace_of(cell("x = torch.zeros(3, 2, 2)\nx[:, 0, 0] = 1\n" + code)), "y");
  };
  EXPECT_EQ(last("x[2, 1, 1] = float('nan')\ny = x + 0"), "2 the first with NaN");
  EXPECT_EQ(last("x[1, 1, 1] = -float('inf')\ny = x + 0"), "1 the first with an infinite number");
  EXPECT_EQ(last("x[0, 1, 1] = float('nan')\ny = x + 0"), "0");
  EXPECT_EQ(last("y = x + 0"), "0");
  // A fill without words for what it hides.
  EXPECT_EQ(last("hide = torch.zeros(3, 2, 2).bool()\nhide[2, 0, 0] = True\ny = torch.where(hide, -9.0, x)"),
            "2 the first that a mask changes");
  // One number in each slice: nothing can be even.
  EXPECT_EQ(last("y = x[:, :1, :1] + torch.arange(3)[:, None, None]"), "0");
}

TEST(ShownSlice, OfABugIsTheFirstThatDiffers) {
  const Trace trace = trace_of(cell("x = torch.arange(12.0).view(3, 2, 2)") +
                               cell("y = x.clone()\ny = torch.cat([x[:2], x[2:] + 1])", "wrong=x"));
  EXPECT_EQ(slice_of(trace, "y"), "2 the first that differs from x");
}

TEST(ShownSlice, IsTheOneThatTheLessonNames) {
  const auto named = [](const std::string& comment) {
    return slice_of(trace_of(cell("batch, heads = 3, 2\n" + comment +
                                  "\nx = torch.zeros(batch, heads, 4, 4)  # [batch, heads, 4, 4]")),
                    "x");
  };
  EXPECT_EQ(named("# slice batch: 2"), "2,0");
  EXPECT_EQ(named("# slice batch: 1, heads: 1"), "1,1");
  EXPECT_EQ(named("# slice batch: 7, rows: 1"), "2,0");  // another size than the lesson's
  EXPECT_EQ(named("# slice batch: -1"), "2,0");
  EXPECT_EQ(named("# slice of batch"), "0,0");
}

TEST(ShownSlice, EqualSizesAndSizesOfOne) {
  const std::string equal = "batch, heads, asks, keys = 3, 2, 2, 4", one = "batch, heads, asks, keys = 3, 1, 1, 4";
  std::string body = kMasked;
  body.replace(body.find(equal), equal.size(), one);
  EXPECT_EQ(slice_of(trace_of(body.substr(0, body.find("\njoined")) + "\n```\n\n"), "mixed"),
            "1,0 the first with padding");
}

}  // namespace
}  // namespace attn
