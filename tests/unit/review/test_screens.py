"""Review as a person sees it: what waits, by the words that drift has for it."""

from __future__ import annotations

from collections import Counter
from typing import get_args

from irbridge.corpora import corpus_of
from irbridge.drift.findings import Evidence, Finding, Kind
from irbridge.drift.waiting import Why, waiting_table
from irbridge.drift.workflow import inspected
from irbridge.model import Chunk, Judgment
from irbridge.renderers import Table
from irbridge.review.queue import Item, Queue, queue_of
from irbridge.review.screens import queue_page


def cid(number: int) -> str:
    return f"c1:{number:032x}"


CHUNKS = [
    Chunk(cid(1), "d", ordinal=0, text="Dogs ride free."),
    Chunk(cid(2), "d", ordinal=1, text="So do cats."),
    Chunk(cid(3), "d", ordinal=2, text="No smoking here, nor eating."),
]


def label(number: int, text: str | None, relevance: int = 1, doc_uri: str = "d") -> Judgment:
    return Judgment(f"q{number}", doc_uri, relevance, chunk_id=cid(90 + number), chunk_text=text)


LABELS = [
    label(1, "Dogs ride free. So do cats."),
    label(2, "No smoking", relevance=0),
    label(3, "Boats leave at noon, horses at one."),
    label(4, None),
    label(5, ""),
    Judgment("q6", "elsewhere", 1),
]
#: By hand, from spec/drift.md: q1 holds two chunks, q2 is a part of one; of the texts of q4 and q5 nothing is known.
WORDS = {"split": 1, "merged": 1, "untold": 2, "gone": 2}


def test_both_screens_say_the_same_of_a_label() -> None:
    page = queue_page(queue_of(LABELS, corpus_of(CHUNKS)), "queue.html", ())
    assert page.data["by_kind"] == WORDS
    assert Counter(row[2] for row in waiting_table(inspected(LABELS, corpus_of(CHUNKS))).rows) == WORDS


def test_every_word_has_a_meaning() -> None:
    def item(**said: object) -> Item:
        own = {"chunk_id": "c1:x", **said}
        return Item(label(1, None, 0), "l1:x", Finding("q", "d", **own), None, "", ())  # type: ignore[arg-type]

    kinds = [item(status="ORPHANED", evidence=Evidence(kind, 1.0, ())) for kind in get_args(Kind)]
    items = [
        *kinds,
        item(status="SPLIT", split_into=("a", "b")),
        item(status="MERGED", reanchor_to="a"),
        item(status="RE_ANCHORABLE", reanchor_to="a"),
        item(status="ORPHANED"),
        item(status="ORPHANED", chunk_id=None),
    ]
    page = queue_page(Queue("j", "c", None, 99, items), "queue.html", ())
    assert page.data["by_kind"] == dict.fromkeys(get_args(Why), 1)
    (table,) = [block for block in page.blocks if isinstance(block, Table)]
    assert [row[1] for row in table.rows] == list(page.data["by_kind"])
