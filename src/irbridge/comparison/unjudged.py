"""How low and how high each system can be, whatever the documents are that somebody returned and nobody judged.

The bounds of a run by itself (`Scores.bounds`) let the documents that it returned have grades. Between systems that is not
enough: a document that another one returned, once it is relevant, makes the ideal of nDCG and the R of recall larger for all.
So here every unjudged document of every run may be relevant.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irbridge.arrays import Floats, Ints
from irbridge.budgets import Budget
from irbridge.collect import Judged
from irbridge.conventions import Convention
from irbridge.evaluate import score, top_grade
from irbridge.hits import Hits
from irbridge.measures.base import Measure
from irbridge.measures.extremes import grades_to_try, with_unreturned
from irbridge.measures.gains import worth_of
from irbridge.scores import Extremes, Scores


def joint_bounds(judged: Sequence[Judged], scores: Sequence[Scores]) -> list[dict[int, Extremes]]:
    """Of each system: number of a measure -> (worst, best), float64 per query that counts for it.

    No grades from 0 to the highest one, of all documents that any of the runs returned and nobody judged, give a value outside.
    What a run returned is what the depth leaves of it, and of that what fits into the measure's budget, where it has one.
    `worst` may be lower than any that they give: documents that several runs returned are counted for each of them. A measure is
    left out where it has no bounds, or where nobody has proven what relevant documents that were not returned do to it.

    Args:
        judged: of each run, under one convention that asks for bounds.
        scores: of each.
    """
    depth = scores[0].convention.depth
    everywhere = {
        budget: np.sum([_free(_left(each.hits, depth, budget)) for each in judged], axis=0)
        for budget in {measure.budget for measure in scores[0].measures}
    }
    return [
        {
            number: (worst, own.bounds[number][1])
            for number in own.bounds
            if (worst := _worst(each.hits, everywhere[own.measures[number].budget], own, number)) is not None
        }
        for each, own in zip(judged, scores, strict=True)
    ]


def _left(hits: Hits, depth: int | None, budget: Budget | None) -> Hits:
    """What a measure sees of the rankings."""
    seen = hits.cut(depth)
    return seen if budget is None else seen.cut(hits.depths[budget])


def _free(hits: Hits) -> Ints:
    """int64 per query: how many documents of the ranking have no label."""
    return hits.retrieved - np.bincount(hits.query, minlength=hits.queries)


def _worst(hits: Hits, everywhere: Ints, own: Scores, number: int) -> Floats | None:
    """float64 per query that counts: the least, with all that others returned at what lowers it most; None: not known."""
    measure, convention = own.measures[number], own.convention
    more = everywhere - _free(_left(hits, convention.depth, measure.budget))
    if not more.any() or measure.family.unreturned == "nothing":
        return own.bounds[number][0]
    if not measure.family.unreturned:
        return None
    grade = _most_valued(hits, measure, convention)
    wider = Judged(with_unreturned(hits, more, grade))
    found = score(wider, [measure], convention.changed(unjudged="worst"))
    counted = set(own.query_ids)  # queries that count by their labels: among the new ones may be the first relevant one
    return np.asarray(found.values[0][[query_id in counted for query_id in found.query_ids]], np.float64)


def _most_valued(hits: Hits, measure: Measure, convention: Convention) -> int:
    top = top_grade(hits, convention)
    if measure.gain is None:
        return top
    tried = grades_to_try(measure, top, np.zeros(0, np.int64))
    return int(tried[worth_of(tried, measure).argmax()])
