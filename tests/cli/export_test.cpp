// attn-tutor export. Transcripts of every lesson in every format are compared with tests/golden: of two lessons whole
// files, of all a line each in exports.txt. After an intended change: ATTN_UPDATE_GOLDEN=1, and read the difference.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "tests/cli/golden_row.h"
#include "tests/cli/program.h"
#include "tests/cli/same_text.h"
#include "tests/render/hostile.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

std::string exported(const std::string& lesson, const std::string& format, std::vector<std::string> more = {}) {
  std::vector<std::string> words = {"export", lesson, "-o", "-", "--format", format};
  words.insert(words.end(), more.begin(), more.end());
  const Ended ended = run_program(words);
  EXPECT_EQ(ended.code, 0) << lesson << " " << format << "\n" << ended.err;
  return ended.out;
}

TEST(ExportGolden, OfEveryLessonInEveryFormat) {
  std::string table;
  for (const std::string& lesson : lesson_names())
    for (const std::string& format : kFormats) table += golden_row(lesson, format, exported(lesson, format));
  if (updates()) write(kGolden + "exports.txt", table);
  EXPECT_TRUE(same_text(read_file(kGolden + "exports.txt", 1 << 20), table));
}

TEST(ExportGolden, OfTwoLessonsWhole) {
  for (const std::string lesson : {"0", "3"}) {
    for (const std::string format : {"md", "txt"}) {
      const std::string path = kGolden + "export-" + lesson + "." + format, text = exported(lesson, format);
      if (updates()) write(path, text);
      EXPECT_TRUE(same_text(read_file(path, 1 << 24), text)) << path;
    }
  }
}

TEST(Export, IsTheSameWithOneThreadAndTwo) {
  for (const std::string& format : kFormats)
    EXPECT_TRUE(exported("5", format, {"--threads", "1"}) == exported("5", format, {"--threads", "2"})) << format;
}

TEST(Export, AnswersCanBeLeftOut) {
  for (const char* format : {"txt", "md", "html", "ipynb"}) {
    const std::string whole = exported("3", format), text = exported("3", format, {"--no-answers"});
    // A trap, a reason, the line to be written, and the shape that is asked for.
    for (const char* answer : {"The heads come to the front in the next step", "Only the last axis was cut in two",
                               "count_merged = count.permute"}) {
      EXPECT_THAT(whole, HasSubstr(answer)) << format;
      EXPECT_THAT(text, Not(HasSubstr(answer))) << format;
    }
    EXPECT_THAT(text, AllOf(HasSubstr("Question 9."), HasSubstr("Write the line that computes"),
                            HasSubstr("Q_split = Q.view(batch_size, -1, n_heads, head_dim)"),
                            HasSubstr("count_merged = ...  # your line")))
        << format;
  }
  for (const char* format : {"json", "py", "safetensors"}) {
    const Ended ended = run_program({"export", "3", "-o", "-", "--format", format, "--no-answers"});
    EXPECT_EQ(ended.code, 2);
    EXPECT_EQ(ended.err, std::string("attn-tutor: ") + format +
                             " holds the whole run: no answers can be left out\n  hint: --format takes one of txt, md, "
                             "html, ipynb\n");
  }
}

TEST(Export, ANotebookWithoutAnswersHasNoOutputs) {
  const auto whole = nlohmann::json::parse(exported("3", "ipynb"));
  const auto exercise = nlohmann::json::parse(exported("3", "ipynb", {"--no-answers"}));
  int outputs = 0, exercise_outputs = 0, alone = 0, folded = 0, may_raise = 0;
  for (const auto& cell : whole["cells"]) {
    outputs += cell.contains("outputs") && !cell["outputs"].empty();
    const std::string first = cell["source"][0];
    alone += first.starts_with("**Predict:**") && cell["source"].size() == 1;
    folded += cell["metadata"].value("/jupyter/outputs_hidden"_json_pointer, false);
  }
  for (const auto& cell : exercise["cells"]) {
    exercise_outputs += cell.contains("outputs") && !cell["outputs"].empty();
    may_raise += cell["metadata"].contains("tags");
  }
  EXPECT_GT(outputs, 10);
  EXPECT_EQ(alone, 15) << "a question has a cell of its own";
  EXPECT_EQ(folded, 16);
  EXPECT_EQ(exercise_outputs, 0);
  EXPECT_EQ(may_raise, 9) << "all that may raise an error, whether or not they do";
}

