/**
 * Finds the migration files: in a built package all stand in `dist/migrations`, in a checkout each folder has its own
 * `migrations/`. Numbers form one sequence over all folders, so their order is the same in both.
 */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Migration } from "./migrate.ts";

export function readMigrations(): readonly Migration[] {
  return migrationFiles()
    .map(readMigration)
    .sort((a, b) => a.number - b.number);
}

function migrationFiles(): readonly string[] {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const built of [join(here, "migrations"), join(here, "..", "migrations")]) {
    if (existsSync(built))
      return readdirSync(built)
        .filter((file) => file.endsWith(".sql"))
        .map((file) => join(built, file));
  }
  const sources = join(here, "..", "..");
  return globSync("**/migrations/*.sql", { cwd: sources }).map((file) => join(sources, file));
}

function readMigration(file: string): Migration {
  const [, number, name] = /^(\d{4})-(.+)\.sql$/.exec(basename(file)) ?? [];
  if (number === undefined || name === undefined)
    throw new Error(`${basename(file)} is not named NNNN-what-it-adds.sql`);
  return { number: Number(number), name, sql: readFileSync(file, "utf8") };
}
