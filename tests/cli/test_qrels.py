from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from support.sub_commands import check_sub_command

from irbridge.cli.commands.qrels import COMMAND
from irbridge.cli.commands.qrels.merge import PREFERENCES
from irbridge.cli.main import run
from irbridge.judgments import merging

NAMES = COMMAND.list_commands(click.Context(COMMAND))


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / "base").write_text("q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\n")
    (tmp_path / "ours").write_text("q1 0 d1 2\nq1 0 d4 1\nq2 0 d3 2\n")
    (tmp_path / "theirs").write_text("q1 0 d1 0\nq1 0 d2 0\nq2 0 d3 2\nq2 0 d9 1\n")


# ------------------------------------------------------------------------------------------------------ every sub-command


def test_the_commands() -> None:
    assert NAMES == ["agree", "diff", "holes", "merge", "pool"]


@pytest.mark.parametrize("name", NAMES)
def test_a_sub_command_is_documented_and_fits_the_screen(name: str, irbridge) -> None:
    check_sub_command(COMMAND, "qrels", name, irbridge)


@pytest.mark.parametrize(
    "arguments",
    [
        ["nope"],
        ["--nope"],
        ["diff"],
        ["diff", "base"],
        ["diff", "base", "absent"],
        ["diff", "-", "-"],
        ["diff", "base", "a.run"],
        ["merge", "base", "ours", "theirs"],
        ["merge", "base", "ours", "theirs", "-o", "absent/x", "--prefer", "ours"],
        ["merge", "base", "ours", "theirs", "-o", "x", "--prefer", "mine"],
        ["merge", "base", "ours", "theirs", "-o", "x", "--to", "run", "--prefer", "ours"],
        ["agree"],
        ["agree", "base"],
        ["pool"],
        ["pool", "a.run", "--depth", "0"],
        ["pool", "a.run", "--depth", "1_0"],
        ["pool", "a.qrels"],
        ["pool", "a.run", "-o", "x.xlsx"],
        ["pool", "a.run", "-o", "a.run"],
        ["pool", "a.run", "-o", "absent/x.tsv"],
        ["holes", "a.run"],
        ["holes", "--judgments", "a.qrels"],
        ["holes", "a.run", "--judgments", "a.qrels", "-k", "ten"],
    ],
    ids=" ".join,
)
def test_bad_usage_is_refused_in_words(arguments: list[str], irbridge, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    result = irbridge("qrels", *arguments)
    assert result.code == 2, result.out
    assert result.out == ""
    assert result.err.startswith("error  ")
    assert "Traceback" not in result.err
    assert "where it should not" not in result.err
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_the_command_line_offers_every_preference() -> None:
    assert PREFERENCES == merging.PREFERENCES


def test_an_overview_is_shown_without_a_command(irbridge) -> None:
    result = irbridge("qrels")
    assert result.code == 0
    assert all(f"  {name} " in result.out for name in NAMES)


# ----------------------------------------------------------------------------------------------------------------- diff


def test_a_difference_is_a_finding(irbridge) -> None:
    result = irbridge("qrels", "diff", "base", "ours")
    assert result.code == 1
    assert "1 added · 1 removed · 1 regraded · in 1 query · 1 alike" in result.out
    assert irbridge("qrels", "diff", "base", "base").code == 0


def test_a_difference_as_data(irbridge) -> None:
    data = json.loads(irbridge("qrels", "diff", "base", "ours", "--json").out)
    assert data["summary"] == {"added": 1, "removed": 1, "regraded": 1, "edited": 0, "same": 1}
    assert data["regraded"] == [{"query_id": "q1", "doc_uri": "d1", "before": 1, "after": 2}]


def test_ids_cannot_reach_the_terminal(irbridge, tmp_path: Path) -> None:
    (tmp_path / "evil").write_text("q\x1b[31m 0 d\x07 1\n")
    result = irbridge("qrels", "diff", "base", "evil")
    assert result.code == 1
    assert not set("\x1b\x07") & set(result.out)


# ---------------------------------------------------------------------------------------------------------------- merge


def test_a_conflict_is_a_finding_and_nothing_is_written(irbridge, tmp_path: Path) -> None:
    result = irbridge("qrels", "merge", "base", "ours", "theirs", "-o", "out")
    assert result.code == 1
    assert "conflict  query q1 d1 · judgment · base 1 · ours 2 · theirs 0" in result.out
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("prefer, grade", [("ours", 2), ("theirs", 0), ("max", 2), ("min", 0)])
def test_a_preference_settles_it(irbridge, tmp_path: Path, prefer: str, grade: int) -> None:
    result = irbridge("qrels", "merge", "base", "ours", "theirs", "-o", "out", "--prefer", prefer)
    assert result.code == 0, result.err
    # d2 was removed by ours, d9 added by theirs; d4 added by ours.
    assert (tmp_path / "out").read_text() == f"q1 0 d1 {grade}\nq1 0 d4 1\nq2 0 d3 2\nq2 0 d9 1\n"


def test_ours_may_be_written_over_as_a_merge_driver_does(irbridge, tmp_path: Path) -> None:
    assert irbridge("qrels", "merge", "base", "ours", "theirs", "-o", "ours", "--prefer", "theirs").code == 0
    assert (tmp_path / "ours").read_text().startswith("q1 0 d1 0\n")


def test_every_field_comes_through(irbridge, tmp_path: Path) -> None:
    row = '{{"query_id":"q","query":"t","doc_uri":"d","relevance":{},"labeled_by":"human:{}","notes":"{}","x":[1]}}\n'
    for name, values in {"b": (1, "a", "n"), "o": (2, "b", "n"), "t": (1, "a", "new")}.items():
        (tmp_path / f"{name}.jsonl").write_text(row.format(*values))
    assert irbridge("qrels", "merge", "b.jsonl", "o.jsonl", "t.jsonl", "-o", "m.jsonl").code == 0
    assert (tmp_path / "m.jsonl").read_text() == row.format(2, "b", "new")


def test_what_the_target_cannot_hold_is_said(irbridge, tmp_path: Path) -> None:
    (tmp_path / "o.jsonl").write_text('{"query_id":"q","query":"t","doc_uri":"d","relevance":1}\n')
    result = irbridge("--json", "qrels", "merge", "o.jsonl", "o.jsonl", "o.jsonl", "-o", "m.qrels", "--to", "qrels")
    assert result.code == 0
    assert json.loads(result.out)["losses"] == {"query": 1}


# --------------------------------------------------------------------------------------------------- agree, pool, holes


def test_agreement(irbridge) -> None:
    result = irbridge("qrels", "agree", "base", "theirs")
    assert result.code == 0
    # Both judged 3; grades (1, 0), (0, 0), (2, 2): observed 2/3 the same; by chance (1*0 + 1*2 + 1*1) / 9 = 1/3; kappa 1/2.
    assert "66.7%" in result.out
    assert "0.5000" in result.out


def test_where_nobody_can_tell_that_is_said(irbridge, tmp_path: Path) -> None:
    (tmp_path / "one").write_text("q 0 d 1\n")
    result = irbridge("qrels", "agree", "one", "one")
    assert result.code == 0
    assert "nominal cannot tell" in result.out
    assert json.loads(irbridge("qrels", "agree", "one", "one", "--json").out)["alpha"] == {
        "nominal": None, "ordinal": None, "interval": None,
    }  # fmt: skip


@pytest.mark.parametrize("suffix", ["jsonl", "tsv"])
def test_a_pool_is_written(irbridge, tmp_path: Path, suffix: str) -> None:
    # The run's first two: q1 d3 d1, q2 d5 d4; judged are d1, d3 and d4.
    result = irbridge("qrels", "pool", "a.run", "--depth", "2", "--judgments", "a.qrels", "-o", f"todo.{suffix}")
    assert result.code == 0
    assert "1 document to judge for 2 queries · 3 of the pool judged already" in result.out
    expected = {
        "jsonl": '{"query_id":"q2","doc_uri":"d5","best_rank":1,"runs":["a.run"]}\n',
        "tsv": "query_id\tdoc_uri\tbest_rank\truns\nq2\td5\t1\t1\n",
    }
    assert (tmp_path / f"todo.{suffix}").read_text() == expected[suffix]


def test_holes(irbridge) -> None:
    result = irbridge("qrels", "holes", "a.run", "--judgments", "a.qrels", "-k", "2")
    assert result.code == 0
    # q1: d3 and d1 are judged; q2: d5 is not. (1 + 1/2) / 2.
    assert "0.7500" in result.out
    assert "d5 (1)" in result.out


def test_an_id_with_a_tab_does_not_fit_into_a_tsv(irbridge, tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"query_id":"q","ranking":["a\\tb"]}\n')
    result = irbridge("qrels", "pool", "t.jsonl", "-o", "todo.tsv")
    assert result.code == 2
    assert "does not fit into a TSV" in result.err
    assert not (tmp_path / "todo.tsv").exists()
    assert run(["qrels", "pool", "t.jsonl", "-o", "todo.jsonl"]) == 0


def test_comments_of_ours_stay_and_those_of_theirs_are_counted(irbridge, tmp_path: Path) -> None:
    row = '{"query_id":"q1","doc_uri":"d1","relevance":1}\n'
    (tmp_path / "b.jsonl").write_text(row)
    (tmp_path / "o.jsonl").write_text("// ours\n" + row + "// the end\n")
    (tmp_path / "t.jsonl").write_text(row + '// theirs\n{"query_id":"q2","doc_uri":"d9","relevance":2}\n')
    done = irbridge("qrels", "merge", "b.jsonl", "o.jsonl", "t.jsonl", "-o", "o.jsonl")
    assert done.code == 0
    added = '{"query_id":"q2","doc_uri":"d9","relevance":2}\n'
    assert (tmp_path / "o.jsonl").read_text() == "// ours\n" + row + added + "// the end\n"
    assert "comments of t.jsonl: 1" in done.out


def test_what_a_format_cannot_hold_was_not_removed(irbridge, tmp_path: Path) -> None:
    rows = (
        '{"query_id":"q1","query":"what?","doc_uri":"d","chunk_id":"c1:0","relevance":1,"labeled_by":"human:a","notes":"n"}\n'
        '{"query_id":"q1","query":"what?","doc_uri":"e","relevance":0,"labeled_by":"human:a","own":[1]}\n'
    )
    (tmp_path / "b.jsonl").write_text(rows)
    (tmp_path / "t.jsonl").write_text(rows)
    (tmp_path / "o.qrels").write_text("q1 0 c1:0 1\nq1 0 e 2\n")
    assert irbridge("qrels", "merge", "b.jsonl", "o.qrels", "t.jsonl", "-o", "m.jsonl").code == 0
    # The grade of e is ours, and it was not human:a who gave it; all else is as it was.
    changed = rows.replace('"relevance":0,"labeled_by":"human:a","own"', '"relevance":2,"own"')
    assert (tmp_path / "m.jsonl").read_text() == changed


def test_two_sets_without_a_common_start(irbridge, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        '{"query_id":"q1","doc_uri":"d1","relevance":1,"labeled_by":"human:a","notes":"sure"}\n'
        '{"query_id":"q1","doc_uri":"d2","relevance":0,"labeled_by":"human:a"}\n'
    )
    (tmp_path / "b.jsonl").write_text(
        '{"query_id":"q1","doc_uri":"d1","relevance":1,"labeled_by":"human:b"}\n'
        '{"query_id":"q1","doc_uri":"d3","relevance":2,"labeled_by":"human:b"}\n'
    )
    done = irbridge("qrels", "merge", "a.jsonl", "b.jsonl", "-o", "m.jsonl", "--json")
    data = json.loads(done.out)
    assert (done.code, data["labels"], data["removed"], data["conflicts"]) == (0, 3, 0, [])
    rows = [json.loads(line) for line in (tmp_path / "m.jsonl").read_text().splitlines()]
    assert [(row["doc_uri"], row["labeled_by"]) for row in rows] == [
        ("d1", "human:a"),
        ("d2", "human:a"),
        ("d3", "human:b"),
    ]
    (tmp_path / "b.jsonl").write_text('{"query_id":"q1","doc_uri":"d1","relevance":0,"labeled_by":"human:b"}\n')
    done = irbridge("qrels", "merge", "a.jsonl", "b.jsonl", "-o", "m2.jsonl", "--json")
    [conflict] = json.loads(done.out)["conflicts"]
    assert (done.code, conflict["what"], conflict["base"]) == (1, "judgment", None)
    assert not (tmp_path / "m2.jsonl").exists()


def test_the_suffix_says_the_format_and_removals_are_said(irbridge, tmp_path: Path) -> None:
    (tmp_path / "b.qrels").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    (tmp_path / "t.qrels").write_text("q1 0 d1 1\n")
    done = irbridge("qrels", "merge", "b.qrels", "b.qrels", "t.qrels", "-o", "m.jsonl")
    assert "1 label of the base removed" in done.out
    assert json.loads((tmp_path / "m.jsonl").read_text())["doc_uri"] == "d1"


def test_an_unknown_field_in_another_order_is_no_conflict_and_a_repeated_row_is_said(irbridge, tmp_path: Path) -> None:
    row = '{"query_id":"q1","doc_uri":"d1","relevance":%d,"own":%s}\n'
    (tmp_path / "b.jsonl").write_text(row % (1, '{"a":1,"b":2}'))
    (tmp_path / "o.jsonl").write_text(row % (1, '{"b":2,"a":1}') + row % (1, '{"b":2,"a":1}'))
    (tmp_path / "t.jsonl").write_text(row % (2, '{"a":1,"b":2}'))
    done = irbridge("qrels", "merge", "b.jsonl", "o.jsonl", "t.jsonl", "-o", "m.jsonl")
    assert done.code == 0
    assert json.loads((tmp_path / "m.jsonl").read_text())["relevance"] == 2
    assert "o.jsonl: 1 repeated judgment" in done.out


@pytest.mark.parametrize("prefer", [(), ("--prefer", "theirs")])
def test_a_merge_that_leaves_no_label_writes_nothing(irbridge, tmp_path: Path, prefer: tuple[str, ...]) -> None:
    (tmp_path / "b.qrels").write_text("q1 0 d1 1\nq1 0 d2 1\n")
    (tmp_path / "o.qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "t.qrels").write_text("q1 0 d2 1\n")
    (tmp_path / "m.qrels").write_text("old")
    # Ours removed d2 and theirs d1; the labels that either has were left alone by the other.
    done = irbridge("qrels", "merge", "b.qrels", "o.qrels", "t.qrels", "-o", "m.qrels", *prefer)
    assert done.code == 1
    assert "nothing: no label is left, and an empty set is no judgments file" in done.out
    assert (tmp_path / "m.qrels").read_text() == "old"
    data = json.loads(
        irbridge("--json", "qrels", "merge", "b.qrels", "o.qrels", "t.qrels", "-o", "m.qrels", *prefer).out
    )
    assert (data["labels"], data["removed"], data["wrote"]) == (0, 2, None)


def test_long_names_of_annotators_are_shortened_on_the_screen_alone(irbridge, tmp_path: Path) -> None:
    names = ["human:" + letter * 500 for letter in "ab"]
    rows = [{"query_id": "q", "doc_uri": "d", "relevance": 1, "labeled_by": name} for name in names]
    (tmp_path / "j.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = irbridge("qrels", "agree", "j.jsonl")
    assert done.code == 0
    assert max(map(len, done.out.splitlines())) < 160
    assert list(json.loads(irbridge("--json", "qrels", "agree", "j.jsonl").out)["annotators"]) == names


def test_a_preference_among_grades_is_not_advised_where_it_failed(irbridge, tmp_path: Path) -> None:
    """Ours removes a label that theirs regrades: no grade is higher than none."""
    (tmp_path / "b.qrels").write_text("q1 0 d1 1\nq1 0 d2 1\n")
    (tmp_path / "o.qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "t.qrels").write_text("q1 0 d1 1\nq1 0 d2 2\n")
    call = ("qrels", "merge", "b.qrels", "o.qrels", "t.qrels", "-o", "m.qrels")
    assert "or say --prefer ours, theirs, max or min" in " ".join(irbridge(*call).out.split())
    done = irbridge(*call, "--prefer", "max")
    assert done.code == 1
    said = " ".join(done.out.split())
    assert "--prefer max decides between two grades alone" in said
    assert said.endswith("say --prefer ours or theirs")
    assert irbridge(*call, "--prefer", "theirs").code == 0


def test_two_files_of_one_folder_look_different(irbridge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = (
        tmp_path / "a-folder-with-a-name-that-takes-most-of-the-screen" / "and-another-one-in-it-for-the-rest-of-it"
    )
    folder.mkdir(parents=True)
    for name in ("round1.qrels", "complete.qrels"):
        (folder / name).write_text("q1 0 d1 1\nq1 0 d2 0\n")
    for name in ("bm25.run", "dense.run"):
        (folder / name).write_text("q1 Q0 d1 1 2 t\nq1 Q0 d3 2 1 t\n")
    monkeypatch.setenv("COLUMNS", "100")
    agreed = irbridge("qrels", "agree", str(folder / "round1.qrels"), str(folder / "complete.qrels")).out
    assert "round1.qrels" in agreed
    assert "complete.qrels" in agreed
    runs = [str(folder / name) for name in ("bm25.run", "dense.run")]
    for call in (
        ("qrels", "holes", *runs, "--judgments", str(folder / "round1.qrels")),
        ("score", *runs, "--judgments", str(folder / "round1.qrels"), "-m", "AP"),
    ):
        rows = [line for line in irbridge(*call).out.splitlines() if "  " in line.strip()]
        assert all(any(name in line for line in rows) for name in ("bm25.run", "dense.run")), call
