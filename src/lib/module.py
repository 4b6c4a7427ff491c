"""The methods of all layers: what is inside, registered, saved and loaded, converted, done to each in turn."""
from collections import OrderedDict, namedtuple

import torch
from torch import nn

IncompatibleKeys = namedtuple('_IncompatibleKeys', ['missing_keys', 'unexpected_keys'])


def check_name(layer, kind, name, *roles):
    if not isinstance(name, str):
        fail('type', f'{kind} name should be a string. Got {typename(name)}')
    if '.' in name:
        raise KeyError(f'{kind} name can\'t contain "."' + (f', got: {name}' if kind == 'module' else ''))
    if name == '':
        raise KeyError(f'{kind} name can\'t be empty string ""')
    if name not in dict(members(layer, *roles)) and hasattr(layer, name):
        raise KeyError(f"attribute '{name}' already exists")


def tensor_at(layer, path, kind, *roles):
    owner, _, name = path.rpartition('.')
    layer = layer.get_submodule(owner)
    if not hasattr(layer, name):
        fail('attribute', f'{name_of(layer)} has no attribute `{name}`')
    held = dict(members(layer, *roles))
    if name not in held:
        fail('attribute', f'`{name}` is not {kind}')
    return held[name]


def children_of(layer):
    return [(name, child) for name, child in members(layer, 'child') if child is not None]


def saved_in(layer):
    return [(name, tensor) for name, tensor in members(layer, 'parameter', 'buffer') if tensor is not None]


def add_state(layer, prefix, keep_vars, state):
    for name, tensor in saved_in(layer):
        state[prefix + name] = tensor if keep_vars else detached(tensor)
    for name, child in children_of(layer):
        add_state(child, f'{prefix}{name}.', keep_vars, state)


def load_tensor(tensor, key, given, errors):
    if not isinstance(given, torch.Tensor):
        errors.append(f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
                      f'checkpoint but received {type(given)}')
    elif given.shape != tensor.shape:
        errors.append(f'size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, the shape '
                      f'in current model is {tensor.shape}.')
    else:
        assign(tensor, given)


def load_state(layer, state, prefix, missing, unexpected, errors):
    tensors = dict(saved_in(layer))
    for name, tensor in tensors.items():
        if prefix + name in state:
            load_tensor(tensor, prefix + name, state[prefix + name], errors)
        else:
            missing.append(prefix + name)
    known = {*tensors, *dict(members(layer, 'child'))}
    parts = {}
    for key, value in state.items():
        name, dot, _ = key[len(prefix):].partition('.')
        if name not in known:
            unexpected.append(key)
        elif dot:
            parts.setdefault(name, {})[key] = value
    for name, child in children_of(layer):
        load_state(child, parts.get(name, {}), f'{prefix}{name}.', missing, unexpected, errors)


def quoted(keys):
    return ', '.join(f'"{key}"' for key in keys)


class RemovableHandle:
    def __init__(self, hooks, when, hook, other=None, of_backward=None):
        self.hooks, self.id, self.other = hooks, next(reversed(hooks), -1) + 1, other
        hooks[self.id] = (when, hook) if of_backward is None else (when, hook, of_backward)

    def __repr__(self):
        return '<torch.utils.hooks.RemovableHandle object>'

    def remove(self):
        self.hooks.pop(self.id, None)
        self.hooks = {}  # the next hook may have its number
        if self.other:
            self.other.remove()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.remove()


class BackwardHook:
    """A hook that sees the gradients of what a layer gives and of what it was given, and may change the second."""

    def __init__(self, hook):
        self.hook = hook

    def before(self, layer, args):
        self.layer, self.count = layer, len(args)
        self.is_open = not any(isinstance(arg, torch.Tensor) and arg.requires_grad for arg in args)
        return args if self.is_open else passed(self.leave, args, True)

    def after(self, layer, args, result):
        several = isinstance(result, tuple)
        out = passed(self.enter, result if several else (result,), False)
        return out if several else out[0]

    def enter(self, grads):
        self.grad_output = grads
        if self.is_open:
            self.hook(self.layer, (None,) * self.count, grads)

    def leave(self, grads):
        return self.hook(self.layer, grads, self.grad_output)


def passed(see, tensors, fills):
    """The tensors, behind a step whose way back shows their gradients, and takes those that `see` gives instead.
    `fills`: for a tensor without a gradient it gets zeros."""
    from torch.autograd import Function

    class BackwardHookFunction(Function):
        @staticmethod
        def forward(ctx, *tensors):
            ctx.set_materialize_grads(fills)
            ctx.mark_non_differentiable(*[x for x, needs in zip(tensors, ctx.needs_input_grad) if not needs])
            return tensors

        @staticmethod
        def backward(ctx, *grads):
            changed = see(grads)
            return grads if changed is None else changed if isinstance(changed, tuple) else (changed,)

    return BackwardHookFunction.apply(*tensors)


