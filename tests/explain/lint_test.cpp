#include "explain/lint/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/runner.h"
#include "explain/lint/notes.h"
#include "lesson/catalogue.h"
#include "lesson/program.h"
#include "text/sentences.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> rules_of(const Trace& trace) {
  std::vector<std::string> rules;
  for (const Finding& finding : lint(trace)) rules.emplace_back(finding.rule);
  return rules;
}

/// The first word of each id: "lint.mask.right" belongs to "mask".
std::set<std::string> rules_with_sentences() {
  std::set<std::string> rules;
  for (const Sentence& sentence : sentences()) {
    if (!sentence.id.starts_with("lint.")) continue;
    const std::string rule(sentence.id.substr(5));
    rules.insert(rule.substr(0, rule.find('.')));
  }
  return rules;
}

const std::string kStart =
    "import math, torch\nimport torch.nn.functional as F\ntorch.manual_seed(0)\n"
    "B, T, S, H, D = 2, 5, 6, 3, 4\nC = H * D\n"
    "x = torch.randn(B, T, C)\n"
    "q, k, v = torch.randn(B, H, T, D), torch.randn(B, H, S, D), torch.randn(B, H, S, D)\n"
    "e = q @ k.transpose(-2, -1) / math.sqrt(D)\n"
    "m = torch.tensor([[1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1]])\n"
    "n = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])\n";

Trace run_code(const std::string& start, const std::string& code) {
  LoadFindings findings;
  return run_lesson(load_program("a.py", start + code, findings));
}

struct LintRow {
  const char* code;
  std::vector<std::string> rules;
  const char* fix = nullptr;  // what the note proposes, which was tried
};

