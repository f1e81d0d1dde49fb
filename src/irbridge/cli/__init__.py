"""The command line: the only place with click, a terminal and exit codes. One file per command in `commands/`."""
