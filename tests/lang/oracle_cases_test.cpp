// Every case of tests/oracle/cases: a line of code here and under PyTorch, with the same value, text or exception.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/interpreter.h"
#include "python/observer.h"
#include "tests/oracle/compare.h"

namespace attn {
namespace {

using oracle::Json;

// Code that we refuse on purpose, with the reason. A row whose code works (or fails in another way) fails the test.
struct Refused {
  std::string_view code;
  std::string_view reason;
};
constexpr Refused kRefused[] = {
    {"2 ** 10, 2 ** -1, (-8) ** (1 / 3) == 2, 0 ** 0, 7 / 2, 6 / 3, -2 ** 2", "complex numbers are not known"},
    {"9223372036854775807, -9223372036854775807, 4611686018427387904 * 2 - 1", "ints have 64 bits"},
};

const Refused* find_refused(const std::string& code) {
  for (const Refused& row : kRefused)
    if (row.code == code) return &row;
  return nullptr;
}

class LastValue : public Observer {
 public:
  void statement_begins(const Stmt&, std::int64_t) override { value.reset(); }
  void evaluated(const Value& v, Span) override { value = v; }
  void printed(std::string_view text) override { output += text; }

  std::string output;
  std::optional<Value> value;
};

// What a case did, in the words of the report.
struct Result {
  std::vector<std::string> problems;
  bool is_unsupported = false;
};

void check_error(const Json& expected, const std::string& type, std::string text, Result& result) {
  if (text.starts_with(type + ": ")) text.erase(0, type.size() + 2);  // of a class in Python
  if (!expected.contains("error")) {
    result.problems.push_back(fmt::format("raises {}: {}", type, text));
    return;
  }
  const Json& error = expected["error"];
  const std::string wanted = error.value("text", "");  // none: the type alone counts
  const bool has_text = error.contains("text");
  if (error["type"] != type || (has_text && !oracle::same_error_text(text, wanted)))
    result.problems.push_back(
        fmt::format("raises {}: {}\n  for  {}: {}", type, text, error["type"].get<std::string>(), wanted));
}

void check_value(const Json& expected, const LastValue& last, oracle::Exactness exactness, Result& result) {
  if (expected.contains("error")) {
    result.problems.push_back("should raise " + expected["error"].dump());
  } else if (expected.contains("value")) {
    const Value value = last.value.value_or(Value());
    for (auto& line : oracle::differences(value, expected["value"], "value", exactness))
      result.problems.push_back(std::move(line));
  }
}

Result run_case(const Json& expected, oracle::Exactness exactness) {
  Result result;
  LastValue last;
  Interpreter interpreter;
  interpreter.run({"<imports>", "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nimport math\n"});
  interpreter.generator().manual_seed(0);
  interpreter.set_observer(&last);
  try {
    interpreter.run({"<case>", expected["code"].get<std::string>()});
    check_value(expected, last, exactness, result);
  } catch (const CellError& error) {
    result.is_unsupported = error.diagnostic().code == Code::Unsupported;
    check_error(expected, error.type(), error.diagnostic().message, result);
  } catch (const LimitReached& limit) {
    result.problems.push_back(fmt::format("limit: {}", limit.what()));
  }
  const std::string printed = expected.value("printed", "");
  if (!oracle::same_text(last.output, printed))
    result.problems.push_back(fmt::format("printed:\n{}  for\n{}", last.output, printed));
  return result;
}

class OracleCases : public testing::TestWithParam<std::string> {};

TEST_P(OracleCases, AgreeWithPyTorch) {
  const Json fixture = oracle::read_fixture("cases/" + GetParam());
  const auto exactness = GetParam() == "random" ? oracle::Exactness::BitForBit : oracle::Exactness::Bounds;
  std::string report;
  int wrong = 0;
  for (const Json& expected : fixture["cases"]) {
    const std::string code = expected["code"];
    const Result result = run_case(expected, exactness);
    const Refused* refused = find_refused(code);
    if (refused ? result.is_unsupported : result.problems.empty()) continue;
    ++wrong;
    report += "\n>>> " + code + "\n";
    if (refused)
      report += fmt::format("  stands in the table of refused code ({}) but is not refused\n", refused->reason);
    for (const std::string& line : result.problems) report += "  " + line + "\n";
  }
  EXPECT_EQ(wrong, 0) << wrong << " of " << fixture["cases"].size() << " cases differ" << report;
}

INSTANTIATE_TEST_SUITE_P(Cases, OracleCases, testing::ValuesIn(oracle::fixture_names("cases")),
                         [](const auto& instance) { return instance.param; });

TEST(OracleTable, RefusedCodeIsACase) {
  std::set<std::string> known;
  for (const std::string& name : oracle::fixture_names("cases")) {
    const Json fixture = oracle::read_fixture("cases/" + name);
    for (const Json& expected : fixture["cases"]) known.insert(expected["code"].get<std::string>());
  }
  for (const Refused& row : kRefused) EXPECT_TRUE(known.contains(std::string(row.code))) << row.code;
}

TEST(OracleTexts, NumbersMayDifferInTheLastPlace) {
  struct Row {
    std::string ours, theirs;
    bool same;
  };
  const Row rows[] = {
      {"tensor([0.1234, 2.])", "tensor([0.1235, 2.])", true},
      {"tensor([0.1234])", "tensor([0.1236])", false},
      {"tensor([ 0.1234, -0.1000])", "tensor([-0.0000, -0.1000])", false},
      {"tensor([ 0.0000])", "tensor([-0.0000])", true},
      {"tensor([1.0000e-05])", "tensor([1.0001e-05])", true},
      {"tensor([1.0000e-05])", "tensor([1.0003e-05])", true},  // within the bound of elements
      {"tensor([1.0000e+05])", "tensor([1.0003e+05])", false},
      {"size 3", "size 4", false},  // no point, no exponent: equal or not
      {"[3, 2]", "[3,  2]", true},
      {"[3, 2]", "[3, 2, 1]", false},
      {"x2 3.5", "x3 3.5", false},
      {"a  b", "a b", true},
      {"ab", "a b", false},
  };
  for (const Row& row : rows) EXPECT_EQ(oracle::same_text(row.ours, row.theirs), row.same) << row.ours << row.theirs;
}

}  // namespace
}  // namespace attn
