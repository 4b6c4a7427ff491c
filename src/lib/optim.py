"""torch.optim and torch.optim.lr_scheduler: how parameters move along their gradients.

The arithmetic is PyTorch's, step by step: which sums round once and which numbers are doubles.
"""
import math
from collections import Counter, defaultdict

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
                    grad = -parameter.grad if group['maximize'] else parameter.grad
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
        if group['momentum'] != 0:
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


class NAdam(Optimizer):
    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3, foreach=None):
        check_adam(lr, betas, eps, weight_decay)
        check_at_least(0, momentum_decay=momentum_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=False,
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
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, foreach=foreach,
                                      maximize=False))

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


# ---- schedules ----

class _LRScheduler:
    def __init__(self, optimizer, last_epoch=-1, verbose=False):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f'{typename(optimizer)} is not an Optimizer')
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault('initial_lr', group['lr'])
            elif 'initial_lr' not in group:
                raise KeyError(f"param 'initial_lr' is not specified in param_groups[{i}] when resuming an optimizer")
        self.base_lrs = [group['initial_lr'] for group in optimizer.param_groups]
        self.last_epoch, self.verbose, self._step_count = last_epoch, verbose, 0
        self.step()

    def step(self, epoch=None):
        self._step_count += 1
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        leaps = epoch is not None and hasattr(self, '_get_closed_form_lr')
        self.set_lr(epoch, self._get_closed_form_lr if leaps else self.get_lr)

    def set_lr(self, epoch, get_lr):
        self._get_lr_called_within_step = True
        rates = get_lr()
        self._get_lr_called_within_step = False
        for i, (group, lr) in enumerate(zip(self.optimizer.param_groups, rates)):
            group['lr'] = lr
            self.print_lr(self.verbose, i, lr, epoch)
        self._last_lr = self.current()

    def print_lr(self, is_verbose, group, lr, epoch=None):
        if is_verbose:
            print(f'Adjusting learning rate of group {group} to {lr:.4e}.' if epoch is None else
                  f'Epoch {epoch_text(epoch)}: adjusting learning rate of group {group} to {lr:.4e}.')

    def get_last_lr(self):
        return self._last_lr

    def current(self):
        return [group['lr'] for group in self.optimizer.param_groups]

    def state_dict(self):
        return {key: value for key, value in self.__dict__.items() if key != 'optimizer'}

    def load_state_dict(self, state_dict):
        self.__dict__.update(state_dict)


def epoch_text(epoch):
    return ('%.2f' if isinstance(epoch, float) else '%.5d') % epoch


def of_groups(optimizer, value, wrong_count):
    count = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise ValueError(wrong_count.format(count, len(value)))
    return list(value)


class LambdaLR(_LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1, verbose=False):
        self.lr_lambdas = of_groups(optimizer, lr_lambda, 'Expected {} lr_lambdas, but got {}')
        super().__init__(optimizer, last_epoch, verbose)

    # Functions are not saved; of an object that can be called its members are.
    def state_dict(self):
        state = super().state_dict()
        functions = state.pop('lr_lambdas')
        return {**state, 'lr_lambdas': [None if typename(f) == 'function' else dict(f.__dict__) for f in functions]}

    def load_state_dict(self, state_dict):
        self.__dict__.update({key: value for key, value in state_dict.items() if key != 'lr_lambdas'})
        for function, members in zip(self.lr_lambdas, state_dict['lr_lambdas']):
            if members is not None:
                function.__dict__.update(members)

    def get_lr(self):
        return [base * function(self.last_epoch) for base, function in zip(self.base_lrs, self.lr_lambdas)]


class MultiplicativeLR(LambdaLR):
    def get_lr(self):
        if self.last_epoch == 0:
            return self.current()
        return [rate * function(self.last_epoch) for rate, function in zip(self.current(), self.lr_lambdas)]


class ConstantLR(_LRScheduler):
    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1, verbose=False):
        if factor > 1.0 or factor < 0:
            raise ValueError('Constant multiplicative factor expected to be between 0 and 1.')
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        if self.last_epoch == 0:
            return [rate * self.factor for rate in self.current()]
        if self.last_epoch != self.total_iters:
            return self.current()
        return [rate * (1.0 / self.factor) for rate in self.current()]


class PolynomialLR(_LRScheduler):
    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1, verbose=False):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        if self.last_epoch == 0 or self.last_epoch > self.total_iters:
            return self.current()
        left, before = 1.0 - self.last_epoch / self.total_iters, 1.0 - (self.last_epoch - 1) / self.total_iters
        return [rate * (left / before) ** self.power for rate in self.current()]


