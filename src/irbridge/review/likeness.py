"""The chunks of a document that are most like a text, by the words that both have: a suggestion and nothing more.

Chunks are looked at once, as they come; of each text only the best few are kept.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping

from irbridge.model import ChunkRow
from irbridge.review.highlight import telling

#: So many chunks are suggested.
FEW = 3
# A word of more texts than this tells them apart no more, and would make long documents slow.
_COMMON = 64


class Likeness:
    """Texts of one document, and the chunks that are most like each.

    Args:
        texts: by number, what is looked for.
    """

    def __init__(self, texts: Mapping[int, str]) -> None:
        self._weights: dict[int, int] = {}
        self._texts: dict[str, list[int]] = {}
        for number, text in texts.items():
            found = telling(text)
            self._weights[number] = sum(map(len, found))
            for word in found:
                self._texts.setdefault(word, []).append(number)
        if len(texts) > _COMMON:
            self._texts = {word: numbers for word, numbers in self._texts.items() if len(numbers) <= _COMMON}
        self._best: dict[int, list[tuple[float, int, int, ChunkRow]]] = {number: [] for number in texts}
        self._seen = 0

    def offer(self, row: ChunkRow) -> None:
        """Look at one more chunk of the document."""
        self._seen += 1
        found = telling(row.text or "")
        shared: Counter[int] = Counter()
        for word in found:
            for number in self._texts.get(word, ()):
                shared[number] += len(word)
        weight = sum(map(len, found))
        for number, common in shared.items():
            # Dice's coefficient of the two sets of words, a word counting as much as it is long.
            score = 2 * common / (weight + self._weights[number])
            kept = self._best[number]
            offered = score, -(row.ordinal or 0), -self._seen, row
            if len(kept) < FEW:
                heapq.heappush(kept, offered)
            elif offered[:3] > kept[0][:3]:
                heapq.heapreplace(kept, offered)

    def best(self, number: int) -> list[ChunkRow]:
        """The chunks most like a text, the best first; of equals the first of the document."""
        return [row for _, _, _, row in sorted(self._best[number], key=lambda each: each[:3], reverse=True)]
