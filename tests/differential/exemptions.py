"""What PyTorch 1.13 leaves open or does by accident: statements that are not made, each kind with its reason."""

import ast
import contextlib
from dataclasses import dataclass
from typing import Callable

import torch


@dataclass(frozen=True)
class Exemption:
    reason: str
    fits: Callable  # (syntax tree of a statement, scope before it) -> bool
    if_it_runs: bool = False  # where PyTorch refuses the statement, it is made


def exempted(line, scope):
    """The exemption that a statement falls under, or None."""
    try:
        tree = ast.parse(line)
    except SyntaxError:
        return None
    random = torch.get_rng_state()  # arguments that are looked at may draw numbers
    try:
        for exemption in EXEMPTIONS:
            with contextlib.suppress(Exception):  # the statement will say what is wrong with it
                if exemption.fits(tree, scope):
                    return exemption
        return None
    finally:
        torch.set_rng_state(random)


# ---- statements and their parts ----

def calls(tree, name):
    """The calls of f.name(...) or name(...)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", None)) == name:
            yield node


def is_method(call):
    """Called on a tensor, which is then its first argument, and not on a module."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return owner is not None and ast.unparse(owner) not in ("torch", "F", "nn", "math", "torch.linalg", "torch.special")


def value_of(node, scope):
    return eval(ast.unparse(node), dict(scope))


def argument(call, place, name, scope, default=None):
    """An argument of a call; `place` counts the tensor of a method too."""
    arguments = ([call.func.value] if is_method(call) else []) + call.args
    for keyword in call.keywords:
        if keyword.arg == name:
            return value_of(keyword.value, scope)
    return value_of(arguments[place], scope) if place < len(arguments) else default


