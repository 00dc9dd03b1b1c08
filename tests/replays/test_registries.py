"""What has a row for each bot, edition or chart lacks none. Each check names what is missing.

Kinds of news and of homework are complete by type: `assert_never`.
"""

import re
from pathlib import Path

from games.bots.roster import TEMPERS
from games.engine.editions import EDITIONS
from replays.analysis.judge.knowledge import HELD
from replays.analysis.winning.position import STRENGTHS
from replays.charts import CHARTS

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "replays" / "static" / "replays" / "charts"
PAGE = ROOT / "templates" / "replays" / "charts.html"


def test_every_bot_has_its_strength() -> None:
    """`manage.py bot_ladder` measures it (docs/explanation/ratings.md)."""
    assert set(STRENGTHS) == set(TEMPERS)
    assert {len(levels) for levels in STRENGTHS.values()} == {5}


def test_every_edition_has_the_shares_of_held_cards() -> None:
    assert set(HELD) == set(EDITIONS)


def test_every_chart_is_on_the_page_and_has_a_height() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert re.findall(r'data-chart="(\w+)"', page) == list(CHARTS)
    styles = (STATIC / "charts.css").read_text(encoding="utf-8")
    high = set(re.findall(r"\.chart-(\w+) \{\s*block-size:", styles))
    assert high >= set(CHARTS), f"no height: {set(CHARTS) - high}"
