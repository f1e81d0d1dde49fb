"""Every number of a run, computed by irbridge and by every oracle that is there, held against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from irbridge.conventions import Convention
from irbridge.crosscheck.causes import EMPTY, causes, known
from irbridge.crosscheck.native import HeldRun, Native
from irbridge.crosscheck.proof import Search, Target, hold
from irbridge.crosscheck.result import Comparison, Crosschecked, Example, OracleState
from irbridge.errors import UsageError, shown
from irbridge.evaluate import convention_of
from irbridge.inputs import qrels_of
from irbridge.measures.base import Measure, need_pool, need_subtopics
from irbridge.measures.names import parse, spec_six
from irbridge.oracles import ORACLES, Oracle
from irbridge.oracles.base import Answer, Material
from irbridge.scores import Scores

_EXAMPLES = 3


def crosscheck(
    qrels: Any,
    run: Any,
    measures: Any = None,
    convention: str | Convention | None = None,
    oracles: Iterable[str | Oracle] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Crosschecked:
    """Compute measures natively and by every oracle, query by query, and explain what differs.

    The run is read into memory whole, unlike in scoring: oracles take it whole, and a cause is proven by ranking it anew.

    Args:
        qrels: judgments: a path, an id, a dict of dicts, a DataFrame, records, or `Qrels`.
        run: a run, likewise.
        measures: names, or measure objects; None for the specification's six at 10.
        convention: a preset's name or a `Convention`; None for the default of the measures' dialect.
        oracles: names of oracles or of their columns ("ir_measures"), or `Oracle` objects; None for all.
        progress: called with an oracle's name before it is asked.

    Raises:
        UsageError: a measure has a budget, which no oracle knows.
        IrbridgeError: an input cannot be used, or a measure, convention or oracle is unknown.
    """
    asked = spec_six(10) if measures is None else parse(measures)
    _without_budgets(asked)
    base = convention_of(convention, asked)
    chosen = _chosen(oracles)
    table = qrels_of(qrels, subtopics=need_subtopics(asked), pool=need_pool(asked))
    held = HeldRun.read(table, run)
    native = Native(table, held)
    scores = native.scores(asked, base)
    material: Material | None = None
    states: list[OracleState] = []
    answers: list[tuple[Oracle, Answer]] = []
    for oracle in chosen:
        version, skipped, hint = oracle.probed()
        answer = None
        if version is not None:
            if progress is not None:
                progress(oracle.name)
            material = material or held.material(table)
            answer = oracle.answer(material, scores.measures)
            answers.append((oracle, answer))
        refused = None if answer is None else answer.refused
        states.append(OracleState(oracle.name, oracle.column, version, skipped, refused, hint))
    del material  # a second copy of the run's rows, of no use to what follows
    comparisons = [
        _compared(native, scores, number, measure, oracle, answer)
        for number, measure in enumerate(asked)
        for oracle, answer in answers
    ]
    return Crosschecked(scores, states, comparisons, [str(note) for note in held.reading.notes.values()])


def _without_budgets(measures: Iterable[Measure]) -> None:
    for measure in measures:
        if measure.budget is not None:
            raise UsageError(
                f"{shown(measure.asked)} looks as far as a budget reaches, which no other engine does: there is nothing to hold it against",
                hint="leave it out here; irbridge score and irbridge compare compute it, with --corpus C or --lengths FILE",
            )


def _chosen(wanted: Iterable[str | Oracle] | None) -> list[Oracle]:
    if wanted is None:
        return list(ORACLES)
    found: dict[str, Oracle] = {}
    for one in [wanted] if isinstance(wanted, str) else wanted:
        if isinstance(one, Oracle):
            found[one.name] = one
            continue
        column = [oracle for oracle in ORACLES if oracle.column == one]
        for oracle in column or [ORACLES.get(one)]:
            found[oracle.name] = oracle
    return list(found.values())


def _compared(
    native: Native, scores: Scores, number: int, measure: Measure, oracle: Oracle, answer: Answer
) -> Comparison:
    name = measure.asked
    why = answer.left_out.get(name)
    if why is not None:
        return Comparison(name, oracle.name, oracle.column, "uncovered", oracle.note, why)
    refused = answer.refused or answer.declined.get(name)
    if refused is None and not answer.values.get(name):
        refused = "not compared: it answers for no query of this run"
    if refused is not None:
        return Comparison(name, oracle.name, oracle.column, "refused", oracle.note, refused)
    theirs = answer.values.get(name, {})
    own_mean = answer.means.get(name)
    target = Target(theirs, own_mean, oracle.tolerance)
    ours = native.scores([measure], scores.convention)
    held = hold(ours, target)
    explanation = None
    if not held.agrees:
        base, top = scores.convention, int(native.qrels.grades.max())
        engine = oracle.convention(scores.measures[number])
        own = known(measure, base, engine, oracle.formula(scores.measures[number]))
        own += [EMPTY] if native.held.empty else []
        search = Search(native, measure, base, target, held.queries)
        explanation = search.run(own, causes(measure, base, top))
    status = "equal" if held.agrees else "unexplained" if explanation is None else "explained"
    by_query = dict(zip(ours.query_ids, ours.values[0].tolist(), strict=True))
    return Comparison(
        measure=name,
        oracle=oracle.name,
        column=oracle.column,
        status=status,  # type: ignore[arg-type]  # mypy does not narrow a conditional of literals
        note=oracle.note,
        equal=held.equal,
        rounded=held.rounded,
        differ=len(held.differ),
        ours_only=len(held.ours_only),
        theirs_only=len(held.theirs_only),
        tolerance=oracle.tolerance,
        ours=ours.aggregate(0),
        theirs=own_mean if own_mean is not None else _mean(measure, theirs),
        means_agree=held.means_agree,
        explanation=explanation,
        examples=_examples([*held.differ, *held.ours_only, *held.theirs_only], by_query, theirs),
    )


def _mean(measure: Measure, values: Any) -> float | None:
    found = list(values.values())
    if not found:
        return None
    return measure.family.aggregate(np.array(found, np.float64))


def _examples(query_ids: list[str], ours: dict[str, float], theirs: Any) -> list[Example]:
    found = [Example(query_id, ours.get(query_id), theirs.get(query_id)) for query_id in query_ids]

    def gap(example: Example) -> float:
        if example.ours is None or example.theirs is None:
            return -1.0  # one side does not count it: after those with two values
        return abs(example.ours - example.theirs)

    return sorted(found, key=gap, reverse=True)[:_EXAMPLES]
