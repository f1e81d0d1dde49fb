"""The command line: the only place with click, a terminal and exit codes. One file per command in `commands/`."""

from __future__ import annotations

import gc

# Ahead of all other imports, for whose sake it is: what start-up makes lives to the end, and looking through it for cycles
# again and again finds nothing. A small file is scored a tenth faster.
gc.set_threshold(100_000)
