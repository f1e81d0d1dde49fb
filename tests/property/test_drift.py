"""Laws of drift: documents are made, cut twice, and what is found is held against the places that were cut.

The truth never comes from comparing texts the way drift does: it is known from the spans, or read off the whole document.
"""

from __future__ import annotations

import io
import json
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irbridge.corpora import corpus_of
from irbridge.drift import resolving
from irbridge.drift.classify import classify
from irbridge.drift.findings import Drift
from irbridge.formats import corpus_jsonl
from irbridge.formats.chunk_columns import ChunkColumns
from irbridge.formats.corpus_jsonl import write
from irbridge.identity import chunk_id, text_sha
from irbridge.model import Chunk, Judgment

WHOLE = {"shifted", "reflowed", "ambiguous"}
SEEDS = st.integers(0, 10**9)


def document(chance: random.Random, words: int, vocabulary: int) -> str:
    """Words with white space between them; the smaller the vocabulary, the more repeats."""
    known = ["".join(chance.choices("abcdeé日🚲", k=chance.randint(1, 7))) for _ in range(vocabulary)]
    return "".join(chance.choice(known) + chance.choice((" ", " ", " ", "\n", "\n\n", "  ")) for _ in range(words))


def cut(chance: random.Random, text: str, size: int, overlap: int) -> list[tuple[int, int]]:
    """Spans that cover the text, trimmed as chunkers trim; cut anywhere, also inside words."""
    found, start = [], 0
    while start < len(text):
        end = min(len(text), start + chance.randint(max(1, size // 2), size))
        first, last = start, end
        while first < last and text[first].isspace():
            first += 1
        while last > first and text[last - 1].isspace():
            last -= 1
        if first < last:
            found.append((first, last))
        start = max(start + 1, end - overlap) if end < len(text) else end
    return found


def chunks(doc_uri: str, text: str, spans: Sequence[tuple[int, int]], name: str, *, placed: bool = True) -> list[Chunk]:
    return [
        Chunk(
            chunk_id(doc_uri, "r", ordinal, text[start:end], name), doc_uri, "r", ordinal, text[start:end],
            text_sha(text[start:end]), *((start, end) if placed else (None, None)),
        )
        for ordinal, (start, end) in enumerate(spans)
    ]  # fmt: skip


def labels(made: Sequence[Chunk]) -> list[Judgment]:
    return [
        Judgment(f"q{at}", one.doc_uri, 1, chunk_id=one.chunk_id, text_sha=one.text_sha, chunk_text=one.text)
        for at, one in enumerate(made)
    ]


def squeezed(text: str) -> str:
    return "".join(character for character in text if not character.isspace())


@given(SEEDS)
def test_a_corpus_that_did_not_change_leaves_every_label_valid(seed):
    chance = random.Random(seed)
    text = document(chance, 60, 20)
    made = chunks("d", text, cut(chance, text, 50, 10), "a")
    assert classify(labels(made), corpus_of(made)).all_valid


@settings(max_examples=150)
@given(SEEDS, st.sampled_from([4, 30, 1000]), st.sampled_from([0, 1, 7, 40]))
def test_with_places_all_that_is_there_is_found(seed, vocabulary, overlap):
    chance = random.Random(seed)
    text = document(chance, 120, vocabulary)
    asked = labels(chunks("d", text, cut(chance, text, chance.choice((30, 90)), 10), "a"))
    corpus = chunks("d", text, cut(chance, text, chance.choice((30, 90)), overlap), "b")
    # The document is the same, so every label's text is in it.
    for one, found in zip(asked, classify(asked, corpus_of(corpus)).findings, strict=True):
        assert found.status != "ORPHANED" or (found.evidence is not None and found.evidence.kind in WHOLE), one


@settings(max_examples=150)
@given(SEEDS, st.sampled_from([0, 24, 40]))
def test_without_places_all_that_is_there_is_found(seed, overlap):
    # Overlaps, where there are any, of at least 16 characters without white space; a vocabulary in which nothing repeats.
    chance = random.Random(seed)
    text = " ".join("".join(chance.choices("abcdefghijklmnop", k=chance.randint(3, 8))) for _ in range(120))
    asked = labels(chunks("d", text, cut(chance, text, 90, 10), "a"))
    corpus = chunks("d", text, cut(chance, text, 100, overlap), "b", placed=False)
    for one, found in zip(asked, classify(asked, corpus_of(corpus)).findings, strict=True):
        assert found.status != "ORPHANED" or (found.evidence is not None and found.evidence.kind in WHOLE), one


@settings(max_examples=200)
@given(SEEDS, st.sampled_from([4, 30]), st.sampled_from([0, 1, 7]), st.booleans())
def test_nothing_is_found_that_is_not_there(seed, vocabulary, overlap, drops):
    # Labels of one document are held against another made of the same few words.
    chance = random.Random(seed)
    old, new = document(chance, 60, vocabulary), document(random.Random(seed), 60, vocabulary)
    at = chance.randrange(len(new))
    new = new[:at] + document(chance, chance.randint(0, 3), 3) + new[at + chance.randint(0, 9) :]
    asked = labels(chunks("d", old, cut(chance, old, 40, 5), "a"))
    spans = cut(chance, new, 40, overlap)
    if drops:
        # Chunks that are missing leave a gap, which may be bridged only where it is no wider than white space.
        spans = [span for span in spans if chance.random() < 0.8 or span[1] - span[0] < 9]
    there = kept(new, spans)
    for one, found in zip(asked, classify(asked, corpus_of(chunks("d", new, spans, "b"))).findings, strict=True):
        whole = found.evidence is not None and found.evidence.kind in WHOLE
        assert not whole or squeezed(one.chunk_text or "") in there, (one, found)


def kept(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text without white space; what no span covers, if it is more than that, as a mark that no text has."""
    held = [False] * len(text)
    for start, end in spans:
        held[start:end] = [True] * (end - start)
    marked = "".join(
        character if inside or character.isspace() else "\0" for character, inside in zip(text, held, strict=True)
    )
    return squeezed(marked)


@given(SEEDS)
def test_other_documents_and_their_order_change_nothing(seed):
    chance = random.Random(seed)
    text, other = document(chance, 60, 200), document(chance, 60, 200)
    asked = labels(chunks("d", text, cut(chance, text, 50, 5), "a"))
    own = chunks("d", text, cut(chance, text, 60, 5), "b")
    others = chunks("e", other, cut(chance, other, 50, 5), "b")
    wanted = own_findings(classify(asked, corpus_of(own)))
    mixed = own + others
    chance.shuffle(mixed)
    assert own_findings(classify(asked, corpus_of(others + own))) == wanted
    # Scattered chunks too: those of a document are told apart by their ordinals.
    assert own_findings(classify(asked, corpus_of(mixed))) == wanted


@settings(max_examples=150)
@given(SEEDS, st.sampled_from([3, 30, 1000]), st.sampled_from([0, 3, 20]))
def test_documents_looked_at_together_say_what_each_says_alone(seed, vocabulary, overlap):
    chance = random.Random(seed)
    live: list[Chunk] = []
    asked: list[Judgment] = []
    for number in range(chance.randint(1, 5)):
        name = f"doc/{number}"
        text = document(chance, chance.choice((3, 60, 150)), vocabulary)
        live += chunks(
            name, text, cut(chance, text, chance.choice((12, 90)), overlap), "b", placed=chance.random() < 0.3
        )
        old = text[: len(text) // 3] + document(chance, 3, vocabulary) + text[len(text) // 3 :]
        asked += labels(chunks(name, old, cut(chance, old, chance.choice((12, 60, 250)), 9), "a"))
    live += [
        Chunk(f"e{at}", f"doc/{at}", chance.choice((None, "r")), 99, chance.choice((None, "", "-" * 40)))
        for at in range(3)
    ]
    asked = [one._replace(text_sha=None) for one in asked]
    with pytest.MonkeyPatch.context() as patch:
        found = []
        for few in (-1, 1 << 60):
            patch.setattr(resolving, "_FEW", few)
            found.append(classify(asked, corpus_of(live)).findings)
    assert found[0] == found[1]


@settings(max_examples=60)
@given(SEEDS, st.sampled_from(["all", "none", "some"]), st.booleans(), st.booleans())
def test_a_file_read_as_columns_says_what_its_chunks_in_memory_say(seed, digests, ascii_only, scattered):
    chance = random.Random(seed)
    live: list[Chunk] = []
    old: list[Chunk] = []
    for number in range(chance.randint(1, 5)):
        text = document(chance, 60, 12)
        spans = cut(chance, text, 50, 5)
        live += chunks(f"doc/{number}", text, spans, "b", placed=chance.random() < 0.5)
        old += chunks(f"doc/{number}", text, cut(chance, text, chance.choice((30, 90)), 5), "a") + live[-2:]
    if digests != "all":
        live = [one._replace(text_sha=None) if digests == "none" or chance.random() < 0.3 else one for one in live]
    if scattered:
        chance.shuffle(live)
    wanted = [one if chance.random() < 0.8 else one._replace(text_sha=None) for one in labels(old)]
    lines = io.BytesIO()
    write(live, lines, {"corpus_fingerprint": "b"})
    content = lines.getvalue()
    if ascii_only:
        content = b"".join(json.dumps(json.loads(line)).encode() + b"\n" for line in content.splitlines())
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder, "c.jsonl")
        path.write_bytes(content)
        patch.setattr(corpus_jsonl, "COLUMNS_FROM", 0)
        read = corpus_of(str(path))
        assert classify(wanted, read).findings == classify(wanted, corpus_of(live)).findings
        if digests != "some":
            assert {type(piece) for piece in corpus_of(str(path)).pieces()} <= {ChunkColumns, list}


def own_findings(drift: Drift) -> list[object]:
    # An equal text elsewhere is a better answer than none here; it is not what this law is about.
    return [found for found in drift.findings if found.reanchor_doc is None and found.doc_uri == "d"]


@given(SEEDS, st.integers(1, 3))
def test_an_edit_is_found_and_measured(seed, edits):
    chance = random.Random(seed)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(60)]
    edited = list(words)
    for at in chance.sample(range(60), edits):
        edited[at] = "ZZZZZZ"
    text = f"before {' '.join(edited)} after"
    middle = len(text) // 2
    label = Judgment("q", "d", 1, chunk_id="old", chunk_text=" ".join(words))
    found = classify([label], corpus_of(chunks("d", text, [(0, middle), (middle, len(text))], "b"))).findings[0]
    assert found.status == "ORPHANED"
    assert found.evidence is not None
    # Of 60 words of 6 letters the untouched ones are equal, and nothing of what stands in place of the others.
    assert found.evidence.kind == "edited"
    assert found.evidence.covered == pytest.approx((60 - edits) / 60)


@given(SEEDS)
def test_overlaps_lie_within_the_label_and_cover_it(seed):
    chance = random.Random(seed)
    text = document(chance, 100, 500)
    asked = labels(chunks("d", text, cut(chance, text, 80, 0), "a"))
    for one, found in zip(
        asked, classify(asked, corpus_of(chunks("d", text, cut(chance, text, 60, 0), "b"))).findings, strict=True
    ):
        if found.evidence is not None and found.evidence.kind == "shifted":
            overlaps = [each.overlap for each in found.evidence.chunks]
            # Chunks that touch share nothing; between them only white space of the label is missing.
            assert len(squeezed(one.chunk_text or "")) <= sum(overlaps) <= len(one.chunk_text or "")


def work(documents: int, chance: random.Random) -> int:
    """Lines of irbridge's own code that run for one document of so many chunks and a tenth as many labels."""
    import sys

    text = " ".join("".join(chance.choices("abcdefghijklmnop", k=6)) for _ in range(documents * 10))
    made = chunks("d", text, [(at, at + 69) for at in range(0, len(text), 70)], "b", placed=False)
    asked = labels(chunks("d", text, [(at, at + 69) for at in range(35, len(text) - 70, 700)], "a"))
    corpus = corpus_of(made)
    ran = 0

    def count(frame, event, argument):
        nonlocal ran
        if event == "line" and "irbridge" in frame.f_code.co_filename:
            ran += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        drift = classify(asked, corpus)
    finally:
        sys.settrace(before)
    assert drift.summary.by_evidence.get("shifted", 0) > 0.9 * len(asked)
    return ran


def test_one_large_document_takes_linear_work():
    chance = random.Random(3)
    small, large = work(400, chance), work(1600, chance)
    assert large < 6 * small
