"""Groups of queries that have nearly the same words.

An exact set-similarity join by prefix filtering (Bayardo, Ma, Srikant: Scaling Up All Pairs Similarity Search, WWW 2007;
Xiao et al.: Efficient Similarity Joins for Near Duplicate Detection, WWW 2008): two sets with a Jaccard index of t or more
share a word among their few rarest ones. The candidates of one word are capped, so that the time stays linear where thousands
of queries are made from one template.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil

from irbridge.judgments.content import words

#: How many earlier queries with the same rare word a query is compared with, the latest first.
CANDIDATES = 200


def groups(texts: Iterable[tuple[str, str]], least: Fraction) -> Iterator[list[str]]:
    """The ids of texts that are alike, in groups of two or more.

    Two texts are alike if the Jaccard index of their sets of words is `least` or more; a group is what such pairs connect.
    Texts without a word are like none.

    Args:
        texts: (id, text).
        least: above 1/2, at most 1; a fraction, because 0.8 as a double lies beside 4/5.

    Yields:
        ids in the order of `texts`; groups in the order of their first id.
    """
    by_words: dict[frozenset[str], list[tuple[int, str]]] = {}
    for place, (name, text) in enumerate(texts):
        found = frozenset(words(text))
        if found:
            by_words.setdefault(found, []).append((place, name))
    roots = _connected(list(by_words), least)
    joined: dict[int, list[tuple[int, str]]] = {}
    for number, members in enumerate(by_words.values()):
        joined.setdefault(roots[number], []).extend(members)
    for members in joined.values():
        if len(members) > 1:
            yield [name for _, name in sorted(members)]


def _connected(sets: list[frozenset[str]], least: Fraction) -> list[int]:
    """For each set the number of the first set of its group."""
    frequency = Counter(word for each in sets for word in each)
    rank = {word: place for place, word in enumerate(sorted(frequency, key=lambda word: (frequency[word], word)))}
    roots = list(range(len(sets)))

    def root(number: int) -> int:
        found = number
        while roots[found] != found:
            found = roots[found]
        # Whoever asks again finds it at once.
        while roots[number] != found:
            roots[number], number = found, roots[number]
        return found

    index: dict[int, list[int]] = {}
    prefixes: dict[int, tuple[int, int]] = {}
    # From small to large: of a set that is compared with larger ones only, even fewer words need an entry in the index.
    for number in sorted(range(len(sets)), key=lambda number: (len(sets[number]), number)):
        own = sorted(rank[word] for word in sets[number])
        size = len(own)
        if size not in prefixes:
            prefixes[size] = size - ceil(least * size) + 1, size - ceil(2 * least / (1 + least) * size) + 1
        probed, entered = prefixes[size]
        group = number
        for word in own[:probed]:
            for other in index.get(word, ())[-CANDIDATES:]:
                if roots[other] == group or root(other) == group or not _alike(sets[other], sets[number], least):
                    continue
                joined = root(other)
                group, high = min(joined, group), max(joined, group)
                roots[high] = group
        for word in own[:entered]:
            index.setdefault(word, []).append(number)
    return [root(number) for number in range(len(sets))]


def _alike(one: frozenset[str], other: frozenset[str], least: Fraction) -> bool:
    above, below = least.numerator, least.denominator
    if below * len(one) < above * len(other):
        return False
    shared = len(one & other)
    return below * shared >= above * (len(one) + len(other) - shared)
