"""Generated from proto/lastcard/v1 by `make proto`: messages and stubs."""
