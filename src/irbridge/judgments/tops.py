"""The first documents of a run's rankings, in the order in which they would be scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from irbridge.conventions import Convention, get_convention
from irbridge.errors import InputError
from irbridge.inputs import Input, opened
from irbridge.model import Ranking
from irbridge.ranking import arranged, regrouped

#: The order of `irbridge score` for research measures; a document twice counts where it stands first.
ORDER: Convention = get_convention("ir_measures").changed(duplicates="first")


def tops(run: Any, depth: int, convention: Convention = ORDER, **options: Any) -> tuple[dict[str, list[str]], Input]:
    """Query -> its first `depth` documents, best first, and the run as it was opened. Memory follows queries and depth.

    Raises:
        InputError: the run cannot be read, or holds no ranking.
    """
    source = opened(run, "run", **options)
    found: dict[str, list[str]] = {}
    for ranking in _rankings(source):
        if ranking.query_id in found:
            # Rows of one query are scattered: only all of them together have an order.
            found = {
                whole.query_id: _top(whole, depth, convention) for whole in regrouped(_rankings(source), source.reading)
            }
            break
        found[ranking.query_id] = _top(ranking, depth, convention)
    if not found:
        raise InputError("holds no ranking", path=source.label, hint="check what should have written it")
    return found, source


def _rankings(source: Input) -> Iterator[Ranking]:
    return iter(cast("Iterable[Ranking]", source))


def _top(ranking: Ranking, depth: int, convention: Convention) -> list[str]:
    return list(arranged(ranking, convention)[0].doc_ids[:depth])