TEST(Export, HasNoColours) {
  EXPECT_TRUE(same_text(exported("1", "txt"), exported("1", "txt", {"--color", "always"})));
}

/// Runs a command of the shell; its exit code. What it writes goes to `log`.
int shell(const std::string& command, const std::string& log) {
  const int status = std::system((command + " > '" + log + "' 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A folder for one test.
class ExportTo : public testing::Test {
 protected:
  ExportTo() : folder_(testing::TempDir() + "attn-export-XXXXXX") {
    if (!mkdtemp(folder_.data())) throw std::runtime_error("mkdtemp");
  }
  ~ExportTo() override { fs::remove_all(folder_); }
  std::string file(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
};

TEST_F(ExportTo, AFileWhoseNameTellsTheFormat) {
  for (const std::string& format : kFormats) {
    const Ended ended = run_program({"export", "0", "-o", file("x." + format)});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.out, "");
    EXPECT_TRUE(read_file(file("x." + format), 1 << 24) == exported("0", format));
  }
}

TEST_F(ExportTo, AnEarlierTranscriptButNoOtherFile) {
  const std::string path = file("x.md");
  for (const char* lesson : {"0", "1"}) EXPECT_EQ(run_program({"export", lesson, "-o", path}).code, 0);
  EXPECT_TRUE(read_file(path, 1 << 24) == exported("1", "md"));
  // In any format.
  EXPECT_EQ(run_program({"export", "0", "-o", path, "--format", "safetensors"}).code, 0);
  EXPECT_EQ(run_program({"export", "0", "-o", path}).code, 0);

  write(path, "my own notes\n");
  const Ended refused = run_program({"export", "0", "-o", path});
  EXPECT_EQ(refused.code, 4);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("exists and is not a transcript"), HasSubstr("--force")));
  EXPECT_EQ(read_file(path, 100), "my own notes\n");
  EXPECT_EQ(run_program({"export", "0", "-o", path, "--force"}).code, 0);
  EXPECT_TRUE(read_file(path, 1 << 24) == exported("0", "md"));
  write(path, "");
  EXPECT_EQ(run_program({"export", "0", "-o", path}).code, 0) << "an empty file is nobody's";
}

/// Neither words about transcripts nor half of a mark make a file ours.
TEST_F(ExportTo, FilesThatLookLikeTranscripts) {
  const std::string path = file("x.md");
  const std::string kOthers[] = {"see the attn-tutor transcript of lesson 3\n", "attn-tutor transcript",
                                 "{\"format\": \"attn-tutor transcript of mine\"}",
                                 std::string(9000, 'x') + "\nattn-tutor transcript\n" + std::string(9000, 'x')};
  for (const std::string& text : kOthers) {
    write(path, text);
    EXPECT_EQ(run_program({"export", "0", "-o", path}).code, 4) << text.substr(0, 60);
    EXPECT_EQ(read_file(path, 1 << 20), text);
  }
  fs::remove(path);
  for (const std::string& format : kFormats) {
    for (const char* lesson : {"0", "5"}) {
      EXPECT_EQ(run_program({"export", lesson, "-o", path, "--format", format}).code, 0) << format;
    }
  }
}

TEST_F(ExportTo, EveryLessonAndAnIndex) {
  EXPECT_EQ(run_program({"export", "--all", "--format", "md", "-o", file("all")}).code, 0);
  const std::string index = read_file(file("all/index.md"), 1 << 16);
  EXPECT_THAT(index, HasSubstr("- 3 [A batch of sentences](<03-batch.md>)"));
  EXPECT_LT(index.find("<tour.md>"), index.find("<00-")) << "a newcomer begins with the tour";
  EXPECT_EQ(list_folder(file("all"), ".md").size(), lesson_names().size() + 1) << "the index beside the lessons";
  EXPECT_TRUE(read_file(file("all/03-batch.md"), 1 << 24) == exported("3", "md"));
  EXPECT_EQ(run_program({"export", "--all", "--format", "md", "-o", file("all")}).code, 0) << "again";
  EXPECT_EQ(run_program({"export", "--all", "--format", "html", "-o", file("all")}).code, 0);
  EXPECT_EQ(run_program({"export", "--all", "--format", "html", "-o", file("all")}).code, 0) << "again";
}

TEST_F(ExportTo, NoSuchPlace) {
  EXPECT_EQ(run_program({"export", "0", "-o", file("none/x.md")}).code, 4);
  EXPECT_EQ(run_program({"export", "0", "-o", "/dev/full", "--format", "md"}).code, 4);
  EXPECT_EQ(run_program({"export", "0", "-o", folder_, "--format", "md"}).code, 4);
  EXPECT_EQ(run_program({"export", "--all", "--format", "md", "-o", "/dev/null/x"}).code, 4);
  Conditions full;
  full.out = Stream::Full;
  EXPECT_EQ(run_program({"export", "0", "-o", "-", "--format", "md"}, full).code, 4);
}

// A transcript of which nobody reads the end is not what was wanted, so this is no quiet end.
TEST_F(ExportTo, APipeThatNobodyReads) {
  Conditions broken;
  broken.out = Stream::Broken;
  for (const std::string& format : kFormats) {
    const Ended ended = run_program({"export", "3", "-o", "-", "--format", format}, broken);
    EXPECT_EQ(ended.code, 4) << format << " signal " << ended.signal;
    EXPECT_EQ(ended.err, "attn-tutor: standard output: Broken pipe\n") << format;
  }
}

/// A file system of 64 kB, where the test may make one.
TEST_F(ExportTo, AFullDiskLeavesTheOldFile) {
  const std::string disk = file("disk");
  fs::create_directory(disk);
  if (shell("mount -t tmpfs -o size=64k none '" + disk + "'", file("log")) != 0)
    GTEST_SKIP() << "no file system can be mounted here";
  EXPECT_EQ(run_program({"export", "0", "-o", disk + "/x.md"}).code, 0);
  const std::string before = read_file(disk + "/x.md", 1 << 20);
  const Ended ended = run_program({"export", "3", "-o", disk + "/x.md"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.err, HasSubstr("No space left on device"));
  EXPECT_TRUE(read_file(disk + "/x.md", 1 << 20) == before);
  EXPECT_EQ(std::distance(fs::directory_iterator(disk), fs::directory_iterator()), 1) << "no other file is left";
  EXPECT_EQ(shell("umount '" + disk + "'", file("log")), 0);
}

TEST_F(ExportTo, Mistakes) {
  struct Case {
    std::vector<std::string> words;
    int code;
    const char* message;
  };
  const Case cases[] = {
      {{"export"}, 2, "needs -o FILE"},
      {{"export", "-o", "x.md"}, 2, "needs a LESSON, or --all"},
      {{"export", "3", "--all", "-o", "x.md"}, 2, "not both"},
      {{"export", "--all", "-o", "x"}, 2, "needs --format"},
      {{"export", "--all", "-o", "-", "--format", "md"}, 2, "- is standard output"},
      {{"export", "3", "-o", "x.doc"}, 2, "which format?"},
      {{"export", "3", "-o", "x", "--format", "doc"}, 2, "there is no format doc"},
      {{"export", "nothing", "-o", "x.md"}, 2, "no lesson"},
      {{"export", "3", "--set", "none=1", "-o", "x.md"}, 2, "none"},
      {{"export", "/nonexistent/x.ipynb", "-o", "x.md"}, 3, "No such file"},
  };
  for (const Case& each : cases) {
    Conditions conditions;
    conditions.folder = folder_;
    const Ended ended = run_program(each.words, conditions);
    EXPECT_EQ(ended.code, each.code) << each.message;
    EXPECT_THAT(ended.err, HasSubstr(each.message));
    EXPECT_EQ(ended.out, "");
    EXPECT_TRUE(fs::is_empty(folder_)) << each.message;
  }
}

TEST_F(ExportTo, AProgramOfTheLearnerThatFails) {
  write(file("mine.py"), "import torch\nx = torch.ones(2, 3)\nx @ x\n");
  const Ended ended = run_program({"export", file("mine.py"), "-o", file("mine.md")});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("matmul"));
  EXPECT_THAT(read_file(file("mine.md"), 1 << 20), HasSubstr("x = torch.ones(2, 3)"));
}

// ---- with PyTorch ----

TEST_F(ExportTo, FormatsThatRunUnderPyTorch) {
  if (!has_torch()) GTEST_SKIP() << "no PyTorch here";
  std::string command = kPython + " " + ATTN_SOURCE_DIR "/tests/torch/run_exports.py";
  for (const std::string format : {"ipynb", "py"}) {
    for (const std::string& lesson : lesson_names()) {
      const std::string path = file("l" + lesson + "." + format);
      ASSERT_EQ(run_program({"export", lesson, "-o", path}).code, 0);
      command += " '" + path + "'";
    }
  }
  // What a stranger wrote is text in these, too.
  write(file("01-evil.md"), test::hostile_text());
  for (const std::string format : {"ipynb", "py"}) {
    const std::string path = file("evil." + format);
    ASSERT_EQ(run_program({"export", file("01-evil.md"), "-o", path}).code, 0);
    command += " '" + path + "'";
  }
  // And what a learner did.
  write(file("answers"), "yes\n0.5\n'''\n2 3\nx = 1\\nimport os\n");
  for (const std::string format : {"ipynb", "py"}) {
    const std::string path = file("session." + format);
    run_program({"lesson", "3", "--answers", file("answers"), "--transcript", path});
    command += " '" + path + "'";
  }
  for (const std::string& notebook : list_folder(ATTN_SOURCE_DIR "/tests/notebooks", ".ipynb")) {
    for (const std::string format : {"ipynb", "py"}) {
      const std::string path = file(notebook + "." + format);
      const Ended ended = run_program({"export", ATTN_SOURCE_DIR "/tests/notebooks/" + notebook, "-o", path});
      ASSERT_EQ(ended.code, 0) << notebook << ended.err;
      command += " '" + path + "'";
    }
  }
  EXPECT_EQ(shell(command, file("log")), 0) << read_file(file("log"), 1 << 24);
}

/// What others say of the formats that have a schema.
TEST_F(ExportTo, FormatsWithASchemaAreValid) {
  if (shell(kPython + " -c 'import nbformat, jsonschema'", file("log")) != 0) GTEST_SKIP() << "no nbformat here";
  std::string command =
      kPython + " " ATTN_SOURCE_DIR "/tests/torch/validate.py " ATTN_SOURCE_DIR "/docs/trace.schema.json";
  write(file("01-evil.md"), test::hostile_text());
  write(file("answers"), "yes\n0.5\n\n2 3\n");
  for (const std::string format : {"ipynb", "json"}) {
    std::vector<std::string> lessons = lesson_names();
    lessons.push_back(file("01-evil.md"));
    for (const std::string& lesson : lessons) {
      const std::string path = file(fs::path(lesson).filename().string() + "." + format);
      ASSERT_EQ(run_program({"export", lesson, "-o", path}).code, 0);
      if (fs::file_size(path) > (16 << 20)) continue;  // a lesson that trains: more of the same for half a minute
      command += " '" + path + "'";
    }
    const std::string path = file("session." + format);
    run_program({"lesson", "3", "--answers", file("answers"), "--transcript", path});
    command += " '" + path + "'";
  }
  EXPECT_EQ(shell(command, file("log")), 0) << read_file(file("log"), 1 << 24);
}

// No package reads safetensors in Debian, but its format takes 20 lines.
TEST_F(ExportTo, SafetensorsAsTheirDescriptionReadsThem) {
  if (shell(kPython + " -c ''", file("log")) != 0) GTEST_SKIP() << "no Python here";
  ASSERT_EQ(run_program({"export", "3", "-o", file("x.safetensors")}).code, 0);
  EXPECT_EQ(
      shell(kPython + " " ATTN_SOURCE_DIR "/tests/torch/read_safetensors.py " + file("x.safetensors"), file("log")), 0);
  const std::string log = read_file(file("log"), 1 << 20);
  EXPECT_THAT(log, AllOf(HasSubstr("energy F32 [3, 2, 5, 6] "), HasSubstr("fc_q.weight F32 [8, 8] "),
                         HasSubstr("query F32 [3, 5, 8] -1.1258398"), HasSubstr("metadata attn-tutor transcript\n")));
}

}  // namespace
}  // namespace attn
