"""The subcommands of `lastcard`, one a module; each has `command`."""
