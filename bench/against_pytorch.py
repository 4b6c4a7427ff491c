#!/usr/bin/python3
"""attn-tutor and PyTorch at the same work, in turn, in one session; prints medians and ratios.

    bench/against_pytorch.py                     W1, W2, W3 with one thread
    bench/against_pytorch.py --threads 2 W1      one of them, two threads
    bench/against_pytorch.py peak                a product of 2048 x 2048 against OpenBLAS and oneDNN
    bench/against_pytorch.py growth              time and memory by length, width and batch, with log-log slopes
    bench/against_pytorch.py W4                  a training step of a small GPT, PyTorch with one thread and with two
    bench/against_pytorch.py lesson              `lesson 3 --all` against python3 running its exported script

Workers of both programs wait in processes of their own, and in each round every one of them runs a few times, so what
else the machine does falls on all alike. Needs the build that README.md says.
"""

import argparse
import glob
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "bench"
PYTHON = "/usr/bin/python3"
SIZES = {  # batch_size, length, hidden_dim, n_heads
    "W1": (10, 20, 512, 8),
    "W2": (1, 1024, 512, 8),
    "W3": (1, 4096, 512, 8),
}
ROUND_SECONDS = 0.3  # for each worker


def has_avx512():
    return "avx512f" in Path("/proc/cpuinfo").read_text() if os.path.exists("/proc/cpuinfo") else False


def blas_folder():
    """The OpenBLAS with OpenMP: the one with threads of its own gets in the way of PyTorch's."""
    return next(iter(glob.glob("/usr/lib/*/openblas-openmp")), "")


