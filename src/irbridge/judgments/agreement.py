"""How far annotators agree beyond chance: Cohen's kappa, weighted kappa, Krippendorff's alpha.

Sources: J. Cohen, A coefficient of agreement for nominal scales, 1960; J. Cohen, Weighted kappa, 1968; K. Krippendorff,
Computing Krippendorff's Alpha-Reliability, 2011. Sums are made of integers and fractions, so that nothing depends on the
order of the labels; a coefficient is None where it is 0/0: then nobody can tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal, NamedTuple, get_args

from irbridge.errors import InputError, UsageError, shown
from irbridge.inputs import opened
from irbridge.judgments.tables import labels_in, target_said
from irbridge.model import Judgment

Unit = tuple[str, str]
#: Unit (query, key) -> annotator -> grade.
Votes = Mapping[Unit, Mapping[str, int]]
Weights = Literal["none", "linear", "quadratic"]
Level = Literal["nominal", "ordinal", "interval"]
WEIGHTS: tuple[Weights, ...] = get_args(Weights)
LEVELS: tuple[Level, ...] = get_args(Level)


class Pair(NamedTuple):
    """Two annotators over the units that both judged.

    Attributes:
        units: how many those are.
        same: the share of them with one grade, 0 to 1; None without units.
        kappa: -1 to 1, by weights; None where it is undefined.
    """

    one: str
    other: str
    units: int
    same: float | None
    kappa: Mapping[str, float | None]

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "annotators": [self.one, self.other],
            "units": self.units,
            "same": self.same,
            "kappa": self.kappa["none"],
            "kappa_linear": self.kappa["linear"],
            "kappa_quadratic": self.kappa["quadratic"],
        }


class Agreement(NamedTuple):
    """How far annotators agree.

    Attributes:
        annotators: name -> labels.
        units: how many queries with a document or chunk were judged; `overlapping`: by two annotators or more.
        pairs: every two annotators, in the order of the annotators.
        alpha: Krippendorff's alpha of all annotators by level of measurement, at most 1; None where it is undefined.
        unsigned: labels without an annotator, which were left out.
        of_files: the annotators are the inputs, and have their names.
    """

    annotators: Mapping[str, int]
    units: int
    overlapping: int
    pairs: tuple[Pair, ...]
    alpha: Mapping[str, float | None]
    unsigned: int = 0
    of_files: bool = False

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "annotators": dict(self.annotators),
            "units": self.units,
            "overlapping": self.overlapping,
            "alpha": dict(self.alpha),
            "pairs": [pair.as_dict() for pair in self.pairs],
            "unsigned": self.unsigned,
        }


def kappa(grades: Iterable[tuple[int, int]], weights: Weights = "none") -> float | None:
    """Cohen's kappa of two annotators.

    Args:
        grades: (grade of one, grade of the other) for each unit that both judged.
        weights: how much a disagreement counts: all alike, by the distance of the grades, or by its square. Distances are
            those of the grades as numbers, so that a grade that nobody used does not change them.

    Returns:
        -1 to 1; None without units, or where chance alone would make both agree always.
    """
    table = Counter(grades)
    total = sum(table.values())
    rows, columns = Counter[int](), Counter[int]()
    for (one, other), count in table.items():
        rows[one] += count
        columns[other] += count
    observed = sum(count * _weight(one, other, weights) for (one, other), count in table.items())
    by_chance = sum(rows[one] * columns[other] * _weight(one, other, weights) for one in rows for other in columns)
    # One minus observed over expected disagreement; of the three divisions by the number of units one is left.
    return float(1 - Fraction(observed * total, by_chance)) if by_chance else None


def _weight(one: int, other: int, weights: Weights) -> int:
    if weights == "none":
        return int(one != other)
    return abs(one - other) if weights == "linear" else (one - other) ** 2


def alpha(units: Iterable[Sequence[int]], level: Level = "nominal") -> float | None:
    """Krippendorff's alpha.

    Args:
        units: for each unit the grades that it was given, by however many annotators; those with one say nothing.
        level: how far two grades are apart: equal or not, by the grades given in between, or by the square of their distance.

    Returns:
        at most 1; None without a unit of two grades or more, or where all grades are one.
    """
    paired = [list(grades) for grades in units if len(grades) > 1]
    totals = Counter(grade for grades in paired for grade in grades)
    count = sum(totals.values())
    distance = _distances(totals, level)
    expected = sum(totals[one] * totals[other] * distance[one, other] for one, other in combinations(sorted(totals), 2))
    if not expected:
        return None
    observed = Fraction(0)
    for grades in paired:
        own = Counter(grades)
        apart = sum(own[one] * own[other] * distance[one, other] for one, other in combinations(sorted(own), 2))
        observed += Fraction(apart, len(grades) - 1)
    # One minus observed over expected disagreement; the number of grades cancels out of both but for count - 1.
    return float(1 - (count - 1) * observed / expected)


def _distances(totals: Mapping[int, int], level: Level) -> dict[tuple[int, int], Fraction]:
    """The squared distance of every two grades, the lower one first."""
    grades = sorted(totals)
    made: dict[tuple[int, int], Fraction] = {}
    for place, low in enumerate(grades):
        between = 0
        for high in grades[place + 1 :]:
            if level == "nominal":
                made[low, high] = Fraction(1)
            elif level == "interval":
                made[low, high] = Fraction((high - low) ** 2)
            else:
                made[low, high] = (between + Fraction(totals[low] + totals[high], 2)) ** 2
            between += totals[high]
    return made


def agreement(votes: Votes, unsigned: int = 0) -> Agreement:
    """How far the annotators of `votes` agree; the order of units and annotators does not matter to any number."""
    counts = Counter(name for own in votes.values() for name in own)
    names = list(dict.fromkeys(name for own in votes.values() for name in own))
    together: dict[tuple[str, str], list[tuple[int, int]]] = {pair: [] for pair in combinations(names, 2)}
    order = {name: place for place, name in enumerate(names)}
    for own in votes.values():
        for one, other in combinations(sorted(own, key=order.__getitem__), 2):
            together[one, other].append((own[one], own[other]))
    pairs = tuple(_pair(one, other, grades) for (one, other), grades in together.items())
    values = [list(own.values()) for own in votes.values()]
    return Agreement(
        {name: counts[name] for name in names},
        len(votes),
        sum(len(own) > 1 for own in values),
        pairs,
        {level: alpha(values, level) for level in LEVELS},
        unsigned,
    )


def _pair(one: str, other: str, grades: list[tuple[int, int]]) -> Pair:
    same = sum(a == b for a, b in grades) / len(grades) if grades else None
    return Pair(one, other, len(grades), same, {weights: kappa(grades, weights) for weights in WEIGHTS})


def agree(inputs: Sequence[Any], **options: Any) -> Agreement:
    """How far annotators agree: of one set by `labeled_by`, of several each set is one annotator.

    Args:
        inputs: anything that `irbridge.load` takes, one or more.
        options: of `Input`, for all of them.

    Raises:
        InputError: one of them cannot be read, or an annotator gives one label two grades.
        UsageError: no input, or one whose labels name fewer than two annotators.
    """
    if not inputs:
        raise UsageError("agreement needs judgments", hint="name two files, or one whose labels have labeled_by")
    if len(inputs) == 1:
        return _of_one(inputs[0], **options)
    votes: dict[Unit, dict[str, int]] = {}
    names: dict[str, int] = {}
    for what in inputs:
        told = labels_in(what, **options)
        number = names[told.name] = names.get(told.name, 0) + 1
        name = told.name if number == 1 else f"{told.name} ({number})"
        for label in told.labels.values():
            _vote(votes, label, name, told.name)
    return agreement(votes)._replace(of_files=True)


def _of_one(what: Any, **options: Any) -> Agreement:
    source = opened(what, "judgments", **options)
    votes: dict[Unit, dict[str, int]] = {}
    names: set[str] = set()
    unsigned = 0
    for label in source:
        if label.labeled_by is None:
            unsigned += 1
            continue
        names.add(label.labeled_by)
        _vote(votes, label, label.labeled_by, source.label)
    if len(names) < 2:
        who = f"only {shown(next(iter(names)), 40)} has" if names else "no label says who has"
        raise UsageError(
            f"{shown(source.label, 200)}: {who} judged",
            hint="name two files or more, or one with labels of several annotators (labeled_by)",
        )
    return agreement(votes, unsigned)


def _vote(votes: dict[Unit, dict[str, int]], label: Judgment, name: str, where: str) -> None:
    own = votes.setdefault((label.query_id, label.target), {})
    if own.setdefault(name, label.relevance) != label.relevance:
        raise InputError(
            f"{shown(name, 40)} gives query {shown(label.query_id)} document {target_said(label)} two grades, "
            f"{own[name]} and {label.relevance}",
            path=where,
            hint="keep one of the two rows; irbridge does not choose",
        )
