#include "tensor/ops/math_derived.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace attn {
namespace {

struct Function {
  const char* name;
  double (*ours)(double);
  double (*libms)(double);
  double from, to;  // where the two are compared
};
constexpr Function kFunctions[] = {
    {"expm1", math::expm1, std::expm1, -60, 700}, {"log1p", math::log1p, std::log1p, -0.999, 1e6},
    {"log2", math::log2, std::log2, 1e-9, 1e9},   {"log10", math::log10, std::log10, 1e-9, 1e9},
    {"tan", math::tan, std::tan, -10, 10},        {"sinh", math::sinh, std::sinh, -709, 709},
    {"cosh", math::cosh, std::cosh, -709, 709},   {"atan", math::atan, std::atan, -8, 8},
    {"asin", math::asin, std::asin, -1, 1},       {"acos", math::acos, std::acos, -1, 1},
};

TEST(MathDerived, AgreesWithTheCLibrary) {
  for (const Function& row : kFunctions) {
    for (int i = 0; i <= 20000; ++i) {
      const double x = row.from + (row.to - row.from) * i / 20000;
      const double expected = row.libms(x);
      ASSERT_NEAR(row.ours(x), expected, 1e-300 + 2e-15 * std::fabs(expected) + 2e-16) << row.name << " at " << x;
    }
  }
}

TEST(MathDerived, SmallArgumentsKeepTheirDigits) {
  for (const auto f : {math::expm1, math::log1p, math::tan, math::sinh, math::atan, math::asin}) {
    for (const double x : {1e-300, 1e-20, -1e-12}) EXPECT_NEAR(f(x), x, 1e-11 * std::fabs(x));
  }
}

TEST(MathDerived, SpecialValues) {
  const double inf = math::kInfinity;
  EXPECT_EQ(math::log2(8.0), 3.0);
  EXPECT_EQ(math::log2(0x1p-1070), -1070.0);
  EXPECT_EQ(math::log10(1e22), 22.0);
  EXPECT_EQ(math::log2(0.0), -inf);
  EXPECT_EQ(math::log1p(-1.0), -inf);
  EXPECT_TRUE(std::isnan(math::log1p(-2.0)));
  EXPECT_EQ(math::expm1(-inf), -1.0);
  EXPECT_EQ(math::expm1(inf), inf);
  EXPECT_EQ(math::sinh(-inf), -inf);
  EXPECT_EQ(math::cosh(inf), inf);
  EXPECT_DOUBLE_EQ(math::atan(inf), std::acos(0.0));
  EXPECT_TRUE(std::isnan(math::asin(1.5)));
  for (const double nan : {math::expm1(math::kNaN), math::log2(math::kNaN), math::log10(math::kNaN),
                           math::sinh(math::kNaN), math::atan(math::kNaN), math::acos(math::kNaN)})
    EXPECT_TRUE(std::isnan(nan));
  EXPECT_TRUE(std::signbit(math::expm1(-0.0)) && std::signbit(math::atan(-0.0)) && std::signbit(math::sinh(-0.0)));
}

TEST(MathDerived, AnglesOfPointsAsInC) {
  const double inf = math::kInfinity;
  for (const double y : {-inf, -2.0, -0.0, 0.0, 1.0, inf})
    for (const double x : {-inf, -3.0, -0.0, 0.0, 0.5, inf})
      EXPECT_DOUBLE_EQ(math::atan2(y, x), std::atan2(y, x)) << y << " " << x;
}

}  // namespace
}  // namespace attn
