# Parts of models and of training that are rarer: bags, parameters by name, padding, schedules, distributions.
import torch
from torch import nn
from torch.nn import functional as F


def attempt(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__)


def rates(make, count=8):
    optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=0.1, momentum=0.9)
    schedule = make(optimizer)
    found = []
    for _ in range(count):
        optimizer.step()
        schedule.step()
        found.append((round(schedule.get_last_lr()[0], 7), round(optimizer.param_groups[0]['momentum'], 7)))
    return found


# case: bags of embeddings
torch.manual_seed(0)
table = torch.randn(6, 3)
ids, offsets = torch.tensor([0, 1, 2, 4, 3, 5]), torch.tensor([0, 2, 2])
for mode in ('mean', 'sum', 'max'):
    weight = table.clone().requires_grad_()
    out = F.embedding_bag(ids, weight, offsets, mode=mode)
    out.sum().backward()
    print(out, weight.grad)
# expect: tensor([[-0.1662, -0.2768, -0.4942],
# expect:         [ 0.0000,  0.0000,  0.0000],
# expect:         [ 0.0117,  1.0494,  0.7142]], grad_fn=<EmbeddingBagBackward0>) tensor([[0.5000, 0.5000, 0.5000],
# expect:         [0.5000, 0.5000, 0.5000],
# expect:         [0.2500, 0.2500, 0.2500],
# expect:         [0.2500, 0.2500, 0.2500],
# expect:         [0.2500, 0.2500, 0.2500],
# expect:         [0.2500, 0.2500, 0.2500]])
# expect: tensor([[-0.3323, -0.5535, -0.9884],
# expect:         [ 0.0000,  0.0000,  0.0000],
# expect:         [ 0.0466,  4.1978,  2.8569]], grad_fn=<EmbeddingBagBackward0>) tensor([[1., 1., 1.],
# expect:         [1., 1., 1.],
# expect:         [1., 1., 1.],
# expect:         [1., 1., 1.],
# expect:         [1., 1., 1.],
# expect:         [1., 1., 1.]])
# expect: tensor([[0.7935, 0.5988, 0.5667],
# expect:         [0.0000, 0.0000, 0.0000],
# expect:         [1.3894, 1.8530, 1.2590]], grad_fn=<EmbeddingBagBackward0>) tensor([[0., 0., 1.],
# expect:         [1., 1., 0.],
# expect:         [0., 1., 0.],
# expect:         [0., 0., 0.],
# expect:         [1., 0., 0.],
# expect:         [0., 0., 1.]])
print(F.embedding_bag(ids.view(2, 3), table, padding_idx=2))
# expect: tensor([[-0.1662, -0.2768, -0.4942],
# expect:         [ 0.1293,  0.7816,  0.7963]])
print(F.embedding_bag(ids.view(2, 3), table, mode='sum', per_sample_weights=torch.tensor([[1., 0., 2.], [0., 0., 1.]])))
# expect: tensor([[-1.8086,  2.5537,  1.5028],
# expect:         [-0.8437,  0.9318,  1.2590]])
print(F.embedding_bag(ids, table, torch.tensor([0, 4, 6]), include_last_offset=True))
# expect: tensor([[ 0.1789,  0.7215,  0.1065],
# expect:         [-0.5007,  0.3792,  0.7212]])
torch.manual_seed(0)
bags = nn.EmbeddingBag(4, 2, mode='sum', padding_idx=-1)
print(bags, bags.weight, bags(torch.tensor([[0, 3], [1, 1]])))
# expect: EmbeddingBag(4, 2, mode=sum, padding_idx=3) Parameter containing:
# expect: tensor([[ 1.5410, -0.2934],
# expect:         [-2.1788,  0.5684],
# expect:         [-1.0845, -1.3986],
# expect:         [ 0.0000,  0.0000]], requires_grad=True) tensor([[ 1.5410, -0.2934],
# expect:         [-4.3576,  1.1369]], grad_fn=<EmbeddingBagBackward0>)
print(nn.EmbeddingBag.from_pretrained(table, mode='max')(ids.view(3, 2)))
# expect: tensor([[ 0.7935,  0.5988,  0.5667],
# expect:         [ 1.3894,  1.8530,  0.9463],
# expect:         [-0.1577,  0.9318,  1.2590]])
print(list(nn.EmbeddingBag(2, 1).state_dict()), nn.EmbeddingBag(2, 1).weight.shape)
# expect: ['weight'] torch.Size([2, 1])

# case: bags that do not fit
for call in (lambda: F.embedding_bag(torch.tensor([0, 1]), torch.ones(2, 2)),
             lambda: F.embedding_bag(torch.tensor([[0, 1]]), torch.ones(2, 2), torch.tensor([0])),
             lambda: F.embedding_bag(torch.tensor([0, 1]), torch.ones(2, 2), torch.tensor([1])),
             lambda: F.embedding_bag(torch.tensor([[0, 1]]), torch.ones(2, 2), mode='min'),
             lambda: F.embedding_bag(torch.tensor([0, 1]), torch.ones(2), torch.tensor([0])),
             lambda: F.embedding_bag(torch.tensor([0]), torch.tensor(1.), torch.tensor([0]), padding_idx=0)):
    attempt(call)
