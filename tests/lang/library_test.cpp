// Modules beside torch: what passes at the import and is refused at the use, what does nothing, what a plot records.
// That random, numpy, json and their like give the real numbers and texts is tests/oracle/cases/{numpy,library}.py.
#include <gtest/gtest.h>

#include "base/embedded.h"
#include "base/limits.h"
#include "base/words.h"
#include "printed.h"
#include "python/modules/unsupported_names.h"
#include "run_cell.h"
#include "torch/op.h"

namespace attn {
namespace {

struct Refusal {
  const char* code;
  std::string_view place;  // what the caret stands under
  std::string_view message;
};

TEST(Library, WhatIsNotKnownIsRefusedWhereItIsUsed) {
  const Refusal rows[] = {
      {"import torch.optim as optim\noptim.LBFGS([], lr=1)", "optim.LBFGS", "torch.optim.LBFGS is not known here"},
      {"from torch.optim import Rprop\nRprop([])", "Rprop([])", "torch.optim.Rprop is not known here"},
      {"from torch.utils.data import ChainDataset\nChainDataset([1])", "ChainDataset([1])",
       "torch.utils.data.ChainDataset is not known here"},
      {"z = 3 + 4j", "4j", "complex() is not known here"},
      {"import os\nos.listdir('.')", "os.listdir('.')", "os.listdir is not known here"},
      {"import transformers as t\nx = 1\nt.AutoModel.from_pretrained('x')", "t.AutoModel",
       "transformers.AutoModel is not known here"},
      {"import numpy as np\nnp.fft.fft([1.])", "np.fft", "numpy.fft is not known here"},
      {"from torch.autograd import gradgradcheck\ngradgradcheck(1, 2)", "gradgradcheck(1, 2)",
       "torch.autograd.gradgradcheck is not known here"},
      {"import numpy as np\nnp.ones(2) * torch.ones(2)", "np.ones(2) * torch.ones(2)",
       "a numpy array mixed with a tensor"},
      {"import numpy as np\nnp.ones(2, dtype=np.uint8) + 2 ** 40", "np.ones(2, dtype=np.uint8) + 2 ** 40",
       "the type uint64 of a numpy array"},
      {"import numpy as np\nnp.bmat([1.], ldict=2)", "np.bmat", "numpy.bmat is not known here"},
      {"import numpy as np\nnp.argmax([1.], where=[True])", "np.argmax([1.], where=[True])",
       "argmax(where=...) is not known here"},
      {"import numpy as np\nnp.arange(3)[::-1][0] = 1", "np.arange(3)[::-1][0]",
       "a slice with a negative step that is written to, or beside an array of indices"},
      {"torch.ones(2).half().softmax(0)", "torch.ones(2).half().softmax(0)",
       "softmax of torch.float16 is not supported"},
      {"torch.ones(2).int().mean()", "torch.ones(2).int().mean()", "mean of torch.int32 is not supported"},
  };
  for (const Refusal& row : rows) {
    const std::string code = std::string("import torch\n") + row.code + "\n";
    Interpreter interpreter;
    try {
      interpreter.run(Source{"cell", code});
      ADD_FAILURE() << code << "passed";
    } catch (const CellError& error) {
      EXPECT_EQ(error.diagnostic().code, Code::Unsupported) << code;
      EXPECT_EQ(error.diagnostic().message, row.message) << code;
      const Span span = error.diagnostic().span;
      EXPECT_EQ(code.substr(span.begin, span.end - span.begin), row.place) << code;
    }
  }
}

std::string printed(const std::string& code, InterpreterOptions options = {}) {
  class Output : public Observer {
   public:
    void printed(std::string_view more) override { text += more; }
    void op_begins(const OpCall& call) override { ops += std::string(call.info().name) + " "; }
    std::string text, ops;
  } output;
  Interpreter interpreter(&output, std::move(options));
  interpreter.run(Source{"cell", code + "\n"});
  return output.text + (output.ops.find("imshow") == std::string::npos ? "" : "|" + output.ops);
}

// What attn-tutor ops --markdown says of them.
TEST(UnsupportedNames, AreNamesOfOthersAndAreRefused) {
  const auto use_of = [](const std::string& owner, const std::string& name) {
    if (owner == "import") return "import " + name + "\n" + name + ".anything";
    if (owner == "builtins") return name;
    if (owner == "Tensor") return "torch.zeros(2)." + name;
    return "import " + owner + "\n" + owner + "." + name;
  };
  const std::string_view listed = embedded_file("data/names.txt");
  for (const UnsupportedNames& row : unsupported_names()) {
    for (std::string owner : words_in(row.owners)) {
      owner.pop_back();  // its dot
      for (const std::string& name : words_in(row.names)) {
        SCOPED_TRACE(owner + "." + name);
        EXPECT_EQ(failure_of(use_of(owner, name)).rfind("NotImplementedError: ", 0), 0u);
        if (owner == "import" || name.starts_with('_')) continue;
        const std::string_view line = listed.substr(("\n" + std::string(listed)).find("\n" + owner + ": "));
        EXPECT_TRUE(has_word(line.substr(0, line.find('\n')), name));
      }
    }
  }
}

TEST(UnsupportedNames, OpsAreNamesOfPyTorch) {
  for (const OpInfo* op : all_ops()) {
    for (const std::string& spelling : words_in(op->spellings)) {
      const std::size_t dot = spelling.rfind('.');
      const std::string owner = spelling.substr(0, dot), name = spelling.substr(dot + 1);
      const bool is_known_by_names = has_listed_names(owner) && !name.starts_with('_');
      const bool is_later = name == "scaled_dot_product_attention";
      EXPECT_TRUE(!is_known_by_names || is_later || is_name_of(owner, name)) << spelling;
    }
  }
}

std::string value_of(const std::string& code) {
  class Values : public Observer {
   public:
    void evaluated(const Value& value, Span) override { text += repr(value); }
    std::string text;
  } values;
  Interpreter interpreter(&values);
  interpreter.run(Source{"cell", "import torch, numpy\nfrom torch import nn\n" + code + "\n"});
  return values.text;
}

// To compile it would take seconds in which nothing hears Ctrl-C, only to find that it is too large.
TEST(Patterns, OfMegabytesAreRefusedAtOnce) {
  const std::string failure = failure_of("import re\nre.compile('[' + 'ab' * 2 ** 19 + 'c]')");
  EXPECT_TRUE(failure.ends_with("error: regular expression is too large at position 0")) << failure;
}

TEST(UnsupportedNames, AProgramMayAskForThem) {
  EXPECT_EQ(failure_of("hasattr(torch, 'fft')"), "NotImplementedError: torch.fft is not known here");
  EXPECT_EQ(failure_of("getattr(torch.ones(1), 'pin_memory', 5)"),
            "NotImplementedError: Tensor.pin_memory is not known here");
  EXPECT_EQ(failure_of("hasattr(nn.Linear(1, 1), 'share_memory')"),
            "NotImplementedError: Module.share_memory is not known here");
  EXPECT_EQ(failure_of("hasattr('a', 'format_map')"), "NotImplementedError: str.format_map is not known here");
  EXPECT_EQ(value_of("hasattr(torch, 'compile'), hasattr(numpy, 'arrange'), getattr(nn, 'RMSNorm', None)"),
            "(False, False, None)");
  EXPECT_EQ(value_of("hasattr(nn.functional, 'scaled_dot_product_attention'), hasattr(torch, 'bmm')"), "(False, True)");
  EXPECT_EQ(failure_of("getattr(torch, 'fft')"), "NotImplementedError: torch.fft is not known here");
  EXPECT_EQ(failure_of("torch.compile"), "AttributeError: module 'torch' has no attribute 'compile'");
}

// PyTorch itself ends there, or asks for all memory.
TEST(Library, SizesBeyondAllBoundsAreRefused) {
  const std::string most = "2147483648";
  EXPECT_EQ(failure_of("F.unfold(torch.ones(1, 1, 4, 4), 2, dilation=2**62, padding=2**62)"),
            "RuntimeError: kernel size, dilation and padding must be less than " + most);
  EXPECT_EQ(failure_of("F.fold(torch.ones(1, 4, 9), 4, 2, padding=2**62, dilation=2**62)"),
            "RuntimeError: kernel size, dilation and padding must be less than " + most);
  EXPECT_EQ(printed("import torch\nfrom IPython.display import display, HTML, Markdown, "
                    "clear_output\ndisplay(torch.ones(1), [2])\n"
                    "clear_output(wait=True)\ndisplay(HTML('<b>'))\ndisplay(Markdown('**x**'))"),
            "tensor([1.])\n[2]\n<IPython.core.display.HTML object>\n**x**\n");
}

TEST(Library, NotebooksAndScriptsHaveNamesOfTheirOwn) {
  InterpreterOptions notebook, script;
  notebook.is_notebook = true;
  script.file = "train.py";
  EXPECT_EQ(printed("display('a', 1)\nget_ipython().run_line_magic('x', '')\nget_ipython().system('ls')", notebook),
            "'a'\n1\n");
  EXPECT_EQ(printed("from pathlib import Path\nhere = Path(__file__).resolve().parent\n"
                    "print(Path(__file__).name, here == Path.cwd(), (here / 'a' / '..' / 'b').resolve() == here / 'b')",
                    script),
            "train.py True True\n");
  EXPECT_EQ(printed("from pathlib import Path\n(Path(__file__).parent / 'x').write_text('hi')\nprint(open('x').read())",
                    script),
            "hi\n");
  EXPECT_EQ(printed("print(__doc__)", script), "None\n");
  script.doc = "Trains a model.";
  EXPECT_EQ(printed("print(__doc__)", script), "Trains a model.\n");
  EXPECT_EQ(failure_of("display(1)"), "NameError: name 'display' is not defined");
  EXPECT_EQ(failure_of("__file__"), "NameError: name '__file__' is not defined");
}

TEST(Library, ALibraryIsMissingWhereTheProgramHasAWayWithoutIt) {
  EXPECT_EQ(failure_of("import nunpy"), "ModuleNotFoundError: No module named 'nunpy'");
  EXPECT_EQ(printed("try:\n  import tiktoken\n  print(1)\nexcept ImportError:\n  print(2)"), "2\n");
  EXPECT_EQ(printed("try:\n  from ipywidgets import interact\nexcept (OSError, ModuleNotFoundError) as e:\n  print(e)"),
            "No module named 'ipywidgets'\n");
  EXPECT_EQ(printed("try:\n  try:\n    import wandb\n  finally:\n    print(1)\nexcept:\n  print(2)"), "1\n2\n");
  EXPECT_EQ(printed("try:\n  import wandb, argparse, torch.optim\n  print(1)\nexcept ValueError:\n  print(2)"), "1\n");
  EXPECT_EQ(printed("try:\n  import argparse, torch.optim, matplotlib.cm\n  print(1)\nexcept ImportError:\n  print(2)"),
            "1\n");
}

TEST(Library, APatternThatTriesWithoutEndIsStopped) {
  Interpreter interpreter;
  EXPECT_THROW(interpreter.run(Source{"cell", "import re\nre.match('(a+)+$', 'a' * 40 + 'b')\n"}), LimitReached);
}

TEST(Library, OfPlotsEveryNameIsThere) {
  EXPECT_EQ(
      printed("import matplotlib.pyplot as plt\nimport seaborn as sns\nfrom matplotlib.ticker import MaxNLocator\n"
              "from mpl_toolkits.mplot3d import Axes3D\nax = plt.axes(projection='3d')\nax.plot_surface(1, 2, 3)\n"
              "ax.yaxis.set_major_locator(MaxNLocator(integer=True))\nplt.polar([1])\nsns.jointplot(x=[1]).ax_joint"
              "\nwith plt.style.context('dark'):\n  plt.rcParams['font.size'] = 3\nprint(1)"),
      "1\n");
}

TEST(Library, AnImportThatIsNeverUsedPasses) {
  EXPECT_EQ(printed("import transformers, tiktoken\nimport torch.optim as optim\nfrom torch.optim.lr_scheduler import "
                    "StepLR\nfrom os.path import join\nimport torchvision.transforms as T\nprint(1)"),
            "1\n");
}

TEST(Library, APlotRecordsItsTensors) {
  EXPECT_EQ(printed("import matplotlib.pyplot as plt, torch\nx = torch.eye(2)\nfig, ax = plt.subplots(2, 2, "
                    "figsize=(3, 3))\nax[0, 1].imshow(x, cmap=plt.cm.viridis)\nax[1][0].set_title('a')\n"
                    "for a in ax.flat:\n  a.axis('off')\nplt.colorbar()\nplt.rcParams['font.size'] = 3\nplt.show()"),
            "|eye imshow ");
  EXPECT_EQ(printed("import seaborn as sns, torch\nsns.heatmap(torch.eye(2).numpy(), annot=True)"), "|eye imshow ");
  EXPECT_EQ(printed("import matplotlib.pyplot as plt\nline, = plt.plot([1, 2], [3, 4])\nplt.legend()"), "");
}

TEST(Library, AProgressBarOnlyGoesThroughItsItems) {
  EXPECT_EQ(printed("from tqdm import tqdm, trange\nbar = tqdm([1, 2], desc='x')\nfor x in bar:\n  "
                    "bar.set_postfix(loss=1)\n  print(x)\nfor x in bar:\n  print(x)\nprint(list(trange(2)), len(bar))"),
            "1\n2\n1\n2\n[0, 1] 2\n");
  const std::string loader =
      "from tqdm import tqdm\nfrom torch.utils.data import DataLoader\n"
      "loader = DataLoader([1, 2, 3], batch_size=2)\n";
  EXPECT_EQ(printed(loader + "for b in tqdm(loader): print(b)"), "tensor([1, 2])\ntensor([3])\n");
  EXPECT_EQ(printed(loader + "print([i for i, b in enumerate(tqdm(loader))], len(tqdm(loader)))"), "[0, 1] 2\n");
  EXPECT_EQ(printed(loader + "with tqdm(loader, unit='b') as p:\n  for b in p: p.set_postfix(n=len(b))\nprint(b)"),
            "tensor([3])\n");
  EXPECT_EQ(printed("from tqdm.auto import tqdm\nclass A:\n  def __iter__(self): return iter('ab')\n"
                    "print(list(tqdm(A())))"),
            "['a', 'b']\n");
  EXPECT_EQ(failure_of("from tqdm import tqdm\nfor x in tqdm(3): pass"), "TypeError: 'int' object is not iterable");
}

TEST(Library, TheClockGoesOnByAMillisecondWhenItIsLookedAt) {
  EXPECT_EQ(printed("import time\nt = time.time()\ntime.sleep(1)\nprint(time.time() - t, time.perf_counter())"),
            "1.0010000000000001 1.003\n");
}

TEST(Library, ARunWithoutASeedRepeats) {
  const char* code = "import random, numpy as np\nprint(random.random(), np.random.rand())";
  EXPECT_EQ(printed(code), printed(code));
}

TEST(Library, AWrongCellDrawsNothing) {
  Interpreter interpreter;
  interpreter.run(Source{"cell", "import random, numpy as np\na = np.ones(2)\n"});
  const auto saved = interpreter.fork();
  for (const char* code : {"random.random()", "np.random.rand(2)", "random.seed(1)", "a += 1", "a[0] = 2", "a.fill(3)"})
    EXPECT_THROW(interpreter.run(Source{"cell", code}), CellError) << code;
  interpreter.restore(saved);
}

TEST(Library, ADatasetIsAClassWithoutABase) {
  EXPECT_EQ(printed("from torch.utils.data import Dataset\nclass D(Dataset):\n  def __len__(self):\n    return 3\n"
                    "  def __getitem__(self, i):\n    return i * 2\nprint(len(D()), D()[1])"),
            "3 2\n");
}

TEST(Attributes, OwnAccessorsAreHonoured) {
  const std::string module =
      "import torch\nclass M(torch.nn.Module):\n  def __init__(self):\n    super().__init__()\n    self.inner = "
      "torch.nn.Linear(2, 3)\n";
  EXPECT_EQ(printed(module + "  def __getattr__(self, name):\n    try:\n      return super().__getattr__(name)\n    "
                             "except AttributeError:\n      return getattr(self.inner, name)\nm = M()\n"
                             "print(m.out_features, m.inner.in_features, hasattr(m, 'nothing'))"),
            "3 2 False\n");
  EXPECT_EQ(
      printed(module + "  def __setattr__(self, name, value):\n    print('set', name)\n    "
                       "super().__setattr__(name, value)\nm = M()\nm.x = 3\nprint(m.x, len(list(m.parameters())))"),
      "set inner\nset x\n3 2\n");
  EXPECT_EQ(printed("class A:\n  def __setattr__(self, name, value):\n    super().__setattr__(name, value * 2)\n"
                    "  def __getattr__(self, name):\n    return name + '?'\na = A()\na.x = 2\nprint(a.x, a.y)"),
            "4 y?\n");
  for (const std::string name : {"__getattribute__", "__get__", "__class_getitem__"})
    EXPECT_NE(failure_of("class A:\n  def " + name + "(self, *given):\n    return 1").find(name), std::string::npos);
  EXPECT_NE(failure_of("import json\njson.loads('1' * 30)").find("an int beyond 64 bits"), std::string::npos);
}

TEST(NarrowTypes, AreGatedInEveryOp) {
  // Whatever has no row refuses; what has one gives the type of PyTorch (tests/oracle/cases/narrow.py).
  for (const char* code : {"torch.ones(2, 2).half() @ torch.ones(2, 2).half()", "torch.ones(2).half().sum()",
                           "F.linear(torch.ones(2).half(), torch.ones(2, 2).half())", "torch.ones(3).int().std()",
                           "torch.zeros(2).sum(dtype=torch.float16)", "torch.rand(2, dtype=torch.half)",
                           "torch.eye(2).gather(0, torch.zeros(1, 2).int())"})
    EXPECT_TRUE(failure_of(code).find("not supported") != std::string::npos ||
                failure_of(code).find("indices of a type") != std::string::npos)
        << code << ": " << failure_of(code);
}

}  // namespace
}  // namespace attn
