#include "lesson/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attn {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

LoadOptions options() {
  LoadOptions options;
  options.read_data = [](std::string_view file) -> std::optional<std::string> {
    if (file == "ids.json") return "[\n  [1, 2],\n  [3]\n]\n";
    if (file == "bad.json") return "[\xff]";
    if (file == "layer.safetensors") return "...\xff";
    return std::nullopt;
  };
  options.lesson_exists = [](std::string_view file) { return file == "04-masks.md"; };
  return options;
}

/// "line[ warning]: message" of every finding.
std::string findings_of(const std::string& text) {
  LoadFindings findings;
  const Lesson lesson = load_lesson("lessons/03-batch.md", text, findings, options());
  std::string out;
  for (const Diagnostic& d : findings.diagnostics) {
    EXPECT_EQ(d.code, Code::Format);
    if (!out.empty()) out += "\n";
    out += std::to_string(position_of(lesson.source, d.span.begin).line);
    out += d.severity == Severity::Warning ? " warning: " : ": ";
    out += d.message + (d.hint.starts_with("did you mean") ? " -- " + d.hint : "");
  }
  return out;
}

const std::string kStart = "# T\n\n```python\nx = 1\n```\n";  // lines 1 to 5

std::string cell(const std::string& words, const std::string& code) {
  return kStart + "```python " + words + "\n" + code + "\n```\n";  // the fence is line 6
}

