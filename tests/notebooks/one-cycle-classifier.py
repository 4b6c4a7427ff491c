import torch, copy
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import TensorDataset, DataLoader, random_split
torch.manual_seed(0)
class SelfAttention(nn.Module):
    def __init__(self, d, h, p=0.1):
        super().__init__()
        self.h, self.dk = h, d // h
        self.qkv = nn.Linear(d, 3 * d, bias=False)
        self.out = nn.Linear(d, d)
        self.drop = nn.Dropout(p)
        self.register_buffer('scale', torch.tensor(self.dk ** -0.5))
    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = [t.view(B, T, self.h, self.dk).transpose(1, 2) for t in (q, k, v)]
        s = torch.einsum('bhqd,bhkd->bhqk', q, k) * self.scale
        if mask is not None: s = s.masked_fill(~mask[:, None, None, :], float('-inf'))
        a = self.drop(s.softmax(-1))
        return self.out(torch.einsum('bhqk,bhkd->bhqd', a, v).transpose(1, 2).reshape(B, T, D))
class Net(nn.Module):
    def __init__(self, V=20, d=16, L=2):
        super().__init__()
        self.emb = nn.Embedding(V, d, padding_idx=0)
        self.pos = nn.Parameter(torch.zeros(1, 12, d))
        nn.init.trunc_normal_(self.pos, std=0.02)
        self.layers = nn.ModuleList([nn.ModuleDict({'n1': nn.LayerNorm(d), 'att': SelfAttention(d, 4), 'n2': nn.LayerNorm(d), 'ff': nn.Sequential(nn.Linear(d, 32), nn.GELU(), nn.Linear(32, d))}) for _ in range(L)])
        self.head = nn.Linear(d, 2)
        self.apply(self._init)
    def _init(self, m):
        if isinstance(m, nn.Linear):
            nn.init.xavier_uniform_(m.weight)
            if m.bias is not None: nn.init.zeros_(m.bias)
    def forward(self, ids):
        mask = ids != 0
        x = self.emb(ids) + self.pos[:, :ids.size(1)]
        for l in self.layers:
            x = x + l['att'](l['n1'](x), mask)
            x = x + l['ff'](l['n2'](x))
        x = (x * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
        return self.head(x)
X = torch.randint(1, 20, (120, 12)); lens = torch.randint(4, 13, (120,))
X[torch.arange(12)[None] >= lens[:, None]] = 0
y = (X == 7).any(1).long()
train, val = random_split(TensorDataset(X, y), [100, 20], generator=torch.Generator().manual_seed(1))
dl = DataLoader(train, batch_size=20, shuffle=True)
net = Net()
decay = [p for n, p in net.named_parameters() if p.dim() > 1]
no = [p for n, p in net.named_parameters() if p.dim() <= 1]
opt = torch.optim.AdamW([{'params': decay, 'weight_decay': 0.01}, {'params': no, 'weight_decay': 0.0}], lr=3e-3)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=1e-2, epochs=6, steps_per_epoch=len(dl))
best, best_state, bad = float('inf'), None, 0
for epoch in range(6):
    net.train(); tot = 0.
    for xb, yb in dl:
        opt.zero_grad(set_to_none=True)
        loss = F.cross_entropy(net(xb), yb, label_smoothing=0.1)
        loss.backward()
        gn = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step(); sched.step()
        tot += loss.item() * len(xb)
    net.eval()
    with torch.no_grad():
        xv, yv = zip(*[val[i] for i in range(len(val))])
        lo = net(torch.stack(xv)); vl = F.cross_entropy(lo, torch.stack(yv)).item()
        acc = (lo.argmax(-1) == torch.stack(yv)).float().mean().item()
    print(f"epoch {epoch:2d} | train {tot/len(train):.4f} | val {vl:.4f} | acc {acc:.2%} | lr {sched.get_last_lr()[0]:.2e} | gn {gn:.3f}")
    if vl < best: best, best_state, bad = vl, copy.deepcopy(net.state_dict()), 0
    else:
        bad += 1
        if bad >= 3: print('early stop'); break
net.load_state_dict(best_state)
print(sum(p.numel() for p in net.parameters()), sorted(best_state)[:3])
