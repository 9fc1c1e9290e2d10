/** Skills about the files that git knows: read one, list them, find them, show how a folder is built. */
import { defineSkill, int, optional, text } from "../../../knowledge/skills/index.ts";
import { callable, type CallableSkill } from "../../skills/index.ts";
import {
  findFiles as findFilesIn,
  findFilesSkill,
  inLines,
  type KnownFiles,
  matching,
  structureOf,
} from "../known-files/index.ts";

const codebase = { domain: "codebase" } as const;

export const getFile = defineSkill({
  ...codebase,
  name: "get_file",
  description: "Read a file that git knows, or some lines of it",
  keywords: ["read", "file", "content", "show"],
  tier: "core",
  parameters: {
    path: text("Path relative to the root"),
    start_line: optional(int("First line, from 1")),
    end_line: optional(int("Last line")),
  },
  tokens: 123,
});

const listFiles = defineSkill({
  domain: "files",
  name: "list_files",
  description: "List the files git knows whose paths match a pattern",
  keywords: ["list files", "list", "files"],
  tier: "domain",
  parameters: { pattern: text("Pattern of paths, for example src/**/*.ts; ** is any number of folders") },
  tokens: 64,
});

const findFiles = findFilesSkill("files");

const getStructure = defineSkill({
  ...codebase,
  name: "get_structure",
  description: "Show how a folder is built: its folders, each with how many files are below it, and its own files",
  keywords: ["structure", "layout", "folders", "tree"],
  tier: "domain",
  parameters: { path: text("Folder relative to the root; . for the whole tree") },
  tokens: 72,
});

export const fileSkills = [listFiles, findFiles, getStructure];

export function fileCallables(files: KnownFiles): readonly CallableSkill[] {
  return [
    callable(getFile, "read", async ({ path, start_line: from, end_line: to }) =>
      inLines(await files.read(path), { from, to }),
    ),
    callable(listFiles, "read", async ({ pattern }) => matching(pattern, await files.list()).shown),
    findFilesIn(findFiles, files),
    callable(getStructure, "read", async ({ path }) => structureOf(path, await files.list())),
  ];
}
