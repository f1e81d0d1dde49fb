"""irbridge as a provider inside ir_measures: its measures, computed by irbridge, wherever ir_measures computes them.

    import ir_measures
    from irbridge.integrations.ir_measures import register

    irbridge = register()
    irbridge.calc_aggregate([nDCG @ 10, ERR @ 20], qrels, run)
    ir_measures.calc_aggregate([RBP(p=0.8)], qrels, run)  # what no other provider here computes

Under ir_measures' convention the numbers are those of its own providers, but that equal scores are ordered in one way in all
of them: by descending document id, as in trec_eval.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from irbridge.api import chosen_convention
from irbridge.conventions import Convention
from irbridge.errors import IrbridgeError, MissingDependency
from irbridge.evaluate import score
from irbridge.inputs import judged_run, qrels_of
from irbridge.measures.base import Measure, need_subtopics
from irbridge.measures.names import parse
from irbridge.model import Judgment
from irbridge.qrels import Qrels
from irbridge.subtopics import subtopic_qrels

#: What the provider is called.
NAME = "irbridge"


def register(*, first: bool = False, convention: str | Convention = "ir_measures") -> Any:
    """Make irbridge a provider of ir_measures; a second call takes the place of the first.

    Args:
        first: `ir_measures.calc_aggregate` and its like ask irbridge before all other providers, but those of measures that
            are defined at run time. Otherwise they ask it for what none of the others computes.
        convention: how it evaluates: a preset's name or a `Convention`.

    Returns:
        The provider, also as `ir_measures.providers.registry["irbridge"]`, with `calc_aggregate`, `iter_calc`, `calc` and
        `evaluator`.

    Raises:
        MissingDependency: ir_measures is not installed.
        UnknownName: there is no such convention.
    """
    irm = _library()
    provider = _provider_class()(chosen_convention(convention, []))
    irm.providers.register(provider)
    asked = irm.DefaultPipeline.providers
    asked[:] = [each for each in asked if each.NAME != NAME]
    defined = [number for number, each in enumerate(asked, 1) if each.NAME == "runtime"]
    asked.insert(max(defined, default=0) if first else len(asked), provider)
    return provider


def _library() -> Any:
    try:
        import ir_measures
    except ImportError:
        raise MissingDependency("ir_measures") from None
    return ir_measures


@cache
def _provider_class() -> Any:
    """The class, made when ir_measures is there to be derived from."""
    irm = _library()

    class IrbridgeProvider(irm.providers.Provider):  # type: ignore[misc, name-defined]  # a class of an untyped library
        """Measures as irbridge computes them."""

        NAME = NAME

        def __init__(self, convention: Convention) -> None:
            super().__init__()
            self.convention = convention

        def supports(self, measure: Any) -> bool:
            measure.validate_params()
            return _understood(measure) is not None

        def _evaluator(self, measures: Iterable[Any], qrels: Any) -> Any:
            return IrbridgeEvaluator(list(measures), qrels, self.convention)

    class IrbridgeEvaluator(irm.providers.Evaluator):  # type: ignore[misc, name-defined]  # a class of an untyped library
        """Measures on one set of labels."""

        def __init__(self, measures: list[Any], qrels: Any, convention: Convention) -> None:
            self.labels = _Labels(irm, measures, qrels)
            super().__init__(measures, self.labels.query_ids)
            self.convention = convention

        def _iter_calc(self, run: Any) -> Iterator[Any]:
            ranked = _texts(irm.util.RunConverter(run).as_dict_of_dict())
            for query_id, measure, value in self.labels.values(ranked, self.convention):
                yield irm.Metric(query_id=query_id, measure=measure, value=value)

    return IrbridgeProvider


def _understood(measure: Any) -> Measure | None:
    """The measure for one of ir_measures', or None: one that is defined at run time is a function of its own."""
    if hasattr(measure, "runtime_impl"):
        return None
    try:
        (found,) = parse(measure)
    except IrbridgeError:
        return None
    return found


class _Labels:
    """Labels as ir_measures hands them out, as often as its measures need them: by document, and by subtopic.

    Attributes:
        query_ids: the judged queries.
    """

    def __init__(self, irm: Any, measures: list[Any], qrels: Any) -> None:
        found = [(measure, _understood(measure)) for measure in measures]
        unknown = [measure for measure, own in found if own is None]
        if unknown:
            raise ValueError(f"irbridge does not compute {', '.join(map(str, unknown))}")  # as the other providers do
        asked = [(measure, own) for measure, own in found if own is not None]
        by_topic = [pair for pair in asked if need_subtopics([pair[1]])]
        plain = [pair for pair in asked if not need_subtopics([pair[1]])]
        given, again = irm.util.QrelsConverter(qrels).tee(2)
        labels = _texts(given.as_dict_of_dict())
        self.query_ids = set(labels)
        self._tables: list[tuple[Qrels, list[tuple[Any, Measure]]]] = []
        if any(labels.values()):
            if plain:
                self._tables.append((qrels_of(_labelled(labels)), plain))
            if by_topic:
                self._tables.append((subtopic_qrels(_judgments(again)), by_topic))

    def values(self, run: Mapping[str, Any], convention: Convention) -> Iterator[tuple[str, Any, float]]:
        """(query, ir_measures' measure, value) of the judged queries that the run answers."""
        answered = {query_id: own for query_id, own in run.items() if query_id in self.query_ids}
        for table, pairs in self._tables:
            ranked = {query_id: own for query_id, own in answered.items() if query_id in table.index}
            if not ranked:
                continue
            scores = score(judged_run(table, ranked, convention), [own for _, own in pairs], convention)
            for number, (measure, _) in enumerate(pairs):
                for query_id, value in zip(scores.query_ids, scores.values[number].tolist(), strict=True):
                    if query_id in ranked:
                        yield query_id, measure, value


def _texts(rows: Mapping[Any, Mapping[Any, Any]]) -> dict[str, dict[str, Any]]:
    """With ids as texts: a frame may hold them as numbers, in the labels or in the run or in both."""
    return {str(query_id): {str(doc_id): value for doc_id, value in own.items()} for query_id, own in rows.items()}


def _labelled(labels: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Plain numbers; a query without a label is none that can be scored."""
    return {
        query_id: {doc_id: _grade(grade) for doc_id, grade in own.items()} for query_id, own in labels.items() if own
    }


def _grade(value: Any) -> Any:
    """A frame's numpy integer as Python's; what is no whole number is refused where it is read."""
    return value.item() if hasattr(value, "item") else value


def _judgments(qrels: Any) -> Iterator[Judgment]:
    """The labels with their subtopics, which are ir_measures' iterations."""
    for label in qrels.as_namedtuple_iter():
        topic = str(getattr(label, "iteration", "0"))
        yield Judgment(str(label.query_id), str(label.doc_id), _grade(label.relevance), iteration=topic)
