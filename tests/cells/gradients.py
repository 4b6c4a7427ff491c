# Gradients: backward, .grad, optimizers, schedules. Sums of gradients are shown to three places.
import math

import torch
import torch.nn.functional as F
from torch import nn, optim


def show(f, *shapes):
    torch.manual_seed(1)
    xs = [torch.randn(*shape).requires_grad_() for shape in shapes]
    y = f(*xs)
    (y * torch.randn(y.shape)).sum().backward()
    print([round(x.grad.abs().sum().item(), 3) + 0 for x in xs], round(xs[0].grad.reshape(-1)[-2].item(), 3) + 0)


# case: arithmetic and broadcasting
show(lambda a, b: a + b, (2, 3), (3,))  # expect: [3.097, 2.981] -0.966
show(lambda a, b: a * b * 2 - a / (b * b + 1), (2, 1, 3), (4, 1))  # expect: [10.227, 4.52] 0.747
show(lambda a: a.tanh() + a.sigmoid() + a.exp() + (a*a+1).log() + (a*a+1).sqrt() + (a*a+1).rsqrt(), (3, 4))
# expect: [14.346] -0.289
show(lambda a: a.sin() + a.cos() + a.tan(), (3, 4))  # expect: [722.092] 6.306
show(lambda a, b: a.abs() ** b + 2 ** a + (a ** 3), (3, 4), (3, 4))  # expect: [173.28, 28.945] 0.77
show(lambda a: a.var(-1) + a.std(-1, unbiased=False), (3, 4))  # expect: [3.217] -0.145
show(lambda a: a.mean() + a.mean(0, keepdim=True) + a.sum((0, 1)), (3, 4))  # expect: [6.6] -0.37
show(lambda a: a.clamp(-.5, .5) + a.clamp(min=0), (3, 4))  # expect: [5.694] 0.0
show(lambda a, b: torch.where(a > b, a, b), (3, 4), (3, 4))  # expect: [8.169, 2.507] 0.0
show(lambda a: a.cumsum(0), (3, 4))  # expect: [23.087] 1.599
show(lambda a: a.prod(), (3, 4))  # expect: [0.0] 0.0

# case: products
show(lambda a, b: a @ b, (2, 3, 4), (4, 5))  # expect: [62.574, 51.201] 4.489
show(lambda a, b: a @ b, (2, 1, 3, 4), (3, 4, 5))  # expect: [88.673, 136.371] -0.243
show(lambda a, b: a @ b, (2, 3, 4), (4,))  # expect: [50.684, 9.292] -1.58
show(lambda a, b: a @ b, (4,), (2, 4, 3))  # expect: [6.29, 9.846] -0.349
show(lambda a, b: a @ b, (4,), (4,))  # expect: [2.592, 1.656] 1.565
show(lambda a, b: torch.einsum('bqd,bkd->bqk', a, b), (2, 3, 4), (2, 5, 4))  # expect: [56.811, 70.232] -2.9
show(lambda a, b: torch.bmm(a, b), (2, 3, 4), (2, 4, 5))  # expect: [51.608, 70.232] -2.095
show(lambda x, w, b: F.linear(x, w, b), (2, 3, 4), (5, 4), (5,))  # expect: [41.779, 49.429, 4.922] 2.375
show(lambda a, b: torch.outer(a, b), (3,), (4,))  # expect: [5.421, 2.247] -0.431
show(lambda a, b, c: torch.baddbmm(c, a, b), (2, 3, 4), (2, 4, 5), (2, 3, 5))
# expect: [43.979, 80.757, 30.573] -1.577
show(lambda a, b, c: torch.addmm(c, a, b), (3, 4), (4, 5), (5,))  # expect: [9.685, 9.985, 4.789] -0.14
show(lambda a, w: F.conv1d(a, w), (1, 2, 5), (3, 2, 3))  # expect: [26.998, 24.938] 1.825

# case: softmax, norms and activations
show(lambda a: a.softmax(-1), (2, 3))  # expect: [0.953] -0.075
show(lambda a: F.softmax(a, dim=0), (2, 3))  # expect: [1.519] -0.281
show(lambda a: F.log_softmax(a, dim=-1), (2, 3))  # expect: [3.287] -0.604
show(lambda a, w, b: F.layer_norm(a, (4,), w, b), (2, 3, 4), (4,), (4,))  # expect: [40.894, 11.55, 5.82] 0.59
show(lambda a: F.gelu(a), (3, 4))  # expect: [3.067] -0.085
show(lambda a: F.gelu(a, approximate='tanh'), (3, 4))  # expect: [3.065] -0.084
show(lambda a: F.silu(a), (3, 4))  # expect: [3.119] 0.171
show(lambda a: F.relu(a).pow(2).sum(), (3, 4))  # expect: [0.779] 0.0
show(lambda a: F.leaky_relu(a), (3, 4))  # expect: [2.082] 0.016
show(lambda a: F.elu(a), (3, 4))  # expect: [7.204] 0.655
show(lambda a: F.glu(a), (3, 4))  # expect: [1.624] 0.089
show(lambda a: F.softplus(a), (3, 4))  # expect: [4.515] 0.465
show(lambda a: a.logsumexp(-1), (3, 4))  # expect: [1.584] 0.076
show(lambda a: a.norm() + a.norm(dim=-1) + F.normalize(a).sum(), (3, 4))  # expect: [5.087] 0.041
show(lambda a, b: F.cosine_similarity(a, b), (3, 4), (3, 4))  # expect: [1.963, 1.085] -0.01

# case: moves
show(lambda a: a[0, 1:] * a[:, None, -1], (3, 4))  # expect: [2.908] 0.0
show(lambda a: a[torch.tensor([0, 0, 2])] + a[[1, 1, 1]], (3, 4))  # expect: [19.541] 1.599
show(lambda a: a[torch.tensor([True, False, True])], (3, 4))  # expect: [4.479] -1.573
show(lambda a, b: torch.cat([a, b, a], dim=1), (3, 4), (3, 2))  # expect: [14.494, 5.282] 0.33
show(lambda a, b: torch.stack([a, b], dim=1), (3, 4), (3, 4))  # expect: [9.631, 10.975] -0.281
show(lambda a: a.split(2, -1)[0] * a.chunk(2, -1)[1], (3, 4))  # expect: [3.106] 0.433
show(lambda a: a.view(2, 3, 2, 2).transpose(1, 2).permute(0, 2, 1, 3).contiguous().reshape(2, 3, 4), (2, 3, 4))
# expect: [17.654] 0.396
show(lambda a: a.unbind(0)[1] * a.unbind(1)[0].sum(), (3, 4))  # expect: [2.072] 0.0
show(lambda a: a.expand(3, 4).repeat(2, 1), (1, 4))  # expect: [9.044] 2.08
show(lambda a: a.repeat_interleave(2, dim=1), (3, 4))  # expect: [17.135] 0.67
show(lambda a: a.tril().masked_fill(torch.ones(3, 4).triu(1) == 1, float('-inf')).softmax(-1), (3, 4))
# expect: [2.175] 0.285
show(lambda a: a.gather(1, torch.tensor([[0], [1], [1]])), (3, 4))  # expect: [1.584] 0.0
show(lambda a: a.roll(1, 0).flip(1), (3, 4))  # expect: [12.773] -0.966
show(lambda a: a.diagonal() + torch.diag_embed(a).sum(), (3, 3))  # expect: [15.136] -1.514
show(lambda a: F.pad(a, (1, 2)), (3, 3))  # expect: [3.982] 0.247
show(lambda a: a.topk(2).values + a.sort().values[:, :2], (3, 4))  # expect: [5.566] -0.511
show(lambda a: a.max(-1).values + a.amax(-1) + a.max() + a.min(1)[0], (3, 4))  # expect: [5.489] 0.0

# case: losses and attention
show(lambda a, b, c: (a @ b.transpose(-1, -2) / 2).softmax(-1) @ c, (2, 3, 4), (2, 3, 4), (2, 3, 4))
# expect: [8.071, 12.741, 13.9] 1.646
show(lambda a: F.cross_entropy(a, torch.tensor([1, 0, 3])), (3, 4))  # expect: [0.283] -0.012
show(lambda a: F.cross_entropy(a, torch.tensor([1, -100, 3])), (3, 4))  # expect: [0.269] -0.018
show(lambda a: F.cross_entropy(a, torch.tensor([1, 0, 3]), label_smoothing=.1), (3, 4))  # expect: [0.254] -0.01
show(lambda a: F.nll_loss(a.log_softmax(-1), torch.tensor([1, 0, 3])), (3, 4))  # expect: [0.283] -0.012
show(lambda a, b: F.mse_loss(a, b), (3, 4), (3, 4))  # expect: [0.723, 0.723] -0.135
show(lambda a, b: F.l1_loss(a, b) + F.smooth_l1_loss(a, b), (3, 4), (3, 4))  # expect: [0.529, 0.529] -0.054
show(lambda a: F.binary_cross_entropy_with_logits(a, torch.ones(3, 4)) + F.binary_cross_entropy(a.sigmoid(), torch.ones(3, 4)), (3, 4))
# expect: [0.215] 0.023
show(lambda a: F.kl_div(a.log_softmax(-1), torch.full((3, 4), .25), reduction='batchmean'), (3, 4))
# expect: [0.066] 0.005
show(lambda w: F.embedding(torch.tensor([[1, 2], [1, 0]]), w), (4, 3))  # expect: [12.773] 0.0
show(lambda x: F.dropout(x, .5), (5, 4))  # expect: [14.207] 0.0

# case: rarer functions
show(lambda a, b, c: torch.addcdiv(a, b, c * c + 1, value=2), (3, 4), (3, 4), (3, 4))
# expect: [6.867, 9.322, 4.865] 0.291
show(lambda a, b: torch.atan2(a, b) + torch.logaddexp(a, b) + torch.fmax(a, b) + torch.fmin(a, b), (3, 4), (3, 4))
# expect: [17.44, 12.437] 0.942
show(lambda a: torch.erfinv(a.tanh() / 2) + F.hardtanh(a) + F.relu6(a), (3, 4))  # expect: [13.213] 1.987
show(lambda a: a.trace() + a.kthvalue(2).values + torch.linalg.norm(a, dim=1), (3, 3))  # expect: [6.864] -0.012

# case: writes in place
show(lambda x: (x * 1).mul_(2).add_(x), (5, 4))  # expect: [47.452] -5.361

# case: writes into a part
def put(x):
    y = x * 2
    y[0] = 1.
    y[1] = x[0]
    return y


show(put, (2, 4))  # expect: [1.851] 0.0

