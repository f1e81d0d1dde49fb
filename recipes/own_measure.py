"""A measure of one's own, for `--measures-from`: questions that take several documents to answer."""

from __future__ import annotations

import irbridge


def enough(seen):
    """1 if the top k holds at least `need` relevant documents, else 0."""
    return sum(seen.relevant) >= seen.option("need")


MEASURE = irbridge.own_measure(
    enough,
    "Enough",
    "whether the top k holds as many relevant documents as an answer takes",
    takes=("cutoff", "rel"),
    options={"need": 2},
    range="0 or 1",
    source="Success@k with a number in place of one",
)
