from __future__ import annotations

import json
import threading
import time

import pytest
from support.small_fixture import SEARCH, TASK_IDS, Product, Script, envelope, result, small_fixture

from irbridge.agentic.accounting import accounting_issues
from irbridge.agentic.adapters import ADAPTERS
from irbridge.agentic.adapters.base import Outcome, ToolFailure, Unavailable
from irbridge.agentic.agents import AGENTS
from irbridge.agentic.agents.base import AgentFailure, Trial
from irbridge.agentic.canonical_json import canonical_json
from irbridge.agentic.records import plain, record
from irbridge.agentic.runner.running import Plan, run
from irbridge.agentic.toolset import TOOLS
from irbridge.agentic.trajectory import TrajectoryReceipt
from irbridge.errors import IrbridgeError, UnknownName, UsageError

CLAIM = {"claimKey": "launchDate", "value": {"type": "date", "value": "2026-09-11"}, "citations": []}


@pytest.fixture
def fixture(tmp_path):
    return small_fixture(tmp_path / "fixture")


def raising(error):
    def act(*given):
        raise error

    return act


def one(fixture, product, script, **changes):
    """The receipt of the first task, cold."""
    plan = Plan(
        fixture, [product.adapter()], script.agent(), lifecycles=["cold"], tasks=["t0000001"], timeout=0.4, **changes
    )
    (receipt,) = run(plan).receipts
    return receipt


def failure(receipt):
    found = receipt.canonical.failure
    return found.class_, found.code


def test_a_trial_is_written_down_call_by_call(fixture):
    receipt = one(fixture, Product(fixture), Script(SEARCH, envelope()))
    (call,) = receipt.canonical.calls
    # {"content":"","errorCode":null,"evidence":[{...}],"resultRole":"source","status":"ok"}, counted from its parts.
    evidence = {
        "endLine": 3,
        "sourceHash": call.result.evidence[0].source_hash,
        "sourceHashProvenance": "harness_observed",
        "spanHash": call.result.evidence[0].span_hash,
        "spanHashProvenance": "harness_observed",
        "startLine": 3,
        "text": "Launch date: 2026-09-11",
        "uri": "corpus://c001/notes.md",
    }
    text = json.dumps(
        {"content": "", "errorCode": None, "evidence": [evidence], "resultRole": "source", "status": "ok"},
        sort_keys=True,
        separators=(",", ":"),
    )
    assert (call.call_index, call.tool_name, call.arguments) == (0, "search", {"query": "launch date"})
    assert (call.delivered_to_agent, call.failure_code, call.backend_invocations) == (True, None, 1)
    assert call.model_visible_utf8_bytes == receipt.canonical.model_visible_utf8_bytes == len(text)
    assert (receipt.canonical.agent_calls, receipt.canonical.backend_invocations) == (1, 1)
    assert (receipt.canonical.stop_reason, failure(receipt)) == ("abstained", ("none", None))
    assert receipt.canonical.failure.redacted_message is None


def test_the_agent_sees_the_task_and_the_projection_and_nothing_else(fixture):
    script = Script(SEARCH, envelope())
    one(fixture, Product(fixture), script)
    task, before, after = script.seen
    assert task == plain(fixture.tasks["t0000001"])
    assert before == ()
    assert set(after[0].result) == {"status", "resultRole", "content", "evidence", "errorCode"}
    assert "backendSourceHash" not in after[0].result["evidence"][0]
    assert "canary" not in repr(script.seen)


BAD_RESULT = {
    "no result": lambda fixture: {"status": "ok"},
    "another text": lambda fixture: _changed(fixture, text="Launch date: 2026-09-12"),
    "another hash": lambda fixture: _changed(fixture, span_hash="0" * 64),
    "another version": lambda fixture: _changed(fixture, source_hash="0" * 64),
    "lines that are not there": lambda fixture: _changed(fixture, end_line=9),
    "a foreign source": lambda fixture: _changed(fixture, uri="corpus://c999/notes.md"),
    "half a pair of hashes": lambda fixture: _changed(fixture, backend_source_hash="0" * 64),
    "no reason": lambda fixture: _changed(fixture, backend_hash_unavailable_reason=None),
    "an error without a code": lambda fixture: Outcome(_result(fixture, status="error"), 1),
    "half a surrogate": lambda fixture: Outcome(_result(fixture, content="\ud800"), 1),
    "a negative count": lambda fixture: Outcome(result(fixture), -1),
}