const LintRow kRows[] = {
    // ---- split and merge ----
    {"x.view(B, H, T, D) @ k.transpose(-2, -1)", {"view"}},
    {"torch.nn.Linear(D, D)(x.reshape(B, H, T, D))", {"view"}},
    {"x.view(B, H, T, D)[0]", {}},  // looked at,
    {"x.view(B, T, H, D).transpose(1, 2)", {}},
    {"x.view(B * T, C)", {}},
    {"y = (e @ v).reshape(B, T, C)", {"view"}},
    {"y = (e @ v).transpose(1, 2).reshape(B, T, C)", {}},
    {"x.view(T, B, C) @ torch.randn(C, C)", {"view"}},
    {"torch.randn(2, 5, 5 * 4).view(2, 5, 5, 4)", {}},
    {"h, t = 4, 4\ny = torch.randn(2, t, 8)  # [b, t, c]\ny.view(2, h, t, 2) @ torch.randn(2, 3)", {"view"}},
    {"r = F.pad(torch.randn(3, 5, 5), (1, 0)).view(3, 6, 5)[:, 1:]", {}},
    // ---- softmax ----
    {"F.softmax(e, dim=-1) @ v", {}},
    {"F.softmax(e, dim=-2) @ v", {"softmax"}},
    {"torch.softmax(e, 1) @ v", {"softmax"}},
    {"F.softmax(e, dim=-2).transpose(-2, -1) @ q", {}},
    {"s = q @ k.mT\n# s: (B, H, T, S)\nw = F.softmax(s, dim=2)\nw @ v", {"softmax"}},
    {"s = q @ k.mT\n# s: (B, H, T, S)\nw = F.softmax(s, dim=3)\nw @ v", {}},
    {"s = q @ k.mT\n# s: (B, H, T, S)\n# s: (b, h, t, s)\nw = F.softmax(s, dim=2)\nw @ v", {"softmax"}},
    {"w = F.softmax(e, dim=2)\n# w: (B, H, T, S)\nw @ v", {"softmax"}},
    {"w = F.softmax(e, dim=3)\n# w: (B, H, T, S)\nw @ v", {}},
    {"s = q @ k.mT / D\n# s: (B, H, T, S)\nw = F.softmax(s, dim=3)\nw @ v", {"scale"}},
    {"torch.einsum('bhts,bhsd->bhtd', e.softmax(2), v)", {"softmax"}},
    {"torch.einsum('bhts,bhsd->bhtd', e.softmax(3), v)", {}},
    {"F.softmax(x @ x.mT) @ x", {"softmax"}},  // along the batch
    {"F.softmax(x[0] @ x[0].T) @ x[0]", {}},
    {"F.softmax(e, dim=1)", {}},  // nothing is made of it
    {"F.softmax(x @ torch.nn.Linear(C, 7).weight.t(), dim=1)", {}},
    // ---- masks ----
    {"e.masked_fill(m[:, None, None, :] == 0, -1e9).softmax(-1) @ v", {}},
    {"e.masked_fill(n[:, None, :, None] == 0, -1e9).softmax(-1) @ v", {"mask"}},
    {"(e + (n[:, None, :, None] - 1) * 2.).softmax(-1) @ v", {"mask"}},
    {"(e + torch.randn(T, 1)).softmax(-1)", {"mask"}},
    {"(e + torch.randn(T, S)).softmax(-1) @ v", {}},
    {"e.masked_fill(torch.ones(T, S).triu(1) > 0, -math.inf).softmax(-1) @ v", {}},
    {"e.masked_fill(torch.ones(T, S).triu() > 0, -math.inf).softmax(-1) @ v", {"row"}},
    {"w = F.softmax(e, dim=-1).masked_fill(m[:, None, None, :] == 0, 0.)\nw @ v", {"after"}},
    {"w = F.softmax(e, dim=-1) * m[:, None, None, :]\nw @ v", {"after"}},
    {"w = F.softmax(e, dim=-1) * m[:, None, None, :]\nw = w / w.sum(-1, keepdim=True)\nw @ v", {}},
    {"w = F.softmax(e, dim=-1) * (torch.rand(T, S) > 0.5)\nw @ v", {}},  // dropout by hand
    {"F.dropout(F.softmax(e, dim=-1), 0.5) @ v", {}},
    // ---- scales ----
    {"(q @ k.transpose(-2, -1) / math.sqrt(C)).softmax(-1) @ v", {"scale"}},
    {"(q @ k.transpose(-2, -1) / D).softmax(-1) @ v", {"scale"}},
    {"(q @ k.transpose(-2, -1) * math.sqrt(D)).softmax(-1) @ v", {"scale"}},
    {"(q @ k.transpose(-2, -1) * S ** -0.5).softmax(-1) @ v", {"scale"}},
    {"(q @ k.transpose(-2, -1) * D ** -0.5).softmax(-1) @ v", {}},
    {"((q * D ** -0.5) @ k.transpose(-2, -1)).softmax(-1) @ v", {}},
    {"(q @ k.transpose(-2, -1) / math.sqrt(D) * torch.ones(T, S)).softmax(-1) @ v", {}},
    {"((q / math.sqrt(C)) @ k.transpose(-2, -1)).softmax(-1) @ v", {"scale"}},
    {"(e / 0.7).softmax(-1) @ v", {}},  // a temperature
    {"(q @ k.transpose(-2, -1)).softmax(-1) @ v", {}},
    {"w, u = torch.nn.Linear(C, C), torch.nn.Linear(C, C)\n(w(x) @ u(x).mT).softmax(-1) @ x", {"unscaled"}},
    {"w, u = torch.nn.Linear(C, C), torch.nn.Linear(C, C)\n(w(x) @ u(x).mT / C ** 0.5).softmax(-1) @ x", {}},
    {"n = F.normalize\n(n(x, dim=-1) @ n(x, dim=-1).mT * 10).softmax(-1) @ x", {}},
    // ---- triangles ----
    {"i = torch.arange(T)\ns = x @ x.mT\ns.masked_fill(i[:, None] < i, -1e9).softmax(-1) @ x", {}},
    {"i = torch.arange(T)\ns = x @ x.mT\ns.masked_fill(i[:, None] >= i, -1e9).softmax(-1) @ x", {"triangle"}},
    {"s = x @ x.mT + torch.full((T, T), -math.inf).triu()\ns.softmax(-1) @ x", {"triangle"}},
    {"s = x @ x.mT + torch.full((T, T), -math.inf).triu(1)\ns.softmax(-1) @ x", {}},
    {"F.scaled_dot_product_attention(x, x, x, attn_mask=torch.ones(T, T).tril() == 1)", {}},
    {"F.scaled_dot_product_attention(x, x, x, is_causal=True)", {}},
    {"F.scaled_dot_product_attention(x[:, -1:], x, x, is_causal=True)", {"causal"}},
    {"m = torch.ones(T, T).tril()\n((x @ x.mT) * m).softmax(-1) @ x", {"hides"}},
    {"m = torch.ones(T, T).tril()\n(x[0] @ x[0].T * m).softmax(-1) @ x[0]", {"hides"}},
    {"m = torch.ones(T, T).tril()\n((x @ x.mT) * m - 1e4 * (1 - m)).softmax(-1) @ x", {}},
    {"m = torch.ones(T, T).tril()\n(x @ x.mT + m).softmax(-1) @ x", {"hides"}},
    {"m = torch.ones(T, T).tril()\n(x @ x.mT).masked_fill(m == 0, 1e-9).softmax(-1) @ x", {"hides"}},
    {"F.scaled_dot_product_attention(x, x, x, attn_mask=torch.ones(T, T).tril())", {"hides"}},
    {"F.scaled_dot_product_attention(x, x, x, attn_mask=torch.randn(T, T))", {}},
    {"i = torch.arange(T)\ns = x @ x.mT\ns.masked_fill(i[:, None] - i >= 2, -1e9).softmax(-1) @ x", {"triangle"}},
    {"i = torch.arange(T)\ns = x @ x.mT\ns.masked_fill((i[:, None] - i).abs() >= 2, -1e9).softmax(-1) @ x", {}},
    {"s = x @ x.mT\ns.masked_fill(torch.ones(T, T).triu() == 0, -1e9).softmax(-1) @ x", {"triangle"}},
    {"s = x @ x.mT\ns.masked_fill(torch.ones(T, T).triu(-1).tril() == 0, -1e9).softmax(-1) @ x", {}},
    {"s = x @ x.mT\ns.masked_fill(torch.ones(T, T).triu() == 0, -1e9).softmax(-2).mT @ x", {}},  // keys in rows
    // ---- sums of rows ----
    {"a = (x @ x.mT).exp()\n(a / a.sum(-1, keepdim=True)) @ x", {}},
    {"a = (x @ x.mT).sigmoid()\na @ x", {}},
    {"a = (x @ x.mT).exp()\n(a / a.sum(1, keepdim=True)) @ x", {"softmax"}},
    {"a = (x @ x.mT / C).exp()\n(a / a.sum(-1, keepdim=True)) @ x", {"scale"}},
    {"a = x @ x.mT / C\n((a - a.amax(-1, True)).exp() / (a - a.amax(-1, True)).exp().sum(-1, True)) @ x", {}},
    {"m, o = torch.full((T, 1), -math.inf), torch.zeros(T, C)\nfor k in (x[0] / 9, x[0], x[0] * 9):\n"
     "  s = x[1] @ k.T\n  n = torch.maximum(m, s.amax(-1, True))\n"
     "  o = (m - n).exp() * o + (s - n).exp() @ k\n  m = n",
     {}},
    {"f = (F.elu(x) + 1) @ (F.elu(x) + 1).mT\n(f / f.sum(-1, keepdim=True)) @ x", {}},
    // ---- layers ----
    {"m = torch.nn.MultiheadAttention(C, 2, batch_first=True)\ny = torch.nn.LayerNorm(C)(torch.randn(2, C, T).mT)\n"
     "m(y, y, y)",
     {}},
    {"torch.nn.GRU(C, C, batch_first=True)(x)", {}},
    {"torch.nn.GRU(C, C)(x.transpose(0, 1))", {}},
    {"torch.nn.GRU(C, C)(x)[0][-1]", {}},
    {"torch.nn.LSTM(C, C)(x)", {"batch"}},
    {"a = torch.nn.MultiheadAttention(C, H)\nm = torch.randn(S, 2, C)\ny = torch.randn(T, 2, C)\na(y, y, y)\na(y, m, "
     "m)",
     {}},  // of two lengths, so axis 1 is the batch
    {"p = torch.randn(9, 1, C)\ny = x + p[:x.size(0)]\ntorch.nn.MultiheadAttention(C, 2)(y, y, y)", {}},
    {"k.repeat_interleave(2, 1) @ torch.randn(2, 6, D, 7)", {}},
    {"k.tile((1, 2, 1, 1)) @ torch.randn(2, 6, D, 7)", {"repeat"}},
    {"k[:, None].expand(B, 2, H, S, D).reshape(B, 2 * H, S, D) @ torch.randn(2, 6, D, 7)", {"repeat"}},
    {"k[:, :, None].expand(B, H, 2, S, D).reshape(B, 2 * H, S, D) @ torch.randn(2, 6, D, 7)", {}},
    // ---- padding ----
    {"i = torch.tensor([[3, 1, 0], [2, 0, 0]])\nh = torch.nn.Embedding(5, 4)(i)\n"
     "(h @ h.mT).masked_fill((i == 0)[:, None], -1e9).softmax(-1) @ h",
     {}},
    {"i = torch.tensor([[3, 1, 0], [2, 0, 0]])\nh = torch.nn.Embedding(5, 4)(i)\nn = (i != 0).unsqueeze(1)\n"
     "(h @ h.mT).masked_fill(n == 0, -1e9).softmax(-1) @ h",
     {}},
    {"i = torch.tensor([[3, 1, 0], [2, 0, 0]])\nh = torch.nn.Embedding(5, 4)(i)\nn = (i == 0).unsqueeze(1)\n"
     "(h @ h.mT).masked_fill(~n, -1e9).softmax(-1) @ h",
     {"padding"}},
    {"i = torch.tensor([[3, 1, 0], [2, 0, 0]])\nh = torch.nn.Embedding(5, 4)(i)\n"
     "torch.nn.MultiheadAttention(4, 2, batch_first=True)(h, h, h, key_padding_mask=i > 0)",
     {"padding"}},
    {"i = torch.tensor([[3, 1, 0], [2, 0, 0]])\nh = torch.nn.Embedding(5, 4)(i)\n"
     "h.masked_fill((i != 0)[:, :, None], 0.)",
     {}},  // no scores
    {"i = torch.tensor([[3, 1, 0], [2, 0, 0]])\nh = torch.nn.Embedding(5, 4)(i)\n"
     "torch.nn.MultiheadAttention(4, 2, batch_first=True)(h, h, h, key_padding_mask=i != 3)",
     {"padding"}},  // which says why a text has no keys
    {"i = torch.tensor([[3, 1], [2, 0]])\nh = torch.nn.Embedding(5, 4)(i)\n"
     "(h @ h.mT).masked_fill(i == 0, -1e9).softmax(-1) @ h",
     {"padding"}},
    {"i = torch.tensor([[3, 1, 0], [2, 0, 0]])\nh = torch.nn.Embedding(5, 4)(i).view(2, 3, 2, 2).transpose(1, 2)\n"
     "(h @ h.mT).masked_fill((i == 0).unsqueeze(1), -1e9).softmax(-1) @ h",
     {"padding"}},
    {"i = torch.arange(2) < torch.tensor([2, 1])[:, None]\nh = torch.randn(2, 2, C)\n"
     "(h @ h.mT).masked_fill(~i, -1e9).softmax(-1) @ h",
     {"padding"}},
    {"i = torch.arange(2) < torch.tensor([2, 1])[:, None]\nh = torch.randn(2, 2, C)\n"
     "(h @ h.mT).masked_fill(~i[:, None], -1e9).softmax(-1) @ h",
     {}},
    {"i = torch.tensor([[3, 1, 4], [2, 3, 1], [1, 2, 2]])\nh = torch.nn.Embedding(5, 4)(i)\n"
     "(h @ h.mT).masked_fill(torch.ones(3, 3).triu(1) == 1, -1e9).softmax(-1) @ h",
     {}},
    {"i = torch.tensor([[3, 1, 0], [2, 0, 0]])\nh = torch.nn.Embedding(5, 4, padding_idx=0)(i)\n"
     "F.cross_entropy(torch.nn.Linear(4, 5)(h).view(-1, 5), i.view(-1), ignore_index=0)",
     {"shift"}},
    {"i = torch.tensor([[3, 1, 0], [2, 0, 0]])\nh = torch.nn.Embedding(5, 4, padding_idx=0)(i)\n"
     "F.cross_entropy(torch.nn.Linear(4, 2)(h[:, 0]), torch.tensor([0, 1]))",
     {}},  // of classes
    {"i = torch.tensor([[3, 1, 0], [2, 0, 0]])\nh = torch.nn.Embedding(5, 4, padding_idx=0)(i)\n"
     "n = (i != 0).unsqueeze(-1)\n(h * n).sum(1) / n.sum(1)\n(h * n).mean(2)",
     {}},
    {"i = torch.tensor([[3, 1, 2], [0, 0, 2]])\nh = torch.nn.Embedding(5, 4)(i)\nc = torch.ones(3, 3).triu(1) > 0\n"
     "(h @ h.mT).masked_fill((i == 0)[:, None] | c, -1e9).softmax(-1) @ h",
     {}},  // rows of padded queries are even, and nobody reads them
    {"i = torch.tensor([[3, 1, 2], [0, 0, 2]])\nh = torch.nn.Embedding(5, 4)(i)\nc = torch.ones(3, 3).triu(1) > 0\n"
     "(h @ h.mT).masked_fill((i == 0)[:, None] | c, -math.inf).softmax(-1) @ h",
     {"row"}},  // NaN spreads
    {"i = torch.tensor([[3, 1, 2], [0, 0, 2]])\n"
     "torch.nn.Linear(4, 5)(torch.nn.Embedding(5, 4, padding_idx=0)(i))[:, -1].argmax(-1)",
     {}},  // on the left
    {"i = torch.tensor([[3, 1, 2], [2, 0, 0]])\n"
     "torch.nn.Linear(4, 3)(torch.nn.Embedding(5, 4, padding_idx=0)(i))[:, -1].argmax(-1)",
     {}},  // of other classes
    {"i = torch.cat([torch.tensor([[3, 1], [2, 3]]), torch.tensor([[2], [0]])], 1)\n"
     "torch.nn.Linear(4, 5)(torch.nn.Embedding(5, 4, padding_idx=0)(i))[:, -1].argmax(-1)",
     {}},  // one text is at its end
    // ---- one of one ----
    {"torch.nn.Linear(C, 1)(x).softmax(1) * x", {}},
    {"torch.nn.Linear(C, 1)(x).softmax(-1) * x", {"single"}},
    {"torch.nn.Linear(C, 7)(x[:1])[:, -1].argmax(-1)", {}},
    {"torch.nn.Linear(C, 7)(x).argmax(1)", {"single"}},
    {"x.argmax(1)", {}},  // of no layer
    // ---- words and places ----
    {"a, b, i = torch.nn.Embedding(9, C), torch.nn.Embedding(9, C), torch.tensor([3, 1])\n"
     "a(i) + b(torch.arange(2))",
     {}},
    {"h = torch.nn.Embedding(9, 8)(torch.tensor([[3, 1, 4]])) * 8 ** 0.5\n(h @ h.mT / 8 ** 0.5).softmax(-1) @ h", {}},
    {"torch.nn.LayerNorm(T)(x.transpose(1, 2)).mean()", {}},
    // ---- keys of one text, values of another ----
    {"y = torch.randn(B, T, C)\na = torch.nn.MultiheadAttention(C, H, batch_first=True)\nz, _ = a(x, y, x)",
     {"crossed"},
     "z, _ = a(x, y, y)"},
    {"y = torch.randn(B, T, C)\na, b, c = [torch.nn.Linear(C, C) for _ in 'qkv']\n"
     "(a(x) @ b(y).mT / C ** 0.5).softmax(-1) @ c(x)",
     {"crossed"}},
    {"y = torch.randn(B, T, C)\na, b, c = [torch.nn.Linear(C, C) for _ in 'qkv']\n"
     "(a(x) @ b(y).mT / C ** 0.5).softmax(-1) @ c(y)",
     {}},
    {"p = torch.randn(T, C)\na, b, c = [torch.nn.Linear(C, C) for _ in 'qkv']\n"
     "(a(x) @ b(x + p).mT / C ** 0.5).softmax(-1) @ c(x)",
     {}},
    // ---- sums around attention and feed-forward ----
    {"n, f = torch.nn.LayerNorm(C), torch.nn.Sequential(torch.nn.Linear(C, 2 * C), torch.nn.ReLU(), torch.nn.Linear(2 "
     "* C, "
     "C))\na = torch.nn.MultiheadAttention(C, H, batch_first=True)\ny = n(x + a(x, x, x)[0])\nz = n(f(y))",
     {"residual"},
     "z = n(y + f(y))"},
    {"n, f = torch.nn.LayerNorm(C), torch.nn.Sequential(torch.nn.Linear(C, 2 * C), torch.nn.ReLU(), torch.nn.Linear(2 "
     "* C, "
     "C))\na = torch.nn.MultiheadAttention(C, H, batch_first=True)\ny = n(x + a(x, x, x)[0])\nz = n(y + f(y))",
     {}},
    {"n, f = torch.nn.LayerNorm(C), torch.nn.Sequential(torch.nn.Linear(C, 2 * C), torch.nn.ReLU(), torch.nn.Linear(2 "
     "* C, "
     "C))\na = torch.nn.MultiheadAttention(C, H, batch_first=True)\ny = x + a(n(x), n(x), n(x))[0]\nz = f(n(y))\nz * 2",
     {"residual"},
     "z = y + f(n(y))"},
    {"n, f = torch.nn.LayerNorm(C), torch.nn.Sequential(torch.nn.Linear(C, 2 * C), torch.nn.ReLU(), torch.nn.Linear(2 "
     "* C, "
     "C))\na = torch.nn.MultiheadAttention(C, H, batch_first=True)\ny = n(x + a(x, x, x)[0])\nz = y + "
     "n(F.dropout(f(y)))",
     {}},
    {"n, f = torch.nn.LayerNorm(C), torch.nn.Sequential(torch.nn.Linear(C, 2 * C), torch.nn.ReLU(), torch.nn.Linear(2 "
     "* C, "
     "C))\na = torch.nn.MultiheadAttention(C, H, batch_first=True)\ny = n(a(x, x, x)[0])\nz = n(f(y))",
     {}},  // no sums at all
    // ---- positions that are added ----
    {"p = torch.nn.Parameter(torch.randn(1, 9, C))\ny = x + p[:, :T]\nz = F.dropout(y * 2) + p[:, :T]", {"doubled"}},
    {"e, i = torch.nn.Embedding(9, C), torch.arange(T)\n(x + e(i)) + e(i)", {"doubled"}},
    {"e, i = torch.nn.Embedding(9, C), torch.arange(T)\nx + e(i) + e(i + 1)", {}},
    {"r, c = torch.nn.Parameter(torch.zeros(1, 9, C)), torch.nn.Parameter(torch.zeros(1, 9, C))\n"
     "x + r[:, :T] + c[:, :T]",
     {}},  // of rows and of columns
    {"p = torch.nn.Parameter(torch.randn(1, 9, C))\nw = torch.nn.Linear(C, C)\nx = w(x + p[:, :T]) + p[:, :T]", {}},
    {"p = torch.randn(C)\nx + p + p", {}},
    // ---- positions in the scores ----
    {"i = torch.arange(T)\n(x @ x.mT - (i[:, None] - i)).softmax(-1) @ x", {}},
    {"i = torch.arange(T)\n(x @ x.mT - 0.5 * (i - i[:, None])).softmax(-1) @ x", {"grown"}},
    {"i = torch.arange(T)\n(x @ x.mT + i).softmax(-1) @ x", {}},
    {"i = torch.arange(T)\n(x @ x.mT + torch.nn.Parameter(i[:, None] - i * 1.)).softmax(-1) @ x", {}},
    {"r = torch.arange(T)[:, None] * 10. ** -torch.arange(6)\nr = torch.cat([r, r], -1)\n"
     "x * r.cos() + torch.cat([-x[..., 6:], x[..., :6]], -1) * r.sin()",
     {}},
    {"r = torch.arange(T)[:, None] * 10. ** -torch.arange(6)\nr = r.repeat_interleave(2, -1)\n"
     "x * r.cos() + torch.cat([-x[..., 6:], x[..., :6]], -1) * r.sin()",
     {"rotation"}},
    {"r = torch.arange(T)[:, None] * 10. ** -torch.arange(6)\nr = r.repeat_interleave(2, -1)\n"
     "x * r.cos() + torch.stack([-x[..., 1::2], x[..., ::2]], -1).flatten(-2) * r.sin()",
     {}},
    {"r = torch.arange(T)[:, None] * 10. ** -torch.arange(6)\na, b = x.chunk(2, -1)\n"
     "torch.cat([a * r.cos() + b * r.sin(), b * r.cos() + a * r.sin()], -1)",
     {"rotation"}},
    {"r = torch.arange(T)[:, None] * 10. ** -torch.arange(6)\na, b = x.chunk(2, -1)\n"
     "torch.cat([a * r.cos() + b * r.sin(), b * r.cos() - a * r.sin()], -1)",
     {}},
    // ---- without a softmax ----
    {"f = torch.nn.Linear(C, C)\n((F.elu(f(x)) + 1) @ (F.elu(f(x)) + 1).mT / C ** 0.5) @ f(x)", {}},
    {"a, b, c = [torch.nn.Linear(C, C) for _ in range(3)]\n(a(x) @ b(x).mT / C ** 0.5).sigmoid() @ c(x)", {}},
    {"a, b, c = [torch.nn.Linear(C, C) for _ in range(3)]\n(a(x) @ b(x).mT / C ** 0.5) @ c(x)", {"raw"}},
    {"torch.nn.Linear(C, 7)(x[:1])[:, -1].argmax(0)", {"single"}},
    {"(q[:, :, :1] @ k[:, :, :1].mT).softmax(-1) @ v[:, :, :1]", {}},  // the first word of a cache
    // ---- caches and other texts ----
    {"s = q[:, :, :2] @ torch.cat([k, k], 2).mT\ns.masked_fill(torch.ones(2, 12).tril() == 0, -1e9).softmax(-1) @ "
     "torch.cat([v, v], 2)",
     {"causal"}},
    {"s = q[:, :, :2] @ torch.cat([k, k], 2).mT\ns.masked_fill(torch.ones(2, 12).tril(10) == 0, -1e9).softmax(-1) @ "
     "torch.cat([v, v], 2)",
     {}},
    {"m = torch.ones(20, 20).tril()\ns = q[:, :, :2] @ torch.cat([k, k], 2).mT\n"
     "s.masked_fill(m[:2, :12] == 0, -1e9).softmax(-1) @ torch.cat([v, v], 2)",
     {"causal"}},
    {"m = torch.ones(20, 20).tril()\ns = q[:, :, :2] @ torch.cat([k, k], 2).mT\n"
     "s.masked_fill(m[10:12, :12] == 0, -1e9).softmax(-1) @ torch.cat([v, v], 2)",
     {}},
    {"n = torch.nn\ne, p, w = n.Embedding(9, 4), n.Embedding(9, 4), n.Linear(4, 4)\nk = n.Parameter(torch.randn(1, "
     "3, 4))\n"
     "y = e(torch.tensor([[1]])) + p(torch.arange(1))\nk = torch.cat([k, w(y)], 1)\n(w(y) @ k.mT / 2).softmax(-1) @ "
     "k",
     {}},  // behind a learned prefix
    {"w = torch.nn.Linear(C, C)\nk = w(x[:, :2])\nfor i in (2, 4):\n  n = w(x[:, i - 1:i + 1])\n"
     "  j = torch.cat([k, n], 1)\n  k = n\n  j @ j.mT",
     {}},  // a memory of the segment before
    {"c, w = torch.zeros(B, T, C), torch.nn.Linear(C, C)\nwith torch.no_grad():\n  c[:, :2] = w(x[:, :2])\n"
     "  k = c[:, :2]\n  (w(x[:, :2]) @ k.mT / C ** 0.5).softmax(-1) @ k",
     {}},
    {"a = torch.nn.MultiheadAttention(C, 2, batch_first=True)\ny = x * 2\nm = torch.ones(T, T).triu(1) == 1\n"
     "a(x, y, y, attn_mask=m)",
     {}},  // of one text
    {"a = torch.nn.MultiheadAttention(C, 2, batch_first=True)\ny = torch.randn(B, T, C)\n"
     "m = torch.ones(T, T).triu(1) == 1\na(x, y, y, attn_mask=m)",
     {"across"}},
    // ---- twice ----
    {"((q * D ** -0.5) @ k.mT / D ** 0.5).softmax(-1) @ v", {"scale"}},
    {"z = torch.randn(4, 16)\n(z @ z.T / 2).softmax(-1) @ z", {"scale"}},
    {"z = torch.randn(4, 16)\n((z @ z.T + (z + 1) @ (z + 1).T) / 2).softmax(-1) @ z", {}},  // a mean of two
    {"p = torch.zeros(T, C)\np[:, 0::2] = 1.\np[:, 1::2] = 2.", {}},
    {"p = torch.zeros(T, C)\np[:, 0::2] = 1.\nz = p + 1\np[:, 0::2] = 2.", {}},
    {"p = torch.zeros(T, C)\nfor i in range(2):\n  p[:, 0::2] = i", {}},
    {"n = torch.nn\nn.ModuleList([n.Linear(C, C) for _ in range(3)])", {}},
    // ---- losses ----
    {"F.binary_cross_entropy_with_logits(x.sigmoid(), torch.ones(B, T, C))", {"twice"}},
    {"F.binary_cross_entropy_with_logits(x, x.sigmoid().detach())", {}},
    {"F.nll_loss(x[0], torch.ones(T).long())", {"log"}},
    {"F.nll_loss(x[0].log_softmax(-1), torch.ones(T).long())", {}},
    {"F.cross_entropy(x[0], torch.ones(T).long())", {}},
    // ---- training ----
    {"a, b = torch.nn.Linear(C, C), torch.nn.Linear(C, C)\nb(a(x).detach()).sum().backward()", {"cut"}},
    {"a, b = torch.nn.Linear(C, C), torch.nn.Linear(C, C)\n(b(a(x).detach()) + a(x)).sum().backward()", {}},
    {"w = torch.nn.Linear(C, C)\nw.eval()\nw(x).sum().backward()", {}},  // nothing there drops
    {"a, b = torch.nn.Sequential(torch.nn.Linear(C, C), torch.nn.Dropout()), torch.nn.Linear(C, 1)\na.eval()\n"
     "for p in a.parameters(): p.requires_grad_(False)\nb(a(x)).sum().backward()",
     {}},  // frozen
    {"F.cross_entropy(x.transpose(1, 2), torch.ones(B, T).long())", {}},
    {"w = torch.nn.Linear(C, C)\no = torch.optim.SGD(w.parameters(), lr=0.1)\nw(x).sum().backward()\n"
     "torch.nn.utils.clip_grad_norm_(w.parameters(), 1.0)\no.step()",
     {}},
    // ---- measuring ----
    {"w = torch.nn.Linear(C, C).eval()\nF.dropout(w(x), 0.5)", {"measured"}},
    {"w = torch.nn.Linear(C, C)\nw.eval()\nF.dropout(w(x), 0.5)", {"measured"}},
    {"w = torch.nn.Linear(C, C)\nw.eval()\nF.dropout(w(x), 0.5, training=w.training)", {}},
    {"w = torch.nn.Linear(C, C)\nw.eval()\nw.train()\nF.dropout(w(x), 0.5)", {}},
    // ---- values ----
    {"def f(w):\n  a = w(x)\n  a = a.view(B, T, H, D)\n  return x\nf(torch.nn.Linear(C, C))", {"unread"}},
    {"def f(w):\n  a = w(x)\n  return x, a\nf(torch.nn.Linear(C, C))", {}},
    {"def f(w):\n  a = w(x)\n  n = a.size(1)\n  return x @ a.mT\nf(torch.nn.Linear(C, C))", {}},
    {"a = torch.nn.Linear(C, C)(x)", {}},  // looked at
    {"w = (x @ x.mT).softmax(-1)\nw * torch.nn.Linear(C, T)(x)", {"product"}},
    {"w = (x @ x.mT).softmax(-1)\nw * torch.rand(B, T, T)", {}},
    // ---- losses ----
    {"s, t = torch.nn.Linear(C, 7)(x), torch.ones(T, B).long()\nF.cross_entropy(s.view(-1, 7), t.view(-1))", {"order"}},
    {"s, t = torch.nn.Linear(C, 7)(x), torch.ones(B, T).long()\nF.cross_entropy(s.view(-1, 7), t.view(-1))", {}},
    {"F.nll_loss(torch.nn.Linear(C, 7)(x)[0].log_softmax(-1), torch.arange(T))", {}},
    {"i = torch.arange(12) ** 2 % 11\nh = torch.nn.Linear(4, 11)(torch.nn.Embedding(11, 4)(i[None, :10]))\n"
     "F.cross_entropy(h[0, :-1], i[2:11])",
     {}},  // another axis went with the slice: not sure
    {"i = torch.arange(12) ** 2 % 11\nh = torch.nn.Linear(4, 11)(torch.nn.Embedding(11, 4)(i[None, :10]))\n"
     "t = i[None, 1:11]\nF.cross_entropy(h[:, :-1].reshape(-1, 11), t[:, 1:].reshape(-1))",
     {"shift"}},
    {"i = torch.arange(12) ** 2 % 11\nh = torch.nn.Linear(4, 11)(torch.nn.Embedding(11, 4)(i[None, :10]))\n"
     "t = i[None, 1:11]\nF.cross_entropy(h[:, 1:].reshape(-1, 11), t[:, 1:].reshape(-1))",
     {}},
    {"i = torch.arange(12) ** 2 % 11\nh = torch.nn.Linear(4, 11)(torch.nn.Embedding(11, 4)(i[None, :10]))\n"
     "F.cross_entropy(h[:, :-1].reshape(-1, 11), i[1:10])",
     {}},
    {"i = torch.arange(12) ** 2 % 11\nh = torch.nn.Linear(4, 11)(torch.nn.Embedding(11, 4)(i[None, :10]))\n"
     "t = i[None, 1:11]\nF.cross_entropy(h.reshape(-1, 11), t.reshape(-1))\n"
     "F.cross_entropy(h[:, :-1].reshape(-1, 11), t[:, 1:].reshape(-1))",
     {}},  // two words are predicted
    // ---- how words are drawn ----
    {"torch.multinomial(x[0].softmax(-1) / 0.5, 1)", {"temperature"}},
    {"p = x[:, -1].softmax(-1)\np = p * 2\ntorch.multinomial(p, 1)", {"temperature"}},
    {"torch.multinomial((x[0] / 0.5).softmax(-1), 1)", {}},
    {"p = x[0].softmax(-1)\ntorch.multinomial(p / p.sum(-1, keepdim=True), 1)", {}},
    {"p = x[0, 0].softmax(-1)\ntorch.multinomial(p / p.sum(), 1)", {}},
    {"l = x[0]\nt = l.topk(3)[0]\nl.masked_fill(l < t[:, [0]], -math.inf)", {"best"}},
    {"l = x[0]\nt = l.topk(3)[0]\ntorch.where(l < t[..., :1], -math.inf, l)", {"best"}},
    {"l = x[0] * 1\nt = l.topk(3)[0]\nl[l < t[:, 0].unsqueeze(1)] = -math.inf", {"best"}},
    {"l = x[0]\nt = l.topk(3)[0]\nl.masked_fill(l < t[:, [-1]], -math.inf)", {}},
    {"l = x[0]\nt = l.topk(1)[0]\nl.masked_fill(l < t[:, [0]], -math.inf)", {}},  // the best alone is asked for
    {"l = x[0]\ns, i = l.sort(descending=True)\nr = s.softmax(-1).cumsum(-1) > 0.9\nl.masked_fill(r, -math.inf)",
     {"sorted"}},
    {"l = x[0] * 1\ns, i = l.sort(descending=True)\nr = s.softmax(-1).cumsum(-1) > 0.9\nl[r] = -math.inf", {"sorted"}},
    {"l = x[0]\ns, i = l.sort(descending=True)\nr = s.softmax(-1).cumsum(-1) > 0.9\n"
     "l.masked_fill(r.scatter(1, i, r), -math.inf)",
     {}},
    {"l = x[0]\ns, i = l.sort(descending=True)\nr = s.softmax(-1).cumsum(-1) > 0.9\n"
     "l.masked_fill(r.gather(1, i.argsort(-1)), -math.inf)",
     {}},
    {"l = x[0]\ns, i = l.sort(descending=True)\nr = s.softmax(-1).cumsum(-1) > 0.9\ns.masked_fill(r, -math.inf)", {}},
    {"l = x[0, 0]\ns, i = l.sort(descending=True)\nr = s.softmax(-1).cumsum(-1) > 0.9\n"
     "l = l * 1\nl[i[r]] = -math.inf",
     {}},
    {"s, i = x[0].sort(descending=True)\ntorch.multinomial(s[:, :3].softmax(-1), 1)", {}},
    {"s, i = x[0].sort()\ntorch.multinomial(s[:, -3:].softmax(-1), 1)", {}},
    {"torch.multinomial(x[0].topk(3, largest=False)[0].softmax(-1), 1)", {"smallest"}},
    {"l = x[0]\ns, i = (l - l.mean()).abs().sort()\n"
     "torch.multinomial(l.masked_fill((l - l.mean()).abs() > s[:, [4]], -math.inf).softmax(-1), 1)",
     {}},  // the typical ones
    {"l = x[0]\ntorch.multinomial(l.scatter(-1, l.argmax(-1, True), -math.inf).softmax(-1), 1)", {}},
    {"torch.multinomial(torch.nn.Linear(C, 7)(x[0]).exp(), 1)", {}},
    // ---- rates ----
    {"w, r = torch.nn.Linear(C, 1), 1e-3\no = torch.optim.SGD(w.parameters(), lr=r)\n"
     "def f(i):\n  return r * (i + 1) / 9\ns = torch.optim.lr_scheduler.LambdaLR(o, f)",
     {"factor"}},
    {"w, r = torch.nn.Linear(C, 1), 1e-3\no = torch.optim.SGD(w.parameters(), lr=r)\n"
     "def f(i):\n  return r * (i + 1) / 9 / r\ns = torch.optim.lr_scheduler.LambdaLR(o, f)",
     {}},
    {"w, r = torch.nn.Linear(C, 1), 1e-3\no = torch.optim.SGD(w.parameters(), lr=r)\n"
     "def f(i):\n  return max(1e-4 / r, (i + 1) / 9999)\ns = torch.optim.lr_scheduler.LambdaLR(o, f)",
     {}},
    {"w, r = torch.nn.Linear(C, 1), 1e-3\no = torch.optim.SGD(w.parameters(), lr=r)\n"
     "def f(i):\n  q = min(r, r * i + 1e-5)\n  return q\ns = torch.optim.lr_scheduler.LambdaLR(o, f)",
     {"factor"}},
    {"w, r = torch.nn.Linear(C, 1), 1e-3\no = torch.optim.SGD(w.parameters(), lr=r)\n"
     "s = torch.optim.lr_scheduler.LambdaLR(o, lambda i: (i + 1) / 9999)",
     {}},
    {"w, r = torch.nn.Linear(C, 1), 1e-3\no = torch.optim.SGD(w.parameters(), lr=1.0)\n"
     "s = torch.optim.lr_scheduler.LambdaLR(o, lambda i: r * (i + 1) / 9)",
     {}},
    {"w = torch.nn.Linear(C, 1)\no = torch.optim.SGD(w.parameters(), lr=1e-3)\no.lr = 1e-4", {"rate"}},
    {"w = torch.nn.Linear(C, 1)\no = torch.optim.SGD(w.parameters(), lr=1e-3)\no.lr = 1e-4\n"
     "for g in o.param_groups:\n  g['lr'] = o.lr",
     {}},
    // ---- norms and tables ----
    {"y = torch.nn.LayerNorm((T, C))(x)\n(y @ y.mT).softmax(-1) @ y", {"norm"}},
    {"y = torch.nn.LayerNorm(C)(x)\n(y @ y.mT).softmax(-1) @ y", {}},
    {"torch.nn.LayerNorm((T, C))(x)", {}},  // nothing says that these are words
    {"n = torch.nn\ne, h = n.Embedding(7, C), n.Linear(C, 7)\nh.weight = n.Parameter(e.weight.clone())\n"
     "h(e(torch.tensor([1])))",
     {"tied"}},
    {"n = torch.nn\ne, h = n.Linear(C, C), n.Linear(C, C)\nh.weight = n.Parameter(e.weight.clone())\nh(e(x))", {}},
    {"n = torch.nn\ne, h = n.Embedding(7, C), n.Linear(C, 7)\nh.weight = e.weight\nh(e(torch.tensor([1])))", {}},
    // ---- einsum ----
    {"w = torch.einsum('btc,bsc->bts', x, x).softmax(-1)\ntorch.einsum('bij,bjc->bic', w, x)", {}},
    // ---- thrown away, appended twice: not what is timed, looked at, or the same word again ----
    {"x.masked_fill(x > 0, 0.)\nx + 1", {"thrown"}},
    {"x.matmul(x.mT)\nx + 1", {}},
    {"torch.matmul(x, x.mT)\nx.view(-1)\nx + 1", {}},
    {"def f():\n  return x\ny = f() + 1\nx.masked_fill(x > 0, 0.)  # x stays as it is", {}},
    {"a = torch.cat([x, x[:, -1:]], 1)\ntorch.cat([a, x[:, -1:]], 1)", {}},
    {"torch.randn(0, 5, 4) + torch.randn(0, 5, 4)", {}},  // no text at all
    // ---- guesses and targets ----
    {"w = torch.nn.Linear(C, 1)\nF.mse_loss(w(x[0]), x[0, :, 0])", {"guesses"}},
    {"w = torch.nn.Linear(C, 1)\nF.l1_loss(x[0, :, 0], w(x[0]))", {"guesses"}},
    {"w = torch.nn.Linear(C, 1)\nF.mse_loss(w(x[0]).squeeze(-1), x[0, :, 0])", {}},
    {"w = torch.nn.Linear(C, 1)\np = w(x[0])\n((p - x[0, :, 0]) ** 2).mean()", {"guesses"}},
    {"a = torch.arange(5.)\n((a[:, None] - a) ** 2).mean()", {}},
    // ---- scores with the words in front, targets with the texts in front, as many of these as of those ----
    {"i = torch.randint(9, (3, 4))\nw = torch.nn.Embedding(9, 9)\nF.cross_entropy(w(i[:, :3].t()).view(-1, 9), i[:, "
     "1:].reshape(-1))",
     {"order"}},
    {"i = torch.randint(9, (3, 4))\nw = torch.nn.Embedding(9, 9)\nF.cross_entropy(w(i[:, :3].t()).transpose(0, "
     "1).reshape(-1, 9), i[:, 1:].reshape(-1))",
     {}},
    {"i = torch.randint(9, (3, 4))\nw = torch.nn.Embedding(9, 9)\nF.cross_entropy(w(i[:, :3]).view(-1, 9), i[:, "
     "1:].reshape(-1))",
     {}},
    {"i = torch.tensor([[3, 1, 2]])\nw = torch.nn.Embedding(5, 5)\ny = w(i) @ w.weight.t()\ny[:, 0].argmax(-1)",
     {"last"}},
    {"i = torch.tensor([[3, 1, 2]])\nw = torch.nn.Embedding(5, 5)\ny = w(i) @ w.weight.t()\ny[:, -1].argmax(-1)", {}},
    {"i = torch.tensor([[3, 1, 2]])\nw = torch.nn.Embedding(5, 4)\ny = w(i)\ny[:, 0].argmax(-1)", {}},  // classes
    {"a, b = torch.nn.Linear(C, C), torch.nn.Linear(C, C)\nw = torch.tensor(a(x).detach().numpy())\n"
     "(b(x) * w).sum().backward()",
     {"cut"}},
    {"a, b = torch.nn.Linear(C, C), torch.nn.Linear(C, C)\nw = a(x).detach().numpy()\nb(x).sum().backward()", {}},
    // ---- results that nothing reads ----
    {"a = torch.nn.MultiheadAttention(C, H, batch_first=True)\ndef f(x):\n  y, _ = a(x, x, x)\n  return x + 1\nf(x)",
     {"unread"}},
    {"a = torch.nn.MultiheadAttention(C, H, batch_first=True)\ndef f(x):\n  y, _ = a(x, x, x)\n  return x + y\nf(x)",
     {}},
    {"a = [torch.nn.Linear(C, C) for _ in range(3)]\nfor w in a: y = w(x)\ny.sum()", {"rounds"}},
    {"a = [torch.nn.Linear(C, C) for _ in range(3)]\ny = x\nfor w in a: y = w(y)\ny.sum()", {}},
    {"a = [torch.nn.Linear(C, C) for _ in range(3)]\nz = 0\nfor w in a:\n  y = w(x)\n  z = z + y", {}},
    {"w = torch.nn.Linear(C, C)\nfor _ in range(3): y = w(x)\ny.sum()", {}},  // the same again, to time it
    // ---- a triangle by what is predicted ----
    {"i = torch.tensor([[3, 1, 4, 2, 0]])\nw = torch.nn.Embedding(5, 5)\ny = w(i[:, 1:])\n"
     "s = (y @ y.mT).masked_fill(torch.ones(4, 4).triu() == 0, -1e9)\n"
     "F.cross_entropy((s.softmax(-1) @ y)[0], i[0, :-1])",
     {}},  // the word before
    {"i = torch.tensor([[3, 1, 4, 2, 0]])\nw = torch.nn.Embedding(5, 5)\ny = w(i[:, :-1])\n"
     "s = (y @ y.mT).masked_fill(torch.ones(4, 4).triu() == 0, -1e9)\n"
     "F.cross_entropy((s.softmax(-1) @ y)[0], i[0, 1:])",
     {"triangle"}},  // and not that no mask hides the target
    // ---- the words of another text, as many as those that are written ----
    {"i, o = torch.tensor([[3, 1, 4, 1, 2]]), torch.tensor([[2, 4, 0, 3]])\nw = torch.nn.Embedding(5, 5)\n"
     "m, y = w(o), w(i[:, :-1])\nF.cross_entropy(((y @ m.mT).softmax(-1) @ m)[0], i[0, 1:])",
     {}},
    // ---- additive ----
    {"a, b, s = [torch.nn.Linear(C, n) for n in (C, C, 1)]\ns(torch.tanh(a(x)[:, :, None] + b(x)[:, None]))", {}},
    {"a, b, s = [torch.nn.Linear(C, n) for n in (C, C, 1)]\ns(torch.tanh(a(x[:, :1]) + b(x)))", {}},
};

