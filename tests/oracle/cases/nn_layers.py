nn.ReLU(inplace=True), nn.GELU(), nn.GELU('tanh'), nn.SiLU(), nn.LeakyReLU(0.2), nn.ELU(0.5), nn.Softplus(), nn.Flatten(), nn.Flatten(0, 1), nn.Unflatten(1, (2, 3))
x = torch.tensor([-2., -0.5, 0., 0.5, 2.]); [f(x) for f in [nn.ReLU(), nn.GELU(), nn.GELU('tanh'), nn.SiLU(), nn.LeakyReLU(0.2), nn.ELU(0.5), nn.Softplus(), nn.Tanh(), nn.Sigmoid()]]
x = torch.tensor([-1., 2.]); y = nn.ReLU(inplace=True)(x); print(x, y is x)
net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(inplace=True), nn.Linear(2, 1)); net(torch.randn(3, 2))
nn.Flatten()(torch.zeros(2, 3, 4)).shape, nn.Flatten(0, 1)(torch.zeros(2, 3, 4)).shape, nn.Unflatten(1, (2, 3))(torch.arange(12).view(2, 6)), nn.Unflatten(-1, (3, -1))(torch.zeros(2, 6)).shape
nn.Unflatten(1, 3)
nn.Unflatten(1, (2, 2.5))
scores = torch.randn(3, 4, requires_grad=True); target = torch.tensor([0, 3, 1]); print(nn.CrossEntropyLoss()(scores, target), nn.CrossEntropyLoss(reduction='none')(scores, target), nn.CrossEntropyLoss(ignore_index=3)(scores, target), nn.CrossEntropyLoss(weight=torch.tensor([1., 2., 3., 4.]))(scores, target), nn.CrossEntropyLoss(label_smoothing=0.1)(scores, target), nn.NLLLoss()(F.log_softmax(scores, -1), target))
loss = nn.CrossEntropyLoss(weight=torch.ones(2)); print(loss, list(loss.state_dict()), loss.ignore_index)
x, y = torch.randn(2, 3), torch.randn(2, 3); nn.MSELoss()(x, y), nn.MSELoss(reduction='sum')(x, y), nn.L1Loss()(x, y)
table = torch.tensor([[1., 2.], [3., 4.]]); e = nn.Embedding.from_pretrained(table); print(e, e.weight, e(torch.tensor([1, 0]))); nn.Embedding.from_pretrained(table, freeze=False, padding_idx=0).weight.requires_grad
nn.Embedding.from_pretrained(torch.ones(3))
w = torch.empty(3, 5); nn.init.normal_(w.clone(), 1.0, 0.5), nn.init.uniform_(w.clone(), -1, 1), nn.init.constant_(w.clone(), 0.3), nn.init.zeros_(w.clone()), nn.init.ones_(w.clone()), nn.init.eye_(w.clone())
w = torch.empty(3, 5); nn.init.xavier_uniform_(w.clone()), nn.init.xavier_normal_(w.clone(), gain=2.0), nn.init.xavier_uniform_(torch.empty(2, 3, 2))
w = torch.empty(3, 5); nn.init.kaiming_uniform_(w.clone()), nn.init.kaiming_normal_(w.clone(), mode='fan_out', nonlinearity='relu'), nn.init.kaiming_uniform_(w.clone(), a=math.sqrt(5)), nn.init.kaiming_uniform_(w.clone(), nonlinearity='tanh')
w = torch.empty(4, 5); nn.init.trunc_normal_(w.clone()), nn.init.trunc_normal_(w.clone(), mean=1.0, std=2.0, a=0.0, b=1.5), nn.init.trunc_normal_(w.clone(), std=0.02)
[nn.init.calculate_gain(n) for n in ['linear', 'conv2d', 'sigmoid', 'tanh', 'relu', 'leaky_relu', 'selu']], nn.init.calculate_gain('leaky_relu', 0.2)
layer = nn.Linear(2, 2); nn.init.xavier_uniform_(layer.weight); nn.init.zeros_(layer.bias); layer.weight, layer.bias
nn.init.xavier_uniform_(torch.empty(3))
nn.init.eye_(torch.empty(3))
nn.init.calculate_gain('foo')
nn.init.kaiming_normal_(torch.empty(2, 2), mode='fan')