# expect: ValueError
# expect: ValueError
# expect: RuntimeError
# expect: ValueError
# expect: IndexError
# expect: IndexError

# case: parameters by name
torch.manual_seed(0)
parts = nn.ParameterDict({'right': torch.ones(2, 3), 'left': nn.Parameter(torch.zeros(2))})
print(parts, list(parts), len(parts), 'left' in parts, list(parts.state_dict()))
# expect: ParameterDict(
# expect:     (left): Parameter containing: [torch.FloatTensor of size 2]
# expect:     (right): Parameter containing: [torch.FloatTensor of size 2x3]
# expect: ) ['left', 'right'] 2 True ['left', 'right']
parts['more'] = torch.tensor(1.)
print([(name, tuple(value.shape)) for name, value in parts.items()], parts.get('none', 3), type(parts['more']).__name__)
# expect: [('left', (2,)), ('right', (2, 3)), ('more', ())] 3 Parameter
parts.update({'b': torch.ones(1), 'a': torch.ones(1)})
del parts['more']
print(list(parts.keys()), parts.pop('b').shape, parts.popitem()[0], len(list(parts.parameters())))
# expect: ['left', 'right', 'a', 'b'] torch.Size([1]) a 2
parts |= {'c': torch.ones(1)}
print(sum(value.sum().item() for value in parts.values()), list(parts.copy()))  # expect: 7.0 ['left', 'right', 'c']

class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = nn.ParameterDict({name: torch.full((2,), 2.) for name in 'qk'})

    def forward(self, x, name):
        return x * self.scales[name]

net = Scaled()
net(torch.ones(2), 'q').sum().backward()
print(net, net.scales['q'].grad, net.scales['k'].grad, list(dict(net.named_parameters())))
# expect: Scaled(
# expect:   (scales): ParameterDict(
# expect:       (k): Parameter containing: [torch.FloatTensor of size 2]
# expect:       (q): Parameter containing: [torch.FloatTensor of size 2]
# expect:   )
# expect: ) tensor([1., 1.]) None ['scales.k', 'scales.q']
parts.clear()
print(parts)  # expect: ParameterDict()
attempt(lambda: parts['a'])  # expect: AttributeError
attempt(lambda: parts[0])  # expect: TypeError

# case: padding that repeats the tensor
x = torch.arange(6.).view(1, 2, 3).requires_grad_()
for mode in ('reflect', 'replicate', 'circular'):
    out = F.pad(x, (1, 2), mode=mode)
    x.grad = None
    (out * torch.arange(6.)).sum().backward()
    print(out, x.grad, F.pad(torch.arange(8.).view(1, 1, 2, 4), (2, 1, 1, 0), mode=mode))
# expect: tensor([[[1., 0., 1., 2., 1., 0.],
# expect:          [4., 3., 4., 5., 4., 3.]]], grad_fn=<ReflectionPad1DBackward0>) tensor([[[6., 6., 3.],
# expect:          [6., 6., 3.]]]) tensor([[[[6., 5., 4., 5., 6., 7., 6.],
# expect:           [2., 1., 0., 1., 2., 3., 2.],
# expect:           [6., 5., 4., 5., 6., 7., 6.]]]])
# expect: tensor([[[0., 0., 1., 2., 2., 2.],
# expect:          [3., 3., 4., 5., 5., 5.]]], grad_fn=<ReplicationPad1DBackward0>) tensor([[[ 1.,  2., 12.],
# expect:          [ 1.,  2., 12.]]]) tensor([[[[0., 0., 0., 1., 2., 3., 3.],
# expect:           [0., 0., 0., 1., 2., 3., 3.],
# expect:           [4., 4., 4., 5., 6., 7., 7.]]]])
# expect: tensor([[[2., 0., 1., 2., 0., 1.],
# expect:          [5., 3., 4., 5., 3., 4.]]], grad_fn=<CopySlices>) tensor([[[5., 7., 3.],
# expect:          [5., 7., 3.]]]) tensor([[[[6., 7., 4., 5., 6., 7., 4.],
# expect:           [2., 3., 0., 1., 2., 3., 0.],
# expect:           [6., 7., 4., 5., 6., 7., 4.]]]])
print(F.pad(torch.arange(4.).view(1, 4), (-1, 1), 'reflect'), F.pad(torch.ones(2, 3), (1, 1), 'replicate').shape)
# expect: tensor([[1., 2., 3., 2.]]) torch.Size([2, 5])
for call in (lambda: F.pad(x, (3, 0), 'reflect'), lambda: F.pad(x, (4, 0), 'circular'), lambda: F.pad(x[0, 0], (1, 0), 'reflect'),
             lambda: F.pad(x, (1, 1), 'reflect', 2.), lambda: F.pad(x.long(), (1, 1), 'replicate'),
             lambda: F.pad(x[0], (1, 1), 'circular')):
    attempt(call)
