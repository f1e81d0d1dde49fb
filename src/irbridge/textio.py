"""Text from bytes: pieces, blocks and lines with their numbers.

Text is UTF-8 always, whatever the platform's default; a byte order mark is dropped and noted; a line ends at LF, with an
optional CR.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from irbridge.source import BLOCK_BYTES, Source, reading

#: No line of any input is longer; what is, is no text of lines, or a compressed file that is meant to fill the memory.
LINE_BYTES = 1 << 27
_BOM = b"\xef\xbb\xbf"


def _line_ends(part: bytes) -> int:
    return part.count(b"\n")


def blocks(source: Source, size: int = BLOCK_BYTES, *, count: Callable[[bytes], int] = _line_ends) -> Iterator[bytes]:
    """The pieces of `counted_blocks` alone. Lines are not counted where the number in an error can be found later."""
    later = source.size is not None
    return (block for _, _, block in counted_blocks(source, size, count=None if later else count))


def counted_blocks(
    source: Source, size: int = BLOCK_BYTES, *, count: Callable[[bytes], int] | None = _line_ends
) -> Iterator[tuple[int, int, bytes]]:
    """The input in pieces that end at a line end (the last piece may not); a byte order mark is dropped.

    Args:
        source: the input.
        size: about how many bytes a piece has.
        count: counts the line ends of a piece; without it the numbers mean nothing, and a file is read again for an error's.

    Yields:
        number of the first line, number of line ends, and non-empty bytes: about `size`, more where one line is longer.

    Raises:
        InputError: it cannot be read, or a line is longer than `LINE_BYTES`.
    """
    parts: list[bytes] = []  # of a line that is longer than a block
    held, before, passed = 0, 0, 0
    for part in pieces(source, size):
        cut = part.rfind(b"\n") + 1
        if cut == 0:
            parts.append(part)
            held += len(part)
            if held > LINE_BYTES:
                raise source.error(
                    f"is longer than {LINE_BYTES >> 20} MB",
                    line=_line_at(source, passed) if count is None else before + 1,
                    text=parts[0][:80].decode("utf-8", "replace"),
                    hint="name the right file: no line of any format is",
                )
            continue
        ends = 0 if count is None else count(part)
        block = b"".join((*parts, memoryview(part)[:cut]))
        yield before + 1, ends, block
        parts, held = [part[cut:]], len(part) - cut
        before += ends
        passed += len(block)
    if rest := b"".join(parts):
        yield before + 1, 0, rest


def _line_at(source: Source, position: int) -> int:
    """The number of the line that begins at a position of a file."""
    found = 1
    for part in pieces(source, BLOCK_BYTES):
        if position <= 0:
            break
        found += part.count(b"\n", 0, position)
        position -= len(part)
    return found


def whole(source: Source, most: int | None = None) -> bytes:
    """All of the input, for formats that are read whole; a byte order mark is dropped.

    Args:
        source: the input.
        most: more bytes than this are not read; None: there is no limit.

    Raises:
        InputError: it cannot be read, or has more.
    """
    parts: list[bytes] = []
    held = 0
    for part in pieces(source, BLOCK_BYTES):
        parts.append(part)
        held += len(part)
        if most is not None and held > most:
            raise source.error(f"is larger than {most >> 20} MB", hint="name the right file")
    return b"".join(parts)


def pieces(source: Source, size: int) -> Iterator[bytes]:
    """The input in pieces of `size` bytes or fewer; a byte order mark is dropped."""
    with reading(source), source.open() as stream:
        first = True
        while part := stream.read(size):
            if source.watch is not None:
                source.watch(len(part))
            yield part.removeprefix(_BOM) if first else part
            first = False


def has_bom(source: Source) -> bool:
    """Whether the input begins with a UTF-8 byte order mark."""
    return source.head().startswith(_BOM)


def decode(block: bytes, source: Source, first_line: int) -> str:
    """`block` as text; the first line is number `first_line`.

    Raises:
        InputError: with the line, where the bytes are not UTF-8.
    """
    nul = block.find(b"\0")
    if nul >= 0:
        line = first_line + block.count(b"\n", 0, nul)
        raise source.error("holds a NUL character", line=line, hint="name the right file, or remove it")
    if b"\n" not in block and b"\r" in block.rstrip(b"\r"):
        raise source.error("ends its lines with CR alone", line=first_line, hint="convert it first: tr '\\r' '\\n'")
    try:
        return block.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first_line + block.count(b"\n", 0, error.start)
        # A line may be long; what is shown of it is where it cannot be read.
        start = max(block.rfind(b"\n", 0, error.start) + 1, error.start - 40)
        while start < error.start and block[start] & 0xC0 == 0x80:  # within a character
            start += 1
        bad = block[start : start + 80].split(b"\n", 1)[0].decode("utf-8", "backslashreplace")
        raise source.error(
            "is not UTF-8 text", line=line, text=bad, hint="convert it first, for example: iconv -f latin1 -t utf-8"
        ) from error


def text_blocks(source: Source, size: int = BLOCK_BYTES) -> Iterator[tuple[int, int, str]]:
    """(number of the first line, number of lines, text) of about `size` bytes: whole lines, each ended by a bare LF."""
    for first, count, block in counted_blocks(source, size):
        text = decode(block, source, first)
        if "\r" in text:
            text = text.replace("\r\n", "\n").removesuffix("\r")
        if text.endswith("\n"):
            yield first, count, text
        else:
            yield first, count + 1, text + "\n"


def line_blocks(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Lists of lines without their ends, each with the number of its first line (1-based); blank lines included."""
    for first, _, text in text_blocks(source):
        lines = text.split("\n")
        lines.pop()
        yield first, lines


def lines(source: Source) -> Iterator[tuple[int, str]]:
    """(line number, line without its end), numbers from 1."""
    for first, block in line_blocks(source):
        yield from enumerate(block, first)
