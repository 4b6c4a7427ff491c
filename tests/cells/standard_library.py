# Modules of Python that programs import beside torch.

# case: enum
from enum import Enum, IntEnum, auto
class Kind(Enum):
    DOT = "dot"
    SCALED = "scaled"
    ALSO = "dot"
    def doubled(self):
        return self.value * 2
class Step(IntEnum):
    FIRST = auto()
    SECOND = auto()
print(Kind.DOT, repr(Kind.SCALED), Kind("dot") is Kind.DOT, Kind["SCALED"].value)  # expect: Kind.DOT <Kind.SCALED: 'scaled'> True scaled
print([k.name for k in Kind], len(Kind), Kind.ALSO.name, Kind.DOT == "dot", Kind.DOT in Kind)  # expect: ['DOT', 'SCALED'] 2 DOT False True
print(Kind.SCALED.doubled(), {Kind.DOT: 1}[Kind.DOT], Kind, isinstance(Kind.DOT, Kind))  # expect: scaledscaled 1 <enum 'Kind'> True
print(Step.SECOND > Step.FIRST, Step.SECOND == 2, [10, 20, 30][Step.FIRST], list(Step))  # expect: True True 20 [<Step.FIRST: 1>, <Step.SECOND: 2>]
try:
    Kind("cosine")
except ValueError as error:
    print(error)  # expect: 'cosine' is not a valid Kind
Kind["NONE"]  # expect error[KeyError]: 'NONE'

# case: heapq and bisect
import heapq, bisect
heap = []
for n in [5, 3, 8, 1, 9, 2]:
    heapq.heappush(heap, n)
print(heap, heapq.heappop(heap), heap)  # expect: [2, 3, 8, 5, 9] 1 [2, 3, 8, 5, 9]
x = [7, 4, 6, 1, 3, 9, 0]
heapq.heapify(x)
print(x, heapq.heappushpop(x, 2), heapq.heapreplace(x, 8), x)  # expect: [2, 3, 6, 4, 8, 9, 7] 0 1 [2, 3, 6, 4, 8, 9, 7]
print(heapq.nlargest(2, "abcd"), heapq.nsmallest(2, [(2, "b"), (1, "z"), (1, "a")], key=lambda p: p[0]))  # expect: ['d', 'c'] [(1, 'z'), (1, 'a')]
print(bisect.bisect([1, 2, 2, 3], 2), bisect.bisect_left([1, 2, 2, 3], 2), list(heapq.merge([1, 4], [2, 3])))  # expect: 3 1 [1, 2, 3, 4]

# case: operator
import operator, torch
from functools import reduce
print(reduce(operator.mul, [2, 3, 4]), sorted({"b": 1, "a": 2}.items(), key=operator.itemgetter(1)))  # expect: 24 [('b', 1), ('a', 2)]
print(operator.itemgetter(0, 2)("abc"), operator.attrgetter("shape")(torch.zeros(2, 3)), operator.methodcaller("split")("a b"))
# expect: ('a', 'c') torch.Size([2, 3]) ['a', 'b']

# case: fields of a dataclass
from dataclasses import dataclass, field, fields, asdict, astuple, replace
from typing import ClassVar
@dataclass(frozen=True)
class Size:
    heads: int
    dim: int = 8
    names: ClassVar[list] = ["heads"]
@dataclass
class Config:
    size: Size
    tags: list = field(default_factory=list)
c = Config(Size(2), ["a"])
print(c, asdict(c), astuple(c))  # expect: Config(size=Size(heads=2, dim=8), tags=['a']) {'size': {'heads': 2, 'dim': 8}, 'tags': ['a']} ((2, 8), ['a'])
print(replace(c.size, dim=16), [f.name for f in fields(Config)], Size.names)  # expect: Size(heads=2, dim=16) ['size', 'tags'] ['heads']
asdict(3)  # expect error[TypeError]: asdict() should be called on dataclass instances

# case: abstract classes
from abc import ABC, abstractmethod
class Scorer(ABC):
    @abstractmethod
    def score(self, x): ...
    @property
    @abstractmethod
    def name(self): ...
class Dot(Scorer):
    name = "dot"
    def score(self, x): return x + 1
print(Dot().score(1), isinstance(Dot(), Scorer))  # expect: 2 True
Scorer()  # expect error[TypeError]: Can't instantiate abstract class Scorer with abstract methods name, score

# case: __init_subclass__
class Base:
    known = {}
    def __init_subclass__(cls, kind=None, **rest):
        super().__init_subclass__(**rest)
        cls.known[kind] = cls.__name__
class A(Base, kind="a"): pass
class B(A, kind="b"): pass
print(Base.known)  # expect: {'a': 'A', 'b': 'B'}

# case: letters
import unicodedata, string
s = "Frío, él está aquí"
print("".join(c for c in unicodedata.normalize("NFD", s) if unicodedata.category(c) != "Mn"))  # expect: Frio, el esta aqui
print(len(unicodedata.normalize("NFKC", "ﬁ")), unicodedata.combining("\u0301"))  # expect: 2 230
print(s.translate(str.maketrans("", "", string.punctuation)), "abc".translate(str.maketrans({"a": "x", "b": None})))  # expect: Frío él está aquí xc
print("abc".translate(str.maketrans("ab", "yz", "c")))  # expect: yz
unicodedata.normalize("NFX", s)  # expect error[ValueError]: invalid normalization form

