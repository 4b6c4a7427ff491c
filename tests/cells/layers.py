# What every layer can do besides being called.
import torch
import torch.nn as nn
import torch.nn.functional as F

# case: parts by name
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
print(net.get_submodule("0"), net.get_parameter("0.weight").shape)
# expect: Linear(in_features=2, out_features=3, bias=True) torch.Size([3, 2])
print([name for name, part in net.named_children()], [name for name, p in net.named_parameters()])
# expect: ['0', '1'] ['0.weight', '0.bias']

# case: a setting of repr alone
print(nn.Linear(2, 3).extra_repr(), "|", nn.LayerNorm(4).extra_repr())
# expect: in_features=2, out_features=3, bias=True | (4,), eps=1e-05, elementwise_affine=True

# case: attributes by name
layer = nn.Linear(2, 3)
setattr(layer, "note", [1, 2])
print(getattr(layer, "note"), hasattr(layer, "weight"), hasattr(layer, "other"), layer.in_features)
# expect: [1, 2] True False 2

# case: an attribute that is not there
nn.Linear(2, 3).other  # expect error[AttributeError]: 'Linear' object has no attribute 'other'

# case: fresh parameters
torch.manual_seed(0)
first = nn.Linear(2, 2)
torch.manual_seed(0)
second = nn.Linear(2, 2)
with torch.no_grad():
    second.weight.zero_()
torch.manual_seed(0)
second.reset_parameters()
print(torch.equal(first.weight, second.weight), torch.equal(first.bias, second.bias))  # expect: True True

# case: no fresh parameters where there are none
nn.ReLU().reset_parameters()  # expect error[AttributeError]: 'ReLU' object has no attribute 'reset_parameters'

# case: parameters of a recurrent layer in one piece
print(nn.GRU(2, 3).flatten_parameters())  # expect: None

# case: nothing to flatten
nn.Linear(2, 3).flatten_parameters()  # expect error[AttributeError]: 'Linear' object has no attribute 'flatten_parameters'

# case: types of a layer
layer = nn.Linear(2, 1).double()
print(layer.weight.dtype, layer.float().bias.dtype, layer.to(torch.float64).weight.dtype, layer.cpu() is layer)
# expect: torch.float64 torch.float32 torch.float64 True

# case: gradients on and off
print(torch.is_grad_enabled())  # expect: True
torch.set_grad_enabled(False)
print(torch.is_grad_enabled(), (torch.ones(1, requires_grad=True) * 2).requires_grad)  # expect: False False
with torch.set_grad_enabled(True):
    print((torch.ones(1, requires_grad=True) * 2).requires_grad)  # expect: True
print(torch.is_grad_enabled())  # expect: False

# case: seeds
torch.manual_seed(7)
print(torch.initial_seed())  # expect: 7

# case: an unknown option of printing
torch.set_printoptions(nonsense=1)  # expect error[TypeError]: set_printoptions() got an unexpected keyword argument 'nonsense'

# case: digits as many as are asked for
torch.set_printoptions(precision=100)
print(torch.tensor(0.5))  # expect: tensor(0.5000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000)
torch.set_printoptions(precision=4, edgeitems=True, threshold=float('inf'), linewidth=0)
print(torch.tensor([1, 2]))
# expect: tensor([1,
# expect:         2])
torch.set_printoptions(threshold=1, linewidth=80)
print(torch.arange(5))  # expect: tensor([0,  ..., 4])

# case: digits that are no number of digits
torch.set_printoptions(precision=True)  # expect error[unsupported]: set_printoptions(precision=...) needs an integer from 0 to 1000

# case: digits without end
torch.set_printoptions(precision=10 ** 10)  # expect error[unsupported]: set_printoptions(precision=...) needs an integer from 0 to 1000

# case: a summary without edges
torch.set_printoptions(edgeitems=0)  # expect error[unsupported]: set_printoptions(edgeitems=...) needs an integer of at least 1

# case: a line without end
torch.set_printoptions(linewidth=float("inf"))  # expect error[unsupported]: set_printoptions(linewidth=...) needs an integer of at least 0

# case: what finfo is not asked about
torch.iinfo(3)  # expect error[TypeError]: iinfo(): argument 'type' (position 1) must be torch.dtype, not int

