# Classes: attributes, inheritance, super, properties, static and class methods, dataclasses, named tuples.
from collections import namedtuple
from dataclasses import dataclass, field

# case: attributes and methods
class Point:
    """A point."""
    dims = 2
    def __init__(self, x, y=0):
        self.x = x
        self.y = y
    def shifted(self, by):
        return Point(self.x + by, self.y + by)
p = Point(1)
q = p.shifted(2)
print(p.x, p.y, q.x, q.y, p.dims, Point.dims, Point.__doc__, type(q).__name__, q.__class__ is Point)
# expect: 1 0 3 2 2 2 A point. Point True
p.x += 10; p.new = "attr"
print(p.x, p.new, Point.shifted(p, 1).x, hasattr(q, "new"))  # expect: 11 attr 12 False

# case: class attributes are shared
class A:
    items = []
    n = 0
    def add(self, x):
        self.items.append(x)
        self.n += 1
a, b = A(), A()
a.add(1); b.add(2)
print(a.items, b.items, a.n, b.n, A.n, a.items is A.items)  # expect: [1, 2] [1, 2] 1 1 0 True
A.n = 100
c = A()
print(a.n, c.n)  # expect: 1 100

# case: inheritance
class Animal:
    def __init__(self, name): self.name = name
    def speak(self): return "..."
    def describe(self): return f"{self.name} says {self.speak()}"
class Dog(Animal):
    def speak(self): return "Woof"
class Puppy(Dog):
    def __init__(self, name):
        super().__init__(name + " Jr.")
    def speak(self): return super().speak().lower()
for animal in Animal("Cat"), Dog("Rex"), Puppy("Rex"):
    print(animal.describe())
# expect: Cat says ...
# expect: Rex says Woof
# expect: Rex Jr. says woof
print(isinstance(Puppy("x"), Animal), issubclass(Dog, Animal), issubclass(Animal, Dog), Puppy.__mro__[1].__name__, Puppy.__bases__ == (Dog,))
# expect: True True False Dog True

# case: both forms of super
class A:
    def __init__(self): self.log = ["A"]
class B(A):
    def __init__(self):
        super().__init__()
        self.log.append("B")
class C(B):
    def __init__(self):
        super(C, self).__init__()
        self.log.append("C")
class D(C):
    def __init__(self):
        C.__init__(self)
        self.log.append("D")
print(D().log)  # expect: ['A', 'B', 'C', 'D']

# case: diamond
class A:
    def who(self): return ["A"]
class B(A):
    def who(self): return ["B"] + super().who()
class C(A):
    def who(self): return ["C"] + super().who()
class D(B, C):
    def who(self): return ["D"] + super().who()
print(D().who(), [k.__name__ for k in D.__mro__])  # expect: ['D', 'B', 'C', 'A'] ['D', 'B', 'C', 'A', 'object']

# case: mixins
class Loud:
    def say(self): return super().say().upper()
class Base:
    def say(self): return "hello"
class Both(Loud, Base): pass
print(Both().say())  # expect: HELLO

# case: property
class Circle:
    def __init__(self, r): self._r = r
    @property
    def r(self): return self._r
    @r.setter
    def r(self, value):
        if value < 0: raise ValueError("negative")
        self._r = value
    @property
    def area(self): return 3 * self.r ** 2
c = Circle(2)
print(c.r, c.area)  # expect: 2 12
c.r = 5
print(c.area)  # expect: 75
try:
    c.r = -1
except ValueError as error:
    print(error)
# expect: negative
try:
    c.area = 1
except AttributeError as error:
    print(error)
# expect: property 'area' of 'Circle' object has no setter

# case: property by function
class A:
    def get(self): return 5
    x = property(get)
print(A().x)  # expect: 5

# case: staticmethod and classmethod
class A:
    count = 0
    def __init__(self): type(self).count += 1
    @staticmethod
    def add(a, b): return a + b
    @classmethod
    def make(cls): return cls()
    @classmethod
    def name(cls): return cls.__name__
class B(A): pass
print(A.add(1, 2), A().add(3, 4), type(B.make()).__name__, B.name(), A.count, B.count)  # expect: 3 7 B B 1 2

