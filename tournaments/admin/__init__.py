"""The competition in Django's admin. Events, teams and matches, which join the apps, are in `scoring.admin`."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from tournaments.admin import bookkeeping, bracket, people

__all__ = ["bookkeeping", "bracket", "people"]

admin.site.site_header = _("Seven Marks")
admin.site.site_title = _("Seven Marks")
admin.site.index_title = _("Admin")
admin.site.enable_nav_sidebar = False
