torch.manual_seed(0)
m = nn.Sequential(nn.Embedding(10, 4), nn.LayerNorm(4), nn.Dropout(0.5), nn.GRU(4, 3, batch_first=True))
m[0](torch.tensor([[1, 2]])), nn.MultiheadAttention(4, 2, batch_first=True)
