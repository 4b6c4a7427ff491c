# Each row that has a rule in src/lib/backward.py, its gradients by PyTorch: of operands as they are drawn, as doubles,
# as turned views, as rows that are one row, and without elements. A line says what is left of them as two sums.
POSITIVE = lambda x: x.abs() + 0.5
INSIDE = lambda x: (x.tanh() + 1) / 2 * 0.98 + 0.01
SAME = lambda x: x
kinds = {
    "plain": SAME,
    "double": lambda x: x.double(),
    "turned": lambda x: x.permute(tuple(range(x.dim()))[::-1]).contiguous().permute(tuple(range(x.dim()))[::-1]),
    "one row": lambda x: x[:1].expand_as(x) if x.dim() else x,
    "empty": lambda x: x[:, :0] if x.dim() > 1 else x,
}
def row(names, f, *shapes, of=SAME, kinds=kinds):
    for kind, change in kinds.items():
        torch.manual_seed(len(names))
        drawn = [change(of(torch.randn(shape))) for shape in shapes]
        leaves = [x.detach().clone().requires_grad_() if kind not in ("turned", "one row") else x.detach().requires_grad_() for x in drawn]
        try:
            results = f(*leaves)
            results = [r for r in (results if isinstance(results, (tuple, list)) else [results]) if r.requires_grad]
            loss = sum((r * torch.arange(1., r.numel() + 1, dtype=r.dtype).reshape(r.shape).sin()).sum() for r in results)
            loss.backward()
        except (RuntimeError, IndexError) as error:
            print(names, kind, type(error).__name__)
            continue
        grads = [x.grad for x in leaves]
        print(names, kind, *[None if g is None else (list(g.shape), str(g.dtype)[6:], round(g.double().sum().item(), 3) + 0, round(g.double().abs().sum().item(), 3)) for g in grads])
A, B, ROW, ONE = (3, 5), (3, 5), (5,), (3, 1)
index = torch.tensor([[2, 0, 1, 1, 0], [0, 0, 2, 1, 2]])
picks = torch.tensor([2, 0, 2])
mask = torch.tensor([True, False, True, True, False])
for name in "view_as reshape_as".split(): row(name, lambda a, name=name: getattr(a, name)(a), A)
for name in "exp exp2 expm1 sin cos tan tanh sinh cosh atan sigmoid erf square neg abs floor ceil trunc round sign sgn frac nan_to_num deg2rad rad2deg contiguous clone ravel flatten squeeze float double T mT t msort sum mean prod var std amax amin max min median norm logsumexp_ relu selu cumsum_".split():
    f = {"logsumexp_": lambda a: a.logsumexp(1), "cumsum_": lambda a: a.cumsum(1)}.get(name) or (lambda a, name=name: getattr(a, name)() if name not in ("T", "mT") else getattr(a, name)) if name != "selu" else F.selu
    row(name, f, A)
for name in "log log2 log10 log1p sqrt rsqrt reciprocal".split(): row(name, lambda a, name=name: getattr(a, name)(), A, of=POSITIVE)
for name in "asin acos logit erfinv".split(): row(name, lambda a, name=name: getattr(a, name)(), A, of=INSIDE)
for name in "logsigmoid softplus leaky_relu elu celu silu mish gelu hardtanh relu6 hardswish hardsigmoid hardshrink softshrink".split(): row(name, getattr(F, name), A)
row("threshold", lambda a: F.threshold(a, 0.1, 2.0), A)
row("gelu tanh", lambda a: F.gelu(a, approximate="tanh"), A)
for name in "add sub mul div true_divide maximum minimum fmax fmin atan2 logaddexp remainder fmod pow".split():
    for other in (B, ROW, ONE): row(name, lambda a, b, name=name: getattr(torch, name)(a, b), A, other, of=POSITIVE)