TEST(Lint, FindsAndStaysQuiet) {
  for (const LintRow& row : kRows) {
    LoadFindings none;
    const Lesson program = load_program("a.py", kStart + row.code, none);
    Trace trace = run_lesson(program);
    EXPECT_EQ(trace.outcome, RunOutcome::Fine) << row.code;
    EXPECT_EQ(rules_of(trace), row.rules) << row.code;
    if (!row.fix) continue;
    note_findings(trace, program);
    EXPECT_EQ(trace.diagnostics.back().fix, row.fix) << row.code;
  }
}

const std::string kShortStart =
    "import torch, math, torch.nn as nn, torch.nn.functional as F\nq, k, v = torch.randn(2, 5, 4), torch.randn(2, 6, "
    "4), torch.randn(2, 6, 4)\n";

struct FoundRow {
  const char* rule;
  const char* code;
};

// What no row above is about.
const FoundRow kFound[] = {
    {"places", "a, b, i = nn.Embedding(5, 4), nn.Embedding(5, 4), torch.tensor([3, 1, 0])\na(i) + b(i)"},
    {"classes", "F.cross_entropy(q.view(2, 4, 5), torch.ones(2, 5).long())"},
    {"eval",
     "w = nn.Linear(4, 4)\no = torch.optim.SGD(w.parameters(), lr=0.1)\nw.eval()\n"
     "F.dropout(w(q), training=w.training).sum().backward()"},
    {"clipped",
     "w = nn.Linear(4, 4)\no = torch.optim.SGD(w.parameters(), lr=0.1)\nw(q).sum().backward()\no.step()\n"
     "nn.utils.clip_grad_norm_(w.parameters(), 1.0)"},
    {"over", "p = torch.zeros(5, 4)\np[:, 0::2] = 1.\np[:, 0::2] = 2."},
    {"copies", "nn.ModuleList([nn.Linear(4, 4)] * 3)"},
    {"unwritten",
     "i = torch.tensor([[3, 1, 0], [2, 0, 0]])\nh = nn.Embedding(5, 4, padding_idx=0)(i)\n"
     "F.cross_entropy(nn.Linear(4, 5)(h).view(-1, 5), i.view(-1))"},
    {"averaged",
     "i = torch.tensor([[3, 1, 0], [2, 0, 0]])\nh = nn.Embedding(5, 4, padding_idx=0)(i)\n"
     "(h * (i != 0).unsqueeze(-1)).mean(dim=1)"},
    {"labels", "w = torch.einsum('btd,bsd->bst', q, q).softmax(-1)\ntorch.einsum('bts,bsd->btd', w, q)"},
    {"pairs", "a, b, s = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 1)\ns(torch.tanh(a(q) + b(q)))"},
    {"dropout", "F.dropout(q @ k.mT).softmax(-1) @ v"},
    {"weights", "(q @ k.mT).log_softmax(-1) @ v"},
    {"exchanged", "(k @ q.mT).softmax(-1) @ q"},
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
    {"roles", "w = nn.Linear(4, 4)\n(w(q) @ w(q).mT).softmax(-1) @ q"},
    {"shared", "w = nn.Linear(2, 2)\nh = w(q.view(2, 5, 2, 2)).transpose(1, 2)\nh @ h.mT"},
    {"uncalled",
     "class A(nn.Module):\n  def __init__(self):\n    super().__init__()\n    self.idle = nn.Linear(2, 2)\n"
     "  def forward(self, x):\n    return x\nA()(q)"},
    {"positions", "p = torch.randn(9, 1, 4)\nx = q + p[:q.size(0)]\n(x @ x.mT).softmax(-1) @ x"},
    {"exponent",
     "f = torch.arange(9)[:, None] / 10000 ** (2 * torch.arange(0, 4, 2) / 4)\n"
     "p = torch.stack([f.sin(), f.cos()], 2).view(9, 4)\nq + p[:5]"},
    {"again",
     "e, p, w = nn.Embedding(9, 4), nn.Embedding(9, 4), nn.Linear(4, 4)\nk = w(q[:1, :0])\nfor i in range(2):\n"
     "  x = e(torch.tensor([[i]])) + p(torch.arange(1))\n  k = torch.cat([k, w(x)], 1)\n"
     "  (w(x) @ k.mT / 2).softmax(-1) @ k"},
    {"meet", "B, T, C = torch.randn(5, 5, 4).shape\nx = torch.randn(B, T)\nx + torch.randn(T, B)"},
    {"zero",
     "w = nn.Linear(4, 1)\no = torch.optim.SGD(w.parameters(), lr=.1)\n"
     "for i in range(2):\n  w(q).sum().backward()\n  o.step()"},
    {"step", "w = nn.Linear(4, 1)\ns = w(q).sum()\no = torch.optim.SGD(w.parameters(), lr=.1)\no.step()"},
    {"untrained",
     "w, u = nn.Linear(4, 4), nn.Linear(4, 1)\no = torch.optim.SGD(u.parameters(), lr=.1)\n"
     "u(w(q)).sum().backward()\no.step()"},
    {"future",
     "i = torch.tensor([[3, 1, 4, 1, 2]])\nx = nn.Embedding(5, 5)(i[:, :-1])\n"
     "F.cross_entropy(((x @ x.mT).softmax(-1) @ x)[0], i[0, 1:])"},
    {"grows",
     "w = nn.Linear(4, 1)\no = torch.optim.SGD(w.parameters(), lr=9)\nfor i in range(5):\n  o.zero_grad()\n"
     "  s = ((w(q) - 1) ** 2).mean()\n  s.backward()\n  o.step()"},
    {"lost",
     "w = nn.Linear(4, 1)\no = torch.optim.SGD(w.parameters(), lr=.1)\nfor i in range(5):\n  o.zero_grad()\n"
     "  s = ((w(q) - 1) ** 2).mean()\n  if i > 1:\n    s = s / torch.tensor([]).mean()\n  s.backward()\n  o.step()"},
    {"crossing",
     "w, u = nn.Linear(4, 4), nn.Linear(4, 4)\na, b = w(q).view(2, 5, 2, 2), u(q).view(2, 5, 2, 2)\n"
     "(a @ b.mT / 2 ** 0.5).softmax(-1) @ a"},
    {"nan", "q + torch.tensor([0., 0., 1., 0.]) * -math.inf"},
    {"cleared",
     "w = nn.Linear(4, 1)\no = torch.optim.SGD(w.parameters(), lr=0.1)\nw(q).sum().backward()\no.zero_grad()\n"
     "o.step()"},
    {"drawn", "torch.multinomial(nn.Linear(4, 9)(q[0]).relu(), 1)"},
    {"graph", "w = nn.Linear(4, 1)\nt = 0\nfor i in range(3):\n  s = w(q).sum()\n  t += s\n  s.backward()"},
};

