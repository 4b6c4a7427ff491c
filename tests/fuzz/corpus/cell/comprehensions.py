[i * j for i in range(4) if i % 2 for j in range(i)], {k: v for k, v in zip("ab", [1, 2])}, sum(x for x in (1, 2))
