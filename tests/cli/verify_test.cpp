// attn-tutor verify. Needs a Python with PyTorch for all but the last tests.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/cli/program.h"

namespace attn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A program that stands for Python: a script of the shell.
class FakePython {
 public:
  explicit FakePython(const std::string& command) : file_("python", "#!/bin/sh\n" + command + "\n") {
    ::chmod(file_.path().c_str(), 0755);
  }
  const std::string& path() const { return file_.path(); }

 private:
  TemporaryFile file_;
};

/// PyTorch with one function replaced before the script runs.
FakePython changed_torch(const std::string& change) {
  return FakePython("exec " + kPython + " -c 'import os, sys, runpy, torch\n" + change +
                    "\nsys.argv = sys.argv[1:]\nsys.path.insert(0, "
                    "os.path.dirname(sys.argv[0]))\nrunpy.run_path(sys.argv[0], run_name=\"__main__\")' \"$@\"");
}

TEST(Verify, EveryLessonAgreesWithPyTorch) {
  if (!has_torch()) GTEST_SKIP() << "no PyTorch here";
  for (const std::string& lesson : lesson_names()) {
    const Ended ended = run_program({"verify", lesson, "--python", kPython});
    EXPECT_EQ(ended.code, 0) << lesson << "\n" << ended.out << ended.err;
    EXPECT_THAT(ended.out, HasSubstr("tensors agree with PyTorch")) << lesson;
  }
}

// One lesson without a batch, one that pads, one that looks ids up.
TEST(Verify, AgreesOnOnesOwnWordsAndIds) {
  if (!has_torch()) GTEST_SKIP() << "no PyTorch here";
  const TemporaryFile ids("ids.txt", "3 1 2\n4 5 6 7\n8");
  const std::vector<std::vector<std::string>> runs = {{"2", "--text", "안녕하세요 \"세상\" the cat"},
                                                      {"4", "--text", "the cat sat on", "--text", "a dog"},
                                                      {"5", "--data", ids.path(), "--set", "hidden_dim=16"}};
  for (std::vector<std::string> words : runs) {
    words.insert(words.begin(), "verify");
    words.insert(words.end(), {"--python", kPython});
    const Ended ended = run_program(words);
    EXPECT_EQ(ended.code, 0) << words[1] << "\n" << ended.out << ended.err;
    EXPECT_THAT(ended.out, HasSubstr("tensors agree with PyTorch")) << words[1];
  }
}

TEST(Verify, ComparesArraysToo) {
  if (!has_torch()) GTEST_SKIP() << "no PyTorch here";
  const TemporaryFile program("x.py", "import numpy as np\na = np.arange(6).reshape(2, 3)\nb = np.sin(a)\n");
  EXPECT_THAT(run_program({"verify", program.path(), "--python", kPython}).out, HasSubstr("All 2 tensors agree"));
}

TEST(Verify, TellsWhatDiffers) {
  if (!has_torch()) GTEST_SKIP() << "no PyTorch here";
  const TemporaryFile program("x.py",
                              "import torch\na = torch.tensor([1.0, 2.0])\nb = torch.exp(a)\nc = torch.sin(a)\n");
  EXPECT_THAT(run_program({"verify", program.path(), "--python", kPython}).out, HasSubstr("All 3 tensors agree"));

  const FakePython other = changed_torch("exp = torch.exp\ntorch.exp = lambda x: exp(x) * 1.001");
  const Ended ended = run_program({"verify", program.path(), "--python", other.path()});
  EXPECT_EQ(ended.code, 1) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("differs"), HasSubstr("1 tensor differs from that of PyTorch")));

  const FakePython shape = changed_torch("torch.exp = lambda x: x[:1]");
  EXPECT_THAT(run_program({"verify", program.path(), "--python", shape.path()}).out, HasSubstr("has shape [1] there"));

  const FakePython broken = changed_torch("def exp(x):\n    raise RuntimeError(\"no exp today\")\ntorch.exp = exp");
  const Ended failed = run_program({"verify", program.path(), "--python", broken.path()});
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.err, AllOf(HasSubstr("did not run the lesson to its end"), HasSubstr("no exp today")));
}

