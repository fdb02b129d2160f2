"""Addresses of the pages of those who run a tournament."""

from django.urls import path
from django.views.generic import TemplateView

urlpatterns = [path("", TemplateView.as_view(template_name="404.html"), name="events")]