def _result(fixture, **changes):
    import msgspec

    return msgspec.structs.replace(result(fixture), **changes)


def _changed(fixture, **changes):
    import msgspec

    item = msgspec.structs.replace(result(fixture).evidence[0], **changes)
    return Outcome(_result(fixture, evidence=[item]), 1)


@pytest.mark.parametrize("name", BAD_RESULT)
def test_a_result_that_is_not_true_is_the_products_failure_and_never_shown(fixture, name):
    script = Script(SEARCH, envelope())
    receipt = one(fixture, Product(fixture, call=lambda tool, arguments: BAD_RESULT[name](fixture)), script)
    assert failure(receipt) == ("product_error", "invalid_tool_result")
    (call,) = receipt.canonical.calls
    assert (call.delivered_to_agent, call.model_visible_utf8_bytes) == (False, 0)
    assert (call.result.status, call.result.result_role, call.result.content) == ("error", "candidates", "")
    assert len(script.seen) == 2  # the task and one step: no second look


def test_a_source_of_another_task_fails_the_trial_and_is_not_shown(fixture):
    script = Script(SEARCH, envelope())
    foreign = Outcome(result(fixture, "t0000002"), 1)
    receipt = one(fixture, Product(fixture, call=lambda tool, arguments: foreign), script)
    assert failure(receipt) == ("product_error", "scope_violation")
    assert "2026-09-12" not in canonical_json(plain(receipt))


@pytest.mark.parametrize(
    "tokens, tokenizer, code",
    [(3, None, "invalid_token_measurement"), (None, "3" * 64, "invalid_token_measurement"), (3, "3" * 64, None)],
)
def test_tokens_come_with_their_tokenizer(fixture, tokens, tokenizer, code):
    outcome = Outcome(result(fixture), 1, tokens, tokenizer)
    receipt = one(fixture, Product(fixture, call=lambda tool, arguments: outcome), Script(SEARCH, envelope()))
    assert receipt.canonical.failure.code == code
    assert receipt.canonical.measured_tokens == (3 if code is None else None)


def test_two_tokenizers_in_one_trial_cannot_be_added(fixture):
    prints = iter(["3" * 64, "4" * 64])
    call = lambda tool, arguments: Outcome(result(fixture), 1, 5, next(prints))  # noqa: E731
    receipt = one(fixture, Product(fixture, call=call), Script(SEARCH, SEARCH, envelope()))
    assert failure(receipt) == ("product_error", "tokenizer_changed")
    assert receipt.canonical.measured_tokens == 5
    assert [call.delivered_to_agent for call in receipt.canonical.calls] == [True, False]


def test_a_call_over_the_budget_is_written_down_and_not_made(fixture):
    product = Product(fixture)
    receipt = one(fixture, product, Script(*[SEARCH] * 5))
    assert failure(receipt) == ("agent_error", "agent_call_budget_exceeded")
    assert receipt.canonical.agent_calls == 4  # the budget's three, and the one refused
    assert product.done.count("call") == 3
    assert [call.failure_code for call in receipt.canonical.calls] == [None, None, None, "agent_call_budget_exceeded"]


def test_bytes_over_the_budget_end_the_trial_with_the_result_kept(tmp_path):
    fixture = small_fixture(tmp_path / "f", budgets={"maxAgentCalls": 3, "maxModelVisibleBytes": 600})
    receipt = one(fixture, Product(fixture), Script(SEARCH, SEARCH, envelope()))  # one result is 440 bytes or so
    first, second = receipt.canonical.calls
    assert failure(receipt) == ("agent_error", "context_byte_budget_exceeded")
    assert first.delivered_to_agent
    assert (second.delivered_to_agent, second.model_visible_utf8_bytes) == (False, 0)
    assert second.result == result(fixture)
    assert receipt.canonical.model_visible_utf8_bytes == first.model_visible_utf8_bytes <= 600


