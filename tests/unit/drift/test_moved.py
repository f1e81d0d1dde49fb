"""Texts that left their document are found in another one, wherever they stand in it and however it breaks its lines."""

from __future__ import annotations

import json
import random
import textwrap
from pathlib import Path

import pytest

from irbridge.corpora import corpus_of
from irbridge.drift.anchors import Anchors
from irbridge.drift.classify import classify
from irbridge.drift.moved import _COMMON, Sightings, looked_for
from irbridge.model import Judgment

WORDS = ["".join(random.Random(seed).choices("etaoinshrdlu", k=2 + seed % 7)) for seed in range(500)]
LENGTHS = {"long": 500, "short": 120}


def prose(chance: random.Random, length: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(length))[:length].strip()


def wrapped(text: str, columns: int) -> str:
    return "\n".join(textwrap.wrap(text, columns, break_on_hyphens=False))


def gone(text: str, number: int) -> Judgment:
    return Judgment(f"q{number}", "gone", 1, chunk_id=f"g{number}", chunk_text=text)


def found(texts: list[str], documents: list[str], folder: Path, *, ascii_only: bool = False) -> list[str | None]:
    """The documents in which texts are found that left theirs: document `d0` holds the first one, and so on."""
    path = folder / "corpus.jsonl"
    rows = [
        {"chunk_id": f"c{at}", "doc_uri": f"d{at}", "ordinal": 0, "text": text} for at, text in enumerate(documents)
    ]
    path.write_text("".join(json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in rows), encoding="utf-8")
    asked = [gone(text, number) for number, text in enumerate(texts)]
    evidence = [one.evidence for one in classify(asked, corpus_of(str(path))).findings]
    return [None if one is None else one.doc_uri for one in evidence]


def own(count: int) -> list[str]:
    return [f"d{number}" for number in range(count)]


@pytest.mark.parametrize("length", LENGTHS.values(), ids=LENGTHS)
def test_at_whatever_byte_of_the_file(length, tmp_path):
    chance = random.Random(length)
    texts = [prose(chance, length) for _ in range(80)]
    # One byte more before each, so that looks fall on every byte of a text.
    documents = [f"{'-' * before} {text} and more" for before, text in enumerate(texts)]
    assert found(texts, documents, tmp_path) == own(80)


@pytest.mark.parametrize("columns", [70, 72, 76, 80, 100])
@pytest.mark.parametrize("length", LENGTHS.values(), ids=LENGTHS)
def test_into_lines_that_are_broken_elsewhere(length, columns, tmp_path):
    chance = random.Random(columns)
    texts = [prose(chance, length) for _ in range(40)]
    documents = [
        wrapped(f"{prose(chance, 9 + at * 3)} {text} {prose(chance, 99)}", columns) for at, text in enumerate(texts)
    ]
    assert not {text for text in texts for document in documents if text in document}
    assert found(texts, documents, tmp_path) == own(40)


@pytest.mark.parametrize("columns", [62, 72, 80])
def test_out_of_such_lines(columns, tmp_path):
    chance = random.Random(columns)
    texts = [prose(chance, 500) for _ in range(40)]
    documents = [f"{prose(chance, 9 + at * 3)} {text} {prose(chance, 99)}" for at, text in enumerate(texts)]
    assert found([wrapped(text, columns) for text in texts], documents, tmp_path) == own(40)


@pytest.mark.parametrize("ascii_only", [False, True])
def test_with_accents_quotes_and_other_scripts(ascii_only, tmp_path):
    chance = random.Random(5)
    texts = [
        prose(chance, 300).replace("e", "é", 4),
        prose(chance, 300).replace(" ", ' "', 9),
        "".join(chance.choices("日本語文字列検索", k=80)),
        prose(chance, 500),
        "no other one of all of them is as short as this",
    ]
    documents = [f"{prose(chance, 40)} {text}\n{prose(chance, 40)}" for text in texts]
    assert found(texts, documents, tmp_path, ascii_only=ascii_only) == own(5)
    # Without the one that is of nothing but what JSON may write otherwise, bytes are looked at before any is decoded.
    del texts[2], documents[2]
    assert found(texts, documents, tmp_path, ascii_only=ascii_only) == own(4)


def test_only_texts_of_32_bytes_without_white_space_are_looked_for():
    texts = {1: "a b " * 15 + "a", 2: "a b " * 16, 3: " " * 99 + "x" * 32, 4: "日本語文字" * 2 + "あ"}
    # 31, 32, 32, and 11 characters of 3 bytes.
    assert set(looked_for(texts)) == {2, 3, 4}


class TestSightings:
    def test_a_third_of_the_pieces_and_two_at_least(self):
        text = prose(random.Random(1), 463)
        anchors = Anchors({0: text.encode(), 1: text[:33].encode()})
        labels = [gone(text, 0), gone(text[:33], 1)]
        assert anchors.count == {0: 16, 1: 3}
        sightings = Sightings(anchors)
        long = [piece for piece, owners in enumerate(anchors.owners) if owners == [0]]
        for piece in long[:6]:
            sightings.add(piece, 1, ["d", "gone"])
        for piece in long[6:11]:
            sightings.add(piece, 1, ["e"])
        assert sightings.candidates(labels) == {0: ["d"]}

    def test_what_stands_everywhere_tells_nothing(self):
        text = prose(random.Random(1), 33)
        anchors = Anchors({0: text.encode()})
        sightings = Sightings(anchors)
        assert len(anchors.owners) == 3
        sightings.add(0, _COMMON + 1, ["e"])
        sightings.add(1, 1, ["d", "e"])
        assert sightings.candidates([gone(text, 0)]) == {}
        sightings.add(2, 1, ["d"])
        # Of the two that tell something both stand in d.
        assert sightings.candidates([gone(text, 0)]) == {0: ["d"]}
        sightings.look(["f"], [text])
        assert sightings.seen[1] == {"d", "e", "f"}
        assert 0 not in sightings.seen
