# Functions that yield.
import torch


def count(n):
    i = 0
    while i < n:
        yield i
        i += 1
    return 'end'


def endless():
    n = 1
    while True:
        yield n
        n *= 2


# case: is gone through like a list
print(list(count(4)), sum(count(5)), [x * 2 for x in count(3)], max(count(3)), dict(zip('abc', endless())))
# expect: [0, 1, 2, 3] 10 [0, 2, 4] 2 {'a': 1, 'b': 2, 'c': 4}
for v in endless():
    if v > 50: break
print(v)  # expect: 64

# case: runs as far as it is asked
g = count(2)
print(next(g), next(g), next(g, 'none'), next(g, 'none'), type(g).__name__)  # expect: 0 1 none none generator
next(g)  # expect error[StopIteration]

# case: nothing runs before the first value is asked for
def loud():
    print('begun')
    yield 1
g = loud()
print('made')  # expect: made
print(next(g))
# expect: begun
# expect: 1

# case: arguments are bound at the call
count()  # expect error[TypeError]: count() missing 1 required positional argument: 'n'

# case: yield from gives what the other returns
def both():
    r = yield from count(2)
    print('r', r)
    yield from 'ab'
print(list(both()))
# expect: r end
# expect: [0, 1, 'a', 'b']

# case: within itself
def orders(n):
    if n:
        yield from orders(n - 1)
        yield n
        yield from orders(n - 1)
print(list(orders(3)))  # expect: [1, 2, 1, 3, 1, 2, 1]

# case: send and close
def echo():
    got = None
    while True:
        got = yield got
e = echo()
print(next(e), e.send(3), e.send('x'), e.close())  # expect: None 3 x None
e.send(1)  # expect error[StopIteration]

# case: a value before it began
count(2).send(1)  # expect error[TypeError]: can't send non-None value to a just-started generator

# case: finally runs when it is closed
def careful():
    try:
        yield 1
        yield 2
    finally:
        print('closed')
f = careful()
print(next(f))  # expect: 1
f.close()  # expect: closed
print(list(f))  # expect: []

# case: close may not be ignored
def stubborn():
    while True:
        try:
            yield 1
        except GeneratorExit:
            pass
s = stubborn()
next(s)
s.close()  # expect error[RuntimeError]: generator ignored GeneratorExit

# case: errors come to whoever asks
def fails():
    yield 1
    raise ValueError('no')  # expect error[ValueError]: no
try:
    for x in fails():
        print(x)
except ValueError as error:
    print('caught', error)
# expect: 1
# expect: caught no
list(fails())

# case: it stops within a handler, and others handle meanwhile
def handler():
    try:
        raise KeyError('k')
    except KeyError as error:
        yield 'in handler'
        try:
            raise ValueError('inner')
        except ValueError:
            yield 'nested'
        print(repr(error))
h = handler()
try:
    raise IndexError('outer')
except IndexError:
    print(next(h), next(h), next(h, 'done'))
# expect: KeyError('k')
# expect: in handler nested done

# case: as __iter__ of a class
class Squares:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        for i in range(self.n):
            yield i * i
print(list(Squares(4)), max(Squares(5)), sorted(Squares(3), reverse=True), 4 in Squares(3))
# expect: [0, 1, 4, 9] 16 [4, 1, 0] True

# case: many that are under way
many = [count(3) for _ in range(300)]
print(sum(next(g) for g in many), sum(next(g) for g in many), list(many[0]))  # expect: 0 300 [2]

# case: it cannot ask itself
def me():
    yield next(mine)  # expect error[ValueError]: generator already executing
mine = me()
next(mine)

# case: StopIteration in it is an error
def stops():
    yield 1
    raise StopIteration
list(stops())  # expect error[RuntimeError]: generator raised StopIteration

# case: without end within itself
def deeper(n):
    yield n
    yield from deeper(n + 1)  # expect error[RecursionError]
print(next(deeper(0)))  # expect: 0
for n in deeper(0):
    pass

