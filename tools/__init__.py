"""What keeps the repository in order: verbs of the Makefile, one module each."""
