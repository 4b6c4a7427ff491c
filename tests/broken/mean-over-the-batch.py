import torch, torch.nn as nn
torch.manual_seed(0)
vocab = {'<pad>': 0, 'good': 1, 'bad': 2, 'movie': 3, 'a': 4, 'not': 5}
def encode(s, n=5):
    ids = [vocab[w] for w in s.split()]
    return ids + [0] * (n - len(ids))
texts = ['a good movie', 'a bad movie', 'not a good movie', 'not bad']
labels = torch.tensor([1, 0, 0, 1])
X = torch.tensor([encode(t) for t in texts])

class Classifier(nn.Module):
    def __init__(self, vocab_size, dim=8, n_class=2):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, dim, padding_idx=0)
        self.attn = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.fc = nn.Linear(dim, n_class)
    def forward(self, ids):
        h = self.emb(ids)
        h, w = self.attn(h, h, h, key_padding_mask=(ids == 0))
        return self.fc(h.mean(dim=0))

model = Classifier(len(vocab))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(5):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(model(X), labels)
    loss.backward()
    opt.step()
    print(epoch, loss.item())
# right 20:         return self.fc(h.mean(dim=1))
