/** A command of a client's shell tool, in the words of a write event: as many, and as long, as `guard.write` takes. */
import { homedir } from "node:os";
import type { HookEvent } from "../../contract/index.ts";
import { writeTargets } from "./write-targets.ts";

type Written = Required<Pick<Extract<HookEvent, { kind: "write" }>, "paths" | "patterns" | "unknown">>;

const mostPaths = 500;
const longestPath = 4096;
const mostUnknown = 20;
const longestUnknown = 200;

/** Undefined for a command that writes nothing. */
export function writtenByShell(command: string, cwd: string): Written | undefined {
  const { targets, unknown } = writeTargets(command, { cwd, env: { HOME: homedir() } });
  if (targets.length + unknown.length === 0) return undefined;
  const named = targets.filter(({ path }) => path.length <= longestPath);
  const [globs, files] = [true, false].map((isPattern) => named.filter((target) => target.isPattern === isPattern));
  const isCut = named.length < targets.length || files!.length > mostPaths || globs!.length > mostPaths;
  const doubts = [
    ...(isCut ? ["more files than can be asked for"] : []),
    ...unknown.map(({ what, why }) => `${what}: ${why}`.slice(0, longestUnknown)),
  ];
  return {
    paths: files!.slice(0, mostPaths).map(({ path }) => path),
    patterns: globs!.slice(0, mostPaths).map(({ path }) => path),
    unknown: doubts.slice(0, mostUnknown),
  };
}