# case: chosen, scattered, and writes in place that need what was there
show(lambda a: (a.topk(2).values.softmax(-1) ** 2)[:, 0], (10, 3))  # expect: [4.444] 0.103
show(lambda a: a.sort(0)[0] * torch.arange(12.).view(4, 3), (4, 3))  # expect: [92.361] -0.966
show(lambda a: torch.zeros(2, 2).scatter_add(1, torch.tensor([[0, 1], [1, 0]]), a).pow(2), (2, 2))
# expect: [2.626] 0.047
show(lambda a: a.scatter(1, torch.tensor([[0], [1]]), 9.), (2, 2))  # expect: [1.689] -1.523
show(lambda a: torch.zeros(3, 2).index_add(0, torch.tensor([0, 0]), a), (2, 2))  # expect: [1.236] -0.452
x = torch.tensor([1., 2., 3.], requires_grad=True)
loss = F.mse_loss(x, torch.zeros(3))
loss /= 2
loss.backward()
print(x.grad)  # expect: tensor([0.3333, 0.6667, 1.0000])
y = x * 2
y.clamp_(min=3)
y.mul_(x)
y.sum().backward()
print(x.grad)  # expect: tensor([ 3.3333,  8.6667, 13.0000])
z = torch.tensor([[0., 2.], [3., 0.]], requires_grad=True)
z.prod(1).sum().backward()
print(z.grad)
# expect: tensor([[2., 0.],
# expect:         [0., 3.]])

# case: layers
for layer in (nn.Linear(4, 4), nn.LayerNorm(4), nn.GRU(4, 4), nn.LSTM(4, 4), nn.RNN(4, 4), nn.MultiheadAttention(4, 2),
              nn.TransformerEncoderLayer(4, 2, 8, dropout=0.), nn.Sequential(nn.Linear(4, 4), nn.ReLU())):
    torch.manual_seed(2)
    for p in layer.parameters():
        nn.init.normal_(p, std=0.5)
    x = torch.randn(3, 2, 4)
    y = layer(x, x, x)[0] if isinstance(layer, nn.MultiheadAttention) else layer(x)
    y = y[0] if isinstance(y, tuple) else y
    (y * torch.randn(y.shape)).sum().backward()
    print(type(layer).__name__, [round(p.grad.abs().sum().item(), 2) for p in layer.parameters()])
# expect: Linear [28.94, 6.48]
# expect: LayerNorm [7.66, 9.33]
# expect: GRU [7.62, 1.67, 2.33, 1.54]
# expect: LSTM [6.33, 1.29, 2.87, 2.87]
# expect: RNN [16.97, 11.4, 5.68, 5.68]
# expect: MultiheadAttention [31.5, 6.51, 23.16, 9.81]
# expect: TransformerEncoderLayer [5.27, 1.57, 2.53, 1.64, 9.36, 5.69, 11.62, 4.19, 2.86, 4.68, 3.81, 5.9]
# expect: Sequential [20.4, 6.58]

# case: leaves, .grad and what adds up
x = torch.tensor([1., 2., 3.], requires_grad=True)
print(x.grad, x.is_leaf, x.grad_fn)  # expect: None True None
y = (x ** 2).sum()
y.backward()
print(x.grad, y.is_leaf)  # expect: tensor([2., 4., 6.]) False
(3 * x).sum().backward()
print(x.grad)  # expect: tensor([5., 7., 9.])
x.grad.zero_()
print(x.grad)  # expect: tensor([0., 0., 0.])
x.grad = None
z = x * 2
z.backward(torch.tensor([1., 0., 10.]))
print(x.grad, x.grad.requires_grad)  # expect: tensor([ 2.,  0., 20.]) False
with torch.no_grad():
    x -= 0.1 * x.grad
print(x)  # expect: tensor([0.8000, 2.0000, 1.0000], requires_grad=True)
w = torch.ones(2, requires_grad=True)
(w.detach() * w).sum().backward()
print(w.grad)  # expect: tensor([1., 1.])

# case: retain_graph, and a second time without it
x = torch.ones(2, requires_grad=True)
y = (x * x).sum()
y.backward(retain_graph=True)
y.backward()
print(x.grad)  # expect: tensor([4., 4.])
y.backward()  # expect error[RuntimeError]: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.

# case: a second time through what saved nothing
x = torch.ones(2, 3, requires_grad=True)
y = x.sum()
y.backward()
y.backward()
print(x.grad)
# expect: tensor([[2., 2., 2.],
# expect:         [2., 2., 2.]])
z = (x + 1).sum(dim=(0, 1))
z.backward()
z.backward()
print(x.grad)
# expect: tensor([[4., 4., 4.],
# expect:         [4., 4., 4.]])

# case: of more than one number
x = torch.ones(2, requires_grad=True)
(x * 2).backward()  # expect error[RuntimeError]: grad can be implicitly created only for scalar outputs

# case: of what needs none
torch.ones(2).sum().backward()  # expect error[RuntimeError]: element 0 of tensors does not require grad and does not have a grad_fn

# case: what backward needs was written to
x = torch.ones(2, requires_grad=True)
y = x.exp()
y += 1
y.sum().backward()  # expect error[RuntimeError]: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2]], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).

# case: NaN exactly where PyTorch has it
scores = torch.zeros(2, 3, requires_grad=True)
mask = torch.tensor([[True, True, True], [False, True, False]])
(scores.masked_fill(mask, float('-inf')).softmax(-1) * torch.arange(3.)).sum().backward()
print(scores.grad)
# expect: tensor([[ 0.0000,  0.0000,  0.0000],
# expect:         [-0.5000,  0.0000,  0.5000]])
scores.grad = None
((scores + torch.zeros(2, 3).masked_fill(mask, float('-inf'))).softmax(-1) * torch.arange(3.)).sum().backward()
print(scores.grad)
# expect: tensor([[    nan,     nan,     nan],
# expect:         [-0.5000,  0.0000,  0.5000]])

# case: optimizers, bit for bit
def trained(make):
    torch.manual_seed(0)
    p, q = nn.Parameter(torch.randn(103)), nn.Parameter(torch.randn(5, 7))
    optimizer = make([p, q])
    for _ in range(20):
        optimizer.zero_grad()
        p.grad, q.grad = torch.randn(103), torch.randn(7, 5).t()
        optimizer.step()
    print(p[0].item(), p[-1].item(), q[1, 2].item())


trained(lambda p: optim.SGD(p, lr=0.1))  # expect: -1.0862361192703247 -0.8776940107345581 0.872138500213623
trained(lambda p: optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.01))
# expect: -1.947679042816162 -3.9335968494415283 -2.489605665206909
trained(lambda p: optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True))
# expect: -2.0577492713928223 -4.2619805335998535 -2.6561248302459717
trained(lambda p: optim.Adam(p, lr=0.01, weight_decay=0.1))
# expect: -1.145525574684143 -0.4545467495918274 1.303023099899292
trained(lambda p: optim.AdamW(p, lr=0.01, betas=(0.9, 0.95)))
# expect: -1.1658873558044434 -0.46159934997558594 1.315382480621338
trained(lambda p: optim.Adam(p, lr=0.01, amsgrad=True))
# expect: -1.1672385931015015 -0.46216508746147156 1.3187854290008545
trained(lambda p: optim.RMSprop(p, lr=0.01))
# expect: -1.1712067127227783 -0.6557559370994568 1.1853916645050049
trained(lambda p: optim.RMSprop(p, lr=0.01, momentum=0.9, centered=True, weight_decay=0.1))
# expect: -1.2655097246170044 -2.1014182567596436 -0.3259771466255188
trained(lambda p: optim.Adagrad(p, lr=0.1, lr_decay=0.1, weight_decay=0.1, initial_accumulator_value=0.5))
# expect: -1.1660720109939575 -0.5480799674987793 1.1944574117660522

# case: groups of parameters, state and text
a, b = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))
optimizer = optim.SGD([{'params': [a], 'lr': 0.5}, {'params': b}], lr=0.1)
(a.sum() + b.sum()).backward()
optimizer.step()
print(a.data, b.data)  # expect: tensor([0.5000, 0.5000]) tensor([0.9000, 0.9000])
print(optimizer)
# expect: SGD (
# expect: Parameter Group 0
# expect:     dampening: 0
# expect:     differentiable: False
# expect:     foreach: None
# expect:     lr: 0.5
# expect:     maximize: False
# expect:     momentum: 0
# expect:     nesterov: False
# expect:     weight_decay: 0
# expect:
# expect: Parameter Group 1
# expect:     dampening: 0
# expect:     differentiable: False
# expect:     foreach: None
# expect:     lr: 0.1
# expect:     maximize: False
# expect:     momentum: 0
# expect:     nesterov: False
# expect:     weight_decay: 0
# expect: )
optimizer.zero_grad()
print(a.grad)  # expect: tensor([0., 0.])
optimizer.zero_grad(set_to_none=True)
print(a.grad)  # expect: None
adam = optim.Adam([a])
a.grad = torch.ones(2)
adam.step()
print(adam.state_dict()['state'], adam.state_dict()['param_groups'][0]['params'])
# expect: {0: {'step': tensor(1.), 'exp_avg': tensor([0.1000, 0.1000]), 'exp_avg_sq': tensor([0.0010, 0.0010])}} [0]

# case: a state of other groups, and copies in place
two = optim.SGD([{'params': [nn.Parameter(torch.ones(1))], 'weight_decay': 0.5}, {'params': [nn.Parameter(torch.ones(1))]}], lr=0.1)
print(list(two.param_groups[0])[:3], list(two.state_dict()['param_groups'][1])[-1])
# expect: ['params', 'weight_decay', 'lr'] params
x = torch.ones(2, requires_grad=True)
y = torch.zeros(2)
y.copy_(x * 3)
(y * y).sum().backward()
print(x.grad)  # expect: tensor([18., 18.])
optim.SGD([nn.Parameter(torch.ones(1))], lr=0.1).load_state_dict(two.state_dict())  # expect error[ValueError]: loaded state dict has a different number of parameter groups

# case: schedules
for make in (lambda o: optim.lr_scheduler.StepLR(o, 2, 0.5), lambda o: optim.lr_scheduler.LambdaLR(o, lambda e: 1 / (e + 1)),
             lambda o: optim.lr_scheduler.ExponentialLR(o, 0.9), lambda o: optim.lr_scheduler.CosineAnnealingLR(o, 4)):
    optimizer = optim.SGD([nn.Parameter(torch.zeros(1))], lr=1.)
    schedule = make(optimizer)
    rates = []
    for _ in range(6):
        optimizer.step()
        schedule.step()
        rates.append(schedule.get_last_lr()[0])
    print(rates)
# expect: [1.0, 0.5, 0.5, 0.25, 0.25, 0.125]
# expect: [0.5, 0.3333333333333333, 0.25, 0.2, 0.16666666666666666, 0.14285714285714285]
# expect: [0.9, 0.81, 0.7290000000000001, 0.6561000000000001, 0.5904900000000002, 0.5314410000000002]
# expect: [0.8535533905932737, 0.5, 0.14644660940672627, 0.0, 0.1464466094067262, 0.5000000000000001]

# case: gradients are clipped
a, b = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))
a.grad, b.grad = torch.tensor([3., 4.]), torch.tensor([0., 12.])
print(nn.utils.clip_grad_norm_([a, b], 1.), a.grad, b.grad)
# expect: tensor(13.) tensor([0.2308, 0.3077]) tensor([0.0000, 0.9231])
nn.utils.clip_grad_value_([a, b], 0.2)
print(a.grad, b.grad)  # expect: tensor([0.2000, 0.2000]) tensor([0.0000, 0.2000])

