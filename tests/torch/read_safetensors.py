"""Lists what stands in a safetensors file: name, type, shape, first number.

Written from the description of the format alone: https://huggingface.co/docs/safetensors, "Format".
"""
import json
import struct
import sys

CODES = {"BOOL": "?", "U8": "B", "I8": "b", "I16": "h", "I32": "i", "I64": "q", "F16": "e", "F32": "f", "F64": "d"}

with open(sys.argv[1], "rb") as file:
    (size,) = struct.unpack("<Q", file.read(8))
    header, data = json.loads(file.read(size)), file.read()
print("metadata", header.pop("__metadata__")["format"])
end = 0
for name, entry in header.items():
    begin, (first, last), code = end, entry["data_offsets"], CODES[entry["dtype"]]
    end = last
    count = 1
    for length in entry["shape"]:
        count *= length
    assert first == begin and last - first == count * struct.calcsize(code), name
    print(name, entry["dtype"], entry["shape"], *struct.unpack_from("<" + code, data, first) if count else ())
assert end == len(data)
