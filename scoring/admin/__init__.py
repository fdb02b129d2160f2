"""Events, teams, matches and records of play in Django's admin, and its page *Record hand*.

What fair play found is not here: its pages log who looked at a case, and hide the names at first.
"""

from scoring.admin import events, log, matches, records, teams

__all__ = ["events", "log", "matches", "records", "teams"]
