/** The words of the routing grammar. Agents and shortcuts are registered; intents and domains are fixed, with short forms. */
import type { RoleName } from "../../contract/index.ts";

export type KnownAgent = { readonly name: string; readonly aliases?: readonly string[] };
export type Shortcut = { readonly action: string; readonly agent: string };
export type Vocabulary = { readonly agents: readonly KnownAgent[]; readonly shortcuts?: readonly Shortcut[] };

export const intents: Readonly<Record<string, readonly string[]>> = {
  recall: ["r"],
  check: ["c"],
  store: ["s"],
  declare: ["d"],
  complete: [],
  help: ["?"],
  status: ["!"],
  plan: [],
  interrupt: [],
  validate: [],
  execute: [],
  analyze: [],
};

export const domains: Readonly<Record<string, readonly string[]>> = {
  patterns: ["pat"],
  failures: ["fail"],
  decisions: ["dec"],
  files: [],
  learnings: ["learn"],
  intents: [],
  agents: [],
  system: ["sys"],
  tasks: [],
  code: [],
  workflow: [],
};

/** Whom `@guide:<agent>` names, and no other. */
export const guideTargets = [
  "architect",
  "librarian",
  "academic",
  "archivalist",
  "inspector",
  "tester",
] as const satisfies readonly RoleName[];

/** Whom a person may address: Engineers, the Orchestrator and the Guide itself are reached through others. */
export const userVocabulary: Vocabulary = {
  agents: guideTargets.map((name) => (name === "archivalist" ? { name, aliases: ["arch"] } : { name })),
};
