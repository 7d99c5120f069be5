"""Contests: schedules of matches between entrants, played across restarts, with standings."""
