"""map_avgjg, P_avgjg, Rprec_mult_avgjg: measures of each judgment group (user) of a query, averaged over its groups."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from irbridge.arrays import Floats, Ints
from irbridge.hits import Hits, ratio
from irbridge.measures.ap import average_precision
from irbridge.measures.base import TREC_CUTOFFS, Family, Measure
from irbridge.measures.precision import precision
from irbridge.measures.rprec import precision_at_multiple
from irbridge.qrels import Qrels
from irbridge.subtopics import subtopics_of


def by_group(hits: Hits, measure: Measure) -> tuple[Hits, Ints]:
    """(the hits as if each judgment group of a query were a query with labels of its own, int64 per group: its query).

    Raises:
        InputError: the labels have no groups, or are preferences.
    """
    table = subtopics_of(hits.qrels, measure.asked)
    (query, _), group = np.unique(
        np.stack([hits.qrels.query_of[table.label], table.topic]), axis=1, return_inverse=True
    )
    order = np.argsort(group.reshape(-1), kind="stable")
    group, label = group.reshape(-1)[order], table.label[order]
    size = np.bincount(group, minlength=len(query))
    names = [
        {str(number): number for number in range(end - count, end)}
        for end, count in zip(np.cumsum(size), size, strict=True)
    ]
    qrels = Qrels([str(number) for number in range(len(query))], names, table.grade[order])
    rank = np.zeros(len(hits.qrels.grades), np.int64)
    rank[hits.label] = hits.rank
    found = np.flatnonzero(rank[label])
    found = found[np.lexsort((rank[label[found]], group[found]))]
    seen = Hits(qrels, found, rank[label[found]], hits.retrieved[query], hits.answered[query])
    # A document that another group alone has judged is unjudged here.
    return (seen.judged if measure.judged_only else seen), query


def average_precision_of_groups(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the mean over its groups of AP (trec_eval's m_map_avgjg.c)."""
    return _averaged(hits, measure, average_precision)


def precision_of_groups(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the mean over its groups of P@k (trec_eval's m_P_avgjg.c)."""
    return _averaged(hits, measure, precision)


def precision_at_multiple_of_groups(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the mean over its groups of precision at a multiple of R (trec_eval's m_Rprec_mult_avgjg.c)."""
    return _averaged(hits, measure, precision_at_multiple)


def _averaged(hits: Hits, measure: Measure, of: Callable[[Hits, Measure], Floats]) -> Floats:
    groups, query = by_group(hits, measure)
    return ratio(
        np.bincount(query, weights=of(groups, measure), minlength=hits.queries),
        np.bincount(query, minlength=hits.queries),
    )


_family = partial(
    Family,
    needs="subtopics",
    range="0 to 1",
    convention="a judgment group is the iteration (column 2) of TREC qrels, most often a user; groups weigh the same, however many "
    "labels they have, and one without a relevant document counts as 0. Other measures asked for beside it see the highest grade that "
    "any group gave a document",
)
_TRAPS = (
    "with the usual qrels, whose column 2 is 0 throughout, it is the measure without _avgjg",
    "column 2 of other collections is a round of feedback or a subtopic, and no user",
)

MEASURES = (
    _family(
        name="map_avgjg",
        compute=average_precision_of_groups,
        takes=frozenset({"rel", "judged_only"}),
        trec_eval={"map_avgjg": ()},
        summary="average precision, averaged over the judgment groups (users) of a query",
        formula="map_avgjg = mean over the judgment groups of a query of AP on that group's labels",
        source="trec_eval m_map_avgjg.c and form_res_rels_jg.c",
        traps=(
            *_TRAPS,
            "AP_IA leaves subtopics without a relevant document out of the mean; this one counts them as 0",
        ),
        elsewhere={"trec_eval": "map_avgjg (-R qrels_jg)"},
    ),
    _family(
        name="P_avgjg",
        compute=precision_of_groups,
        takes=frozenset({"cutoff", "rel", "judged_only"}),
        needs_cutoff=True,
        trec_eval={"P_avgjg": TREC_CUTOFFS},
        summary="precision, averaged over the judgment groups (users) of a query",
        formula="P_avgjg@k = mean over the judgment groups of a query of P@k on that group's labels",
        source="trec_eval m_P_avgjg.c and form_res_rels_jg.c",
        traps=_TRAPS,
        elsewhere={"trec_eval": "P_avgjg.10 (printed as P_avgjg_10; -R qrels_jg)"},
    ),
    _family(
        name="Rprec_mult_avgjg",
        compute=precision_at_multiple_of_groups,
        takes=frozenset({"rel", "judged_only"}),
        needs_cutoff=True,
        options={"multiple": None},
        bounds={"multiple": (0.0, 1e6)},
        at="multiple",
        trec_eval={"Rprec_mult_avgjg": (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)},
        summary="precision after a multiple of R documents, averaged over the judgment groups (users) of a query",
        formula="Rprec_mult_avgjg@x = mean over the judgment groups of a query of Rprec_mult@x on that group's labels, R counted in the group",
        source="trec_eval m_Rprec_mult_avgjg.c and form_res_rels_jg.c",
        traps=(*_TRAPS, "the number after @ is a multiple of R, not a depth"),
        elsewhere={"trec_eval": "Rprec_mult_avgjg.0.5 (printed as Rprec_mult_avgjg_0.50; -R qrels_jg)"},
    ),
)