# case: an optimizer without parameters
optim.Adam([])  # expect error[ValueError]: optimizer got an empty parameter list

# case: a parameter in two groups
p = nn.Parameter(torch.ones(1))
optim.SGD([{'params': [p]}, {'params': [p]}], lr=1.)  # expect error[ValueError]: some parameters appear in more than one parameter group

# case: a schedule of what is no optimizer
optim.lr_scheduler.StepLR(3, 1)  # expect error[TypeError]: int is not an Optimizer

# case: a norm that is no number is not clipped where that is asked for
p = nn.Parameter(torch.ones(1))
p.grad = torch.tensor([math.nan])
nn.utils.clip_grad_norm_([p], 1., error_if_nonfinite=True)  # expect error[RuntimeError]: The total norm of order 2.0 for gradients from `parameters` is non-finite, so it cannot be clipped. To disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`

# case: a gradient of another size
nn.Parameter(torch.ones(2)).grad = torch.ones(3)  # expect error[RuntimeError]: assigned grad has data of a different size

# case: a gradient of another type
nn.Parameter(torch.ones(2)).grad = torch.ones(3, dtype=torch.long)  # expect error[RuntimeError]: assigned grad has data of a different type

# case: a number for a gradient
nn.Parameter(torch.ones(2)).grad = 3  # expect error[TypeError]: assigned grad expected to be a Tensor or None but got grad of typeint

# case: a rate below zero
optim.SGD([nn.Parameter(torch.ones(1))], lr=-1)  # expect error[ValueError]: Invalid learning rate: -1

# case: a small network learns
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
x = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])
y = torch.tensor([0, 1, 1, 0])
optimizer = optim.Adam(net.parameters(), lr=0.1)
for i in range(40):
    optimizer.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    optimizer.step()
    if i % 10 == 0:
        print(i, f'{loss.item():.4f}')
# expect: 0 0.7026
# expect: 10 0.5391
# expect: 20 0.1319
# expect: 30 0.0104
print(net(x).argmax(-1))  # expect: tensor([0, 1, 1, 0])

# case: written through a view that is put back
x = torch.ones(2, 2, requires_grad=True)
z = x * 3
z[0, 0] += 1.0
z[:, 1] *= z[:, 0].clone()
z[1] -= x[0]
z.sum().backward()
print(x.grad)
# expect: tensor([[11., 11.],
# expect:         [12.,  9.]])

# case: an operand that no gradient needs may be written
l = nn.Linear(4, 3)
y = l(torch.ones(5, 4)).sum()
y.backward(retain_graph=True)
with torch.no_grad():
    l.weight += 1
y.backward()
print(l.weight.grad[0])  # expect: tensor([10., 10., 10., 10.])

# case: softmax without dim, dropout of everything
x = torch.arange(6.0).view(2, 3).requires_grad_()
(F.log_softmax(x) * x.detach()).sum().backward()
print(x.grad[1])  # expect: tensor([ 1.9196,  1.0633, -2.9829])
x = torch.ones(3, requires_grad=True)
nn.Dropout(1.0)(x).sum().backward()
print(x.grad)  # expect: tensor([0., 0., 0.])
y = x * 2
y.sum().backward()
try:
    y.sum().backward()
except RuntimeError as error:
    print("spent")  # expect: spent

# case: activations in place
x = torch.tensor([-1.0, 0.5, 2.0], requires_grad=True)
y = x * 2
F.leaky_relu(y, 0.1, inplace=True)
y.sum().backward()
print(x.grad)  # expect: tensor([0.2000, 2.0000, 2.0000])
x.grad = None
nn.SiLU(inplace=True)(x * 2).sum().backward()
print(x.grad)  # expect: tensor([-0.1816,  1.8553,  2.1053])

# case: schedules that rise, restart, or wait for the loss
S = optim.lr_scheduler
for make in (lambda o: S.MultiStepLR(o, [2, 4, 4], 0.5), lambda o: S.LinearLR(o, 0.25, total_iters=3),
             lambda o: S.CosineAnnealingWarmRestarts(o, 2, 2), lambda o: S.OneCycleLR(o, 2., total_steps=10),
             lambda o: S.OneCycleLR(o, [2.], epochs=5, steps_per_epoch=2, anneal_strategy='linear', three_phase=True)):
    optimizer = optim.SGD([nn.Parameter(torch.zeros(1))], lr=1., momentum=0.9)
    schedule = make(optimizer)
    rates = []
    for _ in range(9):
        optimizer.step()
        schedule.step()
        rates.append(schedule.get_last_lr()[0])
    print(rates, optimizer.param_groups[0]['momentum'])
adam = optim.Adam([nn.Parameter(torch.zeros(1))])
S.OneCycleLR(adam, 0.1, 20)
print(adam.param_groups[0]['lr'], adam.param_groups[0]['betas'])
optimizer = optim.SGD([nn.Parameter(torch.zeros(1))], lr=1.)
plateau = S.ReduceLROnPlateau(optimizer, patience=1, factor=0.5, verbose=True, cooldown=1)
for loss in (3, 2.5, 2.5, 2.5, 2.4999, 2.6, 2.7, 2.7, 1, 1.1):
    plateau.step(torch.tensor(loss))
    print(optimizer.param_groups[0]['lr'], plateau.num_bad_epochs, plateau.best)
# expect: [1.0, 0.5, 0.5, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125] 0.9
# expect: [0.5, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0] 0.9
# expect: [0.5, 1.0, 0.8535533905932737, 0.5, 0.14644660940672627, 1.0, 0.9619397662556434, 0.8535533905932737, 0.6913417161825449] 0.9
# expect: [1.04, 2.0, 1.9009692640269473, 1.6234913078995261, 1.2225240438725786, 0.7774839561274215, 0.37651669210047395, 0.09903873597305257, 8e-06] 0.95
# expect: [1.04, 2.0, 1.04, 0.08000000000000007, 0.06400159999999999, 0.048003199999999996, 0.0320048, 0.01600639999999999, 7.999999999994123e-06] 0.95
# expect: 0.0040000000000000036 (0.95, 0.999)
# expect: 1.0 0 3.0
# expect: 1.0 0 2.5
# expect: 1.0 1 2.5
# expect: Epoch 00004: reducing learning rate of group 0 to 5.0000e-01.
# expect: 0.5 0 2.5
# expect: 0.5 0 2.5
# expect: 0.5 1 2.5
# expect: Epoch 00007: reducing learning rate of group 0 to 2.5000e-01.
# expect: 0.25 0 2.5
# expect: 0.25 0 2.5
# expect: 0.25 0 1.0
# expect: 0.25 1 1.0

# case: gradients that are kept, and gradients without .grad
a = torch.tensor([float('inf'), 1.], requires_grad=True)
print(torch.autograd.grad(torch.logaddexp(a, torch.tensor([3, 1])).sum(), a))  # expect: (tensor([1.0000, 0.5000]),)
x = torch.tensor([1., 2., 3.], requires_grad=True)
y = x * 2
y.retain_grad()
z = (y ** 2).sum()
z.backward()
print(y.grad, x.grad, y.is_leaf, y.retains_grad, z.retains_grad)
w = (x * x).sum()
print(torch.autograd.grad(w, x), x.grad)
a = x * 3
b = a.exp()
print(torch.autograd.grad([b.sum(), a.sum()], [a, x], allow_unused=True))
print(torch.autograd.grad(x * 4, x, torch.ones(3)))
try:
    torch.autograd.grad((x * 2).sum(), torch.ones(2, requires_grad=True))
except RuntimeError as e: print(e)
try:
    torch.autograd.grad((x * 2).sum(), torch.ones(2))
except RuntimeError as e: print(e)
try:
    torch.ones(2).retain_grad()
except RuntimeError as e: print(e)
print(torch.autograd.grad((x * 2).sum(), [torch.ones(2, requires_grad=True)], allow_unused=True))
from torch.autograd import grad
print(grad(outputs=(x ** 3).sum(), inputs=[x], retain_graph=True))
# expect: tensor([ 4.,  8., 12.]) tensor([ 8., 16., 24.]) False True False
# expect: (tensor([2., 4., 6.]),) tensor([ 8., 16., 24.])
# expect: (tensor([  21.0855,  404.4288, 8104.0840]), tensor([   63.2566,  1213.2864, 24312.2520]))
# expect: (tensor([4., 4., 4.]),)
# expect: One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior.
# expect: One of the differentiated Tensors does not require grad
# expect: can't retain_grad on Tensor that has requires_grad=False
# expect: (None,)
# expect: (tensor([ 3., 12., 27.]),)

# case: of a number there is no gradient
torch.autograd.grad(1.5, 2)  # expect error[TypeError]: 'float' object is not iterable

# case: what no gradient can begin with
x = torch.ones(2, requires_grad=True)
torch.autograd.grad(x.sum(), x, True)  # expect error[TypeError]: 'bool' object is not iterable

# case: gradients to begin with are tensors
x = torch.ones(2, requires_grad=True)
torch.autograd.grad(x.sum(), x, [1.5])  # expect error[TypeError]: gradients can be either Tensors or None, but got float

# case: a flag is not a tensor
x = torch.ones(2, requires_grad=True)
torch.autograd.grad(x.sum(), x, None, x)  # expect error[TypeError]: only integer tensors of a single element can be converted to an index

# case: halves that have a history may be written
a = torch.ones(2, requires_grad=True)
b = a.half()
b -= a * 3
b.float().sum().backward()
print(b.dtype, a.grad)
# expect: torch.float16 tensor([-2., -2.])

# case: through halves
a = torch.ones(2, requires_grad=True)
(a.half() * 2).float().sum().backward()
print(a.grad)  # expect: tensor([2., 2.])
b = torch.full((2, 2), 0.5, dtype=torch.bfloat16, requires_grad=True)
(b @ b + b).float().sum().backward()
print(b.grad)
# expect: tensor([[3., 3.],
# expect:         [3., 3.]], dtype=torch.bfloat16)

# case: what is multiplied by itself in place has lost what it was
x = torch.ones(2, requires_grad=True)
y = x.sinh()
y *= y
y.sum().backward()  # expect error[RuntimeError]: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2]], which is output 0 of MulBackward0, is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).

# case: a leaf is refused before anything else is looked at, but for what is wrong with a slice
a = torch.ones(4, requires_grad=True)
def of(f):
    try: f()
    except Exception as e: print(type(e).__name__, e)
of(lambda: a.triu_())
of(lambda: a.index_add_(3, torch.tensor([9]), torch.ones(1)))
of(lambda: a.index_copy_(3, torch.tensor([9]), torch.ones(1)))
def write(x): x[0:2] = torch.ones(3)
of(lambda: write(a[0:4]))
# expect: RuntimeError a leaf Variable that requires grad is being used in an in-place operation.
# expect: RuntimeError a leaf Variable that requires grad is being used in an in-place operation.
# expect: RuntimeError a leaf Variable that requires grad is being used in an in-place operation.
# expect: RuntimeError The expanded size of the tensor (2) must match the existing size (3) at non-singleton dimension 0.  Target sizes: [2].  Tensor sizes: [3]

