# Modules of Python that notebooks use around their models: csv, hashlib, fractions, streams in memory, names of scopes.
import csv
import dataclasses
import enum
import fractions
import functools
import hashlib
import inspect
import io
import itertools
import math
import os
import random
import sys
import types


def attempt(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__)


# case: rows of csv
f = io.StringIO('name,text\n1,"a, ""b"""\n\n2,"two\nlines"\n3,x,y\n')
print(list(csv.reader(f)))  # expect: [['name', 'text'], ['1', 'a, "b"'], [], ['2', 'two\nlines'], ['3', 'x', 'y']]
f.seek(0)
rows = csv.DictReader(f)
print(rows.fieldnames, list(rows), rows.line_num)
# expect: ['name', 'text'] [{'name': '1', 'text': 'a, "b"'}, {'name': '2', 'text': 'two\nlines'}, {'name': '3', 'text': 'x', None: ['y']}] 6
print(list(csv.reader(['a;b ;"c;d"'], delimiter=';')), next(csv.reader(['a\tb'], 'excel-tab')))
# expect: [['a', 'b ', 'c;d']] ['a', 'b']
out = io.StringIO()
writer = csv.writer(out)
print(writer.writerow([1, 'a,b', None, 2.5, 'q"q', '']), writer.writerows([[], [''], ['x\ny', True]]))
# expect: 22 None
print(repr(out.getvalue()))  # expect: '1,"a,b",,2.5,"q""q",\r\n\r\n""\r\n"x\ny",True\r\n'
out = io.StringIO()
table = csv.DictWriter(out, ['b', 'a'], extrasaction='ignore', lineterminator='\n', quoting=csv.QUOTE_NONNUMERIC)
table.writeheader()
table.writerows([{'a': 1, 'b': 'x', 'c': 0}, {'a': 2}])
print(out.getvalue())
# expect: "b","a"
# expect: "x",1
# expect: "",2
# expect:
attempt(lambda: csv.DictWriter(out, ['a']).writerow({'z': 1}))  # expect: ValueError
attempt(lambda: csv.reader([], 'none'))  # expect: Error

# case: csv in files
os.makedirs('/tmp/of-cells', exist_ok=True)
with open('/tmp/of-cells/table.csv', 'w', newline='') as f:
    csv.writer(f).writerows([['epoch', 'loss'], [1, 0.5], [2, 0.25]])
with open('/tmp/of-cells/table.csv') as f:
    print([{key: float(value) for key, value in row.items()} for row in csv.DictReader(f)])
# expect: [{'epoch': 1.0, 'loss': 0.5}, {'epoch': 2.0, 'loss': 0.25}]

# case: streams in memory
b = io.BytesIO(b'hello')
print(b.tell(), b.read(2), b.tell(), b.seek(1), b.read(), b.seek(0, 2), b.tell(), b.seek(-2, 2), b.read(), b.read())
# expect: 0 b'he' 2 1 b'ello' 5 5 3 b'lo' b''
b.seek(1)
print(b.write(b'XY'), b.tell(), b.read(), b.getvalue(), b.write(b'end'), b.getvalue())
# expect: 2 3 b'lo' b'hXYlo' 3 b'hXYloend'
print(io.BytesIO(b'abc').write(b'Z'), b.truncate(3), b.getvalue(), b.seek(0), b.readline())
# expect: 1 3 b'hXY' 0 b'hXY'
s = io.StringIO('one\ntwo\r\n')
print(s.readline(), s.tell(), repr(s.read()), s.seek(0), list(s))
# expect: one
# expect:  4 'two\r\n' 0 ['one\n', 'two\r\n']
s = io.StringIO()
print(s.write('ab'), s.tell(), s.seek(0), s.read(1), s.write('Z'), s.getvalue())  # expect: 2 2 0 a 1 aZ
attempt(lambda: b.seek(-1))  # expect: ValueError
attempt(lambda: io.BytesIO().write('text'))  # expect: TypeError

# case: digests
for name in ('md5', 'sha1', 'sha256'):
    made = getattr(hashlib, name)(b'attention')
    made.update(b' is all you need')
    print(made.name, made.digest_size, made.hexdigest(), hashlib.new(name, bytes(range(200))).hexdigest()[:16])
