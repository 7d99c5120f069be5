"""The rules of the game, pure: standard library only."""
