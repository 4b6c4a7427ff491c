// How much a built-in does between two looks at Ctrl-C: counted in elements, not in time.
#include <gtest/gtest.h>

#include <thread>

#include "base/limits.h"
#include "lesson/program.h"
#include "python/object.h"
#include "tensor/core/parallel.h"
#include "tests/engine/run.h"

namespace attn {
namespace {

constexpr std::int64_t kMostBetween = std::int64_t{1} << 17;  // elements, each a matter of nanoseconds

struct LooksCase {
  const char* made;  // of N elements, before the looks are counted
  const char* code;
};

const LooksCase kLooksCases[] = {
    {"", "max(range(N))"},
    {"", "sum(range(N))"},
    {"", "list(range(N))"},
    {"", "tuple(range(N))"},
    {"", "set(range(N))"},
    {"", "dict.fromkeys(range(N))"},
    {"", "[*range(N)]"},
    {"", "[i for i in range(N)]"},
    {"", "{i: i for i in range(N)}"},
    {"", "{i for i in range(N)}"},
    {"", "any(i < 0 for i in range(N))"},
    {"", "list(map(str, range(N)))"},
    {"x = [0] * N", "list(filter(bool, x))"},
    {"", "list(zip(range(N), range(N)))"},
    {"", "list(enumerate(range(N)))"},
    {"", "list(reversed(range(N)))"},
    {"", "a, *b = range(N)"},
    {"from itertools import product", "next(product([1], repeat=N))"},
    {"x = list(range(N))", "sorted(x)"},
    {"x = list(range(N))", "x.sort(key=lambda i: -i)"},
    {"x = list(range(N))", "x.index(N - 1)"},
    {"x = list(range(N))", "x.count(-1)"},
    {"x = list(range(N))", "-1 in x"},
    {"x = list(range(N))", "x == x[:]"},
    {"x = list(range(N))", "x[::2]"},
    {"x = list(range(N))", "x + x"},
    {"x = list(range(N))", "repr(x)"},
    {"x = list(range(N))", "set(x)"},
    {"x = list(range(N))", "sum(x)"},
    {"x = list(range(N))", "torch.tensor(x)"},
    {"x = list(range(N))", "import copy\ncopy.deepcopy(x)"},
    {"x = list(range(N))", "import json\njson.dumps(x)"},
    {"x = list(range(N))", "import random\nrandom.shuffle(x)"},
    {"x = list(range(N))", "from collections import Counter\nCounter(x)"},
    {"x = list(range(N))", "from collections import deque\ndeque(x)"},
    {"x = {i: i for i in range(N)}", "list(x.items())"},
    {"x = {i: i for i in range(N)}", "dict(x)"},
    {"x = {i: i for i in range(N)}", "x == dict(x)"},
    {"x = torch.zeros(2).expand(N, 2)", "x.sum()"},
    {"x = set(set(range(N)))", "x | {-1}"},  // copied with its slots
    {"x = set(range(N))", "x & x"},
    {"x = set(range(N))", "x <= x"},
    {"x = 'a' * N", "x.upper()"},
    {"x = 'a' * N", "x.lower()"},
    {"x = 'a' * N", "x.title()"},
    {"x = 'a' * N", "x.swapcase()"},
    {"x = 'a' * N", "x.isalpha()"},
    {"x = 'a' * N", "x.isspace()"},
    {"x = 'a' * N", "x.isupper()"},
    {"x = 'a' * N", "x.isprintable()"},
    {"x = 'a' * N", "x.isidentifier()"},
    {"x = 'a' * N", "x.find('b')"},
    {"x = 'a' * N", "x.rfind('b')"},
    {"x = 'a' * N", "'b' in x"},
    {"x = 'a' * N", "x.count('aa')"},
    {"x = 'a' * N", "x.replace('a', 'bc')"},
    {"x = 'a' * N", "x.strip('a')"},
    {"x = 'a' * N", "x.expandtabs()"},
    {"x = 'a' * N", "x.partition('b')"},
    {"x = 'a' * N", "x.split('b')"},
    {"x = 'a' * N", "len(x)"},
    {"x = 'é' * N", "import unicodedata\nunicodedata.normalize(chr(78) + 'FD', x)"},
    {"x = chr(769) * N + chr(803) * N", "import unicodedata\nunicodedata.normalize(chr(78) + 'FD', x)"},
    {"x = 'ﷺ' * N", "import unicodedata\nunicodedata.normalize(chr(78) + 'FKD', x)"},
    {"x = bytes(N)", "repr(x)"},
    {"x = '[' + '1,' * N + '1]'", "import json\njson.loads(x)"},
    {"x = '\"' + 'a' * N + '\"'", "import json\njson.loads(x)"},
    {"x = 'n' * N", "try:\n    torch.einsum(x, torch.ones(1))\nexcept RuntimeError:\n    pass"},
    {"x = torch.empty(N)", "torch.nn.init.trunc_normal_(x)"},
    {"x = '0' * N", "int(x)"},
    {"x = '9' * N", "float(x)"},
    {"x = 'a' * N", "list(x)"},
    {"x = 'a' * N", "x[::-1]"},
    {"x = 'a' * N", "repr(x)"},
    {"x = 'a' * N", "','.join(x)"},
    {"x = 'a ' * N", "x.split()"},
    {"x = 'a\\n' * N", "x.splitlines()"},
    {"x = '%s' * N\ny = tuple(range(N))", "x % y"},
    {"x = 'a' * N", "x % ()"},
    {"x = '{}' * N\ny = range(N)", "x.format(*y)"},
    {"x = '\\u00e9' * N", "x.upper()"},
    {"x = '\\u00e9' * N", "x[::2]"},
    {"import numpy as np", "np.arange(N)"},
    {"import numpy as np", "np.arange(0.0, N)"},
    {"import numpy as np", "np.linspace(0, 1, N)"},
    {"import numpy as np", "np.random.rand(N)"},
    {"import numpy as np", "np.random.permutation(N)"},
    {"", "torch.arange(N)"},
    {"", "torch.arange(N, dtype=torch.int32)"},
    {"", "torch.randn(N)"},
    {"", "torch.randperm(N)"},
    {"x = torch.ones(N)", "x.sort()"},
    {"x = torch.ones(N)", "x.cumsum(0)"},
    {"x = torch.ones(N)", "x.tolist()"},
    {"x = torch.ones(N)", "x.exp()"},
    {"x = torch.ones(N)", "x.nonzero()"},
    {"x = torch.ones(N)", "x.cumprod(0)"},
    {"x = torch.ones(N)", "x.kthvalue(3)"},
    {"x = torch.arange(N)", "x.kthvalue(3)"},
    {"x = torch.ones(N)", "x.median()"},
    {"x = torch.ones(N)", "x[x > 0]"},
    {"x = torch.ones(N)", "x.unique()"},
    {"x = torch.ones(N)", "[v for v in x]"},
    {"x = torch.zeros(1, dtype=torch.long).expand(N)", "torch.ones(3).gather(0, x)"},
    {"x = torch.zeros(1, dtype=torch.long).expand(N)", "torch.ones(3).index_select(0, x)"},
    {"import re\nx = 'a' * N", "re.search('[bc]', x)"},
    {"import json\nx = '\\x01' * N", "json.dumps(x)"},
    {"import numpy as np\nx = [[0] * 1000] * (N // 1000)", "np.array(x)"},
    {"x = [torch.ones(1)] * N", "torch.stack(x)"},
    {"x = [torch.ones(1)] * N", "torch.cat(x)"},
};

// Built-ins that go through all elements several times and look at each of them.
struct PassesCase {
  const char* made;
  const char* code;
  std::int64_t passes;
};

const PassesCase kPassesCases[] = {
    {"import math\nx = [0.1] * N", "math.fsum(x)", 2},
    {"import random\nx = list(range(N))", "random.choices(x, weights=x)", 2},
    {"x = [[0] * 1000] * (N // 1000)", "torch.tensor(x)", 2},                        // which type, the numbers
    {"x = [[0] * 1000] * (N // 1000)", "torch.tensor(x, dtype=torch.int32)", 2},     // the numbers, whether they fit
    {"torch.set_printoptions(threshold=10 ** 9)\nx = torch.ones(N)", "repr(x)", 3},  // how, how wide, the text
    {"import numpy as np\nx = np.ones(N)", "np.array2string(x, threshold=10 ** 9)", 3},
    {"x = [torch.ones(1)] * N", "torch.stack(x)", 5},
    {"x = [torch.ones(1)] * N", "torch.cat(x)", 5},
    {"x = list(range(N))", "max(x)", 2},  // a copy, the comparisons
    {"x = list(range(N))", "[*x]", 2},    // a copy, the elements
    {"x = list(range(N))", "{*x}", 3},    // the same, the set
    {"x = '0' * N", "int(x)", 2},         // whether they are digits, the number
    {"x = b'a' * N", "x.hex()", 2},       // the bytes, their digits
    {"", "bytes(N)", 1},
    {"x = torch.ones(N)", "x.unique()", 1},
    {"x = torch.ones(1, 1, N)", "torch.nn.functional.pad(x, (1, 1), mode='replicate')", 1},
    {"x = set(range(N))", "list(x)", 8},
    {"x = set(range(N))", "repr(x)", 7},
    {"x = dict.fromkeys(range(N))", "repr(x)", 2},
    {"x = dict.fromkeys(range(N))\nimport json", "json.dumps(x)", 4},
    {"from collections import Counter\nx = Counter(range(N))", "x.most_common()", 5},
    {"x = list(range(N))", "sorted(x)", 4},
    {"x = dict.fromkeys(map(str, range(N)))\ndef f(**k): return 0", "f(**x)", 3},
    {"x = torch.ones(N, 1)", "x.tril()", 1},
    {"x = torch.ones(N, 1)", "torch.linalg.vector_norm(x, 3, 1)", 1},
    {"x = torch.ones(N, 2)", "torch.nn.functional.layer_norm(x, (2,))", 4},
    {"x = torch.ones(N, dtype=torch.long)", "torch.repeat_interleave(x)", 2},
    {"x = torch.ones(N)", "torch.nn.functional.binary_cross_entropy(x, x)", 1},
    {"x = torch.ones(N)", "torch.normal(x, x)", 1},
    {"x = torch.ones(1)\ny = (...,) * N", "x[y]", 4},
    {"x = [torch.ones(1)] * N", "torch.broadcast_tensors(*x)", 10},
};

/// A run whose looks are counted from `looks` on; at 0 it is interrupted.
Trace watched(const Lesson& program, std::int64_t& looks) {
  RunOptions options;
  options.is_whole = false;
  counted_looks = &looks;
  request_interrupt();
  Trace trace = run_lesson(program, options);
  clear_interrupt();
  counted_looks = nullptr;
  return trace;
}

std::int64_t looks_of(std::string code, std::int64_t elements) {
  for (std::size_t at = 0; (at = code.find('N', at)) != std::string::npos; ++at)
    code.replace(at, 1, std::to_string(elements));
  LoadFindings findings;
  const Lesson program = load_program("a.py", "import torch\n" + code + "\n", findings);
  const LimitScope scope(Limits{});
  while (free_waiting(1'000'000)) continue;  // what the run before has left
  std::int64_t looks = 0;
  const Trace trace = watched(program, looks);
  EXPECT_TRUE(trace.diagnostics.empty()) << code.substr(0, 100);
  return looks;
}

// What a thread keeps for all of its runs (files of the library, rules of gradients) is there as a whole or not at all.
TEST(Looks, AtCtrlCWhereverTheyAreHarmNoLaterRun) {
  LoadFindings findings;
  const Lesson program = load_program("a.py", R"(import re
import torch
from torch import nn
model = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.GRU(4, 4))
optimizer = torch.optim.Adam(model.parameters())
x = model(torch.ones(2, 3))[0]
x[0] *= 2
loss = torch.cdist(x, x + 1).logcumsumexp(0).sum()
loss.backward()
optimizer.step()
words = len(re.findall(r"\w+", "of a text"))
result = torch.cat([p.reshape(-1) for p in model.parameters()]).sum() + words
)",
                                      findings);
  const LimitScope scope(Limits{});
  const auto run_in_a_new_thread = [&](std::int64_t stops_at) {
    std::int64_t looks = -stops_at;
    std::string result;
    std::thread([&] {
      const LimitScope limits(Limits{});
      const Trace stopped = watched(program, looks);
      EXPECT_EQ(stopped.outcome == RunOutcome::Interrupted, stops_at > 0);
      const Trace trace = run_lesson(program, {});
      EXPECT_TRUE(trace.diagnostics.empty()) << stops_at;
      result = numbers_of(value_of(trace, "result"));
    }).join();
    EXPECT_FALSE(result.empty());
    return std::pair(looks, result);
  };
  const auto [looks, result] = run_in_a_new_thread(0);
  EXPECT_GT(looks, 1000);
  for (std::int64_t at = 1; at < looks; at += looks / 60) EXPECT_EQ(run_in_a_new_thread(at).second, result) << at;
}

