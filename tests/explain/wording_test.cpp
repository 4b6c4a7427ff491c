#include "explain/wording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "explain/numbers.h"
#include "tests/render/trace_builder.h"

namespace attn {
namespace {

using test::TraceBuilder;
using ::testing::ElementsAre;

TEST(Wording, Questions) {
  Question question;
  question.subject = "attention.sum()";
  question.write = "energy";
  const std::pair<Predict, const char*> rows[] = {
      {Predict::Shape, "What is the shape of attention.sum()?"},
      {Predict::Value, "Which number comes out?"},
      {Predict::Raises, "Does this cell raise an error?"},
      {Predict::Effect,
       "Compared with attention.sum(): an error, another shape, only other numbers, or no difference?"},
      {Predict::None, "Write the line that computes energy."},
  };
  for (const auto& [kind, text] : rows) {
    question.kind = kind;
    EXPECT_EQ(question_text(question), text);
  }
}

TEST(Wording, Answers) {
  TraceBuilder builder;
  const ValueId named = builder.tensor(test::counting({5, 6}), {"query_len", "key_len"});
  const ValueId bare = builder.tensor(test::counting({5, 6}), {});
  const ValueId third = builder.tensor(Tensor::scalar(1.0f / 3), {});
  const ValueId one = builder.tensor(Tensor::scalar(1.0f), {});
  const ValueId number = builder.plain("240");
  const auto answer = [&](Predict kind, ValueId value) {
    Question question;
    question.kind = kind;
    question.value = value;
    return answer_text(builder.trace, question);
  };
  EXPECT_EQ(answer(Predict::Shape, named), "[5, 6], that is [query_len 5, key_len 6]");
  EXPECT_EQ(answer(Predict::Shape, bare), "[5, 6]");
  EXPECT_EQ(answer(Predict::Value, third), "0.3333");
  EXPECT_EQ(answer(Predict::Value, one), "1.0");
  EXPECT_EQ(answer(Predict::Value, number), "240");
  EXPECT_EQ(answer(Predict::Raises, -1), "No, it runs.");
  EXPECT_EQ(answer(Predict::None, -1), "");
}

struct Pair {
  TraceBuilder builder;
  Comparison comparison;

  Pair(const Tensor& wrong, const Tensor& right, const std::vector<std::string>& axes) {
    comparison.wrong = builder.tensor(wrong, axes);
    comparison.right = builder.tensor(right, axes);
    comparison.right_name = "energy";
    if (wrong.shape() != right.shape()) {
      comparison.effect = Effect::OtherShape;
      return;
    }
    comparison.difference = compare(wrong, right);
    comparison.effect = comparison.difference.differing > 0 ? Effect::OtherNumbers : Effect::NoDifference;
  }
  std::vector<std::string> text() const { return comparison_text(builder.trace, comparison); }
};

TEST(Wording, ComparesNumbers) {
  // Only sentence 1, query 0 differs, at both keys.
  const Tensor right = Tensor::from<float>({1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2});
  const Tensor wrong = Tensor::from<float>({1, 2, 3, 4, -0.5f, NAN, 7, 8}, {2, 2, 2});
  EXPECT_THAT(Pair(wrong, right, {"batch_size", "", "key_len"}).text(),
              ElementsAre("Same shape as energy, other numbers: 2 of 8 differ.",
                          "first: energy[batch_size 1, 0, key_len 0]: -0.5000 here, 5.0000 right",
                          "NaN: 1 here, 0 right", "still right: batch_size 0; axis 1 at 1; key_len none"));
}

TEST(Wording, ComparesCloseNumbersWithEnoughDigits) {
  const Tensor right = Tensor::from<float>({1.0f, 0}, {2}), wrong = Tensor::from<float>({1.00001f, 1}, {2});
  EXPECT_THAT(Pair(wrong, right, {"k"}).text(),
              ElementsAre("Same shape as energy, other numbers: 2 of 2 differ.",
                          "first: energy[k 0]: 1.00001 here, 1.00000 right",
                          "still right: nothing, each row, column and slice has a wrong number"));
}

TEST(Wording, OtherEffects) {
  const Tensor small = test::counting({2, 3}), large = test::counting({3, 2});
  EXPECT_THAT(Pair(small, large, {"a", "b"}).text(),
              ElementsAre("Another shape: [a 2, b 3] here, energy has [a 3, b 2]."));
  EXPECT_THAT(Pair(small, small, {"a", "b"}).text(), ElementsAre("No difference: all 6 numbers are those of energy."));
  Comparison raises;
  raises.effect = Effect::Raises;
  raises.right_name = "energy";
  EXPECT_THAT(comparison_text({}, raises),
              ElementsAre("There is nothing to compare with energy: the cell ends in an error."));
}

TEST(Wording, Indices) {
  EXPECT_EQ(indices_text({}), "none");
  EXPECT_EQ(indices_text({0, 1, 2, 5}), "0 to 2, 5");
  EXPECT_EQ(indices_text({0, 1, 4}), "0, 1, 4");
}

TEST(TableNumbers, KeepsDecimalsBesideUnusualNumbers) {
  const Tensor x = Tensor::from<float>({0.25f, -1e10f, 3.12e-7f, 0, NAN}, {5});
  const TableNumbers numbers(x);
  const char* expected[] = {"0.2500", "-1e+10", "3.12e-07", "0.0000", "nan"};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(numbers(x, i), expected[i]);
}

TEST(TableNumbers, LeavesTheRestToTorch) {
  const Tensor tiny = Tensor::from<float>({1e-6f, 2e-6f}, {2}), whole = Tensor::from<float>({1, 2}, {2});
  const Tensor ids = Tensor::from<std::int64_t>({1, 200000}, {2});
  EXPECT_EQ(TableNumbers(tiny)(tiny, 0), "1.0000e-06");
  EXPECT_EQ(TableNumbers(whole)(whole, 0), "1.");
  EXPECT_EQ(TableNumbers(whole).beside(1.5), "1.5000");
  EXPECT_EQ(TableNumbers(ids)(ids, 1), "200000");
}

}  // namespace
}  // namespace attn
