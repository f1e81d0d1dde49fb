"""What trec_eval's code calls a measure, for the engines that are built of it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from irbridge.conventions import LINEAR
from irbridge.oracles.base import Asked, Option


def trec_name(measure: Asked) -> tuple[str, str] | None:
    """What trec_eval is asked for and what it calls the answer, or None if it has no such measure."""
    family = measure.family
    for base, points in family.trec_eval.items():
        if family.at is not None:
            point = measure.options[family.at]
            # It prints two decimals, and could not be told which answer is whose.
            return (f"{base}.{_said(point)}", f"{base}_{point:.2f}") if float(f"{point:.2f}") == point else None
        if bool(points) != (measure.cutoff is not None):
            continue
        if measure.cutoff is not None:
            return f"{base}.{measure.cutoff}", f"{base}_{measure.cutoff}"
        if not measure.options:
            return base, base
        if "gain" in family.takes or base in _PAIRED:
            said = ",".join(f"{name}={_said(value)}" for name, value in measure.options.items())
        elif len(measure.options) == 1 and next(iter(measure.options)) not in _UNSAID:
            said = _said(next(iter(measure.options.values())))
        else:
            return None
        return f"{base}.{said}", f"{base}_{said}"
    return None


# Names whose parameters are pairs though they have no gains; options that are no parameter of the name.
_PAIRED = frozenset({"rbp_resid"})
_UNSAID = frozenset({"documents"})


def _said(value: Option) -> str:
    """A number, or several, without an exponent, which pytrec_eval would drop, and without loss."""
    if isinstance(value, tuple):
        return ",".join(map(_said, value))
    text = f"{Decimal(repr(float(value))):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


# Names that came with release 10.
_NEW = frozenset({"dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"})


def uncovered(measure: Asked, release: int = 9) -> str | None:
    """Why a release of trec_eval's code does not have this measure, or None if it has.

    A gain that the name spells out is part of the measure; one that a convention chose is not, and a difference is then
    for the convention to explain.
    """
    named = trec_name(measure)
    if measure.family.needs:
        return f"is asked on plain qrels here, and {measure.family.name} needs {measure.family.needs}"
    if named is not None and release < 10 and named[0].partition(".")[0] in _NEW:
        return f"has {measure.family.name} from release 10 on"
    if named is None:
        return f"has no {measure.family.name}" + ("" if measure.cutoff is None else " with a cutoff")
    if measure.gain_spelled and measure.gain != LINEAR:
        return "its nDCG has linear gain"
    return None if measure.level >= 1 else "its relevance level starts at 1"


def batches(measures: Sequence[Asked]) -> dict[tuple[int, bool, str], list[Asked]]:
    """Measures that can be asked for at once: one level, one choice of judged-only, no two values of one parameter."""
    found: dict[tuple[int, bool, str], list[Asked]] = {}
    for measure in measures:
        options = ",".join(f"{name}={value}" for name, value in measure.options.items() if name != measure.family.at)
        found.setdefault((measure.level, measure.judged_only, options), []).append(measure)
    return found
