"""The format that a file's suffix stands for, where `convert` is not told one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irbridge.errors import UsageError, shown

if TYPE_CHECKING:
    from irbridge.formats import Format, Part


def target_by_suffix(out: str, part: Part) -> Format:
    """The one format that holds the part and has the suffix of `out`; a compression suffix is looked through.

    Raises:
        UsageError: none has it, or several.
    """
    from irbridge.formats import FORMATS
    from irbridge.source import Source

    name = Source(out).name.lower()
    files = [entry for entry in FORMATS if entry.shape == "file" and _writer(entry, part) is not None]
    found = [entry for entry in files if entry.suffix and name.endswith((entry.suffix, *entry.more_suffixes))]
    if len(found) == 1:
        return found[0]
    folders = [entry for entry in FORMATS if entry.shape == "folder" and entry.write_folder is not None]
    listed = ", ".join(entry.name for entry in found or [*files, *folders])
    raise UsageError(
        f"the suffix of '{shown(out)}' does not say in which format to write {'a run' if part == 'run' else part}",
        hint=f"say it with --to: {listed}",
    )


def _writer(entry: Format, part: Part) -> object:
    return entry.write_run if part == "run" else entry.write_judgments
