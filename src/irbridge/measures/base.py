"""What a measure is: a family (the descriptor that a module of this package ends with) and one use of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from irbridge.conventions import Convention, Gain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from irbridge.hits import Hits

Dialect = Literal["ir_measures", "trec_eval", "spec"]
# The cutoffs that most of trec_eval's names stand for when none are given (m_P.c and its like).
TREC_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


def plain(number: float) -> str:
    """A number as a name holds it: as short as reads back to the same value."""
    return repr(float(number)).removesuffix(".0")


@dataclass(frozen=True, eq=False)
class Family:
    """A kind of measure, such as nDCG.

    Attributes:
        name: ir_measures' name where it has one.
        compute: (hits, measure) -> float64 per query, for a measure that `resolved` has completed. Never NaN; 0 for a
            query that is not answered. Where the measure is judged_only, `hits` are `Hits.judged` already.
        takes: which of "cutoff", "rel", "gain", "judged_only" the name may carry.
        needs_cutoff: a name without @k is impossible.
        options: further numeric parameters and their defaults, such as {"beta": 1.0}.
        total: the aggregate over queries is the sum, not the mean (counts).
        with_rel: the family that a name of this one means when it carries a relevance level (ir_measures' NumRet(rel=1)).
        aliases: other names in the ir_measures dialect (parsed like the main one).
        trec_eval: its names in trec_eval, each with the cutoffs that the bare name stands for; none where the name takes
            no cutoff ({"ndcg": (), "ndcg_cut": (5, 10, ...)}).
        spec: its name in the judgments specification ("ndcg"), or None.
        summary, formula, range, convention, source, traps: plain text for `irbridge measures NAME`.
        elsewhere: what other tools call it: {"trec_eval": "ndcg_cut.10", "ranx": "ndcg@10", ...}.
    """

    name: str
    compute: Callable[[Hits, Measure], NDArray[np.float64]]
    summary: str
    formula: str
    range: str
    source: str
    takes: frozenset[str] = frozenset()
    needs_cutoff: bool = False
    options: Mapping[str, float] = field(default_factory=dict)
    total: bool = False
    with_rel: str | None = None
    aliases: tuple[str, ...] = ()
    trec_eval: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    spec: str | None = None
    convention: str = ""
    traps: tuple[str, ...] = ()
    elsewhere: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Measure:
    """One measure as somebody asked for it.

    Attributes:
        asked: the name it was asked for by; results are reported under it.
        dialect: whose way of naming that is.
        cutoff: only the top so many count, or None.
        rel: the lowest relevant grade, or None for the convention's.
        gain: what grades are worth, or None where the family takes no gain; `gain_spelled` tells whether the name says it
            in so many words (then a convention's `gain` does not replace it).
        judged_only: unjudged documents are taken out of the ranking first.
        options: values of the family's options that are not the default.
        level_cuts_gain: set by `resolved` from the convention.
    """

    family: Family
    asked: str
    dialect: Dialect
    cutoff: int | None = None
    rel: int | None = None
    gain: Gain | None = None
    gain_spelled: bool = False
    judged_only: bool = False
    options: Mapping[str, float] = field(default_factory=dict, hash=False)
    level_cuts_gain: bool = False

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
        )

    def option(self, name: str) -> float:
        """The value of one of the family's options."""
        return self.options.get(name, self.family.options[name])

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
            f"{name}={plain(value)}" for name, value in self.options.items() if value != self.family.options.get(name)
        ]
        if "rel" in self.family.takes and self.rel not in {None, 1}:
            inside.append(f"rel={self.rel}")
        if "judged_only" in self.family.takes and self.judged_only:
            inside.append("judged_only=True")
        return (
            self.family.name
            + (f"({','.join(inside)})" if inside else "")
            + (f"@{self.cutoff}" if self.cutoff is not None else "")
        )
