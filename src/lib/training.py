"""What training loops wrap themselves in for a GPU: mixed precision, which does nothing here, and checkpoints.

torch.cuda.amp, torch.autocast and torch.utils.checkpoint as PyTorch has them on a machine without CUDA.
"""
from contextlib import contextmanager
from functools import wraps
import warnings

import torch


class autocast:
    def __init__(self, device_type='cuda', dtype=None, enabled=True, cache_enabled=None):
        if isinstance(device_type, bool):  # torch.cuda.amp has one that names no device
            device_type, enabled = 'cuda', device_type
        if device_type not in ('cuda', 'cpu', 'xpu'):
            raise RuntimeError('User specified autocast device_type must be \'cuda\' or \'cpu\'')
        if device_type == 'cpu' and enabled:
            refuse("unsupported.autocast")
        if enabled:
            warnings.warn(f"User provided device_type of '{device_type}', but CUDA is not available. Disabling")

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return False

    def __call__(self, func):
        @wraps(func)
        def inside(*args, **kwargs):
            with self:
                return func(*args, **kwargs)

        return inside


class GradScaler:
    def __init__(self, init_scale=2. ** 16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        if enabled:
            warnings.warn('torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.')

    def scale(self, outputs):
        return outputs

    def unscale_(self, optimizer):
        pass

    def step(self, optimizer, *args, **kwargs):
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        pass

    def get_scale(self):
        return 1.0

    def is_enabled(self):
        return False

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        pass


def checkpoint(function, *args, use_reentrant=True, **kwargs):
    kwargs.pop('preserve_rng_state', True)
    if use_reentrant and kwargs:
        raise ValueError('Unexpected keyword arguments: ' + ','.join(kwargs))
    if not use_reentrant:
        return function(*args, **kwargs)
    if not any(isinstance(arg, torch.Tensor) and arg.requires_grad for arg in args):
        warnings.warn('None of the inputs have requires_grad=True. Gradients will be None')
    result = function(*args)
    for output in result if isinstance(result, tuple) else (result,):
        if isinstance(output, torch.Tensor):
            history(output, 'CheckpointFunctionBackward')
    return result


def checkpoint_sequential(functions, segments, input, **kwargs):
    for function in functions.children() if hasattr(functions, 'children') else functions:
        input = function(input)
    return input


# ---- torch.jit: what is compiled there runs here as it is written ----

def script(obj, *settings, **named):
    return obj


def trace(func, example_inputs=None, *settings, **named):
    return func


def ignore(drop=False, **kwargs):
    return drop if callable(drop) else lambda function: function


def export(fn):
    return fn


def unused(fn):
    return fn


def is_scripting():
    return False


def is_tracing():
    return False


def get_num_threads():
    return 1


@contextmanager
def fork_rng(devices=None, enabled=True):
    """What is drawn inside leaves the numbers after it as they were."""
    state = torch.get_rng_state()
    try:
        yield
    finally:
        if enabled:
            torch.set_rng_state(state)
