/**
 * Skills: what an agent can do, as a model is told about it; a role's own, or SKILL.md folders of the project and the user.
 *
 *   skill.list  what a role has, what a text would load and why       skill.check  what is wrong with folders
 *   skill.loaded, load, unload  what an agent has loaded: kept over its calls, until it is unused for five of them
 *
 * What files say is other people's text: a model gets it as data.
 */
import * as z from "zod";
import { defineOperation } from "./define.ts";
import { SessionId } from "./ids.ts";

/** Roles that have skills. */
export const SkillRole = z.enum([
  "guide",
  "architect",
  "orchestrator",
  "engineer",
  "inspector",
  "tester",
  "librarian",
  "academic",
  "archivalist",
]);
export type SkillRole = z.infer<typeof SkillRole>;

const Count = z.int().min(0);
const Tier = z
  .enum(["core", "domain", "specialised"])
  .describe("core is always loaded, domain by keyword, specialised on request");
const Source = z
  .enum(["role", "project", "user"])
  .describe("Source: the role's own, or a folder of the project or user");

export const WhyLoaded = z.object({
  by: z.enum(["core", "keywords", "request", "tool-call", "command"]),
  matched: z.array(z.string()).optional().describe("Keywords that the text has"),
  score: Count.optional().describe("Words of those keywords"),
});

export const LoadedFact = z.object({ name: z.string(), tier: Tier, source: Source, tokens: Count, why: WhyLoaded });
export type LoadedFact = Readonly<z.infer<typeof LoadedFact>>;

export const SkillBudget = z.object({
  used: Count.describe("Tokens of what is loaded"),
  max: Count,
  skills: Count.describe("How many are loaded"),
  maxSkills: Count,
});
export type SkillBudget = Readonly<z.infer<typeof SkillBudget>>;

const SkillProblem = z.object({
  file: z.string(),
  line: z.int().min(1).optional().describe("Absent for the whole file or folder"),
  message: z.string(),
});

const Item = z.object({
  name: z.string(),
  id: z.string().optional().describe("The role, where two roles use one name differently"),
  tool: z.string().optional().describe("Name of the tool that calls it, where it differs"),
  description: z.string().optional().describe("Of the role's own"),
  written: z.string().optional().describe("Description as its file gives it"),
  domain: z.string(),
  keywords: z.array(z.string()),
  tier: Tier,
  source: Source,
  file: z.string().optional(),
  tokens: Count.describe("By the tokenizer o200k"),
  loaded: WhyLoaded.optional().describe("Why that text would load it; absent if it would not"),
  tooLarge: z.boolean().optional().describe("The text needs it, but the budget has no room"),
});

const place = {
  role: SkillRole.default("engineer").describe("Role whose skills to list"),
  folder: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("Folder of the project whose skills apply; default: the agent's own tree"),
};
const errors = ["input.invalid", "caller.denied", "project.not-found"] as const;
/** A file's prompt comes fenced already; names, domains and keywords of files are words and no sentences. */
const othersText = ["written", "message"] as const;

export const list = defineOperation({
  name: "skill.list",
  summary: "List a role's skills with size and source, and which of them a text would load and why",
  http: "GET /v1/skills",
  actor: "anyone",
  input: z.strictObject({
    ...place,
    for: z.string().min(1).max(4_000).optional().describe("Text of a request, to see which skills it would load"),
  }),
  output: z.object({
    role: SkillRole,
    items: z.array(Item),
    budget: SkillBudget,
    problems: z.array(SkillProblem).describe("Folders that could not be loaded"),
  }),
  errors,
  mcp: { untrusted: othersText },
  example: { role: "engineer", for: "which dependencies does the cart have?" },
});

