"""Labels by place: document labels anchored at what they quote, spans projected onto any chunking, chunk runs rolled up.

What each of them does to the letter is written in spec/spans.md.
"""

from __future__ import annotations

from irbridge.spans.anchoring import anchored
from irbridge.spans.projecting import projected
from irbridge.spans.rolling import rolled_up

__all__ = ["anchored", "projected", "rolled_up"]
