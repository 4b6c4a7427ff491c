match = [1, {"a": 2.5, "b": (3, 4)}, "text", None]
match match:
    case [] | (): print("empty")
    case [-1, *_] | [None, *_]: print("no")
    case [1 as n, {"a": float(x), **rest}, str() as s, _] if n < 2:
        # the third
        print(n, x, rest, s)
    case list(): print(match[0])
    case _: pass