def written(tree):
    """The expressions of tensors that a statement writes to."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            yield from (target for target in node.targets if isinstance(target, ast.Subscript))
        elif isinstance(node, ast.AugAssign):
            yield node.target
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr.endswith("_") and not node.func.attr.endswith("__"):
                yield node.func.value if is_method(node) else node.args[0]


def views(tree, scope):
    """The tensors that are named in a statement, and parts of them that it takes."""
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Name, ast.Subscript)):
            continue
        node = ast.parse(ast.unparse(node), mode="eval").body
        with contextlib.suppress(Exception):
            value = value_of(node, scope)
            if isinstance(value, torch.Tensor):
                yield value


# ---- kinds ----

def addresses(x):
    """Where the elements lie, as a range of bytes."""
    reach = sum((size - 1) * stride for size, stride in zip(x.shape, x.stride()))
    return x.data_ptr(), x.data_ptr() + (reach + 1) * x.element_size()


def same_view(a, b):
    return (a.data_ptr(), a.shape, a.stride()) == (b.data_ptr(), b.shape, b.stride())


def overlaps(a, b):
    (a_begin, a_end), (b_begin, b_end) = addresses(a), addresses(b)
    return a.numel() > 0 and b.numel() > 0 and a_begin < b_end and b_begin < a_end


def writes_at_indices(node, target, scope):
    """The places are named by tensors: to read them makes a copy."""
    return isinstance(node, ast.Subscript) and target.numel() > 0 and not overlaps(target, value_of(node.value, scope))


def reads_what_it_writes(tree, scope):
    seen = list(views(tree, scope))
    for node in written(tree):
        target = value_of(node, scope)
        if writes_at_indices(node, target, scope):
            base = value_of(node.value, scope)
            if any(overlaps(base, other) for other in views(tree.body[0].value, scope)):
                return True
        for other in seen:
            if overlaps(target, other) and not same_view(target, other):
                return True
    return False


def scatters_by_itself(tree, scope):
    for name in ("scatter_", "scatter_add_"):
        for call in calls(tree, name):
            target = value_of(call.func.value, scope)
            read = (argument(call, 2, "index", scope), argument(call, 3, "src", scope))
            if any(isinstance(x, torch.Tensor) and overlaps(target, x) for x in read):
                return True
    return False


def picks_unsorted(tree, scope):
    return any(not argument(call, 1, "sorted", scope, True) for call in calls(tree, "unique"))


def forgets_without_clearing(tree, scope):
    return any(argument(call, 9, "beta", scope) == 0 for call in calls(tree, "baddbmm"))


def orders_nan(tree, scope):
    return any(argument(call, 0, "input", scope).isnan().any() for call in calls(tree, "unique"))


def ints_through_a_layer(tree, scope):
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Call) and "nn.Linear(" in ast.unparse(call.func):
            x = value_of(call.args[0], scope)
            if x.numel() == 0 and not x.is_floating_point():
                return True
    return False


def picks_other_than_one_of_a_number(tree, scope):
    return any(argument(call, 0, "input", scope).dim() == 0 and argument(call, 2, "index", scope).numel() != 1
               for call in calls(tree, "index_select"))


def overflows_early(tree, scope):
    for name in ("cosh", "sinh", "cosh_", "sinh_"):
        for call in calls(tree, name):
            x = argument(call, 0, "input", scope)
            if x.dtype == torch.float32 and ((x.abs() > 88.7) & (x.abs() < 89.5)).any():
                return True
    return False


def counts_gradients_in_integers(tree, scope):
    for name in ("sum", "prod", "cumsum", "cumprod"):
        for call in calls(tree, name):
            dtype = argument(call, 9, "dtype", scope)
            if dtype and not dtype.is_floating_point and argument(call, 0, "input", scope).requires_grad:
                return True
    return False


def spread_of_infinities(tree, scope):
    return any(argument(call, 0, "input", scope).isinf().any()
               for name in ("std_mean", "var_mean") for call in calls(tree, name))


def holds_nan(value, depth=3):
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, (list, tuple, set, frozenset)):
        return depth > 0 and any(holds_nan(item, depth - 1) for item in value)
    return isinstance(value, float) and value != value


COMPARES_ITEMS = (ast.Set, ast.Dict, ast.SetComp, ast.DictComp, ast.In, ast.NotIn, ast.Eq, ast.NotEq)
COMPARING_CALLS = {"set", "frozenset", "dict", "fromkeys", "Counter", "index", "count", "remove", "update", "add",
                   "setdefault", "union", "difference", "intersection", "symmetric_difference", "issubset",
                   "issuperset", "isdisjoint", "discard", "pop", "get"}


def looks_for_nan(tree, scope):
    nodes = list(ast.walk(tree))
    names = {getattr(node, "id", getattr(node, "attr", getattr(node, "name", None))) for node in nodes}
    has_nan = "nan" in names or any(isinstance(node, ast.Constant) and node.value == "nan" for node in nodes) or any(
        holds_nan(scope.get(name)) for name in names if isinstance(name, str))
    return has_nan and (bool(names & COMPARING_CALLS) or any(isinstance(node, COMPARES_ITEMS) for node in nodes))


def shows_last_places(tree, scope):
    for name in ("to", "type", "long", "int"):
        for call in calls(tree, name):
            x = argument(call, 0, "input", scope)
            result = value_of(call, scope)
            if x.dtype == torch.float32 and not result.dtype.is_floating_point and (x.abs() >= 2 ** 24).any():
                return True
    return False


def log_likelihood_of_nothing(tree, scope):
    return any((argument(call, 0, "input", scope).isneginf() & (argument(call, 1, "target", scope) > 1)).any()
               for call in calls(tree, "binary_cross_entropy_with_logits"))


def clamps_between_crossed_bounds(tree, scope):
    return any((argument(call, 1, "eps", scope) or 0) > 0.5 for call in calls(tree, "logit"))


def masks_by_bytes(tree, scope):
    return any(argument(call, 1, "mask", scope).dtype not in (torch.bool, torch.uint8, torch.int64)
               for name in ("masked_fill", "masked_fill_") for call in calls(tree, name))


def fills_no_places(tree, scope):
    for name in ("index_fill", "index_fill_", "index_copy", "index_copy_"):
        for call in calls(tree, name):
            x, index = argument(call, 0, "input", scope), argument(call, 2, "index", scope)
            if x.numel() == 0 and x.dim() > 0 and x.size(argument(call, 1, "dim", scope)) == 0 and index.numel() > 0:
                return True
    return False


def normalizes_single_numbers(tree, scope):
    for name, place in (("LayerNorm", 0), ("layer_norm", 1)):
        for call in calls(tree, name):
            shape = argument(call, place, "normalized_shape", scope)
            if torch.Size(shape if isinstance(shape, (tuple, list)) else (shape,)).numel() == 1:
                return True
    return False


def weighs_by_infinity(tree, scope):
    weights = [argument(call, 2, "weight", scope) for call in calls(tree, "layer_norm")]
    return wants_gradient(tree, scope, "layer_norm") and any(
        isinstance(weight, torch.Tensor) and not weight.isfinite().all() for weight in weights)


def wants_gradient(tree, scope, name):
    return any(argument(call, 0, "input", scope).requires_grad for call in calls(tree, name))


def turns_a_bad_matrix(tree, scope):
    for name in ("matrix_rank", "pinverse", "pinv", "inv", "inverse", "solve", "det", "svdvals", "eigvalsh",
                 "qr", "logdet", "slogdet", "cholesky"):
        for call in calls(tree, name):
            for x in [argument(call, 0, parameter, scope) for parameter in ("A", "input")]:
                if not isinstance(x, torch.Tensor) or x.dim() < 2 or x.numel() == 0 or not x.is_floating_point():
                    continue
                if not x.isfinite().all():
                    return True
                values = torch.linalg.svdvals(x.detach().double())
                if (values.amin(-1) < values.amax(-1) * 1e-4).any():
                    return True
    return False


def pieces_at_nan(tree, scope):
    return any(wants_gradient(tree, scope, name) and any(argument(call, 0, "input", scope).isnan().any() for call in calls(tree, name))
               for name in ("elu", "celu", "hardtanh", "relu6", "selu")) or bends_nan_as_layer(tree, scope)


def bends_nan_as_layer(tree, scope):
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Call):
            continue
        x = value_of(node.args[0], scope)
        if x.requires_grad and x.isnan().any() and getattr(node.func.func, "attr", "") in ("ELU", "CELU", "Hardtanh", "ReLU6", "SELU"):
            return True
    return False


def spread_of_one_number(tree, scope):
    for name in ("var", "std", "var_mean", "std_mean"):
        for call in calls(tree, name):
            x, along = argument(call, 0, "input", scope), argument(call, 1, "dim", scope)
            if x.requires_grad and (x.numel() <= 1 or along in ((), [])):
                return True
    return False


def traces_high_matrix(tree, scope):
    return any(x.requires_grad and x.size(0) > x.size(1)
               for x in (argument(call, 0, "input", scope) for call in calls(tree, "trace")))


def takes_likelihood_of_itself(tree, scope):
    return any(argument(call, 1, "target", scope).requires_grad for call in calls(tree, "binary_cross_entropy"))


def raises_a_part(tree, scope):
    return any(isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Pow) and isinstance(node.target, ast.Subscript)
               and value_of(node.target, scope).requires_grad for node in ast.walk(tree))


def writes_nothing_of_history(tree, scope):
    for node in written(tree):
        if isinstance(node, ast.Subscript) and value_of(node.value, scope).requires_grad:
            base, place = value_of(node.value, scope), value_of(node, scope) if value_of(node.value, scope).numel() else None
            if place is None or place.numel() == 0:
                return True
    return False


def bounds_lengths(tree, scope):
    return any(not 0 <= (argument(call, 3, "eps", scope) or 0) <= 1e-3 for call in calls(tree, "cosine_similarity"))


def flags_of_grad(tree, scope):
    names = ("retain_graph", "create_graph", "only_inputs", "allow_unused", "is_grads_batched")
    for call in calls(tree, "grad"):
        flags = [value_of(node, scope) for node in call.args[3:]]
        flags += [value_of(keyword.value, scope) for keyword in call.keywords if keyword.arg in names]
        if any(not isinstance(flag, (bool, type(None))) for flag in flags):
            return True
    return False


def overwrites_what_is_kept_unused(tree, scope):
    kept = ("PowBackward1", "MaxBackward1", "MinBackward1", "LogcumsumexpBackward0", "LinalgDetBackward0",
            "LinalgSolveExBackward0", "LinalgInvExBackward0")
    in_place = [node.args[0] for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) > 1
                and isinstance(node.args[-1], ast.Constant) and node.args[-1].value is True]  # F.relu(x, True)
    for node in [*written(tree), *in_place]:
        step = value_of(node.value if isinstance(node, ast.Subscript) else node, scope).grad_fn
        while step is not None:  # views of what is kept, too
            if step.name() in kept:
                return True
            step = step.next_functions[0][0] if step.next_functions else None
    return False


def writes_to_a_leaf_by_no_tuple(tree, scope):
    return any((argument(call, 0, "input", scope).requires_grad or getattr(argument(call, 2, "values", scope), "requires_grad", False))
               and not isinstance(argument(call, 1, "indices", scope), (tuple, list)) for call in calls(tree, "index_put_"))


def has_kinks_between_loops(tree, scope):
    def is_kink(x): return (x == 3) | x.isnan()
    return (any(is_kink(argument(call, 0, "input", scope)).any() for call in calls(tree, "hardswish"))
            or any(argument(call, 0, "input", scope).isnan().any()
                   for name in ("softshrink", "hardshrink") for call in calls(tree, name))
            or any((argument(call, 0, "input", scope) == 0).any() for call in calls(tree, "logit")))


def keeps_bools_between(tree, scope):
    return any(argument(call, 0, "input", scope).dtype == torch.bool
               for name in ("clamp", "clamp_", "clip", "clip_") for call in calls(tree, name))


def determines_nothing(tree, scope):
    return any(argument(call, 0, "A", scope).numel() == 0 for call in calls(tree, "det"))


def measures_nan(tree, scope):
    return any((argument(call, 0, "x1", scope).isnan().any() or argument(call, 1, "x2", scope).isnan().any())
               for call in calls(tree, "cdist"))


def multiplies_infinities(tree, scope):
    return any(argument(call, 0, "input", scope).isinf().any() for call in calls(tree, "cumprod"))


def names_kinds(tree, scope):
    return any(call.keywords for call in calls(tree, "result_type"))


def factors_nothing(tree, scope):
    return any(argument(call, 0, "input", scope).numel() == 0 or len(call.args) > 1 for call in calls(tree, "cholesky"))


def promises_what_is_not_so(tree, scope):
    return any(argument(call, 2, "assume_unique", scope) and
               any(isinstance(values, torch.Tensor) and values.unique().numel() < values.numel()
                   for values in (argument(call, 0, "elements", scope), argument(call, 1, "test_elements", scope)))
               for call in calls(tree, "isin"))


def puts_at_no_index(tree, scope):
    return any(len(argument(call, 1, "indices", scope)) == 0
               for name in ("index_put", "index_put_") for call in calls(tree, name))


def attends_with_integers(tree, scope):
    return any(not argument(call, place, name, scope).is_floating_point()
               for call in calls(tree, "scaled_dot_product_attention")
               for place, name in enumerate(("query", "key", "value")))


def multiplies_zeros_in_another_type(tree, scope):
    for call in calls(tree, "cumprod"):
        x = argument(call, 0, "input", scope)
        if x.requires_grad and argument(call, 9, "dtype", scope) not in (None, x.dtype) and (x == 0).any():
            return True
    return False


def fills_with_two_faults(tree, scope):
    for call in calls(tree, "masked_fill_"):
        x, mask, value = [argument(call, place, name, scope) for place, name in enumerate(("input", "mask", "value"))]
        with contextlib.suppress(RuntimeError):
            if torch.broadcast_shapes(x.shape, mask.shape) == x.shape:
                continue
        if isinstance(value, torch.Tensor) and value.dim() > 0:
            return True
    return False


def measures_with_two_faults(tree, scope):
    return any(not isinstance(argument(call, 3, "keepdim", scope, False), bool) and
               argument(call, 4, "dtype", scope) is not None for call in calls(tree, "norm") if is_method(call))


def measures_in_no_mode(tree, scope):
    return any(not str(argument(call, 3, "compute_mode", scope, "use_mm_")).startswith(("use_mm_", "donot_use_mm_"))
               for call in calls(tree, "cdist"))


def writes_beyond_a_leaf(tree, scope):
    for node in written(tree):
        x = value_of(node.value, scope) if isinstance(node, ast.Subscript) else None
        if x is not None and x.requires_grad and (x.is_leaf if x._base is None else x._base.is_leaf):
            try:
                value_of(node, scope)
            except (IndexError, ValueError):
                return True
    for call in calls(tree, "index_fill_"):
        x, dim = argument(call, 0, "input", scope), argument(call, 1, "dim", scope)
        if x.is_leaf and x.requires_grad and not -x.dim() <= dim < x.dim():
            return True
    return False


def writes_to_one_of_several_views(tree, scope):
    for node in written(tree):
        back = value_of(node.value if isinstance(node, ast.Subscript) else node, scope).grad_fn
        while back is not None and back.next_functions:
            back = back.next_functions[0][0]
            if back is not None and back.name() in ("UnbindBackward0", "SplitBackward0"):
                return True
    return False


def overflows_in_lanes(tree, scope):
    return any((x.abs() > 88).any() for name in ("sinh", "cosh", "sinh_", "cosh_")
               for x in (argument(call, 0, "input", scope) for call in calls(tree, name)))


def adds_infinities_up(tree, scope):
    return any(x.requires_grad and x.isinf().any()
               for x in (argument(call, 0, "input", scope) for call in calls(tree, "logcumsumexp")))


def bends_to_a_bool(tree, scope):
    return any(argument(call, 1, "target", scope).dtype == torch.bool for call in calls(tree, "huber_loss"))


def ranks_no_integers(tree, scope):
    return any(not x.is_floating_point() and not x.numel()
               for x in (argument(call, 0, "input", scope) for call in calls(tree, "matrix_rank")))


def inverts_no_matrix(tree, scope):
    return any(argument(call, 0, "A", scope).dim() < 2 for call in calls(tree, "pinv"))


def has_negative_shares(tree, scope):
    return any((argument(call, 1, "target", scope) < 0).any() for call in calls(tree, "kl_div"))


def raises_high(tree, scope):
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            x, power = value_of(node.left, scope), value_of(node.right, scope)
            if isinstance(x, torch.Tensor) and x.dtype == torch.float32 and isinstance(power, int) and abs(power) > 64:
                return True
    return False


def reduces_by_no_word(tree, scope):
    return any(argument(call, 4, "reduce", scope) not in ("sum", "prod", "mean", "amax", "amin")
               for call in calls(tree, "scatter_reduce"))


def looks_among_a_view(tree, scope):
    return any(isinstance(x, torch.Tensor) and (not x.is_contiguous() or x.isnan().any())
               for call in calls(tree, "isin") for x in (argument(call, 1, "test_elements", scope),))


def smooths_far_below_zero(tree, scope):
    return any((argument(call, 0, "input", scope) < -2.5).any() for call in calls(tree, "gelu"))


def resizes_in_two_ways(tree, scope):
    return any(argument(call, 1, "size", scope) is not None and argument(call, 2, "scale_factor", scope) is not None
               for call in calls(tree, "interpolate"))


def loss_of_integers(tree, scope):
    return any(not argument(call, 0, "input", scope).is_floating_point() for call in calls(tree, "mse_loss"))


def normalizes_by_a_number(tree, scope):
    return any(isinstance(x, torch.Tensor) and x.dim() != 1
               for call in calls(tree, "batch_norm") for x in (argument(call, 3, "weight", scope),))


def takes_logarithm_of_zero(tree, scope):
    return any((argument(call, 0, "input", scope).det() == 0).any() for call in calls(tree, "logdet"))


def counts_beyond_memory(tree, scope):
    for call in calls(tree, "arange"):
        start, end = argument(call, 0, "start", scope), argument(call, 1, "end", scope)
        if abs((end or 0) - start) / abs(argument(call, 2, "step", scope, 1)) > 1e8:
            return True
    return False


def tiles_backwards(tree, scope):
    return any(isinstance(node, ast.USub) for call in calls(tree, "tile") for node in ast.walk(call))


def normalizes_constants(tree, scope):
    inputs = [argument(call, 0, "input", scope) for call in calls(tree, "batch_norm")]
    inputs += [value_of(call.args[0], scope) for call in ast.walk(tree) if isinstance(call, ast.Call) and call.args
               and isinstance(call.func, ast.Call) and "BatchNorm" in ast.unparse(call.func.func)]
    return any(x.requires_grad and x.dim() > 1 and (x.transpose(0, 1).flatten(1).std(1) == 0).any() for x in inputs)


def scatters_by_floats(tree, scope):
    masks = [argument(call, 1, "mask", scope) for name in ("masked_scatter", "masked_scatter_") for call in calls(tree, name)]
    return any(mask.is_floating_point() for mask in masks)


def loss_of_no_rows(tree, scope):
    return any(argument(call, 0, "input", scope).numel() == 0 for call in calls(tree, "multi_margin_loss"))


def norm_in_integers(tree, scope):
    dtypes = [argument(call, 9, "dtype", scope) for call in calls(tree, "norm")]
    return any(dtype and not (isinstance(dtype, torch.dtype) and dtype.is_floating_point) for dtype in dtypes)


def writes_one_of_many_views(tree, scope):
    words = ("Split", "Unbind")
    return any(isinstance(node, ast.Subscript) and any(word in str(value_of(node.value, scope).grad_fn) for word in words)
               for node in written(tree))


def solves_one_by_one(tree, scope):
    return any(argument(call, 0, "A", scope).numel() == 1 and argument(call, 1, "B", scope).dim() == 1
               for call in calls(tree, "solve"))


def adds_a_computed_bias(tree, scope):
    return any(getattr(argument(call, 3, "bias", scope), "grad_fn", None) for call in calls(tree, "layer_norm"))


def bends_in_place(tree, scope):
    places = {"leaky_relu": 1, "elu": 1, "celu": 1, "leaky_relu_": 1, "elu_": 1, "celu_": 1}
    return any(name.endswith("_") or argument(call, 2, "inplace", scope, False)
               for name, place in places.items() for call in calls(tree, name)
               if argument(call, place, "negative_slope" if "leaky" in name else "alpha", scope, 0) < 0)


PRODUCTS = ("mm", "matmul", "bmm", "linear", "mv", "dot", "einsum", "Linear")


def multiplies_halves(tree, scope):
    in_bfloat16 = any(x.dtype == torch.bfloat16 for x in views(tree, scope))
    return in_bfloat16 and any(isinstance(node, ast.MatMult) or isinstance(node, ast.Call) and
                               getattr(node.func, "attr", "") in PRODUCTS for node in ast.walk(tree))


EXEMPTIONS = (
    Exemption("the gradient of solve by a matrix of one number and a vector has the wrong shape, which PyTorch itself "
              "refuses", solves_one_by_one),
    Exemption("layer_norm keeps its bias for a way back that does not read it: overwritten, PyTorch refuses that way "
              "and ours goes it", adds_a_computed_bias),
    Exemption("leaky_relu and elu in place with a negative slope are refused on the way back, where they are understood "
              "here", bends_in_place),
    Exemption("channel_shuffle of one group or of nothing gives what it was given, which then is no leaf",
              lambda tree, scope: any(argument(call, 1, "groups", scope) == 1 or argument(call, 0, "input", scope).numel() == 0
                                      for call in calls(tree, "channel_shuffle"))),
    Exemption("trapz takes a bool for a distance, trapezoid does not; here neither does",
              lambda tree, scope: any(isinstance(argument(call, 9, "dx", scope), bool) for call in calls(tree, "trapz"))),
    Exemption("a product of bfloat16 is rounded once or after each step by the processor and by size",
              multiplies_halves, if_it_runs=True),
    Exemption("a singular vector or an eigenvector may have either sign",
              lambda tree, scope: any(call for name in ("svd", "eigh") for call in calls(tree, name))),
    Exemption("of a matrix with NaN or infinities, or near to a singular one, no digits are sure", turns_a_bad_matrix),
    Exemption("unique_consecutive has no gradient, which is told on the way back by a class of its own",
              lambda tree, scope: wants_gradient(tree, scope, "unique_consecutive")),
    Exemption("the gradient of sgn is a tensor of zeros without memory, to which PyTorch cannot add a second gradient",
              lambda tree, scope: wants_gradient(tree, scope, "sgn")),
    Exemption("the gradient at NaN of an activation made of pieces is another where the loop takes several numbers at once",
              pieces_at_nan),
    Exemption("the gradient of a spread of one number or of none, or along no axes, has another shape than the number or is inf",
              spread_of_one_number),
    Exemption("the gradient of the trace of a matrix with more rows than columns is written beyond the diagonal",
              traces_high_matrix),
    Exemption("the gradient of a likelihood by its target adds two infinities where that is 0 or 1",
              takes_likelihood_of_itself),
    Exemption("x[i] **= y is refused on the way back, because the result is written to its own place once more: ours "
              "goes back through it", raises_a_part),
    Exemption("a write to no places of a tensor with a history counts as a change of what it saved, and of a leaf it "
              "has two faults", writes_nothing_of_history),
    Exemption("cosine_similarity bounds what its norm saved: with an eps that acts the gradient is that of no function",
              bounds_lengths),
    Exemption("a power by a tensor, running logarithms of sums, and the largest or least of all elements, keep their result for a way back that does not "
              "read it: overwritten, PyTorch refuses that way and ours goes it", overwrites_what_is_kept_unused),
    Exemption("scaled_dot_product_attention is newer than the reference: what its steps say of integers comes in an order "
              "of their own", attends_with_integers),
    Exemption("running products in another type have a gradient unless there is a zero among them: PyTorch then meets two "
              "types", multiplies_zeros_in_another_type),
    Exemption("of a value with axes and a mask that does not fit, masked_fill_ names the first", fills_with_two_faults),
    Exemption("cdist looks at its compute_mode before its tensors", measures_in_no_mode),
    Exemption("a write beyond a leaf that wants a gradient has two faults", writes_beyond_a_leaf),
    Exemption("a write to a view of one of several views names the views that are between", writes_to_one_of_several_views),
    Exemption("the vectors of sinh and cosh of float32 overflow above 88, its single numbers only where the result does",
              overflows_in_lanes),
    Exemption("the gradient of running logarithms of sums goes by logarithms of its own, which meet at infinity",
              adds_infinities_up),
    Exemption("the gradient of huber_loss to a Bool has two types", bends_to_a_bool),
    Exemption("matrix_rank of integers without elements is refused for atol= and not for tol=", ranks_no_integers),
    Exemption("pinv with a tolerance asks what has no two axes for its sizes before it says so", inverts_no_matrix),
    Exemption("kl_div with negative shares has no value, and a gradient by accident", has_negative_shares),
    Exemption("a high power of float32 numbers makes many digits of a last one", raises_high),
    Exemption("scatter_reduce looks at every shape before it looks at the word that says how", reduces_by_no_word),
    Exemption("isin views what it looks among as one row, which is refused where it has gaps, and sorts it, which NaN "
              "breaks", looks_among_a_view),
    Exemption("gelu of float32 far below zero is left with few digits of 1 + erf, and the last of erf is another in each "
              "loop", smooths_far_below_zero),
    Exemption("of a size and a scale at once, interpolate says so before it looks at either", resizes_in_two_ways),
    Exemption("flags of autograd.grad that are not bools are read in an order of their own", flags_of_grad),
    Exemption("the gradient of a loss of integers has another type than they", loss_of_integers),
    Exemption("batch_norm by a weight without axes fails on the way back alone", normalizes_by_a_number),
    Exemption("the gradient of logdet at a determinant of 0 is infinite or NaN by the way it is computed",
              takes_logarithm_of_zero),
    Exemption("a range that no memory holds", counts_beyond_memory),
    Exemption("tile by a negative number fails on the way back alone", tiles_backwards),
    Exemption("the way back through batch_norm of a feature that is the same everywhere is rounding noise alone",
              normalizes_constants),
    Exemption("masked_scatter reads the lowest byte of each number of a float mask", scatters_by_floats),
    Exemption("multi_margin_loss of no rows gives what stands in memory", loss_of_no_rows),
    Exemption("a norm in integers is refused by another function", norm_in_integers),
    Exemption("one of several views that were made at once is refused by the name of the view that is taken of it",
              writes_one_of_many_views),
    Exemption("logit with an eps above 0.5 has no numbers to keep to: PyTorch's loop over vectors and that over single "
              "numbers differ", clamps_between_crossed_bounds),
    Exemption("a mask of floats or of narrow integers is taken by the lowest byte of each; newer versions of PyTorch "
              "refuse it, as we do", masks_by_bytes),
    Exemption("index_fill and index_copy to an axis without places fail at the size of the storage or at an index, by "
              "what else the storage holds", fills_no_places),
    Exemption("containers of CPython find a NaN by its address, and hash it so: whether two are one depends on which "
              "object they came from", looks_for_nan),
    Exemption("a float32 beyond 2 ** 24 as an integer shows all its places: the last differs between PyTorch's loop "
              "over vectors and that over single numbers", shows_last_places),
    Exemption("binary_cross_entropy_with_logits of -inf and a target above 1, which is no probability, is nan by the order of PyTorch's steps",
              log_likelihood_of_nothing),
    Exemption("a sum of integers that wants a gradient: an internal assertion of PyTorch",
              counts_gradients_in_integers),
    Exemption("a layer norm of one number at a time gives rounding noise alone, which `!= 0` and the like turn into results",
              normalizes_single_numbers),
    Exemption("the running mean of std_mean and var_mean makes nan of an infinity along some axes and not along others",
              spread_of_infinities),
    Exemption("cosh and sinh of float32 near 89 overflow in PyTorch's loop over vectors and not in that over single "
              "numbers: it depends on where the element stands", overflows_early),
    Exemption("index_put_ of a leaf with what is no tuple of indices has two faults", writes_to_a_leaf_by_no_tuple),
    Exemption("whether elements that were written are read again depends on the order of a loop, where PyTorch does "
              "not notice: its check leaves out views with gaps", reads_what_it_writes, if_it_runs=True),
    Exemption("a scatter_ that reads the tensor itself at wrong places has two faults: PyTorch looks for the overlap before it "
              "looks at the places", scatters_by_itself),
    Exemption("baddbmm(beta=0) multiplies what stood in the memory of its result by 0, which is nan where that was nan",
              forgets_without_clearing),
    Exemption("unique sorts with a comparison that NaN breaks: the order depends on how the C++ library sorts", orders_nan),
    Exemption("unique(sorted=False) gives the order of a hash table of the C++ library", picks_unsorted),
    Exemption("the gradient through a layer_norm whose weights are infinite is NaN or infinity by the order of its sums",
              weighs_by_infinity),
    Exemption("a Linear gives of integers without elements integers that want a gradient: an internal assertion of "
              "PyTorch", ints_through_a_layer),
    Exemption("the gradients of hardswish at 3 and NaN, of softshrink at NaN and of logit at -0 differ between PyTorch's "
              "loop over vectors and that over single numbers", has_kinks_between_loops),
    Exemption("a running product that passes an infinity and a zero is NaN or not by the order of its steps",
              multiplies_infinities),
    Exemption("result_type calls its parameters otherwise for each pair of kinds", names_kinds),
    Exemption("the gradient of cdist to NaN is NaN or not by the norm", measures_nan),
    Exemption("clamp of a Bool is refused for numbers and not for tensors without axes", keeps_bools_between),
    Exemption("the determinant of no matrices leaves no gradient, not even one without elements", determines_nothing),
    Exemption("torch.cholesky, which is deprecated, takes what has no elements for a matrix; torch.linalg.cholesky wants "
              "upper= by name", factors_nothing),
    Exemption("isin(assume_unique=True) of what is not unique: the answer is wrong, and wrong in its own way",
              promises_what_is_not_so),
    Exemption("index_put of an empty list is undefined inside: 'strides() called on an undefined Tensor'",
              puts_at_no_index),
    Exemption("a norm whose keepdim is no bool and that is asked for a type that its p does not take has two faults",
              measures_with_two_faults),
    Exemption("index_select of a tensor without axes gives one number: at no place it is not written, at many places "
              "PyTorch writes beyond it", picks_other_than_one_of_a_number),
)


# ---- statements that fail halfway ----

def bytes_of(storage):
    return torch.empty(0, dtype=torch.uint8).set_(storage.untyped())


class Memory:
    """What the tensors of a scope hold. A write that fails at an index or a zero has written what came before it, in
    an order that depends on strides and on the processor; we write all or nothing."""

    def __init__(self, scope):
        self.scope, self.names = scope, set(scope)
        self.random = torch.get_rng_state()
        self.kept = [(value.detach().storage(), value.detach().storage().clone())
                     for value in scope.values() if isinstance(value, torch.Tensor)]

    def is_changed(self):
        return any(not torch.equal(bytes_of(now), bytes_of(then)) for now, then in self.kept)

    def restore(self):
        """The scope and the generator of random numbers as they were."""
        torch.set_rng_state(self.random)
        for now, then in self.kept:
            now.copy_(then)
        for name in set(self.scope) - self.names:
            del self.scope[name]