# case: tensors by their old names
print(torch.LongTensor(torch.ones(2, 3).shape).shape, torch.FloatTensor(2, 0).shape, torch.LongTensor([2, 3]))
# expect: torch.Size([2, 3]) torch.Size([2, 0]) tensor([2, 3])

# case: += of what is no container
import torch
from torch import nn
m = nn.Sequential(nn.ReLU())
class Net(nn.Module):
    pass
n = Net()
n += [nn.ReLU()]  # expect error[TypeError]: unsupported operand type(s) for +=: 'Net' and 'list'

# case: dicts of a layer
net = nn.Sequential(nn.Linear(2, 1), nn.ReLU())
print(list(net._modules), list(net[0]._parameters), net[0]._parameters["bias"].shape, net._buffers, type(net._modules).__name__)
# expect: ['0', '1'] ['weight', 'bias'] torch.Size([1]) OrderedDict() OrderedDict
net._modules["0"] = nn.Linear(2, 3)
print(net, "1" in net._modules, len(net._modules))
# expect: Sequential(
# expect:   (0): Linear(in_features=2, out_features=3, bias=True)
# expect:   (1): ReLU()
# expect: ) True 2
for name, child in net._modules.items():
    print(name, type(child).__name__)
# expect: 0 Linear
# expect: 1 ReLU
norm = nn.BatchNorm1d(2)
print(list(norm._buffers), norm._buffers["running_mean"])
# expect: ['running_mean', 'running_var', 'num_batches_tracked'] tensor([0., 0.])

# case: activations and losses
x = torch.tensor([-1.0, 0.5, 7.0, 2.0])
for layer in [nn.GLU(), nn.SELU(), nn.Mish(), nn.ReLU6(), nn.Softsign(), nn.LogSigmoid()]:
    print(layer, layer(x))
# expect: GLU(dim=-1) tensor([-0.9991,  0.4404])
# expect: SELU() tensor([-1.1113,  0.5254,  7.3549,  2.1014])
# expect: Mish() tensor([-0.3034,  0.3752,  7.0000,  1.9440])
# expect: ReLU6() tensor([0.0000, 0.5000, 6.0000, 2.0000])
# expect: Softsign() tensor([-0.5000,  0.3333,  0.8750,  0.6667])
# expect: LogSigmoid() tensor([-1.3133e+00, -4.7408e-01, -9.1147e-04, -1.2693e-01])
p, q = torch.tensor([[0.2, 0.8]]), torch.tensor([[0.5, 0.5]])
print(nn.KLDivLoss(reduction="batchmean")(p.log(), q), nn.KLDivLoss(reduction="sum", log_target=True)(p.log(), q.log()), nn.BCELoss()(p, q))
# expect: tensor(0.2231) tensor(0.2231) tensor(0.9163)
print(nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.0, 2.0]))(p, q), nn.SmoothL1Loss(beta=0.5)(p, q), nn.HuberLoss(reduction="sum")(p, 3 * q))
# expect: tensor(0.8274) tensor(0.0900) tensor(1.0450)
print(nn.KLDivLoss(), nn.BCELoss(), nn.HuberLoss())  # expect: KLDivLoss() BCELoss() HuberLoss()

# case: extents of pooling
a = torch.arange(16.0).view(1, 4, 4)
print(F.avg_pool2d(a, 2, ()).shape, F.avg_pool1d(a, (2,), ()).shape)  # expect: torch.Size([1, 2, 2]) torch.Size([1, 4, 2])
for call in (lambda: F.avg_pool2d(a, ()), lambda: F.max_pool1d(a, 1, (3, 3, 2)), lambda: F.max_pool2d(a, 2, 2, (1, 1, 1)), lambda: F.interpolate(a, scale_factor=2, align_corners=False)):
    try:
        call()
    except Exception as error:
        print(type(error).__name__)
# expect: RuntimeError
# expect: RuntimeError
# expect: RuntimeError
# expect: ValueError

