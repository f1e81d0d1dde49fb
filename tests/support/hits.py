"""Hits, and values of measures, from labels and rankings written down in a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from irbridge.conventions import Convention
from irbridge.hits import Hits
from irbridge.measures.names import parse
from irbridge.qrels import Qrels
from irbridge.subtopics import Subtopics

Labels = Mapping[str, Mapping[str, int]]
Rankings = Mapping[str, Sequence[str]]

# Nothing that a convention may add: every measure as its name says.
PLAIN = Convention("plain")


def hits_of(qrels: Labels, run: Rankings) -> Hits:
    """Judged hits where a ranking's order is its order; a query that `run` has not is unanswered."""
    numbers: list[dict[str, int]] = []
    grades: list[int] = []
    for labels in qrels.values():
        numbers.append({doc_id: len(grades) + place for place, doc_id in enumerate(labels)})
        grades += labels.values()
    table = Qrels(list(qrels), numbers, np.array(grades, np.int64))
    # Every label is of one of two subtopics, in turn: enough for what holds of every measure.
    number = np.arange(len(grades))
    table.subtopics = Subtopics(number, number % 2, table.grades)
    found = [
        (own[doc_id], rank)
        for query_id, own in zip(qrels, numbers, strict=True)
        for rank, doc_id in enumerate(run.get(query_id, ()), 1)
        if doc_id in own
    ]
    columns = np.array(found, np.int64).reshape(-1, 2)
    retrieved = np.array([len(run.get(query_id, ())) for query_id in qrels], np.int64)
    answered = np.array([query_id in run for query_id in qrels])
    pool = {doc_id for labels in qrels.values() for doc_id in labels}
    others = [
        (number, rank)
        for number, (query_id, own) in enumerate(zip(qrels, numbers, strict=True))
        for rank, doc_id in enumerate(run.get(query_id, ()), 1)
        if doc_id in pool and doc_id not in own
    ]
    elsewhere = np.array(others, np.int64).reshape(-1, 2)
    return Hits(table, columns[:, 0], columns[:, 1], retrieved, answered, elsewhere=(elsewhere[:, 0], elsewhere[:, 1]))


def computed(name: str, hits: Hits, **knobs: Any) -> dict[str, float]:
    """{query id: value} of the one measure `name`, under PLAIN with `knobs` changed."""
    (measure,) = parse(name)
    convention = PLAIN.changed(**knobs)
    resolved = measure.resolved(convention)
    seen = hits.cut(convention.depth)
    found = resolved.family.compute(seen.judged if resolved.judged_only else seen, resolved)
    assert found.dtype == np.float64
    return dict(zip(hits.qrels.query_ids, found.tolist(), strict=True))


def values(name: str, qrels: Labels, run: Rankings, **knobs: Any) -> dict[str, float]:
    """`computed` on the hits of `run`."""
    return computed(name, hits_of(qrels, run), **knobs)


def value(name: str, labels: Mapping[str, int], ranking: str, **knobs: Any) -> float:
    """The value for one query; `ranking` is document ids separated by spaces."""
    return values(name, {"q": labels}, {"q": ranking.split()}, **knobs)["q"]


DOC_IDS = [f"d{number}" for number in range(14)]


@st.composite
def collections(
    draw: st.DrawFn, lowest: int = -2, highest: int = 3
) -> tuple[dict[str, dict[str, int]], dict[str, list[str]]]:
    """Qrels of one to four queries, and a run that leaves some unanswered, some empty, and returns unjudged documents."""
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, list[str]] = {}
    for number in range(draw(st.integers(1, 4))):
        query_id = str(number + 1)
        grades = st.integers(lowest, highest)
        qrels[query_id] = draw(st.dictionaries(st.sampled_from(DOC_IDS), grades, min_size=1, max_size=10))
        if draw(st.integers(0, 5)):
            run[query_id] = draw(st.lists(st.sampled_from(DOC_IDS), unique=True, max_size=12))
    return qrels, run
