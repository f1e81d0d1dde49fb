"""One row for each query and chunk: where several spans of a query came into one chunk, one label speaks for all.

A chunk that holds a text of relevance 3 is of relevance 3 at least, so the highest one wins; what it stands for is kept in
`reanchored_from`, in the shape that repair of drifted labels gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from irbridge.model import Judgment
from irbridge.origins import keeping, origin

Row = tuple[int, Judgment]


def collapsed(rows: Sequence[Row], arrived: Callable[[int], bool], labels: Sequence[Judgment]) -> tuple[list[Row], int]:
    """Rows of which no two that arrived have a query, a key and an iteration in common.

    Args:
        rows: (number of the label that it was, label as it is now).
        arrived: whether the row at a position came to where it is by projection.
        labels: the labels as they were, by number.

    Returns:
        the rows that are left, and how many are gone.
    """
    places: dict[tuple[str, str, str], list[int]] = {}
    for position, (_, label) in enumerate(rows):
        places.setdefault((label.query_id, label.key, label.iteration), []).append(position)
    kept: list[Row | None] = list(rows)
    for positions in places.values():
        # Rows that contradict each other without projection did so before: hiding that is not its work.
        if len(positions) == 1 or not any(map(arrived, positions)):
            continue
        best = min(positions, key=lambda position: (-rows[position][1].relevance, arrived(position), position))
        number, label = rows[best]
        others = [origin(labels[rows[position][0]]) for position in positions if position != best]
        for position in positions:
            kept[position] = None
        kept[best] = number, keeping(label, others)
    found = [each for each in kept if each is not None]
    return found, len(rows) - len(found)