# case: words in numpy
import numpy as np
w = np.array(["the", "dog", "ate", "homework"])
print(w, w.shape, w.dtype, len(w), w[1], w[-1], list(w[1:3]))  # expect: ['the' 'dog' 'ate' 'homework'] (4,) <U8 4 dog homework ['dog', 'ate']
print(repr(w), w[[0, 2]], w[np.array([1, 0])], w[w != "dog"], w[::-1])  # expect: array(['the', 'dog', 'ate', 'homework'], dtype='<U8') ['the' 'ate'] ['dog' 'the'] ['the' 'ate' 'homework'] ['homework' 'ate' 'dog' 'the']
print(w == "ate", "dog" in w, w.tolist(), np.array([["a", "b"], ["c", "d"]])[:, 1])  # expect: [False False  True False] True ['the', 'dog', 'ate', 'homework'] ['b' 'd']
print(np.pad(np.array([[1, 2], [3, 4]]), ((0, 0), (1, 2)), constant_values=-1).tolist(), np.pad(np.ones(2), 1))  # expect: [[-1, 1, 2, -1, -1], [-1, 3, 4, -1, -1]] [0. 1. 1. 0.]
print(np.array([["a", "b"], ["c", "d"]]))
# expect: [['a' 'b']
# expect:  ['c' 'd']]

# case: how numpy prints
import numpy as np
np.set_printoptions(precision=3, suppress=True)
print(np.array([1.23456, 1e-7, 1000.5]), repr(np.array([0.1, 2.5])))  # expect: [   1.235    0.    1000.5  ] array([0.1, 2.5])
np.set_printoptions(precision=2, suppress=False)
print(np.array([1e-7, 1.23456]))  # expect: [1.00e-07 1.23e+00]

# case: a namedtuple has defaults and can be derived from
from collections import namedtuple
Point = namedtuple('Point', 'x y z', defaults=[3])
p = Point(1, 2)
print(p, p._replace(x=9), Point._make([4, 5, 6]), p == (1, 2, 3), isinstance(p, Point))
# expect: Point(x=1, y=2, z=3) Point(x=9, y=2, z=3) Point(x=4, y=5, z=6) True True
class Sum(Point):
    def total(self):
        return sum(self)
print(Sum(1, 2).total(), Sum(1, 2), type(Sum(1, 2)._replace(x=5)) is Sum)  # expect: 6 Sum(x=1, y=2, z=3) True
Point(1, 2, 3, 4)  # expect error[TypeError]: Point.__new__() takes from 3 to 4 positional arguments but 5 were given

# case: typing.NamedTuple makes fields of annotations
from typing import NamedTuple, Optional
class Output(NamedTuple):
    context: list
    weights: Optional[list] = None
    def size(self):
        return len(self.context)
out = Output([1, 2])
context, weights = out
print(out, out.size(), context, weights, Output._fields, Output._field_defaults)
# expect: Output(context=[1, 2], weights=None) 2 [1, 2] None ('context', 'weights') {'weights': None}
Output()  # expect error[TypeError]: Output.__new__() missing 1 required positional argument: 'context'

# case: an enumeration of texts
from enum import Enum
class Kind(str, Enum):
    DOT = 'dot'
    SCALED = 'scaled'
print(Kind.DOT, Kind.DOT == 'dot', {'dot': 1}[Kind.DOT], Kind('scaled'), Kind.DOT.upper(), repr(Kind.DOT))
# expect: Kind.DOT True 1 Kind.SCALED DOT <Kind.DOT: 'dot'>
print('dot' in list(Kind), isinstance(Kind.DOT, str), Kind.DOT + 'x', [k.value for k in Kind])
# expect: True True dotx ['dot', 'scaled']

# case: an IntEnum counts as its number
from enum import IntEnum
class Level(IntEnum):
    LOW = 1
    HIGH = 2
print(Level.HIGH + 1, [10, 20, 30][Level.HIGH], Level.HIGH * 3, 5 - Level.LOW, Level.LOW < Level.HIGH)
# expect: 3 30 6 4 True

# case: a class derived from str
class Word(str):
    def shout(self):
        return self.upper() + '!'
w = Word('hey')
print(w, w.shout(), w == 'hey', len(w), w[0], w + 'x', 'e' in w, [c for c in w], {w: 1}['hey'])
# expect: hey HEY! True 3 h heyx True ['h', 'e', 'y'] 1

# case: a random generator of one's own
import random
r = random.Random(3)
print(r.random() == random.Random(3).random(), r.randint(1, 9), r.sample(range(10), 3))
# expect: True 9 [2, 5, 7]

# case: arguments of a script
import argparse
parser = argparse.ArgumentParser(description='trains')
parser.add_argument('--lr', type=float, default=1e-3, help='rate')
parser.add_argument('--n-heads', type=int, default=4)
parser.add_argument('--dims', nargs='+', type=int, default=[1])
parser.add_argument('--flag', action='store_true')
print(parser.parse_args([]))  # expect: Namespace(lr=0.001, n_heads=4, dims=[1], flag=False)
args = parser.parse_args('--lr 0.5 --n-heads=8 --dims 1 2 --flag'.split())
print(args.lr, args.n_heads, args.dims, args.flag, vars(args)['lr'])  # expect: 0.5 8 [1, 2] True 0.5
print(parser.parse_known_args(['--other', '1'])[1])  # expect: ['--other', '1']
parser.parse_args(['--lr', 'much'])  # expect error[SystemExit]

# case: what is logged to standard output is seen
import logging
import sys
logging.basicConfig(level=logging.INFO, stream=sys.stdout, format='%(levelname)s - %(message)s')
log = logging.getLogger('model')
log.info('step %d', 3)  # expect: INFO - step 3
log.debug('not this')
logging.warning('loud')  # expect: WARNING - loud
print('to a stream', file=sys.stdout)  # expect: to a stream
sys.stdout.write('written\n')  # expect: written

# case: pprint
from pprint import pprint
pprint({'b': list(range(3)), 'a': {'x': (1, 2)}})  # expect: {'a': {'x': (1, 2)}, 'b': [0, 1, 2]}
pprint({'words': ['attention', 'is', 'all', 'you', 'need', 'and', 'nothing', 'else', 'at all']})
# expect: {'words': ['attention',
# expect:            'is',
# expect:            'all',
# expect:            'you',
# expect:            'need',
# expect:            'and',
# expect:            'nothing',
# expect:            'else',
# expect:            'at all']}

