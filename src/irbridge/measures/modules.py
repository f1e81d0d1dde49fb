"""Which module of this package has which names, so that a measure is imported only when its name is asked for.

Importing every family costs more than scoring a small file. A test holds this table against the descriptors.
"""

from __future__ import annotations

from typing import NamedTuple


class Spelled(NamedTuple):
    """The names of a module's families, by dialect, each a text of names separated by spaces."""

    ir_measures: str
    trec_eval: str = ""
    spec: str = ""


_PREFERENCES = (
    "prefs_num_prefs_poss prefs_num_prefs_ful prefs_num_prefs_ful_ret "
    "prefs_simp prefs_simp_ret prefs_simp_imp prefs_pair prefs_pair_ret prefs_pair_imp "
    "prefs_avgjg prefs_avgjg_ret prefs_avgjg_imp prefs_avgjg_Rnonrel prefs_avgjg_Rnonrel_ret"
)

MODULES: dict[str, Spelled] = {
    "accuracy": Spelled("Accuracy"),
    "ap": Spelled("AP MAP llama_index_ap", "map map_cut", "map"),
    "bpm": Spelled("BPM"),
    "bpref": Spelled("Bpref BPref", "bpref"),
    "compat": Spelled("Compat"),
    "counts": Spelled(
        "NumQ NumRet NumRel NumRelRet num_nonrel_judged_ret", "num_q num_ret num_rel num_rel_ret num_nonrel_judged_ret"
    ),
    "dcg": Spelled("DCG IdealDCG", "dcg ideal_dcg"),
    "diversity": Spelled(
        "alpha_nDCG \u03b1_nDCG alpha_DCG \u03b1_DCG ERR_IA nERR_IA NRBP nNRBP AP_IA MAP_IA P_IA StRecall"
    ),
    "err": Spelled("ERR"),
    "g": Spelled("binG G", "binG G"),
    "geometric_means": Spelled("gm_map gm_bpref", "gm_map gm_bpref"),
    "hole": Spelled("Hole"),
    "infap": Spelled("infAP", "infAP"),
    "inst": Spelled("INST INSQ"),
    "interpolated_precision": Spelled("IPrec 11pt_avg", "iprec_at_recall 11pt_avg"),
    "judged": Spelled("Judged"),
    "judgment_groups": Spelled("map_avgjg P_avgjg Rprec_mult_avgjg", "map_avgjg P_avgjg Rprec_mult_avgjg"),
    "llama_index": Spelled("llama_index_hit_rate llama_index_mrr_granular llama_index_ndcg"),
    "ndcg": Spelled("nDCG NDCG", "ndcg ndcg_cut", "ndcg"),
    "ndcg_averages": Spelled("ndcg_rel Rndcg", "ndcg_rel Rndcg"),
    "nerr": Spelled("NERR8 NERR9 NERR10 NERR11"),
    "precision": Spelled("P Precision", "P", "precision"),
    "preferences": Spelled(_PREFERENCES, _PREFERENCES),
    "rbp": Spelled("RBP rbp rbp_resid", "rbp rbp_resid"),
    "recall": Spelled("R Recall", "recall", "recall"),
    "reciprocal_rank": Spelled("RR MRR llama_index_mrr", "recip_rank", "mrr"),
    "relative_precision": Spelled("relative_P R_cap SetRelP", "relative_P set_relative_P"),
    "rprec": Spelled("Rprec RPrec Rprec_mult", "Rprec Rprec_mult"),
    "sdcg": Spelled("SDCG"),
    "set_measures": Spelled(
        "SetP IDBasedContextPrecision id_based_context_precision llama_index_precision SetR IDBasedContextRecall "
        "id_based_context_recall llama_index_recall llama_index_hit_rate_granular SetF SetAP",
        "set_P set_recall set_F set_map",
    ),
    "success": Spelled("Success", "success", "hit_rate"),
    "unjudged": Spelled("unj", "unj"),
    "utility": Spelled("utility", "utility"),
    "yaap": Spelled("yaap", "yaap"),
}
