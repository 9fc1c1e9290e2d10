/**
 * What roles can look at and check outside of runs: a tree and the runs of a session.
 *
 *   at { session, tree, project } -> files, search, latest run, checks -> skills and slash commands of roles
 */
import { type CodeIndex, lookInto } from "../../knowledge/code-index/index.ts";
import type { CommandRequest, CommandResult } from "../../orchestration/executors/index.ts";
import type { GraphRepository } from "../../orchestration/graphs/index.ts";
import type { RunRepository } from "../../orchestration/runs/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { ResearchDesk, ResearchPlace } from "../../knowledge/sources/index.ts";
import type { AcademicPorts } from "../academic/index.ts";
import type { InspectorPorts } from "../inspector/index.ts";
import { checksHere } from "../shared/checks/index.ts";
import type { LibrarianPorts, ToolLook } from "../shared/code-look/index.ts";
import { createReadCache, knownFiles } from "../shared/known-files/index.ts";
import type { SkillPlace } from "../skills/index.ts";
import type { TesterPorts } from "../tester/index.ts";
import { findRun } from "./find-run.ts";

type RolePlace = Omit<SkillPlace, "own">;
export type RolePorts = LibrarianPorts & AcademicPorts & InspectorPorts & TesterPorts;
export type RolePortsAt = (at: RolePlace) => RolePorts;
type ToolsAsked = Parameters<ToolLook["toolsIn"]>[0];
type LookPorts = {
  readonly reader: {
    readonly runs: RunRepository;
    readonly dags: GraphRepository;
  };
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly index: Pick<CodeIndex, "ask">;
  /** Files of a tree that git knows. */
  readonly listFiles: (tree: string) => Promise<readonly string[]>;
  /** A file of the tree's last commit; undefined if it is not there. */
  readonly committedFile: (tree: string, path: string) => Promise<string | undefined>;
  /** Names of the files of a folder of it. */
  readonly committedNames: (tree: string, folder: string) => Promise<readonly string[]>;
  /** Tools of a folder of the tree, for a session. */
  readonly toolsIn: (asked: ToolsAsked, at: RolePlace) => ReturnType<ToolLook["toolsIn"]>;
  readonly scanTools: (asked: ToolsAsked, at: RolePlace) => ReturnType<ToolLook["scanTools"]>;
  readonly scanRemote: LibrarianPorts["scanRemote"];
  readonly researchAt: (place: ResearchPlace) => ResearchDesk;
  readonly toolNames: AcademicPorts["toolNames"];
  readonly contentHash: (tree: string) => Promise<string>;
  /** Runs a check's command in the session's share of the pool; its output is safe to show. */
  readonly command: (
    request: Pick<CommandRequest, "argv" | "cwd" | "timeoutMs" | "signal">,
    at: RolePlace,
  ) => Promise<CommandResult>;
};

export function rolePorts(ports: LookPorts): RolePortsAt {
  const { reader, index, listFiles, committedFile, committedNames, contentHash, command } = ports;
  const cache = createReadCache();
  return (at) => {
    const { tree } = at;
    const files = knownFiles(tree, listFiles, ports.clock.now, cache);
    return {
      files,
      look: lookInto(index, tree),
      toolsIn: (asked) => ports.toolsIn(asked, at),
      scanTools: (asked) => ports.scanTools(asked, at),
      scanRemote: ports.scanRemote,
      research: ports.researchAt(at),
      toolNames: ports.toolNames,
      year: () => new Date(ports.clock.now()).getUTCFullYear(),
      run: (id?: string) => findRun(id, at, reader),
      ...checksHere({
        ...ports,
        tree,
        committedFile: (path) => committedFile(tree, path),
        committedNames: (folder) => committedNames(tree, folder),
        contentHash: () => contentHash(tree),
        command: (request) => command(request, at),
      }),
    };
  };
}
