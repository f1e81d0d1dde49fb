"""Collections of ir_datasets made of a few records."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

_numbers = itertools.count()


def registered(**entities: Any) -> str:
    """Register a dataset made of lists of records; returns its id."""
    import ir_datasets

    bases = {"docs": "BaseDocs", "queries": "BaseQueries", "qrels": "BaseQrels", "scoreddocs": "BaseScoredDocs"}
    parts = []
    for entity, records in entities.items():
        members: dict[str, Any] = {
            f"{entity}_iter": lambda self, records=records: iter(records),
            f"{entity}_cls": lambda self, records=records: type(records[0]),
        }
        parts.append(type("Part", (getattr(ir_datasets.formats, bases[entity]),), members)())
    name = f"local/unit-{next(_numbers)}"
    ir_datasets.registry.register(name, ir_datasets.Dataset(*parts))
    return name


def record(**fields: Any) -> Any:
    """A NamedTuple of these fields, the way ir_datasets declares its records."""
    default_text = fields.pop("default_text", None)
    made = NamedTuple("Record", [(name, Any) for name in fields])  # type: ignore[misc]
    if default_text is not None:
        made.default_text = default_text  # type: ignore[attr-defined]
    return made(**fields)