TEST(Load, Findings) {
  const std::pair<std::string, std::string> cases[] = {
      {kStart, ""},
      {"```python\nx = 1\n```\n", "1: a lesson needs a title"},
      {"# T\n\ntext\n", "1: the file has no lesson steps"},
      {"", "1: a lesson needs a title\n1: the file has no lesson steps"},
      {"# T\n\n```text\nx\n```\n", "1: the file has no lesson steps"},
      {cell("", "# only a comment"), ""},
      {cell("", " "), "6: the cell is empty"},
      // Words of the fence
      {cell("hiden", "y = 1"), "6: unknown word \"hiden\" on the fence of a cell -- did you mean \"hidden\"?"},
      {cell("zzz=3", "y = 1"), "6: unknown word \"zzz\" on the fence of a cell"},
      {cell("hidden=1", "y = 1"), "6: \"hidden\" takes no value"},
      {cell("hidden hidden", "y = 1"), "6: \"hidden\" appears twice on the fence"},
      {cell("predict=size", "y = 1"), "6: \"predict\" asks for shape, shape:NAME, value, raises or effect"},
      {cell("predict=value:y", "y = 1"), "6: \"predict\" takes a name only with shape"},
      {cell("predict=shape:", "y = 1"), "6: \"predict\" needs a name after shape:"},
      {cell("write", "y = 1"), "6: \"write\" needs a name"},
      {cell("write=2y", "y = 1"), "6: \"write\" needs a name"},
      {cell("raises", "y"), "6: \"raises\" needs an exception type"},
      {cell("data=../x", "y = ..."), "6: \"data\" needs the name of a file in data/"},
      {cell("data=.x", "y = ..."), "6: \"data\" needs the name of a file in data/"},
      // Words that contradict each other
      {cell("hidden predict", "y = 1"), "6: \"hidden\" and \"predict\" contradict each other"},
      {cell("parameters write=y", "y = 1"), "6: \"parameters\" and \"write\" contradict each other"},
      {cell("predict write=y", "y = 1"), "6: \"write\" and \"predict\" contradict each other"},
      {cell("wrong=x write=x", "x = 1"), "6: \"write\" and \"wrong\" contradict each other"},
      {cell("predict=effect", "y = 1"), "6: predict=effect needs wrong=NAME"},
      {cell("predict=value raises=ValueError", "y"), "6: \"raises\" and \"predict=value\" contradict each other"},
      // Words that go together
      {cell("wrong=x predict=effect raises=RuntimeError", "x = 2"), ""},
      {cell("predict=raises raises=RuntimeError", "x.view(3)"), ""},
      {cell("parameters hidden", "y = 1"), ""},
      {cell("predict=shape:x", "y = 1"), ""},
      // Names
      {cell("write=yy", "y = 1"), "6: \"yy\" is to be written, but this cell does not bind it -- did you mean \"y\"?"},
      {cell("write=x", "y = x"), "6: \"x\" is to be written, but this cell does not bind it"},
      {cell("wrong=y", "y = 1"), "6: \"y\" is to be compared, but no cell above binds it"},
      {cell("predict=shape:q", "y = 1"), "6: \"q\" is asked for, but nothing binds it"},
      {cell("predict", "x.view(2)"), "6: the shape is asked of the last name that the cell binds, but it binds none"},
      {cell("wrong=x", "z = 1") + "```python wrong=z\nz = 2\n```\n",
       "9: \"z\" is to be compared, but no cell above binds it"},
      // Data
      {cell("data=none.json", "y = ..."), "6: there is no data file \"none.json\""},
      {cell("data=ids.json", "y = 1"), "6: a cell with data= holds one line: name = ..."},
      {cell("data=ids.json", "y = ...\nz = ..."), "6: a cell with data= holds one line: name = ..."},
      {cell("data=bad.json", "y = ..."), "6: the data file \"bad.json\" is not UTF-8"},
      {cell("data=ids.json hidden", "# ids\ny = ...  # [rows]"), ""},
      {cell("data=none.safetensors", "y = load_file('none.safetensors')"),
       "6: there is no data file \"none.safetensors\""},
      {cell("data=layer.safetensors", "y = load_file('layer.safetensors')"), ""},
      // Hints
      {kStart + "> **Hint** h\n", "6: **Hint** follows no question"},
      {"# T\n\n> **Why** w\n\n```python predict\nx = 1\n```\n", "3: **Why** follows no question"},
      {cell("predict", "y = 1") + "> **Why** w\n", ""},
      {cell("predict", "y = 1") + "> **Hints** h\n",
       "9 warning: a quote begins with **Hints** -- did you mean **Hint**?"},
      {cell("predict", "y = 1") + "> **Trap** h\n", "9: a trap names no answer"},
      {cell("predict", "y = 1") + "> **Hint**\n", "9: the quote **Hint** says nothing"},
      {kStart + "> **Note** a quote\n", ""},
      // Fences
      {kStart + "```python\ny = 1\n", "6: the code block that starts in line 6 is not closed"},
      {kStart + "```\n", "6: the code block that starts in line 6 is not closed"},
      {kStart + "~~~text\na\n```\n\n\n", "6: the code block that starts in line 6 is not closed"},
      {kStart + "> ```\n> a\n\ntext\n", "6: the code block that starts in line 6 is not closed"},
      {kStart + "```\n```\n\ntext\n\n~~~~\n```\n~~~~\n", ""},
      {kStart + "- ```text\n  a\n  ```\n", ""},
      {kStart + "```py\ny\n```\n", "6 warning: a code block of \"py\" is shown, not run"},
      // Prose
      {kStart + "a {{ b\n}} c\n", "6: {{ without }} on the same line"},
      {kStart + "a {{ }} c\n", "6: {{ }} holds no expression"},
      {kStart + "`{{` {{ x }}\n", ""},
      {kStart + "a\n$\\foo x \\foo$\n", "7: unknown command \\foo in a formula"},
      {kStart + "[a](javascript:x)\n",
       "6: a link to \"javascript:\" leads nowhere; it may start with http:, https: or mailto:"},
      {kStart + "[a](FILE:///etc/passwd)\n",
       "6: a link to \"file:\" leads nowhere; it may start with http:, https: or mailto:"},
      {kStart + "[a](04-masks.md) [b](04-masks.md#part) [c](HTTP://x.y/z?a=b:c)\n", ""},
      {kStart + "a\n[b](05-none.md)\n", "7: there is no lesson \"05-none.md\""},
      {kStart + "[a](../secret.md)\n", "6: a link leads to \"../secret.md\", which is not a lesson file"},
      {kStart + "[a](notes.txt)\n", "6: a link leads to \"notes.txt\", which is not a lesson file"},
      {kStart + "![a](data:x)\n", "6: a link to \"data:\" leads nowhere; it may start with http:, https: or mailto:"},
      {kStart + "[a]({{ x }})\n", "6: this is not an address"},
      // Bytes
      {"\xEF\xBB\xBF" + kStart, ""},
      {"# T\r\n\r\n```python\r\nx = 1\r\n```\r\n", ""},
      {kStart + "a\xff\n", "6 warning: some bytes are not UTF-8"},
      {kStart + "a\n\xff \xff\n", "7 warning: 2 groups of bytes are not UTF-8"},
      {"\xFF\xFE#\0", "1: the file is UTF-16"},
      {"\xFE\xFF", "1: the file is UTF-16"},
      {std::string((1 << 20) + 1, 'a'), "1: the file has 1048577 bytes; a lesson or a program may have 1048576"},
      {kStart + std::string(500, '>') + "a\n", "6: quotes are nested over 200 deep"},
  };
  for (const auto& [text, findings] : cases) EXPECT_EQ(findings_of(text), findings) << text.substr(0, 200);
}

