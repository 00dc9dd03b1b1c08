"""`python -m tests.shared`: make what the processes of a test run share, before they start.

`$TEST_SHARED` names the folder. Without this, the first process that needs a part makes it, and
the others wait.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from tests import pseudo
from tests.services import ROOT, Site, once, prepared, prepared_cluster

SETTINGS: Final = {"DJANGO_SETTINGS_MODULE": "tests.pseudo_settings"}
"""Of the site that browsers visit."""


def archive() -> Path:
    """The folder of a site with static files and every match of tests/matches.

    Of several records of one match it takes one: the first here.
    """

    def make(folder: Path) -> None:
        paths = sorted((ROOT / "tests" / "matches").glob("*.ratuki"), reverse=True)
        records = {json.loads(path.read_text().partition("\n")[0])["id"]: path for path in paths}
        with Site(folder, SETTINGS) as site:
            site.prepare()
            pseudo.write(folder / "locale", folder / "static" / "test")
            site.manage("import_records", *sorted(map(str, records.values())))

    return once("archive", make)


if __name__ == "__main__":
    with ThreadPoolExecutor() as pool:
        made = [pool.submit(make) for make in (prepared_cluster, archive, prepared)]
    for part in made:
        part.result()
