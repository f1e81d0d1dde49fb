from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import irbridge


def in_a_new_process(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("module, name", [("convert", "convert"), ("load", "load"), ("crosscheck.run", "crosscheck")])
def test_a_function_is_not_hidden_by_the_module_of_its_name(module: str, name: str) -> None:
    before = f"import irbridge.{module}; import irbridge; print(callable(irbridge.{name}))"
    after = f"import irbridge; irbridge.{name}; import irbridge.{module}; print(callable(irbridge.{name}))"
    assert in_a_new_process(before) == in_a_new_process(after) == "True"


def test_submodules_are_importable_as_ever() -> None:
    assert in_a_new_process("from irbridge.convert import convert; print(convert.__module__)") == "irbridge.convert"
    assert in_a_new_process("import irbridge.errors; print(irbridge.errors.__name__)") == "irbridge.errors"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'scroe'"):
        irbridge.scroe  # noqa: B018 - the look-up is what is tested


def test_what_type_checkers_see_is_what_is_loaded() -> None:
    """The imports for type checkers and the table for `__getattr__` name the same things in the same modules."""
    tree = ast.parse(Path(irbridge.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.asname or alias.name: ((node.module or "").removeprefix("irbridge."), alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("irbridge.")
        for alias in node.names
    }
    assert seen == irbridge._WHERE
    assert set(irbridge.__all__) == {*irbridge._WHERE, "__version__"}


def test_one_sitting(tmp_path: Path) -> None:
    """The main job through the front door: score dicts, look at a query, convert. RR of d at rank 2 is 1/2."""
    qrels, run = {"q1": {"d": 1}}, {"q1": {"a": 2.0, "d": 1.0}}
    scores = irbridge.score(qrels, run, "RR nDCG@10", convention="trec_eval-10", ties="docid-asc")
    assert scores.aggregates()["RR"] == 0.5
    assert scores.of("RR") == {"q1": 0.5}
    outcome = irbridge.convert(qrels, "trec-qrels", tmp_path / "out.qrels")
    assert outcome.rows_out == {"judgments": 1}
    assert (tmp_path / "out.qrels").read_text() == "q1 0 d 1\n"
    assert [label.doc_uri for label in irbridge.load(tmp_path / "out.qrels")] == ["d"]
    with pytest.raises(irbridge.IrbridgeError):
        irbridge.score(qrels, run, "ndgc@10")
