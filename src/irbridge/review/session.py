"""A queue worked through by keys, whatever shows it: which label is at hand, what is chosen, what is decided."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from irbridge.review.decisions import HUMAN, Action, Choice, Decision
from irbridge.review.log import Log
from irbridge.review.queue import Item, Queue, digest_of, keeps_text

_STEP = re.compile(r"g\s*(?P<grade>\d+)|(?P<number>\d+)|(?P<key>[-+jkxsuq?])|(?P<space>\s+)|(?P<other>.)", re.DOTALL)
_HIGHEST = 3
_DIGITS = 9


class Session:
    """One person at work.

    Args:
        queue: what is to be decided.
        log: where decisions go; those that it holds already count.
        name: the person's.
        clock: gives the time, as RFC 3339 writes it.

    Attributes:
        at: the number of the label at hand.
        grades: the candidates that are chosen so far, by their number, and the relevance of each.
        ended: the person has had enough.
    """

    def __init__(self, queue: Queue, log: Log, name: str, clock: Callable[[], str]) -> None:
        self.queue = queue
        self.log = log
        self.name = name
        self.ended = False
        self.at = 0
        self.grades: dict[int, int] = {}
        self._clock = clock
        self._last: int | None = None
        self._by_name = {item.name: number for number, item in enumerate(queue.items)}
        self.top = max([_HIGHEST, *(item.label.relevance for item in queue.items)])
        self._begin()

    def _begin(self) -> None:
        """At the first label without a decision, else at the first that was skipped."""
        latest = self.log.latest()
        open_labels = [number for number, item in enumerate(self.queue.items) if item.name not in latest]
        skipped = [
            number for number, item in enumerate(self.queue.items)
            if item.name in latest and latest[item.name].action == "skip"
        ]  # fmt: skip
        self.ended = not open_labels and not skipped
        if not self.ended:
            self._go((open_labels or skipped)[0])

    @property
    def item(self) -> Item:
        """The label at hand."""
        return self.queue.items[self.at]

    def decision(self, number: int) -> Decision | None:
        """What was decided about a label of the queue."""
        return self.log.latest().get(self.queue.items[number].name)

    def counts(self) -> tuple[int, int, int]:
        """How many labels are decided, how many skipped, and how many left, the skipped ones among them."""
        actions = [found.action for name, found in self.log.latest().items() if name in self._by_name]
        skipped = actions.count("skip")
        done = len(actions) - skipped
        return done, skipped, len(self.queue.items) - done

    @property
    def other_decisions(self) -> int:
        """Decisions in the file about labels that are not in the queue."""
        return sum(name not in self._by_name for name in self.log.latest())

    def enter(self, line: str) -> list[str]:
        """Carry out a line of keys; returns what is to be said of it.

        An empty line decides with what is chosen and goes on to the next label that is left.
        """
        said: list[str] = []
        if not line.strip():
            return [*self._accepted()]
        for step in _STEP.finditer(line.strip()):
            if step["space"]:
                continue
            if step["other"]:
                return [*said, f"'{step['other']}' is no key; ? lists them"]
            said += self._step(step)
            if self.ended:
                break
        return said

    def _step(self, step: re.Match[str]) -> Iterator[str]:
        if step["grade"] is not None:
            yield from self._grade(int(step["grade"]))
        elif step["number"] is not None:
            many = len(self.item.candidates) > _DIGITS
            for number in [step["number"]] if many else step["number"]:
                yield from self._toggle(int(number) - 1)
        else:
            yield from self._key(step["key"])

    def _key(self, key: str) -> Iterator[str]:
        if key in "jk":
            yield from self._moved(1 if key == "j" else -1)
        elif key in "xs":
            self._decide("none" if key == "x" else "skip")
            yield from self._next()
        elif key == "u":
            yield from self._undone()
        elif key == "q":
            self.ended = True
        elif key == "?":
            yield from KEYS
        else:
            yield from self._raised(1 if key == "+" else -1)

    # ---------------------------------------------------------------------------------------------------------- steps

    def _toggle(self, number: int) -> Iterator[str]:
        if not 0 <= number < len(self.item.candidates):
            yield f"there is no candidate {number + 1}"
        elif number in self.grades:
            del self.grades[number]
            yield f"candidate {number + 1} taken back"
        else:
            self.grades[number] = max(0, self.item.label.relevance)
            self._last = number
            yield f"candidate {number + 1} chosen, relevance {self.grades[number]}"

    def _chosen_last(self) -> int | None:
        return self._last if self._last in self.grades else max(self.grades, default=None)

    def _raised(self, by: int) -> Iterator[str]:
        number = self._chosen_last()
        if number is None:
            yield "choose a candidate first"
        else:
            yield from self._grade(self.grades[number] + by)

    def _grade(self, grade: int) -> Iterator[str]:
        number = self._chosen_last()
        if number is None:
            yield "choose a candidate first"
        elif not 0 <= grade <= self.top:
            yield f"relevance is a whole number from 0 to {self.top}"
        else:
            self.grades[number] = grade
            yield f"candidate {number + 1}: relevance {grade}"

    def _accepted(self) -> Iterator[str]:
        if self.grades:
            self._decide("choose")
            yield from self._next()
        elif self.decision(self.at) is not None:
            yield from self._next()
        else:
            yield "nothing is chosen: a number chooses, x says none of these, s skips, j goes on, ? helps"

    def _moved(self, by: int) -> Iterator[str]:
        if 0 <= self.at + by < len(self.queue.items):
            self._go(self.at + by)
        else:
            yield "this is the last label" if by > 0 else "this is the first label"

    def _next(self) -> Iterator[str]:
        found = self._open_from(self.at + 1)
        if found is None:
            self.ended = True
            yield "nothing is left but what was skipped" if self.counts()[1] else "all labels are decided"
        else:
            self._go(found)

    def _open_from(self, start: int) -> int | None:
        """The next label without a decision, from a place on and round."""
        total = len(self.queue.items)
        latest = self.log.latest()
        around = ((start + ahead) % total for ahead in range(total))
        return next((number for number in around if self.queue.items[number].name not in latest), None)

    def _go(self, number: int) -> None:
        self.at = number
        self.grades = {}
        self._last = None
        found = self.decision(number)
        for choice in found.choices if found else ():
            for place, each in enumerate(self.item.candidates):
                if each.chunk.chunk_id == choice.chunk_id:
                    self.grades[place] = choice.relevance

    def _decide(self, action: Action) -> None:
        item = self.item
        choices = tuple(
            Choice(
                (chunk := item.candidates[number].chunk).chunk_id, chunk.doc_uri, self.grades[number], digest_of(chunk),
                chunk.text if keeps_text(item.label) else None,
            )
            for number in sorted(self.grades)
        )  # fmt: skip
        self.log.append(
            Decision(
                *item.name, action, choices if action == "choose" else (), HUMAN + self.name, self._clock(),
                self.queue.corpus_fingerprint or None,
            )
        )  # fmt: skip

    def _undone(self) -> Iterator[str]:
        found = self.log.take_back()
        if found is None:
            yield "there is nothing to undo"
            return
        number = self._by_name.get(found.label)
        if number is not None:
            self._go(number)
        yield f"taken back: {found.action} on query {found.query_id}"


KEYS = (
    "1 2 3    choose that candidate, or take the choice back; several may be chosen",
    "+ -      raise or lower the relevance of the candidate chosen last; g2 sets it",
    "Enter    decide with what is chosen, and go on",
    "x        none of these: the label goes",
    "s        skip: the label stays as it is",
    "j k      next, previous label",
    "u        undo the last decision",
    "q        end; the same call goes on later",
)
