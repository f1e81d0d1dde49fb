"""qmd and GNO: measured as locked, else a code of its own for each thing that is missing or other than locked."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.agentic_corpus import snapshot, task

from irbridge.agentic.adapters import ADAPTERS
from irbridge.agentic.adapters.base import Unavailable
from irbridge.agentic.canonical_json import fingerprint
from irbridge.agentic.mcp.lock import load_lock

PRODUCTS = Path(__file__).resolve().parents[2] / "support" / "programs" / "products.py"
ORIGIN = {"qmd": "git@github.com:tobi/qmd.git", "gno": "https://github.com/gmickel/gno.git"}
ENTRY = {"qmd": "bin/qmd", "gno": "src/index.ts"}
TOOLS = {
    "query": ("query", "collections", "limit", "minScore", "intent", "rerank"),
    "get": ("file", "fromLine", "maxLines", "lineNumbers"),
    "multi_get": ("pattern", "maxBytes", "lineNumbers"),
    "status": (),
}


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Place:
    """A checkout, a lock of it, a model and a program in the place of bun."""

    def __init__(self, folder: Path, product: str) -> None:
        self.product = product
        self.repo = folder / "repo"
        self.models = folder / "models"
        self.home = folder / "home"
        self.lock_path = folder / "lock.json"
        for each in (self.repo, self.models, self.home):
            each.mkdir()
        files = {"package.json": b"{}", "bun.lock": b"lock", ENTRY[product]: b"#!/usr/bin/env bun\n"}
        for name, data in files.items():
            place = self.repo / name
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(data)
        self.git("init", "-q")
        self.git("remote", "add", "origin", ORIGIN[product])
        self.commit()
        (self.models / "m.gguf").write_bytes(b"weights")
        self.lock: dict[str, Any] = {
            "product": product,
            "repository": {
                "url": ORIGIN["gno"] if product == "gno" else "https://github.com/tobi/qmd",
                "commit": self.git("rev-parse", "HEAD"),
                "tree": self.git("rev-parse", "HEAD^{tree}"),
            },
            "files": {name: sha(data) for name, data in files.items()},
            "tools": {},
            "models": [
                {"role": "embed", "uri": "hf:x/m.gguf", "file": "m.gguf", "bytes": 7, "sha256": sha(b"weights")}
            ],
        }
        self.bun = folder / "bun"
        self.bun.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{PRODUCTS}" "$@"\n')
        self.bun.chmod(0o755)

    def git(self, *arguments: str) -> str:
        command = ["git", "-c", "user.name=n", "-c", "user.email=e@x", "-C", str(self.repo), *arguments]
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home)}
        return subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout.strip()

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "one")

    def prepare(self, **settings: str | None) -> Any:
        self.lock_path.write_text(json.dumps(self.lock))
        told = {
            "repo": str(self.repo), "models": str(self.models), "bun": str(self.bun), "lock": str(self.lock_path),
            **settings,
        }  # fmt: skip
        given = {name: value for name, value in told.items() if value is not None}
        return ADAPTERS.get(self.product).prepare(snapshot(), self.home, 30, given)

    def refused(self, **settings: str | None) -> str:
        with pytest.raises(Unavailable) as failed:
            self.prepare(**settings)
        assert failed.value.code.startswith(f"{self.product}_")
        return failed.value.code.removeprefix(f"{self.product}_")


@pytest.fixture(params=["qmd", "gno"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    for name in ("QMD_REPO", "QMD_MODEL_CACHE", "GNO_REPO", "GNO_AGENTIC_GNO_MODEL_DIR"):
        monkeypatch.delenv(name, raising=False)
    return Place(tmp_path, request.param)


def lines(outcome: Any) -> list[tuple[str, int, str]]:
    return [(each.uri, each.start_line, each.text) for each in outcome.result.evidence]


HEADING = ("corpus://ca/a.md", 1, "# Alpha")
LAUNCH = ("corpus://ca/a.md", 3, "The launch date is 2026-09-14.")
OWNER = ("corpus://ca/a.md", 4, "Owner: Ana")


def test_as_locked_it_is_prepared_and_answers_with_exact_lines(place: Place) -> None:
    session = place.prepare().attach(30)
    try:
        session.probe(task())
        session.reset(task())
        found = session.call("search", {"query": "launch"}, 10)
        assert LAUNCH in lines(found)
        assert found.backend_invocations == 0  # nobody knows what they do inside
        part = session.call("get", {"uri": "corpus://ca/a.md", "fromLine": 3, "lineCount": 1}, 10)
        assert lines(part) == [LAUNCH]
        whole = session.call("multi_get", {"uris": ["corpus://ca/a.md", "corpus://ca/sub/b.md"]}, 10)
        assert lines(whole)[:3] == [HEADING, LAUNCH, OWNER]
        assert len(lines(whole)) == 5
    finally:
        session.close()
    index = place.home / ("state/index.sqlite" if place.product == "qmd" else "data/index")
    assert index.read_text().split() == ["update", "embed"]
    assert place.git("status", "--porcelain") == ""


def test_qmd_works_on_verified_copies_of_its_models_and_of_its_index(tmp_path: Path) -> None:
    place = Place(tmp_path, "qmd")
    session = place.prepare().attach(30)
    try:
        assert (place.home / "cache/qmd/models/m.gguf").read_bytes() == b"weights"
        assert (place.home / "state-1/index.sqlite").read_text().split() == ["update", "embed"]
    finally:
        session.close()


def test_qmd_s_tools_are_those_of_the_lock(tmp_path: Path) -> None:
    place = Place(tmp_path, "qmd")

    def announced(name: str, description: str) -> dict[str, Any]:
        schema = {"type": "object", "properties": {each: {} for each in TOOLS[name]}}
        return {"name": name, "description": description, "inputSchema": schema}

    place.lock["tools"] = {name: fingerprint(announced(name, name)) for name in TOOLS}
    place.prepare()
    place.lock["tools"]["get"] = fingerprint(announced("get", "another"))
    assert place.refused() == "tool_mismatch"


CHANGES: dict[str, Callable[[Place], Any]] = {
    "commit_mismatch": lambda place: (
        (place.repo / "x").write_text("x"), place.commit(),
    ),
    "tree_mismatch": lambda place: place.lock["repository"].update(tree="0" * 40),
    "checkout_dirty": lambda place: (place.repo / "untracked").write_text("x"),
    "origin_mismatch": lambda place: place.git("remote", "set-url", "origin", "https://github.com/fork/it"),
    "file_mismatch": lambda place: place.lock["files"].update({"bun.lock": "0" * 64}),
    "file_missing": lambda place: place.lock["files"].update({"yarn.lock": "0" * 64}),
    "model_missing": lambda place: (place.models / "m.gguf").unlink(),
    "model_size_mismatch": lambda place: (place.models / "m.gguf").write_bytes(b"weight"),
    "model_hash_mismatch": lambda place: (place.models / "m.gguf").write_bytes(b"WEIGHTS"),
    "not_a_checkout": lambda place: (place.repo / ".git").rename(place.repo / "git"),
    "lock_invalid": lambda place: place.lock.update(extra=1),
}  # fmt: skip


@pytest.mark.parametrize("code", CHANGES)
def test_anything_other_than_locked_is_refused(place: Place, code: str) -> None:
    CHANGES[code](place)
    assert place.refused() == code


@pytest.mark.parametrize(
    "setting, value, code",
    [
        ("repo", None, "repo_missing"),
        ("repo", "relative/path", "repo_missing"),
        ("repo", "/nowhere/at/all", "repo_missing"),
        ("models", None, "model_cache_missing"),
        ("models", "relative", "model_cache_missing"),
        ("bun", "/nowhere/bun", "runtime_missing"),
        ("lock", "/nowhere/lock.json", "lock_missing"),
    ],
)
def test_what_is_missing_has_a_code_of_its_own(place: Place, setting: str, value: str | None, code: str) -> None:
    assert place.refused(**{setting: value}) == code


@pytest.mark.parametrize(
    "change",
    [
        {"product": "other"},
        {"models": [{"role": "r", "uri": "u", "file": "../x", "bytes": 1, "sha256": "0" * 64}]},
        {"files": {"../x": "0" * 64}},
        {"repository": {"url": "https://x", "commit": "main", "tree": "0" * 40}},
    ],
)
def test_a_lock_that_says_nothing_exact_is_none(place: Place, change: dict[str, Any]) -> None:
    place.lock.update(change)
    assert place.refused() == "lock_invalid"


def test_a_checkout_s_own_git_configuration_starts_nothing(place: Place, tmp_path: Path) -> None:
    place.git("config", "core.fsmonitor", f"touch {tmp_path}/started; false")
    place.prepare()
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize("product", ["qmd", "gno"])
def test_the_lock_that_comes_along_is_whole(product: str) -> None:
    lock = load_lock(product, None)
    assert lock.product == product
    assert "package.json" in lock.files
    assert all(model.bytes > 100_000_000 for model in lock.models)


def test_a_lock_says_what_it_does_not_pin_and_that_pins_nothing(place: Place) -> None:
    assert load_lock("gno", None).tools == {}
    assert "No fingerprint of GNO's tools is known" in load_lock("gno", None).note
    before = place.prepare()
    place.lock["note"] = "its tools are not pinned"
    after = place.prepare()
    assert after.config_fingerprint == before.config_fingerprint
    assert after.diagnostics == (["its tools are not pinned"] if place.product == "gno" else ())
    before.close()
    after.close()


def test_without_git_nothing_can_be_compared(place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert place.refused() == "git_missing"


def test_qmd_is_locked_to_the_commit_and_the_models_of_the_contract() -> None:
    lock = load_lock("qmd", None)
    assert lock.repository.commit == "e428df76bc0274d9e93eb7ca3e95673315c42e90"
    assert [model.file for model in lock.models] == [
        "hf_ggml-org_embeddinggemma-300M-Q8_0.gguf",
        "hf_ggml-org_qwen3-reranker-0.6b-q8_0.gguf",
        "hf_tobil_qmd-query-expansion-1.7B-q4_k_m.gguf",
    ]
    assert sorted(lock.tools) == ["get", "multi_get", "query", "status"]


def test_without_its_checkout_a_lane_is_a_whole_matrix_of_harness_errors(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from irbridge.agentic.agents import AGENTS
    from irbridge.agentic.fixture import load_fixture
    from irbridge.agentic.runner.running import Plan, run

    for name in ("QMD_REPO", "GNO_REPO"):
        monkeypatch.delenv(name, raising=False)
    fixture = load_fixture(root / "spec" / "agentic" / "fixtures" / "standard")
    tasks = sorted(fixture.tasks)[:2]
    adapters = [ADAPTERS.get("gno"), ADAPTERS.get("qmd")]
    result = run(Plan(fixture, adapters, AGENTS.get("fixture"), tasks=tasks))
    found = [(each.canonical.adapter_id, each.canonical.lifecycle, each.canonical.task_id) for each in result.receipts]
    assert sorted(found) == sorted(
        (name, lifecycle, task_id) for name in ("gno", "qmd") for lifecycle in ("cold", "warm") for task_id in tasks
    )
    for each in result.receipts:
        failure = each.canonical.failure
        assert (failure.class_, failure.code) == ("harness_error", f"{each.canonical.adapter_id}_repo_missing")