class SequentialLR:
    """One schedule after the other, each from its milestone on."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1, verbose=False):
        if len(milestones) != len(schedulers) - 1:
            raise ValueError('Sequential Schedulers expects number of schedulers provided to be one more than the number '
                             f'of milestone points, but got number of schedulers {len(schedulers)} and the number of '
                             f'milestones to be equal to {len(milestones)}')
        self._schedulers, self._milestones, self.last_epoch, self.optimizer = schedulers, milestones, last_epoch + 1, optimizer
        for group in optimizer.param_groups:
            group['lr'] = group['initial_lr']
        for scheduler in schedulers:
            scheduler.last_epoch -= 1
        schedulers[0].step()
        self._last_lr = schedulers[0].get_last_lr()

    def step(self):
        self.last_epoch += 1
        number = len([milestone for milestone in self._milestones if milestone <= self.last_epoch])
        scheduler = self._schedulers[number]
        if number > 0 and self._milestones[number - 1] == self.last_epoch:
            scheduler.step(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()

    def get_last_lr(self):
        return self._last_lr


class StepLR(_LRScheduler):
    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1, verbose=False):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        falls = self.last_epoch > 0 and self.last_epoch % self.step_size == 0
        return [lr * self.gamma if falls else lr for lr in self.current()]

    def _get_closed_form_lr(self):
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class MultiStepLR(_LRScheduler):
    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1, verbose=False):
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        falls = self.milestones[self.last_epoch]
        return [lr * self.gamma ** falls if falls else lr for lr in self.current()]

    def _get_closed_form_lr(self):
        falls = sum(count for milestone, count in self.milestones.items() if milestone <= self.last_epoch)
        return [base * self.gamma ** falls for base in self.base_lrs]


class LinearLR(_LRScheduler):
    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1, verbose=False):
        if not 0 <= start_factor <= 1:
            raise ValueError('Starting multiplicative factor expected to be between 0 and 1.')
        if not 0 <= end_factor <= 1:
            raise ValueError('Ending multiplicative factor expected to be between 0 and 1.')
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        if self.last_epoch == 0:
            return [lr * self.start_factor for lr in self.current()]
        if self.last_epoch > self.total_iters:
            return self.current()
        rise = self.end_factor - self.start_factor
        return [lr * (1. + rise / (self.total_iters * self.start_factor + (self.last_epoch - 1) * rise))
                for lr in self.current()]

    def _get_closed_form_lr(self):
        rise = self.end_factor - self.start_factor
        return [base * (self.start_factor + rise * min(self.total_iters, self.last_epoch) / self.total_iters)
                for base in self.base_lrs]


class ExponentialLR(_LRScheduler):
    def __init__(self, optimizer, gamma, last_epoch=-1, verbose=False):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        return [lr * self.gamma if self.last_epoch > 0 else lr for lr in self.current()]

    def _get_closed_form_lr(self):
        return [base * self.gamma ** self.last_epoch for base in self.base_lrs]


class CosineAnnealingLR(_LRScheduler):
    def __init__(self, optimizer, T_max, eta_min=0, last_epoch=-1, verbose=False):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        now, half, least = self.last_epoch, self.T_max, self.eta_min
        if now == 0:
            return self.current()
        if (now - 1 - half) % (2 * half) == 0:
            return [lr + (base - least) * (1 - math.cos(math.pi / half)) / 2
                    for base, lr in zip(self.base_lrs, self.current())]
        part = (1 + math.cos(math.pi * now / half)) / (1 + math.cos(math.pi * (now - 1) / half))
        return [part * (lr - least) + least for lr in self.current()]

    def _get_closed_form_lr(self):
        return [self.eta_min + (base - self.eta_min) * (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
                for base in self.base_lrs]


class CosineAnnealingWarmRestarts(_LRScheduler):
    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0, last_epoch=-1, verbose=False):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f'Expected positive integer T_0, but got {T_0}')
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f'Expected integer T_mult >= 1, but got {T_mult}')
        self.T_0, self.T_i, self.T_mult, self.eta_min, self.T_cur = T_0, T_0, T_mult, eta_min, last_epoch
        super().__init__(optimizer, last_epoch, verbose)

    def step(self, epoch=None):
        epoch = 0 if epoch is None and self.last_epoch < 0 else epoch
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur, self.T_i = self.T_cur - self.T_i, self.T_i * self.T_mult
        else:
            self.leap(epoch)
        self.last_epoch = math.floor(epoch)
        self.set_lr(epoch, self.get_lr)

    def leap(self, epoch):
        if epoch < 0:
            raise ValueError(f'Expected non-negative epoch, but got {epoch}')
        if epoch < self.T_0:
            self.T_cur, self.T_i = epoch, self.T_0
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            restarts = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult ** restarts - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult ** restarts

    def get_lr(self):
        return [self.eta_min + (base - self.eta_min) * (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
                for base in self.base_lrs]


class OneCycleLR(_LRScheduler):
    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3,
                 anneal_strategy='cos', cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.,
                 final_div_factor=1e4, three_phase=False, last_epoch=-1, verbose=False):
        if total_steps is None and epochs is None and steps_per_epoch is None:
            raise ValueError('You must define either total_steps OR (epochs AND steps_per_epoch)')
        self.total_steps = epochs * steps_per_epoch if total_steps is None else total_steps
        if anneal_strategy not in ('cos', 'linear'):
            raise ValueError(f"anneal_strategy must by one of 'cos' or 'linear', instead got {anneal_strategy}")
        # Where each phase ends, and the rates and momentums between which it goes.
        rise, end = float(pct_start * self.total_steps) - 1, self.total_steps - 1
        phases = [(rise, ('initial_lr', 'max_lr'), ('max_momentum', 'base_momentum'))]
        if three_phase:
            phases += [(float(2 * pct_start * self.total_steps) - 2, ('max_lr', 'initial_lr'),
                        ('base_momentum', 'max_momentum')),
                       (end, ('initial_lr', 'min_lr'), ('max_momentum', 'max_momentum'))]
        else:
            phases += [(end, ('max_lr', 'min_lr'), ('base_momentum', 'max_momentum'))]
        self._schedule_phases = [{'end_step': end, 'start_lr': rates[0], 'end_lr': rates[1],
                                  'start_momentum': momentums[0], 'end_momentum': momentums[1]}
                                 for end, rates, momentums in phases]
        self.anneal_func = self._annealing_cos if anneal_strategy == 'cos' else self._annealing_linear
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = 'betas' in optimizer.defaults
            if not self.use_beta1 and 'momentum' not in optimizer.defaults:
                raise ValueError('optimizer must support momentum with `cycle_momentum` option enabled')
        of = lambda name, value: of_groups(optimizer, value, 'expected {} values for ' + name + ', got {}')
        of_each = zip(optimizer.param_groups, of('max_lr', max_lr), of('max_momentum', max_momentum),
                      of('base_momentum', base_momentum))
        for group, lr, largest, least in of_each if last_epoch == -1 else []:
            group['initial_lr'] = lr / div_factor
            group['max_lr'] = lr
            group['min_lr'] = group['initial_lr'] / final_div_factor
            if cycle_momentum:
                self.set_momentum(group, largest)
                group['max_momentum'], group['base_momentum'] = largest, least
        super().__init__(optimizer, last_epoch, verbose)

    def _annealing_cos(self, start, end, pct):
        return end + (start - end) / 2.0 * (math.cos(math.pi * pct) + 1)

    def _annealing_linear(self, start, end, pct):
        return (end - start) * pct + start

    def set_momentum(self, group, momentum):
        if self.use_beta1:
            group['betas'] = (momentum, *group['betas'][1:])
        else:
            group['momentum'] = momentum

    def get_lr(self):
        if self.last_epoch > self.total_steps:
            raise ValueError(f'Tried to step {self.last_epoch + 1} times. The specified number of total steps is '
                             f'{self.total_steps}')
        start = 0
        for phase in self._schedule_phases:
            if self.last_epoch <= phase['end_step']:
                break
            if phase is not self._schedule_phases[-1]:
                start = phase['end_step']
        part = (self.last_epoch - start) / (phase['end_step'] - start)
        between = lambda group, what: self.anneal_func(group[phase['start_' + what]], group[phase['end_' + what]], part)
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(between(group, 'lr'))
            if self.cycle_momentum:
                self.set_momentum(group, between(group, 'momentum'))
        return rates


class ReduceLROnPlateau(_LRScheduler):
    def __init__(self, optimizer, mode='min', factor=0.1, patience=10, threshold=1e-4, threshold_mode='rel', cooldown=0,
                 min_lr=0, eps=1e-8, verbose=False):
        if factor >= 1.0:
            raise ValueError('Factor should be < 1.0.')
        if mode not in ('min', 'max'):
            raise ValueError(f'mode {mode} is unknown!')
        if threshold_mode not in ('rel', 'abs'):
            raise ValueError(f'threshold mode {threshold_mode} is unknown!')
        self.factor, self.optimizer = factor, optimizer
        self.min_lrs = of_groups(optimizer, min_lr, 'expected {} min_lrs, got {}')
        self.patience, self.verbose, self.cooldown, self.cooldown_counter = patience, verbose, cooldown, 0
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        self.best, self.num_bad_epochs = math.inf if mode == 'min' else -math.inf, 0
        self.mode_worse, self.eps, self.last_epoch = self.best, eps, 0

    def is_better(self, value, best):
        sign = -1 if self.mode == 'min' else 1
        bound = best * (1. + sign * self.threshold) if self.threshold_mode == 'rel' else best + sign * self.threshold
        return value < bound if self.mode == 'min' else value > bound

    def step(self, metrics, epoch=None):
        value = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self.is_better(value, self.best):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self.reduce()
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = self.current()

    def reduce(self):
        for i, group in enumerate(self.optimizer.param_groups):
            lr = max(group['lr'] * self.factor, self.min_lrs[i])
            if group['lr'] - lr > self.eps:
                group['lr'] = lr
                if self.verbose:
                    print(f'Epoch {epoch_text(self.last_epoch)}: reducing learning rate of group {i} to '
                          f'{lr:.4e}.')


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
