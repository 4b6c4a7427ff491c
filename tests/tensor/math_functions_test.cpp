#include "tensor/ops/math_functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace attn {
namespace {

struct Known {
  double x, value;
};

/// Distance in units of the last place of `wanted`.
double ulps(double got, double wanted) {
  if (got == wanted || (got != got && wanted != wanted)) return 0;
  const double size = std::fabs(wanted);
  return std::fabs(got - wanted) / (std::nextafter(size, math::kInfinity) - size);
}

template <class F>
void check(const char* name, F f, const std::vector<Known>& rows) {
  for (const Known& row : rows)
    EXPECT_LE(ulps(f(row.x), row.value), 2.5) << name << " of " << row.x << " is " << f(row.x);
}

// Values from 200-bit arithmetic.
TEST(MathFunctions, known_values) {
  check("exp", math::exp,
        {
            {-745.1, 5e-324},
            {-720.3, 1.5055136071e-313},
            {-708.4, 2.217119081664265e-308},
            {-87.33654, 1.1754999350838952e-38},
            {-1.0, 0.36787944117144233},
            {-1e-20, 1.0},
            {0.34657, 1.4142084849595797},
            {0.5, 1.6487212707001282},
            {1.0, 2.718281828459045},
            {10.25, 28282.541920334977},
            {88.72, 3.39317637416317e+38},
            {709.78, 1.7928227943945155e+308},
        });
  check("log", math::log,
        {
            {5e-324, -744.4400719213812},
            {1e-310, -713.8013788281542},
            {1e-05, -11.512925464970229},
            {0.5, -0.6931471805599453},
            {0.7071067811865475, -0.34657359027997275},
            {0.7071067811865477, -0.3465735902799724},
            {0.999999, -1.000000500029089e-06},
            {1.0000001, 9.999999505838704e-08},
            {1.4142135623730951, 0.3465735902799727},
            {2.0, 0.6931471805599453},
            {10.0, 2.302585092994046},
            {1e+308, 709.1962086421661},
        });
  check("tanh", math::tanh,
        {
            {-25.0, -1.0},
            {-1.0, -0.7615941559557649},
            {-0.22095242875015098, -0.21742565287965898},
            {1e-300, 1e-300},
            {1e-08, 1e-08},
            {0.1, 0.09966799462495582},
            {0.5493, 0.49999539173530155},
            {2.0, 0.9640275800758169},
            {19.0, 0.9999999999999999},
        });
  check("sigmoid", math::sigmoid,
        {
            {-700.0, 9.85967654375977e-305},
            {-36.75, 1.0956650033262366e-16},
            {-1.0, 0.2689414213699951},
            {0.0, 0.5},
            {0.25, 0.5621765008857981},
            {5.0, 0.9933071490757152},
            {40.0, 1.0},
        });
  check("erf", math::erf,
        {
            {-6.5, -1.0},
            {-2.0, -0.9953222650189527},
            {-1.0, -0.8427007929497149},
            {-0.4759, -0.49906812662625544},
            {1e-300, 1.1283791670955126e-300},
            {0.1, 0.1124629160182849},
            {0.9999999, 0.842700751438961},
            {1.0, 0.8427007929497149},
            {1.0000001, 0.8427008344604605},
            {3.25, 0.9999956972205363},
            {5.9, 0.9999999999999999},
        });
  check("sin", math::sin,
        {
            {-1e-09, -1e-09},
            {0.5, 0.479425538604203},
            {0.7853981633974483, 0.7071067811865475},
            {1.5707963267948966, 1.0},
            {3.141592653589793, 1.2246467991473532e-16},
            {355.0, -3.014435335948845e-05},
            {1048575.5, -0.1624508310778367},
            {1048577.25, 0.9998715270981274},
            {10000000000.0, -0.4875060250875107},
            {-1e+22, 0.8522008497671888},
            {5.319372648326541e+255, 1.0},
            {1.7976931348623157e+308, 0.004961954789184062},
        });
  check("cos", math::cos,
        {
            {-1e-09, 1.0},
            {0.5, 0.8775825618903728},
            {0.7853981633974484, 0.7071067811865475},
            {1.5707963267948966, 6.123233995736766e-17},
            {3.141592653589793, -1.0},
            {355.0, -0.999999999545659},
            {1048575.5, 0.9867166399134658},
            {-1048577.25, -0.01602901426971236},
            {10000000000.0, 0.873119622676856},
            {1e+22, 0.523214785395139},
            {5.319372648326541e+255, -4.687165924254628e-19},
            {1.7976931348623157e+308, -0.9999876894265599},
        });
}

TEST(MathFunctions, ends) {
  const double inf = math::kInfinity, nan = math::kNaN;
  struct Row {
    const char* name;
    double got, wanted;
  };
  const std::vector<Row> rows = {
      {"exp inf", math::exp(inf), inf},
      {"exp -inf", math::exp(-inf), 0},
      {"exp nan", math::exp(nan), nan},
      {"exp 710", math::exp(710), inf},
      {"exp -746", math::exp(-746), 0},
      {"exp 0", math::exp(0), 1},
      {"log 0", math::log(0), -inf},
      {"log -0", math::log(-0.0), -inf},
      {"log -1", math::log(-1), nan},
      {"log inf", math::log(inf), inf},
      {"log nan", math::log(nan), nan},
      {"log 1", math::log(1), 0},
      {"tanh inf", math::tanh(inf), 1},
      {"tanh -inf", math::tanh(-inf), -1},
      {"tanh -0", math::tanh(-0.0), -0.0},
      {"tanh nan", math::tanh(nan), nan},
      {"sigmoid -inf", math::sigmoid(-inf), 0},
      {"sigmoid inf", math::sigmoid(inf), 1},
      {"erf -inf", math::erf(-inf), -1},
      {"erf nan", math::erf(nan), nan},
      {"erf -0", math::erf(-0.0), -0.0},
      {"sin inf", math::sin(inf), nan},
      {"sin -0", math::sin(-0.0), -0.0},
      {"cos nan", math::cos(nan), nan},
      {"cos 0", math::cos(0), 1},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ulps(row.got, row.wanted), 0) << row.name << " is " << row.got;
    if (row.wanted == 0) {
      EXPECT_EQ(std::signbit(row.got), std::signbit(row.wanted)) << row.name;
    }
  }
}

