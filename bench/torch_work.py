#!/usr/bin/python3
"""torch_work.py SETUP.py STATEMENT [THREADS]: what bench_work does, by PyTorch."""

import resource
import sys
import time

import torch


def main():
    setup, statement = sys.argv[1], sys.argv[2]
    torch.set_num_threads(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    names = {}
    with torch.inference_mode():
        with open(setup, encoding="utf-8") as file:
            exec(compile(file.read(), setup, "exec"), names)
        work = compile(statement, "<work>", "exec")
        for line in sys.stdin:
            if line.strip() == "memory":
                print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, flush=True)
                continue
            times = []
            for _ in range(int(line)):
                begin = time.perf_counter()
                exec(work, names)
                times.append(1e3 * (time.perf_counter() - begin))
            print(*times, flush=True)


if __name__ == "__main__":
    main()
