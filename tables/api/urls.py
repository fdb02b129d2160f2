"""Addresses of this app under /api/v1/."""

from django.urls import path

from tables.api import views

urlpatterns = [
    path("tournaments/<slug:slug>/tables/", views.TableList.as_view()),
    path("tournaments/<slug:slug>/links/", views.TournamentLinks.as_view()),
    path("tables/<uuid:table_id>/", views.TableDetail.as_view()),
    path("tables/<uuid:table_id>/call/", views.TableCall.as_view()),
    path("tables/<uuid:table_id>/free/", views.TableFree.as_view()),
    path("tables/<uuid:table_id>/reserve/", views.TableReserve.as_view()),
    path("tables/<uuid:table_id>/link/", views.TableLink.as_view()),
    path("tables/<uuid:table_id>/revoke-link/", views.TableRevokeLink.as_view()),
    path("entries/<uuid:entry_id>/link/", views.EntryLink.as_view()),
    path("matches/<uuid:match_id>/start/", views.MatchStart.as_view()),
    path("matches/<uuid:match_id>/move/", views.MatchMove.as_view()),
    path("matches/<uuid:match_id>/seats/<str:seat>/link/", views.SeatLink.as_view()),
    path("matches/<uuid:match_id>/result/confirm-with-code/", views.ResultConfirmWithCode.as_view()),
    path("link/", views.LinkDetail.as_view()),
]
