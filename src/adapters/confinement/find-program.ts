/**
 * Where a program of ours is: in a folder of the daemon's own PATH, never in one of the command's. A command's PATH may name a
 * folder that a model or an agent fills, and what starts a sandbox must not come from there.
 */
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

export function findProgram(name: string): string {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute);
  const found = folders.map((folder) => join(folder, name)).find(isExecutable);
  // Starting it says that it is not there; a bare name would be looked up in the command's PATH.
  return found ?? join("/not-installed", name);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
