"""torch.optim: how parameters move along their gradients; and what torch.nn.utils does to all of them.

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
            fail('value', 'optimizer got an empty parameter list', say("optimizer.empty.hint"))
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
                fail('value', "can't optimize a non-leaf Tensor", say("optimizer.leaf.hint"))
        others = {id(parameter) for other in self.param_groups for parameter in other['params']}
        if any(id(parameter) in others for parameter in group['params']):
            raise ValueError('some parameters appear in more than one parameter group')
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
                    grad = -parameter.grad if group.get('maximize') else parameter.grad
                    self.move(parameter, self.decayed(parameter, grad, group), self.state[parameter], group)
        as_op('optimizer_step', move, [parameter for parameter, _ in moved])
        return loss

    def decayed(self, p, grad, group):
        return grad.add(p, alpha=group['weight_decay']) if group['weight_decay'] != 0 else grad

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
            if name == 'learning_rate':
                fail('value', f'Invalid learning rate: {value}', say("optimizer.rate.hint"))
            raise ValueError(f'Invalid {name} value: {value}')


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
        if group['momentum'] == 0:
            state['momentum_buffer'] = None
        else:
            if state.get('momentum_buffer') is None:
                state['momentum_buffer'] = grad.clone()
            else:
                state['momentum_buffer'].mul_(group['momentum']).add_(grad, alpha=1 - group['dampening'])
            moved = state['momentum_buffer']
            grad = grad.add(moved, alpha=group['momentum']) if group['nesterov'] else moved
        p.add_(grad, alpha=-group['lr'])


def check_adam(lr, betas, eps, weight_decay):
    check_at_least(0, learning_rate=lr, epsilon=eps, weight_decay=weight_decay)
    for i in range(2):
        if not 0 <= betas[i] < 1:
            raise ValueError(f'Invalid beta parameter at index {i}: {betas[i]}')


class Adam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, foreach=None,
                 maximize=False, capturable=False, differentiable=False, fused=False):
        check_adam(lr, betas, eps, weight_decay)
        if fused:
            raise RuntimeError('FusedAdam requires all the params to be CUDA, floating point')
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad,
                                      maximize=maximize, foreach=foreach, capturable=capturable,
                                      differentiable=differentiable, fused=fused))

    def move(self, p, grad, state, group):
        beta1, beta2 = group['betas']
        if not state:
            state['step'] = torch.tensor(0.)
            state['exp_avg'] = torch.zeros_like(p)
            state['exp_avg_sq'] = torch.zeros_like(p)
            if group['amsgrad']:
                state['max_exp_avg_sq'] = torch.zeros_like(p)
        state['step'] += 1
        step = state['step'].item()
        average = state['exp_avg'].mul_(beta1).add_(grad, alpha=1 - beta1)
        squares = state['exp_avg_sq'].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        if group['amsgrad']:
            squares = state['max_exp_avg_sq'].copy_(torch.maximum(state['max_exp_avg_sq'], squares))
        bound = (squares.sqrt() / math.sqrt(1 - beta2 ** step)).add_(group['eps'])
        p.addcdiv_(average, bound, value=-(group['lr'] / (1 - beta1 ** step)))


class AdamW(Adam):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *,
                 maximize=False, foreach=None, capturable=False):
        check_adam(lr, betas, eps, weight_decay)
        Optimizer.__init__(self, params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad,
                                              foreach=foreach, maximize=maximize, capturable=capturable))

    def decayed(self, p, grad, group):
        p.mul_(1 - group['lr'] * group['weight_decay'])
        return grad


class RMSprop(Optimizer):
    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, foreach=None,
                 maximize=False, differentiable=False):
        check_at_least(0, learning_rate=lr, epsilon=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        super().__init__(params, dict(lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered,
                                      weight_decay=weight_decay, foreach=foreach, maximize=maximize,
                                      differentiable=differentiable))

    def move(self, p, grad, state, group):
        alpha = group['alpha']
        if not state:
            state['step'] = 0
            state['square_avg'] = torch.zeros_like(p)
            if group['momentum'] > 0:
                state['momentum_buffer'] = torch.zeros_like(p)
            if group['centered']:
                state['grad_avg'] = torch.zeros_like(p)
        state['step'] += 1
        squares = state['square_avg'].mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
        if group['centered']:
            average = state['grad_avg'].mul_(alpha).add_(grad, alpha=1 - alpha)
            squares = squares.addcmul(average, average, value=-1)
        bound = squares.sqrt().add_(group['eps'])
        if group['momentum'] > 0:
            p.add_(state['momentum_buffer'].mul_(group['momentum']).addcdiv_(grad, bound), alpha=-group['lr'])
        else:
            p.addcdiv_(grad, bound, value=-group['lr'])


class Adagrad(Optimizer):
    def __init__(self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None,
                 *, maximize=False):
        check_at_least(0, learning_rate=lr, lr_decay=lr_decay, weight_decay=weight_decay,
                       initial_accumulator_value=initial_accumulator_value, epsilon=eps)
        super().__init__(params, dict(lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay,
                                      initial_accumulator_value=initial_accumulator_value, foreach=foreach,
                                      maximize=maximize))
        for group in self.param_groups:
            for p in group['params']:
                self.state[p] = {'step': torch.tensor(0.), 'sum': torch.full_like(p, initial_accumulator_value)}

    def move(self, p, grad, state, group):
        state['step'] += 1
        rate = group['lr'] / (1 + (state['step'].item() - 1) * group['lr_decay'])
        p.addcdiv_(grad, state['sum'].addcmul_(grad, grad, value=1).sqrt().add_(group['eps']), value=-rate)


class Adadelta(Optimizer):
    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, maximize=False):
        check_at_least(0, learning_rate=lr)
        if not 0 <= rho <= 1:
            raise ValueError(f'Invalid rho value: {rho}')
        check_at_least(0, epsilon=eps, weight_decay=weight_decay)
        super().__init__(params, dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize,
                                      foreach=foreach))

    def move(self, p, grad, state, group):
        if not state:
            state['step'], state['square_avg'], state['acc_delta'] = 0, torch.zeros_like(p), torch.zeros_like(p)
        state['step'] += 1
        rho, eps = group['rho'], group['eps']
        squares = state['square_avg'].mul_(rho).addcmul_(grad, grad, value=1 - rho)
        delta = state['acc_delta'].add(eps).sqrt_().div_(squares.add(eps).sqrt_()).mul_(grad)
        state['acc_delta'].mul_(rho).addcmul_(delta, delta, value=1 - rho)
        p.add_(delta, alpha=-group['lr'])


class Adamax(Optimizer):
    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False):
        check_adam(lr, betas, eps, weight_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, foreach=foreach,
                                      maximize=maximize))

    def move(self, p, grad, state, group):
        beta1, beta2 = group['betas']
        if not state:
            state['step'] = torch.tensor(0.)
            state['exp_avg'], state['exp_inf'] = torch.zeros_like(p), torch.zeros_like(p)
        state['step'] += 1
        average = state['exp_avg'].mul_(beta1).add_(grad, alpha=1 - beta1)
        largest = torch.stack([state['exp_inf'].mul_(beta2), grad.abs().add_(group['eps'])]).amax(0)
        state['exp_inf'].copy_(largest)
        p.addcdiv_(average, largest, value=-(group['lr'] / (1 - beta1 ** state['step'].item())))


class NAdam(Optimizer):
    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3, foreach=None):
        check_adam(lr, betas, eps, weight_decay)
        check_at_least(0, momentum_decay=momentum_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay,
                                      momentum_decay=momentum_decay, foreach=foreach))

    def move(self, p, grad, state, group):
        beta1, beta2 = group['betas']
        if not state:
            state['step'], state['mu_product'] = torch.tensor(0.), torch.tensor(1.)
            state['exp_avg'], state['exp_avg_sq'] = torch.zeros_like(p), torch.zeros_like(p)
        state['step'] += 1
        step = state['step'].item()
        mu, next_mu = [beta1 * (1 - 0.5 * 0.96 ** (n * group['momentum_decay'])) for n in (step, step + 1)]
        state['mu_product'] *= mu
        product, next_product = state['mu_product'].item(), (state['mu_product'] * mu * next_mu).item()
        average = state['exp_avg'].mul_(beta1).add_(grad, alpha=1 - beta1)
        squares = state['exp_avg_sq'].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        bound = squares.div(1 - beta2 ** step).sqrt().add_(group['eps'])
        p.addcdiv_(grad, bound, value=-group['lr'] * (1 - mu) / (1 - product))
        p.addcdiv_(average, bound, value=-group['lr'] * next_mu / (1 - next_product))


class RAdam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None):
        check_adam(lr, betas, eps, weight_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, foreach=foreach))

    def move(self, p, grad, state, group):
        beta1, beta2 = group['betas']
        if not state:
            state['step'] = torch.tensor(0.)
            state['exp_avg'], state['exp_avg_sq'] = torch.zeros_like(p), torch.zeros_like(p)
        state['step'] += 1
        step = state['step'].item()
        average = state['exp_avg'].mul_(beta1).add_(grad, alpha=1 - beta1) / (1 - beta1 ** step)
        squares = state['exp_avg_sq'].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        rest, most = 1 - beta2 ** step, 2 / (1 - beta2) - 1
        length = most - 2 * step * (beta2 ** step) / rest  # of the average, in steps
        move = average * group['lr']
        if length > 5:
            rect = math.sqrt((length - 4) * (length - 2) * most / ((most - 4) * (most - 2) * length))
            move = move * (math.sqrt(rest) / squares.sqrt().add_(group['eps'])) * rect
        p.add_(move, alpha=-1.0)


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
        if error_if_nonfinite and not total.isfinite():
            raise RuntimeError(f'The total norm of order {float(norm_type)} for gradients from `parameters` is '
                               'non-finite, so it cannot be clipped. To disable this error and scale the gradients by '
                               'the non-finite norm anyway, set `error_if_nonfinite=False`')
        part = torch.clamp(max_norm / (total + 1e-6), max=1.0)
        for grad in grads:
            grad.mul_(part)
    return total


clip_grad_norm = clip_grad_norm_  # its older name


def parameters_to_vector(parameters):
    return torch.cat([parameter.view(-1) for parameter in parameters])


def vector_to_parameters(vec, parameters):
    if not isinstance(vec, torch.Tensor):
        raise TypeError(f'expected torch.Tensor, but got: {typename(vec)}')
    begin = 0
    for parameter in parameters:
        parameter.data = vec[begin:begin + parameter.numel()].view_as(parameter).data
        begin += parameter.numel()


def clip_grad_value_(parameters, clip_value):
    parameters = [parameters] if isinstance(parameters, torch.Tensor) else parameters
    with torch.no_grad():
        for parameter in parameters:
            if parameter.grad is not None:
                parameter.grad.clamp_(min=-clip_value, max=clip_value)
