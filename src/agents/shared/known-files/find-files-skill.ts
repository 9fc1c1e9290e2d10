/** The skill find_files, which several roles have, each in a domain of its own. */
import { choice, defineSkill, int, optional, text } from "../../../knowledge/skills/index.ts";
import { callable, type CallableSkill } from "../../skills/index.ts";
import type { KnownFiles } from "./known-files.ts";
import { findAmong } from "./list-known-files.ts";

type FileSkill = ReturnType<typeof findFilesSkill>;

export const findFilesSkill = (domain: string) =>
  defineSkill({
    name: "find_files",
    description: "Find files and folders below a folder, by name, kind and depth, among those git knows",
    domain,
    keywords: ["find files", "files", "folders"],
    tier: "domain",
    parameters: {
      path: text("Folder to look in, relative to the root; . for the whole tree"),
      name: optional(text("Name or pattern of names, for example *.test.ts")),
      type: optional(choice(["f", "d"], "f for files, d for folders; both by default")),
      maxdepth: optional(int("How many levels down; 1 is the folder itself")),
    },
    tokens: 162,
  });

export function findFiles(skill: FileSkill, { list }: KnownFiles): CallableSkill {
  return callable(skill, "read", async (wanted) => findAmong(wanted, await list()));
}
