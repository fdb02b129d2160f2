from tournaments.models.announcement import Announcement
from tournaments.models.audit import IdempotencyRecord, LogEntry, Revision
from tournaments.models.base import Record, folded, new_id, searchable
from tournaments.models.bracket import Bye, Match, Round, Slot, Stage
from tournaments.models.officials import Invitation
from tournaments.models.people import Player, Team
from tournaments.models.result import Result
from tournaments.models.tournament import Entry, EntryPlayer, Official, Tournament

__all__ = [
    "Announcement",
    "Bye",
    "Entry",
    "EntryPlayer",
    "IdempotencyRecord",
    "Invitation",
    "LogEntry",
    "Match",
    "Official",
    "Player",
    "Record",
    "Result",
    "Revision",
    "Round",
    "Slot",
    "Stage",
    "Team",
    "Tournament",
    "folded",
    "new_id",
    "searchable",
]
