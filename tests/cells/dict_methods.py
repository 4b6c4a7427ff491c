# Every method of dict; the order, equality and text of dicts.
import torch
from collections import Counter, OrderedDict, defaultdict

# case: keys, values, items
d = {"a": 1, "b": 2}
print(d.keys(), d.values(), d.items(), list(d), len(d), "a" in d, 1 in d.values(), ("a", 1) in d.items())
# expect: dict_keys(['a', 'b']) dict_values([1, 2]) dict_items([('a', 1), ('b', 2)]) ['a', 'b'] 2 True True True
k = d.keys()
d["c"] = 3
print(k, len(k), sorted(k), k & {"a", "z"}, k - {"a"} == {"b", "c"}, list(reversed(d)))
# expect: dict_keys(['a', 'b', 'c']) 3 ['a', 'b', 'c'] {'a'} True ['c', 'b', 'a']

# case: get, setdefault
d = {"a": 1}
print(d.get("a"), d.get("x"), d.get("x", 0), d.setdefault("a", 9), d.setdefault("l", []), d.setdefault("n"), d)
# expect: 1 None 0 1 [] None {'a': 1, 'l': [], 'n': None}
d["l"].append(5)
print(d)  # expect: {'a': 1, 'l': [5], 'n': None}

# case: pop, popitem
d = {"a": 1, "b": 2, "c": 3}
print(d.pop("a"), d.pop("x", None), d.popitem(), d)  # expect: 1 None ('c', 3) {'b': 2}

# case: pop of what is not there
{"a": 1}.pop("b")  # expect error[KeyError]: 'b'

# case: popitem of nothing
{}.popitem()  # expect error[KeyError]: 'popitem(): dictionary is empty'

# case: update
d = {"a": 1}
d.update({"b": 2}); d.update([("c", 3)]); d.update(e=5); d.update({"a": 0}, f=6)
print(d, d.update())  # expect: {'a': 0, 'b': 2, 'c': 3, 'e': 5, 'f': 6} None

# case: update with a wrong pair
{}.update([(1, 2, 3)])  # expect error[ValueError]: dictionary update sequence element #0 has length 3; 2 is required

# case: update with a number
{}.update(5)  # expect error[TypeError]: 'int' object is not iterable

# case: copy and clear
d = {"a": [1]}
e = d.copy()
e["a"].append(2); e["b"] = 0
print(d, e)  # expect: {'a': [1, 2]} {'a': [1, 2], 'b': 0}
d.clear()
print(d, e)  # expect: {} {'a': [1, 2], 'b': 0}

# case: fromkeys
print(dict.fromkeys("ab"), dict.fromkeys([1, 2], 0), {}.fromkeys("x", 1))
# expect: {'a': None, 'b': None} {1: 0, 2: 0} {'x': 1}

# case: most_common
c = Counter("mississippi")
print(c.most_common(), c.most_common(2), c["s"], c["z"], len(c), sum(c.values()))
# expect: [('i', 4), ('s', 4), ('p', 2), ('m', 1)] [('i', 4), ('s', 4)] 4 0 4 11
print(c)  # expect: Counter({'i': 4, 's': 4, 'p': 2, 'm': 1})
print(c.most_common(1), c.most_common(0), c.most_common(-1), c.most_common(9))
# expect: [('i', 4)] [] [] [('i', 4), ('s', 4), ('p', 2), ('m', 1)]
for n in (1, 2):
    try:
        Counter({"a": 2, "b": "x"}).most_common(n)
    except TypeError as error:
        print(error)
# expect: '>' not supported between instances of 'str' and 'int'
# expect: '<' not supported between instances of 'int' and 'str'

# case: counters add up
c = Counter('abca')
c.subtract('ab')
print(c, c.total(), list(c.elements()))  # expect: Counter({'a': 1, 'c': 1, 'b': 0}) 2 ['a', 'c']
print(c + c, c - Counter('c'), c & Counter('aa'), c | Counter('z'))
# expect: Counter({'a': 2, 'c': 2}) Counter({'a': 1}) Counter({'a': 1}) Counter({'a': 1, 'c': 1, 'z': 1})