# case: the environment is empty when a run begins
import os
print(os.environ.get('SEED', 'none'), 'SEED' in os.environ)  # expect: none False
os.environ['SEED'] = '42'
print(os.environ['SEED'], os.getenv('SEED'))  # expect: 42 42
print(os.path.splitext('a/b.tar.gz'), os.path.splitext('.rc'), os.path.dirname('a/b.txt'), os.path.dirname('/b'))
# expect: ('a/b.tar', '.gz') ('.rc', '') a /
os.environ['SEED'] = 3  # expect error[TypeError]: str expected, not int

# case: type variables and generic classes
from typing import Generic, TypeVar, cast
T = TypeVar('T')
class Stack(Generic[T]):
    def __init__(self):
        self.items: list[T] = []
print(T, Stack[int]().items, cast(int, 'x'))  # expect: ~T [] x

# case: a text that grows in a loop
s = t = 'a'
s += 'b'
print(s, t)  # expect: ab a
words = {s: 1}
s += 'c'
print(s, words)  # expect: abc {'ab': 1}
def grow(text):
    text += '!'
    return text
print(grow(s), s)  # expect: abc! abc

# case: context managers of generators
from contextlib import contextmanager, nullcontext, suppress, closing, ExitStack
@contextmanager
def tag(name):
    print('<' + name + '>')
    try:
        yield name.upper()
    finally:
        print('</' + name + '>')
with tag('a') as a, tag('b'):
    print(a)
# expect: <a>
# expect: <b>
# expect: A
# expect: </b>
# expect: </a>
@tag('c')
def inside():
    return 1
print(inside(), tag.__name__)
# expect: <c>
# expect: </c>
# expect: 1 tag
try:
    with tag('d'):
        raise KeyError('x')
except KeyError as error:
    print(repr(error))
# expect: <d>
# expect: </d>
# expect: KeyError('x')
@contextmanager
def calm():
    try:
        yield
    except ValueError as error:
        print('calm', error)
with calm():
    raise ValueError('v')
with suppress(KeyError, ZeroDivisionError):
    1 / 0
with nullcontext(5) as five:
    print(five)
# expect: calm v
# expect: 5
with ExitStack() as stack:
    print([stack.enter_context(tag(name)) for name in 'xy'])
# expect: <x>
# expect: <y>
# expect: ['X', 'Y']
# expect: </y>
# expect: </x>
with calm():
    raise TypeError('t')  # expect error[TypeError]: t

# case: throwing into a generator
def numbers():
    try:
        yield 1  # expect error[KeyError]: 'k'
    except ValueError as error:
        yield str(error)
    yield 3
g = numbers()
print(next(g), g.throw(ValueError('in')), next(g), list(g))  # expect: 1 in 3 []
g = numbers()
next(g)
g.throw(KeyError('k'))

# case: queues
from queue import Queue, PriorityQueue, LifoQueue, Empty
q, p, l = Queue(), PriorityQueue(), LifoQueue()
for item in [(2, 'b'), (1, 'c'), (3, 'a')]:
    q.put(item)
    p.put(item)
    l.put(item)
print(q.get(), p.get(), l.get(), q.qsize(), p.empty())  # expect: (2, 'b') (1, 'c') (3, 'a') 2 False
while not p.empty():
    print(p.get_nowait())
# expect: (2, 'b')
# expect: (3, 'a')
try:
    Queue().get(block=False)
except Empty:
    print('empty')  # expect: empty

# case: texts without their margin
import textwrap
print(textwrap.dedent("""
    a
      b

    c"""), repr(textwrap.indent('x\n\ny\n', '> ')))
# expect:
# expect: a
# expect:   b
# expect:
# expect: c '> x\n\n> y\n'

# case: a clock goes on
import time
start, first = time.time(), time.perf_counter()
time.sleep(0.002)
print(100 / (time.time() - start) > 0, time.perf_counter() > first, time.time_ns() > 0, time.perf_counter_ns() > 0)  # expect: True True True True
print(time.time() - start >= 0.002, time.monotonic() > 0, f'{time.time() - start:.0f}')  # expect: True True 0

# case: all names of a module
from random import *
from math import *
from typing import *
from collections import *
seed(1)
x: List[int] = [randint(1, 6)]
print(x, sqrt(4.0), pi, Counter('aab'), shuffle is not None, abs(-2))  # expect: [2] 2.0 3.141592653589793 Counter({'a': 2, 'b': 1}) True 2

# case: all names of torch and torch.nn
from torch import *
from torch.nn import *
print(ones(2), Linear(2, 3), float('1.5'), isinstance(zeros(1), Tensor), Module.__name__)  # expect: tensor([1., 1.]) Linear(in_features=2, out_features=3, bias=True) 1.5 True Module

# case: all names of numpy
from numpy import *
print(abs(-1), array([1, 2]).sum(), mean([1, 2]))  # expect: 1 3 1.5

# case: all names inside of a function
def f():
    from math import *  # expect error[SyntaxError]: import * only allowed at module level

# case: abstract types and unions
from typing import *
import collections.abc
from collections.abc import Iterable as It, Mapping as Ma
print(isinstance([1], List), isinstance([1], Sequence), isinstance({}, Mapping), isinstance("a", Iterable), isinstance(len, Callable), isinstance({}, Dict), isinstance(3, Hashable), isinstance([], Hashable), isinstance(3, Iterable), isinstance(iter([]), Iterator), isinstance((1,), Tuple))
# expect: True True True True True True True False False True True
print(isinstance([1], It), isinstance({}, Ma), isinstance("a", collections.abc.Sequence), isinstance(3, (int, It)))
# expect: True True True True
print(isinstance(3, int | float), int | str, isinstance(None, int | None), isinstance('a', int | None), int | None | str)
# expect: True int | str True False int | None | str

