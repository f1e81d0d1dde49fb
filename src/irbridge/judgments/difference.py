"""What sets two sets of judgments apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from irbridge.judgments.tables import Labels, judged, labels_in, named, place_of
from irbridge.model import Judgment

#: Fields that are compared where both sides can hold them; place and grade are compared always.
_FIELDS = (
    "doc_uri", "query", "text_sha", "chunk_text", "corpus_fingerprint", "labeled_by", "labeled_at", "stratum", "notes",
)  # fmt: skip


class Change(NamedTuple):
    """One label on both sides. `fields`: the names of what differs; empty where only the grade does."""

    before: Judgment
    after: Judgment
    fields: tuple[str, ...] = ()


class Difference(NamedTuple):
    """What leads from one set to another.

    Attributes:
        added, removed: labels of one side only, in that side's order.
        regraded: labels with two grades, in the order of the first set.
        edited: labels of one grade whose other fields differ.
        same: labels that are on both sides alike.
        names: what the two sets are called.
    """

    added: tuple[Judgment, ...]
    removed: tuple[Judgment, ...]
    regraded: tuple[Change, ...]
    edited: tuple[Change, ...]
    same: int
    names: tuple[str, str] = ("one", "other")

    @property
    def empty(self) -> bool:
        """Whether nothing differs."""
        return not (self.added or self.removed or self.regraded or self.edited)

    def by_query(self) -> dict[str, dict[str, int]]:
        """Query -> how many labels were added, removed, regraded and edited; queries without a difference are left out."""
        counts: dict[str, dict[str, int]] = {}
        kinds: dict[str, Iterable[str]] = {
            "added": (label.query_id for label in self.added),
            "removed": (label.query_id for label in self.removed),
            "regraded": (change.after.query_id for change in self.regraded),
            "edited": (change.after.query_id for change in self.edited),
        }
        for kind, query_ids in kinds.items():
            for query_id in query_ids:
                own = counts.setdefault(query_id, dict.fromkeys(kinds, 0))
                own[kind] += 1
        return {query_id: counts[query_id] for query_id in sorted(counts)}

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "summary": {
                "added": len(self.added),
                "removed": len(self.removed),
                "regraded": len(self.regraded),
                "edited": len(self.edited),
                "same": self.same,
            },
            "added": [judged(label) for label in self.added],
            "removed": [judged(label) for label in self.removed],
            "regraded": [
                {**named(change.after), "before": change.before.relevance, "after": change.after.relevance}
                for change in self.regraded
            ],
            "edited": [{**named(change.after), "fields": list(change.fields)} for change in self.edited],
            "queries": self.by_query(),
            "inputs": list(self.names),
        }


def compare(one: Labels, other: Labels, fields: Iterable[str] = ()) -> Difference:
    """What leads from the labels `one` to the labels `other`.

    Args:
        one: labels by place.
        other: likewise.
        fields: further fields that count; "extra" stands for all unknown ones.
    """
    wanted = tuple(fields)
    removed, regraded, edited, same = [], [], [], 0
    for place, before in one.items():
        after = other.get(place)
        if after is None:
            removed.append(before)
            continue
        changed = _changed(before, after, wanted)
        if before.relevance != after.relevance:
            regraded.append(Change(before, after, changed))
        elif changed:
            edited.append(Change(before, after, changed))
        else:
            same += 1
    added = [label for place, label in other.items() if place not in one]
    return Difference(tuple(added), tuple(removed), tuple(regraded), tuple(edited), same)


def _changed(before: Judgment, after: Judgment, fields: tuple[str, ...]) -> tuple[str, ...]:
    found = []
    for name in fields:
        if name != "extra":
            if getattr(before, name) != getattr(after, name):
                found.append(name)
            continue
        names = dict.fromkeys([*before.extra, *after.extra])
        found.extend(each for each in names if not _equal(before.extra, after.extra, each))
    return tuple(found)


def _equal(before: Mapping[str, Any], after: Mapping[str, Any], name: str) -> bool:
    # True and 1 are equal to Python and different in JSON.
    return name in before and name in after and repr(before[name]) == repr(after[name])


def applied(labels: Labels, difference: Difference) -> Labels:
    """`labels` with a difference made in them: what is removed goes, what is added comes last."""
    gone = {place_of(label) for label in difference.removed}
    new = {place_of(change.after): change.after for change in (*difference.regraded, *difference.edited)}
    made = {place: new.get(place, label) for place, label in labels.items() if place not in gone}
    made.update((place_of(label), label) for label in difference.added)
    return made


def diff(one: Any, other: Any, *, fields: bool = False, **options: Any) -> Difference:
    """Compare two sets of judgments, of any formats.

    Args:
        one: the first set, anything that `irbridge.load` takes.
        other: the second.
        fields: compare also the fields besides the grade that both formats can hold.
        options: of `Input`, for both.

    Raises:
        InputError: one of them cannot be read, or gives one label two grades.
    """
    before, after = labels_in(one, **options), labels_in(other, **options)
    compared: list[str] = []
    if fields:
        sides = (before.source.format, after.source.format)
        compared = [name for name in _FIELDS if all(name == "doc_uri" or name in side.keeps for side in sides)]
        if all(side.keeps_unknown for side in sides):
            compared.append("extra")
        if not all("chunk_id" in side.keeps for side in sides):
            # A format without chunk ids has the key in the place of the document.
            compared.remove("doc_uri")
    return compare(before.labels, after.labels, compared)._replace(names=(before.name, after.name))
