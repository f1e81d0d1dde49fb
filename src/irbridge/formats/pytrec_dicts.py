"""pytrec_eval's dicts: {query: {document: grade}} and {query: {document: score}}, or {query: [documents, best first]}."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from irbridge.errors import InputError, shown
from irbridge.formats import nested
from irbridge.formats.base import Format, Part
from irbridge.model import Judgment, Ranking
from irbridge.reading import Reading


def _accepts(given: Any, part: Part) -> bool:
    return isinstance(given, Mapping)


def _read_run(given: Any, reading: Reading) -> Iterator[Ranking]:
    return nested.rankings(given, reading, lists=True)


def _read_judgments(given: Any, reading: Reading) -> Iterator[Judgment]:
    return nested.judgments(given, reading)


def _to_object(part: Part, records: Iterable[Any]) -> dict[str, dict[str, int]] | dict[str, dict[str, float]]:
    """What `pytrec_eval.RelevanceEvaluator` takes: plain dicts, ids str, grades int, scores float."""
    if part == "judgments":
        return nested.of_judgments(records)
    found: dict[str, dict[str, float]] = {}
    for ranking in records:
        if ranking.query_id in found:
            raise InputError(f"query {shown(ranking.query_id)} has two rankings", hint="keep one of them")
        found[ranking.query_id] = nested.of_ranking(ranking)
    return found


FORMAT = Format(
    name="pytrec",
    shape="object",
    summary="pytrec_eval's dicts: {query: {document: grade or score}}; a run also {query: [documents, best first]}",
    aliases=("dicts",),
    accepts=_accepts,
    read_judgments=_read_judgments,
    read_run=_read_run,
    to_object=_to_object,
    keeps=frozenset({"scores", "empty"}),
)
