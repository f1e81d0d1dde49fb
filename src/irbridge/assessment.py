"""A scoring and what it is worth: the labels checked, held against a corpus, the gates decided; one verdict of all of it.

Here the scoring meets what is built on the judgments themselves (`judgments`, `drift`, `gates`), which are blind to each
other. A gate that passes clears nothing that another one found.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from irbridge.conventions import Convention
from irbridge.errors import shown
from irbridge.inputs import Input, Through, judged_run, labels_of, opened
from irbridge.measures.base import Measure, need_pool, need_subtopics
from irbridge.model import Chunk, Judgment
from irbridge.qrels import Qrels, Repeats
from irbridge.report import InputRecord, Report, Verdict
from irbridge.report import build as scored
from irbridge.subtopics import subtopic_qrels

if TYPE_CHECKING:
    from irbridge.corpora import Corpus
    from irbridge.gates.base import Gate
    from irbridge.gates.baseline import Baseline, Comparison
    from irbridge.gates.evaluation import Evaluation
    from irbridge.stats.interval import Measurement


#: What the specification's report says of drift; `irbridge drift` says more.
_DRIFT = ("valid", "re_anchorable", "merged", "split", "orphaned", "invalid_ratio")


def assess(
    judgments: Any,
    run: Any,
    measures: Sequence[Measure],
    convention: Convention,
    *,
    corpus: Any = None,
    gates: Iterable[str | Gate] = (),
    baseline: Any = None,
    require: Sequence[str] = (),
    measurements: Mapping[str, Measurement] | None = None,
    digests: bool = True,
    baseline_run: Any = None,
) -> Report:
    """Score a run, and say whether it may pass.

    Args:
        judgments: anything that `irbridge.load` takes, or the `Input` that it returned.
        run: likewise.
        measures: as `irbridge.parse_measures` gives them.
        convention: how to evaluate.
        corpus: what the labels are held against: anything that `corpus_of` takes.
        gates: expressions such as "recall@5:0.8" (spec/gates.md).
        baseline: an earlier report, for deltas: a path, its JSON values, or a `Report`.
        require: strata that must have been scored.
        measurements: values from elsewhere, such as those of a language model that judges answers, by name; gates see them
            beside irbridge's own measures. `irbridge.summarize` makes one from repeated samples.
        digests: read the input files once more for their SHA-256, and make that of the labels.
        baseline_run: an earlier run, scored on the same labels under the same convention, for gates on the interval of the
            change.

    Returns:
        The report; its verdict is PASS only if every gate passes, something was scored and the labels are sound.

    Raises:
        UsageError: a gate expression that is none.
        IrbridgeError: an input cannot be used, or the convention refuses the run.
    """
    asked, before = _prepared(gates, baseline)
    held = _Labels(
        opened(judgments, "judgments"),
        _corpus(corpus),
        subtopics=need_subtopics(measures),
        pool=need_pool(measures),
    )
    # A baseline is compared by the digest of its labels.
    report = scored(held.source, run, measures, convention, digests=digests or before is not None, read=held.read)
    report = replace(report, measurements=dict(measurements or {}))
    if baseline_run is not None:
        report = _beside(report, opened(baseline_run, "run"), digests=digests)
    report = held.checked(held.drifted(report))
    if before is not None or asked or require:
        report = _gated(report, asked, before, require)
    return replace(report, verdict=report.verdict._replace(advice=_advice(report, held)))


def _beside(report: Report, earlier: Input, *, digests: bool) -> Report:
    """The report with the changes against an earlier run."""
    from irbridge.comparison.changes import changes
    from irbridge.evaluate import score

    judged = judged_run(report.judged.hits.qrels, earlier, report.scores.convention)
    queries, found = changes(score(judged, report.scores.measures, report.scores.convention), report.scores)
    record = InputRecord.of("baseline_run", earlier, digest=digests)
    about = {"path": record.path, "format": record.format, "sha256": record.sha256, "queries": queries}
    metrics = {name: change.as_dict() for name, change in found.items()}
    notes = (f"{earlier.label}: {note}" for note in earlier.reading.notes.values())
    return replace(report, baseline_run={**about, "metrics": metrics}, notes=(*report.notes, *notes))


def _prepared(gates: Iterable[str | Gate], baseline: Any) -> tuple[tuple[Gate, ...], Baseline | None]:
    """Gates and baseline, looked at before anything long is read."""
    gates = [gates] if isinstance(gates, str) else list(gates)
    if not gates and baseline is None:
        return (), None
    from irbridge.gates.baseline import Baseline
    from irbridge.gates.expressions import parse_all

    return parse_all(gates), None if baseline is None else Baseline.of(baseline)


def _corpus(what: Any) -> Corpus | None:
    if what is None:
        return None
    from irbridge.corpora import corpus_of

    return corpus_of(what)


class _Labels:
    """The judgments on their way into the table that is scored against; checked, and held where a corpus is to be asked.

    Attributes:
        whole: the source can hold judgments in full. Such a set is checked, and scored even where it contradicts itself,
            for the report says so; a plain table of grades that contradicts itself is refused like everywhere else.
        errors: the codes of what makes the set unsound, sorted.
    """

    def __init__(self, source: Input, corpus: Corpus | None, *, subtopics: bool = False, pool: bool = False) -> None:
        self.source = source
        self.corpus = corpus
        self.subtopics = subtopics
        self.pool = pool
        self.whole = "labeled_by" in source.format.keeps or _own_records(source.what)
        self.errors: list[str] = []
        self.held: list[Judgment] = []
        self._validator: Any = None

    def read(self, source: Input, through: Through) -> Qrels:
        """The table of labels; each label is shown to `through` and to the checks."""
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
        from irbridge.drift.classify import classify

        seen = _Seen(self.corpus)
        drift = classify(self.held, seen.corpus)
        about = {"fingerprint": drift.corpus_fingerprint, "documents": seen.documents, "chunks": seen.chunks}
        counts = drift.summary.as_dict()
        report = replace(report, drift={name: counts[name] for name in _DRIFT}, corpus=about)
        if not drift.summary.invalid_ratio:
            return report
        percent = round(drift.summary.invalid_ratio * 100)
        reasons = (f"{percent}% of judgments no longer match the live corpus", *report.verdict.reasons)
        return replace(report, verdict=report.verdict._replace(reasons=reasons))

    def checked(self, report: Report) -> Report:
        """The report with what makes the set unsound, as its last reason."""
        if self._validator is not None:
            self.errors = sorted(self._validator.result().errors)
        elif not (report.judged.hits.qrels.grades >= 1).any():
            # Of a table of grades nothing else can be wrong that its reader did not refuse.
            self.errors = ["no-positives"]
        if not self.errors:
            return report
        reason = (
            f"the judgment set is unsound ({', '.join(self.errors)}); run 'irbridge validate' for detail. "
            "No metric computed from it can be trusted"
        )
        return replace(report, verdict=Verdict("INDETERMINATE", (*report.verdict.reasons, reason)))


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


def _gated(report: Report, gates: Sequence[Gate], baseline: Baseline | None, require: Sequence[str]) -> Report:
    from irbridge.gates.base import worst
    from irbridge.gates.baseline import Comparison, compare
    from irbridge.gates.evaluation import evaluate
    from irbridge.gates.measured import Measured

    data = report.as_dict()
    comparison = Comparison() if baseline is None else compare(baseline.data, data)
    before = None if baseline is None else Measured(baseline.data)
    found = evaluate(Measured(data, before, comparison.differences), gates, require=require)
    verdict = Verdict(
        worst(report.verdict.status, found.status),
        (*report.verdict.reasons, *found.reasons),
        tuple(found.as_list()),
        tuple(_hints(found)),
    )
    report = replace(report, verdict=verdict)
    if baseline is None:
        return report
    return replace(
        report, baseline=_compared(baseline, comparison), notes=(*report.notes, *_notes(baseline, comparison, found))
    )


def _hints(found: Evaluation) -> Iterator[str]:
    for gate, outcome in found.outcomes:
        if outcome.status == "FAIL":
            where = "" if outcome.where is None else f", in the stratum {shown(outcome.where, 40)}"
            yield f"--per-query rows.csv shows which queries pull {shown(gate.measure, 40)} down{where}"
    if found.differences:
        yield "score the earlier run once more, on these labels and in this convention, with --out REPORT.json"
        if any("label" in each for each in found.differences):
            yield "or, if the corpus changed: irbridge drift --run EARLIER --run LATER tells the retriever from the labels"
    yield from found.hints


def _compared(baseline: Baseline, comparison: Comparison) -> dict[str, Any]:
    tool = baseline.data.get("tool")
    return {
        "path": baseline.label,
        "sha256": baseline.sha256,
        "tool": dict(tool) if isinstance(tool, Mapping) else None,
        "generated_at": baseline.data.get("generated_at"),
        "differences": list(comparison.differences),
        "unknown": list(comparison.unknown),
    }


def _notes(baseline: Baseline, comparison: Comparison, found: Evaluation) -> Iterator[str]:
    label = shown(baseline.label, 200)
    if comparison.differences:
        if not found.differences:  # else it is a reason already
            yield f"{label}: refused as a baseline: {'; '.join(comparison.differences)}"
    elif comparison.unknown:
        yield f"{label}: does not tell its {', '.join(comparison.unknown)}; a difference there goes unnoticed"


def _advice(report: Report, held: _Labels) -> tuple[str, ...]:
    """What to do, the most urgent first; nothing where all is well."""
    found: list[str] = []
    if held.errors:
        found.append(f"irbridge validate --judgments {shown(held.source.label, 200)}")
    if not report.scores.coverage.scored and report.scores.convention.rel > 1:
        found.append(f"no label reaches grade {report.scores.convention.rel}: lower --threshold")
    found.extend(report.verdict.advice)
    if held.corpus is not None and report.drift is not None and report.drift["invalid_ratio"]:
        found.append(
            f"irbridge drift --judgments {shown(held.source.label, 200)} --corpus {shown(held.corpus.label, 200)}"
        )
    return tuple(dict.fromkeys(found))
