"""Pairs of receipts of two adapters, and whether they can be compared at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from irbridge.agentic.trajectory import TaskScore, TrajectoryReceipt

#: Task, trial, lifecycle, whether there is a seed, the seed, agent: what both receipts of a pair have in common.
Identity = tuple[str, str, str, bool, int, str]

#: Fingerprints that must not differ; those of configuration and index are an adapter's own.
COMPARED = ("corpus", "prompt", "tools", "model", "runtime")


class Identified(Protocol):
    """Whatever names its trial: a canonical receipt, a score, a replay."""

    @property
    def task_id(self) -> str: ...
    @property
    def adapter_id(self) -> str: ...
    @property
    def trial_id(self) -> str: ...
    @property
    def seed(self) -> int | None: ...
    @property
    def lifecycle(self) -> str: ...
    @property
    def agent_id(self) -> str: ...


@dataclass(frozen=True)
class Scored:
    """A receipt with its score; None where there is none, or more than one."""

    receipt: TrajectoryReceipt
    score: TaskScore | None


@dataclass(frozen=True)
class Pair:
    """What baseline and candidate did on one task, trial and lifecycle."""

    baseline: Scored
    candidate: Scored

    @property
    def identity(self) -> Identity:
        """The identity of the baseline's receipt."""
        return identity_of(self.baseline.receipt.canonical)

    @property
    def loses(self) -> bool:
        """Whether the candidate fails where the baseline does not."""
        one, other = self.baseline.score, self.candidate.score
        return one is not None and other is not None and other.success < one.success


def identity_of(of: Identified) -> Identity:
    """What it is of, whatever its adapter."""
    return of.task_id, of.trial_id, of.lifecycle, of.seed is not None, of.seed or 0, of.agent_id


def words(identity: Identity) -> str:
    """An identity as failure codes have it: `task/trial/lifecycle/seed/agent`."""
    task, trial, lifecycle, seeded, seed, agent = identity
    return f"{task}/{trial}/{lifecycle}/{seed if seeded else 'null'}/{agent}"


def pair_problems(pairs: Sequence[Pair], baseline: str, candidate: str) -> list[list[str]]:
    """For each pair the codes of why it cannot be compared, without identity; none for a valid pair."""
    counted = Counter(pair.identity for pair in pairs)
    return [
        [*(["duplicate_pair"] if counted[pair.identity] > 1 else []), *_problems(pair, baseline, candidate)]
        for pair in pairs
    ]


def _problems(pair: Pair, baseline: str, candidate: str) -> Iterator[str]:
    one, other = pair.baseline.receipt.canonical, pair.candidate.receipt.canonical
    if identity_of(one) != identity_of(other):
        yield "pair_identity_mismatch"
    if (one.adapter_id, other.adapter_id) != (baseline, candidate):
        yield "adapter_identity_mismatch"
    apart = any(getattr(one.fingerprints, name) != getattr(other.fingerprints, name) for name in COMPARED)
    if apart or (one.seed, one.agent_id) != (other.seed, other.agent_id):
        yield "comparison_fingerprint_mismatch"
    for name, side in (("baseline", pair.baseline), ("candidate", pair.candidate)):
        if side.score is None or _scored(side.score) != _scored(side.receipt.canonical):
            yield f"{name}_score_identity_mismatch"
    scores = [side.score for side in (pair.baseline, pair.candidate) if side.score is not None]
    if len({score.match for score in scores}) > 1:
        yield "score_match_mismatch"
    harness = "harness_error" in {one.failure.class_, other.failure.class_}
    if harness or not all(score.scored for score in scores):
        yield "unscored_or_harness_failed_pair"


def _scored(of: Identified) -> tuple[str, Identity]:
    return of.adapter_id, identity_of(of)
