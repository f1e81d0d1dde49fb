"""What a document is worth for subtopics that earlier documents have served already: the ground of the diversity measures."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from irbridge.arrays import Bools, Floats, Ints
from irbridge.hits import Hits
from irbridge.measures.base import Measure
from irbridge.subtopics import Subtopics, subtopics_of


class Served(NamedTuple):
    """The relevant (document, subtopic) pairs of a ranking, by query, then rank.

    Attributes:
        query, topic, rank: int64 per pair.
        before: int64 per pair, documents above it in its ranking that serve the same subtopic.
    """

    query: Ints
    topic: Ints
    rank: Ints
    before: Ints


def served(hits: Hits, measure: Measure) -> Served:
    """The pairs of the hits.

    Raises:
        InputError: the labels have no subtopics.
    """
    rank = np.zeros(len(hits.qrels.grades), np.int64)
    rank[hits.label] = hits.rank
    return _pairs(hits, relevant_pairs(hits, measure), rank)


def relevant_pairs(hits: Hits, measure: Measure) -> Subtopics:
    """The judgments at the relevance level.

    Raises:
        InputError: the labels have no subtopics.
    """
    table = subtopics_of(hits.qrels, measure.asked)
    return table.where(table.grade >= measure.level)


def subtopics_served(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: its subtopics with a relevant document anywhere in the labels (ndeval's actualSubtopics)."""
    pairs = relevant_pairs(hits, measure)
    return np.bincount(_distinct(hits.qrels.query_of[pairs.label], pairs.topic)[0], minlength=hits.queries).astype(
        float
    )


def _distinct(query: Ints, topic: Ints) -> tuple[Ints, Ints]:
    both = np.unique(np.stack([query, topic]), axis=1)
    return both[0], both[1]


def _pairs(hits: Hits, pairs: Subtopics, rank: Ints) -> Served:
    """Those pairs whose label has a rank above 0, with what stands before them."""
    ranked = rank[pairs.label] > 0
    label, topic = pairs.label[ranked], pairs.topic[ranked]
    query, place = hits.qrels.query_of[label], rank[label]
    alike = np.lexsort((place, topic, query))
    same = np.zeros(len(alike), np.bool_)
    same[1:] = (query[alike][1:] == query[alike][:-1]) & (topic[alike][1:] == topic[alike][:-1])
    number = np.arange(len(alike))
    first = np.maximum.accumulate(np.where(same, 0, number))
    before = np.empty(len(alike), np.int64)
    before[alike] = number - first
    order = np.lexsort((topic, place, query))
    return Served(query[order], topic[order], place[order], before[order])


def ideal(hits: Hits, measure: Measure, alpha: float, cutoff: int | None) -> Served:
    """The pairs of the best ranking down to a cutoff, put together greedily as ndeval does.

    At each rank stands the document with the most gain there; of equal ones that with the greatest id.

    Raises:
        InputError: the labels have no subtopics.
    """
    pairs = relevant_pairs(hits, measure)
    return _pairs(hits, pairs, _greedy(hits, pairs, alpha, cutoff))


def _greedy(hits: Hits, pairs: Subtopics, alpha: float, cutoff: int | None) -> Ints:
    """int64 per label: its rank in the best ranking, 0 for none; all queries a rank at a time."""
    rank = np.zeros(len(hits.qrels.grades), np.int64)
    labels = np.unique(pairs.label)
    # By query, greatest id first: of equal gains the first is taken.
    labels = labels[np.lexsort((-_order_of_ids(hits, labels), hits.qrels.query_of[labels]))]
    place = np.zeros(len(rank), np.int64)
    place[labels] = np.arange(len(labels))
    document, topic = place[pairs.label], pairs.topic
    subject = np.unique(np.stack([hits.qrels.query_of[pairs.label], topic]), axis=1, return_inverse=True)[1].ravel()
    gain = np.ones(int(subject.max(initial=-1)) + 1)
    query = hits.qrels.query_of[labels]
    free = np.ones(len(labels), np.bool_)
    step = 0
    while free.any() and (cutoff is None or step < cutoff):
        step += 1
        worth = np.asarray(np.bincount(document, weights=gain[subject], minlength=len(labels)), np.float64)
        worth[~free] = -1.0
        chosen = _first_best(query, worth)
        chosen = chosen[free[chosen]]
        rank[labels[chosen]] = step
        free[chosen] = False
        used = np.zeros(len(labels), np.bool_)
        used[chosen] = True
        gain[subject[used[document]]] *= 1.0 - alpha
        # Queries that have nothing left are not looked at again.
        alive = np.zeros(hits.queries, np.bool_)
        alive[query[free]] = True
        if not alive[query].all():
            labels, query, free, document, subject = _without(alive[query], labels, query, free, document, subject)
    return rank


def _without(
    keep: Bools, labels: Ints, query: Ints, free: Bools, document: Ints, subject: Ints
) -> tuple[Ints, Ints, Bools, Ints, Ints]:
    number = np.cumsum(keep) - 1
    kept = keep[document]
    return labels[keep], query[keep], free[keep], number[document[kept]], subject[kept]


def _first_best(query: Ints, worth: Floats) -> Ints:
    """int64 per query there: the first entry with its highest worth. Entries are ordered by query."""
    start = np.flatnonzero(np.concatenate(([True], query[1:] != query[:-1])))
    best = np.repeat(np.maximum.reduceat(worth, start), np.diff(np.append(start, len(worth))))
    found = np.flatnonzero(worth == best)
    return found[np.concatenate(([True], query[found][1:] != query[found][:-1]))]


def _order_of_ids(hits: Hits, labels: Ints) -> Ints:
    """int64 per label: the place of its document's id among those of its query, by code points."""
    place = np.zeros(len(hits.qrels.grades), np.int64)
    for own in hits.qrels.labels:
        for number, doc_id in enumerate(sorted(own)):
            place[own[doc_id]] = number
    return place[labels]