# case: settings of fields of dataclasses
from dataclasses import dataclass, field
@dataclass
class C:
    a: int
    b: list = field(default_factory=list, repr=False)
    c: int = field(default=0, compare=False)
print(C(1), C(1) == C(1, c=3))  # expect: C(a=1, c=0) True
@dataclass
class D:
    a: int = field(repr=False)
print(D(2))  # expect: D()
try: D()
except TypeError as e: print(e)  # expect: D.__init__() missing 1 required positional argument: 'a'

# case: json of objects
import json
print(json.loads('{"a": 1, "b": [1, 2.5, null, true, {"c": "d"}], "a": 3}'), json.loads(' [] '), json.loads('7'))
# expect: {'a': 3, 'b': [1, 2.5, None, True, {'c': 'd'}]} [] 7
print(json.loads('{' + ','.join('"token%d": %d' % (i, i) for i in range(50257)) + '}')['token50256'])  # expect: 50256
for text in ('{"a"}', '[1,]', '', '[' * 100000):
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        print(isinstance(error, ValueError))
# expect: True
# expect: True
# expect: True
# expect: False
print(json.dumps({"a": 1, "b": {1, 2}}, default=list), json.loads('{"a": {"b": 1}}', object_hook=lambda d: sorted(d)))
# expect: {"a": 1, "b": [1, 2]} ['a']
print(json.loads('{"a": [1.50, -2], "a": {}}', parse_float=str, parse_int=float, object_pairs_hook=lambda pairs: pairs))
# expect: [('a', ['1.50', -2.0]), ('a', [])]
print(json.loads('{"a": {"a": 1}}', object_pairs_hook=dict, object_hook=len), json.dumps({(1, 2): 1, 'a': 2}, skipkeys=True))
# expect: {'a': {'a': 1}} {"a": 2}
round_trip = []
round_trip.append(round_trip)
for value, settings in ((float('inf'), {'allow_nan': False}), ([1, [float('nan')]], {'allow_nan': True}), (round_trip, {}), (round_trip, {'check_circular': False})):
    try: print(json.dumps(value, **settings))
    except (ValueError, RecursionError) as error: print(type(error).__name__)
# expect: ValueError
# expect: [1, [NaN]]
# expect: ValueError
# expect: RecursionError

# case: a namespace, statistics
from types import SimpleNamespace
s = SimpleNamespace(x=1, y='a'); s.z = 3
print(s, s == SimpleNamespace(x=1, y='a', z=3))  # expect: namespace(x=1, y='a', z=3) True
import statistics
print(statistics.mean([1, 2, 3]), statistics.mean([1, 2]), statistics.median([3, 1, 2]), statistics.stdev([1, 2, 4]), statistics.mode('aab'), statistics.pstdev([1., 2.]))
# expect: 2 1.5 2 1.5275252316519468 a 0.5

# case: dates
import datetime
from datetime import timedelta, datetime as dt, date
print(timedelta(seconds=3661), timedelta(days=-1, hours=2), repr(timedelta(minutes=90)), timedelta(seconds=1.5).total_seconds())
# expect: 1:01:01 -1 day, 2:00:00 datetime.timedelta(seconds=5400) 1.5
d = date(2021, 1, 31)
print(d, d + timedelta(days=30), (date(2024, 3, 1) - d).days, d.weekday(), d.strftime('%A %d %b %Y %j'), repr(d), d < date(2022, 1, 1))
# expect: 2021-01-31 2021-03-02 1125 6 Sunday 31 Jan 2021 031 datetime.date(2021, 1, 31) True
t = dt(2021, 12, 31, 23, 59, 58)
print(t, t + timedelta(seconds=5), t - dt(2021, 12, 1), t.isoformat(), repr(t), f'{t:%H:%M}', t.timestamp(), dt.fromisoformat('2020-02-03 04:05:06'), t.date(), t.replace(year=2020))
# expect: 2021-12-31 23:59:58 2022-01-01 00:00:03 30 days, 23:59:58 2021-12-31T23:59:58 datetime.datetime(2021, 12, 31, 23, 59, 58) 23:59 1640995198.0 2020-02-03 04:05:06 2021-12-31 2020-12-31 23:59:58
print(len(dt.now().strftime('%Y-%m-%d %H:%M:%S')))  # expect: 19
try: date(2021, 2, 30)
except ValueError as e: print(e)  # expect: day is out of range for month


# case: files are renamed, copied and listed
import os, shutil, tempfile
from pathlib import Path

import torch
d = Path(tempfile.mkdtemp())
(d / 'a.txt').write_text('hi')
(d / 'b.json').write_text('{}')
os.replace(d / 'a.txt', d / 'c.txt')
shutil.copy(d / 'c.txt', d / 'e.txt')
print(sorted(p.name for p in d.iterdir()), sorted(p.name for p in d.glob('*.txt')), (d / 'c.txt').relative_to(d))
(d / 'c.txt').rename(d / 'z.txt')
print((d / 'z.txt').exists(), (d / 'c.txt').exists(), (d / 'e.txt').read_text())
os.makedirs(d / 'sub')
shutil.move(str(d / 'z.txt'), str(d / 'sub'))
print(os.listdir(d / 'sub'))
torch.save({'a': 1}, d / 'm.pt')
shutil.copy(str(d / 'm.pt'), str(d / 'n.pt'))
print(torch.load(d / 'n.pt'))
with tempfile.NamedTemporaryFile('w', suffix='.txt', delete=False) as f:
    f.write('abc')
print(open(f.name).read())
with tempfile.NamedTemporaryFile(suffix='.pt') as f:
    torch.save(torch.ones(2), f.name)
    print(torch.load(f.name))
