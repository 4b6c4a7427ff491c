import torch, torch.nn as nn, torch.nn.functional as F
class BahdanauAttention(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.Wa = nn.Linear(hidden_size, hidden_size)
        self.Ua = nn.Linear(hidden_size, hidden_size)
        self.Va = nn.Linear(hidden_size, 1)
    def forward(self, query, keys):
        scores = self.Va(torch.tanh(self.Wa(query) + self.Ua(keys)))
        scores = scores.squeeze(2).unsqueeze(1)
        weights = F.softmax(scores, dim=-1)
        return torch.bmm(weights, keys), weights
class Decoder(nn.Module):
    def __init__(self, hidden, vocab):
        super().__init__()
        self.embedding = nn.Embedding(vocab, hidden)
        self.attention = BahdanauAttention(hidden)
        self.gru = nn.GRU(2 * hidden, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)
    def forward(self, enc, h, tgt):
        outs = []
        for t in range(tgt.size(1)):
            e = self.embedding(tgt[:, t:t + 1])
            c, w = self.attention(h.permute(1, 0, 2), enc)
            o, h = self.gru(torch.cat((e, c), dim=2), h)
            outs.append(self.out(o))
        return torch.cat(outs, dim=1)
torch.manual_seed(0)
enc_e, enc = nn.Embedding(10, 8), nn.GRU(8, 8, batch_first=True)
dec = Decoder(8, 10)
src, tgt = torch.randint(2, 10, (3, 5)), torch.randint(2, 10, (3, 4))
params = list(enc_e.parameters()) + list(enc.parameters()) + list(dec.parameters())
opt = torch.optim.Adam(params, lr=0.01)
for i in range(2):
    o, h = enc(enc_e(src))
    dec_in = torch.cat([torch.zeros(3, 1).long(), tgt[:, :-1]], 1)
    logits = dec(o, h, dec_in)
    loss = nn.NLLLoss()(F.log_softmax(logits, -1).view(-1, 10), tgt.view(-1))
    opt.zero_grad(); loss.backward(); opt.step()
print(loss)
