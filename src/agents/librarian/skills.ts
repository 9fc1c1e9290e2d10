/** The skills of the Librarian. */
import { defineSkill, int, optional, text } from "../../knowledge/skills/index.ts";
import { standardCards } from "../../orchestration/guide/index.ts";
import { defineRole, runCommand } from "../skills/index.ts";
import { deepSkills, findSymbol, findUsages, searchCode } from "../shared/code-look/index.ts";
import { findFilesSkill } from "../shared/known-files/index.ts";
import { toolSkills } from "./tool-skills.ts";

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

export const listFiles = defineSkill({
  ...codebase,
  name: "list_files",
  description: "List the files git knows whose paths match a pattern",
  keywords: ["list files", "list", "files"],
  tier: "domain",
  parameters: { pattern: text("Pattern of paths, for example src/**/*.ts; ** is any number of folders") },
  tokens: 64,
});

export const findFiles = findFilesSkill("codebase");

export const getStructure = defineSkill({
  ...codebase,
  name: "get_structure",
  description: "Show how a folder is built: its folders, each with how many files are below it, and its own files",
  keywords: ["structure", "layout", "folders", "tree"],
  tier: "domain",
  parameters: { path: text("Folder relative to the root; . for the whole tree") },
  tokens: 72,
});

export const librarianRole = defineRole({
  card: standardCards.librarian,
  core: [findSymbol, searchCode, getFile, runCommand],
  extended: [findUsages, ...deepSkills, listFiles, findFiles, getStructure, ...toolSkills],
});
