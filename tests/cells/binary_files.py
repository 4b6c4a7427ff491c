# Files of bytes, and the numbers in them: what a program writes is in memory and ends with the run.
import io
import os
import shutil

import numpy as np
import torch

shutil.rmtree('/tmp/of-cells', ignore_errors=True)
os.makedirs('/tmp/of-cells')
PATH = '/tmp/of-cells/x.bin'


def attempt(function):
    try:
        print(function())
    except Exception as error:
        print(f'{type(error).__name__}: {error}')

# case: bytes are written and read
with open(PATH, 'wb') as f:
    print(f.write(b'\x80\xff\n\x00ab'), f.tell(), f.write(bytes(range(3))), type(f).__name__, f.mode, f.writable(), f.readable())
with open(PATH, 'rb') as f:
    print(f.read(2), f.tell(), f.readline(), f.readline(), f.read(), f.read(1), f.readline(), type(f).__name__, f.readable())
    print(f.seek(4), f.read(1), f.seek(-2, 2), f.read(), f.seek(1, 1), f.read(), f.seek(0), list(f), f.tell())
with open(PATH, 'ab') as f:
    print(f.tell(), f.write(b'\xfe'))
print(open(PATH, 'rb').read(), os.path.getsize(PATH), [len(line) for line in open(PATH, 'rb')], open(PATH, 'rb').readlines())
attempt(lambda: open(PATH).read())
attempt(lambda: open(PATH, 'rb').write(b'a'))
attempt(lambda: open(PATH, 'wb').read())
attempt(lambda: open(PATH, 'wb').write('text'))
attempt(lambda: f.write(b'a'))
f = open(PATH, 'rb')
f.close()
attempt(lambda: f.read())
attempt(lambda: f.seek(0))
# expect: 6 6 3 BufferedWriter wb True False
# expect: b'\x80\xff' 2 b'\n' b'\x00ab\x00\x01\x02' b'' b'' b'' BufferedReader True
# expect: 4 b'a' 7 b'\x01\x02' 10 b'' 0 [b'\x80\xff\n', b'\x00ab\x00\x01\x02'] 9
# expect: 9 1
# expect: b'\x80\xff\n\x00ab\x00\x01\x02\xfe' 10 [3, 7] [b'\x80\xff\n', b'\x00ab\x00\x01\x02\xfe']
# expect: UnicodeDecodeError: 'utf-8' codec can't decode byte 0x80 in position 0: invalid start byte
# expect: UnsupportedOperation: write
# expect: UnsupportedOperation: read
# expect: TypeError: a bytes-like object is required, not 'str'
# expect: ValueError: write to closed file
# expect: ValueError: read of closed file
# expect: ValueError: seek of closed file

# case: written at a place
with open(PATH, 'wb') as f:
    f.write(b'0123456789')
    print(f.seek(3), f.write(b'ab'), f.tell(), f.seek(0, 2), f.write(b'c'), f.seek(13), f.write(b'd'), f.tell())
print(open(PATH, 'rb').read())
with open(PATH, 'wb') as f:
    f.write(np.arange(3, dtype=np.int16))
    f.write(np.float32(1.5).tobytes())
print(open(PATH, 'rb').read())
attempt(lambda: open(PATH, 'rb').seek(-1))
text = open('/tmp/of-cells/t.txt', 'w')
text.write('é\nx')
text.close()
print(open('/tmp/of-cells/t.txt', 'rb').read(3), open('/tmp/of-cells/t.txt', 'rb').readline(2))
open('/tmp/of-cells/t.txt', 'wb').write('ü'.encode())
print(open('/tmp/of-cells/t.txt').read())
# expect: 3 2 5 10 1 13 1 14
# expect: b'012ab56789c\x00\x00d'
# expect: b'\x00\x00\x01\x00\x02\x00\x00\x00\xc0?'
# expect: OSError: [Errno 22] Invalid argument
# expect: b'\xc3\xa9\n' b'\xc3\xa9'
# expect: ü

# case: encodings
with open(PATH, 'w', encoding='latin-1') as f:
    print(f.write('café'), f.encoding)