PRODUCT_FAULTS = {
    "tool_timeout": lambda *given: time.sleep(0.8),
    "tool_call_failed": raising(RuntimeError("boom")),
    "out_of_disk": raising(ToolFailure("out_of_disk", "no space")),
}


@pytest.mark.parametrize("code", PRODUCT_FAULTS)
def test_what_a_product_does_wrong_is_its_failure(fixture, code):
    receipt = one(fixture, Product(fixture, call=PRODUCT_FAULTS[code]), Script(SEARCH, envelope()))
    assert failure(receipt) == ("product_error", code)
    (call,) = receipt.canonical.calls
    assert (call.failure_code, call.result.error_code, call.delivered_to_agent) == (code, code, False)


AGENT_FAULTS = {
    "agent_timeout": lambda history: time.sleep(0.8),
    "agent_step_failed": raising(RuntimeError("boom")),
    "own_code": raising(AgentFailure("own_code", "said so")),
    "invalid_agent_step": {"kind": "tool", "toolName": "search"},
    "tool_not_allowed": {"kind": "tool", "toolName": "shell", "arguments": {}},
    "invalid_tool_arguments": {"kind": "tool", "toolName": "search", "arguments": {"q": "launch"}},
    "invalid_final_envelope": envelope(abstained="no"),
}


@pytest.mark.parametrize("code", AGENT_FAULTS)
def test_what_an_agent_does_wrong_is_its_failure(fixture, code):
    receipt = one(fixture, Product(fixture), Script(AGENT_FAULTS[code]))
    assert failure(receipt) == ("agent_error", code)
    assert receipt.canonical.calls == []
    assert (receipt.canonical.final_envelope, receipt.canonical.stop_reason) == (None, "error")


@pytest.mark.parametrize(
    "step",
    [None, [], "search", {"kind": ["tool"]}, {"kind": "final"}, {**SEARCH, "why": 1}, {**SEARCH, "toolName": 3}],
)
def test_a_step_has_exactly_its_members(fixture, step):
    assert failure(one(fixture, Product(fixture), Script(step))) == ("agent_error", "invalid_agent_step")


@pytest.mark.parametrize(
    "changes",
    [
        {"gaps": []},  # the required claim is neither answered nor left open
        {"claims": [CLAIM]},  # not cited
        {"gaps": [{"claimKey": "other", "reason": "missing_evidence"}]},
        {"claims": [{**CLAIM, "value": {"type": "date", "value": "2026-02-30"}}]},
    ],
)
def test_an_envelope_that_does_not_answer_the_task_is_refused_when_it_is_given(fixture, changes):
    receipt = one(fixture, Product(fixture), Script(envelope(**changes)))
    assert failure(receipt) == ("agent_error", "invalid_final_envelope")


HARNESS_FAULTS = {
    "adapter_attach_failed": {"attach": raising(RuntimeError("no"))},
    "list_tools_timeout": {"tools": lambda: time.sleep(0.8)},
    "list_tools_failed": {"tools": raising(RuntimeError("no"))},
    "adapter_preparation_failed": {"tools": lambda: TOOLS[:1]},
    "adapter_preparation_timeout": {"prepare": lambda home: time.sleep(0.8)},
    "checkout_missing": {"prepare": raising(Unavailable("checkout_missing", "no checkout"))},
}


@pytest.mark.parametrize("code", HARNESS_FAULTS)
@pytest.mark.parametrize("lifecycles", [["cold"], ["warm"], ["cold", "warm"]])
def test_an_adapter_that_cannot_be_prepared_gives_its_whole_matrix_of_harness_errors(fixture, code, lifecycles):
    product = Product(fixture, **HARNESS_FAULTS[code])
    plan = Plan(fixture, [product.adapter()], Script().agent(), lifecycles=lifecycles, timeout=0.4)
    found = run(plan)
    assert [slot[1:] for slot in found.slots] == [
        (lifecycle, Trial("one", 0), task_id) for lifecycle in lifecycles for task_id in TASK_IDS
    ]
    assert {failure(receipt) for receipt in found.receipts} == {("harness_error", code)}
    assert len(found.receipts) == 3 * len(lifecycles)


def once_fine(number, error):
    """Fine for the first `number` calls, and then raises."""
    left = [number]

    def act(*given):
        left[0] -= 1
        if left[0] < 0:
            raise error

    return act


