// A learner's own words and ids in lessons: what is filled, which sizes follow, what is refused, and where words stand.
#include "engine/own_input.h"

#include <gmock/gmock.h>

#include <span>

#include "engine/literals.h"
#include "engine/replay.h"
#include "lesson/catalogue.h"
#include "lesson/program.h"
#include "run.h"
#include "tensor/io/bad_file.h"

namespace attn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

RunOptions with_text(const std::vector<std::string>& texts, const std::vector<std::string>& vocab = {}) {
  RunOptions options;
  std::vector<Source> sources;
  for (const std::string& text : texts) sources.push_back({"--text", text});
  OwnInput input = own_text(std::move(sources));
  if (!vocab.empty()) input.vocabulary = std::make_shared<const Vocabulary>(Vocabulary::of(vocab));
  options.given.text = texts;
  options.input = std::make_shared<const OwnInput>(std::move(input));
  return options;
}

RunOptions with_ids(const std::string& text) {
  RunOptions options;
  OwnInput input;
  LoadFindings findings;
  input.sources.push_back({"ids", text});
  input.has_ids = true;
  input.sentences = read_ids(input.sources.front(), 0, findings);
  options.given.data = "ids";
  options.input = std::make_shared<const OwnInput>(std::move(input));
  return options;
}

/// A lesson with data files.
Lesson lesson_with(const std::string& body, const std::map<std::string, std::string>& files) {
  LoadFindings findings;
  LoadOptions options;
  options.read_data = [&](std::string_view file) -> std::optional<std::string> {
    const auto found = files.find(std::string(file));
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  Lesson lesson =
      load_lesson("lessons/07-small.md", "# Small\n\n" + cell("import torch", "hidden") + body, findings, options);
  for (const Diagnostic& finding : findings.diagnostics) ADD_FAILURE() << finding.message;
  return lesson;
}

const std::map<std::string, std::string> kFiles = {
    {"s.json", "[[\"one\", \"two\"]]"}, {"i.json", "[[1, 2]]"}, {"v.json", "[\"<pad>\", \"one\", \"two\", \"Three\"]"}};

std::string value_text(const Trace& trace, const char* name) { return value_of(trace, name).text; }

/// "key_len 3" of what a run binds, or what it says is wrong.
struct OwnInputCase {
  std::string what;
  std::string words;   // of the fence of vocab
  RunOptions options;  // --text, --data, --vocab
  std::string sentences, token_ids, vocab;
};

TEST(OwnInput, FillsWhatALessonBinds) {
  const OwnInputCase cases[] = {
      {"nothing given", "data=v.json", {}, "[['one', 'two']]", "[[1, 2]]", "['<pad>', 'one', 'two', 'Three']"},
      {"order of appearance", "data=v.json", with_text({"a b a", "c"}), "[['a', 'b', 'a'], ['c']]", "[[1, 2, 1], [3]]",
       "['<pad>', 'a', 'b', 'c']"},
      {"pieces", "data=v.json", with_text({"ab b"}, {"a", "b", "c"}), "[['a', 'b', 'b']]", "[[0, 1, 1]]",
       "['a', 'b', 'c']"},
      {"ids", "data=v.json", with_ids("1 3\n0"), "[['#1', '#3'], ['#0']]", "[[1, 3], [0]]", "['#0', '#1', '#2', '#3']"},
      {"fixed, in lower case too", "data=v.json fixed", with_text({"two One Three"}), "[['two', 'one', 'Three']]",
       "[[2, 1, 3]]", "['<pad>', 'one', 'two', 'Three']"},
      {"ids of a fixed one", "data=v.json fixed", with_ids("1 3"), "[['one', 'Three']]", "[[1, 3]]",
       "['<pad>', 'one', 'two', 'Three']"},
  };
  for (const OwnInputCase& c : cases) {
    const Trace trace =
        run_lesson(lesson_with(cell("sentences = ...", "data=s.json") + cell("token_ids = ...", "data=i.json") +
                                   cell("vocab = ...", c.words),
                               kFiles),
                   c.options);
    EXPECT_EQ(value_text(trace, "sentences"), c.sentences) << c.what;
    EXPECT_EQ(value_text(trace, "token_ids"), c.token_ids) << c.what;
    EXPECT_EQ(value_text(trace, "vocab"), c.vocab) << c.what;
  }
}

TEST(OwnInput, FillsNothingElse) {
  const Lesson sentences = lesson_with(cell("sentences = ...", "data=s.json"), kFiles);
  EXPECT_THAT(own_literals(sentences, with_text({"a"})), ElementsAre(Pair("sentences", "[[\"a\"]]")));
  const Lesson ids = lesson_with(cell("token_ids = ...", "data=i.json"), kFiles);
  EXPECT_THAT(own_literals(ids, with_ids("1 3")), ElementsAre(Pair("token_ids", "[[1, 3]]")));
}

std::string refusal(const std::string& body, const RunOptions& options) {
  try {
    run_lesson(lesson_with(body, kFiles), options);
    return "fine";
  } catch (const UserError& error) {
    if (!error.source()) return error.what();
    const Position place = position_of(*error.source(), error.diagnostic().span.begin);
    return error.source()->name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + " " +
           error.what() + " (" + error.hint() + ")";
  }
}

TEST(OwnInput, RefusesWhatALessonCannotTake) {
  const std::string sentences = cell("sentences = ...", "data=s.json"), own = cell("vocab = ...", "data=v.json fixed");
  const std::string sized = sentences + cell("n = 2  # = len(sentences[0])", "parameters");
  EXPECT_EQ(refusal(sentences + own, with_text({"one", "two ones"})),
            "--text:1:5 'ones' is not in the vocabulary (similar tokens: one)");
  EXPECT_EQ(refusal(sentences + own, with_ids("1\n2 4")), "ids:2:3 4 is not an id of the vocabulary: it has 0 to 3 ()");
  EXPECT_EQ(refusal(sentences + own, with_text({"one"}, {"one"})),
            "this lesson has a vocabulary of its own, so it takes no --vocab");
  EXPECT_EQ(refusal(sentences, with_text({"a cd"}, {"a", "b"})),
            "--text:1:3 'cd' is not in the vocabulary (it has 2 tokens, none of them for unknown words)");
  EXPECT_THAT(refusal(cell("x = 1"), with_text({"a"})), HasSubstr("neither sentences nor token_ids is bound"));
  EXPECT_THAT(refusal(sentences, with_ids("2000000")), HasSubstr("2000000 is above 1000000"));
  RunOptions both = with_text({"a b c"});
  both.set["n"] = "4";
  EXPECT_EQ(refusal(sized, both), "n follows from --text here; leave out --set n=...");
  both.input = nullptr;
  both.given = {};
  EXPECT_EQ(refusal(sized, both), "fine");
}

TEST(OwnInput, SizesFollowAndStandInTheCode) {
  const Lesson lesson =
      lesson_with(cell("sentences = ...", "data=s.json") + cell("words = sentences[0] + ['.']", "hidden") +
                      cell("n = 2  # = len(words)\nm = 5\nrate = 0.5  # = 1 / len(sentences)", "parameters") +
                      cell("x = torch.zeros(n)"),
                  kFiles);
  const Trace trace = run_lesson(lesson, with_text({"a b c", "d"}));
  EXPECT_EQ(value_text(trace, "n"), "4");
  EXPECT_EQ(value_text(trace, "m"), "5");
  EXPECT_EQ(value_text(trace, "rate"), "0.5");
  EXPECT_EQ(code_of(trace, step_of(trace, "n = 4").header), "n = 4");
  EXPECT_EQ(value_text(run_lesson(lesson), "n"), "2");
  // A prompt at a step runs the same code.
  Replays replays(std::make_shared<const Lesson>(lesson), std::make_shared<const Trace>(trace));
  EXPECT_EQ(replays.run({static_cast<StepId>(trace.steps.size() - 1), false, {}}, "x.shape, sentences").text,
            "(torch.Size([4]), [['a', 'b', 'c'], ['d']])\n");
}

TEST(OwnInput, AnExpressionThatFailsIsAnErrorOfTheLesson) {
  const Trace trace = run_lesson(
      lesson_with(cell("sentences = ...", "data=s.json") + cell("n = 2  # = len(nobody)", "parameters"), kFiles),
      with_text({"a"}));
  EXPECT_EQ(trace.outcome, RunOutcome::CellFailed);
  EXPECT_EQ(trace.diagnostics.back().code, Code::Name);
}

TEST(OwnInput, WordsStandInCodeAsStringsOfPython) {
  EXPECT_EQ(string_literal("책 👩‍👩‍👧 שלום"), "\"책 👩‍👩‍👧 שלום\"");
  EXPECT_EQ(string_literal("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(string_literal("\x1b[31m\n"), "\"\\x1b[31m\\n\"");
  EXPECT_EQ(string_literal("a\u202eb"), "\"a\\u202eb\"");
  const Lesson lesson = lesson_with(cell("sentences = ...", "data=s.json"), kFiles);
  const std::string odd = "\"it's\" \\n \x01 \u202e #";
  EXPECT_EQ(value_text(run_lesson(lesson, with_text({odd})), "sentences"),
            "[['\"it\\'s\"', '\\\\n', '\\x01', '\\u202e', '#']]");
}

TEST(OwnInput, ProgramsAreFilledWhereTheyBindALiteralList) {
  LoadFindings findings;
  const Lesson program = load_program(
      "x.py", "sentences = []\nsentences = [['old']]\ntoken_ids = len(sentences)\nprint(sentences, token_ids)\n",
      findings);
  const Trace trace = run_lesson(program, with_text({"a b"}));
  EXPECT_EQ(trace.steps.back().printed, "[['a', 'b']] 1\n");
}

TEST(OwnInput, ReadsIdsOfNpy) {
  const auto file = [](const std::string& descr, const std::string& shape, const std::string& bytes) {
    std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + "}\n";
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + std::string(1, '\0') + header +
           bytes;
  };
  const auto sentences = read_npy_ids(TextBytes("x.npy", file("|u1", "(2, 2)", "\x01\x02\x03\x04")));
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_EQ(sentences[1][0].id, 3);
  EXPECT_EQ(read_npy_ids(TextBytes("x.npy", file("|i1", "(2,)", "\x01\x02"))).size(), 1U);
  const std::pair<std::string, const char*> bad[] = {
      {file("|i1", "(2,)", "\x01\xff"), "x.npy: ids begin at 0, and number 1 is -1"},
      {file("|b1", "(1,)", "\x01"), "x.npy: ids are integers, and these are bool"},
      {file("|u1", "()", "\x01"), "x.npy: ids have one axis, or a row for each sequence, and this array has 0"},
      {file("|u1", "(1, 1, 1)", "\x01"), "x.npy: ids have one axis, or a row for each sequence, and this array has 3"},
      {file("|u1", "(0,)", ""), "x.npy: there is no id in this array"}};
  for (const auto& [bytes, message] : bad) {
    try {
      read_npy_ids(TextBytes("x.npy", bytes));
      ADD_FAILURE() << message;
    } catch (const BadFile& error) {
      EXPECT_STREQ(error.what(), message);
    }
  }
}

// ---- the lessons of the program ----

/// But those with a vocabulary of their own, and the tour, which has no words.
std::vector<Lesson> lessons_with_words() {
  std::vector<Lesson> lessons;
  const Catalogue catalogue = Catalogue::built_in();
  for (const CatalogueEntry& entry : catalogue.entries()) {
    LoadFindings findings;
    lessons.push_back(catalogue.open(entry, findings));
    const std::string& id = lessons.back().id;
    if (runs_in_tests(id, 1) == 0 || id == "a-real-layer" || id == "a-model-that-writes" || id == "tour")
      lessons.pop_back();
  }
  return lessons;
}

/// "" when it ran to its end; the words of a lesson's own assertion; else "broken: ...".
std::string outcome_of(const Trace& trace) {
  if (trace.outcome == RunOutcome::Fine) return "";
  const Diagnostic& last = trace.diagnostics.back();
  return last.code == Code::Assertion ? last.message : "broken: " + last.message;
}

TEST(OwnInput, EveryLessonTakesASentence) {
  constexpr const char* kTexts[] = {"the cat sat on the mat", "the cat", "a b c d e f g h i j k l m n",
                                    "안녕하세요 세상 👩‍👩‍👧"};
  for (const Lesson& lesson : lessons_with_words())
    for (const char* text : std::span(kTexts).first(runs_in_tests(lesson.id, std::size(kTexts))))
      EXPECT_EQ(outcome_of(run_lesson(lesson, with_text({text}))), "") << lesson.id << ": " << text;
}

TEST(OwnInput, OtherInputRunsOrIsRefusedByAnAssertion) {
  const std::vector<RunOptions> inputs = {with_text({"cat"}),
                                          with_text({"a b c", "d e f"}),
                                          with_text({"a b c d", "e f", "g"}),
                                          with_text({"a b", "c d e", "f g h", "i j e"}),
                                          with_ids("3 1 2\n4 5"),
                                          with_ids("7 7 7\n1 2 3"),
                                          with_text({"ab abc"}, {"<pad>", "a", "b", "c"})};
  int fine = 0;
  for (const Lesson& lesson : lessons_with_words()) {
    for (const RunOptions& options : std::span(inputs).first(runs_in_tests(lesson.id, inputs.size()))) {
      const std::string outcome = outcome_of(run_lesson(lesson, options));
      EXPECT_THAT(outcome, testing::Not(testing::StartsWith("broken"))) << lesson.id;
      fine += outcome.empty();
    }
  }
  EXPECT_GT(fine, 40);
}

TEST(OwnInput, WordsStandOnTheAxesOfEveryLesson) {
  for (const Lesson& lesson : lessons_with_words()) {
    if (lesson.id == "training-a-small-one") continue;  // draws its words at random
    const Trace trace = run_lesson(lesson, with_text({"the cat sat on the mat"}));
    int with_words = 0;
    for (const RecordedValue& value : trace.values) {
      for (std::size_t axis = 0; axis < value.axes.size(); ++axis) {
        const auto words = words_on(value, axis, Shape(value.shape.size(), 0));
        with_words += words.size() >= 6 && words[1] == "cat" && words[5] == "mat";
      }
    }
    EXPECT_GT(with_words, 5) << lesson.id;
  }
}

}  // namespace
}  // namespace attn
