// A class: sheets, runs that follow from a name, and what `grade` makes of what is handed in.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/text.h"
#include "tests/cli/program.h"

namespace attn {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// What one types for the right answer.
std::string typed(const std::string& correct) {
  static const std::map<std::string, std::string> kChoices = {{"Yes, it raises an error.", "yes"},
                                                              {"No, it runs.", "no"},
                                                              {"It raises an error.", "1"},
                                                              {"It gives another shape.", "2"},
                                                              {"It gives the same shape and other numbers.", "3"},
                                                              {"It makes no difference.", "4"}};
  if (const auto choice = kChoices.find(correct); choice != kChoices.end()) return choice->second;
  return correct.starts_with("[") ? correct.substr(0, correct.find(']') + 1) : correct;
}

/// The answers of that student's own run to lesson 3.
std::vector<std::string> right_answers(const std::string& student) {
  const Ended ended = run_program({"lesson", "3", "--student", student, "--answers", "/dev/null", "--json"});
  std::vector<std::string> answers;
  const json all = json::parse(ended.out);
  for (const json& question : all["questions"]) answers.push_back(typed(question["correct"]));
  return answers;
}

/// The student's sheet with the answers after their numbers.
std::string filled(const std::string& student, const std::vector<std::string>& answers) {
  std::string sheet = out_of({"lesson", "3", "--sheet", "--student", student});
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::string number = "\n" + std::to_string(i + 1) + ". ";
    sheet.insert(sheet.find(number + "\n") + number.size(), answers[i]);
  }
  return sheet;
}

constexpr std::size_t kSplit = 2, kMoved = 6, kLine = 8;  // questions of lesson 3, from 0

TEST(Sheet, HasQuestionsAndNoAnswers) {
  const std::string sheet = out_of({"lesson", "3", "--sheet", "--student", "Mina Kim"});
  EXPECT_TRUE(
      std::regex_search(sheet, std::regex("\nlesson: batch [0-9a-f]{12}\nname: Mina Kim\nrun: --seed \\d{4} --set "
                                          "hidden_dim=\\d+ --set n_heads=\\d+\n")))
      << sheet.substr(0, 600);
  EXPECT_THAT(sheet, AllOf(HasSubstr("# Question 3 (step 21): What is the shape of Q_split?"),
                           HasSubstr("#     Q_split = Q.view(batch_size, -1, n_heads, head_dim)"),
                           HasSubstr("#     Q [batch_size 3, query_len 5, hidden_dim "), HasSubstr("\n16. \n")));
  EXPECT_THAT(sheet, AllOf(Not(HasSubstr("permute(0, 2, 1, 3).reshape")), Not(HasSubstr("Q_split [")),
                           Not(HasSubstr("\n17. ")), Not(HasSubstr("A view keeps the order"))));
  EXPECT_THAT(out_of({"lesson", "3", "--sheet"}), HasSubstr("\nname: \nrun: \n"));
}

TEST(Student, TheRunFollowsFromTheName) {
  const std::string mina = out_of({"lesson", "3", "--student", "Mina Kim", "--shapes"});
  EXPECT_EQ(mina, out_of({"lesson", "3", "--student", " mina  KIM ", "--shapes"}));
  EXPECT_NE(mina, out_of({"lesson", "3", "--shapes"}));
  const Ended both = run_program({"lesson", "3", "--student", "Mina", "--set", "n_heads=4"});
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.err, HasSubstr("--student chooses the seed and the sizes: leave out --set"));
}

TEST(Grade, ChecksEachAgainstTheOwnRun) {
  const std::vector<std::string> of_mina = right_answers("Mina Kim"), of_bob = right_answers("Bob");
  ASSERT_NE(of_mina[kSplit], of_bob[kSplit]) << "choose names with other sizes";
  const TemporaryFile mina("mina.txt", filled("Mina Kim", of_mina)), bob("bob.txt", filled("Bob", of_bob)),
      copied("copied.txt", filled("Zoë", of_bob));
  const json all = json::parse(out_of({"grade", "3", mina.path(), bob.path(), copied.path(), "--json"}));
  EXPECT_EQ(all["students"][0]["right"], 16);
  EXPECT_EQ(all["students"][1]["right"], 16);
  EXPECT_EQ(all["students"][2]["name"], "Zoë");
  EXPECT_LT(all["students"][2]["right"], 16);
  EXPECT_EQ(all["students"][2]["answers"][kSplit]["mark"], "wrong");
}

