s = 'a' + "b" * 3 + r'\n' + '''c
'''
print(f'{s!r:>20} {len(s):05d} {1/3:.3f}', '%s %5.2f' % ('x', 2), s.upper().split('B'))
'{} {:>4}'.format(1, 'k')[::-1]
