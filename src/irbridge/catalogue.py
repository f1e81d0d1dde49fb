"""Public collections by their id: what ir_datasets knows of them, without a network and without a word on the screen."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from irbridge.errors import UnknownName
from irbridge.fetching import library, plain, quiet
from irbridge.registry import nearest

#: What irbridge calls a part -> what ir_datasets calls it.
ENTITIES: Mapping[str, str] = {"documents": "docs", "queries": "queries", "judgments": "qrels", "run": "scoreddocs"}

# What a person should know about the labels, and ir_datasets does not say.
_CAUTIONS = {
    "cranfield": "in the original collection 1 is the best grade, 4 the weakest and -1 of no interest; "
    "ir_datasets describes the levels the other way round",
}


# -------------------------------------------------------------------------------------------------------------- lookup


def dataset(dataset_id: str) -> Any:
    """The ir_datasets `Dataset` of that id; nothing is read or fetched.

    Raises:
        UnknownName: with the nearest ids.
    """
    registry = library().registry
    try:
        with quiet():
            return registry[dataset_id]
    except Exception as error:
        # Ids that are made on demand fail in ways of their own when they are wrong.
        near = nearest(dataset_id, list(registry))
        hint = "irbridge datasets WORD lists the ids"
        raise UnknownName("dataset id of ir_datasets", dataset_id, near, hint=hint) from error


def ids() -> list[str]:
    """All ids, in ir_datasets' order."""
    return list(library().registry)


def below(dataset_id: str, part: str) -> list[str]:
    """The ids that begin with `dataset_id/` and have the part."""
    return [name for name in ids() if name.startswith(dataset_id + "/") and has(name, part)]


def has(dataset_id: str, part: str) -> bool:
    """Whether the collection has the part, which says nothing about its being on this machine."""
    return bool(dataset(dataset_id).has(ENTITIES[part]))


# --------------------------------------------------------------------------------------------------------------- facts


@dataclass(frozen=True)
class About:
    """What ir_datasets documents about one id.

    Attributes:
        version: the version of ir_datasets.
        title: the collection's name.
        description: its first paragraph, without markup.
        levels: relevance grade -> its meaning; empty where undocumented.
        measures: official measures in ir_measures' notation, with their relevance thresholds.
        bibtex_ids: what to cite.
        licence: terms of use, or None where ir_datasets states none.
        cautions: what to know before the labels are used.
    """

    version: str
    title: str
    description: str
    levels: Mapping[int, str] = field(default_factory=dict)
    measures: tuple[str, ...] = ()
    bibtex_ids: tuple[str, ...] = ()
    licence: str | None = None
    cautions: tuple[str, ...] = ()


def about(dataset_id: str) -> About:
    """What ir_datasets says about the id.

    Raises:
        UnknownName: there is no such id.
    """
    found = dataset(dataset_id)
    top = _top(dataset_id)
    with quiet():
        said = _documentation(found)
        general = _general(top)
        levels = found.qrels_defs() if found.has("qrels") else {}
    return About(
        version=str(library().__version__),
        title=_title(said, general, dataset_id),
        description=_paragraph(said.get("desc", "")),
        levels={int(grade): plain(str(text)) for grade, text in sorted(levels.items())},
        measures=tuple(said.get("official_measures", ())),
        bibtex_ids=tuple(said.get("bibtex_ids", ())),
        licence=_licence(top, said, general),
        cautions=cautions(dataset_id),
    )


def _top(dataset_id: str) -> str:
    return dataset_id.split("/", maxsplit=1)[0]


def cautions(dataset_id: str) -> tuple[str, ...]:
    """What to know before the labels are used."""
    found = dataset(dataset_id)
    deprecation = plain(str(found.deprecated())) if hasattr(found, "deprecated") else None
    return tuple(filter(None, [_CAUTIONS.get(dataset_id), deprecation]))


def _documentation(found: Any) -> dict[str, Any]:
    return dict(found.documentation()) if hasattr(found, "documentation") else {}


def _general(top: str) -> dict[str, Any]:
    """What is said about a whole family of ids; families that somebody registered on his own have nobody to say it."""
    return _documentation(dataset(top)) if top in set(ids()) else {}


def _title(said: Mapping[str, Any], general: Mapping[str, Any], dataset_id: str) -> str:
    return plain(str(said.get("pretty_name") or general.get("pretty_name") or dataset_id))


def _paragraph(markup: str) -> str:
    """The first paragraph that says something."""
    pieces = re.split(r"</?p>|<ul>|<h\d>", markup)
    return next((text for text in map(plain, pieces) if text), "")


def _licence(top: str, said: Mapping[str, Any], general: Mapping[str, Any]) -> str | None:
    """The agreement that ir_datasets shows before a download, else what its description says about a licence."""
    module = sys.modules.get(f"ir_datasets.datasets.{top.replace('-', '_')}")
    agreement = getattr(module, "DUA", None)
    if agreement:
        return plain(str(agreement))
    for text in (said.get("desc", ""), general.get("desc", "")):
        for sentence in re.split(r"(?<=\.)\s+(?=[A-Z])", plain(str(text))):
            if re.search(r"licen[cs]e|terms of use", sentence, re.IGNORECASE):
                return sentence
    return None


class Entry(NamedTuple):
    """One line of the catalogue; counts are those of ir_datasets' own metadata, None where the id has no such part.

    Attributes:
        contents: the parts that it has.
        language: of the documents (ISO 639-1), or None where it is mixed or unknown.
    """

    id: str
    documents: int | None
    queries: int | None
    judgments: int | None
    contents: tuple[str, ...]
    language: str | None
    title: str


def entries(*words: str) -> list[Entry]:
    """The catalogue, or what of it has all `words` in its id, title or description; letter case does not matter."""
    found = []
    with quiet():
        families: dict[str, dict[str, Any]] = {}
        for dataset_id in ids():
            one = dataset(dataset_id)
            top = _top(dataset_id)
            if top not in families:
                families[top] = _general(top)
            said = _documentation(one)
            title = _title(said, families[top], dataset_id)
            text = f"{dataset_id} {title} {said.get('desc', '')}".lower()
            if all(word.lower() in text for word in words):
                found.append(_entry(dataset_id, one, title))
    return found


def _entry(dataset_id: str, one: Any, title: str) -> Entry:
    counts = {
        part: getattr(one, f"{entity}_metadata")().get("count") if one.has(entity) else None
        for part, entity in ENTITIES.items()
    }
    contents = tuple(part for part, entity in ENTITIES.items() if one.has(entity))
    language = one.docs_lang() if one.has("docs") else None
    return Entry(dataset_id, counts["documents"], counts["queries"], counts["judgments"], contents, language, title)
