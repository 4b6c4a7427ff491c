d = {'a': [1, 2], 'b': (3,), **{'c': {4, 5}}}
d['a'].append(6)
for key, value in d.items():
    print(key, value)
sorted(d, reverse=True)[-1:]
