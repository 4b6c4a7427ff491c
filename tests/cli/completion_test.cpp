// The completions, asked of real shells: what would follow a half-typed line? Shells that are not there are skipped.
#include "cli/completion.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text.h"
#include "tests/cli/program.h"

namespace attn {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class TemporaryHome {
 public:
  TemporaryHome() {
    path_ = testing::TempDir() + "attn-home-XXXXXX";
    if (!mkdtemp(path_.data())) throw std::runtime_error("mkdtemp");
  }
  ~TemporaryHome() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Ended run_shell(const std::string& shell, const Words& arguments, const std::string& folder = {}) {
  Conditions conditions;
  conditions.program = shell;
  const TemporaryHome home;  // fish makes folders in it
  conditions.environment["HOME"] = home.path();
  conditions.environment["PATH"] = "/usr/local/bin:/usr/bin:/bin";
  conditions.folder = folder;
  return run_program(arguments, conditions);
}

bool has_shell(const std::string& shell) { return run_shell(shell, {"-c", "exit 0"}).code == 0; }

/// The script of a shell in a file.
TemporaryFile script_of(const std::string& shell) {
  const Ended ended = run_program({"completion", shell});
  EXPECT_EQ(ended.code, 0) << ended.err;
  return TemporaryFile("attn-tutor." + shell, ended.out);
}

Words proposals_of(const std::string& text) {
  Words lines;
  for (const std::string_view line : split_lines(text)) lines.emplace_back(line.substr(0, line.find('\t')));
  return lines;
}

/// A line with the cursor at its end, as words, and what is proposed for the last of them.
struct Completed {
  Words line;
  Words proposed;
};

const Completed kCases[] = {
    {{"lis"}, {"list"}},
    {{"lesson", "hea"}, {"heads"}},
    {{"lesson", "heads", "--qui"}, {"--quiet", "--quiz"}},
    {{"export", "3", "--format", "m"}, {"md"}},
    {{"export", "--width", "40", "hea"}, {"heads"}},
    {{"lesson", "3", "--color", "al"}, {"always"}},
    {{"ops", "masked_fill"}, {"masked_fill", "masked_fill_"}},
    {{"ops", "nn.LayerN"}, {"nn.LayerNorm"}},
    {{"help", "exit"}, {"exit-codes"}},
    {{"completion", ""}, {"bash", "fish", "zsh"}},
    {{"lesson", "3", "--color", ""}, {"always", "auto", "never"}},
    {{"export", "--lessons", "sub"}, {"sub/"}},
    {{"check", "03-"}, {"03-own.md"}},
};

/// A folder with a file and a folder in it, to be completed.
class Folder {
 public:
  Folder() : file_("03-own.md", "# L\n") {
    path_ = file_.path().substr(0, file_.path().rfind('/'));
    std::filesystem::create_directory(path_ + "/sub");
  }
  ~Folder() { std::filesystem::remove(path_ + "/sub"); }
  const std::string& path() const { return path_; }

 private:
  TemporaryFile file_;
  std::string path_;
};

TEST(Completion, InBash) {
  if (!has_shell("bash")) GTEST_SKIP() << "no bash here";
  const TemporaryFile script = script_of("bash");
  const Folder folder;
  for (const Completed& each : kCases) {
    Words words = {"--norc", "-c",
                   "source \"$0\"; COMP_WORDS=(\"$@\") COMP_CWORD=$(($# - 1)); _attn_tutor 2>&1; printf '%s\\n' "
                   "\"${COMPREPLY[@]}\" | sort",
                   script.path(), "attn-tutor"};
    words.insert(words.end(), each.line.begin(), each.line.end());
    Words proposed = proposals_of(run_shell("bash", words, folder.path()).out);
    for (std::string& word : proposed) word += word == "sub" ? "/" : "";  // the slash is added when it is typed out
    EXPECT_EQ(proposed, each.proposed) << testing::PrintToString(each.line);
  }
}

TEST(Completion, InBashOfAValueBehindAnEqualsSign) {
  if (!has_shell("bash")) GTEST_SKIP() << "no bash here";
  const TemporaryFile script = script_of("bash");
  const Ended ended =
      run_shell("bash", {"--norc", "-c",
                         "source \"$0\"; COMP_WORDS=(attn-tutor export 3 --format = m) COMP_CWORD=5; _attn_tutor; echo "
                         "\"${COMPREPLY[@]}\"",
                         script.path()});
  EXPECT_EQ(ended.out, "md\n") << ended.err;
}

TEST(Completion, InFish) {
  if (!has_shell("fish")) GTEST_SKIP() << "no fish here";
  const TemporaryFile script = script_of("fish");
  const Folder folder;
  for (const Completed& each : kCases) {
    const std::string line = "attn-tutor " + join(each.line, " ");
    const Ended ended = run_shell(
        "fish", {"--no-config", "-c", "source " + script.path() + "; complete -C '" + line + "'"}, folder.path());
    Words proposed = proposals_of(ended.out);
    std::sort(proposed.begin(), proposed.end());
    EXPECT_EQ(proposed, each.proposed) << line << "\n" << ended.err;
  }
}

// zsh completes only at a prompt on a terminal, so one zsh drives another. Tab types what is common to all proposals.
TEST(Completion, InZsh) {
  if (!has_shell("zsh")) GTEST_SKIP() << "no zsh here";
  const TemporaryFile script = script_of("zsh");
  const Folder folder;
  std::string drive =
      "zmodload zsh/zpty\nzpty z zsh -f -i\n"
      "zpty -w z 'PS1= PS2=; autoload -Uz compinit; compinit -u -D; source " +
      script.path() +
      "; attn-tutor() { print -r -- \"got:$*:\" }; print rea''dy'\nzpty -r -m z line '*ready*' || exit 9\n";
  Words expected;
  for (const Completed& each : kCases) {
    if (each.proposed.size() != 1) continue;
    drive += "zpty -w -n z $'attn-tutor " + join(each.line, " ") +
             "\\t\\n'\nzpty -r -m z line '*got:*:*' || exit 9\nprint -r -- ${${line##*got:}%%:*}\n";
    Words typed = each.line;
    typed.back() = each.proposed[0] == "sub/" ? "sub" : each.proposed[0];  // Enter takes the slash away again
    expected.push_back(join(typed, " "));
  }
  const Ended ended = run_shell("zsh", {"-f", "-c", drive}, folder.path());
  EXPECT_EQ(proposals_of(ended.out), expected) << ended.err;
}

TEST(Completion, OfAShellThatIsNotKnown) {
  const Ended ended = run_program({"completion", "bahs"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err, "attn-tutor: there is no completion for bahs\n  hint: did you mean bash?\n");
  EXPECT_THAT(run_program({"completion", "powershell"}).err, HasSubstr("there is one for bash, zsh, fish"));
}

TEST(Completion, EveryValueHasANameOfItsOwn) {
  for (const CommandDescription& command : describe_program().commands) {
    for (const OptionDescription& option : command.options)
      EXPECT_NE(option.value, "TEXT") << command.name << " " << option.names.back() << ": name it in command_line.cpp";
  }
}

TEST(Completion, KnowsNoNameThatNothingUses) {
  std::set<std::string> used;
  for (const CommandDescription& command : describe_program().commands) {
    for (const OptionDescription& option : command.options) used.insert(option.value);
    for (const ArgumentDescription& argument : command.arguments) used.insert(argument.name);
  }
  for (const std::string& name : completed_names()) EXPECT_TRUE(used.contains(name)) << name;
}

}  // namespace
}  // namespace attn
