"""Measures of one's own: a function of one query, by call, by file and by entry point; and what is said when they go wrong.

judgments   q1: a 2, b 1, c 0, d -1     q2: e 1     q3: f 1
run         q1: b, x, a, d              q2: nothing, but answered     q3: not answered
"""

from __future__ import annotations

import pickle
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from support.hits import PLAIN, hits_of

import irbridge
from irbridge.errors import InputError, UnknownName, UsageError
from irbridge.measures import FAMILIES, Family
from irbridge.measures.files import measures_from, plugged
from irbridge.measures.foreign import vetted
from irbridge.measures.names import parse
from irbridge.measures.own import Seen, own_measure

QRELS = {"q1": {"a": 2, "b": 1, "c": 0, "d": -1}, "q2": {"e": 1}, "q3": {"f": 1}}
RUN = {"q1": ["b", "x", "a", "d"], "q2": []}
SCORED = {"q1": {"b": 4.0, "x": 3.0, "a": 2.0, "d": 1.0}, "q2": {"z": 1.0}}


def seen_by(family: Family, **parameters: object) -> list[float]:
    measure = family(**parameters).resolved(PLAIN)
    return measure.family.compute(hits_of(QRELS, RUN), measure).tolist()


def test_the_function_sees_each_answered_query() -> None:
    looks: list[Seen] = []
    mine = own_measure(lambda seen: looks.append(seen) or 1.0, "Mine", "one", takes=("cutoff", "rel"))
    assert seen_by(mine) == [1.0, 1.0, 0.0]
    first, second = looks
    assert (first.query_id, first.grades, first.retrieved, first.labels) == ("q1", [1, None, 2, -1], 4, [2, 1, 0, -1])
    assert (first.cutoff, first.rel, first.relevant) == (None, 1, [True, False, True, False])
    assert first.gains == [1.0, 0.0, 2.0, 0.0]
    assert (second.query_id, second.grades, second.retrieved, second.labels) == ("q2", [], 0, [1])


def test_a_cutoff_and_a_level() -> None:
    looks: list[Seen] = []
    mine = own_measure(lambda seen: looks.append(seen) or 0, "Mine", "none", takes=("cutoff", "rel"))
    seen_by(mine, cutoff=2, rel=2)
    assert (looks[0].cutoff, looks[0].rel, looks[0].grades, looks[0].retrieved) == (2, 2, [1, None], 4)
    assert looks[0].relevant == [False, False]


def test_options_and_gains() -> None:
    mine = own_measure(
        lambda seen: seen.option("weight") * sum(seen.gains), "Mine", "a weighed sum",
        takes=("cutoff", "gain", "judged_only"), options={"weight": 0.5},
    )  # fmt: skip
    # q1: (1 + 2) / 2; exponential (1 + 3) / 2; twice (1 + 2).
    assert seen_by(mine)[0] == 1.5
    assert seen_by(mine, dcg="exp-log2")[0] == 2.0
    assert seen_by(mine, weight=2)[0] == 6.0
    assert str(mine(weight=2, cutoff=3)) == "Mine(weight=2)@3"
    assert str(mine @ 3) == (mine @ 3).asked == "Mine@3"


def test_a_descriptor_is_taken_where_a_name_is() -> None:
    mine = own_measure(lambda seen: sum(seen.relevant), "Mine", "how many are relevant", total=True)
    # q1 has 2 relevant of 4, q2 none: the sum.
    found = irbridge.score(QRELS, SCORED, [mine, mine @ 1, "P@2"])
    assert found.aggregates() == {"Mine": 2.0, "Mine@1": 1.0, "P@2": pytest.approx(0.5 / 3)}
    assert irbridge.score(QRELS, SCORED, mine, k=[1, 3]).aggregates() == {"Mine@1": 1.0, "Mine@3": 2.0}
    checked = irbridge.crosscheck(QRELS, SCORED, [mine], oracles=["pytrec_eval"])
    assert [each.status for each in checked.comparisons] == ["uncovered"]
    compared = irbridge.experiment([SCORED, SCORED], QRELS, mine, baseline=0)
    assert [row["Mine"] for row in compared.table()] == [2.0, 2.0]


def test_an_array_of_all_queries_at_once() -> None:
    def half(hits: object, measure: object) -> object:
        return np.full(3, 0.5, np.float32)

    mine = Family("Mine", half, "half", "1/2", "1/2", "nobody")
    assert irbridge.score(QRELS, SCORED, [mine, "P@2"]).aggregates()["Mine"] == 0.5
    assert vetted(mine) is vetted(mine)


