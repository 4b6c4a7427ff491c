# bytes: literals, str.encode and bytes.decode, and the methods that they share with str.

# case: literals and places
b = b'ab\x00\xff\n"'
print(b, len(b), b[0], b[-3], b[1:3], b[::-1], list(b[:2]), type(b))  # expect: b'ab\x00\xff\n"' 6 97 255 b'b\x00' b'"\n\xff\x00ba' [97, 98] <class 'bytes'>
print(b"it's", b'both \' and "', rb'\x41\u', B'a' b'b', b'', bool(b''), f'{b"x"}')  # expect: b"it's" b'both \' and "' b'\\x41\\u' b'ab' b'' False b'x'
print([c for c in b'hi'], b'a' + b'b', b'ab' * 2, 2 * b'c', b'a' < b'b', b'\xff' > b'a', max(b'hello'), sum(b'ab'))  # expect: [104, 105] b'ab' b'abab' b'cc' True True 111 195
b[0] = 1  # expect error[TypeError]: 'bytes' object does not support item assignment

# case: made of ints
print(bytes([104, 105]), bytes(3), bytes(), bytes('é', 'utf-8'), bytes(b'x'), bytes(i for i in range(3)))  # expect: b'hi' b'\x00\x00\x00' b'' b'\xc3\xa9' b'x' b'\x00\x01\x02'
vocab = {i: bytes([i]) for i in range(256)}
print(vocab[200], {v: k for k, v in vocab.items()}[b'\xc8'], b'a' == 'a', {b'a': 1}[b'a'], hash(b'a') == hash(bytes([97])), isinstance(b'', bytes), ord(b'\xff'), str(b'\xc3\xa9', 'utf-8'), b'ab'.hex(' '))  # expect: b'\xc8' 200 False 1 True True 255 é 61 62
bytes([256])  # expect error[ValueError]: bytes must be in range(0, 256)

# case: encoded and decoded
text = 'héllo → 🙂 한'
raw = text.encode('utf-8')
print(raw, len(text), len(raw))  # expect: b'h\xc3\xa9llo \xe2\x86\x92 \xf0\x9f\x99\x82 \xed\x95\x9c' 11 19
print(raw.decode() == text, raw.decode('utf-8', errors='strict') == text, list(map(int, raw[:3])), raw[1:3].decode('utf8'))  # expect: True True [104, 195, 169] é
print(raw[:2].decode('utf-8', errors='replace'), raw[:2].decode(errors='ignore'), 'é'.encode('latin-1'), b'\xe9'.decode('latin-1'), 'é'.encode('ascii', 'ignore'))  # expect: h� h b'\xe9' é b''
try:
    b'a\xff'.decode()
except UnicodeDecodeError as error:
    print(error)  # expect: 'utf-8' codec can't decode byte 0xff in position 1: invalid start byte
try:
    b'\xe2\x86'.decode('utf-8')
except ValueError as error:
    print(error, isinstance(error, UnicodeError))  # expect: 'utf-8' codec can't decode bytes in position 0-1: unexpected end of data True
try:
    'aé'.encode('ascii')
except UnicodeEncodeError as error:
    print(error)  # expect: 'ascii' codec can't encode character '\xe9' in position 1: ordinal not in range(128)
b'\xc3('.decode()  # expect error[UnicodeDecodeError]: 'utf-8' codec can't decode byte 0xc3 in position 0: invalid continuation byte

# case: as str has them
print(b' a b '.strip(), b'a,b,,c'.split(b','), b'a  b\xa0c'.split(), b'a.b'.partition(b'.'), b'\xa0a\x85'.strip())  # expect: b'a b' [b'a', b'b', b'', b'c'] [b'a', b'b\xa0c'] (b'a', b'.', b'b') b'\xa0a\x85'
print(b'abab'.find(b'b'), b'abab'.count(b'ab'), b'abc'.find(99), b'abc'.index(b'c'), b'abc'.startswith((b'x', b'ab')), b'abc'.endswith(b'c'))  # expect: 1 2 2 2 True True
print(b'a\xffb'.replace(b'\xff', b'--'), b'aB\xe9'.upper(), b'12'.isdigit(), b'\xe9'.isalpha(), b'-'.join([b'a', b'b']), b''.join(bytes([i]) for i in (65, 200)))  # expect: b'a--b' b'AB\xe9' True False b'a-b' b'A\xc8'
print(b'\x01\xab'.hex(), bytes.fromhex('01 ab'), 97 in b'abc', b'bc' in b'abc', b'x' in b'abc', b'7'.zfill(3), b'a'.ljust(3, b'.'))  # expect: 01ab b'\x01\xab' True True False b'007' b'a..'
print((258).to_bytes(2, 'big'), (258).to_bytes(4, byteorder='little'), (-2).to_bytes(2, 'big', signed=True), int.from_bytes(b'\x01\x02', 'big'), int.from_bytes(b'\xfe\xff', 'little', signed=True))  # expect: b'\x01\x02' b'\x02\x01\x00\x00' b'\xff\xfe' 258 -2
print(sorted([b'b', b'a']), list(zip(b'ab', b'cd')), dict.fromkeys(b'ab', 0), bytes(reversed(b'abc')), b'ab'.decode().encode() is not None)  # expect: [b'a', b'b'] [(97, 99), (98, 100)] {97: 0, 98: 0} b'cba' True
table = bytes.maketrans(b'ab', b'x\xff')
print(b'aabbc'.translate(table), b'aabbc'.translate(None, b'ab'), b'aabbc'.translate(table, delete=b'c'), len(table))  # expect: b'xx\xff\xffc' b'c' b'xx\xff\xff' 256
print(b'a\tc'.expandtabs(4), b'a\r\nb\x0cc\r\rd\n'.splitlines(), b'a\r\n\nb'.splitlines(True), b''.splitlines(), b'\n'.splitlines(keepends=True))  # expect: b'a   c' [b'a', b'b\x0cc', b'', b'd'] [b'a\r\n', b'\n', b'b'] [] [b'\n']
try: b'a'.translate(b'short')
except ValueError as error: print(error)  # expect: translation table must be 256 characters long
b'a' + 'b'  # expect error[TypeError]

# case: only ASCII in a literal
b'é'  # expect error[SyntaxError]
