// Files that transcripts are written to: what is there, odd names, two writers, a program that is killed.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>

#include "tests/cli/steering.h"
#include "tests/faults/faults.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kLesson = "# T\n\n```python\nx = 1\n```\n";

Ended export_lesson(const std::string& from, const std::string& to, bool force = true) {
  std::vector<std::string> words = {"export", from, "-o", to, "--format", "md"};
  if (force) words.emplace_back("--force");
  return run_program(words);
}

// I1, I2: what is no transcript stays without --force, and the lesson itself stays always.
TEST(Outputs, TheLessonIsNeverOverwritten) {
  const Workshop workshop;
  workshop.put("01-a.md", kLesson);
  const std::string lesson = workshop.file("01-a.md");
  fs::create_hard_link(lesson, workshop.file("hard.md"));
  fs::create_symlink("01-a.md", workshop.file("soft.md"));
  for (const char* name : {"01-a.md", "hard.md", "soft.md"}) {
    const Ended ended = export_lesson(lesson, workshop.file(name));
    EXPECT_EQ(ended.code, 4) << name;
    EXPECT_THAT(ended.err, HasSubstr("is read here and cannot be written to")) << name;
    EXPECT_EQ(workshop.text("01-a.md"), kLesson) << name;
  }
  workshop.put("other.md", "mine");
  EXPECT_EQ(export_lesson(lesson, workshop.file("other.md"), false).code, 4);
  EXPECT_EQ(workshop.text("other.md"), "mine");
  EXPECT_EQ(export_lesson(lesson, workshop.file("other.md")).code, 0);
  EXPECT_EQ(export_lesson(lesson, workshop.file("other.md"), false).code, 0) << "now it is a transcript";
}

// The inputs that a command names stay, with --force, too.
TEST(Outputs, NoInputIsOverwritten) {
  const Workshop workshop;
  workshop.put("w.txt", "he put it away\n");
  workshop.put("w.json", R"({"<pad>": 0, "he": 1, "put": 2, "it": 3, "away": 4})");
  const std::string words = workshop.file("w.txt"), vocabulary = workshop.file("w.json");
  const std::string weights = workshop.file("w.safetensors");
  EXPECT_EQ(run_program({"export", "1", "-o", weights}).code, 0);
  const std::string before = workshop.text("w.safetensors");
  const std::vector<std::string> rows[] = {
      {"1", "--weights", weights, "-o", weights},
      {"4", "--text", "@" + words, "-o", words, "--format", "txt"},
      {"4", "--text", "he put it", "--vocab", vocabulary, "-o", vocabulary},
  };
  for (std::vector<std::string> row : rows) {
    row.insert(row.begin(), "export");
    row.emplace_back("--force");
    const Ended ended = run_program(row);
    EXPECT_EQ(ended.code, 4) << row[2];
    EXPECT_THAT(ended.err, HasSubstr("is read here and cannot be written to")) << row[2];
  }
  EXPECT_TRUE(workshop.text("w.safetensors") == before);
  EXPECT_EQ(workshop.text("w.txt"), "he put it away\n");
}

struct Place {
  const char* name;
  int code;
  const char* message;
};

// I2, I3, I8: places that cannot be written to, and names that a terminal must not see as they are.
TEST(Outputs, OddPlaces) {
  const Workshop workshop;
  fs::create_directory(workshop.file("folder"));
  fs::create_symlink("nothing", workshop.file("dangling"));
  workshop.put("file", "");
  const std::string longest(256, 'n');
  const Place places[] = {{"folder", 4, "is a folder"},
                          {"dangling", 4, "a link to nothing"},
                          {"none/a", 4, "No such file"},
                          {"file/a", 4, "Not a directory"},
                          {"a\nb", 0, ""},
                          {"e\x1b[31mf", 0, ""},
                          {"\xff\xfe", 0, ""},
                          {"-", 0, ""},
                          {longest.c_str(), 4, "File name too long"}};
  for (const Place& place : places) {
    const Ended ended = export_lesson("0", workshop.file(place.name));
    EXPECT_EQ(ended.code, place.code) << place.name << ended.err;
    EXPECT_THAT(ended.err, HasSubstr(place.message)) << place.name;
  }
}

// I5: files that may not grow, few descriptors, a mask of rights.
TEST(Outputs, LimitsOfTheSystem) {
  const Workshop workshop;
  const std::string old = "<!-- attn-tutor transcript -->\nold";
  workshop.put("old.md", old);
  const std::vector<std::string> words = {"export", "0", "-o", workshop.file("old.md"), "--force"};
  Conditions small_files;
  small_files.file_size = 1024;
  const Ended ended = run_program(words, small_files);
  EXPECT_EQ(ended.code, 4) << ended.signal;
  EXPECT_THAT(ended.err, HasSubstr("File too large"));
  EXPECT_EQ(workshop.text("old.md"), old);
  EXPECT_THAT(workshop.names(), ElementsAre("old.md"));
  Conditions one_descriptor;                      // besides the standard ones; the system's loader needs it too
  one_descriptor.descriptors = kCanFail ? 4 : 5;  // UndefinedBehaviorSanitizer wants one for itself
  EXPECT_EQ(run_program(words, one_descriptor).code, 0);
}

mode_t rights(const std::string& path) {
  struct stat file {};
  EXPECT_EQ(stat(path.c_str(), &file), 0);
  return file.st_mode & 0777;
}

