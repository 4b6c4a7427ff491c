// Methods of str, list, tuple, dict and set. Expectations are what Python 3.11 prints.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/limits.h"
#include "printed.h"
#include "python/types/python_sort.h"

namespace attn {
namespace {

TEST(Strings, Splitting) {
  check_expressions({{"'a,b,,c'.split(',')", "['a', 'b', '', 'c']"},
                     {"'  a b  '.split(None, 1)", "['a', 'b  ']"},
                     {"' a b c '.rsplit(None, 1)", "[' a b', 'c']"},
                     {"'a,b,c'.split(sep=',', maxsplit=1)", "['a', 'b,c']"},
                     {"'a,b,c'.split(',', -1)", "['a', 'b', 'c']"},
                     {"'a,b,c'.rsplit(',', 1)", "['a,b', 'c']"},
                     {"''.split(), ''.split(',')", "([], [''])"},
                     {"'a\\u00a0b c'.split()", "['a', 'b', 'c']"},
                     {"'a\\r\\nb\\nc\\n'.splitlines()", "['a', 'b', 'c']"},
                     {"'\\n'.splitlines(True)", "['\\n']"},
                     {"'a-b-c'.partition('-'), 'a-b-c'.rpartition('-')", "(('a', '-', 'b-c'), ('a-b', '-', 'c'))"},
                     {"'ab'.partition('x'), 'ab'.rpartition('x')", "(('ab', '', ''), ('', '', 'ab'))"},
                     {"'a'.split('')", "ValueError: empty separator"},
                     {"'a'.split(1)", "TypeError: must be str or None, not int"},
                     {"'a'.split(foo=1)", "TypeError: 'foo' is an invalid keyword argument for split()"}});
}

TEST(Strings, JoiningAndReplacing) {
  check_expressions({{"', '.join(['a', 'b'])", "a, b"},
                     {"'-'.join('abc')", "a-b-c"},
                     {"' '.join(str(i) for i in range(3))", "0 1 2"},
                     {"'a'.join(['b', 1])", "TypeError: sequence item 1: expected str instance, int found"},
                     {"'a'.join(3)", "TypeError: can only join an iterable"},
                     {"'abc'.replace('', '-'), 'abc'.replace('', '-', 2)", "('-a-b-c-', '-a-bc')"},
                     {"'aaaa'.replace('aa', 'b'), 'aXaX'.replace('X', '', 1)", "('bb', 'aaX')"},
                     {"'é1é'.replace('é', 'e')", "e1e"},
                     {"'a'.replace('a', 1)", "TypeError: replace() argument 2 must be str, not int"},
                     {"'a'.replace('a')", "TypeError: replace expected at least 2 arguments, got 1"}});
}

TEST(Strings, Case) {
  check_expressions({{"'Hello'.lower(), 'Hello'.upper()", "('hello', 'HELLO')"},
                     {"'ßé'.upper(), 'ÄÖ'.lower()", "('SSÉ', 'äö')"},
                     {"\"they're bill's\".title()", "They'Re Bill'S"},
                     {"'hELLO wORLD'.capitalize()", "Hello world"},
                     {"'12'.isdigit(), '²'.isdigit(), '1.5'.isdigit(), ''.isdigit()", "(True, True, False, False)"},
                     {"'ab'.isalpha(), 'a1'.isalpha(), 'a1'.isalnum()", "(True, False, True)"},
                     {"'A1'.isupper(), 'a b'.islower(), '1'.islower()", "(True, True, False)"},
                     {"'a'.lower(1)", "TypeError: str.lower() takes no arguments (1 given)"}});
}

TEST(Strings, SearchingCountsCharacters) {
  check_expressions(
      {{"'äbc'.find('c'), 'abc'.find('z')", "(2, -1)"},
       {"'abc'.find('', 3), 'abc'.find('', 4)", "(3, -1)"},
       {"'abcabc'.find('b', 2), 'abcabc'.rfind('b', 0, 4), 'abc'.find('a', -2)", "(4, 1, -1)"},
       {"'abc'.count(''), 'aaaa'.count('aa'), 'abc'.count('', 4)", "(4, 2, 0)"},
       {"'abc'.startswith(('x', 'a')), 'abc'.startswith('b', 1), 'abc'.endswith('bc')", "(True, True, True)"},
       {"'a'.index('b')", "ValueError: substring not found"},
       {"'a'.find(1)", "TypeError: must be str, not int"},
       {"'a'.startswith(1)", "TypeError: startswith first arg must be str or a tuple of str, not int"},
       {"'a'.encode('utf-16')", "NotImplementedError: the encoding utf-16 is not supported"}});
}

TEST(Strings, StrippingAndPadding) {
  check_expressions({{"repr('  a b\\n '.strip())", "'a b'"},
                     {"'xxabxx'.strip('x'), 'xyaxy'.lstrip('yx'), 'xyaxy'.rstrip('yx')", "('ab', 'axy', 'xya')"},
                     {"'éaé'.strip('é')", "a"},
                     {"'prefix-a'.removeprefix('prefix-'), 'a.py'.removesuffix('.py')", "('a', 'a')"},
                     {"'ab'.ljust(5, '.') + '|' + 'ab'.rjust(4) + '|'", "ab...|  ab|"},
                     {"'ab'.center(5, '*'), 'abc'.center(6, '*'), 'x'.center(4, '*')", "('**ab*', '*abc**', '*x**')"},
                     {"'-5'.zfill(4), '7'.zfill(3), 'abc'.zfill(2)", "('-005', '007', 'abc')"},
                     {"'a'.ljust(3, 'xx')", "TypeError: The fill character must be exactly one character long"},
                     {"'a'.ljust('x')", "TypeError: 'str' object cannot be interpreted as an integer"},
                     {"'a'.strip(3)", "TypeError: strip arg must be None or str"}});
}

TEST(Strings, Format) {
  check_expressions(
      {{"'{} {}'.format(1, 'b')", "1 b"},
       {"'{1} {0}'.format(1, 2)", "2 1"},
       {"'{a} {}'.format(1, a=2)", "2 1"},
       {"'{:.2f}|{:>5}|{:[<4}'.format(1.5, 'x', 'y')", "1.50|    x|y[[["},
       {"'{!r:>5}|{:>{w}}|'.format('a', 1, w=4)", "  'a'|   1|"},
       {"'{0[1]} {0[k]}'.format({'k': 3, 1: 2})", "2 3"},
       {"'{0.shape}'.format(torch.zeros(2, 3))", "torch.Size([2, 3])"},
       {"'{{}}'.format()", "{}"},
       {"'{}{}'.format(1)", "IndexError: Replacement index 1 out of range for positional args tuple"},
       {"'{a}'.format()", "KeyError: 'a'"},
       {"'}'.format()", "ValueError: Single '}' encountered in format string"},
       {"'{'.format()", "ValueError: Single '{' encountered in format string"},
       {"'{0'.format(1)", "ValueError: expected '}' before end of string"},
       {"'{0}{}'.format(1, 2)",
        "ValueError: cannot switch from manual field specification to automatic field numbering"},
       {"'{!z}'.format(1)", "ValueError: Unknown conversion specifier z"},
       {"'{:{:{}}}'.format(1, 2, 3)", "ValueError: Max string recursion exceeded"},
       {"'{0[1]x}'.format([1, 2])", "ValueError: Only '.' or '[' may follow ']' in format field specifier"},
       {"'{:d}'.format(1.5)", "ValueError: Unknown format code 'd' for object of type 'float'"}});
}

TEST(Strings, ResultsThatDoNotFitAreRefused) {
  for (const char* cell : {"x = 'a' * 1000000\nx.replace('a', x)", "'a'.ljust(1000000000000)",
                           "x = 'a' * 90000000\nx.join([x, x])", "'{:>9999}'.format(1).join('a' * 90000)"}) {
    EXPECT_EQ(printed(cell).substr(0, 12), "MemoryError:") << cell;
  }
}

TEST(Lists, Methods) {
  check_cells(
      {{"x = [1]\nx.append(2)\nx.extend((3, 4))\nx.insert(-1, 9)\nx.insert(100, 7)\nprint(x)", "[1, 2, 3, 9, 4, 7]"},
       {"x = [1, 2]\nx.extend(x)\nprint(x, x.pop(), x.pop(0), x.pop(-2), x)", "[1] 2 1 2 [1]"},
       {"x = [3, 1, 2]\nx.remove(1)\nx.reverse()\ny = x.copy()\nx.clear()\nprint(x, y)", "[] [2, 3]"},
       {"x = ['bb', 'a', 'cc']\nx.sort(key=len, reverse=True)\nprint(x)", "['bb', 'cc', 'a']"},
       {"x = [3, 1, 2]\nprint(x.sort(), x, x.index(3), x.count(1))", "None [1, 2, 3] 2 1"},
       {"print([True].index(1), [3, 1, 2].index(1, -2, 3))", "0 1"},
       {"t = torch.tensor(2)\nprint([1, t].index(2), [t, t].count(t))", "1 2"},
       {"[].append()", "TypeError: list.append() takes exactly one argument (0 given)"},
       {"[].append(x=1)", "TypeError: list.append() takes no keyword arguments"},
       {"[].insert(1)", "TypeError: insert expected 2 arguments, got 1"},
       {"[1].pop(1, 2)", "TypeError: pop expected at most 1 argument, got 2"},
       {"[].pop()", "IndexError: pop from empty list"},
       {"[1].pop(4)", "IndexError: pop index out of range"},
       {"[1].pop('a')", "TypeError: 'str' object cannot be interpreted as an integer"},
       {"[1].remove(3)", "ValueError: list.remove(x): x not in list"},
       {"[1].index(3)", "ValueError: 3 is not in list"},
       {"[3, 'a'].sort()", "TypeError: '<' not supported between instances of 'str' and 'int'"},
       {"[3].sort(1)", "TypeError: sort() takes no positional arguments"},
       {"[3].sort(foo=1)", "TypeError: 'foo' is an invalid keyword argument for sort()"},
       {"[].foo", "AttributeError: 'list' object has no attribute 'foo'"}});
}

TEST(Tuples, Methods) {
  check_expressions({{"(1, 2, 1).count(1), (1, 2).index(2)", "(2, 1)"},
                     {"(1,).index(3)", "ValueError: tuple.index(x): x not in tuple"},
                     {"torch.zeros(2, 3).shape.numel()", "6"},
                     {"(1, 2).numel()", "AttributeError: 'tuple' object has no attribute 'numel'"}});
}

TEST(Dicts, Methods) {
  check_cells(
      {{"d = {'a': 1}\nprint(d.get('a'), d.get('b'), d.get('b', 7))", "1 None 7"},
       {"d = {'a': 1, 'b': 2}\nprint(d.pop('a'), d.pop('z', 0), d.popitem(), d)", "1 0 ('b', 2) {}"},
       {"d = {'a': 1}\nd.update({'b': 2}, c=3)\nd.update([('a', 9)])\nprint(d)", "{'a': 9, 'b': 2, 'c': 3}"},
       {"d = {}\nd.setdefault('a', []).append(1)\nd.setdefault('a', []).append(2)\nprint(d)", "{'a': [1, 2]}"},
       {"d = {'a': 1}\ne = d.copy()\nd.clear()\nprint(d, e)", "{} {'a': 1}"},
       {"{}.pop('x')", "KeyError: 'x'"},
       {"{}.popitem()", "KeyError: 'popitem(): dictionary is empty'"},
       {"{}.get([])", "TypeError: unhashable type: 'list'"},
       {"{}.get()", "TypeError: get expected at least 1 argument, got 0"},
       {"{}.keys(1)", "TypeError: dict.keys() takes no arguments (1 given)"},
       {"{}.update(1)", "TypeError: 'int' object is not iterable"},
       {"{}.update([1])", "TypeError: cannot convert dictionary update sequence element #0 to a sequence"},
       {"{}.update([(1, 2, 3)])", "ValueError: dictionary update sequence element #0 has length 3; 2 is required"}});
}

TEST(Dicts, ViewsShowTheDictAsItIs) {
  check_cells(
      {{"d = {'a': 1}\nk, v, i = d.keys(), d.values(), d.items()\nd['b'] = 2\nprint(k, v, i)",
        "dict_keys(['a', 'b']) dict_values([1, 2]) dict_items([('a', 1), ('b', 2)])"},
       {"i = {'a': 1, 'b': 2}.items()\nprint(len(i), list(i), list(i) == list(i), ('a', 1) in i)",
        "2 [('a', 1), ('b', 2)] True True"},
       {"for k, v in {'a': 1, 'b': 2}.items():\n    print(k, v)", "a 1\nb 2"},
       {"print({'a': 1}.keys() == {'a'}, {'a': [1]}.items() == {'a': [1]}.items())", "True True"},
       {"print({'a': 1}.values() == {'a': 1}.values(), bool({}.keys()))", "False False"},
       {"print({'a': 1, 'b': 2}.keys() & {'a'}, {'a': 1}.keys() - {'a': 2}.keys())", "{'a'} set()"},
       {"print(sorted({'b': 1, 'a': 2}.items(), key=lambda kv: kv[1]), sum({'a': 3}.values()))",
        "[('b', 1), ('a', 2)] 3"},
       {"d = {'a': 3, 'b': 5}\nprint(max(d, key=d.get), dict(d.items()))", "b {'a': 3, 'b': 5}"},
       {"{'a': 1}.keys()[0]", "TypeError: 'dict_keys' object is not subscriptable"},
       {"d = {'a': 1}\nfor k in d:\n    d[k + 'x'] = 1", "RuntimeError: dictionary changed size during iteration"}});
}

TEST(Sets, Methods) {
  check_cells(
      {{"s = {1}\ns.add(2)\ns.add(2)\ns.update([3], (4,))\ns.discard(9)\ns.remove(1)\nprint(s)", "{2, 3, 4}"},
       {"print({1}.union([2], [3]), {1, 2}.intersection([2, 3], [2]), {1, 2}.difference([2]))", "{1, 2, 3} {2} {1}"},
       {"print({1, 2}.symmetric_difference([2, 3]), {1}.issubset([1, 2]), {1, 2}.issuperset({1}))", "{1, 3} True True"},
       {"s = {1}\nt = s.copy()\ns.clear()\nprint(s, t, t.isdisjoint([3]))", "set() {1} True"},
       {"{1}.remove(2)", "KeyError: 2"},
       {"{1}.add([])", "TypeError: unhashable type: 'list'"},
       {"{1}.union(3)", "TypeError: 'int' object is not iterable"},
       {"{1}.issubset()", "TypeError: set.issubset() takes exactly one argument (0 given)"}});
}

// How often an interrupt is looked for.
std::int64_t looks_of_sorting(std::vector<int> items) {
  const LimitScope scope(Limits{});
  std::int64_t looks = 0;
  counted_looks = &looks;
  request_interrupt();
  python_sort(items, [](int a, int b) { return a < b; });
  clear_interrupt();
  counted_looks = nullptr;
  EXPECT_TRUE(std::is_sorted(items.begin(), items.end()));
  return looks;
}

TEST(Methods, SortingHearsCtrlCBetweenTwoComparisons) {
  std::vector<int> items;
  for (int i = 0; i < 1000; ++i) items.push_back(i * 7919 % 1009);
  EXPECT_GT(looks_of_sorting(items), 5000) << "runs of 16 are merged six times";
}

// What NaN leaves in place is, too.
TEST(Methods, SortingHearsCtrlCWhileWhatIsInOrderIsMoved) {
  std::vector<int> items(1 << 20);
  std::iota(items.begin(), items.end(), 0);
  constexpr std::int64_t kRuns = (1 << 20) / 16, kPasses = 16;
  EXPECT_GT(looks_of_sorting(items), kRuns + kPasses * (1 << 20) / 10'000);
}

TEST(ItemCollector, PiecesOfALongListAreJoinedWithLooksAtCtrlC) {
  constexpr std::int64_t kItems = 2'500'000;
  const auto collect = [](ItemCollector& items) {
    for (std::int64_t i = 0; i < kItems; ++i) items.add(Value(i));
  };
  const LimitScope scope(Limits{});
  ItemCollector kept, dropped;
  collect(kept);
  collect(dropped);
  std::int64_t looks = 0;
  counted_looks = &looks;
  request_interrupt();
  const std::vector<Value> joined = kept.take();
  counted_looks = nullptr;
  EXPECT_THROW(dropped.take(), LimitReached);
  clear_interrupt();
  EXPECT_EQ(looks, 3) << "a piece is a million items";
  ASSERT_EQ(std::ssize(joined), kItems);
  for (const std::int64_t i : {0, 1 << 20, 2499999}) EXPECT_EQ(joined[static_cast<std::size_t>(i)].as_int()->value, i);
}

TEST(Objects, TablesOutliveTheRunThatMadeThem) {
  EXPECT_EQ(shown("len([1]), torch.float32, torch.__version__"), shown("len([1]), torch.float32, torch.__version__"));
  EXPECT_EQ(shown("isinstance(torch.zeros(1), torch.Tensor)"), "True");
}

TEST(Objects, AMethodKeepsItsObject) {
  check_cells({{"add = [].append\nadd(add)\nprint(add)", "<built-in function append>"},
               {"x = []\nx.append(x.append)\nx.append(x)\nprint(len(x))", "2"}});
}

TEST(Methods, AWrongCellMayNotChangeWhatOthersHold) {
  Interpreter interpreter;
  interpreter.run({"cell", "x = [1]\n", 1});
  const auto saved = interpreter.fork();
  EXPECT_THROW(interpreter.run({"cell", "x.append(2)\n", 1}), CellError);
  EXPECT_NO_THROW(interpreter.run({"cell", "y = x.copy()\n", 1}));
  interpreter.restore(saved);
}

}  // namespace
}  // namespace attn
