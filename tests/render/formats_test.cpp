#include "render/formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "render/code/python_code.h"
#include "render/plain.h"
#include "tests/render/lesson_traces.h"
#include "tests/render/notebook_schema.h"
#include "tests/render/trace_builder.h"

namespace attn {
namespace {

using test::expect_valid;
using test::joined;
using test::keys;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using Json = nlohmann::ordered_json;

TEST(Formats, AreFoundByNameAndByFile) {
  for (const Format& format : all_formats()) {
    EXPECT_EQ(find_format(format.name), &format);
    EXPECT_EQ(format_of_file("a/b" + std::string(format.extension)), &format);
  }
  EXPECT_EQ(find_format("doc"), nullptr);
  EXPECT_EQ(format_of_file("x.doc"), nullptr);
}

TEST(Formats, AreListedForMessages) {
  EXPECT_THAT(format_names(), StartsWith("txt, md, html, json, ipynb, py, safetensors"));
  EXPECT_THAT(format_extensions(), StartsWith(".txt, .md, .html, .json, .ipynb, .py, .safetensors"));
  EXPECT_THAT(format_names(), EndsWith(std::string(all_formats().back().name)));
}

TEST(Formats, AnIndexLinksEachTranscript) {
  const std::vector<IndexEntry> entries = {{3, "Heads & <masks>", "03-heads.md"}, {std::nullopt, "Notes", "a b.md"}};
  const std::string markdown = render_index(entries), html = find_format("html")->index(entries);
  EXPECT_THAT(markdown, HasSubstr("\n- 3 [Heads & \\<masks\\>](<03-heads.md>)\n- [Notes](<a b.md>)\n"));
  EXPECT_THAT(html, HasSubstr("<li value=\"3\"><a href=\"03-heads.md\">Heads &amp; &lt;masks&gt;</a></li>\n"
                              "<li class=\"plain\"><a href=\"a b.md\">Notes</a></li>\n"));
  EXPECT_TRUE(has_transcript_mark(markdown) && has_transcript_mark(html));
  const std::string told = find_format("html")->index({{3, "Heads", "03-heads.html", "Why <several>.", 45}});
  EXPECT_THAT(told, HasSubstr("Heads</a> <span class=\"note\">45 minutes</span><p>Why &lt;several&gt;.</p></li>\n"));
}

TEST(Formats, CarryTheMarkAndNothingThatSteers) {
  const Trace trace = test::hostile_trace();
  EXPECT_EQ(trace.outcome, RunOutcome::Fine);
  for (const Format& format : all_formats()) {
    const std::string bytes = format.render(trace, {100});
    EXPECT_THAT(bytes, HasSubstr(kTranscriptMark)) << format.name;
    EXPECT_TRUE(format.name == "safetensors" || visible(bytes) == bytes) << format.name;
  }
}

TEST(EveryLesson, IsAValidNotebook) {
  for (const Trace& trace : test::lesson_traces()) {
    const Json notebook = Json::parse(find_format("ipynb")->render(trace, {}));
    expect_valid(notebook);
    std::size_t code = 0, cells = 0;
    for (const Json& cell : notebook["cells"]) code += cell["cell_type"] == "code";
    for (const TraceBlock& block : trace.blocks) cells += std::holds_alternative<CellRecord>(block);
    EXPECT_EQ(code, cells + (code_before_cells(trace).empty() ? 0 : 1)) << trace.title;
  }
  expect_valid(Json::parse(find_format("ipynb")->render(test::hostile_trace(), {})));
}

/// The code cells of a notebook and their outputs, one text each.
std::vector<std::string> outputs_of(const std::string& markdown) {
  const Json notebook = Json::parse(find_format("ipynb")->render(test::trace_of_file("01-x.md", markdown), {}));
  expect_valid(notebook);
  std::vector<std::string> out;
  for (const Json& cell : notebook["cells"]) {
    if (cell["cell_type"] != "code") continue;
    std::string text = joined(cell["source"]);
    for (const Json& output : cell["outputs"])
      text += "\n=> " + (output["output_type"] == "stream"  ? joined(output["text"])
                         : output["output_type"] == "error" ? output["ename"].get<std::string>()
                                                            : joined(output["data"]["text/plain"]));
    out.push_back(text);
  }
  return out;
}

TEST(Notebook, CellsPrintAndShowAsInJupyter) {
  EXPECT_THAT(outputs_of("# T\n\n```python\nx = 1\nprint(x)\nx + 1\n```\n\n```python\nNone\n```\n\n"
                         "```python raises=ValueError\nprint(2)\nraise ValueError('no')\n```\n\n"
                         "```python wrong=x\ny = x + 4\n```\n"),
              ElementsAre("x = 1\nprint(x)\nx + 1\n=> 1\n\n=> 2", "None",
                          "try:\n    print(2)\n    raise ValueError('no')\nexcept ValueError as error:\n"
                          "    print(f\"{type(error).__name__}: {error}\")\nelse:\n"
                          "    raise AssertionError(\"ValueError was expected\")\n=> 2\nValueError: no\n",
                          "def common_bug_4():\n    y = x + 4\n    return y\n\n\ncommon_bug_4()\n=> 5"));
}

TEST(Notebook, AFailureIsTheLastOutput) {
  EXPECT_THAT(outputs_of("# T\n\n```python\nprint(1)\n1 / 0\n```\n\n```python\nprint(3)\n```\n"),
              ElementsAre("print(1)\n1 / 0\n=> 1\n\n=> ZeroDivisionError"))
      << "the run ends there";
}

TEST(Notebook, ABugThatIsNoPythonStandsAsItIs) {
  EXPECT_THAT(outputs_of("# T\n\n```python\nx = 1\n```\n\n```python wrong=x\nx y\n```\n"),
              ElementsAre("x = 1", "def common_bug_2():\n    x y\n\n\ncommon_bug_2()\n=> SyntaxError"));
}

TEST(Notebook, ABugTakesWhatTheProgramBoundBefore) {
  const std::string def = "def f(z):\n    inner = z\n    return inner\nx = f(1)";
  EXPECT_THAT(outputs_of("# T\n\n```python\n" + def + "\n```\n\n```python wrong=x\ninner = 2\nx = x + inner\n```\n"),
              ElementsAre(def,
                          "def common_bug_2(x=x):\n    inner = 2\n    x = x + inner\n    return x\n\n\n"
                          "common_bug_2()\n=> 3"))
      << "names of a function are its own";
}

TEST(Python, CommandsOfANotebookAreLeftOut) {
  const Trace trace = test::trace_of_file(
      "x.ipynb",
      R"({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "metadata": {}, "id": "a",
          "execution_count": null, "outputs": [], "source": "%matplotlib inline\n!rm -rf x\ny = 1\nif y:\n    !ls\n"}]})");
  ASSERT_EQ(trace.outcome, RunOutcome::Fine);
  EXPECT_THAT(find_format("py")->render(trace, {}),
              HasSubstr("pass  # %matplotlib inline\npass  # !rm -rf x\ny = 1\nif y:\n    pass  # !ls\n"));
}

