from __future__ import annotations

import pytest

from irbridge.conventions import EXPONENTIAL, LINEAR, Convention, Gain
from irbridge.errors import UnknownName, UsageError
from irbridge.measures.names import at_cutoffs, family_named, parse, spec_six, split_names

TREC_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


def asked(names: object) -> list[str]:
    return [measure.asked for measure in parse(names)]


# ------------------------------------------------------------------------------------------------------------ dialects


@pytest.mark.parametrize(
    "name, canonical, dialect",
    [
        # ir_measures 0.4.3: main names and every alias that it registers
        ("nDCG@10", "nDCG@10", "ir_measures"),
        ("NDCG@10", "nDCG@10", "ir_measures"),
        ("nDCG", "nDCG", "ir_measures"),
        ("AP", "AP", "ir_measures"),
        ("MAP@5", "AP@5", "ir_measures"),
        ("MRR", "RR", "ir_measures"),
        ("RR(rel=2)@10", "RR(rel=2)@10", "ir_measures"),
        ("AP(rel=2)", "AP(rel=2)", "ir_measures"),
        ("AP(rel=1)", "AP", "ir_measures"),
        ("Precision@5", "P@5", "ir_measures"),
        ("P(judged_only=True)@5", "P(judged_only=True)@5", "ir_measures"),
        ("P(judged_only=False, rel = 2 )@5", "P(rel=2)@5", "ir_measures"),
        ("Recall@100", "R@100", "ir_measures"),
        ("R(cutoff=5)", "R@5", "ir_measures"),
        ("RPrec", "Rprec", "ir_measures"),
        ("BPref", "Bpref", "ir_measures"),
        ("Judged", "Judged", "ir_measures"),
        ("NumRet(rel=2)", "NumRelRet(rel=2)", "ir_measures"),
        ("NumRelRet", "NumRelRet", "ir_measures"),
        ("SetF(beta=2)", "SetF(beta=2)", "ir_measures"),
        ("SetF(beta=1.0)", "SetF", "ir_measures"),
        ("nDCG(dcg='log2')@10", "nDCG@10", "ir_measures"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10", "ir_measures"),
        ('nDCG(dcg="exp-log2")@10', "nDCG(dcg='exp-log2')@10", "ir_measures"),
        ("nDCG(gains={0:0, 1:1, 2:5.5})@10", "nDCG(gains={0:0,1:1,2:5.5})@10", "ir_measures"),
        ("nDCG(gains={})@10", "nDCG@10", "ir_measures"),
        ("SetP(relative=False)", "SetP", "ir_measures"),
        # the judgments specification
        ("precision@3", "P@3", "spec"),
        ("recall@3", "R@3", "spec"),
        ("ndcg@3", "nDCG(dcg='exp-log2')@3", "spec"),
        ("mrr@3", "RR@3", "spec"),
        ("map@3", "AP@3", "spec"),
        ("hit_rate@3", "Success@3", "spec"),
    ],
)
def test_a_name_with_a_cutoff_or_parameters(name: str, canonical: str, dialect: str) -> None:
    (measure,) = parse(name)
    assert (measure.asked, str(measure), measure.dialect) == (name, canonical, dialect)


@pytest.mark.parametrize(
    "name, printed, canonical",
    [
        # as asked for with -m, as trec_eval 10.0 prints it, what it is
        ("map", "map", "AP"),
        ("map_cut_100", "map_cut_100", "AP@100"),
        ("map_cut.100", "map_cut_100", "AP@100"),
        ("ndcg", "ndcg", "nDCG"),
        ("ndcg_cut_10", "ndcg_cut_10", "nDCG@10"),
        ("ndcg.1=3,2=9", "ndcg_1=3,2=9", "nDCG(gains={1:3,2:9})"),
        ("ndcg_1=3,2=9", "ndcg_1=3,2=9", "nDCG(gains={1:3,2:9})"),
        ("ndcg.1=3.5", "ndcg_1=3.5", "nDCG(gains={1:3.5})"),
        ("P_5", "P_5", "P@5"),
        ("recall_100", "recall_100", "R@100"),
        ("success_5", "success_5", "Success@5"),
        ("recip_rank", "recip_rank", "RR"),
        ("bpref", "bpref", "Bpref"),
        ("Rprec", "Rprec", "Rprec"),
        ("set_P", "set_P", "SetP"),
        ("set_recall", "set_recall", "SetR"),
        ("set_map", "set_map", "SetAP"),
        ("set_F", "set_F", "SetF"),
        ("set_F.0.5", "set_F_0.5", "SetF(beta=0.5)"),
        ("set_F_0.5", "set_F_0.5", "SetF(beta=0.5)"),
        ("num_q", "num_q", "NumQ"),
        ("num_ret", "num_ret", "NumRet"),
        ("num_rel", "num_rel", "NumRel"),
        ("num_rel_ret", "num_rel_ret", "NumRelRet"),
    ],
)
def test_trec_eval_s_names(name: str, printed: str, canonical: str) -> None:
    (measure,) = parse(name)
    assert (measure.asked, str(measure), measure.dialect) == (printed, canonical, "trec_eval")


@pytest.mark.parametrize(
    "name, printed",
    [
        ("P.5,10", ["P_5", "P_10"]),
        ("P_5,10", ["P_5", "P_10"]),
        ("P", [f"P_{k}" for k in TREC_CUTOFFS]),
        ("recall", [f"recall_{k}" for k in TREC_CUTOFFS]),
        ("ndcg_cut", [f"ndcg_cut_{k}" for k in TREC_CUTOFFS]),
        ("map_cut", [f"map_cut_{k}" for k in TREC_CUTOFFS]),
        ("success", ["success_1", "success_5", "success_10"]),
    ],
)
def test_trec_eval_s_lists_and_default_cutoffs(name: str, printed: list[str]) -> None:
    measures = parse(name)
    assert [measure.asked for measure in measures] == printed
    assert [f"_{measure.cutoff}" for measure in measures] == [text[text.rindex("_") :] for text in printed]


def test_official_is_trec_eval_s_list_in_its_order() -> None:
    """`trec_eval -m official` of 9.0.8 and 10.0 prints these, after the text runid."""
    measures = parse("official")
    assert [measure.asked for measure in measures] == [
        *("num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
        *(f"iprec_at_recall_{share / 10:.2f}" for share in range(11)),
        *(f"P_{k}" for k in TREC_CUTOFFS),
    ]
    assert measures.left_out == {}


def test_all_trec_has_the_names_that_release_10_prints() -> None:
    asked_for = asked("all_trec")
    assert len(asked_for) == 98
    assert asked_for[-6:] == ["num_nonrel_judged_ret", "rbp", "rbp_resid", "unj_5", "unj_10", "unj_20"]


def test_nicknames_survive_new_cutoffs() -> None:
    moved = at_cutoffs(parse("official"), [3])
    assert [measure.asked for measure in moved][-3:] == ["iprec_at_recall_0.90", "iprec_at_recall_1.00", "P_3"]


@pytest.mark.parametrize(
    "name, printed, canonical",
    [
        # as `trec_eval -m` takes it, as it prints it, what it is
        ("iprec_at_recall.0.1", "iprec_at_recall_0.10", "IPrec@0.1"),
        ("iprec_at_recall..25", "iprec_at_recall_0.25", "IPrec@0.25"),
        ("iprec_at_recall_0.125", "iprec_at_recall_0.125", "IPrec@0.125"),  # trec_eval would print 0.12
        ("11pt_avg", "11pt_avg", "11pt_avg"),
        ("11pt_avg..25,.5,.75", "11pt_avg_.25,.5,.75", "11pt_avg(points='0.25,0.5,0.75')"),
        ("utility.2,-1,0,0", "utility_2,-1,0,0", "utility(weights='2,-1,0,0')"),
        ("Rprec_mult.5.0", "Rprec_mult_5.00", "Rprec_mult@5"),
        ("rbp.p=0.8", "rbp_p=0.8", "rbp(p=0.8)"),
        ("rbp.p=0.8,1=0.5", "rbp_p=0.8,1=0.5", "rbp(gains={1:0.5},p=0.8)"),
        ("rbp_resid_p=0.8", "rbp_resid_p=0.8", "rbp_resid(p=0.8)"),
        ("G.1=3,2=9", "G_1=3,2=9", "G(gains={1:3,2:9})"),
        ("unj.7", "unj_7", "unj@7"),
        ("relative_P_10", "relative_P_10", "relative_P@10"),
        ("set_relative_P", "set_relative_P", "SetRelP"),
        ("dcg", "dcg", "DCG"),
    ],
)
def test_names_of_the_rest_of_trec_eval(name: str, printed: str, canonical: str) -> None:
    (measure,) = parse(name)
    assert (measure.asked, str(measure), measure.dialect) == (printed, canonical, "trec_eval")
    (again,) = parse(canonical)
    assert (again.family, again.cutoff, again.options, again.gain) == (
        measure.family,
        measure.cutoff,
        measure.options,
        measure.gain,
    )


def test_the_gain_is_part_of_the_name() -> None:
    spec, linear, spelled = parse("ndcg@10 nDCG@10 nDCG(dcg='log2')@10")
    assert (spec.gain, linear.gain, spelled.gain) == (EXPONENTIAL, LINEAR, LINEAR)
    assert (spec.gain_spelled, linear.gain_spelled, spelled.gain_spelled) == (False, False, True)
    custom = parse("ndcg.1=3")[0]
    assert (custom.gain, custom.gain_spelled) == (Gain.of({1: 3}), True)
    assert [measure.gain for measure in parse("P@5 AP RR Judged@5")] == [None] * 4


def test_custom_gains_are_written_without_loss() -> None:
    name = "nDCG(gains={1:0.1234567890123,2:1e+22})@5"
    assert str(parse(name)[0]) == name


def test_a_level_in_the_name_beats_the_convention_s() -> None:
    plain, own = parse("P@5 P(rel=3)@5")
    assert [measure.resolved(Convention("c", rel=2)).level for measure in (plain, own)] == [2, 3]
    assert str(plain.resolved(Convention("c", rel=2))) == "P(rel=2)@5"
    assert str(parse("nDCG@5")[0].resolved(Convention("c", rel=2))) == "nDCG@5"  # a level is no part of nDCG


# ------------------------------------------------------------------------------------------------------- several names


@pytest.mark.parametrize(
    "text, names",
    [
        ("nDCG@10 AP", ["nDCG@10", "AP"]),
        (" nDCG@10\n\tAP ", ["nDCG@10", "AP"]),
        ("nDCG(gains={0:0, 1:1})@10 AP", ["nDCG(gains={0:0, 1:1})@10", "AP"]),
        ("nDCG(dcg='a b')@10", ["nDCG(dcg='a b')@10"]),
        ("nDCG(dcg=')  (') P@5", ["nDCG(dcg=')  (')", "P@5"]),
        ("a) b", ["a)", "b"]),
        ("", []),
    ],
)
def test_names_are_split_at_white_space_outside_brackets_and_quotes(text: str, names: list[str]) -> None:
    assert split_names(text) == names


def test_lists_and_repeats() -> None:
    assert asked(["nDCG@10 AP", ["P@5"], "AP"]) == ["nDCG@10", "AP", "P@5"]
    assert asked("P P_5 P@5") == [*(f"P_{k}" for k in TREC_CUTOFFS), "P@5"]
    assert asked("map AP MAP") == ["map", "AP", "MAP"]  # one measure under three names, each reported as asked


def test_measures_pass_through() -> None:
    measures = parse("nDCG@10 map")
    assert list(parse(measures)) == list(measures)
    assert list(parse(measures[0])) == [measures[0]]
    assert len(set(measures) | set(parse("nDCG@10"))) == 2  # they can be keys


def test_objects_of_ir_measures() -> None:
    import ir_measures as irm

    objects = [
        irm.nDCG @ 10,
        irm.AP,
        irm.RR(rel=2) @ 10,
        irm.P(rel=2, judged_only=True) @ 5,
        irm.NumRelRet,
        irm.nDCG(gains={0: 0, 1: 1, 2: 5}) @ 5,
        irm.nDCG(gains={1: 1}),
        irm.SetF(beta=2.0),
        irm.nDCG(dcg="exp-log2") @ 3,
    ]
    measures = parse(objects)
    assert [measure.asked for measure in measures] == [str(item) for item in objects]
    assert [str(measure) for measure in measures] == [
        "nDCG@10",
        "AP",
        "RR(rel=2)@10",
        "P(rel=2,judged_only=True)@5",
        "NumRelRet",
        "nDCG(gains={2:5})@5",
        "nDCG",
        "SetF(beta=2)",
        "nDCG(dcg='exp-log2')@3",
    ]
    assert list(parse(irm.AP)) == list(parse("AP"))
    with pytest.raises(UsageError, match="P needs a cutoff"):
        parse(irm.P)  # the object is not trec_eval's bare P
    assert str(parse([irm.ERR @ 10])[0]) == "ERR@10"
    assert str(parse(irm.INST(T=2.5, max_rel=3))[0]) == "INST(T=2.5,max_rel=3)"
    assert str(parse(irm.Compat(p=0.8, normalize=False))[0]) == "Compat(p=0.8,normalize=False)"
    assert str(parse(irm.SetRelP)[0]) == str(parse(irm.SetP(relative=True))[0]) == "SetRelP"
    assert str(parse(irm.IPrec(rel=2) @ 0.1)[0]) == "IPrec(rel=2)@0.1"


# -------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    "name, near",
    [
        ("ndgc@10", ["nDCG@10", "ndcg@10"]),
        ("ndgc@3", ["nDCG@3", "ndcg@3"]),
        ("p@5", ["P@5"]),
        ("PRECISION@5", ["Precision@5"]),
        ("hitrate@5", ["hit_rate@5"]),
        ("hits@5", ["Success@5"]),
        ("accuracy@5", ["Success@5"]),
        ("f1", ["SetF"]),
        ("r-precision", ["Rprec"]),
        ("ndcg_burges@10", ["ndcg@10"]),
        ("ndcg_ctu_5", ["ndcg_cut_5"]),
        ("NDCG_CUT.10", ["ndcg_cut_10"]),
        ("offical", ["official"]),
        ("recip_rnk", ["recip_rank"]),
        ("num_rel_rte", ["num_rel_ret"]),
    ],
)
def test_an_unknown_name_gets_the_nearest_ones(name: str, near: list[str]) -> None:
    with pytest.raises(UnknownName) as error:
        parse(name)
    assert error.value.near[: len(near)] == near
    assert f"did you mean {near[0]}" in str(error.value)
    for suggestion in error.value.near:
        assert parse(suggestion)


@pytest.mark.parametrize(
    "name, said, way_out",
    [
        ("nDCG@0", "whole number from 1, not '0'", "nDCG@10"),
        ("RR@-1", "whole number from 1, not '-1'", ""),
        ("P@1.5", "not '1.5'", ""),
        ("P@05", "not '05'", ""),
        ("P@+5", "not '+5'", ""),
        ("P@\u0665", "not '\u0665'", ""),
        ("P@", "not ''", "without a space"),
        ("nDCG@10,AP", "not '10,AP'", "separate names by spaces"),
        ("nDCG@9223372036854775808", "whole number from 1", "2^63 - 1"),
        ("nDCG@" + "9" * 1000, "whole number from 1", "2^63 - 1"),
        ("P.0", "not '0'", ""),
        ("P.5,-1", "not '-1'", ""),
        ("P.", "not ''", ""),
        ("P.5.10", "trec_eval would use the first one and drop the rest", "P.5,10"),
        ("ndcg_cut.5.10.20", "separated by commas", "ndcg_cut.5,10,20"),
        ("map.5", "map takes no parameters", "map_cut.5 or AP@5"),
        ("recip_rank.10", "recip_rank takes no parameters", "RR@10"),
        ("bpref.5", "bpref takes no parameters", "write bpref"),
        ("map_cut@10", "trec_eval's name", "map_cut.10 or AP@10"),
        ("success@5", "trec_eval's name", "success.5 or Success@5"),
        ("set_F.0.5,2", "not a number", ""),
        ("set_F.-1", "number from 0", ""),
        ("set_F.nan", "not a number", ""),
        ("set_F.1e999", "number from 0", ""),
        ("ndcg.1=x", "not grade:gain", ""),
        ("ndcg.1=2,1=3", "two gains", ""),
        ("ndcg.1=-2", "not negative", ""),
        ("R", "R needs a cutoff", "R@10"),
        ("Success", "Success needs a cutoff", "Success@10"),
        ("P(rel=2)", "P needs a cutoff", ""),
        ("IPrec", "IPrec needs recall", "IPrec@0.5"),
        ("IPrec@-0.1", "recall must be a number from 0, not -0.1", ""),
        ("IPrec(recall=0.1)@0.2", "recall is given twice", ""),
        ("INST", "INST needs max_rel", "INST(max_rel=...)"),
        ("INST(max_rel=2.5)", "max_rel must be a whole number", ""),
        ("SDCG(dcg='exp-log2',max_rel=2)@5", "dcg can only be 'log2'", ""),
        ("SDCG(max_rel=2)", "SDCG needs a cutoff", ""),
        ("Compat(normalize=1)", "normalize is True or False", ""),
        ("RBP(p=1.5)", "p must be a number from 0 to 1, not 1.5", ""),
        ("utility.1,2,3", "weights is 4 numbers, not 3", ""),
        ("utility.1,2,3,x", "not a number", ""),
        ("SetP(relative=1)", "relative is True or False", ""),
        ("P()", "P needs a cutoff", ""),
        ("mrr", "mrr needs a cutoff", "mrr@10 or recip_rank"),
        ("hit_rate", "hit_rate needs a cutoff", "hit_rate@10 or success"),
        ("NumQ@5", "NumQ takes no cutoff", "write NumQ"),
        ("Bpref@5", "Bpref takes no cutoff", "write Bpref"),
        ("P(cutoff=5)@5", "two cutoffs", ""),
        ("P(cutoff=5.0)", "whole number", ""),
        ("nDCG(foo=1)@5", "no parameter foo", "one of: cutoff, dcg, gains, judged_only"),
        ("nDCG(rel=2)@5", "no parameter rel", "gains"),
        ("NumQ(rel=2)", "no parameter rel", "NumQ"),
        ("Judged(rel=2)@5", "no parameter rel", "cutoff"),
        ("P(rel=0)@5", "rel must be a whole number from 1, not 0", ""),
        ("P(rel=True)@5", "rel must be a whole number", ""),
        ("P(rel='2')@5", "rel must be a whole number", ""),
        ("P(rel=2.0)@5", "rel must be a whole number", ""),
        ("P(rel=99999999999999999999)@5", "rel must be a whole number", ""),
        ("P(judged_only=1)@5", "True or False", ""),
        ("P(rel=1,rel=2)@5", "rel is given twice", ""),
        ("P(2)@5", "cannot read the parameters from '2' on", "name=value"),
        ("P(rel=2 judged_only=True)@5", "cannot read the parameters", ""),
        ("P(rel=__import__('os'))@5", "cannot read the parameters", ""),
        ("nDCG(dcg='exp')@5", "'log2' (linear gain) or 'exp-log2'", ""),
        ("nDCG(gains=5)@5", "gains is a table", "{0:0,1:1,2:5}"),
        ("nDCG(gains={1:2,1:3})@5", "grade 1 has two gains", ""),
        ("nDCG(gains={1.5:2})@5", "not grade:gain", ""),
        ("nDCG(gains={-1:2})@5", "grade -1 cannot have a gain", ""),
        ("nDCG(gains={1:1e999})@5", "finite", ""),
        ("nDCG(gains={1:2},dcg='log2')@5", "both say", ""),
        ("ndcg(rel=2)@5", "ndcg takes no parameters", "nDCG(...)@5"),
        ("nDCG(gains={1:1", "not complete", "parentheses"),
        ("P(rel=2)x@5", "not complete", ""),
        ("nDCG @ 10", "'@' names no measure", "nDCG@10"),
        ("(rel=2)", "names no measure", ""),
        ("P" * 3000, "at most 2,000 characters", ""),
        ("", "no measure is named", "irbridge measures"),
        ("  ", "no measure is named", ""),
    ],
)
def test_an_impossible_name_says_what_is_wrong_and_what_is_right(name: str, said: str, way_out: str) -> None:
    with pytest.raises(UsageError) as error:
        parse(name)
    assert not isinstance(error.value, UnknownName)
    assert said in str(error.value)
    assert way_out in (error.value.hint or "")


@pytest.mark.parametrize(
    "name, who",
    [("relstring", "text"), ("runid", "text")],
)
def test_a_measure_that_others_have_is_named_as_such(name: str, who: str) -> None:
    with pytest.raises(UsageError, match="known measure, but irbridge does not compute it yet") as error:
        parse(name)
    assert who in (error.value.hint or "")


@pytest.mark.parametrize("thing", [5, None, b"AP", 1.5])
def test_what_is_no_name(thing: object) -> None:
    with pytest.raises(UsageError, match="is not a measure"):
        parse(thing)
    with pytest.raises(UsageError, match="is not a measure"):
        parse(["AP", thing])


@pytest.mark.parametrize("name", ["\x1b[31mAP", "AP\x00", "\x1b@5", "x\u202e@5", "\ud800"])
def test_control_characters_are_shown_escaped(name: str) -> None:
    with pytest.raises(UnknownName) as error:
        parse(name)
    assert all(line.isprintable() for line in error.value.lines())


# ------------------------------------------------------------------------------------------------------------- cutoffs


def test_the_specification_s_six() -> None:
    """judgments-contract order: precision, recall, ndcg, mrr, map, hit_rate."""
    assert [measure.asked for measure in spec_six(3)] == [
        "precision@3",
        "recall@3",
        "ndcg@3",
        "mrr@3",
        "map@3",
        "hit_rate@3",
    ]
    assert {measure.dialect for measure in spec_six(3)} == {"spec"}


@pytest.mark.parametrize(
    "names, moved",
    [
        ("nDCG@10", ["nDCG@1", "nDCG@5"]),
        ("NDCG MRR@7", ["NDCG@1", "NDCG@5", "MRR@1", "MRR@5"]),
        ("nDCG(dcg='exp-log2')@10", ["nDCG(dcg='exp-log2')@1", "nDCG(dcg='exp-log2')@5"]),
        ("R(cutoff=7,rel=2)", ["R(rel=2)@1", "R(rel=2)@5"]),
        ("ndcg@10", ["ndcg@1", "ndcg@5"]),
        ("ndcg map P_7", ["ndcg_cut_1", "ndcg_cut_5", "map_cut_1", "map_cut_5", "P_1", "P_5"]),
        ("P.5,10", ["P_1", "P_5"]),
        ("recip_rank", ["RR@1", "RR@5"]),
        ("ndcg.1=3", ["nDCG(gains={1:3})@1", "nDCG(gains={1:3})@5"]),
        ("Rprec num_q SetF", ["Rprec", "num_q", "SetF"]),
        ("Judged", ["Judged@1", "Judged@5"]),
    ],
)
def test_other_cutoffs_in_the_same_dialect(names: str, moved: list[str]) -> None:
    measures = at_cutoffs(parse(names), [1, 5])
    assert [measure.asked for measure in measures] == moved
    for measure in measures:
        (again,) = parse(measure.asked)
        assert (str(again), again.cutoff, again.gain) == (str(measure), measure.cutoff, measure.gain)


@pytest.mark.parametrize("k", [0, -1, 2**63, 1.0, True, "5", None])
def test_a_cutoff_is_a_whole_number(k: object) -> None:
    with pytest.raises(UsageError, match="whole number from 1"):
        at_cutoffs(parse("P@5"), [k])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="whole number from 1"):
        spec_six(k)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name, family",
    [
        ("ndcg_cut", "nDCG"),
        ("precision", "P"),
        ("hit_rate", "Success"),
        ("MRR", "RR"),
        ("P.5,10", "P"),
        ("set_F_2", "SetF"),
    ],
)
def test_a_family_by_any_of_its_names(name: str, family: str) -> None:
    assert family_named(name).name == family


def test_a_nickname_is_no_family() -> None:
    with pytest.raises(UsageError, match="several measures"):
        family_named("official")
    with pytest.raises(UnknownName, match="did you mean"):
        family_named("ndgc")


@pytest.mark.parametrize(
    "name, said",
    [
        ("nDCG@2000tokens", "did you mean nDCG@2000tok?"),
        ("ndcg@2ktok", "did you mean ndcg@2000tok?"),
        ("nDCG(dcg='exp-log2')@8000char", "did you mean nDCG(dcg='exp-log2')@8000chars?"),
        ("P@2k", "a budget is nDCG@2000tok"),
    ],
)
def test_a_budget_that_is_nearly_one(name: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(name)
    assert said in (caught.value.hint or "")


def test_an_unknown_name_keeps_its_budget_in_what_is_meant() -> None:
    with pytest.raises(UnknownName) as caught:
        parse("ndgc@2000tok")
    assert caught.value.near[:2] == ["nDCG@2000tok", "ndcg@2000tok"]
