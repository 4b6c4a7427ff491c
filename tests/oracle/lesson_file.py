"""Reads a lesson file (docs/lesson-format.md) as far as the oracle needs it: cells, and {{ }} fields between them."""

import re
from dataclasses import dataclass, field
from pathlib import Path

FENCE = re.compile(r" {0,3}(`{3,}|~{3,})\s*(.*)$")
FIELD = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


@dataclass
class Cell:
    words: list  # what follows `python` on the fence
    code: str

    def value(self, key):
        """The part after `key=` among the words, or None."""
        return next((word[len(key) + 1:] for word in self.words if word.startswith(key + "=")), None)


@dataclass
class Prose:
    fields: list = field(default_factory=list)  # the text between {{ and }}, stripped


def read_lesson(path: Path):
    """The cells and prose of a lesson, in order. Blocks of another language than python are left out."""
    parts, text, block, fence, words = [], [], None, None, None

    def end_prose():
        fields = [match.strip() for match in FIELD.findall("\n".join(text))]
        text.clear()
        if fields:
            parts.append(Prose(fields))

    for line in path.read_text(encoding="utf-8").splitlines():
        match = FENCE.match(line)
        if fence is None:
            if match and not (match[1][0] == "`" and "`" in match[2]):
                fence, words, block = match[1], match[2].split(), []
            else:
                text.append(line)
        elif match and match[1].startswith(fence) and not match[2]:
            if words[:1] == ["python"]:
                end_prose()
                parts.append(Cell(words[1:], "\n".join(block) + "\n"))
            fence = None
        else:
            block.append(line)
    end_prose()
    return parts