row("scalars", lambda a: (2 - a / 3, 2 / a, a ** 2, 3 ** a, torch.add(a, a, alpha=2), torch.sub(a, a, alpha=3)), A, of=POSITIVE)
row("clamp", lambda a: (a.clamp(-0.5, 0.5), a.clamp_min(0), a.clamp_max(0.3)), A)
row("where, masked_fill", lambda a, b: (torch.where(a > 0, a, b), a.masked_fill(a > 0.5, 2.)), A, ROW)
row("masked_fill of a tensor", lambda a, v: a.masked_fill(a > 0.5, v), A, ())
row("tril, triu", lambda a: (a.tril(), a.triu(1), torch.tril(a, -1)), A)
row("addcmul, addcdiv", lambda a, b, c: (torch.addcmul(a, b, c, value=0.5), torch.addcdiv(a, b, c, value=2)), A, ROW, ONE, of=POSITIVE)
row("lerp", lambda a, b, w: (torch.lerp(a, b, w), torch.lerp(a, b, 0.3)), A, B, B)
for name in "sum mean var std amax amin prod logsumexp norm".split():
    for dim in (0, -1): row(f"{name} {dim}", lambda a, name=name, dim=dim: (getattr(a, name)(dim=dim) if name != "logsumexp" else a.logsumexp(dim), getattr(a, name)(dim=dim, keepdim=True)), A)
row("var, std", lambda a: (*torch.var_mean(a, dim=1), *torch.std_mean(a, dim=0, unbiased=False), a.var(dim=(0, 1)), a.std(1, unbiased=False)), A)
row("norms", lambda a: (a.norm(p=1, dim=1), a.norm(p=3), a.norm(p=1.5, dim=0), a.norm(p=math.inf, dim=1), torch.linalg.norm(a), torch.linalg.vector_norm(a, dim=0), F.normalize(a, dim=1)), A)
for name in "max min median sort topk_ kthvalue_".split():
    row(name, lambda a, name=name: {"topk_": lambda: a.topk(2, dim=1)[0], "kthvalue_": lambda: a.kthvalue(2, dim=1)[0]}.get(name, lambda: getattr(a, name)(dim=1)[0])(), A)
