// The question in README.md, with its wrong answer, is what the session says.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "base/text.h"
#include "engine/runner.h"
#include "lesson/catalogue.h"
#include "stepper/stepper.h"

namespace attn {
namespace {

constexpr std::string_view kPrompt = "shape> ";

// The lines of the block that begins with the question.
std::vector<std::string> question_of_readme() {
  std::ifstream file(std::string(ATTN_SOURCE_DIR) + "/README.md");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t begin = text.find("```\nWhat is"), end = text.find("\n```", begin + 4);
  std::vector<std::string> lines;
  if (begin == std::string::npos || end == std::string::npos) return lines;
  for (const std::string_view line : split_lines(std::string_view(text).substr(begin + 4, end - begin - 4)))
    lines.emplace_back(line);
  return lines;
}

TEST(Readme, ShowsAQuestionAsItIsAsked) {
  LoadFindings findings;
  const Lesson lesson = Catalogue::built_in().open("3", findings);
  SessionOptions options;
  options.render.width = 80;
  State state = start_session(lesson, run_lesson(lesson), options);
  state = update(std::move(state), TypedLine{":goto energy"});
  std::string said(view(state));
  State asked = update(std::move(state), TypedLine{":predict"});
  int answers = 0;
  const std::vector<std::string> lines = question_of_readme();
  ASSERT_GT(lines.size(), 8U);
  for (const std::string& line : lines) {
    if (line.starts_with(kPrompt)) {
      EXPECT_EQ(asked.input.prompt, kPrompt);
      asked = update(std::move(asked), TypedLine{line.substr(kPrompt.size())});
      said = std::string(view(asked));
      ++answers;
    } else {
      EXPECT_THAT("\n" + said, testing::HasSubstr("\n" + line + "\n"));
    }
  }
  EXPECT_EQ(answers, 2);
}

}  // namespace
}  // namespace attn
