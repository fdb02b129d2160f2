"""Addresses of this app under /api/v1/."""

from django.urls import path

from tables.api import floor, views

urlpatterns = [
    path("tournaments/<slug:slug>/tables/", views.TableList.as_view()),
    path("tournaments/<slug:slug>/links/", views.TournamentLinks.as_view()),
    path("tournaments/<slug:slug>/hall/", floor.HallDetail.as_view()),
    path("tournaments/<slug:slug>/holds/", floor.HoldList.as_view()),
    path("tournaments/<slug:slug>/judge-calls/", floor.JudgeCallList.as_view()),
    path("tables/<uuid:table_id>/", views.TableDetail.as_view()),
    path("tables/<uuid:table_id>/call/", views.TableCall.as_view()),
    path("tables/<uuid:table_id>/free/", views.TableFree.as_view()),
    path("tables/<uuid:table_id>/reserve/", views.TableReserve.as_view()),
    path("tables/<uuid:table_id>/link/", views.TableLink.as_view()),
    path("tables/<uuid:table_id>/revoke-link/", views.TableRevokeLink.as_view()),
    path("entries/<uuid:entry_id>/link/", views.EntryLink.as_view()),
    path("entries/<uuid:entry_id>/revoke-link/", views.EntryRevokeLink.as_view()),
    path("matches/<uuid:match_id>/start/", views.MatchStart.as_view()),
    path("matches/<uuid:match_id>/move/", views.MatchMove.as_view()),
    path("matches/<uuid:match_id>/hold/", floor.MatchHold.as_view()),
    path("matches/<uuid:match_id>/release/", floor.MatchRelease.as_view()),
    path("matches/<uuid:match_id>/judge-calls/", floor.MatchJudgeCalls.as_view()),
    path("judge-calls/<uuid:call_id>/answer/", floor.JudgeAnswer.as_view()),
    path("matches/<uuid:match_id>/seats/<str:seat>/link/", views.SeatLink.as_view()),
    path("matches/<uuid:match_id>/seats/<str:seat>/revoke-link/", views.SeatRevokeLink.as_view()),
    path("matches/<uuid:match_id>/result/confirm-with-code/", views.ResultConfirmWithCode.as_view()),
    path("link/", views.LinkDetail.as_view()),
]