print(os.path.exists(f.name))
try:
    os.rename(d / 'nope', 'x')
except FileNotFoundError:
    print('no such file')
try:
    d.relative_to('elsewhere')
except ValueError:
    print('not inside')
# expect: ['b.json', 'c.txt', 'e.txt'] ['c.txt', 'e.txt'] c.txt
# expect: True False hi
# expect: ['z.txt']
# expect: {'a': 1}
# expect: abc
# expect: tensor([1., 1.])
# expect: False
# expect: no such file
# expect: not inside

# case: flags that are counted
import argparse
parser = argparse.ArgumentParser()
parser.add_argument('-v', '--verbose', action='count', default=0)
parser.add_argument('-q', action='store_true')
for words in (['-vv'], ['-v', '-v', '--verbose', '-q'], ['-vq'], []):
    print(parser.parse_args(words))
# expect: Namespace(verbose=2, q=False)
# expect: Namespace(verbose=3, q=True)
# expect: Namespace(verbose=1, q=True)
# expect: Namespace(verbose=0, q=False)

# case: the platform
import platform
print(platform.python_version()[:4], platform.system())
# expect: 3.11 Linux

# case: fields that the constructor does not take
from dataclasses import dataclass, field
@dataclass
class Config:
    width: int
    heads: float = 2.0
    size: float = field(init=False)
    seen: list = field(init=False, default_factory=list)
    def __post_init__(self):
        self.size = self.width * self.heads
print(Config(3), Config(3) == Config(3), Config(3, 4.0).size)
@dataclass
class Never:
    late: int = field(init=False)
try:
    print(Never())
except AttributeError as e:
    print(e)
try:
    Never(1)
except TypeError as e:
    print(e)
# expect: Config(width=3, heads=2.0, size=6.0, seen=[]) True 12.0
# expect: 'Never' object has no attribute 'late'
# expect: Never.__init__() takes 1 positional argument but 2 were given

# case: very many keywords
def count(**k):
    return len(k)
print(len(dict(**{str(i): i for i in range(20000)})), count(**{f'a{i}': i for i in range(100)}, b=1))
try:
    count(**{f'a{i}': i for i in range(20)}, a3=1)
except TypeError as e:
    print(str(e).split('.')[-1])
# expect: 20000 101
# expect: count() got multiple values for keyword argument 'a3'

# case: the signature of a function
import inspect
import torch
def f(a, /, b: int, c=2, *rest, d: torch.Tensor = None, **more) -> float: pass
print(inspect.signature(f), [str(p.kind) for p in inspect.signature(f).parameters.values()])
s = inspect.signature(f)
print(s.parameters['c'].default, s.parameters['b'].default is inspect.Parameter.empty, s.parameters['b'].annotation, s.parameters['d'])
print([n for n, p in s.parameters.items() if p.default is p.empty and p.kind == p.POSITIONAL_OR_KEYWORD], s.return_annotation)
bound = s.bind(1, 2, 3, 4, d=5, e=6)
print(bound.arguments, s)
bound = inspect.signature(lambda x, *, k=2: x).bind(7)
bound.apply_defaults()
print(bound.arguments, inspect.signature(lambda x, *, k=2: x))
try: s.bind(1)
except TypeError as error: print(error)
try: inspect.signature(lambda: 0).bind(1)
except TypeError as error: print(error)
class Net(torch.nn.Module):
    def __init__(self, width, depth=2): super().__init__()
    def forward(self, x, mask=None): return x
print(inspect.signature(Net), inspect.signature(Net(1).forward), inspect.signature(Net.forward), repr(s.parameters['c']))
# expect: (a, /, b: int, c=2, *rest, d: torch.Tensor = None, **more) -> float ['POSITIONAL_ONLY', 'POSITIONAL_OR_KEYWORD', 'POSITIONAL_OR_KEYWORD', 'VAR_POSITIONAL', 'KEYWORD_ONLY', 'VAR_KEYWORD']
# expect: 2 True <class 'int'> d: torch.Tensor = None
# expect: ['b'] <class 'float'>
# expect: {'a': 1, 'b': 2, 'c': 3, 'rest': (4,), 'd': 5, 'more': {'e': 6}} (a, /, b: int, c=2, *rest, d: torch.Tensor = None, **more) -> float
# expect: {'x': 7, 'k': 2} (x, *, k=2)
# expect: missing a required argument: 'b'
# expect: too many positional arguments
# expect: (width, depth=2) (x, mask=None) (self, x, mask=None) <Parameter "c=2">

# case: the signature of what a decorator wraps
import functools, inspect
def deco(f):
    @functools.wraps(f)
    def g(*args, **kw): return f(*args, **kw)
    return g
class A:
    @deco
    def m(self, x: int, y=2): pass
print(inspect.signature(A().m), inspect.signature(A.m), inspect.signature(deco(lambda q: q)))  # expect: (x: int, y=2) (self, x: int, y=2) (q)
print(inspect.unwrap(A.m).__name__, inspect.unwrap(len) is len)  # expect: m True

# case: functions that wrap each other in a circle
import inspect
def f(a): return 1
def g(a): return 1
f.__wrapped__, g.__wrapped__ = g, f
for ask in inspect.unwrap, inspect.signature:
    try:
        ask(f)
    except ValueError as error:
        print(str(error)[:36])
# expect: wrapper loop when unwrapping <functi
# expect: wrapper loop when unwrapping <functi

# case: flags that are joined
from enum import Flag, auto
class Access(Flag):
    READ = auto()
    WRITE = auto()
    RUN = auto()
    BOTH = READ | WRITE
