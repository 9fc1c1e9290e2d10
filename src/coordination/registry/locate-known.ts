/**
 * The project of a folder, also after the folder is gone: a tree in which an agent worked is remembered, so what is kept of
 * its files can be listed and put back. A gone folder that never was such a tree stays unknown.
 */
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DomainError } from "../../contract/index.ts";
import { locateProject, type ProjectPlace } from "./locate-project.ts";
import type { AgentRepository } from "./store.ts";

type Reader = { readonly agents: Pick<AgentRepository, "findByTree"> };

export async function locateKnown(folder: string, { agents }: Reader): Promise<ProjectPlace> {
  try {
    return await locateProject(folder);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "project.not-found") throw error;
    for (const tree of missingFolders(folder)) {
      const last = await agents.findByTree(tree);
      if (last !== undefined) return { path: last.project.path, name: last.project.name, tree, branch: undefined };
    }
    throw error;
  }
}

/**
 * The folder and those above it that are gone; links in what is left are resolved, as they were when it was known. None of a
 * path that the file system refuses (a NUL, too long, a link to itself): no tree can have been there.
 */
function missingFolders(folder: string): readonly string[] {
  const names: string[] = [];
  let there = folder;
  try {
    while (lstatSync(there, { throwIfNoEntry: false }) === undefined && dirname(there) !== there) {
      names.unshift(basename(there));
      there = dirname(there);
    }
    const real = realpathSync(there);
    return names.map((_, index) => join(real, ...names.slice(0, names.length - index)));
  } catch {
    return [];
  }
}
