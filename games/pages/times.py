"""A time of day on a page: in UTC, until `everypage.js` shows it as its reader's own."""

from datetime import datetime

from django.template import Library
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = Library()


@register.filter
def time_of_day(at: datetime) -> SafeString:
    said = date_format(at, _("j M, H:i") if at.year == timezone.now().year else _("j M Y, H:i"))
    return format_html('<time datetime="{}">{} UTC</time>', at.isoformat(timespec="minutes"), said)