TEST(Python, FormFeedsAreBlanksButInStrings) {
  const Trace trace = test::trace_of_file("x.py", "x = 1\n\f\ny =\f'a\fb'\n\fz = 2\n");
  ASSERT_EQ(trace.outcome, RunOutcome::Fine);
  EXPECT_THAT(find_format("py")->render(trace, {}), HasSubstr("x = 1\n \ny = 'a\u240cb'\n z = 2\n"));
}

TEST(Python, SaysTheSeedsThatDoNotStandInAProgram) {
  LoadFindings findings;
  const auto code = [&](const std::string& text, std::optional<std::int64_t> seed) {
    RunOptions options;
    options.seed = seed;
    return code_before_cells(run_lesson(load_program("x.py", text, findings), options));
  };
  const std::string seeded = "import torch\ntorch.manual_seed(1)\nx = torch.rand(2)\n";
  EXPECT_EQ(code(seeded, std::nullopt), "");
  EXPECT_THAT(code(seeded, 7), HasSubstr("return manual_seed(7)"));
  EXPECT_EQ(code("import torch\nx = torch.rand(2)\n", std::nullopt), "import torch\ntorch.manual_seed(0)\n");
  EXPECT_EQ(code("import torch\nx = torch.rand(2)\n", 5), "import torch\ntorch.manual_seed(5)\n");
}

