"""Addresses of the fair-play pages of one event."""

from django.urls import path

from scoring.director_findings import views

urlpatterns = [
    path("", views.cases, name="fair-play"),
    path("close/", views.close_group, name="fair-play-close-group"),
    path("paper/", views.paper, name="fair-play-paper"),
    path("accounts/", views.accounts, name="fair-play-accounts"),
    path("<int:number>/", views.case, name="fair-play-case"),
    path("<int:number>/note/", views.note, name="fair-play-note"),
    path("<int:number>/close/", views.close, name="fair-play-close"),
    path("<int:number>/reopen/", views.reopen, name="fair-play-reopen"),
]