class Module:
    def parameters(self, recurse=True):
        return inside(self, 'parameter', recurse)

    def named_parameters(self, prefix='', recurse=True):
        return inside(self, 'parameter', recurse, prefix)

    def buffers(self, recurse=True):
        return inside(self, 'buffer', recurse)

    def named_buffers(self, prefix='', recurse=True):
        return inside(self, 'buffer', recurse, prefix)

    def children(self):
        return inside(self, 'child', False)

    def named_children(self):
        return inside(self, 'child', False, '')

    def modules(self):
        return inside(self, 'module', True)

    def named_modules(self, memo=None, prefix='', remove_duplicate=True):
        return inside(self, 'module', True, prefix)

    def register_buffer(self, name, tensor, persistent=True):
        check_name(self, 'buffer', name, 'buffer', 'transient')
        if type(tensor).__name__ == 'Complex' and hasattr(tensor, 'parts'):
            if persistent:
                refuse("unsupported.complex.buffer")
            return setattr(self, name, tensor)
        if tensor is not None and not isinstance(tensor, torch.Tensor):
            fail('type', f"cannot assign '{typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)")
        register(self, name, tensor, 'buffer' if persistent else 'transient')

    def register_parameter(self, name, param):
        check_name(self, 'parameter', name, 'parameter')
        if param is not None and not isinstance(param, nn.Parameter):
            fail('type', f"cannot assign '{typename(param)}' object to parameter '{name}' "
                 '(torch.nn.Parameter or None required)')
        register(self, name, param, 'parameter')

    def add_module(self, name, module):
        if module is not None and not isinstance(module, nn.Module):
            fail('type', f'{typename(module)} is not a Module subclass')
        check_name(self, 'module', name, 'child')
        register(self, name, module, 'child')

    def register_module(self, name, module):
        self.add_module(name, module)

    def get_submodule(self, target):
        found = self
        for name in target.split('.') if target else []:
            if not hasattr(found, name):
                fail('attribute', f'{name_of(found)} has no attribute `{name}`')
            found = getattr(found, name)
            if not isinstance(found, nn.Module):
                fail('attribute', f'`{name}` is not an nn.Module')
        return found

    def get_parameter(self, target):
        return tensor_at(self, target, 'an nn.Parameter', 'parameter')

    def get_buffer(self, target):
        return tensor_at(self, target, 'a buffer', 'buffer', 'transient')

    def state_dict(self, destination=None, prefix='', keep_vars=False):
        state = OrderedDict() if destination is None else destination
        add_state(self, prefix, keep_vars, state)
        return state

    def load_state_dict(self, state_dict, strict=True):
        change(self)
        if not isinstance(state_dict, dict):
            fail('type', f'Expected state_dict to be dict-like, got {type(state_dict)}.')
        missing, unexpected, errors = [], [], []
        load_state(self, state_dict, '', missing, unexpected, errors)
        if strict and unexpected:
            errors.insert(0, f'Unexpected key(s) in state_dict: {quoted(unexpected)}. ')
        if strict and missing:
            errors.insert(0, f'Missing key(s) in state_dict: {quoted(missing)}. ')
        if errors:
            fail('shape', f'Error(s) in loading state_dict for {name_of(self)}:\n\t' + '\n\t'.join(errors))
        return IncompatibleKeys(missing, unexpected)

    def train(self, mode=True):
        if not isinstance(mode, bool):
            fail('value', 'training mode is expected to be boolean')
        train(self, mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        change(self)
        for parameter in self.parameters():
            parameter.requires_grad = requires_grad
        return self

    def zero_grad(self, set_to_none=False):
        for parameter in self.parameters():
            if parameter.grad is not None:
                if set_to_none:
                    parameter.grad = None
                else:
                    detached(parameter.grad).zero_()

    def apply(self, fn):
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def to(self, device=None, dtype=None, non_blocking=False):
        for wanted in (device, dtype, non_blocking):
            if isinstance(wanted, torch.Tensor):
                wanted = wanted.dtype
            if isinstance(wanted, torch.dtype):
                convert(self, wanted)
            elif wanted is not None and not isinstance(wanted, bool) and 'cpu' not in str(wanted):
                fail('unsupported', say("unsupported.device"), say("unsupported.device.to"))
        return self

    def cpu(self):
        return self

    def cuda(self, device=None):
        fail('unsupported', say("unsupported.device"), say("unsupported.device.cuda"))

    def float(self):
        return self.to(torch.float32)

    def double(self):
        return self.to(torch.float64)

    def half(self):
        refuse("unsupported.layer.half")

    def bfloat16(self):
        return self.to(torch.bfloat16)

    def register_forward_hook(self, hook):
        return RemovableHandle(hooks_of(self), 'after', hook)

    def register_forward_pre_hook(self, hook):
        return RemovableHandle(hooks_of(self), 'before', hook)

    def register_full_backward_hook(self, hook):
        seen = BackwardHook(hook)
        first = RemovableHandle(hooks_of(self), 'before', seen.before, None, hook)
        return RemovableHandle(hooks_of(self), 'after', seen.after, first, hook)

    def reset_parameters(self):
        """Draws them anew, as a layer does that is made now."""
        change(self)
        tensors = dict(members(self, 'parameter', 'buffer'))
        for name, tensor in saved_in(anew(self)):
            if tensors.get(name) is not None:
                assign(tensors[name], tensor)

    def reset_running_stats(self):
        """Of a normalization: as if it had seen nothing."""
        change(self)
        for name, value in (('running_mean', 0), ('running_var', 1), ('num_batches_tracked', 0)):
            if getattr(self, name) is not None:
                getattr(self, name).fill_(value)

    def extra_repr(self):
        return settings_of(self)

    def _get_name(self):
        return name_of(self)

    def __repr__(self):
        return repr_of(self)

    def __getattr__(self, name):
        registered = dict(members(self, 'parameter', 'buffer', 'transient', 'child'))
        if name not in registered:
            fail('attribute', f"'{name_of(self)}' object has no attribute '{name}'")
        return registered[name]

    def __setattr__(self, name, value):
        set_attribute(self, name, value)
