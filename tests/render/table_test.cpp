#include "render/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/render/trace_builder.h"

namespace attn {
namespace {

using test::counting;
using test::TraceBuilder;

std::string drawn(const Tensor& x, const std::vector<std::string>& axes, RenderOptions options = {},
                  const std::vector<std::string>& words = {}, const Shape& slice = {}) {
  TraceBuilder builder;
  const ValueId value = builder.tensor(x, axes, words);
  Page page(options);
  put_value(page, "x", builder.trace.value(value), {{slice, ""}});
  return page.text();
}

TEST(Table, RowsAndColumnsWithNames) {
  EXPECT_EQ(drawn(Tensor::from<float>({0.5f, -1.25f, 2, 0, 0, 10}, {2, 3}), {"query_len", "key_len"}),
            "x [query_len 2, key_len 3]\n"
            "           key_len\n"
            "query_len        0        1        2\n"
            "        0   0.5000  -1.2500   2.0000\n"
            "        1   0.0000   0.0000  10.0000\n"
            "min -1.2500   mean 1.8750   max 10.0000   6 numbers\n");
}

TEST(Table, OneAxisIsOneRow) {
  EXPECT_EQ(drawn(Tensor::from<std::int64_t>({6, 4, 2}, {3}), {"batch_size"}),
            "x [batch_size 3]\nbatch_size\n0  1  2\n6  4  2\n");
}

TEST(Table, NoAxisIsANumber) {
  EXPECT_EQ(drawn(Tensor::scalar(0.25f), {}), "x = 0.2500\n");
  EXPECT_EQ(drawn(Tensor::scalar(2.0f), {}), "x = 2.0\n");
}

TEST(Table, WordsLineUpInCells) {
  EXPECT_EQ(drawn(Tensor::from<bool>({true, false, true, true}, {2, 2}), {"", "key_len"}, {}, {"나는", "책을"}),
            "x [2, key_len 2]\n"
            "   key_len\n"
            "    나는   책을\n"
            "0   True  False\n"
            "1   True   True\n");
}

TEST(Table, ShowsTheChosenSlice) {
  const std::string text = drawn(counting({2, 1, 2, 2}), {"batch_size", "", "a", "b"}, {40}, {}, {1, 0});
  EXPECT_EQ(text,
            "x [batch_size 2, 1, a 2, b 2]\n"
            "slice batch_size 1\n"
            "   b\n"
            "a   0   1\n"
            "0  4.  5.\n"
            "1  6.  7.\n"
            "all slices: min 0.0   mean 3.5000\n"
            "max 7.0   8 numbers\n");
  // Indices beyond the end are the last.
  EXPECT_EQ(drawn(counting({2, 1, 2, 2}), {"batch_size", "", "a", "b"}, {40}, {}, {9, 9}), text);
}

TEST(Table, LeavesOutTheMiddleAndCounts) {
  EXPECT_EQ(drawn(counting({20, 30}), {"", ""}, {44}),
            "x [20, 30]\n"
            "       0     1     2  … 25 more    28    29\n"
            " 0    0.    1.    2.  …           28.   29.\n"
            " 1   30.   31.   32.  …           58.   59.\n"
            " 2   60.   61.   62.  …           88.   89.\n"
            " 3   90.   91.   92.  …          118.  119.\n"
            " 4  120.  121.  122.  …          148.  149.\n"
            " 5  150.  151.  152.  …          178.  179.\n"
            "… 9 more\n"
            "15  450.  451.  452.  …          478.  479.\n"
            "16  480.  481.  482.  …          508.  509.\n"
            "17  510.  511.  512.  …          538.  539.\n"
            "18  540.  541.  542.  …          568.  569.\n"
            "19  570.  571.  572.  …          598.  599.\n"
            "min 0.0   mean 299.5000   max 599.0\n"
            "600 numbers\n");
  // No room beside the columns: a line below counts.
  EXPECT_EQ(drawn(Tensor::from<float>(std::vector<float>(20, 0.5f), {2, 10}), {"", ""}, {20}),
            "x [2, 10]\n"
            "        0  …       9\n"
            "0  0.5000  …  0.5000\n"
            "1  0.5000  …  0.5000\n"
            "… 8 columns more\n"
            "all 0.5000\n"
            "20 numbers\n");
}

TEST(Table, FormatsOnlyWhatItShows) {
  const std::string text = drawn(counting({1000, 1000}), {"row", "column"});
  EXPECT_LT(text.size(), 2000u);
  EXPECT_THAT(text, ::testing::HasSubstr("… 989 more"));
}

TEST(Table, MarksNaNAndInfinity) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(drawn(Tensor::from<float>({1.5f, NAN, kInf, -kInf}, {4}), {""}),
            "x [4]\n"
            "     0       1       2       3\n"
            "1.5000     nan     inf    -inf\n"
            "all 1.5000   4 numbers   ! 1 NaN   ! 2 infinite\n");
}

TEST(Table, SaysWhereWeightsLook) {
  const Tensor weights = Tensor::from<float>({0.5f, 0.25f, 0.125f, 0.125f, 0.25f, 0.25f, 0.25f, 0.25f}, {2, 4});
  EXPECT_THAT(drawn(weights, {"query_len", "key_len"}, {}, {"a", "b", "c", "d"}),
              ::testing::EndsWith("8 numbers\nquery_len 0 looks most at a (0.5000), b (0.2500), c (0.1250)   "
                                  "entropy 1.75 bits\n"));
  const Tensor even = Tensor::from<float>({0.5f, 0.5f, 0.5f, 0.5f, 0, 1}, {3, 2});
  EXPECT_THAT(drawn(even, {}), ::testing::EndsWith("row 0 looks at all alike   entropy 1.00 bits\n"));
  const Tensor no_weights = Tensor::from<float>({0.5f, 0.5f, 0.5f, 0.6f, 0, 1}, {3, 2});
  EXPECT_THAT(drawn(no_weights, {}), ::testing::Not(::testing::HasSubstr("looks")));
}

/// Each table as its lines; of those that are folded the title.
std::vector<std::string> drawn_in_order(TraceBuilder& builder, const std::vector<ValueId>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    builder.cell("x");
    builder.bind("x" + std::to_string(i), values[i]);
  }
  ShownTables tables(builder.trace);
  std::vector<std::string> out;
  for (const Step& step : builder.trace.steps) {
    Page page({});
    const Binding& binding = step.bindings[0];
    put_value(page, binding.target, builder.trace.value(binding.value),
              tables.next(step, binding.target, binding.value));
    out.push_back(page.text());
  }
  return out;
}

