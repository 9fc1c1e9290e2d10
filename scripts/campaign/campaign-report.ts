/** What campaigns have in common: their options, their table, the commit they ran on, their row in docs/benchmarks.md. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const page = join(root, "docs", "benchmarks.md");

/** Ends the program where the option is no whole number above 0. */
export function wholeNumber(name: string, given: string): number {
  const value = Number(given);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`sylk: --${name} must be a whole number above 0, not "${given}"`);
  process.exit(2);
}

export function reportTable(rows: Readonly<Record<string, string | number>>): string {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  const lines = Object.entries(rows).map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  return `\n${lines.join("\n")}\n`;
}

/** With a mark when the tree holds more than the commit. */
export function commit(): string {
  const git = (...args: string[]): string => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout.trim();
  const head = git("rev-parse", "--verify", "-q", "HEAD");
  return head === "" ? "none" : `${head}${git("status", "--porcelain") === "" ? "" : " with changes"}`;
}

/** One row per campaign: a newer run takes the place of the older one. */
export function recordRow(campaign: string, cells: readonly [command: string, when: string, result: string]): void {
  const row = `| ${cells.join(" | ")} |`;
  const lines = readFileSync(page, "utf8").trimEnd().split("\n");
  const known = lines.findIndex((line) => line.startsWith(`| \`npm run campaign:${campaign} `));
  if (known === -1) lines.push(row);
  else lines[known] = row;
  writeFileSync(page, `${lines.join("\n")}\n`);
}