print(open(PATH, 'rb').read(), open(PATH, encoding='latin-1').read(), repr(open(PATH, errors='ignore').read()), repr(open(PATH, encoding='utf-8', errors='replace').read()))
open(PATH, 'wb').write('é'.encode())
print(open(PATH, encoding='latin-1').read(), open(PATH, encoding='UTF-8').read())
# expect: 4 latin-1
# expect: b'caf\xe9' café 'caf' 'caf�'
# expect: Ã© é

# case: tofile and fromfile
for dtype in (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.int64, np.float16, np.float32, np.float64, np.bool_):
    a = np.array([[0, 1, 5], [100, 7, 2]]).astype(dtype)
    a.tofile(PATH)
    b = np.fromfile(PATH, dtype=dtype)
    print(b, b.dtype, os.path.getsize(PATH), (a.ravel() == b).all(), np.fromfile(PATH, dtype, count=2), np.fromfile(PATH, dtype, offset=a.itemsize, count=2).shape)
np.arange(5, dtype=np.uint16).tofile(PATH)
print(np.fromfile(PATH, '<u2'), np.fromfile(PATH, dtype='uint16', count=100), np.fromfile(PATH, np.int32), np.fromfile(PATH, 'u1')[:4])
with open(PATH, 'wb') as f:
    f.write(b'head')
    np.arange(3.).tofile(f)
    np.arange(3, dtype=np.int16).tofile(f)
with open(PATH, 'rb') as f:
    print(f.read(4), np.fromfile(f, np.float64, 3), f.tell(), np.fromfile(f, np.int16, 2), f.read())
np.array([1.5, 2, 3]).tofile(PATH, sep=',')
print(open(PATH).read(), np.fromfile(PATH, sep=','), np.fromfile(PATH, dtype=float, sep=',', count=2))
# expect: [  0   1   5 100   7   2] uint8 6 True [0 1] (2,)
# expect: [  0   1   5 100   7   2] int8 6 True [0 1] (2,)
# expect: [  0   1   5 100   7   2] uint16 12 True [0 1] (2,)
# expect: [  0   1   5 100   7   2] int16 12 True [0 1] (2,)
# expect: [  0   1   5 100   7   2] uint32 24 True [0 1] (2,)
# expect: [  0   1   5 100   7   2] int32 24 True [0 1] (2,)
# expect: [  0   1   5 100   7   2] int64 48 True [0 1] (2,)
# expect: [  0.   1.   5. 100.   7.   2.] float16 12 True [0. 1.] (2,)
# expect: [  0.   1.   5. 100.   7.   2.] float32 24 True [0. 1.] (2,)
# expect: [  0.   1.   5. 100.   7.   2.] float64 48 True [0. 1.] (2,)
# expect: [False  True  True  True  True  True] bool 6 True [False  True] (2,)
# expect: [0 1 2 3 4] [0 1 2 3 4] [ 65536 196610] [0 0 1 0]
# expect: b'head' [0. 1. 2.] 28 [0 1] b'\x02\x00'
# expect: 1.5,2.0,3.0 [1.5 2.  3. ] [1.5 2. ]

# case: frombuffer
data = np.array([1, 2, 300, 65535], dtype=np.uint16).tobytes()
print(data, np.frombuffer(data, dtype=np.uint16), np.frombuffer(data, 'u1', offset=2, count=3), np.frombuffer(data, np.int16), np.frombuffer(b'abc', dtype=np.uint8).tolist())
print(np.frombuffer(np.array([1., 2.]).tobytes()), np.frombuffer(data, '<i4').dtype, np.frombuffer(data, dtype=np.float32).shape)
attempt(lambda: np.frombuffer(data[:3], dtype=np.uint16))
attempt(lambda: np.frombuffer(data, dtype=np.uint16, count=5))
attempt(lambda: np.frombuffer(data, dtype=np.uint16, offset=9))
attempt(lambda: np.frombuffer('text', dtype=np.uint8))
images = np.frombuffer(bytes(4) + bytes(range(12)), np.uint8, offset=4).reshape(-1, 2, 3)
print(images[1], torch.from_numpy(images.copy()).float().mean())
# expect: b'\x01\x00\x02\x00,\x01\xff\xff' [    1     2   300 65535] [ 2  0 44] [  1   2 300  -1] [97, 98, 99]
# expect: [1. 2.] int32 (2,)
# expect: ValueError: buffer size must be a multiple of element size
# expect: ValueError: buffer is smaller than requested size
# expect: ValueError: offset must be non-negative and no greater than buffer length (8)
# expect: TypeError: a bytes-like object is required, not 'str'
# expect: [[ 6  7  8]
# expect:  [ 9 10 11]] tensor(5.5000)