# case: layers of no width
x = torch.ones(2, 1, 0, requires_grad=True)
layer = nn.Linear(0, 2, bias=False)
layer(x).sum().backward()
print(x.grad.shape, layer.weight.grad.shape)  # expect: torch.Size([2, 1, 0]) torch.Size([2, 0])
table = nn.Embedding(3, 0)
table(torch.tensor([[0, 2]])).sum().backward()
print(table.weight.grad.shape)  # expect: torch.Size([3, 0])

# case: only_inputs is true or false
x = torch.ones(2)
torch.autograd.grad(x, x, retain_graph=x, only_inputs=x)  # expect error[RuntimeError]: Boolean value of Tensor with more than one value is ambiguous

# case: scores of no classes
torch.nn.functional.cross_entropy(torch.zeros(2, 0, 4), torch.zeros(2, 4, dtype=torch.int64))  # expect error[RuntimeError]

# case: shapes of products before types
torch.bmm(torch.ones(3, 4), torch.ones(3, 3, dtype=torch.int32))  # expect error[RuntimeError]: batch1 must be a 3D tensor

# case: views made in place
w = torch.arange(6.).view(2, 1, 3)
def back(f, w, *others):
    a = torch.ones(2, 3, requires_grad=True)
    c = a * 2
    f(c)
    (c * w).sum().backward()
    print(a.grad.tolist())
back(lambda c: c.unsqueeze_(-2), w)  # expect: [[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]]
back(lambda c: c.transpose_(0, 1), w.view(3, 2))  # expect: [[0.0, 4.0, 8.0], [2.0, 6.0, 10.0]]
back(lambda c: c.unsqueeze_(0).squeeze_(0), w.view(2, 3))  # expect: [[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]]
b = torch.ones(3, requires_grad=True)
c = torch.ones(2, 3) / b
c.unsqueeze_(-2)
(c * w).sum().backward()
print(b.grad)  # expect: tensor([-3., -5., -7.])

# case: the smaller of a number and a condition
x = torch.tensor([-1., 1, 3], requires_grad=True)
x.minimum(x == x).sum().backward()
print(x.grad)  # expect: tensor([1.0000, 0.5000, 0.0000])

# case: a gradient that is NaN stays where it belongs
def nan_back(f, *values):
    x = torch.tensor(values, requires_grad=True)
    y = f(x)
    y.backward(torch.full_like(y, float('nan')))
    print(x.grad)
nan_back(lambda x: x.clamp(0, 2), -1., 1., 3.)  # expect: tensor([0., nan, 0.])
nan_back(F.hardtanh, -3., .5, 3.)  # expect: tensor([0., nan, 0.])
nan_back(F.relu6, -3., .5, 8.)  # expect: tensor([0., nan, 0.])
nan_back(lambda x: x.max(), -1., 1., 3.)  # expect: tensor([0., 0., nan])
nan_back(lambda x: x.maximum(torch.tensor([2., 2, 0])), 1., 2., 1.)  # expect: tensor([0., nan, nan])
nan_back(lambda x: x.fmax(torch.tensor([2., 2, 0])), 1., 2., 1.)  # expect: tensor([0., nan, nan])

# case: the larger of a number and NaN
a = torch.tensor([1., 2, float('nan'), 1, 2], requires_grad=True)
b = torch.tensor([2., 2, 1, float('nan'), 1], requires_grad=True)
torch.maximum(a, b).sum().backward()
print(a.grad, b.grad)  # expect: tensor([0.0000, 0.5000, 1.0000, 1.0000, 1.0000]) tensor([1.0000, 0.5000, 1.0000, 1.0000, 0.0000])
a.grad = b.grad = None
torch.minimum(a, b).sum().backward()
print(a.grad, b.grad)  # expect: tensor([1.0000, 0.5000, 1.0000, 1.0000, 0.0000]) tensor([0.0000, 0.5000, 1.0000, 1.0000, 1.0000])

# case: a probability of 0 or 1 leaves finite gradients
x = torch.tensor([0., 1, 1, 0.5], requires_grad=True)
F.binary_cross_entropy(x, torch.tensor([0., 1, 0.5, 1])).backward()
print(x.grad)  # expect: tensor([ 0.0000e+00,  0.0000e+00,  1.2500e+11, -5.0000e-01])
logit = torch.tensor([40., -200, 2], requires_grad=True)
F.binary_cross_entropy(logit.sigmoid(), torch.tensor([1., 0, 0])).backward()
print(logit.grad)  # expect: tensor([0.0000, 0.0000, 0.2936])

# case: the product of one number
x = torch.tensor(3., requires_grad=True)
x.prod(-1).backward()
print(x.grad)  # expect: tensor(1.)


# case: writes into views reach the tensor that they show, and its other views
def change(f):
    x = torch.tensor([[1., -2., 3.], [4., 5., -6.]], requires_grad=True)
    y = f(x, x * 2)
    (y * torch.arange(1., 1 + y.numel()).view(y.shape)).sum().backward()
    print(x.grad.tolist(), y.grad_fn is not None)
def mul_column(x, y): y[:, 0].mul_(3); return y
def through_t(x, y): y.t().masked_fill_(y.t() < 0, 0.); return y
def add_row(x, y): v = y[1]; v += x[0]; return y
def flat(x, y): v = y.view(-1); v[1:4] = x[0]; return y
def base_then_view(x, y): v = y.view(-1); y[0] = x[1]; return v
def siblings(x, y): a = y[:, :2]; b = y[:, 1:]; a.mul_(x[:, :2]); return b
def nested(x, y): v = y[1]; w = v[1:]; w += x[0, 1]; return v * y[0]
def masked(x, y): y[:, 1][x[:, 1] < 0] = 0; return y
def zeroed(x, y): y[0].zero_(); y[1, 2].fill_(x[0, 0]); return y
def leafless(x, y): b = torch.zeros(2, 3); v = b[0]; v += x[1]; b[1] = v + x[0]; return b + v
def diagonal(x, y): y.diagonal().copy_(x[0, :2] * 5); return y
def part(x, y): y[:, 1:] *= x[:, :2]; y[y > 20] = 1; return y
for f in (mul_column, through_t, add_row, flat, base_then_view, siblings, nested, masked, zeroed, leafless, diagonal, part):
    change(f)
y = torch.ones(2, 2, requires_grad=True) * 2
v = y[0]
print(v.grad_fn is None, v.requires_grad)
b = torch.zeros(2)
v = b[:1]
b[0] = y[1, 1]
print(v, v.requires_grad, v.is_leaf)
v *= 2
print(b, v)
# expect: [[6.0, 4.0, 6.0], [24.0, 10.0, 12.0]] True
# expect: [[2.0, 0.0, 6.0], [8.0, 10.0, 0.0]] True
# expect: [[6.0, 9.0, 12.0], [8.0, 10.0, 12.0]] True
# expect: [[4.0, 3.0, 4.0], [0.0, 10.0, 12.0]] True
# expect: [[0.0, 0.0, 0.0], [9.0, 12.0, 15.0]] True
# expect: [[0.0, -8.0, 4.0], [0.0, 60.0, 8.0]] True
# expect: [[16.0, 42.0, -84.0], [4.0, -16.0, 36.0]] True
# expect: [[2.0, 0.0, 6.0], [8.0, 10.0, 12.0]] True
# expect: [[6.0, 0.0, 0.0], [8.0, 10.0, 0.0]] True
# expect: [[4.0, 5.0, 6.0], [10.0, 14.0, 18.0]] True
# expect: [[5.0, 29.0, 6.0], [8.0, 0.0, 12.0]] True
# expect: [[-6.0, 22.0, -12.0], [8.0, -72.0, 60.0]] True
# expect: False True
# expect: tensor([2.], grad_fn=<AsStridedBackward0>) True False
# expect: tensor([4., 0.], grad_fn=<CopySlices>) tensor([4.], grad_fn=<AsStridedBackward0>)

# case: a write into a view of a transposed tensor is refused, not given a wrong gradient
x = torch.ones(2, 3, requires_grad=True)
y = x.t() * 2
v = y[0]
v += 1
(y * y).sum().backward()  # expect error[unsupported]

# case: whether a computed tensor wants a gradient is not for the program to say
x = torch.ones(2, requires_grad=True)
y = x * 2
try:
    y.requires_grad = False
except RuntimeError as error:
    print(str(error)[:65])
z = torch.ones(2, dtype=torch.int64)
try:
    z.requires_grad = True
except RuntimeError as error:
    print(type(error).__name__)
# expect: you can only change requires_grad flags of leaf variables. If you
# expect: RuntimeError

# case: what is written to is said with its version
x = torch.ones(2, requires_grad=True)
a = torch.ones(2)
y = x * a
a.add_(1)
y.sum().backward()  # expect error[RuntimeError]: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2]] is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).

