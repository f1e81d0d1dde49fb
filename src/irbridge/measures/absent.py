"""Measures that other tools have and irbridge does not compute: who does, so that no name is a dead end."""

from __future__ import annotations

_PYTREC = "use pytrec_eval or trec_eval"
_TREC = "use the trec_eval program"
_TREC_10 = "use the trec_eval program, release 10.0"
_PREFS = "use the trec_eval program, on preference judgments (-R prefs)"
_GROUPS = "use the trec_eval program, on qrels of several judgment groups (-R qrels_jg)"
_CWL = "use ir_measures with its provider cwl_eval"
_NDEVAL = "use ir_measures with its provider pyndeval, on diversity qrels"

# trec_eval's names (measures.c of 9.0.8 and 10.0), without parameters.
TREC_EVAL: dict[str, str] = {
    "gm_map": _PYTREC,
    "iprec_at_recall": f"{_PYTREC}; ir_measures calls it IPrec",
    "infAP": f"{_PYTREC}; ir_measures calls it infAP too",
    "gm_bpref": _PYTREC,
    "Rprec_mult": _PYTREC,
    "utility": _PYTREC,
    "11pt_avg": _PYTREC,
    "binG": _PYTREC,
    "G": _PYTREC,
    "ndcg_rel": _PYTREC,
    "Rndcg": _PYTREC,
    "relative_P": _PYTREC,
    "set_relative_P": f"{_PYTREC}; ir_measures calls it SetRelP",
    "num_nonrel_judged_ret": _PYTREC,
    "relstring": f"{_PYTREC} (a text, not a number)",
    "runid": f"{_PYTREC} (a text, not a number)",
    "dcg": _TREC_10,
    "ideal_dcg": _TREC_10,
    "rbp": _TREC_10,
    "rbp_resid": _TREC_10,
    "unj": f"{_TREC_10}; its complement is Judged@k",
    "yaap": _TREC,
    **dict.fromkeys(
        (
            "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret", "prefs_simp", "prefs_pair",
            "prefs_avgjg", "prefs_avgjg_Rnonrel", "prefs_simp_ret", "prefs_pair_ret", "prefs_avgjg_ret",
            "prefs_avgjg_Rnonrel_ret", "prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp",
        ),
        _PREFS,
    ),
    **dict.fromkeys(("map_avgjg", "P_avgjg", "Rprec_mult_avgjg"), _GROUPS),
}  # fmt: skip

# trec_eval's nicknames (measures.c, 9.0.8): the names each stands for, in their order.
NICKNAMES: dict[str, tuple[str, ...]] = {
    "official": (
        "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
        "iprec_at_recall", "P",
    ),
    "set": ("num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F"),
    "all_trec": (
        "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
        "iprec_at_recall", "P", "recall", "infAP", "gm_bpref", "utility", "11pt_avg", "ndcg", "relative_P", "Rprec_mult",
        "success", "map_cut", "ndcg_cut", "ndcg_rel", "Rndcg", "binG", "G", "set_P", "set_recall", "set_relative_P",
        "set_map", "set_F", "num_nonrel_judged_ret",
    ),
}  # fmt: skip
UNREADABLE_NICKNAMES = {"prefs": _PREFS, "all_prefs": _PREFS, "qrels_jg": _GROUPS}

# ir_measures' names (0.4.3).
IR_MEASURES: dict[str, str] = {
    "Accuracy": "use ir_measures, where it is a share of pairs in order; BEIR's Accuracy@k is Success@k",
    "Compat": "use ir_measures with its provider compat",
    "ERR": "use ir_measures with its provider gdeval",
    "IPrec": "use ir_measures with its provider pytrec_eval",
    "infAP": "use ir_measures with its provider pytrec_eval",
    "SetRelP": "use ir_measures with its provider pytrec_eval",
    **dict.fromkeys(("BPM", "INSQ", "INST", "NERR8", "NERR9", "NERR10", "NERR11", "RBP", "SDCG"), _CWL),
    **dict.fromkeys(
        (
            "alpha_DCG", "alpha_nDCG", "\u03b1_DCG", "\u03b1_nDCG", "AP_IA", "MAP_IA", "ERR_IA", "nERR_IA", "NRBP", "nNRBP",
            "P_IA", "StRecall",
        ),
        _NDEVAL,
    ),
}  # fmt: skip

# Parameters of ir_measures' names that make another measure of one that irbridge has.
PARAMETERS: dict[tuple[str, str], str] = {
    ("SetP", "relative"): "use ir_measures with its provider pytrec_eval (SetRelP)",
}

# What other tools call a measure that irbridge has; {k} is the cutoff that was asked for, or 10.
OTHER_NAMES: dict[str, str] = {
    "acc": "Success@{k}", "accuracy": "Success@{k}", "hits": "Success@{k}", "hit": "Success@{k}",
    "hitrate": "hit_rate@{k}", "f1": "SetF", "hole": "Judged@{k}", "r-precision": "Rprec", "rprecision": "Rprec",
    "r_cap": "R@{k}", "mean_reciprocal_rank": "RR@{k}", "average_precision": "AP@{k}", "ndcg_burges": "ndcg@{k}",
    "mrr_cut": "RR@{k}", "recip_rank_cut": "RR@{k}", "exact_prec": "set_P", "exact_recall": "set_recall",
}  # fmt: skip