# case: gradients within
def inside():
    with torch.no_grad():
        yield torch.is_grad_enabled()
print(list(inside()), torch.is_grad_enabled())  # expect: [False] True

# case: batches of a tensor
def batches(x, size):
    for i in range(0, len(x), size):
        yield x[i:i + size]
print([b.tolist() for b in batches(torch.arange(5), 2)])  # expect: [[0, 1], [2, 3], [4]]

# case: in parentheses, and alone
def parts():
    x = (yield) or 3
    y = yield x, 4
    return y
p = parts()
print(next(p), next(p), next(p, 'end'))  # expect: None (3, 4) end

# case: what a generator returns is the value of its end
def steps():
    yield 1
    return 7
one = steps()
next(one)
for _ in range(2):
    try:
        next(one)
    except StopIteration as end:
        print(end.value, end.args)
two = steps()
two.send(None)
try:
    two.send(3)
except StopIteration as end:
    print(end.value)
def both():
    print((yield from steps()))
print(list(both()))
try:
    next(iter([]))
except StopIteration as end:
    print(end.value, end.args)
# expect: 7 (7,)
# expect: None ()
# expect: 7
# expect: 7
# expect: [1]
# expect: None ()

# case: itertools takes no more than it is asked for
import itertools
def numbers():
    for i in range(4):
        print('gives', i)
        yield i
part = itertools.islice(numbers(), 1, 10, 2)
print(next(part)); print(next(part)); print(list(part))
sums = itertools.accumulate(numbers(), initial=5)
print(next(sums), next(sums))
print(next(itertools.pairwise(numbers())))
print(next(itertools.zip_longest(numbers(), 'ab')))
print(next(itertools.product(range(10 ** 3), repeat=8)), next(itertools.permutations(range(100), 70))[-1])
print(next(itertools.combinations(range(10 ** 4), 3)))
# expect: gives 0
# expect: gives 1
# expect: 1
# expect: gives 2
# expect: gives 3
# expect: 3
# expect: []
# expect: gives 0
# expect: 5 5
# expect: gives 0
# expect: gives 1
# expect: (0, 1)
# expect: gives 0
# expect: (0, 'a')
# expect: (0, 0, 0, 0, 0, 0, 0, 0) 69
# expect: (0, 1, 2)

# case: as many are taken as there are names, and one
def numbers():
    for i in range(9):
        print('gives', i)
        yield i
try:
    a, b = numbers()
except ValueError as e:
    print(e)
try:
    a, b = range(2 ** 62)
except ValueError as e:
    print(e)
# expect: gives 0
# expect: gives 1
# expect: gives 2
# expect: too many values to unpack (expected 2)
# expect: too many values to unpack (expected 2)

# case: choices of many, and of what is read once
from itertools import combinations, permutations
print(len(next(combinations(range(50000), 50000))), len(list(combinations(range(40), 39))), list(combinations(range(40), 41)))
print(list(permutations(iter([1, 2]))), list(permutations(iter('ab'), 3)))
# expect: 50000 40 []
# expect: [(1, 2), (2, 1)] []

# case: combinations with replacement, and of fewer than none
import itertools
print(list(itertools.combinations_with_replacement('abc', 2)), list(itertools.combinations_with_replacement('', 1)))  # expect: [('a', 'a'), ('a', 'b'), ('a', 'c'), ('b', 'b'), ('b', 'c'), ('c', 'c')] []
print(list(itertools.combinations_with_replacement('', 0)), list(itertools.combinations_with_replacement('ab', 3)))  # expect: [()] [('a', 'a', 'a'), ('a', 'a', 'b'), ('a', 'b', 'b'), ('b', 'b', 'b')]
print(len(next(itertools.combinations_with_replacement(range(3), 5000))))  # expect: 5000
for choose in (itertools.combinations, itertools.permutations, itertools.combinations_with_replacement):
    try:
        choose('ab', -1)
    except ValueError as error:
        print(error)
# expect: r must be non-negative
# expect: r must be non-negative
# expect: r must be non-negative
try:
    list(itertools.tee('ab', -1))