# case: rules for what is rarely differentiated
show(lambda a: F.selu(a) + torch.logit(a.sigmoid()) + torch.logit(a, eps=.1) + a.nan_to_num(), (3, 4))
show(lambda a, b: torch.lerp(a, b, a * b) + a.remainder(b) + a.fmod(b), (3, 4), (3, 4))
show(lambda a: a.median() + a.median(0).values + a.cumprod(1).sum(0), (3, 4))
show(lambda a: sum(torch.var_mean(a, 1)) + torch.std_mean(a, 1, unbiased=False)[0], (3, 4))
x = torch.tensor([[2., 0., 3.], [0., 0., 4.]], requires_grad=True)
x.cumprod(1).sum().backward()
print(x.grad)
# expect: [44.28] 4.349
# expect: [38.93, 25.755] 5.102
# expect: [4.893] 0.658
# expect: [3.684] -0.039
# expect: tensor([[1., 8., 0.],
# expect:         [1., 0., 0.]])
(x // 2).sum().backward()  # expect error[RuntimeError]: derivative for aten::floor_divide is not implemented

# case: what made a tensor has a name
y = torch.ones(2, requires_grad=True) * 2
print(y.grad_fn.name(), type(y.grad_fn).__name__)  # expect: MulBackward0 MulBackward0
y.grad_fn.next_functions  # expect error[unsupported]: next_functions of a grad_fn

# case: hooks of layers
net, seen = nn.Sequential(nn.Linear(2, 3), nn.ReLU()), []
handle = net[0].register_forward_hook(lambda layer, given, out: seen.append((given[0].shape, out.shape)))
net(torch.ones(1, 2))
handle.remove()
net(torch.ones(1, 2))
print(seen)  # expect: [(torch.Size([1, 2]), torch.Size([1, 3]))]
net[1].register_forward_hook(lambda layer, given, out: out * 0 + 7)
net.register_forward_pre_hook(lambda layer, given: (given[0] * 2,))
print(net(torch.ones(1, 2)).tolist())  # expect: [[7.0, 7.0, 7.0]]

# case: hooks of gradients of layers
class Two(nn.Module):
    def forward(self, a, b): return a * b, a + b
seen = []
two, a, b = Two(), torch.ones(2, requires_grad=True), torch.full((2,), 3.)
handle = two.register_full_backward_hook(lambda layer, given, gave: seen.append((given, gave)))
p, q = two(a, b)
print(p.grad_fn.name())  # expect: BackwardHookFunctionBackward
(p.sum() + 2 * q.sum()).backward()
print(seen, a.grad)
# expect: [((tensor([5., 5.]), tensor([0., 0.])), (tensor([1., 1.]), tensor([2., 2.])))] tensor([5., 5.])
two(a, b)[0].sum().backward()
print(seen[1][1])  # expect: (tensor([1., 1.]), None)
handle.remove()
two(a, b)[0].sum().backward()
print(len(seen))  # expect: 2
net = nn.Sequential(nn.Linear(2, 1))
net[0].register_full_backward_hook(lambda layer, given, gave: seen.append(given))
net(torch.ones(1, 2)).sum().backward()
print(seen[2])  # expect: (None,)
net.register_full_backward_hook(lambda layer, given, gave: (torch.ones(1, 2),))
x = torch.ones(1, 2, requires_grad=True)
net(x).sum().backward()
print(x.grad)  # expect: tensor([[1., 1.]])

# case: backward hooks of layers
nn.Linear(2, 2).register_backward_hook(print)  # expect error[unsupported]: Module.register_backward_hook is not known here

# case: gradients of gradients
x = torch.ones(2, requires_grad=True)
torch.autograd.grad((x ** 3).sum(), x, create_graph=True)  # expect error[unsupported]: create_graph=True: gradients of gradients

# case: a gradient of some inputs alone
x = torch.ones(2, requires_grad=True)
x.sum().backward(inputs=[x])  # expect error[unsupported]: backward(inputs=...)

# case: a schedule leaps to an epoch
S = optim.lr_scheduler
def sgd():
    return optim.SGD([nn.Parameter(torch.zeros(1))], lr=1., momentum=0.9)
def rates(schedule, epochs):
    out = []
    for epoch in epochs:
        schedule.optimizer.step()
        schedule.step(epoch)
        out.append((schedule.last_epoch, schedule.get_last_lr()[0]))
    return out
print(rates(S.StepLR(sgd(), 2, 0.1), [0, 1, 2, 2, 7, None]))
print(rates(S.MultiStepLR(sgd(), [2, 2, 5], 0.5), [0, 1, 2, 9, None]))
print(rates(S.LinearLR(sgd(), 0.25, total_iters=4), [0, 3, 9, None]))
print(rates(S.ExponentialLR(sgd(), 0.5), [0, 1, 1, 5, None]))
print(rates(S.CosineAnnealingLR(sgd(), 4), [0, 1, 5, None]))
print(rates(S.LambdaLR(sgd(), lambda epoch: 1 / (epoch + 1)), [0, 1, 1, 9, None]))
print(rates(S.CosineAnnealingWarmRestarts(sgd(), 3, 2), [0, 0.5, 1.25, 3.5, 10.25, None]))
print(rates(S.OneCycleLR(sgd(), 2., 20), [0, 1, 9, None]))
# expect: [(0, 1.0), (1, 1.0), (2, 0.1), (2, 0.1), (7, 0.0010000000000000002), (8, 0.00010000000000000003)]
# expect: [(0, 1.0), (1, 1.0), (2, 0.25), (9, 0.125), (10, 0.125)]
# expect: [(0, 0.25), (3, 0.8125), (9, 1.0), (10, 1.0)]
# expect: [(0, 1.0), (1, 0.5), (1, 0.5), (5, 0.03125), (6, 0.015625)]
# expect: [(0, 1.0), (1, 0.8535533905932737), (5, 0.14644660940672616), (6, 0.4999999999999999)]
# expect: [(0, 1.0), (1, 0.5), (1, 0.5), (9, 0.1), (10, 0.09090909090909091)]
# expect: [(0, 1.0), (0, 0.9330127018922194), (1, 0.6294095225512604), (3, 0.9829629131445341), (10, 0.9734650647475529), (11, 0.9157348061512727)]
# expect: [(0, 0.08000000000000007), (1, 0.2633436854000506), (9, 1.6234913078995261), (10, 1.4338860035826015)]
S.CosineAnnealingWarmRestarts(sgd(), 3).step(-1)  # expect error[ValueError]: Expected non-negative epoch, but got -1

# case: what a schedule says, saves and loads
S = optim.lr_scheduler
optimizer = optim.SGD([nn.Parameter(torch.zeros(1))], lr=1., momentum=0.9)
schedule = S.StepLR(optimizer, 2, 0.1, verbose=True)
for epoch in (None, None, 7, 2.5):
    optimizer.step()
    schedule.step(epoch)
print(schedule.state_dict())
class Halves:
    def __init__(self):
        self.calls = 0
    def __call__(self, epoch):
        self.calls += 1
        return 0.5 ** epoch
schedule = S.LambdaLR(optimizer, Halves())
print(schedule.state_dict())
saved = S.LambdaLR(optimizer, lambda epoch: 1.).state_dict()
print(saved)
schedule.load_state_dict({**saved, 'lr_lambdas': [{'calls': 7}]})
print(schedule.lr_lambdas[0].calls)
print(S.MultiStepLR(optimizer, [3, 3]).state_dict())
print(S.CosineAnnealingWarmRestarts(optimizer, 2, verbose=True).state_dict())
print(list(S.OneCycleLR(optimizer, 1., 10).state_dict()))
plateau = S.ReduceLROnPlateau(optimizer, patience=0, verbose=True)
print(plateau.state_dict())
for epoch in (None, None, 8, 9.5):
    plateau.step(1., epoch)
# expect: Adjusting learning rate of group 0 to 1.0000e+00.
# expect: Adjusting learning rate of group 0 to 1.0000e+00.
# expect: Adjusting learning rate of group 0 to 1.0000e-01.
# expect: Epoch 00007: adjusting learning rate of group 0 to 1.0000e-03.
# expect: Epoch 2.50: adjusting learning rate of group 0 to 1.0000e-01.
# expect: {'step_size': 2, 'gamma': 0.1, 'base_lrs': [1.0], 'last_epoch': 2.5, 'verbose': True, '_step_count': 5, '_get_lr_called_within_step': False, '_last_lr': [0.1]}
# expect: {'base_lrs': [1.0], 'last_epoch': 0, 'verbose': False, '_step_count': 1, '_get_lr_called_within_step': False, '_last_lr': [1.0], 'lr_lambdas': [{'calls': 1}]}
# expect: {'base_lrs': [1.0], 'last_epoch': 0, 'verbose': False, '_step_count': 1, '_get_lr_called_within_step': False, '_last_lr': [1.0], 'lr_lambdas': [None]}
# expect: 7
# expect: {'milestones': Counter({3: 2}), 'gamma': 0.1, 'base_lrs': [1.0], 'last_epoch': 0, 'verbose': False, '_step_count': 1, '_get_lr_called_within_step': False, '_last_lr': [1.0]}
# expect: Epoch 00000: adjusting learning rate of group 0 to 1.0000e+00.
# expect: {'T_0': 2, 'T_i': 2, 'T_mult': 1, 'eta_min': 0, 'T_cur': 0, 'base_lrs': [1.0], 'last_epoch': 0, 'verbose': True, '_step_count': 0, '_get_lr_called_within_step': False, '_last_lr': [1.0]}
# expect: ['total_steps', '_schedule_phases', 'anneal_func', 'cycle_momentum', 'use_beta1', 'base_lrs', 'last_epoch', 'verbose', '_step_count', '_get_lr_called_within_step', '_last_lr']
# expect: {'factor': 0.1, 'min_lrs': [0], 'patience': 0, 'verbose': True, 'cooldown': 0, 'cooldown_counter': 0, 'mode': 'min', 'threshold': 0.0001, 'threshold_mode': 'rel', 'best': inf, 'num_bad_epochs': 0, 'mode_worse': inf, 'eps': 1e-08, 'last_epoch': 0}
# expect: Epoch 00002: reducing learning rate of group 0 to 4.0000e-03.
# expect: Epoch 00008: reducing learning rate of group 0 to 4.0000e-04.
# expect: Epoch 9.50: reducing learning rate of group 0 to 4.0000e-05.
S.LambdaLR(optimizer, [abs, abs])  # expect error[ValueError]: Expected 1 lr_lambdas, but got 2

# case: what optimizers hold
p = [nn.Parameter(torch.ones(1))]
print(optim.AdamW(p).defaults)
print(list(optim.Adagrad(p).defaults), list(optim.RMSprop(p).defaults))
print(optim.AdamW(p))
# expect: {'lr': 0.001, 'betas': (0.9, 0.999), 'eps': 1e-08, 'weight_decay': 0.01, 'amsgrad': False, 'foreach': None, 'maximize': False, 'capturable': False}
# expect: ['lr', 'lr_decay', 'eps', 'weight_decay', 'initial_accumulator_value', 'foreach', 'maximize'] ['lr', 'momentum', 'alpha', 'eps', 'centered', 'weight_decay', 'foreach', 'maximize', 'differentiable']
# expect: AdamW (
# expect: Parameter Group 0
# expect:     amsgrad: False
# expect:     betas: (0.9, 0.999)
# expect:     capturable: False
# expect:     eps: 1e-08
# expect:     foreach: None
# expect:     lr: 0.001
# expect:     maximize: False
# expect:     weight_decay: 0.01
# expect: )
optim.AdamW(p, fused=True)  # expect error[TypeError]

# case: Adam with one beta
optim.Adam([nn.Parameter(torch.ones(1))], betas=(0.9,))  # expect error[IndexError]: tuple index out of range

# case: a schedule goes on with an optimizer that it never had
optim.lr_scheduler.StepLR(optim.SGD([nn.Parameter(torch.ones(1))], lr=1.), 2, last_epoch=3)  # expect error[KeyError]: "param 'initial_lr' is not specified in param_groups[0] when resuming an optimizer"

# case: given the same gradients, optimizers have the bits of PyTorch on a processor with FMA
def digest(p):  # of every bit
    numbers = (p.detach().double() * 2.0 ** 50).long() % 1000003
    return (numbers * torch.arange(1, 1004) % 1000003).sum().item()
def trained(make, steps):
    torch.manual_seed(5)
    p = torch.randn(1003, requires_grad=True)
    optimizer = make([p])
    for i in range(steps):
        p.grad = torch.randn(1003) * (0.1 + i % 7)
        optimizer.step()
    return digest(p)
print(trained(lambda p: optim.Adam(p, lr=1e-3), 200), trained(lambda p: optim.Adam(p, lr=1e-2, weight_decay=0.1, amsgrad=True), 200))
print(trained(lambda p: optim.AdamW(p, lr=3e-3), 100), trained(lambda p: optim.AdamW(p, betas=(0.9, 0.95), weight_decay=0.1), 100))
print(trained(lambda p: optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True, weight_decay=1e-2), 50))
print(trained(lambda p: optim.SGD(p, lr=0.1, momentum=0.9, dampening=0.3), 50), trained(lambda p: optim.SGD(p, lr=0.1), 50))
# expect: 497507824 499147780
# expect: 499360628 489699438
# expect: 486872538
# expect: 498916987 496633748

