"""What must hold of a fixture beyond the form of its files: tasks, oracles and corpus fit together, and nothing leaks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from irbridge.agentic.canonical_json import canonical_json
from irbridge.agentic.evidence import coordinate
from irbridge.agentic.records import AgentTask, Coordinate, DateValue, HiddenOracle, OracleClaim, plain
from irbridge.agentic.snapshot import CorpusSnapshot
from irbridge.agentic.toolset import TOOLS
from irbridge.errors import InputError, quoted, shown

#: The rule by which values of a type are compared; only a string may choose a second one.
NORMALIZERS: Mapping[str, tuple[str, ...]] = {
    "string": ("exact-v1", "trim-lower-v1"),
    "number": ("exact-v1",),
    "boolean": ("exact-v1",),
    "string[]": ("string-set-v1",),
    "date": ("iso-date-v1",),
    "identifier": ("identifier-v1",),
}


def check_task(task_id: str, task: AgentTask, snapshot: CorpusSnapshot) -> None:
    """A task is its file's, asks each claim once, uses tools that there are, and names the collections that it has.

    Raises:
        InputError: it does not.
    """
    where = f"tasks/{task_id}.json"
    if task.task_id != task_id:
        raise InputError(f"taskId is {task.task_id}", path=where)
    _once([claim.claim_key for claim in task.claims], "claimKey", where)
    unknown = sorted(set(task.allowed_tools) - {tool.name for tool in TOOLS})
    if unknown:
        raise InputError(f"{unknown[0]} is no tool: {', '.join(tool.name for tool in TOOLS)}", path=where)
    real = sorted(name for name, owner in snapshot.owners.items() if owner == task_id)
    if sorted(task.corpus.collections) != real:
        raise InputError(f"its collections are {', '.join(real) or 'none'} on disk", path=where)


def check_oracle(task_id: str, task: AgentTask, oracle: HiddenOracle, snapshot: CorpusSnapshot) -> None:
    """An oracle is of this task, within its budgets, decides each required claim, and its evidence is that of the corpus.

    Raises:
        InputError: it is not.
    """
    where = f"oracles/{task_id}.json"
    if oracle.task_id != task_id:
        raise InputError(f"taskId is {oracle.task_id}", path=where)
    done, budgets = oracle.completion, task.budgets
    if (done.max_agent_calls, done.max_model_visible_bytes) != (
        budgets.max_agent_calls,
        budgets.max_model_visible_bytes,
    ):
        raise InputError("its budgets are not the task's", path=where)
    _check_keys(task, oracle, where)
    if oracle.expected_scope.collection is not None and oracle.expected_scope.collection not in task.corpus.collections:
        raise InputError(f"{oracle.expected_scope.collection} is no collection of the task", path=where)
    public = {claim.claim_key: claim for claim in task.claims}
    for expected in oracle.claims:
        _check_claim(expected, public[expected.claim_key].value_type, task, snapshot, where)


def _check_keys(task: AgentTask, oracle: HiddenOracle, where: str) -> None:
    keys = [claim.claim_key for claim in oracle.claims]
    _once(keys, "claimKey", where)
    public = {claim.claim_key: claim for claim in task.claims}
    for key in [*keys, *oracle.expected_missing]:
        if key not in public:
            raise InputError(f"{key} is no claim of the task", path=where)
    both = sorted(set(keys) & set(oracle.expected_missing))
    if both:
        raise InputError(f"{both[0]} has an expected value and is expected to be missing", path=where)
    for key, claim in public.items():
        if claim.required and key not in keys and key not in oracle.expected_missing:
            raise InputError(f"{key} is required and has neither an expected value nor a gap", path=where)
    if oracle.completion.expect_abstention and (keys or not oracle.expected_missing):
        raise InputError("who is to abstain has no expected value, and a claim that is missing", path=where)


def _check_claim(claim: OracleClaim, kind: str, task: AgentTask, snapshot: CorpusSnapshot, where: str) -> None:
    key = claim.claim_key
    said = plain(claim.expected_value)["type"]
    if said != kind:
        raise InputError(f"{key} is a {kind} for the task and a {said} here", path=where)
    if claim.normalizer.id not in NORMALIZERS[kind]:
        raise InputError(f"{key}: a {kind} is compared by {' or '.join(NORMALIZERS[kind])}", path=where)
    if isinstance(claim.expected_value, DateValue) and not _is_day(claim.expected_value.value):
        raise InputError(f"{key}: {claim.expected_value.value} is no day of the calendar", path=where)
    for each in [*claim.required_evidence, *claim.optional_evidence, *claim.forbidden_evidence]:
        _check_evidence(each, key, task, snapshot, where)


def _check_evidence(each: Coordinate, key: str, task: AgentTask, snapshot: CorpusSnapshot, where: str) -> None:
    source = snapshot.by_uri.get(each.uri)
    if source is None or source.collection not in task.corpus.collections:
        scheme, ours = (uri.partition("://")[0] for uri in (each.uri, next(iter(snapshot.by_uri), "")))
        hint = f"the manifest has uriScheme {ours}: write {ours}:// in the oracles, or seal with --uri-scheme {shown(scheme)}"
        raise InputError(
            f"{key}: {quoted(each.uri)} is no source of the task", path=where, hint=hint if scheme != ours else None
        )
    try:
        real = coordinate(source, each.start_line, each.end_line)
    except InputError as error:
        raise InputError(f"{key}: {quoted(each.uri)}: {error.message}", path=where) from error
    if (real.source_hash, real.span_hash) != (each.source_hash, each.span_hash):
        raise InputError(f"{key}: {quoted(each.uri)}: the hashes are not those of the source and its lines", path=where)


def check_leaks(
    paths: Sequence[str],
    tasks: Mapping[str, AgentTask],
    oracles: Mapping[str, HiddenOracle],
    snapshot: CorpusSnapshot,
) -> None:
    """No canary of any oracle stands in anything that an agent can see: paths, tasks, texts.

    Raises:
        InputError: one does; it names the file.
    """
    written = {f"tasks/{task_id}.json": canonical_json(plain(task)) for task_id, task in tasks.items()}
    texts = {
        f"corpus/{snapshot.owners[each.collection]}/{each.collection}/{each.path}": each.text
        for each in snapshot.sources
    }
    for task_id, oracle in sorted(oracles.items()):
        for canary in oracle.leak_canaries:
            escaped = canonical_json(canary)[1:-1]
            leaks = [path for path in paths if canary in path]
            leaks += [path for path, text in written.items() if canary in text or escaped in text]
            leaks += [path for path, text in texts.items() if canary in text]
            if leaks:
                raise InputError(f"a leak canary of oracles/{task_id}.json stands in it", path=leaks[0])


def _is_day(text: str) -> bool:
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _once(names: Sequence[str], what: str, where: str) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"{what} {quoted(twice[0], 60)} stands twice", path=where)
