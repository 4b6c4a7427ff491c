"""Bags of embeddings: the mean, sum or maximum of the rows of a table that several ids choose."""
import torch
from torch import nn
from torch.nn import functional as F


def shorten_rows(weight, ids, most, norm_type):
    """nn.Embedding(max_norm=): rows that are about to be looked up and are too long are made shorter, in the table."""
    with torch.no_grad():
        for i in ids.unique().tolist():
            row = weight[i]
            length = row.norm(norm_type).item()
            if length > most:
                row.mul_(most / (length + 1e-7))


def embedding_bag(input, weight, offsets, max_norm, norm_type, scale_grad_by_freq, mode, sparse, per_sample_weights,
                  include_last_offset, padding_idx):
    if weight.dtype == torch.long and input.is_floating_point():  # the other way round, as it once was
        input, weight = weight, input
    if per_sample_weights is not None and per_sample_weights.shape != input.shape:
        fail('value', f'embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must '
             f'have the same shape as the input ({input.shape})')
    offsets = check_bags(input, offsets)
    if mode not in ('sum', 'mean', 'max'):
        fail('value', 'mode has to be one of sum, mean or max')
    if max_norm is not None or scale_grad_by_freq or sparse:
        refuse("unsupported.embedding_bag")
    if per_sample_weights is not None and mode != 'sum':
        raise NotImplementedError("embedding_bag: per_sample_weights was not None. per_sample_weights is only "
                                  f"supported for mode='sum' (got mode='{mode}'). Please open a feature request on GitHub.")
    if not weight.is_floating_point():
        fail('runtime', "Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, Float, "
             f'Double; but got {typename(weight)} instead')
    if padding_idx is not None and not weight.dim():
        raise IndexError('Dimension specified as 0 but tensor has no dimensions')
    ids, count = input.reshape(-1), offsets.numel() - int(include_last_offset)
    # Has the errors for their types.
    F.embedding(ids[:0].to(torch.promote_types(ids.dtype, offsets.dtype)), weight.new_empty(1, 1))
    if weight.dim() < 2:
        raise IndexError(f'Dimension out of range (expected to be in range of [-1, 0], but got {weight.dim()})')
    ids, offsets = ids.long(), offsets.long()
    if offsets.numel() and offsets[0] != 0:
        fail('runtime', f'offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position '
             f'0. However, got {offsets[0].item()}')
    if offsets.numel() and offsets[-1] > input.numel():
        fail('runtime', f'offsets[-1] can not be greater than input\'s length({input.numel()}) but got offsets[-1] of '
             f'{offsets[-1].item()}')
    wrong = ids[(ids < 0) | (ids >= weight.shape[0])]
    if len(wrong):
        fail('runtime', f'embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be {wrong[0]}')
    bags = torch.searchsorted(offsets, torch.arange(ids.numel()), right=True) - 1
    keep = bags < count
    if padding_idx is not None:
        keep = keep & (ids != padding_idx % weight.shape[0])
    rows, bags = F.embedding(ids[keep], weight), bags[keep]
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape(-1)[keep].unsqueeze(1)
    if mode == 'max':
        empty = weight.new_zeros(weight.shape[1])
        each = [rows[bags == bag] for bag in range(count)]
        return torch.stack([bag.max(0).values if len(bag) else empty for bag in each])
    sums = torch.zeros(count, weight.shape[1], dtype=weight.dtype).index_add(0, bags, rows)
    if mode == 'sum':
        return sums
    return sums / torch.bincount(bags, minlength=count).clamp(min=1).unsqueeze(1).to(weight.dtype)


def check_bags(input, offsets):
    """Where each bag begins: in two axes each row is one."""
    if input.dim() == 2:
        if offsets is not None:
            fail('value', 'if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed '
                 f'length sequences. However, found offsets of type {type(offsets)}')
        if input.dtype == torch.bool:
            fail('runtime', '"arange_cpu" not implemented for \'Bool\'')
        if not input.shape[1]:
            fail('runtime', 'step must be nonzero')
        return torch.arange(input.shape[0]) * input.shape[1]
    if input.dim() != 1:
        fail('value', f'input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}')
    if offsets is None:
        fail('value', 'offsets has to be a 1D Tensor but got None')
    if offsets.dim() != 1:
        fail('value', 'offsets has to be a 1D Tensor')
    return offsets


class EmbeddingBag:
    def __init__(self, num_embeddings, embedding_dim, max_norm, norm_type, scale_grad_by_freq, mode, sparse, _weight,
                 include_last_offset, padding_idx, device, dtype):
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.max_norm, self.norm_type, self.scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                fail('assertion', 'padding_idx must be within num_embeddings')
            padding_idx %= num_embeddings
        self.padding_idx = padding_idx
        if _weight is None:
            _weight = torch.empty(num_embeddings, embedding_dim).normal_()
            if padding_idx is not None:
                _weight[padding_idx] = 0
        elif list(_weight.shape) != [num_embeddings, embedding_dim]:
            fail('assertion', 'Shape of weight does not match num_embeddings and embedding_dim')
        register(self, 'weight', nn.Parameter(_weight), 'parameter')
        self.mode, self.sparse, self.include_last_offset = mode, sparse, include_last_offset

    def from_pretrained(embeddings, freeze=True, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode='mean',
                        sparse=False, include_last_offset=False, padding_idx=None):
        if not isinstance(embeddings, torch.Tensor) or embeddings.dim() != 2:
            fail('assertion', 'Embeddings parameter is expected to be 2-dimensional')
        layer = nn.EmbeddingBag(*embeddings.shape, _weight=embeddings, max_norm=max_norm, norm_type=norm_type,
                                scale_grad_by_freq=scale_grad_by_freq, mode=mode, sparse=sparse,
                                include_last_offset=include_last_offset, padding_idx=padding_idx)
        layer.weight.requires_grad = not freeze
        return layer

    def forward(self, input, offsets=None, per_sample_weights=None):
        return F.embedding_bag(input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq,
                               self.mode, self.sparse, per_sample_weights, self.include_last_offset, self.padding_idx)

    def extra_repr(self):
        text = f'{self.num_embeddings}, {self.embedding_dim}'
        text += f', max_norm={self.max_norm}' if self.max_norm is not None else ''
        text += f', norm_type={self.norm_type}' if self.norm_type != 2 else ''
        text += f', scale_grad_by_freq={self.scale_grad_by_freq}' if self.scale_grad_by_freq else ''
        text += f', mode={self.mode}'
        return text if self.padding_idx is None else text + f', padding_idx={self.padding_idx}'