@pytest.mark.parametrize(
    "value, said",
    [
        (float("nan"), "gives nan on query q1; it takes a finite number"),
        (-np.inf, "gives -inf on query q1; it takes a finite number"),
        (10**400, "gives inf on query q1; it takes a finite number"),
        ("0.5", "gives '0.5' on query q1; it takes a number"),
        (None, "gives None on query q1; it takes a number"),
        ([0.5], r"gives \[0.5\] on query q1; it takes a number"),
        (np.array([0.5]), r"gives array\(\[0.5\]\) on query q1; it takes a number"),
        (1j, "gives 1j on query q1; it takes a number"),
    ],
)
def test_what_is_no_number_is_refused(value: object, said: str) -> None:
    with pytest.raises(InputError, match=rf"^{__file__}:\d+: <lambda> of the measure 'Mine' {said}$"):
        seen_by(own_measure(lambda seen: value, "Mine", "odd"))


@pytest.mark.parametrize("value", [True, np.bool_(True), 1, np.float32(1), np.int64(1), np.array(1.0)])
def test_every_number_is_one(value: object) -> None:
    assert seen_by(own_measure(lambda seen: value, "Mine", "one")) == [1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    "value, said",
    [
        (np.zeros(2), r"an array of shape \(2,\); it takes \(3,\), a number for each query"),
        (np.zeros((3, 1)), r"an array of shape \(3, 1\); it takes \(3,\)"),
        (1.0, r"an array of shape \(\); it takes"),
        (None, "a NoneType that holds no numbers"),
        ([[1], [1, 2], 3], "a list that holds no numbers"),
        (np.array(["a", "b", "c"]), "a ndarray that holds no numbers"),
        (np.array([0, np.nan, 0]), "nan on query q2; it takes a finite number"),
    ],
)
def test_an_array_that_is_none_is_refused(value: object, said: str) -> None:
    with pytest.raises(InputError, match=f"<lambda> of the measure 'Mine' gives {said}"):
        irbridge.score(QRELS, SCORED, Family("Mine", lambda hits, measure: value, "odd", "", "", ""))


@pytest.mark.parametrize("field, function", [("mean", lambda values: None), ("overall", lambda *_: "x")])
def test_an_aggregate_that_is_no_number_is_refused(field: str, function: object) -> None:
    odd = own_measure(lambda seen: 1, "Mine", "odd", **{field: function})
    with pytest.raises(InputError, match="for all queries; it takes a number"):
        irbridge.score(QRELS, SCORED, odd).aggregates()


def test_what_the_function_dies_of_names_its_line_and_the_query() -> None:
    def deep(seen: Seen) -> float:
        return 1.0 / len(seen.grades)

    line = deep.__code__.co_firstlineno + 1
    for function in (deep, partial(deep)):
        with pytest.raises(
            InputError, match=r"failed on query q2: ZeroDivisionError: (float )?division by zero$"
        ) as raised:
            seen_by(own_measure(function, "Mine", "odd"))
        assert (raised.value.path, raised.value.line) == (__file__, line)
    with pytest.raises(InputError, match="failed on query q1: SystemExit: 3"):
        seen_by(own_measure(lambda seen: exit(3), "Mine", "odd"))  # noqa: PLR1722 - as a user may


@pytest.mark.parametrize(
    "name", ["nDCG", "MAP", "map", "ndcg", "P_5", "ndcg_cut_7", "official", "hit_rate", "alpha_nDCG"]
)
def test_a_name_of_irbridge_s_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=f"^the name '{name}' belongs to a measure of irbridge's$"):
        own_measure(len, name, "odd")
    for field in ("aliases", "trec_eval", "spec"):
        given = {"aliases": (name,), "trec_eval": {name: ()}, "spec": name}[field]
        with pytest.raises(UsageError, match="belongs to"):
            own_measure(len, "Mine", "odd", **{field: given})


