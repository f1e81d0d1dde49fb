"""Whether a receipt's numbers and states agree with each other. Whoever writes a receipt by hand must get them all right."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator

from irbridge.agentic.projection import visible_bytes
from irbridge.agentic.trajectory import Call, CanonicalReceipt, TrajectoryReceipt


def accounting_issues(receipt: TrajectoryReceipt) -> list[str]:
    """The codes of what does not agree, each once, in the order of spec/agentic.

    Raises:
        InputError: a result holds half a surrogate pair, so that its bytes cannot be counted.
    """
    canonical = receipt.canonical
    return list(dict.fromkeys([*_counters(canonical), *_calls(canonical), *_tokens(canonical), *_outcome(canonical)]))


def _counters(canonical: CanonicalReceipt) -> Iterator[str]:
    calls = canonical.calls
    if canonical.agent_calls != len(calls):
        yield "agent_calls_mismatch"
    if any(call.call_index != place for place, call in enumerate(calls)):
        yield "call_index_sequence_invalid"
    if canonical.backend_invocations != sum(call.backend_invocations for call in calls):
        yield "backend_invocations_mismatch"
    if canonical.model_visible_utf8_bytes != sum(call.model_visible_utf8_bytes for call in calls):
        yield "model_visible_bytes_mismatch"


def _calls(canonical: CanonicalReceipt) -> Iterator[str]:
    """Each call by itself; then the one that may be undelivered: it is the last, and failed the trial."""
    calls = canonical.calls
    for call in calls:
        charged = visible_bytes(call.result) if call.delivered_to_agent else 0
        if call.model_visible_utf8_bytes != charged:
            yield "call_model_visible_bytes_mismatch"
        if any(_sha256(each.text) != each.span_hash for each in call.result.evidence):
            yield "evidence_text_mismatch"
        if call.delivered_to_agent != (call.failure_code is None) or (not call.delivered_to_agent and _measured(call)):
            yield "call_delivery_failure_invariant"
    undelivered = [call for call in calls if not call.delivered_to_agent]
    if undelivered and (undelivered != calls[-1:] or undelivered[0].failure_code != canonical.failure.code):
        yield "undelivered_call_failure_mismatch"


@functools.lru_cache(maxsize=4096)  # the same lines stand in many receipts
def _sha256(text: str) -> str:
    """Of half a surrogate pair, too, which is no evidence's text and must not end the scoring."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _measured(call: Call) -> bool:
    return call.measured_tokens is not None or call.tokenizer_fingerprint is not None


def _tokens(canonical: CanonicalReceipt) -> Iterator[str]:
    calls = canonical.calls
    measured = [call.measured_tokens for call in calls if call.delivered_to_agent and call.measured_tokens is not None]
    if canonical.measured_tokens != (sum(measured) if measured else None):
        yield "measured_tokens_mismatch"
    if any(call.measured_tokens is not None and call.tokenizer_fingerprint is None for call in calls):
        yield "tokenizer_fingerprint_missing"
    if any(call.measured_tokens is None and call.tokenizer_fingerprint is not None for call in calls):
        yield "unexpected_tokenizer_fingerprint"
    if len({call.tokenizer_fingerprint for call in calls} - {None}) > 1:
        yield "tokenizer_fingerprint_mismatch"


def _outcome(canonical: CanonicalReceipt) -> Iterator[str]:
    envelope, failure = canonical.final_envelope, canonical.failure
    if canonical.stop_reason != ("error" if envelope is None else envelope.stop_reason):
        yield "stop_reason_mismatch"
    if (failure.class_ == "none") != (failure.code is None):
        yield "failure_payload_invariant_invalid"
    if (failure.class_ == "none") != (envelope is not None):
        yield "failure_envelope_invariant_invalid"
