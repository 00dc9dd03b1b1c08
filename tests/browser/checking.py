"""Whether a page can be read by machines and without scrolling sideways, and fetches little."""

from functools import cache
from typing import Any

from playwright.sync_api import Page

from tests.services import ROOT, NotInstalledError

STILL = """async (options) => {
  const sheet = new CSSStyleSheet();
  const none = "animation: none !important; transition: none !important";
  sheet.replaceSync(`*, ::before, ::after { ${none} }`);
  document.adoptedStyleSheets.push(sheet);
  const { animate } = Element.prototype;
  const finish = (motion) => {
    if (motion.effect.getComputedTiming().endTime < Infinity) motion.finish();
    return motion;
  };
  Element.prototype.animate = function (...how) { return finish(animate.apply(this, how)); };
  document.getAnimations().forEach(finish);
  const { violations } = await axe.run(document, options);
  Element.prototype.animate = animate;
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  return violations;
}"""
"""Asks axe while nothing fades or moves: half faded words have no contrast."""
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
OPTIONS = {
    "runOnly": {"type": "tag", "values": TAGS},
    "resultTypes": ["violations"],
    "preload": {"assets": ["media"]},
}
"""What passes need not be told at length, and none of these rules reads the style sheets."""
OVER = """async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  return document.documentElement.scrollWidth - innerWidth;
}"""
"""A board learns of a new width when the next frame is drawn, and is laid out anew for it."""


HEAVIEST_KB = {"home": 60, "replay": 105, "play": 80, "embed": 52}
"""All that a page fetches before anyone uses it, with nothing in the browser's cache."""


class Fetched:
    """What a page fetches from now on, as it travels. Headers are not counted."""

    def __init__(self, page: Page) -> None:
        self._urls: dict[str, str] = {}
        self._heads: dict[str, int] = {}
        self.bytes: dict[str, int] = {}
        session = page.context.new_cdp_session(page)
        session.on("Network.responseReceived", self._head)
        session.on("Network.loadingFinished", self._whole)
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})

    def _head(self, event: dict[str, Any]) -> None:
        self._urls[event["requestId"]] = event["response"]["url"]
        self._heads[event["requestId"]] = event["response"]["encodedDataLength"]

    def _whole(self, event: dict[str, Any]) -> None:
        key = event["requestId"]
        if self._urls.get(key, "").startswith("http"):
            body = event["encodedDataLength"] - self._heads[key]
            self.bytes[self._urls[key]] = self.bytes.get(self._urls[key], 0) + int(body)

    def check(self, kind: str) -> None:
        """Fail when a page of that kind has fetched too much."""
        assert len(self.bytes) > 3
        assert sum(self.bytes.values()) <= 1000 * HEAVIEST_KB[kind], self.bytes


def check_page(page: Page) -> None:
    """Fail with what is wrong for people who cannot see or point, or if it is too wide."""
    page.evaluate(axe_core())
    violations = page.evaluate(STILL, OPTIONS)
    assert [_told(violation) for violation in violations] == []
    no_sideways_scroll(page)


@cache
def axe_core() -> str:
    path = ROOT / "node_modules" / "axe-core" / "axe.min.js"
    if not path.exists():
        raise NotInstalledError("axe-core is needed: make node_modules/.installed")
    return path.read_text()


def _told(violation: dict[str, Any]) -> str:
    nodes = "; ".join(f"{node['html']} {node['failureSummary']}" for node in violation["nodes"])
    return f"{violation['id']}: {violation['help']}: {nodes}"


def no_sideways_scroll(page: Page) -> None:
    """Fail when the page is wider than its window."""
    over = page.evaluate(OVER)
    assert over <= 0, f"{over} px too wide"
