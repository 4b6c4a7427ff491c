// On a terminal: colour, characters and width follow the environment and the window, and nothing else does.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "cli/child.h"
#include "tests/cli/program.h"

namespace attn {
namespace {

struct Seen {
  std::string text;
  int code = -1;
};

// Runs the program with a terminal of that many columns as its three streams.
Seen run_on_terminal(Words words, const Environment& environment, unsigned short columns = 80) {
  const int screen = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (screen < 0 || grantpt(screen) != 0 || unlockpt(screen) != 0) throw std::runtime_error("no terminal");
  const std::string name = ptsname(screen);
  words.insert(words.begin(), "attn-tutor");
  Words variables;
  for (const auto& [key, value] : environment) variables.push_back(key + "=" + value);
  const std::vector<char*> argv = pointers(words), envp = pointers(variables);
  const int terminal = ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  const winsize size{24, columns, 0, 0};
  ioctl(terminal, TIOCSWINSZ, &size);
  const pid_t child = fork();
  if (child == 0) {
    for (int descriptor = 0; descriptor <= 2; ++descriptor) dup2(terminal, descriptor);
    alarm(100);  // hangs are rarer than busy machines
    execve(ATTN_BINARY, argv.data(), envp.data());
    _exit(126);
  }
  ::close(terminal);
  Seen seen;
  char block[1 << 16];
  // EIO when the program has left the terminal.
  for (ssize_t count; (count = ::read(screen, block, sizeof block)) > 0;)
    seen.text.append(block, static_cast<std::size_t>(count));
  ::close(screen);
  int status = 0;
  waitpid(child, &status, 0);
  seen.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return seen;
}

// Some containers and chroots have no pseudo-terminals at all.
class Terminal : public testing::Test {
 protected:
  void SetUp() override {
    const int screen = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (screen < 0) GTEST_SKIP() << "no pseudo-terminal can be opened here";
    ::close(screen);
  }
};

struct TerminalCase {
  Environment environment;
  Words options;
  bool has_color;
  bool has_unicode;
};

TEST_F(Terminal, ColorAndCharactersFollowTheEnvironment) {
  const TerminalCase cases[] = {
      {{{"TERM", "xterm"}, {"LANG", "C.UTF-8"}}, {}, true, true},
      {{{"TERM", "xterm"}, {"LANG", "en_GB.utf8"}}, {}, true, true},
      {{{"TERM", "xterm"}, {"LANG", "C.UTF-8"}, {"NO_COLOR", "1"}}, {}, false, true},
      {{{"TERM", "xterm"}, {"LANG", "C.UTF-8"}, {"NO_COLOR", ""}}, {}, true, true},  // empty is not set: no-color.org
      {{{"TERM", "xterm"}, {"LANG", "C.UTF-8"}, {"NO_COLOR", "1"}}, {"--color=always"}, true, true},
      {{{"TERM", "xterm"}, {"LANG", "C.UTF-8"}}, {"--color=never"}, false, true},
      {{{"TERM", "dumb"}, {"LANG", "C.UTF-8"}}, {}, false, true},
      {{{"TERM", "dumb"}, {"LANG", "C.UTF-8"}, {"FORCE_COLOR", "1"}}, {}, true, true},
      {{{"TERM", "dumb"}, {"LANG", "C.UTF-8"}, {"CLICOLOR_FORCE", "1"}}, {}, true, true},
      {{{"TERM", "xterm"}, {"LANG", "C.UTF-8"}, {"FORCE_COLOR", "0"}}, {}, false, true},
      {{{"TERM", "xterm"}, {"LANG", "C.UTF-8"}, {"FORCE_COLOR", "1"}, {"NO_COLOR", "1"}}, {}, false, true},
      {{{"TERM", "xterm"}, {"LANG", "C.UTF-8"}, {"FORCE_COLOR", "1"}}, {"--color=never"}, false, true},
      {{{"LANG", "C.UTF-8"}}, {}, false, true},
      {{{"TERM", "xterm"}}, {}, true, false},
      {{{"TERM", "xterm"}, {"LANG", "C.UTF-8"}, {"LC_ALL", "C"}}, {}, true, false},  // LC_ALL wins
      {{{"TERM", "xterm"}, {"LANG", "C.UTF-8"}, {"LC_ALL", ""}}, {}, true, true},
      {{{"TERM", "xterm"}, {"LANG", "C.UTF-8"}}, {"--ascii"}, true, false},
  };
  for (const TerminalCase& c : cases) {
    Words words = {"lesson", "1", "--all", "--no-pager"};
    words.insert(words.end(), c.options.begin(), c.options.end());
    const Seen seen = run_on_terminal(words, c.environment);
    const std::string what = testing::PrintToString(c.environment) + testing::PrintToString(c.options);
    EXPECT_EQ(seen.code, 0) << what;
    EXPECT_EQ(seen.text.find('\x1b') != std::string::npos, c.has_color) << what;
    const bool has_unicode = std::any_of(seen.text.begin(), seen.text.end(), [](char ch) { return ch & '\x80'; });
    EXPECT_EQ(has_unicode, c.has_unicode) << what;
  }
}

// ---- paging ----

const Words kLong = {"lesson", "1", "--all", "--color=never"};
constexpr const char* kMarking = "sed 's/^/page /'";

Environment with_pager(const char* pager) { return {{"TERM", "xterm"}, {"LANG", "C.UTF-8"}, {"PAGER", pager}}; }

Words with(Words words, const std::string& word) {
  words.push_back(word);
  return words;
}

TEST_F(Terminal, ATextLongerThanTheScreenGoesThroughThePager) {
  const Seen seen = run_on_terminal(kLong, with_pager(kMarking));
  EXPECT_EQ(seen.code, 0);
  EXPECT_TRUE(seen.text.starts_with("page 1 One attention, no heads\r\n")) << seen.text.substr(0, 200);
  EXPECT_TRUE(run_on_terminal({"help", "glossary"}, with_pager(kMarking)).text.starts_with("page "));
  EXPECT_TRUE(run_on_terminal({"ops"}, with_pager(kMarking)).text.starts_with("page "));
}

TEST_F(Terminal, WhatIsNotPaged) {
  const Environment marking = with_pager(kMarking);
  Environment dumb = marking;
  dumb["TERM"] = "dumb";
  const auto starts = [](const Words& words, const Environment& environment) {
    return run_on_terminal(words, environment).text.starts_with("1 One attention, no heads\r\n");
  };
  EXPECT_TRUE(starts(with(kLong, "--no-pager"), marking));
  EXPECT_TRUE(starts(with(kLong, "--accessible"), marking));
  EXPECT_TRUE(starts(with(kLong, "--no-input"), marking));
  EXPECT_TRUE(starts(kLong, dumb));
  EXPECT_TRUE(starts(kLong, with_pager("")));
  EXPECT_TRUE(starts(kLong, with_pager("cat")));
  EXPECT_EQ(run_on_terminal({"help", "query"}, marking).text.find("page "), std::string::npos) << "it fits the screen";
  Conditions piped;
  piped.environment = marking;
  EXPECT_TRUE(run_program(kLong, piped).out.starts_with("1 One attention, no heads\n"));
}

// The pager has a terminal to put back: it ends before the program does.
TEST_F(Terminal, ASignalEndsThePagerFirst) {
  const std::string pager =
      "trap 'echo put back; exit' TERM; echo paging; kill -TERM $PPID; sleep 50 <&- >&- 2>&- & wait";
  const Seen seen = run_on_terminal(kLong, with_pager(pager.c_str()));
  EXPECT_EQ(seen.text, "paging\r\nput back\r\n");
  EXPECT_EQ(seen.code, 128 + SIGTERM);
}

TEST_F(Terminal, LeavingThePagerEarlyIsNoFailure) {
  const Seen seen = run_on_terminal(kLong, with_pager("head -n 1"));
  EXPECT_EQ(seen.code, 0);
  EXPECT_EQ(seen.text, "1 One attention, no heads\r\n");
}

TEST_F(Terminal, WithoutAPagerTheTextIsPrinted) {
  const Seen missing = run_on_terminal(kLong, with_pager("no-such-pager 2>/dev/null"));
  EXPECT_EQ(missing.code, 0);
  EXPECT_TRUE(missing.text.starts_with("1 One attention, no heads\r\n"));
  const Seen no_less = run_on_terminal(kLong, {{"TERM", "xterm"}, {"LANG", "C.UTF-8"}, {"PATH", "/nowhere"}});
  EXPECT_EQ(no_less.code, 0);
  EXPECT_EQ(no_less.text, missing.text);
}

TEST_F(Terminal, LessIsToldWhatItNeeds) {
  Environment environment = with_pager("cat >/dev/null; echo \"$LESS\"");
  EXPECT_EQ(run_on_terminal(kLong, environment).text, "FRX\r\n");
  environment["LESS"] = "S";
  EXPECT_EQ(run_on_terminal(kLong, environment).text, "S\r\n");
}

TEST_F(Terminal, AnErrorIsColoredOnlyWhereItIsWanted) {
  Environment environment = {{"TERM", "xterm"}, {"LANG", "C.UTF-8"}};
  EXPECT_NE(run_on_terminal({"eval", "1/0"}, environment).text.find('\x1b'), std::string::npos);
  environment["NO_COLOR"] = "1";
  const Seen plain = run_on_terminal({"eval", "1/0"}, environment);
  EXPECT_EQ(plain.code, 1);
  EXPECT_EQ(plain.text, "<code>:1:1: zero-division: division by zero\r\n  1/0\r\n  ^~~\r\n");
}

TEST_F(Terminal, AllLessonsAreExportedWithAProgressBar) {
  const TemporaryFolder folder;
  const Words words = {"export", "--all", "--format", "py", "-o", folder.file("all")};
  const Seen seen = run_on_terminal(words, {{"TERM", "xterm"}});
  EXPECT_EQ(seen.code, 0);
  const std::size_t count = lesson_names().size();
  for (std::size_t done = 0; done < count; ++done) {
    const std::size_t filled = 20 * done / count;
    const std::string bar = "[" + std::string(filled, '=') + std::string(20 - filled, '-') + "] " +
                            std::to_string(done) + "/" + std::to_string(count) + " ";
    EXPECT_NE(seen.text.find(bar), std::string::npos) << bar << "\n" << seen.text;
  }
  EXPECT_TRUE(seen.text.ends_with("\r\x1b[K")) << "the line is left empty";
  EXPECT_NE(run_on_terminal(words, {{"TERM", "xterm"}}, 24).text.find("\r\x1b[K[=====--------------...\r"),
            std::string::npos)
      << "no wider than the terminal";
  EXPECT_EQ(run_program(words).err, "") << "where there is no terminal there is no bar";
}

TEST_F(Terminal, AMessageStandsInThePlaceOfTheBar) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("all"));
  std::ofstream(folder.file("all") + "/02-heads.py") << "mine\n";
  const Seen seen =
      run_on_terminal({"export", "--all", "--format", "py", "-o", folder.file("all")}, {{"TERM", "xterm"}});
  EXPECT_EQ(seen.code, 4);
  EXPECT_NE(seen.text.find("\r\x1b[Kattn-tutor: "), std::string::npos) << seen.text;
}

TEST_F(Terminal, ItsWidthIsFilledAndKept) {
  const std::pair<unsigned short, std::size_t> widths[] = {{0, 80}, {1, 20}, {20, 20}, {50, 50}, {80, 80}};
  for (const auto& [columns, width] : widths) {
    const Words words = {"lesson", "1", "--all", "--no-pager", "--ascii", "--color=never"};
    EXPECT_EQ(longest_line(run_on_terminal(words, {{"TERM", "xterm"}}, columns).text, "\r\n"), width) << columns;
  }
  const Words words = {"lesson", "1", "--all", "--no-pager", "--ascii", "--color=never", "--width=40"};
  EXPECT_EQ(longest_line(run_on_terminal(words, {{"TERM", "xterm"}}, 120).text, "\r\n"), 40u)
      << "--width goes before it";
}

}  // namespace
}  // namespace attn
