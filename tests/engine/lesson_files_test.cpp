#include "engine/lesson_files.h"

#include <gmock/gmock.h>

#include "tensor/io/safetensors.h"
#include "tests/engine/run.h"

namespace attn {
namespace {

using testing::HasSubstr;

const std::string kImport = cell("from safetensors.torch import load_file", "hidden");

std::string load(const std::string& name) { return kImport + cell("x = load_file(\"" + name + "\")[\"a\"]"); }

Lesson with_file(const std::string& body, const std::string& bytes) {
  Lesson lesson = lesson_of(body);
  lesson.files["layer.safetensors"] = std::make_shared<const std::string>(bytes);
  return lesson;
}

std::string layer() { return safetensors_bytes({{"a", Tensor::from<float>({1, 2.5, -3}, {3})}}); }

TEST(LessonFiles, AreReadByTheCells) {
  const Trace trace = run_lesson(with_file(load("layer.safetensors"), layer()), {});
  EXPECT_EQ(messages_of(trace), "");
  EXPECT_EQ(numbers_of(value_of(trace, "x")), "1 2.5 -3");
  ASSERT_EQ(trace.files.size(), 1u);
  EXPECT_EQ(trace.files[0].name, "layer.safetensors");
  EXPECT_EQ(trace.files[0].base64.size(), (layer().size() + 2) / 3 * 4);
}

TEST(LessonFiles, NoOthersAreReadByACell) {
  for (const char* name : {"other.safetensors", "/etc/passwd", "../layer.safetensors", "data/layer.safetensors", ""}) {
    const Trace trace = run_lesson(with_file(load(name), layer()), {});
    EXPECT_THAT(messages_of(trace), HasSubstr("a lesson reads only the files of data/ that its fences name")) << name;
    EXPECT_EQ(trace.outcome, RunOutcome::CellFailed) << name;
  }
}

TEST(LessonFiles, ALessonDoesNotGetTheFilesOfTheCaller) {
  RunOptions options;
  options.open_file = [](const std::string& name) -> std::shared_ptr<const BytesAt> {
    ADD_FAILURE() << name << " was opened";
    return nullptr;
  };
  EXPECT_THAT(messages_of(run_lesson(lesson_of(load("layer.safetensors")), options)), HasSubstr("may not read files"));
  run_lesson(with_file(load("other.safetensors"), layer()), options);
}

TEST(LessonFiles, AMalformedOneIsAnErrorOfTheCell) {
  const Trace trace = run_lesson(with_file(load("layer.safetensors"), layer() + "x"), {});
  EXPECT_THAT(messages_of(trace), HasSubstr("layer.safetensors: "));
  EXPECT_EQ(trace.outcome, RunOutcome::CellFailed);
}

TEST(LessonFiles, OutliveTheLesson) {
  const FileOpener open = files_of_lesson(with_file(load("layer.safetensors"), layer()));
  const auto bytes = open("layer.safetensors");
  EXPECT_EQ(first_bytes(*bytes, bytes->size()), layer());
}

}  // namespace
}  // namespace attn
