# LSTM with attention pooling: early stopping, ReduceLROnPlateau, the best state kept and loaded again.
import copy
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader

torch.manual_seed(0)


class Toy(Dataset):
    """Is the largest of the marked numbers positive?"""
    def __init__(self, n):
        self.x = torch.randn(n, 10, 2)
        self.x[..., 1] = (torch.rand(n, 10) > 0.7).float()
        self.y = ((self.x[..., 0] * self.x[..., 1]).sum(1) > 0).float()

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class AttnPool(nn.Module):
    def __init__(self, hidden=12):
        super().__init__()
        self.lstm = nn.LSTM(2, hidden, batch_first=True)
        self.score = nn.Linear(hidden, 1)
        self.fc = nn.Sequential(nn.Dropout(0.2), nn.Linear(hidden, 1))

    def forward(self, x):
        h, (hn, cn) = self.lstm(x)
        w = torch.softmax(self.score(h).squeeze(-1), dim=1)
        return self.fc((w.unsqueeze(1) @ h).squeeze(1)).squeeze(-1), w


train_loader = DataLoader(Toy(64), batch_size=16, shuffle=True)
val_loader = DataLoader(Toy(32), batch_size=32)
model = AttnPool()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01, momentum=0.5)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode='min', factor=0.5, patience=1)

best_loss, best_state, patience = float('inf'), None, 0
for epoch in range(1, 13):
    model.train()
    running = 0.0
    for i, (xb, yb) in enumerate(train_loader):
        logits, _ = model(xb)
        loss = criterion(logits, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item()
    model.eval()
    val_loss, correct = 0.0, 0
    with torch.no_grad():
        for xb, yb in val_loader:
            logits, w = model(xb)
            val_loss += criterion(logits, yb).item() * xb.size(0)
            correct += ((torch.sigmoid(logits) > 0.5) == yb.bool()).sum().item()
    val_loss /= len(val_loader.dataset)
    scheduler.step(val_loss)
    print(f'Epoch {epoch:02d}: train {running / len(train_loader):.4f}, val {val_loss:.4f}, acc {correct / 32:.3f}, lr {optimizer.param_groups[0]["lr"]:.4f}')
    if val_loss < best_loss:
        best_loss, best_state, patience = val_loss, copy.deepcopy(model.state_dict()), 0
    else:
        patience += 1
        if patience == 4:
            print('stopped')
            break

model.load_state_dict(best_state)
model.eval()
logits, w = model(next(iter(val_loader))[0])
print(criterion(logits, next(iter(val_loader))[1]).item() - best_loss < 1e-6, w[0].sum())
saliency = torch.autograd.grad(logits.sum(), model.fc[1].weight)[0]
print(saliency.shape, model)
