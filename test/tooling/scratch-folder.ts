/** A folder of its own for one test, removed afterwards. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

export const repository = join(import.meta.dirname, "..", "..");

export function scratchFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sylk-tooling-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files given as path to content, making their folders. */
export function writeTree(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

export function copyFromRepository(root: string, paths: readonly string[]): void {
  for (const path of paths) cpSync(join(repository, path), join(root, path), { recursive: true });
}
