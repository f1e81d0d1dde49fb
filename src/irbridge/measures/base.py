"""What a measure is: a family (the descriptor that a module of this package ends with) and one use of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any, Literal

from irbridge.budgets import Budget
from irbridge.conventions import Convention, Gain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from irbridge.hits import Hits

Dialect = Literal["ir_measures", "trec_eval", "spec"]
# What an option holds: a number, a switch, a series of numbers, or nothing where every use must say it.
Value = float | bool | tuple[float, ...]
# The cutoffs that most of trec_eval's names stand for when none are given (m_P.c and its like).
TREC_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)

# Ranges of values from 0 to 1, as `range` begins with them, and what follows there in words.
_SHARES = ("0 to 1", "0 or 1")
_LEADING = re.compile("[;:,]")


def plain(number: float) -> str:
    """A number as a name holds it: as short as reads back to the same value."""
    return repr(float(number)).removesuffix(".0")


def spelled(value: Value | None) -> str:
    """The value of an option as a name holds it; `needed` where every use must say it."""
    if value is None:
        return "needed"
    if isinstance(value, tuple):
        return "'" + ",".join(plain(number) for number in value) + "'"
    return str(value) if isinstance(value, bool) else plain(value)


@dataclass(frozen=True, eq=False)
class Family:
    """A kind of measure, such as nDCG.

    Attributes:
        name: ir_measures' name where it has one.
        compute: (hits, measure) -> float64 per query, for a measure that `resolved` has completed. Never NaN; 0 for a
            query that is not answered. Where the measure is judged_only, `hits` are `Hits.judged` already.
        takes: which of "cutoff", "rel", "gain", "judged_only" the name may carry.
        needs_cutoff: a name without @k is impossible.
        options: further parameters and their defaults, such as {"beta": 1.0}; None where every use must give a value.
        bounds: the lowest and the highest value of an option, where it is not any number from 0.
        whole: the options that are whole numbers.
        counted: the options that are series of exactly as many numbers as their default has.
        at: the option that a number after @ gives, where that is no depth (recall, in IPrec@0.1).
        expected: as `compute`, the mean over all orders of tied documents, for hits that tell what is tied; None where
            nobody has written it down.
        extremes: (hits, measure, highest grade) -> (worst, best), each as `compute`, over all grades of the unjudged documents
            in the rankings (`irbridge.measures.extremes`); None where nobody has proven them.
        unreturned: what further relevant documents that were not returned do to it: "nothing"; "lowers" where they never raise
            it; empty where nobody has proven either.
        ordered: whether the order of a ranking matters.
        by_grade: whether documents in the order of their grades are the best or the worst order for it; not where it asks
            what is judged.
        needs: what else of the judgments it is computed from: their subtopics (or judgment groups), preferences, or the
            documents that any query has a label for ("pool"); or nothing.
        knobs: the fields of a convention that matter to this family alone.
        total: the aggregate over queries is the sum, not the mean (counts).
        mean: the aggregate over queries from their values, where it is neither the sum nor the arithmetic mean.
        overall: the aggregate from all hits, where that is another one than the values of the queries give, or None.
        with_rel: the family that a name of this one means when it carries a relevance level (ir_measures' NumRet(rel=1)).
        switches: parameters that, if True, make a name of this family mean another one (ir_measures' SetP(relative=True)).
        fixed: parameters of ir_measures' name that have one value only, and that value.
        aliases: other names in the ir_measures dialect (parsed like the main one).
        trec_eval: its names in trec_eval, each with the cutoffs that the bare name stands for; none where the name takes
            no cutoff ({"ndcg": (), "ndcg_cut": (5, 10, ...)}). Of a family with `at` these are values of that option.
        spec: its name in the judgments specification ("ndcg"), or None.
        summary, formula, range, convention, source, traps: plain text for `irbridge measures NAME`.
        elsewhere: what other tools call it: {"trec_eval": "ndcg_cut.10", "ranx": "ndcg@10", ...}.
        origin: the file that a measure which is not irbridge's own comes from; set where it is taken in.
    """

    name: str
    compute: Callable[[Hits, Measure], NDArray[np.float64]]
    summary: str
    formula: str
    range: str
    source: str
    takes: frozenset[str] = frozenset()
    needs_cutoff: bool = False
    options: Mapping[str, Value | None] = field(default_factory=dict)
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()
    at: str | None = None
    expected: Callable[[Hits, Measure], NDArray[np.float64]] | None = None
    extremes: Callable[[Hits, Measure, int], tuple[NDArray[np.float64], NDArray[np.float64]]] | None = None
    unreturned: Literal["", "nothing", "lowers"] = ""
    ordered: bool = True
    by_grade: bool = True
    needs: Literal["", "subtopics", "preferences", "pool"] = ""
    knobs: frozenset[str] = frozenset()
    total: bool = False
    mean: Callable[[NDArray[np.float64]], float] | None = None
    overall: Callable[[Hits, Measure], float | None] | None = None
    with_rel: str | None = None
    switches: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    trec_eval: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    spec: str | None = None
    convention: str = ""
    traps: tuple[str, ...] = ()
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    origin: str = ""

    def __call__(self, **parameters: Any) -> Measure:
        """A measure of this kind, as its name would say it: `MINE(rel=2, cutoff=10)` is Mine(rel=2)@10.

        Raises:
            UsageError: a parameter that it has not, or a value that it does not take.
        """
        from irbridge.measures.building import build_of

        return build_of(self, parameters)

    def __matmul__(self, at: float) -> Measure:
        """`MINE @ 10` is Mine@10."""
        return self(**{self.at or "cutoff": at})

    def bound(self, option: str) -> tuple[float, float]:
        """The lowest and the highest value of an option."""
        return self.bounds.get(option, (0.0, inf))

    def aggregate(self, values: NDArray[np.float64]) -> float:
        """One number for the values of at least one query."""
        if self.mean is not None:
            return self.mean(values)
        return float(values.sum()) if self.total else float(values.mean())

    def possible(self, mean: float, low: float, high: float, *, least: float = 0.0) -> tuple[float, float]:
        """An interval around `mean` without what no mean can be, for a screen: of values from 0 to 1 it ends there.

        Args:
            mean: of the values.
            low: the lower end.
            high: the upper end.
            least: the lowest possible mean of such values; -1 of a change.
        """
        if _LEADING.split(self.range, maxsplit=1)[0] not in _SHARES or not least <= mean <= 1:
            return low, high
        return max(low, least), min(high, 1.0)


def need_subtopics(measures: Iterable[Measure]) -> bool:
    """Whether one of them is computed from labels of subtopics, judgment groups or preferences, which are read alike."""
    return any(measure.family.needs in {"subtopics", "preferences"} for measure in measures)


def budgets(measures: Iterable[Measure]) -> list[Budget]:
    """The budgets that measures have instead of a cutoff."""
    return [measure.budget for measure in measures if measure.budget is not None]


def need_pool(measures: Iterable[Measure]) -> bool:
    """Whether one of them asks which documents any query has a label for."""
    return any(measure.family.needs == "pool" for measure in measures)


@dataclass(frozen=True)
class Measure:
    """One measure as somebody asked for it.

    Attributes:
        asked: the name it was asked for by; results are reported under it.
        dialect: whose way of naming that is.
        cutoff: only the top so many count, or None.
        budget: instead of a cutoff: only the documents that fit into it count.
        rel: the lowest relevant grade, or None for the convention's.
        gain: what grades are worth, or None where the family takes no gain; `gain_spelled` tells whether the name says it
            in so many words (then a convention's `gain` does not replace it).
        judged_only: unjudged documents are taken out of the ranking first.
        options: values of the family's options that are not the default.
        level_cuts_gain, recall_points, relevant_total: set by `resolved` from the convention.
    """

    family: Family
    asked: str
    dialect: Dialect
    cutoff: int | None = None
    rel: int | None = None
    gain: Gain | None = None
    gain_spelled: bool = False
    judged_only: bool = False
    options: Mapping[str, Value] = field(default_factory=dict, hash=False)
    level_cuts_gain: bool = False
    recall_points: str = "round"
    relevant_total: str = "level"
    budget: Budget | None = None

    def resolved(self, convention: Convention) -> Measure:
        """This measure with everything that a convention may decide decided."""
        gain = self.gain
        if gain is not None and convention.gain is not None and not self.gain_spelled:
            gain = convention.gain
        return replace(
            self,
            rel=convention.rel if self.rel is None else self.rel,
            gain=gain,
            judged_only=self.judged_only or convention.judged_only,
            level_cuts_gain=convention.level_cuts_gain,
            recall_points=convention.recall_points,
            # trec_eval does so under -c alone, where queries that the run does not answer count.
            relevant_total=convention.relevant_total if convention.missing == "zero" else "level",
        )

    def option(self, name: str) -> float:
        """The value of one of the family's options that are numbers."""
        value = self.options.get(name, self.family.options[name])
        if not isinstance(value, int | float):
            raise TypeError(f"{self.asked}: {name} is not a number")
        return value

    def series(self, name: str) -> tuple[float, ...]:
        """The value of one of the family's options that are series of numbers."""
        value = self.options.get(name, self.family.options[name])
        if not isinstance(value, tuple):
            raise TypeError(f"{self.asked}: {name} is not a series of numbers")
        return value

    @property
    def level(self) -> int:
        """The lowest relevant grade of a resolved measure."""
        return 1 if self.rel is None else self.rel

    def __str__(self) -> str:
        """The canonical name: ir_measures' syntax, defaults left out; `parse` reads it back to the same measure."""
        inside: list[str] = []
        if self.gain is not None and str(self.gain) != "linear":
            if self.gain.kind == "exp":
                inside.append("dcg='exp-log2'")
            else:
                inside.append("gains={" + ",".join(f"{grade}:{plain(gain)}" for grade, gain in self.gain.table) + "}")
        inside += [
            f"{name}={spelled(value)}"
            for name, value in self.options.items()
            if value != self.family.options.get(name) and name != self.family.at
        ]
        if "rel" in self.family.takes and self.rel not in {None, 1}:
            inside.append(f"rel={self.rel}")
        if "judged_only" in self.family.takes and self.judged_only:
            inside.append("judged_only=True")
        after = str(self.budget or self.cutoff or "")
        if self.family.at is not None and self.family.at in self.options:
            after = spelled(self.options[self.family.at])
        return self.family.name + (f"({','.join(inside)})" if inside else "") + (f"@{after}" if after else "")
