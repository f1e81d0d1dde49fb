"""Every renderer writes every kind of page, and its files hold what was put in."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from irbridge.errors import InputError, UsageError
from irbridge.renderers import RENDERERS, Column, Look, Page, Remark, Table, for_file

ROWS = [("q1", "nDCG@10", 0.1 + 0.2), ("q,2", 'say "x"', -1e-9), ("q3\n", "café", None), ("", "n", 1234567)]
COLUMNS = (Column("query_id", "query"), Column("measure", "measure"), Column("value", "value"))


def page() -> Page:
    return Page((Table(COLUMNS, list(ROWS)), Remark("note", ["one", "two"], "warn")), {"value": 0.1, "text": "é"})


def rendered(name: str, what: Page, look: Look | None = None) -> str:
    return "".join(RENDERERS.get(name).render(what, look or Look()))


@pytest.mark.parametrize("name", RENDERERS.names())
def test_a_renderer_is_described(name: str) -> None:
    renderer = RENDERERS.get(name)
    assert renderer.name == name
    assert renderer.summary
    assert not renderer.summary.endswith(".")
    assert all(suffix.startswith(".") for suffix in renderer.suffixes)


@pytest.mark.parametrize("name", RENDERERS.names())
@pytest.mark.parametrize("color", [False, True])
@pytest.mark.parametrize("width", [None, 40, 80, 200])
def test_every_page_is_rendered_the_same_twice_and_ends_with_a_newline(
    name: str, color: bool, width: int | None
) -> None:
    look = Look(width, color)
    once, twice = rendered(name, page(), look), rendered(name, page(), look)
    assert once == twice
    assert once.endswith("\n")


@pytest.mark.parametrize("name", RENDERERS.names())
def test_an_empty_page_is_no_error(name: str) -> None:
    assert isinstance(rendered(name, Page()), str)


def test_suffixes_stand_for_one_renderer() -> None:
    suffixes = [suffix for renderer in RENDERERS for suffix in renderer.suffixes]
    assert len(suffixes) == len(set(suffixes))


def test_csv_reads_back() -> None:
    read = list(csv.reader(io.StringIO(rendered("csv", page()), newline="")))
    assert read[0] == ["query_id", "measure", "value"]
    assert read[1][2] == "0.30000000000000004"  # full precision
    assert [row[:2] for row in read[1:]] == [list(row[:2]) for row in ROWS]
    assert [row[2] for row in read[2:]] == ["-1e-09", "", "1234567"]


def test_jsonl_reads_back() -> None:
    read = [json.loads(line) for line in rendered("jsonl", page()).split("\n")[:-1]]
    assert read == [dict(zip(("query_id", "measure", "value"), row, strict=True)) for row in ROWS]


@pytest.mark.parametrize(
    "cells",
    [["a", "b", "a"], ["plain", 'say "x"', "back\\slash", "café", "\x7f\x9f", "\n", "%s"], [0.1, -0.0, 1e300, 1e300, 5e-324],
     [1, 2.5, None, "x", True]],
)  # fmt: skip
def test_a_line_of_jsonl_is_what_the_standard_library_writes(cells: list) -> None:
    written = rendered("jsonl", Page((Table((Column("100%"), Column("n")), [(cell, 1) for cell in cells]),)))
    expected = [json.dumps({"100%": cell, "n": 1}, ensure_ascii=False, separators=(",", ":")) for cell in cells]
    # Controls that a terminal obeys are escaped on top of that.
    expected = [line.replace("\x7f", "\\u007f").replace("\x9f", "\\u009f") for line in expected]
    assert written.splitlines() == expected


@pytest.mark.parametrize("cell", [float("nan"), float("inf"), "\ud800"])
def test_what_json_cannot_hold_is_refused_in_every_column(cell: object) -> None:
    for row in ((cell, 1.0), (1.0, cell)):
        with pytest.raises(InputError, match="cannot be written as JSON"):
            rendered("jsonl", Page((Table((Column("a"), Column("b")), [(0.5, 0.5), row]),)))


def test_json_is_the_data() -> None:
    assert json.loads(rendered("json", page())) == {"value": 0.1, "text": "é"}
    assert "é" in rendered("json", page())


def test_for_file_looks_through_compression() -> None:
    assert for_file("rows.csv.gz", ("jsonl", "csv")).name == "csv"
    assert for_file("ROWS.JSONL", ("jsonl", "csv")).name == "jsonl"
    with pytest.raises(UsageError, match=r"the suffix of 'rows\.txt'"):
        for_file("rows.txt", ("jsonl", "csv"))


# ---------------------------------------------------------------------------------------------------------------- text


def test_text_aligns_numbers_at_the_decimal_point() -> None:
    table = Table((Column("name"), Column("mean", "mean")), [("a", 0.5), ("b", 12345), ("c", -1.25), ("d", None)])
    assert rendered("text", Page((table,))).splitlines() == [
        "             mean",
        "  a        0.5000",
        "  b   12,345",
        "  c       -1.2500",
        "  d             -",
    ]


def test_text_puts_one_heading_over_two_columns() -> None:
    table = Table(
        (Column("name"), Column("low", "95% interval", span=2), Column("high"), Column("n", "n")),
        [("a", 0.25, 0.75, 3)],
    )
    assert rendered("text", Page((table,))) == "      95% interval      n\n  a   0.2500   0.7500   3\n"


def test_text_cuts_only_what_may_be_cut_and_only_on_a_terminal() -> None:
    long = "word " * 30
    table = Table((Column("id"), Column("summary", flexible=True)), [("an-id-that-must-stay-whole", long.strip())])
    on_terminal = rendered("text", Page((table,)), Look(60))
    assert max(len(line) for line in on_terminal.splitlines()) == 60
    assert "an-id-that-must-stay-whole" in on_terminal
    assert on_terminal.rstrip().endswith("…")
    assert long.strip() in rendered("text", Page((table,)), Look(None))


@pytest.mark.parametrize("before", range(10))
def test_text_cuts_no_escape_in_two(before: int) -> None:
    text = "a" * before + "\x1b[31m\u202e\n\U000e0001" * 3
    table = Table((Column("id"), Column("summary", flexible=True)), [("i" * 60, text)])
    on_terminal = rendered("text", Page((table,)), Look(75)).rstrip()
    assert on_terminal.endswith("…")
    said = on_terminal.split()[-1].removesuffix("…")
    whole = re.compile(r"(?:[^\\]|\\n|\\x1b|\\u202e|\\U000e0001)*")
    assert whole.fullmatch(said), said


def test_text_leaves_optional_columns_out_before_it_breaks_a_table() -> None:
    columns = (Column("id", "id"), Column("count", "count"), Column("title", "title", optional=True))
    table = Table(columns, [("i" * 30, 1, "t" * 30)])
    assert "title" not in rendered("text", Page((table,)), Look(60))
    assert "title" in rendered("text", Page((table,)), Look(80))


def test_text_leaves_out_the_last_optional_column_first_and_no_more_than_it_must() -> None:
    columns = (Column("id", "id", flexible=True), *(Column(key, key, optional=True) for key in ("aa", "bb", "cc")))
    table = Table(columns, [("i" * 30, "a" * 10, "b" * 10, "c" * 10)])
    shown = [
        [key for key in ("aa", "bb", "cc") if key in rendered("text", Page((table,)), Look(width))]
        for width in (80, 40, 30)
    ]
    assert shown == [["aa", "bb", "cc"], ["aa", "bb"], ["aa"]]


def test_text_breaks_a_table_into_pieces_that_repeat_the_first_column() -> None:
    columns = (Column("m", "m"), *(Column(str(k), f"oracle-number-{k}") for k in range(5)))
    out = rendered("text", Page((Table(columns, [("nDCG@10", 1.0, 2.0, 3.0, 4.0, 5.0)]),)), Look(60))
    assert all(len(line) <= 60 for line in out.splitlines())
    assert out.count("nDCG@10") > 1
    assert all(f"{k}.0000" in out for k in range(1, 6))


def test_text_wraps_a_remark_under_its_own_start() -> None:
    out = rendered("text", Page((Remark("note", ["x" * 30, "y" * 30, "z"]),)), Look(50))
    assert out == f"  note  {'x' * 30}\n        {'y' * 30} · z\n"


def test_text_shows_no_control_character_of_an_input() -> None:
    bad = "\x1b[31mred\x07\u202e"
    out = rendered("text", Page((Table((Column("id"),), [(bad,)]), Remark("note", [bad]))), Look(80, color=False))
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "\u202e" not in out
    assert "\\x1b[31mred\\x07\\u202e" in out


def test_wide_characters_take_two_cells() -> None:
    table = Table((Column("id"), Column("n", "n")), [("日本", 1), ("abcd", 2)])
    assert rendered("text", Page((table,))).splitlines()[1:] == ["  日本   1", "  abcd   2"]


def test_colour_adds_nothing_but_codes() -> None:
    plain, coloured = rendered("text", page(), Look(80, color=False)), rendered("text", page(), Look(80, color=True))
    assert "\x1b[" not in plain
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_tsv_reads_back() -> None:
    read = list(csv.reader(io.StringIO(rendered("tsv", page()), newline=""), delimiter="\t"))
    assert read[0] == ["query_id", "measure", "value"]
    assert [row[:2] for row in read[1:]] == [list(row[:2]) for row in ROWS]
    assert read[1][2] == "0.30000000000000004"


def test_rows_go_to_any_renderer_of_rows() -> None:
    assert {for_file(name).name for name in ("x.csv", "x.tsv.gz", "x.jsonl")} == {"csv", "tsv", "jsonl"}
    for name in ("x.txt", "x.json"):
        with pytest.raises(UsageError, match="does not say how to write it"):
            for_file(name)


# ------------------------------------------------------------------------------------------------- Markdown and LaTeX

HOSTILE = "a|b & c_d % e$f #g ~h ^i \\input{x} <b> `k` *l* [m] {n}\n\x1b[31m"


def hostile_page() -> Page:
    table = Table((Column("id", "id"), Column("n", HOSTILE)), [(HOSTILE, 0.5), ("*", -1.25), ("[2pt]", None)], HOSTILE)
    return Page((table, Remark(HOSTILE, [HOSTILE])))


def test_markdown_is_read_as_the_text_that_it_was() -> None:
    out = rendered("markdown", hostile_page())
    assert not set("\x1b<>") & set(out)
    lines = [line for line in out.splitlines() if line.startswith("|")]
    assert len(lines) == 5
    # Of every row two cells: no bar that is not escaped stands inside one.
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in lines)
    assert "| \\* | -1.2500 |" in lines
    assert re.sub(r"\\([^a-z0-9\s])", r"\1", lines[2]).startswith("| a|b &amp; c_d % e$f #g")


def test_latex_holds_no_command_of_an_input() -> None:
    out = rendered("latex", hostile_page())
    tabular = out[out.index("\\begin{tabular}") : out.index("\\end{tabular}")]
    allowed = {
        "begin", "toprule", "midrule", "bottomrule", "textbackslash", "textasciicircum", "textasciitilde", "textless",
        "textgreater", "textbar", "textasciigrave",
    }  # fmt: skip
    assert set(re.findall(r"\\([a-zA-Z]+)", tabular)) <= allowed
    # Two columns: one ampersand in each row that is not escaped, and no line end with an argument.
    rows = [line for line in tabular.splitlines() if line.endswith("\\\\")]
    assert len(rows) == 4
    assert all(len(re.findall(r"(?<!\\)&", row)) == 1 for row in rows)
    assert not any(line.lstrip().startswith(("[", "*")) for line in tabular.splitlines())
    assert tabular.count("{") == tabular.count("}")
    assert not re.findall(r"(?<!\\)[%#$_^~]", tabular.replace("$-1.2500$", ""))
    assert all(line.startswith("%") for line in out[out.index("\\end{tabular}") :].splitlines()[1:])


def test_a_path_is_cut_in_front() -> None:
    """Two files of one folder differ at their ends; a cell that is cut holds no half of an escape and no lone mark."""
    rows = [("folder/folder/one.run", 1), ("folder/folder/two.run", 2), ("folder/folder/\x1b.run", 3)]
    rows += [("folder/folder/\u6f22\u5b57.run", 4), ("folder/folder/e\u030112345678901", 5)]
    table = Table((Column("run", "run", flexible=True, path=True), Column("n", "n")), rows)
    # Two of indent, three between the columns, one for the number: 12 are left, one of them the ellipsis.
    lines = rendered("text", Page((table,)), Look(18)).splitlines()
    cells = [line[2:].split("   ")[0].strip() for line in lines[1:]]
    assert cells == [
        "\u2026der/one.run",
        "\u2026der/two.run",
        "\u2026er/\\x1b.run",
        "\u2026er/\u6f22\u5b57.run",
        "\u202612345678901",
    ]
    half = Table(table.columns, [("folder/\x1b12345678.r", 1)])
    assert "\u202612345678.r" in rendered("text", Page((half,)), Look(18)), "11 cells would begin inside of the escape"