# case: pooling
x = torch.arange(24.0).view(1, 2, 3, 4)
print(nn.AdaptiveAvgPool2d(1)(x), nn.AdaptiveAvgPool2d((2, 3))(x), nn.AdaptiveAvgPool1d(3)(x[0]), F.adaptive_avg_pool2d(x, (None, 2)).shape)
# expect: tensor([[[[ 5.5000]],
# expect:
# expect:          [[17.5000]]]]) tensor([[[[ 2.5000,  3.5000,  4.5000],
# expect:           [ 6.5000,  7.5000,  8.5000]],
# expect:
# expect:          [[14.5000, 15.5000, 16.5000],
# expect:           [18.5000, 19.5000, 20.5000]]]]) tensor([[[ 0.5000,  1.5000,  2.5000],
# expect:          [ 4.5000,  5.5000,  6.5000],
# expect:          [ 8.5000,  9.5000, 10.5000]],
# expect:
# expect:         [[12.5000, 13.5000, 14.5000],
# expect:          [16.5000, 17.5000, 18.5000],
# expect:          [20.5000, 21.5000, 22.5000]]]) torch.Size([1, 2, 3, 2])
print(nn.MaxPool2d(2)(x), nn.MaxPool2d(3, stride=1, padding=1)(x).shape, F.max_pool1d(x[0], 2), nn.AvgPool1d(2)(x[0]), F.avg_pool2d(x, 2, 1))
# expect: tensor([[[[ 5.,  7.]],
# expect:
# expect:          [[17., 19.]]]]) torch.Size([1, 2, 3, 4]) tensor([[[ 1.,  3.],
# expect:          [ 5.,  7.],
# expect:          [ 9., 11.]],
# expect:
# expect:         [[13., 15.],
# expect:          [17., 19.],
# expect:          [21., 23.]]]) tensor([[[ 0.5000,  2.5000],
# expect:          [ 4.5000,  6.5000],
# expect:          [ 8.5000, 10.5000]],
# expect:
# expect:         [[12.5000, 14.5000],
# expect:          [16.5000, 18.5000],
# expect:          [20.5000, 22.5000]]]) tensor([[[[ 2.5000,  3.5000,  4.5000],
# expect:           [ 6.5000,  7.5000,  8.5000]],
# expect:
# expect:          [[14.5000, 15.5000, 16.5000],
# expect:           [18.5000, 19.5000, 20.5000]]]])
print(nn.MaxPool2d(2), nn.AvgPool2d(2), nn.AvgPool1d(2), nn.AdaptiveAvgPool2d((1, 1)), nn.MaxPool1d(2, padding=1))
# expect: MaxPool2d(kernel_size=2, stride=2, padding=0, dilation=1, ceil_mode=False) AvgPool2d(kernel_size=2, stride=2, padding=0) AvgPool1d(kernel_size=(2,), stride=(2,), padding=(0,)) AdaptiveAvgPool2d(output_size=(1, 1)) MaxPool1d(kernel_size=2, stride=2, padding=1, dilation=1, ceil_mode=False)
print(nn.Upsample(scale_factor=2)(x)[0, 0], F.interpolate(x[0], size=3), nn.Upsample(scale_factor=2), F.interpolate(x, scale_factor=(1, 0.5)).shape)
# expect: tensor([[ 0.,  0.,  1.,  1.,  2.,  2.,  3.,  3.],
# expect:         [ 0.,  0.,  1.,  1.,  2.,  2.,  3.,  3.],
# expect:         [ 4.,  4.,  5.,  5.,  6.,  6.,  7.,  7.],
# expect:         [ 4.,  4.,  5.,  5.,  6.,  6.,  7.,  7.],
# expect:         [ 8.,  8.,  9.,  9., 10., 10., 11., 11.],
# expect:         [ 8.,  8.,  9.,  9., 10., 10., 11., 11.]]) tensor([[[ 0.,  1.,  2.],
# expect:          [ 4.,  5.,  6.],
# expect:          [ 8.,  9., 10.]],
# expect:
# expect:         [[12., 13., 14.],
# expect:          [16., 17., 18.],
# expect:          [20., 21., 22.]]]) Upsample(scale_factor=2.0, mode=nearest) torch.Size([1, 2, 3, 2])