# case: the losses of a small GPT stay near those of PyTorch
torch.manual_seed(3)
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(32), nn.LayerNorm(32)
        self.qkv, self.proj = nn.Linear(32, 96), nn.Linear(32, 32)
        self.mlp = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 32))
    def forward(self, x):
        q, k, v = (t.view(4, 8, 4, 8).transpose(1, 2) for t in self.qkv(self.norm1(x)).chunk(3, dim=-1))
        scores = (q @ k.transpose(-2, -1) / math.sqrt(8)).masked_fill(torch.ones(8, 8).tril() == 0, -math.inf)
        x = x + self.proj((F.softmax(scores, dim=-1) @ v).transpose(1, 2).reshape(4, 8, 32))
        return x + self.mlp(self.norm2(x))
class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok, self.pos = nn.Embedding(11, 32), nn.Embedding(8, 32)
        self.blocks = nn.Sequential(Block(), Block())
        self.norm, self.head = nn.LayerNorm(32), nn.Linear(32, 11, bias=False)
    def forward(self, ids):
        return self.head(self.norm(self.blocks(self.tok(ids) + self.pos(torch.arange(8)))))
model = GPT()
optimizer = optim.AdamW(model.parameters(), lr=3e-3)
text = torch.randint(0, 11, (40, 9))
losses = []
for step in range(50):
    batch = text[torch.randint(0, 40, (4,))]
    loss = F.cross_entropy(model(batch[:, :-1]).reshape(-1, 11), batch[:, 1:].reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    losses.append(loss.item())
pytorch = [
    2.5219690799713135, 2.404754877090454, 2.4524872303009033, 2.5095362663269043, 2.4739506244659424,
    2.586359739303589, 2.364434242248535, 2.5043444633483887, 2.5527536869049072, 2.162827491760254,
    2.224128007888794, 2.272630453109741, 2.6100172996520996, 2.3058879375457764, 2.1695027351379395,
    2.455822467803955, 2.2257449626922607, 2.165379762649536, 2.176497220993042, 2.1333515644073486,
    2.4733664989471436, 2.102576971054077, 2.2766122817993164, 2.028808832168579, 2.2112014293670654,
    2.376919746398926, 2.410924196243286, 1.9513647556304932, 2.338009834289551, 2.2086143493652344,
    2.0693001747131348, 2.215689182281494, 2.016491413116455, 2.0515172481536865, 2.22461199760437,
    2.436758518218994, 2.14176869392395, 2.2949812412261963, 1.8961875438690186, 1.9653316736221313,
    2.19606876373291, 1.9749150276184082, 1.934266209602356, 1.9465839862823486, 2.136235237121582,
    2.0929930210113525, 2.1481711864471436, 2.190763473510742, 1.8713483810424805, 1.918718934059143]
print(max(abs(ours - theirs) for ours, theirs in zip(losses, pytorch)) < 1e-5)  # expect: True

# case: what a function sets holds on
from contextlib import contextmanager
def off(): torch.set_grad_enabled(False)
off()
print(torch.is_grad_enabled())  # expect: False
torch.set_grad_enabled(True)
@contextmanager
def evaluating():
    with torch.no_grad(): yield
x = torch.ones(1, requires_grad=True)
with evaluating(): print((x * 2).requires_grad)  # expect: False
print((x * 2).requires_grad)  # expect: True
class Off:
    def __enter__(self): self.before = torch.is_grad_enabled(); torch.set_grad_enabled(False)
    def __exit__(self, *error): torch.set_grad_enabled(self.before)
with Off(): print((x * 2).requires_grad)  # expect: False
@torch.no_grad()
def two():
    yield (x * 2).requires_grad
    yield torch.is_grad_enabled()
for seen in two(): print(seen, torch.is_grad_enabled())
# expect: False True
# expect: False True
def failing():
    with torch.no_grad(): raise ValueError
try: failing()
except ValueError: print(torch.is_grad_enabled())  # expect: True
def open_ended():
    with torch.no_grad(): yield 1
steps = open_ended()
next(steps)
print(torch.is_grad_enabled())  # expect: False
next(steps, None)
print(torch.is_grad_enabled())  # expect: True


# case: NaN behind an op is looked for where that was asked for
def attempt():
    z = torch.zeros(2, requires_grad=True)
    (z.sqrt() * 0).sum().backward()
    return z.grad
try:
    with torch.autograd.detect_anomaly():
        attempt()
except RuntimeError as e:
    print(e)
print(attempt())
torch.autograd.set_detect_anomaly(True)
try:
    w, x = torch.ones(2, requires_grad=True), torch.tensor([0., 1.], requires_grad=True)
    (w * x / x).sum().backward()
except RuntimeError as e:
    print(e)
torch.autograd.set_detect_anomaly(False)
print(attempt())
# expect: Function 'SqrtBackward0' returned nan values in its 0th output.
# expect: tensor([nan, nan])
# expect: Function 'DivBackward0' returned nan values in its 1th output.
# expect: tensor([nan, nan])

# case: NAdam and RAdam
for kind in (torch.optim.NAdam, torch.optim.RAdam):
    for decay in (0, 0.1):
        torch.manual_seed(0)
        p = nn.Parameter(torch.randn(37))
        optimizer = kind([p], lr=0.01, weight_decay=decay)
        for i in range(30):
            optimizer.zero_grad()
            ((p * torch.linspace(0.1, 2, 37)) ** 2).sum().backward()
            optimizer.step()
        print(p.data.sum().item(), p[:3].tolist(), list(optimizer.state_dict()['state'][0]))
try:
    torch.optim.NAdam([p], momentum_decay=-1)
except ValueError as e:
    print(e)
# expect: -3.4567816257476807 [-0.8699068427085876, -0.896129310131073, -0.047546740621328354] ['step', 'mu_product', 'exp_avg', 'exp_avg_sq']
# expect: -3.4567816257476807 [-0.8699067234992981, -0.8961292505264282, -0.04754667729139328] ['step', 'mu_product', 'exp_avg', 'exp_avg_sq']
# expect: -3.05183482170105 [-1.1059153079986572, -1.1308741569519043, -0.2308480441570282] ['step', 'exp_avg', 'exp_avg_sq']
# expect: -3.036001682281494 [-1.100303292274475, -1.1251333951950073, -0.22960835695266724] ['step', 'exp_avg', 'exp_avg_sq']
# expect: Invalid momentum_decay value: -1

# case: functions of leaves are called when all of the gradient is there
def report(name, f, **leaves):
    order = []
    for k, v in leaves.items():
        v.requires_grad_(True).register_hook(lambda g, k=k: order.append((k, g.sum().item())))
    f(**leaves).sum().backward()
    print(name, order)
ones = torch.ones
report('shared', lambda s, a, b: (a * s + s * 2) * b + s.sum(), s=ones(2), a=ones(2), b=ones(2))
report('product', lambda a, b: a @ b, a=ones(2, 2), b=ones(2, 2))
report('linear', F.linear, input=ones(2, 3), weight=ones(2, 3), bias=ones(2))
report('joined', lambda a, b, c: torch.cat([a, b * c, a]), a=ones(2), b=ones(2), c=ones(2))
report('chosen', lambda a, b: torch.where(a > b, a, b), a=ones(2) * 2, b=ones(2))
report('itself', lambda a: a, a=ones(2))
# expect: shared [('b', 6.0), ('a', 2.0), ('s', 10.0)]
# expect: product [('a', 8.0), ('b', 8.0)]
# expect: linear [('bias', 4.0), ('input', 12.0), ('weight', 12.0)]
# expect: joined [('a', 4.0), ('b', 2.0), ('c', 2.0)]
# expect: chosen [('a', 2.0), ('b', 0.0)]
# expect: itself [('a', 2.0)]

# case: take keeps what it took from
x = torch.arange(1., 7.).view(2, 3).requires_grad_()
(torch.take(x, torch.tensor([[0, -1], [0, 0]])) * torch.tensor([[1., 2.], [3., 4.]])).sum().backward()
print(x.grad.tolist())  # expect: [[8.0, 0.0, 0.0], [0.0, 0.0, 2.0]]
y = x * 2
taken = torch.take(y, torch.tensor([0]))
y[:] = 1
taken.sum().backward()  # expect error[RuntimeError]
# case: a write into a slice of what has a hidden base
x = torch.ones(2, 3, 4, requires_grad=True)
w = torch.ones(2, 4, 2)
for made in (lambda: torch.einsum('bij,bjk->bik', x, w), lambda: torch.einsum('bij,bjk->bki', x, w).mT,
             lambda: F.linear(x, w[0].T), lambda: nn.Flatten(0, 1)(F.linear(x, w[0].T))):
    x.grad = None
    y = made()
    y[0] *= 3
    y.sum().backward()
    print(x.grad[..., 0].tolist())
# expect: [[6.0, 6.0, 6.0], [2.0, 2.0, 2.0]]
# expect: [[6.0, 6.0, 6.0], [2.0, 2.0, 2.0]]
# expect: [[6.0, 6.0, 6.0], [2.0, 2.0, 2.0]]
# expect: [[6.0, 2.0, 2.0], [2.0, 2.0, 2.0]]

# case: an op that changes the axes of a kept result in place is a write
x = torch.zeros(2, requires_grad=True)
try:
    torch.sigmoid(x).unsqueeze_(0).sum().backward()
except RuntimeError as error:
    print('modified by an inplace operation' in str(error))
# expect: True

# case: gradients at NaN
x = torch.tensor([1.0, float('nan'), -1.0], requires_grad=True)
for f in (F.elu, F.celu, F.selu, F.hardtanh, F.relu6, F.hardshrink, F.softshrink, torch.max, torch.min):
    x.grad = None
    f(x).sum().backward()
    print([round(slope, 4) for slope in x.grad.tolist()])
# expect: [1.0, 1.0, 0.3679]
# expect: [1.0, 1.0, 0.3679]
# expect: [1.0507, 1.0507, 0.6468]
# expect: [0.0, 1.0, 0.0]
# expect: [1.0, 1.0, 0.0]
# expect: [1.0, 1.0, 1.0]
# expect: [1.0, 1.0, 1.0]
# expect: [0.0, 1.0, 0.0]
# expect: [0.0, 1.0, 0.0]

# case: gradients of products with zeros, and of a determinant below zero
x = torch.tensor([0.0, float('nan'), 0.0], requires_grad=True)
x.prod().backward()
m = torch.tensor([[0.0, 1.0], [1.0, 0.0]], requires_grad=True)
m.logdet().backward()
print(x.grad.tolist(), m.logdet().item(), m.grad.abs().tolist())
# expect: [0.0, 0.0, 0.0] nan [[0.0, 0.0], [0.0, 0.0]]


# case: xlogy
x, y = torch.tensor([0., 2., 0.], requires_grad=True), torch.tensor([3., 2., 0.5], requires_grad=True)
torch.xlogy(x, y).sum().backward()
print(x.grad, y.grad, torch.xlogy(x, y), torch.xlogy(2., y).grad_fn.name(), torch.xlogy(x, 2.).grad_fn.name(), torch.xlogy(x, y).grad_fn.name())
# expect: tensor([ 1.0986,  0.6931, -0.6931]) tensor([0., 1., 0.]) tensor([0.0000, 1.3863, 0.0000], grad_fn=<XlogyBackward0>) XlogyBackward1 XlogyBackward2 XlogyBackward0
# case: index_put_ and grids have gradients
x, y = torch.ones(3, requires_grad=True), torch.full((1,), 5., requires_grad=True)
h = x * 2
h.index_put_((torch.tensor([0]),), y).sum().backward()
print(x.grad.tolist(), y.grad.tolist())
z = torch.zeros(3)
z.index_put_((torch.tensor([0, 0]),), torch.stack([y[0], y[0] * 3]), accumulate=True).sum().backward()
print(y.grad.tolist())
a, b = torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)
for grids in (torch.meshgrid([a, b], indexing='xy'), torch.meshgrid(a, b, indexing='ij'), torch.broadcast_tensors(a.view(2, 1), b)):
    a.grad = b.grad = None
    grids[0].sum().backward()
    print(a.grad.tolist(), b.grad)
