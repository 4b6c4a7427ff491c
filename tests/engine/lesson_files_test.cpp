#include "engine/lesson_files.h"

#include <gmock/gmock.h>

#include "lesson/catalogue.h"
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

/// Mean weight of rows 5 to 15 for the words after the same word, in echoes of five words: the copy score of a head.
double copy_score(const RecordedValue& looks, std::int64_t head) {
  double sum = 0;
  for (int row = 5; row < 16; ++row)
    for (int column = 1; column <= row; ++column)
      if ((row - column) % 5 == 4)
        sum += looks.tensor.data<float>()[head * looks.strides[0] + row * looks.strides[1] + column * looks.strides[2]];
  return sum / 11;
}

TEST(LessonFiles, HeadsOfTheWriterCopyUnlessTheHeadBeforeThemIsGone) {
  const Catalogue catalogue = Catalogue::built_in();
  LoadFindings findings;
  const Trace trace = run_lesson(catalogue.open("a-model-that-writes", findings), {});
  const RecordedValue &whole = value_of(trace, "looks"), &without = value_of(trace, "looks_without");
  ASSERT_EQ(whole.shape, (Shape{4, 16, 16}));  // heads 0.0, 0.1, 1.0, 1.1
  for (const int head : {0, 1}) EXPECT_LT(copy_score(whole, head), 0.2) << head;
  for (const int head : {2, 3}) {
    EXPECT_GT(copy_score(whole, head), 0.4) << head;
    EXPECT_LT(copy_score(without, head), 0.4) << head << ", without head 0.1";
  }
}

}  // namespace
}  // namespace attn