TEST(Verify, NeedsPyTorch) {
  // Without its site packages a Python has no torch.
  const FakePython bare("exec " + kPython + " -S -E \"$@\"");
  for (const std::string& python : {bare.path(), std::string("/nonexistent/python")}) {
    const Ended ended = run_program({"verify", "0", "--python", python});
    EXPECT_EQ(ended.code, 3) << python;
    EXPECT_THAT(ended.err, AllOf(HasSubstr("has no PyTorch, or is not a Python"), HasSubstr("pip install torch")));
    EXPECT_EQ(ended.out, "");
  }
  Conditions nowhere;
  nowhere.environment["PATH"] = "/nonexistent";
  if (has_torch()) return;
  EXPECT_EQ(run_program({"verify", "0"}, nowhere).code, 3);
}

TEST(Verify, ReadsNoMoreThanItIsTold) {
  const TemporaryFile program("x.py", "import torch\nx = torch.zeros(2)\n");
  const std::string version = R"({"torch": "2"})", fine = R"({"key": "0", "shape": [2], "fine": true})";
  const auto told = [&](const std::string& first, const std::string& second) {
    const FakePython python("printf '%s\\n' '" + first + "' '" + second + "'");
    return run_program({"verify", program.path(), "--python", python.path()});
  };
  EXPECT_EQ(told(version, fine).code, 0);
  for (const char* const first : {R"({"torch": 5})", R"({"torch": null})", "{}", "[]", "2", "\xff"})
    EXPECT_EQ(told(first, fine).code, 1) << first;
  for (const char* const second :
       {R"({"key": 0, "shape": [2]})", R"({"key": "x", "shape": [2]})", R"({"key": "1", "shape": [2]})",
        R"({"key": "-1", "shape": [2]})", R"({"key": "99999999999999999999", "shape": [2]})", R"({"shape": [2]})",
        R"({"key": "0", "shape": 2})", R"({"key": "0", "shape": ["a"]})", R"({"key": "0"})",
        R"({"key": "0", "shape": [2], "absolute": "x"})", R"({"key": "0", "shape": [2], "fine": 1})", "{", ""}) {
    const Ended ended = told(version, second);
    EXPECT_EQ(ended.code, 1) << second;
    EXPECT_THAT(ended.err, HasSubstr("what it printed is not the lesson's tensors")) << second;
  }
}

// A signal that ends the program ends Python first, and nothing is left of the files between them.
TEST(Verify, LeavesNothingBehindWhenASignalEndsIt) {
  const TemporaryFile program("x.py", "x = 1\n");
  const std::string folder = program.path() + ".files";
  std::filesystem::create_directory(folder);
  Conditions conditions;
  conditions.environment["TMPDIR"] = folder;
  for (const auto& [name, number] : {std::pair{"TERM", SIGTERM}, {"HUP", SIGHUP}}) {
    const FakePython python("echo $$ > " + folder + "/pid; kill -" + name + " $PPID; exec /bin/sleep 50");
    const Ended ended = run_program({"verify", program.path(), "--python", python.path()}, conditions);
    EXPECT_EQ(ended.signal, number);
    EXPECT_FALSE(ended.hung);
    pid_t pid = 0;
    std::ifstream(folder + "/pid") >> pid;
    ASSERT_GT(pid, 0);
    EXPECT_EQ(::kill(pid, 0), -1) << "Python lives on";
    std::filesystem::remove(folder + "/pid");
    EXPECT_TRUE(std::filesystem::is_empty(folder)) << "files are left";
  }
  std::filesystem::remove_all(folder);
}

#if !defined(ATTN_SANITIZED)  // whose own checks need pipes
TEST(Verify, NeedsPipes) {
  const FakePython python("exit 0");
  Conditions few;
  few.descriptors = 6;
  const Ended ended = run_program({"verify", "0", "--python", python.path()}, few);
  EXPECT_FALSE(ended.hung);
  EXPECT_EQ(ended.code, 4) << ended.err;
}
#endif

TEST(Verify, OfALessonThatFailsSaysThat) {
  const TemporaryFile program("x.py", "1 / 0\n");
  const Ended ended = run_program({"verify", program.path()});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("division by zero"));
  EXPECT_EQ(run_program({"verify", "nothing"}).code, 2);
}

}  // namespace
}  // namespace attn
