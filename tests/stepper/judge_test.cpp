// What answers mean, and the words for known mistakes.
#include "stepper/judge.h"

#include <gmock/gmock.h>

#include <fstream>
#include <string>

#include "tests/render/trace_builder.h"

namespace attn {
namespace {

using ::testing::HasSubstr;

/// Scores: Q [batch 3, heads 2, query 5, head_dim 4] @ K^T -> [batch 3, heads 2, query 5, key 6].
class Scores : public ::testing::Test {
 protected:
  Scores() {
    builder.cell("key_len = 6\nenergy = Q @ K");
    const ValueId q = builder.tensor(counting({3, 2, 5, 4}), {"batch_size", "n_heads", "query_len", "head_dim"});
    const ValueId k = builder.tensor(counting({3, 2, 4, 6}), {"batch_size", "n_heads", "head_dim", "key_len"});
    question.value = builder.tensor(counting({3, 2, 5, 6}), {"batch_size", "n_heads", "query_len", "key_len"});
    builder.bind("energy", question.value);
    builder.op("matmul", {{"Q", q}, {"K", k}}, {question.value});
    question.kind = Predict::Shape;
    question.subject = "energy";
  }

  std::string words(std::string_view typed) {
    const Judgement judgement = judge(question, builder.trace, typed);
    if (judgement.verdict == Verdict::Right) return "right";
    return (judgement.verdict == Verdict::Wrong ? "wrong: " : "unreadable: ") +
           (judgement.words.empty() ? "" : judgement.words.front());
  }

