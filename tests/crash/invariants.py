"""Run in the shell of a site, with EVENT naming a tournament: tells, as JSON, what does not hold though it must."""

import json
import os
import sys

from django.db.models import Count, F, Max, Q, Sum

from scoring.enums import HandState
from scoring.models import Game, Hand
from tables.models import Seating
from tournaments.enums import CLOSED, MatchState, ResultState
from tournaments.models import Match

matches = Match.objects.filter(tournament__slug=os.environ["EVENT"])
hands = Hand.objects.filter(game__match__in=matches)
confirmed = Count("results", filter=Q(results__state=ResultState.CONFIRMED))
stored = ~Q(hands__state=HandState.VOID)

wrong = {
    "open though all is over": matches.exclude(state__in=CLOSED),
    "closed, but its teams were not moved on": matches.filter(
        closed_at__isnull=False, advanced_at__isnull=True
    ),
    "settled without just one confirmed result": matches.filter(state=MatchState.CONFIRMED)
    .annotate(confirmed=confirmed)
    .exclude(confirmed=1),
    "void, but with a confirmed result": matches.filter(state=MatchState.VOID)
    .annotate(confirmed=confirmed)
    .exclude(confirmed=0),
    "at a table though it is over": Seating.objects.filter(match__in=matches, freed_at__isnull=True),
    "a hand that is still being played": hands.filter(state=HandState.LIVE),
    "a game whose marks are not those of its hands": Game.objects.filter(match__in=matches, whole=False)
    .annotate(ns=Sum("hands__marks_ns", filter=stored), ew=Sum("hands__marks_ew", filter=stored))
    .exclude(marks_ns=F("ns"), marks_ew=F("ew")),
    "a hand that lacks a tile in the middle": hands.annotate(number_of=Count("plays"), last=Max("plays__seq"))
    .filter(number_of__gt=0)
    .exclude(last=F("number_of")),
    "hands with a gap between": Game.objects.filter(match__in=matches, whole=False)
    .annotate(number_of=Count("hands", filter=stored), last=Max("hands__number", filter=stored))
    .exclude(last=F("number_of")),
}
found = {name: [str(row) for row in rows] for name, rows in wrong.items() if rows.exists()}
sys.stdout.write(json.dumps(found))
