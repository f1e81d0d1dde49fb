"""From one format to another: rows in = rows out, and what a target cannot hold is counted and said."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from irbridge.arguments import flag
from irbridge.conventions import ORDERS
from irbridge.conversion import Conversion
from irbridge.counted import Counted, Outcome
from irbridge.errors import InputError, IrbridgeError, UsageError
from irbridge.formats import FORMATS, Format, Part
from irbridge.inputs import Input, at_hand, repeatable
from irbridge.reading import ALL_SPLITS
from irbridge.registry import one_of


def convert(
    what: Any,
    to: str,
    out: str | os.PathLike[str] | None = None,
    *,
    part: Part | None = None,
    source_format: str | None = None,
    split: str | None = None,
    strict: bool = False,
    sidecar: str | os.PathLike[str] | None = None,
    as_chunk_ids: bool = False,
    order: str | None = None,
    drop_bad_rows: bool = False,
    allow_infinite: bool = False,
    force: bool = False,
    watch: Callable[[int], None] | None = None,
) -> Outcome:
    """Convert judgments, a run or a collection.

    Args:
        what: anything that `irbridge.load` takes.
        to: the target format's name.
        out: the file or folder to write; not for formats in memory.
        part: "judgments" or "run", where the source could be read as either.
        source_format: the source format's name, where sniffing is not to decide.
        split: one split of a collection; None for all of them.
        strict: refuse, and write nothing, if anything would be lost.
        sidecar: a file for what the target cannot hold: written beside qrels made of judgments, read on the way back.
        as_chunk_ids: document ids that are chunk ids become `chunk_id` of the judgments.
        order: "score" or "rank": which column rules where a run's rank column contradicts its scores.
        drop_bad_rows: leave unusable rows out, noted, instead of refusing the input.
        allow_infinite: accept infinite scores.
        force: replace a folder that is there already.
        watch: called with the bytes of each piece read.

    Raises:
        LossError: something would be lost and `strict` is set.
        UsageError: the target cannot be written from this source.
        InputError: the source cannot be used.
    """
    for name, value in {"strict": strict, "as_chunk_ids": as_chunk_ids, "force": force}.items():
        flag(name, value)
    if order is not None:
        one_of("value of order", order, ORDERS)
    target = FORMATS.get(to)
    # A folder gets one part after another.
    what = at_hand(repeatable(what) if target.write_folder is not None else what)
    source = Input(
        what, _part_for(what, target, source_format) if part is None else part, name=source_format, split=split or ALL_SPLITS,
        drop_bad_rows=drop_bad_rows, allow_infinite=allow_infinite,
    )  # fmt: skip
    source.watch(watch)
    outcome = Outcome(source.format.name, target.name)
    job = Conversion(Counted(source, target, outcome, order, as_chunk_ids=as_chunk_ids))
    try:
        if target.shape == "object":
            outcome.result = job.to_object()
        elif out is None:
            raise UsageError(
                f"{target.name} is written to a file", hint="name it with -o OUT, or -o - for standard output"
            )
        elif target.write_folder is not None and (target.shape == "folder" or _wants_folder(target, out, source)):
            if sidecar is not None:
                raise UsageError("a sidecar stands beside a file of qrels, not beside a folder")
            job.to_folder(Path(out), strict=strict, force=force)
        else:
            job.to_file(out, strict=strict, sidecar=sidecar)
    except InputError as error:
        if error.path is None:
            # A writer knows what it cannot write, not where that was read.
            error.path, error.line = source.label, source.reading.line or None
        raise
    return outcome


def part_of_source(what: Any, source_format: str | None = None) -> Part:
    """Whether the source is judgments or a run: the first as which it can be read."""
    parts: tuple[Part, Part] = ("judgments", "run")
    return next((part for part in parts if _is(what, part, source_format)), "judgments")


def _part_for(what: Any, target: Format, source_format: str | None) -> Part:
    """What of the source the target can hold; where it can hold both, what the source is."""
    judgments = target.write_judgments is not None or target.write_folder is not None
    run = target.write_run is not None
    if target.shape == "object" or target.write_folder is not None or (judgments and run):
        return part_of_source(what, source_format)
    if run:
        return "run"
    if judgments:
        return "judgments"
    raise UsageError(f"{target.name} can be read, not written")


def _is(what: Any, part: Part, source_format: str | None) -> bool:
    """Whether the source can be read as `part`; of what can be read more than once, the first record is tried."""
    try:
        found = Input(what, part, name=source_format)
        if isinstance(what, Iterator):
            return True
        next(iter(found), None)
    except IrbridgeError:
        return False
    return True


def _wants_folder(target: Format, out: str | os.PathLike[str], source: Input) -> bool:
    """A format that is a file as well as a folder is written as a folder where more than one part is to be kept."""
    if source.part == "run" and target.write_run is not None:
        return False
    return not Path(out).suffix or target.write_judgments is None or source.format.read_documents is not None
