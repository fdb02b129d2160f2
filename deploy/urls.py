"""Every address of the site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

# The admin's own form would know neither limits nor the second step.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler404 = "tournaments.api.problems.no_such_address"
handler500 = "deploy.health.views.failed"

urlpatterns = [
    path("", include("deploy.health.urls")),
    path("admin/", admin.site.urls),
    path("accounts/", include("deploy.accounts.urls")),
    path("api/v1/", include("scoring.api.urls")),  # first, since every tile comes here
    path("api/v1/", include("tournaments.api.urls")),
    path("api/v1/", include("tables.api.urls")),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerView.as_view(url_name="schema"), name="docs"),
    path("run/<slug:slug>/fair-play/", include("scoring.director_findings.urls")),
    path("run/", include("scoring.director.urls")),
    path("link/", include("scoring.entry.urls")),
    path("", include("tables.urls")),
    path("", include("scoring.urls")),
]
