"""Attention from scratch: learn to fetch the value that stands beside a given key."""
import numpy as np
import torch

np.random.seed(3)
torch.manual_seed(3)
n_keys, d = 6, 8


def sample(batch):
    keys = np.stack([np.random.permutation(n_keys) for _ in range(batch)])
    values = np.random.randn(batch, n_keys).astype(np.float32)
    which = np.random.randint(n_keys, size=batch)
    target = values[np.arange(batch), np.argmax(keys == keys[np.arange(batch), which][:, None], axis=1)]
    query = keys[np.arange(batch), which]
    return torch.from_numpy(keys), torch.from_numpy(values), torch.from_numpy(query), torch.from_numpy(target)


W_k = torch.randn(n_keys, d, requires_grad=True)
W_q = torch.randn(n_keys, d, requires_grad=True)
params = [W_k, W_q]
lr = 2.0
losses = []
for step in range(150):
    keys, values, query, target = sample(32)
    K = W_k[keys]                                  # (batch, n_keys, d)
    q = W_q[query]                                 # (batch, d)
    scores = (K @ q[:, :, None]).squeeze(-1) / np.sqrt(d)
    weights = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
    weights = weights / weights.sum(dim=1, keepdim=True)
    guess = (weights * values).sum(dim=1)
    loss = ((guess - target) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for p in params:
            p -= lr * p.grad
            p.grad.zero_()
    losses.append(loss.item())
    if step % 30 == 0:
        print(f"step {step:4d}  loss {loss:.4f}  |grad| {sum((p ** 2).sum() for p in params).sqrt():.3f}")

table = torch.softmax(W_q @ W_k.T / np.sqrt(d), dim=-1).detach().numpy()
print(np.argmax(table, axis=1), np.round(table.diagonal(), 2))
print('mean of the last ten: %.3f' % np.mean(losses[-10:]))
