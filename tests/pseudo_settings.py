"""The site's settings with the languages of `tests.pseudo`."""

from django.conf.locale import LANG_INFO

from ratuki_site.settings import *  # noqa: F403 - the same but for the languages
from ratuki_site.settings import LANGUAGES, LOCALE_PATHS, VAR_DIR
from tests.pseudo import LEFT, RIGHT

LANGUAGES = [*LANGUAGES, (LEFT, "Left"), (RIGHT, "Right")]
LANGUAGES_BIDI = [RIGHT]
LOCALE_PATHS = [*LOCALE_PATHS, VAR_DIR / "locale"]
for code, name in ((LEFT, "Left"), (RIGHT, "Right")):
    LANG_INFO[code] = {"bidi": code == RIGHT, "code": code, "name": name, "name_local": name}
