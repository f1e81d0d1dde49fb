"""Every code of section 7 of the page is reached: whatever fails, a receipt says which of them it was."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
import time
import types
from pathlib import Path

import pytest
from support.small_fixture import SEARCH, Product, Script, envelope, result, small_fixture

from irbridge.agentic.adapters.base import Outcome, ToolFailure, Unavailable
from irbridge.agentic.agents import AGENTS
from irbridge.agentic.agents.base import AgentFailure, Trial
from irbridge.agentic.runner import trial
from irbridge.agentic.runner.running import Plan, run
from irbridge.agentic.toolset import TOOLS
from irbridge.errors import InputError, UsageError

PAGE = Path(__file__).resolve().parents[4] / "spec" / "agentic" / "README.md"
#: How a code ends; section 7 has no other words in backticks that end so.
_CODE = re.compile(
    r"`([a-z]+(?:_[a-z]+)*_(?:failed|timeout|changed|corrupted|step|allowed|arguments|exceeded|envelope|result|violation"
    r"|measurement|error|missing|invalid|mismatch))`"
)
#: The classes of failures, which end like codes.
_CLASSES = {"agent_error", "product_error", "harness_error"}
TINY = {"maxAgentCalls": 3, "maxModelVisibleBytes": 600}  # one result is 440 bytes or so


def slow(*given):
    time.sleep(0.8)


def broken(*given):
    raise RuntimeError("no")


def later(number, act):
    """Nothing for the first `number` calls, then `act`."""
    left = [number]

    def acted(*given):
        left[0] -= 1
        return act(*given) if left[0] < 0 else None

    return acted


def other_index(product):
    product.index_fingerprint = "3" * 64
    return TOOLS


def outcomes(*tokenizers):
    """A call that measures five tokens, with these tokenizers one after the other."""
    left = list(tokenizers)
    return lambda fixture: lambda tool, arguments: Outcome(result(fixture), 1, 5, left.pop(0))


#: code -> acts of the product, by name; of the agent its steps, or `begin`. An act of `fixture` is made from it.
OF_THE_PRODUCT = {
    "adapter_preparation_failed": {"prepare": broken},
    "adapter_preparation_timeout": {"prepare": slow},
    "adapter_attach_failed": {"attach": broken},
    "adapter_attach_timeout": {"attach": slow},
    "list_tools_failed": {"tools": broken},
    "list_tools_timeout": {"tools": slow},
    "cold_trial_setup_failed": {"reset": broken},
    "warm_cohort_setup_failed": {"probe": broken},
    "adapter_reset_failed": {"reset": later(4, broken)},  # three of the cold pairs, and that of the warm probe
    "adapter_reset_timeout": {"reset": later(4, slow)},
    "warm_cohort_corrupted": {"call": broken},
    "tool_timeout": {"call": slow},
    "tool_call_failed": {"call": broken},
    "invalid_tool_result": {"call": lambda tool, arguments: None},
}
OF_RESULTS = {
    "scope_violation": lambda fixture: lambda tool, arguments: Outcome(result(fixture, "t0000002"), 1),
    "invalid_token_measurement": outcomes(None),
    "tokenizer_changed": outcomes("3" * 64, "4" * 64),
}
OF_THE_AGENT = {
    "invalid_agent_step": Script({"kind": "tool"}),
    "tool_not_allowed": Script({"kind": "tool", "toolName": "shell", "arguments": {}}),
    "invalid_tool_arguments": Script({"kind": "tool", "toolName": "search", "arguments": {}}),
    "agent_call_budget_exceeded": Script(*[SEARCH] * 5),
    "invalid_final_envelope": Script(envelope(gaps=[])),
    "agent_timeout": Script(slow),
    "agent_step_failed": Script(broken),
    "agent_session_timeout": Script(begin=slow),
    "agent_session_failed": Script(begin=broken),
}
#: In the diagnostics, behind the code of the set-up: what the agent `local-model` lacks, by what is set, and `command`.
OF_A_START = {
    "model_lock_missing": ("local-model", {}),
    "model_lock_invalid": ("local-model", {"lock": "bad"}),
    "model_path_missing": ("local-model", {"lock": "lock"}),
    "model_hash_mismatch": ("local-model", {"lock": "lock", "model": "other"}),
    "model_runtime_missing": ("local-model", {"lock": "lock", "model": "model"}),
    "model_load_failed": ("local-model", {"lock": "lock", "model": "model"}),
    "agent_start_failed": ("command", {"command": "/no/such/program"}),
}
IN_A_TEST = {
    "adapter_identity_changed",
    "agent_step_budget_exceeded",
    "context_byte_budget_exceeded",
    "unexpected_harness_error",
}


def codes(plan):
    return [receipt.canonical.failure.code for receipt in run(plan).receipts]


def reached(fixture, product=None, script=None):
    plan = Plan(fixture, [(product or Product(fixture)).adapter()], (script or Script(SEARCH)).agent(), timeout=0.4)
    return codes(plan)  # cold, then warm


def test_no_code_of_the_page_is_without_a_test():
    section = PAGE.read_text(encoding="utf-8").split("\n## 7. ")[1].split("\n## 8. ")[0]
    told = set(_CODE.findall(section)) - _CLASSES
    tested = {*OF_THE_PRODUCT, *OF_RESULTS, *OF_THE_AGENT, *OF_A_START, *IN_A_TEST}
    assert len(told) > 30
    assert told == tested


def test_no_code_of_adapters_and_servers_is_without_a_test():
    """Of sections 8 and 9, whose codes need programs and checkouts, it is enough that a test names them."""
    sections = PAGE.read_text(encoding="utf-8").split("\n## 8. ")[1].split("\n### 9.2 ")[0]
    others = {*PAGE.parents[2].joinpath("tests").rglob("*.py")} - {Path(__file__).resolve()}
    tests = "".join(path.read_text(encoding="utf-8") for path in others)
    told = set(_CODE.findall(sections)) | set(re.findall(r"`(\w+_dirty|not_a_checkout|not_found)`", sections))
    assert len(told) > 30
    assert sorted(code for code in told if code not in tests) == []


@pytest.fixture
def fixture(tmp_path):
    return small_fixture(tmp_path / "fixture")


@pytest.mark.parametrize("code", OF_THE_PRODUCT)
def test_a_product_that_fails(fixture, code):
    assert code in reached(fixture, Product(fixture, **OF_THE_PRODUCT[code]))


@pytest.mark.parametrize("code", OF_RESULTS)
def test_a_result_that_is_wrong(fixture, code):
    plan = Plan(
        fixture, [Product(fixture, call=OF_RESULTS[code](fixture)).adapter()], Script(SEARCH, SEARCH).agent(),
        lifecycles=["cold"], tasks=["t0000001"],
    )  # fmt: skip
    assert codes(plan) == [code]


@pytest.mark.parametrize("code", OF_THE_AGENT)
def test_an_agent_that_fails(fixture, code):
    assert set(reached(fixture, script=OF_THE_AGENT[code])) == {code}


def test_bytes_beyond_the_budget(tmp_path):
    fixture = small_fixture(tmp_path / "fixture", budgets=TINY)
    assert set(reached(fixture, script=Script(SEARCH, SEARCH))) == {"context_byte_budget_exceeded"}


def test_an_index_that_is_no_longer_the_prepared_one(fixture):
    product = Product(fixture)
    product.acts["tools"] = lambda: other_index(product)
    assert set(reached(fixture, product)) == {"adapter_identity_changed"}


def test_a_fault_of_the_harness_itself_ends_its_trial_only(fixture, monkeypatch):
    """There is no known way to it, so one is made: the size of the first result cannot be told."""
    first = [True]

    def size(outcome):
        if first.pop() if first else False:
            raise ZeroDivisionError("of the harness")
        return 1

    monkeypatch.setattr(trial, "visible_bytes", size)
    plan = Plan(fixture, [Product(fixture).adapter()], Script(SEARCH).agent(), lifecycles=["warm"])
    receipts = run(plan).receipts
    assert [receipt.canonical.failure.code for receipt in receipts] == ["unexpected_harness_error", None, None]
    assert receipts[0].canonical.failure.class_ == "harness_error"
    assert receipts[0].observations.diagnostics == ["unexpected_harness_error: ZeroDivisionError: of the harness"]


@pytest.fixture
def lock(tmp_path, monkeypatch):
    """The folder of a lock and of the model that it names, without the program that would run it."""
    (tmp_path / "model").write_bytes(b"weights")
    (tmp_path / "other").write_bytes(b"others")
    (tmp_path / "bad").write_text("{}")
    (tmp_path / "lock").write_text(
        # printf weights | sha256sum
        '{"schemaVersion":"1.0","uri":"hf:x","sha256":"9a129038d9a00aed0cf6a7ea059ca50a813449061ab87848cf1a13eafdf33b2c",'
        '"tokenizerId":"t","maxSteps":1,"maxOutputTokens":1,"trials":[{"trialId":"a","seed":1},{"trialId":"b","seed":2},'
        '{"trialId":"c","seed":3}]}'
    )
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    return tmp_path


@pytest.mark.parametrize("code", OF_A_START)
def test_an_agent_that_cannot_start(fixture, lock, monkeypatch, code):
    if code == "model_load_failed":
        module = types.ModuleType("llama_cpp")
        module.Llama = broken_model
        monkeypatch.setitem(sys.modules, "llama_cpp", module)
    name, settings = OF_A_START[code]
    told = {key: value if name == "command" else str(lock / value) for key, value in settings.items()}
    plan = Plan(fixture, [Product(fixture).adapter()], AGENTS.get(name), agent_settings=told)
    receipts = run(plan).receipts
    assert {receipt.canonical.failure.code for receipt in receipts} == {
        "cold_trial_setup_failed", "warm_cohort_setup_failed",
    }  # fmt: skip
    assert {receipt.observations.diagnostics[-1] for receipt in receipts} == {f"because of {code}"}


class Searching:
    """A model that always searches."""

    def __init__(self, **given):
        pass

    def create_chat_completion(self, **given):
        return {"choices": [{"message": {"content": json.dumps(SEARCH)}}]}


def test_a_model_that_does_not_come_to_an_end(fixture, lock, monkeypatch):
    module = types.ModuleType("llama_cpp")
    module.Llama = Searching
    monkeypatch.setitem(sys.modules, "llama_cpp", module)
    told = {"lock": str(lock / "lock"), "model": str(lock / "model")}  # one step, and three calls by the task
    plan = Plan(fixture, [Product(fixture).adapter()], AGENTS.get("local-model"), agent_settings=told)
    assert set(codes(plan)) == {"agent_step_budget_exceeded"}


def broken_model(**given):
    raise RuntimeError("no model in this file")


NONSENSE = [None, 5, "text", [], types.SimpleNamespace(), types.SimpleNamespace(close=broken)]


@pytest.mark.parametrize("nonsense", NONSENSE)
@pytest.mark.parametrize("act, code", [("prepare", "adapter_preparation_failed"), ("attach", "adapter_attach_failed")])
def test_an_adapter_that_returns_nonsense_has_its_matrix_of_harness_errors(fixture, act, code, nonsense):
    product = Product(fixture, **{act: lambda *given: nonsense})
    assert reached(fixture, product) == [code] * 6
    assert reached(fixture, Product(fixture, tools=lambda: [nonsense])) == ["list_tools_failed"] * 6


@pytest.mark.parametrize(
    "member, value",
    [
        ("config_fingerprint", None), ("index_fingerprint", "2" * 63), ("diagnostics", None), ("diagnostics", "text"),
    ],
)  # fmt: skip
def test_what_is_prepared_says_what_it_is(fixture, member, value):
    product = Product(fixture)
    setattr(product, member, value)
    assert reached(fixture, product) == ["adapter_preparation_failed"] * 6


def started(fixture, runtime):
    agent = Script().agent()
    object.__setattr__(agent, "start", lambda settings, timeout: runtime)
    receipts = run(Plan(fixture, [Product(fixture).adapter()], agent)).receipts
    return [(receipt.canonical.failure.code, receipt.observations.diagnostics[-1]) for receipt in receipts]


SETUP_FAILED = [
    *[("cold_trial_setup_failed", "because of agent_start_failed")] * 3,
    *[("warm_cohort_setup_failed", "because of agent_start_failed")] * 3,
]


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_an_agent_that_starts_nonsense_has_its_matrix_of_harness_errors(fixture, nonsense):
    assert started(fixture, nonsense) == SETUP_FAILED


@pytest.mark.parametrize(
    "member, value",
    [("system_prompt", None), ("system_prompt", "\ud800"), ("model_fingerprint", 5), ("tokenizer_fingerprint", "x"), ("step", None)],
)  # fmt: skip
def test_what_is_started_says_what_it_is(fixture, member, value):
    runtime = Script()
    setattr(runtime, member, value)
    assert started(fixture, runtime) == SETUP_FAILED


class Mute(Exception):
    """An error that cannot even be printed."""

    def __str__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    "error", [SystemExit(3), Mute(), Unavailable(5, "a code that is no text"), Unavailable("x" * 300, "")]
)
@pytest.mark.parametrize("act", ["prepare", "attach", "tools", "probe", "reset", "call"])
def test_nothing_that_is_raised_ends_the_run(fixture, act, error):
    def raising(*given):
        raise error

    found = reached(fixture, Product(fixture, **{act: raising}))
    expected = {
        "prepare": {"adapter_preparation_failed"},
        "attach": {"adapter_attach_failed"},
        "tools": {"list_tools_failed"},
        "probe": {None, "warm_cohort_setup_failed"},
        "reset": {"cold_trial_setup_failed", "warm_cohort_setup_failed"},
        "call": {"tool_call_failed", "warm_cohort_corrupted"},
    }
    assert set(found) == expected[act]


@pytest.mark.parametrize(
    "changes",
    [{"name": "no id"}, {"name": 5}, {"capabilities": None}, {"capabilities": "all"}, {"methodology": None}],
)
def test_an_adapter_whose_receipts_could_not_be_written_is_none(fixture, changes):
    adapter = Product(fixture).adapter()
    with pytest.raises(InputError):
        dataclasses.replace(adapter, **changes)
    with pytest.raises(InputError):
        dataclasses.replace(Script().agent(), name=changes.get("name", ""))


@pytest.mark.parametrize(
    "trials", [None, 5, [None], [Trial("", 0)], [Trial("a b", 0)], [Trial("a", "x")], [Trial(5, 5)]]
)
def test_trials_that_no_receipt_can_name_are_refused_before_anything_is_prepared(fixture, trials):
    product = Product(fixture)
    with pytest.raises(UsageError, match="trial"):
        run(Plan(fixture, [product.adapter()], Script().agent(trials)))
    assert product.done == []


@pytest.mark.parametrize(
    "step, code",
    [
        ({**SEARCH, "arguments": {"query": object()}}, "invalid_agent_step"),
        ({**SEARCH, "arguments": {"query": "\ud800"}}, "invalid_tool_arguments"),
        ({"kind": "final", "envelope": object()}, "invalid_agent_step"),
        (
            envelope(
                claims=[{"claimKey": "launchDate", "value": {"type": "string", "value": "\ud800"}, "citations": []}]
            ),
            "invalid_final_envelope",
        ),
        (lambda history: raised(AgentFailure(5, "x")), "agent_step_failed"),
        (lambda history: raised(SystemExit(3)), "agent_step_failed"),
        (lambda history: raised(Mute()), "agent_step_failed"),
    ],
)
def test_what_no_receipt_can_hold_is_the_agents_fault(fixture, step, code):
    receipts = run(Plan(fixture, [Product(fixture).adapter()], Script(step).agent(), lifecycles=["cold"])).receipts
    assert {(each.canonical.failure.class_, each.canonical.failure.code) for each in receipts} == {
        ("agent_error", code)
    }


@pytest.mark.parametrize(
    "call, code, invocations",
    [
        (lambda *given: raised(ToolFailure(5, "x", backend_invocations=2)), "tool_call_failed", 2),
        (lambda *given: raised(ToolFailure("own", "x", backend_invocations="many")), "own", 0),
        (lambda *given: Outcome(object()), "invalid_tool_result", 0),
    ],
)
def test_what_no_receipt_can_hold_is_the_products_fault(fixture, call, code, invocations):
    plan = Plan(fixture, [Product(fixture, call=call).adapter()], Script(SEARCH).agent(), lifecycles=["cold"])
    for each in run(plan).receipts:
        assert (each.canonical.failure.class_, each.canonical.failure.code) == ("product_error", code)
        assert each.canonical.backend_invocations == invocations


def raised(error):
    raise error
