// load_file() in a program that `attn-tutor run` runs, and its refusal everywhere else.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/program.h"

namespace attn {
namespace {

using testing::HasSubstr;

constexpr const char* kLoad = "from safetensors.torch import load_file\nw = load_file('w.safetensors')\n";

/// `b`, a float32 of two elements, lies behind `a`, an int64 of one, but is named first.
std::string weights() {
  const std::string header =
      R"({"b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]},"a":{"dtype":"I64","shape":[],"data_offsets":[0,8]}})";
  std::string bytes(1, static_cast<char>(header.size()));
  bytes += std::string(7, '\0') + header + '\5' + std::string(7, '\0');
  return bytes + std::string("\0\0\x80\x3f\0\0\x20\xc0", 8);  // 1 and -2.5
}

/// Runs a program beside which w.safetensors lies, from another folder.
Ended run_beside(const std::string& bytes, const std::string& code, const std::string& name = "p.py") {
  const TemporaryFile program(name, code);
  const std::filesystem::path folder = std::filesystem::path(program.path()).parent_path();
  std::ofstream(folder / "w.safetensors", std::ios::binary) << bytes;
  Ended ended = run_program({"run", "--plain", program.path()});
  std::filesystem::remove(folder / "w.safetensors");
  return ended;
}

TEST(RunWeights, AProgramReadsWhatLiesBesideIt) {
  const Ended ended = run_beside(weights(), std::string(kLoad) + "print(w)\nprint(list(w), w['a'].shape)\n");
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.out, "{'a': tensor(5), 'b': tensor([ 1.0000, -2.5000])}\n['a', 'b'] torch.Size([])\n");
  const std::string other =
      "import torch\nimport safetensors.torch\n"
      "print(safetensors.torch.load_file('./w.safetensors', device=torch.device('cpu'))['b'])\n";
  EXPECT_EQ(run_beside(weights(), other).out, "tensor([ 1.0000, -2.5000])\n");
}

TEST(RunWeights, OneTensorAfterTheOther) {
  const std::string open = "from safetensors import safe_open\n";
  struct Row {
    const char* code;
    const char* printed;
  };
  const Row rows[] = {
      {"with safe_open('w.safetensors', framework='pt', device='cpu') as f:\n  print(f.keys(), f.metadata())\n"
       "  for name in f.keys(): print(f.get_tensor(name))\n",
       "['a', 'b'] None\ntensor(5)\ntensor([ 1.0000, -2.5000])\n"},
      {"f = safe_open('w.safetensors', 'pt')\nb = f.get_slice('b')\n"
       "print(b.get_shape(), b.get_dtype(), b[1:], b[-1], b[:], b[..., 0])\n",
       "[2] F32 tensor([-2.5000]) tensor(-2.5000) tensor([ 1.0000, -2.5000]) tensor(1.)\n"},
      {"f = safe_open('w.safetensors', framework='np')\nprint(f.get_tensor('b') + 1, f.get_slice('b')[:1])\n",
       "[ 2.  -1.5] [1.]\n"},
      {"with safe_open('w.safetensors', 'pt') as f:\n  b = f.get_tensor('b')\n"
       "try: f.get_tensor('b')\nexcept Exception as e: print(type(e).__name__, e, b.sum())\n",
       "SafetensorError File is closed tensor(-1.5000)\n"},
      {"f = safe_open('w.safetensors', 'pt')\ntry: f.get_tensor('c')\nexcept Exception as e: print(e)\n",
       "File does not contain tensor c\n"},
  };
  for (const Row& row : rows) {
    const Ended ended = run_beside(weights(), open + row.code);
    EXPECT_EQ(ended.err, "") << row.code;
    EXPECT_EQ(ended.out, row.printed) << row.code;
  }
}

