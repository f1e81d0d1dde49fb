"""Context budgets: cutoffs in tokens or characters. A budget is a depth of its own for each ranking."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from irbridge.arguments import LARGEST
from irbridge.errors import InputError, shown

# A unit by the name that a cutoff has it under, and in words.
UNITS = {"tok": "tokens", "chars": "characters"}
_SHAPE = re.compile(rf"([1-9][0-9]{{0,15}})({'|'.join(UNITS)})")
_NEARLY = re.compile(
    r"([0-9]{1,15})(k?)[ _-]?(t|tks?|toks?|tokens?|c|chs?|chars?|characters?)", re.ASCII | re.IGNORECASE
)
_NAMED = 5


class Budget(NamedTuple):
    """At most so many tokens or characters, as in nDCG@2000tok or P@8000chars."""

    limit: int
    unit: str

    @classmethod
    def read(cls, text: str | None) -> Budget | None:
        """The budget that stands after the @ of a name, or None where none does."""
        found = _SHAPE.fullmatch(text or "")
        if found is None or int(found[1]) > LARGEST:
            return None
        return cls(int(found[1]), found[2])

    @classmethod
    def meant(cls, text: str) -> Budget | None:
        """The budget that a text which is none seems to mean: 2000tokens, 2ktok, 8000char, 2000TOK."""
        found = _NEARLY.fullmatch(text)
        if found is None:
            return None
        limit = int(found[1]) * (1000 if found[2] else 1)
        return cls(limit, "tok" if found[3].lower().startswith("t") else "chars") if 0 < limit <= LARGEST else None

    def __str__(self) -> str:
        return f"{self.limit}{self.unit}"


@dataclass
class Budgets:
    """Budgets, and how long each document is.

    Attributes:
        lengths: unit -> document -> its length in that unit.
        said: unit -> what was counted, in words.
        limits: the budgets that are asked for.
        missing: documents that were reached and have no length, the first few, and `without` how many in all.
    """

    lengths: Mapping[str, Mapping[str, int]]
    said: Mapping[str, str]
    limits: Sequence[Budget]
    missing: dict[str, None] = field(default_factory=dict)
    without: int = 0

    def depths(self, doc_ids: Sequence[str]) -> tuple[int, ...]:
        """How many documents of a ranking, best first, fit into each budget: a document that does not fit whole ends it."""
        return tuple(self._depth(doc_ids, budget) for budget in self.limits)

    def _depth(self, doc_ids: Sequence[str], budget: Budget) -> int:
        lengths, left = self.lengths[budget.unit], budget.limit
        for depth, doc_id in enumerate(doc_ids):
            length = lengths.get(doc_id)
            if length is None:
                self.without += 1
                if len(self.missing) < _NAMED:
                    self.missing[doc_id] = None
                return depth
            left -= length
            if left < 0:
                return depth
        return len(doc_ids)

    def check(self, label: str) -> None:
        """Refuse a run with documents of no known length.

        Raises:
            InputError: there are such documents above the end of a budget.
        """
        if not self.without:
            return
        more = ", ..." if self.without > len(self.missing) else ""
        raise InputError(
            f"documents whose length is not known: {', '.join(shown(doc_id, 40) for doc_id in self.missing)}{more}",
            path=label,
            hint="a budget needs the length of every document above its end: give the corpus that the run was made on, or their lengths",
        )
