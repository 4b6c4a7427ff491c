import numpy as np

np.random.seed(42)

def softmax(x):
    x = x - np.max(x, axis=-1, keepdims=True)
    return np.exp(x) / np.sum(np.exp(x), axis=-1, keepdims=True)

# 4 words, embedding of size 6
embeddings = np.random.randn(4, 6)
W_Q = np.random.randn(6, 3)
W_K = np.random.randn(6, 3)
W_V = np.random.randn(6, 3)

Q = embeddings @ W_Q
K = embeddings @ W_K
V = embeddings @ W_V

d_k = K.shape[0]
scores = Q @ K.T / np.sqrt(d_k)
weights = softmax(scores)
output = weights @ V
print(weights.round(2))
print(output.shape)
# right 19: d_k = K.shape[1]
