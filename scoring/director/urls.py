"""Addresses of the pages of those who run a tournament."""

from django.urls import URLPattern, URLResolver, include, path

import scoring.urls  # noqa: F401  registers the converter of match codes
from scoring.director.views import cards, draw, event, floor, matches, paper, people, screens, teams
from scoring.entry.urls import official_urls

one_match: list[URLPattern | URLResolver] = [
    path("", matches.sheet, name="sheet"),
    path("enter/", matches.enter, name="sheet-enter"),
    path("settle/", matches.settle, name="sheet-settle"),
    path("take-back/", matches.take_back, name="sheet-take-back"),
    path("dispute/", matches.dispute, name="sheet-dispute"),
    path("undo/", matches.undo, name="sheet-undo"),
    path("correct/", matches.correct, name="sheet-correct"),
    path("forfeit/", matches.forfeit, name="sheet-forfeit"),
    path("call/", floor.call_match, name="sheet-call"),
    path("move/", floor.move, name="sheet-move"),
    path("hold/", floor.hold, name="sheet-hold"),
    path("release/", floor.release, name="sheet-release"),
    path("start/", floor.start, name="sheet-start"),
    path("play/", include(official_urls)),
]

one_team = [
    path("", teams.team, name="team-sheet"),
    path("change/", teams.team_change, name="team-change"),
    path("substitute/", teams.team_substitute, name="team-substitute"),
    path("check-in/", teams.check_in, name="check-in"),
    path("withdraw/", teams.withdraw, name="team-withdraw"),
    path("reinstate/", teams.reinstate, name="team-reinstate"),
]

one_table = [
    path("call/", floor.call, name="table-call"),
    path("free/", floor.free, name="table-free"),
    path("state/", floor.state, name="table-state"),
    path("fixed/", floor.fixed, name="table-fixed"),
]

one_event: list[URLPattern | URLResolver] = [
    path("", event.event, name="event"),
    path("move/", event.move, name="event-move"),
    path("settings/", event.settings, name="event-settings"),
    path("placings/", event.placings, name="placings"),
    path("teams/", teams.listing, name="desk"),
    path("teams/add/", teams.add, name="teams-add"),
    path("teams/late/", teams.late, name="teams-late"),
    path("teams/remove/", teams.remove, name="teams-remove"),
    path("teams/seeds/", teams.seeds, name="seeds"),
    path("teams/<int:number>/", include(one_team)),
    path("draw/", draw.draw, name="draw"),
    path("draw/make/", draw.make, name="draw-make"),
    path("draw/publish/", draw.publish, name="draw-publish"),
    path("draw/reset/", draw.reset, name="draw-reset"),
    path("floor/", floor.floor, name="floor"),
    path("floor/auto/", floor.auto, name="floor-auto"),
    path("tables/<int:number>/", include(one_table)),
    path("judge/<uuid:call_id>/", floor.judge, name="judge-answer"),
    path("matches/", matches.matches, name="run-matches"),
    path("matches/<match_code:number>/", include(one_match)),
    path("cards/", cards.cards, name="cards"),
    path("cards/tables/", cards.add_tables, name="tables-more"),
    path("cards/issue/", cards.issue, name="cards-issue"),
    path("cards/<str:kind>/<int:number>/", cards.link, name="card-link"),
    path("paper/", paper.paper, name="paper"),
    path("paper/scoresheets.pdf", paper.scoresheets, name="paper-scoresheets"),
    path("paper/<str:kind>-cards.pdf", paper.cards, name="paper-cards"),
    path("paper/bracket.pdf", paper.bracket, name="paper-bracket"),
    path("people/", people.people, name="people"),
    path("people/invite/", people.invite, name="invite"),
    path("people/invitations/<uuid:invitation_id>/", people.revoke, name="invitation-revoke"),
    path("people/<int:user_id>/", people.office, name="office"),
    path("screens/", screens.screens, name="screens"),
    path("screens/<uuid:message_id>/end/", screens.end, name="message-end"),
    path("log/", screens.log, name="run-log"),
]

urlpatterns = [
    path("", event.events, name="events"),
    path("events/new/", event.new, name="event-new"),
    path("<slug:slug>/", include(one_event)),
]
