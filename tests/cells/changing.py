# Containers that change while they are gone through: by __eq__, __index__, __repr__, __lt__ and generators of the program.
class E:
    def __init__(self, then=None, result=False): self.then, self.result = then, result
    def call(self, result):
        if self.then: self.then()
        return result
    def __eq__(self, other): return self.call(self.result)
    def __lt__(self, other): return True
    def __hash__(self): return 1
    def __index__(self): return self.call(1)
    def __repr__(self): return self.call("E")

def cleared(place, result=False):
    items = [E(result=result) for i in range(50)]
    items[place].then = items.clear
    return items

# case: lists that a comparison clears
print(cleared(3).count(5), cleared(3, True) == cleared(10, True), cleared(0) < [E() for i in range(50)])  # expect: 0 False True
a = cleared(0, True)
print(a.remove(5), a, 5 in cleared(3), [1, *cleared(3)] == 5)  # expect: None [] False False
a = cleared(3)
a.index(5)  # expect error[ValueError]: 5 is not in list

# case: a list that its repr clears
print(cleared(3), str(cleared(0)), (cleared(1),))  # expect: [E, E, E, E] [E] ([E, E],)

# case: a list that its index clears
a = [1, 2, 3] * 30
a.insert(E(a.clear), 3)
b = [1, 2, 3, 4]
b[E(b.clear):3] = [1]
c = [1, 2, 3, 4]
print(a, b, c[E(c.clear):], c)  # expect: [3] [1] [] []
d = [1, 2, 3, 4]
del d[E(d.clear)::2]
d = [1, 2, 3, 4]
d[E(d.clear)::2] = []
print(d)  # expect: []

# case: an index that clears what is read
a = [1, 2, 3]
a[E(a.clear)]  # expect error[IndexError]: list index out of range

# case: an index that clears what is written
a = [1, 2, 3]
a[E(a.clear)] = 3  # expect error[IndexError]: list assignment index out of range

# case: an index that clears what is deleted from
a = [1, 2, 3]
del a[E(a.clear)]  # expect error[IndexError]: list assignment index out of range

# case: an index that clears what is popped from
a = [1, 2, 3]
a.pop(E(a.clear))  # expect error[IndexError]: pop from empty list

# case: an index that clears what is looked through
a = [1, 2, 3]
a.index(3, E(a.clear))  # expect error[ValueError]: 3 is not in list

# case: a slice that is written from what clears the list
a = [1, 2, 3]
a[:] = (a.clear() for i in range(3))
b = [1, 2, 3, 4]
b[1:3] = (b.append(i) for i in range(2))
print(a, b)  # expect: [None, None, None] [1, None, None, 4, 0, 1]

# case: a tuple of lists that change
a = cleared(3, True)
print((a, 1) == (cleared(3, True), 1), len(a))  # expect: False 0

# case: dicts that a comparison clears
a = {i: E(result=True) for i in range(50)}
a[3].then = a.clear
print(a == {i: E() for i in range(50)}, a)  # expect: True {}

# case: a dict that grows while the keys near a missing one are written
a = {E(): 1 for i in range(50)}
list(a)[3].then = lambda: a.update({i: i for i in range(1000)})
a["x"]  # expect error[KeyError]: 'x'

# case: keys that are looked for may change the dict, and are asked second
a = {E(): i for i in range(50)}
print(a.get(E(a.clear)), E(a.clear) in a, E(a.clear) in set(a), len(a))  # expect: None False False 50
k = E(a.clear)
a[k] = 1
k.then = None
print(len(a), a[k])  # expect: 51 1

# case: a set that a comparison clears is joined as it was
s = {E() for i in range(20)}
list(s)[3].then = s.clear
print(len(s | {E()}), len(s))  # expect: 21 0

# case: sets whose comparison fails
for name in ("difference", "intersection", "symmetric_difference", "union", "isdisjoint"):
    s = {E() for i in range(20)}
    other = {E() for i in range(20)}
    list(s)[3].then = other.add
    try:
        getattr(s, name)(other)
    except TypeError:
        print(name)
# expect: difference
# expect: intersection
# expect: symmetric_difference
# expect: union
# expect: isdisjoint

# case: json of a list that is cleared meanwhile
import json
a = [E() for i in range(5)]
print(json.dumps(a, default=lambda o: a.clear()))  # expect: [null]