# case: memmap of tokens
tokens = np.array(list(range(20)) + [50256, 65535], dtype=np.uint16)
tokens.tofile(PATH)
data = np.memmap(PATH, dtype=np.uint16, mode='r')
print(len(data), data.shape, data.dtype, data[-1], int(data[20]), data.nbytes, data.max(), isinstance(data, np.ndarray))
ix = [3, 0, 9]
x = torch.stack([torch.from_numpy(data[i:i + 4].astype(np.int64)) for i in ix])
print(x, x.dtype)
print(np.memmap(PATH, dtype='uint16', mode='r', offset=4, shape=(2, 3)).tolist(), np.memmap(PATH, np.uint8, 'r').shape, np.array(data[:3]))
attempt(lambda: torch.from_numpy(data[:3]))
attempt(lambda: torch.tensor(np.uint32([3])))
attempt(lambda: np.memmap(PATH, dtype=np.int64, mode='r'))
attempt(lambda: np.memmap(PATH, dtype=np.uint16, mode='x'))
attempt(lambda: np.memmap(PATH, dtype=np.uint16, mode='w+'))
attempt(lambda: np.memmap(PATH, dtype=np.uint16, mode='r', shape=(100,)))
# expect: 22 (22,) uint16 65535 50256 44 65535 True
# expect: tensor([[ 3,  4,  5,  6],
# expect:         [ 0,  1,  2,  3],
# expect:         [ 9, 10, 11, 12]]) torch.int64
# expect: [[2, 3, 4], [5, 6, 7]] (44,) [0 1 2]
# expect: TypeError: can't convert np.ndarray of type numpy.uint16. The only supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint8, and bool.
# expect: TypeError: can't convert np.ndarray of type numpy.uint32. The only supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint8, and bool.
# expect: ValueError: Size of available data is not a multiple of the data-type size.
# expect: ValueError: mode must be one of ['r', 'c', 'r+', 'w+', 'readonly', 'copyonwrite', 'readwrite', 'write'] (got 'x')
# expect: ValueError: shape must be given
# expect: ValueError: mmap length is greater than file size

# case: memmap that is written
out = np.memmap(PATH, dtype=np.uint16, mode='w+', shape=(6,))
for i in range(0, 6, 2):
    out[i:i + 2] = np.array([i, i + 70000 % 65536], dtype=np.uint16)
out.flush()
print(os.path.getsize(PATH), np.fromfile(PATH, dtype=np.uint16), open(PATH, 'rb').read(4))
again = np.memmap(PATH, dtype=np.uint16, mode='r+', shape=(3,), offset=2)
again[:] = 9
again.flush()
print(np.memmap(PATH, dtype=np.uint16, mode='r').tolist())
private = np.memmap(PATH, dtype=np.uint16, mode='c')
private[0] = 77
print(private[0], np.fromfile(PATH, dtype=np.uint16)[0])
longer = np.memmap('/tmp/of-cells/y.bin', dtype=np.float32, mode='w+', shape=(2, 2), offset=4)
longer[1] = [1.5, 2]
longer.flush()
print(open('/tmp/of-cells/y.bin', 'rb').read())
# expect: 12 [   0 4464    2 4466    4 4468] b'\x00\x00p\x11'
# expect: [0, 9, 9, 9, 4, 4468]
# expect: 77 0
# expect: b'\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc0?\x00\x00\x00@'
