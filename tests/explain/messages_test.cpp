#include "explain/messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attn {
namespace {

OperandNote operand(std::string text, std::vector<std::string> axes, std::vector<std::int64_t> shape) {
  return {{}, std::move(text), std::move(axes), std::move(shape)};
}

Diagnostic broken(std::string rule, std::vector<Fact> facts, std::vector<OperandNote> operands = {}) {
  Diagnostic diagnostic;
  diagnostic.rule = std::move(rule);
  diagnostic.message = "torch's text";
  diagnostic.facts = std::move(facts);
  diagnostic.operands = std::move(operands);
  return diagnostic;
}

const OperandNote kQ = operand("Q [query_len 5, head_dim 4]", {"query_len", "head_dim"}, {5, 4});
const OperandNote kK = operand("K [key_len 6, head_dim 4]", {"key_len", "head_dim"}, {6, 4});
const OperandNote kBare = operand("x.T [5, 4]", {"", ""}, {5, 4});
const OperandNote kVector = operand("v [3]", {""}, {3});
const OperandNote kMask =
    operand("mask == 0 [batch_size 3, 1, key_len 6, 1]", {"batch_size", "", "key_len", ""}, {3, 1, 6, 1});
const OperandNote kEnergy = operand("energy [batch_size 3, n_heads 2, query_len 5, key_len 6]",
                                    {"batch_size", "n_heads", "query_len", "key_len"}, {3, 2, 5, 6});

struct ExplainedRow {
  Diagnostic diagnostic;
  const char* message;
};

TEST(Messages, ExplainsRulesWithTheirOperands) {
  const ExplainedRow rows[] = {
      {broken("matmul.inner", {{"left", 4}, {"right", 6}}, {kQ, kK}),
       "matmul needs the last axis of Q (head_dim 4) to equal the second-last axis of K (key_len 6)."},
      {broken("matmul.inner", {{"left", 4}, {"right", 5}}, {kQ, kBare}),
       "matmul needs the last axis of Q (head_dim 4) to equal the second-last axis of x.T (size 5)."},
      {broken("matmul.inner", {{"left", 4}, {"right", 3}}, {kQ, kVector}),
       "matmul needs the last axis of Q (head_dim 4) to equal the axis of v (size 3)."},
      {broken("matmul.inner", {{"left", 4}, {"right", 6}}),
       "matmul sums over one shared axis, and 4 on the left and 6 on the right differ."},
      // masked_fill compares the mask with the scores; they are named in the order of the source.
      {broken("broadcast", {{"a", 6}, {"b", 5}, {"axis", 2}}, {kEnergy, kMask}),
       "shapes are lined up from the right: at axis -2, query_len 5 of energy meets key_len 6 of mask == 0. Two sizes "
       "fit if they are equal or one of them is 1."},
      {broken("broadcast", {{"a", 6}, {"b", 5}, {"axis", 2}}),
       "shapes are lined up from the right: 6 meets 5. Two sizes fit if they are equal or one of them is 1."},
      {broken("index.range", {{"index", 7}, {"axis", 0}, {"size", 5}}, {kQ}),
       "index 7 is outside axis 0 of Q (query_len 5): it goes from 0 to 4 (or -5 to -1)."},
      // The axis was counted after another index had been taken: no name is better than a wrong one.
      {broken("index.range", {{"index", 7}, {"axis", 0}, {"size", 4}}, {kQ}),
       "index 7 is outside an axis of size 4: it goes from 0 to 3 (or -4 to -1)."},
      {broken("embedding.range", {{"id", 12}, {"rows", 7}}), "id 12 has no row: the table has 7 rows, 0 to 6."},
  };
  for (const ExplainedRow& row : rows)
    EXPECT_EQ(explained(row.diagnostic).message, std::string(row.message) + "\nPyTorch says: torch's text");
}

TEST(Messages, FallsBackToTorch) {
  EXPECT_EQ(explained(broken("no.such.rule", {})).message, "torch's text");
  EXPECT_EQ(explained(broken("", {})).message, "torch's text");
  EXPECT_EQ(explained(broken("embedding.range", {})).message, "torch's text");  // its facts are missing
}

}  // namespace
}  // namespace attn