print(Access.READ, repr(Access.RUN), Access.READ | Access.RUN, repr(Access.READ | Access.RUN), Access.BOTH, [one.name for one in Access], len(Access))
print(Access(3) is Access.BOTH, Access(5) is Access.READ | Access.RUN, Access.READ in Access(5), Access.WRITE in Access(5), Access(5) & Access.BOTH, Access(5) ^ Access.RUN, ~Access.READ)
print(Access(0), repr(Access(0)), bool(Access(0)), bool(Access.RUN), list(Access(6)), Access(6).value, {Access(5): 1}[Access.RUN | Access.READ], Access.READ == 1)
print(repr(Access(9)), Access(8), Access(-2), Access(4 + 16))
# expect: Access.READ <Access.RUN: 4> Access.READ|RUN <Access.READ|RUN: 5> Access.BOTH ['READ', 'WRITE', 'RUN'] 3
# expect: True True True False Access.READ Access.READ Access.WRITE|RUN
# expect: Access(0) <Access: 0> False True [<Access.WRITE: 2>, <Access.RUN: 4>] 6 1 False
# expect: <Access.READ: 1> Access(0) Access.WRITE|RUN Access.RUN
Access.READ | 2  # expect error[TypeError]: unsupported operand type(s) for |: 'Access' and 'int'

# case: cached_property keeps its value under its own name, of frozen classes and of layers, too
from functools import cached_property
from dataclasses import dataclass
from torch import nn
class Counted:
    made = 0
    @cached_property
    def value(self):
        Counted.made += 1
        return Counted.made
x = Counted()
print(x.value, x.value, vars(x))
del x.value
print(x.value)
x.value = 9
print(x.value)
@dataclass(frozen=True)
class Config:
    width: int = 1
    @cached_property
    def twice(self): return 2 * self.width
print(Config(4).twice, Config(4) == Config(4))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(2, 3)
    @cached_property
    def size(self): return sum(p.numel() for p in self.parameters())
net = Net()
print(net.size, net.size, list(net.state_dict()))
# expect: 1 1 {'value': 1}
# expect: 2
# expect: 9
# expect: 8 True
# expect: 9 9 ['up.weight', 'up.bias']

# case: what a Counter has not counted may be deleted
from collections import Counter
c = Counter('aab')
del c['z'], c['a']
print(c)
# expect: Counter({'b': 1})

# case: a Counter adds what update() is given by name
from collections import Counter
c = Counter('ab')
c.update({}, q=1, a=2)
c.update(a=1)
c.update('bb', b=1)
print(c)
# expect: Counter({'a': 4, 'b': 4, 'q': 1})

# case: the first few of many keep no others
import heapq
print(heapq.nsmallest(3, range(10**5)), heapq.nlargest(2, (i * 7919 % 10007 for i in range(5000))), heapq.nsmallest(0, [1]), heapq.nlargest(-1, [1]))
pairs = [(i % 3, i) for i in range(4000)]
print(heapq.nsmallest(3, pairs, key=lambda p: p[0]), heapq.nlargest(3, pairs, key=lambda p: p[0]), heapq.nlargest(5, [2, 1]))
# expect: [0, 1, 2] [10006, 10005] [] []
# expect: [(0, 0), (0, 3), (0, 6)] [(2, 2), (2, 5), (2, 8)] [2, 1]

# case: which of many numbers are among many others
import torch, numpy as np
a = torch.arange(3000) * 3
b = torch.arange(2000, 0, -1) * 2
print(torch.isin(a, b).sum(), torch.isin(a.view(30, 100), b)[0, :6], torch.isin(a, b, invert=True).sum())
n = torch.tensor(float('nan')).repeat(1200)
print(torch.isin(torch.tensor([float('nan'), 2.0]).repeat(1000), torch.tensor([float('nan'), 2]).repeat(600)).sum(), torch.isin(n, n).any())
print(torch.isin(a.double() + 0.5, b).any(), np.isin(np.arange(5000), np.arange(0, 9000, 1500)).sum(), torch.isin(a, a.flip(0)).all())
# expect: tensor(666) tensor([False, False,  True, False,  True, False]) tensor(2334)
# expect: tensor(1000) tensor(False)
# expect: tensor(False) 4 tensor(True)

# case: a built-in that is wrapped
import functools
def g(): pass
print(functools.wraps(len)(g).__wrapped__([1, 2]))
# expect: 2

