// match and its patterns, and the names that the word is elsewhere.
#include <gtest/gtest.h>

#include "parsed.h"

namespace attn {
namespace {

// What ast.parse of Python 3.11 makes of each pattern.
TEST(Match, Patterns) {
  const Case cases[] = {
      {"1", "1"},
      {"-1.5", "(- 1.5)"},
      {"'a' \"b\"", "\"ab\""},
      {"None | True | False", "(| None True False)"},
      {"x", "x"},
      {"_", "_"},
      {"a.b.c", "(. (. a b) c)"},
      {"_.x", "(. _ x)"},
      {"(x)", "x"},
      {"((1 | 2) as n)", "(as (| 1 2) n)"},
      {"1 | 2 as n", "(as (| 1 2) n)"},
      {"_ as n", "(as _ n)"},
      {"()", "(sequence)"},
      {"[]", "(sequence)"},
      {"(x,)", "(sequence x)"},
      {"[x]", "(sequence x)"},
      {"x,", "(sequence x)"},
      {"x, *_, [y, *z]", "(sequence x (star _) (sequence y (star z)))"},
      {"*x, 1", "(sequence (star x) 1)"},
      {"(1 as x, [2,],)", "(sequence (as 1 x) (sequence 2))"},
      {"{}", "(mapping)"},
      {"{'a': x, -1: _, None: 2, b.c: [y],}", "(mapping (\"a\" x) ((- 1) _) (None 2) ((. b c) (sequence y)))"},
      {"{'a': 1 | 2 as x, **rest}", "(mapping (\"a\" (as (| 1 2) x)) (dstar rest))"},
      {"{**rest,}", "(mapping (dstar rest))"},
      {"A()", "(class A)"},
      {"a.B(x, 1, c=y, d=[_],)", "(class (. a B) x 1 (= c y) (= d (sequence _)))"},
      {"A(case=match)", "(class A (= case match))"},
      {"_()", "(class _)"},
      {"(x, 1) | [1, x]", "(| (sequence x 1) (sequence 1 x))"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(cell("match s:\n  case " + text + ": pass"), "((match s (case " + expected + " _ ((pass)))))") << text;
  }
}

TEST(Match, Statements) {
  const Case cases[] = {
      {"match x, *y:\n  case 1: a\n  case _ if b: c; d\nz",
       "((match (tuple x (star y)) (case 1 _ ((expr a))) (case _ b ((expr c) (expr d)))) (expr z))"},
      {"match x,:\n  case a if (b := a): pass", "((match (tuple x) (case a (:= b a) ((pass)))))"},
      {"match x := 1:\n\n  # first\n  case 1:\n    a\n    # in a\n  # second\n  case 2:\n    b\n# out",
       "((match (:= x 1) (case 1 _ ((expr a))) (case 2 _ ((expr b)))))"},
      {"match (x):\n  case 1: pass", "((match x (case 1 _ ((pass)))))"},
      {"match [x][0]:\n  case 1: pass", "((match (index (list x) 0) (case 1 _ ((pass)))))"},
      {"match -x:\n  case 1: pass", "((match (- x) (case 1 _ ((pass)))))"},
      {"match not x:\n  case 1: pass", "((match (not x) (case 1 _ ((pass)))))"},
      {"match {}:\n  case 1: pass", "((match (dict) (case 1 _ ((pass)))))"},
      {"match match:\n  case case: case", "((match match (case case _ ((expr case)))))"},
      {"for x in y:\n  match x:\n    case 1: break\n    case 2:\n      continue",
       "((for x y ((match x (case 1 _ ((break))) (case 2 _ ((continue))))) ()))"},
      {"if a:\n  match x:\n    case 1: b\nelse: c", "((if a ((match x (case 1 _ ((expr b))))) ((expr c))))"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(cell(text), expected) << text;
}

TEST(Match, IsANameElsewhere) {
  const Case cases[] = {
      {"match = case = _ = 1", "((assign match case _ 1))"},
      {"match(x)", "((expr (call match x)))"},
      {"match (x).y", "((expr (. (call match x) y)))"},
      {"match[x]: int = 1", "((annotate (index match x) int 1))"},
      {"match: int", "((annotate match int _))"},
      {"match * x, match - 1", "((expr (tuple (* match x) (- match 1))))"},
      {"match not in x", "((expr (compare match not in x)))"},
      {"match.case(_)", "((expr (call (. match case) _)))"},
      {"match if case else _", "((expr (if case match _)))"},
      {"match; case", "((expr match) (expr case))"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(cell(text), expected) << text;
}

// The wording is that of Python 3.11.
TEST(Match, SyntaxErrors) {
  const std::string cases_only = " | below match, write 'case PATTERN:'; 'case _:' takes everything else";
  const auto takes_all = [](const std::string& name) {
    return "name capture '" + name + "' makes remaining patterns unreachable | " + name +
           " | a name alone takes everything: write 'case x if x == " + name + ":', for a class 'case " + name + "():'";
  };
  const Case statements[] = {
      {"match x\n  case 1: pass", "expected ':' | "},
      {"match (x)\n  case 1: pass", "expected ':' | "},
      {"match x", "expected ':' | "},
      {"match x:", "expected an indented block after 'match' statement on line 1 | match"},
      {"match x:\ncase 1: pass", "expected an indented block after 'match' statement on line 1 | case"},
      {"match x: pass", "invalid syntax | pass"},
      {"match x:\n  pass", "invalid syntax | pass" + cases_only},
      {"match x:\n  case 1: pass\n  default: pass", "invalid syntax | default" + cases_only},
      {"match x:\n  case 1: pass\n  else: pass", "invalid syntax | else" + cases_only},
      {"mach x:\n  case 1: pass", "invalid syntax | x | did you mean 'match'?"},
      {"match x:\n  cas 1: pass", "invalid syntax | cas" + cases_only},
      {"match x:\n  case 1: pass\nelse: pass", "invalid syntax | else"},
      {"match *x:\n  case 1: pass", "invalid syntax | :"},
      {"match = lambda:", "invalid syntax | "},
      {"match:\n  case 1: pass", "invalid syntax | "},
      {"case 1: pass", "invalid syntax | 1"},
      {"x = 1; match x:\n  case 1: pass", "invalid syntax | x"},
      {"match x:\n  case 1:\n  y", "expected an indented block after 'case' statement on line 2 | y"},
      {"match x:\n  case 1:", "expected an indented block after 'case' statement on line 2 | case"},
      {"match x:\n  case 1\n    pass", "expected ':' | "},
      {"match x:\n  case a:\n    pass\n  case 2: pass", takes_all("a")},
      {"match x:\n  case (b) as c:\n    pass\n  case 2: pass", takes_all("b")},
      {"match x:\n  case _: pass\n  case 2: pass", "wildcard makes remaining patterns unreachable | _"},
      {"match x:\n  case y if y = 5: pass",
       "invalid syntax. Maybe you meant '==' or ':=' instead of '='? | y = 5 | '==' compares, '=' assigns"},
  };
  for (const auto& [text, expected] : statements) EXPECT_EQ(error(text), "syntax: " + expected) << text;
  const Case patterns[] = {
      {"1 or 2", "invalid syntax | or | write '|'"},
      {"a | 1", takes_all("a")},
      {"[(1 | _ | 2)]", "wildcard makes remaining patterns unreachable | _"},
      {"(1, a) | (b, 2)", "alternative patterns bind different names | (1, a) | (b, 2)"},
      {"a, [a]", "multiple assignments to name 'a' in pattern | a"},
      {"{'x': a, **a}", "multiple assignments to name 'a' in pattern | a"},
      {"*a, *_", "multiple starred names in sequence pattern | *a, *_"},
      {"[*a, 1, *b]", "multiple starred names in sequence pattern | [*a, 1, *b]"},
      {"*a", "invalid syntax | :"},
      {"(*a)", "invalid syntax | )"},
      {"{'a': 1, 'b': 2, 'a': 3}", "mapping pattern checks duplicate key ('a') | {'a': 1, 'b': 2, 'a': 3}"},
      {"{**a, 'b': 1}", "invalid syntax | 'b'"},
      {"{**_}", "invalid syntax | _"},
      {"{a: 1}", "invalid syntax | :"},
      {"{1, 2}", "invalid syntax | ,"},
      {"A(a=1, b=2, a=3)", "attribute name repeated in class pattern: a | 3"},
      {"A(a=1, 2)", "positional patterns follow keyword patterns | 2"},
      {"A(*a)", "invalid syntax | *"},
      {"f'a'", "patterns may only match literals and attribute lookups | f'a'"},
      {"1 as _", "cannot use '_' as a target | _"},
      {"1 as 2", "invalid pattern target | 2"},
      {"1 as a.b", "invalid syntax | ."},
      {"1 as if", "invalid syntax | if | 'if' is a word of the language, choose another name"},
      {"-a", "invalid syntax | a"},
      {"+1", "invalid syntax | +"},
      {"a + 1", "invalid syntax | +"},
      {"> 5", "invalid syntax | >"},
      {"a == 5", "invalid syntax | =="},
      {"a = 5", "invalid syntax | ="},
      {"a[0]", "invalid syntax | ["},
      {"[1 2]", "invalid syntax | 2"},
      {"...", "invalid syntax | ..."},
      {"", "invalid syntax | :"},
  };
  for (const auto& [text, expected] : patterns)
    EXPECT_EQ(error("match x:\n  case " + text + ": pass"), "syntax: " + expected) << text;
  EXPECT_EQ(error("match x:\n  case " + std::string(300, '[')),
            "limit: nested more than 200 deep | [ | give a part of it a name on a line of its own");
}

TEST(Match, Spans) {
  const Source source = source_of("match (a,\n    b):  # c\n  case [x, *_] if x:\n    y\nz");
  const Block block = parse_cell(source, 5);
  EXPECT_EQ(source.slice(block[0].header_span), "match (a,\n    b):");
  EXPECT_EQ(source.slice(block[0].span), "match (a,\n    b):  # c\n  case [x, *_] if x:\n    y");
  const MatchCase& only = std::get<Match>(block[0].node).cases.at(0);
  EXPECT_EQ(source.slice(only.header_span), "case [x, *_] if x:");
  EXPECT_EQ(source.slice(only.pattern.span), "[x, *_]");
  EXPECT_EQ(only.pattern.span.source, 5u);
}

}  // namespace
}  // namespace attn