# case: a deque that a comparison clears
from collections import deque
a = deque(E() for i in range(50))
a[3].then = a.clear
try:
    a == deque(E() for i in range(50))
except RuntimeError:
    pass
print(len(a) in (0, 50))  # expect: True

# case: an order that contradicts itself
import functools, random
class R:
    def __lt__(self, other): return random.random() < 0.5
for size in (2, 63, 64, 65, 1000):
    items = [R() for i in range(size)]
    by_chance = sorted(items, key=functools.cmp_to_key(lambda a, b: random.choice([-1, 1])))
    always = sorted(range(size), key=lambda i: E())
    print(len(set(sorted(items))) == len(set(by_chance)) == size, sorted(always) == list(range(size)))
# expect: True True
# expect: True True
# expect: True True
# expect: True True
# expect: True True

# case: long lists are sorted stably
import random
random.seed(1)
for size in (64, 65, 96, 97, 128, 1000, 4097):
    items = [(random.randrange(size // 4), i) for i in range(size)]
    by_first = sorted(items, key=lambda pair: pair[0])
    by_last = sorted(items, key=lambda pair: pair[0], reverse=True)
    falling = sorted(range(size, 0, -1))
    print(by_first == sorted(items), by_last == sorted(items, key=lambda pair: (-pair[0], pair[1])), falling == list(range(1, size + 1)))
# expect: True True True
# expect: True True True
# expect: True True True
# expect: True True True
# expect: True True True
# expect: True True True
# expect: True True True

# case: a comparison that fails leaves a long list as it was
a = list(range(100, 0, -1)) + ["a"]
try:
    a.sort()
except TypeError:
    print(a[0], a[-1], len(a))  # expect: 100 a 101

# case: a dict that its own key changes while it is looked in
a = {E(): i for i in range(50)}
list(a)[3].then = lambda: a.update({i: i for i in range(1000)})  # expect error[unsupported]: a dict or set cannot change here while its keys are compared
a.get(E())

# case: a dict that its own key clears while it is written
a = {E(): i for i in range(50)}
list(a)[3].then = lambda: a.clear()  # expect error[unsupported]: a dict or set cannot change here while its keys are compared
a[E()] = 1

# case: a dict that its own key is removed from while it is looked in
a = {E(): i for i in range(50)}
list(a)[3].then = lambda: a.popitem()  # expect error[unsupported]: a dict or set cannot change here while its keys are compared
del a[E()]

# case: a set that its own item changes while it is looked in
s = {E() for i in range(50)}
list(s)[3].then = lambda: s.add(2)  # expect error[unsupported]: a dict or set cannot change here while its keys are compared
print(E() in s)

# case: a dict whose key changes another
a = {E(): i for i in range(50)}
seen = {}
list(a)[3].then = lambda: seen.update({len(seen): 1})
print(a.get(E()), seen)  # expect: None {0: 1}

# case: einsum with a list of axes that is cleared meanwhile
import torch
a = [E() for i in range(3)]
a[1].then = a.clear
try:
    torch.einsum(torch.ones(3), a)
except (TypeError, RuntimeError):
    print("refused")  # expect: refused

# case: what changes while a loop goes over it
from collections import deque
for made, change in ((lambda: {1}, lambda x: x.add(2)), (lambda: deque([1, 2]), lambda x: x.append(3)),
                     (lambda: deque([1, 2]), lambda x: x.popleft())):
    items = made()
    try:
        for item in items:
            change(items)
        print('went on')
    except RuntimeError as e:
        print(e)
# expect: Set changed size during iteration
# expect: deque mutated during iteration
# expect: deque mutated during iteration

# case: a deque from both ends
from collections import deque
d = deque(range(6))
print(d.popleft(), d.pop(), d[0], d[-1], d[2], len(d), list(d))
d.appendleft(9); d.extend([7, 8]); d.rotate(2)
print(d, d.popleft(), d.popleft(), d.pop(), list(reversed(d)), 3 in d)
d[1] = 'x'; d.insert(1, 'y'); del d[0]
print(d, d.index('x'), deque([1, 2, 3], maxlen=2))
window = deque(maxlen=3)
for i in range(7):
    window.append(i)
    if i % 2: window.appendleft(-i)
print(window, sum(1 for _ in window))
# expect: 0 5 1 4 3 4 [1, 2, 3, 4]
# expect: deque([9, 1, 2, 3]) 7 8 4 [3, 2, 1, 9] True
# expect: deque(['y', 'x', 2, 3]) 1 deque([2, 3], maxlen=2)
# expect: deque([2, 4, 6], maxlen=3) 3

# case: parts of a list are replaced and taken out
x = list(range(8))
x[2:4] = ['a', 'b']; x[5:6] = []; x[0:1] = [1, 2, 3]; x[4:2] = ['c']
print(x)
del x[-1]; del x[1:3]; del x[::3]; del x[5:2]
print(x)
s = {1, 2, 3}
s |= {3, 4}; s -= {1, 9}
print(s)
s |= s; s -= s
print(s)
# expect: [1, 2, 3, 1, 'c', 'a', 'b', 4, 6, 7]
# expect: [1, 'c', 'b', 4]
# expect: {2, 3, 4}
# expect: set()

# case: a list that is changed while it is sorted
class Busy:
    def __init__(self, n): self.n = n
    def __lt__(self, other):
        seen.append(len(x))
        if len(seen) == 1: x.append(Busy(9))
        return self.n < other.n
seen = []
x = [Busy(3), Busy(1), Busy(2)]
try:
    x.sort()
except ValueError as e:
    print(e, [each.n for each in x], seen[0])
y = [3, 1, 2]
print(y.sort(key=lambda v: (len(y), v)), y)
try:
    y.sort(key=lambda v: 1 / (v - 2))
except ZeroDivisionError:
    print(y)
z = [2, 'a', 1]
try:
    z.sort()
except TypeError as e:
    print(e, len(z))
# expect: list modified during sort [1, 2, 3] 0
# expect: None [1, 2, 3]
# expect: [1, 2, 3]
# expect: '<' not supported between instances of 'str' and 'int' 3

# case: an OrderedDict that a comparison makes shorter
from collections import OrderedDict
class Key:
    then = None
    def __init__(self, number): self.number = number
    def __hash__(self): return self.number
    def __eq__(self, other):
        if self.then: self.then()
        return self.number == other.number
def shorten():
    b.clear()
    b[Key(1)] = 1
a, b = (OrderedDict((Key(i), 1) for i in range(2)) for _ in "ab")
next(iter(a)).then = shorten
print(len(a), len(b)) if a == b or a != b else None
# expect: 2 1

# case: min and max take one item after another
def count():
    for i in range(5):
        seen.append(i)
        yield i % 3
seen = []
print(max(count()), min(count(), key=lambda v: -v), seen)
def fails():
    yield 1
    yield 'a'
    seen.append('never')
try:
    max(fails())
except TypeError as e:
    print(e, seen[-1])
print(min((), default=None), max([], key=len, default='d'), min('b', 'a', 'c'), max({3: 1, 7: 0}))
print(max(n for n in [(1, 'b'), (1, 'a')]), min([2, 1.0, True]))
try:
    max(iter(()))
except ValueError as e:
    print(e)
# expect: 2 2 [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]
# expect: '>' not supported between instances of 'str' and 'int' 4
# expect: None d a 7
# expect: (1, 'b') 1.0
# expect: max() arg is an empty sequence

# case: many attributes keep their order
class Many:
    pass
m = Many()
for i in range(40): setattr(m, f'a{i}', i)
del m.a3, m.a20, m.a39
m.a5 = 'five'; m.a3 = 'again'
print(sum(v for v in vars(m).values() if isinstance(v, int)), list(vars(m))[-3:], m.a38, hasattr(m, 'a20'), m.a5)
# expect: 713 ['a37', 'a38', 'a3'] 38 False five

# case: a deque turns either way
from collections import deque
turning = deque(range(40), 40)
turned = []
for steps in 1, -3, 15, 39, -39, 100, 0, 41, -9, 31:
    turning.rotate(steps)
    turned.append((turning[0], turning[-1], len(turning)))
print(turned, list(turning)[:4])
# expect: [(39, 38, 40), (2, 1, 40), (27, 26, 40), (28, 27, 40), (27, 26, 40), (7, 6, 40), (7, 6, 40), (6, 5, 40), (15, 14, 40), (24, 23, 40)] [24, 25, 26, 27]
empty = deque()
empty.rotate(3)
print(empty)  # expect: deque([])