# expect: [0.0, 2.0, 2.0] [1.0]
# expect: [5.0]
# expect: [3.0, 3.0] None
# expect: [3.0, 3.0] None
# expect: [3.0, 3.0] None

# case: what max keeps, and views where gradients are off
h = torch.tensor([[1., 3., 3.]], requires_grad=True)
y = h * 1
y -= y.max(1, keepdim=True)[0]
y.exp().sum().backward()
print([round(slope, 4) for slope in h.grad[0].tolist()])
with torch.no_grad():
    print(h[0], h.t().requires_grad, (h * 2).requires_grad, h.detach()[0])
x = torch.tensor([1., 2., 2., 3.], requires_grad=True)
low = torch.tensor([1., 2.5, 2., 1.], requires_grad=True)
torch.clamp(x, low, torch.tensor([3., 3., 2., 2.])).sum().backward()
print(x.grad.tolist(), low.grad.tolist(), x.detach().clamp(min=low.detach()).tolist())
table = torch.ones(3, 1, requires_grad=True)
F.embedding(torch.tensor([0, 0, 1]), table, scale_grad_by_freq=True).sum().backward()
print(table.grad.flatten().tolist())
v = torch.tensor([1., 2., 1., 2., 2.], requires_grad=True)
v.mode().values.backward()
print(v.grad.tolist())
try:
    torch.zeros(2, 2).scatter_add(0, torch.tensor([[1]]), torch.ones(2, 2, requires_grad=True)).sum().backward()
except RuntimeError as error:
    print('returned an invalid gradient' in str(error))
# expect: [0.1353, -1.1353, 1.0]
# expect: tensor([1., 3., 3.], requires_grad=True) True False tensor([1., 3., 3.])
# expect: [1.0, 0.0, 1.0, 0.0] [0.0, 1.0, 0.0, 0.0] [1.0, 2.5, 2.0, 3.0]
# expect: [1.0, 1.0, 0.0]
# expect: [0.0, 0.0, 0.0, 0.0, 1.0]
# expect: True


# case: a leaf frozen before backward() gets no gradient
net = nn.Linear(2, 1)
x = torch.ones(1, 2, requires_grad=True)
loss = net(x).sum()
net.weight.register_hook(print)
net.requires_grad_(False)
loss.backward()
print(net.weight.grad, net.bias.grad, x.grad is None)
# expect: None None False

# case: numbers put in by way of .data count without a word
x = torch.ones(2, requires_grad=True)
y = x * x
x.data = torch.full((2,), 5.)
y.sum().backward()
print(x.grad)
for change in (lambda d: d.add_(1), lambda d: d.copy_(torch.tensor([3., 4.])), lambda d: d[0].fill_(7), lambda d: d.clamp_(max=0.5)):
    x = torch.ones(2, requires_grad=True)
    y, z = x * x, x.exp()
    change(x.data)
    change(z.data)
    (y + z).sum().backward()
    print([round(each, 4) for each in x.grad.tolist()])
for change in (lambda x: x.detach().add_(1), lambda x: x.add_(1)):
    x = torch.ones(2, requires_grad=True)
    y = x * x
    try:
        with torch.no_grad():
            change(x)
        y.sum().backward()
    except RuntimeError as error:
        print('modified by an inplace operation' in str(error))
# expect: tensor([10., 10.])
# expect: [7.7183, 7.7183]
# expect: [9.0, 12.0]
# expect: [21.0, 4.7183]
# expect: [1.5, 1.5]
# expect: True
# expect: True

# case: retain_grad() follows what is written, functions of register_hook() stay
def show(name):
    return lambda gradient: print(name, gradient.tolist())
def begin():
    return torch.ones(2, requires_grad=True) * 3
h = begin()
h.retain_grad()
h.register_hook(show('before'))
h.mul_(2)
h.retain_grad()
h.register_hook(show('after'))
(h * h).sum().backward()
print(h.grad)
for order in ('hook first', 'retained first'):
    h = begin()
    if order == 'retained first':
        h.retain_grad()
    h.register_hook(lambda gradient: gradient * 2)
    h.retain_grad()
    (h * h).sum().backward()
    print(h.grad)
h = begin()
v = h[:1]
v.register_hook(show('never'))
v.retain_grad()
v.mul_(2)
h.sum().backward()
print(v.grad)
h = begin()
v = h[:1]
v.mul_(2)
h.retain_grad()
h.register_hook(show('base'))
(v * v).sum().backward()
print(h.grad)
h = begin()
v = h[:1]
v += 1
h.retain_grad()
((h * h).sum() + (v * v).sum()).backward()
print(h.grad)
h = begin()
v = h[:1]
v.retain_grad()
h.mul_(2)
(v * v).sum().backward()
print(v.grad)
# expect: before [24.0, 24.0]
# expect: after [24.0, 24.0]
# expect: tensor([12., 12.])
# expect: tensor([12., 12.])
# expect: tensor([6., 6.])
# expect: None
# expect: base [12.0, 0.0]
# expect: tensor([12.,  0.])
# expect: tensor([16.,  6.])
# expect: tensor([12.])

# case: what is kept for backward() may not change
def fails(make, change):
    x = torch.tensor([[1., 2.], [3., 5.]], requires_grad=True)
    h = x * 1
    out = make(h)
    change(h, out)
    try:
        out.sum().backward()
        return 'fine'
    except RuntimeError as error:
        return 'modified by an inplace operation' in str(error)
def write_in(h, out): h.add_(1)
def write_out(h, out): out.add_(1)
print(fails(lambda h: h.max(), write_out), fails(lambda h: h.min(), write_out), fails(lambda h: torch.max(h, h * 2), write_out))
print(fails(lambda h: h.pow(torch.tensor(2.)), write_out), fails(lambda h: h ** 2, write_out), fails(lambda h: h ** 2, write_in))
print(fails(lambda h: h.mean(1), write_in), fails(lambda h: h.mean(), write_in), fails(lambda h: h.sum(1), write_in))
print(fails(lambda h: F.embedding(torch.tensor([0, 1]), h), write_in))
print(fails(lambda h: torch.zeros(2, 2).index_add(0, torch.tensor([0, 1]), h), write_in))
# expect: True True fine
# expect: True fine True
# expect: True fine fine
# expect: True
# expect: True

# case: how ties share a gradient, in scatter_reduce and cdist
x, s = torch.ones(3, requires_grad=True), torch.ones(1, requires_grad=True)
for reduce, counts in (('amax', True), ('amin', True), ('amax', False)):
    x.grad = s.grad = None
    s.scatter_reduce(0, torch.tensor([0, 0, 0]), x, reduce, include_self=counts).backward()
    print(s.grad, x.grad)
x = torch.tensor([1., 3., 3., 2.], requires_grad=True)
s = torch.tensor([1., 3.], requires_grad=True)
out = s.scatter_reduce(0, torch.tensor([0, 1, 1, 0]), x, 'amax')
(out * torch.tensor([2., 3.])).sum().backward()
print(out.detach(), s.grad, x.grad)
y = torch.tensor([[2., 3.], [2., 5.]], requires_grad=True)
far = torch.cdist(torch.tensor([[1., 2.]]), y, p=float('inf'))
far.sum().backward()
print(far.detach(), y.grad)
step = torch.heaviside(torch.tensor([1., -1.], requires_grad=True), torch.tensor([0.5, 0.5]))
print(step)
try:
    step.sum().backward()
except RuntimeError as error:
    print(error)
# expect: tensor([0.2500]) tensor([0.2500, 0.2500, 0.2500])
# expect: tensor([0.2500]) tensor([0.2500, 0.2500, 0.2500])
# expect: tensor([0.]) tensor([0.2500, 0.2500, 0.2500])
# expect: tensor([2., 3.]) tensor([0., 1.]) tensor([0., 1., 1., 2.])
# expect: tensor([[1., 3.]]) tensor([[1., 1.],
# expect:         [0., 1.]])
# expect: tensor([1., 0.], grad_fn=<NotImplemented>)
# expect: derivative for aten::heaviside is not implemented

# case: what a write into a view leaves where
h = torch.ones(2, requires_grad=True) * 3
v = h.view(2)
h.retain_grad()
v.mul_(2)
((h * h).sum() + (v * v).sum()).backward()
print(h.grad)  # of h as it was
h = torch.ones(2, requires_grad=True) * 3
h.retain_grad()
h[:1].mul_(2)
h.mul_(3)
(h * h).sum().backward()
print(h.grad)  # of h as it is
p = torch.tensor(2., requires_grad=True)
h = torch.tensor([3., 5.])
h[0] *= p
w = torch.ones(2).detach()
w += p
(h.sum() + w.sum()).backward()
print(p.grad, h.grad, w.grad)
# expect: tensor([48., 48.])
# expect: tensor([36., 18.])
# expect: tensor(5.) None None

# case: a tensor is no number while a gradient is to go back through it
b = torch.tensor(0.5, requires_grad=True)
x = torch.tensor([0.25, 2.])
print(x.clamp(b).requires_grad, torch.clamp(torch.tensor([1, 0]), b))
for call in (lambda: torch.full((2,), b), lambda: F.leaky_relu(x, b), lambda: x.add(x, alpha=b), lambda: F.pad(x, (1, 1), value=b)):
    try:
        call()
    except TypeError:
        print('no number')
print(torch.full((2,), b.detach()))
F.gumbel_softmax(torch.zeros(3), tau=b)[0].backward()
print(b.grad is not None)
# expect: True tensor([1.0000, 0.5000], grad_fn=<ClampBackward0>)
# expect: no number
# expect: no number
# expect: no number
# expect: no number
# expect: tensor([0.5000, 0.5000])
# expect: True

# case: the gradient of xlogy where the logarithm is none
for other in (-2.0, 0.0, 2.0, torch.tensor([0., 0., 2., -1.])):
    a = torch.tensor([-2.5, 0., 3., 0.], requires_grad=True)
    torch.xlogy(a, other).backward(torch.tensor([1., 1., 0., 0.]))
    print(a.grad)
