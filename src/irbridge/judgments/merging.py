"""Two people's work on one set of judgments, put together: a three-way merge.

What one side changed and the other left alone is taken. What both changed in two ways is a conflict, and nobody but a person
(or the side they prefer) decides it. Fields that say one thing together are taken together: a grade never travels without
the one who gave it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

from irbridge.errors import UsageError, shown
from irbridge.judgments.tables import Labels, Place, named
from irbridge.model import Judgment

Prefer = Literal["ours", "theirs", "max", "min"]
PREFERENCES: tuple[str, ...] = get_args(Prefer)
_ABSENT = object()

#: Fields that are one statement. Every other field, and each unknown one, is merged by itself.
_TOGETHER: dict[str, tuple[str, ...]] = {
    "judgment": ("relevance", "labeled_by", "labeled_at"),
    "anchor": ("doc_uri", "chunk_id", "text_sha", "chunk_text", "corpus_fingerprint"),
    "query": ("query",),
    "stratum": ("stratum",),
    "notes": ("notes",),
}

_OPTIONAL = tuple(
    name for name in Judgment._fields if name not in {"query_id", "doc_uri", "relevance", "iteration", "extra"}
)


class Conflict(NamedTuple):
    """A label that both sides changed in two ways.

    Attributes:
        what: the statement ("judgment", "anchor", a field's name), or "label" where one side removed it.
        base, ours, theirs: the label as each has it, None where it has none.
    """

    place: Place
    what: str
    base: Judgment | None
    ours: Judgment | None
    theirs: Judgment | None

    def as_dict(self) -> dict[str, Any]:
        """JSON values: which label, what of it, and the three states of that."""
        label = self.ours or self.theirs
        sides = {"base": self.base, "ours": self.ours, "theirs": self.theirs}
        which = {} if label is None else named(label)
        return {**which, "what": self.what, **{name: _state(each, self.what) for name, each in sides.items()}}


class Merged(NamedTuple):
    """The outcome of a merge.

    Attributes:
        labels: the merged labels: those of ours in their order, what only theirs has behind the last label of its query.
        conflicts: what nobody has decided; while there are any, `labels` has ours in their place, or the removed label's
            other state.
        settled: conflicts that the preference decided.
        from_ours, from_theirs: how many labels have a change, an addition or a removal of that side alone.
        removed: labels of the base that one side, or both, no longer had.
    """

    labels: tuple[Judgment, ...]
    conflicts: tuple[Conflict, ...]
    settled: tuple[Conflict, ...]
    from_ours: int
    from_theirs: int
    removed: int = 0

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "labels": len(self.labels),
            "from_ours": self.from_ours,
            "from_theirs": self.from_theirs,
            "removed": self.removed,
            "conflicts": [conflict.as_dict() for conflict in self.conflicts],
            "settled": [conflict.as_dict() for conflict in self.settled],
        }


class _Merge:
    """One merge under way."""

    def __init__(self, prefer: Prefer | None, *, based: bool) -> None:
        self.prefer = prefer
        self.based = based
        self.conflicts: list[Conflict] = []
        self.settled: list[Conflict] = []

    def label(
        self, place: Place, base: Judgment | None, ours: Judgment | None, theirs: Judgment | None
    ) -> Judgment | None:
        """What becomes of one label; None: it goes."""
        if _same(ours, theirs) or _same(base, theirs):
            return ours
        if _same(base, ours):
            return theirs
        if ours is None or theirs is None:
            chosen = self._side(Conflict(place, "label", base, ours, theirs))
            return (ours or theirs) if chosen is None else (theirs if chosen == "theirs" else ours)
        fields: dict[str, Any] = {}
        for what, names in _TOGETHER.items():
            source = self._statement(place, what, names, base, ours, theirs)
            fields.update((name, getattr(source, name)) for name in names)
        return ours._replace(**fields, extra=self._extra(place, base, ours, theirs))

    def _statement(
        self, place: Place, what: str, names: tuple[str, ...], base: Judgment | None, ours: Judgment, theirs: Judgment
    ) -> Judgment:
        """The side that a statement is taken from."""
        states = [
            None if label is None else tuple(getattr(label, name) for name in names) for label in (base, ours, theirs)
        ]
        if states[1] == states[2] or states[0] == states[2]:
            return ours
        if states[0] == states[1]:
            return theirs
        return theirs if self._side(Conflict(place, what, base, ours, theirs)) == "theirs" else ours

    def _extra(self, place: Place, base: Judgment | None, ours: Judgment, theirs: Judgment) -> Mapping[str, Any]:
        made: dict[str, Any] = {}
        for name in dict.fromkeys([*ours.extra, *theirs.extra]):
            of_base = _ABSENT if base is None else base.extra.get(name, _ABSENT)
            of_ours, of_theirs = ours.extra.get(name, _ABSENT), theirs.extra.get(name, _ABSENT)
            found = of_ours
            states = [_canonical(state) for state in (of_base, of_ours, of_theirs)]
            if states[1] != states[2] and states[0] != states[2]:
                takes_theirs = states[0] == states[1] or (
                    self._side(Conflict(place, name, base, ours, theirs)) == "theirs"
                )
                found = of_theirs if takes_theirs else of_ours
            if found is not _ABSENT:
                made[name] = found
        return made or ours._field_defaults["extra"]

    def _side(self, conflict: Conflict) -> str | None:
        """The side that the preference takes, or None: it does not say, and the conflict stands."""
        if not self.based:
            conflict = conflict._replace(base=None)
        side: str | None = self.prefer
        if side not in {None, "ours", "theirs"}:
            side = self._by_grade(conflict)
        (self.conflicts if side is None else self.settled).append(conflict)
        return side

    def _by_grade(self, conflict: Conflict) -> str | None:
        ours, theirs = conflict.ours, conflict.theirs
        if conflict.what != "judgment" or ours is None or theirs is None or ours.relevance == theirs.relevance:
            return None
        return "ours" if (ours.relevance > theirs.relevance) == (self.prefer == "max") else "theirs"


def _same(one: Judgment | None, other: Judgment | None) -> bool:
    # Python takes 1 and True for equal, JSON does not; only unknown fields can hold such values.
    return one == other and (one is None or other is None or _canonical(one.extra) == _canonical(other.extra))


def _canonical(value: Any) -> str:
    """A JSON value as text, whatever the order of its members."""
    return repr(value) if value is _ABSENT else json.dumps(value, sort_keys=True, default=dict)


def _state(label: Judgment | None, what: str) -> Any:
    if label is None:
        return None
    names = _TOGETHER.get(what, ("relevance", "labeled_by") if what == "label" else ())
    if not names:
        return label.extra.get(what)
    found = {name: getattr(label, name) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def without_base(ours: Labels, theirs: Labels) -> Labels:
    """What two sets that have no common start are held against.

    Then nothing was removed: what one side has and the other does not was added. Of two equal grades ours counts, whoever gave the
    other one; what both say in two ways stays a conflict.
    """
    made: Labels = {}
    for place in ours.keys() & theirs.keys():
        one, other = ours[place], theirs[place]
        fields: dict[str, Any] = {}
        for what, names in _TOGETHER.items():
            states = [[getattr(label, name) for name in names] for label in (one, other)]
            unsaid = [all(value is None for value in state) for state in states]
            if what == "judgment":
                unsaid = [False, one.relevance == other.relevance]
            values = states[0] if unsaid[0] else states[1] if unsaid[1] else [_ABSENT] * len(names)
            fields.update(zip(names, values, strict=True))
        made[place] = other._replace(**fields, extra={})
    return made


def filled(side: Labels, base: Labels, keeps: frozenset[str], *, keeps_unknown: bool) -> Labels:
    """A side with what its format cannot hold taken from the base: what cannot be written there was not removed there.

    Args:
        side: labels of one version.
        base: labels of the version that it started from.
        keeps: the optional fields that the format of `side` holds.
        keeps_unknown: whether it holds unknown fields.

    Raises:
        UsageError: the format holds no places, and the base has several of one document.
    """
    made: Labels = {}
    by_key = {} if keeps_unknown else _by_key(base)
    for place, label in side.items():
        known = by_key.get((label.query_id, label.key, label.iteration), [place])
        if len(known) > 1:
            raise UsageError(
                f"the base judges {len(known)} places of {shown(label.key, 60)} for query {shown(label.query_id, 40)}, and "
                "one side holds no places: nobody can say which of them it means",
                hint="give this side as judgments JSONL",
            )
        [place] = known
        before = base.get(place)
        if before is not None:
            lost = {name for name in _OPTIONAL if name not in keeps and getattr(label, name) is None}
            if label.relevance != before.relevance:
                lost -= {"labeled_by", "labeled_at"}  # whoever changed the grade, it was not who gave the old one
            fields: dict[str, Any] = {name: getattr(before, name) for name in lost}
            if "chunk_id" in lost:
                fields["doc_uri"] = before.doc_uri
            if not keeps_unknown:
                fields["extra"] = before.extra
            label = label._replace(**fields)
        made[place] = label
    return made


def _by_key(labels: Labels) -> dict[Place, list[Place]]:
    """Query, key and iteration -> the places of the labels that have these."""
    found: dict[Place, list[Place]] = {}
    for place, label in labels.items():
        found.setdefault((label.query_id, label.key, label.iteration), []).append(place)
    return found


def merge(base: Labels | None, ours: Labels, theirs: Labels, prefer: Prefer | None = None) -> Merged:
    """Put two changed versions of a set of judgments together.

    Args:
        base: the version that both started from; None where there is none, as with two people who judged by themselves.
        ours: one changed version; its order is kept.
        theirs: the other.
        prefer: what decides where both changed one statement in two ways: a side, or "max" or "min", which take the side
            with the higher or lower grade and decide nothing else.
    """
    job = _Merge(prefer, based=base is not None)
    base = without_base(ours, theirs) if base is None else base
    made: Labels = {}
    from_ours = from_theirs = removed = 0
    for place in dict.fromkeys([*ours, *theirs, *base]):
        states = base.get(place), ours.get(place), theirs.get(place)
        kept = job.label(place, *states)
        from_ours += not _same(states[0], states[1]) and _same(states[0], states[2])
        from_theirs += not _same(states[0], states[2]) and _same(states[0], states[1])
        if kept is not None:
            made[place] = kept
        removed += kept is None
    labels = tuple(_ordered(made, ours))
    return Merged(labels, tuple(job.conflicts), tuple(job.settled), from_ours, from_theirs, removed)


def _ordered(made: Labels, ours: Labels) -> list[Judgment]:
    """Labels that ours does not have stand behind the last of their query; queries that it does not have at the end."""
    last = {label.query_id: place for place, label in made.items() if place in ours}
    behind: dict[str, list[Judgment]] = {}
    for place, label in made.items():
        if place not in ours:
            behind.setdefault(label.query_id, []).append(label)
    ordered: list[Judgment] = []
    for place, label in made.items():
        if place in ours:
            ordered.append(label)
            if last[label.query_id] == place:
                ordered.extend(behind.pop(label.query_id, ()))
    return ordered + [label for labels in behind.values() for label in labels]