TEST(Lint, EveryRuleIsFound) {
  std::set<std::string> raised;
  for (const LintRow& row : kRows) raised.insert(row.rules.begin(), row.rules.end());
  for (const FoundRow& row : kFound) {
    const std::vector<std::string> rules = rules_of(run_code(kShortStart, row.code));
    EXPECT_THAT(rules, testing::Contains(row.rule)) << row.code;
    raised.insert(rules.begin(), rules.end());
  }
  EXPECT_EQ(raised, rules_with_sentences());
}

// A word in each round, each from the words before: what a mask was made of leads back further than a rule looks.
TEST(Lint, EndsWhereAProgramGrowsStepByStep) {
  const Trace trace = run_code(
      kStart,
      "o = torch.nn.Linear(6, 4)\nw = torch.ones(1, 1, 6)\nfor i in range(9):\n    y = o(w)[0, -1].detach() / 2.0\n"
      "    y[y < 0] = -1.\n    w = torch.cat([w, w[:, :1]], dim=1)");
  EXPECT_EQ(rules_of(trace), std::vector<std::string>{});
}

// Who looks at the rates of a schedule alone trains nothing.
TEST(Lint, AScheduleByItselfNeedsNoGradients) {
  const Trace trace = run_code(kShortStart,
                               "o = torch.optim.SGD(nn.Linear(4, 1).parameters(), lr=1.)\n"
                               "s = torch.optim.lr_scheduler.StepLR(o, 2)\nfor i in range(4):\n  o.step()\n  s.step()");
  EXPECT_EQ(rules_of(trace), std::vector<std::string>{});
}

