# What every layer can do besides being called.
import torch
import torch.nn as nn

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
