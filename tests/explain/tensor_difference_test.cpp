#include "explain/tensor_difference.h"

#include <gmock/gmock.h>

#include "tests/engine/run.h"

namespace attn {
namespace {

using testing::ElementsAre;

const std::string kComparedCells = cell(
    "a = torch.zeros(2, 3)  # [batch_size, key_len]\nb = torch.zeros(2, 3)\nc = torch.zeros(2, 3)\nc[1, 2] = 0.5\n"
    "c[1, 0] = -2\nnear = a + 1e-9\nt = torch.zeros(3, 2)\nn = 3\nm = 4\nnan = a / a\nw = torch.zeros(3).long()\n"
    "v = w + 2\nflags = w == 0\nother = w > 0\na = a + 1\nsmall = a + 0.00001");

std::vector<std::string> difference_of(const char* name_a, const char* name_b) {
  const Trace trace = trace_of(kComparedCells);
  const auto last = static_cast<StepId>(trace.steps.size()) - 3;  // ahead of the second a
  return tensor_difference_text(name_a, trace.value(value_named(trace, name_a, last)), name_b,
                                trace.value(value_named(trace, name_b, last)));
}

TEST(TensorDifference, Sentences) {
  EXPECT_THAT(difference_of("a", "b"), ElementsAre("a and b are equal: 6 numbers, every bit."));
  EXPECT_THAT(difference_of("a", "near"), ElementsAre("a and near are equal but for rounding: 6 numbers."));
  EXPECT_THAT(difference_of("a", "t"), ElementsAre("Another shape: a is [batch_size 2, key_len 3], t is [3, 2]."));
  EXPECT_THAT(difference_of("a", "n"), ElementsAre("Another shape: a is [batch_size 2, key_len 3], n is int 3."));
  EXPECT_THAT(difference_of("n", "m"), ElementsAre("n is int 3, m is int 4."));
  EXPECT_THAT(difference_of("n", "n"), ElementsAre("n and n are equal."));
  EXPECT_THAT(difference_of("a", "c"), ElementsAre("Same shape, other numbers: 2 of 6 numbers differ.",
                                                   "first: [batch_size 1, key_len 0]: 0.0000 in a, -2.0000 in c",
                                                   "largest difference: 2.0000", "equal: batch_size 0; key_len 1"));
  EXPECT_THAT(
      difference_of("a", "nan"),
      ElementsAre("Same shape, other numbers: 6 of 6 numbers differ.",
                  "first: [batch_size 0, key_len 0]: 0.0000 in a, nan in nan", "largest difference: 0.0000",
                  "NaN: 0 in a, 6 in nan", "equal: nothing, each row, column and slice has a number that differs"));
  EXPECT_THAT(
      difference_of("w", "v"),
      ElementsAre("Same shape, other numbers: 3 of 3 numbers differ.", "first: [0]: 0 in w, 2 in v",
                  "largest difference: 2", "equal: nothing, each row, column and slice has a number that differs"));
  EXPECT_THAT(
      difference_of("flags", "other"),
      ElementsAre("Same shape, other numbers: 3 of 3 numbers differ.", "first: [0]: True in flags, False in other",
                  "equal: nothing, each row, column and slice has a number that differs"));
}

TEST(TensorDifference, TakesTheValueOfTheMoment) {
  const Trace trace = trace_of(kComparedCells);
  const auto last = static_cast<StepId>(trace.steps.size()) - 1;
  EXPECT_EQ(numbers_of(trace.value(value_named(trace, "a", last))), "1 1 1 1 1 1");
  EXPECT_EQ(numbers_of(trace.value(value_named(trace, "a", last - 2))), "0 0 0 0 0 0");
  EXPECT_EQ(value_named(trace, "small", last - 1), -1);
  EXPECT_EQ(value_named(trace, "nothing", last), -1);
}

TEST(TensorDifference, WhatAWrongCellBindsIsGoneBehindIt) {
  const Trace trace = trace_of(cell("x = torch.zeros(2)") + cell("x = torch.ones(2)", "wrong=x") + cell("y = 1"));
  const auto last = static_cast<StepId>(trace.steps.size()) - 1;
  EXPECT_EQ(numbers_of(trace.value(value_named(trace, "x", last))), "0 0");
  EXPECT_EQ(numbers_of(trace.value(value_named(trace, "x", last - 1))), "1 1");
}

}  // namespace
}  // namespace attn