  test::TraceBuilder builder;
  Question question;
  static Tensor counting(Shape shape) { return test::counting(std::move(shape)); }
};

TEST_F(Scores, ShapesAreReadInManyForms) {
  std::ifstream file(std::string(ATTN_SOURCE_DIR) + "/tests/stepper/shape_answers.txt");
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    const std::size_t blank = line.find(' ');
    EXPECT_THAT(words(line.substr(blank + 1)), ::testing::StartsWith(line.substr(0, blank))) << line;
    ++count;
  }
  EXPECT_GT(count, 20);
}

TEST_F(Scores, KnownMistakesHaveTheirWords) {
  const std::pair<const char*, const char*> rows[] = {
      {"3 2 6 5", "query_len and key_len are swapped"},
      {"2 3 5 6", "Two axes are swapped: batch_size 3 and n_heads 2"},
      {"3 2 5 4", "That is the shape before: [batch_size 3, n_heads 2, query_len 5, head_dim 4]"},
      {"2 5 6", "The batch axis is missing: batch_size 3"},
      {"3 5 6", "One axis is missing: n_heads 2"},
      {"6 5 6", "batch_size 3 and n_heads 2 are merged into one"},
      {"3 2 5 6 1", "key_len 6 is one axis here"},
      {"3 2 5 2 3", "key_len 6 is one axis here; you split it in two"},
      {"3 2 5 5", "query_len is where key_len belongs"},
      {"5 2 6 3", "The sizes are right, their order is not"},
      {"30 6 2", "You named 3 axes; it has 4"},
      {"3 2 5 7", "key_len is 6, not 7"},
      {"batch_size n_heads key_len query_len", "query_len and key_len are swapped"},
  };
  for (const auto& [typed, expected] : rows) EXPECT_THAT(words(typed), HasSubstr(expected)) << typed;
}

TEST_F(Scores, AnswersThatAreNoneAreToldHowToAnswer) {
  EXPECT_THAT(words(""), HasSubstr("unreadable: Type an answer"));
  EXPECT_THAT(words("hello"), HasSubstr("unreadable: hello is neither a size nor a name"));
  EXPECT_THAT(words("3 -1 5 6"), HasSubstr("unreadable: A result has no -1"));
}

TEST_F(Scores, ANameOfAnotherAxisIsWrongThoughSizesAreRight) {
  question.value = builder.tensor(counting({3, 5, 5}), {"batch_size", "query_len", "key_len"});
  builder.tensor(counting({5}), {"key_len"});
  EXPECT_EQ(words("batch_size query_len key_len"), "right");
  EXPECT_THAT(words("batch_size key_len query_len"), HasSubstr("wrong: key_len is where query_len belongs"));
}

TEST_F(Scores, ATrapIsFound) {
  CellRecord cell;
  cell.traps.push_back({"[3, 2, 6, 5]", {test::paragraph("Rows belong to whoever asks.")}});
  const Judgement judgement = judge(question, builder.trace, "3 2 6 5", &cell);
  ASSERT_NE(judgement.trap, nullptr);
  EXPECT_EQ(judgement.trap->answer, "[3, 2, 6, 5]");
  EXPECT_EQ(judge(question, builder.trace, "3 2 5 4", &cell).trap, nullptr);
}

TEST(JudgeValue, NumbersWithinRounding) {
  test::TraceBuilder builder;
  Question question;
  question.kind = Predict::Value;
  question.value = builder.tensor(test::counting({2}, 1.0F / 3), {});
  // One element: 1/3.
  builder.trace.values[0].tensor = Tensor::from(std::vector<float>{1.0F / 3}, {});
  builder.trace.values[0].shape = {};
  builder.trace.values[0].axes = {};
  const std::pair<const char*, Verdict> rows[] = {
      {"0.3333", Verdict::Right}, {"0.33", Verdict::Right},    {"1/3", Verdict::Right},         {"0.3", Verdict::Wrong},
      {"0.34", Verdict::Wrong},   {"-0.3333", Verdict::Wrong}, {"a third", Verdict::Unreadable}};
  for (const auto& [typed, verdict] : rows) EXPECT_EQ(judge(question, builder.trace, typed).verdict, verdict) << typed;
  const std::pair<const char*, const char*> mistakes[] = {{"-0.3333", "the sign is not"},
                                                          {"3", "1 divided by"},
                                                          {"0.1111", "the square of"},
                                                          {"0.5774", "the square root"},
                                                          {"33.33", "in percent"},
                                                          {"0.6667", "1 minus"},
                                                          {"1.3956", "exp()"},
                                                          {"-1.0986", "the logarithm"},
                                                          {"0.5", "That is not the value."}};
  for (const auto& [typed, words] : mistakes)
    EXPECT_THAT(judge(question, builder.trace, typed).words.front(), HasSubstr(words)) << typed;
}

TEST(JudgeValue, WholeNumbersAreExact) {
  test::TraceBuilder builder;
  Question question;
  question.kind = Predict::Value;
  question.value = builder.plain("1000");
  EXPECT_EQ(judge(question, builder.trace, "1000").verdict, Verdict::Right);
  EXPECT_EQ(judge(question, builder.trace, "1001").verdict, Verdict::Wrong);
  question.value = builder.plain("True", "bool");
  EXPECT_EQ(judge(question, builder.trace, "true").verdict, Verdict::Right);
  EXPECT_EQ(judge(question, builder.trace, "False").verdict, Verdict::Wrong);
}

TEST(JudgeChoice, YesAndNo) {
  Question question;
  question.kind = Predict::Raises;
  question.raises = true;
  for (const char* typed : {"yes", "Y", "raises", "it raises", "error"})
    EXPECT_EQ(judge(question, {}, typed).verdict, Verdict::Right) << typed;
  for (const char* typed : {"no", "N", "it runs."})
    EXPECT_EQ(judge(question, {}, typed).verdict, Verdict::Wrong) << typed;
  EXPECT_EQ(judge(question, {}, "perhaps").verdict, Verdict::Unreadable);
}

TEST(JudgeChoice, EffectsByNumberOrWord) {
  Question question;
  question.kind = Predict::Effect;
  question.effect = Effect::OtherNumbers;
  for (const char* typed : {"3", "numbers", "Only other numbers"})
    EXPECT_EQ(judge(question, {}, typed).verdict, Verdict::Right) << typed;
  const Judgement error = judge(question, {}, "an error");
  EXPECT_EQ(error.verdict, Verdict::Wrong);
  EXPECT_THAT(error.words.front(), HasSubstr("only the numbers are different"));
  EXPECT_EQ(judge(question, {}, "5").verdict, Verdict::Unreadable);
}

TEST(JudgeLine, ByValueWithTheDifference) {
  Question question;
  question.write = "x";
  test::TraceBuilder builder;
  const RecordedValue right = builder.trace.value(builder.tensor(test::counting({2, 3}), {}));
  RecordedValue other = right;
  EXPECT_EQ(judge_value(question, right, other).verdict, Verdict::Right);
  other.tensor = test::counting({2, 3}, 2);
  const Judgement numbers = judge_value(question, right, other);
  EXPECT_EQ(numbers.verdict, Verdict::Wrong);
  EXPECT_THAT(numbers.words.front(), HasSubstr("5 of 6 differ"));
  const RecordedValue shape = builder.trace.value(builder.tensor(test::counting({3, 2}), {}));
  EXPECT_THAT(judge_value(question, right, shape).words.front(), HasSubstr("Another shape: [3, 2] here, x has [2, 3]"));
}

}  // namespace
}  // namespace attn
