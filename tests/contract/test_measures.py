"""What holds for every measure in the registry."""

from __future__ import annotations

import pickle
import pkgutil
import re
import subprocess
import sys

import numpy as np
import pytest
from support.hits import PLAIN, hits_of

import irbridge.measures
from irbridge.errors import UsageError
from irbridge.measures import FAMILIES, Family, Measure, absent
from irbridge.measures.base import Value
from irbridge.measures.modules import MODULES
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
OF_JUDGMENTS_ALONE = {"NumQ", "NumRel", "IdealDCG", "prefs_num_prefs_poss"}
# Values that are no share: counts, sums, log odds.
NO_SHARE = {"DCG", "IdealDCG", "utility", "yaap"}
# What an empty or wholly unjudged ranking does not make 0.
OF_ANY_RANKING = {"NumRet", "Hole", "utility", "yaap", "unj", "rbp_resid"}
# A value for an option that has no default.
NEEDED = {"recall": 0.5, "multiple": 0.5, "max_rel": 3}


def uses(family: Family) -> list[Measure]:
    """The family with every parameter that it takes."""
    heads = [""]
    heads += ["rel=2"] if "rel" in family.takes else []
    heads += ["judged_only=True"] if "judged_only" in family.takes else []
    heads += ["dcg='exp-log2'", "gains={0:0.5,2:7}"] if "gain" in family.takes else []
    heads += [
        f"{option}={7 if option in family.whole else sample(default)}"
        for option, default in family.options.items()
        if default is not None and option != "min_rel"
    ]
    heads += ["min_rel=1"] if "min_rel" in family.options else []
    needed = ",".join(
        f"{option}={NEEDED[option]}"
        for option, default in family.options.items()
        if default is None and option != family.at
    )
    inside_of = [",".join(part for part in (head, needed) if part) for head in heads]
    names = [f"{family.name}({inside})" if inside else family.name for inside in inside_of]
    if family.at is not None:
        return parse([f"{name}@{x}" for name in names for x in (0.25, 0.6, 1)])
    cut = [f"{name}@{k}" for name in names for k in (1, 3, 100)] if "cutoff" in family.takes else []
    whole = [] if family.needs_cutoff else names
    return parse([*cut, *whole])


def sample(default: Value | None) -> str:
    """Another value than the default, as a name holds it."""
    if isinstance(default, tuple):
        return "'" + ",".join("0.25" for _ in default) + "'"
    return str(not default) if isinstance(default, bool) else "0.25"


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
    assert re.search(r"trec_eval m_\w+\.c|ir_measures|LlamaIndex|BEIR", family.source)
    assert set(family.elsewhere) >= ({"trec_eval"} if family.trec_eval else set())
    for name in family.trec_eval:
        assert name in family.elsewhere["trec_eval"]


def test_its_names_elsewhere_are_the_names_that_the_parser_reads(family: Family) -> None:
    spelled = f"{family.elsewhere.get('ir_measures', '')} {family.elsewhere.get('spec', '')}"
    names = [word for word in re.sub(r"\(linear\)|\(exponential\)|,(?![^(]*\))", " ", spelled).split() if word]
    assert names or "ir_measures" not in family.elsewhere
    for name in names:
        if family.needs_cutoff or "@" in name:
            assert "@" in name
        assert {measure.family.name for measure in parse(name)} == {family.name}


def test_the_table_of_modules_is_what_the_descriptors_say() -> None:
    """measures/modules.py, by which a measure is found without importing the others."""
    said = {
        module: tuple(frozenset(names.split()) for names in (spelled.ir_measures, spelled.trec_eval, spelled.spec))
        for module, spelled in MODULES.items()
    }
    assert {module: list(map(sorted, names)) for module, names in said.items()} == {
        module: list(map(sorted, names)) for module, names in by_module().items()
    }


def by_module() -> dict[str, tuple[set[str], set[str], set[str]]]:
    """The names of each module of the package, from its own constant."""
    found: dict[str, tuple[set[str], set[str], set[str]]] = {}
    for info in pkgutil.iter_modules(irbridge.measures.__path__):
        families = tuple(FAMILIES.of_modules(info.name))
        if families:
            found[info.name] = (
                {name for family in families for name in (family.name, *family.aliases)},
                {name for family in families for name in family.trec_eval},
                {family.spec for family in families if family.spec},
            )
    return found


