"""Matches: each a log of entries folded by the rules engine, many of them cached over the journal."""
