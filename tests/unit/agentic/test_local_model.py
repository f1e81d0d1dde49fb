from __future__ import annotations

import hashlib
import json
import re
import sys
import types

import pytest
from support.small_fixture import small_fixture

from irbridge.agentic.adapters import ADAPTERS
from irbridge.agentic.adapters.base import Unavailable
from irbridge.agentic.agents import AGENTS
from irbridge.agentic.agents.base import AgentFailure
from irbridge.agentic.agents.model_lock import read_lock
from irbridge.agentic.runner.running import Plan, run

MODEL = b"not really a model"


@pytest.fixture
def settings(tmp_path):
    """A lock and the file that it names."""
    (tmp_path / "model.gguf").write_bytes(MODEL)
    lock = {
        "schemaVersion": "1.0",
        "uri": "hf://somebody/some-model/model.gguf",
        "sha256": hashlib.sha256(MODEL).hexdigest(),
        "tokenizerId": "some-tokenizer",
        "maxSteps": 2,
        "maxOutputTokens": 64,
        "trials": [{"trialId": f"t{seed}", "seed": seed} for seed in (104729, 130363, 155921)],
    }
    (tmp_path / "lock.json").write_text(json.dumps(lock))
    return {"lock": str(tmp_path / "lock.json"), "model": str(tmp_path / "model.gguf")}


@pytest.fixture
def said(monkeypatch):
    """What the model answers, in a stand-in for llama_cpp; and what it was asked."""
    answers, asked = [], []

    class Llama:
        def __init__(self, model_path, **options):
            self.path = model_path

        def create_chat_completion(self, **given):
            asked.append(json.loads(json.dumps(given)))
            return {"choices": [{"message": {"content": answers.pop(0)}}]}

    module = types.ModuleType("llama_cpp")
    module.Llama = Llama
    monkeypatch.setitem(sys.modules, "llama_cpp", module)
    return answers, asked


def start(settings):
    return AGENTS.get("local-model").start(settings, 1)


def changed(settings, **members):
    with open(settings["lock"], encoding="utf-8") as stream:
        lock = json.load(stream)
    with open(settings["lock"], "w", encoding="utf-8") as stream:
        json.dump({**lock, **members}, stream)


def test_the_three_trials_are_those_of_the_lock(settings):
    trials = AGENTS.get("local-model").trials(settings)
    assert [(trial.trial_id, trial.seed) for trial in trials] == [
        ("t104729", 104729), ("t130363", 130363), ("t155921", 155921),
    ]  # fmt: skip


@pytest.mark.parametrize("page", ["spec/agentic/README.md", "recipes/agents.md"])
def test_the_lock_on_the_page_is_one(root, tmp_path, page):
    blocks = re.findall(r"^```json\n(.*?)^```", (root / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (text,) = [block for block in blocks if "tokenizerId" in block]
    (tmp_path / "page.json").write_text(text)
    lock = read_lock(str(tmp_path / "page.json"))
    # The budgets and seeds that the contract's lane was first run with.
    assert (lock.max_steps, lock.max_output_tokens) == (3, 1024)
    assert [trial.seed for trial in lock.trials] == [104729, 130363, 155921]


def test_the_page_names_every_setting_and_member(root):
    section = (root / "spec/agentic/README.md").read_text(encoding="utf-8").split("### 7.1 ")[1].split("\n## ")[0]
    told = set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))
    assert told == {"schemaVersion", "uri", "sha256", "tokenizerId", "maxSteps", "maxOutputTokens", "trials"}
    assert [f"--agent-set {name}=" in section for name in AGENTS.get("local-model").settings] == [True, True]


def closed(code, settings):
    with pytest.raises(Unavailable) as raised:
        start(settings)
    assert raised.value.code == code


def test_without_a_lock_it_does_not_run(settings):
    closed("model_lock_missing", {"model": settings["model"]})
    closed("model_lock_missing", {**settings, "lock": settings["lock"] + "x"})


@pytest.mark.parametrize(
    "members",
    [
        {"sha256": "abc"},
        {"more": 1},
        {"trials": []},
        {"trials": [{"trialId": "a", "seed": 1}] * 3},
        {"trials": [{"trialId": name, "seed": 1} for name in "abc"]},
        {"maxSteps": 0},
    ],
)
def test_a_lock_that_is_not_closed_and_whole_is_refused(settings, members):
    changed(settings, **members)
    closed("model_lock_invalid", settings)


def test_a_key_twice_in_the_lock_is_refused(settings):
    with open(settings["lock"], "a", encoding="utf-8") as stream:
        stream.seek(0)
        stream.truncate()
        stream.write('{"schemaVersion": "1.0", "schemaVersion": "1.0"}')
    closed("model_lock_invalid", settings)


def test_only_the_very_file_is_run(settings, said, tmp_path):
    closed("model_path_missing", {"lock": settings["lock"]})
    closed("model_path_missing", {**settings, "model": "model.gguf"})  # no absolute path
    (tmp_path / "model.gguf").write_bytes(MODEL + b"!")
    closed("model_hash_mismatch", settings)


def test_without_the_program_it_does_not_run(settings, monkeypatch):
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    closed("model_runtime_missing", settings)


def test_it_is_told_the_task_and_the_results_and_seeded(settings, said, tmp_path):
    answers, asked = said
    fixture = small_fixture(tmp_path / "fixture")
    gap = {"claimKey": "launchDate", "reason": "missing_evidence"}
    final = {"schemaVersion": "1.0", "claims": [], "gaps": [gap], "abstained": True, "stopReason": "abstained"}
    for _ in range(3):
        answers += [
            '{"kind":"tool","toolName":"search","arguments":{"query":"launch date"}}',
            json.dumps({"kind": "final", "envelope": final}),
        ]
    plan = Plan(
        fixture, [ADAPTERS.get("lexical")], AGENTS.get("local-model"), lifecycles=["warm"], tasks=["t0000001"],
        agent_settings=settings,
    )  # fmt: skip
    receipts = run(plan).receipts
    assert [receipt.canonical.failure.class_ for receipt in receipts] == ["none"] * 3
    assert [receipt.canonical.seed for receipt in receipts] == [104729, 130363, 155921]
    assert len({receipt.canonical.fingerprints.model for receipt in receipts} - {"0" * 64}) == 1
    assert [each["seed"] for each in asked] == [104729] * 2 + [130363] * 2 + [155921] * 2
    assert [message["role"] for message in asked[1]["messages"]] == ["system", "user", "assistant", "user"]
    assert "Launch date: 2026-09-11" in asked[1]["messages"][3]["content"]
    assert "canary" not in json.dumps(asked)


def test_prose_and_doubled_keys_are_its_errors(settings, said):
    answers, _ = said
    runtime = start(settings)
    runtime.begin({"allowedTools": ["search"]}, 1)
    answers += ["Sure! Here is the answer.", '{"kind":"tool","kind":"final"}']
    for _ in range(2):
        with pytest.raises(AgentFailure) as raised:
            runtime.step((), 1)
        assert raised.value.code == "invalid_agent_step"
    with pytest.raises(AgentFailure) as raised:
        runtime.step((), 1)  # the lock allows two steps
    assert raised.value.code == "agent_step_budget_exceeded"
