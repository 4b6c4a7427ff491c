parts = nn.ParameterDict({"b": torch.ones(2, 3), "a": nn.Parameter(torch.zeros(1))}); print(parts); list(parts.keys()), parts["b"].requires_grad
nn.ParameterDict()
from collections import OrderedDict; net = nn.Sequential(OrderedDict([('up', nn.Linear(2, 4)), ('act', nn.ReLU())])); print(net, net.up, net[0] is net.up, [n for n, p in net.named_parameters()]); net(torch.ones(1, 2))
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1)); print(net[:2], net[-1], len(net), len(net[1:]), [type(m).__name__ for m in net]); net[0:2](torch.ones(1, 2))
net = nn.Sequential(nn.ReLU()); net.append(nn.Tanh()).append(nn.Sigmoid()); net.insert(1, nn.Identity()); net.extend([nn.ReLU()]); print(net, net.pop(0), len(net), [n for n, m in net.named_children()])
net = nn.Sequential(nn.ReLU(), nn.Tanh()); net[1] = nn.Sigmoid(); del net[0]; print(net)
layer = nn.Linear(1, 1); net = nn.Sequential(layer, layer); print(net, len(net), len(list(net.parameters())), len(list(net.children())))
nn.Sequential([nn.ReLU()])
nn.Sequential(nn.ReLU())[1]
nn.Sequential(nn.ReLU())['a']
layers = nn.ModuleList(); print(layers); layers.append(nn.ReLU()); layers.extend([nn.Tanh(), nn.Sigmoid()]); layers.insert(0, nn.Identity()); print(layers, len(layers), layers[-1], layers[1:3], [n for n, m in layers.named_modules()])
layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)]); x = torch.ones(1, 2); x = layers[2](layers[1](layers[0](x))); print([(i, tuple(l.weight.shape)) for i, l in enumerate(layers)], nn.ReLU() in layers, layers[0] in layers); x
layers = nn.ModuleList([nn.ReLU(), nn.Tanh(), nn.Sigmoid()]); layers[0] = nn.Identity(); del layers[1]; print(layers, layers.pop(0), len(layers))
layers = nn.ModuleList([nn.ReLU()]); layers += [nn.Tanh()]; print(layers)
nn.ModuleList([nn.ReLU()])(torch.ones(1))
nn.ModuleList([3])
nn.ModuleList([nn.ReLU()])[2]
layers = nn.ModuleDict({'b': nn.Linear(2, 2), 'a': nn.ReLU()}); print(layers, list(layers), list(layers.keys()), [k for k, v in layers.items()], 'a' in layers, 'c' in layers, len(layers), layers['a'], [n for n, p in layers.named_parameters()])
layers = nn.ModuleDict([['x', nn.ReLU()]]); layers['y'] = nn.Tanh(); layers.update({'z': nn.Sigmoid()}); print(layers.pop('x'), layers, layers.keys(), layers.values()); del layers['y']; layers.clear(); print(layers)
nn.ModuleDict({'a': nn.ReLU()})['b']
nn.ModuleDict({'a': 3})
scales = nn.ParameterList([nn.Parameter(torch.ones(2, 3)), torch.zeros(1)]); print(scales, len(scales), [n for n, p in scales.named_parameters()], scales[-1]); scales.append(torch.ones(4)); [tuple(p.shape) for p in scales]
nn.ParameterList()

# a module with all of them
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Sequential(nn.Linear(2, 2), nn.ReLU()) for _ in range(2)])
        self.heads = nn.ModuleDict({'a': nn.Linear(2, 1)})
        self.scales = nn.ParameterList([nn.Parameter(torch.ones(1))])
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.heads['a'](x) * self.scales[0]
net = Net()
print(net, [n for n, p in net.named_parameters()])
net(torch.ones(1, 2))

# collections
from collections import OrderedDict, defaultdict, Counter, namedtuple
d = defaultdict(list); d['a'].append(1); d['b']; n = defaultdict(int); n['x'] += 2
c = Counter('abracadabra'); c.update('zz')
Point = namedtuple('Point', ['x', 'y']); p = Point(1, y=2)
print(OrderedDict(), OrderedDict([('a', 1)]), OrderedDict(a=1).keys(), dict(OrderedDict(a=1)), d, n, c, c['q'], c.most_common(2), p, p.x, p[1], isinstance(OrderedDict(), dict), type(OrderedDict()))
