# A way back of one's own: torch.autograd.Function, hooks of gradients, and what training loops wrap themselves in.
import inspect

import torch
import torch.nn.functional as F
from torch import nn
from torch.autograd import Function
from torch.cuda.amp import GradScaler
from torch.nn.utils import parameters_to_vector, vector_to_parameters
from torch.utils.checkpoint import checkpoint


def message(call):
    try:
        return call()
    except Exception as error:
        return f'{type(error).__name__}: {error}'


# case: functions
class Clipped(Function):
    @staticmethod
    def forward(ctx, x, top):
        ctx.save_for_backward(x)
        ctx.top = top
        return x.clamp(max=top)

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return grad * (x < ctx.top) + 0.5, None

x = torch.tensor([1., 2., 3.], requires_grad=True)
y = Clipped.apply(x, 2)
print(y)  # expect: tensor([1., 2., 2.], grad_fn=<ClippedBackward>)
(y * y).sum().backward()
print(x.grad)  # expect: tensor([2.5000, 0.5000, 0.5000])
with torch.no_grad():
    print(Clipped.apply(x, 2).requires_grad, Clipped.apply(x.detach(), 2).requires_grad)  # expect: False False

class Exponential(Function):
    @staticmethod
    def forward(ctx, x):
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad):
        result, = ctx.saved_tensors
        return grad * result

x.grad = None
out = Exponential.apply(x * 0).sum()
out.backward(retain_graph=True)
out.backward()
print(x.grad, Exponential.apply(x)[0].item() == x.exp()[0].item())  # expect: tensor([0., 0., 0.]) True
print(message(out.backward)[:51])  # expect: RuntimeError: Trying to backward through the graph 

class Two(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.mark_non_differentiable(a)
        return a + b, a

    @staticmethod
    def backward(ctx, grad, other):
        print(grad.tolist(), other.tolist(), ctx.needs_input_grad)
        return grad * 2, grad * 3

a, b = torch.ones(2), torch.ones(1, requires_grad=True)
total, same = Two.apply(a, b.expand(2))
print(same.requires_grad, total.grad_fn.name())  # expect: False TwoBackward
total.sum().backward()  # expect: [1.0, 1.0] [0.0, 0.0] (False, True)
print(b.grad)  # expect: tensor([6.])

def returning(*grads):
    class Made(Function):
        @staticmethod
        def forward(ctx, a, b):
            return a * b

        @staticmethod
        def backward(ctx, grad):
            return grads
    return message(lambda: Made.apply(torch.ones(2, requires_grad=True), 2).sum().backward())

print(returning(torch.ones(2)))  # expect: RuntimeError: function MadeBackward returned an incorrect number of gradients (expected 2, got 1)
print(returning(torch.ones(2), torch.ones(2)))
# expect: RuntimeError: function MadeBackward returned a gradient different than None at position 2, but the corresponding forward input was not a Variable
print(returning(torch.ones(3), None))
# expect: RuntimeError: Function MadeBackward returned an invalid gradient at index 0 - got [3] but expected shape compatible with [2]
print(returning(torch.ones(4, 2), None, None))  # expect: None
print(message(lambda: Function.apply(x)))
# expect: NotImplementedError: You must implement the forward function for custom autograd.Function.

# case: hooks
a = torch.ones(2, requires_grad=True)
h = a * 3
handle = h.register_hook(lambda grad: print('h', grad))
a.register_hook(lambda grad: grad * 10)
h.sum().backward()  # expect: h tensor([1., 1.])
print(a.grad)  # expect: tensor([30., 30.])
handle.remove()
a.grad = None
h = a * 3
h.register_hook(lambda grad: grad + 1)
h.retain_grad()
(h * h).sum().backward()
print(h.grad, a.grad)  # expect: tensor([7., 7.]) tensor([210., 210.])
print(torch.autograd.grad((a * 2).sum(), a))  # expect: (tensor([2., 2.]),)
print(message(lambda: torch.ones(2).register_hook(print)))
# expect: RuntimeError: cannot register a hook on a tensor that doesn't require gradient
model = nn.Linear(2, 1)
for p in model.parameters():
    p.register_hook(lambda grad: grad.clamp(-0.5, 0.5))
(model(torch.tensor([[0.25, 4.]])) * -1).sum().backward()
print(model.weight.grad, model.bias.grad)  # expect: tensor([[-0.2500, -0.5000]]) tensor([-0.5000])

# case: around training
model = nn.Linear(2, 1)
v = parameters_to_vector(model.parameters())
vector_to_parameters(torch.arange(3.), model.parameters())
print(v.shape, model.weight.tolist(), model.bias)
# expect: torch.Size([3]) [[0.0, 1.0]] Parameter containing:
# expect: tensor([2.], requires_grad=True)
scaler, optimizer = GradScaler(enabled=False), torch.optim.SGD(model.parameters(), lr=1.)
with torch.autocast(device_type='cuda', dtype=torch.float16, enabled=False):
    loss = model(torch.ones(1, 2)).mean()
optimizer.zero_grad()
scaler.scale(loss).backward()
scaler.unscale_(optimizer)
scaler.step(optimizer)
scaler.update()
print(model.weight.tolist(), scaler.get_scale(), scaler.is_enabled())  # expect: [[-1.0, 0.0]] 1.0 False
one = torch.ones(1, 2, requires_grad=True)
print(checkpoint(model, one))  # expect: tensor([[0.]], grad_fn=<CheckpointFunctionBackward>)
print(checkpoint(model, one, use_reentrant=False))  # expect: tensor([[0.]], grad_fn=<AddmmBackward0>)
print('fused' in inspect.signature(torch.optim.AdamW).parameters, [*inspect.signature(message).parameters])  # expect: False ['call']
torch.manual_seed(1)
print(F.gumbel_softmax(torch.zeros(1, 3), hard=True).tolist())  # expect: [[1.0, 0.0, 0.0]]

# case: a backward() that gives no tensors, and a forward() whose tuple iterates otherwise
import numpy as np
class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x * 2
    @staticmethod
    def backward(ctx, grad): return np.ones(2)
try: Doubled.apply(torch.ones(2, requires_grad=True)).sum().backward()
except RuntimeError as error: print("refused")
# expect: refused
class Empty(tuple):
    def __iter__(self): return iter(())
class Pair(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return Empty((x * 2, x * 3))
    @staticmethod
    def backward(ctx, *grads): return grads[0]
try: Pair.apply(torch.ones(2, requires_grad=True))
except (RuntimeError, TypeError): pass
print("alive")  # expect: alive
