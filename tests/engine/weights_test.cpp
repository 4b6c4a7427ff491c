// --weights in a run: what the record says of it, and that code at a step sees the same numbers.
#include "engine/weights.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "engine/replay.h"
#include "engine/weights_fit.h"
#include "tensor/io/safetensors.h"
#include "tensor/ops/create.h"
#include "tests/engine/run.h"

namespace attn {
namespace {

/// A file of parameters for one test.
class WeightsFileOf {
 public:
  explicit WeightsFileOf(const TensorsByName& tensors, std::vector<std::string> map = {}) {
    path_ = std::filesystem::temp_directory_path() / fmt::format("attn_weights_{}.safetensors", ::getpid());
    std::ofstream(path_, std::ios::binary) << safetensors_bytes(tensors);
    options_.given_weights = {path_.string(), std::move(map)};
    options_.weights = std::make_shared<Weights>(options_.given_weights);
  }
  ~WeightsFileOf() { std::filesystem::remove(path_); }
  WeightsFileOf(const WeightsFileOf&) = delete;
  WeightsFileOf& operator=(const WeightsFileOf&) = delete;
  const RunOptions& options() const { return options_; }

 private:
  std::filesystem::path path_;
  RunOptions options_;
};

const TensorsByName kTensors = {{"fc.weight", Tensor::from<float>({1, 2, 3, 4}, {2, 2})},
                                {"x.late", Tensor::from<float>({5}, {1})}};
const std::string kLesson =
    cell("fc = nn.Linear(2, 2)") + cell("def make():\n    fc = nn.Linear(2, 2)\n    return fc") +
    cell("if True:\n    v = nn.Parameter(torch.zeros(1))") + cell("other = make()") + cell("w = fc.weight.sum() + v");

TEST(Weights, TheRecordSaysWhichStepFilledWhat) {
  const WeightsFileOf file(kTensors, {"x.late=v"});
  const Trace trace = trace_of(kLesson, file.options());
  ASSERT_TRUE(trace.weights);
  std::string text;
  for (const LoadedTensor& loaded : trace.weights->loaded) {
    const Step& step = trace.step(loaded.step);
    text += fmt::format("{} = {}{} at {}\n", loaded.name, loaded.tensor, loaded.part, code_of(trace, step.header));
    EXPECT_TRUE(trace.value(loaded.value).is_parameter);
  }
  EXPECT_EQ(text,
            "fc.weight = fc.weight at fc = nn.Linear(2, 2)\n"
            "v = x.late at v = nn.Parameter(torch.zeros(1))\n");
  EXPECT_EQ(trace.weights->missing, (std::vector<std::string>{"fc.bias", "other.weight", "other.bias"}));
  EXPECT_TRUE(trace.weights->unused.empty());
}

TEST(Weights, CodeAtAStepSeesTheSameNumbers) {
  const WeightsFileOf file(kTensors, {"x.late=v"});
  const auto lesson = std::make_shared<const Lesson>(lesson_of(kLesson));
  const auto trace = std::make_shared<const Trace>(run_lesson(*lesson, file.options()));
  Replays replays(lesson, trace);
  const Point end{static_cast<StepId>(trace->steps.size()) - 1, false, {}};
  EXPECT_EQ(replays.run(end, "w.item()").text, "15.0\n");
  EXPECT_EQ(replays.run(end, "fc = nn.Linear(2, 2)\nfc.weight.sum().item()").text, "10.0\n");
}

std::string refusal(const std::string& lesson, const TensorsByName& tensors, std::vector<std::string> map = {}) {
  const WeightsFileOf file(tensors, std::move(map));
  try {
    trace_of(lesson, file.options());
    return "fine";
  } catch (const UserError& error) {
    std::string text = error.what();
    text.erase(0, text.find(": ") + 2);
    for (const std::string& misfit : error.items()) text += "\n" + misfit;
    return text + (error.hint().empty() ? "" : "\n" + error.hint());
  }
}

TEST(Weights, WhatDoesNotFitIsToldOnceForAll) {
  const std::string sized = cell("n = 2\nm = 4", "parameters") + cell("fc = nn.Linear(n, m)\nx = fc(torch.ones(n))");
  const auto named = [](const Shape& shape, DType dtype = DType::Float32) {
    return TensorsByName{{"fc.weight", ones(shape, dtype)}};
  };
  EXPECT_EQ(refusal(sized, named({4, 2})), "fine");
  EXPECT_EQ(refusal(sized, named({4, 3})),
            "a tensor does not fit the lesson\n"
            "fc.weight is [4, 2] in the lesson, but [4, 3] in the file\n"
            "--set n=3 makes them fit");
  EXPECT_EQ(refusal(sized, named({7, 3})),
            "a tensor does not fit the lesson\n"
            "fc.weight is [4, 2] in the lesson, but [7, 3] in the file\n"
            "--set m=7 --set n=3 makes them fit");
  EXPECT_EQ(refusal(sized, named({4})),
            "a tensor does not fit the lesson\n"
            "fc.weight is [4, 2] in the lesson, but [4] in the file");
  EXPECT_EQ(refusal(sized, named({2, 4})),
            "a tensor does not fit the lesson\n"
            "fc.weight is [4, 2] in the lesson, but [2, 4] in the file; transposed it fits (the Conv1D of GPT-2 keeps "
            "[in, out]): --map 'fc.weight.T=fc.weight'\n--set m=2 --set n=4 makes them fit");
  EXPECT_EQ(refusal(sized, {{"w", ones({4, 2})}, {"b", ones({3})}}, {"w.T=fc.weight", "b=fc.bias"}),
            "2 tensors do not fit the lesson\n"
            "fc.weight is [4, 2] in the lesson, but w.T is [2, 4] in the file; without .T it fits: --map "
            "'w=fc.weight'\nfc.bias is [4] in the lesson, but b is [3] in the file");
  const std::string multiple =
      cell("n = 2", "parameters") + cell("fc = nn.Linear(3 * n, 1)\nx = fc(torch.ones(3 * n))");
  EXPECT_EQ(refusal(multiple, named({1, 12})),
            "a tensor does not fit the lesson\n"
            "fc.weight is [1, 6] in the lesson, but [1, 12] in the file\n"
            "--set n=4 makes them fit");
}

TEST(Weights, AFileThatWasWrittenToIsRefused) {
  const WeightsFileOf file(kTensors);
  std::ofstream(file.options().given_weights.file, std::ios::app | std::ios::binary) << "x";
  EXPECT_THROW(trace_of(kLesson, file.options()), FileError);
}

}  // namespace
}  // namespace attn