# case: methods as values
class A:
    def __init__(self, n): self.n = n
    def get(self, k=0): return self.n + k
m = A(5).get
print(m(), m(1), m.__name__, list(map(A(1).get, [1, 2])), A.get(A(9)), m.__self__.n)  # expect: 5 6 get [2, 3] 9 5

# case: name mangling
class A:
    def __init__(self): self.__secret = 1
    def reveal(self): return self.__secret
a = A()
print(a.reveal(), hasattr(a, "__secret"), a._A__secret)  # expect: 1 False 1

# case: attribute that is not there
class A: pass
A().x  # expect error[AttributeError]: 'A' object has no attribute 'x'

# case: class attribute that is not there
class A: pass
A.x  # expect error[AttributeError]: type object 'A' has no attribute 'x'

# case: method that is not there
class A:
    def method(self): pass
A().metod()  # expect error[AttributeError]: 'A' object has no attribute 'metod'

# case: attribute of None
x = None
x.shape  # expect error[AttributeError]: 'NoneType' object has no attribute 'shape'

# case: attribute of an int
(5).name  # expect error[AttributeError]: 'int' object has no attribute 'name'

# case: attribute of a function
def f(): pass
f.missing  # expect error[AttributeError]: 'function' object has no attribute 'missing'

# case: attribute of a list element
values = [1]
values[0].append(2)  # expect error[AttributeError]: 'int' object has no attribute 'append'

# case: setting an attribute of an int
x = 5
x.name = "five"  # expect error[AttributeError]: 'int' object has no attribute 'name'

# case: setting an attribute of a list
[].name = 1  # expect error[AttributeError]: 'list' object has no attribute 'name'

# case: text of an object
class A:
    def __repr__(self): return "A!"
class B:
    def __str__(self): return "B as str"
print(A(), [A()], {"k": A()}, str(A()), f"{A()}", B(), str(B()), f"{B():}", (A(),))
# expect: A! [A!] {'k': A!} A! A! B as str B as str B as str (A!,)

# case: default text
class A: pass
print(A, [A], type(A), type(A()))
# expect: <class '__main__.A'> [<class '__main__.A'>] <class 'type'> <class '__main__.A'>

# case: classes as values
class A: pass
class B: pass
print([c.__name__ for c in (A, B)], {A: 1}[A], A == A, A is B, A().__class__.__name__, A.__module__, A.__qualname__)
# expect: ['A', 'B'] 1 True False A __main__ A

# case: __dict__ and vars
class A:
    z = 0
    def __init__(self): self.a, self.b = 1, [2]
a = A()
print(a.__dict__, vars(a))  # expect: {'a': 1, 'b': [2]} {'a': 1, 'b': [2]}
a.__dict__.update(c=3)
print(a.c, list(vars(a)))  # expect: 3 ['a', 'b', 'c']

# case: attributes from keywords
class Config:
    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)
c = Config(lr=0.1, heads=2)
print(c.lr, c.heads)  # expect: 0.1 2

# case: setattr in a loop
class Config:
    def __init__(self, **kwargs):
        for k, v in kwargs.items():
            setattr(self, k, v)
c = Config(lr=0.1, n=2)
print(c.lr, vars(c))  # expect: 0.1 {'lr': 0.1, 'n': 2}

# case: __getattr__
class A:
    x = 1
    def __getattr__(self, name): return f"no {name}"
print(A().x, A().y)  # expect: 1 no y

# case: __slots__
class A:
    __slots__ = ("x", "y")
    def __init__(self, x): self.x = x
class B(A):
    __slots__ = "z"
class C(A): pass
b, c = B(1), C(1)
b.y = b.z = c.w = 2
print(b.x, b.z, c.w)  # expect: 1 2 2
try: A(1).y
except AttributeError as error: print(error)  # expect: 'A' object has no attribute 'y'
b.w = 1  # expect error[AttributeError]: 'B' object has no attribute 'w'


# case: __slots__ are those of the moment when the class was made
class Pair:
    __slots__ = ["x"]
