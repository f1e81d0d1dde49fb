"""Where a label is anchored, and where it was before: the fields `span` and `reanchored_from` (spec/drift.md, 5 and 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from irbridge.formats.judgments import row
from irbridge.model import Judgment

KEPT_IN = "reanchored_from"


def kept(label: Judgment) -> list[Any]:
    """The old anchors that a label carries."""
    before = label.extra.get(KEPT_IN)
    return list(before) if isinstance(before, list) else []


def keeping(label: Judgment, origins: Sequence[Mapping[str, Any]]) -> Judgment:
    """The label with more old anchors behind those that it carries."""
    return label._replace(extra={**label.extra, KEPT_IN: [*kept(label), *origins]})


def origin(label: Judgment) -> dict[str, Any]:
    """A label that went into another one, whole but for its query, which is that of the other."""
    return {name: value for name, value in row(label).items() if name not in {"query_id", "query"}}


def place_in(found: object) -> tuple[int, int] | None:
    """The place that a field `span` names, half open; None where it is no pair of whole numbers with 0 <= start < end."""
    if not isinstance(found, dict):
        return None
    start, end = found.get("start"), found.get("end")
    # A bool is an int to Python and no place in a text.
    return (start, end) if type(start) is int and type(end) is int and 0 <= start < end else None
