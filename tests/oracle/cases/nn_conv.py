nn.Conv2d(3, 4, 2), nn.Conv2d(3, 4, (2, 3), padding='same', bias=False), nn.Conv1d(3, 6, 3, stride=2, padding=1, dilation=2, groups=3)
layer = nn.Conv2d(2, 3, 2); layer.weight, layer.bias
layer = nn.Conv1d(4, 2, 3, groups=2); layer.weight, layer.bias
nn.Conv2d(2, 3, 2)(torch.randn(2, 2, 4, 5))
nn.Conv2d(3, 8, kernel_size=4, stride=4)(torch.randn(1, 3, 8, 8))
nn.Conv2d(2, 3, 3, stride=(2, 1), padding=(1, 2), dilation=(1, 2))(torch.randn(2, 2, 6, 7))
nn.Conv2d(4, 6, 2, groups=2)(torch.randn(2, 4, 3, 3))
nn.Conv2d(4, 4, 3, padding=1, groups=4, bias=False)(torch.randn(1, 4, 3, 3))
nn.Conv2d(2, 3, (2, 3), padding='same')(torch.randn(1, 2, 4, 4))
nn.Conv2d(2, 3, 2)(torch.randn(2, 3, 3))
nn.Conv1d(2, 3, 3, padding=1)(torch.randn(2, 2, 5))
nn.Conv1d(2, 3, 2, padding='same')(torch.randn(2, 5))
nn.Conv1d(2, 4, 2, stride=2, dilation=2, groups=2, bias=False)(torch.randn(1, 2, 8))
F.conv1d(torch.arange(6.).view(1, 1, 6), torch.tensor([[[1., -1.]]])), F.conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2), torch.tensor([1.]))
F.unfold(torch.arange(16.).view(1, 1, 4, 4), 2, stride=2), F.unfold(torch.randn(1, 2, 3, 3), (2, 1), padding=1, dilation=2)
F.unfold(torch.arange(9.).view(1, 3, 3), 2)

# patches of an image, and the linear map that a convolution is
conv = nn.Conv2d(1, 4, 2, stride=2)
x = torch.randn(2, 1, 4, 4)
patches = conv(x).flatten(2).transpose(1, 2)
linear = F.unfold(x, 2, stride=2).transpose(1, 2) @ conv.weight.view(4, -1).T + conv.bias
print(patches.shape, torch.allclose(patches, linear, atol=1e-6))
patches

nn.Conv2d(3, 4, 2)(torch.zeros(1, 2, 4, 4))
nn.Conv2d(3, 4, 5)(torch.zeros(1, 3, 4, 4))
nn.Conv2d(3, 4, 2)(torch.zeros(3, 4))
nn.Conv1d(3, 4, 5)(torch.zeros(1, 3, 4))
nn.Conv1d(3, 4, 2)(torch.zeros(1, 2, 3, 4))
nn.Conv2d(3, 4, 2, groups=2)
nn.Conv2d(4, 3, 2, groups=2)
nn.Conv2d(4, 4, 2, padding='same', stride=2)
nn.Conv2d(3, 4, 2)(torch.zeros(1, 3, 4, 4, dtype=torch.int64))
nn.Conv2d(3, 4)
norm = nn.BatchNorm1d(3); print(norm, list(norm.state_dict())); x = torch.randn(4, 3); y = norm(x); print(y, norm.running_mean, norm.running_var, norm.num_batches_tracked); norm.eval()(x)
norm = nn.BatchNorm2d(2, momentum=0.5, eps=1e-3); x = torch.randn(2, 2, 3, 3); norm(x); norm(x + 1); print(norm.running_mean, norm.running_var); norm.eval()(x)
norm = nn.BatchNorm1d(2, affine=False, track_running_stats=False); print(norm, list(norm.state_dict())); norm.eval()(torch.randn(3, 2, 4))
norm = nn.BatchNorm1d(2, momentum=None); norm(torch.randn(3, 2)); norm(torch.randn(3, 2)); norm.running_mean, norm.running_var
nn.BatchNorm1d(3)(torch.zeros(2, 4))
nn.BatchNorm1d(3)(torch.zeros(1, 3))
nn.BatchNorm1d(3)(torch.zeros(2, 3, 4, 5))
nn.BatchNorm2d(3)(torch.zeros(2, 3))

F.interpolate(torch.randn(2, 3, 5, 4), size=(7, 9), mode='bilinear')
F.interpolate(torch.randn(1, 2, 5, 4), size=(7, 9), mode='bilinear', align_corners=True)
F.interpolate(torch.randn(1, 2, 6, 8), scale_factor=0.5, mode='bilinear', align_corners=False)
F.interpolate(torch.randn(1, 2, 5, 4), scale_factor=(1.5, 0.7), mode='bicubic')
F.interpolate(torch.randn(1, 2, 14, 14), size=(7, 7), mode='bicubic', align_corners=True)
F.interpolate(torch.randn(1, 2, 5), size=8, mode='linear')
F.interpolate(torch.randn(1, 1, 2, 3, 2), scale_factor=2, mode='trilinear')
F.interpolate(torch.randn(1, 2, 5, 4), size=(3, 2), mode='area')
F.interpolate(torch.arange(6.).view(1, 1, 6), scale_factor=1.7, mode='nearest-exact')
F.interpolate(torch.randn(1, 2, 3, 3).double(), size=4, mode='bilinear')
F.interpolate(torch.randn(1, 2, 5), size=8, mode='bilinear')
F.interpolate(torch.randn(1, 2, 5, 4), size=8, mode='area', align_corners=True)
nn.Upsample(scale_factor=2, mode='bilinear', align_corners=True)(torch.arange(4.).view(1, 1, 2, 2))
nn.Upsample(size=(3, 5), mode='bicubic')(torch.arange(4.).view(1, 1, 2, 2))

F.interpolate(torch.randn(1, 1, 2, 2, requires_grad=True), size=3, mode='bilinear')
F.interpolate(torch.randn(1, 1, 2, 2, requires_grad=True), size=3, mode='bicubic')

# the gradient of a mixture goes to its parts
x = torch.randn(1, 2, 4, 3, requires_grad=True)
y = F.interpolate(x, size=(5, 7), mode='bilinear', align_corners=True)
z = F.interpolate(x, scale_factor=2, mode='bicubic')
(y.square().sum() + z.square().sum()).backward()
x.grad
