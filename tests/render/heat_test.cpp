#include "render/heat.h"

#include <gtest/gtest.h>

#include <limits>

#include "render/table.h"
#include "tests/render/trace_builder.h"

namespace attn {
namespace {

std::string drawn_weights(const Tensor& x, const std::vector<std::string>& words, const RenderOptions& options) {
  test::TraceBuilder builder;
  const ValueId value = builder.tensor(x, {"query_len", "key_len"}, words);
  Page page(options);
  put_value(page, "x", builder.trace.value(value));
  return page.text();
}

TEST(Heat, TheDarkerTheLarger) {
  const std::pair<double, const char*> rows[] = {{0, " "},     {0.0499, " "}, {0.05, "░"}, {0.2499, "░"}, {0.25, "▒"},
                                                 {0.499, "▒"}, {0.5, "▓"},    {0.75, "█"}, {1, "█"}};
  for (const auto& [share, sign] : rows) EXPECT_EQ(shade(share, glyphs({})), sign) << share;
  EXPECT_EQ(shade(0.3, glyphs({.ascii = true})), "+");
}

TEST(Heat, OnlyNothingLooksLikeNothing) {
  const std::pair<double, const char*> rows[] = {{0, "0"},      {1e-30, ".00"}, {0.004, ".00"}, {0.006, ".01"},
                                                 {0.57, ".57"}, {0.994, ".99"}, {0.996, "1.0"}, {1, "1.0"}};
  for (const auto& [share, text] : rows) EXPECT_EQ(short_share(share), text) << share;
}

TEST(Heat, KnowsWeights) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::pair<std::vector<float>, bool> rows[] = {{{0.25f, 0.75f, 1, 0}, true},   {{0.25f, 0.76f, 1, 0}, false},
                                                      {{-0.25f, 1.25f, 1, 0}, false}, {{0.25f, 0.75f, nan, 1}, false},
                                                      {{1, 0, 0, 0}, false},          {{1, 0, 0, 1}, false}};
  for (const auto& [numbers, expected] : rows) {
    test::TraceBuilder builder;
    builder.tensor(Tensor::from(numbers, {2, 2}), {});
    EXPECT_EQ(is_weights(builder.trace.values[0]), expected) << numbers[1];
  }
}

TEST(Heat, StandsBesideTheDigits) {
  const Tensor x = Tensor::from<float>({0.25f, 0.75f, 0.5f, 0.5f}, {2, 2});
  EXPECT_EQ(drawn_weights(x, {"나는", "책을"}, {}),
            "x [query_len 2, key_len 2]\n"
            "           key_len\n"
            "query_len    나는     책을\n"
            "        0  0.2500▒  0.7500█\n"
            "        1  0.5000▓  0.5000▓\n");
}

TEST(Heat, ATableTooWideIsShortRatherThanCut) {
  const Tensor x = Tensor::from<float>({0.12f, 0.25f, 0.63f, 0, 0.999f, 0.001f}, {2, 3});
  const std::string text = drawn_weights(x, {"reads", "a", "b"}, {27});
  EXPECT_EQ(text.substr(0, text.find("min")),
            "x [query_len 2, key_len 3]\n"
            "        key_len\n"
            "query…  rea…     a     b\n"
            "     0   .12░  .25▒  .63▓\n"
            "     1     0   1.0█  .00\n"
            "shares to two places\n");
}

}  // namespace
}  // namespace attn
