"""The labels of an assessment: read once, checked on the way, and held against a corpus where there is one."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from irbridge.inputs import Input, Through, labels_of
from irbridge.model import Chunk, Judgment
from irbridge.qrels import Qrels, Repeats
from irbridge.report import Report
from irbridge.verdict import Verdict

if TYPE_CHECKING:
    from irbridge.corpora import Corpus

#: What the specification's report says of drift; `irbridge drift` says more.
_DRIFT = ("valid", "re_anchorable", "merged", "split", "orphaned", "invalid_ratio", "still_there")


class Labels:
    """The judgments on their way into the table that is scored against; checked, and held where a corpus is to be asked.

    Attributes:
        whole: the source can hold judgments in full. Such a set is checked, and scored even where it contradicts itself,
            for the report says so; a plain table of grades that contradicts itself is refused like everywhere else.
        errors: the codes of what makes the set unsound, sorted.
        crowded: of how many documents a query judges several places, which a run cannot tell apart.
    """

    def __init__(self, source: Input, corpus: Corpus | None, *, subtopics: bool = False, pool: bool = False) -> None:
        self.source = source
        self.corpus = corpus
        self.subtopics = subtopics
        self.pool = pool
        self.whole = "labeled_by" in source.format.keeps or _own_records(source.what)
        self.errors: list[str] = []
        self.crowded = 0
        self.held: list[Judgment] = []
        self._validator: Any = None
        self._qrels: Qrels | None = None
        self._drift: tuple[dict[str, Any], dict[str, Any]] | None = None

    def read(self, source: Input, through: Through) -> Qrels:
        """The table of labels, read once; each label is then shown to `through` and to the checks."""
        if self._qrels is None:
            self._qrels = self._read(source, through)
            if self._validator is not None:
                self.errors = sorted(self._validator.result().errors)
                self.crowded = len(self._validator.tally.crowded)
            elif not (self._qrels.grades >= 1).any():
                # Of a table of grades nothing else can be wrong that its reader did not refuse.
                self.errors = ["no-positives"]
        return self._qrels

    def _read(self, source: Input, through: Through) -> Qrels:
        if not self.whole and self.corpus is None:
            return labels_of(source, through, subtopics=self.subtopics, pool=self.pool)

        def seen(labels: Iterable[Judgment]) -> Iterator[Judgment]:
            from irbridge.judgments.validation import Validator, contract_checks

            self._validator = Validator(contract_checks())
            watched = self._validator.watched(labels, source.reading)
            return through(watched if self.corpus is None else self._kept(watched))

        repeats: Repeats = "last" if self.whole else "refuse"
        if self.corpus is None:
            return labels_of(source, seen, repeats=repeats, subtopics=self.subtopics, pool=self.pool)
        # Whatever the format, a corpus is asked about labels, not about columns.
        if self.subtopics:
            from irbridge.subtopics import subtopic_qrels

            made = subtopic_qrels(seen(cast("Iterable[Judgment]", iter(source))), source.reading)
        else:
            labels = seen(cast("Iterable[Judgment]", iter(source)))
            made = Qrels.from_judgments(labels, source.reading, repeats=repeats)
        return made.with_pool() if self.pool else made

    def _kept(self, labels: Iterator[Judgment]) -> Iterator[Judgment]:
        for label in labels:
            self.held.append(label)
            yield label

    def drifted(self, report: Report) -> Report:
        """The report with what the corpus says of the labels, as its first reason."""
        if self.corpus is None:
            return report
        if self._drift is None:
            from irbridge.drift.classify import classify

            seen = _Seen(self.corpus)
            found = classify(self.held, seen.corpus)
            # An empty name is none to drift; a report has it as the corpus says it, as other implementations' reports do.
            said = self.corpus.reading.about.get("corpus_fingerprint", found.corpus_fingerprint)
            about = {"fingerprint": said, "documents": seen.documents, "chunks": seen.chunks}
            counts = found.summary.as_dict()
            self._drift = {name: counts[name] for name in _DRIFT}, about
        drift, about = self._drift
        report = replace(report, drift=drift, corpus=about)
        if not drift["invalid_ratio"]:
            return report
        percent = round(drift["invalid_ratio"] * 100)
        reasons = (f"{percent}% of judgments no longer match the live corpus", *report.verdict.reasons)
        return replace(report, verdict=report.verdict._replace(reasons=reasons))

    def checked(self, report: Report) -> Report:
        """The report with what makes the set unsound, or unfit for scoring, as its last reasons."""
        found: list[str] = []
        if self.errors:
            found.append(
                f"the judgment set is unsound ({', '.join(self.errors)}); run 'irbridge validate' for detail. "
                "No metric computed from it can be trusted"
            )
        if self.crowded:
            which = "a document" if self.crowded == 1 else f"{self.crowded:,} documents"
            found.append(
                f"labels name several places of {which} for one query; project them onto chunks before scoring"
            )
        if not found:
            return report
        return replace(report, verdict=Verdict("INDETERMINATE", (*report.verdict.reasons, *found)))


class _Seen:
    """A corpus that counts while it is read by somebody else.

    Attributes:
        corpus: the same, to be read instead.
        chunks: how many there were in the last reading.
    """

    def __init__(self, corpus: Corpus) -> None:
        from irbridge.corpora import Corpus

        self.corpus = Corpus(corpus.label, lambda: self._counted(corpus), corpus.reading, corpus.chunker, corpus.source)
        self.chunks = 0
        self._documents = array("q")

    def _counted(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        self.chunks, self._documents = 0, array("q")
        last = None
        for chunk in chunks:
            self.chunks += 1
            if chunk.doc_uri != last:
                last = chunk.doc_uri
                self._documents.append(hash(last))
            yield chunk

    @property
    def documents(self) -> int:
        """How many documents there were: of millions the names would not fit, so their hashes of 64 bits are counted."""
        import numpy as np

        return len(np.unique(np.frombuffer(self._documents, np.int64))) if self._documents else 0


def _own_records(what: Any) -> bool:
    return isinstance(what, Sequence) and bool(what) and isinstance(what[0], Judgment)
