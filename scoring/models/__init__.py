from scoring.models.finding import Finding, RecordPrint, Review, Screening
from scoring.models.play import Call, Game, Hand, Holding, Play, RefusedAttempt

__all__ = [
    "Call",
    "Finding",
    "Game",
    "Hand",
    "Holding",
    "Play",
    "RecordPrint",
    "RefusedAttempt",
    "Review",
    "Screening",
]
