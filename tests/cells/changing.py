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
