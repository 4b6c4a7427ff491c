// Every diagnostic code (base/diagnostic.h) and every note of lint is raised here by something that a learner can
// write, so a new one without a way to raise it fails. The rules of ops, which are finer than codes, are held by
// rules_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/limits.h"
#include "engine/evaluate.h"
#include "engine/runner.h"
#include "explain/lint/lint.h"
#include "explain/lint/notes.h"
#include "lesson/load.h"
#include "lesson/program.h"
#include "text/sentences.h"

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

Trace run_with_scores(const std::string& code) { return run_lesson(with_scores(code)); }

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

struct NoteRow {
  const char* rule;
  const char* code;
};

const NoteRow kNotes[] = {
    {"view", "torch.randn(2, 5, 12).view(2, 3, 5, 4) @ torch.randn(4, 4)"},
    {"softmax", "(q @ k.mT).softmax(1) @ v"},
    {"mask", "((q @ k.mT) + torch.randn(5, 1)).softmax(-1)"},
    {"scale", "(q @ k.mT / 4).softmax(-1) @ v"},
    {"row", "(q @ k.mT).masked_fill(torch.ones(5, 6) == 1, -math.inf).softmax(-1) @ v"},
    {"after", "(q @ k.mT).softmax(-1).masked_fill(torch.ones(5, 6).triu(1) > 0, 0.) @ v"},
    {"triangle", "(q @ q.mT).masked_fill(torch.ones(5, 5).tril() == 1, -math.inf).softmax(-1) @ q"},
    {"causal", "F.scaled_dot_product_attention(q, k, v, is_causal=True)"},
    {"unscaled", "w = nn.Linear(4, 4)\n(w(q) @ w(k).mT).softmax(-1) @ v"},
    {"raw", "a, b, c = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)\n(a(q) @ b(q).mT / 2) @ c(q)"},
    {"places", "a, b, i = nn.Embedding(5, 4), nn.Embedding(5, 4), torch.tensor([3, 1, 0])\na(i) + b(i)"},
    {"norm", "nn.LayerNorm(5)(q.transpose(1, 2)).transpose(1, 2)"},
    {"classes", "F.cross_entropy(q.view(2, 4, 5), torch.ones(2, 5).long())"},
    {"eval",
     "w = nn.Linear(4, 4)\no = torch.optim.SGD(w.parameters(), lr=0.1)\nw.eval()\n"
     "F.dropout(w(q), training=w.training).sum().backward()"},
    {"cut", "a, b = nn.Linear(4, 4), nn.Linear(4, 4)\nb(a(q).detach()).sum().backward()"},
    {"clipped",
     "w = nn.Linear(4, 4)\no = torch.optim.SGD(w.parameters(), lr=0.1)\nw(q).sum().backward()\no.step()\n"
     "nn.utils.clip_grad_norm_(w.parameters(), 1.0)"},
    {"single", "nn.Linear(4, 1)(q).softmax(-1) * q"},
    {"over", "p = torch.zeros(5, 4)\np[:, 0::2] = 1.\np[:, 0::2] = 2."},
    {"copies", "nn.ModuleList([nn.Linear(4, 4)] * 3)"},
    {"across", "nn.MultiheadAttention(4, 2, batch_first=True)(q, v, v, attn_mask=torch.ones(5, 6).triu(1) == 1)"},
    {"unwritten",
     "i = torch.tensor([[3, 1, 0], [2, 0, 0]])\nh = nn.Embedding(5, 4, padding_idx=0)(i)\n"
     "F.cross_entropy(nn.Linear(4, 5)(h).view(-1, 5), i.view(-1))"},
    {"averaged",
     "i = torch.tensor([[3, 1, 0], [2, 0, 0]])\nh = nn.Embedding(5, 4, padding_idx=0)(i)\n"
     "(h * (i != 0).unsqueeze(-1)).mean(dim=1)"},
    {"last",
     "i = torch.tensor([[3, 1, 2], [2, 0, 0]])\nh = nn.Linear(4, 5)(nn.Embedding(5, 4, padding_idx=0)(i))\n"
     "h[:, -1].argmax(-1)"},
    {"labels", "w = torch.einsum('btd,bsd->bst', q, q).softmax(-1)\ntorch.einsum('bts,bsd->btd', w, q)"},
    {"pairs", "a, b, s = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 1)\ns(torch.tanh(a(q) + b(q)))"},
    {"dropout", "F.dropout(q @ k.mT).softmax(-1) @ v"},
    {"weights", "(q @ k.mT).log_softmax(-1) @ v"},
    {"exchanged", "(k @ q.mT).softmax(-1) @ q"},
    {"thrown", "a = q * 2\na.masked_fill(a > 0, 0.)\na + 1"},
    {"appended", "b = q[:, :1] * 2\na = torch.cat([q, b], 1)\ntorch.cat([a, b], 1)"},
    {"newest",
     "w = nn.Linear(4, 4)\nk = w(q[:, :1])\nfor i in range(1, 4):\n  n = w(q[:, i:i + 1])\n"
     "  j = torch.cat([k, n], 1)\n  k = n\n  j @ j.mT"},
    {"early",
     "c, w = torch.zeros(2, 5, 4), nn.Linear(4, 4)\nwith torch.no_grad():\n  for i in range(3):\n    k = c[:, :i]\n"
     "    c[:, i:i + 1] = w(q[:, i:i + 1])\n    (w(q[:, i:i + 1]) @ k.mT / 2).softmax(-1) @ k"},
    {"sums", "e = (q[0] @ q[0].mT).exp()\n(e / e.sum(-1)) @ q[0]"},
    {"earlier",
     "m, o = torch.full((5, 1), -math.inf), torch.zeros(5, 4)\nfor k in (q[0] / 9, q[0], q[0] * 9):\n"
     "  s = q[1] @ k.T\n  n = torch.maximum(m, s.amax(-1, keepdim=True))\n  o = o + (s - n).exp() @ k\n  m = n"},
    {"batch", "nn.MultiheadAttention(4, 2)(q, q, q)"},
    {"roles", "w = nn.Linear(4, 4)\n(w(q) @ w(q).mT).softmax(-1) @ q"},
    {"shared", "w = nn.Linear(2, 2)\nh = w(q.view(2, 5, 2, 2)).transpose(1, 2)\nh @ h.mT"},
    {"uncalled",
     "class A(nn.Module):\n  def __init__(self):\n    super().__init__()\n    self.idle = nn.Linear(2, 2)\n"
     "  def forward(self, x):\n    return x\nA()(q)"},
    {"positions", "p = torch.randn(9, 1, 4)\nx = q + p[:q.size(0)]\n(x @ x.mT).softmax(-1) @ x"},
    {"exponent",
     "f = torch.arange(9)[:, None] / 10000 ** (2 * torch.arange(0, 4, 2) / 4)\n"
     "p = torch.stack([f.sin(), f.cos()], 2).view(9, 4)\nq + p[:5]"},
    {"grown", "(q @ q.mT + (torch.arange(5)[:, None] - torch.arange(5))).softmax(-1) @ q"},
    {"rotation",
     "a = torch.arange(5)[:, None] * torch.tensor([1., .1])\nr = torch.cat([a, a], -1)\n"
     "q * r.cos() + torch.cat([q[..., 2:], q[..., :2]], -1) * r.sin()"},
    {"again",
     "e, p, w = nn.Embedding(9, 4), nn.Embedding(9, 4), nn.Linear(4, 4)\nk = w(q[:1, :0])\nfor i in range(2):\n"
     "  x = e(torch.tensor([[i]])) + p(torch.arange(1))\n  k = torch.cat([k, w(x)], 1)\n"
     "  (w(x) @ k.mT / 2).softmax(-1) @ k"},
    {"repeat", "h = q.view(2, 5, 2, 2).transpose(1, 2)\nh.repeat(1, 3, 1, 1) @ torch.randn(2, 6, 2, 7)"},
    {"meet", "B, T, C = torch.randn(5, 5, 4).shape\nx = torch.randn(B, T)\nx + torch.randn(T, B)"},
    {"twice", "F.cross_entropy(q[0].softmax(-1), torch.tensor([0, 1, 2, 3, 0]))"},
    {"zero",
     "w = nn.Linear(4, 1)\no = torch.optim.SGD(w.parameters(), lr=.1)\n"
     "for i in range(2):\n  w(q).sum().backward()\n  o.step()"},
    {"step", "w = nn.Linear(4, 1)\no = torch.optim.SGD(w.parameters(), lr=.1)\no.step()"},
    {"untrained",
     "w, u = nn.Linear(4, 4), nn.Linear(4, 1)\no = torch.optim.SGD(u.parameters(), lr=.1)\n"
     "u(w(q)).sum().backward()\no.step()"},
    {"shift", "i = torch.tensor([[3, 1, 4, 1]])\nF.cross_entropy(nn.Embedding(5, 5)(i)[0], i[0])"},
    {"guesses", "F.mse_loss(nn.Linear(4, 1)(q[0]), q[0, :, 0])"},
    {"future",
     "i = torch.tensor([[3, 1, 4, 1, 2]])\nx = nn.Embedding(5, 5)(i[:, :-1])\n"
     "F.cross_entropy(((x @ x.mT).softmax(-1) @ x)[0], i[0, 1:])"},
    {"measured", "w = nn.Linear(4, 1)\nw(q).sum().backward()\nwith torch.no_grad():\n  F.dropout(w(q))"},
    {"grows",
     "w = nn.Linear(4, 1)\no = torch.optim.SGD(w.parameters(), lr=9)\nfor i in range(5):\n  o.zero_grad()\n"
     "  s = ((w(q) - 1) ** 2).mean()\n  s.backward()\n  o.step()"},
    {"lost",
     "w = nn.Linear(4, 1)\no = torch.optim.SGD(w.parameters(), lr=.1)\nfor i in range(5):\n  o.zero_grad()\n"
     "  s = ((w(q) - 1) ** 2).mean()\n  if i > 1:\n    s = s / torch.tensor([]).mean()\n  s.backward()\n  o.step()"},
    {"hides", "(q @ q.mT).masked_fill(torch.ones(5, 5).tril() == 0, 0.).softmax(-1) @ q"},
    {"crossing",
     "w, u = nn.Linear(4, 4), nn.Linear(4, 4)\na, b = w(q).view(2, 5, 2, 2), u(q).view(2, 5, 2, 2)\n"
     "(a @ b.mT / 2 ** 0.5).softmax(-1) @ a"},
    {"nan", "q + torch.tensor([0., 0., 1., 0.]) * -math.inf"},
    {"log", "F.nll_loss(nn.Linear(4, 3)(q[0]).softmax(-1), torch.tensor([0, 1, 2, 0, 1]))"},
    {"order", "F.cross_entropy(nn.Linear(4, 3)(q).transpose(0, 1).reshape(-1, 3), torch.ones(2, 5).long().view(-1))"},
    {"padding",
     "i = torch.tensor([[3, 1, 0]])\nx = nn.Embedding(5, 5)(i)\n"
     "(x @ x.mT).masked_fill((i != 0)[:, None], -1e9).softmax(-1) @ x"},
    {"rounds", "x = q\nfor w in [nn.Linear(4, 4), nn.Linear(4, 4)]: y = w(x)\ny.sum()"},
    {"unread", "def f(w):\n  a = w(q)\n  return q @ q.mT\nf(nn.Linear(4, 4))"},
    {"product", "((q @ q.mT).softmax(-1)) * nn.Linear(4, 5)(q)"},
    {"cleared",
     "w = nn.Linear(4, 1)\no = torch.optim.SGD(w.parameters(), lr=0.1)\nw(q).sum().backward()\no.zero_grad()\n"
     "o.step()"},
    {"temperature", "torch.multinomial(q[0].softmax(-1) / 0.5, 1)"},
    {"best", "a = q[0]\na.masked_fill(a < a.topk(2)[0][:, [0]], -math.inf)"},
    {"sorted", "a = q[0]\ns, i = a.sort(descending=True)\na.masked_fill(s.softmax(-1).cumsum(-1) > 0.9, -math.inf)"},
    {"smallest", "s, i = q[0].sort(-1)\ntorch.multinomial(s[:, :2].softmax(-1), 1)"},
    {"drawn", "torch.multinomial(nn.Linear(4, 9)(q[0]).relu(), 1)"},
    {"factor",
     "w, r = nn.Linear(4, 1), 1e-3\no = torch.optim.SGD(w.parameters(), lr=r)\n"
     "s = torch.optim.lr_scheduler.LambdaLR(o, lambda i: r * (i + 1) / 9)"},
    {"rate", "w = nn.Linear(4, 1)\no = torch.optim.SGD(w.parameters(), lr=1e-3)\no.lr = 1e-4"},
    {"tied",
     "e, h = nn.Embedding(5, 4), nn.Linear(4, 5)\nh.weight = nn.Parameter(e.weight.clone())\nh(e(torch.tensor([1])))"},
    {"graph", "w = nn.Linear(4, 1)\nt = 0\nfor i in range(3):\n  s = w(q).sum()\n  t += s\n  s.backward()"},
};

/// The first word of each id: "lint.mask.right" belongs to "mask".
std::set<std::string> rules_of_lint() {
  std::set<std::string> rules;
  for (const Sentence& sentence : sentences()) {
    if (!sentence.id.starts_with("lint.")) continue;
    const std::string rule(sentence.id.substr(5));
    rules.insert(rule.substr(0, rule.find('.')));
  }
  return rules;
}

TEST(Codes, EachNoteOfLintIsRaised) {
  std::set<std::string> raised;
  for (const NoteRow& row : kNotes) {
    std::set<std::string> found;
    for (const Finding& finding : lint(run_with_scores(row.code))) found.emplace(finding.rule);
    EXPECT_TRUE(found.contains(row.rule)) << row.code;
    raised.insert(found.begin(), found.end());
  }
  EXPECT_EQ(raised, rules_of_lint());
}

}  // namespace
}  // namespace attn
