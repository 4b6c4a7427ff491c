"""torch.optim and torch.optim.lr_scheduler: how parameters move along their gradients.

The arithmetic is PyTorch's, step by step: which sums round once and which numbers are doubles.
"""
import math
from collections import defaultdict

import torch


class Optimizer:
    def __init__(self, params, defaults):
        if isinstance(params, torch.Tensor):
            raise TypeError('params argument given to the optimizer should be an iterable of Tensors or dicts, but got '
                            + typename(params))
        groups = list(params)
        if not groups:
            raise ValueError('optimizer got an empty parameter list')
        if not isinstance(groups[0], dict):
            groups = [{'params': groups}]
        self.defaults = defaults
        self.state = defaultdict(dict)
        self.param_groups = []
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        group = {**param_group, **{k: v for k, v in self.defaults.items() if k not in param_group}}
        group['params'] = [group['params']] if isinstance(group['params'], torch.Tensor) else list(group['params'])
        for parameter in group['params']:
            if not isinstance(parameter, torch.Tensor):
                raise TypeError('optimizer can only optimize Tensors, but one of the params is ' + typename(parameter))
            if not parameter.is_leaf:
                raise ValueError("can't optimize a non-leaf Tensor")
        self.param_groups.append(group)

    def zero_grad(self, set_to_none=False):
        for group in self.param_groups:
            clear_grads(group['params'], set_to_none)

    def step(self, closure=None):
        loss = closure() if closure is not None else None
        moved = [(p, group) for group in self.param_groups for p in group['params'] if p.grad is not None]

        def move():
            with torch.no_grad():
                for parameter, group in moved:
                    self.move(parameter, parameter.grad, self.state[parameter], group)
        as_op('optimizer_step', move, [parameter for parameter, _ in moved])
        return loss

    def state_dict(self):
        places = {id(p): i for i, p in enumerate(p for group in self.param_groups for p in group['params'])}
        groups = [{**{k: v for k, v in group.items() if k != 'params'}, 'params': [places[id(p)] for p in group['params']]}
                  for group in self.param_groups]
        return {'state': {places[id(p)]: state for p, state in self.state.items()}, 'param_groups': groups}

    def load_state_dict(self, state_dict):
        parameters = [p for group in self.param_groups for p in group['params']]
        if len(state_dict['param_groups']) != len(self.param_groups):
            raise ValueError('loaded state dict has a different number of parameter groups')
        sizes = [len(group['params']) for group in state_dict['param_groups']]
        if sizes != [len(group['params']) for group in self.param_groups]:
            raise ValueError("loaded state dict contains a parameter group that doesn't match the size of optimizer's "
                             'group')
        for group, saved in zip(self.param_groups, state_dict['param_groups']):
            group.update({k: v for k, v in saved.items() if k != 'params'})
        for place, state in state_dict['state'].items():
            self.state[parameters[place]] = {k: v.clone() if isinstance(v, torch.Tensor) else v for k, v in state.items()}

    def __repr__(self):
        lines = [type(self).__name__ + ' (']
        for i, group in enumerate(self.param_groups):
            lines += [''] * (i > 0) + [f'Parameter Group {i}']
            lines += [f'    {key}: {group[key]}' for key in sorted(group) if key != 'params']
        return '\n'.join(lines + [')'])


def clear_grads(parameters, set_to_none):
    with torch.no_grad():
        for parameter in parameters:
            if parameter.grad is not None:
                if set_to_none:
                    parameter.grad = None
                else:
                    parameter.grad.zero_()


def check_at_least(least, **named):
    for name, value in named.items():
        if not value >= least:
            raise ValueError(f'Invalid {name.replace("_", " ")}: {value}' if name == 'learning_rate' else
                             f'Invalid {name} value: {value}')


class SGD(Optimizer):
    def __init__(self, params, lr=None, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False,
                 foreach=None, differentiable=False):
        if lr is None:
            raise ValueError("parameter group didn't specify a value of required optimization parameter lr")
        check_at_least(0, learning_rate=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError('Nesterov momentum requires a momentum and zero dampening')
        super().__init__(params, dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay,
                                      nesterov=nesterov, maximize=maximize, foreach=foreach,
                                      differentiable=differentiable))

    def move(self, p, grad, state, group):
        if group['maximize']:
            grad = -grad
        if group['weight_decay'] != 0:
            grad = grad.add(p, alpha=group['weight_decay'])
        if group['momentum'] != 0:
            if state.get('momentum_buffer') is None:
                state['momentum_buffer'] = grad.clone()
            else:
                state['momentum_buffer'].mul_(group['momentum']).add_(grad, alpha=1 - group['dampening'])
            moved = state['momentum_buffer']
            grad = grad.add(moved, alpha=group['momentum']) if group['nesterov'] else moved
        p.add_(grad, alpha=-group['lr'])


