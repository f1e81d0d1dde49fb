"""Places in a text without white space, told in the text with it."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from irbridge.drift.evidence import Needle


@example("one b two")
@example("one  b\n\ntwo")
@given(st.text("ab é\u3000\n", min_size=1, max_size=30).map(str.strip).filter(bool))
def test_places_without_white_space_are_told_in_the_text_with_it(text):
    places = [at for at, character in enumerate(text) if not character.isspace()]
    needle = Needle(text)
    assert [needle.stands(number) for number in range(len(places))] == places
    ends = [len("".join(text[at] for at in places[:number]).encode()) for number in range(len(places) + 1)]
    for first in range(len(places)):
        for last in range(first + 1, len(places) + 1):
            assert needle.characters(ends[first], ends[last]) == places[last - 1] + 1 - places[first]
