/** The skill find_files, which several roles have, each in a domain of its own. */
import { choice, defineSkill, int, optional, text } from "../../../knowledge/skills/index.ts";
import { callable, type CallableSkill } from "../../skills/index.ts";
import type { KnownFiles } from "./known-files.ts";
import { findAmong, fitsOnDisk, listed } from "./list-known-files.ts";

type FileSkill = ReturnType<typeof findFilesSkill>;

export const findFilesSkill = (domain: string) =>
  defineSkill({
    name: "find_files",
    description: "Find files and folders below a folder, by name, kind, age and depth, among those git knows",
    domain,
    keywords: ["find files", "files", "folders"],
    tier: "domain",
    parameters: {
      path: text("Folder to look in, relative to the root; . for the whole tree"),
      name: optional(text("Name or pattern of names, for example *.test.ts")),
      type: optional(choice(["f", "d", "l"], "f for files, d for folders, l for symbolic links; all by default")),
      mtime: optional(text("Days since the last change: -7 for less than seven, +7 for more, 7 for exactly")),
      maxdepth: optional(int("How many levels down; 1 is the folder itself")),
    },
    tokens: 203,
  });

export function findFiles(skill: FileSkill, files: KnownFiles): CallableSkill {
  return callable(skill, "read", async (wanted) => {
    const fits = fitsOnDisk(wanted);
    const found = findAmong(wanted, await files.list());
    if (fits === undefined) return listed(found);
    const facts = await files.facts(found);
    return listed(found.filter((_path, index) => facts[index] !== undefined && fits(facts[index])));
  });
}
