"""What labels ask of the texts of a corpus: many texts at once are answered as one is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.drift.wanted import Wanted
from irbridge.identity import normalize, text_sha
from irbridge.model import Chunk, Judgment

TEXTS = st.text(alphabet="ab é\r\n", max_size=40)


@pytest.mark.parametrize("digest_only", [False, True])
@given(st.lists(TEXTS, max_size=6), st.lists(st.one_of(st.none(), TEXTS), max_size=6))
def test_digests_of_many_texts(digest_only, labelled, texts):
    labels = [Judgment("q", "d", 1, chunk_id="old", chunk_text=text) for text in labelled]
    if digest_only:
        # It is not said what text this label is of, so that digests have to be made; one of another kind is nobody's.
        labels = [one._replace(chunk_text=None, text_sha=text_sha(one.chunk_text or "")) for one in labels]
        labels.append(Judgment("q", "d", 1, chunk_id="old", text_sha="sha256:0"))
    wanted = Wanted(labels)
    asked = [None if text is None else text_sha(text) for text in labelled]
    expected = [text_sha(text) if text is not None and text_sha(text) in asked else None for text in texts]
    assert list(wanted.digests_of([None if text is None else normalize(text) for text in texts])) == expected
    assert [wanted.digest(Chunk("c", "d", text=text)) for text in texts] == expected
