"""Matches: logs of entries folded by the rules engine, and a cache of them over the journal."""
