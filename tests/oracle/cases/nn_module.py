# parameters come before those of the layers inside, whatever the order of the lines
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 3)
        self.scale = nn.Parameter(torch.ones(2))
        self.register_buffer('mask', torch.zeros(2))
        self.outer = nn.Sequential(nn.ReLU(), nn.Linear(3, 1, bias=False))
    def forward(self, x):
        return self.outer(self.inner(x * self.scale))
net = Net()
print(net, [n for n, p in net.named_parameters()], [n for n, b in net.named_buffers()], [n for n, m in net.named_modules()], [n for n, c in net.named_children()], sum(p.numel() for p in net.parameters()))
print(list(net.state_dict()), len(list(net.modules())), [tuple(p.shape) for p in net.parameters(recurse=False)], [n for n, p in net.named_parameters(prefix='net', recurse=False)])
net(torch.ones(1, 2))

# an empty module, and one with an extra_repr
class Empty(nn.Module):
    pass
class Scale(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor
    def extra_repr(self):
        return f'factor={self.factor}'
class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale(2)
    def extra_repr(self):
        return 'a=1,\nb=2'
print(Empty(), Scale(3), Two(), nn.Sequential(Scale(1), Empty()))

# a module without a forward
class Empty(nn.Module):
    pass
Empty()(torch.ones(1))

# parameters before __init__
class Wrong(nn.Module):
    def __init__(self):
        self.weight = nn.Parameter(torch.ones(1))
Wrong()

# layers before __init__
class Wrong(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(1, 1)
Wrong()

# buffers before __init__
class Wrong(nn.Module):
    def __init__(self):
        self.register_buffer('b', torch.ones(1))
Wrong()

# too many arguments
class Empty(nn.Module):
    pass
Empty(3)

# layers in a Python list are not registered
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(2, 2) for _ in range(2)]
        self.weights = [nn.Parameter(torch.ones(2))]
        self.table = torch.zeros(3)
print(Net(), list(Net().parameters()), Net().state_dict())

# shared parameters are listed once
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(4, 2)
        self.out = nn.Linear(2, 4, bias=False)
        self.out.weight = self.embed.weight
        self.again = self.embed
tied = Tied()
print(tied, [n for n, p in tied.named_parameters()], list(tied.state_dict()), [n for n, m in tied.named_modules()], [n for n, m in tied.named_children()], tied.out.weight is tied.embed.weight)
tied.out(tied.embed(torch.tensor([1])))

# deleting, None, and what a name may become
net = nn.Module()
net.a = nn.Linear(1, 1)
net.b = nn.Parameter(torch.ones(1))
net.register_buffer('c', torch.zeros(1))
net.register_parameter('d', None)
net.register_module('e', None)
print(net, [n for n, p in net.named_parameters()], net.d, net.e)
net.c = torch.ones(2); net.b = None; net.a = None
print(net, list(net.state_dict()), net.c, hasattr(net, 'b'))
net.b = nn.Parameter(torch.zeros(2)); net.a = nn.Parameter(torch.zeros(3)); net.c = nn.ReLU()
print(net, [n for n, p in net.named_parameters()])
del net.a, net.c
print(net, hasattr(net, 'a'), [n for n, p in net.named_parameters()])
del net.a

net = nn.Module(); net.w = nn.Parameter(torch.ones(1)); net.w = torch.ones(1)
net = nn.Module(); net.w = nn.Parameter(torch.ones(1)); net.w = 3
net = nn.Module(); net.w = nn.ReLU(); net.w = torch.ones(1)
net = nn.Module(); net.register_buffer('w', torch.ones(1)); net.w = 'text'
net = nn.Module(); net.register_buffer('w', 3)
net = nn.Module(); net.register_buffer('a.b', torch.ones(1))
net = nn.Module(); net.register_buffer('', torch.ones(1))
net = nn.Module(); net.register_buffer('forward', torch.ones(1))
net = nn.Module(); net.w = 3; net.register_parameter('w', nn.Parameter(torch.ones(1)))
net = nn.Module(); net.register_parameter('w', torch.ones(1))
net = nn.Module(); net.add_module('w', 3)
net = nn.Module(); net.add_module('a.b', nn.ReLU())
net = nn.Module(); net.foo

# persistent and other buffers
net = nn.Module()
net.register_buffer('a', torch.arange(2))
net.register_buffer('b', torch.ones(1), persistent=False)
net.register_buffer('c', None)
net.d = torch.ones(1)
net.a = torch.arange(3)
print(list(net.state_dict()), [n for n, b in net.named_buffers()], list(net.buffers()))

# state_dict prints as an OrderedDict
net = nn.Sequential(nn.Linear(2, 1), nn.Linear(1, 1, bias=False))
print(net.state_dict(), nn.ReLU().state_dict())
net.state_dict()['0.weight'].fill_(2); net[0].weight

# load_state_dict
a, b = nn.Linear(2, 2), nn.Linear(2, 2)
print(b.load_state_dict(a.state_dict()), torch.equal(a.weight, b.weight), a.weight is b.weight)
print(b.load_state_dict({'weight': torch.zeros(2, 2)}, strict=False), b.weight, b.bias)

nn.Linear(2, 2).load_state_dict({'weight': torch.zeros(2, 2), 'foo': torch.zeros(1)})
nn.Sequential(nn.Linear(2, 2)).load_state_dict({'0.weight': torch.zeros(2, 3), '1.bias': torch.zeros(1)})
nn.Linear(2, 2).load_state_dict({'weight': torch.zeros(2, 3)}, strict=False)
nn.Linear(2, 2).load_state_dict(3)

# train and eval reach all layers
net = nn.Sequential(nn.Dropout(0.5), nn.Sequential(nn.Dropout(0.5)))
print(net.training, net.eval() is net, [m.training for m in net.modules()], net.train()[1][0].training, net.train(False).training)
torch.equal(net(torch.ones(4)), torch.ones(4))

# apply: layers inside first
names = []
def init(m):
    names.append(type(m).__name__)
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.5)
        nn.init.zeros_(m.bias)
net = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 1)))
print(net.apply(init) is net, names)
net(torch.ones(1, 2))

# init_weights of a class, as transformers have it
class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(3, 4)
        self.head = nn.Linear(4, 3, bias=False)
        self.apply(self._init_weights)
    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
            if module.bias is not None:
                torch.nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
    def forward(self, idx):
        return self.head(self.wte(idx))
GPT()(torch.tensor([[0, 2]]))

net = nn.Sequential(nn.Linear(2, 1)).requires_grad_(False); print([p.requires_grad for p in net.parameters()], net(torch.ones(2)))
net = nn.Sequential(nn.Linear(2, 1)); net.register_buffer('n', torch.arange(2)); net.double(); print(net[0].weight.dtype, net.n.dtype, net.to(torch.float32)[0].bias.dtype, net.to('cpu') is net, net.zero_grad())
net = nn.Sequential(nn.Linear(2, 1)); print(net.get_submodule('0'), net.get_parameter('0.bias').shape, net.get_submodule('') is net)
nn.Sequential(nn.Linear(2, 1)).get_submodule('1')
nn.Sequential(nn.Linear(2, 1)).get_submodule('0.weight')
nn.Sequential(nn.Linear(2, 1)).get_parameter('0.foo')
nn.Linear(2, 1).get_buffer('weight')

# a class derived from a layer, and one derived from that
class Doubled(nn.Linear):
    def forward(self, x):
        return 2 * super().forward(x)
class Named(Doubled):
    def __init__(self, n, name):
        super().__init__(n, n)
        self.name = name
print(Doubled(2, 1), Named(2, 'x').name, isinstance(Named(2, 'x'), nn.Linear), isinstance(Doubled(1, 1), nn.Module))
Doubled(2, 1)(torch.ones(1, 2))

# old spellings
class Old(nn.Module):
    def __init__(self):
        super(Old, self).__init__()
        nn.Module.__init__(self)
        self.w = nn.Parameter(torch.zeros(1), requires_grad=False)
    def __repr__(self):
        return 'Old!'
print(Old(), nn.Sequential(Old()), Old().w, isinstance(Old().w, nn.Parameter), isinstance(torch.ones(1), nn.Parameter))

# a train() of one's own
class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout()
    def train(self, mode=True):
        return super().train(False)
net = nn.Sequential(Frozen(), nn.Dropout()).train()
print(net[0].training, net[0].drop.training, net[1].training)

# deep copies share nothing
import copy
net = nn.Sequential(nn.Linear(2, 2))
other = copy.deepcopy(net)
other[0].weight.data.zero_()
print(torch.equal(net[0].weight, other[0].weight), other[0].weight.requires_grad, [n for n, p in other.named_parameters()])

nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(1), requires_grad=False), type(nn.Parameter(torch.ones(1))).__name__
[l.reset_parameters() or list(l.parameters()) for l in [nn.Linear(2, 2, bias=False), nn.Embedding(3, 2, padding_idx=0), nn.Conv2d(2, 2, 2), nn.LSTM(2, 3), nn.LayerNorm(2), nn.GRUCell(2, 3)]]
bool(nn.ReLU()), bool(nn.ModuleList()), bool(nn.ModuleList([nn.ReLU()]))

# properties, class attributes and what is registered
class Net(nn.Module):
    table = [1, 2]
    @property
    def n(self):
        return self._n
    @n.setter
    def n(self, value):
        self._n = value * 2
    def __init__(self):
        super().__init__()
        self.n = 3
        for i in range(2):
            setattr(self, f'l{i}', nn.Linear(1, 1))
            self.add_module(f'm{i}', nn.ReLU())
net = Net()
print(net, net.n, net.table, getattr(net, 'l0'), net.__class__.__name__)

# __getattr__ and __call__ of a class
class Net(nn.Module):
    def __getattr__(self, name):
        if name == 'magic':
            return 42
        return super().__getattr__(name)
    def forward(self, x):
        return x
    def __call__(self, x):
        return super().__call__(x) + 1
net = Net()
net.l = nn.ReLU()
print(net.magic, net.l, hasattr(net, 'foo'), net(2), net.forward(2))
net.bar