TEST(Grade, TellsTheCommonestWrongAnswerWithItsTrap) {
  std::vector<std::string> mina = right_answers("Mina Kim"), kim = right_answers("김민수");
  // Heads first, each with the sizes of its run: one trap.
  const auto heads_first = [](std::string& shape) {
    shape = std::regex_replace(shape, std::regex(R"(\[(\d+), (\d+), (\d+), (\d+)\])"), "$1 $3 $2 $4");
  };
  heads_first(mina[kSplit]);
  heads_first(kim[kSplit]);
  kim[kMoved] = "";
  const TemporaryFile first("mina.txt", filled("Mina Kim", mina)), second("kim.txt", filled("김민수", kim));
  const std::string text = out_of({"grade", "3", first.path(), second.path()});
  EXPECT_THAT(text, AllOf(HasSubstr("Name      1     6     11    16  right  wrong  blank\n"
                                    "Mina Kim  ++-++ +++++ +++++ +      15      1      0\n"
                                    "김민수    ++-++ +.+++ +++++ +      14      1      1\n"),
                          HasSubstr("0 right, 2 wrong, 0 blank. 2 fell into this trap, as with [3, 2, 5, "),
                          HasSubstr("A view keeps the order of the axes.")));
  EXPECT_THAT(
      out_of({"grade", "3", first.path(), second.path(), "--markdown"}),
      AllOf(HasSubstr("| 김민수 | + | + | - | + | + | + | . |"), HasSubstr("A view keeps the order of the axes.")));
  const std::string csv = out_of({"grade", "3", first.path(), second.path(), "--csv"});
  EXPECT_THAT(csv, AllOf(testing::StartsWith("name,file,run,right,wrong,blank,hints,tries,1,2,3,"),
                         HasSubstr(",14,1,1,,,right,right,wrong,right,right,right,blank,"),
                         HasSubstr("(Commonest wrong answer),,,,,,,,,,\"[3, 2, 5, ")));
}

TEST(Grade, ACellOfCsvIsNoFormula) {
  const TemporaryFile file("=1+1.txt", "=HYPERLINK(\"x\")\n-0.5\n");
  const std::string csv = out_of({"grade", "3", file.path(), "--csv"});
  EXPECT_THAT(csv, AllOf(HasSubstr("\n'=1+1,"), HasSubstr("\"'=HYPERLINK(\"\"x\"\")\""), HasSubstr(",-0.5,")));
}

TEST(Grade, TranscriptsHaveHintsAndTries) {
  const TemporaryFile answers("answers.txt", "no\n0.5\n"), made("mina.json");
  const Words lesson{"lesson", "3", "--student", "Mina Kim", "--answers", answers.path(), "--transcript", made.path()};
  EXPECT_EQ(run_program(lesson).code, 1);
  // As a session leaves it.
  json transcript = json::parse(text_of(made.path()));
  EXPECT_EQ(transcript["session"]["student"], "Mina Kim");
  transcript["session"]["answers"][0]["tries"] = 2;
  transcript["session"]["answers"][0]["hints"] = 3;
  transcript["session"]["answers"][1]["mark"] = "wrong";  // it is judged again
  const TemporaryFile changed("changed.json", transcript.dump());
  EXPECT_THAT(out_of({"grade", "3", changed.path()}),
              HasSubstr("right  wrong  blank  hints  tries\n"
                        "Mina Kim  -+... ..... ..... .       1      1     14      3      2\n"));
}

TEST(Grade, TakesFilesOfAnAnswerALine) {
  const TemporaryFile file("ada.txt", "# as ever\nyes\n0.5\n3 5 2 4\nyes\nno\n3 2 5 6\nskip\n");
  EXPECT_THAT(out_of({"grade", "3", file.path()}), HasSubstr("ada   +++++ +.... ..... .       6      0     10\n"));
}

TEST(Grade, ASheetIsAnsweredInItsOwnRun) {
  const TemporaryFile file("mina.txt", filled("Mina Kim", right_answers("Mina Kim")));
  EXPECT_THAT(out_of({"lesson", "3", "--answers", file.path()}), HasSubstr("Questions: 16 right, 0 wrong, 0 skipped."));
}

struct BadFile {
  std::string name, text, message;
};

TEST(Grade, AnAnswerThatNeverEndsIsWrongAndTheOthersAreGraded) {
  std::vector<std::string> answers = right_answers("Mina");
  answers[kLine] = "while True: pass";
  const TemporaryFile endless("mina.txt", filled("Mina", answers));
  const TemporaryFile good("juno.txt", filled("Juno", right_answers("Juno")));
  std::vector<std::string> arguments = {"grade", "3", endless.path(), good.path()};
#if defined(ATTN_SANITIZED)  // where all that an answer may use takes minutes on a busy machine
  arguments.insert(arguments.end(), {"--max-steps", "50000000"});
#endif
  const Ended ended = run_program(arguments);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("Mina  +++++ +++-+ +++++ +"), HasSubstr("Juno  +++++ +++++ +++++ +")));
}