# expect: RuntimeError
# expect: RuntimeError
# expect: NotImplementedError
# expect: RuntimeError
# expect: RuntimeError
# expect: RuntimeError

# case: convolutions with other padding
for mode in ('circular', 'reflect', 'replicate'):
    torch.manual_seed(0)
    conv = nn.Conv1d(2, 3, 3, padding=1, padding_mode=mode)
    print(conv, conv(torch.arange(10.).view(1, 2, 5)))
# expect: Conv1d(2, 3, kernel_size=(3,), stride=(1,), padding=(1,), padding_mode=circular) tensor([[[-3.4584, -2.4091, -2.8774, -3.3457, -2.6813],
# expect:          [-0.3725, -0.6884, -0.5046, -0.3208,  0.4453],
# expect:          [ 0.8327,  2.3000,  1.8928,  1.4856,  0.6951]]],
# expect:        grad_fn=<ConvolutionBackward0>)
# expect: Conv1d(2, 3, kernel_size=(3,), stride=(1,), padding=(1,), padding_mode=reflect) tensor([[[-2.5479, -2.4091, -2.8774, -3.3457, -3.3609],
# expect:          [-0.6723, -0.6884, -0.5046, -0.3208,  0.0959],
# expect:          [ 1.9574,  2.3000,  1.8928,  1.4856,  0.9251]]],
# expect:        grad_fn=<ConvolutionBackward0>)
# expect: Conv1d(2, 3, kernel_size=(3,), stride=(1,), padding=(1,), padding_mode=replicate) tensor([[[-2.2443, -2.4091, -2.8774, -3.3457, -3.5874],
# expect:          [-0.7722, -0.6884, -0.5046, -0.3208, -0.0206],
# expect:          [ 2.3323,  2.3000,  1.8928,  1.4856,  1.0017]]],
# expect:        grad_fn=<ConvolutionBackward0>)
torch.manual_seed(0)
conv = nn.Conv2d(1, 2, (2, 3), padding='same', padding_mode='circular', bias=False)
print(conv, conv(torch.arange(9.).view(1, 1, 3, 3)))
# expect: Conv2d(1, 2, kernel_size=(2, 3), stride=(1, 1), padding=same, bias=False, padding_mode=circular) tensor([[[[-1.8782, -1.4359, -1.2246],
# expect:           [-3.2830, -2.8407, -2.6294],
# expect:           [-1.5539, -1.1117, -0.9003]],
# expect:
# expect:          [[-0.2034, -0.3194,  0.2138],
# expect:           [ 0.3479,  0.2319,  0.7651],
# expect:           [ 1.7597,  1.6436,  2.1768]]]], grad_fn=<ConvolutionBackward0>)
print(nn.Conv2d(1, 1, 3, padding=(2, 1), padding_mode='reflect', stride=2)(torch.ones(1, 1, 6, 6)).shape)
# expect: torch.Size([1, 1, 4, 3])
attempt(lambda: nn.Conv1d(1, 1, 1, padding_mode='mirror'))  # expect: ValueError
attempt(lambda: nn.ConvTranspose2d(1, 1, 1, padding_mode='reflect'))  # expect: ValueError

# case: activations of other models
x = torch.tensor([-4., -3., -1., -0.2, 0., 0.2, 1., 3., 4.], requires_grad=True)
for f in (F.hardswish, F.hardsigmoid, F.celu, F.hardshrink, F.softshrink, lambda x: F.celu(x, 0.5),
          lambda x: F.threshold(x, 0.1, 20.), lambda x: F.hardshrink(x, 2), lambda x: F.softshrink(x, 0.1)):
    x.grad = None
    out = f(x)
    out.sum().backward()
    print(out, x.grad)
