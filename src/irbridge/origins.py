"""Where a label is anchored, and where it was before: the fields `span` and `reanchored_from` (spec/drift.md, 5 and 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from irbridge.formats.judgments import row
from irbridge.model import Judgment, place_in

__all__ = ["KEPT_IN", "keeping", "kept", "origin", "place_in"]

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
