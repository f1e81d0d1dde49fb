"""Judgments as a table of whole labels, for comparing and merging; memory follows the labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, cast

from irbridge.errors import shown
from irbridge.inputs import Input, opened
from irbridge.model import Judgment
from irbridge.qrels import unique

#: Query, target, and iteration, which is a subtopic in diversity qrels.
Place = tuple[str, str, str]
Labels = dict[Place, Judgment]


def place_of(label: Judgment) -> Place:
    """What makes two rows one label."""
    return label.query_id, label.target, label.iteration


class Told(NamedTuple):
    """The labels of one input, and the line of each where it has lines."""

    labels: Labels
    source: Input
    lines: dict[Place, int]

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.source.label


def labels_in(what: Any, **options: Any) -> Told:
    """The labels of an input by place, in their order.

    Args:
        what: anything that `irbridge.load` takes.
        options: of `Input`.

    Raises:
        InputError: it cannot be read, or gives one label two grades.
    """
    source = opened(what, "judgments", **options)
    labels: Labels = {}
    lines: dict[Place, int] = {}
    for label in unique(cast("Iterable[Judgment]", iter(source)), source.reading, places=True):
        place = place_of(label)
        labels[place], lines[place] = label, source.reading.line
    return Told(labels, source, lines)


def named(label: Judgment) -> dict[str, Any]:
    """Which label it is, as JSON values."""
    made: dict[str, Any] = {"query_id": label.query_id, "doc_uri": label.doc_uri}
    if label.chunk_id is not None:
        made["chunk_id"] = label.chunk_id
    if label.iteration != "0":
        made["iteration"] = label.iteration
    if label.target != label.key:
        made["span"] = label.extra["span"]
    return made


def target_said(label: Judgment) -> str:
    """What a label is about, for a screen."""
    if label.target == label.key:
        return shown(label.key, 60)
    span = label.extra["span"]
    return f"{shown(label.key, 60)} [{span['start']}, {span['end']})"


def judged(label: Judgment) -> dict[str, Any]:
    """A label and its grade, as JSON values."""
    return {**named(label), "relevance": label.relevance}
