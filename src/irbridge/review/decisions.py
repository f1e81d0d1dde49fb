"""What a person decided about a label, as a line of JSON (spec/review.md), and the strict reading of such lines."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

from irbridge.canonical import dumps
from irbridge.drift.spans import span_of
from irbridge.errors import InputError, quoted, shown
from irbridge.formats.jsonlines import decoder, records
from irbridge.formats.judgments import write
from irbridge.identity import is_chunk_id, text_sha
from irbridge.ids import fault
from irbridge.model import Judgment
from irbridge.reading import Reading
from irbridge.source import Source

Action = Literal["choose", "none", "skip"]
ACTIONS: tuple[Action, ...] = ("choose", "none", "skip")
HUMAN = "human:"
#: Beyond this, numbers are not the same in every language.
GRADE_LIMIT = 2**53
_LONGEST_NAME = 200
_LABEL_SHA = re.compile(r"l1:[0-9a-f]{32}").fullmatch
_TEXT_SHA = re.compile(r"t1:[0-9a-f]{32}").fullmatch
# RFC 3339, section 5.6; 60 seconds are a leap second.
_DATE_TIME = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)",
    re.ASCII,
)
#: What names a label: its query, its key, and the digest of its row.
Name = tuple[str, str, str]


class Choice(NamedTuple):
    """One chunk that carries a label from now on.

    Attributes:
        text_sha: None where the corpus says neither text nor digest.
        chunk_text: the chunk's text, for labels that keep theirs.
    """

    chunk_id: str
    doc_uri: str
    relevance: int
    text_sha: str | None = None
    chunk_text: str | None = None


class Decision(NamedTuple):
    """What a person decided about one label.

    Attributes:
        label_sha: digest of the label's row as the person saw it.
        choices: where `action` is "choose", at least one; otherwise none.
        corpus_fingerprint: of the corpus that the chunks are from.
        labeled_by: `human:` and a name.
        labeled_at: by the person's clock.
        line: where it was read.
    """

    query_id: str
    key: str
    label_sha: str
    action: Action
    choices: tuple[Choice, ...]
    labeled_by: str
    labeled_at: str
    corpus_fingerprint: str | None = None
    line: int = 0

    @property
    def label(self) -> Name:
        """What it is about."""
        return self.query_id, self.key, self.label_sha

    def as_dict(self) -> dict[str, Any]:
        """The members in the order in which they are written."""
        made: dict[str, Any] = {
            "query_id": self.query_id,
            "key": self.key,
            "label_sha": self.label_sha,
            "action": self.action,
        }
        if self.choices:
            made["choices"] = [
                {name: value for name, value in choice._asdict().items() if value is not None}
                for choice in self.choices
            ]
        if self.corpus_fingerprint is not None:
            made["corpus_fingerprint"] = self.corpus_fingerprint
        return {**made, "labeled_by": self.labeled_by, "labeled_at": self.labeled_at}


def label_sha(label: Judgment) -> str:
    """`l1:` and the first 16 bytes of SHA-256 over a label's canonical row, in 32 lower-case hex digits."""
    made = io.BytesIO()
    write([label], made)
    return "l1:" + hashlib.sha256(made.getvalue().rstrip(b"\n")).hexdigest()[:32]


def name_of(label: Judgment) -> Name:
    """What names a label in decisions."""
    return label.query_id, label.key, label_sha(label)


def is_of_document(label: Judgment) -> bool:
    """Whether a label is about a document as a whole, and stays so when a person chooses a chunk of another one."""
    return label.chunk_id is None and span_of(label) is None


def written(decision: Decision) -> bytes:
    """A decision as its line, LF included."""
    return dumps(decision.as_dict()).encode() + b"\n"


def latest(decisions: Sequence[Decision]) -> dict[Name, Decision]:
    """The last decision about each label, in the order of the last ones."""
    found: dict[Name, Decision] = {}
    for decision in decisions:
        found.pop(decision.label, None)
        found[decision.label] = decision
    return found


# ------------------------------------------------------------------------------------------------------------- reading