def test_a_cold_trial_whose_setup_fails_does_not_touch_the_others(fixture):
    product = Product(fixture, reset=once_fine(1, RuntimeError("no")))
    plan = Plan(fixture, [product.adapter()], Script().agent(), lifecycles=["cold"], timeout=1)
    assert [failure(receipt) for receipt in run(plan).receipts] == [
        ("none", None),
        ("harness_error", "cold_trial_setup_failed"),
        ("harness_error", "cold_trial_setup_failed"),
    ]


def test_a_warm_cohort_has_one_session_one_probe_and_a_reset_for_each_pair(fixture):
    product = Product(fixture)
    plan = Plan(fixture, [product.adapter()], Script().agent(), lifecycles=["warm"], timeout=1)
    run(plan)
    # prepared, looked at once, then the cohort; and the preparation closed at last
    assert product.done == ["prepare", "attach", "tools", "close", "attach", "tools", "reset", "probe", *["reset"] * 3, "close", "close"]  # fmt: skip


@pytest.mark.parametrize("act", ["probe", "reset"])
def test_a_warm_cohort_that_cannot_start_is_excluded_whole(fixture, act):
    product = Product(fixture, **{act: raising(RuntimeError("no"))})
    plan = Plan(fixture, [product.adapter()], Script().agent(), lifecycles=["warm"], timeout=1)
    assert [failure(receipt) for receipt in run(plan).receipts] == [("harness_error", "warm_cohort_setup_failed")] * 3


@pytest.mark.parametrize("code", ["tool_timeout", "tool_call_failed", "invalid_tool_result"])
def test_a_warm_system_in_an_unknown_state_excludes_the_rest_of_its_cohort(fixture, code):
    acts = {**PRODUCT_FAULTS, "invalid_tool_result": lambda *given: None}
    product = Product(fixture, call=acts[code])
    plan = Plan(fixture, [product.adapter()], Script(SEARCH).agent(), lifecycles=["warm", "cold"], timeout=0.4)
    found = [failure(receipt) for receipt in run(plan).receipts]
    assert found[:3] == [("product_error", code), *[("harness_error", "warm_cohort_corrupted")] * 2]
    assert found[3:] == [("product_error", code)] * 3  # cold trials do not share anything


def test_an_agents_own_fault_leaves_the_warm_cohort_as_it_is(fixture):
    plan = Plan(fixture, [Product(fixture).adapter()], Script(["no step"]).agent(), lifecycles=["warm"], timeout=1)
    assert [failure(receipt) for receipt in run(plan).receipts] == [("agent_error", "invalid_agent_step")] * 3


def test_the_agents_session_may_fail_before_its_first_step(fixture):
    for begin, expected in (
        (lambda: time.sleep(0.8), ("harness_error", "agent_session_timeout")),
        (raising(RuntimeError("no")), ("harness_error", "agent_session_failed")),
        (raising(AgentFailure("ended", "gone")), ("agent_error", "ended")),
    ):
        assert failure(one(fixture, Product(fixture), Script(begin=begin))) == expected


def test_an_index_that_changes_between_attachments_is_no_longer_what_was_prepared(fixture):
    product = Product(fixture)

    def other():
        product.index_fingerprint = "3" * 64
        return TOOLS

    product.acts["tools"] = other
    assert failure(one(fixture, product, Script())) == ("harness_error", "adapter_identity_changed")


def test_messages_lose_their_paths_and_their_length(fixture):
    receipt = one(fixture, Product(fixture, call=raising(OSError("cannot open /data/ada/secret/index.db" + "x" * 500))), Script(SEARCH))  # fmt: skip
    (said,) = receipt.observations.diagnostics
    assert "ada" not in said
    assert "<path>" in said
    assert len(said) <= 240 + len("tool_call_failed: ")
    assert "secret" not in canonical_json(plain(receipt))


def test_canonical_receipts_are_equal_from_run_to_run_and_only_they(fixture):
    plan = Plan(fixture, [ADAPTERS.get("capsule"), ADAPTERS.get("lexical")], AGENTS.get("fixture"))
    one, other = run(plan), run(plan)
    assert [canonical_json(plain(r.canonical)) for r in one.receipts] == [
        canonical_json(plain(r.canonical)) for r in other.receipts
    ]
    assert one.receipts != other.receipts
    assert "python" not in canonical_json(plain(one.receipts[0].canonical))


