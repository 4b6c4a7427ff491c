// Every number that is explained is computed once more from the expression that is shown, as Python.
#include "explain/element.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "base/limits.h"
#include "lesson/catalogue.h"
#include "python/interpreter.h"
#include "tensor/core/read.h"
#include "tests/engine/run.h"
#include "torch/nn/layer.h"

namespace attn {
namespace {

// The functions that formulas call, in double precision.
constexpr const char* kFunctions = R"(
import math
import torch
inf = math.inf
nan = math.nan
def through(name):
    return lambda x: getattr(torch, name)(torch.tensor(float(x), dtype=torch.float64)).item()
exp = through('exp'); log = through('log'); sqrt = through('sqrt'); tanh = through('tanh'); erf = through('erf')
erfinv = through('erfinv')
sin = through('sin'); cos = through('cos'); tan = through('tan'); asin = through('asin'); acos = through('acos')
atan = through('atan'); log2 = through('log2'); log10 = through('log10'); log1p = through('log1p')
expm1 = through('expm1'); floor = through('floor'); ceil = through('ceil'); trunc = through('trunc')
isnan = through('isnan'); isinf = through('isinf'); isfinite = through('isfinite')
def atan2(a, b):
    return torch.atan2(torch.tensor(float(a), dtype=torch.float64), torch.tensor(float(b), dtype=torch.float64)).item()
def fmod(a, b):
    return a - b * trunc(a / b)
def nan_to_num(x, nan=0.0, posinf=3.4028234663852886e+38, neginf=-3.4028234663852886e+38):
    return nan if isnan(x) else posinf if x == inf else neginf if x == -inf else x
def fmax(a, b):
    return b if isnan(a) or b > a else a
def fmin(a, b):
    return b if isnan(a) or b < a else a
def max(*xs):
    best = xs[0]
    for x in xs:
        best = x if x > best else best
    return best
def min(*xs):
    best = xs[0]
    for x in xs:
        best = x if x < best else best
    return best
)";

/// Evaluates expressions, so that a test can compare them with what they are to give.
class Calculator : private Observer {
 public:
  Calculator() : interpreter_(this) { interpreter_.run(Source{"functions", kFunctions}); }

  double operator()(const std::string& expression) {
    last_ = Value();
    interpreter_.run(Source{"expression", expression + "\n"});
    return as_real(last_).value_or(std::nan(""));
  }

 private:
  void evaluated(const Value& value, Span) override { last_ = value; }

  Value last_;
  Interpreter interpreter_;
};

DType type_of(const Trace& trace, ValueId value) { return value < 0 ? DType::Float32 : trace.value(value).dtype; }

/// What an element may be off by, relative to the numbers it was made from.
double rounding_of(DType dtype) { return dtype == DType::Float16 ? 1e-3 : dtype == DType::BFloat16 ? 8e-3 : 4e-7; }

/// A narrow integer holds what is left of the number after the lowest and highest of its type.
bool wraps(double got, double number, DType dtype) {
  return is_narrow(dtype) && !is_floating(dtype) &&
         static_cast<double>(narrowed(static_cast<std::int64_t>(got), dtype)) == number;
}

/// Whether rounding to a narrow float may decide a comparison: of what is compared both sides are rounded.
bool compares_narrow(const Trace& trace, const Explanation& level) {
  return type_of(trace, level.value) == DType::Bool &&
         std::any_of(level.operands.begin(), level.operands.end(), [&](const OperandElement& operand) {
           return is_narrow(type_of(trace, operand.value)) && is_floating(type_of(trace, operand.value));
         });
}

/// A number of numpy, say, which the record does not hold.
bool has_foreign_argument(const Trace& trace, const Explanation& level) {
  if (level.op < 0) return false;
  const auto& arguments = trace.op(level.op).arguments;
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const OpArgument& argument) { return argument.kind == OpArgument::Kind::Other; });
}

