from __future__ import annotations

import pytest

from irbridge.errors import InputErrors
from irbridge.reading import MAX_PROBLEMS, Reading


def test_notes_of_one_kind_are_counted_and_keep_the_first_line() -> None:
    reading = Reading("a.run")
    reading.note("blank", "{n} blank lines", line=1200)
    reading.note("blank", "{n} blank lines", count=1999, line=5000)
    reading.note("bom", "a mark was dropped")
    assert [str(note) for note in reading.notes.values()] == [
        "2,000 blank lines (first at line 1,200)",
        "a mark was dropped",
    ]


def test_problems_are_raised_together_at_the_end() -> None:
    reading = Reading("a.run")
    reading.finish()  # nothing to say
    reading.bad_row("two columns", line=3, text="q1 a", hint="add some")
    reading.bad_row("no score", line=5)
    with pytest.raises(InputErrors) as raised:
        reading.finish()
    assert [str(error) for error in raised.value.errors] == ["a.run:3: two columns", "a.run:5: no score"]
    assert not raised.value.more


def test_reading_stops_where_there_are_too_many() -> None:
    reading = Reading("a.run")
    for line in range(1, MAX_PROBLEMS):
        reading.bad_row("bad", line=line)
    with pytest.raises(InputErrors) as raised:
        reading.bad_row("bad", line=MAX_PROBLEMS)
    assert len(raised.value.errors) == MAX_PROBLEMS == 10
    assert raised.value.more


def test_dropped_rows_are_listed_and_counted_and_never_raised() -> None:
    reading = Reading("a.run", drop_bad_rows=True)
    for line in range(1, 26):
        reading.bad_row("bad", line=line, text="x")
    reading.finish()
    assert [error.line for error in reading.dropped] == list(range(1, 26))
    assert str(reading.notes["dropped"]) == "25 unusable rows dropped (first at line 1)"


def test_all_is_a_word_for_every_split() -> None:
    assert Reading(split="all").split == Reading(split="*").split == "*"
    assert Reading(split="test").split == "test"
