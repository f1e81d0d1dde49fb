"""Gate files: the example of spec/gates.md, and everything that cannot be, with its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irbridge.errors import InputError
from irbridge.gates.files import GateFile, read


@pytest.fixture
def written(tmp_path: Path):
    def write(text: str) -> GateFile:
        path = tmp_path / "gates.toml"
        path.write_text(text, encoding="utf-8")
        return read(path)

    return write


def test_the_example_of_the_specification(root: Path, tmp_path: Path, written) -> None:
    page = (root / "spec" / "gates.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    found = written(example)
    assert [gate.expression for gate in found.gates] == [
        "recall@5:0.8", "recall@5:-0.02", "worst-stratum:recall@5:0.7", "drift:orphaned:0", "drift:stale_rate:0.05",
    ]  # fmt: skip
    assert found.measures == ("recall@5", "ndcg@10")
    assert (found.convention, found.threshold, found.k) == ("retrieval-eval", 1, ())
    assert found.baseline == str(tmp_path / "main-report.json")
    assert found.require == ("billing", "legal")


def test_everything_is_optional_and_texts_need_no_list(written) -> None:
    assert written("") == GateFile(written("").path)
    found = written('gates = "AP:0.1"\nmeasures = "AP P@5"\nk = 5\nbaseline = "/b.json"\n')
    assert [gate.expression for gate in found.gates] == ["AP:0.1"]
    assert (found.measures, found.k, found.baseline) == (("AP P@5",), (5,), "/b.json")
    assert written("k = [1, 10]").k == (1, 10)
    assert written("\ufeffk = 3").k == (3,)


@pytest.mark.parametrize(
    "text, line, message",
    [
        ("a = [\n", 1, "is no TOML"),
        ("k = 1\nk = 2\n", 2, "is no TOML: Cannot overwrite a value"),
        ("k = 1\n\ngates = x\n", 3, "is no TOML: Invalid value"),
        ("\n\nthreshhold = 2\n", 3, r"'threshhold' is not a key of a gate file; did you mean threshold\?"),
        ("k = 1\n[strata]\nworse = []\n", 3, r"'strata.worse' is not a key of a gate file; did you mean worst\?"),
        ("k = 1\n[drift]\norphaned = 0\n", 3, r"'drift.orphaned' is not a key of a gate file; did you mean max_orphaned"),
        ("[drift]\nmax_orphaned = 0.5\n", 2, "max_orphaned is a whole number from 0, not 0.5"),
        ("[drift]\nmax_orphaned = true\n", 2, "max_orphaned is a whole number from 0, not "),
        ("[drift]\nmax_orphaned = -1\n", 2, "max_orphaned is a whole number from 0, not -1"),
        ("[drift]\nmax_stale_rate = 5\n", 2, "max_stale_rate is a number from 0 to 1, not 5"),
        ("[drift]\nmax_stale_rate = nan\n", 2, "max_stale_rate is a number from 0 to 1, not nan"),
        ("[drift]\nmax_stale_rate = '5%'\n", 2, "max_stale_rate is a number from 0 to 1, not 5%"),
        ("drift = 1\n", 1, "drift is a table"),
        ("gates = ['drift:orphand:0']\n", 1, r"'orphand' is none of its names; did you mean orphaned"),
        ("[gate]\n", 1, r"'gate' is not a key of a gate file; did you mean gates\?"),
        ("k = 1\ngates = [\n  'R@5:0.1',\n  'R@5:0.x',\n]\n", 4, "gate 'R@5:0.x': '0.x' is not a number"),
        ("gates = ['R@5']", 1, "gate 'R@5': expected"),
        ("[strata]\nrequire = ['a']\nworst = [\n'R@5:x']\n", 4, "gate 'worst-stratum:R@5:x': 'x' is not a number"),
        ("gates = ['AP:0.1']\nmeasures = [\n'AP',\n'nDGC@10']\n", 4, r"'nDGC@10' is not a measure; did you mean nDCG@10"),
        ("\nconvention = 'ir_measure'\n", 2, r"'ir_measure' is not a convention; did you mean ir_measures\?"),
        ("k = 0", 1, "k is a whole number from 1"),
        ("k = [5, true]", 1, "k is a whole number from 1"),
        ("k = 1.5", 1, "k is a whole number from 1"),
        ("k = '5'", 1, "k is a whole number from 1"),
        ("\nthreshold = -1", 2, "threshold is a whole number from 1"),
        ("threshold = true", 1, "threshold is a whole number from 1"),
        ("threshold = 99999999999999999999", 1, "threshold is a whole number from 1"),
        ("gates = 5", 1, "gates is a list of texts in quotes"),
        ("gates = [['R@5:0.1']]", 1, "gates is a list of texts in quotes"),
        ("measures = {a = 1}", 1, "measures is a list of texts in quotes"),
        ("\nbaseline = ['a']", 2, "baseline is a text in quotes"),
        ("baseline = ''", 1, "baseline is a text in quotes"),
        ("convention = 5", 1, "convention is a text in quotes"),
        ("k = 1\nstrata = 5", 2, "strata is a table"),
        ("[[strata]]\nworst = []", 1, "strata is a table"),
        ("gates = 1979-05-27", 1, "gates is a list of texts in quotes"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_line(written, text: str, line: int, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        written(text)
    assert caught.value.line == line
    assert str(caught.value.path).endswith("gates.toml")


def test_files_that_are_no_gate_files(tmp_path: Path) -> None:
    (tmp_path / "deep.toml").write_text("a = " + "[" * 100_000)
    with pytest.raises(InputError, match=r"nested too deeply|is no TOML|too large"):
        read(tmp_path / "deep.toml")
    (tmp_path / "latin.toml").write_bytes(b"k = 1\n# \xe9\n")
    with pytest.raises(InputError, match="is not UTF-8 text") as caught:
        read(tmp_path / "latin.toml")
    assert caught.value.line == 2
    (tmp_path / "large.toml").write_bytes(b"#" * (2 << 20))
    with pytest.raises(InputError, match="is too large to be a gate file"):
        read(tmp_path / "large.toml")
    with pytest.raises(InputError, match="there is no such file"):
        read(tmp_path / "none.toml")