b = torch.tensor([-2., 0., 3.], requires_grad=True)
torch.xlogy(2.0, b).backward(torch.tensor([0., 1., 1.]))
print(b.grad)
# expect: tensor([nan, 0., 0., 0.])
# expect: tensor([-inf, 0., 0., 0.])
# expect: tensor([0.6931, 0.6931, 0.0000, 0.0000])
# expect: tensor([-inf, 0., 0., 0.])
# expect: tensor([-0.0000,    inf, 0.6667])

# case: a power whose exponent float32 cannot hold
b = torch.full((10,), -1.).requires_grad_()
(b ** 10000000000).sum().backward()
print(b.detach()[:2] ** 16777217.0, b.grad[0], b.grad[9])
# expect: tensor([-1., -1.]) tensor(-1.0000e+10) tensor(-1.0000e+10)

# case: the gradient of sinc near 0 and at it
x = torch.tensor([0., 0.001, 0.5, -1.5], requires_grad=True)
torch.sinc(x).sum().backward()
print(x.grad)
# expect: tensor([ 0.0000, -0.0033, -1.2732, -0.1415])

# case: the largest size of a row with NaN
x = torch.tensor([[-.3, float('nan'), -.35], [float('inf'), 2., 1.]], requires_grad=True)
torch.norm(x, float('inf'), 1).sum().backward()
print(x.grad)
# expect: tensor([[-0., 0., -0.],
# expect:         [1., 0., 0.]])

# case: settings of images that do not fit
import torch.nn.functional as F
x = torch.ones(1, 2, 3, 3)
for call in (lambda: F.interpolate(x, True), lambda: F.conv_transpose2d(x, x[0].unsqueeze(1), output_padding=(1, 3, 4, 2))):
    try:
        call()
    except (TypeError, RuntimeError) as error:
        print(type(error).__name__)
# expect: TypeError
# expect: RuntimeError

# case: the length of nothing, where much comes back
for length in (lambda x: torch.norm(x), lambda x: x.norm(dim=0, keepdim=True).sum(), lambda x: torch.dist(x, torch.zeros(2)), lambda x: torch.norm(x, 3)):
    for grad in (1., float('inf')):
        x = torch.zeros(2, requires_grad=True)
        length(x).backward(torch.tensor(grad))
        print(x.grad + 0)
# expect: tensor([0., 0.])
# expect: tensor([nan, nan])
# expect: tensor([0., 0.])
# expect: tensor([nan, nan])
# expect: tensor([0., 0.])
# expect: tensor([nan, nan])
# expect: tensor([0., 0.])
# expect: tensor([0., 0.])

# case: the way back through a layer norm, to the last bit
import torch
import torch.nn.functional as F
torch.manual_seed(0)
x, w, b = torch.randn(3, 11, requires_grad=True), torch.randn(11, requires_grad=True), torch.randn(11, requires_grad=True)
F.layer_norm(x, (11,), w, b).backward(torch.randn(3, 11))
print(x.grad[0, :4].tolist(), w.grad[:3].tolist(), b.grad[:3].tolist())
x.grad = None
F.layer_norm(x, (3, 11)).pow(3).sum().backward()
print(x.grad[0, :3].tolist(), F.layer_norm(x, (11,)).grad_fn.name())
# expect: [0.85758376121521, -0.6146134734153748, 0.5140894651412964, -0.9427837133407593] [-0.3585623502731323, 0.14276178181171417, 0.2815595269203186] [1.604034185409546, 0.6669998168945312, 0.3677197992801666]
# expect: [0.8097705841064453, 1.0168380737304688, -3.1179099082946777] NativeLayerNormBackward0

# case: of numbers that are drawn with a probability of their own there is no gradient
import torch
a = torch.tensor([0.5], requires_grad=True)
print(a.bernoulli(1.0).requires_grad, a.bernoulli().requires_grad, torch.bernoulli(a, 0.5).requires_grad)
# expect: False True False

# case: a part that has more axes than what it is written into
import torch
a = torch.ones(2, 3, requires_grad=True)
d = torch.zeros(2, 3) + a
d[:] = d[None]
(d * torch.arange(6.).view(2, 3)).sum().backward()
b = torch.ones(1, 1, 3, requires_grad=True)
e = torch.zeros(2, 3)
e[:] = b
e.sum().backward()
print(a.grad, b.grad)
# expect: tensor([[0., 1., 2.],
# expect:         [3., 4., 5.]]) tensor([[[2., 2., 2.]]])

# case: what PyTorch keeps for the way back may not be written to, though the parts of an op here need less
import torch
import torch.nn.functional as F
def refused(make, op, writes_result=False):
    w = make().requires_grad_()
    x = w * 1
    y = op(x)
    z = y * 1
    (y if writes_result else x).mul_(2)
    try:
        (y if writes_result else z).sum().backward()
        return False
    except RuntimeError as error:
        return str(error).split(' is at ')[0].split(': ')[1]
square, series, image = lambda: torch.eye(4) * 2, lambda: torch.randn(2, 3, 8), lambda: torch.randn(1, 2, 6, 6)
print(refused(square, torch.inverse), refused(square, torch.inverse, True))
print(refused(square, torch.det), refused(square, lambda x: torch.linalg.solve(x, torch.ones(4, 2)), True))
print(refused(square, lambda x: torch.cdist(x, torch.ones(3, 4))), refused(square, lambda x: torch.dist(x, torch.ones(4, 4)), True))
print(refused(series, lambda x: F.conv1d(x, torch.ones(2, 3, 3))), refused(series, lambda x: F.conv1d(x, torch.ones(2, 3, 3)), True))
print(refused(image, lambda x: F.max_pool2d(x, 2)), refused(image, lambda x: F.avg_pool2d(x, 2)))
print(refused(square, lambda x: x.cummax(0)[0]), refused(square, lambda x: x.logcumsumexp(0), True))
print(refused(square, lambda x: torch.lerp(x, torch.ones(4, 4), 0.5)), refused(square, lambda x: torch.lerp(torch.zeros(4, 4), torch.ones(4, 4), x)))
print(refused(series, lambda x: F.pad(x, (1, 1))), refused(series, lambda x: F.pad(x, (1, 1), mode='reflect')))
# expect: False [torch.FloatTensor [4, 4]], which is output 0 of LinalgInvExBackward0,
# expect: [torch.FloatTensor [4, 4]], which is output 0 of MulBackward0, [torch.FloatTensor [4, 2]], which is output 0 of LinalgSolveExBackward0,
# expect: [torch.FloatTensor [4, 4]], which is output 0 of MulBackward0, [torch.FloatTensor []], which is output 0 of DistBackward0,
# expect: [torch.FloatTensor [2, 3, 8]], which is output 0 of MulBackward0, False
# expect: [torch.FloatTensor [1, 2, 6, 6]], which is output 0 of MulBackward0, [torch.FloatTensor [1, 2, 6, 6]], which is output 0 of MulBackward0,
# expect: [torch.FloatTensor [4, 4]], which is output 0 of MulBackward0, [torch.FloatTensor [4, 4]], which is output 0 of LogcumsumexpBackward0,
# expect: False [torch.FloatTensor [4, 4]], which is output 0 of MulBackward0,
# expect: False [torch.FloatTensor [2, 3, 8]], which is output 0 of MulBackward0,

# case: the way back through logcumsumexp where gradients or numbers have no end
import torch
inf = float('inf')
for numbers in [1., 2., 3.], [-inf, 1., 2.], [inf, 1., 2.]:
    x = torch.tensor(numbers, requires_grad=True)
    torch.logcumsumexp(x, 0).backward(torch.tensor([1., inf, 2.]))
    y = torch.tensor(numbers, requires_grad=True)
    torch.logcumsumexp(y, 0).backward(torch.tensor([-1., 2., -3.]))
    print(x.grad, y.grad)
# expect: tensor([   inf,    inf, 1.3305]) tensor([-0.7322,  0.7279, -1.9957])
# expect: tensor([   nan,    inf, 1.4621]) tensor([    nan,  1.1932, -2.1932])
# expect: tensor([nan, nan, 0.]) tensor([nan, 0., 0.])

# case: a loss of targets of another type has no way back
import torch
import torch.nn.functional as F
for loss in F.mse_loss, F.huber_loss:
    x = torch.tensor([0.25, 0.5], requires_grad=True)
    print(loss(x, torch.tensor([0, 1]).double()))
    try: loss(x, torch.tensor([0, 1])).backward()
    except RuntimeError as error: print(error)
    loss(x, torch.tensor([0, 1]).float()).backward()
    print(x.grad)
# expect: tensor(0.1562, dtype=torch.float64, grad_fn=<MseLossBackward0>)
# expect: Found dtype Long but expected Float
# expect: tensor([ 0.2500, -0.5000])
# expect: tensor(0.0781, grad_fn=<HuberLossBackward0>)
# expect: Found dtype Long but expected Float
# expect: tensor([ 0.1250, -0.2500])

# case: the way back through a batch norm of equal numbers, and through weights without end
import torch
import torch.nn.functional as F
x = torch.ones(1, 1, 5, requires_grad=True)
(torch.nn.BatchNorm1d(1)(x) * torch.linspace(-1, 2, 5)).sum().backward()
print(x.grad)
x = torch.tensor([[1., -2.], [3., 5.], [2., 2.]], requires_grad=True)
weight = torch.tensor([2., float('inf')], requires_grad=True)
y = F.batch_norm(x, None, None, weight, training=True)
(y * torch.arange(6.).view(3, 2)).sum().backward()
print(x.grad, weight.grad, y.grad_fn.name())
# expect: tensor([[[-474.3416, -237.1708,    0.0000,  237.1708,  474.3416]]])
# expect: tensor([[-2.4495,    -inf],
# expect:         [-2.4494,    -inf],
# expect:         [ 4.8989,     inf]]) tensor([2.4495, 2.7899]) NativeBatchNormBackward0

# case: smooth_l1_loss takes targets of any type, also on the way back
import torch
from torch.nn import functional as F
for target in (torch.tensor([True, False, True]), torch.tensor([1, 0, 1])):
    a = torch.arange(3.).requires_grad_()
    F.smooth_l1_loss(a, target, beta=3).backward()
    print(a.grad)
# expect: tensor([-0.1111,  0.1111,  0.1111])
# expect: tensor([-0.1111,  0.1111,  0.1111])

# case: what may not be written to draws nothing
import torch
for draw in (lambda a: a.bernoulli_(), lambda a: a.bernoulli_(a.detach()), lambda a: a.normal_()):
    torch.manual_seed(0)
    try:
        draw(torch.tensor([0.25, 0.5], requires_grad=True))
    except RuntimeError as error:
        print(error, torch.rand(1))
# expect: a leaf Variable that requires grad is being used in an in-place operation. tensor([0.4963])
# expect: a leaf Variable that requires grad is being used in an in-place operation. tensor([0.4963])
# expect: a leaf Variable that requires grad is being used in an in-place operation. tensor([0.4963])
