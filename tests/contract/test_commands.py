"""What every command owes: help that is whole and fits a screen, examples that work, and no traceback for bad usage."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import pytest

from irbridge import conventions
from irbridge.cli.command import HEADINGS, Command
from irbridge.cli.main import group, names, run
from irbridge.cli.options import KNOBS, MEASURES

NAMES = names()


def command(name: str) -> Command:
    found = group.get_command(click.Context(group), name)
    assert isinstance(found, Command)
    return found


def help_of(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert run([name, "--help"]) == 0
    return capsys.readouterr().out


def test_there_are_commands() -> None:
    assert {"convert", "crosscheck", "datasets", "explain", "formats", "load", "measures", "score"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_overview_lists_a_command_under_a_heading(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(name).heading in HEADINGS
    assert f"\n  {name} " in _main_help(capsys)


@pytest.mark.parametrize("name", NAMES)
def test_a_command_is_documented(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = command(name)
    text = help_of(name, capsys)
    assert found.name == name
    assert found.help
    assert found.short_help
    assert len(found.short_help) <= 60
    assert found.short_help in _main_help(capsys)
    assert text.startswith(f"Usage: irbridge {name}")


def _main_help(capsys: pytest.CaptureFixture[str]) -> str:
    assert run(["--help"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", NAMES)
def test_every_option_and_argument_is_documented(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = command(name)
    text = help_of(name, capsys)
    for parameter in found.params:
        if isinstance(parameter, click.Argument):
            shown = parameter.make_metavar(click.Context(found)).strip("[].")
            assert shown in dict(found.arguments)
        else:
            assert isinstance(parameter, click.Option)
            assert parameter.help, parameter.name
            assert parameter.help[0].isupper(), parameter.help
            assert parameter.help.endswith("."), parameter.help
            assert all(option in text for option in parameter.opts)


@pytest.mark.parametrize("name", NAMES)
def test_help_fits_80_columns(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert [line for line in help_of(name, capsys).splitlines() if len(line) > 80] == []


def test_the_overview_fits_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert [line for line in _main_help(capsys).splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_calls_that_the_command_takes(name: str) -> None:
    found = command(name)
    assert found.examples
    for example in found.examples:
        words = shlex.split(example.split(" > ")[0])
        assert words[0] == "irbridge"
        assert name in words
        rest = words[words.index(name) + 1 :]
        group.make_context("irbridge", [*words[1 : words.index(name)], name])
        found.make_context(name, rest, parent=click.Context(group))


@pytest.mark.parametrize("name", NAMES)
def test_a_command_takes_the_global_options(name: str) -> None:
    options = {option for parameter in command(name).params for option in parameter.opts}
    assert {"--json", "--color"} <= options


# convert's one source may be named by how it is to be read; drift takes two runs; compare counts a
# corpus and holds no label against it; others need chunks that say where they stand.
OF_THEIR_OWN = {
    ("convert", "run"), ("convert", "judgments"), ("drift", "runs"), ("chunk", "chunker"), ("anchor", "corpus"),
    ("anchor", "chunker"), ("project", "corpus"), ("project", "chunker"), ("rollup", "corpus"), ("compare", "corpus"),
}  # fmt: skip


def test_options_of_one_name_mean_one_thing() -> None:
    """An input, a measure or a knob has the same help and type wherever it is an option."""
    seen: dict[str, tuple[object, ...]] = {}
    for name in NAMES:
        for parameter in command(name).params:
            if getattr(parameter, "section", "") in {MEASURES, KNOBS, "Everywhere"} or {
                "--run",
                "--judgments",
                "--corpus",
                "--chunker",
            } & set(parameter.opts):
                assert isinstance(parameter, click.Option)
                if (name, parameter.name) in OF_THEIR_OWN:
                    continue
                for option in parameter.opts:
                    mine = (parameter.help, parameter.type.name, parameter.metavar)
                    assert seen.setdefault(option, mine) == mine, (name, option)
    assert len(seen) > 15


@pytest.mark.parametrize("name", ["score", "crosscheck"])
def test_every_knob_of_a_convention_is_an_option(name: str) -> None:
    assert set(conventions.KNOBS) <= {parameter.name for parameter in command(name).params}


# ------------------------------------------------------------------------------------------------------------ bad usage

QRELS = "q1 0 d1 1\nq2 0 d2 1\n"
RUN = "q1 Q0 d1 1 2 t\nq2 Q0 d2 1 1 t\n"
JUDGED = ("--judgments", "ok.qrels", "--run", "ok.run")

# name of a file -> its content
BROKEN: dict[str, bytes] = {
    "empty": b"",
    "blank": b"\n\n\n",
    "nul": b"q1 0 d1 1\n\0\0\0",
    "binary": bytes(range(256)) * 8,
    "latin1": "q1 0 d\xe9 1\n".encode("latin1"),
    "columns.qrels": b"q1 0 d1\n",
    "spaces.qrels": b"q1 0 d 1 1\n",
    "grade.qrels": b"q1 0 d1 high\n",
    "float.qrels": b"q1 0 d1 0.9\n",
    "huge.qrels": b"q1 0 d1 99999999999999999999999\n",
    "conflict.qrels": b"q1 0 d1 1\nq1 0 d1 2\n",
    "nan.run": b"q1 Q0 d1 1 nan t\n",
    "comma.run": b"q1 Q0 d1 1 1,9 t\n",
    "inf.run": b"q1 Q0 d1 1 inf t\n",
    "twice.run": b"q1 Q0 d1 1 2 t\nq1 Q0 d1 2 1 t\n",
    "columns.run": b"q1 Q0 d1 1 2.0\n",
    "other.run": b"x1 Q0 d1 1 1 t\n",
    "cut.gz": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x4c",
    "json.jsonl": b'{"query_id": "q1"\n',
    "fields.jsonl": b'{"query_id": "q1", "relevance": 1}\n',
    "bool.jsonl": b'{"query_id":"q1","doc_uri":"d1","relevance":true}\n',
    "array.jsonl": b"[1, 2]\n",
    "ranking.jsonl": b'{"query_id":"q1","ranking":"d1"}\n',
    "key.jsonl": b'{"query_id":"q1","ranking":["d1",42]}\n',
    "duplicate.jsonl": b'{"query_id":"q1","ranking":["d1"]}\n{"query_id":"q1","ranking":["d1"]}\n',
    "surrogate.jsonl": b'{"query_id":"\\ud800","doc_uri":"d1","relevance":1}\n',
    "deep.jsonl": b'{"query_id":' + b"[" * 100_000 + b"\n",
}
RUNS = {
    "nan.run",
    "comma.run",
    "inf.run",
    "twice.run",
    "columns.run",
    "other.run",
    "ranking.jsonl",
    "key.jsonl",
    "duplicate.jsonl",
}

USAGE = [
    ["score"],
    ["score", "--judgments", "ok.qrels"],
    ["score", "--judgments", "absent", "--run", "ok.run"],
    ["score", "--judgments", "ok.qrels", "--run", "folder"],
    ["score", "--judgments", "", "--run", "ok.run"],
    ["score", "--judgments", "nosuchformat:ok.qrels", "--run", "ok.run"],
    ["score", "--judgments", "irds:no/such/id", "--run", "ok.run"],
    ["score", "--judgments", "ok.run", "--run", "ok.qrels"],
    ["score", *JUDGED, "-m", "ndgc@10"],
    ["score", *JUDGED, "-m", "nDCG@0"],
    ["score", *JUDGED, "-m", "P@-1"],
    ["score", *JUDGED, "-m", ""],
    ["score", *JUDGED, "-m", "nDCG(gains={"],
    ["score", *JUDGED, "-m", "\x00"],
    ["score", *JUDGED, "-k", "ten"],
    ["score", *JUDGED, "-k", "0"],
    ["score", *JUDGED, "-k", ""],
    ["score", *JUDGED, "-k", "9" * 30],
    ["score", *JUDGED, "--rel", "-1"],
    ["score", *JUDGED, "--depth", "0"],
    ["score", *JUDGED, "--gain", "1=2=3"],
    ["score", *JUDGED, "--gain", "1=-2"],
    ["score", *JUDGED, "--ties", "random"],
    ["score", *JUDGED, "--convention", "trec"],
    ["score", *JUDGED, "--per-query", "rows.xlsx"],
    ["score", *JUDGED, "--out", "folder"],
    ["score", *JUDGED, "--out", "absent/report.json"],
    ["score", *JUDGED, "surplus"],
    ["score", *JUDGED, "--no-such-option"],
    ["crosscheck"],
    ["crosscheck", "--judgments", "absent", "--run", "ok.run"],
    ["crosscheck", *JUDGED, "-m", "nope"],
    ["explain", *JUDGED],
    ["explain", "ndcg@10", *JUDGED],
    ["explain", "ndcg@10=high", *JUDGED],
    ["explain", "nope@10=0.5", *JUDGED],
    ["explain", "ndcg@10=nan", *JUDGED],
    ["convert"],
    ["convert", "ok.qrels"],
    ["convert", "ok.qrels", "--to", "nope"],
    ["convert", "ok.qrels", "--to", "irds"],
    ["convert", "ok.qrels", "--to", "trec-run"],
    ["convert", "ok.run", "--to", "qrels"],
    ["convert", "ok.qrels", "--to", "judgments", "-o", "folder"],
    ["convert", "ok.qrels", "--to", "judgments", "-o", "absent/file"],
    ["convert", "ok.qrels", "--run", "ok.run", "--to", "judgments"],
    ["convert", "ok.qrels", "--to", "judgments", "--sidecar", "absent"],
    ["load"],
    ["load", "no/such/id", "--out", "made"],
    ["load", "ok.qrels"],
    ["load", "ok.qrels", "--out", "absent/made"],
    ["measures", "nope"],
    ["formats", "nope"],
    ["scroe"],
    ["--color", "sometimes", "score"],
    ["--nope"],
    ["\x1b[31m"],
]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("IRBRIDGE_DEBUG", raising=False)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "unrelated.txt").write_text("x")
    for name, content in {"ok.qrels": QRELS.encode(), "ok.run": RUN.encode(), **BROKEN}.items():
        (tmp_path / name).write_bytes(content)


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The error of a call that must be refused, after checking its form."""
    capsys.readouterr()
    code = run(arguments)
    out, err = capsys.readouterr()
    assert code == 2, (out, err)
    assert out == ""
    assert err.startswith("error  ")
    assert "Traceback" not in err
    assert "failed where it should not" not in err
    assert not set("\x1b\x00\x07") & set(err)
    return err


@pytest.mark.parametrize(
    "arguments", USAGE, ids=lambda arguments: " ".join(arguments)[:60].encode("unicode_escape").decode()
)
def test_bad_usage_is_refused_in_words(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    refused(arguments, capsys)


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("verb", ["score", "crosscheck"])
def test_bad_files_are_refused_by_name(verb: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    judgments, ranked = ("ok.qrels", name) if name in RUNS else (name, "ok.run")
    err = refused([verb, "--judgments", judgments, "--run", ranked, "-m", "RR"], capsys)
    assert name in err


@pytest.mark.parametrize("name", BROKEN)
def test_bad_files_are_not_converted(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    if name in {"other.run", "twice.run"}:  # fine by themselves
        return
    (tmp_path / "out").write_text("old")
    flag, target = ("--run", "run") if name in RUNS else ("--judgments", "judgments")
    assert name in refused(["convert", flag, name, "--to", target, "-o", "out"], capsys)
    assert (tmp_path / "out").read_text() == "old"
