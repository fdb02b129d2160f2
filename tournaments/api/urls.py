"""Addresses of this app under /api/v1/."""

from django.urls import path

from tournaments.api import accounts, bracket, entries, importing, messages, officials, tournaments
from tournaments.services.tournament import MOVES

urlpatterns = [
    path("token/", accounts.TokenView.as_view()),
    path("tournaments/", tournaments.TournamentList.as_view()),
    path("tournaments/<slug:slug>/", tournaments.TournamentDetail.as_view()),
    path("tournaments/<slug:slug>/officials/", officials.OfficialList.as_view()),
    path("tournaments/<slug:slug>/officials/<str:username>/", officials.OfficialDetail.as_view()),
    path("tournaments/<slug:slug>/invitations/", officials.InvitationList.as_view()),
    path(
        "tournaments/<slug:slug>/invitations/<uuid:invitation_id>/revoke/",
        officials.InvitationRevoke.as_view(),
    ),
    path("tournaments/<slug:slug>/messages/", messages.MessageList.as_view()),
    path("tournaments/<slug:slug>/messages/<uuid:message_id>/end/", messages.MessageEnd.as_view()),
    path("tournaments/<slug:slug>/log/", tournaments.LogList.as_view()),
    path("tournaments/<slug:slug>/entries/", entries.EntryList.as_view()),
    path("tournaments/<slug:slug>/entries/import/", importing.EntryImportView.as_view()),
    path("tournaments/<slug:slug>/entries/remove/", entries.EntryRemoval.as_view()),
    path("tournaments/<slug:slug>/entries/<uuid:entry_id>/", entries.EntryDetail.as_view()),
    path("tournaments/<slug:slug>/entries/<uuid:entry_id>/<slug:act>/", entries.EntryAct.as_view()),
    path("tournaments/<slug:slug>/stages/<int:number>/", tournaments.StageDetail.as_view()),
    path("tournaments/<slug:slug>/seeds/", entries.Seeds.as_view()),
    path("tournaments/<slug:slug>/stages/<int:number>/late-entries/", entries.LateEntries.as_view()),
    path("tournaments/<slug:slug>/stages/<int:number>/<slug:act>/", bracket.StageAct.as_view()),
    path("tournaments/<slug:slug>/bracket/", bracket.BracketView.as_view()),
    path("tournaments/<slug:slug>/standings/", bracket.StandingsView.as_view()),
    path("tournaments/<slug:slug>/matches/", bracket.MatchList.as_view()),
    *(
        path(f"tournaments/<slug:slug>/{move}/", tournaments.TournamentMove.as_view(), {"move": move})
        for move in MOVES
    ),
    path("matches/<uuid:match_id>/", bracket.MatchDetail.as_view()),
    path("matches/<uuid:match_id>/result/confirm/", bracket.ResultConfirm.as_view()),
    path("matches/<uuid:match_id>/result/dispute/", bracket.ResultDispute.as_view()),
    path("matches/<uuid:match_id>/result/take-back/", bracket.ResultTakeBack.as_view()),
    path("matches/<uuid:match_id>/forfeit/", bracket.MatchForfeit.as_view()),
    path("players/", tournaments.PlayerList.as_view()),
    path("players/<uuid:player_id>/", tournaments.PlayerDetail.as_view()),
    path("teams/", tournaments.TeamList.as_view()),
]