class Adam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, foreach=None,
                 maximize=False, capturable=False, differentiable=False, fused=False):
        check_at_least(0, learning_rate=lr, epsilon=eps, weight_decay=weight_decay)
        for i, beta in enumerate(betas):
            if not 0 <= beta < 1:
                raise ValueError(f'Invalid beta parameter at index {i}: {beta}')
        if amsgrad:
            refuse("unsupported.gradient.amsgrad")
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad,
                                      maximize=maximize, foreach=foreach, capturable=capturable,
                                      differentiable=differentiable, fused=fused))

    def decayed(self, p, grad, group):
        return grad.add(p, alpha=group['weight_decay']) if group['weight_decay'] != 0 else grad

    def move(self, p, grad, state, group):
        if group['maximize']:
            grad = -grad
        grad = self.decayed(p, grad, group)
        beta1, beta2 = group['betas']
        if not state:
            state['step'] = torch.tensor(0.)
            state['exp_avg'] = torch.zeros_like(p)
            state['exp_avg_sq'] = torch.zeros_like(p)
        state['step'] += 1
        step = state['step'].item()
        average = state['exp_avg'].mul_(beta1).add_(grad, alpha=1 - beta1)
        squares = state['exp_avg_sq'].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        bound = (squares.sqrt() / math.sqrt(1 - beta2 ** step)).add_(group['eps'])
        p.addcdiv_(average, bound, value=-(group['lr'] / (1 - beta1 ** step)))


class AdamW(Adam):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, **others):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **others)

    def decayed(self, p, grad, group):
        p.mul_(1 - group['lr'] * group['weight_decay'])
        return grad


# ---- schedules ----

class _LRScheduler:
    def __init__(self, optimizer, last_epoch=-1, verbose=False):
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            group.setdefault('initial_lr', group['lr'])
        self.base_lrs = [group['initial_lr'] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self.step()

    def step(self, epoch=None):
        self.last_epoch += 1
        for group, lr in zip(self.optimizer.param_groups, self.get_lr()):
            group['lr'] = lr
        self._last_lr = [group['lr'] for group in self.optimizer.param_groups]

    def get_last_lr(self):
        return self._last_lr

    def current(self):
        return [group['lr'] for group in self.optimizer.param_groups]


class LambdaLR(_LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1, verbose=False):
        count = len(optimizer.param_groups)
        self.lr_lambdas = list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * count
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [base * function(self.last_epoch) for base, function in zip(self.base_lrs, self.lr_lambdas)]


class StepLR(_LRScheduler):
    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1, verbose=False):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        falls = self.last_epoch > 0 and self.last_epoch % self.step_size == 0
        return [lr * self.gamma if falls else lr for lr in self.current()]


class ExponentialLR(_LRScheduler):
    def __init__(self, optimizer, gamma, last_epoch=-1, verbose=False):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [lr * self.gamma if self.last_epoch > 0 else lr for lr in self.current()]


class CosineAnnealingLR(_LRScheduler):
    def __init__(self, optimizer, T_max, eta_min=0, last_epoch=-1, verbose=False):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        now, half, least = self.last_epoch, self.T_max, self.eta_min
        if now == 0:
            return self.current()
        if (now - 1 - half) % (2 * half) == 0:
            return [lr + (base - least) * (1 - math.cos(math.pi / half)) / 2
                    for base, lr in zip(self.base_lrs, self.current())]
        part = (1 + math.cos(math.pi * now / half)) / (1 + math.cos(math.pi * (now - 1) / half))
        return [part * (lr - least) + least for lr in self.current()]


# ---- torch.nn.utils ----

def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False):
    parameters = [parameters] if isinstance(parameters, torch.Tensor) else parameters
    grads = [p.grad for p in parameters if p.grad is not None]
    if not grads:
        return torch.tensor(0.)
    with torch.no_grad():
        if norm_type == math.inf:
            total = torch.stack([grad.abs().max() for grad in grads]).max()
        else:
            total = torch.norm(torch.stack([torch.norm(grad, norm_type) for grad in grads]), norm_type)
        part = torch.clamp(max_norm / (total + 1e-6), max=1.0)
        for grad in grads:
            grad.mul_(part)
    return total


def clip_grad_value_(parameters, clip_value):
    parameters = [parameters] if isinstance(parameters, torch.Tensor) else parameters
    with torch.no_grad():
        for parameter in parameters:
            if parameter.grad is not None:
                parameter.grad.clamp_(min=-clip_value, max=clip_value)