row("max of two", lambda a, b: (torch.max(a, b), torch.min(a, b)), A, ROW)
row("softmax", lambda a: (a.softmax(-1), a.softmax(0), a.log_softmax(-1), F.softmin(a, dim=1)), A)
row("cumulated", lambda a: (a.cumsum(0), a.cumprod(1)), A, of=POSITIVE)
row("trace, diagonal", lambda a: (a.trace(), a.diagonal(), torch.diag(a)), (4, 5))
row("views", lambda a: (a.view(5, 3), a.reshape(-1), a.unflatten(1, (5, 1)), a.transpose(0, 1), a.permute(1, 0), a.unsqueeze(1), a.unsqueeze(0).squeeze(0), a.movedim(0, 1)), A, kinds={k: v for k, v in kinds.items() if k in ("plain", "double")})
row("expanded", lambda a: (a.expand(2, 3, 5), a.expand_as(torch.ones(4, 3, 5)), a.broadcast_to(2, 3, 5), a.repeat(2, 2), a.repeat_interleave(2, 0), a.tile(2)), A)
row("parts", lambda a: (a[1], a[:, ::2], a[..., -1], a[[2, 0, 2]], a[:, mask], a[None], a.select(1, 2), a.narrow(1, 1, 3), *a.chunk(2, 1), *a.split(2), a.split(2, 1)[1], a.split([1, 4], -1)[0], *a.unbind(1)), A, kinds={k: v for k, v in kinds.items() if k != "empty"})
row("chosen", lambda a: (a.gather(0, index), a.index_select(0, picks), a.take(index), a[a > 0], torch.take_along_dim(a, index, 0)), A, kinds={k: v for k, v in kinds.items() if k != "empty"})
row("written", lambda a, b: (a.scatter(0, index, b), a.scatter_add(0, index, b), a.index_add(0, picks, b), a.index_copy(0, torch.tensor([2, 0, 1]), b), a.index_fill(0, picks, 0.5)), A, B, kinds={k: v for k, v in kinds.items() if k != "empty"})
row("joined", lambda a, b: (torch.cat([a, b, a]), torch.cat([a, b], -1), torch.stack([a, b], 1), torch.hstack([a, b]), torch.vstack([a, b])), A, B)
for mode in "reflect replicate circular".split(): row("pad " + mode, lambda a, mode=mode: F.pad(a.unsqueeze(0).unsqueeze(0), (1, 2, 1, 0), mode), A, kinds={k: v for k, v in kinds.items() if k in ("plain", "double", "turned")})
row("arranged", lambda a: (a.flip(1), a.roll(2, 1), F.pad(a, (1, 2)), F.pad(a, (0, 0, 1, 0), value=2.), a.swapaxes(0, 1)), A)
row("matmul", lambda a, b: a @ b, A, (5, 2)); row("matmul of more", lambda a, b: a @ b, (2, 3, 5), (5, 2)); row("matmul stretched", lambda a, b: a @ b, (2, 1, 3, 5), (4, 5, 2)); row("matmul of a row", lambda a, b: a @ b, ROW, (5, 2)); row("matmul by a row", lambda a, b: a @ b, (2, 3, 5), ROW)
row("mm, addmm", lambda a, b, c: (a.mm(b), torch.addmm(c, a, b, beta=0.5, alpha=2)), A, (5, 2), (2,)); row("bmm", torch.bmm, (2, 3, 5), (2, 5, 4)); row("dot", torch.dot, ROW, ROW); row("mv", torch.mv, A, ROW); row("outer", torch.outer, (3,), ROW)
row("einsum", lambda a, b: (torch.einsum("ij,kj->ik", a, b), torch.einsum("ij,ij->", a, b), torch.einsum("ij,kj->ikj", a, b)), A, B)
row("linear", F.linear, A, (2, 5), (2,)); row("embedding", lambda w: (F.embedding(index, w), F.embedding(index, w, padding_idx=1)), A, kinds={k: v for k, v in kinds.items() if k != "empty"})
row("layer_norm", lambda a, w, b: F.layer_norm(a, (a.size(-1),), w, b), A, ROW, ROW, kinds={k: v for k, v in kinds.items() if k != "empty"})
def in_place(a, b):
    one, two, three, four = a * 1, b * 1, a * 2, b * 2
    one[1] = two[0]
    one[:, 2].mul_(2)
    two[two > 0] = 3.
    three[[0, 2]] = b[:2]
    four[1].zero_()
    three[1, 1:].fill_(two.sum()).add_(1)
    three[2].copy_(a[0])
    return one, two, three, four
row("in place", in_place, A, B, kinds={k: v for k, v in kinds.items() if k in ("plain", "double")})  # views of turned tensors are refused
row("dropout", lambda a: (F.dropout(a, 0.3), F.dropout(a, 0.3, training=False)), A)
row("losses", lambda a, b: (F.mse_loss(a, b), F.l1_loss(a, b, reduction="sum"), F.smooth_l1_loss(a, b), F.huber_loss(a, b), F.cosine_similarity(a, b)), A, B)
row("likelihoods", lambda a: (F.cross_entropy(a, picks), F.cross_entropy(a, picks, label_smoothing=0.1, reduction="sum"), F.cross_entropy(a, picks, weight=torch.ones(a.size(1), dtype=a.dtype), ignore_index=0), F.nll_loss(a.log_softmax(-1), picks), F.binary_cross_entropy_with_logits(a, (a > 0).to(a.dtype))), A, kinds={k: v for k, v in kinds.items() if k != "empty"})
row("binary_cross_entropy", lambda p, t: F.binary_cross_entropy(p, t.detach()), A, B, of=INSIDE)
row("attention", lambda q, k, v: ((q @ k.transpose(-2, -1) / 5 ** 0.5).softmax(-1) @ v), (2, 3, 5), (2, 4, 5), (2, 4, 5))
row("types", lambda a: (a.half().float(), a.bfloat16().float(), a.to(torch.float64), a.type(torch.float64), a.type_as(torch.ones(1, dtype=torch.float64))), A)
