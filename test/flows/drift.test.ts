/** `sylk drift`: documents that speak of code that has changed, from the command line, over HTTP and MCP. */
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { OutputOf } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";
import { jsonOf } from "./run-sylk.ts";

type Drift = OutputOf<"code.drift">;
let daemon: ScratchDaemon;
let first: string;

const price =
  "export function priceOf(order: Order): number {\n  return order.cents;\n}\nexport type Order = { cents: number };\n";
const files = {
  "src/price.ts": price,
  "src/old/tax.py": "def tax_of(order):\n    return 0\n",
  "src/net.ts": "export const netOf = (cents: number): number => cents;\n",
  "docs/guide.md": "# Guide\n\nCall `priceOf(order)` first.\nIts file is src/price.ts.\n",
  "docs/tax.rst": "Taxes\n=====\n\nThe function tax_of is in src/old/tax.py.\n",
  "docs/other.txt": "The order of things.\n",
  "docs/net.adoc": "= Net\n\n`netOf` gives it.\n",
};

beforeAll(async () => {
  daemon = await openScratchDaemon();
});
afterAll(() => daemon[Symbol.asyncDispose]());
beforeEach(() => {
  writeTree(daemon.repository, files);
  git("add", "--all");
  git("commit", "--allow-empty", "--message", "Prices");
  first = git("rev-parse", "HEAD").trim();
});

const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@sylk.invalid", ...args], {
    cwd: daemon.repository,
    encoding: "utf8",
    env: { ...daemon.env },
  });
const write = (path: string, text: string): void => writeFileSync(join(daemon.repository, path), text);

async function drift(code: number, ...args: string[]): Promise<Drift> {
  const run = await daemon.sylk(["drift", ...args, "--json"]);
  expect({ code: run.code, stderr: run.stderr }).toEqual({ code, stderr: "" });
  return jsonOf<Drift>({ ...run, code: 0 });
}

it("a removed symbol, a changed signature and a path that is gone are reasons with file:line and score [LIB-35]", async () => {
  expect(await drift(0)).toMatchObject({ verdict: "none", documents: [], changes: { files: 0 } });
  write("src/price.ts", price.replace("priceOf", "costOf"));
  write("src/net.ts", "export const netOf = (cents: number, tax: number): number => cents - tax;\n");
  rmSync(join(daemon.repository, "src/old/tax.py"));
  const { verdict, documents, changes, since } = await drift(5);
  expect({ verdict, changes, since }).toEqual({
    verdict: "drift",
    changes: { files: 3, removed: 2, signatures: 1, paths: 2 },
    since: { asked: "HEAD", commit: first },
  });
  const told = documents.map(({ path, score, reasons }) => ({
    path,
    score,
    reasons: reasons.map(({ line, column, sentence }) => `${line}:${column} ${sentence}`),
  }));
  expect(told).toEqual(
    [
      {
        path: "docs/tax.rst",
        score: 0.59,
        reasons: [
          "4:14 tax_of (src/old/tax.py:1) was removed in the working tree",
          "4:27 src/old/tax.py was removed in the working tree",
        ],
      },
      {
        path: "docs/guide.md",
        score: 0.6,
        reasons: ["3:7 priceOf (src/price.ts:1) was removed in the working tree"],
      },
      {
        path: "docs/net.adoc",
        score: 0.25,
        reasons: [expect.stringMatching(/^3:2 netOf \(src\/net\.ts:1\) changed its signature in the working tree: /)],
      },
    ].sort((a, b) => b.score - a.score),
  );
  const shown = await daemon.sylk(["drift", "docs/guide.md"]);
  expect(shown.stdout).toContain("docs/guide.md:3:7  priceOf (src/price.ts:1) was removed in the working tree");
  expect(shown.stdout).not.toContain("docs/tax.rst");
});

it("a committed range names the commit, a later uncommitted removal the working tree [LIB-35]", async () => {
  write("src/price.ts", price.replace("priceOf", "costOf"));
  git("commit", "--all", "--message", "Rename");
  const commit = git("rev-parse", "--short=8", "HEAD").trim();
  write("src/other.ts", "export const unrelated = 1;\n");
  git("add", "--all");
  git("commit", "--message", "Other");
  write("src/net.ts", "export const grossOf = 1;\n");
  expect((await drift(5, "docs/net.adoc")).documents[0]!.reasons[0]!.changedIn).toBe("the working tree");
  const { documents } = await drift(5, "--since", first);
  const changedIn = Object.fromEntries(documents.map(({ path, reasons }) => [path, reasons[0]!.changedIn]));
  expect(changedIn).toEqual({ "docs/guide.md": `commit ${commit}`, "docs/net.adoc": "the working tree" });
  git("commit", "--all", "--message", "Net");
  expect(await drift(0)).toMatchObject({ verdict: "none", documents: [] });
});

it("a symbol that moved to another file, and a document without a mention, are not drift [LIB-35]", async () => {
  write("src/price.ts", "export type Order = { cents: number };\n");
  write("src/moved.ts", price.replace(/export type.*\n/, ""));
  expect(await drift(0)).toMatchObject({ verdict: "none", documents: [], changes: { removed: 0 } });
  rmSync(join(daemon.repository, "src/moved.ts"));
  expect((await drift(5)).documents.map(({ path }) => path)).toEqual(["docs/guide.md"]);
});

it("what could not be read is never 'no drift' [LIB-35]", async () => {
  write("docs/large.md", `${"x ".repeat(600_000)}\n`);
  const large = await drift(7);
  expect(large).toMatchObject({
    verdict: "unknown",
    documents: [],
    unread: [{ path: "docs/large.md", reason: "larger than 1 MB" }],
  });
  const shown = await daemon.sylk(["drift"]);
  expect(shown).toMatchObject({ code: 7, stdout: expect.stringContaining("Unknown: ") });
  expect(shown.stdout + shown.stderr).toContain("docs/large.md: larger than 1 MB");
  expect(shown.stdout).not.toContain("No drift");
  rmSync(join(daemon.repository, "docs/large.md"));
  write("src/price.ts", "export function priceOf(order: Order): number {\n  return ((((;\n");
  const broken = await drift(7);
  expect(broken).toMatchObject({ verdict: "unknown", unread: [{ path: "src/price.ts" }] });
  write("src/price.ts", price);
  const many = Array.from({ length: 600 }, (_, at) => [`src/many/f${at}.ts`, `export const many${at} = ${at};\n`]);
  writeTree(daemon.repository, Object.fromEntries(many));
  // Not by the command: while it starts, the watch may have had them read.
  const waiting = await daemon.user.call("code.drift", { waitMs: 0 });
  expect(waiting).toMatchObject({ verdict: "unknown", unread: [] });
  expect(waiting.about.notIndexed.waiting).toBeGreaterThan(0);
});

it("a revision that git does not know is refused with the way out, an option is not one", async () => {
  for (const since of ["no-such", "--output=/tmp/x", "HEAD; rm -rf ."]) {
    const { code, stderr } = await daemon.sylk(["drift", `--since=${since}`]);
    expect(code).toBe(2);
    expect(stderr).toContain("git log --oneline");
  }
});