# expect: tensor([-0.0000, -0.0000, -0.3333, -0.0933,  0.0000,  0.1067,  0.6667,  3.0000,
# expect:          4.0000], grad_fn=<HardswishBackward0>) tensor([ 0.0000, -0.5000,  0.1667,  0.4333,  0.5000,  0.5667,  0.8333,  1.5000,
# expect:          1.0000])
# expect: tensor([0.0000, 0.0000, 0.3333, 0.4667, 0.5000, 0.5333, 0.6667, 1.0000, 1.0000],
# expect:        grad_fn=<HardsigmoidBackward0>) tensor([0.0000, 0.0000, 0.1667, 0.1667, 0.1667, 0.1667, 0.1667, 0.0000, 0.0000])
# expect: tensor([-0.9817, -0.9502, -0.6321, -0.1813,  0.0000,  0.2000,  1.0000,  3.0000,
# expect:          4.0000], grad_fn=<CeluBackward0>) tensor([0.0183, 0.0498, 0.3679, 0.8187, 1.0000, 1.0000, 1.0000, 1.0000, 1.0000])
# expect: tensor([-4., -3., -1.,  0.,  0.,  0.,  1.,  3.,  4.],
# expect:        grad_fn=<HardshrinkBackward0>) tensor([1., 1., 1., 0., 0., 0., 1., 1., 1.])
# expect: tensor([-3.5000, -2.5000, -0.5000,  0.0000,  0.0000,  0.0000,  0.5000,  2.5000,
# expect:          3.5000], grad_fn=<SoftshrinkBackward0>) tensor([1., 1., 1., 0., 0., 0., 1., 1., 1.])
# expect: tensor([-0.4998, -0.4988, -0.4323, -0.1648,  0.0000,  0.2000,  1.0000,  3.0000,
# expect:          4.0000], grad_fn=<CeluBackward0>) tensor([3.3546e-04, 2.4788e-03, 1.3534e-01, 6.7032e-01, 1.0000e+00, 1.0000e+00,
# expect:         1.0000e+00, 1.0000e+00, 1.0000e+00])
# expect: tensor([20.0000, 20.0000, 20.0000, 20.0000, 20.0000,  0.2000,  1.0000,  3.0000,
# expect:          4.0000], grad_fn=<ThresholdBackward0>) tensor([0., 0., 0., 0., 0., 1., 1., 1., 1.])
# expect: tensor([-4., -3.,  0.,  0.,  0.,  0.,  0.,  3.,  4.],
# expect:        grad_fn=<HardshrinkBackward0>) tensor([1., 1., 0., 0., 0., 0., 0., 1., 1.])
# expect: tensor([-3.9000, -2.9000, -0.9000, -0.1000,  0.0000,  0.1000,  0.9000,  2.9000,
# expect:          3.9000], grad_fn=<SoftshrinkBackward0>) tensor([1., 1., 1., 1., 0., 1., 1., 1., 1.])
layers = [nn.Hardswish(), nn.Hardsigmoid(True), nn.CELU(), nn.CELU(2, True), nn.Threshold(0.1, 20), nn.Hardshrink(),
          nn.Softshrink(0.1), nn.Hardtanh(), nn.Hardtanh(-2, 2), nn.Tanhshrink(), nn.Softmin(dim=0), nn.Softmin()]
for layer in layers:
    print(layer, layer(torch.tensor([-3., -0.3, 0.3, 5.])))
# expect: Hardswish() tensor([-0.0000, -0.1350,  0.1650,  5.0000])
# expect: Hardsigmoid() tensor([0.0000, 0.4500, 0.5500, 1.0000])
# expect: CELU(alpha=1.0) tensor([-0.9502, -0.2592,  0.3000,  5.0000])
# expect: CELU(alpha=2, inplace=True) tensor([-1.5537, -0.2786,  0.3000,  5.0000])
# expect: Threshold(threshold=0.1, value=20) tensor([20.0000, 20.0000,  0.3000,  5.0000])
# expect: Hardshrink(0.5) tensor([-3.,  0.,  0.,  5.])
# expect: Softshrink(0.1) tensor([-2.9000, -0.2000,  0.2000,  4.9000])
# expect: Hardtanh(min_val=-1.0, max_val=1.0) tensor([-1.0000, -0.3000,  0.3000,  1.0000])
# expect: Hardtanh(min_val=-2, max_val=2) tensor([-2.0000, -0.3000,  0.3000,  2.0000])
# expect: Tanhshrink() tensor([-2.0049, -0.0087,  0.0087,  4.0001])
# expect: Softmin(dim=0) tensor([9.0545e-01, 6.0851e-02, 3.3396e-02, 3.0374e-04])
# expect: Softmin(dim=None) tensor([9.0545e-01, 6.0851e-02, 3.3396e-02, 3.0374e-04])
print(F.threshold(torch.arange(3), 1, 7), F.threshold(torch.arange(3), 1, 7.5), torch.threshold(torch.ones(1), 2, 3))
# expect: tensor([7, 7, 2]) tensor([7, 7, 2]) tensor([3.])
y = torch.tensor([-1., 2.])
print(F.hardswish(y, inplace=True) is y, y, torch.celu(y), torch.hardshrink(y), y.hardshrink())
# expect: True tensor([-0.3333,  1.6667]) tensor([-0.2835,  1.6667]) tensor([0.0000, 1.6667]) tensor([0.0000, 1.6667])
for call in (lambda: F.hardswish(torch.arange(3)), lambda: F.celu(y, 0), lambda: F.softshrink(y, -1),
             lambda: F.threshold(torch.tensor([True]), 0, 1)):
    attempt(call)
# expect: RuntimeError
# expect: RuntimeError
# expect: RuntimeError
# expect: RuntimeError

# case: weights as a direction and a length
torch.manual_seed(0)
layer = nn.utils.weight_norm(nn.Linear(3, 2))
print(layer, list(layer.state_dict()), layer.weight_g.shape, torch.allclose(layer.weight, layer.weight_v))
# expect: Linear(in_features=3, out_features=2, bias=True) ['bias', 'weight_g', 'weight_v'] torch.Size([2, 1]) True
layer(torch.ones(1, 3)).sum().backward()
print(layer.weight_g.grad, layer.weight_v.grad)
# expect: tensor([[-0.2993],
# expect:         [-0.9772]]) tensor([[0.9977, 1.1634, 0.7492],
# expect:         [0.1761, 0.5688, 1.3002]])
with torch.no_grad():
    layer.weight_g.mul_(2)
