"""Several runs become one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

from irbridge.arguments import number as number_of
from irbridge.arguments import whole
from irbridge.comparison.rankings import Held, order_of
from irbridge.errors import InputError, UsageError, quoted, shown
from irbridge.fusion import METHODS, NORMALISATIONS, Entry, Method, Normalisation
from irbridge.inputs import opened
from irbridge.model import Ranking

#: What runs are normalised by where nobody says it.
NORMALISATION = "minmax"


@dataclass(frozen=True, eq=False)
class Way:
    """How runs are fused: a method, its parameter, and the normalisation of scores."""

    method: Method
    parameter: float
    normalisation: Normalisation

    @property
    def name(self) -> str:
        """As it is written: `rrf/60`, `combsum, minmax`."""
        if self.method.scores:
            return f"{self.method.name}, {self.normalisation.name}"
        return self.method.name if self.method.parameter is None else f"{self.method.name}/{self.parameter:g}"


def way_of(by: Any, norm: Any = None) -> Way:
    """A way of fusing from its name, such as `rrf`, `rrf/20`, `combsum`, and a normalisation's.

    Raises:
        UnknownName: there is no such method or normalisation.
        UsageError: a parameter that the method does not take, or a normalisation where scores are not looked at.
    """
    if not isinstance(by, str):
        raise UsageError(f"{quoted(by, 40)} is no way to fuse", hint=f"one of: {', '.join(METHODS.names())}")
    name, slash, text = by.partition("/")
    method = METHODS.get(name)
    if norm is not None and not method.scores:
        raise UsageError(
            f"{method.name} looks at ranks only; there is nothing to normalise", hint="leave the normalisation out"
        )
    normalisation = NORMALISATIONS.get(NORMALISATION if norm is None else norm)
    if not slash:
        return Way(method, 0.0 if method.parameter is None else method.parameter, normalisation)
    if method.parameter is None:
        raise UsageError(f"{method.name} takes no parameter, and '{shown(by, 40)}' gives it one")
    try:
        parameter = float(number_of(text))
    except (ValueError, OverflowError):
        parameter = -1.0
    if not 0 <= parameter <= 1e9:
        raise UsageError(
            f"'{shown(text, 40)}' is no parameter of {method.name}", hint="a number from 0, such as rrf/60"
        )
    return Way(method, parameter, normalisation)


class Fused:
    """A fused run; iterating gives its rankings, queries in the order in which the runs first have them.

    Attributes:
        way: how it is made.
        sources: the runs.
        queries: the queries of all of them, each once.
        partial: queries that not every run answers.
    """

    def __init__(self, sources: Sequence[Held], way: Way, top: int | None) -> None:
        self.sources = tuple(sources)
        self.way = way
        self.queries = list(dict.fromkeys(query_id for source in sources for query_id in source.rankings))
        self.partial = sum(any(query_id not in source.rankings for source in sources) for query_id in self.queries)
        self._top = top

    def __iter__(self) -> Iterator[Ranking]:
        for query_id in self.queries:
            yield self._ranking(query_id)

    def _ranking(self, query_id: str) -> Ranking:
        """Best first; documents of equal score in the descending order of their ids, as trec_eval reads them back."""
        entries: dict[str, list[Entry]] = {}
        for source in self.sources:
            ranking = source.rankings.get(query_id)
            if ranking is None or not ranking.doc_ids:
                continue
            scores = self._normalised(ranking, source)
            for rank, (doc_id, score) in enumerate(zip(ranking.doc_ids, scores, strict=True), 1):
                entries.setdefault(doc_id, []).append(Entry(rank, score))
        score_of = {doc_id: self._score(query_id, own) for doc_id, own in entries.items()}
        ordered = sorted(sorted(score_of, reverse=True), key=score_of.__getitem__, reverse=True)[: self._top]
        return Ranking(query_id, ordered, [score_of[doc_id] for doc_id in ordered], None, self.way.method.name)

    def _score(self, query_id: str, own: list[Entry]) -> float:
        try:
            score = self.way.method.fuse(own, self.way.parameter)
        except OverflowError:
            score = inf
        if not isfinite(score):
            raise InputError(
                f"query {shown(query_id)}: the scores add up to more than a number can hold",
                hint="--by rrf, or --norm minmax",
            )
        return score

    def _normalised(self, ranking: Ranking, source: Held) -> list[float]:
        if not self.way.method.scores:
            return [0.0] * len(ranking.doc_ids)
        scores = ranking.scores
        if scores is None:
            if self.way.normalisation.scores:
                raise InputError(
                    f"query {shown(ranking.query_id)}: the run has no scores, which {self.way.name} needs",
                    path=source.source.label, hint="--by rrf, or --norm rank",
                )  # fmt: skip
            scores = [0.0] * len(ranking.doc_ids)
        elif self.way.normalisation.scores and not all(map(isfinite, scores)):
            raise InputError(
                f"query {shown(ranking.query_id)}: an infinite score cannot be added up", path=source.source.label,
                hint="--by rrf, or --norm rank",
            )  # fmt: skip
        return self.way.normalisation.normalise(scores)


def fuse(
    runs: Sequence[Any],
    by: Any = "rrf",
    norm: Any = None,
    *,
    depth: int | None = None,
    top: int | None = None,
    ties: str = "docid-desc",
) -> Fused:
    """Fuse runs.

    Args:
        runs: at least two, each anything that `irbridge.load` takes as a run, or an `Input`.
        by: "rrf", "rrf/K", "combsum" or "combmnz", or a third party's method.
        norm: how scores are made comparable, for methods that look at them; None: "minmax".
        depth: look at the top so many of each ranking only.
        top: keep so many documents of each query; None: all.
        ties: how equal scores are ordered, as in a convention.

    Raises:
        UsageError: fewer than two runs, or a way that is none.
        InputError: a run cannot be used; iterating may raise it too.
    """
    way = way_of(by, norm)
    if isinstance(runs, str) or len(runs) < 2:
        raise UsageError("fusion takes at least two runs", hint="irbridge fuse A.run B.run -o FUSED.run")
    if top is not None:
        whole("top", top)
    order = order_of(ties, None if depth is None else whole("depth", depth))
    return Fused([Held(opened(run, "run"), order) for run in runs], way, top)
