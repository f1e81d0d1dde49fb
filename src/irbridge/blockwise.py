"""Judging a run block by block: the same as `collect.Collector.add` for every ranking, for all queries of a block at once.

Of a block only three things are looked at: which rows are judged documents (by hash, then verified byte for byte), where
scores stop falling, and where a document repeats. A query in which anything but ties is unusual goes the careful way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irbridge.arrays import Ints, Words
from irbridge.bytecolumns import Columns, mix
from irbridge.collect import Collector
from irbridge.conventions import Convention
from irbridge.qrels import Qrels
from irbridge.reading import Reading
from irbridge.rows import RunRows

if TYPE_CHECKING:
    from numpy.typing import NDArray


def _salt(query: Ints) -> Words:
    """What sets the documents of one query apart from the same documents of another."""
    return mix((query + 1).astype(np.uint64))


class _LabelTable:
    """All (query, document) pairs of the judgments by hash."""

    def __init__(self, qrels: Qrels) -> None:
        self.documents = Columns.of_texts([doc_id for own in qrels.labels for doc_id in own])
        keys = self.documents.hashes(0) ^ _salt(qrels.query_of)
        self.order = np.argsort(keys, kind="stable")
        self.keys = keys[self.order]
        # A coarse filter ahead of the search: 16 or more slots for each label, a quick look-up for the many misses.
        self.bits = np.uint64(64 - max(12, len(keys).bit_length() + 4))
        self.filter = np.zeros(1 << int(64 - self.bits), np.bool_)
        self.filter[keys >> self.bits] = True
        self.distinct = len(keys) < 2 or bool((self.keys[1:] != self.keys[:-1]).all())

    def find(self, keys: Words, rows: RunRows) -> tuple[Ints, Ints]:
        """(row, label) of the rows that are judged."""
        likely = np.flatnonzero(self.filter[keys >> self.bits])
        place = np.searchsorted(self.keys, keys[likely])
        place[place == len(self.keys)] = 0
        same = self.keys[place] == keys[likely]
        row, label = likely[same], self.order[place[same]]
        really = rows.columns.take(row).equal(rows.doc, self.documents.take(label), 0)
        return row[really], label[really]


class BlockCollector(Collector):
    """A `Collector` that takes pieces of a run as columns."""

    def __init__(self, qrels: Qrels, convention: Convention, reading: Reading) -> None:
        super().__init__(qrels, convention, reading)
        self.table = _LabelTable(qrels)

    def add_rows(self, rows: RunRows) -> None:
        """Judge every query of the piece."""
        if not len(rows):
            return
        starts = rows.starts
        ends = np.append(starts[1:], len(rows))
        numbers = np.array([self._begin(rows, start) for start in starts.tolist()], np.int64)
        if (numbers < 0).all():
            return
        sizes = ends - starts
        group = np.repeat(np.arange(len(starts)), sizes)
        hashes = rows.columns.hashes(rows.doc)
        keys = hashes ^ _salt(numbers)[group]
        scores = rows.scores
        if self.convention.precision == "float32":
            with np.errstate(over="ignore"):
                scores = scores.astype(np.float32)
        odd = self._unusual(rows, group, starts, hashes, keys, scores)
        odd |= not self.table.distinct
        for number in np.flatnonzero(odd & (numbers >= 0)).tolist():
            first, last = int(starts[number]), int(ends[number])
            self.reading.line = int(rows.lines[first])
            self.place(int(numbers[number]), rows.ranking(first, last), rows.lines[first:last])
        plain = ~odd & (numbers >= 0)
        self.retrieved[numbers[plain]] = sizes[plain]
        self.documents += int(sizes[plain].sum())
        if len(self.sample) < 3:
            self.sample.extend(rows.columns.texts(rows.doc, int(starts[0]), int(min(starts[0] + 3, ends[0]))))
        row, label = self.table.find(keys, rows)
        wanted = plain[group[row]]
        row, label = row[wanted], label[wanted]
        rank = row - starts[group[row]] + 1
        if self.convention.ties != "given":
            rank = self._untied(rows, scores, group, row, rank)
        # Ranks within one query have to rise: a repaired tie may have swapped two of them.
        swapped = np.lexsort((rank, group[row]))
        self.more_labels.append(label[swapped])
        self.more_ranks.append(rank[swapped])

    def _begin(self, rows: RunRows, start: int) -> int:
        number = self.begin(rows.query_id(start))
        return -1 if number is None else number

    def _unusual(
        self, rows: RunRows, group: Ints, starts: Ints, hashes: Words, keys: Words, scores: NDArray[np.floating]
    ) -> NDArray[np.bool_]:
        """Per query of the piece: whether rows are out of order, repeat a document, or are to be dropped."""
        odd = np.zeros(len(starts), np.bool_)
        within = np.ones(len(group) - 1, np.bool_)
        within[starts[1:] - 1] = False
        odd[group[1:][within & (scores[1:] > scores[:-1])]] = True
        in_order = np.sort(keys)
        again = in_order[1:][in_order[1:] == in_order[:-1]]
        if len(again):
            odd[group[np.isin(keys, again)]] = True
        if rows.ranks is not None:
            odd[group[1:][within & (rows.ranks[1:] < rows.ranks[:-1])]] = True
        if self.convention.self_retrieval == "drop":
            own = rows.columns.take(starts).hashes(rows.query)
            odd[group[hashes == own[group]]] = True
        return odd

    def _untied(self, rows: RunRows, scores: NDArray[np.floating], group: Ints, row: Ints, rank: Ints) -> Ints:
        """Ranks of hits inside a run of equal scores, by document id instead of by place."""
        fresh = np.ones(len(scores) + 1, np.bool_)
        fresh[1:-1] = (scores[1:] != scores[:-1]) | (group[1:] != group[:-1])
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