print(layer(torch.ones(1, 3)))  # expect: tensor([[-0.3510, -0.5271]], grad_fn=<AddmmBackward0>)
attempt(lambda: nn.utils.weight_norm(layer))  # expect: RuntimeError
nn.utils.remove_weight_norm(layer)
print(list(layer.state_dict()), type(layer.weight).__name__, layer.weight)
# expect: ['bias', 'weight'] Parameter Parameter containing:
# expect: tensor([[-0.0086,  0.6194, -0.9504],
# expect:         [-0.8498, -0.4447,  0.3096]], requires_grad=True)
conv = nn.utils.weight_norm(nn.Conv1d(2, 3, 2), dim=None)
print(conv.weight_g.shape, conv(torch.ones(1, 2, 4)).shape)  # expect: torch.Size([]) torch.Size([1, 3, 3])
attempt(lambda: nn.utils.remove_weight_norm(layer))  # expect: ValueError

# case: what Python keeps of a layer
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.width = 3
        self.linear = nn.Linear(2, 2)
        self.register_buffer('mask', torch.ones(1), persistent=False)

net = Net()
print(list(vars(net)), vars(net)['training'], net.__dict__['width'], list(net.__dict__['_modules']))
# expect: ['training', '_parameters', '_buffers', '_non_persistent_buffers_set', '_backward_hooks', '_is_full_backward_hook', '_forward_hooks', '_forward_pre_hooks', '_state_dict_hooks', '_load_state_dict_pre_hooks', '_load_state_dict_post_hooks', '_modules', 'width'] True 3 ['linear']
print(list(vars(net.linear))[12:], list(net.linear.__dict__['_parameters']), net._non_persistent_buffers_set)
# expect: ['in_features', 'out_features'] ['weight', 'bias'] {'mask'}
net.__dict__['width'] = 4
net.__dict__.update(depth=5)
print(net.width, net.depth, len(net._forward_hooks), len(net._forward_pre_hooks), net._is_full_backward_hook)
# expect: 4 5 0 0 None
handles = [net.register_forward_hook(lambda *given: None), net.register_forward_pre_hook(lambda *given: None)]
net.register_full_backward_hook(lambda *given: None)
print(len(net._forward_hooks), len(net._forward_pre_hooks), len(net._backward_hooks), net._is_full_backward_hook)
# expect: 1 1 1 True
net._forward_hooks.clear()
handles[1].remove()
print(len(net._forward_hooks), len(net._forward_pre_hooks), type(net._forward_hooks).__name__)
# expect: 0 0 OrderedDict
attempt(lambda: vars(3))  # expect: TypeError

# case: values at places
x = torch.zeros(2, 3)
x.index_put_((torch.tensor([0, 1]), torch.tensor([1, 2])), torch.tensor([5., 6.]))
print(x, x.index_put((torch.tensor([0]),), torch.tensor(1.)), x.index_put([torch.tensor([True, False])], torch.ones(1, 3)))
# expect: tensor([[0., 5., 0.],
# expect:         [0., 0., 6.]]) tensor([[1., 1., 1.],
# expect:         [0., 0., 6.]]) tensor([[1., 1., 1.],
# expect:         [0., 0., 6.]])
y = torch.zeros(3, requires_grad=True)
v = torch.tensor([5., 6.], requires_grad=True)
out = y.index_put((torch.tensor([0, 0]),), v, accumulate=True)
(out * torch.tensor([2., 3., 4.])).sum().backward()
print(out, y.grad, v.grad)
# expect: tensor([11.,  0.,  0.], grad_fn=<IndexPutBackward0>) tensor([2., 3., 4.]) tensor([2., 2.])
attempt(lambda: x.index_put_((torch.tensor([0]),), torch.tensor([1])))  # expect: RuntimeError

# case: areas below lines
y = torch.tensor([[1., 2., 4.], [0., 1., 3.]])
print(torch.trapezoid(y), torch.trapz(y, dx=0.5), torch.trapezoid(y, torch.tensor([0., 1., 3.])), torch.trapezoid(y, dim=0))
# expect: tensor([4.5000, 2.5000]) tensor([2.2500, 1.2500]) tensor([7.5000, 4.5000]) tensor([0.5000, 1.5000, 3.5000])
print(torch.trapezoid(y, y * 2, dim=0), torch.trapezoid(torch.tensor([1, 2, 4])))
# expect: tensor([-1., -3., -7.]) tensor(4.5000)
attempt(lambda: torch.trapezoid(y, torch.ones(2)))  # expect: RuntimeError

