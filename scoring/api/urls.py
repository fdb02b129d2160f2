"""Addresses of this app under /api/v1/."""

from django.urls import path

from scoring.api import views

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
]
