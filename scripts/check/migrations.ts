/** Migrations of all folders share one number sequence, so that every store applies them in the same order. */
import { globSync } from "node:fs";
import { basename, sep } from "node:path";
import type { Check } from "./check.ts";

export const migrations: Check = {
  name: "migrations",
  run: (root) => {
    const paths = globSync("src/**/migrations/*", { cwd: root }).map((path) => path.split(sep).join("/"));
    const misnamed = paths.filter((path) => !/^\d{4}-[a-z0-9-]+\.sql$/.test(basename(path)));
    const ordered = paths.filter((path) => !misnamed.includes(path)).toSorted(byName);
    return Promise.resolve([
      ...misnamed.map((path) => `${path}: migrations are named NNNN-what-it-adds.sql`),
      ...ordered.flatMap((path, index) => problemWith(path, ordered[index - 1])),
    ]);
  },
};

function problemWith(path: string, previous: string | undefined): string[] {
  const expected = previous === undefined ? 1 : numberOf(previous) + 1;
  if (numberOf(path) === expected) return [];
  if (previous !== undefined && numberOf(path) === numberOf(previous)) return [`${path}: same number as ${previous}`];
  return [`${path}: gap in the sequence, ${String(expected).padStart(4, "0")} is missing`];
}

function numberOf(path: string): number {
  return Number(basename(path).slice(0, 4));
}

function byName(a: string, b: string): number {
  return basename(a).localeCompare(basename(b), "en");
}
