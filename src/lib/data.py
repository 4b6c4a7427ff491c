"""torch.utils.data: data sets, the order in which their rows come, and batches of them.

Everything is read by this process, whatever num_workers says. What is drawn is drawn when PyTorch draws it: a pass of a
loader takes one number when it begins, and its order when the first row is asked for.
"""
from typing import Generic

import torch


class Dataset(Generic):
    def __getitem__(self, index):
        raise NotImplementedError

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    def __iter__(self):
        raise NotImplementedError


def get_worker_info():
    """Rows are read by this process."""
    return None


class TensorDataset(Dataset):
    def __init__(self, *tensors):
        if any(tensors[0].size(0) != tensor.size(0) for tensor in tensors):
            raise AssertionError('Size mismatch between tensors')
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return self.tensors[0].size(0)


class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx):
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __len__(self):
        return len(self.indices)


class ConcatDataset(Dataset):
    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError('datasets should not be an empty iterable')

    @property
    def cumulative_sizes(self):
        return [sum(len(dataset) for dataset in self.datasets[:i + 1]) for i in range(len(self.datasets))]

    def __getitem__(self, idx):
        if idx < 0:
            if -idx > len(self):
                raise ValueError('absolute value of index should not exceed dataset length')
            idx += len(self)
        for dataset in self.datasets:
            if idx < len(dataset):
                return dataset[idx]
            idx -= len(dataset)
        raise IndexError('list index out of range')

    def __len__(self):
        return sum(len(dataset) for dataset in self.datasets)


def random_split(dataset, lengths, generator=None):
    size = len(dataset)
    if abs(sum(lengths) - 1) < 1e-9 and sum(lengths) <= 1:
        shares, lengths = lengths, []
        for i, share in enumerate(shares):
            if share < 0 or share > 1:
                raise ValueError(f'Fraction at index {i} is not between 0 and 1')
            lengths.append(int(size * share // 1))
        for i in range(size - sum(lengths)):
            lengths[i % len(lengths)] += 1
    if sum(lengths) != size:
        raise ValueError('Sum of input lengths does not equal the length of the input dataset!')
    order = torch.randperm(size, generator=generator).tolist()
    parts = []
    for length in lengths:
        parts.append(Subset(dataset, order[:length]))
        order = order[length:]
    return parts


class Sampler(Generic):
    def __init__(self, data_source):
        pass


class SequentialSampler(Sampler):
    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler):
    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(f'num_samples should be a positive integer value, but got num_samples={self.num_samples}')

    @property
    def num_samples(self):
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self):
        rows, count = len(self.data_source), self.num_samples
        generator = self.generator or torch.Generator().manual_seed(draw(None))
        if self.replacement:
            for start in range(0, count, 32):
                yield from torch.randint(rows, (32,), generator=generator).tolist()[:count - start]
        else:
            for _ in range(count // rows):
                yield from torch.randperm(rows, generator=generator).tolist()
            yield from torch.randperm(rows, generator=generator).tolist()[:count % rows]

    def __len__(self):
        return self.num_samples


class SubsetRandomSampler(Sampler):
    def __init__(self, indices, generator=None):
        self.indices = indices
        self.generator = generator

    def __iter__(self):
        for i in torch.randperm(len(self.indices), generator=self.generator):
            yield self.indices[i]

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    def __init__(self, weights, num_samples, replacement=True, generator=None):
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(f'num_samples should be a positive integer value, but got num_samples={num_samples}')
        self.weights = torch.as_tensor(weights, dtype=torch.double)
        if self.weights.dim() != 1:
            raise ValueError('weights should be a 1d sequence but given weights have shape '
                             f'{tuple(self.weights.shape)}')
        self.num_samples, self.replacement, self.generator = num_samples, replacement, generator

    def __iter__(self):
        yield from iter(torch.multinomial(self.weights, self.num_samples, self.replacement,
                                          generator=self.generator).tolist())

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler):
    def __init__(self, sampler, batch_size, drop_last):
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f'batch_size should be a positive integer value, but got batch_size={batch_size}')
        if not isinstance(drop_last, bool):
            raise ValueError(f'drop_last should be a boolean value, but got drop_last={drop_last}')
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self):
        batch = []
        for row in self.sampler:
            batch.append(row)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self):
        rows = len(self.sampler)
        return rows // self.batch_size if self.drop_last else (rows + self.batch_size - 1) // self.batch_size


def default_collate(batch):
    first = batch[0]
    if isinstance(first, torch.Tensor):
        return torch.stack(batch, 0)
    if isinstance(first, float):
        return torch.tensor(batch, dtype=torch.float64)
    if isinstance(first, int):
        return torch.tensor(batch)
    if isinstance(first, str):
        return batch
    if isinstance(first, dict):
        return {key: default_collate([row[key] for row in batch]) for key in first}
    if isinstance(first, (tuple, list)):
        if any(len(row) != len(first) for row in batch):
            raise RuntimeError('each element in list of batch should be of equal size')
        return [default_collate(column) for column in zip(*batch)]
    if hasattr(first, 'dtype'):
        return default_collate([torch.as_tensor(row) for row in batch])
    raise TypeError('default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; '
                    f'found {type(first)}')


def default_convert(row):
    if isinstance(row, dict):
        return {key: default_convert(item) for key, item in row.items()}
    if isinstance(row, (tuple, list)):
        return [default_convert(item) for item in row]
    return torch.as_tensor(row) if hasattr(row, 'dtype') else row


class Pass:
    """One pass of a loader."""

    def __init__(self, loader):
        self.loader = loader
        draw(loader.generator)  # for the workers, even where there are none
        self.order = iter(loader.sampler if loader.batch_sampler is None else loader.batch_sampler)

    def __iter__(self):
        return self

    def __len__(self):
        return len(self.loader)

    def __next__(self):
        rows, loader = next(self.order), self.loader
        if isinstance(loader.dataset, IterableDataset):
            return loader.collate_fn(rows)
        if loader.batch_sampler is None:
            return loader.collate_fn(loader.dataset[rows])
        return loader.collate_fn([loader.dataset[row] for row in rows])


class DataLoader:
    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0,
                 collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None,
                 multiprocessing_context=None, generator=None, *, prefetch_factor=2, persistent_workers=False,
                 pin_memory_device=''):
        if num_workers < 0:
            raise ValueError('num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.')
        if sampler is not None and shuffle:
            raise ValueError('sampler option is mutually exclusive with shuffle')
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError('batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and '
                                 'drop_last')
            batch_size = None
            drop_last = False
        elif batch_size is None and drop_last:
            raise ValueError('batch_size=None option disables auto-batching and is mutually exclusive with drop_last')
        if isinstance(dataset, IterableDataset):
            if shuffle:
                raise ValueError('DataLoader with IterableDataset: expected unspecified shuffle option, but got '
                                 f'shuffle={shuffle}')
            sampler = dataset  # its rows come by themselves
        if sampler is None:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        if collate_fn is None:
            collate_fn = default_convert if batch_sampler is None else default_collate
        self.dataset = dataset
        self.batch_size = batch_size
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.num_workers = num_workers
        self.collate_fn = collate_fn
        self.pin_memory = pin_memory
        self.drop_last = drop_last
        self.generator = generator

    def __iter__(self):
        return Pass(self)

    def __len__(self):
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)
