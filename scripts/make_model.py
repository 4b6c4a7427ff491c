#!/usr/bin/env python3
"""Makes a folder with a model of random numbers, as people have them: config, weights, tokenizer. Needs Python alone.

    scripts/make_model.py gpt2 FOLDER                     # a tiny one, for tests
    scripts/make_model.py llama FOLDER --shards 3
    scripts/make_model.py bert FOLDER --width 64 --heads 4
    scripts/make_model.py gpt2 FOLDER --layers 12 --heads 12 --width 768 --words 50257 --positions 1024   # 124 million

Number k of tensor t is number k + 7919 t of a list of 65,521 that are drawn once, again and again. Weights of norms are
around 1.
"""
import argparse
import json
import random
import struct
from array import array
from pathlib import Path

DRAWN, STRIDE, REACH = 65521, 7919, 0.1


def gpt2(a):
    config = {"model_type": "gpt2", "n_layer": a.layers, "n_head": a.heads, "n_embd": a.width, "vocab_size": a.words,
              "n_positions": a.positions}
    shapes = {"wte.weight": [a.words, a.width], "wpe.weight": [a.positions, a.width]}
    for i in range(a.layers):
        for norm in ("ln_1", "ln_2"):
            shapes.update({f"h.{i}.{norm}.weight": [a.width], f"h.{i}.{norm}.bias": [a.width]})
        for name, rows, columns in (("attn.c_attn", 1, 3), ("attn.c_proj", 1, 1), ("mlp.c_fc", 1, 4), ("mlp.c_proj", 4, 1)):
            shapes[f"h.{i}.{name}.weight"] = [rows * a.width, columns * a.width]
            shapes[f"h.{i}.{name}.bias"] = [columns * a.width]
    return config, {**shapes, "ln_f.weight": [a.width], "ln_f.bias": [a.width]}


def llama(a):
    inner, groups = 2 * a.width, max(1, a.heads // 2)
    config = {"model_type": "llama", "num_hidden_layers": a.layers, "num_attention_heads": a.heads,
              "num_key_value_heads": groups, "hidden_size": a.width, "vocab_size": a.words,
              "max_position_embeddings": a.positions, "intermediate_size": inner, "rms_norm_eps": 1e-5}
    shapes = {"model.embed_tokens.weight": [a.words, a.width]}
    for i in range(a.layers):
        block, narrow = f"model.layers.{i}.", a.width // a.heads * groups
        shapes.update({block + "input_layernorm.weight": [a.width], block + "post_attention_layernorm.weight": [a.width]})
        for name, rows, columns in (("self_attn.q_proj", a.width, a.width), ("self_attn.k_proj", narrow, a.width),
                                    ("self_attn.v_proj", narrow, a.width), ("self_attn.o_proj", a.width, a.width),
                                    ("mlp.gate_proj", inner, a.width), ("mlp.up_proj", inner, a.width),
                                    ("mlp.down_proj", a.width, inner)):
            shapes[f"{block}{name}.weight"] = [rows, columns]
    return config, {**shapes, "model.norm.weight": [a.width], "lm_head.weight": [a.words, a.width]}


def bert(a):
    inner = 4 * a.width
    config = {"model_type": "bert", "num_hidden_layers": a.layers, "num_attention_heads": a.heads, "hidden_size": a.width,
              "vocab_size": a.words, "max_position_embeddings": a.positions, "intermediate_size": inner,
              "type_vocab_size": 2, "hidden_act": "gelu", "layer_norm_eps": 1e-12}
    shapes = {}

    def norm(name):
        shapes.update({name + ".weight": [a.width], name + ".bias": [a.width]})

    def linear(name, rows, columns):
        shapes.update({name + ".weight": [rows, columns], name + ".bias": [rows]})

    for name, rows in (("word", a.words), ("position", a.positions), ("token_type", 2)):
        shapes[f"bert.embeddings.{name}_embeddings.weight"] = [rows, a.width]
    norm("bert.embeddings.LayerNorm")
    for i in range(a.layers):
        block = f"bert.encoder.layer.{i}."
        for name in ("self.query", "self.key", "self.value", "output.dense"):
            linear(f"{block}attention.{name}", a.width, a.width)
        norm(block + "attention.output.LayerNorm")
        linear(block + "intermediate.dense", inner, a.width)
        linear(block + "output.dense", a.width, inner)
        norm(block + "output.LayerNorm")
    linear("bert.pooler.dense", a.width, a.width)
    linear("cls.predictions.transform.dense", a.width, a.width)
    norm("cls.predictions.transform.LayerNorm")
    return config, {**shapes, "cls.predictions.bias": [a.words]}


def is_norm(name):
    return name.endswith("weight") and any(part in name for part in ("ln_", "norm", "LayerNorm"))


def write_shard(path, names, shapes, drawn):
    header, at, numbers = {}, 0, []
    for t, name in names:
        size = 4
        for length in shapes[name]:
            size *= length
        header[name] = {"dtype": "F32", "shape": shapes[name], "data_offsets": [at, at + size]}
        at += size
        numbers.append((STRIDE * t % DRAWN * 4, size, is_norm(name)))
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for begin, size, around_1 in numbers:
            block = drawn[around_1]
            first = block[begin:begin + size]
            rest = size - len(first)
            file.write(first + block * (rest // len(block)) + block[:rest % len(block)])


def write_tokenizer(family, folder, words):
    """Each character is a token: of a BERT small letters, of the others from ! on."""
    if family == "bert":
        letters = "abcdefghijklmnopqrstuvwxyz"
        tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *("##" + letter for letter in letters)]
        tokens += [f"word{i}" for i in range(len(tokens), words)]
        (folder / "vocab.txt").write_text("\n".join(tokens[:words]) + "\n")
        return
    tokens = [*map(chr, range(ord("!"), ord("~") + 1)), "\u0120"]
    tokens += [f"word{i}" for i in range(len(tokens), words)]
    (folder / "vocab.json").write_text(json.dumps({token: i for i, token in enumerate(tokens[:words])}))
    (folder / "merges.txt").write_text("#version: 0.2\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=["gpt2", "llama", "bert"])
    parser.add_argument("folder", type=Path)
    for option, size in (("layers", 2), ("heads", 2), ("width", 8), ("words", 64), ("positions", 12), ("shards", 1), ("seed", 0)):
        parser.add_argument("--" + option, type=int, default=size)
    a = parser.parse_args()
    a.folder.mkdir(parents=True, exist_ok=True)
    config, shapes = {"gpt2": gpt2, "llama": llama, "bert": bert}[a.family](a)
    generator = random.Random(a.seed)
    uniform = [REACH * (2 * generator.random() - 1) for _ in range(DRAWN)]
    drawn = [array("f", (shift + number for number in uniform)).tobytes() for shift in (0, 1)]
    (a.folder / "config.json").write_text(json.dumps(config))
    write_tokenizer(a.family, a.folder, a.words)
    names = list(enumerate(shapes))
    if a.shards == 1:
        write_shard(a.folder / "model.safetensors", names, shapes, drawn)
        return
    files = {f"model-{s + 1:05}-of-{a.shards:05}.safetensors": names[s::a.shards] for s in range(a.shards)}
    for file, part in files.items():
        write_shard(a.folder / file, part, shapes, drawn)
    of_name = {name: file for file, part in files.items() for _, name in part}
    (a.folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": of_name}))


if __name__ == "__main__":
    main()
