// def, class, while, try, with, and the simple statements that belong to them; and the commands of notebooks.
#include <gtest/gtest.h>

#include "parsed.h"

namespace attn {
namespace {

// What ast.parse of Python 3.11 makes of each.
TEST(Compound, Statements) {
  const Case cases[] = {
      {"def f(): pass", "((def f () _ ((pass))))"},
      {"def f(x): return x", "((def f ((x)) _ ((return x))))"},
      {"def f(a, b=1, /, c=2, *d, e, f=3, **g): pass",
       "((def f ((pos a) (pos b = 1) (c = 2) (star d) (kw e) (kw f = 3) (dstar g)) _ ((pass))))"},
      {"def f(a, /): pass", "((def f ((pos a)) _ ((pass))))"},
      {"def f(a, /, *, b): pass", "((def f ((pos a) (star) (kw b)) _ ((pass))))"},
      {"def f(*, a=1, b): pass", "((def f ((star) (kw a = 1) (kw b)) _ ((pass))))"},
      {"def f(*args: int, **kwargs: str) -> None: pass",
       "((def f ((star args : int) (dstar kwargs : str)) None ((pass))))"},
      {"def f(*args: *Ts): pass", "((def f ((star args : (star Ts))) _ ((pass))))"},
      {"def f(a, b,): pass", "((def f ((a) (b)) _ ((pass))))"},
      {"def f(**a,): pass", "((def f ((dstar a)) _ ((pass))))"},
      {"def f(x: \"(B, T)\" = None, *, k: Dict[str, int] = {}) -> Tuple[int, ...]: ...",
       "((def f ((x : \"(B, T)\" = None) (star) (kw k : (index Dict (tuple str int)) = (dict))) (index Tuple (tuple "
       "int ...)) ((expr ...))))"},
      {"def f(a: lambda x: y = lambda z=1: 2) -> lambda: 3: pass",
       "((def f ((a : (lambda ((x)) y) = (lambda ((z = 1)) 2))) (lambda () 3) ((pass))))"},
      {"def f(a=(1, 2), b=[x for x in y], c={1: 2}): pass",
       "((def f ((a = (tuple 1 2)) (b = (listcomp x (for x y))) (c = (dict (1 2)))) _ ((pass))))"},
      {"def f(\n    a,  # (B, T)\n    *,\n    # one more\n    b=None,\n) -> int:\n    \"\"\"doc\"\"\"\n    pass",
       "((def f ((a) (star) (kw b = None)) int ((expr \"doc\") (pass))))"},
      {"def f():\n\n    x = 1\n    # end\n# out\n\ny", "((def f () _ ((assign x 1))) (expr y))"},
      {"def f():\n    def g():\n        return h\n    return g",
       "((def f () _ ((def g () _ ((return h))) (return g))))"},
      {"def f(): return", "((def f () _ ((return _))))"},
      {"def f(): return a, *b", "((def f () _ ((return (tuple a (star b))))))"},
      {"def f(): return *a, b", "((def f () _ ((return (tuple (star a) b)))))"},
      {"def f(): return a if b else c, d", "((def f () _ ((return (tuple (if b a c) d)))))"},
      {"def f(): return; x", "((def f () _ ((return _) (expr x))))"},
      {"def f(): return lambda y: x + y", "((def f () _ ((return (lambda ((y)) (+ x y))))))"},
      {"def match(match, print): return match", "((def match ((match) (print)) _ ((return match))))"},
      {"def f():\n    global a, b\n    x = 1\n    def g():\n        nonlocal x",
       "((def f () _ ((global a b) (assign x 1) (def g () _ ((nonlocal x))))))"},
      {"class A: pass", "((class A () ((pass))))"},
      {"class A(): pass", "((class A () ((pass))))"},
      {"class A(nn.Module): x: int = 1; y = 2", "((class A ((. nn Module)) ((annotate x int 1) (assign y 2))))"},
      {"class A(B, *c, metaclass=M, **d): pass", "((class A (B (star c) (= metaclass M) (dstar d)) ((pass))))"},
      {"class A((x for x in y)): pass", "((class A ((generator x (for x y))) ((pass))))"},
      {"class A:\n    \"\"\"doc\"\"\"\n\n    def f(self): self.x = 1\n\n    class B(A): pass\n    # end\n\nx",
       "((class A () ((expr \"doc\") (def f ((self)) _ ((assign (. self x) 1))) (class B (A) ((pass))))) (expr x))"},
      {"class match: case = 1", "((class match () ((assign case 1))))"},
      {"@a\ndef f(): pass", "((def f () _ ((pass)) (@ a)))"},
      {"@a.b(1)\n@c[0]\nclass A: pass", "((class A () ((pass)) (@ (call (. a b) 1)) (@ (index c 0))))"},
      {"@a\n\n# between\n@b\n# before def\ndef f(): pass", "((def f () _ ((pass)) (@ a) (@ b)))"},
      {"@a if b else c\ndef f(): pass", "((def f () _ ((pass)) (@ (if b a c))))"},
      {"if x:\n    @a\n    def f(): pass\n    y", "((if x ((def f () _ ((pass)) (@ a)) (expr y)) ()))"},
      {"class A:\n    @property\n    def x(self): return 1\n    @x.setter\n    def x(self, v): pass",
       "((class A () ((def x ((self)) _ ((return 1)) (@ property)) (def x ((self) (v)) _ ((pass)) (@ (. x "
       "setter))))))"},
      {"while a: b; break", "((while a ((expr b) (break)) ()))"},
      {"while a:\n    b\n    continue\nelse: c", "((while a ((expr b) (continue)) ((expr c))))"},
      {"while (a and\n       b): c", "((while (and a b) ((expr c)) ()))"},
      {"while a:\n    for b in c: pass\n    else: break", "((while a ((for b c ((pass)) ((break)))) ()))"},
      {"while a:\n    def f():\n        for b in c: break\n    break",
       "((while a ((def f () _ ((for b c ((break)) ()))) (break)) ()))"},
      {"while True:\n    try: break\n    finally: continue", "((while True ((try ((break)) () ((continue)))) ()))"},
      {"try: a\nfinally: b", "((try ((expr a)) () ((expr b))))"},
      {"try: a\nexcept: b", "((try ((expr a)) (except _ _ ((expr b))) () ()))"},
      {"try:\n    a\nexcept A:\n    b\nexcept (B, C.D) as e:\n    c\nexcept:\n    d\nelse:\n    e\nfinally:\n    f",
       "((try ((expr a)) (except A _ ((expr b))) (except (tuple B (. C D)) e ((expr c))) (except _ _ ((expr d))) "
       "((expr e)) ((expr f))))"},
      {"try: a\n# b\nexcept A as b: c\n# d\nelse: e\n# f\nfinally: g",
       "((try ((expr a)) (except A b ((expr c))) ((expr e)) ((expr g))))"},
      {"try:\n    try: a\n    finally: b\n# c\nexcept f(): d",
       "((try ((try ((expr a)) () ((expr b)))) (except (call f) _ ((expr d))) () ()))"},
      {"try:\n    if a:\n        b\n    # c\n# d\nfinally:\n    e", "((try ((if a ((expr b)) ())) () ((expr e))))"},
      {"if a: b\n# c\nelif d: e\n# f\nelse: g", "((if a ((expr b)) ((if d ((expr e)) ((expr g))))))"},
      {"for a in b: c\n# d\nelse: e", "((for a b ((expr c)) ((expr e))))"},
      {"with a: pass", "((with (a _) ((pass))))"},
      {"with a as b, c, d as e.f, g as h[0], i as (j, *k), l as [m]: pass",
       "((with (a b) (c _) (d (. e f)) (g (index h 0)) (i (tuple j (star k))) (l (list m)) ((pass))))"},
      {"with a:\n    with b as c: d", "((with (a _) ((with (b c) ((expr d))))))"},
      {"with (a): pass", "((with (a _) ((pass))))"},
      {"with (a, b): pass", "((with (a _) (b _) ((pass))))"},
      {"with (a,): pass", "((with (a _) ((pass))))"},
      {"with (a as b): pass", "((with (a b) ((pass))))"},
      {"with (a as b,\n      c,  # d\n      e as f,):\n    pass", "((with (a b) (c _) (e f) ((pass))))"},
      {"with (a, b) as c: pass", "((with ((tuple a b) c) ((pass))))"},
      {"with ((a, b)): pass", "((with ((tuple a b) _) ((pass))))"},
      {"with (a), (b): pass", "((with (a _) (b _) ((pass))))"},
      {"with (a, b), c: pass", "((with ((tuple a b) _) (c _) ((pass))))"},
      {"with (a, b).c as d: pass", "((with ((. (tuple a b) c) d) ((pass))))"},
      {"with (a, *b): pass", "((with ((tuple a (star b)) _) ((pass))))"},
      {"with (): pass", "((with ((tuple) _) ((pass))))"},
      {"with (x for x, y in z): pass", "((with ((generator x (for (tuple x y) z)) _) ((pass))))"},
      {"with (lambda x, y: x), b as c: pass", "((with ((lambda ((x) (y)) x) _) (b c) ((pass))))"},
      {"with (a if b else c, (d for d in e)): pass", "((with ((if b a c) _) ((generator d (for d e)) _) ((pass))))"},
      {"with (f(a, b)): pass", "((with ((call f a b) _) ((pass))))"},
      {"with (a, b) if c else d: pass", "((with ((if c (tuple a b) d) _) ((pass))))"},
      {"raise", "((raise _ _))"},
      {"raise A", "((raise A _))"},
      {"raise A(\"b\") from c", "((raise (call A \"b\") c))"},
      {"raise A from None", "((raise A None))"},
      {"del a", "((del a))"},
      {"del a, b.c, d[1:2]", "((del a (. b c) (index d (slice 1 2 _))))"},
      {"del (a, [b, (c)]), d,", "((del (tuple a (list b c)) d))"},
      {"del (a), b", "((del a b))"},
      {"del ()", "((del (tuple)))"},
      {"global a", "((global a))"},
      {"if a: del b; raise c", "((if a ((del b) (raise c _)) ()))"},
      {"f = lambda a, /, b, *, c=1, **d: a", "((assign f (lambda ((pos a) (b) (star) (kw c = 1) (dstar d)) a)))"},
      {"f = lambda a, *b,: a", "((assign f (lambda ((a) (star b)) a)))"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(cell(text), expected) << text;
}

TEST(Compound, AxisComments) {
  const Case cases[] = {
      {"def f(x):  # (B, T)\n    # x: (B, T)\n    y = x  # (B, T, C)\n    return y  # (B, C)\n# z: [T]",
       "((def f ((x)) _ ((note x: [B, T]) (assign y x # [B, T, C]) (return y # [B, C]))) (note z: [T]))"},
      {"def f(x): return x  # (B, T)", "((def f ((x)) _ ((return x # [B, T]))))"},
      {"class A:\n  def f(self):\n    x\n    # x: [a, b]\n  # y: [a, b]\n  z",
       "((class A () ((def f ((self)) _ ((expr x) (note x: [a, b]))) (note y: [a, b]) (expr z))))"},
      {"@a  # (B, T)\n# x: [1, 2]\n@b\n# y: [3, 4]\ndef f(): pass",
       "((note x: [1, 2]) (note y: [3, 4]) (def f () _ ((pass)) (@ a) (@ b)))"},
      {"try:\n  a\n# x: [1, 2]\nexcept A:\n  b\n# y: [3, 4]\nelse:\n  c\n  # z: [5, 6]\nfinally:\n  d\n# e: [7, 8]",
       "((try ((expr a) (note x: [1, 2])) (except A _ ((expr b) (note y: [3, 4]))) ((expr c) (note z: [5, 6])) "
       "((expr d))) (note e: [7, 8]))"},
      {"try: a\n# x: [1, 2]\nfinally: b", "((try ((expr a) (note x: [1, 2])) () ((expr b))))"},
      {"if a:\n  if b:\n    c\n  # x: [1, 2]\nelse: d", "((if a ((if b ((expr c)) ()) (note x: [1, 2])) ((expr d))))"},
      {"while a:\n  b\n  # x: [1, 2]\nelse:  # y: [1, 2]\n  c", "((while a ((expr b) (note x: [1, 2])) ((expr c))))"},
      {"with a as b:\n  # b: [1, 2]\n  c = b  # [1, 2]", "((with (a b) ((note b: [1, 2]) (assign c b # [1, 2]))))"},
      {"q = k @ v  # (B, nh, T, hs) x (B, nh, hs, T) -> (B, nh, T, T)", "((assign q (@ k v) # [B, nh, T, T]))"},
      {"# (B, T) -> (B, T, C)\nq", "((expr q))"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(cell(text), expected) << text;
}

TEST(Compound, Spans) {
  const Source source = source_of(
      "@a\n# b\n@c(1)\ndef f(\n    x: int = 1, *,\n    y) -> z :\n  w\n  # v\n\n"
      "@d\nclass A( B ): e\n"
      "try:\n  g\nexcept (A,\n    B) as h :\n  i\nexcept: j\nfinally:\n  k  # l\n"
      "while m: n\nwith (o as p): q\nreturn_");
  const Block block = parse_cell(source, 5);
  const std::pair<std::string_view, std::string_view> expected[] = {
      {"@a\n# b\n@c(1)\ndef f(\n    x: int = 1, *,\n    y) -> z :\n  w", "def f(\n    x: int = 1, *,\n    y) -> z :"},
      {"@d\nclass A( B ): e", "class A( B ):"},
      {"try:\n  g\nexcept (A,\n    B) as h :\n  i\nexcept: j\nfinally:\n  k", "try:"},
      {"while m: n", "while m:"},
      {"with (o as p): q", "with (o as p):"},
      {"return_", "return_"}};
  ASSERT_EQ(block.size(), std::size(expected));
  for (std::size_t i = 0; i < block.size(); ++i) {
    EXPECT_EQ(source.slice(block[i].span), expected[i].first);
    EXPECT_EQ(source.slice(block[i].header_span), expected[i].second);
    EXPECT_EQ(block[i].header_span.source, 5u);
  }
  const std::vector<Parameter>& parameters = *std::get<FunctionDef>(block[0].node).parameters;
  ASSERT_EQ(parameters.size(), 3u);
  EXPECT_EQ(source.slice(parameters[0].span), "x: int = 1");
  EXPECT_EQ(source.slice(parameters[1].span), "*");
  EXPECT_EQ(parameters[1].kind, ParameterKind::Star);
  EXPECT_EQ(parameters[2].kind, ParameterKind::KeywordOnly);
  const Try& tried = std::get<Try>(block[2].node);
  EXPECT_EQ(source.slice(tried.handlers[0].header_span), "except (A,\n    B) as h :");
  EXPECT_EQ(source.slice(tried.handlers[1].header_span), "except:");
  EXPECT_EQ(tried.handlers[1].header_span.source, 5u);
}

// The wording is that of Python 3.11 but where it says less than could be said.
TEST(Compound, SyntaxErrors) {
  const Case cases[] = {
      {"return 1", "'return' outside function | return 1 | end the cell with the expression alone"},
      {"if a: return", "'return' outside function | return | end the cell with the expression alone"},
      {"class A: return 1", "'return' outside function | return 1"},
      {"def f():\n  class A:\n    return 1", "'return' outside function | return 1"},
      {"class A:\n  def f(self): return 1\n  return 2", "'return' outside function | return 2"},
      {"def f(): pass\nreturn", "'return' outside function | return | end the cell with the expression alone"},
      {"def f(): return *a", "can't use starred expression here | *a"},
      {"def f(): return 1 2", "invalid syntax | 2"},
      {"for x in y:\n  def f(): break", "'break' outside loop | break"},
      {"while a:\n  class A: break", "'break' outside loop | break"},
      {"for x in y:\n  class A: continue", "'continue' not properly in loop | continue"},
      {"while a:\n  def f():\n    continue", "'continue' not properly in loop | continue"},
      {"while a: pass\nelse: break", "'break' outside loop | break"},
      {"while a:\n  def f(): pass\nbreak", "'break' outside loop | break"},
      {"def f: pass", "expected '(' | :"},
      {"def (x): pass", "invalid syntax | ("},
      {"def class(): pass", "invalid syntax | class | 'class' is a word of the language, choose another name"},
      {"def f(x) pass", "expected ':' | pass"},
      {"def f(x)\n  pass", "expected ':' | "},
      {"def f() - int: pass", "expected ':' | -"},
      {"def f(x, x): pass", "duplicate argument 'x' in function definition | x"},
      {"def f(x, *, y, **x): pass", "duplicate argument 'x' in function definition | x"},
      {"def f(x=1, y): pass", "non-default argument follows default argument | y"},
      {"def f(x=1, /, y): pass", "non-default argument follows default argument | y"},
      {"def f(a, (b, c)): pass", "Function parameters cannot be parenthesized | (b, c)"},
      {"lambda a, (b): 1", "Lambda expression parameters cannot be parenthesized | (b)"},
      {"def f(*a=1): pass", "var-positional argument cannot have default value | ="},
      {"def f(**a: int = 1): pass", "var-keyword argument cannot have default value | ="},
      {"def f(/, a): pass", "at least one argument must precede / | /"},
      {"def f(a, /, b, /): pass", "/ may appear only once | /"},
      {"def f(*a, /): pass", "/ must be ahead of * | /"},
      {"def f(a, *, /, b): pass", "/ must be ahead of * | /"},
      {"def f(a, / *, b): pass", "expected comma between / and * | *"},
      {"def f(*): pass", "named arguments must follow bare * | *"},
      {"def f(*,): pass", "named arguments must follow bare * | *"},
      {"def f(*, **k): pass", "named arguments must follow bare * | *"},
      {"lambda *, **k: 1", "named arguments must follow bare * | *"},
      {"def f(*, *a): pass", "* argument may appear only once | *"},
      {"def f(*a, *b): pass", "* argument may appear only once | *"},
      {"def f(**k, *a): pass", "arguments cannot follow var-keyword argument | *"},
      {"def f(**k, **j): pass", "arguments cannot follow var-keyword argument | **"},
      {"def f(a=): pass", "expected default value expression | ="},
      {"def f(a b): pass", "invalid syntax | b"},
      {"def f(1): pass", "invalid syntax | 1"},
      {"def f(a,,b): pass", "invalid syntax | ,"},
      {"def f(x: *a): pass", "invalid syntax | *"},
      {"def f(self, x\n  return x", "'(' was never closed | ("},
      {"def f():\nreturn", "expected an indented block after function definition on line 1 | return"},
      {"\nclass A:\n\n# c\nx", "expected an indented block after class definition on line 2 | x"},
      {"def f():", "expected an indented block after function definition on line 1 | def"},
      {"class A(x for x in y): pass", "invalid syntax | (x for x in y)"},
      {"class A(x=1, y): pass", "positional argument follows keyword argument | y"},
      {"class A(x=1, x=2): pass", "keyword argument repeated: x | x=2"},
      {"class : pass", "invalid syntax | :"},
      {"while a = 1: pass",
       "invalid syntax. Maybe you meant '==' or ':=' instead of '='? | a = 1 | '==' compares, '=' assigns"},
      {"while a\n  b", "expected ':' | "},
      {"while a:\nb", "expected an indented block after 'while' statement on line 1 | b"},
      {"try:\n  a\nb", "expected 'except' or 'finally' block | b"},
      {"try:\n  a\nexept A:\n  b", "expected 'except' or 'finally' block | exept | did you mean 'except'?"},
      {"try:\n  a\n# c\nelse:\n  b", "expected 'except' or 'finally' block | else"},
      {"try: a", "expected 'except' or 'finally' block | "},
      {"try:\na", "expected an indented block after 'try' statement on line 1 | a"},
      {"try:\n  a\nexcept A:\nb", "expected an indented block after 'except' statement on line 3 | b"},
      {"try:\n  a\nfinally:\nb", "expected an indented block after 'finally' statement on line 3 | b"},
      {"try: a\nexcept A, B as e: c", "multiple exception types must be parenthesized | A, B as e"},
      {"try: a\nexcept A, B: c", "multiple exception types must be parenthesized | A, B"},
      {"try: a\nexcept: b\nexcept A: c", "default 'except:' must be last | except:"},
      {"try: a\nexcept A as 1: b", "invalid syntax | 1"},
      {"try: a\nexcept as e: b", "invalid syntax | as"},
      {"try: a\nexcept A\n  b", "expected ':' | "},
      {"try: a\nfinally: b\nexcept: c", "invalid syntax | except"},
      {"try: a\nfinally: b\nelse: c", "invalid syntax | else"},
      {"except: a", "invalid syntax | except"},
      {"with a\n  b", "expected ':' | "},
      {"with (a as b,\n  c)\n  d", "expected ':' | "},
      {"with a:\nb", "expected an indented block after 'with' statement on line 1 | b"},
      {"with a as 1: pass", "cannot assign to literal | 1"},
      {"with (a as f()): pass", "cannot assign to function call | f()"},
      {"with a as *b: pass", "starred assignment target must be in a list or tuple | *b"},
      {"with a as (b, 1): pass", "cannot assign to literal | 1"},
      {"with (a as b) as c: pass", "invalid syntax | as"},
      {"with (a as b c): pass", "invalid syntax. Perhaps you forgot a comma? | b c"},
      {"with (a as b,,c): pass", "invalid syntax | ,"},
      {"with (a as b, c: pass", "invalid syntax | :"},
      {"with a, : pass", "invalid syntax | :"},
      {"with *a: pass", "invalid syntax | *"},
      {"with: pass", "invalid syntax | :"},
      {"del f()", "cannot delete function call | f()"},
      {"del a, (b, 1)", "cannot delete literal | 1"},
      {"del *a", "cannot delete starred | *a"},
      {"del a + b", "cannot delete expression | a + b"},
      {"del None", "cannot delete None | None"},
      {"del a == b", "cannot delete comparison | a == b"},
      {"del", "invalid syntax | "},
      {"del a b", "invalid syntax | b"},
      {"del a = 1", "invalid syntax | ="},
      {"global a.b", "invalid syntax | ."},
      {"global a,", "invalid syntax | "},
      {"nonlocal a", "nonlocal declaration not allowed at module level | nonlocal a"},
      {"def f(a, b):\n  global c, b", "name 'b' is parameter and global | global c, b"},
      {"def f(*a): nonlocal a", "name 'a' is parameter and nonlocal | nonlocal a"},
      {"raise a, b", "invalid syntax | ,"},
      {"raise from a", "invalid syntax | from"},
      {"raise a from", "invalid syntax | "},
      {"@a\nx = 1", "invalid syntax | x"},
      {"@a", "invalid syntax | "},
      {"@a def f(): pass", "invalid syntax | def"},
      {"@a, b\ndef f(): pass", "invalid syntax | ,"},
      {"@\ndef f(): pass", "invalid syntax | "},
      {"if a: @b", "invalid syntax | @"},
      {"if a: def f(): pass", "invalid syntax | def | write it on a line of its own"},
      {"def f(): pass; class A: pass", "invalid syntax | class | write it on a line of its own"},
      {"dfe f(x): pass", "invalid syntax | f | did you mean 'def'?"},
      {"def f():\n  retrun x", "invalid syntax | x | did you mean 'return'?"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(error(text), "syntax: " + expected) << text;
}

// --- commands of the notebook ----------------------------------------------------------------------------------------

/// The tree of a cell of a notebook, and the places that were passed over: "((expr a)) | %b | !c".
std::string notebook_cell(const std::string& text) {
  const Source source = source_of(text);
  const SyntaxTree tree = read_cell(source, 3, true);
  std::string out = to_sexpr(tree.block);
  for (const Span span : tree.skipped) {
    out += (span.source == 3 ? " | " : " | wrong source ") + std::string(source.slice(span));
  }
  return out;
}

TEST(Magics, AreSkippedInNotebooks) {
  const Case cases[] = {
      {"%matplotlib inline\nimport torch\n!pip install 'x\na",
       "((import (torch as torch)) (expr a)) | %matplotlib inline | !pip install 'x"},
      {"!pip install \\\n   a \\\r\n  b\nc", "((expr c)) | !pip install \\\n   a \\\r\n  b"},
      {"if a:\n    !ls -l (\n    b\n%c\nd", "((if a ((expr b)) ()) (expr d)) | !ls -l ( | %c"},
      {"if a:\n    !ls\nb", "((if a () ()) (expr b)) | !ls"},
      {"x = (1\n%  2)", "((assign x (% 1 2)))"},
      {"x = 'a\\\n%b'", "((assign x \"a%b\"))"},
      {"%%time\nx = 1\n", "((assign x 1)) | %%time"},
      {"\n# first\n%%timeit -n 3\nx", "((expr x)) | %%timeit -n 3"},
      {"%%capture out\n!ls\nx", "((expr x)) | %%capture out | !ls"},
      {"%%html\n<a href='x>\n  </a>\n", "() | %%html\n<a href='x>\n  </a>"},
      {"\n  %%bash\nls \"$x\nif\n\n", "() | %%bash\nls \"$x\nif"},
      {"%%writefile model.py\nclass A: pass\n", "() | %%writefile model.py\nclass A: pass"},
      {"%%timex\na b c", "() | %%timex\na b c"},
      {"a\n%%html\nb", "((expr a) (expr b)) | %%html"},
      {"", "()"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(notebook_cell(text), expected) << text;
}

TEST(Magics, AreRefusedElsewhere) {
  const std::string refusal = "a line that begins with % or ! is a command of the notebook, not Python | ";
  EXPECT_EQ(error("a\n%%html\nb"), "unsupported: " + refusal + "%%html | delete the line");
  EXPECT_EQ(error("%%time\nb"), "unsupported: " + refusal + "%%time | delete the line");
}

TEST(Magics, GiveNoValues) {
  const auto parse = [](const Source& source) { throw read_cell(source, 0, true).error.value(); };
  const std::string message = "' after '=' is a command of the notebook, not Python | ";
  const std::string hint = " | assign the value itself";
  EXPECT_EQ(error_of("x = !ls -l 'a\ny", parse), "unsupported: '!" + message + "!ls -l 'a" + hint);
  EXPECT_EQ(error_of("x = %pwd", parse), "unsupported: '%" + message + "%pwd" + hint);
  EXPECT_EQ(error_of("def f():\n  x = y = !ls", parse), "unsupported: '!" + message + "!ls" + hint);
  EXPECT_EQ(error_of("x = y !z", parse), "syntax: invalid syntax | ! | write 'not'");
  EXPECT_EQ(error("x = !y"), "syntax: invalid syntax | ! | write 'not'");
}

}  // namespace
}  // namespace attn
