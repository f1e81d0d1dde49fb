"""A number as somebody published it: "NDCG@10 = 0.4321", "Recall@5: 61.3%"."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any

from irbridge.conventions import LINEAR
from irbridge.errors import IrbridgeError, UsageError, shown
from irbridge.measures.base import Measure
from irbridge.measures.names import parse

_LONGEST = 200
_SHAPE = re.compile(r"\s*(.+)\s*[=:]\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)\s*(%?)\s*", re.DOTALL)
_LOOSE = re.compile(r"(.*?[a-z])[\s_-]*(?:@|at|\.)?[\s_-]*(\d+)?", re.DOTALL)
# What measures are called where nobody follows a naming scheme; the second name is for a claim without a cutoff.
_NAMES = {
    **dict.fromkeys(("ndcg", "mean ndcg", "normalized dcg", "normalised dcg"), ("nDCG", "nDCG")),
    **dict.fromkeys(("recall", "r", "rec", "mean recall", "context recall"), ("R", "SetR")),
    **dict.fromkeys(("precision", "p", "prec", "mean precision", "context precision"), ("P", "SetP")),
    **dict.fromkeys(("mrr", "rr", "mean reciprocal rank", "reciprocal rank"), ("RR", "RR")),
    **dict.fromkeys(("map", "ap", "mean average precision", "average precision"), ("AP", "AP")),
    **dict.fromkeys(("hit rate", "hitrate", "hit", "hits", "hr", "success", "success rate"), ("Success", "")),
    **dict.fromkeys(("accuracy", "acc", "top k accuracy", "topk accuracy"), ("Success", "")),
    **dict.fromkeys(("r precision", "rprec", "rprecision"), ("", "Rprec")),
    **dict.fromkeys(("f1", "f score", "f measure"), ("", "SetF")),
}


@dataclass(frozen=True)
class Claim:
    """One published number.

    Attributes:
        text: as it was given.
        printed: the number as it was printed.
        named: the measure as irbridge reads the name.
        measure: the same with linear gain where the name does not spell one out: which gain was meant is one of the
            questions.
        value: in the measure's own range (percent divided by 100).
        tolerance: half a unit of the last digit that was printed.
    """

    text: str
    printed: str
    named: Measure
    measure: Measure
    value: float
    tolerance: float

    def meets(self, value: float) -> bool:
        """Whether `value` is printed as this number."""
        return abs(value - self.value) <= self.tolerance + 1e-12


def read_claim(text: Any) -> Claim:
    """Read a claim: a text, or a measure (a name or an object) and its number.

    Raises:
        UsageError: it is not of the form MEASURE=NUMBER, or the measure is unknown or several at once.
    """
    if isinstance(text, tuple) and len(text) == 2:
        text = f"{text[0]}={text[1]}"
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise UsageError(f"a claim is a text of at most {_LONGEST} characters", hint="for example nDCG@10=0.4321")
    shape = _SHAPE.fullmatch(text)
    if shape is None:
        raise UsageError(f"'{shown(text)}' is not a claim", hint="write a measure and its number: ndcg@10=0.4321")
    name, printed, percent = shape[1].strip(), shape[2], shape[3]
    named = _measure(name)
    measure = named
    if named.gain is not None and not named.gain_spelled:
        measure = replace(named, gain=LINEAR, dialect="ir_measures")
    value = float(printed)
    if not math.isfinite(value):
        raise UsageError(f"'{shown(printed)}' is not a number that a measure can have")
    mantissa, _, exponent = printed.lower().partition("e")
    places = len(mantissa.partition(".")[2]) - int(exponent or 0)
    if percent or (value > 1 and not measure.family.total):
        value, places = value / 100, places + 2
    # A whole number was meant as it stands: 1 is not "anything from a half".
    tolerance = 0.5 * 10.0**-places if places > 0 else 5e-5
    return Claim(text, printed + percent, named, measure, value, tolerance)


def _measure(name: str) -> Measure:
    try:
        found = list(parse(name))
    except IrbridgeError as error:
        loose = _loosely(name)
        if loose is None:
            raise
        try:
            found = list(parse(loose))
        except IrbridgeError:
            raise error from None
    if len(found) > 1:
        hint = f"name one, such as {found[0].asked}"
        raise UsageError(f"'{shown(name)}' stands for {len(found)} measures", hint=hint)
    return found[0]


def _loosely(name: str) -> str | None:
    shape = _LOOSE.fullmatch(name.strip().lower())
    if shape is None:
        return None
    with_cutoff, without = _NAMES.get(re.sub(r"[\s_-]+", " ", shape[1]).strip(), ("", ""))
    if shape[2] is None:
        if with_cutoff and not without:
            raise UsageError(f"{shown(name)} needs a cutoff", hint=f"write it as {shown(name)}@10")
        return without or None
    return f"{with_cutoff}@{shape[2]}" if with_cutoff else None