// A file of 600 MB, nearly all of it a hole on the disk: with memory for 8 MB the small tensor can be read, and the
// large one can be asked for its shape.
TEST(RunWeights, OnlyWhatIsUsedIsRead) {
  const std::string header = R"({"large":{"dtype":"F32","shape":[150000000],"data_offsets":[8,600000008]},)"
                             R"("small":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  const TemporaryFile program("p.py", std::string(kLoad) +
                                          "print(w['large'].shape, len(w))\n"
                                          "for name, x in w.items(): print(name, x.dtype, x.view(2, -1).shape)\n"
                                          "print(w['small'] + 1)\n");
  const std::filesystem::path file = std::filesystem::path(program.path()).parent_path() / "w.safetensors";
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size());
  std::ofstream(file, std::ios::binary) << bytes + header;
  std::filesystem::resize_file(file, 8 + header.size() + 600000008);
  const Ended ended = run_program({"run", "--plain", "--max-memory", "8M", program.path()});
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.out,
            "torch.Size([150000000]) 2\nsmall torch.float32 torch.Size([2, 1])\n"
            "large torch.float32 torch.Size([2, 75000000])\ntensor([1., 1.])\n");
  std::ofstream(program.path(), std::ios::app) << "w['large'].sum()\n";
  EXPECT_EQ(run_program({"run", "--plain", "--max-memory", "8M", program.path()}).code, 5);
  std::filesystem::remove(file);
}

TEST(RunWeights, ArraysOfNumpy) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
  const std::string npy = std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header +
                          std::string("\0\0\x80\x3f\0\0\x20\xc0", 8);
  const std::string load = "import numpy as np\n";
  EXPECT_EQ(run_beside(npy, load + "x = np.load('w.safetensors')\nprint(x, x.dtype)\n").out, "[ 1.  -2.5] float32\n");
  const Ended pickle = run_beside(npy, load + "np.load('w.safetensors', allow_pickle=True)\n");
  EXPECT_THAT(pickle.err, HasSubstr("numpy.load() of pickles"));
  EXPECT_THAT(pickle.err, HasSubstr("reading a pickle may run code"));
  EXPECT_THAT(run_beside(npy.substr(0, npy.size() - 7), load + "np.load('w.safetensors')\n").err,
              HasSubstr("\"shape\" is [2] of float32, 8 bytes, but the file has 1 byte after its header"));
}

TEST(RunWeights, WhatIsRefused) {
  struct Row {
    const char* argument;
    const char* message;
  };
  const Row rows[] = {
      {"'/etc/passwd'", "/etc/passwd: only files in the program's folder, and in folders below it, are read"},
      {"'../w.safetensors'", "../w.safetensors: only files in the program's folder"},
      {"'missing.safetensors'", "missing.safetensors: No such file or directory"},
      {"'w.safetensors', 'cuda'", "load_file() on the device 'cuda': everything runs on the processor here"},
      {"'p.py'", "p.py: byte 0: the header claims "},
      {"3", "must be str, not int"},
  };
  for (const Row& row : rows) {
    const std::string code = "from safetensors.torch import load_file\nload_file(" + std::string(row.argument) + ")\n";
    const Ended ended = run_beside(weights(), code);
    EXPECT_EQ(ended.code, 1) << row.argument;
    EXPECT_THAT(ended.err, HasSubstr(row.message)) << row.argument;
  }
  const Ended cut = run_beside(weights().substr(0, weights().size() - 4), kLoad);
  EXPECT_THAT(cut.err,
              HasSubstr("w.safetensors: tensor \"b\": it ends at byte 16 of the data, which has only 12 bytes"));
}

TEST(RunWeights, PicklesAreRefused) {
  const Ended ended = run_beside(weights(), "import torch\ntorch.load('w.safetensors')\n");
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("a pickle that this run did not write is not read here"));
  EXPECT_THAT(ended.err, HasSubstr("reading a pickle may run code"));
}

TEST(RunWeights, OnlyRunReadsFiles) {
  const TemporaryFile file("w.safetensors", weights());
  Conditions here;
  here.folder = std::filesystem::path(file.path()).parent_path();
  const Ended typed = run_program({"eval", kLoad}, here);
  EXPECT_EQ(typed.code, 1);
  EXPECT_THAT(typed.err, HasSubstr("load_file() may not read files here"));

  const std::string lesson = "# Mine\n\nText.\n\n```python\n" + std::string(kLoad) + "```\n";
  EXPECT_THAT(run_beside(weights(), lesson, "90-mine.md").err, HasSubstr("load_file() may not read files here"));
}

}  // namespace
}  // namespace attn
