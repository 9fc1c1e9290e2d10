/** The files of a tree that differ from its last commit, each with the agent that wrote it last, as far as versions say. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentId } from "../../contract/index.ts";
import { lastWriters } from "./last-writers.ts";

type Ports = Parameters<typeof lastWriters>[2];

/** Throws where there is no repository (any more): nothing is known of it. */
export async function changedFiles(tree: string, ports: Ports): Promise<ReadonlyMap<string, AgentId | undefined>> {
  if (!existsSync(join(tree, ".git"))) throw new Error(`${tree} is not a working tree`);
  const changed = await ports.git.changed(tree);
  const writers = await lastWriters(tree, changed, ports);
  return new Map(changed.map((path) => [path, writers.get(path)?.id]));
}