TEST(Lint, SaysTheRightForm) {
  const Trace trace = run_code(kStart, "y = x.view(B, H, T, D) @ k.mT\no = e @ v\nz = o.reshape(B, T, C)\n");
  const std::vector<Finding> findings = lint(trace);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].right, "x.view(B, T, H, D).transpose(1, 2)");
  EXPECT_EQ(findings[1].right, "o.transpose(1, 2).reshape(B, T, C)");
}

TEST(Lint, CutsATableOfPositionsAlongTheWords) {
  for (const std::string rows : {"pe[:x.size(0)]", "pe[:x.size(0), :]", "pe[:x.size(0), ...]", "pe[:len(x), :, :]"}) {
    const Trace trace =
        run_code(kStart, "pe = torch.randn(9, 1, C)\ny = x + " + rows + ".detach()\n(y @ y.mT).softmax(-1) @ y");
    for (const Finding& finding : lint(trace)) {
      if (finding.rule != "positions") continue;
      ASSERT_FALSE(finding.tries.empty()) << rows;
      EXPECT_EQ(finding.tries[0][0].code, "pe[:x.size(1), 0]") << rows;
    }
    EXPECT_THAT(rules_of(trace), testing::Contains("positions")) << rows;
  }
}

TEST(Lint, ScalesByAWidthAndNotByANumberOfHeads) {
  const Trace trace = run_code(kStart,
                               "n_heads, n_head, d_head = 4, 4, 4\na = torch.randn(2, 4, 5, d_head)\n"
                               "w = (a @ a.mT / 16 ** 0.5).softmax(-1)\nw @ a");
  const std::vector<Finding> findings = lint(trace);
  ASSERT_EQ(findings.size(), 1u);
  ASSERT_FALSE(findings[0].tries.empty());
  EXPECT_THAT(findings[0].tries[0][0].code, testing::HasSubstr("d_head"));
}

