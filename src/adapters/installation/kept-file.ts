/** Files of other people that we change: read and written whole, and remembered as they were. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hash } from "node:crypto";
import { dirname } from "node:path";
import { endOf } from "./links.ts";
import { asFileTrouble } from "../../platform/target-file.ts";

/** Undefined when it is not there. */
export function readText(file: string): string | undefined {
  try {
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  } catch (error) {
    throw asFileTrouble(error, file);
  }
}

export function digest(text: string): string {
  return hash("sha256", text, "hex");
}

/** All of it or nothing; a link stays a link. Returns the folders that had to be made, the outermost first. */
export function writeText(file: string, text: string, mode?: number): readonly string[] {
  try {
    const target = endOf(file);
    const made = makeFolders(dirname(target));
    const kept = statSync(target, { throwIfNoEntry: false })?.mode;
    const draft = `${target}.sylk-${process.pid}`;
    writeFileSync(draft, text, { flag: "wx", mode: mode ?? 0o644 });
    if ((mode ?? kept) !== undefined) chmodSync(draft, (mode ?? kept)! & 0o777);
    renameSync(draft, target);
    return made;
  } catch (error) {
    throw asFileTrouble(error, file);
  }
}

export function removeFile(file: string, folders: readonly string[]): void {
  rmSync(file, { force: true });
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      return; // the user put something into it
    }
  }
}

function makeFolders(folder: string): readonly string[] {
  if (existsSync(folder)) return [];
  const made = [...makeFolders(dirname(folder)), folder];
  mkdirSync(folder);
  return made;
}
