"""Laws of texts that moved to another document: one that stands there as it was is found, and none is that does not."""

from __future__ import annotations

import io
import random
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from irbridge.corpora import corpus_of
from irbridge.drift.classify import classify
from irbridge.formats.corpus_jsonl import write
from irbridge.model import Chunk, Judgment

ALPHABETS = ["abcdefgh", "abcdefgh" * 9 + "é", 'abcdefgh"\\\n', "日本語文字列検索", "abcdéfgh🚲"]


def prose(chance: random.Random, alphabet: str, length: int) -> str:
    words = []
    while sum(map(len, words)) + len(words) <= length:
        words.append("".join(chance.choices(alphabet, k=chance.randint(1, 9))))
    return " ".join(" ".join(words)[:length].split())


@settings(max_examples=80)
@given(st.integers(0, 10**9), st.sampled_from([1, 12]), st.booleans())
def test_what_stands_elsewhere_as_it_was_is_found_there(seed, most, in_memory):
    chance = random.Random(seed)
    live = [Chunk("c", "own", "r", 0, "the text that is left")]
    asked: list[Judgment] = []
    there: list[str | None] = []
    for number in range(chance.randint(1, most)):
        alphabet = chance.choice(ALPHABETS)
        text = prose(chance, alphabet, chance.choice((40, 90, 240, 700)))
        asked.append(Judgment(f"q{number}", "own", 1, chunk_id=f"o{number}", chunk_text=text))
        moves = len("".join(text.split()).encode()) >= 32 and chance.random() < 0.8
        there.append(f"d{number}" if moves else None)
        around = [prose(chance, chance.choice(ALPHABETS), chance.randint(1, 300)) for _ in range(2)]
        whole = " ".join([around[0], text if moves else text[: len(text) // 2], around[1]])
        live.append(Chunk(f"c{number}", f"d{number}", "r", 0, whole))
    if in_memory:
        drift = classify(asked, corpus_of(live))
    else:
        lines = io.BytesIO()
        write(live, lines, {})
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "corpus.jsonl")
            path.write_bytes(lines.getvalue())
            drift = classify(asked, corpus_of(str(path)))
    assert [None if one.evidence is None else one.evidence.doc_uri for one in drift.findings] == there
