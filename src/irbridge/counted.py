"""Records on their way from one format to another: counted, put in order, and looked at for what the target cannot hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import ne
from typing import Any, cast

from irbridge.collect import Scattered
from irbridge.conventions import Convention
from irbridge.errors import InputError, shown
from irbridge.formats import Format, Part
from irbridge.identity import is_chunk_id
from irbridge.inputs import Input
from irbridge.model import Judgment, Ranking
from irbridge.qrels import LEVEL, SUBGROUP, unique
from irbridge.ranking import arranged, contradicts, regrouped
from irbridge.runfile import lost_of
from irbridge.sidecar import Sidecar
from irbridge.written import Written

# Optional fields of a label, in the order in which a loss is reported.
_FIELDS = (
    "query", "chunk_id", "text_sha", "chunk_text", "corpus_fingerprint", "labeled_by", "labeled_at", "stratum", "notes",
)  # fmt: skip
# Order of a list of documents: by score as a double, equal scores as the source has them, nothing dropped.
_AS_GIVEN = Convention("as given", ties="given")


@dataclass
class Outcome:
    """What a conversion did.

    Attributes:
        source, target: format names.
        rows_in, rows_out: rows read and written, by part.
        losses: what the target cannot hold -> in how many rows.
        notes: what a person should know, in words.
        dropped: the rows left out under `drop_bad_rows`, each as the error that it would have been.
        result: the object, where the target is in memory.
    """

    source: str
    target: str
    rows_in: dict[Part, int] = field(default_factory=dict)
    rows_out: dict[Part, int] = field(default_factory=dict)
    losses: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    dropped: list[InputError] = field(default_factory=list)
    result: Any = None

    def lost(self, what: str, count: int = 1) -> None:
        self.losses[what] = self.losses.get(what, 0) + count


class Counted:
    """The records of a source, for one target.

    Args:
        source: where they come from.
        target: the format they go to.
        outcome: gets the counts and the losses.
        order: "score" or "rank", where a run's rank column contradicts its scores.
        as_chunk_ids: document ids that are chunk ids become `chunk_id` of the judgments.
    """

    def __init__(
        self, source: Input, target: Format, outcome: Outcome, order: str | None, *, as_chunk_ids: bool
    ) -> None:
        self.source = source
        self.target = target
        self.outcome = outcome
        self.order = order
        self.as_chunk_ids = as_chunk_ids

    def judgments(self, sidecar: Sidecar | None = None) -> Iterator[Judgment]:
        labels = unique(self._labels(), self.source.reading, places=self.target.keeps_unknown)
        for label in sidecar.restored(labels) if sidecar is not None else labels:
            kept = self._with_chunk_id(label) if self.as_chunk_ids else label
            self._count_losses(kept)
            yield kept

    def _labels(self) -> Iterator[Judgment]:
        """The labels as they are read, repeated ones included."""
        rows = 0
        for label in cast("Iterable[Judgment]", iter(self.source)):
            rows += 1
            yield label
        self.outcome.rows_in["judgments"] = rows

    @staticmethod
    def _with_chunk_id(label: Judgment) -> Judgment:
        if label.chunk_id is None and is_chunk_id(label.doc_uri):
            return label._replace(chunk_id=label.doc_uri)
        return label

    def _count_losses(self, label: Judgment) -> None:
        keeps = self.target.keeps
        if label.chunk_id is not None and "chunk_id" not in keeps and label.chunk_id != label.doc_uri:
            self.outcome.lost("doc_uri (the row is keyed by its chunk_id)")
        for name in _FIELDS:
            if name not in keeps and name != "chunk_id" and getattr(label, name) is not None:
                self.outcome.lost(name)
        if "iteration" not in keeps and label.iteration != "0":
            self.outcome.lost("iteration")
        if not self.target.keeps_unknown:
            for name in label.extra:
                # A split is the file that a row is in; subgroup and level are columns of preferences.
                if not (name in {"split", SUBGROUP, LEVEL} and name in keeps):
                    self.outcome.lost(name)

    def rankings(self, *, gather: bool = False) -> Iterator[Ranking]:
        seen: set[str] = set()
        rows = 0
        keeps = self.target.keeps
        notes_digits = "scores" in keeps and "digits" not in keeps and self.target.shape != "object"
        pieces = cast("Iterable[Ranking]", iter(self.source))
        for ranking in regrouped(pieces, self.source.reading) if gather else pieces:
            if ranking.query_id in seen:
                raise Scattered
            seen.add(ranking.query_id)
            rows += len(ranking.doc_ids)
            for what, count in lost_of(ranking, self.target):
                self.outcome.lost(what, count)
            if notes_digits:
                self._note_digits(ranking)
            yield self._ordered(ranking)
        self.outcome.rows_in["run"] = rows

    def _note_digits(self, ranking: Ranking) -> None:
        """Note scores that keep their value and will be written in other digits: nothing is lost but the looks of them."""
        if not isinstance(ranking.scores, Written):
            return
        texts, ours = ranking.scores.texts, list(map(repr, ranking.scores))
        other = sum(map(ne, texts, ours))
        if other:
            text, own = next((text, own) for text, own in zip(texts, ours, strict=True) if text != own)
            self.source.reading.note(
                "digits",
                f"{{n}} {{score keeps its|scores keep their}} value, not {{its|their}} digits: {text} is {own}",
                count=other,
            )

    def _ordered(self, ranking: Ranking) -> Ranking:
        """Best first. A rank column that contradicts the scores is never overruled in silence."""
        if contradicts(ranking):
            if self.order is None:
                raise InputError(
                    f"query {shown(ranking.query_id)}: the rank column contradicts the scores",
                    path=self.source.label,
                    hint="say which rules: --order score (as trec_eval reads runs) or --order rank (as MS MARCO's script does)",
                )
            if self.order == "rank":
                by_rank = sorted(range(len(ranking.doc_ids)), key=cast("Any", ranking.ranks).__getitem__)
                self.outcome.lost("scores (the rank column ruled)", len(by_rank))
                return ranking._replace(
                    doc_ids=[ranking.doc_ids[position] for position in by_rank], scores=None, ranks=None
                )
        if ranking.scores is None:
            return ranking
        return arranged(ranking, _AS_GIVEN)[0]._replace(ranks=ranking.ranks)
