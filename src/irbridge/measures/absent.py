"""Measures that other tools have and irbridge does not compute: who does, so that no name is a dead end."""

from __future__ import annotations

_TEXT = "use the trec_eval program (it is a text, not a number)"
# trec_eval's names (measures.c of 9.0.8 and 10.0), without parameters.
TREC_EVAL: dict[str, str] = {
    "relstring": _TEXT,
    "runid": _TEXT,
}

# trec_eval's nicknames (measures.c, 10.0; 9.0.8 has no unj, rbp and rbp_resid): the names each stands for, in the order
# in which trec_eval prints them; without its two lines of text, runid and relstring.
NICKNAMES: dict[str, tuple[str, ...]] = {
    "official": (
        "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
        "iprec_at_recall", "P",
    ),
    "set": (
        "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_relative_P", "set_recall", "set_map",
        "set_F",
    ),
    "all_trec": (
        "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
        "iprec_at_recall", "P", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG", "G",
        "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success", "set_P", "set_relative_P", "set_recall",
        "set_map", "set_F", "num_nonrel_judged_ret", "rbp", "rbp_resid", "unj",
    ),
    "prefs": (
        "num_q", "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret", "prefs_simp", "prefs_pair",
        "prefs_avgjg",
    ),
    "all_prefs": (
        "num_q", "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret", "prefs_simp", "prefs_pair",
        "prefs_avgjg", "prefs_avgjg_Rnonrel", "prefs_simp_ret", "prefs_pair_ret", "prefs_avgjg_ret",
        "prefs_avgjg_Rnonrel_ret", "prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp",
    ),
    "qrels_jg": ("num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}  # fmt: skip
# ir_measures' names (0.4.3).
IR_MEASURES: dict[str, str] = {}

# What other tools call a measure that irbridge has; {k} is the cutoff that was asked for, or 10.
OTHER_NAMES: dict[str, str] = {
    "acc": "Success@{k}", "accuracy": "Success@{k}", "hits": "Success@{k}", "hit": "Success@{k}",
    "hitrate": "hit_rate@{k}", "f1": "SetF", "hole": "Hole@{k}", "r-precision": "Rprec", "rprecision": "Rprec",
    "r_cap": "R_cap@{k}", "recall_cap": "R_cap@{k}", "unjudged": "unj@{k}", "gmap": "gm_map", "rank_biased_precision": "RBP",
    "mean_reciprocal_rank": "RR@{k}", "average_precision": "AP@{k}", "ndcg_burges": "ndcg@{k}",
    "mrr_cut": "RR@{k}", "recip_rank_cut": "RR@{k}", "exact_prec": "set_P", "exact_recall": "set_recall",
}  # fmt: skip
