# Complex tensors, as rotary embeddings use them.
import torch

# case: rotary embedding
def precompute(dim, end, theta=10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    return torch.polar(torch.ones(end, dim // 2), torch.outer(torch.arange(end), freqs).float())
cis = precompute(4, 3)
print(cis, cis.shape, cis.dtype, cis.ndim, len(cis), cis.is_complex(), cis[1].shape)
# expect: tensor([[ 1.0000+0.0000j,  1.0000+0.0000j],
# expect:         [ 0.5403+0.8415j,  0.9999+0.0100j],
# expect:         [-0.4161+0.9093j,  0.9998+0.0200j]]) torch.Size([3, 2]) torch.complex64 2 3 True torch.Size([2])
torch.manual_seed(0)
x = torch.randn(1, 3, 2, 4)
x_ = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
out = torch.view_as_real(x_ * cis.view(1, 3, 1, 2)).flatten(3)
print(out.shape, torch.allclose(out.norm(dim=-1), x.norm(dim=-1)), out.type_as(x)[0, 2])
# expect: torch.Size([1, 3, 2, 4]) True tensor([[-1.5326,  0.3234,  2.0035,  0.0938],
# expect:         [ 0.1182,  0.7338, -0.7946, -2.3324]])

# case: parts
z = torch.complex(torch.tensor([3., 0.]), torch.tensor([4., -2.]))
print(z, z.real, z.imag, z.abs(), z.conj()[1], (z * z)[0], (z + z)[1], (2 * z).imag, -z)
# expect: tensor([3.+4.j, 0.-2.j]) tensor([3., 0.]) tensor([ 4., -2.]) tensor([5., 2.]) tensor(0.+2.j) tensor(-7.+24.j) tensor(0.-4.j) tensor([ 8., -4.]) tensor([-3.-4.j, -0.+2.j])
print(torch.view_as_real(z.unsqueeze(0)).shape, z.angle(), z.view(2, 1).transpose(0, 1).shape, z[None, :].shape, [w.abs().item() for w in z])
# expect: torch.Size([1, 2, 2]) tensor([ 0.9273, -1.5708]) torch.Size([1, 2]) torch.Size([1, 2]) [5.0, 2.0]
w = torch.ones(2, 2, requires_grad=True)
torch.view_as_real(torch.view_as_complex(w) * z).square().sum().backward()
print(w.grad)
# expect: tensor([[50., 50.],
# expect:         [ 8.,  8.]])
class Rotary(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('cis', torch.polar(torch.ones(2), torch.tensor([0., 1.])), persistent=False)
print(Rotary().cis.dtype == torch.complex64, Rotary().cis, list(Rotary().state_dict()))  # expect: True tensor([1.0000+0.0000j, 0.5403+0.8415j]) []
torch.view_as_complex(torch.ones(3))  # expect error[RuntimeError]

# case: other ops
torch.cat([torch.polar(torch.ones(1), torch.ones(1))])  # expect error[unsupported]: an op of a complex tensor
