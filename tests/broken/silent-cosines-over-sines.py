# Positions of sines and cosines.
import torch, math
torch.manual_seed(0)
def pe(n, d):
    p = torch.zeros(n, d)
    pos = torch.arange(n).unsqueeze(1)
    div = torch.exp(torch.arange(0, d, 2) * -(math.log(10000.0) / d))
    p[:, 0::2] = torch.sin(pos * div)
    p[:, 0::2] = torch.cos(pos * div)
    return p
x = torch.randn(2, 5, 8)
x = x + pe(5, 8)
q = k = v = x
w = torch.softmax(q @ k.transpose(-2, -1) / 8 ** .5, -1)
print((w @ v).shape)
# right 9:     p[:, 1::2] = torch.cos(pos * div)
