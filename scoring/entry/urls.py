"""Addresses of the table page."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
