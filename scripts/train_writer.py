#!/usr/bin/env python3
"""Trains the model of lesson 18 and writes data/writer.safetensors. Needs PyTorch, takes under two minutes of one core.

    python3 scripts/train_writer.py              # write the file
    python3 scripts/train_writer.py -o FILE      # write another one, to compare
    python3 scripts/train_writer.py --seed 2     # not every seed learns to copy

The model learns from two kinds of lines. Half are text: sentences of data/writer_sentences.json, drawn at random, one
after the other. From these it learns to write. The others are echoes: 3 to 8 different words in random order, again and
again. From these it learns to copy. Its words are those of the sentences, in order of appearance.

As in train_real_layer.py, another version of PyTorch adds in another order, and so ends with other heads.
"""
import argparse
import json
import math
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

from train_real_layer import write_safetensors

DATA = Path(__file__).resolve().parents[1] / "data"
HIDDEN_DIM, N_HEADS, N_BLOCKS, MAX_LEN = 32, 2, 2, 16
BATCH_SIZE, STEPS, LEARNING_RATE = 32, 2500, 3e-3

SENTENCES = [line.split() for line in json.loads((DATA / "writer_sentences.json").read_text(encoding="utf-8"))]
VOCAB = list(dict.fromkeys(word for sentence in SENTENCES for word in sentence))


class Block(nn.Module):
    """Lesson 12's block with lesson 4's causal mask."""

    def __init__(self):
        super().__init__()
        self.norm_1 = nn.LayerNorm(HIDDEN_DIM)
        self.fc_q = nn.Linear(HIDDEN_DIM, HIDDEN_DIM)
        self.fc_k = nn.Linear(HIDDEN_DIM, HIDDEN_DIM)
        self.fc_v = nn.Linear(HIDDEN_DIM, HIDDEN_DIM)
        self.fc_o = nn.Linear(HIDDEN_DIM, HIDDEN_DIM)
        self.norm_2 = nn.LayerNorm(HIDDEN_DIM)
        self.fc_1 = nn.Linear(HIDDEN_DIM, 4 * HIDDEN_DIM)
        self.fc_2 = nn.Linear(4 * HIDDEN_DIM, HIDDEN_DIM)

    def attend(self, x):
        def split(t):
            return t.view(*t.shape[:2], N_HEADS, HIDDEN_DIM // N_HEADS).transpose(1, 2)
        Q, K, V = split(self.fc_q(x)), split(self.fc_k(x)), split(self.fc_v(x))
        energy = Q @ K.transpose(-2, -1) / math.sqrt(HIDDEN_DIM // N_HEADS)
        causal = torch.ones(x.size(1), x.size(1)).tril()
        attention = torch.softmax(energy.masked_fill(causal == 0, -1e10), dim=-1)
        return self.fc_o((attention @ V).transpose(1, 2).reshape(x.shape))

    def forward(self, x):
        x = x + self.attend(self.norm_1(x))
        return x + self.fc_2(F.gelu(self.fc_1(self.norm_2(x))))


class Writer(nn.Module):
    """The output reads the table of words once more (tied), which therefore begins small: see the end of lesson 18."""

    def __init__(self):
        super().__init__()
        self.word = nn.Embedding(len(VOCAB), HIDDEN_DIM)
        self.position = nn.Embedding(MAX_LEN, HIDDEN_DIM)
        self.blocks = nn.ModuleList([Block() for _ in range(N_BLOCKS)])
        self.norm = nn.LayerNorm(HIDDEN_DIM)
        nn.init.normal_(self.word.weight, std=0.2)

    def forward(self, ids):
        x = self.word(ids) + self.position.weight[:ids.size(1)]
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.word.weight.T


def draw_text():
    line = []
    while len(line) <= MAX_LEN:
        line += SENTENCES[torch.randint(len(SENTENCES), (1,)).item()]
    return torch.tensor([VOCAB.index(word) for word in line[:MAX_LEN + 1]])


def draw_echo():
    period = torch.randint(3, 9, (1,)).item()
    return torch.randperm(len(VOCAB))[:period].repeat(MAX_LEN // period + 2)[:MAX_LEN + 1]


def train():
    model = Writer()
    optimizer = torch.optim.Adam(model.parameters(), LEARNING_RATE)
    for step in range(STEPS):
        half = range(BATCH_SIZE // 2)
        lines = torch.stack([draw_text() for _ in half] + [draw_echo() for _ in half])
        loss = F.cross_entropy(model(lines[:, :-1]).flatten(0, 1), lines[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (step + 1) % 500 == 0:
            print(f"step {step + 1}: loss {loss.item():.4f}")
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=DATA / "writer.safetensors")
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    assert json.loads((DATA / "writer_words.json").read_text(encoding="utf-8")) == VOCAB
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    model = train()
    write_safetensors(options.output, model.state_dict())
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters in {options.output}")


if __name__ == "__main__":
    main()
