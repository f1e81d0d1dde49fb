"""A run held in memory, to be ranked again under one convention after another."""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from irbridge.arrays import Bools
from irbridge.conventions import Convention
from irbridge.evaluate import score
from irbridge.inputs import opened
from irbridge.judging import Judged, judge
from irbridge.measures.base import Measure
from irbridge.model import Ranking
from irbridge.oracles.base import Material
from irbridge.qrels import Qrels
from irbridge.ranking import regrouped
from irbridge.reading import Reading
from irbridge.scores import Scores


class HeldRun:
    """The rankings of judged queries with documents and scores, one ranking for each query.

    Memory follows the run here, not the labels: oracles take whole runs, and causes are proven by ranking it anew.

    Attributes:
        rankings: scores are always there; a source without any gets n - 1, ..., 0, which orders it the same everywhere.
            Queries without labels are kept by name alone.
        reading: what was noticed while the run was read.
    """

    def __init__(self, rankings: Sequence[Ranking], reading: Reading | None = None) -> None:
        self.rankings = list(rankings)
        self.reading = reading or Reading("run")

    @classmethod
    def read(cls, qrels: Qrels, run: Any) -> HeldRun:
        """Read a run whole; rows of one query that are scattered are gathered, in their order.

        Raises:
            InputError: the run cannot be read.
        """
        if isinstance(run, HeldRun):
            return run
        source = opened(run, "run")
        pieces: list[Ranking] = []
        for piece in cast("Iterable[Ranking]", iter(source)):
            judged = piece.query_id in qrels.index
            kept = piece if judged else Ranking(piece.query_id, (), ())
            # What has no scores has its order from all of its pieces together.
            pieces.append(kept if kept.scores is None else _scored(kept))
        if len({piece.query_id for piece in pieces}) < len(pieces):
            pieces = list(regrouped(pieces, source.reading))
            source.reading.note("interleaved", "rows of one query are scattered through the file; they were gathered")
        held = cls([piece if isinstance(piece.scores, array) else _scored(piece) for piece in pieces], source.reading)
        for _ in held.empty & qrels.index.keys():
            source.reading.note("empty", "{n} {ranking holds|rankings hold} no document; other engines run without")
        return held

    def __iter__(self) -> Iterator[Ranking]:
        return iter(self.rankings)

    @cached_property
    def empty(self) -> set[str]:
        """The queries whose ranking holds no document."""
        return {ranking.query_id for ranking in self.rankings if not len(ranking.doc_ids)}

    def only(self, query_ids: set[str]) -> HeldRun:
        """The rankings of these queries."""
        return HeldRun([ranking for ranking in self.rankings if ranking.query_id in query_ids], self.reading)

    def by_rank(self) -> HeldRun | None:
        """The run in the order of its rank column, as tools that ignore scores read it; None where it has none."""
        if any(ranking.ranks is None for ranking in self.rankings if len(ranking.doc_ids)):
            return None
        return HeldRun(
            [ranking._replace(scores=[-float(rank) for rank in ranking.ranks or ()]) for ranking in self.rankings],
            self.reading,
        )

    def material(self, qrels: Qrels) -> Material:
        """What oracles are given.

        Of a document that a ranking holds twice the last row counts. A ranking without a document stays here: a file of
        trec_eval cannot hold it, and its code reads memory that it never set where it is called with one.
        """
        grades = qrels.grades.tolist()
        judged = {
            query_id: {doc_id: grades[number] for doc_id, number in own.items()}
            for query_id, own in zip(qrels.query_ids, qrels.labels, strict=True)
        }
        run: dict[str, dict[str, float]] = {}
        repeated: list[str] = []
        for ranking in self.rankings:
            if ranking.query_id in judged and len(ranking.doc_ids):
                scores = ranking.scores or ()
                last = {doc_id: place for place, doc_id in enumerate(ranking.doc_ids)}
                if len(last) < len(ranking.doc_ids):
                    repeated.append(ranking.query_id)
                # A dict would keep the first row's place and the last one's score.
                run[ranking.query_id] = {ranking.doc_ids[place]: scores[place] for place in sorted(last.values())}
        return Material(judged, run, tuple(repeated), tuple(_by_subtopic(qrels)))


def _by_subtopic(qrels: Qrels) -> Iterator[tuple[str, str, int, str]]:
    """(query, document, grade, subtopic) where the labels were read with their subtopics, which go by number here."""
    if qrels.subtopics is None:
        return
    names = [(query_id, doc_id) for query_id, own in zip(qrels.query_ids, qrels.labels, strict=True) for doc_id in own]
    numbers = [number for own in qrels.labels for number in own.values()]
    place = dict(zip(numbers, names, strict=True))
    for label, topic, grade in qrels.subtopics.graded():
        yield (*place[label], grade, str(topic))


def _scored(ranking: Ranking) -> Ranking:
    """The ranking with scores, numbers packed: a list of them takes four times the memory."""
    given = ranking.scores
    scores = array("d", map(float, range(len(ranking.doc_ids) - 1, -1, -1) if given is None else given))
    ranks = ranking.ranks
    if ranks is not None:
        with contextlib.suppress(OverflowError):  # ranks beyond 64 bits stay as they are
            ranks = array("q", ranks)
    return ranking._replace(scores=scores, ranks=ranks)


class Native:
    """irbridge's own numbers on one run under any convention; a ranking order is computed once."""

    def __init__(self, qrels: Qrels, held: HeldRun) -> None:
        self.qrels = qrels
        self.held = held
        self._judged: dict[tuple[str, ...], Judged] = {}

    def judged(self, convention: Convention) -> Judged:
        """The judged hits under a convention.

        Raises:
            InputError: no query in common, or a ranking that the convention refuses.
        """
        key = (convention.precision, convention.ties, convention.duplicates, convention.self_retrieval)
        if key not in self._judged:
            self._judged[key] = judge(self.qrels, lambda: self.held, convention, self.held.reading)
        return self._judged[key]

    def scores(self, measures: Sequence[Measure], convention: Convention, *, without_empty: bool = False) -> Scores:
        """Values of measures under a convention.

        Args:
            measures: what to compute.
            convention: how.
            without_empty: a ranking without a document is none: its query is not answered.
        """
        judged = self.judged(convention)
        if without_empty:
            judged = replace(judged, hits=replace(judged.hits, answered=self.filled(judged.hits.answered)))
        return score(judged, measures, convention)

    def filled(self, answered: Bools) -> Bools:
        """Flags (bool per query): answered by a ranking that holds a document."""
        found: Bools = answered.copy()
        found[[self.qrels.index[query_id] for query_id in self.held.empty if query_id in self.qrels.index]] = False
        return found

    def only(self, query_ids: set[str]) -> Native | None:
        """The same of these queries alone; None where none of them is answered."""
        held = self.held.only(query_ids)
        if not held.rankings:
            return None
        wanted = np.array([query_id in query_ids for query_id in self.qrels.query_ids], np.bool_)
        return Native(self.qrels.subset(wanted[self.qrels.query_of]), held)