TEST(Lint, NotesStandAtTheStepAndLeaveTheErrorTheLast) {
  LoadFindings findings;
  const Lesson lesson = load_program("a.py", kStart + "y = x.view(B, H, T, D) @ k.mT\nx @ x\n", findings);
  Trace trace = run_lesson(lesson);
  note_findings(trace, lesson);
  ASSERT_EQ(trace.diagnostics.size(), 2u);
  EXPECT_EQ(trace.diagnostics[1].severity, Severity::Note);
  EXPECT_EQ(std::count_if(trace.steps.begin(), trace.steps.end(),
                          [](const Step& step) { return step.warnings == std::vector<int>{1}; }),
            1);
}

/// What plain cells show on purpose; `hidden`: a hidden cell computes what a bug of the gallery gives, for the question
/// which check catches it.
struct ShownOnPurpose {
  std::string_view rule, lesson;
  bool hidden = false;
};
constexpr ShownOnPurpose kShown[] = {{"row", "masks"},
                                     {"row", "self-cross-causal"},
                                     {"row", "the-first-gradient"},
                                     {"batch", "additive-attention"},
                                     {"batch", "one-module"},
                                     {"crossing", "batch"},
                                     {"positions", "positions"},
                                     {"meet", "positions"},
                                     {"causal", "decoding-with-a-cache"},
                                     {"repeat", "grouped-heads-and-windows"},
                                     {"twice", "training-a-small-one"},
                                     {"future", "training-a-small-one"},
                                     {"shift", "training-a-small-one"},
                                     {"triangle", "training-a-small-one"},
                                     {"view", "heads", true},
                                     {"scale", "a-real-layer", true},
                                     {"grows", "training-a-small-one", true}};