# case: old names of nn.init, orthogonal_
torch.manual_seed(0)
w = torch.empty(2, 3)
nn.init.orthogonal_(w)
print(torch.allclose(w @ w.t(), torch.eye(2), atol=1e-6), w)
# expect: True tensor([[ 0.5740, -0.1093, -0.8115],
# expect:         [-0.3454, -0.9309, -0.1189]])
w = nn.init.orthogonal_(torch.empty(4, 2, 1), gain=2)
print(w.squeeze(), torch.allclose(w[:, 0, 0] @ w[:, 1, 0], torch.tensor(0.0), atol=1e-5))
# expect: tensor([[ 0.6064,  1.3189],
# expect:         [-1.0813, -0.8121],
# expect:         [-0.8969,  0.0555],
# expect:         [-1.2879,  1.2641]]) True
nn.init.orthogonal_(torch.empty(3))  # expect error[ValueError]: Only tensors with 2 or more dimensions are supported

# case: packed sequences
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence, pack_sequence, PackedSequence
print(pad_sequence([torch.tensor([1, 2, 3]), torch.tensor([4])], batch_first=True, padding_value=-1), pad_sequence([torch.ones(2, 2), torch.ones(1, 2)]).shape)
# expect: tensor([[ 1,  2,  3],
# expect:         [ 4, -1, -1]]) torch.Size([2, 2, 2])
x = torch.arange(12.0).view(2, 3, 2)
packed = pack_padded_sequence(x, [3, 2], batch_first=True)
print(packed, isinstance(packed, PackedSequence), packed.data.shape, packed.batch_sizes)
# expect: PackedSequence(data=tensor([[0., 1.],
# expect:         [6., 7.],
# expect:         [2., 3.],
# expect:         [8., 9.],
# expect:         [4., 5.]]), batch_sizes=tensor([2, 2, 1]), sorted_indices=None, unsorted_indices=None) True torch.Size([5, 2]) tensor([2, 2, 1])
print(pad_packed_sequence(packed, batch_first=True), pad_packed_sequence(packed, padding_value=-1.0, total_length=4)[0].shape)
# expect: (tensor([[[0., 1.],
# expect:          [2., 3.],
# expect:          [4., 5.]],
# expect:
# expect:         [[6., 7.],
# expect:          [8., 9.],
# expect:          [0., 0.]]]), tensor([3, 2])) torch.Size([4, 2, 2])
packed = pack_padded_sequence(x, torch.tensor([1, 3]), batch_first=True, enforce_sorted=False)
print(packed, pad_packed_sequence(packed, batch_first=True))
# expect: PackedSequence(data=tensor([[ 6.,  7.],
# expect:         [ 0.,  1.],
# expect:         [ 8.,  9.],
# expect:         [10., 11.]]), batch_sizes=tensor([2, 1, 1]), sorted_indices=tensor([1, 0]), unsorted_indices=tensor([1, 0])) (tensor([[[ 0.,  1.],
# expect:          [ 0.,  0.],
# expect:          [ 0.,  0.]],
# expect:
# expect:         [[ 6.,  7.],
# expect:          [ 8.,  9.],
# expect:          [10., 11.]]]), tensor([1, 3]))
print(pack_sequence([torch.tensor([1, 2]), torch.tensor([3])]).data)  # expect: tensor([1, 3, 2])
pack_padded_sequence(x, [2, 3], batch_first=True)  # expect error[RuntimeError]: `lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need ONNX exportability.

# case: recurrent layers over packed sequences
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
torch.manual_seed(0)
x = torch.randn(3, 4, 2)
for make in [nn.GRU, nn.LSTM, nn.RNN]:
    for bidirectional in [False, True]:
        net = make(2, 3, num_layers=2, batch_first=True, bidirectional=bidirectional)
        packed = pack_padded_sequence(x, torch.tensor([2, 4, 1]), batch_first=True, enforce_sorted=False)
        out, state = net(packed)
        padded, lengths = pad_packed_sequence(out, batch_first=True)
        print(padded.shape, lengths, padded.sum().detach(), [s.sum().detach() for s in state])
