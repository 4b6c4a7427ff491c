# Every method of set; operators and order. Python's order of small ints is that of their size: {3, 1, 2} prints sorted.

# case: add, remove, discard, pop
s = {1, 2}
s.add(3); s.add(1); s.remove(2); s.discard(9)
print(s, len(s), s.add(4))  # expect: {1, 3, 4} 2 None
one = {5}
print(one.pop(), one)  # expect: 5 set()

# case: remove what is not there
{1}.remove(2)  # expect error[KeyError]: 2

# case: pop from nothing
set().pop()  # expect error[KeyError]: 'pop from an empty set'

# case: update, union
s = {1}
s.update([2, 3], (4,)); print(s, s.update())  # expect: {1, 2, 3, 4} None
print({1}.union([2], {3}), {1} | {2}, {1, 2}.union())  # expect: {1, 2, 3} {1, 2} {1, 2}

# case: intersection, difference, symmetric_difference
a, b = {1, 2, 3}, {2, 3, 4}
print(a.intersection(b), a & b, a.difference(b), a - b, a.symmetric_difference(b), a ^ b, a.intersection([1]), a.difference([1], [2]))
# expect: {2, 3} {2, 3} {1} {1} {1, 4} {1, 4} {1} {3}

# case: the methods that change the set
a = {1, 2, 3}
a.intersection_update({1, 2}); print(a)  # expect: {1, 2}
a.difference_update([1]); print(a)  # expect: {2}
a.symmetric_difference_update({2, 5}); print(a)  # expect: {5}
a |= {7}; a &= {5, 7}; a -= {5}; a ^= {7, 8}; print(a)  # expect: {8}

# case: issubset, issuperset, isdisjoint
print({1}.issubset({1, 2}), {1, 2}.issuperset([1]), {1}.isdisjoint([2]), {1} <= {1}, {1} < {1}, {1, 2} > {1}, {1} >= {2})
# expect: True True True True False True False

# case: copy and clear
a = {1, 2}
b = a.copy()
a.clear()
print(a, b)  # expect: set() {1, 2}

# case: making sets
print(set(), set([1, 1, 2]), {1, 1.0, True}, set("aa"), {x % 3 for x in range(9)}, len(set("hello")), set(range(3)))
# expect: set() {1, 2} {1} {'a'} {0, 1, 2} 4 {0, 1, 2}

# case: order of small ints
print({3, 1, 2}, set([7, 3, 5]), set([10, 5, 0]), set([8, 0, 16, 1]), set([-1, -5, 3]), set([100, 1, 33, 9, 41]))
# expect: {1, 2, 3} {3, 5, 7} {0, 10, 5} {8, 0, 16, 1} {3, -5, -1} {1, 33, 100, 41, 9}
print(list(set([50, 20, 30, 10, 40, 7, 99])), set(x * 37 % 101 for x in range(25)), set(range(10, 0, -1)))
# expect: [99, 7, 40, 10, 50, 20, 30] {0, 3, 6, 10, 13, 20, 23, 30, 33, 37, 40, 43, 47, 50, 57, 60, 67, 70, 74, 77, 80, 84, 87, 94, 97} {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}

# case: sorted letters
print(sorted(set("hello world")), sorted({"b", "a"}, reverse=True))
# expect: [' ', 'd', 'e', 'h', 'l', 'o', 'r', 'w'] ['b', 'a']

# case: membership
s = {1, "a", (1, 2), None}
print(1 in s, "b" in s, (1, 2) in s, None in s, 1.0 in s)  # expect: True False True True True

# case: equality
print({1, 2} == {2, 1}, {1} == [1], set() == set(), {1} != {2})  # expect: True False True True

# case: a list inside
{[1], 2}  # expect error[TypeError]: unhashable type: 'list'

# case: a set inside
{{1}}  # expect error[TypeError]: unhashable type: 'set'

# case: adding a list
s = set()
s.add([1])  # expect error[TypeError]: unhashable type: 'list'

