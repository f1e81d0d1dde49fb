"""What a comparison is to find out, as it was asked for: baseline, tests, correction, level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from irbridge.arguments import LARGEST, whole_number
from irbridge.errors import UnknownName, UsageError, quoted, shown
from irbridge.registry import nearest
from irbridge.stats.corrections import CORRECTIONS, Correction
from irbridge.stats.paired import PAIRED_TESTS, PairedTest
from irbridge.stats.power import LEVEL


@dataclass(frozen=True, eq=False)
class Plan:
    """How systems are compared.

    Attributes:
        tests: the first one decides, the others are reported beside it.
        correction: over all systems and measures, test by test.
        alpha: the level; intervals have confidence 1 - alpha.
        margin: differences below it do not matter to whoever asks; None where nothing was said.
        seed: of sign patterns and resamples.
        cluster_by: what the clusters are, or None where every query stands for itself.
    """

    tests: tuple[PairedTest, ...]
    correction: Correction
    alpha: float = LEVEL
    margin: float | None = None
    seed: int = 0
    cluster_by: str | None = None


def plan(
    test: Any = "t",
    correction: Any = "holm",
    alpha: Any = LEVEL,
    margin: Any = None,
    seed: Any = 0,
    cluster_by: Any = None,
) -> Plan:
    """A plan from names and numbers.

    Args:
        test: a name, several separated by commas or spaces or in a list, or `PairedTest` objects.
        correction: a name, None for none, or a `Correction`.
        alpha: above 0 and below 0.5.
        margin: above 0.
        seed: a whole number from 0.
        cluster_by: "topic", "document", or a field of the labels.

    Raises:
        UnknownName: a name that no test or correction has.
        UsageError: a number out of its range.
    """
    tests = tuple(dict.fromkeys(_tests(test)))
    if not tests:
        raise UsageError("no test is named", hint=f"one of: {', '.join(PAIRED_TESTS.names())}")
    chosen = correction if isinstance(correction, Correction) else CORRECTIONS.get(correction or "none")
    if not _number(alpha) or not 0 < alpha < 0.5:
        raise UsageError(f"the level is a number above 0 and below 0.5, not {quoted(alpha, 40)}")
    if margin is not None and not (_number(margin) and margin > 0):
        raise UsageError(f"the margin is a number above 0, not {quoted(margin, 40)}")
    if type(seed) is not int or not 0 <= seed <= LARGEST:
        raise UsageError(f"the seed is a whole number from 0 to 2**53, not {quoted(seed, 40)}")
    if cluster_by is not None and not (isinstance(cluster_by, str) and cluster_by):
        raise UsageError("what to cluster by is not named", hint="topic, document, or a field of the labels")
    return Plan(tests, chosen, float(alpha), None if margin is None else float(margin), seed, cluster_by)


def _tests(test: Any) -> Iterable[PairedTest]:
    if isinstance(test, str):
        return map(PAIRED_TESTS.get, test.replace(",", " ").split())
    several = [test] if isinstance(test, PairedTest) or not isinstance(test, Iterable) else test
    return [each if isinstance(each, PairedTest) else PAIRED_TESTS.get(each) for each in several]


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def baseline_of(given: Any, names: Sequence[str], *, first: int = 0) -> int | None:
    """Which system is the baseline.

    Args:
        given: a name, a number, or None.
        names: of the systems.
        first: the number of the first one.

    Raises:
        UsageError: there is no such system.
    """
    if given is None or given in names:
        return None if given is None else list(names).index(given)
    try:
        number = whole_number(given) if isinstance(given, str) else given
    except ValueError:
        hint = f"one of: {', '.join(shown(name, 40) for name in names)}; or its number, from {first}"
        raise UnknownName("system that is compared", given, nearest(given, list(names)), hint=hint) from None
    if type(number) is not int or not first <= number < first + len(names):
        last = first + len(names) - 1
        raise UsageError(f"the baseline is a name or a number from {first} to {last}, not {quoted(given, 40)}")
    return number - first