# expect: md5 16 431e0c981c0c16d7152e369c4da83b25 fb7001d34b8e82c9
# expect: sha1 20 37f63852cdfb06903c168047e6c126a27c055cd9 54d11e99127d1597
# expect: sha256 32 4a1c934d3d98f3cefede93ebb74d0c4c2bac7ac9cc4f467d253ef8f87a2d6aad 1901da1c9f699b48
print(hashlib.md5().digest(), hashlib.sha256('é'.encode()).hexdigest()[:8], hashlib.sha1(b'a').copy().hexdigest()[:8])
# expect: b'\xd4\x1d\x8c\xd9\x8f\x00\xb2\x04\xe9\x80\t\x98\xec\xf8B~' 4a99557e 86f7e437
attempt(lambda: hashlib.md5('text'))  # expect: TypeError

# case: fractions
F = fractions.Fraction
print(F(1, 3) + F(1, 6), F('0.25') * 4, repr(F(3)), float(F(1, 4)), F(0.5), F(1, 3) < F(1, 2), F(6, -4), F(1, 3) + 0.5)
# expect: 1/2 1 Fraction(3, 1) 0.25 1/2 True -3/2 0.8333333333333333
print(2 - F(1, 3), 1 / F(2, 3), F(7, 2) // 1, F(7, 2) % 1, F(2, 3) ** -2, F(3, 2) == 1.5, round(F(5, 2)), int(F(-7, 2)), abs(F(-1, 2)))
# expect: 5/3 3/2 3 1/2 9/4 True 2 -3 1/2
print(F(3.14159).limit_denominator(100), F(1, 2).numerator, sum([F(1, 10)] * 3), max(F(1, 2), F(2, 3)), bool(F(0)))
# expect: 311/99 1 3/10 2/3 False
attempt(lambda: F(1, 0))  # expect: ZeroDivisionError
attempt(lambda: F('x'))  # expect: ValueError

# case: names of scopes
depth = 3
def inner(a, *rest, key=1):
    b = a + depth
    return locals()
print(inner(1, 2), globals()['depth'], 'inner' in globals(), 'nothing' in globals(), globals()['__name__'])
# expect: {'a': 1, 'key': 1, 'rest': (2,), 'b': 4} 3 True False __main__
globals()['made'] = 7
print(made, 'depth' in locals())  # expect: 7 True
class Settings:
    def __init__(self, width, height=2):
        for key, value in locals().items():
            if key != 'self':
                setattr(self, key, value)
print(vars(Settings(1)))  # expect: {'width': 1, 'height': 2}
names = {name: globals()[name] for name in ('depth', 'made')}
print(names, [name for name, value in sorted(globals().items()) if isinstance(value, int)])
# expect: {'depth': 3, 'made': 7} ['depth', 'made']

# case: methods made of functions
class Counter:
    count = 1
counter = Counter()
counter.more = types.MethodType(lambda self, by: self.count + by, counter)
print(counter.more(2), types.SimpleNamespace(a=1, b=[2]))  # expect: 3 namespace(a=1, b=[2])
attempt(lambda: types.MethodType(3, counter))  # expect: TypeError

# case: what a wrapper wraps
def logged(function):
    @functools.wraps(function)
    def wrapper(*args):
        return 'logged ' + str(function(*args))
    return wrapper
@logged
def double(x):
    """Twice."""
    return 2 * x
print(double(2), double.__wrapped__(2), double.__name__, double.__doc__, list(inspect.signature(double).parameters))
# expect: logged 4 4 double Twice. ['x']

# case: enumerations from texts
Color = enum.Enum('Color', 'RED GREEN')
print(Color.RED, list(Color), Color['GREEN'].value, Color(2), Color)
# expect: Color.RED [<Color.RED: 1>, <Color.GREEN: 2>] 2 Color.GREEN <enum 'Color'>
print(list(enum.Enum('Size', ['S', 'M'], start=0)), enum.IntEnum('Level', {'LOW': 5, 'HIGH': 7}).HIGH + 1)
# expect: [<Size.S: 0>, <Size.M: 1>] 8
print(enum.Enum('Pair', [('A', 'x'), ('B', 'y')]).B.value)  # expect: y
attempt(lambda: Color(3))  # expect: ValueError

# case: values for __post_init__ alone
@dataclasses.dataclass
class Attention:
    dim: int
    scale: dataclasses.InitVar[float] = 2.0
    heads: int = 4
    size: float = dataclasses.field(init=False)
    def __post_init__(self, scale):
        self.size = self.dim * scale
print(Attention(3), Attention(3, 5.0).size, Attention(3, heads=1, scale=1.0), [f.name for f in dataclasses.fields(Attention)])
# expect: Attention(dim=3, heads=4, size=6.0) 15.0 Attention(dim=3, heads=1, size=3.0) ['dim', 'heads', 'size']
print(Attention(2) == Attention(2, 2.0), dataclasses.asdict(Attention(1)))
# expect: True {'dim': 1, 'heads': 4, 'size': 2.0}
attempt(lambda: Attention())  # expect: TypeError

# case: states of random
random.seed(5)
random.gauss(0, 1)
state = random.getstate()
first = random.random(), random.gauss(0, 1), random.randint(0, 100)
random.setstate(state)
print(first == (random.random(), random.gauss(0, 1), random.randint(0, 100)), len(state), len(state[1]), state[0], state[1][-1], state[1][:2])
# expect: True 3 625 3 4 (800844005, 2707223550)
own = random.Random(1)
own.setstate(state)
print(own.random() == first[0], random.Random(2).getstate()[1][0])  # expect: True 2147483648
attempt(lambda: random.setstate((3, (1, 2), None)))  # expect: ValueError

# case: datetime.strptime
from datetime import datetime, timedelta
moment = datetime.strptime('2023-01-15 12:30:45', '%Y-%m-%d %H:%M:%S')
print(moment, moment + timedelta(days=30))
print(datetime.strptime('15/02/21', '%d/%m/%y'), datetime.strptime('Jan 5 2020 3PM', '%b %d %Y %I%p'), datetime.strptime('100% 7.25', '100%% %S.%f'))
for text, format in (('x', '%Y'), ('2020-13-01', '%Y-%m-%d')):
    try:
        datetime.strptime(text, format)
    except ValueError as error:
        print(error)
# expect: 2023-01-15 12:30:45 2023-02-14 12:30:45
# expect: 2021-02-15 00:00:00 2020-01-05 15:00:00 1900-01-01 00:00:07.250000
# expect: time data 'x' does not match format '%Y'
# expect: time data '2020-13-01' does not match format '%Y-%m-%d'

# case: what default= makes of an object is written in its place; of itself it cannot be made
import json
class Point:
    def __init__(self, x): self.x = x
print(json.dumps([Point(1), {'a': Point(Point(2))}], default=lambda p: {'x': p.x}, indent=1))
try: json.dumps(Point(1), default=lambda p: p)
except ValueError as error: print(error)
try: json.dumps({1: Point(1)})
except TypeError as error: print(error)
# expect: [
# expect:  {
# expect:   "x": 1
# expect:  },
# expect:  {
# expect:   "a": {
# expect:    "x": {
# expect:     "x": 2
# expect:    }
# expect:   }
# expect:  }
# expect: ]
# expect: Circular reference detected
# expect: Object of type Point is not JSON serializable

# case: inspect and typing say what something is
import inspect, typing
def f(x: int, y: 'str' = None) -> float:
    """Doc of f.

        indented
    """
class A:
    def m(self): pass
    @classmethod
    def c(cls): pass
print(inspect.isfunction(f), inspect.isfunction(A), inspect.isclass(A), inspect.ismethod(A().m), inspect.isfunction(A.m))
print(inspect.isbuiltin(len), inspect.isfunction(lambda: 0), inspect.isroutine(A().m), inspect.isgenerator(i for i in []))
print(inspect.getdoc(f), inspect.getdoc(A), type(A().m).__name__, type(A.c).__name__)
print(typing.get_type_hints(f))
# expect: True False True True True
# expect: True True True True
# expect: Doc of f.
# expect:
# expect: indented None method method
# expect: {'x': <class 'int'>, 'y': <class 'str'>, 'return': <class 'float'>}

# case: isinstance with a protocol asks for its members
from typing import Protocol, runtime_checkable
@runtime_checkable
class Scores(Protocol):
    scale: float
    def forward(self, q, k): ...
class Dot:
    scale = 0.5
    def forward(self, q, k): return q * k
class NoScale:
    def forward(self, q, k): return q * k
@runtime_checkable
class NamedScores(Scores, Protocol):
    def name(self): ...
print(isinstance(Dot(), Scores), isinstance(NoScale(), Scores), isinstance(Dot(), NamedScores), isinstance(3, (Scores, int)))
# expect: True False False True

# case: filters of warnings
import warnings
def tried(category):
    try:
        warnings.warn('too long', category)
        return 'warned'
    except Warning as error:
        return f'{type(error).__name__}: {error}'
with warnings.catch_warnings():
    warnings.filterwarnings('error', message='.*LONG', category=UserWarning)
    print(tried(UserWarning), tried(FutureWarning))
    warnings.simplefilter('ignore')
    print(tried(UserWarning))
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter('always')
    print(tried(UserWarning), len(seen))
    warnings.filterwarnings('ignore', category=UserWarning)
    print(tried(UserWarning), len(seen), seen[0].category.__name__)
try:
    warnings.simplefilter('loud')
except AssertionError as error:
    print('refused')
# expect: UserWarning: too long warned
# expect: warned
# expect: warned 1
# expect: warned 1 UserWarning
# expect: refused

# case: a record of logging knows the function and the line
import io
import logging
text = io.StringIO()
logging.basicConfig(stream=text, format='%(funcName)s %(lineno)d %(message)s', level=logging.INFO, force=True)
log = logging.getLogger('of lines')
def train():
    for _ in range(1):
        log.info('step')
train()
logging.warning('done')
first, second = [line.split() for line in text.getvalue().splitlines()]
print(first[0], second[0], int(second[1]) - int(first[1]), first[2], second[2])
# expect: train <module> 2 step done

# case: a Categorical shows which of its parameters are known
import torch
from torch.distributions.categorical import Categorical
from torch.distributions.kl import kl_divergence
drawn = Categorical(torch.tensor([0.25, 0.75]))
print(drawn)
print(drawn.entropy(), drawn)
print(Categorical(logits=torch.zeros(1)), kl_divergence(drawn, Categorical(logits=torch.zeros(2))))
# expect: Categorical(probs: torch.Size([2]))
# expect: tensor(0.5623) Categorical(probs: torch.Size([2]), logits: torch.Size([2]))
# expect: Categorical(logits: tensor([0.])) tensor(0.1308)

# case: distributions refuse parameters and values outside of theirs
import torch
from torch.distributions import Categorical, Normal
def refused(make):
    try:
        print(make())
    except ValueError as error:
        print(str(error).replace('\n', ' '))
refused(lambda: Categorical(torch.tensor([-1., 2.])))
refused(lambda: Categorical(logits=torch.tensor([float('nan'), 2.])))
refused(lambda: Categorical(torch.tensor([1., 3.])).log_prob(torch.tensor(2)))
refused(lambda: Categorical(torch.tensor([1., 3.])).log_prob(1))
refused(lambda: Categorical(torch.tensor([-1., 2.]), validate_args=False))
refused(lambda: Normal(0., -1.))
refused(lambda: Normal(torch.tensor([float('nan'), 0.]), 1.))
# expect: Expected parameter probs (Tensor of shape (2,)) of distribution Categorical(probs: torch.Size([2])) to satisfy the constraint Simplex(), but found invalid values: tensor([-1.,  2.])
# expect: Expected parameter logits (Tensor of shape (2,)) of distribution Categorical(logits: torch.Size([2])) to satisfy the constraint IndependentConstraint(Real(), 1), but found invalid values: tensor([nan, nan])
# expect: Expected value argument (Tensor of shape ()) to be within the support (IntegerInterval(lower_bound=0, upper_bound=1)) of the distribution Categorical(probs: torch.Size([2])), but found invalid values: 2
# expect: The value argument to log_prob must be a Tensor
# expect: Categorical(probs: torch.Size([2]))
# expect: Expected parameter scale (Tensor of shape ()) of distribution Normal(loc: 0.0, scale: -1.0) to satisfy the constraint GreaterThan(lower_bound=0.0), but found invalid values: -1.0
# expect: Expected parameter loc (Tensor of shape (2,)) of distribution Normal(loc: torch.Size([2]), scale: torch.Size([2])) to satisfy the constraint Real(), but found invalid values: tensor([nan, 0.])

# case: types in annotations show what stands between their brackets
from typing import Any, Callable, Dict, List, Literal, Optional, Tuple, Union, get_args, get_origin
import torch
class Own: pass
print(List[int], Optional[int], Dict[str, int], list[int], Any, Optional[List[int]], Union[int, str, None], List)
print(Callable[[int], str], Tuple[int, ...], dict[str, None], List[None], Literal['a', 1], List['Own'], Dict[str, Any])
print(Union[int], Union[int, int], Optional[torch.Tensor], List[Own], int | None, List[int] | None, Union[int, Union[str, int]])
def f(x: List[int], y: Optional[Own] = None) -> Tuple[int, str]: pass
print(f.__annotations__)
print(List[int] == List[int], List[int] == List[str], Optional[int] == Union[None, int], get_args(Dict[str, int]))
print(get_origin(List[int]), get_origin(list[int]), get_args(Optional[int]), get_origin(int), list[int]([1]))
print(isinstance(3, Optional[int]), isinstance(None, Optional[int]), isinstance('a', Union[int, float]))
# expect: typing.List[int] typing.Optional[int] typing.Dict[str, int] list[int] typing.Any typing.Optional[typing.List[int]] typing.Union[int, str, NoneType] typing.List
# expect: typing.Callable[[int], str] typing.Tuple[int, ...] dict[str, None] typing.List[NoneType] typing.Literal['a', 1] typing.List[ForwardRef('Own')] typing.Dict[str, typing.Any]
# expect: <class 'int'> <class 'int'> typing.Optional[torch.Tensor] typing.List[__main__.Own] int | None typing.Optional[typing.List[int]] typing.Union[int, str]
# expect: {'x': typing.List[int], 'y': typing.Optional[__main__.Own], 'return': typing.Tuple[int, str]}
# expect: True False True (<class 'str'>, <class 'int'>)
# expect: <class 'list'> <class 'list'> (<class 'int'>, <class 'NoneType'>) None [1]
# expect: True True False

# case: at the ends of 64 bits
print(math.comb(62, 31), math.comb(66, 33), math.gcd(-sys.maxsize - 1, 12), math.gcd(-sys.maxsize - 1, 0, 96), next(itertools.count(sys.maxsize)))
random.seed(1)
print(random.randint(sys.maxsize, sys.maxsize), random.randint(-sys.maxsize - 1, 0), random.randint(-sys.maxsize // 2, sys.maxsize), random.randint(0, 9))
# expect: 465428353255261088 7219428434016265740 4 32 9223372036854775807
# expect: 9223372036854775807 -4518178893585726255 4527478250178341769 7

# case: read() by pieces
text = io.StringIO('아이\nb\n\nlast')
print([text.read(3), text.read(1), text.read(0), text.readline(), text.read(2), text.read(), text.read(4)])
data = io.BytesIO(b'a\nbcd')
print(data.read(1), data.read(2), data.readline(), data.read(None))
# expect: ['아이\n', 'b', '', '\n', '\nl', 'ast', '']
# expect: b'a' b'\nb' b'cd' b''

# case: numbers of JSON beyond floats
import json
json.loads("[1e400]")  # expect error[unsupported]: a float beyond 1.8e308 in JSON

# case: what scripts ask of sys
import sys
sys.path.append('..')
sys.setrecursionlimit(10000)
print(sys.version.split()[0], sys.version_info.major, sys.version_info >= (3, 8), sys.version_info[:2], sys.platform)  # expect: 3.11.2 3 True (3, 11) linux
for end in (lambda: sys.exit('over'), lambda: sys.exit(), lambda: exit(3)):
    try: end()
    except SystemExit as error: print(repr(error.code))
# expect: 'over'
# expect: None
# expect: 3
try: sys.exit(1)
except Exception: print('never')
except BaseException as error: print(type(error).__name__)  # expect: SystemExit