export const show = defineOperation({
  name: "skill.show",
  summary: "Show one skill: its text for the model, parameters, size and source",
  http: "GET /v1/skills/{name}",
  actor: "anyone",
  input: z.strictObject({ name: z.string().min(1).max(64).describe("Name, id or tool of the skill"), ...place }),
  output: z.object({
    skill: Item,
    prompt: z.string().describe("Text given to a model"),
    inputSchema: z.record(z.string(), z.unknown()),
  }),
  errors: [...errors, "skill.not-found"],
  mcp: { untrusted: othersText },
  example: { name: "read_file", role: "engineer" },
});

export const check = defineOperation({
  name: "skill.check",
  summary: "Check SKILL.md folders and list every problem with file and line",
  http: "GET /v1/skill-check",
  actor: "anyone",
  input: z.strictObject({
    path: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe("A skill's folder or one with several; by default those of the project and of the user"),
    folder: place.folder,
  }),
  output: z.object({
    checked: z
      .array(z.object({ name: z.string(), file: z.string(), tier: Tier, tokens: Count }))
      .describe("Without a problem"),
    problems: z.array(SkillProblem),
  }),
  errors,
  mcp: { untrusted: othersText },
  example: {},
});

const ofAgent = {
  role: SkillRole.default("guide").describe("Role of the agent; it is one agent in each session"),
};
const named = z.string().min(1).max(64).describe("Name or tool of the skill");

export const loaded = defineOperation({
  name: "skill.loaded",
  summary: "Show the skills that a role has loaded in your current session, why, and its token budget",
  http: "GET /v1/loaded-skills",
  actor: "agent",
  input: z.strictObject(ofAgent),
  output: z.object({
    role: SkillRole,
    session: SessionId,
    core: z.array(z.string()).describe("Always loaded"),
    extended: z.array(z.string()).describe("Loaded by keyword or by name"),
    loaded: z.array(LoadedFact),
    budget: SkillBudget,
  }),
  errors: ["input.invalid"],
  example: { role: "guide" },
});

export const load = defineOperation({
  name: "skill.load",
  summary: "Load a skill of a role in your current session; five calls without it unload it",
  http: "POST /v1/skills/{name}/load",
  actor: "agent",
  input: z.strictObject({ name: named, ...ofAgent }),
  output: z.object({ loaded: LoadedFact, budget: SkillBudget }),
  errors: ["input.invalid", "skill.not-found"],
  example: { name: "sessions", role: "guide" },
});

export const unload = defineOperation({
  name: "skill.unload",
  summary: "Unload a skill of a role in your current session; core skills stay loaded",
  http: "POST /v1/skills/{name}/unload",
  actor: "agent",
  input: z.strictObject({ name: named, ...ofAgent }),
  output: z.object({ unloaded: z.string(), budget: SkillBudget }),
  errors: ["input.invalid", "skill.not-found"],
  example: { name: "sessions", role: "guide" },
});

export const call = defineOperation({
  name: "skill.call",
  summary: "Call a role's skill by its name or its tool's name",
  http: "POST /v1/skills/{name}/call",
  actor: "agent",
  input: z.strictObject({
    name: z.string().min(1).max(64).describe("Name or tool of the skill"),
    role: SkillRole.default("guide").describe("Role that has the skill"),
    input: z
      .record(z.string().max(64), z.unknown())
      .default({})
      .describe('Input as JSON; "skills show" lists its parameters'),
    session: SessionId.optional().describe("Session to read; default: your current one, the only one you can change"),
  }),
  output: z.object({ skill: z.string(), result: z.unknown() }),
  errors: [
    "input.invalid",
    "skill.not-found",
    "caller.denied",
    "session.not-found",
    "session.not-possible",
    "session.limit",
    "session.snapshot-damaged",
    "session.snapshot-newer",
    "route.unsure",
    "route.unknown",
    "role.unavailable",
    "role.busy",
    "provider.missing",
    "workspace.unavailable",
    "run.not-found",
    "dag.not-found",
    "dag.not-possible",
  ],
  mcp: { untrusted: ["text", "title", "reason", "summary", "evidence", "error", "output", "content"] },
  example: { name: "get_file", role: "librarian", input: { path: "src/cart.ts" } },
});