del Pair.__slots__
pair = Pair()
pair.x = 1
print(pair.x)  # expect: 1
try:
    pair.y = 2
except AttributeError as error:
    print(error)  # expect: 'Pair' object has no attribute 'y'
class Wider(Pair):
    __slots__ = (name for name in ["z"])
wider = Wider()
wider.x, wider.z = 1, 3
class Widest(Wider):
    __slots__ = ()
widest = Widest()
widest.x, widest.z = 5, 6
print(wider.x, wider.z, widest.z)  # expect: 1 3 6
try:
    widest.y = 2
except AttributeError as error:
    print(error)  # expect: 'Widest' object has no attribute 'y'
class Free: pass
class Mixed(Free):
    __slots__ = ("z",)
mixed = Mixed()
mixed.other = 1
print(mixed.other)  # expect: 1

# case: class body runs
class A:
    print("in body")
    for i in range(3): total = i
    if True:
        flag = "set"
# expect: in body
print(A.total, A.flag, A.i)  # expect: 2 set 2

# case: nested classes
class Outer:
    class Inner:
        x = 5
    def make(self): return self.Inner()
print(Outer.Inner.x, Outer().make().x, Outer.Inner.__qualname__)  # expect: 5 5 Outer.Inner

# case: del of an attribute
class A: pass
a = A()
a.x = 1
del a.x
del a.x  # expect error[AttributeError]: 'A' object has no attribute 'x'

# case: abstract methods
class Shape:
    def area(self): raise NotImplementedError  # expect error[NotImplementedError]:
class Square(Shape):
    def __init__(self, s): self.s = s
    def area(self): return self.s ** 2
print(Square(3).area())  # expect: 9
Shape().area()

# case: dataclass
@dataclass
class Config:
    lr: float
    layers: int = 2
    names: list = field(default_factory=list)
a, b = Config(0.1), Config(0.1, 3)
a.names.append("x")
print(a, b, a == b, Config(0.1) == Config(0.1), Config(lr=1, layers=5).layers, a != b)
# expect: Config(lr=0.1, layers=2, names=['x']) Config(lr=0.1, layers=3, names=[]) False True 5 True

# case: dataclass: missing argument
@dataclass
class Config:
    lr: float
    n: int
Config()  # expect error[TypeError]: Config.__init__() missing 2 required positional arguments: 'lr' and 'n'

# case: dataclass: too many arguments
@dataclass
class Config:
    lr: float
Config(1, 2)  # expect error[TypeError]: Config.__init__() takes 2 positional arguments but 3 were given

# case: dataclass: unknown keyword
@dataclass
class Config:
    lr: float
Config(lr=1, rate=2)  # expect error[TypeError]: Config.__init__() got an unexpected keyword argument 'rate'

# case: dataclass with methods and inheritance
@dataclass
class Base:
    x: int
    y: int = 0
    def total(self): return self.x + self.y
@dataclass
class More(Base):
    z: int = 5
    def __post_init__(self): self.sum = self.total() + self.z
m = More(1, 2)
print(m, m.sum, More.z)  # expect: More(x=1, y=2, z=5) 8 5

# case: dataclass, frozen
@dataclass(frozen=True)
class P:
    x: int
p = P(1)
print(p, hash(p) == hash(P(1)), {p: "a"}[P(1)])  # expect: P(x=1) True a
try:
    p.x = 2
except Exception as error:
    print(type(error).__name__, error)
# expect: FrozenInstanceError cannot assign to field 'x'

# case: dataclass, ordered
@dataclass(order=True)
class V:
    major: int
    minor: int = 0
print(V(1, 2) < V(1, 3), sorted([V(2), V(1, 5)]), max(V(1), V(0, 9)))
# expect: True [V(major=1, minor=5), V(major=2, minor=0)] V(major=1, minor=0)

# case: dataclass, list as default
@dataclass  # expect error[ValueError]: mutable default <class 'list'> for field items is not allowed: use default_factory
class C:
    items: list = []