# case: plus
{1} + {2}  # expect error[TypeError]: unsupported operand type(s) for +: 'set' and 'set'

# case: union with a list by operator
{1} | [2]  # expect error[TypeError]: unsupported operand type(s) for |: 'set' and 'list'

# case: indexing
{1, 2}[0]  # expect error[TypeError]: 'set' object is not subscriptable

# case: iterating
total = 0
for v in {1, 2, 3}:
    total += v
print(total, sum({1, 2}), max({3, 9}), any({0, 1}), all({1, 0}))  # expect: 6 3 9 True False

# case: changing size while iterating
s = {1, 2}
for v in s:  # expect error[RuntimeError]: Set changed size during iteration
    s.add(v + 10)

# case: no such method
{1}.append(2)  # expect error[AttributeError]: 'set' object has no attribute 'append'

# case: truth
print(bool(set()), bool({0}), not {1})  # expect: False True False

# case: frozenset
a = frozenset([1, 2])
print(a, frozenset(), type(a).__name__, isinstance(a, frozenset), isinstance(a, set))
# expect: frozenset({1, 2}) frozenset() frozenset True False
print({a: 'pair'}[frozenset([2, 1])], a == {1, 2}, {1, 2} == a, a in {frozenset([1, 2])})  # expect: pair True True True
print(a | {3}, {3} | a, a.union([4]), a & {1}, a.difference({1}), a ^ {1, 5})
# expect: frozenset({1, 2, 3}) {1, 2, 3} frozenset({1, 2, 4}) frozenset({1}) frozenset({2}) frozenset({2, 5})
b = a
b |= {3}
print(a, b, a <= b, len(a), sorted(a))  # expect: frozenset({1, 2}) frozenset({1, 2, 3}) True 2 [1, 2]
{{1}: 2}  # expect error[TypeError]: unhashable type: 'set'

# case: frozenset does not change
frozenset([1]).add(2)  # expect error[AttributeError]: 'frozenset' object has no attribute 'add'

# case: which of two equal items stays
print({True, 5} & {1, 7}, {1, 7, 8} & {True, 5}, {0, 9}.intersection([False]), {1} | {True}, {True} | {1, 2})
# expect: {1} {True} {False} {1} {True, 2}

# case: discard of what has no hash
set().discard([1])  # expect error[TypeError]: unhashable type: 'list'

# case: a set of ints that shrank goes on in the order of its slots
s = set()
for i in range(40):
    s.add(i * 7 % 31 - 3)
    if i % 3 == 0: s.discard(i % 11)
print(list(s), [s.pop() for _ in range(6)], s)
s |= {100, -100, 8}
print([s.pop() for _ in range(4)], list(s))
# expect: [1, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, -2, -3, -1] [1, 4, 7, 8, 9, 10] {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, -2, -3, -1}
# expect: [11, 12, 13, 14] [8, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, -100, 100, -2, -3, -1]

# case: pop() of a set goes on where it was
s = {1, 2, 3, 4}
a = s.pop(), s.pop()
s.add(1)
print(a, s.pop(), s.pop(), s)
# expect: (1, 2) 3 4 {1}

# case: three constants and more are a set of their own, which is added in one go
a = 7
print({33, 16, 64, 1032, 65, 1}, list({7, 8, 9, 15}), list({a, 8, 9, 15}), list({7, 15}), list({-7, 7, 15, 23}))
print({*{7, 8, 9, 15}, 40, 3}, {7, 8, 9, 15} & {15, 7, 3}, {7, 8, 9, 15} | {23, 1}, {7, 8, 9, 15} ^ {23, 7, 1})
# expect: {64, 33, 65, 1, 16, 1032} [8, 9, 7, 15] [8, 9, 15, 7] [15, 7] [-7, 23, 7, 15]
# expect: {3, 7, 8, 9, 40, 15} {7, 15} {1, 23, 7, 8, 9, 15} {1, 8, 9, 15, 23}
