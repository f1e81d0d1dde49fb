"""Where a folder of parquet files keeps what: the layout of the Hugging Face hub, as MTEB and BEIR use it.

A folder (or a file) per configuration: `corpus`, `queries`, and the labels in `default` (stored as `data` by the hub's
own tools) or `qrels`; each with a file per split, such as `test-00000-of-00001.parquet`, `test.parquet` or
`test/0000.parquet`. Collections in several languages have a prefix: `de-corpus`, `de-queries`, `de-qrels`.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from irbridge.errors import InputError, UsageError, shown
from irbridge.reading import ALL_SPLITS

_FILE = re.compile(r"(?P<split>.+?)(?:-\d{5}-of-\d{5}(?:-[0-9a-f]+)?)?\.parquet", re.IGNORECASE)
_KINDS = {"corpus": "documents", "queries": "queries", "query": "queries", "qrels": "judgments"}
_DEFAULT = {"default", "data", "qrels"}
# Configurations that hold neither labels nor texts.
_OTHER = ("top_ranked", "instruction", "instructions")

Splits = dict[str, list[str]]


@dataclass
class Layout:
    """The parquet files of a folder.

    Attributes:
        documents, queries, judgments: language ("" where there is none) -> split -> paths in order.
    """

    documents: dict[str, Splits] = field(default_factory=dict)
    queries: dict[str, Splits] = field(default_factory=dict)
    judgments: dict[str, Splits] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: str) -> Layout:
        """Look at the folder's files, down to two levels below it."""
        found = cls()
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if os.path.isdir(path):
                found._add_config(name, _splits(path))
            elif match := _FILE.fullmatch(name):
                stem = match["split"]
                # A file at the top is a whole configuration (corpus.parquet) or a split of the labels (test.parquet).
                whole = _config(stem) is not None and stem != "data"
                found._add_config(stem if whole else "default", {stem: [path]})
        return found

    def _add_config(self, name: str, splits: Splits) -> None:
        config = _config(name)
        if config is None or not splits:
            return
        kind, language = config
        own: Splits = getattr(self, kind).setdefault(language, {})
        for split, paths in splits.items():
            own.setdefault(split, []).extend(paths)


def _config(name: str) -> tuple[str, str] | None:
    """(kind, language) of a configuration by its name, or None for one that is of no interest."""
    if name in _DEFAULT:
        return "judgments", ""
    language, dash, kind = name.rpartition("-")
    if kind in _OTHER or (dash and not language):
        return None
    return (_KINDS[kind], language) if kind in _KINDS else None


def _splits(folder: str) -> Splits:
    found: Splits = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            inside = [os.path.join(path, part) for part in sorted(os.listdir(path)) if part.endswith(".parquet")]
            if inside:
                found.setdefault(name, []).extend(inside)
        elif match := _FILE.fullmatch(name):
            found.setdefault(match["split"], []).append(path)
    return found


@dataclass(frozen=True)
class Picked:
    """One split of one configuration."""

    language: str
    split: str
    paths: list[str]


def pick(configs: dict[str, Splits], wanted: str | None, label: str, what: str, *, own: str = "") -> list[Picked]:
    """The splits that are meant by `wanted`.

    Args:
        configs: language -> split -> paths.
        wanted: SPLIT, LANGUAGE, LANGUAGE/SPLIT, `*` for all splits, or None for the only one, else `test`.
        label: what errors call the folder.
        what: "judgments", "queries" or "documents".
        own: the split that holds all where the wanted one is absent ("corpus", "queries").

    Raises:
        UsageError: the folder does not have the part.
        InputError: there is no such split, or several and none is meant.
    """
    if not configs:
        raise UsageError(f"{shown(label, 200)} has no {what}", hint="name a folder that has")
    language, split = _parsed(configs, wanted)
    if language is None and len(configs) > 1:
        raise _ambiguous(configs, f"has {what} in several languages", label)
    if language is not None and language not in configs and set(configs) != {""}:
        raise _ambiguous(configs, f"has no {what} in '{shown(language)}'", label)
    chosen = language if language in configs else next(iter(configs))
    splits = configs[chosen]
    if split == ALL_SPLITS:
        return [Picked(chosen, name, splits[name]) for name in splits]
    for name in (split, own, None if split else "test"):
        if name and name in splits:
            return [Picked(chosen, name, splits[name])]
    if len(splits) == 1 and (own or not split):
        return [Picked(chosen, name, paths) for name, paths in splits.items()]
    raise _ambiguous(
        configs, f"has no {what} of the split '{shown(split)}'" if split else f"has several splits of {what}", label
    )


def _parsed(configs: dict[str, Splits], wanted: str | None) -> tuple[str | None, str | None]:
    """(language, split) that `wanted` names, each None where it does not say."""
    if wanted is None:
        return None, None
    language, slash, split = wanted.rpartition("/")
    if slash:
        return language, split
    return (wanted, None) if wanted in configs and wanted else (None, wanted)


def _ambiguous(configs: dict[str, Splits], message: str, label: str) -> InputError:
    there = [f"{language}/{split}" if language else split for language, splits in configs.items() for split in splits]
    more = ", ..." if len(there) > 12 else ""
    return InputError(
        f"{message}; there are {', '.join(map(shown, there[:12]))}{more}", path=label, hint="name one split"
    )
