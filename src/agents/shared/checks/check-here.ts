/**
 * The checks of a run, on a tree in which no run works: with the project's own command, as its last commit names it.
 *
 *   folder -> inside the tree? -> its command -> a place in the pool -> run -> outcome and findings
 */
import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { type Check, DomainError, type Finding, invalidInput } from "../../../contract/index.ts";
import type { CommandRequest, CommandResult } from "../../../orchestration/executors/index.ts";
import { discoverChecks, runCheck } from "../../../orchestration/quality/index.ts";
import type { Clock } from "../../../platform/clock/index.ts";
import type { IdSource } from "../../../platform/ids/index.ts";

export type CheckHere = (kind: Check["kind"], terms: Terms) => Promise<CheckedHere>;
export type ToolsHere = (path: string) => Promise<Awaited<ReturnType<typeof discoverChecks>>>;
type CheckedHere = Omit<Check, "round"> & { readonly findings: readonly Finding[] };
type Terms = { readonly path: string; readonly verbose: boolean; readonly signal: AbortSignal };
type Ports = {
  readonly tree: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Of the last commit; undefined if it is not there. */
  readonly committedFile: (path: string) => Promise<string | undefined>;
  /** Names of the files of a folder of the last commit; "" is the root. */
  readonly committedNames: (folder: string) => Promise<readonly string[]>;
  readonly contentHash: (tree: string) => Promise<string>;
  readonly command: (request: Pick<CommandRequest, "argv" | "cwd" | "timeoutMs" | "signal">) => Promise<CommandResult>;
};

export function checksHere(ports: Ports): { readonly check: CheckHere; readonly tools: ToolsHere } {
  const { tree, committedFile, committedNames } = ports;
  const tools: ToolsHere = async (path) => {
    const { inside, folder } = await folderIn(tree, path);
    return discoverChecks({
      baseFile: (file) => committedFile(join(inside, file)),
      baseNames: () => committedNames(inside),
      tree: folder,
      userCommands: {},
    });
  };
  return {
    tools,
    async check(kind, { path, verbose, signal }) {
      const { folder } = await folderIn(tree, path);
      const { problem, ...commands } = await tools(path);
      const command = commands[kind];
      const by = kind === "tests" ? "tester" : "inspector";
      const { check, findings } = await runCheck({ kind, by, round: 0, command, problem, tree: folder, signal }, ports);
      const { outcome, summary, round: _round, ...rest } = check;
      const told = findings.map(({ evidence, ...finding }) => (verbose ? { ...finding, evidence } : finding));
      return { outcome, summary, ...rest, findings: told };
    },
  };
}

async function folderIn(tree: string, path: string): Promise<{ readonly folder: string; readonly inside: string }> {
  const root = await realpath(tree);
  const folder = await realpath(join(root, path)).catch(() => undefined);
  if (folder !== undefined && folder !== root && !folder.startsWith(root + sep))
    throw new DomainError("caller.denied", `"${path}" is outside the working tree; name a folder inside of it`, {
      details: { needed: "a path inside its own tree" },
    });
  if (folder === undefined || !(await stat(folder)).isDirectory()) {
    const message = `there is no folder "${path}"; "." is the root`;
    throw invalidInput("path", message, { sentence: message });
  }
  return { folder, inside: folder.slice(root.length + 1) };
}