class _Refused(Exception):
    """A line that is no decision: message and way out."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def read(source: Source, reading: Reading | None = None) -> Iterator[Decision]:
    """The decisions of a file, in its order.

    Raises:
        InputErrors: lines that are no decision; up to ten are told together.
    """
    reading = reading or Reading(label=source.label)
    decode = decoder()
    for line in records(source, reading):
        value = decode(line)
        if isinstance(value, str):
            reading.bad_row(
                f"invalid JSON, {value}", line=reading.line, text=line, hint="a decision is one JSON object"
            )
            continue
        try:
            decision = parsed(value, reading.line)
        except _Refused as refused:
            reading.bad_row(refused.message, line=reading.line, text=line, hint=refused.hint)
            continue
        reading.rows += 1
        yield decision
    reading.finish()


def parsed(value: Mapping[str, Any], line: int) -> Decision:
    """The decision that a decoded object is.

    Raises:
        Refused: a member that is missing, of the wrong kind, or says what cannot be.
    """
    query_id, key = _id(value, "query_id"), _id(value, "key")
    sha = _matching(value, "label_sha", _LABEL_SHA, "l1: and 32 lower-case hex digits")
    action = value.get("action")
    if action not in ACTIONS:
        raise _Refused(f"action must be choose, none or skip, not {quoted(action, 40)}")
    fingerprint = value.get("corpus_fingerprint")
    if fingerprint is not None and (not isinstance(fingerprint, str) or not fingerprint):
        raise _Refused("corpus_fingerprint must be a non-empty string", "leave it out where there is none")
    return Decision(
        query_id, key, sha, action, _choices(value, action), reviewer(value.get("labeled_by")), _time(value), fingerprint, line,
    )  # fmt: skip


def _id(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    if not isinstance(found, str):
        raise _Refused(f"{name} must be a non-empty string" if name in value else f"missing {name}")
    if (wrong := fault(found)) is not None:
        raise _Refused(f"{name} {wrong}")
    return found


def _matching(value: Mapping[str, Any], name: str, pattern: Callable[[str], object], wanted: str) -> str:
    found = value.get(name)
    if not isinstance(found, str) or not pattern(found):
        raise _Refused(f"{name} must be {wanted}" if name in value else f"missing {name}")
    return found


def reviewer(found: object) -> str:
    """A `labeled_by` of a person.

    Raises:
        Refused: it does not begin with `human:`, or no name that can be shown follows.
    """
    if not isinstance(found, str) or not found.startswith(HUMAN):
        raise _Refused(
            f"labeled_by must begin with {HUMAN}, not {quoted(found, 40)}"
            if found is not None
            else "missing labeled_by",
            "a decision is a person's; labels of machines come in by other ways",
        )
    fault_of_name = name_fault(found.removeprefix(HUMAN))
    if fault_of_name:
        raise _Refused(f"the name in labeled_by {fault_of_name}")
    return found


def name_fault(name: str) -> str | None:
    """Why a text can be no reviewer's name, as the end of a sentence, or None if it can."""
    if not name or name != name.strip():
        return "is empty, or has white space around it" if name.strip() else "is empty"
    if len(name) > _LONGEST_NAME:
        return f"is longer than {_LONGEST_NAME} characters"
    return None if name.isprintable() else "holds characters that cannot be printed"


def _time(value: Mapping[str, Any]) -> str:
    found = value.get("labeled_at")
    match = _DATE_TIME.fullmatch(found) if isinstance(found, str) else None
    if match is None or not _is_day(match[1]):
        said = "missing labeled_at" if found is None else f"labeled_at {quoted(found, 40)} is no date and time"
        raise _Refused(said, "write it as 2024-05-01T12:00:00Z")
    return str(found)


def _is_day(text: str) -> bool:
    try:
        datetime.strptime(text, "%Y-%m-%d")  # noqa: DTZ007 - only whether the calendar has that day
    except ValueError:
        return False
    return True


def _choices(value: Mapping[str, Any], action: Action) -> tuple[Choice, ...]:
    found = value.get("choices")
    if action != "choose":
        if found not in (None, []):
            raise _Refused(f"choices go with the action choose, not with {action}")
        return ()
    if not isinstance(found, list) or not found:
        raise _Refused(
            "choices must be an array of at least one chunk", "the action none says that no chunk carries the label"
        )
    choices = tuple(_choice(each, f"choices[{place}]") for place, each in enumerate(found))
    ids = [choice.chunk_id for choice in choices]
    if len(set(ids)) < len(ids):
        again = next(each for place, each in enumerate(ids) if each in ids[:place])
        raise _Refused(f"chunk {again} is chosen twice in one decision", "choose it once, with one relevance")
    return choices


def _choice(value: object, where: str) -> Choice:
    if not isinstance(value, dict):
        raise _Refused(f"{where} must be an object")
    try:
        chunk_id = _matching(value, "chunk_id", is_chunk_id, "c1: and 32 lower-case hex digits")
        doc_uri = _id(value, "doc_uri")
        relevance = value.get("relevance")
        if type(relevance) is not int or not 0 <= relevance <= GRADE_LIMIT:
            raise _Refused(  # noqa: TRY301 - told with the place below, like the others
                "missing relevance" if "relevance" not in value else "relevance must be a non-negative integer",
                "grades are integers from 0 up",
            )
        sha = (
            None
            if value.get("text_sha") is None
            else _matching(value, "text_sha", _TEXT_SHA, "t1: and 32 lower-case hex digits")
        )
        text = value.get("chunk_text")
        if text is not None:
            _check_text(text, sha)
    except _Refused as refused:
        raise _Refused(f"{where}: {refused.message}", refused.hint) from None
    return Choice(chunk_id, doc_uri, relevance, sha, text)


def _check_text(text: object, sha: str | None) -> None:
    if not isinstance(text, str):
        raise _Refused("chunk_text must be a string")
    try:
        real = text_sha(text)
    except InputError as error:
        raise _Refused(error.message, error.hint) from None
    if sha is None:
        raise _Refused("chunk_text without text_sha", "name the digest of the text beside it")
    if real != sha:
        raise _Refused(f"text_sha {shown(sha)} is not that of chunk_text")
