import numpy as np

rng = np.random.RandomState(0)
q, k, v = rng.randn(3, 4), rng.randn(3, 4), rng.randn(3, 2)


def softmax(x):
    e_x = np.exp(x - np.max(x))
    return e_x / e_x.sum(axis=0)


weights = softmax(q @ k.T / np.sqrt(4))
print(weights @ v)
# right 9:     return e_x / e_x.sum(axis=-1, keepdims=True)
