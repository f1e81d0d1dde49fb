"""Judging a run block by block: the same as `collect.Collector.add` for every ranking, for all queries of a block at once.

Of a block only three things are looked at: which rows are judged documents (by hash, then verified byte for byte), where
scores stop falling, and where a document repeats. A query in which anything but ties is unusual goes the careful way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irbridge.arrays import Ints, Words
from irbridge.bytecolumns import repeated, salt
from irbridge.collect import Collector, Scattered
from irbridge.qrels import Qrels
from irbridge.rows import RunRows

if TYPE_CHECKING:
    from numpy.typing import NDArray


class _Labels:
    """The labels of the queries of one piece, by hash: so few that looking for them stays in the nearest cache.

    Args:
        qrels: all labels.
        numbers: the queries, those without labels left out.
    """

    def __init__(self, qrels: Qrels, numbers: Ints) -> None:
        label, self.documents = qrels.documents(numbers)
        keys = self.documents.hashes(0) ^ salt(qrels.query_of[label])
        self.order = np.argsort(keys, kind="stable")
        self.keys, self.label = keys[self.order], label[self.order]
        # A coarse filter ahead of the search: 16 or more slots for each label, a quick look-up for the many misses.
        self.bits = np.uint64(64 - max(12, len(keys).bit_length() + 4))
        self.filter = np.zeros(1 << int(64 - self.bits), np.bool_)
        self.filter[keys >> self.bits] = True
        self.distinct = len(keys) < 2 or bool((self.keys[1:] != self.keys[:-1]).all())

    def find(self, keys: Words, rows: RunRows) -> tuple[Ints, Ints]:
        """(row, label) of the rows that are judged."""
        likely = np.flatnonzero(self.filter[(keys >> self.bits).view(np.int64)])
        place = np.searchsorted(self.keys, keys[likely])
        place[place == len(self.keys)] = 0
        same = self.keys[place] == keys[likely]
        row, place = likely[same], place[same]
        really = rows.columns.only(rows.doc).take(row).equal(0, self.documents.take(self.order[place]), 0)
        return row[really], self.label[place[really]]


class BlockCollector(Collector):
    """A `Collector` that takes pieces of a run as columns."""

    def add_rows(self, rows: RunRows) -> None:
        """Judge every query of the piece."""
        if not len(rows):
            return
        starts = rows.starts
        ends = np.append(starts[1:], len(rows))
        numbers = self._begun(rows.columns.texts_at(rows.query, starts))
        if (numbers < 0).all():
            return
        labels = _Labels(self.qrels, numbers[numbers >= 0])
        sizes = ends - starts
        keys = rows.columns.hashes(rows.doc)
        keys ^= np.repeat(salt(numbers), sizes)
        scores = rows.scores
        if self.convention.precision == "float32" and not rows.falling:
            with np.errstate(over="ignore"):
                scores = scores.astype(np.float32)
        odd = self._unusual(rows, numbers, keys, scores)
        odd |= not labels.distinct
        for number in np.flatnonzero(odd & (numbers >= 0)).tolist():
            first, last = int(starts[number]), int(ends[number])
            ranking, lines = rows.as_read(first, last)
            self.reading.line = int(lines[0])
            self.place(int(numbers[number]), ranking, lines)
        plain = ~odd & (numbers >= 0)
        self.retrieved[numbers[plain]] = sizes[plain]
        self.documents += int(sizes[plain].sum())
        if len(self.sample) < 3:
            self.sample.extend(rows.columns.texts(rows.doc, int(starts[0]), int(min(starts[0] + 3, ends[0]))))
        row, label = labels.find(keys, rows)
        group = _groups(starts, row)
        wanted = plain[group]
        row, label, group = row[wanted], label[wanted], group[wanted]
        rank = row - starts[group] + 1
        if self.convention.ties != "given" and not rows.falling:
            rank = self._untied(rows, scores, row, rank)
        # Ranks within one query have to rise: a repaired tie may have swapped two of them.
        swapped = np.lexsort((rank, group))
        self.more_labels.append(label[swapped])
        self.more_ranks.append(rank[swapped])

    def _begun(self, query_ids: list[str]) -> Ints:
        """The numbers of the queries that begin, -1 for one without labels.

        Raises:
            Scattered: one was begun before.
        """
        index = self.qrels.index
        numbers = np.array([index.get(query_id, -1) for query_id in query_ids], np.int64)
        judged = numbers[numbers >= 0]
        if len(judged) < len(numbers):
            self.extra.update((query_id, None) for query_id in query_ids if query_id not in index)
        if self.answered[judged].any() or len(set(judged.tolist())) < len(judged):  # np.unique loads numpy.ma
            raise Scattered
        self.answered[judged] = True
        return numbers

    def _unusual(self, rows: RunRows, numbers: Ints, keys: Words, scores: NDArray[np.floating]) -> NDArray[np.bool_]:
        """Per query of the piece: whether rows are out of order, repeat a document, or are to be dropped."""
        starts = rows.starts
        odd = np.zeros(len(starts), np.bool_)

        def marked(which: NDArray[np.bool_], first: int = 0) -> None:
            odd[_groups(starts, np.flatnonzero(which) + first)] = True

        def between(which: NDArray[np.bool_]) -> None:
            which[starts[1:] - 1] = False  # of two queries
            marked(which, 1)

        if not rows.falling:
            between(scores[1:] > scores[:-1])
        again = repeated(keys)
        if len(again):
            marked(np.isin(keys, again))
        if rows.ranks is not None:
            between(rows.ranks[1:] < rows.ranks[:-1])
        if self.convention.self_retrieval == "drop":
            own = rows.columns.take(starts).hashes(rows.query) ^ salt(numbers)
            marked(keys == np.repeat(own, np.diff(starts, append=len(rows))))
        return odd

    def _untied(self, rows: RunRows, scores: NDArray[np.floating], row: Ints, rank: Ints) -> Ints:
        """Ranks of hits inside a run of equal scores, by document id instead of by place."""
        fresh = np.ones(len(scores) + 1, np.bool_)
        np.not_equal(scores[1:], scores[:-1], out=fresh[1:-1])
        fresh[rows.starts] = True
        borders = np.flatnonzero(fresh)
        at = np.searchsorted(borders, row, side="right")
        first, last = borders[at - 1], borders[at]
        tied = np.flatnonzero(last - first > 1)
        if not len(tied):
            return rank
        rank = rank.copy()
        places: dict[str, int] = {}
        done = -1
        for hit in tied.tolist():
            begin, end, here = int(first[hit]), int(last[hit]), int(row[hit])
            if begin != done:
                doc_ids = rows.columns.texts(rows.doc, begin, end)
                ordered = sorted(doc_ids, reverse=self.convention.ties == "docid-desc")
                places = {doc_id: place for place, doc_id in enumerate(ordered)}
                done = begin
            rank[hit] += places[rows.columns.text(here, rows.doc)] - (here - begin)
        return rank


def _groups(starts: Ints, rows: Ints) -> Ints:
    """In which group each of some rows is, of groups that begin at `starts`, the first at row 0."""
    return np.searchsorted(starts, rows, side="right") - 1
