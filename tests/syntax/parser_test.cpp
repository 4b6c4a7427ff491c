#include <gtest/gtest.h>

#include <random>

#include "base/limits.h"
#include "parsed.h"

namespace attn {
namespace {

// What ast.parse of Python 3.11 makes of each.
TEST(Parser, Expressions) {
  const Case cases[] = {
      {"1 + 2 * 3", "(+ 1 (* 2 3))"},
      {"(1 + 2) * 3", "(* (+ 1 2) 3)"},
      {"a - b - c", "(- (- a b) c)"},
      {"a - (b - c)", "(- a (- b c))"},
      {"a ** b ** c", "(** a (** b c))"},
      {"(a ** b) ** c", "(** (** a b) c)"},
      {"-a ** 2", "(- (** a 2))"},
      {"2 ** -a", "(** 2 (- a))"},
      {"-a ** -b ** -c", "(- (** a (- (** b (- c)))))"},
      {"~a.b", "(~ (. a b))"},
      {"-a[0]", "(- (index a 0))"},
      {"-1 .real", "(- (. 1 real))"},
      {"+-~a", "(+ (- (~ a)))"},
      {"a @ b * c / d // e % f", "(% (// (/ (* (@ a b) c) d) e) f)"},
      {"a << b + c", "(<< a (+ b c))"},
      {"a & b | c ^ d", "(| (& a b) (^ c d))"},
      {"a | b & c == d", "(compare (| a (& b c)) == d)"},
      {"~a & -b", "(& (~ a) (- b))"},
      {"not a == b", "(not (compare a == b))"},
      {"not not a", "(not (not a))"},
      {"not a and b", "(and (not a) b)"},
      {"a or b and c or d", "(or a (and b c) d)"},
      {"a == b == c", "(compare a == b == c)"},
      {"a < b <= c != d is e is not f in g not in h", "(compare a < b <= c != d is e is not f in g not in h)"},
      {"(a < b) < c", "(compare (compare a < b) < c)"},
      {"a if b else c if d else e", "(if b a (if d c e))"},
      {"(a if b else c) if d else e", "(if d (if b a c) e)"},
      {"a if not b else c", "(if (not b) a c)"},
      {"lambda: 0", "(lambda () 0)"},
      {"lambda x, y=1: x + y", "(lambda ((x) (y = 1)) (+ x y))"},
      {"lambda x: x if x else 1", "(lambda ((x)) (if x x 1))"},
      {"lambda: lambda: 1", "(lambda () (lambda () 1))"},
      {"lambda *a, b=1, c, **d: a", "(lambda ((star a) (kw b = 1) (kw c) (dstar d)) a)"},
      {"lambda a, *, b: a", "(lambda ((a) (star) (kw b)) a)"},
      {"a.b.c(d).e[f](g)", "(call (index (. (call (. (. a b) c) d) e) f) g)"},
      {"f()", "(call f)"},
      {"f(a,)", "(call f a)"},
      {"f(a, b=c)", "(call f a (= b c))"},
      {"f(*a or b, *c, d=1, **e)", "(call f (star (or a b)) (star c) (= d 1) (dstar e))"},
      {"f(**e, d=1)", "(call f (dstar e) (= d 1))"},
      {"f(a=1, *b)", "(call f (= a 1) (star b))"},
      {"f(a for a in b)", "(call f (generator a (for a b)))"},
      {"f((a for b in c), d)", "(call f (generator a (for b c)) d)"},
      {"f(lambda x: x, a if b else c)", "(call f (lambda ((x)) x) (if b a c))"},
      {"a.b ** c.d", "(** (. a b) (. c d))"},
      {"x[0]", "(index x 0)"},
      {"x[a, b]", "(index x (tuple a b))"},
      {"x[1:2]", "(index x (slice 1 2 _))"},
      {"x[:]", "(index x (slice _ _ _))"},
      {"x[::2]", "(index x (slice _ _ 2))"},
      {"x[1:2:3]", "(index x (slice 1 2 3))"},
      {"x[:-1, None, ..., 1:]", "(index x (tuple (slice _ (- 1) _) None ... (slice 1 _ _)))"},
      {"x[1:2,]", "(index x (tuple (slice 1 2 _)))"},
      {"x[mask == 0]", "(index x (compare mask == 0))"},
      {"x[a if b else c : d]", "(index x (slice (if b a c) d _))"},
      {"x[*a]", "(index x (tuple (star a)))"},
      {"(a)", "a"},
      {"(a,)", "(tuple a)"},
      {"()", "(tuple)"},
      {"(a, b)", "(tuple a b)"},
      {"[]", "(list)"},
      {"[a, *b]", "(list a (star b))"},
      {"[a, b,]", "(list a b)"},
      {"{}", "(dict)"},
      {"{1}", "(set 1)"},
      {"b'a' B'\\x41\\u'", R"((call (. "aA\\u" encode) "latin-1"))"},
      {"{*a, b}", "(set (star a) b)"},
      {"{a: b}", "(dict (a b))"},
      {"{**a, 'b': 1}", R"((dict (dstar a) ("b" 1)))"},
      {"[x for x in y]", "(listcomp x (for x y))"},
      {"[x for x in y if a if b for z in x]", "(listcomp x (for x y (if a) (if b)) (for z x))"},
      {"[a for a, (b, *c) in d]", "(listcomp a (for (tuple a (tuple b (star c))) d))"},
      {"[x for x in a or b]", "(listcomp x (for x (or a b)))"},
      {"[[y for y in x] for x in z]", "(listcomp (listcomp y (for y x)) (for x z))"},
      {"{a for a in b}", "(setcomp a (for a b))"},
      {"{a: b for a, b in c}", "(dictcomp a b (for (tuple a b) c))"},
      {"(a for a in b)", "(generator a (for a b))"},
      {"None", "None"},
      {"True", "True"},
      {"False", "False"},
      {"...", "..."},
      {"0", "0"},
      {"1_000", "1000"},
      {"0xFF", "255"},
      {"0o17", "15"},
      {"0b1_01", "5"},
      {"0xfor x", "(or 15 x)"},
      {"1if x else 2", "(if x 1 2)"},
      {"9223372036854775807", "9223372036854775807"},
      {"1.5", "1.5"},
      {"1.", "1.0"},
      {".5", "0.5"},
      {"1e5", "100000.0"},
      {"1_0.0_1e+1_0", "100100000000.0"},
      {"09.5", "9.5"},
      {"1e400", "inf"},
      {"1..real", "(. 1.0 real)"},
      {"'a'", R"("a")"},
      {R"("it's")", R"("it's")"},
      {R"("""a"b""")", R"("a\"b")"},
      {R"('a' "b" r'\c')", R"("ab\\c")"},
      {R"(r'\n')", R"("\\n")"},
      {R"('\n\t\\\'\x41\u00e9\U0001F600\101\q')", "\"\\n\t\\\\'Aé😀A\\\\q\""},
      {"''", R"("")"},
      {"u'a'", R"("a")"},
      {"f''", "(fstring)"},
      {"f'a'", R"((fstring "a"))"},
      {"f'{a}'", "(fstring (field a))"},
      {"f'{{{a}}}'", R"((fstring "{" (field a) "}"))"},
      {"f'{a}{b!r}{c:>10}{d!s:{w}.{p}f}'",
       R"((fstring (field a) (field b !r) (field c :(fstring ">10")) (field d !s :(fstring (field w) "." (field p) "f"))))"},
      {"'a' f'{b}' 'c{}'", R"((fstring "a" (field b) "c{}"))"},
      {R"(f'{a["x"]}{a[1:2]}')", R"((fstring (field (index a "x")) (field (index a (slice 1 2 _)))))"},
      {"f'{a if b else c}'", "(fstring (field (if b a c)))"},
      {"f'{a!=b}{a>=b}{a<b}'", "(fstring (field (compare a != b)) (field (compare a >= b)) (field (compare a < b)))"},
      {"f'{(lambda x: x)(1)}'", "(fstring (field (call (lambda ((x)) x) 1)))"},
      {"f'{a:=10}'", R"((fstring (field a :(fstring "=10"))))"},
      {"f'{ {1: 2}[1] }'", "(fstring (field (index (dict (1 2)) 1)))"},
      {"f'{a, b}'", "(fstring (field (tuple a b)))"},
      {R"(rf'\n{a}')", R"((fstring "\\n" (field a)))"},
      {R"(f'\n{a}\x41')", R"((fstring "\n" (field a) "A"))"},
      {R"(f'{f"{a}"}')", "(fstring (field (fstring (field a))))"},
      {"a, b", "(tuple a b)"},
      {"a,", "(tuple a)"},
      {"*a, b", "(tuple (star a) b)"},
      {"한글 + é", "(+ 한글 é)"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(expression(text), expected) << text;
}

TEST(Parser, Statements) {
  const Case cases[] = {
      {"a = b", "((assign a b))"},
      {"a = b = c", "((assign a b c))"},
      {"a, b = c", "((assign (tuple a b) c))"},
      {"(a, [b, *c]) = d", "((assign (tuple a (list b (star c))) d))"},
      {"a.b = c", "((assign (. a b) c))"},
      {"a[0, 1:] = b", "((assign (index a (tuple 0 (slice 1 _ _))) b))"},
      {"x = (y) = z", "((assign x y z))"},
      {"a = *b, c", "((assign a (tuple (star b) c)))"},
      {"() = a", "((assign (tuple) a))"},
      {"a += 1", "((+= a 1))"},
      {"a.b -= b, c", "((-= (. a b) (tuple b c)))"},
      {"a[0] **= 2", "((**= (index a 0) 2))"},
      {"a //= 1; b @= 2; c >>= 3; d &= 4", "((//= a 1) (@= b 2) (>>= c 3) (&= d 4))"},
      {"a: int", "((annotate a int _))"},
      {"a: int = b, c", "((annotate a int (tuple b c)))"},
      {"a.b: c = d", "((annotate (. a b) c d))"},
      {"(a): b", "((annotate a b _))"},
      {"assert a", "((assert a _))"},
      {"assert a, b", "((assert a b))"},
      {"pass; pass;", "((pass) (pass))"},
      {"if a: b; c", "((if a ((expr b) (expr c)) ()))"},
      {"if a:\n  b\nelif c:\n  d\nelif e: f\nelse:\n  g",
       "((if a ((expr b)) ((if c ((expr d)) ((if e ((expr f)) ((expr g))))))))"},
      {"if a:\n  if b:\n    c\n  else:\n    d\nelse: e", "((if a ((if b ((expr c)) ((expr d)))) ((expr e))))"},
      {"for a in b: c", "((for a b ((expr c)) ()))"},
      {"for a, b in c, d:\n  break\n  continue\nelse:\n  e",
       "((for (tuple a b) (tuple c d) ((break) (continue)) ((expr e))))"},
      {"for (a, b), *c in d: e", "((for (tuple (tuple a b) (star c)) d ((expr e)) ()))"},
      {"for a, in b: c", "((for (tuple a) b ((expr c)) ()))"},
      {"for a.b in c:\n\tfor d[0] in e:\n\t\tf\n\tg\nh",
       "((for (. a b) c ((for (index d 0) e ((expr f)) ()) (expr g)) ()) (expr h))"},
      {"import torch", "((import (torch as torch)))"},
      {"import torch.nn", "((import (torch.nn as torch)))"},
      {"import torch.nn as nn, math", "((import (torch.nn as nn) (math as math)))"},
      {"from torch import *", "((import (torch:* as )))"},
      {"from . import a", "((import (.:a as a)))"},
      {"from ...a.b import c as d", "((import (...a.b:c as d)))"},
      {"from torch import nn, Tensor", "((import (torch:nn as nn) (torch:Tensor as Tensor)))"},
      {"from torch.nn import (\n  functional as F,\n  Linear,\n)",
       "((import (torch.nn:functional as F) (torch.nn:Linear as Linear)))"},
      {"a = (\n1 +  # one\n2)", "((assign a (+ 1 2)))"},
      {"a = 1 + \\\n 2", "((assign a (+ 1 2)))"},
      {"\n\na\n\n# c\nb # d", "((expr a) (expr b))"},
      {"if a:\n\n # x\n  b\n # y\n\nc", "((if a ((expr b)) ()) (expr c))"},
      {"if a:\r\n  b\r\nc\r\n", "((if a ((expr b)) ()) (expr c))"},
      {"a\rb", "((expr a) (expr b))"},
      {"\fa", "((expr a))"},
      {"  # only", "()"},
      {"", "()"},
      {"match = print", "((assign match print))"},
      {"match(a)", "((expr (call match a)))"},
      {"'''doc\nstring'''", R"(((expr "doc\nstring")))"},
      {"if (a ==\n    b):\n  c", "((if (compare a == b) ((expr c)) ()))"},
      {"x = [\n  1,\n\n# in brackets\n  2,\n]", "((assign x (list 1 2)))"},
      {"if a:\n  b\n  # last\nelse:\n  c", "((if a ((expr b)) ((expr c))))"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(cell(text), expected) << text;
}

TEST(Parser, FunctionsThatYield) {
  const std::pair<const char*, const char*> cases[] = {
      {"yield", "(yield)"},
      {"if (a := (yield)): b", "(:= a (yield))"},
      {"yield x, y", "(yield (tuple x y))"},
      {"yield from f(x)", "(yield-from (call f x))"},
      {"y = yield x", "(assign y (yield x))"},
      {"y = (yield) or 1", "(assign y (or (yield) 1))"},
  };
  for (const auto& [code, expected] : cases) {
    const Block block = parse_cell(source_of(std::string("def f():\n  ") + code));
    const FunctionDef& function = std::get<FunctionDef>(block[0].node);
    EXPECT_TRUE(function.is_generator);
    const std::string text = to_sexpr(*function.body);
    EXPECT_NE(text.find(expected), std::string::npos) << text;
  }
  const Block nested = parse_cell(source_of("def f():\n  def g():\n    yield 1\n  return g"));
  EXPECT_FALSE(std::get<FunctionDef>(nested[0].node).is_generator);
}

TEST(Parser, SelfDocumentingFieldsKeepTheirText) {
  const Case cases[] = {
      {"f'{a=}'", "(fstring (field a !r label \"a=\"))"},
      {"f'{ a = }'", "(fstring (field a !r label \" a = \"))"},
      {"f'{a=!s}'", "(fstring (field a !s label \"a=\"))"},
      {"f'{a=:.3f}'", "(fstring (field a :(fstring \".3f\") label \"a=\"))"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(expression(text), expected) << text;
}

TEST(Parser, AxisComments) {
  const Case cases[] = {
      {"x = f(y)  # [batch_size, 4]\n", "((assign x (call f y) # [batch_size, 4]))"},
      {"x = f(\n  y,  # (1, 2)\n)  # (b, t)", "((assign x (call f y) # [b, t]))"},
      {"a = 1; b = 2  # [3, 4]", "((assign a 1) (assign b 2 # [3, 4]))"},
      {"x = y  # only prose", "((assign x y))"},
      {"# K: [b, t]\n# axis t: words\n", "((note K: [b, t]) (note axis t: words))"},
      {"x = y\n# [b, t]\n", "((assign x y))"},
      {"for a in b:  # [b, t]\n  # a: [t]\n  c = a  # [t, 2]\n  # c: [t, 2]\n# d: [2, t]\ne",
       "((for a b ((note a: [t]) (assign c a # [t, 2]) (note c: [t, 2])) ()) (note d: [2, t]) (expr e))"},
      {"if a:\n  b\n# K: [b, t]\nelse:\n  c", "((if a ((expr b) (note K: [b, t])) ((expr c))))"},
      {"if a:\n  if b:\n    c\n    # K: [1, 2]\n  # L: [1, 2]",
       "((if a ((if b ((expr c) (note K: [1, 2])) ()) "
       "(note L: [1, 2])) ()))"},
      {"if a: b = c  # [3, 4]", "((if a ((assign b c # [3, 4])) ()))"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(cell(text), expected) << text;
  const Source source = source_of("x = y  #  [b, t] ");
  const Block block = parse_cell(source);
  EXPECT_EQ(source.slice(block[0].comment->span), "[b, t]");
}

TEST(Parser, SpansOfStatements) {
  const Source source = source_of("# K: [a, b]\nfor i in x :\n  a = (1,\n    2) # c\n  b\nelse:\n  c\n\nd");
  const Block block = parse_cell(source, 7);
  EXPECT_EQ(source.slice(block[0].span), "K: [a, b]");
  EXPECT_EQ(source.slice(block[1].span), "for i in x :\n  a = (1,\n    2) # c\n  b\nelse:\n  c");
  EXPECT_EQ(source.slice(block[1].header_span), "for i in x :");
  EXPECT_EQ(block[1].span.source, 7u);
  const For& loop = std::get<For>(block[1].node);
  EXPECT_EQ(source.slice(loop.body[0].span), "a = (1,\n    2)");
  EXPECT_EQ(loop.body[0].header_span, loop.body[0].span);
  EXPECT_EQ(source.slice(block[2].span), "d");
}

TEST(Parser, SpansOfExpressions) {
  const Source source = source_of("(a + b).view(2, n=c[1:, 0]) // -(d)");
  const ExprPtr expr = parse_expression(source, 3);
  EXPECT_EQ(source.slice(expr->span), source.text);
  const Binary& division = std::get<Binary>(expr->node);
  EXPECT_EQ(source.slice(division.op_span), "//");
  EXPECT_EQ(source.slice(division.left->span), "(a + b).view(2, n=c[1:, 0])");
  EXPECT_EQ(source.slice(division.right->span), "-(d)");
  const Call& call = std::get<Call>(division.left->node);
  const Attribute& attribute = std::get<Attribute>(call.function->node);
  EXPECT_EQ(source.slice(attribute.object->span), "a + b");
  EXPECT_EQ(source.slice(attribute.name_span), "view");
  EXPECT_EQ(attribute.name_span.source, 3u);
  const Subscript& subscript = std::get<Subscript>(call.arguments[1].value->node);
  EXPECT_EQ(source.slice(subscript.index->span), "1:, 0");
}

TEST(Parser, SpansInsideOfFStrings) {
  const Source source = source_of("x = 'é' f'é{ key.shape }{a:{width + 1}}'");
  const Block block = parse_cell(source);
  const FString& string = std::get<FString>(std::get<Assign>(block[0].node).value->node);
  const auto& first = std::get<FStringField>(string.parts[1]);
  EXPECT_EQ(source.slice(first.expression->span), "key.shape");
  const auto& inner = std::get<FStringField>(std::get<FStringField>(string.parts[2]).format->parts[0]);
  EXPECT_EQ(source.slice(inner.expression->span), "width + 1");
}

// The wording is that of Python 3.11 but where a hint or an Unsupported says more.
TEST(Parser, SyntaxErrors) {
  const Case cases[] = {
      {"1 = x", "cannot assign to literal here. Maybe you meant '==' instead of '='? | 1"},
      {"f() = 1", "cannot assign to function call here. Maybe you meant '==' instead of '='? | f()"},
      {"a, 1 = 2", "cannot assign to literal here. Maybe you meant '==' instead of '='? | 1"},
      {"(a, 1) = 2", "cannot assign to literal | 1"},
      {"None = 1", "cannot assign to None | None"},
      {"a < b = c", "cannot assign to comparison | a < b"},
      {"a and b = 1", "cannot assign to expression | a and b"},
      {"x = 1 = y", "cannot assign to literal | 1"},
      {"(x for x in y) = 1", "cannot assign to generator expression | (x for x in y)"},
      {"a if b else c = 1", "cannot assign to conditional expression | a if b else c"},
      {"*a = b", "starred assignment target must be in a list or tuple | *a"},
      {"*a, *b = c", "multiple starred expressions in assignment | *a, *b"},
      {"x = *a", "can't use starred expression here | *a"},
      {"(*a)", "cannot use starred expression here | *a"},
      {"1 += 2", "'literal' is an illegal expression for augmented assignment | 1"},
      {"a, b += 1", "'tuple' is an illegal expression for augmented assignment | a, b"},
      {"1: int", "illegal target for annotation | 1"},
      {"(a, b): int", "only single target (not tuple) can be annotated | (a, b)"},
      {"for 1 in x: pass", "cannot assign to literal | 1"},
      {"[x for f() in y]", "cannot assign to function call | f()"},
      {"f(1=2)", "expression cannot contain assignment, perhaps you meant \"==\"? | 1="},
      {"f(True=1)", "cannot assign to True | True="},
      {"f(a=1, b)", "positional argument follows keyword argument | b"},
      {"f(**a, b)", "positional argument follows keyword argument unpacking | b"},
      {"f(**a, *b)", "iterable argument unpacking follows keyword argument unpacking | *b"},
      {"f(a=1, a=2)", "keyword argument repeated: a | a=2"},
      {"f(x for x in y, 1)", "Generator expression must be parenthesized | x for x in y"},
      {"f(1, x for x in y)", "Generator expression must be parenthesized | x for x in y"},
      {"if x = 3: pass",
       "invalid syntax. Maybe you meant '==' or ':=' instead of '='? | x = 3 | '==' compares, '=' assigns"},
      {"if x.y = 3: pass",
       "cannot assign to attribute here. Maybe you meant '==' instead of '='? | x.y | '==' compares, '=' assigns"},
      {"[*a for a in b]", "iterable unpacking cannot be used in comprehension | *a"},
      {"{**a for a in b}", "dict unpacking cannot be used in dict comprehension | **a"},
      {"[x, y for x in z]", "did you forget parentheses around the comprehension target? | x, y"},
      {"{1: 2, 3}", "':' expected after dictionary key | 3"},
      {"{1:}", "expression expected after dictionary key and ':' | :"},
      {"{1: *a}", "cannot use a starred expression in a dictionary value | *a"},
      {"x[]", "invalid syntax | ]"},
      {"x[1:2:3:4]", "invalid syntax | :"},
      {"lambda x, x: 1", "duplicate argument 'x' in function definition | x"},
      {"lambda x=1, y: 1", "non-default argument follows default argument | y"},
      {"lambda *: 1", "named arguments must follow bare * | *"},
      {"lambda **k, a: 1", "arguments cannot follow var-keyword argument | a"},
      {"lambda *a, *b: 1", "* argument may appear only once | *"},
      {"break", "'break' outside loop | break"},
      {"for a in b: c\nelse: continue", "'continue' not properly in loop | continue"},
      {"def f():\n  from a import *", "import * only allowed at module level | *"},
      {"from a import b,", "trailing comma not allowed without surrounding parentheses | ,"},
      {"import a.b as c.d", "invalid syntax | ."},
      {"x = ", "invalid syntax | "},
      {"a not b", "invalid syntax | not"},
      {"1 + not a", "invalid syntax | not | put the part that begins with 'not' in brackets"},
      {"x = 1 if 2", "expected 'else' after 'if' expression | 1 if 2"},
      {"(a b)", "invalid syntax. Perhaps you forgot a comma? | a b"},
      {"f(a, b=c d)", "invalid syntax. Perhaps you forgot a comma? | b=c d"},
      {"[1 2]", "invalid syntax. Perhaps you forgot a comma? | 1 2"},
      {"{1: 2 3: 4}", "invalid syntax. Perhaps you forgot a comma? | 1: 2 3"},
      {"x[1 2]", "invalid syntax. Perhaps you forgot a comma? | 1 2"},
      {"a b", "invalid syntax | b"},
      {"print a", "Missing parentheses in call to 'print'. Did you mean print(...)? | print a"},
      {"if x\n  a", "expected ':' | "},
      {"if x == 3 print(x)", "expected ':' | print"},
      {"if x: pass\nelse if y: pass", "expected ':' | if | write 'elif'"},
      {"\nif x:\na", "expected an indented block after 'if' statement on line 2 | a"},
      {"for x in y:\n\n# c\nz", "expected an indented block after 'for' statement on line 1 | z"},
      {"for x in y:\n  z\nelse:", "expected an indented block after 'else' statement on line 3 | else"},
      {"  a", "unexpected indent |   "},
      {"if x:\n    a\n  b", "unindent does not match any outer indentation level |   "},
      {"if x:\n\ta\n        b", "inconsistent use of tabs and spaces in indentation |         "},
      {"if x: if y: pass", "invalid syntax | if | write it on a line of its own"},
      {"else: pass", "invalid syntax | else"},
      {"x = (1, 2", "'(' was never closed | ("},
      {"x = [1, 2\ny = 3\n", "'[' was never closed | ["},
      {"x = (a,\n b c)", "invalid syntax. Perhaps you forgot a comma? | b c"},
      {"x = )", "unmatched ')' | )"},
      {"x = (1]", "closing parenthesis ']' does not match opening parenthesis '(' | ]"},
      {"x = (\n1]", "closing parenthesis ']' does not match opening parenthesis '(' on line 1 | ]"},
      {"x = $", "invalid syntax | $"},
      {"a = 'b\nc = '", "unterminated string literal (detected at line 1) | '"},
      {"a = = 'b", "invalid syntax | ="},
      {"fro i in range(3): pass", "invalid syntax | i | did you mean 'for'?"},
      {"form torch import nn", "invalid syntax | torch | did you mean 'from'?"},
      {"improt torch", "invalid syntax | torch | did you mean 'import'?"},
      {"for i im range(3): pass", "invalid syntax | im | did you mean 'in'?"},
      {"for i in x:\n  a\nesle:\n  b", "invalid syntax |  | did you mean 'else'?"},
      {"for class in x: pass", "invalid syntax | class"},
      {"import class", "invalid syntax | class | 'class' is a word of the language, choose another name"},
      {"a && b", "invalid syntax | & | write 'and'"},
      {"a <> b", "invalid syntax | > | write '!='"},
      {"x = !y", "invalid syntax | ! | write 'not'"},
      {"x++", "invalid syntax | "},
      {"1 1", "invalid syntax | 1"},
      {"b'a' 'b'", "cannot mix bytes and nonbytes literals | b'a'"},
      {"b'\u00e9'", "bytes can only contain ASCII literal characters | \u00e9"},
      {"'\\x1'",
       "(unicode error) 'unicodeescape' codec can't decode bytes in position 0-2: truncated \\xXX escape | \\x1"},
      {"'a\\U00110000'",
       "(unicode error) 'unicodeescape' codec can't decode bytes in position 1-10: illegal Unicode character | "
       "\\U00110000"},
      {"f'{'", "f-string: expecting '}' | '"},
      {"f'{}'", "f-string: empty expression not allowed | }"},
      {"f'a}'", "f-string: single '}' is not allowed | }"},
      {"f'{a!x}'", "f-string: invalid conversion character: expected 's', 'r', or 'a' | !"},
      {"f'{a!r }'", "f-string: expecting '}' |  "},
      {"f'{a:{b:{c}}}'", "f-string: expressions nested too deeply | {"},
      {"f'{a\\n}'", "f-string expression part cannot include a backslash | \\"},
      {"f'{a#}'", "f-string expression part cannot include '#' | #"},
      {"f'{(a}'", "f-string: closing parenthesis '}' does not match opening parenthesis '(' | }"},
      {"f'{a)}'", "f-string: unmatched ')' | )"},
      {"f'{a b}'", "invalid syntax | b"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(error(text), "syntax: " + expected) << text;
}

TEST(Parser, IndentationErrorsHaveTheirPythonType) {
  const Case cases[] = {{"  a", "IndentationError"},
                        {"if a:\nb", "IndentationError"},
                        {"if a:\n  b\n c", "IndentationError"},
                        {"if a:\n\tb\n        c", "TabError"},
                        {"a b", "SyntaxError"}};
  for (const auto& [text, expected] : cases) {
    try {
      parse_cell(source_of(text));
      ADD_FAILURE() << text;
    } catch (const CellError& raised) {
      EXPECT_EQ(raised.type(), expected) << text;
    }
  }
}

TEST(Parser, UnsupportedNamesTheNearestForm) {
  const Case cases[] = {
      {"async def f(): pass", "'async' is not supported | async | leave 'async' out"},
      {"@a\nasync def f(): pass", "'async' is not supported | async | leave 'async' out"},
      {"async with a: pass", "'async' is not supported | async | leave 'async' out"},
      {"try: a\nexcept* A: b", "'except*' is not supported | * | write 'except' without the star"},
      {"x = await y", "'await' is not supported | await | call the function without it"},
      {"[x async for x in y]", "'async' is not supported | async | write 'for' alone"},
      {"'\\N{DASH}'", "\\N{...} is not supported | \\N | write the character itself, or \\uXXXX with its number"},
      {"9223372036854775808",
       "an int of more than 64 bits is not supported | 9223372036854775808 | write a float, such as 1e19, or stay "
       "within int64: at most 9223372036854775807"},
      {"0xffffffffffffffff",
       "an int of more than 64 bits is not supported | 0xffffffffffffffff | write a float, such as 1e19, or stay "
       "within int64: at most 9223372036854775807"},
      {"a\n%matplotlib inline\n",
       "a line that begins with % or ! is a command of the notebook, not Python | %matplotlib inline | delete the "
       "line"},
      {"!pip install \"x",
       "a line that begins with % or ! is a command of the notebook, not Python | !pip install \"x | delete the line"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(error(text), "unsupported: " + expected) << text;
}

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Parser, LimitsKeepTheTreeShallow) {
  const int many = 100'000;
  const Case cases[] = {
      {repeated("(", 5000) + "1" + repeated(")", 5000), "brackets are nested more than 200 deep"},
      {repeated("[", 10 * many), "brackets are nested more than 200 deep"},
      {repeated("-", 10 * many) + "1", "nested more than 200 deep"},
      {repeated("not ", many) + "1", "nested more than 200 deep"},
      {repeated("2 ** ", many) + "1", "nested more than 200 deep"},
      {repeated("a if b else ", many) + "c", "nested more than 200 deep"},
      {repeated("lambda: ", many) + "1", "nested more than 200 deep"},
      {"[a " + repeated("for a in b ", many) + "]", "nested more than 200 deep"},
      {"if a: b\n" + repeated("elif a: b\n", many), "nested more than 200 deep"},
      {repeated("lambda a=", many) + "1", "nested more than 200 deep"},
      {"a" + repeated(".T", many), "this expression is a chain of more than 1000 operations"},
      {"f" + repeated("()", many), "this expression is a chain of more than 1000 operations"},
      {"1" + repeated(" + 1", many), "this expression is a chain of more than 1000 operations"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(error(text).substr(0, 7 + expected.size()), "limit: " + expected) << text.substr(0, 20);
  }
  std::string blocks;
  for (int i = 0; i < 300; ++i) blocks += std::string(static_cast<std::size_t>(i), ' ') + "if a:\n";
  EXPECT_EQ(error(blocks).substr(0, 32), "limit: nested more than 200 deep");
  for (const char* header : {"def f():\n", "class A:\n", "while a:\n", "with a:\n", "try:\n"}) {
    blocks.clear();
    for (int i = 0; i < 300; ++i) blocks += std::string(static_cast<std::size_t>(i), ' ') + header;
    EXPECT_EQ(error(blocks).substr(0, 32), "limit: nested more than 200 deep") << header;
  }
}

TEST(Parser, WhatIsWithinTheLimitsPasses) {
  const int deep = kMaxNesting - 1;
  EXPECT_EQ(expression(repeated("(", deep) + "1" + repeated(")", deep)), "1");
  EXPECT_EQ(parse_expression(source_of("1" + repeated(" + 1", kMaxTreeDepth - 1)))->depth, kMaxTreeDepth);
  EXPECT_NO_THROW(parse_expression(source_of("a" + repeated(" or a", 10'000))));
  EXPECT_NO_THROW(parse_expression(source_of("[" + repeated("1, ", 10'000) + "]")));
  EXPECT_NO_THROW(parse_cell(source_of(repeated("@a\n", 10'000) + "def f(): pass")));
  EXPECT_NO_THROW(parse_cell(source_of("try: a\n" + repeated("except A: b\n", 10'000))));
}

TEST(Parser, ExpressionsMustUseUpTheText) {
  EXPECT_EQ(expression("\n  a +\n b  # c\n"), "(+ a b)");
  const auto parse = [](const Source& source) { return parse_expression(source); };
  EXPECT_EQ(error_of("a b", parse), "syntax: invalid syntax | b");
  EXPECT_EQ(error_of("a = 1", parse), "syntax: invalid syntax | =");
  EXPECT_EQ(error_of("", parse), "syntax: invalid syntax | ");
  EXPECT_EQ(error_of("*a", parse), "syntax: can't use starred expression here | *a");
}

TEST(Parser, Fields) {
  const Case cases[] = {
      {"energy.mean():.3f", "(fstring (field (call (. energy mean)) :(fstring \".3f\")))"},
      {" list(a.shape) ", "(fstring (field (call list (. a shape))))"},
      {"name!r", "(fstring (field name !r))"},
      {"a[1:2, {'b': 3}['b']]", "(fstring (field (index a (tuple (slice 1 2 _) (index (dict (\"b\" 3)) \"b\")))))"},
      {"a!s:>{w}", "(fstring (field a !s :(fstring \">\" (field w))))"},
      {"a:", "(fstring (field a :(fstring)))"},
      {"a=", "(fstring (field a !r label \"a=\"))"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(to_sexpr(*parse_field(source_of(text))), expected) << text;
  const Case wrong[] = {
      {"", "f-string: empty expression not allowed | "},
      {"a}", "f-string: single '}' is not allowed | }"},
      {"a}b", "f-string: single '}' is not allowed | }"},
      {"a:}", "f-string: single '}' is not allowed | }"},
      {"a:{b", "f-string: expecting '}' | "},
      {"a!x", "f-string: invalid conversion character: expected 's', 'r', or 'a' | !"},
      {"a b", "invalid syntax | b"},
      {"{a", "'{' was never closed | {"},
  };
  for (const auto& [text, expected] : wrong) {
    EXPECT_EQ(error_of(text, [](const Source& s) { return parse_field(s); }), "syntax: " + expected) << text;
  }
}

TEST(Parser, IsIncompleteAsPythonsPrompt) {
  for (const char* text : {"(",
                           "f(1,",
                           "x = [1,\n2",
                           "{'a':",
                           "'''abc",
                           "f\"\"\"{a}\n",
                           "a = \\\n",
                           "if a:",
                           "if a:\n",
                           "if a:\n  b",
                           "if a: b",
                           "for a in b:\n  if c:\n    d",
                           "if a:\n  b\nelse:",
                           "if a:\n  f(",
                           "for a in b:  # c",
                           "def f(",
                           "def f():",
                           "def f(a,\n",
                           "class A:\n",
                           "class A:\n  def f(self):\n    pass",
                           "@a",
                           "@a\n# b\n",
                           "@a\ndef f():",
                           "match a:",
                           "match a:\n  case b:",
                           "match a:\n  case b: c",
                           "match a:\n  case [b,",
                           "while a:\n  b",
                           "with a as b:",
                           "with (a as b,",
                           "try:",
                           "try:\n  a",
                           "try:\n  a\nexcept A:",
                           "try: a\nfinally:\n  b"}) {
    EXPECT_TRUE(is_incomplete(text)) << text;
  }
  for (const char* text : {"",
                           "a",
                           "a = ",
                           "'abc",
                           "if a:\n  b\n",
                           "if a: b\n",
                           "match(a)",
                           "match a:\n  case b: c\n",
                           "a b (",
                           "x = )",
                           "(]",
                           "if a b:",
                           "f(a)\n",
                           "# c",
                           "for a in b:\n  c\n\nd",
                           "def f()",
                           "def f():\n  a\n",
                           "@a\ndef f(): pass\n",
                           "try:\n  a\nb",
                           "@a\nb",
                           "return",
                           "if a:\n  b = = (\n"}) {
    EXPECT_FALSE(is_incomplete(text)) << text;
  }
}

/// Whatever the bytes, there is a tree or one CellError whose span lies in the text.
void survives(const std::string& text) {
  const Source source = source_of(text);
  const auto attempt = [&source](auto parse) {
    try {
      parse(source);
    } catch (const CellError& raised) {
      const Span span = raised.diagnostic().span;
      EXPECT_LE(span.begin, span.end) << source.text;
      EXPECT_LE(span.end, source.text.size()) << source.text;
      EXPECT_FALSE(raised.diagnostic().message.empty()) << source.text;
    }
  };
  attempt([](const Source& s) { to_sexpr(parse_cell(s)); });
  attempt([](const Source& s) {
    if (const auto error = read_cell(s, 0, true).error) throw *error;
  });
  attempt([](const Source& s) { to_sexpr(*parse_expression(s)); });
  attempt([](const Source& s) { to_sexpr(*parse_field(s)); });
  is_incomplete(text);
}

TEST(Parser, SurvivesAnyBytes) {
  const std::string seeds[] = {
      "for i, (a, *b) in enumerate(x[1:, ..., None]):\n    y = f'{a!r:>{w}} {b=}' 'c'  # [b, t]\n    # K: (b, "
      "t)\nelse:\n"
      "    z: int = lambda q, *r, s=1, **t: q if r else [u for u in s if u]\n",
      "if a == 1 and not b in c:\n\tx, y = {'k': 1, **d}, {1, *e}\nelif f(x, *g, k=2, **h)[0].T ** -1:\n\tx @= 0x1F\n",
      "from torch.nn import (functional as F, Linear)\nassert q.shape == (3, 4), rf'\\d{q}'\n'''a\nb''' "
      "\"\\u00e9\"\r\n",
      "@a.b(c)\n# d\ndef f(a: int, b=1, /, *c, d: 'e' = 2, **g) -> None:\n    '''h'''\n    global i, j\n"
      "    def k():\n        nonlocal l; del m, (n, o[p])\n        return *q, r\nclass A(B, metaclass=C): x: int = 1\n",
      "try:\n  while a:\n    raise b from c\n  else: d\n# e\nexcept (A, B) as f: pass\nexcept: g\nelse:\n"
      "  with (h as i, j as (k, l),):\n    m\n  with n as o, p: break\nfinally:\n  continue\n",
      "{{{energy.mean():.3f}}} '\xed\x95\x9c' \xe2\x80\xae 1_000.5e-3 # axis key_len: words\n"};
  const std::string pieces[] = {"(",       ")",
                                "[",       "]",
                                "{",       "}",
                                "'",       "\"",
                                "\\",      "\n",
                                "\n  ",    "\t",
                                "#",       "f'{",
                                "}'",      ":",
                                "=",       ",",
                                " if ",    " for ",
                                " in ",    "lambda ",
                                "*",       "**",
                                "\xff",    std::string(1, '\0'),
                                "0x",      "1e",
                                "'''",     "!",
                                "%",       ";",
                                ".",       " not ",
                                "\r",      ":=",
                                "@",       "\xc2",
                                "def ",    "class ",
                                "try:",    "except ",
                                "with ",   " as ",
                                "->",      "/",
                                "return ", "%%",
                                "while "};
  std::mt19937 random(1);
  const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  for (int round = 0; round < 4000; ++round) {
    std::string text = seeds[below(std::size(seeds))];
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
      const std::size_t at = below(text.size() + 1);
      const std::size_t kind = below(4);
      if (kind == 0) text.erase(at, below(8));
      else if (kind == 1) text.insert(at, pieces[below(std::size(pieces))]);
      else if (kind == 2) text.resize(at);
      else if (at < text.size()) text[at] = static_cast<char>(below(256));
    }
    survives(text);
  }
  for (int round = 0; round < 2000; ++round) {
    std::string soup;
    for (std::size_t length = below(12); length > 0; --length) soup += pieces[below(std::size(pieces))];
    survives(soup);
    std::string bytes(below(30), '\0');
    for (char& byte : bytes) byte = static_cast<char>(below(256));
    survives(bytes);
  }
}

// A statement of three tokens and its own look: Ctrl-C ends the reading of a long line, and a prompt that asks whether
// its line is complete is not disturbed.
TEST(Parser, HearsCtrlCBetweenTokensAndStatements) {
  std::string text;
  for (int statement = 0; statement < 1000; ++statement) text += "x=1;";
  const LimitScope scope{Limits{}};
  std::int64_t looks = 1;
  counted_looks = &looks;
  request_interrupt();
  parse_cell(source_of(text));
  EXPECT_GT(looks, 5000);
  looks = -5000;
  EXPECT_THROW(parse_cell(source_of(text)), LimitReached);
  looks = -1;
  EXPECT_FALSE(is_incomplete(text));
  clear_interrupt();
  counted_looks = nullptr;
}

}  // namespace
}  // namespace attn
