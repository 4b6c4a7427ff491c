#include "syntax/names.h"

#include <gtest/gtest.h>

#include <set>

#include "base/text.h"
#include "parsed.h"

namespace attn {
namespace {

/// The names in alphabetical order.
std::string listed(const std::unordered_set<Symbol>& names) {
  std::set<std::string> sorted;
  for (const Symbol name : names) sorted.insert(name);
  return join(std::vector<std::string>(sorted.begin(), sorted.end()), " ");
}

TEST(Names, WhatCodeBinds) {
  const Case cases[] = {
      {"x = 1", "x"},
      {"x = y = z", "x y"},
      {"a, (b, *c) = f(d, e=1)", "a b c"},
      {"x[i] = 1\ny.z = 2\nf(x).a = 3", ""},
      {"x += 1; y: int = 2", "x y"},
      {"x == 1\nx <= y\nf(a=1)", ""},
      {"class Net(nn.Module):\n    pass", "Net"},
      {"for i, (j, k) in pairs: t = i\nelse: u = 1", "i j k t u"},
      {"while a: b = 1", "b"},
      {"if a: b = 1\nelif c: d = 1\nelse: e = 1", "b d e"},
      {"with open(p) as f, g() as h:\n    pass", "f h"},
      {"import torch.nn as nn, math", "math nn"},
      {"import torch.nn", "torch"},
      {"from torch import Tensor as T, nn", "T nn"},
      {"s = 'a = 1; b = 2'  # c = 3", "s"},
      {"total = (a +\n  b)\nnext = 1", "next total"},
      {"x = [i for i in y]", "x"},
      {"값 = 1", "값"},
      {"match a:\n  case [b, *c] | [c, b]: d = 1\n  case {f.g: h, **i} if j: pass\n  case K(l, m=n) as o: pass\n  case "
       "_: pass",
       "b c d h i l n o"},
      {"try:\n  a = 1\nexcept E as e:\n  b = 2\nelse: c = 3\nfinally: d = 4", "a b c d e"},
  };
  for (const auto& [text, names] : cases) {
    EXPECT_EQ(listed(bound_names(parse_cell(source_of(text)))), names) << text;
    EXPECT_EQ(listed(names_bound_anywhere(parse_cell(source_of(text)))), names) << text;
  }
}

TEST(Names, InsideOfFunctionsAndClasses) {
  const Block block = parse_cell(source_of("def f(a, b=1):\n  global g\n  c = a\n  g = c\nclass A:\n  d = 1"));
  EXPECT_EQ(listed(bound_names(block)), "A f");
  EXPECT_EQ(listed(names_bound_anywhere(block)), "A c d f g");
  EXPECT_EQ(listed(bound_names(*std::get<FunctionDef>(block[0].node).body)), "c");
}

TEST(Names, OtherValuesInTheirPlace) {
  const std::string code = "a = 1  # one\nb = c = 2\nd: int = 3\nx.y = 4\nif a: e = 5\nf = [\n  6]; a = 7\n";
  const Block block = parse_cell(source_of(code));
  const std::vector<Assignment> found = assignments(block);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[1].name, "f");
  EXPECT_EQ(with_values(code, found, {{"a", "10"}, {"e", "50"}, {"f", "g(\")\")"}}),
            "a = 10  # one\nb = c = 2\nd: int = 3\nx.y = 4\nif a: e = 5\nf = g(\")\"); a = 10\n");
}

}  // namespace
}  // namespace attn
