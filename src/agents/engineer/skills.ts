/** The skills of an Engineer. Its tools are made from these definitions, so a model is told exactly what is checked. */
import * as z from "zod";
import { defineSkill, optional, text } from "../../knowledge/skills/index.ts";
import { lookSkills } from "../shared/code-look/index.ts";
import { defineRole } from "../skills/index.ts";

const Path = z.string().min(1).max(1024).describe("Relative to the repository root");

export const readFile = defineSkill({
  name: "read_file",
  description: "Read a text file",
  domain: "file_ops",
  keywords: ["read", "file", "content", "show"],
  tier: "core",
  parameters: { path: Path },
  tokens: 58,
});

export const writeFile = defineSkill({
  name: "write_file",
  description: "Write a whole file, new or replaced",
  domain: "file_ops",
  keywords: ["write", "file", "create", "save"],
  tier: "core",
  parameters: { path: Path, content: z.string().max(1_000_000) },
  tokens: 78,
});

export const editFile = defineSkill({
  name: "edit_file",
  description: "Replace one piece of text in a file",
  domain: "file_ops",
  keywords: ["edit", "replace", "modify", "change"],
  tier: "core",
  parameters: {
    path: Path,
    find: z.string().min(1).describe("Text that occurs exactly once"),
    replace: z.string(),
  },
  tokens: 93,
});

export const search = defineSkill({
  name: "search",
  description: "Find text in the repository's files",
  domain: "search",
  keywords: ["grep", "regex", "search", "content"],
  tier: "core",
  parameters: { text: z.string().min(1).max(200).describe("Text to find, as it is") },
  tokens: 61,
});

/** A program, where the other agents' skill of this name is a slash command. */
export const runProgram = defineSkill({
  name: "run_command",
  id: "engineer.run_command",
  description: "Run a program in the repository, without a shell",
  domain: "bash",
  keywords: ["run", "command", "bash", "shell", "execute"],
  tier: "core",
  parameters: {
    argv: z.array(z.string().max(2000)).min(1).max(50).describe("Program and arguments; no shell"),
  },
  tokens: 76,
});

/** Given to every Engineer: a question comes up in the middle of the work, and no word of the task foretells it. */
export const requestHelp = defineSkill({
  name: "request_help",
  description:
    "Ask what neither the task nor the code says. The Architect answers, or asks the user; then the work continues with the answer.",
  domain: "consultation",
  keywords: ["unclear", "clarify"],
  tier: "domain",
  parameters: {
    question: text("One question that can be answered without seeing this conversation"),
    context: optional(text("What it depends on, and what was found so far")),
  },
  tokens: 95,
});

export const consultLibrarian = defineSkill({
  name: "consult_librarian",
  description: "Query the codebase for existing implementations: the Librarian answers with the files that fit best",
  domain: "consultation",
  keywords: ["codebase", "existing", "implemented", "find"],
  tier: "domain",
  parameters: { query: text("What to look for") },
  tokens: 62,
});

export const consultArchivalist = defineSkill({
  name: "consult_archivalist",
  description:
    "Query the archive of runs for what was tried before: the Archivalist answers with the entries that fit best",
  domain: "consultation",
  keywords: ["history", "before", "tried", "previously"],
  tier: "domain",
  parameters: { query: text("What to look for") },
  tokens: 66,
});

export const engineerRole = defineRole({
  card: {
    name: "engineer",
    description: "Does one piece of work in the repository, through tools",
    intents: ["complete", "help"],
    constraints: { internal: true },
  },
  core: [readFile, writeFile, editFile, search, runProgram],
  extended: [...lookSkills, consultLibrarian, consultArchivalist, requestHelp],
});
