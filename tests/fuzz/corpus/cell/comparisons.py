a, *b = [1, 2, 3]
1 < a + 1 <= 2 != 3 and a in b or b is not None
