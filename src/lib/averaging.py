"""torch.optim.swa_utils: a model whose weights are the average of those that another one has had."""
import itertools
import math
from copy import deepcopy

import torch
from torch import nn
from torch.optim.lr_scheduler import _LRScheduler


def plain_average(averaged, current, count):
    return averaged + (current - averaged) / (count + 1)


class AveragedModel(nn.Module):
    def __init__(self, model, device=None, avg_fn=None, use_buffers=False):
        super().__init__()
        self.module = deepcopy(model)
        self.register_buffer('n_averaged', torch.tensor(0))
        self.avg_fn, self.use_buffers = plain_average if avg_fn is None else avg_fn, use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def tensors(self, model):
        return itertools.chain(model.parameters(), model.buffers()) if self.use_buffers else model.parameters()

    def update_parameters(self, model):
        for averaged, current in zip(self.tensors(self.module), self.tensors(model)):
            averaged, current = averaged.detach(), current.detach()
            averaged.copy_(current if self.n_averaged == 0 else self.avg_fn(averaged, current, self.n_averaged))
        self.n_averaged += 1


def update_bn(loader, model, device=None):
    """One pass over the data, after which the batch norms know its mean and variance."""
    norms = [module for module in model.modules() if isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d))]
    if not norms:
        return
    momenta, was_training = [norm.momentum for norm in norms], model.training
    model.train()
    for norm in norms:
        norm.running_mean = torch.zeros_like(norm.running_mean)
        norm.running_var = torch.ones_like(norm.running_var)
        norm.momentum = None
        norm.num_batches_tracked *= 0
    with torch.no_grad():
        for batch in loader:
            model(batch[0] if isinstance(batch, (list, tuple)) else batch)
    for norm, momentum in zip(norms, momenta):
        norm.momentum = momentum
    model.train(was_training)


class SWALR(_LRScheduler):
    """From the rate of each group to one that stays."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy='cos', last_epoch=-1):
        groups = optimizer.param_groups
        rates = swa_lr if isinstance(swa_lr, (list, tuple)) else [swa_lr] * len(groups)
        if len(rates) != len(groups):
            raise ValueError(f'swa_lr must have the same length as optimizer.param_groups: swa_lr has {len(rates)}, '
                             f'optimizer.param_groups has {len(groups)}')
        for rate, group in zip(rates, groups):
            group['swa_lr'] = rate
        if anneal_strategy not in ('cos', 'linear'):
            raise ValueError(f"anneal_strategy must by one of 'cos' or 'linear', instead got {anneal_strategy}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f'anneal_epochs must be equal or greater than 0, got {anneal_epochs}')
        self.anneal_func = self._cosine_anneal if anneal_strategy == 'cos' else self._linear_anneal
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _cosine_anneal(self, t):
        return (1 - math.cos(math.pi * t)) / 2

    def _linear_anneal(self, t):
        return t

    def share(self, step):
        """How much of the final rate there is at that step."""
        return self.anneal_func(max(0, min(1, step / max(1, self.anneal_epochs))))

    def get_lr(self):
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self.share(step - 1), self.share(step)
        rates = []
        for group in self.optimizer.param_groups:
            lr, final = group['lr'], group['swa_lr']
            first = final if before == 1 else (lr - before * final) / (1 - before)
            rates.append(final * now + first * (1 - now))
        return rates