# case: Counter
c = Counter(["a", "b", "a"])
c.update("ab"); c["z"] += 1
print(c, sorted(c.items()), dict(c), Counter(a=2, b=1), Counter({"x": 3}))
# expect: Counter({'a': 3, 'b': 2, 'z': 1}) [('a', 3), ('b', 2), ('z', 1)] {'a': 3, 'b': 2, 'z': 1} Counter({'a': 2, 'b': 1}) Counter({'x': 3})
print(Counter("ab") == Counter("ba"))  # expect: True

# case: defaultdict
d = defaultdict(list)
d["a"].append(1); d["b"].append(2); d["a"].append(3)
n = defaultdict(int)
for c in "hello":
    n[c] += 1
print(d, dict(n), d["z"], "z" in d, n.get("q"), defaultdict(lambda: 5)["x"])
# expect: defaultdict(<class 'list'>, {'a': [1, 3], 'b': [2], 'z': []}) {'h': 1, 'e': 1, 'l': 2, 'o': 1} [] True None 5

# case: OrderedDict
d = OrderedDict([("a", 1), ("b", 2)])
print(d, list(d), d.popitem(), OrderedDict(a=1))
# expect: OrderedDict([('a', 1)]) ['a', 'b'] ('b', 2) OrderedDict([('a', 1)])

# case: making dicts
print({}, dict(), dict(a=1), dict([("a", 1), ("b", 2)]), dict({"a": 1}, b=2), dict(zip("ab", [1, 2])), {1: "a", (1, 2): "t", None: 0})
# expect: {} {} {'a': 1} {'a': 1, 'b': 2} {'a': 1, 'b': 2} {'a': 1, 'b': 2} {1: 'a', (1, 2): 't', None: 0}
print({i: i * i for i in range(4)}, {k: v for k, v in [("a", 1)]}, {"a": 1, "a": 2}, {1: "int", 1.0: "float", True: "bool"})
# expect: {0: 0, 1: 1, 2: 4, 3: 9} {'a': 1} {'a': 2} {1: 'bool'}

# case: dict() of a wrong element
dict([(1, 2, 3)])  # expect error[ValueError]: dictionary update sequence element #0 has length 3; 2 is required

# case: dict() of numbers
dict([1, 2])  # expect error[TypeError]: cannot convert dictionary update sequence element #0 to a sequence

# case: order of keys
d = {"z": 1, "a": 2}
d["m"] = 3
d["z"] = 9
del d["a"]
d["a"] = 0
print(d, list(d.items())[-1], next(iter(d)))  # expect: {'z': 9, 'm': 3, 'a': 0} ('a', 0) z

# case: equality
print({"a": 1, "b": 2} == {"b": 2, "a": 1}, {"a": 1} == {"a": 1.0}, {1: 2} != {1: 3}, {} == [])
# expect: True True True False

# case: merging
a, b = {"x": 1, "y": 2}, {"y": 3}
print(a | b, {**a, **b}, a)  # expect: {'x': 1, 'y': 3} {'x': 1, 'y': 3} {'x': 1, 'y': 2}
a |= b
print(a)  # expect: {'x': 1, 'y': 3}

# case: text with quotes
print({"it's": 'a "b"', 'x': "\n", "n": None, "f": 1.0, "l": [1, {"k": "v"}], "t": (1,), "s": {1}})
# expect: {"it's": 'a "b"', 'x': '\n', 'n': None, 'f': 1.0, 'l': [1, {'k': 'v'}], 't': (1,), 's': {1}}

# case: missing key
{"a": 1}["b"]  # expect error[KeyError]: 'b'

# case: missing int key
{1: 2}[3]  # expect error[KeyError]: 3

# case: missing tuple key
{}[(1, 2)]  # expect error[KeyError]: (1, 2)

