#include "lesson/names.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "lesson/expressions.h"

namespace attn {
namespace {

TEST(Names, WhatCodeBinds) {
  const std::pair<const char*, const char*> cases[] = {
      {"x = 1", "x"},
      {"x = y = z", "x y"},
      {"a, (b, *c) = f(d, e=1)", "a b c"},
      {"x[i] = 1\ny.z = 2\nf(x).a = 3", ""},
      {"x += 1; y: int = 2", "x y"},
      {"z: int", ""},
      {"x == 1\nx <= y\nf(a=1)", ""},
      {"def f(a, b=1):\n    c = a\n    return c", "f c"},
      {"class Net(nn.Module):\n    pass", "Net"},
      {"for i, (j, k) in pairs: t = i", "i j k t"},
      {"with open(p) as f, g() as h:\n    pass", "f h"},
      {"import torch.nn as nn, math", "nn torch math"},
      {"from torch import Tensor as T, nn", "T Tensor nn"},
      {"if (n := len(a)) > 1: m = n", "n m"},
      {"s = 'a = 1; b = 2'  # c = 3", "s"},
      {"s = f\"{a}\" + '''x\ny = 1\n'''\nt = 2", "s t"},
      {"total = (a +\n  b)\nnext = 1", "total next"},
      {"x = \\\n  1\ny = 2", "x y"},
      {"K_heads.permute(0, 2, 1)", ""},
      {"값 = 1", "값"},
      {"try:\n  a = 1\nexcept E as e:\n  b = 2", "a e b"},
      {"x = ((", "x"},
      {"x = 'unclosed\ny = 1", "x y"},
  };
  for (const auto& [code, names] : cases) EXPECT_EQ(join(bound_names(code), " "), names) << code;
}

TEST(Expressions, FieldsAreFoundAndMasked) {
  const std::pair<const char*, const char*> cases[] = {
      {"a {{ b }} c", "b"},
      {"{{x}}{{ y }}", "x|y"},
      {"{{ {'a': {1: 2}}['a'] }}", "{'a': {1: 2}}['a']"},
      {"{{ '}}' + \"{{\" }} {{ b }}", "'}}' + \"{{\"|b"},
      {"{{ value:.2f }} {{ name!r }}", "value:.2f|name!r"},
      {"$x_{{b}_c}$ {{ d }}", "d"},
      {"{{ a\n}} {{ b }}", "b"},
      {"{{ ( }} {{ b }}", "b"},
      {"{{ }}", ""},
      {"{{ 'a }} {{ b }}", "b"},
      {"no { field } here }}", ""},
  };
  for (const auto& [text, expected] : cases) {
    std::vector<std::string> found;
    const auto fields = find_fields(text);
    for (const Field& field : fields) {
      found.emplace_back(std::string_view(text).substr(field.inner.begin, field.inner.end - field.inner.begin));
    }
    EXPECT_EQ(join(found, "|"), expected) << text;
    const std::string masked = mask_fields(text, fields);
    EXPECT_EQ(masked.size(), std::string_view(text).size());
    for (const Field& field : fields) {
      const std::string_view part =
          std::string_view(masked).substr(field.whole.begin, field.whole.end - field.whole.begin);
      EXPECT_EQ(part.find_first_of("{}[]()*_|'\"!:. "), std::string_view::npos) << masked;
    }
  }
}

}  // namespace
}  // namespace attn
