/**
 * Where a program of ours is: in a folder of the daemon's own PATH, never in one of the command's. A command's PATH may name a
 * folder that a model or an agent fills, and what starts a sandbox must not come from there.
 */
import { join } from "node:path";
import { locateProgram } from "../processes/index.ts";

export function findProgram(name: string): string {
  // Starting it says that it is not there; a bare name would be looked up in the command's PATH.
  return locateProgram(name, process.env.PATH) ?? join("/not-installed", name);
}
