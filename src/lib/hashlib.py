"""hashlib: md5, sha1 and sha256, by the steps of RFC 1321 and of FIPS 180-4."""
import math

MASK = 0xffffffff


def turned(word, count):
    """A word of 32 bits, turned to the left."""
    return ((word << count) | (word >> (32 - count))) & MASK


def blocks(data, order):
    """Of 64 bytes, as 16 words: the data, a bit, zeros, and the number of bits."""
    tail = b'\x80' + b'\x00' * ((55 - len(data)) % 64)
    size = [len(data) * 8 >> 8 * i & 255 for i in range(8)]
    whole = data + tail + bytes(size if order == 'little' else size[::-1])
    places = (0, 8, 16, 24) if order == 'little' else (24, 16, 8, 0)
    words = [sum(whole[i + k] << place for k, place in enumerate(places)) for i in range(0, len(whole), 4)]
    return [words[i:i + 16] for i in range(0, len(words), 16)]


def in_bytes(words, order):
    places = (0, 8, 16, 24) if order == 'little' else (24, 16, 8, 0)
    return bytes([word >> place & 255 for word in words for place in places])


def md5_of(data):
    sines = [math.floor(abs(math.sin(i + 1)) * 4294967296) for i in range(64)]
    turns = [count for row in ((7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21)) for count in row * 4]
    state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
    for words in blocks(data, 'little'):
        a, b, c, d = state
        for i in range(64):
            if i < 16:
                f, g = (b & c) | (~b & d), i
            elif i < 32:
                f, g = (d & b) | (~d & c), (5 * i + 1) % 16
            elif i < 48:
                f, g = b ^ c ^ d, (3 * i + 5) % 16
            else:
                f, g = c ^ (b | (~d & MASK)), 7 * i % 16
            a, d, c, b = d, c, b, (b + turned((a + f + sines[i] + words[g]) & MASK, turns[i])) & MASK
        state = [(x + y) & MASK for x, y in zip(state, (a, b, c, d))]
    return in_bytes(state, 'little')


def sha1_of(data):
    state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]
    for words in blocks(data, 'big'):
        for i in range(16, 80):
            words.append(turned(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1))
        a, b, c, d, e = state
        for i, word in enumerate(words):
            if i < 20:
                f, k = (b & c) | (~b & d), 0x5a827999
            elif i < 40:
                f, k = b ^ c ^ d, 0x6ed9eba1
            elif i < 60:
                f, k = (b & c) | (b & d) | (c & d), 0x8f1bbcdc
            else:
                f, k = b ^ c ^ d, 0xca62c1d6
            a, b, c, d, e = (turned(a, 5) + f + e + k + word) & MASK, a, turned(b, 30), c, d
        state = [(x + y) & MASK for x, y in zip(state, (a, b, c, d, e))]
    return in_bytes(state, 'big')


def primes(count):
    found, number = [], 2
    while len(found) < count:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return found


def fraction_bits(number):
    """The first 32 bits behind the point."""
    return math.floor(number % 1 * 4294967296)


def sha256_of(data):
    numbers = primes(64)
    factors = [fraction_bits(number ** (1 / 3)) for number in numbers]
    state = [fraction_bits(math.sqrt(number)) for number in numbers[:8]]
    for words in blocks(data, 'big'):
        for i in range(16, 64):
            x, y = words[i - 15], words[i - 2]
            first = turned(x, 25) ^ turned(x, 14) ^ (x >> 3)
            second = turned(y, 15) ^ turned(y, 13) ^ (y >> 10)
            words.append((words[i - 16] + first + words[i - 7] + second) & MASK)
        a, b, c, d, e, f, g, h = state
        for word, factor in zip(words, factors):
            first = h + (turned(e, 26) ^ turned(e, 21) ^ turned(e, 7)) + ((e & f) ^ (~e & g)) + factor + word
            second = (turned(a, 30) ^ turned(a, 19) ^ turned(a, 10)) + ((a & b) ^ (a & c) ^ (b & c))
            a, b, c, d, e, f, g, h = (first + second) & MASK, a, b, c, (d + first) & MASK, e, f, g
        state = [(x + y) & MASK for x, y in zip(state, (a, b, c, d, e, f, g, h))]
    return in_bytes(state, 'big')


class HASH:
    block_size = 64

    def __init__(self, name, data):
        self.name, self.parts = name, []
        self.digest_size = {'md5': 16, 'sha1': 20, 'sha256': 32}[name]
        self.update(data)

    def update(self, data):
        if isinstance(data, str):
            raise TypeError('Strings must be encoded before hashing')
        if not isinstance(data, bytes):
            raise TypeError('object supporting the buffer API required')
        self.parts.append(data)

    def digest(self):
        self.parts = [b''.join(self.parts)]
        return {'md5': md5_of, 'sha1': sha1_of, 'sha256': sha256_of}[self.name](self.parts[0])

    def hexdigest(self):
        return ''.join(f'{byte:02x}' for byte in self.digest())

    def copy(self):
        return HASH(self.name, b''.join(self.parts))


def md5(string=b'', *, usedforsecurity=True):
    return HASH('md5', string)


def sha1(string=b'', *, usedforsecurity=True):
    return HASH('sha1', string)


def sha256(string=b'', *, usedforsecurity=True):
    return HASH('sha256', string)


def new(name, data=b'', *, usedforsecurity=True):
    if name.lower() not in ('md5', 'sha1', 'sha256'):
        refuse("unsupported.name", 'name', f'hashlib.new({name!r})')
    return HASH(name.lower(), data)
