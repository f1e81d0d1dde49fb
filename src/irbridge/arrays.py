"""The kinds of arrays that travel through irbridge, by short names for signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]
    Words = NDArray[np.uint64]
    Bytes = NDArray[np.uint8]
else:  # numpy.typing costs more to import than a small file to score
    Ints = Floats = Bools = Words = Bytes = np.ndarray
