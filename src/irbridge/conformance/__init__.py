"""The conformance cases of spec/fixtures, run against a command line: irbridge's own or any other implementation's.

Nothing here looks inside the implementation. A case is a folder with inputs and an `expected.json`; each member of
`expected.json` is an answer that a check (a file of `checks`) asks the command line for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from irbridge.conformance.base import UNCHECKED, Case, Check, Implementation, NoAnswer, Result
from irbridge.errors import UsageError, shown
from irbridge.registry import Registry

__all__ = ["CHECKS", "Case", "CaseResult", "Implementation", "Result", "cases", "fixtures", "run"]

CHECKS: Registry[Check] = Registry(
    "member of expected.json", "irbridge.conformance.checks", "CHECKS", Check, "irbridge.conformance_checks"
)


class CaseResult(NamedTuple):
    """What came of one case: its results in the order of the members of its `expected.json`."""

    case: Case
    results: tuple[Result, ...]

    def count(self, status: str) -> int:
        """How many checks ended so."""
        return sum(result.status == status for result in self.results)


def fixtures() -> Path:
    """The folder of the cases that come with irbridge: in the wheel, or at the top of a checkout."""
    inside = resources.files("irbridge") / "spec" / "fixtures"
    if inside.is_dir():
        return Path(str(inside))
    return Path(__file__).resolve().parents[3] / "spec" / "fixtures"


def cases(folder: Path | None = None, names: Sequence[str] = ()) -> list[Case]:
    """The cases of a folder, sorted by name; only those named, if any are.

    Raises:
        UsageError: the folder has no case, or none of that name.
        InputError: an `expected.json` that cannot be read.
    """
    root = folder or fixtures()
    found = [Case.read(path.parent) for path in sorted(root.glob("*/expected.json"))]
    if not found:
        raise UsageError(
            f"{shown(str(root), 200)} holds no case",
            hint="a case is a folder with an expected.json (spec/fixtures/README.md)",
        )
    unknown = sorted({*names} - {case.name for case in found})
    if unknown:
        raise UsageError(
            f"'{shown(unknown[0])}' is not a case", hint=f"the cases: {', '.join(case.name for case in found)}"
        )
    return [case for case in found if not names or case.name in names]


def run(
    chosen: Sequence[Case], implementation: Implementation, watch: Callable[[str], None] | None = None
) -> Iterator[CaseResult]:
    """Run cases, as many at a time as there are processors, and give what came of them in their order.

    An answer that cannot be had is a failure with its reason.
    """
    CHECKS.builtin()  # imported here, for two threads would import them twice
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, results in zip(
            chosen, pool.map(lambda each: tuple(_results(each, implementation)), chosen), strict=True
        ):
            if watch is not None:
                watch(case.name)
            yield CaseResult(case, results)


def _results(case: Case, implementation: Implementation) -> Iterator[Result]:
    for member in case.expected:
        if member in UNCHECKED or member.endswith("_not_asserted"):
            continue
        check = CHECKS.find(member)
        if check is None:
            yield Result(member, "fail", "no check knows this member of expected.json")
            continue
        try:
            yield from check.run(case, implementation)
        except NoAnswer as failed:
            yield Result(member, "fail", str(failed))
