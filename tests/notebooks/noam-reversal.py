# Reversal: an encoder that has to say its input backwards, trained with the Noam schedule and label smoothing.
import math, random
import torch
import torch.nn as nn
import torch.optim as optim

torch.manual_seed(1234)
random.seed(1234)

D_MODEL, N_HEAD, VOCAB, LEN, WARMUP = 16, 2, 11, 8, 20


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=50):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer('pe', pe.unsqueeze(0))

    def forward(self, x):
        return self.dropout(x + self.pe[:, :x.size(1)])


class Reverser(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, D_MODEL)
        self.positions = PositionalEncoding(D_MODEL)
        layer = nn.TransformerEncoderLayer(D_MODEL, N_HEAD, dim_feedforward=32, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2)
        self.out = nn.Linear(D_MODEL, VOCAB)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def forward(self, src):
        x = self.positions(self.embedding(src) * math.sqrt(D_MODEL))
        return self.out(self.encoder(x))


def noam(step):
    step = max(step, 1)
    return D_MODEL ** -0.5 * min(step ** -0.5, step * WARMUP ** -1.5)


model = Reverser()
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
optimizer = optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
scheduler = optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=noam)

model.train()
for step in range(1, 41):
    src = torch.tensor([[random.randint(1, VOCAB - 1) for _ in range(LEN)] for _ in range(16)])
    trg = src.flip(1)
    logits = model(src)
    loss = criterion(logits.view(-1, VOCAB), trg.reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    optimizer.step()
    scheduler.step()
    if step % 10 == 0:
        acc = (logits.argmax(-1) == trg).float().mean()
        print('step %d, loss %.4f, acc %.3f, lr %.5f' % (step, loss.item(), acc, optimizer.param_groups[0]['lr']))

print({name: tuple(p.grad.shape) for name, p in model.named_parameters() if 'self_attn' in name})
