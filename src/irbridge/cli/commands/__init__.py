"""The commands, one module each, named as the command; a module holds its click command as `COMMAND`."""
