#!/usr/bin/env python3
"""Trains the small attention layer of lesson 10 and writes data/real_layer.safetensors. Needs PyTorch, takes 10 seconds.

    python3 scripts/train_real_layer.py              # write the file
    python3 scripts/train_real_layer.py -o FILE      # write another one, to compare
    python3 scripts/train_real_layer.py --seed 3     # with other heads

It stands in scripts/ because everything in data/ is read by lessons or goes into the binary. The file that is checked in
was made with PyTorch 1.13.1 on one thread; sums in another order give other last digits after 2,000 steps, and so heads
that have learned the same in another place.

A sentence is twelve words, of which 3 to 9 differ, drawn by chance. Each different word has a label, 1 to 8, which is
written at one of its places and is 0 at the others. At every place the layer must tell the word before, the first word,
and the label of the word that stands there.
"""
import argparse
import json
import math
import struct
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

DATA = Path(__file__).resolve().parents[1] / "data"
VOCAB_SIZE, HIDDEN_DIM, N_HEADS, MAX_LEN, N_LABELS = 40, 32, 4, 12, 9
BATCH_SIZE, STEPS, LEARNING_RATE = 64, 2000, 3e-3


class RealLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.word = nn.Embedding(VOCAB_SIZE, HIDDEN_DIM)
        self.position = nn.Embedding(MAX_LEN, HIDDEN_DIM)
        self.label = nn.Embedding(N_LABELS, HIDDEN_DIM)
        self.fc_q = nn.Linear(HIDDEN_DIM, HIDDEN_DIM)
        self.fc_k = nn.Linear(HIDDEN_DIM, HIDDEN_DIM)
        self.fc_v = nn.Linear(HIDDEN_DIM, HIDDEN_DIM)
        self.fc_o = nn.Linear(HIDDEN_DIM, HIDDEN_DIM)
        self.word_before = nn.Linear(HIDDEN_DIM, VOCAB_SIZE)
        self.first_word = nn.Linear(HIDDEN_DIM, VOCAB_SIZE)
        self.own_label = nn.Linear(HIDDEN_DIM, N_LABELS)

    def split(self, x):
        return x.view(x.size(0), -1, N_HEADS, HIDDEN_DIM // N_HEADS).permute(0, 2, 1, 3)

    def forward(self, ids, labels):
        """Logits of the three answers, each [batch_size, query_len, classes]."""
        x = self.word(ids) + self.position.weight[:ids.size(1)] + self.label(labels)
        Q, K, V = self.split(self.fc_q(x)), self.split(self.fc_k(x)), self.split(self.fc_v(x))
        attention = torch.softmax(Q @ K.transpose(-2, -1) / math.sqrt(HIDDEN_DIM // N_HEADS), dim=-1)
        out = self.fc_o((attention @ V).permute(0, 2, 1, 3).reshape(x.shape))
        return self.word_before(out), self.first_word(out), self.own_label(out)


def draw_sentences(count):
    """ids, labels as they are written, and the label of each word, all [count, MAX_LEN]."""
    n_words = torch.randint(3, 10, (count, 1))
    words = torch.rand(count, VOCAB_SIZE).argsort(dim=1)
    ids = words.gather(1, (torch.rand(count, MAX_LEN) * n_words).long())
    of_word = torch.randint(1, N_LABELS, (count, VOCAB_SIZE)).gather(1, ids)
    lot = torch.rand(count, MAX_LEN)
    is_same = ids[:, :, None] == ids[:, None, :]
    is_written = lot == (lot[:, None, :] * is_same).amax(dim=-1)
    return ids, of_word * is_written, of_word


def loss_of(answers, ids, of_word):
    before, first, label = answers
    targets = (before[:, 1:], ids[:, :-1]), (first, ids[:, :1].expand_as(ids)), (label, of_word)
    return sum(F.cross_entropy(logits.flatten(0, 1), target.flatten()) for logits, target in targets)


def train():
    layer = RealLayer()
    optimizer = torch.optim.Adam(layer.parameters(), LEARNING_RATE)
    for step in range(STEPS):
        ids, labels, of_word = draw_sentences(BATCH_SIZE)
        loss = loss_of(layer(ids, labels), ids, of_word)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (step + 1) % 500 == 0:
            print(f"step {step + 1}: loss {loss.item():.4f}")
    return layer


def write_safetensors(path, tensors):
    """As https://huggingface.co/docs/safetensors says, "Format": length of the header, header of JSON, numbers."""
    header, data = {}, b""
    for name, tensor in tensors.items():
        numbers = tensor.detach().contiguous().numpy().astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(numbers)]}
        data += numbers
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=DATA / "real_layer.safetensors")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    assert len(json.loads((DATA / "real_layer_words.json").read_text(encoding="utf-8"))) == VOCAB_SIZE
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    layer = train()
    write_safetensors(options.output, layer.state_dict())
    print(f"{sum(p.numel() for p in layer.parameters()):,} parameters in {options.output}")


if __name__ == "__main__":
    main()