# expect: torch.Size([3, 4, 3]) tensor([2, 4, 1]) tensor(-4.9429) [tensor(2.0483), tensor(-2.1239)]
# expect: torch.Size([3, 4, 6]) tensor([2, 4, 1]) tensor(-1.3054) [tensor(-1.5309), tensor(-0.4706), tensor(-1.0764), tensor(0.5018)]
# expect: torch.Size([3, 4, 3]) tensor([2, 4, 1]) tensor(1.4841) [tensor(1.0056), tensor(1.7556)]
# expect: torch.Size([3, 4, 6]) tensor([2, 4, 1]) tensor(0.8861) [tensor(1.4328), tensor(1.0272)]
# expect: torch.Size([3, 4, 3]) tensor([2, 4, 1]) tensor(-3.7883) [tensor(-2.1766), tensor(-1.6153)]
# expect: torch.Size([3, 4, 6]) tensor([2, 4, 1]) tensor(6.6074) [tensor(-1.4241), tensor(0.8771), tensor(1.4477), tensor(0.6556)]
net = nn.GRU(2, 2)
out, h = net(pack_padded_sequence(x, [3, 3, 2, 1]), torch.ones(1, 4, 2))
print(out.data, out.batch_sizes, h)
# expect: tensor([[ 0.8779,  0.5879],
# expect:         [ 0.6692,  0.5201],
# expect:         [ 0.5976,  0.5389],
# expect:         [ 0.8254,  0.5301],
# expect:         [ 0.4914,  0.1852],
# expect:         [ 0.3839,  0.0861],
# expect:         [ 0.3549,  0.2266],
# expect:         [ 0.3146, -0.0660],
# expect:         [ 0.1997, -0.2402]], grad_fn=<CatBackward0>) tensor([4, 3, 2]) tensor([[[ 0.3146, -0.0660],
# expect:          [ 0.1997, -0.2402],
# expect:          [ 0.3549,  0.2266],
# expect:          [ 0.8254,  0.5301]]], grad_fn=<StackBackward0>)

# case: a forward that is set on one layer
class Plus(nn.Module):
    def forward(self, x):
        return x + 1
class Made(nn.Module):
    def __init__(self):
        super().__init__()
        self.forward = self.fast
    def fast(self, x):
        return x - 1
s, other = Plus(), Plus()
s.forward = lambda x: x * 10
print(s(torch.ones(1)), s.forward(torch.ones(1)), other(torch.ones(1)), Made()(torch.ones(1)))
layer = nn.Identity()
plain = layer.forward
layer.forward = lambda x: plain(x) * 2
print(layer(torch.ones(1)), nn.Sequential(layer, other)(torch.ones(1)))
# expect: tensor([10.]) tensor([10.]) tensor([2.]) tensor([0.])
# expect: tensor([2.]) tensor([3.])

# case: parts of a transformer layer that a class writes anew
class WithoutAttention(nn.TransformerEncoderLayer):
    def _sa_block(self, x, attn_mask, key_padding_mask):
        return x * 0
class Doubled(nn.TransformerDecoderLayer):
    def _ff_block(self, x):
        return super()._ff_block(x) * 2
torch.manual_seed(0)
print(WithoutAttention(4, 2, 8, dropout=0.)(torch.ones(2, 1, 4)).round(decimals=3)[0])
print(Doubled(4, 2, 8, dropout=0.)(torch.ones(2, 1, 4), torch.ones(1, 1, 4)).round(decimals=3)[0])
# expect: tensor([[ 1.2530,  0.3660, -0.1080, -1.5110]], grad_fn=<SelectBackward0>)
# expect: tensor([[ 1.4940, -1.2600,  0.1610, -0.3950]], grad_fn=<SelectBackward0>)

# case: parameters are drawn by a function of the class
class Ones(nn.Embedding):
    def reset_parameters(self):
        nn.init.ones_(self.weight)
class NoBias(nn.Linear):
    def reset_parameters(self):
        super().reset_parameters()
        self.bias.data.zero_()
torch.manual_seed(1)
print(Ones(2, 2).weight.tolist(), torch.randn(1))
torch.manual_seed(1)
print(NoBias(2, 2).bias.tolist(), torch.randn(1))
kinds = (nn.ReLU(), nn.Linear(1, 1), nn.LayerNorm(2), nn.PReLU(), nn.MultiheadAttention(2, 1), nn.Dropout(), nn.GRU(1, 1))
print([hasattr(layer, 'reset_parameters') for layer in kinds], hasattr(nn.Sequential(nn.Linear(1, 1)), 'reset_parameters'))
# expect: [[1.0, 1.0], [1.0, 1.0]] tensor([0.6614])
# expect: [0.0, 0.0] tensor([0.5636])
# expect: [False, True, True, False, False, False, True] False

