"""Writes that are whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, cast

from irbridge.compression import compressing
from irbridge.errors import InputError, UsageError, shown

if TYPE_CHECKING:
    from pathlib import Path

#: Folders that are being made, with a separator at their end: what is written into them is made durable with them.
_UNFINISHED: set[str] = set()
#: Up to so many files of a new folder are made durable one by one.
_FEW = 16
#: The disk has no room, or takes no more of this file or of this person's.
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


# --------------------------------------------------------------------------------------------------------------- files


@contextlib.contextmanager
def atomic_write(
    path: str | os.PathLike[str], like: str | None = None, *, as_is: bool = False, mark: str = ""
) -> Iterator[BinaryIO]:
    """A binary stream that becomes `path` when the block ends without an error, and leaves no trace otherwise.

    `-` is standard output, written at the end. A compression suffix (.gz .bz2 .xz .zst .lz4) compresses; gzip output carries
    no time and no name, so that equal content gives equal bytes. The file's permission bits are kept where it exists; a new one
    has those of the file `like`, if that is given. With `as_is` the bytes are written as they are, whatever the suffix says. What
    a killed process leaves behind is called `.irbridge-`, the mark, and 16 hex digits.

    Raises:
        InputError: the folder does not exist or cannot be written.
    """
    target = os.fspath(path)
    if target == "-":
        with _spooled(cast("BinaryIO", sys.stdout.buffer), "standard output") as spool:
            yield spool
        return
    # A link is written through, a device (/dev/null) is written to: neither is replaced by a file.
    target = os.path.realpath(target)
    if os.path.islink(target):
        raise InputError("is a link that leads to itself", path=target, hint="name another file")
    if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
        if os.path.isdir(target):
            raise InputError("is a directory, a file is needed", path=target, hint="name a file in it")
        with _opened(target, target) as device, _spooled(device, target) as spool:
            yield spool
        return
    unfinished = _is_unfinished(target)
    # Named before it is there, so that nothing that interrupts can leave it behind. In a folder that is hidden itself the
    # file needs no hiding.
    hide = not unfinished or os.path.lexists(target)
    temporary = os.path.join(os.path.dirname(target), _hidden(mark)) if hide else target
    try:
        with _opened(temporary, target, new=True) as raw:
            with compressing(raw, "" if as_is else target) as stream:
                yield stream
            raw.flush()
            if not unfinished:
                os.fsync(raw.fileno())
        os.chmod(temporary, _mode(target if like is None else like, 0o666) if hide else 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError) and error.errno in _FULL:
            raise _unwritable(error, target) from error
        raise


def _hidden(mark: str = "") -> str:
    """A name that no file has. tempfile would do as well; its import takes longer than writing a small run's scores."""
    return f".irbridge-{mark}{os.urandom(8).hex()}"


def _opened(path: str, target: str, *, new: bool = False) -> BinaryIO:
    """A file opened for writing; errors are about `target`."""
    try:
        return cast("BinaryIO", open(path, "xb", opener=_private) if new else open(path, "wb"))
    except FileNotFoundError as error:
        folder = os.path.dirname(target)
        raise InputError("the folder does not exist", path=target, hint=f"mkdir -p {shown(folder, 200)}") from error
    except OSError as error:
        raise _unwritable(error, target) from error


def _unwritable(error: OSError, target: str) -> InputError:
    return InputError(f"cannot be written: {(error.strerror or str(error)).lower()}", path=target)


@contextlib.contextmanager
def _spooled(stream: BinaryIO, label: str) -> Iterator[BinaryIO]:
    """A file that is copied to `stream` in the end: what was written in vain cannot be taken back from a pipe."""
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as spool:
        yield cast("BinaryIO", spool)
        spool.seek(0)
        try:
            shutil.copyfileobj(spool, stream)
            stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _unwritable(error, label) from error


def _private(path: str, flags: int) -> int:
    """Open a new file that nobody else may read: what it replaces may be private."""
    return os.open(path, flags, 0o600)


def _mode(target: str | os.PathLike[str], usual: int) -> int:
    try:
        return stat.S_IMODE(os.stat(target).st_mode)
    except OSError:
        return usual & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


# ------------------------------------------------------------------------------------------------------------- folders


def folder_place(
    out: str | os.PathLike[str], *, force: bool = False, hint: str = "name another, or --force replaces what is in it"
) -> Path:
    """The real path of a folder that may be written whole; found out before a long reading, not after it.

    A link to an empty folder, or to none, is followed. One to a folder with something in it is not, whatever `force` says:
    what would be gone is not what was named.

    Args:
        out: the folder as named.
        force: it may have something in it, which will be gone.
        hint: what to do where it has.

    Raises:
        UsageError: it cannot be written, or something would be lost.
    """
    from pathlib import Path

    if not os.fspath(out):
        raise UsageError("the name of the folder is empty", hint="name a folder")
    place, named = Path(os.path.realpath(out)), shown(os.fspath(out), 200)
    if Path.cwd().is_relative_to(place):
        raise UsageError(f"{named} is the current folder, or one above it", hint="name a folder of its own")
    if place.is_symlink():
        raise UsageError(f"{named} is a link that leads to itself", hint="name another folder")
    if place.exists() and not place.is_dir():
        raise UsageError(f"{named} is there already and no folder", hint="name another folder")
    if not place.parent.is_dir():
        parent = shown(place.parent if os.path.islink(out) else Path(out).parent, 200)
        if place.parent.exists():
            raise UsageError(f"{parent} is no folder", hint="name another folder")
        raise UsageError(f"the folder {parent} does not exist", hint=f"mkdir -p {parent}")
    if os.path.ismount(place):
        raise _is_mounted(out)
    if not place.is_dir() or not any(place.iterdir()):
        return place
    if os.path.islink(out):
        raise UsageError(
            f"{named} is a link to {shown(place, 200)}, which is not empty", hint="name the folder itself, or another"
        )
    if not force:
        raise UsageError(f"the folder {named} is not empty", hint=hint)
    return place


