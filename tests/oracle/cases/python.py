7 // 2, -7 // 2, 7 // -2, 7.5 // -2, 7 % 3, -7 % 3, 7 % -3, -7.5 % 2
2 ** 10, 2 ** -1, (-8) ** (1 / 3) == 2, 0 ** 0, 7 / 2, 6 / 3, -2 ** 2
0.1 + 0.2, 1e16, 1e15, 1e-5, 0.0001, 123456789.0, 1.0, -0.0, 1 / 3, 1e22, 5e-324
float("inf"), float("-inf"), float("nan"), float("nan") == float("nan"), float(" 1e3 ")
int(3.9), int(-3.9), int("12"), round(2.5), round(3.5), round(2.675, 2), round(1234, -2), abs(-3)
True + True, True == 1, not 0, 3 and 0, "" or "x", None or 0, 1 if [] else 2
1 < 2 < 3, 1 < 3 < 2, 1 == 1.0 != 2, 3 in [1, 2, 3], "a" not in "bc", None is None
6 & 3, 6 | 1, 6 ^ 3, ~6, 1 << 4, -9 >> 1
"ab" + "c" * 3, "abc"[1], "abc"[::-1], len("héllo"), "a,b".split(","), "-".join(["x", "y"])
"Hello".upper(), "hello".replace("l", "L"), " x ".strip(), "abc".startswith("ab"), "abc".find("c"), "a b  c".split()
"tab\tnew\nline \\ 'q' \"d\"", 'it\'s', "it's", 'say "hi"', "\u00e9 \x07"
f"{3.14159:.2f} {42:5d}| {42:<5}| {42:^5}| {42:>5}| {42:05d} {-1.5:+.1f} {1e6:,.0f} {0.256:.1%} {255:x} {255:b}"
f"{'a':>3}|{'b':<3}|{'c':^3}|{'d':*^5}| {'q'!r} {1 + 1} {[1, 'x']} {{}} {3.0} {1e-7:g} {12345.678:e} {True}"
n = 4; f"{n = } {n * 2 = } {n!r:>4} {3.14159:.{n - 2}f}"
"%d of %s, %.2f" % (3, "x", 1 / 3), "{} {1}".replace("{1}", "!"), "{:>4}|{}".format(1, "b")
[1, [2.5, "x"], (3,), (), None, True, {"a": 1}, {1}]
x = [3, 1, 2]; x.append(5); x.sort(); x.insert(0, 9); x.extend([7]); print(x, x.pop(), x.index(2), len(x)); x.reverse(); print(x)
x = list(range(10)); x[2:5], x[::-3], x[-2:], x[:3] + [0] * 2, x[100:]
x = [1, 2, 3, 4]; x[1:3] = [9]; print(x)
[i * j for i in range(3) for j in range(i)], [x for x in range(10) if x % 3 == 0], {c for c in "a"}, {i: i ** 2 for i in range(3)}
d = {"b": 1, "a": 2}; d["c"] = 3; print(d, list(d), d.get("z", 0), sorted(d), list(d.items()), "b" in d, list(d.values()), d.pop("b"))
sorted({3, 1, 2} | {5}), {1, 2} & {2, 3}, {1, 2} - {2}, set(), len({1, 1.0, True})
a, b = 1, 2; a, b = b, a; (c, d), *e = (5, 6), 7, 8; print(a, b, c, d, e)
x = y = [0]; x += [1]; print(y, x is y, x == [0, 1]); n = 5; n -= 2; n //= 2; n **= 3; print(n)
list(zip([1, 2], "ab")), list(enumerate("ab", 1)), list(reversed([1, 2])), list(map(str, [1, 2])), sum([1, 2.5]), max(3, 1), min([4, 2])
any([0, 1]), all([]), all([1, 0]), isinstance(1, int), isinstance(True, int), type(1.0) is float, type("x").__name__
math.sqrt(8), math.exp(1), math.log(10), math.pi, math.inf, math.floor(-1.5), math.ceil(1.2), math.prod([2, 3])
range(5), range(1, 10, 3), list(range(3, 0, -1)), len(range(0, 10, 4)), 3 in range(5), range(10)[-1]
print(1, 2.0, "x", [1, "y"], None, sep=", ", end="!\n"); print(); print("a", end=""); print("b")
(1, 2) < (1, 3), [1, 2] == [1, 2.0], "a" < "b", (1,) + (2,), (1, 2) * 2, "x" * 0, [[0] * 2] * 2
1_000_000, 0x1F, 0b101, 1e3, .5, 5., "a" "b", r"\n", str(1.50), repr("x"), int(True), bool("False"), bool([0])
9223372036854775807, -9223372036854775807, 4611686018427387904 * 2 - 1

# A loop with else-branches, nested.
total = 0
for i in range(5):
    if i % 2 == 0:
        total += i
    elif i == 3:
        total += 100
    else:
        total -= 1
print(total, i)

# Loop over pairs, with a nested loop and an f-string.
for name, sizes in [("q", (5, 8)), ("k", (6, 8))]:
    for axis, size in enumerate(sizes):
        print(f"{name}[{axis}] = {size:>2}")
assert total if False else True, "not reached"