# case: namedtuple
Point = namedtuple("Point", ["x", "y"])
p = Point(1, y=2)
x, y = p
print(p, p.x, p[1], x + y, p == (1, 2), p._replace(x=5), p._asdict(), p._fields, len(p), isinstance(p, tuple))
# expect: Point(x=1, y=2) 1 2 3 True Point(x=5, y=2) {'x': 1, 'y': 2} ('x', 'y') 2 True

# case: namedtuple with names in a string
P = namedtuple("P", "a b")
P(1)  # expect error[TypeError]: P.__new__() missing 1 required positional argument: 'b'

# case: metaclass keyword
class A(metaclass=type): x = 1
print(A.x)  # expect: 1

# case: class decorator
def register(cls):
    cls.tag = cls.__name__.lower()
    return cls
@register
class Model: pass
print(Model.tag)  # expect: model

# case: instance as default and shared state
class Node:
    def __init__(self, value, children=None):
        self.value = value
        self.children = children or []
    def total(self): return self.value + sum(c.total() for c in self.children)
print(Node(1, [Node(2), Node(3, [Node(4)])]).total())  # expect: 10

# case: method added later
class A: pass
A.double = lambda self, x: 2 * x
a = A()
a.own = lambda x: x + 1
print(a.double(4), a.own(1))  # expect: 8 2

# case: type with three arguments
type("A", (), {})  # expect error[unsupported]: type() that makes a class

# case: __new__
class Single:  # expect error[unsupported]: a class with __new__
    def __new__(cls): return super().__new__(cls)

# case: __setattr__
class A:
    def __setattr__(self, name, value):
        print("set", name)
        super().__setattr__(name, value * 2)
a = A()
a.x = 5  # expect: set x
print(a.x)  # expect: 10

# case: subclass of list
class Stack(list):
    def push(self, x): self.append(x)
    def __getitem__(self, i):
        return Stack(super().__getitem__(i)) if isinstance(i, slice) else super().__getitem__(i)
s = Stack([3, 1, 2])
s.push(5); s.name = "s"
print(s, len(s), s[0], s[1:], type(s[1:]).__name__, type(s).__name__, isinstance(s, list), s.name)
# expect: [3, 1, 2, 5] 4 3 [1, 2, 5] Stack Stack True s
print(s == [3, 1, 2, 5], s + [1], sorted(s), 5 in s, [x for x in s], bool(Stack()), max(s), str(s), Stack.__mro__[0] is Stack)
# expect: True [3, 1, 2, 5, 1] [1, 2, 3, 5] True [3, 1, 2, 5] False 5 [3, 1, 2, 5] True
a, *b = s
s.sort(reverse=True); s += [9]
print(a, b, s, list(s), s.index(9), type(s + [1]).__name__, issubclass(Stack, list), *s)
# expect: 3 [1, 2, 5] [5, 3, 2, 1, 9] [5, 3, 2, 1, 9] 4 list True 5 3 2 1 9

# case: subclass of dict
class Attributes(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)
    def __setattr__(self, name, value): self[name] = value
c = Attributes(lr=0.1, layers=2)
c.width = 8
print(c, c.lr, c["width"], len(c), isinstance(c, dict), c == {"lr": 0.1, "layers": 2, "width": 8}, hasattr(c, "depth"))
# expect: {'lr': 0.1, 'layers': 2, 'width': 8} 0.1 8 3 True True False
print({**c, "x": 1}, dict(c), list(c.items()), c.get("depth", 3), "lr" in c, sorted(c), (lambda **k: k)(**c))
# expect: {'lr': 0.1, 'layers': 2, 'width': 8, 'x': 1} {'lr': 0.1, 'layers': 2, 'width': 8} [('lr', 0.1), ('layers', 2), ('width', 8)] 3 True ['layers', 'lr', 'width'] {'lr': 0.1, 'layers': 2, 'width': 8}
del c["lr"]
print(getattr(c, "depth", "none"), c)  # expect: none {'layers': 2, 'width': 8}

