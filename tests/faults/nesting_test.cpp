// Input nested a hundred thousand deep, or as long: an error or literal text, soon; never a crash.
#include <sys/resource.h>

#include "tests/faults/faults.h"

namespace attn {
namespace {

constexpr int kMany = 100'000;
constexpr double kSeconds = 5;  // of processor time

struct Input {
  std::string name;  // of the file, whose ending says what it is
  std::string text;
  bool works = false;  // literal text is fine; else it is an error
};

std::vector<Input> nested_code() {
  std::vector<Input> out;
  const std::pair<std::string, std::string> pairs[] = {{"(", ")"},   {"[", "]"},  {"{", "}"},
                                                       {"{0:", "}"}, {"f(", ")"}, {"x[", "]"}};
  for (const auto& [open, close] : pairs) {
    out.push_back({"a.py", "x = " + repeated(open, kMany) + "1" + repeated(close, kMany) + "\n"});
    out.push_back({"a.py", "x = " + repeated(open, kMany) + "\n"});
  }
  for (const std::string piece : {"-", "not ", "~", "lambda: ", "2 ** ", "1 + ", "a if a else ", "await "})
    out.push_back({"a.py", "x = " + repeated(piece, kMany) + "1\n"});
  out.push_back({"a.py", "x = " + repeated("1 < ", kMany) + "1\n", true});  // a chain, which nests nothing
  for (const std::string piece : {".a", "()", "[0]"}) out.push_back({"a.py", "x = a" + repeated(piece, kMany) + "\n"});
  out.push_back({"a.py", "x = f'" + repeated("{f'", kMany) + "\n"});
  out.push_back({"a.py", "x = f'{1:" + repeated("{1:", kMany) + "'\n"});
  std::string parameters;
  for (int i = 0; i < kMany; ++i) parameters += "p" + std::to_string(i) + ", ";
  const std::string function = "def f(" + parameters + "): return 1\n";
  out.push_back({"a.py", function + "f(*range(" + std::to_string(kMany) + "))\n", true});
  out.push_back({"a.py", function + "f(" + repeated("1, ", kMany) + ")\n", true});
  out.push_back({"a.py", "print('\\t' * " + std::to_string(10 * kMany) + ")\n", true});
  std::string blocks;
  for (int i = 0; i < 2000; ++i) blocks += std::string(static_cast<std::size_t>(i), ' ') + "if 1:\n";
  out.push_back({"a.py", blocks});
  return out;
}

std::vector<Input> nested_prose() {
  std::vector<Input> out;
  for (const std::string piece : {"> ", "- ",   "1. ",  "[", "![", "*",  "_", "`", "~",    "<",   "&",
                                  "(",  "[a](", "**a ", "$", "{{", "\\", "#", "|", "<!--", "> - "})
    out.push_back({"01-a.md", "# T\n\n" + repeated(piece, kMany).substr(0, 900'000) + kCell, true});
  out.push_back({"01-a.md", "# T\n\n$" + repeated("{", 1500) + repeated("}", 1500) + "$" + kCell, true});
  out.push_back({"01-a.md", "# T\n\n" + repeated("[a]: /b\n", kMany) + kCell, true});
  out.push_back(
      {"01-a.md", "# T\n\n" + repeated("| a ", 20'000) + "|\n" + repeated("|-", 20'000) + "|\n" + kCell, true});
  return out;
}

std::vector<Input> nested_json() {
  const std::string source = R"({"cell_type": "code", "metadata": {}, "outputs": [], "source": [)";
  const std::string cell =
      R"({"nbformat": 4, "cells": [{"cell_type": "code", "metadata": {}, "source": "1", "outputs": [)";
  const std::string output = R"({"output_type": "stream", "name": "stdout", "text": ")";
  return {
      {"a.ipynb", repeated("[", kMany)},
      {"a.ipynb", repeated("[", kMany) + repeated("]", kMany)},
      {"a.ipynb", repeated("{\"a\":", kMany)},
      {"a.ipynb", "{\"cells\": " + repeated("[", kMany) + repeated("]", kMany) + "}"},
      {"a.ipynb", "{\"nbformat\": 4, \"cells\": [" + source + repeated("[", kMany) + repeated("]", kMany) + "]}]}"},
      {"a.ipynb", cell + repeated(output + "1\"},", 2 * kMany) + output + "\"}]}]}", true},
      {"a.ipynb", cell + output + repeated("a", 300 * kMany) + "\"}]}]}", true},
      {"a.ipynb", "{\"metadata\": " + repeated("{\"a\":", kMany) + "1" + repeated("}", kMany) + ", \"cells\": []}"},
  };
}

double seconds_of_children() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return static_cast<double>(used.ru_utime.tv_sec) + static_cast<double>(used.ru_utime.tv_usec) * 1e-6;
}

void expect_survived(const Input& input) {
  const Workshop workshop;
  workshop.put(input.name, input.text);
  const double before = seconds_of_children();
  const Ended ended = run_program({"run", workshop.file(input.name)});
  const std::string what = input.text.substr(0, 40) + "\n" + ended.err.substr(0, 400);
  EXPECT_LT(seconds_of_children() - before, kSeconds) << what;
  EXPECT_EQ(ended.signal, 0) << what;
  EXPECT_TRUE((ended.code == 0 && input.works) || ended.code == 1 || ended.code == 3 || ended.code == 5)
      << ended.code << what;
  EXPECT_LT(ended.err.size(), 5000u) << "an error is short: " << what;
}

TEST(Nesting, OfCode) {
  for (const Input& input : nested_code()) expect_survived(input);
}

// Values that programs nest: whatever walks them ends before the stack does.
TEST(Nesting, OfValues) {
  const char* const kMade[] = {
      "x = []\nfor i in range(200000): x = [x]\n", "x = (1,)\nfor i in range(200000): x = (x,)\n",
      "x = {}\nfor i in range(200000): x = {1: x}\n", "x = iter([1])\nfor i in range(200000): x = zip(x)\n"};
  const char* const kWalks[] = {
      "len([x])",           "str(x)",           "x == [x]",       "json.dumps(x)", "copy.deepcopy(x)",
      "torch.as_tensor(x)", "torch.ones(3)[x]", "torch.zeros(x)", "np.array(x)",   "sorted([x, x])",
      "'%s' % (x,)",        "{str(x): 1}",      "list(x)"};
  for (const std::string made : kMade) {
    for (const std::string walk : kWalks) {
      const Workshop workshop;
      workshop.put("a.py", "import copy, json\nimport numpy as np\nimport torch\n" + made + walk + "\nx = 1\n");
      const Ended ended = run_program({"run", "--plain", workshop.file("a.py")});
      EXPECT_EQ(ended.signal, 0) << made << walk;
      EXPECT_TRUE(ended.code == 0 || ended.code == 1 || ended.code == 5) << made << walk << ended.code << ended.err;
    }
    EXPECT_EQ(run_program({"eval", made + "x = 1"}).code, 0) << made << "while it is recorded";
  }
}

TEST(Nesting, OfProse) {
  for (const Input& input : nested_prose()) expect_survived(input);
}

TEST(Nesting, OfJson) {
  for (const Input& input : nested_json()) expect_survived(input);
}

}  // namespace
}  // namespace attn
