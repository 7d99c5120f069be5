"""The arena: plays a contest described in a file, with bots that are processes of its own."""
