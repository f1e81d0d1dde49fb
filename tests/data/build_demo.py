"""Makes the derived files of the demo collection from the files that were written by hand.

    python tests/data/build_demo.py            write them into src/irbridge/demo/data
    python tests/data/build_demo.py --check    only say which are out of date (exit 1 if any is)

By hand: corpus.jsonl, queries.jsonl, qrels/test.tsv (in the package) and demo_chunk_labels.tsv (beside this script).
Derived: bm25.run, ngram.run, chunks-paragraph.json, chunks-window.json, chunk-judgments.jsonl.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from pathlib import Path

from irbridge.identity import chunk_id, text_sha

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "src" / "irbridge" / "demo" / "data"
LABELS = HERE / "demo_chunk_labels.tsv"
DEPTH = 20
PARAGRAPH = "paragraph/1"
WINDOW = "window/60/10"
CORPUS = "port-ellory-1"


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# ---------------------------------------------------------------------------------------------------------------- runs


def words(text):
    return re.findall(r"\w+", text.lower())


def bm25(queries, docs, k1=0.9, b=0.4):
    """{query_id: {doc_id: score}} over the documents that share a word with the query. Idf as Lucene has it (never < 0)."""
    counts = {doc_id: Counter(words(text)) for doc_id, text in docs.items()}
    lengths = {doc_id: sum(count.values()) for doc_id, count in counts.items()}
    mean = sum(lengths.values()) / len(lengths)
    frequency = Counter(word for count in counts.values() for word in count)
    scores = {}
    for query_id, query in queries.items():
        found = scores[query_id] = {}
        for word in words(query):
            if word not in frequency:
                continue
            idf = math.log(1 + (len(docs) - frequency[word] + 0.5) / (frequency[word] + 0.5))
            for doc_id, count in counts.items():
                if count[word]:
                    norm = k1 * (1 - b + b * lengths[doc_id] / mean)
                    found[doc_id] = found.get(doc_id, 0.0) + idf * count[word] / (count[word] + norm)
    return scores


def grams(text, sizes=(3, 4)):
    """The character n-grams of each word, a space at either end of the word."""
    padded = [f" {word} " for word in words(text)]
    return Counter(word[i : i + n] for n in sizes for word in padded for i in range(len(word) - n + 1))


def ngram(queries, docs):
    """{query_id: {doc_id: cosine}} of tf-idf vectors of character n-grams; tf is 1 + ln(n), idf 1 + ln(N / df).

    N-grams that no document has are left out of the query.
    """
    counts = {doc_id: grams(text) for doc_id, text in docs.items()}
    frequency = Counter(gram for count in counts.values() for gram in count)

    def vector(count):
        return {
            gram: (1 + math.log(n)) * (1 + math.log(len(docs) / frequency[gram]))
            for gram, n in sorted(count.items())
            if gram in frequency
        }

    def length(weights):
        return math.sqrt(math.fsum(w * w for w in weights.values()))

    vectors = {doc_id: vector(count) for doc_id, count in counts.items()}
    scores = {}
    for query_id, query in queries.items():
        wanted = vector(grams(query))
        scores[query_id] = {
            doc_id: math.fsum(w * weights[gram] for gram, w in wanted.items() if gram in weights)
            / (length(weights) * length(wanted))
            for doc_id, weights in vectors.items()
            if wanted
        }
    return scores


def trec_run(scores, tag):
    """Best first by the score as it is written (4 decimals); ties by ascending id, which trec_eval sorts the other way."""
    lines = []
    for query_id, found in scores.items():
        best = sorted((-round(score, 4), doc_id) for doc_id, score in found.items() if round(score, 4) > 0)[:DEPTH]
        lines += [f"{query_id} Q0 {doc_id} {rank} {-score:.4f} {tag}" for rank, (score, doc_id) in enumerate(best, 1)]
    return "\n".join(lines) + "\n"


# -------------------------------------------------------------------------------------------------------------- chunks


def paragraph_spans(text):
    return [match.span() for match in re.finditer(r"[^\n]+", text)]


def window_spans(text, size=60, overlap=10):
    """Windows of `size` words, each beginning `size - overlap` words after the one before; the last ends with the text."""
    found = [match.span() for match in re.finditer(r"\S+", text)]
    spans = []
    for first in range(0, len(found), size - overlap):
        part = found[first : first + size]
        spans.append((part[0][0], part[-1][1]))
        if first + size >= len(found):
            break
    return spans


def chunks(corpus, fingerprint, spans_of):
    made = []
    for doc in corpus:
        revision = doc["metadata"]["revision"]
        for ordinal, (start, end) in enumerate(spans_of(doc["text"])):
            text = doc["text"][start:end]
            made.append(
                {
                    "chunk_id": chunk_id(doc["_id"], revision, ordinal, text, fingerprint),
                    "doc_uri": doc["_id"],
                    "doc_revision": revision,
                    "ordinal": ordinal,
                    "text": text,
                    "text_sha": text_sha(text),
                }
            )
    return made


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def snapshot(made, fingerprint):
    """Corpus JSON with one chunk a line, so that a diff shows chunks."""
    head = compact({"corpus_fingerprint": f"{CORPUS}/{fingerprint}", "chunker_fingerprint": fingerprint})
    return head[:-1] + ',"chunks":[\n' + ",\n".join(compact(chunk) for chunk in made) + "\n]}\n"


def judgments(made, queries, labels):
    """The hand-made chunk labels as full records. Column `begins` guards against labels that slipped to another paragraph."""
    place = {(chunk["doc_uri"], chunk["ordinal"]): chunk for chunk in made}
    lines = []
    for line in labels.splitlines()[1:]:
        query_id, doc_id, ordinal, relevance, stratum, begins = line.split("\t")
        chunk = place[doc_id, int(ordinal)]
        if not chunk["text"].startswith(begins):
            raise SystemExit(f"{LABELS.name}: {doc_id} paragraph {ordinal} does not begin with {begins!r}")
        record = {
            "query_id": query_id,
            "query": queries[query_id],
            "doc_uri": doc_id,
            "chunk_id": chunk["chunk_id"],
            "text_sha": chunk["text_sha"],
            "chunk_text": chunk["text"],
            "relevance": int(relevance),
            "corpus_fingerprint": f"{CORPUS}/{PARAGRAPH}",
            "labeled_by": "human:demo",
            "stratum": stratum,
        }
        lines.append(compact(record) + "\n")
    return "".join(lines)


# ----------------------------------------------------------------------------------------------------------------- all


def derive(data=DATA, labels=LABELS):
    """{file name: content} of every derived file."""
    corpus = rows(data / "corpus.jsonl")
    docs = {doc["_id"]: f"{doc['title']}\n{doc['text']}" for doc in corpus}
    queries = {query["_id"]: query["text"] for query in rows(data / "queries.jsonl")}
    paragraphs = chunks(corpus, PARAGRAPH, paragraph_spans)
    windows = chunks(corpus, WINDOW, window_spans)
    return {
        "bm25.run": trec_run(bm25(queries, docs), "bm25"),
        "ngram.run": trec_run(ngram(queries, docs), "ngram"),
        "chunks-paragraph.json": snapshot(paragraphs, PARAGRAPH),
        "chunks-window.json": snapshot(windows, WINDOW),
        "chunk-judgments.jsonl": judgments(paragraphs, queries, labels.read_text(encoding="utf-8")),
    }


def main(arguments):
    stale = 0
    for name, content in derive().items():
        path = DATA / name
        fresh = content.encode("utf-8")
        if path.exists() and path.read_bytes() == fresh:
            continue
        stale += 1
        print(f"{'out of date' if '--check' in arguments else 'written'}: {path}")
        if "--check" not in arguments:
            path.write_bytes(fresh)
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
