import numpy as np

def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum(axis=-1)

rng = np.random.RandomState(0)
x = rng.randn(3, 4)
Wq, Wk, Wv = rng.randn(4, 4), rng.randn(4, 4), rng.randn(4, 4)
Q, K, V = x @ Wq, x @ Wk, x @ Wv
weights = softmax(Q @ K.T / np.sqrt(4))
print(np.round(weights @ V, 3))
# right 5:     return e / e.sum(axis=-1, keepdims=True)
