"""Turns values into the JSON of the fixtures."""

import math
import struct

import torch

MAX_VALUES = 512  # tensors above this are sampled
SAMPLE_SIZE = 48
MAX_REPR = 1000
PLAIN = (bool, int, float, str, type(None), range, slice, torch.Size, torch.dtype, torch.device)


def shortest(value, dtype):
    """The float of fewest decimal digits that is `value` in float32; NaN and infinities as text, for JSON."""
    if not math.isfinite(value):
        return str(value)
    if dtype is torch.float32:
        bits = struct.pack("f", value)
        for digits in range(1, 10):
            text = f"{value:.{digits}g}"
            if abs(float(text)) < 3.4028235e38 and struct.pack("f", float(text)) == bits:
                return float(text)
    return value


def sample_indices(count):
    """Up to SAMPLE_SIZE positions in 0..count-1 by a linear congruential generator; the first and the last are in."""
    state, indices = count, {0, count - 1}
    while len(indices) < SAMPLE_SIZE:
        state = (1664525 * state + 1013904223) % 2**32
        indices.add((state >> 8) % count)
    return sorted(indices)


def spread_of(narrow, wide):
    """max |float32 - float64| over what is finite in both; None where the runs cannot be compared."""
    if narrow.numel() != wide.numel():
        return None
    difference = (narrow - wide).abs()[torch.isfinite(narrow) & torch.isfinite(wide)]
    return difference.max().item() if difference.numel() else 0.0


class Describer:
    """Describes the values that one statement binds.

    `leaves` collects their floating point numbers in order of visit; `wide` holds those of the float64 run.
    """

    def __init__(self, wide=None):
        self.leaves, self.wide, self.diverged = [], wide, False

    def describe(self, value):
        if isinstance(value, torch.Tensor):
            return self._tensor(value)
        if isinstance(value, torch.nn.Module):
            parameters = {name: self._tensor(p) for name, p in value.named_parameters()}
            return {"type": type(value).__name__, "repr": repr(value), "parameters": parameters}
        if isinstance(value, (list, tuple, dict, set, *PLAIN)) and not holds_tensors(value):
            return self._plain(value)
        if isinstance(value, dict):
            items = [self.describe(item) for item in value.values()]
            return {"type": "dict", "keys": [repr(key) for key in value], "items": items}
        if isinstance(value, (list, tuple)):
            return {"type": type(value).__name__, "items": [self.describe(item) for item in value]}
        return {"type": type(value).__name__}

    def _plain(self, value):
        result, text = {"type": type(value).__name__}, repr(value)
        result["repr"] = text[:MAX_REPR]
        if len(text) > MAX_REPR:
            result["length"] = len(text)
        floats = list(floats_in(value))
        if floats:
            self._add_spread(result, torch.tensor(floats, dtype=torch.float64))
        return result

    def _tensor(self, tensor):
        flat = tensor.detach().flatten()
        dtype = str(tensor.dtype).replace("torch.", "")
        result = {"type": type(tensor).__name__, "dtype": dtype, "shape": list(tensor.shape)}
        if tensor.requires_grad:
            result["requires_grad"] = True
        if tensor.grad_fn is not None:
            result["grad_fn"] = type(tensor.grad_fn).__name__
        if flat.numel() > MAX_VALUES:
            result["indices"] = sample_indices(flat.numel())
            finite = flat.double()[torch.isfinite(flat.double())]
            result["mean"], result["std"] = finite.mean().item(), finite.std(unbiased=False).item()
            shown = flat[result["indices"]]
        else:
            shown = flat
        if flat.is_floating_point():
            result["values"] = [shortest(value, tensor.dtype) for value in shown.tolist()]
            self._add_spread(result, flat.double().clone())
        else:
            result["values"] = [int(value) for value in shown.tolist()]
        return result

    def _add_spread(self, result, leaf):
        """Spreads that cannot widen the bound of 1e-7 are left out, and so are those of runs that went apart."""
        position = len(self.leaves)
        self.leaves.append(leaf)
        if self.wide is None or position >= len(self.wide) or result.get("dtype") == "float64":
            return
        spread = spread_of(leaf, self.wide[position])
        finite = leaf[torch.isfinite(leaf)].abs()
        largest = finite.max().item() if finite.numel() else 0.0
        if spread is None or spread > 1e-3 * (1 + largest):
            self.diverged = True
        elif 4 * spread > 1e-7:
            result["spread"] = float(f"{1.05 * spread:.1e}")


def holds_tensors(value):
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple, set)) else ()
    return any(not isinstance(item, (list, tuple, dict, set, *PLAIN)) or holds_tensors(item) for item in items)


def floats_in(value):
    if isinstance(value, float):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from floats_in(item)
