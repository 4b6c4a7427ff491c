// attn-tutor help and the man page: what they say is what the program does.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "base/text.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/environment.h"
#include "cli/help_topics.h"
#include "render/formats.h"
#include "stepper/key_table.h"
#include "tests/cli/program.h"
#include "tests/cli/same_text.h"

namespace attn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string help(const std::vector<std::string>& words) {
  std::vector<std::string> arguments = {"help"};
  arguments.insert(arguments.end(), words.begin(), words.end());
  const Ended ended = run_program(arguments);
  EXPECT_EQ(ended.code, 0) << ended.err;
  return ended.out;
}

TEST(HelpTopic, AllThatArePromised) {
  for (const char* name :
       {"keys", "lessons", "language", "formats", "environment", "exit-codes", "accessibility", "glossary"}) {
    EXPECT_THAT(help({name}), AllOf(HasSubstr("\n\n"), testing::Not(HasSubstr("<!--")))) << name;
    EXPECT_THAT(help({}), HasSubstr(name));
  }
}

TEST(HelpTopic, ShowsEveryRowOfTheTables) {
  const std::string keys = help({"keys"}), formats = help({"formats"});
  for (const KeyCommand& row : session_commands()) EXPECT_THAT(keys, HasSubstr("`" + std::string(row.name) + "`"));
  for (const Format& row : all_formats()) EXPECT_THAT(formats, HasSubstr("`" + std::string(row.extension) + "`"));
  EXPECT_THAT(help({"lessons"}), AllOf(HasSubstr("`batch`"), HasSubstr("A batch of sentences")));
  EXPECT_THAT(help({"exit-codes"}), AllOf(HasSubstr("\n70 "), HasSubstr("\n128+n ")));
}

TEST(HelpTopic, FitsTheWidth) {
  for (const HelpTopic& topic : help_topics()) {
    const std::string text = help({topic.name, "--width", "40"});
    for (const std::string_view line : split_lines(text)) EXPECT_LE(display_width(line), 40) << line;
  }
}

TEST(Usage, ShortAndLongHelp) {
  for (const char* command : {"", "lesson", "run", "export"}) {
    const Words words = *command ? Words{command} : Words{};
    const auto with = [&](const char* option) {
      Words all = words;
      all.emplace_back(option);
      return run_program(all).out;
    };
    const std::string shorter = with("-h"), longer = with("--help");
    EXPECT_LT(shorter.size(), longer.size()) << command;
    EXPECT_THAT(shorter, testing::AllOf(HasSubstr("Example"), HasSubstr("--help lists the options."),
                                        testing::Not(HasSubstr("\nOptions:"))));
    EXPECT_THAT(longer, HasSubstr("\nOptions:"));
    for (const std::string_view line : split_lines(longer)) EXPECT_LE(display_width(line), 100) << line;
  }
}

TEST(Narrow, TheListFits) {
  for (const char* width : {"40", "60", "100"}) {
    const std::string text = run_program({"list", "--width", width}).out;
    for (const std::string_view line : split_lines(text)) EXPECT_LE(display_width(line), std::atoi(width)) << line;
  }
}

TEST(Accessible, AWholeLessonHasNoRulesAndNoGrids) {
  const std::string text = run_program({"lesson", "3", "--all", "--accessible"}).out;
  for (const char* drawn : {"───", "━━━", "═══", "│", "░", "▒"})
    EXPECT_EQ(text.find(drawn), std::string::npos) << drawn;
  EXPECT_NE(text.find("Code:\n"), std::string::npos);
  EXPECT_NE(text.find("step 9\n"), std::string::npos);
}

TEST(HelpTopic, OfACommandIsWhatItsHelpOptionPrints) {
  for (const Command* command : all_commands()) {
    const std::string name(command->name);
    EXPECT_TRUE(same_text(help({name}), run_program({name, "--help"}).out)) << name;
  }
}

TEST(HelpTopic, OfAWord) {
  for (const char* word : {"query", "key", "value", "head", "mask", "logits", "softmax", "batch"})
    EXPECT_THAT(help({word}), StartsWith(word));
  EXPECT_THAT(help({"C3"}), StartsWith("C3, a sentence alone as in the batch\n"));
  EXPECT_EQ(help({"strides"}), help({"Stride"}));
  EXPECT_EQ(help({"masked_fill"}), run_program({"ops", "masked_fill"}).out);
}

TEST(HelpTopic, NearestMatch) {
  const Ended near = run_program({"help", "enviroment"});
  EXPECT_EQ(near.code, 2);
  EXPECT_EQ(near.err, "attn-tutor: there is no help on enviroment\n  hint: did you mean environment?\n");
  EXPECT_THAT(run_program({"help", "xyzzy"}).err, HasSubstr("hint: Topics: accessibility, environment,"));
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Names of variables stand in the source as texts of capitals.
TEST(Environment, NamesEveryVariableThatTheSourceReads) {
  std::set<std::string> listed;
  for (const Variable& variable : variables()) {
    for (const std::string& name : words_in(variable.names)) listed.insert(name);
  }
  const std::regex reads(R"re((?:getenv|environment|absolute_variable)\("([A-Z_]+)")re");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(ATTN_SOURCE_DIR) + "/src")) {
    const std::string text = entry.is_regular_file() ? text_of(entry.path()) : "";
    for (std::sregex_iterator at(text.begin(), text.end(), reads); at != std::sregex_iterator(); ++at)
      EXPECT_TRUE(listed.contains((*at)[1])) << entry.path() << " reads " << (*at)[1];
  }
}

// ---- the man page ----

Ended run_on_page(const std::string& program, std::vector<std::string> arguments) {
  const TemporaryFile page("attn-tutor.1", run_program({"man"}).out);
  Conditions conditions;
  conditions.program = program;
  conditions.environment["PATH"] = "/usr/bin:/bin";
  conditions.environment["MANWIDTH"] = "100";
  arguments.push_back(page.path());
  return run_program(arguments, conditions);
}

bool has_program(const std::string& name) { return std::filesystem::exists("/usr/bin/" + name); }

TEST(ManPage, IsCleanForMandoc) {
  if (!has_program("mandoc")) GTEST_SKIP() << "no mandoc here";
  const Ended ended = run_on_page("mandoc", {"-T", "lint", "-W", "warning"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out + ended.err, "");
}

TEST(ManPage, IsReadByMan) {
  if (!has_program("mandb")) GTEST_SKIP() << "no man-db here";
  const Ended ended = run_on_page("man", {"--warnings=all", "-P", "cat", "-l"});
  EXPECT_EQ(ended.err, "");
  EXPECT_THAT(ended.out, AllOf(HasSubstr("attn-tutor"), HasSubstr("--every-call"), HasSubstr("NAME=VALUE")));
}

TEST(ManPage, HasEveryCommandAndVariable) {
  const std::string page = run_program({"man"}).out;
  for (const Command* command : all_commands()) EXPECT_THAT(page, HasSubstr(".It Ic " + std::string(command->name)));
  for (const Variable& variable : variables())
    EXPECT_THAT(page, HasSubstr(".It Ev " + words_in(variable.names).front()));
}

}  // namespace
}  // namespace attn
