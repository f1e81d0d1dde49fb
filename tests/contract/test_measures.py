"""What holds for every measure in the registry."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest
from support.hits import PLAIN, hits_of

from irbridge.errors import UsageError
from irbridge.measures import FAMILIES, Family, Measure, absent
from irbridge.measures.names import at_cutoffs, family_named, parse

ALL = FAMILIES.builtin()
QRELS = {
    "graded": {"a": 1, "b": 2, "c": 0, "d": 3, "e": -1},
    "none relevant": {"a": 0, "b": -2},
    "unanswered": {"a": 1},
    "empty": {"a": 1},
    "perfect": {"a": 1, "b": 1},
}
RUN = {"graded": ["n", "b", "e", "a", "c"], "none relevant": ["a", "b", "n"], "empty": [], "perfect": ["a", "b"]}
OF_JUDGMENTS_ALONE = {"NumQ", "NumRel"}


def uses(family: Family) -> list[Measure]:
    """The family with every parameter that it takes."""
    heads = [""]
    heads += ["rel=2"] if "rel" in family.takes else []
    heads += ["judged_only=True"] if "judged_only" in family.takes else []
    heads += ["dcg='exp-log2'", "gains={0:0.5,2:7}"] if "gain" in family.takes else []
    heads += [f"{option}=0.25" for option in family.options]
    names = [f"{family.name}({inside})" if inside else family.name for inside in heads]
    cut = [f"{name}@{k}" for name in names for k in (1, 3, 100)] if "cutoff" in family.takes else []
    whole = [] if family.needs_cutoff else names
    return parse([*cut, *whole])


@pytest.fixture(params=ALL, ids=lambda family: family.name)
def family(request: pytest.FixtureRequest) -> Family:
    found = request.param
    assert isinstance(found, Family)
    return found


def test_there_are_the_families_of_this_release() -> None:
    assert {family.name for family in ALL} >= {
        *("P", "R", "AP", "nDCG", "RR", "Success", "Rprec", "Bpref", "Judged"),
        *("SetP", "SetR", "SetF", "SetAP", "NumQ", "NumRet", "NumRel", "NumRelRet"),
    }


def test_it_is_documented(family: Family) -> None:
    for text in (family.summary, family.formula, family.range, family.convention, family.source):
        assert len(text) > 5
        assert text == text.strip()
        assert "  " not in text
    assert not family.summary.endswith(".")
    assert family.traps
    assert re.search(r"trec_eval m_\w+\.c|ir_measures", family.source)
    assert set(family.elsewhere) >= ({"trec_eval"} if family.trec_eval else set())
    for name in family.trec_eval:
        assert name in family.elsewhere["trec_eval"]


def test_its_names_elsewhere_are_the_names_that_the_parser_reads(family: Family) -> None:
    spelled = f"{family.elsewhere.get('ir_measures', '')} {family.elsewhere.get('spec', '')}"
    names = [word for word in re.sub(r"\(linear\)|\(exponential\)|,(?![^(]*\))", " ", spelled).split() if word]
    assert names
    for name in names:
        if family.needs_cutoff or "@" in name:
            assert "@" in name
        assert {measure.family.name for measure in parse(name)} == {family.name}


def test_every_name_leads_to_it(family: Family) -> None:
    for name in (family.name, *family.aliases, *family.trec_eval, *([family.spec] if family.spec else [])):
        assert family_named(name) is family


def test_its_canonical_name_reads_back_to_the_same_measure(family: Family) -> None:
    for measure in uses(family):
        (again,) = parse(str(measure))
        assert str(again) == str(measure)
        same = ("family", "cutoff", "rel", "gain", "judged_only", "options")
        assert [getattr(again, name) for name in same] == [getattr(measure, name) for name in same]


def test_its_asked_name_reads_back_to_the_same_measure(family: Family) -> None:
    for name in family.trec_eval:
        for measure in parse(name):
            assert list(parse(measure.asked)) == [measure]
    if family.spec:
        (measure,) = parse(f"{family.spec}@7")
        assert (measure.asked, measure.cutoff, measure.dialect) == (f"{family.spec}@7", 7, "spec")


def test_one_finite_double_in_range_per_query(family: Family) -> None:
    for measure in uses(family):
        resolved = measure.resolved(PLAIN)
        hits = hits_of(QRELS, RUN)
        values = family.compute(hits.judged if resolved.judged_only else hits, resolved)
        assert values.shape == (len(QRELS),)
        assert values.dtype == np.float64
        assert np.isfinite(values).all()
        assert (values >= 0).all()
        if not family.total:
            assert (values <= 1).all()
        if family.name not in OF_JUDGMENTS_ALONE:
            assert values[2] == 0.0
            assert values[3] == 0.0


def test_a_run_without_a_single_judged_document(family: Family) -> None:
    for measure in uses(family):
        for run in ({}, {"graded": ["n", "m"]}):
            values = family.compute(hits_of(QRELS, run), measure.resolved(PLAIN))
            assert np.isfinite(values).all()
            if family.name not in {*OF_JUDGMENTS_ALONE, "NumRet"}:
                assert not values.any()


def test_computing_changes_nothing_in_the_hits(family: Family) -> None:
    hits = hits_of(QRELS, RUN)
    before = [array.copy() for array in (hits.label, hits.rank, hits.retrieved, hits.qrels.grades)]
    for measure in uses(family):
        first = family.compute(hits, measure.resolved(PLAIN))
        assert (family.compute(hits, measure.resolved(PLAIN)) == first).all()
    after = [hits.label, hits.rank, hits.retrieved, hits.qrels.grades]
    assert all((one == other).all() for one, other in zip(before, after, strict=True))


def test_a_cutoff_is_taken_where_the_family_says_so(family: Family) -> None:
    if "cutoff" in family.takes:
        assert [measure.cutoff for measure in at_cutoffs(parse(f"{family.name}@2"), [4, 9])] == [4, 9]
    else:
        with pytest.raises(UsageError, match="takes no cutoff"):
            parse(f"{family.name}@2")


def test_measures_travel_to_other_processes(family: Family) -> None:
    measures = uses(family)
    for measure, again in zip(measures, pickle.loads(pickle.dumps(list(measures))), strict=True):
        assert (str(again), again.asked, again.family.compute) == (str(measure), measure.asked, family.compute)


# -------------------------------------------------------------------------------------------- no name is a dead end


def test_what_is_said_to_be_absent_is_absent() -> None:
    covered = {name for family in ALL for name in (family.name, *family.aliases, *family.trec_eval)}
    assert covered & (set(absent.TREC_EVAL) | set(absent.IR_MEASURES) | set(absent.UNREADABLE_NICKNAMES)) == set()
    for family, parameter in absent.PARAMETERS:
        assert parameter not in FAMILIES.get(family).options


def test_the_names_of_other_tools_lead_to_measures() -> None:
    for other in absent.OTHER_NAMES.values():
        assert parse(other.format(k=5))


def test_every_measure_of_ir_measures_is_here_or_known_to_be_absent() -> None:
    import ir_measures

    names = set(ir_measures.measures.registry)
    assert len(names) > 40
    here = {name for family in ALL for name in (family.name, *family.aliases)}
    assert names - here == set(absent.IR_MEASURES) & names
    assert names - here - set(absent.IR_MEASURES) == set()
    assert here - names == set()  # ir_measures' dialect has no word of our own


def test_every_measure_and_nickname_of_pytrec_eval_is_here_or_known_to_be_absent() -> None:
    import pytrec_eval

    here = {name for family in ALL for name in family.trec_eval}
    assert set(pytrec_eval.supported_measures) - here - set(absent.TREC_EVAL) == set()
    assert here - set(pytrec_eval.supported_measures) == set()
    assert set(pytrec_eval.supported_nicknames) == set(absent.NICKNAMES) | set(absent.UNREADABLE_NICKNAMES)
    for nickname, members in absent.NICKNAMES.items():
        texts = {"runid", "relstring"}  # lines that hold no number
        assert set(members) == set(pytrec_eval.supported_nicknames[nickname]) - texts


def test_the_parameters_are_those_of_ir_measures(family: Family) -> None:
    import ir_measures

    theirs = set(ir_measures.measures.registry[family.name].SUPPORTED_PARAMS)
    if family.name == "NumRelRet":
        theirs = {"rel"}
    ours = set(family.takes - {"gain"}) | set(family.options) | ({"dcg", "gains"} if "gain" in family.takes else set())
    elsewhere = {parameter for name, parameter in absent.PARAMETERS if name == family.name}
    assert theirs == ours | elsewhere | ({"rel"} if family.with_rel else set())