# case: triangles and determinants
a = torch.tensor([[4., 2., 1.], [2., 5., 3.], [1., 3., 6.]])
print(torch.linalg.cholesky(a), torch.cholesky(a, upper=True), torch.linalg.cholesky(a, upper=True))
# expect: tensor([[2.0000, 0.0000, 0.0000],
# expect:         [1.0000, 2.0000, 0.0000],
# expect:         [0.5000, 1.2500, 2.0463]]) tensor([[2.0000, 1.0000, 0.5000],
# expect:         [0.0000, 2.0000, 1.2500],
# expect:         [0.0000, 0.0000, 2.0463]]) tensor([[2.0000, 1.0000, 0.5000],
# expect:         [0.0000, 2.0000, 1.2500],
# expect:         [0.0000, 0.0000, 2.0463]])
print(torch.linalg.slogdet(a), torch.slogdet(-a), a.logdet(), torch.linalg.slogdet(torch.stack([a, -a])).sign)
# expect: torch.return_types.linalg_slogdet(
# expect: sign=tensor(1.),
# expect: logabsdet=tensor(4.2047)) torch.return_types.slogdet(
# expect: sign=tensor(-1.),
# expect: logabsdet=tensor(4.2047)) tensor(4.2047) tensor([ 1., -1.])
print(torch.allclose(torch.linalg.cholesky(torch.stack([a, a * 2])) @ torch.linalg.cholesky(torch.stack([a, a * 2])).mT, torch.stack([a, a * 2])))
# expect: True
b = a.clone().requires_grad_()
(torch.linalg.cholesky(b) * a).sum().backward()
print(b.grad)
# expect: tensor([[ 1.0760, -0.1354, -0.0334],
# expect:         [-0.1354,  1.3539, -0.1663],
# expect:         [-0.0334, -0.1663,  1.4660]])
attempt(lambda: torch.linalg.cholesky(-a))  # expect: _LinAlgError
attempt(lambda: torch.linalg.slogdet(torch.ones(2, 3)))  # expect: RuntimeError
print(torch.linalg.slogdet(torch.zeros(2, 2)), torch.logdet(torch.tensor([[0., 1.], [1., 0.]])))
# expect: torch.return_types.linalg_slogdet(
# expect: sign=tensor(0.),
# expect: logabsdet=tensor(-inf)) tensor(nan)

# case: other optimizers and schedules
p = nn.Parameter(torch.tensor([1., -2.]))
optimizer = torch.optim.Adadelta([p], weight_decay=0.1)
for _ in range(3):
    optimizer.zero_grad()
    (p * p).sum().backward()
    optimizer.step()
print([round(value, 7) for value in p.tolist()], optimizer, list(optimizer.state[p]), optimizer.state[p]['step'])
# expect: [0.9903091, -1.9903008] Adadelta (
# expect: Parameter Group 0
# expect:     eps: 1e-06
# expect:     foreach: None
# expect:     lr: 1.0
# expect:     maximize: False
# expect:     rho: 0.9
# expect:     weight_decay: 0.1
# expect: ) ['step', 'square_avg', 'acc_delta'] 3
attempt(lambda: torch.optim.Adadelta([p], rho=2))  # expect: ValueError

S = torch.optim.lr_scheduler
for mode in ('triangular', 'triangular2', 'exp_range'):
    print(rates(lambda o: S.CyclicLR(o, 0.01, 0.1, step_size_up=2, step_size_down=3, mode=mode, gamma=0.9)))
# expect: [(0.055, 0.85), (0.1, 0.8), (0.07, 0.8333333), (0.04, 0.8666667), (0.01, 0.9), (0.055, 0.85), (0.1, 0.8), (0.07, 0.8333333)]
# expect: [(0.055, 0.85), (0.1, 0.8), (0.07, 0.8333333), (0.04, 0.8666667), (0.01, 0.9), (0.0325, 0.875), (0.055, 0.85), (0.04, 0.8666667)]
# expect: [(0.0505, 0.855), (0.0829, 0.819), (0.05374, 0.8514), (0.029683, 0.87813), (0.01, 0.9), (0.0339148, 0.8734279), (0.0530467, 0.8521703), (0.035828, 0.8713022)]
print(rates(lambda o: S.CyclicLR(o, 0.01, 0.1, step_size_up=2, cycle_momentum=False, scale_fn=lambda x: 1 / x)))
# expect: [(0.055, 0.9), (0.1, 0.9), (0.055, 0.9), (0.01, 0.9), (0.0325, 0.9), (0.055, 0.9), (0.0325, 0.9), (0.01, 0.9)]
print(rates(lambda o: S.ChainedScheduler([S.ConstantLR(o, 0.1, total_iters=2), S.ExponentialLR(o, 0.9)])))
# expect: [(0.009, 0.9), (0.081, 0.9), (0.0729, 0.9), (0.06561, 0.9), (0.059049, 0.9), (0.0531441, 0.9), (0.0478297, 0.9), (0.0430467, 0.9)]
attempt(lambda: S.CyclicLR(torch.optim.Adam([p]), 0.01, 0.1))  # expect: ValueError

# case: averages of weights
from torch.optim.swa_utils import AveragedModel, SWALR, update_bn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
mean, ema = AveragedModel(net), AveragedModel(net, avg_fn=lambda old, new, count: 0.9 * old + 0.1 * new)
for step in range(3):
    with torch.no_grad():
        net[0].weight.fill_(step)
    mean.update_parameters(net)
    ema.update_parameters(net)
