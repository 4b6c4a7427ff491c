# torch.utils.data and torch.Generator: the order of rows, batches, and what is drawn when.
import numpy as np
import torch
from torch.utils.data import (BatchSampler, ConcatDataset, DataLoader, Dataset, RandomSampler, SequentialSampler, Subset,
                              SubsetRandomSampler, TensorDataset, random_split)

torch.manual_seed(0)
rows = TensorDataset(torch.arange(20.0).view(10, 2), torch.arange(10))


class Words(Dataset):
    def __init__(self, words):
        self.words = words

    def __len__(self):
        return len(self.words)

    def __getitem__(self, i):
        return {'text': self.words[i], 'count': len(self.words[i]), 'pair': np.array([i, 2 * i])}


# case: batches in order, the last one short
print(len(rows), rows[3])  # expect: 10 (tensor([6., 7.]), tensor(3))
for x, y in DataLoader(rows, batch_size=4):
    print(x.shape, y)
# expect: torch.Size([4, 2]) tensor([0, 1, 2, 3])
# expect: torch.Size([4, 2]) tensor([4, 5, 6, 7])
# expect: torch.Size([2, 2]) tensor([8, 9])
print(torch.rand(2))  # expect: tensor([0.0885, 0.1320])

# case: a pass draws once, a shuffled one twice, each in a new order
loader = DataLoader(rows, batch_size=3, shuffle=True)
for epoch in range(2):
    print([y.tolist() for _, y in loader])
# expect: [[6, 7, 1], [4, 2, 0], [9, 8, 3], [5]]
# expect: [[2, 4, 7], [0, 8, 9], [5, 3, 6], [1]]
print(len(loader), torch.rand(2))  # expect: 4 tensor([0.4556, 0.6323])

# case: a generator of one's own leaves that of the run alone
g = torch.Generator().manual_seed(7)
loader = DataLoader(rows, batch_size=4, shuffle=True, drop_last=True, generator=g)
print([y.tolist() for _, y in loader], len(loader))  # expect: [[1, 3, 5, 7], [9, 4, 6, 2]] 2
print([y.tolist() for _, y in loader])  # expect: [[5, 1, 6, 0], [9, 7, 8, 4]]
print(torch.rand(2), torch.rand(3, generator=g), g.initial_seed())
# expect: tensor([0.4963, 0.7682]) tensor([0.7405, 0.2529, 0.2332]) 7

# case: a pass that was left early has drawn its order
iterator = iter(DataLoader(rows, 4, shuffle=True))
print(torch.rand(1), next(iterator)[1], torch.rand(1))
# expect: tensor([0.0885]) tensor([1, 2, 3, 5]) tensor([0.6341])

# case: parts of a data set
train, test = random_split(rows, [7, 3])
print(len(train), test.indices, train[0])  # expect: 7 [8, 6, 2] (tensor([8., 9.]), tensor(4))
train, test = random_split(rows, [0.75, 0.25], generator=torch.Generator().manual_seed(42))
print(len(train), test.indices)  # expect: 8 [3, 7]
print(Subset(rows, [2, 4])[1], len(ConcatDataset([rows, rows])), (rows + rows)[15])
# expect: (tensor([8., 9.]), tensor(4)) 20 (tensor([10., 11.]), tensor(5))

# case: rows that are dicts, texts and arrays
for batch in DataLoader(Words(['the', 'cat', 'sat']), batch_size=2):
    print(batch)
# expect: {'text': ['the', 'cat'], 'count': tensor([3, 3]), 'pair': tensor([[0, 0],
# expect:         [1, 2]])}
# expect: {'text': ['sat'], 'count': tensor([3]), 'pair': tensor([[2, 4]])}

# case: a function of one's own makes the batch
def lengths(words):
    return torch.tensor([word['count'] for word in words])
print(list(DataLoader(Words(['a', 'bc', 'def']), batch_size=2, collate_fn=lengths)))
# expect: [tensor([1, 2]), tensor([3])]

# case: without batches
print(next(iter(DataLoader(rows, batch_size=None))))  # expect: [tensor([0., 1.]), tensor(0)]
print([y.tolist() for y in DataLoader([1.5, 2.5, 3], batch_size=2)], list(DataLoader(['a', 'b'])))
# expect: [[1.5, 2.5], [3]] [['a'], ['b']]

# case: samplers
print(list(BatchSampler(SequentialSampler(range(7)), 3, False)), list(RandomSampler(range(5))))
# expect: [[0, 1, 2], [3, 4, 5], [6]] [1, 3, 4, 2, 0]
print(list(RandomSampler(range(5), replacement=True, num_samples=7)), list(SubsetRandomSampler([3, 1, 4])))
# expect: [1, 3, 2, 0, 2, 1, 2] [1, 4, 3]
print([y.tolist() for _, y in DataLoader(rows, batch_sampler=BatchSampler(SubsetRandomSampler([1, 3, 5]), 2, True))])
# expect: [[3, 5]]

# case: draws of a generator
g = torch.Generator()
g.manual_seed(3)
print(torch.randperm(4, generator=g), torch.randint(5, (3,), generator=g), torch.randn(2, generator=g))
# expect: tensor([2, 3, 1, 0]) tensor([2, 0, 0]) tensor([0.7625, 1.4948])
print(torch.zeros(3).uniform_(generator=g), torch.bernoulli(torch.full((4,), 0.5), generator=g))
# expect: tensor([0.4510, 0.7995, 0.1498]) tensor([1., 1., 1., 1.])
print(torch.multinomial(torch.ones(5), 3, generator=g), torch.randn(2))
# expect: tensor([3, 4, 0]) tensor([ 1.5410, -0.2934])

# case: a data set without rows
print(list(DataLoader(Words([]))))  # expect: []
DataLoader(Words([]), shuffle=True)  # expect error[ValueError]: num_samples should be a positive integer value, but got num_samples=0

# case: no rows in a batch
DataLoader(rows, batch_size=0)  # expect error[ValueError]: batch_size should be a positive integer value, but got batch_size=0

# case: an order and a shuffle
DataLoader(rows, shuffle=True, sampler=SequentialSampler(rows))  # expect error[ValueError]: sampler option is mutually exclusive with shuffle

# case: parts that do not make the whole
random_split(rows, [1, 2])  # expect error[ValueError]: Sum of input lengths does not equal the length of the input dataset!

# case: columns of several lengths
TensorDataset(torch.ones(3), torch.ones(2))  # expect error[AssertionError]: Size mismatch between tensors

# case: rows that make no batch
next(iter(DataLoader([object()])))  # expect error[TypeError]

# case: rows of several shapes
next(iter(DataLoader([torch.ones(2), torch.ones(3)], batch_size=2)))  # expect error[RuntimeError]

# case: a loader has no places
DataLoader(rows)[0]  # expect error[TypeError]: 'DataLoader' object is not subscriptable

# case: data sets put together know where each ends
import torch
from torch.utils.data import ConcatDataset, TensorDataset
print(ConcatDataset([TensorDataset(torch.arange(3)), TensorDataset(torch.arange(4))]).cumulative_sizes)
# expect: [3, 7]
