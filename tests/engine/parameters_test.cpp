// --set and --seed.
#include "engine/parameters.h"

#include <gmock/gmock.h>

#include "tests/engine/run.h"

namespace attn {
namespace {

using testing::HasSubstr;

const std::string kParameters =
    cell("seed = 0\nn_heads = 2  # heads\nrate = 0.5\nsmall = -1.5\nis_causal = False\nside = 'left'\nother = [1, 2]",
         "parameters");

TEST(Parameters, AreListedAsWritten) {
  std::string all;
  for (const LessonParameter& parameter :
       parameters_of(lesson_of(kParameters + cell("x = 1") + cell("late = 3", "parameters"))))
    all += parameter.name + "=" + parameter.literal + " ";
  EXPECT_EQ(all, "seed=0 n_heads=2 rate=0.5 small=-1.5 is_causal=False side='left' other=[1, 2] late=3 ");
}

TEST(Parameters, ACellThatCannotBeParsedHasNone) {
  EXPECT_TRUE(parameters_of(lesson_of(cell("x = = 1", "parameters"))).empty());
}

struct SetCase {
  const char* name;
  const char* typed;
  const char* result;  // the repr of the value, or the message of the error
};

const SetCase kCases[] = {
    {"n_heads", "4", "4"},
    {"n_heads", "-4", "-4"},
    {"n_heads", "0x10", "16"},
    {"n_heads", " 4 ", "4"},
    {"n_heads", "4.0", "--set n_heads=4.0: n_heads is an int here"},
    {"n_heads", "four", "--set n_heads=four: n_heads is an int here"},
    {"n_heads", "", "--set n_heads=: n_heads is an int here"},
    {"n_heads", "1 + 1", "--set n_heads=1 + 1: n_heads is an int here"},
    {"n_heads", "True", "--set n_heads=True: n_heads is an int here"},
    {"n_heads", "'4'", "--set n_heads='4': n_heads is an int here"},
    {"n_heads", "99999999999999999999", "--set n_heads=99999999999999999999: n_heads is an int here"},
    {"n_heads", "2\nx = 3", "--set n_heads=2\nx = 3: n_heads is an int here"},
    {"rate", "0.25", "0.25"},
    {"rate", "1", "1"},
    {"rate", "1e-3", "0.001"},
    {"rate", "-0.5", "-0.5"},
    {"rate", "half", "--set rate=half: rate is a float here"},
    {"small", "2", "2"},
    {"is_causal", "True", "True"},
    {"is_causal", "1", "--set is_causal=1: is_causal is True or False here"},
    {"is_causal", "true", "--set is_causal=true: is_causal is True or False here"},
    {"side", "right", "'right'"},
    {"side", "'right'", "'right'"},
    {"side", "two words", "'two words'"},
    {"side", "3", "'3'"},
    {"side", "a\"b\\c", "'a\"b\\\\c'"},
    {"side", "a\nb", "'a\\nb'"},
    {"side", "a\x1b[31mb", "'a\\x1b[31mb'"},
    {"side", "\"); torch.zeros(9", "'\"); torch.zeros(9'"},
    {"side", "", "''"},
    {"other", "[3]", "--set other=[3]: other is a literal here"},
};

std::string outcome_of(const SetCase& c) {
  RunOptions options;
  options.set[c.name] = c.typed;
  try {
    const Trace trace = trace_of(kParameters, options);
    return trace.outcome == RunOutcome::Fine ? value_of(trace, c.name).text : "ran into: " + messages_of(trace);
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(Parameters, Set) {
  for (const SetCase& c : kCases) EXPECT_EQ(outcome_of(c), c.result) << c.name << "=" << c.typed;
}

TEST(Parameters, TheOthersStay) {
  RunOptions options;
  options.set = {{"n_heads", "16"}, {"side", "a longer text"}, {"seed", "7"}};
  const Trace trace = trace_of(kParameters, options);
  EXPECT_EQ(value_of(trace, "seed").text, "7");
  EXPECT_EQ(value_of(trace, "n_heads").text, "16");
  EXPECT_EQ(value_of(trace, "rate").text, "0.5");
  EXPECT_EQ(value_of(trace, "small").text, "-1.5");
  EXPECT_EQ(value_of(trace, "side").text, "'a longer text'");
  EXPECT_EQ(value_of(trace, "other").text, "[1, 2]");
}

TEST(Parameters, SeedSetsTheParameterAndTheDraws) {
  const std::string body = kParameters + cell("torch.manual_seed(seed)\nx = torch.randn(3)");
  const auto draws = [&](std::optional<std::int64_t> seed) {
    RunOptions options;
    options.seed = seed;
    return numbers_of(value_of(trace_of(body, options), "x"));
  };
  EXPECT_EQ(draws({}), draws(0));
  EXPECT_EQ(draws(1), draws(1));
  EXPECT_NE(draws(0), draws(1));
  RunOptions options;
  options.seed = -3;
  EXPECT_EQ(value_of(trace_of(kParameters, options), "seed").text, "-3");
}

TEST(Parameters, UnknownOnes) {
  const auto message = [](const std::string& body, const std::string& name, std::optional<std::int64_t> seed = {}) {
    RunOptions options;
    options.seed = seed;
    if (!name.empty()) options.set[name] = "1";
    try {
      trace_of(body, options);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::string two = cell("n_heads = 2\nrate = 0.5", "parameters");
  EXPECT_EQ(message(two, "n_haeds"),
            "this lesson has no parameter n_haeds (did you mean n_heads?); it has n_heads, rate");
  EXPECT_EQ(message(two, "zzz"), "this lesson has no parameter zzz; it has n_heads, rate");
  EXPECT_EQ(message(two, "", 3), "this lesson has no parameter seed; it has n_heads, rate");
  EXPECT_EQ(message(cell("x = 1"), "x"), "this lesson has no parameter x; it has none");
  EXPECT_THAT(message(two, "a\x1b[2J"), Not(HasSubstr("\x1b")));
}

TEST(Parameters, NothingRunsBeforeTheyAreChecked) {
  RunOptions options;
  options.set["n_heads"] = "x";
  EXPECT_THROW(trace_of(cell("1 / 0") + kParameters, options), UserError);
}

TEST(Parameters, AreNoChangeOfTheLesson) {
  const Lesson lesson = lesson_of(kParameters + cell("y = n_heads"));
  RunOptions options;
  options.set["n_heads"] = "8";
  EXPECT_EQ(value_of(run_lesson(lesson, options), "y").text, "8");
  EXPECT_EQ(value_of(run_lesson(lesson), "y").text, "2");
}

}  // namespace
}  // namespace attn
