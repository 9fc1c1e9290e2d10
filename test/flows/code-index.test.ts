/** The code index from the command line: questions through a real daemon, in scratch repositories. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OutputOf } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";
import { jsonOf } from "./run-sylk.ts";

let daemon: ScratchDaemon;

const files = {
  "src/price.ts": `/** The price of an order, in cents. */
export function priceOf(order: Order): number {
  return order.lines.reduce((sum, line) => sum + line.cents, 0);
}
export type Order = { lines: { cents: number }[] };
const priceLimit = 100;
`,
  "src/cart.ts": `import { priceOf, type Order } from "./price.ts";
import { readFileSync } from "node:fs";
export class Cart {
  total(order: Order): number {
    return priceOf(order);
  }
}
export const banner = readFileSync("banner.txt", "utf8");
`,
  "tools/report.py": `"""Reports for the accountant."""
import os

def price_report(orders):
    """Adds up what every order costs."""
    return sum(price_of(order) for order in orders)
`,
  "docs/guide.md": "# Guide\n\nA discount lowers the price.\n",
  "package.json": '{ "name": "shop", "dependencies": { "left-pad": "1.0.0" } }\n',
};

beforeAll(async () => {
  daemon = await openScratchDaemon();
  writeTree(daemon.repository, files);
  git("add", ".");
  git("commit", "--message", "Prices");
});
afterAll(() => daemon[Symbol.asyncDispose]());

const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@sylk.invalid", ...args], {
    cwd: daemon.repository,
    encoding: "utf8",
    env: { ...daemon.env },
  });

async function ask<Name extends "find" | "search" | "symbols" | "usages" | "dependents" | "outline" | "files" | "map">(
  name: Name,
  ...args: string[]
): Promise<OutputOf<`code.${Name}`>> {
  const run = await daemon.sylk([name, ...args, "--json"]);
  expect(run.stderr).toBe("");
  return jsonOf<OutputOf<`code.${Name}`>>(run);
}

it("symbols are listed by name and kind with file:line, tree and revision [LIB-1, LIB-10, LIB-38]", async () => {
  const { items, about } = await ask("symbols", "price");
  const commit = git("rev-parse", "HEAD").trim();
  expect(about).toMatchObject({
    tree: daemon.repository,
    commit,
    branch: "main",
    uncommitted: 0,
    revision: `${commit.slice(0, 8)} on main`,
    provider: "syntax",
    confidence: "exact",
    notIndexed: { count: 0, waiting: 0 },
    failed: [],
  });
  expect(items.map(({ name, path, line, match }) => `${match} ${name} ${path}:${line}`)).toEqual([
    "prefix priceOf src/price.ts:2",
    "prefix priceLimit src/price.ts:6",
    "prefix price_report tools/report.py:4",
  ]);
  expect((await ask("symbols", "price", "--kind", "const")).items.map(({ name }) => name)).toEqual(["priceLimit"]);
  expect((await ask("symbols", "order", "--kind", "type")).items.map(({ name }) => name)).toEqual(["Order"]);
  const { stdout, stderr } = await daemon.sylk(["symbols", "priceOf"]);
  expect(stdout).toContain("src/price.ts:2:17  function priceOf");
  expect(stderr).toContain(`${daemon.repository} at ${commit.slice(0, 8)} on main; by syntax, exact`);
});

it("a saved file is answered by its new content, and said to be uncommitted [LIB-6]", async () => {
  writeFileSync(join(daemon.repository, "src/price.ts"), "export function renamedPrice() {}\n");
  const changed = await ask("symbols", "renamedPrice");
  expect(changed.items).toMatchObject([{ path: "src/price.ts", line: 1 }]);
  expect(changed.about).toMatchObject({ uncommitted: 1, revision: expect.stringMatching(/ with 1 uncommitted file$/) });
  expect((await ask("symbols", "priceOf", "--exact")).items).toEqual([]);
  git("checkout", "--", "src/price.ts");
  expect((await ask("symbols", "priceOf", "--exact")).items).toHaveLength(1);
  expect((await ask("symbols", "renamedPrice", "--exact")).items).toEqual([]);
});
