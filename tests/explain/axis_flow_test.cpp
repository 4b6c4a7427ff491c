// Where axes go, from the strides that real ops leave.
#include "explain/axis_flow.h"

#include <gtest/gtest.h>

#include "tests/render/lesson_traces.h"

namespace attn {
namespace {

/// The text of the flow of the last op of a program that begins with x = [batch 2, words 3, width 4].
std::string flow_of(const std::string& code) {
  const Trace trace = test::trace_of_file(
      "p.py",
      "import torch\nbatch, words, width, heads = 2, 3, 4, 2\nx = torch.arange(24.).view(batch, words, width)\n" +
          code + "\n");
  EXPECT_TRUE(trace.diagnostics.empty()) << code;
  const auto flow = axis_flow(trace, static_cast<OpId>(trace.ops.size()) - 1);
  return flow ? axis_flow_text(trace, *flow) : "";
}

TEST(AxisFlow, OfTheFirstValueThereIs) {
  const Trace trace = test::trace_of_file("p.py", "import torch\ny = torch.zeros(4).view(2, 2)\n");
  const auto flow = axis_flow(trace, static_cast<OpId>(trace.ops.size()) - 1);
  ASSERT_TRUE(flow);
  EXPECT_EQ(axis_flow_text(trace, *flow), "view: 4 is cut into 2, 2.");
}

TEST(AxisFlow, FollowsEveryWayToLayOutATensorAnew) {
  const std::pair<const char*, const char*> cases[] = {
      {"x.view(batch, words, heads, 2)", "view: width 4 is cut into heads 2, 2; batch 2, words 3 as before."},
      {"x.view(6, width)", "view: batch 2, words 3 become batch*words 6; width 4 as before."},
      {"x.flatten()", "flatten: batch 2, words 3, width 4 become batch*words*width 24."},
      {"x.permute(1, 0, 2)",
       "permute: batch 2 goes from place 0 to 1; words 3 goes from place 1 to 0; width 4 as before."},
      {"x.transpose(0, 2)",
       "transpose: batch 2 goes from place 0 to 2; width 4 goes from place 2 to 0; words 3 as before."},
      {"x.unsqueeze(1)", "unsqueeze: 1 is new; batch 2, words 3, width 4 as before."},
      {"x[:, None].squeeze(1)", "squeeze: 1 goes; batch 2, words 3, width 4 as before."},
      // A copy: the numbers go on in the same order.
      {"x.permute(1, 0, 2).reshape(3, 8)", "reshape: batch 2, width 4 become batch*width 8; words 3 as before."},
      // The cut runs across: 3 * 4 as 2 * 6.
      {"x.view(batch, 2, 6)", "view: words 3, width 4 are regrouped into 2, 6; batch 2 as before."},
  };
  for (const auto& [code, text] : cases) EXPECT_EQ(flow_of(code), text) << code;
}

TEST(AxisFlow, IsSilentWhereElementsAreLeftOutRepeatedOrComputed) {
  for (const char* code : {"x[0]", "x[:, 1:]", "x.expand(2, 3, 4)", "x[:1].expand(5, 3, 4)", "x + 1", "x.contiguous()",
                           "x.flip(0)", "x.permute(0, 1, 2)", "x.sum(dim=0)", "torch.cat([x, x])", "x.repeat(2, 1, 1)",
                           "x.diagonal()", "torch.zeros(0, 3).view(3, 0)"})
    EXPECT_EQ(flow_of(code), "") << code;
}

TEST(AxisFlow, SquareTensorsAreToldByTheirStrides) {
  EXPECT_EQ(flow_of("y = torch.arange(9.).view(3, 3).t()").substr(0, 2), "t:");
}

}  // namespace
}  // namespace attn
