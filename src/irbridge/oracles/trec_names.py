"""What trec_eval's code calls a measure, for the engines that are built of it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from irbridge.conventions import LINEAR
from irbridge.oracles.base import Asked


def trec_name(measure: Asked) -> tuple[str, str] | None:
    """What trec_eval is asked for and what it calls the answer, or None if it has no such measure."""
    for base, cutoffs in measure.family.trec_eval.items():
        if bool(cutoffs) != (measure.cutoff is not None):
            continue
        if measure.cutoff is not None:
            return f"{base}.{measure.cutoff}", f"{base}_{measure.cutoff}"
        if measure.options:
            # trec_eval reads one parameter of such a measure, and has none with two.
            value = _digits(next(iter(measure.options.values())))
            return f"{base}.{value}", f"{base}_{value}"
        return base, base
    return None


def _digits(value: float) -> str:
    """A number without an exponent, which pytrec_eval would drop, and without loss."""
    said = f"{Decimal(repr(value)):f}"
    return said.rstrip("0").rstrip(".") if "." in said else said


def uncovered(measure: Asked) -> str | None:
    """Why trec_eval's code does not have this measure, or None if it has.

    A gain that the name spells out is part of the measure; one that a convention chose is not, and a difference is then
    for the convention to explain.
    """
    if trec_name(measure) is None:
        return f"has no {measure.family.name}" + ("" if measure.cutoff is None else " with a cutoff")
    if measure.gain_spelled and measure.gain != LINEAR:
        return "its nDCG has linear gain"
    return None if measure.level >= 1 else "its relevance level starts at 1"


def batches(measures: Sequence[Asked]) -> dict[tuple[int, bool, str], list[Asked]]:
    """Measures that can be asked for at once: one level, one choice of judged-only, no two values of one parameter."""
    found: dict[tuple[int, bool, str], list[Asked]] = {}
    for measure in measures:
        options = ",".join(f"{name}={value}" for name, value in measure.options.items())
        found.setdefault((measure.level, measure.judged_only, options), []).append(measure)
    return found
