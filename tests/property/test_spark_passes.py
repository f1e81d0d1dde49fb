"""The corpus on many machines gives the findings of the corpus on one, however it is divided and whatever is wrong with it.

What Spark does in between (send rows to where they are asked for, and sort them there) is done here by hand.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.corpora import Corpus
from irbridge.drift.classify import classify
from irbridge.drift.findings import Finding
from irbridge.engines.spark import corpus_pass, finding_rows
from irbridge.engines.spark.corpus_pass import FOR, PLACE, Asked
from irbridge.identity import text_sha
from irbridge.model import Chunk, Judgment
from irbridge.reading import Reading

pa = pytest.importorskip("pyarrow")

TEXTS = ["", "a", "a b", "b", "a b c", " b ", "c", "é", None]
DOCUMENTS = ["d1", "d2", "d3"]
IDS = [f"c{number}" for number in range(6)]
SCHEMA = pa.schema([
    *((name, pa.int64() if name in {"ordinal", "start", "end"} else pa.string()) for name in Chunk._fields[:-1]),
    (PLACE, pa.int64()),
])  # fmt: skip


class Shared:
    """A broadcast value, and a row of Spark's."""

    def __init__(self, value):
        self.value = value

    def asDict(self, recursive=False):  # noqa: N802 - as Spark's own row has it
        return self.value


def digest(chance: random.Random, text: str | None) -> str | None:
    """Mostly the right one; at times none, or that of another text."""
    other = chance.choice(TEXTS[:-1]) if chance.random() < 0.1 else text
    return None if other is None or chance.random() < 0.3 else text_sha(other)


def chunk(chance: random.Random) -> Chunk:
    text, ordinal = chance.choice(TEXTS), chance.choice([None, 0, 1, 2])
    return Chunk(
        chance.choice(IDS), chance.choice(DOCUMENTS), chance.choice([None, "r"]), ordinal, text, digest(chance, text)
    )


def label(chance: random.Random) -> Judgment:
    text = chance.choice(TEXTS)
    own = chance.choice([None, *IDS, "gone"])
    return Judgment(
        f"q{chance.randint(0, 3)}", chance.choice([*DOCUMENTS, "d4"]), 1, chunk_id=own, chunk_text=text,
        text_sha=digest(chance, text),
    )  # fmt: skip


def on_many(labels: list[Judgment], parts: list[list[dict]], *, by_place: bool) -> dict[int, Finding]:
    asked = Shared(Asked.by(labels))
    sent = []
    for part in parts:
        batches = pa.Table.from_pylist(part, SCHEMA).to_batches(2)
        for batch in corpus_pass._wanted(asked, by_place, batches):
            sent += batch.to_pylist()
    order = (FOR, *((PLACE,) if by_place else ("doc_uri", "ordinal", "chunk_id")))
    sent.sort(key=lambda row: tuple((row[name] is not None, row[name]) for name in order))
    schema = pa.schema([(FOR, pa.string()), *SCHEMA])
    batches = pa.Table.from_pylist(sent, schema).to_batches(3)
    found = corpus_pass._classified(Shared(corpus_pass._by_document(labels)), batches)
    return dict(finding_rows.read(Shared(row)) for batch in found for row in batch.to_pylist())


@pytest.mark.parametrize("by_place", [False, True])
@given(st.integers(0, 10**9))
def test_the_corpus_divided_gives_what_the_corpus_gives(by_place: bool, seed: int) -> None:
    chance = random.Random(seed)
    chunks = [chunk(chance) for _ in range(chance.randint(0, 12))]
    if not by_place:
        chunks.sort(key=lambda row: (row.doc_uri, row.ordinal is not None, row.ordinal, row.chunk_id))
    labels = [label(chance) for _ in range(chance.randint(1, 8))]
    here = classify(labels, Corpus("chunks", lambda: iter(chunks), Reading("chunks")))

    rows = [dict(zip(SCHEMA.names, (*row[:-1], place), strict=True)) for place, row in enumerate(chunks)]
    parts: list[list[dict]] = [[] for _ in range(chance.randint(1, 4))]
    if not by_place:
        # Chunks of one document with one ordinal and one id have no order but that of the corpus, which is lost.
        keys = [(row["doc_uri"], row["ordinal"], row["chunk_id"]) for row in rows]
        if len(set(keys)) < len(keys):
            return
    for row in chance.sample(rows, len(rows)):
        chance.choice(parts).append(row)
    there = on_many(labels, parts, by_place=by_place)
    for number, finding in enumerate(here.findings):
        if number in there:
            assert there[number] == finding
        else:
            assert finding.status == "ORPHANED"
