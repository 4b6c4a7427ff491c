# Encoder-decoder with GRUs and Bahdanau attention, teacher forcing, packed sequences.
import random
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence, pack_padded_sequence, pad_packed_sequence

SEED = 7
random.seed(SEED); np.random.seed(SEED); torch.manual_seed(SEED)
PAD, SOS, EOS = 0, 1, 2
device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')


def make_pair():
    n = random.randint(3, 6)
    xs = [random.randint(3, 12) for _ in range(n)]
    return torch.tensor(xs + [EOS]), torch.tensor(xs[::-1] + [EOS])


def collate(batch):
    batch = sorted(batch, key=lambda p: len(p[0]), reverse=True)
    src, trg = zip(*batch)
    lens = torch.tensor([len(s) for s in src])
    return pad_sequence(src, batch_first=True, padding_value=PAD), lens, pad_sequence(trg, batch_first=True, padding_value=PAD)


class Encoder(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=PAD)
        self.rnn = nn.GRU(emb, hid, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(2 * hid, hid)

    def forward(self, x, lens):
        packed = pack_padded_sequence(self.emb(x), lens, batch_first=True)
        out, h = self.rnn(packed)
        out, _ = pad_packed_sequence(out, batch_first=True)
        h = torch.tanh(self.fc(torch.cat((h[-2], h[-1]), dim=1)))
        return out, h


class BahdanauAttention(nn.Module):
    def __init__(self, hid):
        super().__init__()
        self.attn = nn.Linear(3 * hid, hid)
        self.v = nn.Linear(hid, 1, bias=False)

    def forward(self, h, enc, mask):
        h = h.unsqueeze(1).repeat(1, enc.size(1), 1)
        energy = torch.tanh(self.attn(torch.cat((h, enc), dim=2)))
        scores = self.v(energy).squeeze(2)
        return F.softmax(scores.masked_fill(mask == 0, -1e10), dim=1)


class Decoder(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.attention = BahdanauAttention(hid)
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.GRU(emb + 2 * hid, hid, batch_first=True)
        self.out = nn.Linear(emb + 3 * hid, vocab)

    def forward(self, tok, h, enc, mask):
        e = self.emb(tok.unsqueeze(1))
        a = self.attention(h, enc, mask).unsqueeze(1)
        c = torch.bmm(a, enc)
        o, h = self.rnn(torch.cat((e, c), dim=2), h.unsqueeze(0))
        return self.out(torch.cat((o, c, e), dim=2).squeeze(1)), h.squeeze(0), a.squeeze(1)


enc, dec = Encoder(13, 8, 12).to(device), Decoder(13, 8, 12).to(device)
params = list(enc.parameters()) + list(dec.parameters())
opt = torch.optim.Adam(params, lr=5e-3)
loss_fn = nn.CrossEntropyLoss(ignore_index=PAD)
history = []
for step in range(25):
    src, lens, trg = collate([make_pair() for _ in range(8)])
    opt.zero_grad()
    out, h = enc(src, lens)
    mask = src != PAD
    tok = torch.full((src.size(0),), SOS)
    outputs = []
    for t in range(trg.size(1)):
        logits, h, a = dec(tok, h, out, mask)
        outputs.append(logits)
        tok = trg[:, t] if random.random() < 0.5 else logits.argmax(1)
    logits = torch.stack(outputs, dim=1)
    loss = loss_fn(logits.reshape(-1, 13), trg.reshape(-1))
    loss.backward()
    norm = nn.utils.clip_grad_norm_(params, 1)
    opt.step()
    history.append(loss.item())
    if (step + 1) % 5 == 0:
        print(f'{step + 1:3d} {np.mean(history[-5:]):.4f} {norm.item():.4f}')
print(a.shape, [round(s, 3) for s in a.sum(1).tolist()], np.round(np.array(history[:3]), 3))