# case: del of a missing key
d = {}
del d["a"]  # expect error[KeyError]: 'a'

# case: a list as a key
{[1]: 2}  # expect error[TypeError]: unhashable type: 'list'

# case: a dict as a key
d = {}
d[{}] = 1  # expect error[TypeError]: unhashable type: 'dict'

# case: a set as a key, looked up
{1: 2}[{3}]  # expect error[TypeError]: unhashable type: 'set'

# case: a list looked up
[1] in {1: 2}  # expect error[TypeError]: unhashable type: 'list'

# case: changing size while iterating
d = {"a": 1, "b": 2}
for k in d:  # expect error[RuntimeError]: dictionary changed size during iteration
    d[k + "x"] = 0

# case: changing values while iterating
d = {"a": 1, "b": 2}
for k in d:
    d[k] *= 10
print(d)  # expect: {'a': 10, 'b': 20}

# case: iterating over a copy
d = {"a": 1, "b": 2, "c": 3}
for k in list(d):
    if d[k] % 2:
        del d[k]
print(d)  # expect: {'b': 2}

# case: adding dicts
{"a": 1} + {"b": 2}  # expect error[TypeError]: unsupported operand type(s) for +: 'dict' and 'dict'

# case: comparing dicts
{"a": 1} < {"b": 2}  # expect error[TypeError]: '<' not supported between instances of 'dict' and 'dict'

# case: sorting
d = {"b": 1, "a": 3, "c": 2}
print(sorted(d), sorted(d, key=d.get), sorted(d.items(), key=lambda kv: -kv[1]), max(d, key=d.get), min(d.values()))
# expect: ['a', 'b', 'c'] ['b', 'c', 'a'] [('a', 3), ('c', 2), ('b', 1)] a 1
print(dict(sorted(d.items(), key=lambda item: item[1])))  # expect: {'b': 1, 'c': 2, 'a': 3}

# case: inverting a vocabulary
words = "the cat the dog".split()
vocab = {w: i for i, w in enumerate(dict.fromkeys(words))}
inverse = {i: w for w, i in vocab.items()}
print(vocab, inverse, [vocab[w] for w in words], " ".join(inverse[i] for i in [2, 0]))
# expect: {'the': 0, 'cat': 1, 'dog': 2} {0: 'the', 1: 'cat', 2: 'dog'} [0, 1, 0, 2] dog the

# case: tensors as values
d = {"w": torch.zeros(1, 2), "b": torch.tensor(1.5)}
print(d)  # expect: {'w': tensor([[0., 0.]]), 'b': tensor(1.5000)}
for name, value in d.items():
    print(f"{name:>3}: {tuple(value.shape)}")
# expect:   w: (1, 2)
# expect:   b: ()

# case: no such attribute
{"a": 1}.a  # expect error[AttributeError]: 'dict' object has no attribute 'a'

# case: nested
config = {"model": {"layers": [1, 2]}}
config["model"]["layers"].append(3)
config["model"].setdefault("heads", 4)
config["model"]["heads"] += 1
print(config)  # expect: {'model': {'layers': [1, 2, 3], 'heads': 5}}

# case: ints and bools are the same keys
d = {True: "yes"}
d[1] = "one"
print(d, d[1.0], 0 in {False: 1})  # expect: {True: 'one'} one True

# case: keyword arguments from a dict
def f(a, b=0, **rest):
    return a, b, rest
print(f(**{"a": 1, "c": 3}), f(*[1], **dict(b=2)))  # expect: (1, 0, {'c': 3}) (1, 2, {})

# case: keyword arguments that are no strings
def f(**rest): return rest
f(**{1: 2})  # expect error[TypeError]: keywords must be strings

# case: an empty dict does not look at the key
try:
    {}.pop([])
except KeyError as error:
    print(error)  # expect: []
{}.pop({})  # expect error[KeyError]: {}

# case: setdefault with nan
d = {}
d.setdefault(float("nan"), []).append(1)
print(d)  # expect: {nan: [1]}

