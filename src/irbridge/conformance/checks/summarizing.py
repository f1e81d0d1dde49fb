"""Samples of a measure that is not deterministic: mean, spread and interval."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.conformance.base import Case, Check, Implementation, Result, compared

# Implementations compute the quantile of Student's t in their own ways.
_AGREE = 1e-9


def _cases(case: Case, implementation: Implementation) -> Iterator[Result]:
    if not implementation.has("summarize"):
        yield Result("cases", "not run", "the command line has no way to ask for a summary (irbridge: summarize)")
        return
    for name, each in case.expected["cases"].items():
        samples = [repr(sample) for sample in each["samples"]]
        found = implementation.call("summarize", "--json", "--", *samples).json()
        yield compared(
            f"cases {name}", each["expected"], {member: found.get(member) for member in each["expected"]}, _AGREE
        )


CHECKS = (Check("cases", _cases),)