print(mean.n_averaged, mean.module[0].weight, ema.module[0].weight, list(mean.state_dict())[:3])
# expect: tensor(3) Parameter containing:
# expect: tensor([[1., 1.],
# expect:         [1., 1.]], requires_grad=True) Parameter containing:
# expect: tensor([[0.2900, 0.2900],
# expect:         [0.2900, 0.2900]], requires_grad=True) ['n_averaged', 'module.0.weight', 'module.0.bias']
data = torch.randn(6, 2)
update_bn([(data[:3], 0), (data[3:], 1)], mean)
print(mean.module[1].running_mean, mean.module[1].running_var, mean.module[1].momentum, mean.training)
# expect: tensor([-0.1308,  0.3312]) tensor([1.3358, 1.3358]) 0.1 True
print(rates(lambda o: SWALR(o, swa_lr=0.05, anneal_epochs=3)), rates(lambda o: SWALR(o, 0.05, 2, 'linear'), 4))
# expect: [(0.0875, 0.9), (0.0625, 0.9), (0.05, 0.9), (0.05, 0.9), (0.05, 0.9), (0.05, 0.9), (0.05, 0.9), (0.05, 0.9)] [(0.075, 0.9), (0.05, 0.9), (0.05, 0.9), (0.05, 0.9)]
attempt(lambda: SWALR(torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.), [1., 2.]))  # expect: ValueError

# case: distributions of one number
import torch.distributions as D
torch.manual_seed(0)
for d in (D.Uniform(0., 2.), D.Uniform(torch.zeros(2), torch.tensor([1., 3.])), D.Exponential(torch.tensor([0.5, 2.])), D.Exponential(2.),
          D.Bernoulli(torch.tensor([0.3, 0.9])), D.Bernoulli(logits=torch.tensor(0.5))):
    drawn = d.sample((2,))
    print(d, drawn, d.log_prob(drawn), d.entropy(), d.mean, d.variance, d.stddev)
# expect: Uniform(low: 0.0, high: 2.0) tensor([0.9925, 1.5364]) tensor([-0.6931, -0.6931]) tensor(0.6931) tensor(1.) tensor(0.3333) tensor(0.5774)
# expect: Uniform(low: torch.Size([2]), high: torch.Size([2])) tensor([[0.0885, 0.3961],
# expect:         [0.3074, 1.9022]]) tensor([[ 0.0000, -1.0986],
# expect:         [ 0.0000, -1.0986]]) tensor([0.0000, 1.0986]) tensor([0.5000, 1.5000]) tensor([0.0833, 0.7500]) tensor([0.2887, 0.8660])
# expect: Exponential(rate: torch.Size([2])) tensor([[5.0702, 0.5179],
# expect:         [3.1323, 0.0984]]) tensor([[-3.2283, -0.3426],
# expect:         [-2.2593,  0.4964]]) tensor([1.6931, 0.3069]) tensor([2.0000, 0.5000]) tensor([4.0000, 0.2500]) tensor([2.0000, 0.5000])
# expect: Exponential(rate: 2.0) tensor([0.2162, 0.4353]) tensor([ 0.2607, -0.1776]) tensor(0.3069) tensor(0.5000) tensor(0.2500) tensor(0.5000)
# expect: Bernoulli(probs: torch.Size([2]), logits: torch.Size([2])) tensor([[1., 1.],
# expect:         [0., 0.]]) tensor([[-1.2040, -0.1054],
# expect:         [-0.3567, -2.3026]]) tensor([0.6109, 0.3251]) tensor([0.3000, 0.9000]) tensor([0.2100, 0.0900]) tensor([0.4583, 0.3000])
# expect: Bernoulli(probs: 0.622459352016449, logits: 0.5) tensor([1., 0.]) tensor([-0.4741, -0.9741]) tensor(0.6628) tensor(0.6225) tensor(0.2350) tensor(0.4848)
print(D.Uniform(0., 2.).cdf(torch.tensor(0.5)), D.Uniform(0., 2.).icdf(torch.tensor(0.5)), D.Exponential(2.).cdf(torch.tensor(1.)))
# expect: tensor(0.2500) tensor(1.) tensor(0.8647)
low = torch.tensor(1., requires_grad=True)
D.Uniform(low, 3.).rsample().backward()
print(low.grad is not None, D.Uniform(0., torch.ones(3)).batch_shape, D.Bernoulli(0.5).event_shape)
# expect: True torch.Size([3]) torch.Size([])
for call in (lambda: D.Uniform(1., 0.), lambda: D.Exponential(-1.), lambda: D.Bernoulli(2.), lambda: D.Bernoulli(),
             lambda: D.Bernoulli(0.5).log_prob(torch.tensor(0.3)), lambda: D.Uniform(0., 1.).log_prob(torch.tensor(3.))):
    attempt(call)
# expect: ValueError
# expect: ValueError
# expect: ValueError
# expect: ValueError
# expect: ValueError
# expect: ValueError

