// Every diagnostic code (base/diagnostic.h) is raised here by something that a learner can write, so a new one without
// a way to raise it fails. The rules of ops, which are finer than codes, are held by rules_test.cpp, the notes by
// lint_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/limits.h"
#include "engine/evaluate.h"
#include "engine/runner.h"
#include "explain/lint/notes.h"
#include "lesson/load.h"
#include "lesson/program.h"

namespace attn {
namespace {

struct CodeRow {
  Code code;
  const char* cell;
};

// What a cell stops at, or warns of.
const CodeRow kCodeRows[] = {
    {Code::Syntax, "x = = 1"},
    {Code::Name, "keyz"},
    {Code::Attribute, "torch.zeros(2).no_such"},
    {Code::Type, "len(1)"},
    {Code::Index, "torch.zeros(2)[2]"},
    {Code::Key, "{'q': 1}['k']"},
    {Code::Shape, "torch.zeros(2, 3) @ torch.zeros(2, 3)"},
    {Code::Value, "int('two')"},
    {Code::ZeroDivision, "1 / 0"},
    {Code::Assertion, "assert 1 == 2"},
    {Code::Runtime, "raise RuntimeError('stop')"},
    {Code::Axis, "x = torch.zeros(2, 3)  # x: [n_heads, n_heads]"},
    {Code::Unsupported, "async def f(): pass"},
    {Code::Limit, "torch.zeros(10 ** 12)"},
};

/// The codes of all that is said of a cell.
std::set<Code> codes_of(const char* cell) {
  const Evaluation result = evaluate_code(cell);
  std::set<Code> codes;
  if (result.error) codes.insert(result.error->code);
  for (const Diagnostic& warning : result.warnings) codes.insert(warning.code);
  return codes;
}

std::set<Code> codes_of(const std::vector<Diagnostic>& diagnostics) {
  std::set<Code> codes;
  for (const Diagnostic& diagnostic : diagnostics) codes.insert(diagnostic.code);
  return codes;
}

std::set<Code> codes_of_a_lesson_without_a_title() {
  LoadFindings findings;
  load_lesson("01-a.md", "```python\n1\n```\n", findings);
  return codes_of(findings.diagnostics);
}

const std::string kScores =
    "import torch, math, torch.nn as nn, torch.nn.functional as F\nq, k, v = torch.randn(2, 5, 4), torch.randn(2, 6, "
    "4), torch.randn(2, 6, 4)\n";

Lesson with_scores(const std::string& code) {
  LoadFindings findings;
  return load_program("a.py", kScores + code, findings);
}

std::set<Code> codes_of_a_softmax_over_queries() {
  const Lesson lesson =
      with_scores("(q @ k.mT).softmax(1) @ v\nw = torch.nn.Linear(4, 4)\n(w(q) @ w(q).mT).softmax(-1) @ q\n");
  Trace trace = run_lesson(lesson);
  note_findings(trace, lesson);
  return codes_of(trace.diagnostics);
}

std::set<Code> codes_of_a_cell_that_is_interrupted() {
  request_interrupt();
  const std::set<Code> codes = codes_of("1 + 1");
  clear_interrupt();
  return codes;
}

TEST(Codes, EachIsRaised) {
  std::set<Code> raised;
  for (const CodeRow& row : kCodeRows) {
    const std::set<Code> codes = codes_of(row.cell);
    EXPECT_TRUE(codes.contains(row.code)) << row.cell << " is no " << code_name(row.code);
    raised.insert(codes.begin(), codes.end());
  }
  for (const std::set<Code>& codes :
       {codes_of_a_lesson_without_a_title(), codes_of_a_softmax_over_queries(), codes_of_a_cell_that_is_interrupted()})
    raised.insert(codes.begin(), codes.end());
  for (int code = 0; code <= static_cast<int>(Code::Interrupt); ++code)  // the last one, as its table asserts
    EXPECT_TRUE(raised.contains(static_cast<Code>(code))) << code_name(static_cast<Code>(code));
}

std::string tried(const char* cell, std::string_view exception) {
  return "try:\n  " + std::string(cell) + "\nexcept " + std::string(exception) + ":\n  print('caught')\n";
}

// By no other exception, and what is no mistake of the cell's own by none.
TEST(Codes, AreCaughtByTheirPythonException) {
  const std::set<Code> of_the_program = {Code::Unsupported, Code::Limit};
  for (const CodeRow& row : kCodeRows) {
    if (row.code == Code::Syntax || row.code == Code::Axis) continue;  // nothing runs, or nothing is raised
    const bool is_caught = !of_the_program.contains(row.code);
    EXPECT_EQ(evaluate_code(tried(row.cell, python_type(row.code))).text, is_caught ? "caught\n" : "") << row.cell;
    EXPECT_EQ(evaluate_code(tried(row.cell, "Exception")).text, is_caught ? "caught\n" : "") << row.cell;
    EXPECT_TRUE(evaluate_code(tried(row.cell, "UnicodeError")).error) << row.cell;
  }
}

}  // namespace
}  // namespace attn