TEST(MathFunctions, pow_special_cases) {
  const double inf = math::kInfinity, nan = math::kNaN;
  struct Row {
    double x, y, wanted;
  };
  const std::vector<Row> rows = {
      {nan, 0, 1},
      {1, nan, 1},
      {nan, 1, nan},
      {-1, inf, 1},
      {-1, 0.5, nan},
      {0, -1, inf},
      {-0.0, -1, -inf},
      {-0.0, -2, inf},
      {-0.0, 3, -0.0},
      {-inf, 3, -inf},
      {-inf, -3, -0.0},
      {-inf, 0.5, inf},
      {0.5, inf, 0},
      {0.5, -inf, inf},
      {2, -inf, 0},
      {-2, 3, -8},
      {2, 10, 1024},
      {10, 15, 1e15},
      {3, 33, 5559060566555523},
      {2, 1023.5, 1.2711610061536462e308},
      {2, 1024, inf},
      {2, -1074, 5e-324},
      {2, -1076, 0},
      {10, -5, 1e-5},
      {-3, 9007199254740991.0, -inf},
      {0.5, 1e300, 0},
      {1.0000000001, 1e300, inf},
      {10000.0, 0.25, 10.0},
      {0.2849895440096511, -5.835756682998871, 1518.7480586640202},
      {7.5, 88.25, 1.6755465361811562e+77},
      {1.0000001, 12345678.9, 3.4368928742452223},
      {1e-300, 0.7, 1.0000000000000308e-210},
      {1.2862053981281261e-30, 5.2209931010774735, 8.728014032621407e-157},
  };
  for (const Row& row : rows) {
    const double got = math::pow(row.x, row.y);
    EXPECT_LE(ulps(got, row.wanted), 2.1) << row.x << " ** " << row.y << " is " << got;
    if (row.wanted == 0) {
      EXPECT_EQ(std::signbit(got), std::signbit(row.wanted)) << row.x << " ** " << row.y;
    }
  }
}

}  // namespace
}  // namespace attn
