"""When a chunk takes the label of a span: it holds the whole of it, or, as a stated convention, a share of it."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, NamedTuple

from irbridge.errors import UsageError, quoted

_SHARE = re.compile(r"overlap=(0?\.[0-9]{1,9}|1(?:\.0{1,9})?|0\.[0-9]{1,9})")


class Rule(NamedTuple):
    """A rule.

    Attributes:
        name: as it is written: `contains` or `overlap=0.5`.
        share: how much of the span must lie in the chunk; exact, above 0 and at most 1.
    """

    name: str
    share: Fraction

    @property
    def sound(self) -> bool:
        """Whether what it gives is true of the chunk without a convention: the chunk holds all of the text."""
        return self.name == "contains"

    def takes(self, covered: int, length: int) -> bool:
        """Whether a chunk with `covered` of a span's `length` code points gets its label."""
        return covered * self.share.denominator >= length * self.share.numerator


CONTAINS = Rule("contains", Fraction(1))


def rule_of(text: Any) -> Rule:
    """The rule that is written `contains` or `overlap=SHARE`, SHARE a decimal number above 0 and at most 1.

    Raises:
        UsageError: it is neither.
    """
    if isinstance(text, Rule):
        return text
    if text == CONTAINS.name:
        return CONTAINS
    found = _SHARE.fullmatch(text) if isinstance(text, str) else None
    share = Fraction(found[1]) if found else Fraction(0)
    if not share:
        raise UsageError(
            f"{quoted(text, 40)} is no rule", hint="contains, or overlap=SHARE with 0 < SHARE <= 1, such as overlap=0.5"
        )
    return Rule(f"overlap={float(share)!r}" if share < 1 else "overlap=1", share)
