"""Addresses of the public pages."""

from django.urls import path, register_converter

from scoring import views


class MatchCode:
    """A match's code in an address, M126; the view gets the number."""

    regex = "[Mm][1-9][0-9]{0,5}"

    def to_python(self, value: str) -> int:
        return int(value[1:])

    def to_url(self, value: int | str) -> str:
        return value if isinstance(value, str) else f"M{value}"


register_converter(MatchCode, "match_code")

urlpatterns = [
    path("", views.archive, name="archive"),
    path("rules/", views.presets, name="presets"),
    path("t/<slug:slug>/", views.home, name="tournament"),
    path("t/<slug:slug>/bracket/", views.bracket, name="bracket"),
    path("t/<slug:slug>/standings/", views.standings, name="standings"),
    path("t/<slug:slug>/tables/", views.tables, name="tables"),
    path("t/<slug:slug>/messages/", views.messages, name="messages"),
    path("t/<slug:slug>/rules/", views.rules, name="rules"),
    path("t/<slug:slug>/teams/", views.teams, name="teams"),
    path("t/<slug:slug>/teams/<int:number>/", views.team, name="team"),
    path("t/<slug:slug>/matches/<match_code:number>/", views.match, name="match"),
    path("t/<slug:slug>/results/", views.results, name="results"),
    path("t/<slug:slug>/results.csv", views.results_file, name="results-file"),
    path("t/<slug:slug>/standings.csv", views.standings_file, name="standings-file"),
    path("players/<uuid:player_id>/", views.player, name="player"),
]