# case: a chain of layers that is too long to name
s = nn.ReLU()
for i in range(3000):
    s = nn.Sequential(s)
list(s.modules())  # expect error[RecursionError]
# case: the largest of equal elements
x = torch.zeros(1, 1, 4, 4, requires_grad=True)
for pool in (nn.MaxPool2d(2), nn.AdaptiveMaxPool2d((1, 2)), lambda x: F.max_pool1d(x[0], 2), lambda x: nn.AdaptiveMaxPool1d(2)(x[0])):
    x.grad = None
    pool(x).sum().backward()
    print(x.grad.long().tolist())
# expect: [[[[1, 0, 1, 0], [0, 0, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0]]]]
# expect: [[[[1, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]]]
# expect: [[[[1, 0, 1, 0], [1, 0, 1, 0], [1, 0, 1, 0], [1, 0, 1, 0]]]]
# expect: [[[[1, 0, 1, 0], [1, 0, 1, 0], [1, 0, 1, 0], [1, 0, 1, 0]]]]

# case: pooling with places, gaps and windows past the end
x = torch.tensor([[[3.0, 1.0, 4.0, 1.0, 5.0], [9.0, 2.0, 6.0, 5.0, 3.0], [5.0, 8.0, 9.0, 7.0, 9.0]]])
print(F.max_pool2d(x, 2, ceil_mode=True), F.max_pool2d(x, 2, stride=1, dilation=2, return_indices=True))
print(nn.MaxPool1d(2, return_indices=True)(x), F.adaptive_max_pool1d(x, 2, return_indices=True)[1], nn.AdaptiveMaxPool2d((None, 1))(x))
print(F.avg_pool2d(x, 2, padding=1, count_include_pad=False), nn.AvgPool2d(2, ceil_mode=True)(x), F.avg_pool2d(x, 3, divisor_override=2))
print(nn.AdaptiveMaxPool2d((None, 1)), nn.AdaptiveMaxPool1d(2))
for call in (lambda: F.max_pool1d(x, 2, dilation=0), lambda: F.avg_pool2d(x, 2, divisor_override=0), lambda: F.interpolate(x.long(), size=3)):
    try:
        call()
    except Exception as error:
        print(type(error).__name__)
# expect: tensor([[[9., 6., 5.],
# expect:          [8., 9., 9.]]]) (tensor([[[9., 8., 9.]]]), tensor([[[12, 11, 12]]]))
# expect: (tensor([[[3., 4.],
# expect:          [9., 6.],
# expect:          [8., 9.]]]), tensor([[[0, 2],
# expect:          [0, 2],
# expect:          [1, 2]]])) tensor([[[2, 4],
# expect:          [0, 2],
# expect:          [2, 2]]]) tensor([[[5.],
# expect:          [9.],
# expect:          [9.]]])
# expect: tensor([[[3.0000, 2.5000, 3.0000],
# expect:          [7.0000, 6.2500, 6.0000]]]) tensor([[[3.7500, 4.0000, 4.0000],
# expect:          [6.5000, 8.0000, 9.0000]]]) tensor([[[23.5000]]])
# expect: AdaptiveMaxPool2d(output_size=(None, 1)) AdaptiveMaxPool1d(output_size=2)
# expect: RuntimeError
# expect: RuntimeError
# expect: RuntimeError


# case: containers are joined with +
print(nn.ModuleList([nn.ReLU()]) + nn.ModuleList([nn.Tanh()]))
print(nn.Sequential(nn.ReLU()) + nn.Sequential(nn.Tanh(), nn.ReLU()))
try:
    nn.Sequential(nn.ReLU()) + [nn.Tanh()]
except ValueError as error:
    print(error)
# expect: ModuleList(
# expect:   (0): ReLU()
# expect:   (1): Tanh()
# expect: )
# expect: Sequential(
# expect:   (0): ReLU()
# expect:   (1): Tanh()
# expect:   (2): ReLU()
# expect: )
# expect: add operator supports only objects of Sequential class, but <class 'list'> is given.