TEST(Grade, BadFilesAreNamedAndTheOthersGraded) {
  const std::string sheet = filled("Mina Kim", right_answers("Mina Kim"));
  std::string wide;  // UTF-16, little endian
  for (const char c : std::string("1. yes\n2. 0.5\n")) wide += std::string{c, '\0'};
  const BadFile rows[] = {
      {"u16.txt", "\xFF\xFE" + wide, "u16.txt is UTF-16, not UTF-8\n  hint: save it as UTF-8: iconv"},
      {"bare.txt", wide, "bare.txt is UTF-16, not UTF-8"},
      {"large.txt", std::string(1'100'000, 'a'), "is larger than the allowed 1048576 bytes"},
      {"zeros.txt", std::string(1000, '\0'), "zeros.txt is not a text in UTF-8"},
      {"latin.txt", "name: Zo\xEB\n", "latin.txt is not a text in UTF-8"},
      {"other.txt", out_of({"lesson", "4", "--sheet"}), "other.txt is for lesson 4 (masks), not for lesson 3 (batch)"},
      {"twice.txt", sheet, "mina.txt and "},
      {"x.json", "{}", "x.json is not a transcript: "},
      {"x.json", out_of({"export", "3", "--format", "json", "-o", "-"}), "x.json is a run without a session"},
      {"x.md", out_of({"export", "3", "--format", "md", "-o", "-"}), "x.md is a transcript, but not in JSON"},
  };
  const TemporaryFile good("mina.txt", sheet);
  for (const BadFile& row : rows) {
    const TemporaryFile bad(row.name, row.text);
    const Ended ended = run_program({"grade", "3", good.path(), bad.path()});
    EXPECT_EQ(ended.code, 3) << row.name;
    EXPECT_THAT(ended.err, HasSubstr(row.message));
    EXPECT_THAT(ended.out, HasSubstr("Mina Kim  +++++ +++++ +++++ +      16      0      0\n")) << row.name;
  }
  EXPECT_THAT(run_program({"grade", "3", good.path(), "/nonexistent"}).err, HasSubstr("/nonexistent: No such file"));
  const auto answered = [](const TemporaryFile& file) {
    return run_program({"lesson", "3", "--answers", file.path()}).err;
  };
  EXPECT_THAT(answered(TemporaryFile("u.txt", wide)), HasSubstr("UTF-16"));
  EXPECT_THAT(answered(TemporaryFile("o.txt", out_of({"lesson", "4", "--sheet"}))),
              HasSubstr("for lesson 4 (masks), not"));
  EXPECT_THAT(answered(TemporaryFile("m.txt", replaced(std::string(40, 'y'), "y", "yes\n"))),
              HasSubstr("has an answer 40, but the lesson asks 16 questions"));
}

TEST(Grade, WhatDoesNotFitIsNoted) {
  std::string sheet = filled("Mina Kim", right_answers("Mina Kim"));
  const TemporaryFile renamed("renamed.txt", replaced(sheet, "name: Mina Kim", "name: Bob"));
  EXPECT_THAT(run_program({"grade", "3", renamed.path()}).err, HasSubstr(", but Bob has --seed "));
  const TemporaryFile older("older.txt",
                            std::regex_replace(sheet, std::regex("batch [0-9a-f]{12}"), "batch 000000000000"));
  const Ended ended = run_program({"grade", "3", older.path()});
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.err, HasSubstr("was made for another version of this lesson"));
  const TemporaryFile many("many.txt", sheet + "\n40. 7\n");
  EXPECT_THAT(run_program({"grade", "3", many.path()}).err, HasSubstr("has an answer 40, but the lesson asks 16"));
}

TEST(Grade, MissingNumbersAreBlank) {
  std::vector<std::string> answers = right_answers("Mina Kim");
  std::string sheet = filled("Mina Kim", answers);
  sheet = replaced(sheet, "\n3. " + answers[kSplit] + "\n", "\n");
  sheet = replaced(sheet, "\n", "\r\n");
  const TemporaryFile file("mina.txt", "\xEF\xBB\xBF" + sheet);
  EXPECT_THAT(out_of({"grade", "3", file.path()}), HasSubstr("Mina Kim  ++.++ +++++ +++++ +      15      0      1\n"));
}

TEST(Grade, OneFormatAtATime) {
  const Ended ended = run_program({"grade", "3", "x", "--csv", "--json"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("--csv, --json and --markdown: give one of them"));
}

}  // namespace
}  // namespace attn
