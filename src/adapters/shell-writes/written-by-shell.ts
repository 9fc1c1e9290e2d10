/** A command of a client's shell tool, in the words of a write event: as many, and as long, as `guard.write` takes. */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import type { HookEvent } from "../../contract/index.ts";
import { escapeGlob } from "./field.ts";
import { isHardLinked, linkedFrom } from "./linked-files.ts";
import { namesInArchive } from "./read-archive.ts";
import { readTextFile } from "./read-text-file.ts";
import { writeTargets } from "./write-targets.ts";

type Written = Required<
  Pick<Extract<HookEvent, { kind: "write" }>, "paths" | "patterns" | "unknown" | "programs" | "gitCommands">
>;

const mostPaths = 500;
const longestPath = 4096;
const mostUnknown = 20;
const longestUnknown = 200;
const mostGitCommands = 10;
const mostLinkedGlobs = 20;
const mostArguments = 100;

/** Undefined for a command that writes nothing. */
export function writtenByShell(command: string, cwd: string): Written | undefined {
  const { targets, unknown, programs, gitCommands } = writeTargets(command, {
    cwd,
    env: { HOME: homedir() },
    read: readTextFile,
    packed: namesInArchive,
    kindOf,
  });
  if (targets.length + unknown.length + programs.length + gitCommands.length === 0) return undefined;
  const named = targets.filter(({ path }) => path.length <= longestPath);
  const [globs, files] = [true, false].map((isPattern) => named.filter((target) => target.isPattern === isPattern));
  const linked = globs!.filter(({ path, isNameOnly }) => isNameOnly !== true && !path.endsWith("/**"));
  const isCut = named.length < targets.length || files!.length > mostPaths || globs!.length > mostPaths;
  const asked = gitCommands
    .filter(({ folder, args }) => folder.length <= longestPath && args.length <= mostArguments)
    .filter(({ args }) => args.every((arg) => arg.length <= longestPath))
    .slice(0, mostGitCommands);
  const doubts = [
    ...(asked.length < gitCommands.length ? ["git: more commands than can be asked for"] : []),
    ...(isCut ? ["more files than can be asked for"] : []),
    ...files!
      .filter(({ path, isNameOnly }) => isNameOnly !== true && isHardLinked(path))
      .map(({ path }) => `${path}: the file has another name, a hard link`),
    ...unknown.map(({ what, why }) => `${what}: ${why}`.slice(0, longestUnknown)),
  ];
  return {
    paths: files!.slice(0, mostPaths).map(({ path }) => path),
    patterns: [
      ...globs!.map(({ path }) => path),
      // Asked for, not reserved: the glob may leave them out.
      ...linked.slice(0, mostLinkedGlobs).flatMap(({ path }) => linkedFrom(path).map(escapeGlob)),
    ].slice(0, mostPaths),
    unknown: doubts.slice(0, mostUnknown),
    programs: programs.slice(0, mostUnknown).map((name) => name.slice(0, longestUnknown)),
    gitCommands: asked,
  };
}

function kindOf(path: string): "file" | "folder" | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? undefined : stats.isDirectory() ? "folder" : "file";
  } catch {
    return undefined; // not ours to look at
  }
}
