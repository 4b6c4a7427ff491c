"""torch.nn.utils.rnn: sequences of different lengths, padded or packed.

Packed, the rows of all sequences follow one time step after another, the longest sequence first, so that a recurrent
network (rnn.py) computes nothing for padding.
"""
import torch
from torch.nn import functional as F


class PackedSequence:
    def __init__(self, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None and sorted_indices is not None:
            unsorted_indices = invert_permutation(sorted_indices)
        self.data, self.batch_sizes = data, batch_sizes
        self.sorted_indices, self.unsorted_indices = sorted_indices, unsorted_indices

    def __iter__(self):
        return iter((self.data, self.batch_sizes, self.sorted_indices, self.unsorted_indices))

    def __getitem__(self, index):
        return tuple(self)[index]

    def __len__(self):
        return 4

    def to(self, *given, **named):
        return self

    def __repr__(self):
        return (f'PackedSequence(data={self.data!r}, batch_sizes={self.batch_sizes!r}, '
                f'sorted_indices={self.sorted_indices!r}, unsorted_indices={self.unsorted_indices!r})')


def invert_permutation(permutation):
    return None if permutation is None else torch.argsort(permutation)


def pad_rows(rows, count, value):
    """So many rows, the last ones of that value."""
    return F.pad(rows, (0, 0) * (rows.dim() - 1) + (0, count - len(rows)), value=value) if len(rows) < count else rows


def pad_sequence(sequences, batch_first=False, padding_value=0.0):
    if isinstance(sequences, torch.Tensor):
        sequences = sequences.unbind(0)
    longest = max([len(sequence) for sequence in sequences])
    return torch.stack([pad_rows(sequence, longest, padding_value) for sequence in sequences], 0 if batch_first else 1)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    rows = padded_sequences.unbind(0 if batch_first else 1)
    return [row[:length] for row, length in zip(rows, lengths.tolist())]


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    lengths = torch.as_tensor(lengths, dtype=torch.int64)
    batch_dim, sorted_indices = 0 if batch_first else 1, None
    if input.shape[batch_dim] != len(lengths):
        fail('shape', f'Expected `len(lengths)` to be equal to batch_size, but got {len(lengths)} '
             f'(batch_size={input.shape[batch_dim]})')
    if not enforce_sorted:
        lengths, sorted_indices = torch.sort(lengths, descending=True)
        input = input.index_select(batch_dim, sorted_indices)
    lengths = lengths.tolist()
    if lengths[-1] <= 0:
        fail('shape', "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0")
    if lengths != sorted(lengths, reverse=True):
        fail('shape', '`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass '
             '`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you '
             'do not need ONNX exportability.')
    if batch_first:
        input = input.transpose(0, 1)
    sizes = [sum([length > step for length in lengths]) for step in range(lengths[0])]
    data = torch.cat([input[step, :size] for step, size in enumerate(sizes)])
    return PackedSequence(history(data, 'PackPaddedSequenceBackward0'), torch.tensor(sizes), sorted_indices)


def pack_sequence(sequences, enforce_sorted=True):
    return pack_padded_sequence(pad_sequence(sequences), [len(sequence) for sequence in sequences],
                                enforce_sorted=enforce_sorted)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    sizes = sequence.batch_sizes.tolist()
    if total_length is not None and total_length < len(sizes):
        raise ValueError('Expected total_length to be at least the length of the longest sequence in input, but got '
                         f'total_length={total_length} and max sequence length being {len(sizes)}')
    steps = [pad_rows(rows, sizes[0], padding_value) for rows in sequence.data.split(sizes)]
    padded = torch.stack(steps)
    if total_length is not None:
        padded = pad_rows(padded, total_length, padding_value)
    padded = history(padded, 'CopySlices')
    lengths = torch.tensor([sum([size > row for size in sizes]) for row in range(sizes[0])])
    if batch_first:
        padded = padded.transpose(0, 1)
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(0 if batch_first else 1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices]
    return padded, lengths


def unpack_sequence(packed_sequences):
    return unpad_sequence(*pad_packed_sequence(packed_sequences, batch_first=True), batch_first=True)
