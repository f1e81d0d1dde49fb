"""Laws of sets of judgments: differences, merges, agreement, canonical form."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
from hypothesis import given

from irbridge.formats.judgments import write
from irbridge.judgments.agreement import LEVELS, WEIGHTS, agreement, alpha, kappa
from irbridge.judgments.canonical_form import fmt
from irbridge.judgments.difference import applied, compare
from irbridge.judgments.merging import PREFERENCES, merge
from irbridge.judgments.tables import Labels, place_of
from irbridge.judgments.validation import contract_checks, validate
from irbridge.model import NO_FIELDS, Judgment

GRADES = st.integers(-1, 3)
LABELS = st.tuples(
    st.sampled_from(["q1", "q2"]),
    st.sampled_from(["d1", "d2", "d3"]),
    GRADES,
    st.sampled_from([None, "human:a", "human:b"]),
    st.sampled_from([None, "n"]),
    st.one_of(st.just({}), st.dictionaries(st.sampled_from("xy"), st.sampled_from([0, 1, "1", [1]]), min_size=1)),
).map(lambda row: Judgment(row[0], row[1], row[2], labeled_by=row[3], notes=row[4], extra=row[5] or NO_FIELDS))
SETS = st.lists(LABELS, max_size=6).map(lambda labels: {place_of(label): label for label in labels})
FIELDS = ("labeled_by", "notes", "extra")


def content(labels: Labels) -> dict[Any, Any]:
    """A set without the order of its rows and of unknown fields."""
    return {place: (label[:-1], sorted(map(repr, label.extra.items()))) for place, label in labels.items()}


# ----------------------------------------------------------------------------------------------------------------- diff


@given(SETS, SETS)
def test_a_difference_leads_from_the_one_to_the_other(one: Labels, other: Labels) -> None:
    found = compare(one, other, FIELDS)
    assert content(applied(one, found)) == content(other)
    assert found.empty is (content(one) == content(other))
    assert len(found.added) + len(found.regraded) + len(found.edited) + found.same == len(other)


@given(SETS, SETS)
def test_the_way_back_is_the_same_difference_turned_round(one: Labels, other: Labels) -> None:
    there, back = compare(one, other, FIELDS), compare(other, one, FIELDS)
    assert set(map(place_of, there.added)) == set(map(place_of, back.removed))
    assert {(place_of(each.before), each.before.relevance) for each in there.regraded} == {
        (place_of(each.after), each.after.relevance) for each in back.regraded
    }
    assert there.same == back.same


# ---------------------------------------------------------------------------------------------------------------- merge


def table(labels: tuple[Judgment, ...]) -> Labels:
    return {place_of(label): label for label in labels}


@given(SETS, SETS)
def test_merging_with_what_did_not_change_gives_the_other_side(base: Labels, other: Labels) -> None:
    for ours, theirs in ((other, base), (base, other), (other, other)):
        found = merge(base, ours, theirs)
        assert found.conflicts == ()
        assert content(table(found.labels)) == content(other)


@given(SETS, SETS, SETS)
def test_sides_may_change_places(base: Labels, ours: Labels, theirs: Labels) -> None:
    one, other = merge(base, ours, theirs), merge(base, theirs, ours)
    assert sorted((each.place, each.what) for each in one.conflicts) == sorted(
        (each.place, each.what) for each in other.conflicts
    )
    assert (one.from_ours, one.from_theirs) == (other.from_theirs, other.from_ours)
    if not one.conflicts:
        assert content(table(one.labels)) == content(table(other.labels))


@given(SETS, SETS, SETS, st.sampled_from(PREFERENCES))
def test_a_preference_settles_and_never_invents(base: Labels, ours: Labels, theirs: Labels, prefer: Any) -> None:
    found = merge(base, ours, theirs, prefer)
    if prefer in {"ours", "theirs"}:
        assert found.conflicts == ()
    judged = {(place, label.relevance, label.labeled_by) for side in (ours, theirs) for place, label in side.items()}
    assert {(place_of(label), label.relevance, label.labeled_by) for label in found.labels} <= judged
    plain = merge(base, ours, theirs)
    assert len(found.conflicts) + len(found.settled) == len(plain.conflicts)


# ---------------------------------------------------------------------------------------------------------------- agree

PAIRS = st.lists(st.tuples(GRADES, GRADES), max_size=12)
UNITS = st.lists(st.lists(GRADES, min_size=1, max_size=4), max_size=10)


@given(PAIRS, st.randoms(use_true_random=False))
def test_kappa_knows_no_order_and_no_side(grades: list[tuple[int, int]], random: Any) -> None:
    mixed = random.sample(grades, len(grades))
    for weights in WEIGHTS:
        value = kappa(grades, weights)
        assert value == kappa(mixed, weights) == kappa([(b, a) for a, b in grades], weights)
        assert value is None or -1 <= value <= 1
        assert kappa([(a + 5, b + 5) for a, b in grades], weights) == value
    both = [(a, a) for a, _ in grades]
    assert kappa(both) in {1.0, None}


@given(UNITS, st.randoms(use_true_random=False))
def test_alpha_knows_no_order(units: list[list[int]], random: Any) -> None:
    mixed = [random.sample(unit, len(unit)) for unit in random.sample(units, len(units))]
    for level in LEVELS:
        value = alpha(units, level)
        assert value == alpha(mixed, level) == alpha([*units, [2]], level)
        assert value is None or value <= 1
    # Names are as good as other names, ranks as good as others in that order.
    assert alpha([[-7 * grade for grade in unit] for unit in units]) == alpha(units)
    assert alpha([[grade**3 for grade in unit] for unit in units], "ordinal") == alpha(units, "ordinal")
    assert alpha([[3 * grade + 1 for grade in unit] for unit in units], "interval") == alpha(units, "interval")


@given(PAIRS)
def test_two_annotators_of_two_grades_have_one_alpha_whatever_the_level(grades: list[tuple[int, int]]) -> None:
    binary = [(int(a > 0), int(b > 0)) for a, b in grades]
    assert len({alpha(binary, level) for level in LEVELS}) == 1
    assert len({kappa(binary, weights) for weights in WEIGHTS}) == 1


@given(
    st.dictionaries(
        st.tuples(st.just("q"), st.sampled_from("abcdef")), st.dictionaries(st.sampled_from("xyz"), GRADES, min_size=1)
    )
)
def test_an_agreement_is_made_of_its_pairs(votes: Any) -> None:
    found = agreement(votes)
    assert sum(found.annotators.values()) == sum(map(len, votes.values()))
    for pair in found.pairs:
        both = [(own[pair.one], own[pair.other]) for own in votes.values() if {pair.one, pair.other} <= own.keys()]
        assert pair.units == len(both)
        assert pair.kappa == {weights: kappa(both, weights) for weights in WEIGHTS}


# -------------------------------------------------------------------------------------------------- canonical, validate


@given(
    st.lists(LABELS, min_size=1, max_size=5),
    st.lists(st.sampled_from(["", "  ", "// a", " // b "]), max_size=4),
    st.randoms(use_true_random=False),
)
def test_canonical_form_is_reached_once_and_says_the_same(
    tmp_path_factory: Any, labels: list[Judgment], between: list[str], random: Any
) -> None:
    stream = io.BytesIO()
    write(labels, stream)
    rows = stream.getvalue().decode().splitlines()
    mixed = list(rows)
    for line in between:
        mixed.insert(random.randint(0, len(mixed)), line)
    path = Path(tmp_path_factory.mktemp("fmt")) / "j.jsonl"
    path.write_text("\n".join(mixed), encoding="utf-8")
    fmt(path)
    found = path.read_text(encoding="utf-8")
    assert [line for line in found.splitlines() if not line.startswith("//")] == rows
    assert [line for line in found.splitlines() if line.startswith("//")] == [
        line.strip() for line in mixed if line.strip().startswith("//")
    ]
    assert not fmt(path).changed
    fmt(path, drop_comments=True)
    assert path.read_bytes() == stream.getvalue()


@given(st.lists(LABELS, max_size=8))
def test_what_is_counted_adds_up(labels: list[Judgment]) -> None:
    found = validate(labels)
    assert found.labels == len(labels) == sum(found.strata.values())
    assert found.queries == len({label.query_id for label in labels})
    repeats = len(labels) - len({(label.query_id, label.key) for label in labels})
    assert sum(issue.code == "duplicate-label" for issue in found.issues) == repeats
    assert found.ok is not any(issue.severity == "error" for issue in found.issues)
    # Own checks say more and change nothing of what the specification says.
    plain = validate(labels, checks=contract_checks())
    assert plain.ok is found.ok
    own = {check.name for check in found.checks if check.own}
    assert [issue for issue in found.issues if issue.code not in own] == list(plain.issues)