# case: del of what has no hash
d = {}
del d[[1]]  # expect error[TypeError]: unhashable type: 'list'

# case: keys that are ranges, dots and modules
import math
import math as m
print({range(3): 1}[range(0, 3)], {range(0): 2}[range(5, 5)], {...: 3}[...], {math: 4}[m], math is m)
# expect: 1 2 3 4 True
print(slice(1, 2) == slice(1, 2), slice(1) == slice(2))  # expect: True False

# case: views compare and contain as sets
d = {'a': 1, 'b': 2}
print(d.keys() <= {'a', 'b', 'c'}, {'a'} < d.keys(), 'a' in d.keys(), ('b', 2) in d.items(), 3 in d.values())
# expect: True True True True False
[1] in d.keys()  # expect error[TypeError]: unhashable type: 'list'

# case: an OrderedDict puts keys first and last
from collections import OrderedDict
order = OrderedDict(a=1, b=2, c=3)
order.move_to_end('a')
print(list(order), order.popitem(last=False), order.popitem(), order == OrderedDict(c=3))
# expect: ['b', 'c', 'a'] ('b', 2) ('a', 1) True
order = OrderedDict(a=1, b=2, c=3)
order.move_to_end('c', last=False)
print(list(order), order == OrderedDict(a=1, b=2, c=3), order == {'a': 1, 'b': 2, 'c': 3})
# expect: ['c', 'a', 'b'] False True

# case: keys that do not equal themselves
from collections import defaultdict
nan = float('nan')
d = {nan: 1, (nan,): 2}
print(d[nan], nan in d, nan in {nan, 1})
while d:
    print(d.popitem())
class Odd:
    def __eq__(self, other):
        return False
    def __hash__(self):
        return 1
o = Odd()
print({o: 1}[o], o in {o}, o in {Odd()})
class Plain:
    __hash__ = None
try:
    {Plain()}
except TypeError as error:
    print(error)
print(defaultdict(list).default_factory)
# expect: 1 True True
# expect: ((nan,), 2)
# expect: (nan, 1)
# expect: 1 True False
# expect: unhashable type: 'Plain'
# expect: <class 'list'>

# case: counters are joined in place, and signs count what is above nothing
from collections import Counter
counts = Counter(a=1, b=-2)
same = counts
counts |= Counter(a=3, c=1)
print(counts, same is counts)
counts += Counter(a=1, c=-5)
print(counts, same is counts)
counts -= Counter(a=1)
counts &= Counter(a=2)
print(counts, same is counts, +Counter(a=1, b=-2), -Counter(a=1, b=-2))
try:
    ~counts
except TypeError as error:
    print(error)
try:
    -{}
except TypeError as error:
    print(error)
# expect: Counter({'a': 3, 'c': 1}) True
# expect: Counter({'a': 4}) True
# expect: Counter({'a': 2}) True Counter({'a': 1}) Counter({'b': 2})
# expect: bad operand type for unary ~: 'Counter'
# expect: bad operand type for unary -: 'dict'

# case: what a counter does not hold is counted as 0
from collections import Counter
print(Counter(a=1) == Counter(a=1, b=0), Counter(b=0) == Counter(), Counter(a=1) == Counter(a=1, b=2), Counter(a=1) == {'a': 1, 'b': 0})
# expect: True True False False

# case: dicts joined keep their kind, and take pairs
from collections import OrderedDict, defaultdict
words = defaultdict(list, a=[1])
print(words | {'b': 2}, {'b': 2} | words, (words | {})['new'])
print(OrderedDict(a=1) | {'b': 2}, {'b': 2} | OrderedDict(a=1))
sizes = {'a': 1}
sizes |= [('b', 2), ('c', 3)]
print(sizes)
try:
    sizes |= 5
except TypeError as error:
    print(error)