TEST(Load, FindingsAreDrawnAtTheirPlace) {
  LoadFindings findings;
  const Lesson lesson = load_lesson("lessons/03-batch.md", cell("hidden predcit=shape", "y = 1"), findings, options());
  ASSERT_EQ(findings.diagnostics.size(), 1u);
  EXPECT_TRUE(findings.failed());
  EXPECT_EQ(draw(findings.diagnostics[0], lesson.source),
            "lessons/03-batch.md:6:18: format: unknown word \"predcit\" on the fence of a cell\n"
            "  ```python hidden predcit=shape\n"
            "                   ^~~~~~~~~~~~~\n"
            "  hint: did you mean \"predict\"?\n");
}

TEST(Load, AFileOfTensorsStaysAFile) {
  LoadFindings findings;
  const Lesson lesson = load_lesson("03-x.md", cell("data=layer.safetensors", "f(...)"), findings, options());
  EXPECT_EQ(cells(lesson).back()->source.text, "f(...)\n");
  ASSERT_EQ(lesson.files.count("layer.safetensors"), 1u);
  EXPECT_EQ(*lesson.files.at("layer.safetensors"), "...\xff");
}

TEST(Load, TheWholeLesson) {
  LoadFindings findings;
  const Lesson lesson =
      load_lesson("lessons/03-batch.ko.md",
                  "A *first* one\nwith $x_i$.\n\n# The title\n\n> quote\n\n```python parameters\nseed = 0\n```\n"
                  "\n```python data=ids.json\nids = ...  # rows\n```\n```python wrong=ids predict=effect "
                  "raises=ValueError\ni\n```\n",
                  findings, options());
  EXPECT_THAT(findings.diagnostics, IsEmpty());
  EXPECT_EQ(lesson.number, 3);
  EXPECT_EQ(lesson.id, "batch");
  EXPECT_EQ(lesson.language, "ko");
  EXPECT_EQ(lesson.title, "The title");
  EXPECT_EQ(lesson.summary, "A first one with xᵢ.");
  const auto list = cells(lesson);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_TRUE(list[0]->options.parameters);
  EXPECT_FALSE(list[0]->options.asks());
  EXPECT_EQ(list[1]->source.text, "ids = [\n  [1, 2],\n  [3]\n]  # rows\n");
  EXPECT_EQ(list[1]->written, "ids = ...  # rows\n");
  EXPECT_EQ(list[1]->source.name, "lessons/03-batch.ko.md");
  EXPECT_EQ(list[1]->source.first_line, 13);
  EXPECT_EQ(list[2]->ordinal, 3);
  EXPECT_EQ(list[2]->options.predict, Predict::Effect);
  EXPECT_EQ(list[2]->options.wrong, "ids");
  EXPECT_EQ(list[2]->options.raises, "ValueError");
  EXPECT_TRUE(list[2]->options.asks());
}

TEST(Load, LinesEndInLineFeeds) {
  LoadFindings findings;
  EXPECT_EQ(clean_source("a",
                         "\xEF\xBB\xBF"
                         "a\r\nb\rc\n\r\r\n",
                         findings)
                .text,
            "a\nb\nc\n\n\n");
  EXPECT_EQ(clean_source("a", std::string("x\0y", 3), findings).text, "x\uFFFDy");
  EXPECT_THAT(findings.diagnostics, IsEmpty());
}

TEST(Load, NamesOfFiles) {
  struct {
    const char* path;
    std::optional<int> number;
    const char *id, *language;
  } const cases[] = {{"lessons/03-batch.md", 3, "batch", ""},
                     {"03-batch.ko.md", 3, "batch", "ko"},
                     {"a/b/mine.md", {}, "mine", ""},
                     {"12-a-b.md", 12, "a-b", ""},
                     {"2024.md", {}, "2024", ""},
                     {"<stdin>", {}, "stdin", ""},
                     {"99999999999-x.md", {}, "99999999999-x", ""},
                     {"dir.d/x", {}, "x", ""}};
  for (const auto& [path, number, id, language] : cases) {
    const LessonName name = lesson_name(path);
    EXPECT_EQ(name.number, number) << path;
    EXPECT_EQ(name.id, id) << path;
    EXPECT_EQ(name.language, language) << path;
  }
}

TEST(Load, FindingsAreBounded) {
  std::string text = kStart;
  for (int i = 0; i < 5000; ++i) text += "> **Hint** x\n\n";
  LoadFindings findings;
  load_lesson("a.md", text, findings);
  EXPECT_EQ(findings.diagnostics.size(), 200u);
}

}  // namespace
}  // namespace attn
