/** Commands over several projects: which project `--project` names, and when a list covers all of them. */
import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { DomainError, invalidInput } from "../../contract/errors.ts";
import type { Project } from "../../contract/index.ts";
import { suggestion } from "../../platform/nearest-name.ts";
import type { SylkClient } from "../client/index.ts";
import type { CommandContext, WrittenCommand } from "./command.ts";
import { treeRoot } from "./repository-path.ts";

/** Outside any repository a list covers all projects, unless the folder itself is known as one. */
export function coversAll({ flags, cwd }: Pick<CommandContext, "flags" | "cwd">): boolean {
  return flags.all === true || !insideRepository(cwd);
}

export function insideRepository(folder: string): boolean {
  return existsSync(join(treeRoot(folder), ".git"));
}

/** For a command whose input names another project: in a repository, the call stays that of the agent there. */
export function staysHere(command: WrittenCommand): WrittenCommand {
  return { ...command, staysHere: true };
}

/** Adds the project that such a command names. */
export function elsewhere<Fields extends object>(input: Fields, { elsewhere: project }: CommandContext): Fields {
  return project === undefined ? input : { ...input, project };
}

/** What names no folder here is the name of a project. */
export function folderOrName(typed: string, cwd: string): string {
  const folder = resolve(cwd, typed);
  return typed.includes("/") || existsSync(folder) ? folder : typed;
}

/** The folder of a project as typed: a folder, or the name or id of a project of this home. */
export async function projectFolder(typed: string, cwd: string, connect: () => Promise<SylkClient>): Promise<string> {
  const folder = folderOrName(typed, cwd);
  if (folder !== typed || isAbsolute(typed)) return folder;
  const { items } = await (await connect()).call("project.list", {});
  const found = items.filter(({ id, name }) => id === typed || name === typed);
  if (found.length === 1) return folderOf(found[0]!);
  if (found.length > 1)
    throw invalidInput("project", "is the name of several projects", {
      sentence: `${found.length} projects are called "${typed}"; give the folder of one: ${found.map(folderOf).join(", ")}`,
    });
  const near = suggestion(
    typed,
    items.map(({ name }) => name),
  );
  throw new DomainError(
    "project.not-found",
    `"${typed}" is neither a folder here nor a project of this home; "sylk project list" names them${near}`,
    { details: { path: typed } },
  );
}

function folderOf({ path }: Pick<Project, "path">): string {
  return basename(path) === ".git" ? dirname(path) : path;
}
