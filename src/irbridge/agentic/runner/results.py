"""What a product returned, held against the contract and the corpus before an agent sees it."""

from __future__ import annotations

from typing import Any

from irbridge.agentic.adapters.base import Outcome, ToolFailure
from irbridge.agentic.canonical_json import canonical_json
from irbridge.agentic.evidence import line_span, sha256
from irbridge.agentic.records import AgentTask, Evidence, plain, record
from irbridge.agentic.snapshot import CorpusSnapshot
from irbridge.agentic.trajectory import ToolResult
from irbridge.errors import IrbridgeError

_HEX = frozenset("0123456789abcdef")


def checked_outcome(outcome: Any, task: AgentTask, snapshot: CorpusSnapshot) -> Outcome:
    """The outcome, if it obeys the contract.

    Raises:
        ToolFailure: invalid_tool_result (its form, its evidence against the corpus), scope_violation (a source outside
            the task's collections), invalid_token_measurement.
    """
    if not isinstance(outcome, Outcome):
        raise ToolFailure("invalid_tool_result", f"a call returned a {type(outcome).__name__}")
    inside = outcome.backend_invocations
    if not is_count(inside):
        raise ToolFailure("invalid_tool_result", "backend_invocations is no count")
    try:
        result = record(ToolResult, plain(outcome.result))
        canonical_json(plain(result))  # half surrogates have no bytes to count
    except (IrbridgeError, TypeError, ValueError) as error:
        raise ToolFailure("invalid_tool_result", str(error), backend_invocations=inside) from error
    if (result.status == "error") != (result.error_code is not None):
        raise ToolFailure("invalid_tool_result", "status and errorCode disagree", backend_invocations=inside)
    for each in result.evidence:
        problem = _problem(each, task, snapshot)
        if problem is not None:
            raise ToolFailure(*problem, backend_invocations=inside)
    tokens, tokenizer = outcome.measured_tokens, outcome.tokenizer_fingerprint
    if (tokens is not None or tokenizer is not None) and not _measured(tokens, tokenizer):
        message = "tokens are measured with the tokenizer's fingerprint, or not at all"
        raise ToolFailure("invalid_token_measurement", message, backend_invocations=inside)
    return Outcome(result, inside, tokens, tokenizer)


def is_count(value: Any) -> bool:
    """Whether it is a whole number from 0 on."""
    return type(value) is int and value >= 0


def _measured(tokens: Any, tokenizer: Any) -> bool:
    return is_count(tokens) and isinstance(tokenizer, str) and len(tokenizer) == 64 and set(tokenizer) <= _HEX


def _problem(evidence: Evidence, task: AgentTask, snapshot: CorpusSnapshot) -> tuple[str, str] | None:
    source = snapshot.by_uri.get(evidence.uri)
    if source is None:
        return "invalid_tool_result", "evidence of a source that the corpus does not have"
    if source.collection not in task.corpus.collections:
        return "scope_violation", "evidence from outside the task's collections"
    if evidence.source_hash != source.source_hash:
        return "invalid_tool_result", "sourceHash is not that of the source"
    try:
        text = line_span(source.text, evidence.start_line, evidence.end_line)
    except IrbridgeError as error:
        return "invalid_tool_result", error.message
    if evidence.text != text or evidence.span_hash != sha256(text):
        return "invalid_tool_result", "text or spanHash is not that of the lines"
    hashes = (evidence.backend_source_hash, evidence.backend_span_hash)
    reason = evidence.backend_hash_unavailable_reason
    whole = None not in hashes and reason is None
    if not whole and not (hashes == (None, None) and reason):
        return "invalid_tool_result", "backend hashes come as a pair, or both null with a reason"
    return None
