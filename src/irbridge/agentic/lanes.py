"""Receipts and scores summed up: one row for each adapter and lifecycle, what failed under which code, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from irbridge.agentic.report import pair_of
from irbridge.agentic.trajectory import TaskScore, TrajectoryReceipt
from irbridge.errors import InputError

_CAUSE = re.compile(r"because of ([a-z0-9_]{1,200})\Z")


class Lane(NamedTuple):
    """What an adapter did under a lifecycle. Sums are over its scored pairs; excluded ones are counted beside.

    Attributes:
        substantive, linked: claims that state something, and those of them that are supported and cited.
    """

    adapter: str
    lifecycle: str
    attempted: int
    scored: int
    success: int
    agent_calls: int
    model_visible_bytes: int
    backend_invocations: int
    substantive: int
    linked: int

    @property
    def linkage(self) -> float | None:
        """The share of substantive claims that is linked; None where there is none."""
        return self.linked / self.substantive if self.substantive else None


class Fault(NamedTuple):
    """A pair that did not succeed, with the codes that say why; `excluded`: it is not the product's fault."""

    adapter: str
    lifecycle: str
    task_id: str
    trial_id: str
    excluded: bool
    codes: tuple[str, ...]


class Reason(NamedTuple):
    """Why pairs are excluded: their code, the code of what was lacking ("" for none), what was said the first time."""

    code: str
    cause: str
    said: str
    pairs: int


def lanes(receipts: Sequence[TrajectoryReceipt], scores: Sequence[TaskScore]) -> list[Lane]:
    """The rows, by adapter and lifecycle.

    Raises:
        InputError: receipts and scores are not of the same pairs in the same order.
    """
    found: dict[tuple[str, str], list[int]] = {}
    for receipt, score in both(receipts, scores):
        sums = found.setdefault((score.adapter_id, score.lifecycle), [0] * 8)
        sums[0] += 1
        if not score.scored:
            continue
        canonical = receipt.canonical
        counts = (
            1, score.success, canonical.agent_calls, canonical.model_visible_utf8_bytes, canonical.backend_invocations,
            score.substantive_claims, score.linked_supported_claims,
        )  # fmt: skip
        for place, count in enumerate(counts, 1):
            sums[place] += count
    return [Lane(*key, *sums) for key, sums in sorted(found.items())]


def faults(receipts: Sequence[TrajectoryReceipt], scores: Sequence[TaskScore]) -> list[Fault]:
    """Every pair without success, in their order.

    Raises:
        InputError: as `lanes`.
    """
    return [
        Fault(
            score.adapter_id,
            score.lifecycle,
            score.task_id,
            score.trial_id,
            not score.scored,
            tuple(_codes(receipt, score)),
        )
        for receipt, score in both(receipts, scores)
        if not score.success
    ]


def reasons(receipts: Iterable[TrajectoryReceipt]) -> list[Reason]:
    """Why the harness failed, as it is told in the observations; by code and cause."""
    found: dict[tuple[str, str], list[str]] = {}
    for receipt in receipts:
        failure, told = receipt.canonical.failure, receipt.observations.diagnostics
        if failure.class_ != "harness_error":
            continue
        code = failure.code or failure.class_
        causes = [match[1] for match in map(_CAUSE.match, told) if match]
        said = [line.removeprefix(f"{code}: ") for line in told if line.startswith(f"{code}: ")]
        found.setdefault((code, causes[0] if causes else ""), []).append(said[0] if said else "")
    return [Reason(code, cause, said[0], len(said)) for (code, cause), said in sorted(found.items())]


def both(
    receipts: Sequence[TrajectoryReceipt], scores: Sequence[TaskScore]
) -> Iterator[tuple[TrajectoryReceipt, TaskScore]]:
    """Each receipt with its score.

    Raises:
        InputError: they are not of the same pairs in the same order.
    """
    if [pair_of(each.canonical) for each in receipts] != [pair_of(each) for each in scores]:
        raise InputError(
            "receipts and scores are not of the same pairs", hint="irbridge agentic verify says what is wrong"
        )
    return zip(receipts, scores, strict=True)


def _codes(receipt: TrajectoryReceipt, score: TaskScore) -> Iterator[str]:
    """The failure's own code says it all; of an answer that came, what is wrong with it."""
    failure = receipt.canonical.failure
    if failure.class_ != "none":
        yield failure.code or failure.class_
        return
    wrong = [*score.invalid_outputs]
    for code, keys in (
        ("unsupported", score.unsupported_claims),
        ("missing", score.missing_required_claims),
        ("forbidden_evidence", score.forbidden_evidence_claims),
    ):
        wrong += [f"{code}:{key}" for key in keys]
    if score.unnecessary_read:
        wrong.append("unnecessary_read")
    # Of an answer that is no envelope at all nobody looked at the scope.
    if not any(each.startswith("invalid_final_envelope") for each in score.invalid_outputs):
        wrong += [] if score.collection_correct else ["wrong_collection"]
        wrong += [] if score.filters_correct else ["wrong_filters"]
    yield from wrong or ["not_completed"]
