import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const sheets = ["games/static", "replays/static"].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".css"))
    .map((path) => ({ path: `${root}/${path}`, text: readFileSync(`${root}/${path}`, "utf8") })),
);
const rules = sheets.map(({ text }) => text.replace(/\/\*.*?\*\//gs, "")).join("\n");

test("a page changes its layout at six sizes at most", () => {
  const queries = rules.match(/@(media|container \w+)[^{]*/g) ?? [];
  const sizes = queries.flatMap((query) =>
    [
      ...query.matchAll(
        /(width|height|aspect-ratio)\s*[<>]=?\s*([\d./ ]+(?:rem|px)?)|([\d.]+\w+)\s*<=?\s*(width|height)/g,
      ),
    ].map(
      ([, name, size, first, other]) =>
        `${query.split("(")[0].trim()} ${name ?? other} ${(size ?? first).trim()}`,
    ),
  );
  assert.ok(new Set(sizes).size <= 6, [...new Set(sizes)].join("\n"));
});

test("sizes follow the direction of the text, and one sum knows the window's height", () => {
  const physical =
    /^\s*((min-|max-)?(width|height)|(margin|padding|border)-(top|right|bottom|left).*|top|right|bottom|left):/gm;
  assert.deepEqual(rules.match(physical), null);
  assert.equal(rules.match(/100[sd]?vh\s*-/g)?.length, 1);
});