TEST(Table, WithTheDigitsOfOneAboveItIsFolded) {
  TraceBuilder builder;
  const auto numbers = [&](std::vector<float> list, const std::vector<std::string>& axes,
                           const std::vector<std::string>& words = {}) {
    const auto rows = static_cast<std::int64_t>(list.size()) / 2;
    return builder.tensor(Tensor::from(std::move(list), {rows, 2}), axes, words);
  };
  const std::vector<std::string> axes{"a", "b"};
  const std::vector<std::string> drawn = drawn_in_order(
      builder, {numbers({0.5f, 1, 2, 3}, axes), numbers({0.50001f, 1, 2, 3}, axes), numbers({0.5f, 1, 2, 3}, axes),
                numbers({0.51f, 1, 2, 3}, axes), numbers({0.5f, 1, 2, 3}, {"a", "c"}),
                numbers({0.5f, 1, 2, 3}, axes, {"sie", "er"}), numbers({NAN, 1}, axes), numbers({NAN, 1}, axes)});
  const auto is_folded = [&](std::size_t i, const std::string& as) {
    EXPECT_THAT(drawn[i], ::testing::EndsWith(" as " + as + "\n")) << i;
    EXPECT_EQ(std::count(drawn[i].begin(), drawn[i].end(), '\n'), 1) << drawn[i];
  };
  is_folded(1, "x0, step 1");
  is_folded(2, "x0, step 1");
  is_folded(7, "x6, step 7");
  for (const std::size_t i : {0U, 3U, 4U, 5U, 6U})
    EXPECT_THAT(drawn[i], ::testing::Not(::testing::HasSubstr(" as "))) << i;
}

