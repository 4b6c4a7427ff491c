"""The text of data/names.txt: the names that PyTorch 1.13.1, numpy 1.24 and Python 3.11 have.

A name that is listed and not known to the program is refused; one that is not listed is an AttributeError, as in Python.
Of modules private names are left out, of classes those of every object. What `import *` leaves out of a module is
listed as "hidden.MODULE". The names of parameters of numpy's functions and methods are listed as "keywords".
"""

import importlib
import inspect
import pkgutil
import random
import re
import sys
import warnings

import numpy
import torch
from torch import nn
from torch.backends import PropModule

MODULES = (
    "torch torch.nn torch.nn.functional torch.nn.init torch.nn.parameter torch.nn.utils torch.nn.utils.rnn "
    "torch.functional torch.linalg torch.autograd torch.special torch.random torch.cuda torch.backends "
    "torch.autograd.function torch.autograd.functional tempfile torch.cuda.amp torch.amp torch.utils.checkpoint torch.jit timeit inspect types "
    "statistics datetime collections.abc "
    "torch.backends.cuda torch.backends.cudnn torch.backends.mps torch.optim torch.optim.lr_scheduler torch.optim.swa_utils "
    "torch.utils torch.utils.data numpy numpy.linalg numpy.random builtins math random json itertools functools re "
    "string time warnings copy collections dataclasses abc os os.path enum heapq bisect operator unicodedata argparse logging pprint sys "
    "contextlib queue textwrap io pathlib pickle shutil typing torch.testing torch.distributions numpy.testing "
    "numpy.lib numpy.lib.stride_tricks platform csv fractions hashlib unittest "
    "torch.nn.modules torch.optim.optimizer torch.optim.sgd torch.optim.adam torch.optim.adamw torch.optim.nadam "
    "torch.optim.radam torch.optim.rmsprop torch.optim.adagrad torch.optim.adadelta torch.utils.data.dataset "
    "torch.utils.data.dataloader torch.utils.data.sampler torch.distributions.categorical torch.distributions.normal "
    "torch.distributions.bernoulli torch.distributions.distribution torch.distributions.kl torch.distributions.uniform "
    "torch.distributions.exponential"
).split() + [f"torch.nn.modules.{part.name}" for part in pkgutil.iter_modules(nn.modules.__path__)]
NOT_INSTALLED = {
    "IPython.display": "Audio HTML Image Latex Markdown Math SVG clear_output display",
    "einops": "EinopsError array_api asnumpy einsum experimental layers pack parse_shape rearrange reduce repeat unpack",
    "einops.layers": "chainer flax keras oneflow paddle tensorflow torch",
    "einops.layers.torch": "EinMix Rearrange Reduce",
}
DERIVED_FROM = "_LRScheduler"  # the private name that programs derive from
CLASSES = {"Tensor": torch.Tensor, "numpy.ndarray": numpy.ndarray, "Module": nn.Module,
           **{kind.__name__: kind for kind in (str, list, tuple, dict, set, int, float)}}


def names_of_module(module):
    parts = {part.name for part in pkgutil.iter_modules(getattr(module, "__path__", ()))}
    newer = {name for name, value in vars(module).items() if getattr(value, "__module__", "") == "newer_torch"}
    own = set(dir(module)) | set(dir(type(module))) - set(dir(object))
    if isinstance(module, PropModule):  # with settings as properties, in the place of a module
        own |= set(dir(module.m)) - {"m"}
    return {name for name in (parts | own) - newer if not name.startswith("_") or name == DERIVED_FROM}


def parameters(function):
    """The names that a call may use. Functions written in C have them in the first lines of what they say of themselves."""
    try:
        found = inspect.signature(function).parameters.values()
        return {p.name for p in found if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)} - {"self"}
    except (TypeError, ValueError):
        signature = re.match(r"\s*[\w.]+\((.*?)\)\s*\n", function.__doc__ or "", re.DOTALL)
        return set(re.findall(r"[\[\s,](\w+)\s*=", signature[1])) if signature else set()


def numpy_keywords():
    owners = [numpy, numpy.linalg, numpy.random, numpy.random.RandomState, numpy.random.Generator, numpy.ndarray,
              numpy.lib.stride_tricks, random.Random]
    names = {name for owner in owners for function in vars(owner).values() if callable(function)
             for name in parameters(function)}
    return {name for name in names if not name.startswith("_")}


def names_text():
    warnings.simplefilter("ignore")  # of what numpy is about to remove
    modules = {path: importlib.import_module(path) for path in MODULES}  # first, as they become names of one another
    rows = {path: names_of_module(module) for path, module in modules.items()}
    rows |= {f"hidden.{path}": rows[path] - set(module.__all__)
             for path, module in modules.items() if hasattr(module, "__all__")}
    rows |= {name: set(dir(kind)) - set(dir(object)) for name, kind in CLASSES.items()}
    rows |= {name: set(words.split()) for name, words in NOT_INSTALLED.items()}
    rows["keywords"] = numpy_keywords()
    rows["import"] = {name for name in sys.stdlib_module_names if not name.startswith("_")} | {"functorch"}
    return "".join(f"{owner}: {' '.join(sorted(names))}\n" for owner, names in rows.items() if names)
