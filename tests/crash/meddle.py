"""Run in the shell of a site: record a strange first game in a match that was just called; tell its code."""

import sys
import time

from django.contrib.auth import get_user_model

from scoring.services.game import game_put
from tournaments.actors import user_actor
from tournaments.errors import Conflict
from tournaments.models import Match

director = user_actor(get_user_model().objects.get(username="simulation-director"))
called = Match.objects.filter(tournament__slug="meddled", state__in=["ready", "called"])
done = False
while not done:
    time.sleep(0.01)
    for match in called.order_by("number"):
        try:
            game_put(match_id=match.pk, number=1, marks={"NS": 8, "EW": 0}, actor=director)
        except Conflict:
            continue  # its own recorder was first
        sys.stdout.write(match.code)
        done = True
        break
