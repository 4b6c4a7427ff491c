import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(3)
VOCAB, HID, SRC, TRG, BATCH = 11, 12, 6, 6, 4


class Attention(nn.Module):
    def __init__(self, hid):
        super().__init__()
        self.attn = nn.Linear(hid * 2, hid)
        self.v = nn.Linear(hid, 1, bias=False)

    def forward(self, hidden, encoder_outputs):
        src_len = encoder_outputs.shape[1]
        hidden = hidden.unsqueeze(1).repeat(1, src_len, 1)
        energy = torch.tanh(self.attn(torch.cat((hidden, encoder_outputs), dim=2)))
        return F.softmax(self.v(energy).squeeze(2), dim=1)


class Decoder(nn.Module):
    def __init__(self, vocab, hid, attention):
        super().__init__()
        self.embedding = nn.Embedding(vocab, hid)
        self.rnn = nn.GRUCell(hid * 2, hid)
        self.out = nn.Linear(hid, vocab)
        self.attention = attention

    def forward(self, token, hidden, encoder_outputs):
        a = self.attention(hidden, encoder_outputs)
        context = torch.bmm(a.unsqueeze(1), encoder_outputs).squeeze(1)
        hidden = self.rnn(torch.cat((self.embedding(token), context), dim=1), hidden)
        return self.out(hidden), hidden


class Seq2Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.src_emb = nn.Embedding(VOCAB, HID)
        self.encoder = nn.GRU(HID, HID, batch_first=True)
        self.decoder = Decoder(VOCAB, HID, Attention(HID))

    def forward(self, src, trg):
        encoder_outputs, hidden = self.encoder(self.src_emb(src))
        hidden = hidden.squeeze(0)
        outputs = []
        for t in range(trg.shape[1] - 1):
            output, hidden = self.decoder(trg[:, t], hidden, encoder_outputs)
            outputs.append(output)
        return torch.stack(outputs)


model = Seq2Seq()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
src = torch.randint(1, VOCAB, (BATCH, SRC))
trg = torch.randint(1, VOCAB, (BATCH, TRG))
for epoch in range(1):
    optimizer.zero_grad()
    output = model(src, trg)
    loss = F.cross_entropy(output.reshape(-1, VOCAB), trg[:, 1:].reshape(-1))
    loss.backward()
    optimizer.step()
print(loss.item())
# right 61:     loss = F.cross_entropy(output.transpose(0, 1).reshape(-1, VOCAB), trg[:, 1:].reshape(-1))
