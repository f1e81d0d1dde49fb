"""spec/chunkers.md written down a second time, as plainly as it reads and without regard for speed."""

from __future__ import annotations

import re
from itertools import pairwise

BLANK = set(
    map(chr, [*range(9, 14), *range(0x1C, 0x21), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000])
)  # fmt: skip
BREAKS = set("\n\v\f\r\x85\u2028\u2029")
WIDE = set("\u3002\uff01\uff1f\uff61")
MARKS = set(".!?\u2026\u203c\u203d\u2047\u2048\u2049\u0589\u061f\u06d4\u0964\u0965\u104a\u104b\u1362\u1367\u1368\u17d4")
CLOSERS = set(")]}\"'\u2019\u201d\u00bb\u203a\u300b\u300d\u300f\u3011\u3015\uff09\uff3d\uff5d")
OPENERS = set("([{\"'\u2018\u201c\u00ab\u2039\u201e\u201a")
_ALWAYS = (
    "mr mrs ms mx dr prof st mt messrs gen col lt sgt capt cmdr maj rev hon sen rep gov pres mme mlle sra dra vs cf viz "
    "approx resp incl excl esp bzw vgl ggf evtl inkl"
)
_NUMBERED = (
    "no nos nr vol vols fig figs eq eqs sec sect art ch chap p pp par abb tab al ed eds ca c est jan feb mar apr jun jul "
    "aug sep sept oct nov dec"
)
ALWAYS = set(_ALWAYS.split())
NUMBERED = set(_NUMBERED.split())
CLUSTER = [
    (0x300, 0x36F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x200D, 0x200D), (0x20D0, 0x20FF), (0x3099, 0x309A),
    (0xFE00, 0xFE0F), (0xFE20, 0xFE2F), (0x1F3FB, 0x1F3FF), (0xE0020, 0xE007F),
]  # fmt: skip


def trim(text, start, end):
    while start < end and text[start] in BLANK:
        start += 1
    while start < end and text[end - 1] in BLANK:
        end -= 1
    return start, end


def gaps(text, start, end):
    """(start, end) of each longest run of blanks within."""
    place = start
    while place < end:
        if text[place] in BLANK:
            stop = place
            while stop < end and text[stop] in BLANK:
                stop += 1
            yield place, stop
            place = stop
        else:
            place += 1


def line_breaks(gap):
    return len([c for c in gap.replace("\r\n", "\n") if c in BREAKS]) + gap.count("\u2029")


def paragraphs(text, start, end):
    return [b for a, b in gaps(text, start, end) if line_breaks(text[a:b]) >= 2]


def lines(text, start, end):
    return [b for a, b in gaps(text, start, end) if line_breaks(text[a:b]) >= 1]


def words(text, start, end):
    return [b for _, b in gaps(text, start, end)]


def sentences(text, start, end):
    found = []
    place = start
    while place < end:
        if text[place] not in MARKS | WIDE:
            place += 1
            continue
        run = place
        while run < end and text[run] in MARKS | WIDE:
            run += 1
        after = run
        while after < end and text[after] in CLOSERS:
            after += 1
        following = after
        while following < end and text[following] in BLANK:
            following += 1
        if following < end and begins(text, place, run, after, following):
            found.append(following)
        place = after
    return found


def begins(text, place, run, after, following):
    if text[run - 1] in WIDE:
        return True
    if text[after] not in BLANK:
        return False
    code = ord(text[following])
    lower = text[following] in "abcdefghijklmnopqrstuvwxyz,;:"
    lower = lower or 0xDF <= code <= 0xF6 or 0xF8 <= code <= 0xFF or 0x3AC <= code <= 0x3CE or 0x430 <= code <= 0x45F
    if lower:
        return False
    return not (text[place:run] == "." and is_abbreviation(text, place, text[following]))


def is_abbreviation(text, place, following):
    first = place
    while first > 0 and text[first - 1] not in BLANK | OPENERS:
        first -= 1
    word = text[first:place]
    if not 1 <= len(word) <= 15:
        return False
    plain = word.lower() if word.isascii() else word
    if plain in ALWAYS or re.fullmatch("[A-Z]", word) or re.fullmatch(r"([A-Za-z]\.)+[A-Za-z]", word):
        return True
    if plain in NUMBERED:
        return following in "0123456789(["
    if not re.fullmatch("[0-9]{1,4}|[A-Za-z]", word):
        return False
    line = first
    while line > 0 and text[line - 1] in " \t":
        line -= 1
    return first - line <= 8 and (line == 0 or text[line - 1] in BREAKS)


def in_cluster(text, place):
    return any(a <= ord(text[place]) <= b for a, b in CLUSTER) or text[place - 1] == "\u200d"


class Packing:
    """Section 7, word for word."""

    def __init__(self, text, size, overlap, levels):
        self.text, self.size, self.overlap, self.levels = text, size, overlap, [*levels, words]
        self.chunks, self.open = [], None

    def run(self):
        start, end = trim(self.text, 0, len(self.text))
        if start < end:
            self.add(start, end, 0)
            self.close()
        return self.chunks

    def add(self, start, end, level):
        if self.open is not None and end - self.open[0] <= self.size:
            self.open = self.open[0], end
        elif end - start <= self.size:
            self.close()
            room = min(self.overlap, self.size - (end - start))
            self.open = self.reach(start, room), end
        else:
            self.close()
            if level == len(self.levels):
                self.characters(start, end)
            else:
                edges = [start, *self.levels[level](self.text, start, end), end]
                for a, b in pairwise(edges):
                    low, high = trim(self.text, a, b)
                    if low < high:
                        self.add(low, high, level + 1)
            self.close()

    def close(self):
        if self.open is not None:
            self.chunks.append(self.open)
            self.open = None

    def reach(self, start, room):
        if not self.chunks:
            return start
        low = max(start - room, self.chunks[-1][0] + 1)
        if low >= start:
            return start
        for place in range(low, start):
            if self.text[place] not in BLANK and (place == 0 or self.text[place - 1] in BLANK):
                return place
        if self.text[start - 1] in BLANK:
            return start
        return next((place for place in range(low, start) if not in_cluster(self.text, place)), start)

    def characters(self, start, end):
        while start < end:
            begin = self.reach(start, self.overlap)
            stop = min(begin + self.size, end)
            if stop < end:
                tried = [place for place in range(stop, stop - 32, -1) if place > start]
                stop = next((place for place in tried if not in_cluster(self.text, place)), stop)
            self.open = begin, stop
            self.close()
            start = stop


def recursive(text, size, overlap):
    return Packing(text, size, overlap, [paragraphs, lines, sentences]).run()


def sentence(text, count, overlap):
    found = []
    start, end = trim(text, 0, len(text))
    edges = [start, *paragraphs(text, start, end), end]
    for a, b in pairwise(edges):
        inner = [a, *sentences(text, *trim(text, a, b)), b]
        found += [trim(text, c, d) for c, d in pairwise(inner)]
    found = [(a, b) for a, b in found if a < b]
    chunks = []
    first = 0
    while found:
        group = found[first : first + count]
        chunks.append((group[0][0], group[-1][1]))
        if first + count >= len(found):
            break
        first += count - overlap
    return chunks


def fixed(text, size, overlap):
    chunks, start, high = [], 0, 0
    while True:
        a, b = trim(text, start, min(start + size, len(text)))
        if a < b and b > high:
            chunks.append((a, b))
            high = b
        if start + size >= len(text):
            return chunks
        start += size - overlap
