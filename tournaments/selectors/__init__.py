from tournaments.selectors.bracket import BracketRows, bracket_rows
from tournaments.selectors.export import canonical_export
from tournaments.selectors.placings import PlacingRow, placing_rows, placing_rows_of
from tournaments.selectors.revisions import RevisionChange, revision_numbers, revisions_since

__all__ = [
    "BracketRows",
    "PlacingRow",
    "RevisionChange",
    "bracket_rows",
    "canonical_export",
    "placing_rows",
    "placing_rows_of",
    "revision_numbers",
    "revisions_since",
]