@pytest.mark.parametrize("name", ["", "5", "a b", "Mine@5", "Mine(x)", "a-b", "a.b", 5, None])
def test_a_name_that_cannot_be_written_is_refused(name: object) -> None:
    with pytest.raises(UsageError, match="is no name of a measure"):
        own_measure(len, name, "odd")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "arguments, options, said",
    [
        ((5, "Mine", "odd"), {}, "5 is no function"),
        ((len, "Mine", ""), {}, "the summary is one line of text"),
        ((len, "Mine", "odd"), {"takes": ("depth",)}, "a name cannot carry 'depth'"),
        ((len, "Mine", "odd"), {"colour": 1}, "unexpected keyword argument 'colour'"),
    ],
)
def test_a_descriptor_that_is_none(arguments: tuple[object, ...], options: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        own_measure(*arguments, **options)  # type: ignore[arg-type]


def test_two_measures_of_one_name_are_refused() -> None:
    one, other = own_measure(len, "Mine", "one"), own_measure(len, "Mine", "other")
    assert [measure.asked for measure in parse([one, one, one @ 3])] == ["Mine", "Mine@3"]
    with pytest.raises(UsageError, match="two measures are called 'Mine'"):
        parse([one, other])


# ------------------------------------------------------------------------------------------------------------ by file

SOURCE = """\
import irbridge

def share(seen):
    return sum(seen.relevant) / len(seen.grades)

MEASURE = irbridge.own_measure(share, "Share", "the relevant share")
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("mine.py")
    path.write_text(SOURCE)
    return path


def test_a_file_s_measures(file: Path) -> None:
    (share,) = measures_from(file)
    assert (share.name, share.origin, share.takes) == ("Share", "mine.py", frozenset({"cutoff"}))
    # q1: 2 of 4; q2: 0 of 1; q3: not answered.
    assert irbridge.score(QRELS, SCORED, share).aggregates() == {"Share": pytest.approx(0.5 / 3)}
    assert list(Path().iterdir()) == [file]  # no bytecode beside it


def test_they_are_found_by_name_as_long_as_they_are_plugged(file: Path) -> None:
    with plugged(file):
        assert "Share" in FAMILIES.names()
        assert irbridge.score(QRELS, SCORED, "Share@1").aggregates() == {"Share@1": pytest.approx(1 / 3)}
        with (
            pytest.raises(InputError, match=r"^mine.py: the measure name 'Share' is taken already, by mine.py$"),
            plugged(file),
        ):
            pass
    assert "Share" not in FAMILIES.names()
    with pytest.raises(UnknownName):
        parse("Share")
    with plugged(file):
        assert pickle.loads(pickle.dumps(parse("Share")[0].asked)) == "Share"


@pytest.mark.parametrize(
    "source, said",
    [
        ("import irbridge\ndef f(:\n", r"^mine.py:2: is no Python: invalid syntax"),
        ("x = 1\n\x00", "^mine.py"),
        ("import nothing_of_the_kind\n", r"^mine.py:1: ModuleNotFoundError: No module named 'nothing_of_the_kind'"),
        ("\n\n1 / 0\n", r"^mine.py:3: ZeroDivisionError"),
        ("raise SystemExit\n", r"^mine.py:1: SystemExit: without a word"),
        ("x = 1\n", r"^mine.py: names no measure$"),
        ("MEASURES = ()\n", r"^mine.py: names no measure$"),
        ("MEASURE = 5\n", r"^mine.py: MEASURE is a int, not a measure$"),
        (SOURCE.replace("Share", "nDCG"), r"^mine.py:6: the name 'nDCG' belongs to a measure of irbridge's$"),
        (
            SOURCE + "MEASURES = (irbridge.own_measure(len, 'Share', 'x'),)",
            "^mine.py: two measures are called 'Share'$",
        ),
        (
            "from irbridge import Family\nMEASURE = Family('P', len, '', '', '', '')",
            "^mine.py: the name 'P' belongs to a measure of irbridge's$",
        ),
    ],
)
def test_a_file_that_cannot_be_used(file: Path, source: str, said: str) -> None:
    file.write_text(source)
    with pytest.raises(InputError, match=said):
        measures_from(file)


@pytest.mark.parametrize("path", ["absent.py", ".", "a\0b"])
def test_a_file_that_is_not_there(file: Path, path: str) -> None:
    with pytest.raises(InputError, match=r"absent.py: No such file|Is a directory|null byte"):
        measures_from(path)


# ----------------------------------------------------------------------------------------------------- by entry point


def test_an_entry_point(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib import metadata

    from irbridge import measures
    from irbridge.registry import Registry

    Path("their_measures.py").write_text(
        SOURCE + "from irbridge import Family\nCLASH = Family('R', len, '', '', '', '')\n"
        "NONE = Family('Odd', lambda hits, measure: None, 'odd', '', '', '')\n"
    )
    monkeypatch.syspath_prepend(str(Path().absolute()))
    points = [
        metadata.EntryPoint(name.lower(), f"their_measures:{name}", "irbridge.measures")
        for name in ("MEASURE", "CLASH", "NONE")
    ]
    monkeypatch.setattr(metadata, "entry_points", lambda group: points)
    found = Registry("measure", "irbridge.measures", "MEASURES", Family, "irbridge.measures", vet=vetted)
    monkeypatch.setattr(measures, "FAMILIES", found)
    for module in ("names", "spellings", "building", "files"):
        where = __import__(f"irbridge.measures.{module}", fromlist=["FAMILIES"])
        if hasattr(where, "FAMILIES"):
            monkeypatch.setattr(where, "FAMILIES", found)
    assert irbridge.score(QRELS, SCORED, "Share@1").aggregates() == {"Share@1": pytest.approx(1 / 3)}
    assert found.broken == {"clash": "UsageError: the name 'R' belongs to a measure of irbridge's"}
    with pytest.raises(InputError, match=r"their_measures.py:\d+: <lambda> of the measure 'Odd' gives a NoneType"):
        irbridge.score(QRELS, SCORED, "Odd")
