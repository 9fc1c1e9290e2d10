/** What callers name: a tree, an agent, a path, a version; each is found or refused with the way out. */
import { basename, dirname, resolve } from "node:path";
import { DomainError, invalidInput, type AgentCaller, type FileVersionId } from "../../contract/index.ts";
import { refOf, treeOfProject, type AgentRecord, type AgentRepository } from "../registry/index.ts";
import { treePath } from "../tree-paths/index.ts";
import { obstacleTo } from "./put-back.ts";
import type { FileVersionRepository, VersionRecord } from "./store.ts";

type Agents = Pick<AgentRepository, "find" | "findByName">;
type Versions = Pick<FileVersionRepository, "find" | "chain">;

export { treeOfProject };

export async function agentNamed(
  key: string | undefined,
  { project }: Pick<AgentCaller, "project">,
  agents: Agents,
): Promise<ReturnType<typeof refOf> | undefined> {
  if (key === undefined) return undefined;
  const found = (await agents.findByName(project.id, key)) ?? (await agents.find(key as AgentRecord["id"]));
  if (found !== undefined && found.project.id === project.id) return refOf(found);
  throw new DomainError("agent.not-found", `This project has no agent "${key}"; "sylk who" lists the live ones`, {
    details: { id: key },
  });
}

/** Links resolved, as hooks name it; but a file that a link has replaced is still found under its own name. */
export async function pathInTree(
  path: string,
  tree: string,
  {
    fileVersions,
    field = "path",
  }: { readonly fileVersions: Pick<FileVersionRepository, "latest">; readonly field?: string },
): Promise<string> {
  const file = resolve(tree, path);
  const folder = dirname(file) === tree ? "" : treePath(dirname(file), tree);
  const own = folder === undefined ? undefined : [folder, basename(file)].filter(Boolean).join("/").normalize("NFC");
  if (own !== undefined && (await fileVersions.latest(tree, own)) !== undefined) return own;
  const found = treePath(path, tree);
  if (found !== undefined) return found;
  throw invalidInput(field, "must lie inside the tree", {
    sentence: `"${path}" is not a file inside ${tree}; name a file below it`,
  });
}

export async function versionOf(
  id: FileVersionId,
  { tree, path }: { readonly tree: string; readonly path: string },
  versions: Versions,
): Promise<VersionRecord> {
  const version = await versions.find(id);
  if (version !== undefined && version.tree === tree && version.path === path) return version;
  if (version === undefined || version.tree !== tree) throw notKept(path, `there is no version ${id} of it`, id);
  const obstacle = obstacleTo(version);
  const wayOut = obstacle === undefined ? "" : `, and ${obstacle}: move it away, then repeat the command`;
  throw notKept(path, `version ${id} is one of ${version.path}${wayOut}`, id);
}

export function notKept(path: string, why: string, version?: FileVersionId): DomainError {
  return new DomainError(
    "file.not-kept",
    `Local history cannot give ${path}: ${why}; "sylk file history ${path}" lists the kept versions`,
    { details: { path, ...(version === undefined ? {} : { version }) } },
  );
}
