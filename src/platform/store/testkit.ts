/** For tests that need a real database file: a folder that removes itself, and a store that is migrated already. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Migration } from "./migrate.ts";
import { openWriter } from "./open-writer.ts";
import { readMigrations } from "./read-migrations.ts";

export type ScratchFolder = Disposable & {
  readonly path: string;
  /** Every byte in it, as text: to look for what must not be there. */
  content(): string;
};

export function scratchFolder(): ScratchFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "sylk-scratch-")));
  return {
    path,
    content: () =>
      readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
        .join("\n"),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

type MigratedFile = { readonly file: string; readonly migrations: readonly Migration[] };
let made: { readonly bytes: Buffer; readonly migrations: readonly Migration[] } | undefined;

/**
 * The options a store is opened with. A new one begins as a copy of the store that all migrations have made once: running them
 * again for each of some thousand stores would take longer than the tests.
 */
export function migratedFile(file: string): MigratedFile {
  made ??= runMigrations();
  if (!existsSync(file)) writeFileSync(file, made.bytes, { mode: 0o600 });
  return { file, migrations: made.migrations };
}

function runMigrations(): NonNullable<typeof made> {
  using folder = scratchFolder();
  const file = join(folder.path, "migrated.db");
  const migrations = readMigrations();
  openWriter(file, migrations, { durable: false }).close();
  return { bytes: readFileSync(file), migrations };
}
