/** The operations on tools. */
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, resolve, sep } from "node:path";
import { type Caller, DomainError, type InputOf, invalidInput, type SessionId } from "../../contract/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import type { DiscoverRequest, ToolDiscovery } from "./discover-tools.ts";
import type { InstallRequests } from "./install-requests.ts";
import type { ToolInstaller } from "./install-tool.ts";

export type ToolPorts = {
  readonly discovery: ToolDiscovery;
  readonly installer: ToolInstaller;
  readonly requests: Pick<InstallRequests, "ask">;
  /** The session that a caller works in. */
  readonly sessionOf: (caller: Caller, wanted: SessionId | undefined) => Promise<string>;
};

export function toolHandlers({
  discovery,
  installer,
  requests,
  sessionOf,
}: ToolPorts): OperationHandlers<unknown, OperationsOn<"tool">> {
  return {
    "tool.discover": async (input, { caller }) =>
      discovery.discover(await requestOf(input, caller, await sessionOf(caller, input.session))),
    "tool.install": async (input, { caller }) => {
      const wanted = { ...input, path: await folderOf(input.path, caller) };
      return caller.kind === "agent" && !input.dryRun ? requests.ask(wanted, caller) : installer.install(wanted);
    },
    "tool.uninstall": async (input, { caller }) =>
      installer.uninstall({ ...input, path: await folderOf(input.path, caller) }),
  };
}

async function requestOf(
  { path, session: _session, ...rest }: InputOf<"tool.discover">,
  caller: Caller,
  session: string,
): Promise<DiscoverRequest> {
  const agent = caller.kind === "agent" ? caller.agent.id : "user";
  return { ...rest, session, agent, path: await folderOf(path, caller) };
}

async function folderOf(path: string | undefined, caller: Caller): Promise<string> {
  const base = caller.kind === "agent" ? caller.tree : caller.folder;
  if (base === undefined && (path === undefined || !isAbsolute(path)))
    throw invalidInput("path", "must be absolute", {
      sentence: "path: no folder is known for this call; send an absolute path",
    });
  const folder = resolve(base ?? "/", path ?? ".");
  return caller.kind === "agent" ? folderInside(caller.tree, folder) : existingFolder(folder);
}

/** A link out of the tree does not lead out of it. */
export async function folderInside(tree: string, path: string): Promise<string> {
  const root = await realpath(tree).catch(() => tree);
  const folder = await existingFolder(resolve(root, path));
  if (folder === root || folder.startsWith(root + sep)) return folder;
  throw new DomainError("caller.denied", `${folder} lies outside of the agent's tree ${root}`, {
    details: { needed: "a path inside its own tree" },
  });
}

export async function existingFolder(path: string): Promise<string> {
  const folder = await realpath(path).catch(() => undefined);
  if (folder !== undefined && (await stat(folder)).isDirectory()) return folder;
  throw new DomainError("project.not-found", `There is no folder "${path}" on this machine; check the path`, {
    details: { path },
  });
}
