"""safetensors.torch.load_file, where that package is missing."""
import base64
import json
import mmap
import struct
import sys
import types

import torch

TYPES = {"BOOL": torch.BoolTensor, "U8": torch.ByteTensor, "I8": torch.CharTensor, "I16": torch.ShortTensor,
         "I32": torch.IntTensor, "I64": torch.LongTensor, "F16": torch.HalfTensor, "BF16": torch.BFloat16Tensor,
         "F32": torch.FloatTensor, "F64": torch.DoubleTensor}


def read_safetensors(data, names=None):
    """The tensors of a file by name, all or some, from its bytes: length of the header, header of JSON, numbers."""
    begin = 8 + struct.unpack_from("<Q", data)[0]
    tensors = {}
    for name, entry in json.loads(data[8:begin]).items():
        if name != "__metadata__" and (names is None or name in names):
            dtype = TYPES[entry["dtype"]].dtype
            first, last = (begin + place for place in entry["data_offsets"])
            flat = torch.frombuffer(bytearray(data[first:last]), dtype=dtype) if last > first else torch.empty(0, dtype=dtype)
            tensors[name] = flat.reshape(entry["shape"])
    return tensors


def load_file(filename, device="cpu", names=None):
    with open(filename, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return read_safetensors(data, names)


sys.modules["safetensors.torch"] = types.ModuleType("safetensors.torch")
sys.modules["safetensors.torch"].load_file = load_file