TEST(Looks, AtCtrlCComeOftenEnoughInEveryBuiltIn) {
#if defined(ATTN_SANITIZED)
  GTEST_SKIP() << "counts the same there, and takes minutes";
#endif
  const int before = threads();
  set_threads(1);  // of several each looks at its own jobs
  constexpr std::int64_t kFew = kMostBetween, kMany = 3 * kMostBetween;
  for (const LooksCase& c : kLooksCases) {
    const std::string made = c.made, code = made + "\n" + c.code;
    const auto grown = [&](const std::string& text) { return looks_of(text, kMany) - looks_of(text, kFew); };
    EXPECT_GE(grown(code) - grown(made), (kMany - kFew) / kMostBetween) << code;
  }
  set_threads(before);
}

TEST(Looks, PlacesInALongTextAreNotCountedFromItsStartEachTime) {
  const std::int64_t made = looks_of("x = '\u00e9' * N", kMostBetween);
  EXPECT_LT(looks_of("x = '\u00e9' * N\nfor i in range(1000): x[-i], len(x), x[i:i + 8]", kMostBetween),
            made + 10 * kMostBetween);
}

TEST(Looks, EachPassOverTheElementsHasThem) {
  constexpr std::int64_t kFew = 2000, kMany = 6000;
  for (const PassesCase& c : kPassesCases) {
    const std::string made = c.made, code = made + "\n" + c.code;
    const auto grown = [&](const std::string& text) { return looks_of(text, kMany) - looks_of(text, kFew); };
    EXPECT_GE(grown(code) - grown(made), c.passes * (kMany - kFew)) << code;
  }
}

}  // namespace
}  // namespace attn
