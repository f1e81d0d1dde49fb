"""What a reader is allowed to do, and what it noticed: one `Reading` travels with each input.

A reader reports a row that cannot be used with `bad_row` and goes on; the first few problems are raised together. What
it can use but a person should know (a byte order mark, collapsed duplicates, `1.0` read as 1) it counts with `note`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from irbridge.arguments import flag, text_or_none
from irbridge.errors import InputError, InputErrors
from irbridge.wording import worded

MAX_PROBLEMS = 10
#: The split that is all of them; `all` says the same where a shell would expand the star.
ALL_SPLITS = "*"


@dataclass(eq=False)
class Note:
    """One kind of observation, counted; `text` as `wording.worded` takes it."""

    code: str
    text: str
    count: int = 0
    first_line: int | None = None

    def __str__(self) -> str:
        said = worded(self.text, self.count)
        return said if self.first_line is None else f"{said} (first at line {self.first_line:,})"


@dataclass(eq=False)
class Reading:
    """Options and observations of reading one input.

    Attributes:
        label: what errors and notes call the input.
        allow_infinite: accept infinite scores in runs.
        drop_bad_rows: leave unusable rows out, each counted and listed, instead of refusing the input.
        split: the split of a collection that has several, or None for its default.
        line: the line of the record that was yielded last, 0 where the input has no lines; kept up by the readers.
        rows: data rows read; kept up by the readers.
        about: what the input says of itself: `corpus_fingerprint` and `chunker_fingerprint` of chunks.
        dropped: the rows left out under `drop_bad_rows`, as errors.
    """

    label: str = "input"
    allow_infinite: bool = False
    drop_bad_rows: bool = False
    split: str | None = None
    line: int = 0
    rows: int = 0
    about: dict[str, Any] = field(default_factory=dict)
    notes: dict[str, Note] = field(default_factory=dict)
    dropped: list[InputError] = field(default_factory=list)
    _problems: list[InputError] = field(default_factory=list)

    def __post_init__(self) -> None:
        flag("allow_infinite", self.allow_infinite)
        flag("drop_bad_rows", self.drop_bad_rows)
        text_or_none("split", self.split)
        if self.split == "all":
            self.split = ALL_SPLITS

    def restarted(self) -> Reading:
        """This, for reading the same input once more: only what was seen before the first row is kept."""
        self.notes = {code: note for code, note in self.notes.items() if code == "bom"}
        self.dropped, self._problems = [], []
        self.line = self.rows = 0
        return self

    def note(self, code: str, text: str, *, count: int = 1, line: int | None = None) -> None:
        """Count one observation of the kind `code`."""
        note = self.notes.get(code)
        if note is None:
            note = self.notes[code] = Note(code, text, first_line=line)
        note.count += count

    def bad_row(
        self, message: str, *, line: int | None = None, text: str | None = None, hint: str | None = None
    ) -> None:
        """Report a row that cannot be used; the caller goes on with the next one.

        Raises:
            InputErrors: when `MAX_PROBLEMS` have been gathered.
        """
        error = InputError(message, path=self.label, line=line, text=text, hint=hint)
        if self.drop_bad_rows:
            self.dropped.append(error)
            self.note("dropped", "{n} unusable {row|rows} dropped", line=line)
            return
        self._problems.append(error)
        if len(self._problems) >= MAX_PROBLEMS:
            raise InputErrors(self._problems, more=True)

    def finish(self) -> None:
        """End of the input: raise what was gathered.

        Raises:
            InputErrors: at least one row could not be used.
        """
        if self._problems:
            raise InputErrors(self._problems)
