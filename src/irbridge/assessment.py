"""A scoring and what it is worth: the labels checked, held against a corpus, the gates decided; one verdict of all of it.

Here the scoring meets what is built on the judgments themselves (`judgments`, `drift`, `gates`), which are blind to each
other. A gate that passes clears nothing that another one found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from irbridge.assessed_labels import Labels
from irbridge.conventions import Convention
from irbridge.errors import shown
from irbridge.evaluate import convention_of
from irbridge.inputs import Input, at_hand, judged_run, opened
from irbridge.measures.base import budgets, need_pool, need_subtopics
from irbridge.measures.names import parse
from irbridge.provenance import InputRecord, Provenance, files_beside
from irbridge.report import Report
from irbridge.report import build as scored
from irbridge.verdict import Verdict
from irbridge.wording import counted, shell_word

if TYPE_CHECKING:
    from irbridge.budgets import Budgets
    from irbridge.corpora import Corpus
    from irbridge.gates.base import Gate
    from irbridge.gates.baseline import Baseline, Comparison
    from irbridge.gates.evaluation import Evaluation
    from irbridge.scores import Scores
    from irbridge.stats.interval import Measurement


def assess(
    judgments: Any,
    run: Any,
    measures: Any,
    convention: str | Convention | None,
    *,
    corpus: Any = None,
    gates: Iterable[str | tuple[Any, ...] | Gate] = (),
    baseline: Any = None,
    require: Sequence[str] = (),
    measurements: Mapping[str, Measurement] | None = None,
    digests: bool = True,
    baseline_run: Any = None,
    lengths: Any = None,
    tokenizer: Any = None,
) -> Report:
    """Score a run, and say whether it may pass.

    Args:
        judgments: anything that `irbridge.load` takes, or the `Input` that it returned.
        run: likewise.
        measures: names, or measure objects of irbridge or ir_measures.
        convention: how to evaluate: a preset's name or a `Convention`; None for the default of the measures' dialect.
        corpus: what the labels are held against: anything that `corpus_of` takes.
        gates: expressions such as "recall@5:0.8" (spec/gates.md), or their parts, (R @ 5, 0.8).
        baseline: an earlier report, for deltas: a path, its JSON values, or a `Report`.
        require: strata that must have been scored.
        measurements: values from elsewhere, such as those of a language model that judges answers, by name; gates see them
            beside irbridge's own measures. `irbridge.summarize` makes one from repeated samples.
        digests: read the input files once more for their SHA-256, and make that of the labels.
        baseline_run: an earlier run, scored on the same labels under the same convention, for gates on the interval of the
            change.
        lengths: how long documents are, for measures with a budget; without it the corpus is counted.
        tokenizer: what a token of the corpus is (`irbridge.lengths`).

    Returns:
        The report; its verdict is PASS only if every gate passes, something was scored and the labels are sound.

    Raises:
        UsageError: a gate expression that is none.
        IrbridgeError: an input cannot be used, or the convention refuses the run.
    """
    return _assessed(
        judgments, [run], measures, convention, corpus=corpus, gates=gates, baseline=baseline, require=require,
        measurements=measurements, digests=digests, baseline_run=baseline_run, lengths=lengths, tokenizer=tokenizer,
    )[0]  # fmt: skip


def assess_runs(
    judgments: Any, runs: Iterable[Any], measures: Any, convention: str | Convention | None = None, **options: Any
) -> list[Report]:
    """Score several runs on the same labels, which are read, checked and held against the corpus once.

    Args:
        judgments: as for `assess`.
        runs: each as `run` of `assess`.
        measures: as for `assess`.
        convention: likewise.
        options: all others that `assess` takes; they hold for each run by itself.

    Returns:
        A report for each run, in their order.

    Raises:
        UsageError: a gate expression that is none.
        IrbridgeError: as `assess`, for whichever run is the first to fail.
    """
    return _assessed(judgments, runs, measures, convention, **options)


def _assessed(
    judgments: Any,
    runs: Iterable[Any],
    measures: Any,
    convention: str | Convention | None,
    *,
    corpus: Any = None,
    gates: Iterable[str | tuple[Any, ...] | Gate] = (),
    baseline: Any = None,
    require: Sequence[str] = (),
    measurements: Mapping[str, Measurement] | None = None,
    digests: bool = True,
    baseline_run: Any = None,
    lengths: Any = None,
    tokenizer: Any = None,
) -> list[Report]:
    measures = parse(measures)
    convention = convention_of(convention, measures)
    asked, before = _prepared(gates, baseline)
    corpus = None if corpus is None else at_hand(corpus)
    held = Labels(
        opened(judgments, "judgments"),
        _corpus(corpus),
        subtopics=need_subtopics(measures),
        pool=need_pool(measures),
    )
    ranked = [opened(run, "run") for run in runs]
    earlier = None if baseline_run is None else _Earlier(opened(baseline_run, "run"))
    within, limits = None, budgets(measures)
    if limits or lengths is not None or tokenizer is not None:
        from irbridge.lengths import budgets_of

        within = budgets_of(limits, corpus=corpus, lengths=lengths, tokenizer=tokenizer)
    # A baseline is compared by the digest of its labels.
    build = partial(
        scored, held.source, measures=measures, convention=convention, digests=digests or before is not None,
        read=held.read, budgets=within, provenance=Provenance(),
    )  # fmt: skip
    beside = tuple(files_beside(measures, lengths, held.corpus, digest=digests or before is not None))
    reports: list[Report] = []
    for source in ranked:
        report = build(source)
        report = replace(report, measurements=dict(measurements or {}), inputs=(*report.inputs, *beside))
        if earlier is not None:
            report = earlier.beside(report, digests=digests, budgets=within)
        report = held.checked(held.drifted(report))
        if held.corpus is not None and _uncut(report, held):
            coarse = f"the labels are of chunks, and {shown(held.corpus.label, 60)} is documents, taken whole"
            report = replace(report, notes=(*report.notes, f"{coarse}: irbridge chunk cuts them"))
        if asked or require:
            report = _whole(report, [held.source, source, *([] if earlier is None else [earlier.source])])
        if before is not None or asked or require:
            report = _gated(report, asked, before, require)
        reports.append(replace(report, verdict=report.verdict._replace(advice=_advice(report, held))))
    return reports


class _Earlier:
    """The earlier run that others are held against; scored once."""

    def __init__(self, source: Input) -> None:
        self.source = source
        self._scores: Scores | None = None

    def beside(self, report: Report, *, digests: bool, budgets: Budgets | None = None) -> Report:
        """The report with the changes against it."""
        from irbridge.comparison.changes import changes
        from irbridge.evaluate import score

        scores, source = report.scores, self.source
        if self._scores is None:
            judged = judged_run(report.judged.hits.qrels, source, scores.convention, budgets=budgets)
            self._scores = score(judged, scores.measures, scores.convention)
        queries, found = changes(self._scores, scores)
        record = InputRecord.of("baseline_run", source, digest=digests)
        about = {
            "path": record.path, "format": record.format, "sha256": record.sha256, "queries": queries,
            "judged_hits": self._scores.coverage.judged_hits,
        }  # fmt: skip
        metrics = {name: change.as_dict() for name, change in found.items()}
        notes = (f"{source.label}: {note}" for note in source.reading.notes.values())
        return replace(report, baseline_run={**about, "metrics": metrics}, notes=(*report.notes, *notes))


def _prepared(gates: Iterable[str | tuple[Any, ...] | Gate], baseline: Any) -> tuple[tuple[Gate, ...], Baseline | None]:
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


def _whole(report: Report, inputs: Sequence[Input]) -> Report:
    """The report, which no gate can pass where rows were left out: nobody knows what they would have said."""
    status, reasons, gates, advice = report.verdict
    for source in inputs:
        rows = len(source.reading.dropped)
        if rows:
            label, of = shown(source.label, 200), "judgments" if source.part == "judgments" else "run"
            status = "INDETERMINATE"
            reasons = (*reasons, f"{counted(rows, 'unusable row')} of {label} left out, so no gate can pass")
            way = f"irbridge convert --{of} {shell_word(source.label)} --drop-bad-rows -o REST"
            advice = (*advice, f"mend {label}, or gate on the rest of it: {way}")
    return replace(report, verdict=Verdict(status, reasons, gates, advice))


def _gated(report: Report, gates: Sequence[Gate], baseline: Baseline | None, require: Sequence[str]) -> Report:
    from irbridge.gates.base import worst
    from irbridge.gates.baseline import Comparison, compare
    from irbridge.gates.evaluation import evaluate, ways_out
    from irbridge.gates.measured import Measured

    data = report.as_dict()
    comparison = Comparison() if baseline is None else compare(baseline.data, data)
    before = None if baseline is None else Measured(baseline.data)
    measured = Measured(data, before, comparison.differences)
    found = evaluate(measured, gates, require=require)
    verdict = Verdict(
        worst(report.verdict.status, found.status),
        (*report.verdict.reasons, *found.reasons),
        tuple(found.as_list()),
        (*report.verdict.advice, *ways_out(found, measured)),
    )
    report = replace(report, verdict=verdict)
    if baseline is None:
        return report
    return replace(
        report, baseline=_compared(baseline, comparison), notes=(*report.notes, *_notes(baseline, comparison, found))
    )


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
    if not baseline.data["metrics"]:
        yield f"{label}: holds no number, for no query was scored in it: nothing can be compared with it"
    if comparison.differences:
        if not found.differences:  # else it is a reason already
            yield f"{label}: refused as a baseline: {'; '.join(comparison.differences)}"
    elif comparison.unknown:
        yield f"{label}: not told by both reports: {', '.join(comparison.unknown)}; a difference there goes unnoticed"


def _uncut(report: Report, held: Labels) -> bool:
    """Whether labels of chunks were held against documents that nobody cut, and do not match them for that reason."""
    if held.corpus is None or not held.corpus.assumed or report.drift is None or not report.drift["invalid_ratio"]:
        return False
    return any(label.chunk_id is not None for label in held.held)


def _advice(report: Report, held: Labels) -> tuple[str, ...]:
    """What to do, the most urgent first; nothing where all is well."""
    found: list[str] = []
    if held.errors:
        found.append(f"irbridge validate --judgments {shell_word(held.source.label)}")
    if held.crowded:
        found.append(f"irbridge project --judgments {shell_word(held.source.label)} --corpus CHUNKS.jsonl -o OUT.jsonl")
    if not report.scores.coverage.scored and report.scores.convention.rel > 1:
        found.append(f"no label reaches grade {report.scores.convention.rel}: lower --threshold")
    found.extend(report.verdict.advice)
    if held.corpus is not None and _uncut(report, held):
        documents = shell_word(held.corpus.label)
        found.append(f"irbridge chunk {documents} --chunker SPEC -o CHUNKS.jsonl, then --corpus CHUNKS.jsonl here")
    elif held.corpus is not None and report.drift is not None and report.drift["invalid_ratio"]:
        inputs = f"--judgments {shell_word(held.source.label)} --corpus {shell_word(held.corpus.label)}"
        found.append(f"irbridge drift {inputs}")
    return tuple(dict.fromkeys(found))
