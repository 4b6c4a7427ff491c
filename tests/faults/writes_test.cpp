// Every call that writes fails in turn, in each way that a disk can fail: the old file is there or the whole new one,
// the exit code says which, and nothing is left over.
#include <gmock/gmock.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>

#include "tests/faults/faults.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

const std::string kOld = "<!-- attn-tutor transcript -->\nold text\n";

struct Scenario {
  const char* name;
  Words arguments;              // @ stands for the folder
  Words targets;                // files that it writes
  bool has_old = false;         // the first target is there before
  int failed_code = 4;          // when a call failed
  bool counts_streams = false;  // calls on standard output and standard error fail too
};

const Scenario kScenarios[] = {
    {"a new transcript", {"export", "0", "-o", "@/new.md"}, {"new.md"}},
    {"a transcript that replaces another", {"export", "0", "-o", "@/old.html", "--force"}, {"old.html"}, true},
    {"all lessons",
     {"export", "--all", "--lessons", "@/few", "-o", "@/all", "--format", "txt"},
     {"all/index.md", "all/00-three-words.txt"}},
    {"a transcript on standard output", {"export", "0", "-o", "-", "--format", "md"}, {}, false, 4, true},
    {"a lesson on standard output", {"lesson", "0", "--all"}, {}, false, 4, true},
};

struct Way {
  const char* name;
  int error;  // 0: a write takes one byte
};
const Way kWays[] = {
    {"no space", ENOSPC}, {"broken disk", EIO}, {"quota", EDQUOT}, {"interrupted", EINTR}, {"short", 0}};

Words in_folder(Words words, const std::string& folder) {
  for (std::string& word : words)
    if (word.starts_with("@")) word.replace(0, 1, folder);
  return words;
}

void prepare(const Scenario& scenario, const Workshop& workshop) {
  if (scenario.has_old) workshop.put(scenario.targets[0], kOld);
  const fs::path few = fs::path(workshop.path()) / "few";  // lessons: to run all of them takes a second each time
  fs::create_directory(few);
  for (const char* lesson : {"00-three-words.md", "tour.md"})
    fs::copy_file(fs::path(ATTN_SOURCE_DIR "/lessons") / lesson, few / lesson, fs::copy_options::overwrite_existing);
}

Ended run(const Scenario& scenario, const Workshop& workshop, std::map<std::string, std::string> settings) {
  prepare(scenario, workshop);
  if (scenario.counts_streams) settings["ATTN_FAIL_ALL"] = "1";
  return run_failing(workshop, in_folder(scenario.arguments, workshop.path()), settings);
}

/// The state in which the program leaves the folder when nothing fails.
std::map<std::string, std::string> finished(const Scenario& scenario) {
  const Workshop workshop;
  const Ended ended = run(scenario, workshop, {});
  EXPECT_EQ(ended.code, 0) << scenario.name << ended.err;
  std::map<std::string, std::string> files = {{"(out)", ended.out}};
  for (const std::string& name : workshop.names()) files[name] = workshop.text(name);
  return files;
}

/// Runs the scenario with its n-th call failing; false when there are fewer calls.
bool survives(const Scenario& scenario, const Way& way, int n, const std::map<std::string, std::string>& whole) {
  const Workshop workshop;
  const Ended ended =
      run(scenario, workshop, {{"ATTN_FAIL_WRITE", std::to_string(n)}, {"ATTN_FAIL_HOW", std::to_string(way.error)}});
  const std::string what = std::string(scenario.name) + ", " + way.name + " at call " + std::to_string(n) + "\n";
  EXPECT_EQ(ended.signal, 0) << what;
  EXPECT_TRUE(ended.code == 0 || ended.code == scenario.failed_code) << what << ended.code << ended.err;
  for (const std::string& name : workshop.names()) {
    const auto known = whole.find(name);
    if (known == whole.end()) {
      ADD_FAILURE() << what << "left behind: " << name;
    } else {
      const std::string text = workshop.text(name);
      EXPECT_TRUE(text == known->second || (scenario.has_old && text == kOld)) << what << name << " is half written";
    }
  }
  if (ended.code == 0) {
    EXPECT_EQ(workshop.names().size() + 1, whole.size()) << what << "said to be fine";
    EXPECT_EQ(ended.out, whole.at("(out)")) << what;
  } else {
    EXPECT_NE(ended.err, "") << what;
    if (scenario.has_old) {
      EXPECT_NE(workshop.text(scenario.targets[0]), "(none)") << what;
    }
  }
  return workshop.was_failed();
}

TEST(Writes, EachMayFailInTurn) {
  if (!kCanFail) GTEST_SKIP() << "calls cannot be made to fail under sanitizers";
  for (const Scenario& scenario : kScenarios) {
    const auto whole = finished(scenario);
    for (const std::string& target : scenario.targets) EXPECT_TRUE(whole.contains(target)) << scenario.name << target;
    for (const Way& way : kWays) {
      int n = 1;
      while (n < 200 && survives(scenario, way, n, whole)) ++n;
      EXPECT_GT(n, 1) << scenario.name << ": no call was counted";
    }
  }
}

/// Each scenario that writes files, ended by the signal at each call in turn. `check` is told where, with the folder as
/// it was left and as it is when nothing fails.
template <class Check>
void end_at_each_call(int signal, const Check& check) {
  for (const Scenario& scenario : kScenarios) {
    if (scenario.targets.empty()) continue;
    const auto whole = finished(scenario);
    for (int n = 1; n < 200; ++n) {
      const Workshop workshop;
      const Ended ended =
          run(scenario, workshop, {{"ATTN_FAIL_WRITE", std::to_string(n)}, {"ATTN_FAIL_KILL", std::to_string(signal)}});
      if (!workshop.was_failed()) {
        EXPECT_GT(n, 1) << scenario.name << ": no call was counted";
        break;
      }
      const std::string where = std::string(scenario.name) + ", ended at call " + std::to_string(n) + ": ";
      EXPECT_EQ(ended.signal, signal) << where;
      check(scenario, workshop, whole, where);
    }
  }
}

// I4: a program that is killed cannot tidy up, but what has the name of a target is old or whole.
TEST(Writes, KilledAtEach) {
  if (!kCanFail) GTEST_SKIP() << "calls cannot be made to fail under sanitizers";
  end_at_each_call(
      SIGKILL, [](const Scenario& scenario, const Workshop& workshop, const auto& whole, const auto& where) {
        for (const std::string& target : scenario.targets)
          EXPECT_THAT(workshop.text(target), testing::AnyOf(scenario.has_old ? kOld : "(none)", whole.at(target)))
              << where << target;
      });
}

TEST(Writes, EndedAtEachLeaveNothingHalfWritten) {
  if (!kCanFail) GTEST_SKIP() << "calls cannot be made to fail under sanitizers";
  end_at_each_call(SIGTERM, [](const Scenario&, const Workshop& workshop, const auto& whole, const auto& where) {
    for (const std::string& name : workshop.names())
      EXPECT_TRUE(whole.contains(name)) << where << "left behind: " << name;
  });
}

}  // namespace
}  // namespace attn