def _is_mounted(out: str | os.PathLike[str]) -> UsageError:
    return UsageError(
        f"{shown(os.fspath(out), 200)} is a mount point, which cannot be replaced", hint="name a folder in it"
    )


def refuse_input(place: str | os.PathLike[str], source: str) -> None:
    """Refuse to write a file or folder where that would destroy the input, or a part of it.

    Args:
        place: the real path of what is to be written; an input that is this very file is another matter.
        source: the input's path.

    Raises:
        UsageError: it is there already, and one lies in the other.
    """
    target, real = os.fspath(place), os.path.realpath(source)
    folder = os.path.isdir(target)
    if not os.path.exists(target) or (folder and not os.listdir(target)):
        return
    named = shown(target, 200)
    if folder and (real + os.sep).startswith(os.path.join(target, "")):
        what = "is the input" if real == target else f"holds the input {shown(source, 200)}"
        raise UsageError(f"{named} {what}, which would be gone", hint="write to another folder")
    if target.startswith(os.path.join(real, "")) and os.path.isdir(real):
        raise UsageError(f"{named} is a part of the input, which would be gone", hint="write to another place")


@contextlib.contextmanager
def new_folder(place: Path) -> Iterator[Path]:
    """A folder that takes the place of `place` when the block ends without an error, and leaves no trace otherwise.

    Args:
        place: as `folder_place` gives it.

    Raises:
        UsageError: `place` is a mount point.
        InputError: it cannot be written.
    """
    made = place.parent / _hidden()
    unfinished = os.path.join(made, "")
    try:
        try:
            made.mkdir(0o700)
        except OSError as error:
            raise _unwritable(error, str(place)) from error
        _UNFINISHED.add(unfinished)
        yield made
        _make_durable(made)
        made.chmod(_mode(place, 0o777))
        _put_in_place(made, place)
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise _unwritable(error, str(place)) from error
    except InputError as error:  # nobody knows the hidden folder
        if error.path is not None and error.path.startswith(unfinished):
            error.path = os.path.join(place, error.path[len(unfinished) :])
        raise
    finally:
        _UNFINISHED.discard(unfinished)
        _remove(made)


def _is_unfinished(path: str) -> bool:
    return any(path.startswith(folder) for folder in _UNFINISHED)


def _make_durable(made: Path) -> None:
    """Have the content on the disk before the folder gets its name, after which nothing else has it.

    Each fsync waits for the disk by itself, which takes 3,000 splits ten seconds and more. Nobody sees the folder before
    it is whole, so that one wait for all of its files is as good: os.sync, which waits for everything that is still to be
    written. That may be a lot of other people's, so a folder of few files, which most are, waits for its own only.
    """
    files = [os.path.join(folder, name) for folder, _, names in os.walk(made) for name in names]
    if len(files) > _FEW and hasattr(os, "sync"):
        os.sync()
        return
    for name in files:
        # Windows flushes only what is open for writing; elsewhere a mask may forbid just that.
        with open(name, "rb+" if os.name == "nt" else "rb") as stream:
            os.fsync(stream.fileno())


def _put_in_place(made: Path, place: Path) -> None:
    """Give the finished folder its name; what had it before comes back if that fails."""
    with contextlib.suppress(OSError):
        made.rename(place)  # where there is nothing, or, but for Windows, an empty folder
        return
    if _exchanged(made, place):  # what was there is now the hidden folder, which is removed
        return
    # Two steps, between which nothing has the name; what kills the process just then leaves the old folder hidden.
    aside = place.parent / _hidden()
    old = aside / "old"
    try:
        aside.mkdir(0o700)
        place.rename(old)
        made.rename(place)
    except OSError as error:
        raise _is_mounted(place) if error.errno == errno.EBUSY else _unwritable(error, str(place)) from error
    finally:
        if old.exists() and not os.path.lexists(place):
            old.rename(place)
        _remove(aside)


def _exchanged(one: Path, other: Path) -> bool:
    """Let two folders change names in one step; False where the system or the file system has no such thing.

    renameat2 of Linux (RENAME_EXCHANGE), renamex_np of macOS (RENAME_SWAP).
    """
    import ctypes

    here, swap = -100, 2  # AT_FDCWD; RENAME_EXCHANGE and RENAME_SWAP
    names = os.fsencode(one), os.fsencode(other)
    try:
        library = ctypes.CDLL(None)
        calls = {
            "linux": lambda: library.renameat2(here, names[0], here, names[1], swap),
            "darwin": lambda: library.renamex_np(*names, swap),
        }
        return sys.platform in calls and calls[sys.platform]() == 0
    except (OSError, AttributeError, TypeError):  # a C library without it, or none that can be asked
        return False


def _remove(folder: Path) -> None:
    """Remove a folder with all that is in it, also where something interrupts that."""
    if not folder.exists():
        return
    import shutil

    try:
        shutil.rmtree(folder, ignore_errors=True)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
