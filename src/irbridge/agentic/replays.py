"""Replays of evidence bundles: the same input must give the same bytes, or the run shows what may not come back."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from irbridge.agentic.canonical_json import canonical_json
from irbridge.agentic.pairs import Identified, Identity, Pair, identity_of
from irbridge.agentic.records import Id, Lifecycle, Record, Sha256
from irbridge.agentic.strict_json import strict_json
from irbridge.agentic.trajectory import CanonicalReceipt
from irbridge.errors import InputError


class CapsuleReplay(Record, frozen=True):
    """The bundle of a scored trial, and the one that the unchanged input gave again; contents with their SHA-256."""

    task_id: Id
    adapter_id: Id
    trial_id: Id
    seed: int | None
    lifecycle: Lifecycle
    agent_id: Id
    first_payload: str
    first_sha256: Sha256
    replay_payload: str
    replay_sha256: Sha256


def bundles_of(receipt: CanonicalReceipt) -> list[str]:
    """The contents of the evidence bundles that the agent was shown."""
    return [
        call.result.content
        for call in receipt.calls
        if call.delivered_to_agent and call.result.result_role == "evidence_bundle"
    ]


def replay_of(receipt: CanonicalReceipt, payload: str) -> CapsuleReplay | None:
    """The proof for a receipt with exactly one bundle, from what the unchanged input gave again; None for another."""
    bundles = bundles_of(receipt)
    if len(bundles) != 1:
        return None
    return CapsuleReplay(
        task_id=receipt.task_id, adapter_id=receipt.adapter_id, trial_id=receipt.trial_id, seed=receipt.seed,
        lifecycle=receipt.lifecycle, agent_id=receipt.agent_id, first_payload=bundles[0],
        first_sha256=_sha256(bundles[0]), replay_payload=payload, replay_sha256=_sha256(payload),
    )  # fmt: skip


def replay_problems(pairs: Sequence[Pair], replays: Sequence[CapsuleReplay]) -> list[list[str]]:
    """For each pair the codes of what its candidate's bundle or the replay of it lacks.

    Nothing is asked where no candidate delivered a bundle and there is no replay.
    """
    if not replays and not any(bundles_of(pair.candidate.receipt.canonical) for pair in pairs):
        return [[] for _ in pairs]
    found: dict[tuple[str, Identity], list[CapsuleReplay]] = {}
    for replay in replays:
        found.setdefault(_key(replay), []).append(replay)
    return [list(_problems(pair.candidate.receipt.canonical, found)) for pair in pairs]


def stray_replays(pairs: Sequence[Pair], replays: Sequence[CapsuleReplay]) -> list[Identity]:
    """The identities of replays that belong to no pair's candidate."""
    known = {_key(pair.candidate.receipt.canonical) for pair in pairs}
    return sorted({_key(replay)[1] for replay in replays if _key(replay) not in known})


def _problems(receipt: CanonicalReceipt, replays: dict[tuple[str, Identity], list[CapsuleReplay]]) -> Iterator[str]:
    own = replays.get(_key(receipt), [])
    bundles = bundles_of(receipt)
    if len(own) != 1:
        yield "capsule_replay_identity_mismatch"
    if len(bundles) != 1:
        yield "candidate_capsule_payload_missing_or_ambiguous"
    if len(own) != 1:
        return
    replay = own[0]
    if len(bundles) == 1 and replay.first_payload != bundles[0]:
        yield "capsule_replay_first_payload_mismatch"
    said = ((replay.first_payload, replay.first_sha256), (replay.replay_payload, replay.replay_sha256))
    if not all(_valid(payload, digest, receipt.task_id) for payload, digest in said):
        yield "invalid_capsule_payload_replay"
    if said[0] != said[1]:
        yield "nondeterministic_capsule_payload"


def _valid(payload: str, digest: str, task_id: str) -> bool:
    """A payload is the canonical JSON of an object that holds something, of this task if it names one."""
    try:
        value = strict_json(payload)
        return (
            isinstance(value, dict)
            and bool(value)
            and value.get("taskId", task_id) == task_id
            and canonical_json(value) == payload
            and _sha256(payload) == digest
        )
    except InputError:
        return False


def _key(of: Identified) -> tuple[str, Identity]:
    return of.adapter_id, identity_of(of)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
