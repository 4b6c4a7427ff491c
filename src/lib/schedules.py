"""torch.optim.lr_scheduler: how learning rates change from step to step, in the arithmetic of PyTorch."""
import math
from collections import Counter

from torch.optim import Optimizer


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

    def _get_closed_form_lr(self):
        return [base * (self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)) for base in self.base_lrs]


class PolynomialLR(_LRScheduler):
    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1, verbose=False):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        if self.last_epoch == 0 or self.last_epoch > self.total_iters:
            return self.current()
        left, before = 1.0 - self.last_epoch / self.total_iters, 1.0 - (self.last_epoch - 1) / self.total_iters
        return [rate * (left / before) ** self.power for rate in self.current()]

    def _get_closed_form_lr(self):
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * left ** self.power for base in self.base_lrs]


class OfSchedules(_LRScheduler):
    def state_dict(self):
        state = super().state_dict()
        schedulers = state.pop('_schedulers')
        return {**state, '_schedulers': [scheduler.state_dict() for scheduler in schedulers]}

    def load_state_dict(self, state_dict):
        self.__dict__.update({key: value for key, value in state_dict.items() if key != '_schedulers'})
        for scheduler, state in zip(self._schedulers, state_dict['_schedulers']):
            scheduler.load_state_dict(state)


class SequentialLR(OfSchedules):
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
        schedulers[0]._step_count = 0
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


class ChainedScheduler(OfSchedules):
    """All schedules at once, one after the other at each step."""

    def __init__(self, schedulers):
        for place, scheduler in enumerate(schedulers):
            if scheduler.optimizer is not schedulers[0].optimizer:
                raise ValueError('ChainedScheduler expects all schedulers to belong to the same optimizer, but got '
                                 f'schedulers at index 0 and {place} to be different')
        self._schedulers, self.optimizer = list(schedulers), schedulers[0].optimizer
        self._last_lr = self.current()

    def step(self):
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = self.current()


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


class CyclicLR(_LRScheduler):
    """Up and down between two rates; the height of each cycle is scaled by `scale_fn`."""

    def __init__(self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode='triangular', gamma=1.,
                 scale_fn=None, scale_mode='cycle', cycle_momentum=True, base_momentum=0.8, max_momentum=0.9,
                 last_epoch=-1, verbose=False):
        of = lambda name, value: of_groups(optimizer, value, 'expected {} values for ' + name + ', got {}')
        base_lrs, self.max_lrs = of('base_lr', base_lr), of('max_lr', max_lr)
        for lr, group in zip(base_lrs, optimizer.param_groups) if last_epoch == -1 else []:
            group['lr'] = lr
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        if mode not in ('triangular', 'triangular2', 'exp_range') and scale_fn is None:
            raise ValueError('mode is invalid and scale_fn is None')
        self.mode, self.gamma, self._scale_fn_custom = mode, gamma, scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else 'iterations' if mode == 'exp_range' else 'cycle'
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            if 'momentum' not in optimizer.defaults:
                raise ValueError('optimizer must support momentum with `cycle_momentum` option enabled')
            least = of('base_momentum', base_momentum)
            for momentum, group in zip(least, optimizer.param_groups) if last_epoch == -1 else []:
                group['momentum'] = momentum
            self.base_momentums = [group['momentum'] for group in optimizer.param_groups]
            self.max_momentums = of('max_momentum', max_momentum)
        super().__init__(optimizer, last_epoch, verbose)
        self.base_lrs = base_lrs

    def scale_fn(self, x):
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        return {'triangular': 1., 'triangular2': 1 / 2. ** (x - 1), 'exp_range': self.gamma ** x}[self.mode]

    def get_lr(self):
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1. + self.last_epoch / self.total_size - cycle
        rise = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == 'cycle' else self.last_epoch)
        if self.cycle_momentum:
            for group, least, most in zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums):
                group['momentum'] = most - (most - least) * rise * scale
        return [least + (most - least) * rise * scale for least, most in zip(self.base_lrs, self.max_lrs)]


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
