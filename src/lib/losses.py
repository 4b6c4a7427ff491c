"""Losses that are made of other ops: of pairs, by margins, of distributions."""
import math

import torch
from torch.nn import functional as F


def reduction_of(size_average, reduce, reduction, fault='is not a valid value for reduction'):
    if size_average is not None or reduce is not None:
        if reduce is not None and not reduce:
            return 'none'
        return 'mean' if size_average is None or size_average else 'sum'
    if reduction not in ('none', 'mean', 'sum'):
        fail('value', f'{reduction} {fault}')
    return reduction


def reduced(loss, reduction):
    return loss if reduction == 'none' else loss.mean() if reduction == 'mean' else loss.sum()


def scalar_name(x):
    return x.type().removeprefix('torch.').removesuffix('Tensor')


def refuse_gradient(loss, name, x):
    if x is not None and x.requires_grad and torch.is_grad_enabled():
        fail('runtime', f"The function '{loss}' is not differentiable with respect to argument '{name}'. This input "
             'cannot have requires_grad True.')


def cosine_embedding_loss(input1, input2, target, margin, size_average, reduce, reduction):
    reduction = reduction_of(size_average, reduce, reduction)
    if target.dim() > 1:
        fail('shape', '0D or 1D target tensor expected, multi-target not supported')
    if input1.dim() != target.dim() + 1:
        fail('shape', f'{target.dim()}D target tensor expects {target.dim() + 1}D input tensors, but found inputs with '
             f'sizes {list(input1.shape)} and {list(input2.shape)}.')
    along = -1 if input1.dim() == 1 else 1
    squares = ((input1 * input1).sum(along) + 1e-12) * ((input2 * input2).sum(along) + 1e-12)
    cosine = (input1 * input2).sum(along) / squares.sqrt()
    zeros = torch.zeros_like(cosine)
    loss = torch.where(target == 1, 1 - cosine, zeros) + torch.where(target == -1, (cosine - float(margin)).clamp_min(0), zeros)
    return reduced(loss, reduction)


def margin_ranking_loss(input1, input2, target, margin, size_average, reduce, reduction):
    reduction = reduction_of(size_average, reduce, reduction)
    if not input1.dim() == input2.dim() == target.dim():
        fail('shape', 'margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: '
             f'{input1.size()}, input2: {input2.size()}, target: {target.size()} ')
    return reduced((-target * (input1 - input2) + float(margin)).clamp_min(0), reduction)


def triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, size_average, reduce, reduction):
    reduction = reduction_of(size_average, reduce, reduction)
    if not anchor.dim() == positive.dim() == negative.dim():
        fail('shape', f'All inputs should have same dimension but got {anchor.dim()}D, {positive.dim()}D and '
             f'{negative.dim()}D inputs.')
    near, far = F.pairwise_distance(anchor, positive, p, eps), F.pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = torch.minimum(far, F.pairwise_distance(positive, negative, p, eps))
    return reduced((float(margin) + near - far).clamp_min(0), reduction)


def hinge_embedding_loss(input, target, margin, size_average, reduce, reduction):
    reduction = reduction_of(size_average, reduce, reduction)
    zeros = torch.zeros_like(input)
    far = torch.where(target != 1, (torch.tensor(float(margin)).to(input.dtype) - input).clamp_min(0), zeros)
    return reduced(far + torch.where(target != -1, input, zeros), reduction)


def soft_margin_loss(input, target, size_average, reduce, reduction):
    reduction = reduction_of(size_average, reduce, reduction)
    refuse_gradient('soft_margin_loss', 'target', target)
    if not input.is_floating_point():
        fail('runtime', f"result type Float can't be cast to the desired output type {scalar_name(input)}")
    wide = torch.broadcast_shapes(input.shape, target.shape)
    if wide != input.shape:
        fail('runtime', f"output with shape {list(input.shape)} doesn't match the broadcast shape {list(wide)}")
    return reduced(((-target * input).exp() + 1.).log(), reduction)


def poisson_nll_loss(input, target, log_input, full, size_average, eps, reduce, reduction):
    reduction = reduction_of(size_average, reduce, reduction)
    loss = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        stirling = target * target.log() - target + 0.5 * (2 * math.pi * target).log()
        loss = loss + stirling.masked_fill(target <= 1, 0)
    return reduced(loss, reduction)


def gaussian_nll_loss(input, target, var, full, eps, reduction):
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        elif input.size()[:-1] != var.size()[:-1] or var.size(-1) != 1:
            fail('value', 'var is of incorrect size')
    if reduction not in ('none', 'mean', 'sum'):
        fail('value', reduction + ' is not valid')
    if (var < 0).any():
        fail('value', 'var has negative entry/entries')
    var = var.clone()
    with torch.no_grad():
        var.clamp_(min=eps)
    loss = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return reduced(loss, reduction)


def multi_margin_loss(input, target, p, margin, weight, size_average, reduce, reduction):
    reduction = reduction_of(size_average, reduce, reduction)
    if p not in (1, 2):
        fail('value', 'only p == 1 and p == 2 supported')
    if weight is not None and weight.dim() != 1:
        fail('value', 'weight must be one-dimensional')
    scores = input if input.dim() == 2 else input.reshape(1, -1)
    if input.dim() > 2 or scores.shape[1] == 0:
        fail('runtime', 'Expected non-empty vector or matrix with optional 0-dim batch size, but got: '
             f'{list(input.shape)}')
    if target.dim() > 1 or target.numel() != scores.shape[0]:
        fail('runtime', f'inconsistent target size, expected {scores.shape[0]} but got {list(target.shape)}')
    if target.dtype != torch.int64:
        fail('runtime', f'expected scalar type Long but found {scalar_name(target)}')
    if ((target < 0) | (target >= scores.shape[1])).any():
        fail('runtime', 'target out of range')
    refuse_gradient('multi_margin_loss', 'weight', weight)
    right = target.reshape(-1, 1)
    gaps = (float(margin) - scores.gather(1, right) + scores).clamp_min(0)
    gaps = gaps * gaps if p == 2 else gaps
    if weight is not None:
        gaps = gaps * weight[right]
    others = torch.ones_like(gaps).scatter(1, right, 0.)
    loss = (gaps * others).sum(1) / scores.shape[1]
    return reduced(loss if input.dim() == 2 else loss.squeeze(0), reduction)


def multilabel_soft_margin_loss(input, target, weight, size_average, reduce, reduction):
    loss = -(target * F.logsigmoid(input) + (1 - target) * F.logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    loss = loss.sum(dim=input.dim() - 1) / input.size(input.dim() - 1)
    return reduced(loss, reduction_of(size_average, reduce, reduction, 'is not valid'))
