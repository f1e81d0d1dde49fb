"""Preferences that a ranking fulfils, counted as trec_eval counts them (its form_prefs_counts.c and m_prefs_*.c)."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from irbridge.arrays import Bools, Floats, Ints
from irbridge.errors import InputError, shown
from irbridge.hits import Hits
from irbridge.measures.base import Measure
from irbridge.subtopics import Subtopics, subtopics_of


class Group(NamedTuple):
    """The preferences of one judgment group.

    Documents are the judged ones of the query: first those retrieved, by rank, then the others by id.

    Attributes:
        better: bool (n, n), whether the document of the row is preferred to that of the column.
        level: float64 (n,), its level, and NaN where the group has none for it.
        ranked: whether all is of one subgroup, so that levels order all documents of the group.
        returned: how many of the n were retrieved.
    """

    better: Bools
    level: Floats
    ranked: bool
    returned: int

    def counted(self) -> Counts:
        """The counts of this group."""
        better, end = self.better, self.returned
        both = better[:end, :end]
        implied = int(better[:end, end:].sum())
        # Below 0 is not relevant where levels order all documents, and neither where there are subgroups (rel_array).
        relevant, other = self.level > 0, self.level <= 0 if self.ranked else self.level == 0
        return Counts(
            int(np.triu(both, 1).sum()), int(both.sum()),
            implied, implied + int(better[end:, :end].sum()), int(better[end:, end:].sum()),
            int(relevant.sum()), int(relevant[:end].sum()), int(other.sum()), int(other[:end].sum()),
        )  # fmt: skip


class Counts(NamedTuple):
    """How many preferences there are, fulfilled and possible: both documents retrieved, one of them (implied), or neither."""

    fulfilled: int
    possible: int
    fulfilled_implied: int
    possible_implied: int
    neither: int
    relevant: int
    relevant_retrieved: int
    other: int
    other_retrieved: int


#: What one query may take in memory, and what a pair of documents takes in `_pairs` besides a byte for each group.
_LARGEST, _PAIR_BYTES = 2**32, 40

_known: WeakKeyDictionary[Hits, dict[str, Floats]] = WeakKeyDictionary()


def values(hits: Hits, measure: Measure) -> dict[str, Floats]:
    """{name of a measure without its prefs_: float64 per query}, of all of them at once.

    Raises:
        InputError: the labels have no groups, or the preferences of one group contradict each other.
    """
    if hits not in _known:
        table = subtopics_of(hits.qrels, measure.asked, preferences=True)
        rows = [_of_query(groups) for groups in _queries(hits, table)]
        _known[hits] = {name: np.array([row[name] for row in rows], np.float64) for name in rows[0]}
    return _known[hits]


def _queries(hits: Hits, table: Subtopics) -> Iterator[list[Group]]:
    """The groups of each query, one query at a time: they hold every pair of its documents."""
    rank = np.zeros(len(hits.qrels.grades), np.int64)
    rank[hits.label] = hits.rank
    level = table.grade.astype(np.float64) if table.level is None else table.level
    subgroup = np.zeros(len(table.label), np.int64) if table.subgroup is None else table.subgroup
    ends = np.searchsorted(hits.qrels.query_of[table.label], np.arange(hits.queries + 1))
    for number, own in enumerate(hits.qrels.labels):
        labels = [label for _, label in sorted(own.items())]
        labels.sort(key=lambda label: rank[label] or np.iinfo(np.int64).max)
        place = {label: position for position, label in enumerate(labels)}
        returned = int((rank[labels] > 0).sum())
        here = slice(ends[number], ends[number + 1])
        at = np.array([place[label] for label in table.label[here].tolist()], np.int64)
        topic = table.topic[here]
        names = np.unique(topic)
        if len(labels) ** 2 * (len(names) + _PAIR_BYTES) > _LARGEST:
            raise InputError(
                f"query {shown(hits.qrels.query_ids[number])}: {len(labels):,} judged documents in {len(names):,} judgment "
                "groups are too many, as preferences are counted over all pairs",
                hint="keep fewer labels of a query: about 10,000 documents are the most",
            )
        groups: list[Group] = []
        for each in names:
            mine = topic == each
            group = _group(at[mine], subgroup[here][mine], level[here][mine], len(labels), returned)
            if group is None:
                query_id = shown(hits.qrels.query_ids[number])
                raise InputError(
                    f"query {query_id}: the preferences of one judgment group contradict each other",
                    hint="within a group a document is better, or relevant, in every subgroup or in none; give what differs another group",
                )
            groups.append(group)
        yield groups


def _group(at: Ints, subgroup: Ints, level: Floats, size: int, returned: int) -> Group | None:
    """One group; None where it contradicts itself."""
    levels = np.full(size, nan)
    levels[at] = level
    better = np.zeros((size, size), np.bool_)
    names = np.unique(subgroup)
    for name in names:
        mine = subgroup == name
        better[np.ix_(at[mine], at[mine])] |= level[mine][:, None] > level[mine][None, :]
    if len(names) > 1:
        if np.intersect1d(at[level > 0], at[level == 0]).size:
            return None
        own = np.unique(at)
        better[np.ix_(own, own)] = _closed(better[np.ix_(own, own)])
        if (better & better.T).any():
            return None
    return Group(better, levels, len(names) == 1, returned)


def _closed(better: Bools) -> Bools:
    """With what follows from it: a is better than c where a is better than b, and b than c."""
    while True:
        whole = better | (better.astype(np.float32) @ better.astype(np.float32) > 0)
        if (whole == better).all():
            return whole
        better = whole


def _of_query(groups: list[Group]) -> dict[str, float]:
    counts = [group.counted() for group in groups]
    fulfilled = [(each.fulfilled, each.fulfilled + each.fulfilled_implied) for each in counts]
    possible = [
        (each.possible, each.possible + each.possible_implied, each.possible + each.possible_implied + each.neither)
        for each in counts
    ]
    pairs = _pairs(groups)
    found: dict[str, float] = {
        "num_prefs_poss": sum(whole for _, _, whole in possible),
        "num_prefs_ful": sum(implied for _, implied in fulfilled),
        "num_prefs_ful_ret": sum(both for both, _ in fulfilled),
    }
    for place, suffix in ((2, ""), (0, "_ret"), (1, "_imp")):
        ful, poss = [each[min(place, 1)] for each in fulfilled], [each[place] for each in possible]
        found[f"simp{suffix}"] = _share(sum(ful), sum(poss))
        found[f"avgjg{suffix}"] = sum(map(_share, ful, poss)) / len(groups)
        found[f"pair{suffix}"] = pairs[place]
    for suffix, balanced in (("", _balanced), ("_ret", _balanced_retrieved)):
        total = sum(_ratio(*balanced(group, each)) for group, each in zip(groups, counts, strict=True))
        # A group without a relevant document makes it 0 / 0, and trec_eval prints that as 0 of the whole query.
        found[f"avgjg_Rnonrel{suffix}"] = total / len(groups) if total > 0 else 0.0
    return found


def _share(fulfilled: int, possible: int) -> float:
    return fulfilled / possible if possible else 0.0


def _ratio(fulfilled: int, possible: int) -> float:
    return fulfilled / possible if possible else nan


def _pairs(groups: list[Group]) -> tuple[float, float, float]:
    """The mean, over pairs of documents, of the share of groups whose preference it fulfils: retrieved, implied too, all."""
    count = np.sum([group.better for group in groups], axis=0, dtype=np.int64)
    end = groups[0].returned
    both = np.triu(count + count.T, 1)
    share = np.divide(count, both, out=np.zeros(both.shape), where=both > 0)
    rated = np.count_nonzero(both[:end, :end]), np.count_nonzero(both[:end]), np.count_nonzero(both)
    got = share[:end, :end].sum(), share[:end].sum(), share[:end].sum()
    retrieved, implied, every = (float(mine / of) if of else 0.0 for mine, of in zip(got, rated, strict=True))
    return retrieved, implied, every


def _balanced(group: Group, counts: Counts) -> tuple[int, int]:
    """(fulfilled, possible) as if there were as many documents that are not relevant as relevant ones (R)."""
    more = counts.relevant - counts.other
    if more >= 0:
        fulfilled = counts.fulfilled + counts.fulfilled_implied + counts.relevant_retrieved * more
        return fulfilled, counts.possible + counts.possible_implied + counts.neither + counts.relevant * more
    if group.ranked:
        return _against_first(group, counts.relevant, len(group.level))
    kept = group._replace(better=group.better & _first(group, counts.relevant, len(group.level))).counted()
    return (
        kept.fulfilled + kept.fulfilled_implied,
        kept.possible + kept.possible_implied + kept.neither,
    )


def _balanced_retrieved(group: Group, counts: Counts) -> tuple[int, int]:
    """The same of retrieved documents alone; trec_eval counts all relevant ones here and there, and so it is done here."""
    more = counts.relevant_retrieved - counts.other_retrieved
    if more >= 0:
        return (
            counts.fulfilled + counts.relevant_retrieved * more,
            counts.possible + counts.relevant * more,
        )
    if group.ranked:
        return _against_first(group, counts.relevant_retrieved, group.returned)
    kept = group._replace(better=group.better & _first(group, counts.relevant, group.returned)).counted()
    return kept.fulfilled, kept.possible


def _against_first(group: Group, relevant: int, end: int) -> tuple[int, int]:
    """Preferences among the first `end` documents, the lowest class being its first R: as in m_prefs_avgjg_Rnonrel.c.

    There every document of the group, one of the lowest class too, is held against those R, in the order of ranks.
    """
    level = group.level[:end]
    judged = np.flatnonzero(~np.isnan(level))
    lowest = np.nanmin(group.level)
    first = np.flatnonzero(group.level == lowest)[:relevant]
    first = first[first < end]
    above = judged[level[judged] > lowest]
    better = group.better[np.ix_(above, above)]
    ahead = (above[:, None] < above[None, :]) & (above < group.returned)[:, None]
    fulfilled, possible = int((better & ahead).sum()), int(better.sum())
    before = (judged[:, None] < first[None, :]) & (judged < group.returned)[:, None]
    return fulfilled + int(before.sum()), possible + before.size


def _first(group: Group, relevant: int, end: int) -> Bools:
    """Flags (n, n): whether neither document is one that is not relevant behind the first R of those."""
    other = np.flatnonzero(group.level[:end] == 0)
    left_out = np.zeros(len(group.level), np.bool_)
    left_out[other[relevant:]] = True
    return ~(left_out[:, None] | left_out[None, :])
