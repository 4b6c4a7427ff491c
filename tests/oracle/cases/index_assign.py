x = torch.zeros(2, 3); x[0, 1] = 5; print(x)
x = torch.zeros(2, 3); x[1] = torch.tensor([1.0, 2.0, 3.0]); print(x)
x = torch.zeros(2, 3); x[:, -1] = 7; print(x)
x = torch.zeros(3, 4); x[::2, 1:3] = torch.tensor([[1.0], [2.0]]); print(x)
x = torch.arange(6).view(2, 3); x[x > 2] = -1; print(x)
x = torch.zeros(5); x[torch.tensor([0, 3])] = torch.tensor([1.0, 2.0]); print(x)
x = torch.zeros(4); x[[1, 1]] = torch.tensor([5.0, 6.0]); print(x[0], x[2])
x = torch.zeros(2, 2); x[...] = 3; print(x)
x = torch.zeros(2, 3); x[:, None, 0] = 4; print(x)
x = torch.arange(3); x[0] = 2.9; print(x)
x = torch.zeros(3); x[1] += 2; x[1:] *= 3; print(x)
x = torch.arange(6).view(2, 3); x.t()[0] = 9; print(x)
x = torch.arange(4); y = x[1:3]; y[:] = 0; print(x)
x = torch.arange(4); y = x[[1, 2]]; y[:] = 0; print(x)
x = torch.zeros(2, 3); x[0], x[1] = 1, 2; print(x)
x = torch.zeros(2, 2); x[torch.eye(2) == 1] = torch.tensor([5.0, 6.0]); print(x)
x = torch.zeros(2, 3); x[:, [0, 2]] = torch.tensor([[1.0, 2.0], [3.0, 4.0]]); print(x)
x = torch.zeros(2); x[0] = float("nan"); x[1] = float("-inf"); print(x)
x = torch.zeros(3); x[3] = 1
x = torch.zeros(2, 3); x[0] = torch.ones(2)
x = torch.zeros(3); x[:] = torch.ones(2, 3)
x = torch.zeros(3); x[x == 0] = torch.ones(2)
x = torch.arange(2); x[0] = "a"
x = torch.ones(2, requires_grad=True); x[0] = 3

# whole numbers of numpy's
import numpy as np
t = torch.zeros(2, 2)
t[0] = np.int32(2)
t[:, 1] = np.uint8(7)
print(t)
t[0] = np.float32(2.5)
