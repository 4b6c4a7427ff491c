#include "base/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace attn {
namespace {

constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
constexpr auto kMax = std::numeric_limits<std::int64_t>::max();

TEST(Number, ReprIsPythons) {
  // Expectations: repr() of CPython 3.11.
  const std::pair<double, const char*> cases[] = {{0.0, "0.0"},
                                                  {-0.0, "-0.0"},
                                                  {1.0, "1.0"},
                                                  {-2.5, "-2.5"},
                                                  {0.1, "0.1"},
                                                  {0.1 + 0.2, "0.30000000000000004"},
                                                  {1e-4, "0.0001"},
                                                  {1e-5, "1e-05"},
                                                  {1.5e-7, "1.5e-07"},
                                                  {123456789012345680.0, "1.2345678901234568e+17"},
                                                  {1e15, "1000000000000000.0"},
                                                  {1e16, "1e+16"},
                                                  {9007199254740994.0, "9007199254740994.0"},
                                                  {1e100, "1e+100"},
                                                  {5e-324, "5e-324"},
                                                  {1.7976931348623157e308, "1.7976931348623157e+308"},
                                                  {HUGE_VAL, "inf"},
                                                  {-HUGE_VAL, "-inf"},
                                                  {-std::nan(""), "nan"},
                                                  {static_cast<double>(0.1f), "0.10000000149011612"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(python_repr(value), text);
}

TEST(Number, FormatsLikeC) {
  EXPECT_EQ(format_fixed(2.5, 0), "2");
  EXPECT_EQ(format_fixed(3.14159, 2), "3.14");
  EXPECT_EQ(format_fixed(-0.0001, 2), "-0.00");
  EXPECT_EQ(format_fixed(1e22, 1), "10000000000000000000000.0");
  EXPECT_EQ(format_fixed(1e308, 4).size(), 309u + 5);
  EXPECT_EQ(format_exponent(12345.678, 3), "1.235e+04");
  EXPECT_EQ(format_exponent(0.0, 1), "0.0e+00");
  EXPECT_EQ(format_general(0.0001, 6), "0.0001");
  EXPECT_EQ(format_general(1e-5, 6), "1e-05");
  EXPECT_EQ(format_general(1234567.0, 6), "1.23457e+06");
  EXPECT_EQ(format_general(0.5, 0), "0.5");
  EXPECT_EQ(format_fixed(std::nan(""), 3), "nan");
  EXPECT_EQ(format_exponent(-HUGE_VAL, 3), "-inf");
}

TEST(Number, ParsesDoubles) {
  const std::pair<const char*, double> good[] = {{"1", 1},
                                                 {"+1.5", 1.5},
                                                 {"-.5", -.5},
                                                 {"1e3", 1e3},
                                                 {"5.", 5},
                                                 {"1e400", HUGE_VAL},
                                                 {"-1e400", -HUGE_VAL},
                                                 {"1e9223372036854775807", HUGE_VAL},
                                                 {"1e-9223372036854775808", 0.0},
                                                 {"1e-400", 0},
                                                 {"0.00001e400", HUGE_VAL},
                                                 {"inf", HUGE_VAL},
                                                 {"5e-324", 5e-324}};
  for (const auto& [text, value] : good) EXPECT_EQ(parse_double(text), value) << text;
  EXPECT_TRUE(std::isnan(parse_double("nan").value()));
  for (const char* text : {"", "+", "-", "--1", "+-1", " 1", "1 ", "1,5", "0x1p3", "1e", "abc", "nan(1)"}) {
    EXPECT_FALSE(parse_double(text)) << text;
  }
}

TEST(Number, ParsesInts) {
  EXPECT_EQ(parse_int("-9223372036854775808"), kMin);
  EXPECT_EQ(parse_int("+7"), 7);
  for (const char* text : {"", "+", "+-1", "9223372036854775808", "1.0", "1 ", "0x10"})
    EXPECT_FALSE(parse_int(text)) << text;
}

TEST(Number, SaysWhenIntegersOverflow) {
  EXPECT_EQ(checked_add(2, 3), 5);
  EXPECT_EQ(checked_sub(2, 3), -1);
  EXPECT_EQ(checked_mul(1LL << 31, 1LL << 31), 1LL << 62);
  EXPECT_FALSE(checked_add(kMax, 1));
  EXPECT_FALSE(checked_sub(kMin, 1));
  EXPECT_FALSE(checked_mul(1LL << 32, 1LL << 31));
}

TEST(Number, DividesTowardsMinusInfinity) {
  const std::int64_t cases[][4] = {{7, 2, 3, 1}, {-7, 2, -4, 1}, {7, -2, -4, -1}, {-7, -2, 3, -1}, {6, -3, -2, 0}};
  for (const auto& [a, b, quotient, remainder] : cases) {
    EXPECT_EQ(floor_div(a, b), quotient);
    EXPECT_EQ(floor_mod(a, b), remainder);
  }
  EXPECT_EQ(floor_mod(kMin, -1), 0);
  EXPECT_EQ(floor_div(kMin, -1), kMin);
}

}  // namespace
}  // namespace attn