def test_cold_trials_at_a_time_give_the_receipts_of_one_after_the_other(fixture):
    adapters = [ADAPTERS.get("capsule"), ADAPTERS.get("lexical")]
    alone, together = (run(Plan(fixture, adapters, AGENTS.get("fixture"), jobs=jobs)) for jobs in (1, 3))
    assert [plain(r.canonical) for r in together.receipts] == [plain(r.canonical) for r in alone.receipts]


@pytest.mark.parametrize("lifecycle, code", [("cold", None), ("warm", "warm_cohort_setup_failed")])
def test_so_many_cold_trials_are_under_way_as_jobs_say_and_warm_ones_never(fixture, lifecycle, code):
    """Each waits until another one is under way, for a moment only where none comes."""
    together = threading.Barrier(2)
    product = Product(fixture, reset=lambda task: together.wait(20 if lifecycle == "cold" else 0.2))
    plan = Plan(
        fixture, [product.adapter()], Script().agent(), lifecycles=[lifecycle], tasks=TASK_IDS[:2], timeout=30, jobs=2
    )
    assert [failure(each)[1] for each in run(plan).receipts] == [code] * 2


def test_who_stops_reading_stops_the_trials_that_have_not_begun(fixture):
    product = Product(fixture)
    seen = []

    def stop(receipt):
        seen.append(receipt)
        raise KeyboardInterrupt

    many = [Trial(f"trial{number}", number) for number in range(20)]
    plan = Plan(fixture, [product.adapter()], Script().agent(many), lifecycles=["cold"], jobs=2)
    with pytest.raises(KeyboardInterrupt):
        run(plan, stop)
    assert len(seen) == 1
    assert product.done.count("attach") < 20 * len(TASK_IDS)
    assert product.done.count("close") >= product.done.count("attach")


def test_receipts_account_for_themselves_and_are_read_back(fixture):
    scripts = [Script(*[SEARCH] * 5), Script(SEARCH, envelope()), Script([])]
    for script in scripts:
        receipt = one(fixture, Product(fixture), script)
        assert accounting_issues(receipt) == []
        assert record(TrajectoryReceipt, json.loads(canonical_json(plain(receipt)))) == receipt


def test_the_order_is_adapters_lifecycles_as_given_trials_tasks(fixture):
    agent = Script().agent([Trial("b", 2), Trial("a", 1)])
    product = Product(fixture)
    plan = Plan(fixture, [product.adapter("zeta"), product.adapter("alpha")], agent, lifecycles=["warm", "cold"])
    assert [(slot.adapter, slot.lifecycle, slot.trial.trial_id, slot.task_id[-1]) for slot in plan.slots()] == [
        (adapter, lifecycle, trial, task)
        for adapter in ("alpha", "zeta")
        for lifecycle in ("warm", "cold")
        for trial in ("a", "b")
        for task in "123"
    ]


@pytest.mark.parametrize(
    "changes, error",
    [
        ({"adapters": []}, UsageError),
        ({"tasks": []}, UsageError),
        ({"tasks": ["t0000001", "t0000001"]}, UsageError),
        ({"tasks": ["t0000009"]}, UnknownName),
        ({"lifecycles": []}, UsageError),
        ({"lifecycles": ["tepid"]}, UnknownName),
    ],
)
def test_a_schedule_that_is_none_is_refused_before_anything_is_prepared(fixture, changes, error):
    product = Product(fixture)
    said = {"adapters": [product.adapter()], "agent": Script().agent(), **changes}
    with pytest.raises(error):
        run(Plan(fixture, **said))
    assert product.done == []


def test_each_home_is_empty_at_first_and_gone_at_last(fixture):
    import os

    homes = []
    product = Product(fixture)
    product.acts["prepare"] = lambda home: homes.append((home, os.listdir(home))) or product
    run(Plan(fixture, [product.adapter()], Script().agent(), lifecycles=["cold"]))
    ((home, held),) = homes
    assert held == []
    assert not os.path.exists(home)