# case: a vector times the derivatives
from torch.autograd.functional import vjp
x = torch.tensor([1., 2.])
print(vjp(lambda x: (x ** 2).sum(), x), vjp(lambda x, y: (x * y, x.sum()), (x, x + 1), (torch.ones(2), torch.tensor(2.))))
# expect: (tensor(5.), tensor([2., 4.])) ((tensor([2., 6.]), tensor(3.)), (tensor([4., 5.]), tensor([1., 2.])))
attempt(lambda: vjp(lambda x: x * 2, x))  # expect: RuntimeError
attempt(lambda: vjp(lambda x: x * 2, x, torch.ones(3)))  # expect: RuntimeError

# case: schedules that leap, and several of them
from torch.optim import lr_scheduler
def optimizer(kind=torch.optim.SGD):
    return kind([nn.Parameter(torch.ones(1))], lr=0.1)
for make in (lambda o: lr_scheduler.ConstantLR(o, 0.5, 3), lambda o: lr_scheduler.PolynomialLR(o, 4, 2.0)):
    o = optimizer()
    s = make(o)
    rates = []
    for epoch in (0, 1, 2, 3, 1):
        o.step()
        s.step(epoch)
        rates.append(round(o.param_groups[0]['lr'], 6))
    print(rates)
o = optimizer()
s = lr_scheduler.SequentialLR(o, [lr_scheduler.ConstantLR(o, 0.5, 2), lr_scheduler.ExponentialLR(o, 0.9)], [2])
for i in range(4):
    o.step()
    s.step()
saved = s.state_dict()
print(saved)
t = lr_scheduler.SequentialLR(o, [lr_scheduler.ConstantLR(o, 0.5, 2), lr_scheduler.ExponentialLR(o, 0.9)], [2])
t.load_state_dict(saved)
o.step()
t.step()
print(t.last_epoch, t.get_last_lr() == s.get_last_lr())
o = optimizer()
s = lr_scheduler.ChainedScheduler([lr_scheduler.ConstantLR(o, 0.5, 2), lr_scheduler.ExponentialLR(o, 0.5)])
print(list(s.state_dict()))
print(optimizer(torch.optim.NAdam), list(optimizer(torch.optim.RAdam).param_groups[0]))
try:
    torch.optim.Adam([nn.Parameter(torch.ones(1))], fused=True)
except RuntimeError as error:
    print(error)
g = torch.Generator().manual_seed(3)
state = g.get_state()
first = torch.rand(2, generator=g)
print(torch.equal(first, torch.rand(2, generator=g.set_state(state))), state.dtype, state.shape)
# expect: [0.05, 0.05, 0.05, 0.1, 0.05]
# expect: [0.1, 0.05625, 0.025, 0.00625, 0.05625]
# expect: {'_milestones': [2], 'last_epoch': 4, '_last_lr': [0.08100000000000002], '_schedulers': [{'factor': 0.5, 'total_iters': 2, 'base_lrs': [0.1], 'last_epoch': 1, 'verbose': False, '_step_count': 2, '_get_lr_called_within_step': False, '_last_lr': [0.05]}, {'gamma': 0.9, 'base_lrs': [0.1], 'last_epoch': 2, 'verbose': False, '_step_count': 4, '_get_lr_called_within_step': False, '_last_lr': [0.08100000000000002]}]}
# expect: 5 False
# expect: ['_last_lr', '_schedulers']
# expect: NAdam (
# expect: Parameter Group 0
# expect:     betas: (0.9, 0.999)
# expect:     eps: 1e-08
# expect:     foreach: None
# expect:     lr: 0.1
# expect:     momentum_decay: 0.004
# expect:     weight_decay: 0
# expect: ) ['params', 'lr', 'betas', 'eps', 'weight_decay', 'foreach']
# expect: FusedAdam requires all the params to be CUDA, floating point
# expect: True torch.uint8 torch.Size([5056])

# case: Adamax
import torch
p = torch.tensor([1., -2.], requires_grad=True)
optimizer = torch.optim.Adamax([p], weight_decay=0.1)
for _ in range(3):
    optimizer.zero_grad()
    (p * p * torch.tensor([1., 3.])).sum().backward()
    optimizer.step()
print(p.tolist(), optimizer.state[p]['exp_inf'].tolist(), type(optimizer).__name__)
# expect: [0.9940003752708435, -1.9939972162246704] [2.095802068710327, 12.175612449645996] Adamax

# case: what multilabel_soft_margin_loss refuses first
import torch
from torch.nn import functional as F
flags = torch.ones(2, 3, dtype=torch.bool)
for input, target in ((flags, flags), (flags.float(), flags.float())):
    try:
        F.multilabel_soft_margin_loss(input, target, reduction='max')
    except (RuntimeError, ValueError) as error:
        print(type(error).__name__, error)
# expect: RuntimeError "log_sigmoid_cpu" not implemented for 'Bool'
# expect: ValueError max is not valid

# case: hinge_embedding_loss of ints
b = torch.arange(3)
print(F.hinge_embedding_loss(b, b, reduction='none'), F.hinge_embedding_loss(b, torch.tensor([1, -1, 1]), margin=2.5, reduction='sum'))
# expect: tensor([1, 1, 2]) tensor(3)