except ValueError as error:
    print(error)  # expect: n must be >= 0

# case: choices in order
from itertools import accumulate, combinations, islice, pairwise, permutations, product, zip_longest
print(list(product('ab', [1, 2], repeat=1)), list(product()), list(product('a', [])), len(list(product('abc', repeat=3))))
print(list(combinations('abcd', 2)), list(combinations('ab', 3)), list(combinations('ab', 0)))
print(list(permutations('abc')), list(permutations('abc', 1)), list(permutations('a', 2)), list(permutations([])))
print(list(permutations('aba', 2)), len(list(permutations(range(6)))), len(list(combinations(range(12), 5))))
print(list(accumulate([1, 2, 3], lambda a, b: a * b)), list(accumulate([], initial=1)), list(accumulate([])))
print(list(islice('abcdef', 1, None, 2)), list(islice('abc', 0)), list(islice('abc', 2, 2)), list(islice('abc', 5, 9)))
print(list(pairwise('abc')), list(pairwise('a')), list(zip_longest('ab', 'c', fillvalue=0)), list(zip_longest()))
it = iter(range(10))
print(list(islice(it, 0, 5, 3)), next(it), list(islice(it, 2)), next(it))
# expect: [('a', 1), ('a', 2), ('b', 1), ('b', 2)] [()] [] 27
# expect: [('a', 'b'), ('a', 'c'), ('a', 'd'), ('b', 'c'), ('b', 'd'), ('c', 'd')] [] [()]
# expect: [('a', 'b', 'c'), ('a', 'c', 'b'), ('b', 'a', 'c'), ('b', 'c', 'a'), ('c', 'a', 'b'), ('c', 'b', 'a')] [('a',), ('b',), ('c',)] [] [()]
# expect: [('a', 'b'), ('a', 'a'), ('b', 'a'), ('b', 'a'), ('a', 'a'), ('a', 'b')] 720 792
# expect: [1, 2, 6] [1] []
# expect: ['b', 'd', 'f'] [] [] []
# expect: [('a', 'b'), ('b', 'c')] [] [('a', 'c'), ('b', 0)] []
# expect: [0, 3] 5 [6, 7] 8

# case: a generator expression that raised is at its end
g = (1 / x for x in [1, 0, 2])
print(next(g))  # expect: 1.0
try: next(g)
except ZeroDivisionError: print(next(g, 'finished'), list(g))  # expect: finished []
nested = (x / y for x in [4] for y in [2, 0, 1])
try: print(list(nested))
except ZeroDivisionError: print(list(nested))  # expect: []

# case: yield from hands on what is sent and raised
def inner():
    try:
        while True:
            x = yield 'i'
            print('inner got', x)
    except ValueError as e:
        print('inner caught', e)
        yield 'recovered'
    return 'inner result'
def outer():
    r = yield from inner()
    print('r', r)
    yield 'last'
g = outer()
print(next(g), g.send(5), g.throw(ValueError('v')), next(g))
g = outer(); next(g); g.close()

g = outer(); next(g)
try: g.throw(KeyError('k'))
except KeyError as e: print(repr(e))
def stubborn():
    try: yield 1
    except GeneratorExit: print('closing'); return 7
def around():
    try: print('got', (yield from stubborn()))
    finally: print('around ends')
g = around(); next(g); g.close()
# expect: inner got 5
# expect: inner caught v
# expect: r inner result
# expect: i i recovered last
# expect: KeyError('k')
# expect: closing
# expect: around ends

# case: a generator that ends or throws into itself
def itself(ask):
    try:
        ask(running)
    except ValueError as error:
        print(error)
    yield 1
    yield 2
for ask in lambda g: g.close(), lambda g: g.throw(KeyError(1)), lambda g: g.send(3), next:
    running = itself(ask)
    print(next(running), next(running))
# expect: generator already executing
# expect: 1 2
# expect: generator already executing
# expect: 1 2
# expect: generator already executing
# expect: 1 2
# expect: generator already executing
# expect: 1 2
