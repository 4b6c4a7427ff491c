"""The table of ops as `run_programs --ops` prints it: the generator knows every op that the program knows."""

import re
import subprocess
from dataclasses import dataclass

PARAMETER = re.compile(r"(\*?)(\w+): (\w+)(\??)(?: = (.*))?$")


@dataclass(frozen=True)
class Parameter:
    name: str
    type: str  # Tensor, Operand, Number, int, ints, shape, bool, float, dtype, device, str, Tensors, any
    nullable: bool
    default: "str | None"
    keyword_only: bool
    variadic: bool


@dataclass(frozen=True)
class Op:
    name: str  # "matmul"
    spellings: tuple  # ("torch.matmul", "Tensor.matmul")
    overloads: tuple  # of tuples of Parameters
    kind: str  # "", "in-place" or "layer"


def read_signature(text):
    """'(input: Tensor, *, dim: int? = None)' as Parameters."""
    parameters, keyword_only = [], False
    for part in text.strip()[1:-1].split(", "):
        if part == "*":
            keyword_only = True
        elif part:
            star, name, type_, nullable, default = PARAMETER.match(part).groups()
            parameters.append(Parameter(name, type_, bool(nullable), default, keyword_only, bool(star)))
    return tuple(parameters)


def read_table(program):
    lines = subprocess.run([program, "--ops"], check=True, capture_output=True, text=True).stdout.splitlines()
    ops = []
    for line in lines:
        spellings, signature, kind = line.split("\t")
        overloads = tuple(read_signature(part) for part in signature.split(" | "))
        ops.append(Op(spellings.split()[0].rpartition(".")[2], tuple(spellings.split()), overloads, kind))
    return ops