def test_a_name_imports_its_own_module_alone() -> None:
    code = (
        "import sys; from irbridge.measures.names import parse; parse('nDCG@10 P_5 recall@3'); "
        "print(*sorted(name.rpartition('.')[2] for name in sys.modules if name.startswith('irbridge.measures.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) & set(MODULES) == {"ndcg", "precision", "recall"}


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
        if family.name not in NO_SHARE:
            assert (values >= 0).all()
            assert family.total or (values <= 1).all()
        if family.name not in OF_JUDGMENTS_ALONE | {"yaap"}:
            assert values[2] == 0.0
            assert values[3] == 0.0


def test_a_run_without_a_single_judged_document(family: Family) -> None:
    for measure in uses(family):
        for run in ({}, {"graded": ["n", "m"]}):
            values = family.compute(hits_of(QRELS, run), measure.resolved(PLAIN))
            assert np.isfinite(values).all()
            if family.name not in OF_JUDGMENTS_ALONE | OF_ANY_RANKING:
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
        name = str(next(measure for measure in uses(family) if measure.cutoff))
        assert [measure.cutoff for measure in at_cutoffs(parse(name), [4, 9])] == [4, 9]
    else:
        with pytest.raises(UsageError, match=r"takes no cutoff|must be a number from"):
            parse(f"{family.name}@{'-2' if family.at else 2}")


def test_measures_travel_to_other_processes(family: Family) -> None:
    measures = uses(family)
    for measure, again in zip(measures, pickle.loads(pickle.dumps(list(measures))), strict=True):
        assert (str(again), again.asked, again.family.compute) == (str(measure), measure.asked, family.compute)


# -------------------------------------------------------------------------------------------- no name is a dead end


def test_what_is_said_to_be_absent_is_absent() -> None:
    covered = {name for family in ALL for name in (family.name, *family.aliases, *family.trec_eval)}
    assert covered & (set(absent.TREC_EVAL) | set(absent.IR_MEASURES)) == set()


def test_the_names_of_other_tools_lead_to_measures() -> None:
    for other in absent.OTHER_NAMES.values():
        assert parse(other.format(k=5))


def test_every_measure_of_ir_measures_is_here_or_known_to_be_absent() -> None:
    import ir_measures

    names = set(ir_measures.measures.registry)
    assert len(names) > 40
    here = {name for family in ALL for name in (family.name, *family.aliases)}
    assert names - here == set(absent.IR_MEASURES) == set()
    # ir_measures' dialect has no word of our own, but for what it has no word for.
    own = {
        name
        for family in ALL
        for name in (family.name, *family.aliases)
        if family.trec_eval or "ir_measures" not in family.elsewhere
    }
    assert here - names <= own


def test_every_measure_and_nickname_of_pytrec_eval_is_here_or_known_to_be_absent() -> None:
    import pytrec_eval

    here = {name for family in ALL for name in family.trec_eval}
    assert set(pytrec_eval.supported_measures) - here - set(absent.TREC_EVAL) == set()
    new = {"dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"}  # of release 10
    # Its qrels are of one group, so that it has nicknames for these and no measures.
    groups = {name for nickname in ("all_prefs", "qrels_jg") for name in absent.NICKNAMES[nickname]} - {"num_q"}
    assert here - set(pytrec_eval.supported_measures) - groups == {"yaap", *new}
    assert set(pytrec_eval.supported_nicknames) == set(absent.NICKNAMES)
    for nickname, members in absent.NICKNAMES.items():
        texts = {"runid", "relstring"}  # lines that hold no number
        assert set(members) - new == set(pytrec_eval.supported_nicknames[nickname]) - texts


def test_the_parameters_are_those_of_ir_measures(family: Family) -> None:
    import ir_measures

    if family.name not in ir_measures.measures.registry:
        assert "ir_measures" not in family.elsewhere
        return
    theirs = set(ir_measures.measures.registry[family.name].SUPPORTED_PARAMS)
    if family.name == "NumRelRet":
        theirs = {"rel"}
    theirs -= {"relative"} if family.name == "SetRelP" else set()  # SetP's, for its own True
    ours = set(family.takes - {"gain"}) | set(family.options) | ({"dcg", "gains"} if "gain" in family.takes else set())
    ours -= {"max_rel"} if family.name == "ERR" else set()  # ours, for scales that gdeval refuses
    assert theirs == ours | set(family.switches) | set(family.fixed) | ({"rel"} if family.with_rel else set())
