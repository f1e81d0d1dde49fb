from __future__ import annotations

from pathlib import Path

from support.measures_page import written

PAGE = Path(__file__).resolve().parents[3] / "spec" / "measures.md"


def test_the_page_is_what_the_descriptors_say() -> None:
    """`cd tests && python -m support.measures_page` writes it anew."""
    assert PAGE.read_text(encoding="utf-8") == written()
