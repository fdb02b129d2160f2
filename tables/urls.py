"""Addresses of the pages behind links."""

from django.urls import path

from tables import views

urlpatterns = [
    path("link/leave/", views.link_leave, name="link-leave"),
    path("link/<str:token>/", views.link_open, name="link-open"),
    path("link/<str:token>/qr.svg", views.link_qr, name="link-qr"),
]
