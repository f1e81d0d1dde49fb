"""A run to try things with: BM25 (k1 = 0.9, b = 0.4) over a folder made by `irbridge load`.

    python bm25.py FOLDER OUT.run

It knows no stemming and no stop words; it is here so that the recipes need no search engine.
"""

import heapq
import math
import re
import sys
from collections import Counter, defaultdict

import irbridge

K1, B, DEPTH = 0.9, 0.4, 100


def words(text):
    return re.findall(r"\w+", text.lower())


def main(folder, out):
    postings, sizes = defaultdict(list), {}
    for document in irbridge.load(folder, "documents"):
        terms = Counter(words(f"{document.title or ''} {document.text}"))
        sizes[document.doc_id] = sum(terms.values())
        for term, count in terms.items():
            postings[term].append((document.doc_id, count))
    average = sum(sizes.values()) / len(sizes)
    judged = {label.query_id for label in irbridge.load(folder)}
    with open(out, "w", encoding="utf-8") as run:
        for query in irbridge.load(folder, "queries"):
            if query.query_id not in judged:
                continue
            scores = Counter()
            for term in words(query.text):
                found = postings.get(term, ())
                idf = math.log(1 + (len(sizes) - len(found) + 0.5) / (len(found) + 0.5))
                for doc_id, count in found:
                    scores[doc_id] += idf * count / (count + K1 * (1 - B + B * sizes[doc_id] / average))
            best = heapq.nlargest(DEPTH, scores.items(), key=lambda item: (item[1], item[0]))
            for rank, (doc_id, score) in enumerate(best, 1):
                run.write(f"{query.query_id} Q0 {doc_id} {rank} {score:.6f} bm25\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