# expect: defaultdict(<class 'list'>, {'a': [1], 'b': 2}) defaultdict(<class 'list'>, {'b': 2, 'a': [1]}) []
# expect: OrderedDict([('a', 1), ('b', 2)]) OrderedDict([('b', 2), ('a', 1)])
# expect: {'a': 1, 'b': 2, 'c': 3}
# expect: 'int' object is not iterable

# case: views of a dict beside sets, lists and views
vocabulary = {'the': 0, 'dog': 1, 'ran': 2}
print(sorted(vocabulary.keys() & ['dog', 'cat']), sorted(vocabulary.keys() - ['dog']), sorted(['cat'] | vocabulary.keys()))
print(vocabulary.keys().isdisjoint(['cat']), vocabulary.items().isdisjoint({('dog', 1)}))
print(vocabulary.keys() == {'ran', 'dog', 'the'}, vocabulary.items() == dict(vocabulary).items(), {'a': [1]}.items() == {'a': [1]}.items())
print(('dog', 1) in vocabulary.items(), ('dog', 2) in vocabulary.items(), 'dog' in vocabulary.items(), vocabulary.values() == vocabulary.values())
# expect: ['dog'] ['ran', 'the'] ['cat', 'dog', 'ran', 'the']
# expect: True False
# expect: True True True
# expect: True False False False

# case: the end of an ordered dict, and a key that moves
from collections import OrderedDict
ordered = OrderedDict()
try:
    ordered.popitem()
except KeyError as error:
    print(error)
ordered[1], ordered[2] = 'one', 'two'
ordered.move_to_end(True)
print(ordered)
# expect: 'dictionary is empty'
# expect: OrderedDict([(2, 'two'), (1, 'one')])

# case: what errors call the kinds of dicts
from collections import Counter, OrderedDict, defaultdict
for kind in (defaultdict(int), OrderedDict(), Counter(), {}):
    for call in (lambda: kind | 1, lambda: kind.nothing, lambda: {kind: 1}):
        try:
            call()
        except (TypeError, AttributeError) as error:
            print(error)
    print(type(kind).__name__)
# expect: unsupported operand type(s) for |: 'collections.defaultdict' and 'int'
# expect: 'collections.defaultdict' object has no attribute 'nothing'
# expect: unhashable type: 'collections.defaultdict'
# expect: defaultdict
# expect: unsupported operand type(s) for |: 'collections.OrderedDict' and 'int'
# expect: 'collections.OrderedDict' object has no attribute 'nothing'
# expect: unhashable type: 'collections.OrderedDict'
# expect: OrderedDict
# expect: unsupported operand type(s) for |: 'Counter' and 'int'
# expect: 'Counter' object has no attribute 'nothing'
# expect: unhashable type: 'Counter'
# expect: Counter
# expect: unsupported operand type(s) for |: 'dict' and 'int'
# expect: 'dict' object has no attribute 'nothing'
# expect: unhashable type: 'dict'
# expect: dict

# case: dicts from which much is removed keep their order
d = {i: i * i for i in range(100)}
for i in list(d):
    if i % 7: del d[i]
d["a"] = 1; d.pop(0); d[0] = 2
print(len(d), d, next(iter(d)), list(d.items())[-1], d.popitem())
while len(d) > 2: d.pop(next(iter(d)))
print(d, list(reversed(d)))
# expect: 16 {7: 49, 14: 196, 21: 441, 28: 784, 35: 1225, 42: 1764, 49: 2401, 56: 3136, 63: 3969, 70: 4900, 77: 5929, 84: 7056, 91: 8281, 98: 9604, 'a': 1} 7 (0, 2) (0, 2)
# expect: {98: 9604, 'a': 1} ['a', 98]

# case: what is there once, in order
letters = OrderedDict.fromkeys("banana", 0)
print(letters, list(OrderedDict.fromkeys("attention")))
# expect: OrderedDict([('b', 0), ('a', 0), ('n', 0)]) ['a', 't', 'e', 'n', 'i', 'o']
letters.move_to_end("b")
print("".join(letters), type(dict.fromkeys("a")).__name__)  # expect: anb dict
