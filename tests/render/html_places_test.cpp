// Places of operands, found from some numbers and held against all; and the forms of large results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "render/html/arithmetic.h"
#include "render/html/places.h"
#include "tensor/core/read.h"
#include "tests/render/lesson_traces.h"
#include "tests/render/trace_builder.h"

namespace attn {
namespace {

std::vector<std::int64_t> all_numbers(const Shape& shape) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(numel_of(shape)));
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = static_cast<std::int64_t>(k);
  return out;
}

TEST(Places, SumsOfStepsAndTables) {
  const Shape shape = {2, 3};
  const std::vector<std::int64_t> numbers = all_numbers(shape);
  struct Case {
    std::vector<std::int64_t> elements;
    std::string json;  // empty: no such place
  };
  const Case kCases[] = {
      {{5, 6, 7, 15, 16, 17}, R"({"v":7,"b":5,"s":[10,1]})"},
      {{0, 2, 4, 1, 3, 5}, R"({"v":7,"b":0,"s":[1,2]})"},
      {{4, 0, 9, 14, 10, 19}, R"({"v":7,"b":4,"s":[10,[0,-4,5]]})"},
      {{0, 1, 2, 3, 4, 6}, ""},
  };
  for (const Case& c : kCases) {
    const auto place = summed_place(7, {shape, numbers, c.elements});
    EXPECT_EQ(place ? place_json(*place).dump() : "", c.json);
  }
}

TEST(Places, LookupsAndLargestElements) {
  test::TraceBuilder build;
  const ValueId ids = build.tensor(Tensor::from(std::vector<float>{2, 0, 2}, {3}), {});
  const ValueId scores = build.tensor(Tensor::from(std::vector<float>{1, 5, 5, 9, 2, 3}, {2, 3}), {});
  const Shape shape = {3, 2};
  const std::vector<std::int64_t> numbers = all_numbers(shape);
  const Place chooser = *summed_place(ids, {shape, numbers, {0, 0, 1, 1, 2, 2}});
  const auto row = chosen_place(build.trace, scores, {shape, numbers, {20, 21, 0, 1, 20, 21}}, chooser);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->chooser_step, 10);
  EXPECT_EQ(element_of(build.trace, *row, {2, 1}), 21);
  EXPECT_FALSE(chosen_place(build.trace, scores, {shape, numbers, {20, 21, 0, 1, 10, 11}}, chooser));

  const Shape rows = {2};
  const Place first = *summed_place(scores, {rows, {0, 1}, {0, 3}});
  const auto largest = picked_place(build.trace, {rows, {0, 1}, {1, 3}}, first, 3, 1);
  ASSERT_TRUE(largest);
  EXPECT_EQ(largest->pick, Place::Pick::Largest);
  const auto smallest = picked_place(build.trace, {rows, {0, 1}, {0, 4}}, first, 3, 1);
  ASSERT_TRUE(smallest);
  EXPECT_EQ(smallest->pick, Place::Pick::Smallest);
  EXPECT_FALSE(picked_place(build.trace, {rows, {0, 1}, {2, 3}}, first, 3, 1)) << "the first of equal ones counts";
}

/// The arithmetic of `y` in a program.
nlohmann::ordered_json made(const std::string& code) {
  const Trace trace = test::trace_of_file("p.py", "import torch\nimport torch.nn.functional as F\n" + code + "\n");
  LevelExplainer explain(trace);
  return arithmetic_of(trace, explain, find_bound(trace, "y")).json;
}

// 40,000 numbers: more than are looked at one by one.
TEST(HtmlArithmetic, LargeResultsFollowFromTheRuleOfTheOp) {
  const std::string large = "torch.manual_seed(0)\nx = torch.randn(200, 200)\n";
  const std::pair<const char*, const char*> kCases[] = {
      {"y = x / 8", R"([0," / 8"])"},
      {"y = torch.where(x > 0, x, -x)", R"([0," if ",1," else "])"},
      {"y = x.t()", "[0]"},
      {"y = x[torch.randint(0, 200, (200,))]", "[0]"},
      {"y = F.embedding(torch.randint(0, 200, (20, 10)), x)", "[0]"},
      {"y = x[x[:, 0] > 0]", "[0]"},
  };
  for (const auto& [code, pieces] : kCases) {
    const auto json = made(large + code);
    ASSERT_FALSE(json.is_null()) << code;
    EXPECT_THAT(json["forms"][0]["pieces"].dump(), testing::StartsWith(std::string(pieces).substr(0, 7))) << code;
    EXPECT_FALSE(json.contains("which")) << code;
  }
  const auto softmax = made(large + "y = torch.softmax(x, dim=1)");
  ASSERT_FALSE(softmax.is_null());
  const auto& slots = softmax["forms"][0]["slots"];
  const auto picks = std::count_if(slots.begin(), slots.end(), [](const auto& slot) { return slot.contains("pick"); });
  EXPECT_EQ(picks, 1);
}

TEST(HtmlArithmetic, DroppedNumbersOfALargeResultHaveAFormOfTheirOwn) {
  const auto json = made("torch.manual_seed(0)\nx = torch.ones(200, 200)\ny = F.dropout(x, 0.5, True)");
  ASSERT_FALSE(json.is_null());
  ASSERT_EQ(json["forms"].size(), 2u);
  const std::size_t zero = json["kinds"][2], other = json["kinds"][3];
  EXPECT_EQ(json["forms"][zero]["pieces"].dump(), R"x([0," * 0"])x");
  EXPECT_EQ(json["forms"][other]["pieces"].dump(), R"x([0," / (1 - 0.5)"])x");
}

TEST(HtmlArithmetic, NothingIsSaidOfALargeResultWhoseNumbersAreNotAlike) {
  EXPECT_TRUE(made("x = torch.zeros(200, 200)\nx[3, 4] = float('nan')\ny = x.softmax(dim=1)").is_null());
  EXPECT_TRUE(made("x = torch.ones(100, 200)\ny = torch.cat([x, x + 1])").is_null());
}

}  // namespace
}  // namespace attn
