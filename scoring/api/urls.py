"""Addresses of this app under /api/v1/."""

from django.urls import path

from scoring.api import findings, notation, views

urlpatterns = [
    path("matches/<uuid:match_id>/result/", views.MatchResult.as_view()),
    path("matches/<uuid:match_id>/result/correct/", views.ResultCorrect.as_view()),
    path("matches/<uuid:match_id>/undo/", views.MatchUndo.as_view()),
    path("matches/<uuid:match_id>/games/", views.GameList.as_view()),
    path("matches/<uuid:match_id>/games/<int:number>/", views.GameDetail.as_view()),
    path("matches/<uuid:match_id>/games/<int:number>/hands/<int:hand>/", views.HandSlot.as_view()),
    path("hands/<uuid:hand_id>/", views.HandDetail.as_view()),
    path("hands/<uuid:hand_id>/deal/", views.HandDeal.as_view()),
    path("hands/<uuid:hand_id>/deal/<str:seat>/", views.HandDealSeat.as_view()),
    path("hands/<uuid:hand_id>/calls/<int:seq>/", views.HandCall.as_view()),
    path("hands/<uuid:hand_id>/trump/", views.HandTrump.as_view()),
    path("hands/<uuid:hand_id>/plays/<int:seq>/", views.HandPlay.as_view()),
    path("hands/<uuid:hand_id>/legal/", views.HandLegal.as_view()),
    path("matches/<uuid:match_id>.42", notation.MatchNotation.as_view(), name="match-notation"),
    path("hands/<uuid:hand_id>.42", notation.HandNotation.as_view(), name="hand-notation"),
    path("matches/<uuid:match_id>/from-paper/", findings.MatchFromPaper.as_view()),
    path("tournaments/<slug:slug>/findings/", findings.FindingList.as_view()),
    path("tournaments/<slug:slug>/findings/coverage/", findings.FindingCoverage.as_view()),
    path("tournaments/<slug:slug>/findings/close/", findings.FindingsClose.as_view()),
    path("tournaments/<slug:slug>/findings/<int:number>/", findings.FindingDetail.as_view()),
    path("tournaments/<slug:slug>/findings/<int:number>/note/", findings.FindingNote.as_view()),
    path("tournaments/<slug:slug>/findings/<int:number>/close/", findings.FindingClose.as_view()),
    path("tournaments/<slug:slug>/findings/<int:number>/reopen/", findings.FindingReopen.as_view()),
    path("tournaments/<slug:slug>/from-paper/", findings.TournamentFromPaper.as_view()),
    path("tournaments/<slug:slug>/players/<uuid:player_id>/account/", findings.PlayerAccount.as_view()),
]
