/**
 * Reads the migrations. Each folder has its own `migrations/`; their numbers form one sequence over all folders.
 */
import { basename } from "node:path";
import { listShippedFiles, readShippedFile } from "../shipped-files.ts";
import type { Migration } from "./migrate.ts";

export function readMigrations(): readonly Migration[] {
  return listShippedFiles("", [".sql"])
    .map(readMigration)
    .sort((a, b) => a.number - b.number);
}

function readMigration(file: string): Migration {
  const [, number, name] = /^(\d{4})-(.+)\.sql$/.exec(basename(file)) ?? [];
  if (number === undefined || name === undefined)
    throw new Error(`${basename(file)} is not named NNNN-what-it-adds.sql`);
  return { number: Number(number), name, sql: readShippedFile(file) };
}
