"""What a program calls: the two basic workflows on files, ids, dicts, DataFrames and records alike."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from irbridge.conventions import Convention, Gain
from irbridge.errors import UsageError, quoted
from irbridge.evaluate import convention_of
from irbridge.evaluate import score as _score
from irbridge.formats import Part
from irbridge.inputs import Input, judged_run, opened, qrels_of
from irbridge.judging import Judged
from irbridge.lengths import budgets_of
from irbridge.measures.base import Measure, budgets, need_pool, need_subtopics
from irbridge.scores import Scores

if TYPE_CHECKING:
    from irbridge.budgets import Budgets
    from irbridge.comparison.result import Comparison
    from irbridge.drift.workflow import Inspected


def load(what: Any, part: Part = "judgments", *, format: str | None = None, split: str | None = None) -> Input:  # noqa: A002
    """Open judgments, a run, queries or documents; records are read when iterated.

    Args:
        what: a path, `-`, `FORMAT:path`, `irds:ID`, or an object in memory (dict of dicts, DataFrame, records).
        part: "judgments", "run", "queries" or "documents".
        format: the format's name, where sniffing is not to decide.
        split: the split of a collection that has several ("*" for all).

    Returns:
        An `Input`: iterable, as often as wanted, over `Judgment`, `Ranking`, `Query` or `Document` records.

    Raises:
        IrbridgeError: nothing is there, or its format is not recognised.
    """
    return opened(what, part, name=format, split=split)


def chosen_measures(measures: Any = None, k: Iterable[int] | int | None = None) -> list[Measure]:
    """Measures from names, objects or nothing (then the specification's six), at the cutoffs `k` if given."""
    from irbridge.measures.names import at_cutoffs, parse, spec_six

    if k is None or isinstance(k, int):
        cutoffs = None if k is None else [k]
    elif isinstance(k, Iterable):
        cutoffs = list(k)
    else:
        raise UsageError(f"k is a cutoff or several, not {quoted(k, 40)}", hint="k=10, or k=[1, 10, 100]")
    if measures is None:
        return at_cutoffs(spec_six(10), cutoffs) if cutoffs else spec_six(10)
    parsed = parse(measures)
    return at_cutoffs(parsed, cutoffs) if cutoffs else parsed


def chosen_convention(convention: str | Convention | None, measures: Sequence[Measure], **knobs: Any) -> Convention:
    """A convention by name or as it is, the default where None, with the knobs that are not None set."""
    return convention_of(convention, measures).changed(**_with_gain(knobs))


def judged(
    qrels: Any,
    run: Any,
    convention: Convention,
    *,
    subtopics: bool = False,
    pool: bool = False,
    budgets: Budgets | None = None,
) -> Judged:
    """The judged hits of a run; `qrels` and `run` are anything that `load` takes."""
    return judged_run(qrels_of(qrels, subtopics=subtopics, pool=pool), run, convention, budgets=budgets)


def score(
    qrels: Any,
    run: Any,
    measures: Any = None,
    *,
    convention: str | Convention | None = None,
    k: Iterable[int] | int | None = None,
    split: str | None = None,
    corpus: Any = None,
    lengths: Any = None,
    tokenizer: Any = None,
    **knobs: Any,
) -> Scores:
    """Score a run.

    Args:
        qrels: judgments: a path, an id, a dict of dicts, a DataFrame, records, or `Qrels`.
        run: a run, likewise.
        measures: names separated by spaces, a list of names, or measure objects of irbridge or ir_measures; None for the
            specification's six at 10.
        convention: a preset's name or a `Convention`; None for the default of the measures' dialect.
        k: a cutoff, or several, for every measure that takes one.
        split: the split of judgments that have several.
        corpus: the documents or chunks that the run returns, for measures with a budget such as nDCG@2000tok.
        lengths: instead of it their lengths: a file of `doc_id <TAB> length`, or a dict.
        tokenizer: what a token of the corpus is: "ws" (what white space sets apart; also None), or a function that counts the
            tokens of a text.
        knobs: single fields of the convention, such as rel=2, ties="docid-asc", missing="skip".

    Returns:
        Scores per query and in the aggregate, unrounded, with the convention and the coverage.

    Raises:
        IrbridgeError: an input cannot be used, or a measure or knob is unknown.
    """
    asked = chosen_measures(measures, k)
    under = chosen_convention(convention, asked, **knobs)
    labels = qrels if split is None else opened(qrels, "judgments", split=split)
    within = budgets_of(budgets(asked), corpus=corpus, lengths=lengths, tokenizer=tokenizer)
    seen = judged(labels, run, under, subtopics=need_subtopics(asked), pool=need_pool(asked), budgets=within)
    return _score(seen, asked, under)


def _with_gain(knobs: dict[str, Any]) -> dict[str, Any]:
    """The knobs, a gain that is given as a text or a table made one."""
    gain = knobs.get("gain")
    if isinstance(gain, str):
        return {**knobs, "gain": Gain.parse(gain)}
    return {**knobs, "gain": Gain.of(gain)} if isinstance(gain, Mapping) else knobs


#: What PyTerrier's Experiment takes and `experiment` does not -> the way here.
_PYTERRIER = {
    "retr_systems": "runs takes their results: runs, not pipelines",
    "topics": "runs are scored as they are: leave the topics out",
    "eval_metrics": "measures takes them",
    "perquery": "the result has per_query() and to_pandas(per_query=True)",
    "dataframe": "the result has to_pandas(), table() and as_dict()",
    "round": "nothing is rounded: to_pandas().round(4)",
    "highlight": "the result has verdicts: rows(), and a mark in Markdown and LaTeX (irbridge compare --out)",
    "filter_by_qrels": "only judged queries count, always",
    "filter_by_topics": "only judged queries count, always",
    "save_dir": "irbridge.convert writes runs",
}


def experiment(
    runs: Any,
    qrels: Any,
    measures: Any = None,
    *,
    names: Sequence[str] | None = None,
    baseline: int | str | None = None,
    test: Any = "t",
    correction: Any = None,
    correction_alpha: float = 0.05,
    margin: float | None = None,
    seed: int = 0,
    cluster_by: str | None = None,
    other_qrels: Any = None,
    convention: str | Convention | None = None,
    k: Iterable[int] | int | None = None,
    split: str | None = None,
    corpus: Any = None,
    lengths: Any = None,
    tokenizer: Any = None,
    **knobs: Any,
) -> Comparison:
    """Score several systems on the same labels, and hold them against a baseline: the call of PyTerrier's Experiment.

    Args:
        runs: a list of runs, each a path, an id, a dict of dicts, a DataFrame or records; or a dict {name: run}.
        qrels: judgments, likewise.
        measures: as for `score`.
        names: of the systems, in order; None: the dict's keys, or the files' names.
        baseline: the number of a system, from 0, or its name; None: nothing is tested.
        test: "t", "sign-flip", "wilcoxon", or several of them; the first decides.
        correction: "holm", "bh", "bonferroni", or None.
        correction_alpha: the level.
        margin: differences below it do not matter.
        seed: of everything random.
        cluster_by: "topic", "document" or a field of the labels, where queries depend on each other.
        other_qrels: labels whose order of the systems is held against that of `qrels`.
        convention: as for `score`.
        k: likewise.
        split: likewise.
        corpus: likewise, for measures with a budget; counted once for all runs.
        lengths: likewise.
        tokenizer: likewise.
        knobs: likewise.

    Returns:
        A result with `.table()` (a row for each system, named as in PyTerrier), `.rows()` (one for each difference), `.per_query()`,
        `.to_pandas()` and `.as_dict()` (spec/statistics.md).

    Raises:
        IrbridgeError: an input cannot be used, or a name is unknown.
    """
    from irbridge.comparison.comparing import compare
    from irbridge.comparison.plan import plan

    for name in knobs.keys() & _PYTERRIER.keys():
        raise UsageError(f"experiment takes no {name}", hint=_PYTERRIER[name])
    if isinstance(runs, str | os.PathLike):
        runs = [runs]
    if isinstance(runs, Mapping):
        names, runs = list(runs) if names is None else names, list(runs.values())
    asked = chosen_measures(measures, k)
    under = chosen_convention(convention, asked, **knobs)
    labels = qrels if split is None else opened(qrels, "judgments", split=split)
    how = plan(test, correction, correction_alpha, margin, seed, cluster_by)
    return compare(
        labels, runs, asked, under, how, names=names, baseline=baseline, other_judgments=other_qrels,
        corpus=corpus, lengths=lengths, tokenizer=tokenizer,
    )  # fmt: skip


def drift(
    judgments: Any,
    corpus: Any,
    *,
    chunker: str | None = None,
    made_on: Any = None,
    fix: bool = False,
    split: str | None = None,
) -> Inspected:
    """Hold labels against a corpus, and say what became of each.

    Args:
        judgments: anything that `load` takes.
        corpus: the chunks as they are now: a corpus file, a list of `Chunk`, or documents.
        chunker: cuts documents on the way, such as "recursive/512/64".
        made_on: the corpus or documents that the labels were made on, for labels that keep no text.
        fix: rewrite the judgments file: labels whose text is provably in one chunk move there. A journal is left beside it.
        split: the split of judgments that have several.

    Returns:
        `drift` with a finding for each label, and `repair`, whose `labels` are what is left after the provable moves.

    Raises:
        IrbridgeError: an input cannot be used, or, with `fix`, the judgments are no file that can be rewritten.
    """
    from irbridge.corpora import corpus_of
    from irbridge.drift import workflow

    labels = opened(judgments, "judgments", split=split)
    live = corpus_of(corpus, chunker)
    old = None if made_on is None else corpus_of(made_on)
    return workflow.fixed(labels, live, old) if fix else workflow.inspected(workflow.read(labels), live, old)
