"""trec_eval's preference measures: how many of the preferences of users a ranking fulfils."""

from __future__ import annotations

from dataclasses import dataclass

from irbridge.arrays import Floats
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure


@dataclass(frozen=True)
class Counted:
    """float64 per query: the measure `prefs_NAME`; all of them are counted together, once for each hits."""

    name: str

    def __call__(self, hits: Hits, measure: Measure) -> Floats:
        from irbridge.measures import preference_counts

        return preference_counts.values(hits, measure)[self.name]


_COUNTED = {
    "": "a preference with one document retrieved is fulfilled where that is the better one; with none it is not",
    "_ret": "only preferences with both documents retrieved count",
    "_imp": "preferences with neither document retrieved do not count",
}
_CONVENTION = (
    "in one judgment group a document with a higher level is preferred to each one with a lower level in the same subgroup; where a group "
    "has several subgroups, what follows from them together is preferred too; equal scores are ordered by ascending document id, as "
    "trec_eval does for these measures alone"
)
_TRAPS = (
    "trec_eval orders equal scores by descending document id for all its other measures",
    "levels are no grades: but for 0, not relevant, only their order within a subgroup counts",
)
_MEAN = "0 to 1; not always 1 at best, for groups may contradict each other"


def _family(name: str, summary: str, formula: str, *, traps: tuple[str, ...] = (), total: bool = False) -> Family:
    kind = "ret" if name.endswith("_ret") else "imp" if name.endswith("_imp") else ""
    file = f"m_prefs_{name}.c"
    return Family(
        name=f"prefs_{name}",
        compute=Counted(name),
        needs="preferences",
        trec_eval={f"prefs_{name}": ()},
        total=total,
        summary=summary,
        formula=formula,
        range="whole numbers from 0; the aggregate is the sum over the queries" if total else _MEAN,
        convention=_CONVENTION,
        source=f"trec_eval {file} and form_prefs_counts.c",
        traps=(*traps, *((_COUNTED[f"_{kind}" if kind else ""],) if name != "num_prefs_poss" else ()), *_TRAPS),
        elsewhere={"trec_eval": f"prefs_{name} (-R prefs or -R qrels_prefs)"},
    )


_NOTHING = (
    "a group without a relevant document (one retrieved, for _ret) makes the whole query 0: trec_eval divides 0 by 0",
    "where a group has one subgroup and more than R documents that are not relevant, trec_eval also holds those against each other",
)
_SUFFIXES = {"": "", "_ret": ", of those with both documents retrieved", "_imp": ", of those with a document retrieved"}

MEASURES = (
    _family("num_prefs_poss", "the number of preferences", "prefs_num_prefs_poss = number of preferences, whatever was retrieved", total=True),
    _family("num_prefs_ful", "the number of preferences that are fulfilled", "prefs_num_prefs_ful = number of preferences a over b with a retrieved, b below it or not retrieved", total=True),
    _family("num_prefs_ful_ret", "the number of preferences that are fulfilled, both documents retrieved", "prefs_num_prefs_ful_ret = number of preferences a over b with a ranked above b, both retrieved", total=True),
    *(
        _family(f"simp{suffix}", f"the share of the preferences that is fulfilled{said}", f"prefs_simp{suffix} = preferences fulfilled / preferences{said}")
        for suffix, said in _SUFFIXES.items()
    ),
    *(
        _family(
            f"pair{suffix}",
            f"the share of the preferences of a pair of documents that is fulfilled, averaged over pairs{said}",
            f"prefs_pair{suffix} = mean over the pairs of documents with a preference{said} of the share of its preferences that is fulfilled",
        )
        for suffix, said in _SUFFIXES.items()
    ),
    *(
        _family(
            f"avgjg{suffix}",
            f"the share of the preferences that is fulfilled, averaged over judgment groups{said}",
            f"prefs_avgjg{suffix} = mean over the judgment groups of (preferences fulfilled / preferences{said}); 0 for a group without any",
        )
        for suffix, said in _SUFFIXES.items()
    ),
    *(
        _family(
            f"avgjg_Rnonrel{suffix}",
            f"prefs_avgjg as if each group had as many documents that are not relevant as relevant ones{_SUFFIXES[suffix]}",
            f"prefs_avgjg_Rnonrel{suffix} = prefs_avgjg{suffix} over the relevant documents of a group and its first R others; where there are only "
            "N < R others, R - N more are taken to stand below every relevant document that was retrieved",
            traps=_NOTHING,
        )
        for suffix in ("", "_ret")
    ),
)  # fmt: skip
