"""The field notes: what goes wrong in this job, found in public bug reports, as tests.

Each note has a number from B01 to B70 (some numbers are not in use), a small input and its right answer. The tests are
named after the note, `test_b21_...`, and stand by subject:

    test_order.py          B01-B06              ties, precision of scores, the rank column
    test_rows_and_ids.py   B07-B19              repeated rows, ids of chunks and documents, the query's own document
    test_queries.py        B21-B27              missing, empty and unjudged queries, empty files
    test_grades.py         B28-B34              fractional and negative grades, levels, gains
    test_formulas.py       B35-B40 B56 B68 B70  cutoffs, denominators, names
    test_files.py          B41-B53 B64          bytes, lines, columns, values
    test_engines.py        B58 B59 B69          memory, time, missing engines

Two notes are about things that irbridge does not do yet (`LATER`); of some others a part comes later too:

    B05  depth-k pools as files         with the other tools for label sets; the order that a pool sees is tested here
    B11  rolling chunk runs up          with chunking; the hint, and the numbers of a mapped run, are tested here
    B13  groups of duplicate content    with validate; that ids tell places and names apart is tested here
    B14  a list of dangling labels      with validate against a corpus; the numbers are tested here
    B15  which part drifted, by name    with drift; that a loaded collection pins its parts is tested here
    B36  MS MARCO's own MRR             with the rest of the measures; that RR@10 is not called so is tested here
    B37  R_cap                          with the rest of the measures; plain recall is tested here

What people asked for most often (F01 to F39) is mapped to tests, or to what brings it, in `WANTED`.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

LATER = {
    "B12": "labels whose chunks are gone: drift, with re-anchoring",
    "B60": "interpolated precision under both releases' rounding: the rest of trec_eval's measures",
}
# Wanted feature -> a test of this project that shows it, or in parentheses what will bring it.
WANTED = {
    "F01": "test_b21_the_gap_is_seen",
    "F02": "test_b28_fractional_grades_are_refused_row_by_row",
    "F03": "test_b33_linear_and_exponential_gain",  # real-valued gains; labels stay whole numbers
    "F04": "test_b35_a_reciprocal_rank_with_a_cutoff",
    "F05": "test_b34_three_numbers_that_are_called_ndcg",
    "F06": "test_b32_the_level_does_not_reach_ndcg",
    "F07": "test_b03_one_tie_rule_for_all_measures",
    "F08": "test_b33_linear_and_exponential_gain",
    "F09": "(the rest of the measures)",
    "F10": "test_every_query_and_the_mean_are_what_trec_eval_printed",
    "F11": "(measures from a file)",
    "F12": "(the rest of the measures)",
    "F13": "test_b30_a_negative_grade_is_not_relevant_and_gains_nothing",
    "F14": "test_b45_comments_and_ids_that_hold_the_sign",
    "F15": "test_wanted_compressed_files_and_parquet",
    "F16": "test_wanted_frames_in_and_out",
    "F17": "(wheels: irbridge is pure Python)",
    "F18": "test_b58_scoring_again_and_again_keeps_no_memory",
    "F19": "test_a_loaded_collection_is_the_same_dataset_again",
    "F20": "(validate)",
    "F21": "(validate)",
    "F22": "test_the_manifest_has_what_ir_datasets_documents",
    "F23": "test_b70_nothing_retrieved_is_recall_0",
    "F24": "test_b40_the_truth_is_in_the_labels_not_in_the_results",
    "F25": "test_strata_are_shown_with_the_worst",
    "F26": "test_wanted_hit_rate_and_mrr_by_query",
    "F27": "(drift)",
    "F28": "test_b13_the_same_chunk_has_the_same_id_every_time",
    "F29": "(chunk runs rolled up)",
    "F30": "test_b24_the_specification_leaves_it_out_and_says_so",
    "F31": "(comparison of runs)",
    "F32": "(gates)",
    "F33": "test_b06_scores_rule_and_a_contradicting_rank_column_is_said",
    "F34": "test_b09_equal_labels_collapse_and_are_counted",
    "F35": "test_b33_the_gain_stands_beside_the_number",
    "F36": "test_b70_nothing_to_find_is_undefined_and_not_1",
    "F37": "test_b15_a_loaded_collection_pins_its_parts_together",
    "F38": "(validate)",
    "F39": "test_b42_line_ends_tabs_and_repeated_spaces",
}


@pytest.fixture(scope="module")
def notes(shared: Path) -> str:
    return (shared / "design" / "field-notes.md").read_text(encoding="utf-8")


def names_of_tests(folder: Path) -> set[str]:
    """The names of all tests below a folder."""
    return {
        node.name
        for path in folder.rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_each_note_is_a_test_or_said_to_come_later(notes: str) -> None:
    numbers = re.findall(r"^### (B\d\d) ", notes, re.MULTILINE)
    assert len(numbers) == len(set(numbers)) == 48
    tested = {
        f"B{found[1]}" for name in names_of_tests(Path(__file__).parent) if (found := re.match(r"test_b(\d\d)_", name))
    }
    assert tested | LATER.keys() == set(numbers)
    assert not tested & LATER.keys()


def test_each_wanted_feature_is_mapped(notes: str, root: Path) -> None:
    numbers = re.findall(r"^\| (F\d\d) \|", notes, re.MULTILINE)
    assert list(WANTED) == numbers
    known = names_of_tests(root / "tests")
    assert [name for name in WANTED.values() if not name.startswith("(") and name not in known] == []
