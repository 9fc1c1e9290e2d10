/** Patterns of code from the surfaces a user has, over TypeScript and Python trees. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OutputOf } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";

let daemon: ScratchDaemon;
const files = {
  "src/load.ts": `export async function load(url: string) {
  // fetch(url) is not code here
  const text = "fetch(url)";
  await fetch(url);
  return fetch(
    url,
    { method: "POST" },
  );
}
`,
  "src/view.tsx": "export const View = () => <p>{fetch(1, 2, 3)}</p>;\n",
  "tools/sync.py": `def sync(path):
    try:
        fetch(path)
    except Exception:
        pass
    return path == path
`,
};

beforeAll(async () => {
  daemon = await openScratchDaemon();
  writeTree(daemon.repository, files);
});
afterAll(() => daemon[Symbol.asyncDispose]());

async function search(...args: string[]): Promise<OutputOf<"code.search">> {
  return jsonOf<OutputOf<"code.search">>(await daemon.sylk(["search", "--ast", ...args, "--json"]));
}
const places = ({ items }: OutputOf<"code.search">): string[] =>
  items.map(({ path, line, column, endLine }) => `${path}:${line}:${column}-${endLine}`);

it("a pattern finds calls by their shape in every language that has them, not in comments and strings", async () => {
  const all = await search("fetch($$$)");
  expect(places(all)).toEqual([
    "src/load.ts:4:9-4",
    "src/load.ts:5:10-8",
    "src/view.tsx:1:31-1",
    "tools/sync.py:3:9-3",
  ]);
  expect(all.about).toMatchObject({ provider: "syntax", confidence: "exact", failed: [] });
  expect(places(await search("fetch($URL, $_)"))).toEqual(["src/load.ts:5:10-8"]);
  expect(places(await search("fetch($$$)", "--files", "src/*.ts"))).toEqual([
    "src/load.ts:4:9-4",
    "src/load.ts:5:10-8",
  ]);
  expect(places(await search("fetch($$$)", "--language", "python"))).toEqual(["tools/sync.py:3:9-3"]);
});

it("what only one language can say is looked for there, and the rest is named", async () => {
  const python = await search("try:\n  $$$\nexcept Exception:\n  pass");
  expect(places(python)).toEqual(["tools/sync.py:2:5-5"]);
  expect(python.about.notes).toEqual([expect.stringMatching(/^not looked at: files in .*: \d+ \(.*typescript/)]);
  expect(places(await search("$A == $A", "--language", "python"))).toEqual(["tools/sync.py:6:12-6"]);
  expect(places(await search("export async function $F($$$) { $$$ }"))).toEqual(["src/load.ts:1:1-9"]);
  const { stdout, stderr } = await daemon.sylk(["search", "--ast", "await $A"]);
  expect(stdout).toBe("src/load.ts:4:3  await fetch(url);\n");
  expect(stderr).toContain("by syntax, exact");
});

it("bad patterns, unknown languages and mixed ways are refused with the way out", async () => {
  const refused = async (...args: string[]) => {
    const { code, stderr } = await daemon.sylk(["search", "--ast", ...args]);
    return `${code} ${stderr}`;
  };
  expect(await refused("fetch($A")).toMatch(/^2 [^]*not \w+ code; write one whole expression/);
  expect(await refused("$A")).toMatch(/^2 [^]*something fixed beside metavariables, such as fetch/);
  expect(await refused("fetch($A)", "--language", "klingon")).toMatch(
    /^2 [^]*"klingon" has no patterns; choose one of /,
  );
  expect(await refused("fetch($A)", "--regex")).toMatch(/^2 [^]*leave out regex/);
});

it("a hostile file and a hostile pattern end in time, and are said not to be looked at", async () => {
  const path = join(daemon.repository, "src", "deep.ts");
  writeFileSync(path, `${"f(".repeat(3_000)}fetch${")".repeat(3_000)};\nfetch(${"a, ".repeat(400)}b);\n// none\n`);
  const holes = Array.from({ length: 10 }, (_, index) => `$$$A${index}, $B${index}`).join(", ");
  const { items, about } = await search(`fetch(${holes}, none)`);
  expect([items, about.failed]).toEqual([[], [{ provider: "syntax", reason: "src/deep.ts took too long" }]]);
  const { stdout, stderr } = await daemon.sylk(["search", "--ast", `fetch(${holes}, none)`]);
  expect(stdout).toBe("Nothing found in what was looked at; not everything was\n");
  expect(stderr).toContain("syntax failed: src/deep.ts took too long");
  expect(places(await search("fetch($$$, b)"))).toEqual(["src/deep.ts:2:1-2"]);
});

it("over HTTP and as the Librarian's skill the answer is the same", async () => {
  const heron = await daemon.register("heron");
  const { items } = await heron.client.call("code.search", { text: "await $A", ast: true });
  expect(items).toMatchObject([{ path: "src/load.ts", line: 4, endLine: 4 }]);
  const { result } = await heron.client.call("skill.call", {
    name: "search_ast",
    role: "librarian",
    input: { pattern: "await $A" },
  });
  expect(result).toMatchObject({ items });
});
