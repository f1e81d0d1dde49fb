"""Laws of spans: what was anchored reads back, projection agrees with the chunkings that it meets, and rolling up one chunk a
document changes nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irbridge.chunking import chunker
from irbridge.chunking.cutting import chunks
from irbridge.identity import text_sha
from irbridge.model import Chunk, Document, Judgment, Ranking
from irbridge.spans import anchored, projected, rolled_up
from irbridge.spans.finding import folded

_TEXTS = st.text(st.sampled_from("ab. \n\r\u00e9\u0301\u1100\u1161\u3000\u6771"), max_size=60)
_CHUNKERS = st.sampled_from(["fixed/7", "fixed/9/4", "recursive/12/3", "sentence/1", "sentence/2", "whole/1"])


@given(_TEXTS, st.data())
def test_what_was_anchored_reads_back(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : start + data.draw(st.integers(0, 20))]
    found = anchored([Judgment("q", "d", 1, chunk_text=quote)], [Document("d", text)])
    for label in found.labels if not found.left else []:
        span = label.extra["span"]
        part = text[span["start"] : span["end"]]
        assert folded(part) == folded(quote)
        assert label.extra["doc_revision"] == text_sha(text)
        assert label.text_sha == text_sha(part) == text_sha(label.chunk_text or "")
        assert part == part.strip()


@given(_TEXTS, _CHUNKERS, st.lists(st.text(st.sampled_from("ab.\u00e9 "), min_size=1, max_size=9), max_size=5))
def test_anchoring_again_changes_nothing(text: str, spec: str, quotes: list[str]) -> None:
    labels = [Judgment(f"q{number}", "d", 1, chunk_text=quote) for number, quote in enumerate(quotes)]
    once = anchored(labels, [Document("d", text)])
    assert anchored(once.labels, [Document("d", text)]).labels == once.labels
    # Nor after a projection, which leaves spans as they are.
    onto = projected(once.labels, [Document("d", text)], spec).labels
    assert anchored(onto, [Document("d", text)]).labels == onto


@given(_TEXTS, _CHUNKERS)
def test_chunk_labels_come_back_to_their_chunks(text: str, spec: str) -> None:
    made = list(chunks("d", text, chunker(spec)))
    labels = [
        Judgment(
            f"q{number}", "d", 1, chunk_text=chunk.text, text_sha=chunk.text_sha,
            extra={"span": {"start": chunk.start, "end": chunk.end}, "doc_revision": chunk.doc_revision},
        )
        for number, chunk in enumerate(made)
    ]  # fmt: skip
    found = projected(labels, [Document("d", text)], spec)
    assert not found.left
    assert [label.chunk_id for label in found.labels] == [chunk.chunk_id for chunk in made]
    assert [label.chunk_id for label in projected(labels, made).labels] == [chunk.chunk_id for chunk in made]


@given(st.lists(_TEXTS, min_size=1, max_size=3), st.data())
def test_whole_documents_give_document_labels(texts: list[str], data: st.DataObject) -> None:
    documents = [Document(f"d{number}", text) for number, text in enumerate(texts)]
    labels = []
    for document in documents:
        for chunk in chunks(document.doc_id, document.text, chunker("fixed/5")):
            if data.draw(st.booleans()):
                extra = {"span": {"start": chunk.start, "end": chunk.end}, "doc_revision": chunk.doc_revision}
                query, relevance = data.draw(st.sampled_from("pq")), data.draw(st.integers(0, 3))
                labels.append(Judgment(query, document.doc_id, relevance, extra=extra))
    found = projected(labels, documents, "whole/1")
    best: dict[tuple[str, str], int] = {}
    for label in labels:
        key = label.query_id, label.doc_uri
        best[key] = max(best.get(key, 0), label.relevance)
    assert {(label.query_id, label.doc_uri): label.relevance for label in found.labels} == best
    assert len(found.labels) == len(best)
    kept = sum(1 + len(label.extra.get("reanchored_from", ())) for label in found.labels)
    assert kept == len(labels)


_SCORES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8)


@given(_SCORES)
def test_one_chunk_a_document_is_the_run_itself(scores: list[float]) -> None:
    ids = [f"c{number}" for number in range(len(scores))]
    corpus = [Chunk(each, each.upper()) for each in ids]
    run = Ranking("q", ids, sorted(scores, reverse=True), None, "t")
    for by in ("max", "first", "sum", "mean/3"):
        found = list(rolled_up([run], corpus, by))
        assert found == [run._replace(doc_ids=[each.upper() for each in ids])]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-9, 9)), min_size=1, max_size=12))
def test_laws_of_the_ways(rows: list[tuple[int, int]]) -> None:
    ids = [f"{parent}-{number}" for number, (parent, _) in enumerate(rows)]
    corpus = [Chunk(each, each[0]) for each in ids]
    run = Ranking("q", ids, [score for _, score in rows])

    def scores(by: str) -> dict[str, float]:
        (found,) = rolled_up([run], corpus, by)
        assert found.scores is not None
        assert list(found.scores) == sorted(found.scores, reverse=True)
        return dict(zip(found.doc_ids, found.scores, strict=True))

    by_document = {str(parent): [score for other, score in rows if other == parent] for parent, _ in rows}
    assert scores("max") == scores("mean/1") == {name: max(own) for name, own in by_document.items()}
    assert scores("sum") == {name: sum(own) for name, own in by_document.items()}
    assert scores("mean/99") == {name: sum(own) / len(own) for name, own in by_document.items()}
