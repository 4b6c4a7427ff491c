def f(a, b=2, *args, c: int = 3, **kwargs) -> int:
    """doc"""
    return a + b * c if args else f(a, b, 1, c=c)
f(1), (lambda x, y=1: x - y)(*[3], **{"y": 4})