# case: subclass of dict that is its own attributes
class Config(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self
c = Config({"a": 1}, b=2)
c.c = 3
c["d"] = 4
print(c, c.a, c.d, c.c, c.copy(), vars(c) is c if False else "")
# expect: {'a': 1, 'b': 2, 'c': 3, 'd': 4} 1 4 3 {'a': 1, 'b': 2, 'c': 3, 'd': 4} 

# case: subclass of dict with methods of dict for attributes
class dotdict(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__
d = dotdict(a=1)
d.b = 2
print(d, d.a, d.b, d.c)  # expect: {'a': 1, 'b': 2} 1 2 None
del d.a
print(d)  # expect: {'b': 2}
class Kept:
    def __delattr__(self, name): print("kept", name)
k = Kept(); k.x = 1
del k.x  # expect: kept x
print(k.x)  # expect: 1

# case: subclass of dict with __missing__, __setitem__ and super
class Vocabulary(dict):
    def __init__(self):
        super().__init__()
        self.frozen = False
    def __missing__(self, word):
        if self.frozen: return -1
        self[word] = len(self)
        return len(self) - 1
    def __setitem__(self, word, i):
        super().__setitem__(word.lower(), i)
v = Vocabulary()
print(v["A"], v["b"], v["b"], v, v.frozen)  # expect: 0 1 1 {'a': 0, 'b': 1} False
v.frozen = True
print(v["z"], v.get("z"), "z" in v, len(v), list(v.keys()), v.pop("b"))  # expect: -1 None False 2 ['a', 'b'] 1
class Sorted(dict):
    def __iter__(self): return iter(sorted(super().__iter__()))
    def __repr__(self): return "Sorted(" + super().__repr__() + ")"
    def __len__(self): return 10 * super().__len__()
print(list(Sorted(b=1, a=2)), Sorted(b=1), len(Sorted(b=1)))  # expect: ['a', 'b'] Sorted({'b': 1}) 10

# case: subclass of tuple
class Pair(tuple):
    def swapped(self): return Pair((self[1], self[0]))
    @property
    def first(self): return self[0]
p = Pair([1, 2])
print(p, p.swapped(), p.first, p == (1, 2), len(p), hash(p) == hash((1, 2)), {p: 1}[(1, 2)], type(p).__name__)
# expect: (1, 2) (2, 1) 1 True 2 True 1 Pair
x, y = p
print(x, y, p + (3,), isinstance(p, tuple), p.count(1), Pair())  # expect: 1 2 (1, 2, 3) True 1 ()

# case: copies of subclasses of containers
import copy
class Row(list): pass
r = Row([[1], 2]); r.tag = ["t"]
a, b = copy.copy(r), copy.deepcopy(r)
r[0].append(5); r.tag.append("u")
print(type(a).__name__, a, a.tag, type(b).__name__, b, b.tag)  # expect: Row [[1, 5], 2] ['t', 'u'] Row [[1], 2] ['t']
class Deeper(Row):
    def __init__(self, *items): super().__init__(items)
print(Deeper(1, 2), Deeper.__bases__ == (Row,), isinstance(Deeper(), Row))  # expect: [1, 2] True True
Row(5)  # expect error[TypeError]: 'int' object is not iterable

# case: subclass of int
class N(int): pass  # expect error[unsupported]: a class derived from int

# case: attributes of classes and functions are deleted
class C:
    x = 1
def f():
    return 2
f.a = 3
del C.x, f.a
print(hasattr(C, 'x'), hasattr(f, 'a'), frozenset.union(frozenset([1]), [2]))  # expect: False False frozenset({1, 2})
del C.x  # expect error[AttributeError]

# case: iterators of a tuple with a class of its own
class T(tuple): pass
t = T([1, 2])
print(next(iter(t)), list(zip(t, t)), list(enumerate(t)), next(t.__iter__()))  # expect: 1 [(1, 1), (2, 2)] [(0, 1), (1, 2)] 1
print(list(map(str, t)), list(reversed(t)), [x for x in t])  # expect: ['1', '2'] [2, 1] [1, 2]

# case: the order in which a class asks its bases
import torch.nn as nn
from abc import ABC
class A(nn.Module): pass
class Mixin: pass
class B(Mixin, A): pass
class S(nn.Module, ABC): pass
class L(nn.Linear): pass
class E(KeyError): pass
class D(dict): pass
for c in (A, B, S, E, D, Mixin, L):
    print([each.__name__ for each in c.__mro__], [each.__name__ for each in c.__bases__], c.__base__.__name__)
# expect: ['A', 'Module', 'object'] ['Module'] Module
# expect: ['B', 'Mixin', 'A', 'Module', 'object'] ['Mixin', 'A'] Mixin
# expect: ['S', 'Module', 'ABC', 'object'] ['Module', 'ABC'] Module
# expect: ['E', 'KeyError', 'LookupError', 'Exception', 'BaseException', 'object'] ['KeyError'] KeyError
# expect: ['D', 'dict', 'object'] ['dict'] dict
# expect: ['Mixin', 'object'] ['object'] object
# expect: ['L', 'Linear', 'Module', 'object'] ['Linear'] Linear

# case: the members of a class
class CFG:
    lr = 1e-3
    def f(self): pass
print(vars(CFG)['lr'], [k for k in vars(CFG) if not k.startswith('__')])  # expect: 0.001 ['lr', 'f']

# case: what a frozen dataclass raises can be caught by its name
from dataclasses import dataclass, FrozenInstanceError
@dataclass(frozen=True)
class Point:
    x: int
try:
    Point(1).x = 2
except FrozenInstanceError as error:
    print(error, type(error).__name__, isinstance(error, AttributeError))
# expect: cannot assign to field 'x' FrozenInstanceError True

# case: methods of a dataclass, called with what is none
from dataclasses import dataclass
@dataclass(order=True)
class Size:
    x: int = 1
for call in (lambda: Size.__init__(), lambda: Size.__eq__(Size(1))):
    try:
        call()
    except TypeError:
        print('refused')
try:
    Size.__init__(5)
except (TypeError, AttributeError):
    print('refused')
print(Size.__lt__(5, Size(1)), Size.__eq__(Size(1), 1), Size(1) == 1, Size(1) != 1)
# expect: refused
# expect: refused
# expect: refused
# expect: NotImplemented NotImplemented False True

# case: a property that can be deleted
class Box:
    def __init__(self): self._held = 1
    @property
    def held(self): return self._held
    @held.setter
    def held(self, value): self._held = value
    @held.deleter
    def held(self):
        print("emptied")
        del self._held
    def look(self): return "looked"
    def fill(self, value): print("filled with", value)
    seen = property(look, fset=fill)
box = Box()
box.held = 3
print(box.held)  # expect: 3
del box.held  # expect: emptied
print(hasattr(box, "held"))  # expect: False
delattr(box, "seen")  # expect error[AttributeError]: property 'seen' of 'Box' object has no deleter

# case: a property of functions that are there already
class Box:
    def look(self): return "looked"
    def fill(self, value): print("filled with", value)
    seen = property(look, fset=fill)
    other = seen.getter(lambda self: "looked twice")
box = Box()
print(box.seen, box.other)  # expect: looked looked twice
box.other = 4  # expect: filled with 4

# case: the order of bases that share bases
def order(cls): print([each.__name__ for each in cls.__mro__[:-1]])
class O: pass
class A(O): pass
class B(O): pass
class C(O): pass
class D(O): pass
class E(O): pass
class K1(A, B, C): pass
class K2(D, B, E): pass
class K3(D, A): pass
class Z(K1, K2, K3): pass
order(Z)  # expect: ['Z', 'K1', 'K2', 'K3', 'D', 'A', 'B', 'C', 'E', 'O']
class Wrong(KeyError, ValueError): pass
order(Wrong)  # expect: ['Wrong', 'KeyError', 'LookupError', 'ValueError', 'Exception', 'BaseException']
class X(A, B): pass
class Y(B, A): pass
try:
    class W(X, Y): pass
except TypeError as error: print(" ".join(str(error).split()))
# expect: Cannot create a consistent method resolution order (MRO) for bases A, B
class X: pass
for _ in range(60):
    class A(X): pass
    class B(X): pass
    class X(A, B): pass
print(len(X.__mro__))  # expect: 182