class ElementTest : public testing::Test {
 protected:
  /// Every level gives its element from the operands that it shows, within float32 rounding.
  void expect_recomputes(const Trace& trace, const Explanation& level) {
    const std::string text = expression_text(level);
    SCOPED_TRACE(fmt::format("{}{} by {}: {}", level.name, shape_text(level.index), level.op_name, text));
    if (level.op_name == "unique" && level.fact == ElementFact::Unknown) return;  // of whole slices
    // Long ones are computed in tiles, without the scores that an explanation would show.
    if (level.op_name == "scaled_dot_product_attention" && level.fact == ElementFact::Unknown) return;
    if (level.operands.size() > 300) return;                         // Python's nesting is limited here
    if (level.operands.empty() && std::isnan(level.number)) return;  // the spread of nothing: 0 / (0 - 1) is shown
    EXPECT_TRUE(level.fact != ElementFact::Unknown || has_foreign_argument(trace, level));
    double got = std::nan("");
    try {
      got = calculator_(text);
    } catch (const CellError& error) {
      // Python raises where a tensor becomes inf or nan.
      const bool is_beyond = error.diagnostic().code == Code::Unsupported;  // such as ints beyond 64 bits
      const bool is_infinite = error.type() == "ZeroDivisionError" && !std::isfinite(level.number);
      const bool is_of_infinity =
          error.type() == "OverflowError" || error.type() == "ValueError";  // int(inf), int(nan)
      EXPECT_TRUE(is_beyond || is_infinite || is_of_infinity) << error.what();
      return;
    }
    double size = std::max(std::fabs(level.number), type_of(trace, level.value) == DType::Float16 ? 6e-5 : 0.0);
    for (const OperandElement& operand : level.operands) {
      if (std::isfinite(operand.number) && std::fabs(operand.number) < 1e8)
        size = std::max(size, std::fabs(operand.number));
    }
    const DType dtype = type_of(trace, level.value);
    const double tolerance = rounding_of(dtype) * size * static_cast<double>(1 + level.operands.size());
    const bool is_same =
        got == level.number || (std::isnan(got) && std::isnan(level.number)) || wraps(got, level.number, dtype);
    if (!is_same && !compares_narrow(trace, level)) {
      EXPECT_NEAR(got, level.number, tolerance);
    }
    for (const Explanation& inner : level.inner) expect_recomputes(trace, inner);
  }

  /// A few random elements of every tensor that an op of the run gave, and of every name; of a long run, where each
  /// explanation goes through all of it, of some.
  void expect_explained(const Trace& trace, int elements) {
    const std::size_t most = trace.values.size() > 3000 ? 40 : 400;
    std::mt19937 random(7);
    ExplainOptions options;
    options.depth = 1;
    options.terms = 2;
    for (std::size_t id = 0; id < trace.values.size(); id += 1 + trace.values.size() / most) {
      const RecordedValue& value = trace.values[id];
      if (!value.is_tensor || !value.kept || value.tensor.numel() == 0) continue;
      for (int k = 0; k < elements; ++k) {
        const auto number = static_cast<std::int64_t>(random() % static_cast<unsigned>(value.tensor.numel()));
        expect_recomputes(trace,
                          explain_element(trace, static_cast<ValueId>(id), unravel(number, value.shape), options));
      }
    }
  }

  LimitScope limits_{Limits{}};
  Calculator calculator_;
};

TEST_F(ElementTest, EveryOpOfTheTable) {
  for (const OpInfo* op : all_ops()) {
    SCOPED_TRACE(std::string(op->spellings));
    const Trace trace = trace_of(
        cell("import math\nimport torch.nn.functional as F\nimport torch.nn as nn\n" + std::string(op->example)));
    EXPECT_EQ(trace.outcome, RunOutcome::Fine) << messages_of(trace);
    expect_explained(trace, 3);
  }
}

TEST_F(ElementTest, EveryLayer) {
  for (const LayerInfo& layer : all_layers()) {
    SCOPED_TRACE(std::string(layer.name));
    const Trace trace = trace_of(cell(std::string(layer.example)));
    EXPECT_EQ(trace.outcome, RunOutcome::Fine) << messages_of(trace);
    expect_explained(trace, 2);
  }
}

// The lines of code that are compared with PyTorch: odd shapes, types and arguments.
TEST_F(ElementTest, EveryCaseOfTheOracle) {
  for (const auto& entry : std::filesystem::directory_iterator(ATTN_SOURCE_DIR "/tests/oracle/cases")) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    const nlohmann::json cases = nlohmann::json::parse(file).at("cases");
    for (const nlohmann::json& each : cases) {
      const std::string code = each.at("code");
      SCOPED_TRACE(code);
      expect_explained(trace_of(cell("import math\nimport torch.nn.functional as F\ntorch.manual_seed(0)\n" + code)),
                       1);
    }
  }
}

TEST_F(ElementTest, EveryLesson) {
  const Catalogue catalogue = Catalogue::built_in();
  for (const CatalogueEntry& entry : catalogue.entries()) {
    SCOPED_TRACE(entry.id);
    if (runs_in_tests(entry.id, 1) == 0) continue;
    LoadFindings findings;
    expect_explained(run_lesson(catalogue.open(entry, findings)), 1);
  }
}

}  // namespace
}  // namespace attn
