"""News that goes up to the apps above. Sent inside the transaction of the change, with plain ids."""

from django.dispatch import Signal

match_ready = Signal()  # match_id, tournament_id: both teams are known
match_closed = Signal()  # match_id, tournament_id: settled or void, its table is free
match_reopened = Signal()  # match_id, tournament_id: a settled result was taken back