def torch_settings(level):
    """Environments in which PyTorch may be fastest. OpenBLAS does not know every processor; oneDNN does."""
    base = {"LD_LIBRARY_PATH": blas_folder()}
    if level == "v3":
        base |= {"ATEN_CPU_CAPABILITY": "avx2", "DNNL_MAX_CPU_ISA": "AVX2", "OPENBLAS_CORETYPE": "Haswell"}
        return {"Haswell": base, "Haswell, huge pages": base | {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}}
    found = {"as detected": base}
    if has_avx512():
        forced = base | {"OPENBLAS_CORETYPE": "SkylakeX"}
        found["SkylakeX"] = forced
        found["SkylakeX, huge pages"] = forced | {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
    return found


class Worker:
    """A process that runs one statement as often as it is told."""

    def __init__(self, name, command, setup, statement, threads, environment):
        self.name, self.times, self.rounds = name, [], []
        self.file = tempfile.NamedTemporaryFile("w", suffix=".py", encoding="utf-8")
        self.file.write(setup)
        self.file.flush()
        own = {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}
        self.process = subprocess.Popen(
            [*command, self.file.name, statement, str(threads)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | own | environment)
        first = self.ask("2")  # warm
        self.runs = max(1, min(100, int(ROUND_SECONDS * 1e3 / max(first[-1], 1e-3))))

    def ask(self, line):
        print(line, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"{self.name}: ended unexpectedly")
        return [float(word) for word in answer.split()]

    def round(self):
        times = self.ask(str(self.runs))
        self.rounds.append(statistics.median(times))

    def end(self):
        self.memory = self.ask("memory")[0]
        self.process.stdin.close()
        self.process.wait()

    @property
    def median(self):
        return statistics.median(self.rounds)


def own_worker(name, setup, statement, threads, level=""):
    return Worker(name, [str(BUILD / "bench" / "bench_work")], setup, statement, threads, {"ATTN_TUTOR_CPU": level})


def torch_worker(name, setup, statement, threads, environment):
    return Worker(name, [PYTHON, str(HERE / "torch_work.py")], setup, statement, threads, environment)


def compare(title, workers, rounds, references):
    """Runs all in turn. The reference is the fastest of `references`; ratios are medians over rounds."""
    for _ in range(rounds):
        for worker in workers:
            worker.round()
    for worker in workers:
        worker.end()
    best = min(references, key=lambda worker: worker.median)
    print(f"\n{title}")
    for worker in workers:
        ratio = statistics.median(own / other for own, other in zip(worker.rounds, best.rounds))
        mark = "  <- compared with" if worker is best else ""
        print(f"  {worker.name:44} {worker.median:10.3f} ms  {ratio:6.2f}  {worker.memory:7.0f} MiB{mark}", flush=True)
    return best


def setup_of(sizes):
    line = "batch_size, length, hidden_dim, n_heads = {}, {}, {}, {}\n".format(*sizes)
    return line + (HERE / "workload.py").read_text(encoding="utf-8")


def workloads(names, threads, rounds, level):
    for name in names:
        setup = setup_of(SIZES[name])
        torch_workers = []
        for words, environment in torch_settings(level).items():
            for variant, statement in (("eager", "out = own.plain(x)"),
                                       ("fused", "out = theirs(x, x, x, need_weights=False)[0]")):
                torch_workers.append(
                    torch_worker(f"PyTorch {variant}, {words}", setup, statement, threads, environment))
        own = [own_worker(f"attn-tutor {variant} {level or 'fastest level'}", setup, f"out = own.{variant}(x)", threads, level)
               for variant in ("plain", "fused")]
        batch_size, length, hidden_dim, n_heads = SIZES[name]
        compare(f"{name}: batch {batch_size}, length {length}, hidden {hidden_dim}, {n_heads} heads, {threads} threads",
                torch_workers + own, rounds, torch_workers)


def peak(threads, rounds):
    setup = "import torch\nimport torch.nn.functional as F\ntorch.manual_seed(0)\na = torch.randn(2048, 2048)\nb = torch.randn(2048, 2048)\n"
    for level in ("v4", "v3") if has_avx512() else ("v3",):
        others = [torch_worker(f"OpenBLAS, {words}", setup, "c = a @ b", threads, environment)
                  for words, environment in torch_settings(level).items() if "pages" not in words]
        environment = list(torch_settings(level).values())[-1]
        others.append(torch_worker("oneDNN", setup + "a, b = a.to_mkldnn(), b.to_mkldnn()\n",
                                   "c = torch._C._nn.mkldnn_linear(a, b)", threads, environment))
        own = own_worker(f"attn-tutor, {level}", setup, "c = a @ b", threads, level)
        best = compare(f"2048 x 2048 x 2048, {level}, {threads} threads", others + [own], rounds, others)
        rate = 2 * 2048**3 / 1e6
        print(f"  {rate / own.median:.0f} GF/s of {rate / best.median:.0f}: "
              f"{100 * statistics.median(o / m for o, m in zip(best.rounds, own.rounds)):.0f} % of the better library")


def slope(points):
    """Of the line through the logarithms, by least squares."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mx, my = statistics.mean(xs), statistics.mean(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def growth(threads, rounds):
    series = (("length", "fused", [(1, n, 512, 8) for n in (1024, 2048, 4096, 8192, 16384)], 1),
              ("length", "plain", [(1, n, 512, 8) for n in (1024, 2048, 4096)], 1),
              ("hidden", "fused", [(1, 1024, n, n // 64) for n in (256, 512, 1024, 2048)], 2),
              ("batch", "plain", [(n, 20, 512, 8) for n in (5, 10, 20, 40, 80)], 0))
    for axis, variant, sizes, place in series:
        workers = [own_worker(f"{axis} {size[place]}", setup_of(size), f"out = own.{variant}(x)", threads)
                   for size in sizes]
        compare(f"by {axis}, {variant}, {threads} threads", workers, rounds, workers[:1])
        print(f"  slope {slope([(size[place], worker.median) for size, worker in zip(sizes, workers)]):.2f}")


def seconds_of(command, environment=None):
    """Wall and CPU time of a process."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=os.environ | (environment or {}))
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def lesson(rounds):
    program = str(BUILD / "attn-tutor")
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "lesson.py")
        subprocess.run([program, "export", "3", "-o", script], check=True, stdout=subprocess.DEVNULL)
        page = os.path.join(folder, "lesson.html")
        commands = {
            "lesson 3 --all": [program, "lesson", "3", "--all"],
            "export 5 -o lesson.html": [program, "export", "5", "--force", "-o", page],
            "--version": [program, "--version"],
            "python3 lesson.py": [PYTHON, script],
        }
        times = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                times[name].append(seconds_of(command))
    base = statistics.median(wall for wall, _ in times["lesson 3 --all"])
    print("\nwhole processes")
    for name, pairs in times.items():
        wall, cpu = (1e3 * statistics.median(column) for column in zip(*pairs))
        print(f"  {name:28} {wall:9.2f} ms wall  {cpu:9.2f} ms CPU  {wall / 1e3 / base:7.1f} times lesson 3")


def training(rounds, program, few=20, many=120):
    """W4 by whole processes: what `many` steps take beyond `few`. Recording is off (`run --plain`)."""
    text = (HERE / "training.py").read_text()
    with tempfile.TemporaryDirectory() as folder:
        commands = {}
        for steps in (few, many):
            script = os.path.join(folder, f"{steps}.py")
            Path(script).write_text(f"n_steps = {steps}\n{text}")
            commands["attn-tutor", steps] = [program, "run", script, "--plain"], {}
            for setting, environment in torch_settings("").items():
                for threads in (1, 2):
                    own = environment | {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}
                    commands[f"PyTorch, {setting}, {threads} threads", steps] = [PYTHON, script], own
        times = {name: [] for name, _ in commands}
        for _ in range(rounds):
            walls = {key: seconds_of(*command)[0] for key, command in commands.items()}
            for name in times:
                times[name].append((walls[name, many] - walls[name, few]) / (many - few))
    best = min(statistics.median(column) for name, column in times.items() if name != "attn-tutor")
    print("\nW4, a training step")
    for name, column in times.items():
        median = statistics.median(column)
        print(f"  {name:45} {1e3 * median:8.2f} ms  {median / best:6.2f} times the best of PyTorch")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=[], help="W1 W2 W3 (default), W4, peak, growth, lesson")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--level", default="", help="v3: AVX2 on both sides")
    options = parser.parse_args()
    what = options.what or list(SIZES)
    workloads([name for name in what if name in SIZES], options.threads, options.rounds, options.level)
    if "peak" in what:
        peak(options.threads, options.rounds)
    if "growth" in what:
        growth(options.threads, options.rounds)
    if "W4" in what:
        training(options.rounds, str(BUILD / "attn-tutor"))
    if "lesson" in what:
        lesson(options.rounds)


if __name__ == "__main__":
    main()
