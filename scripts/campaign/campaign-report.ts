/** What campaigns have in common: their options, their table, the commit they ran on, their result in bench/results. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { publishCampaign } from "../../bench/report/write-report.ts";

const root = join(import.meta.dirname, "..", "..");

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

/** The newest result of each name takes the place of the older one, and the page of figures is made anew. */
export function recordCampaign(
  name: string,
  result: {
    readonly command: string;
    readonly date: string;
    readonly commit: string;
    readonly seed: number | null;
    readonly text: string;
    readonly asBlock?: true;
  },
): void {
  const { date, commit: head, ...rest } = result;
  publishCampaign(root, name, { ...rest, at: date, commit: shortened(head) });
}

/** The first seven digits, with the mark of a changed tree. */
function shortened(head: string): string {
  return head.replace(/^([0-9a-f]{7})[0-9a-f]{33}/, "$1");
}
