"""Edited texts against an alignment that is slow and plain: the best of all, by dynamic programming over each pair of characters.

Texts are real abstracts of which words are replaced, deleted, put in and moved at random, by words of the same text as often
as not: what an edit brings in then stands elsewhere too, which is what leads an alignment astray.
"""

from __future__ import annotations

import json
import random
import tarfile
from pathlib import Path

import numpy as np
import pytest

from irbridge.drift.edits import edited

KINDS = ("replaced", "deleted", "put in", "moved")
#: From this similarity on no label may be missed, and none may be told to be less similar by more than so much.
ASKED, LESS = 0.85, 0.02


def scifact(shared: Path) -> list[str]:
    with (shared / "data/beir/scifact/corpus.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def cranfield(shared: Path) -> list[str]:
    with tarfile.open(shared / "data/irds-home/cranfield/cran.tar.gz") as archive:
        stream = archive.extractfile("cran.all.1400")
        assert stream is not None
        return [part.partition("\n.W\n")[2] for part in stream.read().decode().split("\n.I ")]


def best(one: str, other: str) -> int:
    """Most characters in runs of three and more equal ones that follow each other in both texts."""
    letters = np.array(list(other))
    rows = [np.zeros(len(other) + 1, int)]
    sizes, inside = np.zeros(len(other) + 1, int), np.full(len(other) + 1, -1 << 30)
    for at, letter in enumerate(one, 1):
        # Of the run that ends at each pair: its size, and what is equal up to there if it is taken, begun anew or continued.
        sizes = np.concatenate(([0], np.where(letters == letter, sizes[:-1] + 1, 0)))
        inside = np.concatenate(([-1 << 30], inside[:-1] + 1))
        if at >= 3:
            inside[3:] = np.maximum(inside[3:], rows[at - 3][:-3] + 3)
        inside[sizes < 3] = -1 << 30
        rows.append(np.maximum.accumulate(np.maximum(rows[-1], inside)))
    return int(rows[-1][-1])


def changed(words: list[str], kinds: tuple[str, ...], edits: int, other: list[str], chance: random.Random) -> list[str]:
    words = list(words)
    for _ in range(edits):
        at, kind = chance.randrange(len(words)), chance.choice(kinds)
        if kind == "replaced":
            words[at] = chance.choice(other)
        elif kind == "deleted":
            del words[at]
        elif kind == "put in":
            words.insert(at, chance.choice(other))
        else:
            words.insert(chance.randrange(len(words)), words.pop(at))
    return words


def test_best_by_hand():
    assert best("abcdefgh", "abcdefgh") == 8
    assert best("abxcd", "abycd") == 0
    # Of "abc" and "defg" one can be taken, as they change places; "ab" alone is an accident.
    assert best("abcdefg", "defgabc") == 4
    assert best("abcXdef", "abcdef") == 6
    assert best("abcabd", "abcabcabd") == 6


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kinds", [*((kind,) for kind in KINDS), KINDS], ids="+".join)
@pytest.mark.parametrize("collection", [scifact, cranfield])
def test_no_edited_text_is_missed(collection, kinds, seed, shared):
    chance = random.Random(f"{collection.__name__} {kinds} {seed}")
    texts = [words for text in collection(shared) if len(words := text.split()) > 60]
    asked = 0
    for words in chance.sample(texts, 20):
        label = words[: chance.randint(25, 150)]
        other = chance.choice((label, chance.choice(texts)))
        edits = chance.randint(1, max(1, len(label) // 10))
        text = changed(label, kinds, edits, other, chance)
        around = ["".join(chance.choice(texts))[: chance.choice((0, 50, 800))] for _ in range(2)]
        one, stretch = "".join(label), "".join(text)
        least = best(one, stretch) / max(len(one), len(stretch))
        if least < ASKED:
            continue
        asked += 1
        found = edited({0: one.encode()}, (around[0] + stretch + around[1]).encode()).get(0)
        assert found is not None, (least, one, stretch)
        assert found.similarity >= least - LESS, (least, one, stretch)
        # What stands around it may have a little more of it, but never more than all there is.
        most = best(one, around[0] + stretch + around[1]) / len(one)
        assert found.similarity <= found.covered <= most, (most, one, stretch)
    assert asked >= 12