# case: long texts in every form
import unicodedata
pieces = ["ﷺ", "가", "한글", "ｶﾞ", "é", "e\u0301\u0327", "क\u093c", "\u0dd9\u0dcf", "ﬁ", "a", "각", "\u1100\u1161\u11a8", "😀", "が", "\u0bc6\u0bbe", "\U0001d15e"]
text = "".join(pieces[(i * i + i // 7) % len(pieces)] * (i % 5) for i in range(9000))
for form in ("NFC", "NFD", "NFKC", "NFKD"):
    got = unicodedata.normalize(form, text)
    print(form, len(got), sum(map(ord, got)), sum(i * ord(c) for i, c in enumerate(got)) % 1000003)
    print(len(unicodedata.normalize(form, "ﷺ" * 60000)), len(unicodedata.normalize(form, "\u1100\u1161\u11a8" * 50000)), len(unicodedata.normalize(form, "\u0bc6\u0bbe" * 50000)))
# expect: NFC 23469 982068446 922868
# expect: 60000 50000 50000
# expect: NFD 39544 806125094 596845
# expect: 60000 150000 100000
# expect: NFKC 45615 732946022 591215
# expect: 1080000 50000 50000
# expect: NFKD 62656 569019710 111743
# expect: 1080000 150000 100000

# case: endless iterables are asked for no more than is needed
import heapq
from itertools import count, repeat, islice, cycle
from collections import deque
from functools import reduce
print(list(islice(heapq.merge(count(0,2), count(1,2)), 7)))
print(list(heapq.merge([1,4,7],[2,4,8],[0])), list(heapq.merge([7,4],[8,1],reverse=True)))
print(list(heapq.merge(['a','ccc'],['bb','dddd'], key=len)), list(heapq.merge(['A','b'],['a','B'],key=str.lower)), list(heapq.merge(['b','A'],['B','a'],key=str.lower,reverse=True)))
def until(total, x):
    if total > 100: raise ValueError(total)
    return total + x
try: reduce(until, count())
except ValueError as e: print(e)
print({1,2}.isdisjoint(count()), {1,2}.issuperset(count(1)), {1,2,3}.issuperset([1,2]), {1:2}.keys().isdisjoint([5]), {1}.isdisjoint([2,3]), set().issuperset([]))
d=deque([1,2]); d.extend(d); print(d); d.extendleft(d); print(d)
def gen():
    yield from range(10)
    raise KeyError('x')
d=deque(maxlen=3)
try: d.extend(gen())
except KeyError: print(d)
try: {1}.isdisjoint([[]])
except TypeError as e: print(e)
# expect: [0, 1, 2, 3, 4, 5, 6]
# expect: [0, 1, 2, 4, 4, 7, 8] [8, 7, 4, 1]
# expect: ['a', 'bb', 'ccc', 'dddd'] ['A', 'a', 'b', 'B'] ['b', 'B', 'A', 'a']
# expect: 105
# expect: False False True True True True
# expect: deque([1, 2, 1, 2])
# expect: deque([2, 1, 2, 1, 1, 2, 1, 2])
# expect: deque([7, 8, 9], maxlen=3)
# expect: unhashable type: 'list'

# case: groups share one pass
from itertools import groupby, islice, count
for k, g in groupby(sorted(['apple', 'bob', 'cat', 'axe', 'bee'], key=lambda w: w[0]), key=lambda w: w[0]):
    print(k, list(g))
print([k for k, _ in groupby('aaabbbccaa')], [(k, len(list(g))) for k, g in groupby([])], {k: [*g] for k, g in groupby([1, 1, 2])})
it = groupby(count(), key=lambda i: i // 3)
print([(k, list(islice(g, 2))) for k, g in islice(it, 3)])
a = groupby('aabb'); k, g = next(a); print(next(g)); k2, g2 = next(a); print(list(g), k2, list(g2), list(a))
from itertools import groupby
gs = [(k, g) for k, g in groupby('aabbc')]
print([(k, list(g)) for k, g in gs])
# expect: a ['apple', 'axe']
# expect: b ['bob', 'bee']
# expect: c ['cat']
# expect: ['a', 'b', 'c', 'a'] [] {1: [1, 1], 2: [2]}
# expect: [(0, [0, 1]), (1, [3, 4]), (2, [6, 7])]
# expect: a
# expect: [] b ['b', 'b'] []
# expect: [('a', []), ('b', []), ('c', [])]

# case: dataclasses with options
from dataclasses import dataclass, field
@dataclass(kw_only=True)
class A:
    a: int
    b: int
    c: int = 3
for call in (lambda: A(), lambda: A(1, 2), lambda: A(a=1), lambda: A(a=1, b=2, d=3)):
    try: print(call())
    except TypeError as e: print(e)
@dataclass
class B:
    a: int
    b: int = field(kw_only=True)
    c: int = field(default=0)
for call in (lambda: B(), lambda: B(1), lambda: B(1, 5, b=2), lambda: B(1, a=2, b=3)):
    try: print(call())
    except TypeError as e: print(e)
print(B.__match_args__)
@dataclass(slots=True, frozen=True)
class F:
    x: int = 1
print(hash(F()) == hash(F(1)), {F(): 3}[F(1)])
try: F().x = 3
except Exception as e: print(type(e).__name__, e)
@dataclass
class G:
    a: int = 1
try: {G()}
except TypeError as e: print(e)
try:
    @dataclass(foo=1)
    class H: a: int
except TypeError as e: print(str(e)[-35:])
from dataclasses import dataclass, field
@dataclass(kw_only=True)
class A:
    a: int
    b: int = 2
print(A(a=1), A(b=3, a=4))
try: A(1)
except TypeError as e: print(e)
@dataclass(eq=False)
class B:
    a: int
b = B(1)
print(b == B(1), b == b, hash(b) == hash(b), {b: 2}[b])
@dataclass(unsafe_hash=True)
class C:
    a: int
    b: tuple = ()
print(hash(C(1)) == hash(C(1)), len({C(1), C(1), C(2)}))
@dataclass(repr=False)
class D:
    a: int
print(repr(D(1))[:12], D(1) == D(1))
@dataclass(slots=True)
class S:
    a: int
    b: int = 3
s = S(1)
print(s)
try: s.c = 5
except AttributeError as e: print(e)
@dataclass
class K:
    a: int
    b: int = field(default=4, kw_only=True)
    c: int = 5
print(K(1, 2), K(1, 2, b=9))
@dataclass(init=False)
class N:
    a: int = 3
print(N())
@dataclass(order=True, frozen=True)
class O:
    x: int
    y: int = 0
print(sorted([O(2, 1), O(1, 5), O(1, 2)]), O(1) < O(2), hash(O(1)) == hash(O(1)))
# expect: A.__init__() missing 2 required keyword-only arguments: 'a' and 'b'
# expect: A.__init__() takes 1 positional argument but 3 were given
# expect: A.__init__() missing 1 required keyword-only argument: 'b'
# expect: A.__init__() got an unexpected keyword argument 'd'
# expect: B.__init__() missing 1 required positional argument: 'a'
# expect: B.__init__() missing 1 required keyword-only argument: 'b'
# expect: B(a=1, b=2, c=5)
# expect: B.__init__() got multiple values for argument 'a'
# expect: ('a', 'c')
# expect: True 3
# expect: FrozenInstanceError cannot assign to field 'x'
# expect: unhashable type: 'G'
# expect: n unexpected keyword argument 'foo'
# expect: A(a=1, b=2) A(a=4, b=3)
# expect: A.__init__() takes 1 positional argument but 2 were given
# expect: False True True 2
# expect: True 2
# expect: <__main__.D  True
# expect: S(a=1, b=3)
# expect: 'S' object has no attribute 'c'
# expect: K(a=1, b=4, c=2) K(a=1, b=9, c=2)
# expect: N(a=3)
# expect: [O(x=1, y=2), O(x=1, y=5), O(x=2, y=1)] True True

# case: names of fields of named tuples
from collections import namedtuple
P = namedtuple('P', 'x y')
p = P(1, 2)
try: p.x = 3
except AttributeError as e: print(e)
for bad in ('x x', 'def y', '_a b', '1a'):
    try: namedtuple('Q', bad)
    except ValueError as e: print(e)
print(namedtuple('R', 'a a def', rename=True)._fields)
# expect: can't set attribute
# expect: Encountered duplicate field name: 'x'
# expect: Type names and field names cannot be a keyword: 'def'
# expect: Field names cannot start with an underscore: '_a'
# expect: Type names and field names must be valid identifiers: '1a'
# expect: ('a', '_1', '_2')

# case: members of enumerations that are made or missing
import enum
from enum import Enum, auto
class Color(Enum):
    RED = 1
    BLUE = 2
    @classmethod
    def _missing_(cls, value):
        if isinstance(value, str):
            return cls[value.upper()]
        return None
print(Color('red'), Color('blue'))
try: Color(7)
except ValueError as e: print(e)
class Name(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last):
        return name.lower()
    A = auto()
    B = auto()
print(list(Name), Name.A.value)
class P(Enum):
    X = 3
    Y = 4
    @property
    def double(self): return self.value * 2
    def __str__(self): return f'<{self.name}>'
print(P.X.double, str(P.Y), f'{P.X}', [p.double for p in P])
from enum import Enum, StrEnum, auto, IntEnum, unique
class C(Enum):
    A = 1
    B = 2
    @classmethod
    def default(cls): return cls.A
    @staticmethod
    def helper(x): return x + 1
    def describe(self): return self.name.lower()
print(list(C), C.default(), C.helper(2), C.B.describe())
class S(StrEnum):
    ONE = auto()
    TWO = 'zwei'
print(list(S), S.ONE, S.TWO + '!')
try: C(9)
except ValueError as e: print(e)

from enum import Flag
class F(Flag):
    R = auto(); W = auto(); X = auto()
print([f.value for f in F], (F.R | F.X).value)
class N(Enum):
    A = auto(); B = 10; C = auto()
print([n.value for n in N])
# expect: Color.RED Color.BLUE
# expect: 7 is not a valid Color
# expect: [<Name.A: 'a'>, <Name.B: 'b'>] a
# expect: 6 <Y> <X> [6, 8]
# expect: [<C.A: 1>, <C.B: 2>] C.A 3 b
# expect: [<S.ONE: 'one'>, <S.TWO: 'zwei'>] one zwei!
# expect: 9 is not a valid C
# expect: [1, 2, 4] 5
# expect: [1, 10, 11]

# case: JSON that is none
import json
for text in ('{', '', "{'a': 1}"):
    try: json.loads(text)
    except json.JSONDecodeError as e: print(type(e).__name__, isinstance(e, ValueError))
# expect: JSONDecodeError True
# expect: JSONDecodeError True
# expect: JSONDecodeError True

# case: marks in any order
import unicodedata
x = "a" + "\u0301" * 2000 + "\u0323" * 2000 + "b\u0323\u0301\u0345\u0f73\u0301"
for form in ("NFC", "NFD", "NFKC", "NFKD"):
    y = unicodedata.normalize(form, x)
    print(form, len(y), ascii(y[:3]), ascii(y[-8:]), y.count("\u0323"))
# expect: NFC 4006 '\u1ea1\u0323\u0323' '\u0301\u0301\u1e05\u0f71\u0f72\u0301\u0301\u0345' 1999
# expect: NFD 4008 'a\u0323\u0323' '\u0301b\u0f71\u0f72\u0323\u0301\u0301\u0345' 2001
# expect: NFKC 4006 '\u1ea1\u0323\u0323' '\u0301\u0301\u1e05\u0f71\u0f72\u0301\u0301\u0345' 1999
# expect: NFKD 4008 'a\u0323\u0323' '\u0301b\u0f71\u0f72\u0323\u0301\u0301\u0345' 2001

# case: a replacement that is nothing, a width that is none
import re
print(re.sub("a", lambda m: None, "bab"), "x".center(-2**62 - 2**62), "x".zfill(-2**62 - 2**62), "x".rjust(-1))
# expect: bb x x x

# case: numbers that are none, in JSON
import json
losses = [0.5, float("nan"), float("inf"), -float("inf")]
print(json.loads(json.dumps({"loss": losses})))  # expect: {'loss': [0.5, nan, inf, -inf]}
print(json.loads('["NaN", "a\\"Infinity", -Infinity]'))  # expect: ['NaN', 'a"Infinity', -inf]
for text in ("[NaNs]", "[-NaN]", "[+Infinity]"):
    try: json.loads(text)
    except json.JSONDecodeError: print("no JSON")
# expect: no JSON
# expect: no JSON
# expect: no JSON

# case: what goes round and round is asked for as it is needed
from itertools import count, cycle, islice
def letters():
    for letter in "ab":
        print("asked for", letter)
        yield letter
rounds = cycle(letters())
print(next(rounds))
print([next(rounds) for _ in range(4)], list(islice(cycle(count()), 3)), list(cycle([])))
# expect: asked for a
# expect: a
# expect: asked for b
# expect: ['b', 'a', 'b', 'a'] [0, 1, 2] []
