import numpy as np
rng = np.random.RandomState(0)
q, k, v = rng.randn(4, 8), rng.randn(4, 8), rng.randn(4, 8)
s = q @ k.T / np.sqrt(8)
w = np.exp(s) / np.sum(np.exp(s), axis=-1)
out = w @ v
print(out.shape)
# right 5: w = np.exp(s) / np.sum(np.exp(s), axis=-1, keepdims=True)
