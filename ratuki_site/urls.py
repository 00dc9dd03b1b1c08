"""Which URL belongs to which room."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.pages.accounts.forms import StaffLogInForm
from games.pages.problems import ROOT
from ratuki_site.api import api
from ratuki_site.icons import favicon, touch_icon
from ratuki_site.metrics import tell
from ratuki_site.status_pages import too_large

CLOSED = (*("/account/", "/admin/", "/api/", "/play/", "/watch/wall/", "/patterns/*/"),)
"""Paths of no use to search engines."""


@require_safe
@cache_control(max_age=86_400, public=True)
def robots(_request: HttpRequest) -> HttpResponse:
    rules = "".join(f"Disallow: {path}\n" for path in CLOSED)
    return HttpResponse(f"User-agent: *\n{rules}", content_type="text/plain; charset=utf-8")


handler400 = "ratuki_site.status_pages.malformed"
handler403 = "ratuki_site.status_pages.forbidden"
handler404 = "ratuki_site.status_pages.missing"
handler500 = "ratuki_site.status_pages.failed"

# Names are as case-insensitive here as in the site's own log-in.
admin.site.login_form = StaffLogInForm

urlpatterns = [
    path("", include("games.pages.urls")),
    path("", include("replays.pages.urls")),
    path("account/", include("games.pages.accounts.urls")),
    path(ROOT.lstrip("/"), api.urls),
    path("faults", tell, name="faults"),
    path("too-large/", too_large, name="too_large"),
    path("admin/", admin.site.urls),
    path("robots.txt", robots, name="robots"),
    path("favicon.ico", favicon, name="favicon"),
    path("apple-touch-icon.png", touch_icon, name="touch_icon"),
]
