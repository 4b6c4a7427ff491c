# A tokenizer of bytes, as GPT-2 has one: 256 bytes to begin with, and pairs that are merged; saved, loaded and used.
import json
import os
from contextlib import contextmanager
from pathlib import Path
import time

import torch
import torch.nn as nn

TEXT = """Attention is all you need. Der Weg ist das Ziel: größer, höher, weiter.
L'été où l'on écoute; 한국어 텍스트도 바이트일 뿐이다. 🙂🙂 attention, attention!
"""


@contextmanager
def timer(name, log):
    start = time.perf_counter()
    try:
        yield log
    finally:
        log[name] = time.perf_counter() - start


def get_stats(ids, counts=None):
    counts = {} if counts is None else counts
    for pair in zip(ids, ids[1:]):
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def merge(ids, pair, idx):
    newids, i = [], 0
    while i < len(ids):
        if i < len(ids) - 1 and (ids[i], ids[i + 1]) == pair:
            newids.append(idx)
            i += 2
        else:
            newids.append(ids[i])
            i += 1
    return newids


class BytePairTokenizer:
    def __init__(self):
        self.merges = {}
        self.vocab = {idx: bytes([idx]) for idx in range(256)}

    def train(self, text, vocab_size, verbose=False):
        ids = list(text.encode('utf-8'))
        for i in range(vocab_size - 256):
            stats = get_stats(ids)
            pair = max(stats, key=stats.get)
            idx = 256 + i
            ids = merge(ids, pair, idx)
            self.merges[pair] = idx
            self.vocab[idx] = self.vocab[pair[0]] + self.vocab[pair[1]]
            if verbose:
                print(f'merge {i + 1}: {pair} -> {idx} ({self.vocab[idx]}) had {stats[pair]} occurrences')
        return ids

    def encode(self, text):
        ids = list(text.encode('utf-8'))
        while len(ids) >= 2:
            stats = get_stats(ids)
            pair = min(stats, key=lambda p: self.merges.get(p, float('inf')))
            if pair not in self.merges:
                break
            ids = merge(ids, pair, self.merges[pair])
        return ids

    def decode(self, ids):
        return b''.join(self.vocab[idx] for idx in ids).decode('utf-8', errors='replace')

    def save(self, path):
        with open(path, 'w', encoding='utf-8') as f:
            json.dump([[a, b, idx] for (a, b), idx in self.merges.items()], f)

    def load(self, path):
        with open(path, encoding='utf-8') as f:
            for a, b, idx in json.load(f):
                self.merges[a, b] = idx
                self.vocab[idx] = self.vocab[a] + self.vocab[b]
        return self


raw = TEXT.encode('utf-8')
print(len(TEXT), 'characters', len(raw), 'bytes', raw[:12], raw[-3:])
log = {}
tokenizer = BytePairTokenizer()
with timer('train', log):
    ids = tokenizer.train(TEXT, 276, verbose=True)
print(f'{len(raw)} -> {len(ids)}, {len(raw) / len(ids):.2f}X', log['train'] > 0, len(raw) / log['train'] > 0)

for word in ['attention', 'größer', '한국어', '🙂', '']:
    ids = tokenizer.encode(word)
    print(word, ids, [tokenizer.vocab[i] for i in ids], tokenizer.decode(ids) == word)
print(tokenizer.decode([128]), repr(tokenizer.decode([0xed, 0x95])), b'\xed\x95\x9c'.decode())


def bytes_to_unicode():
    bs = list(range(ord('!'), ord('~') + 1)) + list(range(ord('¡'), ord('¬') + 1)) + list(range(ord('®'), ord('ÿ') + 1))
    cs, n = bs[:], 0
    for b in range(2**8):
        if b not in bs:
            bs.append(b)
            cs.append(2**8 + n)
            n += 1
    return dict(zip(bs, [chr(c) for c in cs]))


byte_encoder = bytes_to_unicode()
byte_decoder = {v: k for k, v in byte_encoder.items()}
shown = ''.join(byte_encoder[b] for b in ' é🙂'.encode('utf-8'))
print(shown, bytes([byte_decoder[c] for c in shown]).decode('utf-8', errors='replace'))

folder = Path('/tmp/bpe-of-bytes')
folder.mkdir(parents=True, exist_ok=True)
tokenizer.save(folder / 'merges.json')
again = BytePairTokenizer().load(folder / 'merges.json')
print(again.merges == tokenizer.merges, again.decode(again.encode(TEXT)) == TEXT, os.path.exists('/content/merges.json'))

torch.manual_seed(0)
emb = nn.Embedding(len(again.vocab), 4)
torch.save(emb.state_dict(), folder / 'emb.pt')
fresh = nn.Embedding(len(again.vocab), 4)
print(fresh.load_state_dict(torch.load(folder / 'emb.pt')), torch.equal(fresh.weight, emb.weight))
print(fresh(torch.tensor(again.encode('attention!'))))