TEST(Table, OfWhichOneSliceIsTheSameKeepsItsSummary) {
  TraceBuilder builder;
  const ValueId x = builder.tensor(counting({2, 2, 2}), {"head", "a", "b"});
  Tensor other = counting({2, 2, 2});
  other.mutable_data<float>()[7] = 9;
  EXPECT_EQ(drawn_in_order(builder, {x, builder.tensor(other, {"head", "a", "b"})})[1],
            "x1 [head 2, a 2, b 2]                                slice head 0: as x0, step 1\n"
            "all slices: min 0.0   mean 3.7500   max 9.0   8 numbers\n");
}

TEST(Table, RowsOfPaddingThatAreAlikeAreOne) {
  TraceBuilder builder;
  const ValueId id = builder.tensor(Tensor::from<float>({1, 2, 0, 0, 0, 0, 0, 0}, {4, 2}), {"word", "b"});
  const auto words = [&](std::vector<std::string> list) {
    builder.trace.value(id).axes[0].words = std::make_shared<const std::vector<std::string>>(std::move(list));
    Page page({});
    put_value(page, "x", builder.trace.value(id));
    return page.text();
  };
  EXPECT_EQ(words({"sie", "<pad>", "<pad>", "<pad>"}),
            "x [word 4, b 2]\n"
            "              b\n"
            "        word   0   1\n"
            "         sie  1.  2.\n"
            "<pad> 1 to 3  0.  0.\n"
            "min 0.0   mean 0.3750   max 2.0   8 numbers\n");
  EXPECT_THAT(words({"sie", "er", "es", "<pad>"}), ::testing::HasSubstr("<pad>  0.  0.\n"));    // only padding
  EXPECT_THAT(words({"<pad>", "<pad>", "er", "es"}), ::testing::HasSubstr("<pad>  1.  2.\n"));  // only what is alike
}

TEST(Table, EmptyAndForgottenNumbers) {
  EXPECT_EQ(drawn(Tensor::empty({0, 3}, DType::Float32), {}), "x [0, 3]\nno numbers: an axis has size 0\n");
  RecordedValue value;
  value.is_tensor = true;
  value.shape = {2};
  value.axes = {{"n", nullptr}};
  value.kept = false;
  Page page({});
  put_value(page, "x", value);
  EXPECT_EQ(page.text(), "x [n 2]\nthe numbers were not kept: the record of this run is full\n");
}

TEST(Table, ATitleWithoutNumbers) {
  TraceBuilder builder;
  const ValueId tensor = builder.tensor(counting({2, 3}), {"query_len", "key_len"});
  const ValueId number = builder.plain("4");
  Page page({});
  put_value_title(page, "scores", builder.trace.value(tensor));
  put_value_title(page, "head_dim", builder.trace.value(number));
  EXPECT_EQ(page.text(),
            "scores [query_len 2, key_len 3]                                        not shown\nhead_dim = 4\n");
}

TEST(Table, OtherValuesAreText) {
  RecordedValue value;
  value.text = "4";
  Page page({});
  put_value(page, "head_dim", value);
  put_value(page, "", value);
  EXPECT_EQ(page.text(), "head_dim = 4\ngives 4\n");
  value.text = std::string(400, 'a');
  for (std::size_t i = 9; i < value.text.size(); i += 10) value.text[i] = ' ';
  Page narrow({20});
  put_value(narrow, "words", value);
  EXPECT_THAT(narrow.text(), ::testing::EndsWith("… 33 more lines\n"));
}

}  // namespace
}  // namespace attn
