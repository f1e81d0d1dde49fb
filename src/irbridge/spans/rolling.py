"""A run over chunks becomes a run over documents, so that a chunked retriever is scored on a document-level benchmark."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from math import fsum, isfinite, isinf, isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from irbridge.conventions import Convention
from irbridge.corpora import corpus_of
from irbridge.errors import InputError, UsageError, quoted, shown
from irbridge.inputs import opened, repeatable
from irbridge.model import Ranking
from irbridge.wording import counted
from irbridge.written import picked

if TYPE_CHECKING:
    from irbridge.corpora import Corpus
    from irbridge.inputs import Input

_NAMED = 5
_FORMS = "max, sum, first, or mean/K"
# By score as a double, equal scores as the source has them; of a chunk that stands there twice the first counts.
_AS_GIVEN = Convention("as given", ties="given", duplicates="first")


class Way(NamedTuple):
    """How the scores of a document's chunks become its own.

    Attributes:
        name: as it is written.
        score: the scores of its chunks, best first -> its score.
    """

    name: str
    score: Callable[[Sequence[float]], float]

    @property
    def best(self) -> bool:
        """Whether a document has the score of its best chunk."""
        return self.name in {"max", "first"}


def way_of(text: Any) -> Way:
    """The way that is written `max`, `sum`, `first` or `mean/K`, K a whole number from 1.

    Raises:
        UsageError: it is none.
    """
    if isinstance(text, Way):
        return text
    if text in ("max", "first"):
        return Way(text, lambda scores: scores[0])
    if text == "sum":
        return Way(text, _sum)
    found = re.fullmatch(r"mean/([1-9][0-9]{0,8})", text) if isinstance(text, str) else None
    if found is None:
        raise UsageError(f"{quoted(text, 40)} is no way to roll up", hint=f"{_FORMS}, such as mean/3")
    most = int(found[1])
    return Way(text, lambda scores: fsum(scores[:most]) / len(scores[:most]))


def _sum(scores: Sequence[float]) -> float:
    return sum(scores) if all(isinstance(score, int) for score in scores) else fsum(scores)


class RolledUp:
    """A run over documents; iterating reads the run over chunks anew, one ranking at a time.

    Attributes:
        way: how documents got their scores.
        queries, chunks, documents: what was read and made, once it was iterated.
        repeated: rows of a chunk that its ranking had already.
        dropped: rows of chunks that are not in the corpus.
        emptied: queries of which nothing was left.
        unknown: the ids that are not in the corpus, in the order of the run.
    """

    def __init__(
        self, source: Input, parents: dict[str, str], unknown: list[str], way: Way, *, scattered: bool
    ) -> None:
        self.way = way
        self.unknown = unknown
        self._source = source
        self._parents = parents
        self._scattered = scattered
        self._start()

    def _start(self) -> None:
        self.queries = self.chunks = self.documents = self.repeated = self.dropped = self.emptied = 0

    def __iter__(self) -> Iterator[Ranking]:
        from irbridge.ranking import arranged, contradicts

        self._start()
        for ranking in self._whole():
            if contradicts(ranking):
                raise InputError(
                    f"query {shown(ranking.query_id)}: the rank column contradicts the scores", path=self._source.label,
                    hint="say which rules first: irbridge convert --order score, or --order rank",
                )  # fmt: skip
            try:
                best_first, _ = arranged(ranking, _AS_GIVEN)
            except InputError as error:
                error.path = self._source.label
                raise
            self.repeated += len(ranking.doc_ids) - len(best_first.doc_ids)
            self.chunks += len(ranking.doc_ids)
            self.queries += 1
            found = self._rolled(best_first)
            self.documents += len(found.doc_ids)
            self.emptied += bool(ranking.doc_ids) and not found.doc_ids
            yield found

    def _whole(self) -> Iterator[Ranking]:
        """One ranking for each query: gathered first where the rows of one are scattered."""
        from irbridge.ranking import regrouped

        pieces = cast("Iterable[Ranking]", iter(self._source))
        if not self._scattered:
            return iter(pieces)
        return regrouped(pieces, self._source.reading)

    def _rolled(self, ranking: Ranking) -> Ranking:
        """The documents of a ranking that is best first and has each chunk once."""
        own: dict[str, list[int]] = {}
        for position, chunk_id in enumerate(ranking.doc_ids):
            parent = self._parents.get(chunk_id)
            if parent is None:
                self.dropped += 1
            else:
                own.setdefault(parent, []).append(position)
        documents, scores = list(own), ranking.scores
        if scores is None:
            return Ranking(ranking.query_id, documents, None, None, ranking.tag)
        if self.way.best:
            # Best first already, and the numbers keep the digits that they were written in.
            return Ranking(
                ranking.query_id, documents, picked(scores, [at[0] for at in own.values()]), None, ranking.tag
            )
        made = [self._score(ranking.query_id, [scores[position] for position in at]) for at in own.values()]
        # Stable: documents of one score stay in the order of their best chunks.
        order = sorted(range(len(made)), key=lambda number: -made[number])
        return Ranking(
            ranking.query_id, [documents[number] for number in order], [made[number] for number in order], None, ranking.tag
        )  # fmt: skip

    def _score(self, query_id: str, scores: Sequence[float]) -> float:
        try:
            made = self.way.score(scores)
        except (OverflowError, ValueError):  # as fsum says it
            made = nan
        if isfinite(made) or (any(map(isinf, scores)) and not isnan(made)):
            return made
        raise InputError(
            f"query {shown(query_id)}: the scores of a document's chunks have no {self.way.name}: they are too large, or "
            "infinite with both signs",
            path=self._source.label, hint="--by max takes them as they are",
        )  # fmt: skip


def rolled_up(run: Any, corpus: Any, by: str | Way = "max", *, drop_unknown: bool = False) -> RolledUp:
    """Roll a run over chunks up to their documents.

    The run is read twice: for its ids, of which alone the documents are kept, and while the result is iterated.

    Args:
        run: a run over chunks, in anything that `irbridge.load` takes.
        corpus: the chunks that it was made on, in anything that `corpora.corpus_of` takes.
        by: `max`, `sum`, `first` or `mean/K`.
        drop_unknown: leave rows out whose chunk is not in the corpus, counted; some have to be left.

    Raises:
        UsageError: `by` cannot be used.
        InputError: an input cannot be read, a chunk of the run is not in the corpus, or the run has no scores where they
            are needed.
    """
    way = way_of(by)
    source = opened(repeatable(run), "run")
    ids: dict[str, None] = {}
    queries: set[str] = set()
    scattered = False
    for ranking in cast("Iterable[Ranking]", iter(source)):
        if ranking.scores is None and ranking.doc_ids and way.name != "first":
            raise InputError(
                f"query {shown(ranking.query_id)} has no scores, and {way.name} is made of scores", path=source.label,
                line=source.reading.line or None, hint="--by first takes the order alone",
            )  # fmt: skip
        scattered = scattered or ranking.query_id in queries
        queries.add(ranking.query_id)
        ids.update(dict.fromkeys(ranking.doc_ids))
    chunks = corpus_of(corpus)
    parents = _parents(chunks, ids)
    unknown = [each for each in ids if each not in parents]
    none = len(unknown) == len(ids)
    if unknown and (none or not drop_unknown):
        some = ", ".join(shown(each, 40) for each in unknown[:_NAMED]) + (", ..." if len(unknown) > _NAMED else "")
        leave = "" if none else ", or leave such rows out, counted: --drop-unknown"
        raise InputError(
            f"{counted(len(unknown), 'id')} of {counted(len(ids), 'id')} in the run {'is' if len(unknown) == 1 else 'are'} "
            f"in no chunk of {shown(chunks.label, 100)}: {some}",
            path=source.label,
            hint=f"name the corpus that the run was made on{leave}",
        )
    return RolledUp(source, parents, unknown, way, scattered=scattered)


def _parents(corpus: Corpus, ids: Container[str]) -> dict[str, str]:
    """Chunk id -> document, of those ids that the corpus has.

    Raises:
        InputError: a chunk is of two documents.
    """
    found: dict[str, str] = {}
    for piece in corpus.pieces():
        for row in piece:
            if row.chunk_id in ids and found.setdefault(row.chunk_id, row.doc_uri) != row.doc_uri:
                raise InputError(
                    f"chunk {shown(row.chunk_id)} is of two documents, {shown(found[row.chunk_id], 40)} and "
                    f"{shown(row.doc_uri, 40)}",
                    path=corpus.label,
                    hint="a chunk id names one chunk: irbridge stamp gives chunks such ids",
                )
    return found
