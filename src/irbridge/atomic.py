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
from irbridge.errors import InputError, shown

if TYPE_CHECKING:
    from pathlib import Path


@contextlib.contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A binary stream that becomes `path` when the block ends without an error, and leaves no trace otherwise.

    `-` is standard output, written at the end. A compression suffix (.gz .bz2 .xz .zst .lz4) compresses; gzip output carries
    no time and no name, so that equal content gives equal bytes. The file's permission bits are kept where it exists.

    Raises:
        InputError: the folder does not exist or cannot be written.
    """
    import tempfile

    target = os.fspath(path)
    if target == "-":
        with _spooled(cast("BinaryIO", sys.stdout.buffer)) as spool:
            yield spool
        return
    # A link is written through, a device (/dev/null) is written to: neither is replaced by a file.
    target = os.path.realpath(target)
    if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
        if os.path.isdir(target):
            raise InputError("is a directory, a file is needed", path=target, hint="name a file in it")
        with open(target, "wb") as device, _spooled(cast("BinaryIO", device)) as spool:
            yield spool
        return
    folder = os.path.dirname(target) or "."
    try:
        handle, temporary = tempfile.mkstemp(prefix=".irbridge-", dir=folder)
    except FileNotFoundError as error:
        raise InputError("the folder does not exist", path=target, hint=f"mkdir -p {shown(folder, 200)}") from error
    except OSError as error:
        raise InputError(f"cannot be written: {os.strerror(error.errno or 0).lower()}", path=target) from error
    try:
        with os.fdopen(handle, "wb") as raw:
            with compressing(cast("BinaryIO", raw), target) as stream:
                yield stream
            raw.flush()
            os.fsync(raw.fileno())
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}:
            raise InputError(f"cannot be written: {os.strerror(error.errno or 0).lower()}", path=target) from error
        raise


@contextlib.contextmanager
def _spooled(stream: BinaryIO) -> Iterator[BinaryIO]:
    """A file that is copied to `stream` in the end: what was written in vain cannot be taken back from a pipe."""
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as spool:
        yield cast("BinaryIO", spool)
        spool.seek(0)
        shutil.copyfileobj(spool, stream)
    stream.flush()


def _mode(target: str) -> int:
    try:
        return stat.S_IMODE(os.stat(target).st_mode)
    except OSError:
        return 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def replace_folder(made: Path, target: Path) -> None:
    """Put the finished folder `made`, which stands beside it, in the place of `target`; the old one comes back if that fails."""
    import shutil
    import tempfile

    made.chmod(0o777 & ~_umask())
    if not target.exists():
        made.rename(target)
        return
    aside = type(target)(tempfile.mkdtemp(prefix=".irbridge-", dir=target.absolute().parent))
    try:
        target.rename(aside / "old")
        try:
            made.rename(target)
        except OSError:
            (aside / "old").rename(target)
            raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)