bool is_shown_on_purpose(const Trace& trace, const Finding& finding, const CellOptions& cell) {
  return std::any_of(std::begin(kShown), std::end(kShown), [&](const ShownOnPurpose& shown) {
    return finding.rule == shown.rule && trace.lesson_id == shown.lesson && (cell.hidden || !shown.hidden);
  });
}

/// Findings in cells that are meant to be right.
std::vector<std::string> in_right_cells(const Trace& trace) {
  std::vector<std::string> out;
  for (const Finding& finding : lint(trace)) {
    const Step& step = trace.step(finding.op < 0 ? finding.step : trace.op(finding.op).step);
    // Of the cell that runs it, which may be a call of a function of another cell.
    StepId root = finding.op < 0 ? finding.step : trace.op(finding.op).step;
    for (StepId up = root; up >= 0; up = trace.step(up).parent) root = up;
    for (const TraceBlock& block : trace.blocks) {
      const CellRecord* cell = std::get_if<CellRecord>(&block);
      if (!cell || std::count(cell->steps.begin(), cell->steps.end(), root) == 0 || !cell->options.wrong.empty() ||
          !cell->options.raises.empty() || is_shown_on_purpose(trace, finding, cell->options))
        continue;
      out.push_back(trace.lesson_id + ": " + std::string(finding.rule) + " at " +
                    std::string(trace.sources[step.span.source].slice(step.span)));
    }
  }
  return out;
}

TEST(Lint, IsQuietOnTheRightCellsOfLessons) {
  const Catalogue catalogue = Catalogue::built_in();
  std::size_t in_wrong_cells = 0;
  for (const CatalogueEntry& entry : catalogue.entries()) {
    LoadFindings findings;
    const Trace trace = run_lesson(catalogue.open(entry, findings));
    EXPECT_THAT(in_right_cells(trace), IsEmpty()) << entry.id;
    in_wrong_cells += lint(trace).size();
  }
  EXPECT_GE(in_wrong_cells, 5u) << "the bugs that lessons show are found";
}

TEST(Lint, IsQuietOnNotebooks) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(ATTN_SOURCE_DIR) / "tests/notebooks")) {
    if (entry.path().extension() != ".ipynb" && entry.path().extension() != ".py") continue;
    LoadFindings findings;
    const Trace trace = run_lesson(load_program(entry.path().string(), read(entry.path()), findings));
    EXPECT_THAT(in_right_cells(trace), IsEmpty()) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 20u);
}

}  // namespace
}  // namespace attn