def test_a_command_is_an_agent(fixture, tmp_path):
    program = tmp_path / "agent.py"
    program.write_text(
        "import sys, json\n"
        "for line in sys.stdin:\n"
        "    said = json.loads(line)\n"
        "    if said['type'] == 'task':\n"
        "        calls = 0\n"
        "    elif calls == 0:\n"
        "        calls = 1\n"
        "        print(json.dumps({'kind': 'tool', 'toolName': 'search', 'arguments': {'query': 'launch'}}), flush=True)\n"
        "    else:\n"
        "        gaps = [{'claimKey': 'launchDate', 'reason': 'missing_evidence'}]\n"
        "        print(json.dumps({'kind': 'final', 'envelope': {'schemaVersion': '1.0', 'claims': [], 'gaps': gaps,\n"
        "            'abstained': True, 'stopReason': 'abstained'}}), flush=True)\n"
    )
    import sys

    settings = {"command": f"{sys.executable} {program}", "trials": "2"}
    plan = Plan(fixture, [ADAPTERS.get("lexical")], AGENTS.get("command"), agent_settings=settings)
    found = run(plan).receipts
    assert {failure(receipt) for receipt in found} == {("none", None)}
    assert [receipt.canonical.agent_calls for receipt in found] == [1] * 12  # 2 lifecycles x 2 trials x 3 tasks


@pytest.mark.parametrize(
    "body, code",
    [
        ("import sys; sys.exit(3)", "agent_ended"),
        ("import sys\nfor line in sys.stdin: print('not json', flush=True)", "agent_invalid_json"),
        ('import sys\nfor line in sys.stdin: print(\'{"kind":1,"kind":2}\', flush=True)', "agent_invalid_json"),
        ("import sys\nfor line in sys.stdin: print('x' * 5_000_000, flush=True)", "agent_line_too_long"),
        ("import time; time.sleep(60)", "agent_timeout"),
        ("import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)", "agent_timeout"),
    ],
)
def test_a_hostile_program_fails_its_trial_and_nothing_else(fixture, tmp_path, body, code):
    import sys

    program = tmp_path / "agent.py"
    program.write_text(body)
    settings = {"command": f"{sys.executable} {program}"}
    plan = Plan(
        fixture, [ADAPTERS.get("lexical")], AGENTS.get("command"), lifecycles=["cold"], tasks=["t0000001"],
        timeout=1.0, agent_settings=settings,
    )  # fmt: skip
    start = time.monotonic()
    (receipt,) = run(plan).receipts
    assert failure(receipt) == ("agent_error", code)
    assert time.monotonic() - start < 10


def test_a_command_that_does_not_start_excludes_its_trials(fixture):
    plan = Plan(
        fixture, [ADAPTERS.get("lexical")], AGENTS.get("command"), agent_settings={"command": "/no/such/program"}
    )
    assert {failure(receipt) for receipt in run(plan).receipts} == {
        ("harness_error", "cold_trial_setup_failed"),
        ("harness_error", "warm_cohort_setup_failed"),
    }


@pytest.mark.parametrize("settings", [{}, {"command": "'"}, {"command": "x", "trials": "0"}, {"command": "x", "trials": "many"}, {"command": "x", "trials": "1000999"}])  # fmt: skip
def test_a_command_agent_needs_a_command_and_a_number(fixture, settings):
    plan = Plan(fixture, [ADAPTERS.get("lexical")], AGENTS.get("command"), agent_settings=settings)
    with pytest.raises(IrbridgeError):
        run(plan)


def test_the_last_words_of_a_program_are_told(fixture, tmp_path):
    import sys

    program = tmp_path / "agent.py"
    program.write_text("import sys\nsys.stderr.write('x' * 200_000)\nraise KeyError('needs')\n")
    settings = {"command": f"{sys.executable} {program}"}
    plan = Plan(
        fixture, [ADAPTERS.get("lexical")], AGENTS.get("command"), lifecycles=["cold"], tasks=["t0000001"],
        agent_settings=settings,
    )  # fmt: skip
    (receipt,) = run(plan).receipts
    assert receipt.observations.diagnostics[0].endswith("it said: KeyError: 'needs'")