TEST(Outputs, HaveTheRightsOfTheFileBeforeOrOfTheMask) {
  const Workshop workshop;
  workshop.put("old.md", "<!-- attn-tutor transcript -->\nold");
  const mode_t before = rights(workshop.file("old.md")), mask = umask(077);
  EXPECT_EQ(export_lesson("0", workshop.file("old.md")).code, 0);
  EXPECT_EQ(export_lesson("0", workshop.file("new.md")).code, 0);
  umask(0777);
  EXPECT_EQ(export_lesson("0", workshop.file("none.md")).code, 0);
  umask(mask);
  EXPECT_EQ(rights(workshop.file("old.md")), before);
  EXPECT_EQ(rights(workshop.file("new.md")), 0600u);
  EXPECT_EQ(rights(workshop.file("none.md")), 0u);
}

// I9: clocks that are wrong, and jump back.
TEST(Outputs, OnAnyDate) {
  if (!kCanFail) GTEST_SKIP() << "calls cannot be made to fail under sanitizers";
  const std::pair<const char*, const char*> dates[] = {{"1", "19"}, {"4102444800", "20"}, {"-1000000000", "19"}};
  for (const auto& [seconds, century] : dates) {
    const Workshop workshop;
    const Ended ended = run_failing(
        workshop, {"lesson", "0", "--answers", "/dev/null", "--transcript", workshop.file("a.md"), "--times"},
        {{"ATTN_FAIL_CLOCK", seconds}});
    EXPECT_TRUE(ended.code == 0 || ended.code == 1) << ended.code << ended.err;
    EXPECT_THAT(workshop.text("a.md"), testing::ContainsRegex(std::string(century) + "[0-9][0-9]-.* UTC")) << seconds;
  }
}

pid_t start_export(const std::string& target) {
  const pid_t child = fork();
  if (child == 0) {
    execl(ATTN_BINARY, "attn-tutor", "export", "0", "-o", target.c_str(), "--force", nullptr);
    _exit(126);
  }
  return child;
}

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

// I4, I6: killed at any moment (Writes.KilledAtEach: at each call that writes), or written by two at once: a whole
// file.
TEST(Outputs, KilledWhileSaving) {
  const Workshop reference;
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(run_program({"export", "0", "-o", reference.file("a.md")}).code, 0);
  const double lasting = milliseconds_since(begin);
  const std::string whole = reference.text("a.md"), old = "<!-- attn-tutor transcript -->\nold";
  const Workshop workshop;
  int killed = 0;
  constexpr int kMoments = 60;
  for (int i = 0; i < kMoments; ++i) {
    workshop.put("a.md", old);
    const double moment = lasting * i / kMoments;
    const pid_t child = start_export(workshop.file("a.md"));
    usleep(static_cast<useconds_t>(moment * 1000));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    killed += WIFSIGNALED(status);
    EXPECT_THAT(workshop.text("a.md"), testing::AnyOf(old, whole)) << "killed after " << moment << " ms";
  }
  EXPECT_GT(killed, 0);
}

TEST(Outputs, AnInterruptedRunReplacesNoTranscript) {
  const std::string old = "<!-- attn-tutor transcript -->\nold";
  const Workshop workshop;
  workshop.put("a.md", old);
  workshop.put("a.py", "x = 1\nwhile True: pass\n");
  Conditions conditions;
  conditions.interrupt_after = 500;
  const Ended ended = run_program({"export", workshop.file("a.py"), "-o", workshop.file("a.md")}, conditions);
  EXPECT_EQ(ended.code, 130) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("a.py:2:1: interrupt"));
  EXPECT_EQ(workshop.text("a.md"), old);
}

TEST(Outputs, TwoAtOnce) {
  const Workshop workshop;
  std::vector<pid_t> children;
  for (int i = 0; i < 6; ++i) children.push_back(start_export(workshop.file("a.md")));
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  const Workshop reference;
  ASSERT_EQ(run_program({"export", "0", "-o", reference.file("a.md")}).code, 0);
  EXPECT_EQ(workshop.text("a.md"), reference.text("a.md"));
  EXPECT_THAT(workshop.names(), ElementsAre("a.md"));
}

// I7: whatever stands in titles, outputs and names, no format carries a byte that steers a terminal.
TEST(Outputs, NoFormatSteersATerminal) {
  const Workshop workshop;
  std::string evil;
  for (const char* payload :
       {"\x1b[31mred", "\x1b]52;c;AAAA\a", "\u009b31m", "\x7f", "a\bb", "\u202e", "\u2066", "\u200b", "&#27;[31m",
        "&#155;31m", "&#x202e;", "</pre><script>alert(1)</script>", "-->", "]]>"})
    evil += std::string(payload) + " ";
  workshop.put("01-a.md", "# T " + evil + "\n\n" + evil + "\n\n```python\nx = 'q " + evil + "'  # " + evil +
                              "\nprint(x)\nd = {x: [x]}\n```\n\n`" + evil + "` $" + evil + "$\n");
  for (const char* format : {"txt", "md", "html", "ipynb", "json", "py"}) {
    const Ended ended = run_program({"export", workshop.file("01-a.md"), "-o", "-", "--format", format});
    EXPECT_EQ(ended.code, 0) << format << ended.err;
    EXPECT_EQ(steering_in(ended.out), "") << format;
    if (std::string(format) == "html") {
      EXPECT_EQ(ended.out.find("<script>alert"), std::string::npos);
    }
  }
  workshop.put("answers.txt", "1. " + evil + "\n2. " + evil + "\n");
  const std::string answers = workshop.file("answers.txt");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list", "--json", "--lessons", workshop.file("")},
        {"grade", "2", "--json", answers},
        {"lesson", "2", "--answers", answers, "--json"}}) {
    const Ended ended = run_program(words);
    EXPECT_NE(ended.out, "") << words[0] << ended.err;
    EXPECT_EQ(steering_in(ended.out), "") << words[0];
  }
}

}  // namespace
}  // namespace attn
