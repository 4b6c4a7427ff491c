nn.LSTM(2, 3), nn.LSTM(2, 3, 2, batch_first=True, bidirectional=True), nn.RNN(2, 3, nonlinearity='relu'), nn.GRUCell(2, 3), nn.LSTMCell(2, 3, bias=False), nn.RNNCell(2, 3, nonlinearity='relu')
out, (h, c) = nn.LSTM(2, 3)(torch.randn(4, 2, 2)); print(out, h, c)
out, (h, c) = nn.LSTM(2, 3, num_layers=2, batch_first=True, bidirectional=True)(torch.randn(2, 4, 2)); print(out, h, c)
out, (h, c) = nn.LSTM(2, 3, bias=False)(torch.randn(4, 2), (torch.ones(1, 3), torch.ones(1, 3))); print(out, h, c)
out, h = nn.RNN(2, 3)(torch.randn(4, 2, 2)); print(out, h)
out, h = nn.RNN(2, 3, nonlinearity='relu', batch_first=True)(torch.randn(2, 4, 2)); print(out, h)
out, h = nn.RNN(2, 3, num_layers=2, bidirectional=True)(torch.randn(4, 2)); print(out, h)
out, h = nn.GRU(2, 3, batch_first=True)(torch.randn(2, 4, 2), torch.ones(1, 2, 3)); print(out, h)
out, h = nn.GRU(2, 3)(torch.randn(4, 2)); print(out, h)
layer = nn.LSTM(2, 3, 2); [(n, tuple(p.shape)) for n, p in layer.named_parameters()]
nn.GRUCell(2, 3)(torch.randn(4, 2))
nn.GRUCell(2, 3, bias=False)(torch.randn(2), torch.ones(3))
h, c = nn.LSTMCell(2, 3)(torch.randn(4, 2)); print(h, c)
h, c = nn.LSTMCell(2, 3)(torch.randn(4, 2), (torch.ones(4, 3), torch.zeros(4, 3))); print(h, c)
h, c = nn.LSTMCell(2, 3)(torch.randn(2)); print(h, c)
nn.RNNCell(2, 3)(torch.randn(4, 2)), nn.RNNCell(2, 3, nonlinearity='relu')(torch.randn(4, 2), torch.ones(4, 3))
[(n, p) for n, p in nn.LSTMCell(1, 1).named_parameters()]

# a decoder, step by step
class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(5, 2)
        self.cell = nn.GRUCell(2, 3)
        self.out = nn.Linear(3, 5)
    def forward(self, h, steps):
        token, tokens = torch.zeros(1, dtype=torch.long), []
        for _ in range(steps):
            h = self.cell(self.embed(token), h)
            token = self.out(h).argmax(-1)
            tokens.append(token.item())
        return tokens, h
Decoder()(torch.zeros(1, 3), 4)

nn.LSTM(2, 3)(torch.zeros(4, 1, 2), torch.zeros(1, 2, 3))
nn.LSTM(2, 3)(torch.zeros(4, 1, 2), (torch.zeros(1, 2, 3), torch.zeros(1, 1, 3)))
nn.LSTM(2, 3)(torch.zeros(4, 1, 2), (torch.zeros(1, 3), torch.zeros(1, 3)))
nn.LSTM(2, 3)(torch.zeros(4, 2), (torch.zeros(1, 1, 3), torch.zeros(1, 1, 3)))
nn.LSTM(2, 3)(torch.zeros(4, 1, 3))
nn.RNN(2, 3, nonlinearity='x')
nn.RNN(2)
nn.LSTMCell(2, 3)(torch.zeros(4, 3))
nn.LSTMCell(2, 3)(torch.zeros(4, 2), (torch.zeros(3, 3), torch.zeros(4, 3)))
nn.LSTMCell(2, 3)(torch.zeros(1, 4, 2))
nn.GRUCell(2, 3)(torch.zeros(4, 2), torch.zeros(4, 2))
nn.LSTM(4, 5, 2, dropout=0.4)(torch.randn(3, 2, 4))[0]