# case: pooling takes nothing but an empty batch
for pool, shape in ((F.max_pool2d, (1, 0, 4, 4)), (F.max_pool2d, (0, 1, 4, 4)), (F.avg_pool2d, (1, 0, 4, 4)), (F.max_pool1d, (1, 0, 4)), (F.max_pool1d, (0, 4))):
    try:
        print(pool(torch.zeros(shape), 2).shape)
    except RuntimeError:
        print('RuntimeError')
# expect: RuntimeError
# expect: torch.Size([0, 1, 2, 2])
# expect: RuntimeError
# expect: RuntimeError
# expect: RuntimeError

# case: edges that are repeated
for sizes in (2, 0), (1, 2, 0), (0, 2, 2), (2, 1):
    try:
        print(F.pad(torch.ones(sizes), (1, 1), mode='replicate').shape)
    except RuntimeError as error:
        print(error)
# expect: Expected 2D or 3D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: [2, 0]
# expect: Expected 2D or 3D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: [1, 2, 0]
# expect: torch.Size([0, 2, 4])
# expect: torch.Size([2, 3])

# case: the names of the weights of recurrent layers
from torch import nn
print(nn.GRU(2, 3, 2, bias=False)._flat_weights_names, nn.LSTM(2, 3, bidirectional=True)._flat_weights_names[:5])
# expect: ['weight_ih_l0', 'weight_hh_l0', 'weight_ih_l1', 'weight_hh_l1'] ['weight_ih_l0', 'weight_hh_l0', 'bias_ih_l0', 'bias_hh_l0', 'weight_ih_l0_reverse']

# case: an embedding shortens rows that it looks up
import torch
from torch import nn
torch.manual_seed(0)
embed = nn.Embedding(5, 3, max_norm=1.0, padding_idx=0)
print(embed, embed(torch.tensor([[1, 2], [1, 0]])))
print(embed.weight)
table = torch.ones(3, 4) * 2
print(torch.nn.functional.embedding(torch.tensor([2]), table, max_norm=1.5, norm_type=1.), table)
embed(torch.tensor([3, 3, 4])).pow(2).sum().backward()
torch.optim.SGD(embed.parameters(), 1.).step()
print(embed(torch.tensor([3])))
print(embed.weight.detach()[3:])
# expect: Embedding(5, 3, padding_idx=0, max_norm=1.0) tensor([[[ 0.3058, -0.5834, -0.7524],
# expect:          [ 0.3431,  0.7128, -0.6118]],
# expect:
# expect:         [[ 0.3058, -0.5834, -0.7524],
# expect:          [ 0.0000,  0.0000,  0.0000]]], grad_fn=<EmbeddingBackward0>)
# expect: Parameter containing:
# expect: tensor([[ 0.0000,  0.0000,  0.0000],
# expect:         [ 0.3058, -0.5834, -0.7524],
# expect:         [ 0.3431,  0.7128, -0.6118],
# expect:         [-0.4033, -0.5966,  0.1820],
# expect:         [-0.8567,  1.1006, -1.0712]], requires_grad=True)
# expect: tensor([[0.3750, 0.3750, 0.3750, 0.3750]]) tensor([[2.0000, 2.0000, 2.0000, 2.0000],
# expect:         [2.0000, 2.0000, 2.0000, 2.0000],
# expect:         [0.3750, 0.3750, 0.3750, 0.3750]])
# expect: tensor([[ 0.5430,  0.8032, -0.2451]], grad_fn=<EmbeddingBackward0>)
# expect: tensor([[ 0.5430,  0.8032, -0.2451],
# expect:         [ 0.4871, -0.6258,  0.6091]])

# case: parts that a program has made something else
class Five(nn.Module):
    def get_submodule(self, target): return 5
def attempt(function):
    try: function()
    except (TypeError, AttributeError) as error: print("no layer")
attempt(lambda: Five().get_parameter("a.real"))  # expect: no layer

# case: a layer that is a member of an enumeration
import enum
class Kind(nn.Module, enum.Enum):
    A = 5
    def __init__(self, size):
        super().__init__()
        self.size = size
print(Kind.A.size, Kind.A.training)  # expect: 5 True

# case: parameters that are none
class Own(nn.Module):
    def parameters(self, recurse=True): return [self]
    grad = 5
def attempt(function):
    try: function()
    except (TypeError, AttributeError) as error: print("no tensor")
attempt(Own().zero_grad)  # expect: no tensor
