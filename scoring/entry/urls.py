"""Addresses of the table page: behind a link, and at a match for officials."""

from collections.abc import Callable
from typing import Any

from django.urls import URLPattern, include, path

import scoring.urls  # noqa: F401  registers the converter of match codes
from scoring.entry import views
from scoring.entry.visit import at_link, at_match

ACTS: tuple[tuple[str, Any, str], ...] = (
    ("start/", views.start, "start"),
    ("hand/", views.hand, "hand"),
    ("games/<int:game>/", views.game_save, "game-save"),
    ("games/<int:game>/hands/<int:hand>/", views.hand_save, "hand-save"),
    ("marks/", views.marks, "marks"),
    ("undo/", views.undo, "undo"),
    ("take-back/", views.take_back, "take-back"),
    ("confirm/", views.confirm, "confirm"),
    ("code/", views.code, "code"),
    ("dispute/", views.dispute, "dispute"),
    ("judge/", views.judge, "judge"),
    ("judge/<uuid:call_id>/", views.judge_back, "judge-back"),
    ("full/", views.full_open, "full"),
    ("hands/<uuid:hand_id>/", views.full_hand, "full-hand"),
    ("hands/<uuid:hand_id>/calls/<int:seq>/", views.call, "full-call"),
    ("hands/<uuid:hand_id>/trump/", views.trump, "full-trump"),
    ("hands/<uuid:hand_id>/plays/<int:seq>/", views.play, "full-play"),
)


def _acts(prefix: str, opened: Callable[[Any], Any]) -> list[URLPattern]:
    return [path(address, opened(view), name=f"{prefix}-{name}") for address, view, name in ACTS]


official_urls = [path("", at_match(views.home), name="play"), *_acts("play", at_match)]

urlpatterns = [
    path("", at_link(views.home), name="link"),
    path("<match_code:number>/", include(_acts("link", at_link))),
]
