"""`irbridge score` as the gate of a build. The collection is that of conftest.py, whose numbers are worked out there.

RR 1/2; P@3 1/3; R@3 1/2 and 1: mean 3/4; AP 1/4 and 1/2: mean 3/8.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Irbridge = Callable[..., Any]
BOTH = ("--judgments", "a.qrels", "--run", "a.run")


def verdict(out: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out)["verdict"]
    return found


def test_the_screen(irbridge: Irbridge) -> None:
    done = irbridge("score", *BOTH, "-m", "R@3", "--gate", "R@3:0.75", "--gate", "R@3:0.8", "--gate", "AP:0.1")
    assert done.code == 1
    assert done.out == (
        "          mean   95% interval      n\n"
        "  R@3   0.7500   0.0000   1.0000   2\n"
        "\n"
        "  gate       status          observed\n"
        "  R@3:0.75   PASS              0.7500\n"
        "  R@3:0.8    FAIL              0.7500\n"
        "  AP:0.1     INDETERMINATE          -\n"
        "  convention  ir_measures · ties docid descending · scores as float32\n"
        "              missing queries score 0\n"
        "  coverage    2 of 2 judged queries answered · 60.0% of the top 10 judged\n"
        "  why         R@3 is 0.7500, below 0.8\n"
        "  why         AP:0.1: metric 'AP' not present in the report\n"
        "  verdict     FAIL\n"
        "  next        --per-query rows.csv shows which queries pull R@3 down\n"
    )


def test_colour_says_nothing_that_words_do_not(irbridge: Irbridge) -> None:
    import re

    call = ("score", *BOTH, "-m", "R@3", "--gate", "R@3:0.8")
    plain, coloured = irbridge(*call).out, irbridge("--color", "always", *call).out
    assert "\x1b[31mFAIL" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


@pytest.mark.parametrize(
    "gates, code, status",
    [
        (["R@3:0.75"], 0, "PASS"),
        (["R@3:0.75", "R@3:0.1"], 0, "PASS"),
        (["R@3:0.75", "R@3:0.76"], 1, "FAIL"),
        (["R@3:0.75", "R@4:0.1"], 1, "INDETERMINATE"),
        (["R@4:0.1", "R@3:0.76"], 1, "FAIL"),
        (["R@3:-0.1"], 1, "INDETERMINATE"),
        (["worst-stratum:R@3:0.1"], 1, "INDETERMINATE"),
        (["R@3:ci-lower:0.1"], 1, "INDETERMINATE"),
        (["faithfulness:ci-lower:0.8"], 1, "INDETERMINATE"),
    ],
)
def test_exit_codes(irbridge: Irbridge, gates: list[str], code: int, status: str) -> None:
    flags = [word for gate in gates for word in ("--gate", gate)]
    done = irbridge("score", *BOTH, "-m", "R@3", *flags, "--json")
    assert (done.code, verdict(done.out)["status"]) == (code, status)
    assert [gate["expression"] for gate in verdict(done.out)["gates"]] == gates


@pytest.mark.parametrize("gate", ["R@3", "R@3:x", "R@3:nan", "worst-stratum:R@3", "", ":1"])
def test_an_expression_that_is_none_is_refused_before_reading(irbridge: Irbridge, gate: str) -> None:
    done = irbridge("score", "--judgments", "none", "--run", "none", "--gate", gate)
    assert (done.code, done.out) == (2, "")
    assert f"gate '{gate}'" in done.err


def test_without_measures_gates_of_other_dialects_say_what_is_computed(irbridge: Irbridge) -> None:
    made = json.loads(irbridge("score", *BOTH, "--gate", "AP:0.375", "--gate", "R@3:0.75", "--json").out)
    assert list(made["metrics"]) == ["AP", "R@3"]
    assert made["verdict"]["status"] == "PASS"
    assert made["convention"]["name"] == "ir_measures"


def test_a_gate_of_the_specification_leaves_the_six_as_they_are(irbridge: Irbridge) -> None:
    done = irbridge("score", *BOTH, "--gate", "recall@3:0.1", "--json")
    assert len(json.loads(done.out)["metrics"]) == 6
    assert verdict(done.out)["reasons"] == ["recall@3:0.1: metric 'recall@3' not present in the report"]
    assert "-m 'recall@3'" in json.loads(done.out)["advice"][0]
    assert irbridge("score", *BOTH, "-k", "3", "--gate", "recall@3:0.1").code == 0


def test_a_report_becomes_the_baseline_of_the_next(irbridge: Irbridge) -> None:
    assert irbridge("score", *BOTH, "-m", "R@3 AP", "--out", "main.json").code == 0
    Path("b.run").write_text("q1 Q0 d1 1 0.9 t\nq2 Q0 d5 1 0.5 t\nq2 Q0 d9 2 0.4 t\n")
    # q1: d1 at 1: R@3 1/2, AP 1/2; q2 finds nothing: means 1/4 and 1/4, so they fell by 0.5 and 0.125.
    call = ("score", "--judgments", "a.qrels", "--run", "b.run", "-m", "R@3 AP", "--baseline", "main.json")
    assert irbridge(*call, "--gate", "R@3:-0.5", "--gate", "AP:-0.125").code == 0
    done = irbridge(*call, "--gate", "R@3:-0.4")
    assert done.code == 1
    assert "why         R@3 fell 0.5000, from 0.7500 to 0.2500, outside -0.4" in done.out
    assert "  R@3:-0.4   FAIL       0.2500     0.7500\n" in done.out


@pytest.mark.parametrize(
    "flags, said",
    [
        (["--ties", "docid-asc"], "another convention: ties docid-desc there, docid-asc here"),
        (["--rel", "2"], "another threshold: relevance >= 1 there, >= 2 here"),
        (["--judgments", "b.qrels"], "other labels: 4 of 2 queries there, 3 of 2 queries here"),
    ],
)
def test_a_baseline_that_answers_another_question_is_refused_and_it_is_said(
    irbridge: Irbridge, flags: list[str], said: str
) -> None:
    Path("b.qrels").write_text("q1 0 d1 2\nq1 0 d2 1\nq2 0 d4 1\n")
    irbridge("score", *BOTH, "-m", "R@3", "--out", "main.json")
    done = irbridge("score", *BOTH, "-m", "R@3", *flags, "--baseline", "main.json", "--gate", "R@3:-1", "--json")
    assert done.code == 1
    assert verdict(done.out)["status"] == "INDETERMINATE"
    assert verdict(done.out)["reasons"][0] == f"the baseline is refused: {said}"
    assert json.loads(done.out)["baseline"]["differences"] == [said]


def test_another_k_is_said(irbridge: Irbridge) -> None:
    irbridge("score", *BOTH, "-m", "R@3", "--out", "main.json")
    done = irbridge("score", *BOTH, "-m", "R@2", "--baseline", "main.json", "--gate", "R@2:-1")
    assert done.code == 1
    assert "why         R@2:-1: no baseline value for 'R@2'" in done.out
    assert "next        k differs: the baseline has R@3, this report R@2" in done.out


@pytest.mark.parametrize(
    "text, said",
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"metrics": {"AP": {"value": NaN}}, "judgments": {}}', "NaN is no JSON number"),
        ('{"metrics": {"AP": {"value": 1e999}}, "judgments": {}}', "no finite number"),
        ('{"metrics": 5, "judgments": {}}', "'metrics' is no object"),
        ("\x00\x01", "b.json"),
        ("", "b.json"),
        ("q1 0 d1 1\n", "is no JSON"),
    ],
)
def test_hostile_baselines(irbridge: Irbridge, text: str, said: str) -> None:
    Path("b.json").write_text(text)
    done = irbridge("score", *BOTH, "--baseline", "b.json", "--gate", "recall@10:-0.1")
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "Traceback" not in done.err
    assert "failed where it should not" not in done.err


def test_odd_members_of_a_baseline_are_no_crash(irbridge: Irbridge) -> None:
    odd = {
        "metrics": {"recall@10": {"value": 1, "ci": "x"}}, "judgments": {"labels": "\x1b[31m", "queries": [1]},
        "convention": {"ties": {"a": 1}, "rel": None}, "tool": "x", "generated_at": 5, "labels_sha256": 5, "per_stratum": 7,
    }  # fmt: skip
    Path("b.json").write_text(json.dumps(odd))
    done = irbridge("score", *BOTH, "--baseline", "b.json", "--gate", "recall@10:-0.1")
    assert done.code == 1
    assert "\x1b" not in done.out
    assert json.loads(irbridge("score", *BOTH, "--baseline", "b.json", "--json").out)["baseline"]["tool"] is None


def test_standard_input_serves_once(irbridge: Irbridge) -> None:
    done = irbridge("score", "--judgments", "a.qrels", "--run", "-", "--baseline", "-")
    assert done.code == 2
    assert "only one input can come from standard input" in done.err


@pytest.mark.parametrize("flag", ["--baseline", "--gates", "--corpus"])
def test_a_file_that_is_not_there_and_no_file_at_all(irbridge: Irbridge, flag: str) -> None:
    done = irbridge("score", *BOTH, flag, "none.x")
    assert done.code == 2
    assert "none.x" in done.err
    assert f"{flag} names nothing" in irbridge("score", *BOTH, flag, "").err


def test_baseline_and_gate_file_are_never_overwritten(irbridge: Irbridge) -> None:
    irbridge("score", *BOTH, "--out", "main.json")
    Path("gates.toml").write_text('baseline = "main.json"\n')
    before = Path("main.json").read_text()
    assert irbridge("score", *BOTH, "--baseline", "main.json", "--out", "main.json").code == 2
    for target in ("main.json", "gates.toml"):
        assert irbridge("score", *BOTH, "--gates", "gates.toml", "--out", target).code == 2
    assert Path("main.json").read_text() == before


# ---------------------------------------------------------------------------------------------------------- gate files

GATES = """
measures = ["R@3", "AP"]
convention = "trec_eval-9"
threshold = 1
baseline = "main.json"
gates = ["R@3:0.75", "AP:-0.01"]
"""


def test_a_gate_file_is_enough(irbridge: Irbridge) -> None:
    Path("conf").mkdir()
    Path("conf/gates.toml").write_text(GATES)
    irbridge("score", *BOTH, "-m", "R@3 AP", "--convention", "trec_eval-9", "--out", "conf/main.json")
    done = irbridge("score", *BOTH, "--gates", "conf/gates.toml", "--json")
    made = json.loads(done.out)
    assert done.code == 0
    assert list(made["metrics"]) == ["R@3", "AP"]
    assert made["convention"]["name"] == "trec_eval-9"
    assert [gate["expression"] for gate in made["verdict"]["gates"]] == ["R@3:0.75", "AP:-0.01"]
    assert made["baseline"]["path"] == "conf/main.json"


def test_the_command_line_counts_more_and_adds_gates(irbridge: Irbridge) -> None:
    Path("gates.toml").write_text(GATES.replace('baseline = "main.json"\n', "").replace(', "AP:-0.01"', ""))
    flags = ("--convention", "beir", "-m", "R@3 RR", "--rel", "2", "--gate", "RR:0.1")
    made = json.loads(irbridge("score", *BOTH, "--gates", "gates.toml", *flags, "--json").out)
    assert list(made["metrics"]) == ["R@3", "RR"]
    assert (made["convention"]["name"], made["convention"]["rel"]) == ("beir (changed)", 2)
    assert [gate["expression"] for gate in made["verdict"]["gates"]] == ["R@3:0.75", "RR:0.1"]


def test_strata_in_a_gate_file(irbridge: Irbridge) -> None:
    rows = [
        {"query_id": "q1", "query": "a", "doc_uri": "d1", "relevance": 1, "stratum": "billing"},
        {"query_id": "q2", "query": "b", "doc_uri": "d9", "relevance": 1, "stratum": "api"},
    ]
    Path("s.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("gates.toml").write_text('[strata]\nworst = "mrr@10:0.3"\nrequire = ["billing", "legal"]\n')
    done = irbridge("score", "--judgments", "s.jsonl", "--run", "a.run", "--gates", "gates.toml")
    assert done.code == 1
    assert "  worst-stratum:mrr@10:0.3   FAIL       0.0000\n" in done.out
    assert "stratum 'legal' was not scored, and the gates require it" in done.out
    assert "pull mrr@10 down, in the stratum api" in " ".join(done.out.split())


def test_a_typing_error_in_a_gate_file_has_its_line(irbridge: Irbridge) -> None:
    Path("gates.toml").write_text('measures = ["AP"]\ngate = ["AP:0.1"]\n')
    done = irbridge("score", *BOTH, "--gates", "gates.toml")
    assert (done.code, done.out) == (2, "")
    assert "gates.toml:2: 'gate' is not a key of a gate file; did you mean gates?" in done.err


# -------------------------------------------------------------------------------------------------------------- labels


def test_unsound_labels_are_scored_and_do_not_pass(irbridge: Irbridge) -> None:
    row = {"query_id": "q1", "query": "a", "doc_uri": "d1", "relevance": 1}
    Path("u.jsonl").write_text("".join(json.dumps({**row, "relevance": grade}) + "\n" for grade in (0, 1)))
    done = irbridge("score", "--judgments", "u.jsonl", "--run", "a.run", "--gate", "recall@10:1")
    assert done.code == 1
    said = " ".join(done.out.split())
    assert "recall@10:1 PASS 1.0000" in said
    assert "the judgment set is unsound (duplicate-label); run 'irbridge validate' for detail." in said
    assert "verdict INDETERMINATE next irbridge validate --judgments u.jsonl" in said


def test_decay_is_said_beside_the_score(irbridge: Irbridge) -> None:
    Path("j.jsonl").write_text('{"query_id":"q1","query":"a","doc_uri":"d1","relevance":1}\n')
    Path("c.json").write_text('{"corpus_fingerprint":"w/1","chunks":[]}')
    done = irbridge("score", "--judgments", "j.jsonl", "--run", "a.run", "--corpus", "c.json")
    assert done.code == 0
    assert "100% of judgments no longer match the live corpus" in done.out
    assert "irbridge drift --judgments j.jsonl --corpus c.json" in " ".join(done.out.split())


@pytest.mark.parametrize("content", ["", "gates = []\n", "k = 5\n[strata]\nworst = []\n"])
def test_a_gate_file_without_a_gate_lets_nothing_pass(irbridge: Irbridge, content: str) -> None:
    Path("g.toml").write_text(content)
    done = irbridge("score", *BOTH, "--gates", "g.toml")
    assert (done.code, "holds no gate" in done.err) == (2, True)


@pytest.mark.parametrize("bound", ["1e-99999999999999999999", "0." + "1" * 500])
def test_a_bound_of_no_usable_size_is_refused(irbridge: Irbridge, bound: str) -> None:
    done = irbridge("score", *BOTH, "--gate", f"recall@5:{bound}")
    assert (done.code, "usable size" in done.err) == (2, True)


def test_a_name_of_many_parts_costs_no_time(irbridge: Irbridge) -> None:
    Path("g.toml").write_text("a" + ".a" * 30_000 + " = 1\n")
    done = irbridge("score", *BOTH, "--gates", "g.toml")
    assert (done.code, "too long" in done.err) == (2, True)


# ------------------------------------------------------------------------------------------------- a dead earlier run

ANOTHER = "q1 Q0 old1 1 0.9 t\nq2 Q0 old2 1 0.5 t\n"
ONCE_MORE = "score the earlier run once more, on these labels, with --out REPORT.json"
AGAIN = "run the earlier retriever again on the corpus of these labels"


def test_no_gate_passes_over_a_baseline_of_which_nothing_is_judged(irbridge: Irbridge) -> None:
    Path("old.run").write_text(ANOTHER)
    Path("bad.run").write_text("q1 Q0 d9 1 0.9 t\nq2 Q0 d3 1 0.5 t\n")
    assert irbridge("score", "--judgments", "a.qrels", "--run", "old.run", "-m", "R@3", "--out", "old.json").code == 0
    call = ("score", "--judgments", "a.qrels", "--run", "bad.run", "-m", "R@3", "--baseline", "old.json")
    for gate in ("R@3:-0.1", "R@3:+0"):
        done = irbridge(*call, "--gate", gate, "--json")
        made = json.loads(done.out)
        assert (done.code, made["verdict"]["gates"][0]["status"]) == (1, "INDETERMINATE")
        assert made["verdict"]["reasons"] == [
            "the baseline is refused: none of the ids that its run retrieved is judged",
            f"{gate}: no baseline value for 'R@3'",
        ]
        assert made["advice"][0] == f"{AGAIN}, and score that run on these labels, with --out REPORT.json"
    # A floor asks nothing of it, and it is said all the same.
    done = irbridge(*call, "--gate", "R@3:0")
    assert done.code == 0
    assert "old.json: refused as a baseline: none of the ids" in " ".join(done.out.split())


def test_an_earlier_run_that_found_one_judged_document_is_a_baseline(irbridge: Irbridge) -> None:
    # d3 has grade 0: every recall is 0, and it is the retriever's.
    Path("old.run").write_text(ANOTHER + "q1 Q0 d3 2 0.8 t\n")
    irbridge("score", "--judgments", "a.qrels", "--run", "old.run", "-m", "R@3", "--out", "old.json")
    call = ("score", *BOTH, "-m", "R@3", "--baseline", "old.json", "--baseline-run", "old.run")
    done = irbridge(*call, "--gate", "R@3:+0.75", "--json")
    assert (done.code, verdict(done.out)["gates"][0]["baseline"]) == (0, 0)
    assert json.loads(done.out)["baseline_run"]["judged_hits"] == 1


def test_no_gate_passes_over_an_earlier_run_of_which_nothing_is_judged(irbridge: Irbridge) -> None:
    rows = [(f"q{number}", f"d{number}") for number in range(8)]
    Path("c.qrels").write_text("".join(f"{query} 0 {doc} 1\n" for query, doc in rows))
    Path("now.run").write_text("".join(f"{query} Q0 {doc} 1 1 t\n" for query, doc in rows))
    Path("old.run").write_text("".join(f"{query} Q0 old-{doc} 1 1 t\n" for query, doc in rows))
    call = ("score", "--judgments", "c.qrels", "--run", "now.run", "-m", "RR", "--gate", "RR:delta-lower:-0.02")
    assert irbridge(*call, "--baseline-run", "now.run").code == 0
    done = irbridge(*call, "--baseline-run", "old.run", "--json")
    made = json.loads(done.out)
    assert (done.code, made["baseline_run"]["judged_hits"]) == (1, 0)
    assert made["verdict"]["gates"] == [
        {"expression": "RR:delta-lower:-0.02", "status": "INDETERMINATE", "observed": 1.0}
    ]
    why = "RR:delta-lower:-0.02: none of the ids that the earlier run retrieved is judged"
    assert made["verdict"]["reasons"] == [why]
    assert made["advice"] == [f"{AGAIN}: --baseline-run names that run"]


@pytest.mark.parametrize(
    "before, way",
    [
        ("w/1", f"{AGAIN}, and score that run on these labels, with --out REPORT.json"),
        (
            "w/2",
            f"{ONCE_MORE}; if its ids are not those of these labels, run its retriever on their corpus first",
        ),
    ],
)
def test_the_way_to_a_baseline_works_where_documents_were_cut_anew(irbridge: Irbridge, before: str, way: str) -> None:
    row = {"query_id": "q1", "query": "a", "doc_uri": "d1", "relevance": 1}
    Path("old.jsonl").write_text(json.dumps({**row, "corpus_fingerprint": before}) + "\n")
    Path("new.jsonl").write_text(json.dumps({**row, "relevance": 2, "corpus_fingerprint": "w/2"}) + "\n")
    irbridge("score", "--judgments", "old.jsonl", "--run", "a.run", "--out", "old.json")
    call = ("score", "--judgments", "new.jsonl", "--run", "a.run", "--baseline", "old.json", "--gate", "recall@10:-1")
    done = irbridge(*call, "--json")
    assert done.code == 1
    assert json.loads(done.out)["advice"][0] == way


# ----------------------------------------------------------------------------------------------- documents for chunks


def test_labels_of_chunks_against_documents_are_told_to_chunk_them_first(irbridge: Irbridge) -> None:
    Path("docs").mkdir()
    Path("docs/a.md").write_text("One sentence. Another sentence. And a third one.\n")
    irbridge("chunk", "docs", "--chunker", "sentence/1", "-o", "c.jsonl")
    chunks = [json.loads(line) for line in Path("c.jsonl").read_text().splitlines()]
    chunk = next(each for each in chunks if "chunk_id" in each)
    row = {"query_id": "q1", "query": "a", "doc_uri": "a.md", "chunk_id": chunk["chunk_id"], "relevance": 1}
    Path("j.jsonl").write_text(json.dumps(row) + "\n")
    Path("h.jsonl").write_text(json.dumps({"query_id": "q1", "ranking": [chunk["chunk_id"]]}) + "\n")
    call = ("score", "--judgments", "j.jsonl", "--run", "h.jsonl", "--gate", "drift:stale:0", "--json", "--corpus")
    made = json.loads(irbridge(*call, "docs").out)
    assert made["verdict"]["status"] == "FAIL"
    assert made["notes"][-1] == "the labels are of chunks, and docs is documents, taken whole: irbridge chunk cuts them"
    assert made["advice"] == ["irbridge chunk docs --chunker SPEC -o CHUNKS.jsonl, then --corpus CHUNKS.jsonl here"]
    cut = json.loads(irbridge(*call, "c.jsonl").out)
    assert (cut["verdict"]["status"], cut["notes"], cut["advice"]) == ("PASS", [], [])
    # Labels of documents are held against documents.
    Path("j.jsonl").write_text(json.dumps({**row, "doc_uri": "b.md", "chunk_id": None}) + "\n")
    gone = json.loads(irbridge(*call, "docs").out)
    assert gone["advice"] == ["irbridge drift --judgments j.jsonl --corpus docs"]
    assert not any("chunk cuts them" in note for note in gone["notes"])


def test_a_count_of_drift_without_its_form_is_led_to_it(irbridge: Irbridge) -> None:
    done = irbridge("score", *BOTH, "-m", "R@3", "--gate", "stale_rate:0", "--json")
    assert (done.code, json.loads(done.out)["advice"]) == (1, ["did you mean drift:stale_rate:0?"])
