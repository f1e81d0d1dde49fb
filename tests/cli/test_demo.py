"""`irbridge demo`: what it prints is what the commands print, and it never takes away what a person changed."""

from __future__ import annotations

import time

import pytest

from irbridge.cli.main import run
from irbridge.demo import STEPS


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_shows_every_command_with_its_result_and_leaves_the_files(here, capsys):
    started = time.monotonic()
    assert run(["demo"]) == 0
    taken = time.monotonic() - started
    printed = capsys.readouterr().out
    assert printed.count("$ irbridge ") == len(STEPS) == 13
    # trec_eval 9.0.8 and 10.0 with -c print 0.5859 and 0.6915 for these two runs.
    assert "0.5859" in printed
    assert "0.6915" in printed
    assert "every difference is explained" in printed
    made = {path.name for path in (here / "irbridge-demo").iterdir()}
    assert {
        "handbook",
        "collection",
        "bm25.run",
        "ngram.run",
        "ngram.csv",
        "handbook.qrels",
        "bm25.jsonl",
        "chunks-300.jsonl",
    } <= made
    assert taken < 30  # 3 s on a machine that does nothing else; far more only where something is wrong


def test_a_second_one_takes_another_folder_and_leaves_the_first_alone(here, capsys):
    assert run(["demo"]) == 0
    (here / "irbridge-demo" / "bm25.run").write_text("mine")
    assert run(["demo"]) == 0
    assert (here / "irbridge-demo" / "bm25.run").read_text() == "mine"
    assert (here / "irbridge-demo-2" / "collection").is_dir()


def test_a_named_folder_must_be_empty(here, capsys):
    (here / "full").mkdir()
    (here / "full" / "mine").write_text("mine")
    assert run(["demo", "--out", "full"]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert [path.name for path in (here / "full").iterdir()] == ["mine"]


def test_it_has_no_json_form():
    assert run(["demo", "--json"]) == 2
