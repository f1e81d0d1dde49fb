"""`python -m irbridge`."""

from __future__ import annotations

from irbridge.cli.main import main

if __name__ == "__main__":
    main()
