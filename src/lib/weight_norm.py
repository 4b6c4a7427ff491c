"""torch.nn.utils.weight_norm: a weight as a direction and a length, each learned by itself."""
import torch
from torch import nn


def lengths(v, dim):
    """The norm along all axes but one; of -1 along all."""
    if dim == -1:
        return v.norm()
    return v.norm(2, [axis for axis in range(v.dim()) if axis != dim % v.dim()], keepdim=True)


class WeightNorm:
    """Makes the weight anew before every forward."""

    def __init__(self, name, dim):
        self.name, self.dim = name, dim

    def compute_weight(self, module):
        g, v = getattr(module, self.name + '_g'), getattr(module, self.name + '_v')
        name = 'WeightNormInterfaceBackward0' if self.dim in (0, v.dim() - 1) else 'MulBackward0'
        return history(v * (g / lengths(v, self.dim)), name)

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module))


def weight_norms(module, name):
    return [(number, hook) for number, hook in module._forward_pre_hooks.items()
            if isinstance(hook, WeightNorm) and hook.name == name]


def weight_norm(module, name='weight', dim=0):
    if weight_norms(module, name):
        fail('runtime', f'Cannot register two weight_norm hooks on the same parameter {name}')
    norm, weight = WeightNorm(name, -1 if dim is None else dim), getattr(module, name)
    unregister(module, name)
    module.register_parameter(name + '_g', nn.Parameter(lengths(weight.detach(), norm.dim)))
    module.register_parameter(name + '_v', nn.Parameter(weight.detach()))
    setattr(module, name, norm.compute_weight(module))
    module.register_forward_pre_hook(norm)
    return module


def remove_weight_norm(module, name='weight'):
    for number, norm in weight_norms(module, name):
        weight = norm.compute_weight(module).detach()
        for part in (name, name + '_g', name + '_v'):
            unregister(module, part)
        setattr(module, name, nn.Parameter(weight))
        del module._forward_pre_hooks[number]
        return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")
