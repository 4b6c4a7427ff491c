// Notebooks, scripts and Markdown files that are no lessons, read into the struct of lessons.
#include "lesson/program.h"

#include <gmock/gmock.h>

#include "tests/lesson/notebook.h"

namespace attn {
namespace {

using test::markdown;
using test::notebook;
using testing::ElementsAre;

struct Loaded {
  Lesson lesson;
  LoadFindings findings;

  Loaded(const std::string& path, const std::string& text) { lesson = load_program(path, text, findings); }
  std::string error() const { return findings.diagnostics.empty() ? "" : findings.diagnostics[0].message; }
  std::vector<std::string> code() const {
    std::vector<std::string> out;
    for (const Cell* cell : cells(lesson)) out.push_back(cell->source.text);
    return out;
  }
};

TEST(Notebook, CellsAndProse) {
  const Loaded loaded("a/b.ipynb",
                      notebook({markdown("# Title\n\nSome *prose* with {{ x }}.\n\n```python\nno_cell()\n```"),
                                {"x = 1"},
                                {"  \n"},
                                {"print(x)\nx", "1\n", "1"},
                                {"raw", "", "", "raw"}}));
  EXPECT_EQ(loaded.error(), "");
  EXPECT_EQ(loaded.lesson.form, LessonForm::Notebook);
  EXPECT_EQ(loaded.lesson.title, "Title");
  EXPECT_EQ(loaded.lesson.id, "b.ipynb");
  EXPECT_THAT(loaded.code(), ElementsAre("x = 1", "print(x)\nx"));
  const Cell& last = *cells(loaded.lesson)[1];
  EXPECT_EQ(last.source.name, "a/b.ipynb [cell 3]") << "counted as Jupyter does, with those that are empty";
  EXPECT_EQ(last.ordinal, 2);
  EXPECT_EQ(last.recorded, "1\n1\n");
  // Prose stands as it is.
  ASSERT_EQ(loaded.lesson.blocks.size(), 5u);
  EXPECT_EQ(plain_text(std::get<Prose>(loaded.lesson.blocks[1]).runs), "Some prose with {{ x }}.");
  EXPECT_EQ(std::get<Prose>(loaded.lesson.blocks[2]).kind, Prose::Kind::Code);
}

TEST(Notebook, SourceMayBeAListOfLines) {
  const Loaded loaded("b.ipynb", R"({"cells": [{"cell_type": "code", "source": ["x = 1\n", "y = 2"], "outputs": [
      {"output_type": "stream", "name": "stderr", "text": "no"}, {"output_type": "stream", "name": "stdout", "text": ["a\n", "b"]},
      {"output_type": "display_data", "data": {"text/plain": "<Figure>"}}]}]})");
  EXPECT_EQ(loaded.error(), "");
  EXPECT_THAT(loaded.code(), ElementsAre("x = 1\ny = 2"));
  EXPECT_EQ(cells(loaded.lesson)[0]->recorded, "a\nb");
  EXPECT_EQ(loaded.lesson.title, "b.ipynb") << "without a heading";
}

TEST(Notebook, WhatIsNone) {
  std::string deep(200, '[');
  const std::pair<std::string, std::string> cases[] = {
      {"", "here the file stops being JSON"},
      {"\xff\xfe{", "the file is UTF-16"},
      {"{\"cells\": [", "here the file stops being JSON"},
      {"{\"cells\": [], \"metadata\": -1e400}", "a number in this JSON is too large"},
      {"{\"cells\": [{\"cell_type\": \"code\", \"source\": \"x\xff\"}]}", "here the file stops being JSON"},
      {"[]", "this JSON is not a notebook: it has no list of cells"},
      {"{\"cells\": 3}", "this JSON is not a notebook: it has no list of cells"},
      {"{\"cells\": []}", "this notebook has no code cells"},
      {notebook({markdown("# T")}), "this notebook has no code cells"},
      {notebook({{"x"}}, "R"), "this notebook is written in R, not in Python"},
      {R"({"cells": [{"cell_type": "code", "source": ["x"]}, {"cell_type": "code", "source": ["y", 2]}]})",
       "the \"source\" of code cell 2 is neither a text nor a list of texts"},
      {R"({"cells": [{"cell_type": "code", "source": 3}]})",
       "the \"source\" of code cell 1 is neither a text nor a list of texts"},
      {deep, "this JSON is nested over 100 deep"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(Loaded("x.ipynb", text).error(), message) << text;
}

// Fields of other types than Jupyter writes are passed over.
TEST(Notebook, OddFields) {
  for (const char* cell : {"3", "null", "[]", "{}", R"({"cell_type": 3})", R"({"cell_type": "code"})",
                           R"({"cell_type": "code", "source": null, "outputs": {"a": 1}})",
                           R"({"cell_type": "markdown", "source": [1, null]})",
                           R"({"cell_type": "code", "source": "", "outputs": [3, {"output_type": []}]})"}) {
    const Loaded loaded("x.ipynb", "{\"cells\": [" + std::string(cell) + R"(, {"cell_type": "code", "source": "x"}]})");
    EXPECT_EQ(loaded.error(), "") << cell;
    EXPECT_THAT(loaded.code(), ElementsAre("x")) << cell;
  }
}

TEST(Script, IsOneCell) {
  const Loaded loaded("dir/a.py", "\xef\xbb\xbfx = 1\r\nprint(x)\r\n");
  EXPECT_EQ(loaded.error(), "");
  EXPECT_EQ(loaded.lesson.form, LessonForm::Script);
  EXPECT_EQ(loaded.lesson.title, "a.py");
  EXPECT_THAT(loaded.code(), ElementsAre("x = 1\nprint(x)\n"));
  EXPECT_EQ(cells(loaded.lesson)[0]->source.name, "dir/a.py");
  EXPECT_EQ(Loaded("a.py", " \n\n").error(), "this file is empty");
  EXPECT_EQ(Loaded("a.py", std::string("x = 1\0\n", 7)).error(),
            "this file has NUL bytes, which Python refuses in source");
}

TEST(MarkdownProgram, ItsPythonBlocksAreCells) {
  const Loaded loaded("README.md",
                      "# Attention\n\nWords.\n\n```python title=\"x\"\nx = 1\n```\n\n```sh\nls\n```\n\n"
                      "```python\nx\n```\n");
  EXPECT_EQ(loaded.error(), "");
  EXPECT_EQ(loaded.lesson.form, LessonForm::Notebook);
  EXPECT_EQ(loaded.lesson.title, "Attention");
  EXPECT_EQ(loaded.code().size(), 2u);
  EXPECT_EQ(cells(loaded.lesson)[1]->source.first_line, 14);
  EXPECT_EQ(Loaded("README.md", "# No code\n").error(), "this file has no code to run");
}

TEST(MarkdownProgram, OrALesson) {
  const std::string plain = "# T\n\n```python\nx = 1\n```\n";
  const std::pair<std::string, std::string> lessons[] = {{"03-batch.md", plain},
                                                         {"lessons/00-three-words.md", plain},
                                                         {"mine.md", "```python hidden\nx = 1\n```\n"},
                                                         {"mine.md", "```python raises=TypeError\n1()\n```\n"},
                                                         {"mine.md", plain + "\nIt is {{ x }}.\n"}};
  for (const auto& [path, text] : lessons) EXPECT_TRUE(has_lesson_form(path, text)) << path << "\n" << text;
  EXPECT_FALSE(has_lesson_form("mine.md", plain));
  EXPECT_FALSE(has_lesson_form("mine.md", plain + "\n```python copy\ny\n```\n"));
}

}  // namespace
}  // namespace attn
