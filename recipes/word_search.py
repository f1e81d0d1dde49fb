"""A retriever to try things with: the chunks that share the query's rare words.

    python word_search.py CHUNKS.jsonl JUDGMENTS.jsonl OUT.jsonl

The queries are those of the judgments. It is here so that the recipes need no search engine; yours writes the same lines.
"""

import json
import math
import re
import sys
from collections import Counter

import irbridge

DEPTH = 10


def words(text):
    return set(re.findall(r"\w+", text.lower()))


def main(corpus, judgments, out):
    chunks = {chunk.chunk_id: words(chunk.text) for chunk in irbridge.corpus_of(corpus)}
    seen = Counter(word for held in chunks.values() for word in held)
    queries = {label.query_id: words(label.query) for label in irbridge.load(judgments)}
    with open(out, "w", encoding="utf-8") as run:
        for query_id, asked in queries.items():
            shared = {name: sorted(asked & held) for name, held in chunks.items() if asked & held}
            scores = {name: sum(math.log(len(chunks) / seen[word]) for word in found) for name, found in shared.items()}
            best = sorted(scores, key=lambda name: (-scores[name], name))[:DEPTH]
            row = {"query_id": query_id, "ranking": best, "scores": [round(scores[name], 4) for name in best]}
            run.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
