/** The files that a tool call will write, where its arguments are a shell command or a patch. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { writeTargets } from "../shell-writes/index.ts";
import { malformed } from "./read-sent.ts";

/** As many, and as long, as `guard.write` takes. */
const mostPaths = 500;
const longestPath = 4096;

/** What cannot be known before the command runs is let pass; the commit gate is behind it. */
export function writtenByShell(command: unknown, cwd: string): readonly string[] {
  if (typeof command !== "string") throw malformed("has no command");
  const { targets } = writeTargets(command, { cwd, env: { HOME: homedir() } });
  return bounded(targets.filter(({ isPattern }) => !isPattern).map(({ path }) => path));
}

/** Codex's form: `*** Update File: <path>` and its likes. */
export function writtenByPatch(patch: unknown, cwd: string): readonly string[] {
  if (typeof patch !== "string") throw malformed("has no patch");
  const named = patch.matchAll(/^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.+?)\s*$/gm);
  return bounded([...new Set([...named].map(([, path = ""]) => resolve(cwd, path)))]);
}

function bounded(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => path.length <= longestPath).slice(0, mostPaths);
}