// ---- safetensors ----

struct Header {
  Json json;
  std::size_t data = 0;  // bytes after it
};

Header header_of(const std::string& file) {
  std::uint64_t size = 0;
  for (int i = 7; i >= 0; --i) size = size << 8 | static_cast<unsigned char>(file.at(static_cast<std::size_t>(i)));
  EXPECT_EQ(size % 8, 0u);
  return {Json::parse(file.substr(8, size)), file.size() - 8 - size};
}

TEST(EveryLesson, IsAWholeFileOfTensors) {
  const std::map<std::string, std::size_t> kBytes = {{"BOOL", 1}, {"I64", 8}, {"F32", 4}, {"F64", 8}};
  for (const Trace& trace : test::lesson_traces()) {
    const Header header = header_of(find_format("safetensors")->render(trace, {}));
    EXPECT_EQ(header.json.at("__metadata__").at("format"), kTranscriptMark);
    std::size_t end = 0;
    for (const auto& [name, entry] : header.json.items()) {
      if (name == "__metadata__") continue;
      std::size_t bytes = kBytes.at(entry["dtype"]);
      for (const Json& size : entry["shape"]) bytes *= size.get<std::size_t>();
      EXPECT_EQ(entry["data_offsets"][0], end) << name;
      end += bytes;
      EXPECT_EQ(entry["data_offsets"][1], end) << name;
    }
    EXPECT_EQ(end, header.data) << trace.title;
    EXPECT_GT(header.json.size(), 5u) << trace.title;
  }
}

std::set<std::string> names_in(const std::string& code) {
  return keys(header_of(find_format("safetensors")
                            ->render(test::trace_of_file("x.py", "import torch\nfrom torch import nn\n" + code), {}))
                  .json);
}

TEST(Safetensors, NamesAreThoseThatHoldATensorAtTheEnd) {
  EXPECT_THAT(
      names_in(
          "a = torch.ones(2)\nb = a\na = 3\nc = [torch.ones(1)]\ndef f(z):\n    inner = z\n    return z\nd = f(b)\n"),
      ElementsAre("__metadata__", "b", "d"));
  EXPECT_THAT(names_in("fc = nn.Linear(2, 3)\ny = fc(torch.ones(1, 2))\nunused = nn.Linear(2, 2)\n"),
              ElementsAre("__metadata__", "fc.bias", "fc.weight", "y"));
  EXPECT_THAT(names_in("fc = nn.Linear(2, 3)\ny = fc(torch.ones(1, 2))\nfc = None\n"),
              ElementsAre("__metadata__", "y"));
  EXPECT_THAT(names_in("two = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 2))\ny = two(torch.ones(1, 2))\n"),
              ElementsAre("__metadata__", "y"));
}

TEST(Safetensors, HoldWhatWasWrittenInPlace) {
  const std::string file =
      find_format("safetensors")
          ->render(test::trace_of_file("x.py", "import torch\nx = torch.zeros(2)\nx[0] = 5\nx += 1\n"), {});
  float numbers[2];
  std::memcpy(numbers, file.data() + file.size() - sizeof numbers, sizeof numbers);
  EXPECT_THAT(numbers, ElementsAre(6.0f, 1.0f));
}

}  // namespace
}  // namespace attn
