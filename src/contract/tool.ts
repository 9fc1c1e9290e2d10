/**
 * Tools of a project: its linter, formatter, type checker, test framework and language server, found from its own files.
 *
 *   config file -> high      manifest dependency -> medium      build file, editor setting -> low, and a person decides
 *
 * Discovery reads files and executes nothing of the project.
 */
import * as z from "zod";
import { defineOperation } from "./define.ts";
import { ApprovalId, SessionId } from "./ids.ts";
import { TimeMs } from "./page.ts";

export const ToolCategory = z.enum(["linter", "formatter", "type_checker", "test_framework", "lsp"]);
export type ToolCategory = z.infer<typeof ToolCategory>;

export const ToolConfidence = z.enum(["high", "medium", "low"]);
export type ToolConfidence = z.infer<typeof ToolConfidence>;

export const ToolSource = z.enum([
  "config_file",
  "manifest",
  "build_file",
  "editor",
  "user_preference",
  "academic_research",
]);
export type ToolSource = z.infer<typeof ToolSource>;

export const DiscoveredTool = z.object({
  name: z.string(),
  category: ToolCategory,
  language: z.string(),
  version: z.string().optional().describe("Installed version, where files tell it"),
  declared: z.string().optional().describe("Version range of the manifest"),
  configPath: z.string().optional().describe("File that configures it, relative to the path"),
  run: z.array(z.string()).describe("Command that runs it; it changes no file"),
  install: z.array(z.string()).describe("Command that installs it, or the address of its instructions"),
  installed: z.boolean(),
  program: z.string().optional().describe("Where its program was found"),
  confidence: ToolConfidence,
  source: ToolSource,
  rationale: z.string().describe("How it is known"),
});
export type DiscoveredTool = Readonly<z.infer<typeof DiscoveredTool>>;

export const ToolOption = z.object({
  tool: z.string(),
  language: z.string(),
  pros: z.array(z.string()),
  cons: z.array(z.string()),
  recommended: z.boolean(),
  installed: z.boolean(),
  run: z.array(z.string()),
  install: z.array(z.string()),
});
export type ToolOption = Readonly<z.infer<typeof ToolOption>>;

export const ToolAnswer = z.object({
  category: ToolCategory,
  tier: z.int().min(1).max(3).describe("1: found in the project; 2: by research; 3: a person chooses"),
  confidence: ToolConfidence,
  tools: z.array(DiscoveredTool).describe("The best known first"),
  requiresUser: z.boolean().describe("The project names no tool for at least one of its languages"),
  options: z.array(ToolOption).describe("To choose from, for the languages without a tool; the recommended one first"),
  notes: z.array(z.string()).describe("What could not be read, and why a language has no such tool"),
});
export type ToolAnswer = Readonly<z.infer<typeof ToolAnswer>>;

const LanguageName = z.string().min(1).max(40);

const names = z.array(z.string()).optional();

/** Tools that people named. */
export const ToolChoices = z.strictObject({
  chosen: z
    .strictObject({ linter: names, formatter: names, type_checker: names, test_framework: names, lsp: names })
    .describe("For this session or by the project: before what its files show"),
  preferred: z.array(z.string()).describe("By the user's own settings: where its files show none"),
});
export type ToolChoices = Readonly<z.infer<typeof ToolChoices>>;

/** What is asked of the Librarian, and of the Academic for the languages that are left. */
export const ToolScanRequest = z.strictObject({
  path: z.string().describe("Absolute"),
  category: z.enum([...ToolCategory.options, "all"]),
  languages: z.array(LanguageName).optional().describe("Those of the files by default"),
  minConfidence: ToolConfidence,
  choices: ToolChoices,
  agent: z.string().describe("Who asks: id of an agent, or user"),
});
export type ToolScanRequest = Readonly<z.infer<typeof ToolScanRequest>>;

export const ToolScan = z.object({
  languages: z.array(z.object({ name: z.string(), files: z.int().min(0) })).describe("The most used first"),
  packageManagers: z.array(
    z.object({ name: z.string(), language: z.string(), installed: z.boolean(), rationale: z.string() }),
  ),
  answers: z.array(ToolAnswer),
  sources: z.array(z.string()).describe("Files and folders that were read, relative to the path"),
});
export type ToolScan = Readonly<z.infer<typeof ToolScan>>;

export const ToolReport = ToolScan.omit({ sources: true }).extend({
  path: z.string(),
  unknownLanguages: z.array(z.string()).describe("Asked for, and not in the table"),
  overrides: ToolChoices.shape.chosen,
  discoveredAt: TimeMs,
  cached: z.boolean().describe("Answered from the cache: no file was scanned"),
});
export type ToolReport = Readonly<z.infer<typeof ToolReport>>;

const Argv = z.tuple([z.string().min(1).max(500)], z.string().max(500));
const Names = z.array(z.string().min(1).max(200)).max(50).optional();

/** Tools that a user adds to the table: `tools.json` of the home. */
export const OwnTools = z.strictObject({
  tools: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(100),
        languages: z.array(LanguageName).min(1).max(30),
        commands: z
          .partialRecord(ToolCategory, Argv)
          .refine((commands) => Object.keys(commands).length > 0, "needs at least one category with its command")
          .describe("By category: the command that runs it and changes no file"),
        configFiles: Names.describe("Names of files that configure it; * stands for letters within a name"),
        dependencies: Names.describe("Names of packages in manifests"),
        install: Argv.optional().describe("Command that installs it, or the address of its instructions"),
      }),
    )
    .max(200),
});
export type OwnTools = Readonly<z.infer<typeof OwnTools>>;

const path = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe("Folder to look at; default: the project's, an agent's own tree");

export const discover = defineOperation({
  name: "tool.discover",
  summary: "Find a project's linter, formatter, type checker, test framework and language server with their commands",
  http: "GET /v1/tools",
  actor: "anyone",
  input: z.strictObject({
    path,
    category: z.enum([...ToolCategory.options, "all"]).default("all"),
    session: SessionId.optional().describe("Session that asks; default: the current one"),
    languages: z.array(LanguageName).max(30).optional().describe("Only these; default: those of the files"),
    minConfidence: ToolConfidence.default("medium").describe("Tools known less well need your choice"),
    refresh: z.boolean().default(false).describe("Scan again instead of using the cache"),
  }),
  output: ToolReport,
  errors: [
    "input.invalid",
    "caller.denied",
    "project.not-found",
    "session.not-found",
    "session.not-possible",
    "session.snapshot-damaged",
    "session.snapshot-newer",
    "role.unavailable",
  ],
  mcp: { untrusted: ["declared"] },
  example: { category: "linter" },
});

const Installation = z.object({
  tool: z.string(),
  path: z.string(),
  dryRun: z.boolean(),
  changed: z.boolean().describe("False in a dry run, and where there was nothing to do"),
  command: z.array(z.string()),
  files: z.array(z.string()).describe("Manifests and lock files that the command may change; a failure restores them"),
  installed: z.boolean().describe("Afterwards; in a dry run as it is now"),
  version: z.string().optional().describe("What the tool says of itself"),
  program: z.string().optional(),
  waits: ApprovalId.optional().describe("Asked by an agent: nothing is done until a person approves this"),
});
export type Installation = Readonly<z.infer<typeof Installation>>;

const installInput = z.strictObject({
  tool: z.string().min(1).max(100).describe("Name as the list of tools shows it"),
  path,
  dryRun: z.boolean().default(true).describe("Only show the command and the files that it may change"),
});
const installErrors = [
  "input.invalid",
  "caller.denied",
  "project.not-found",
  "tool.not-found",
  "tool.not-installable",
  "tool.install-off",
  "tool.install-failed",
] as const;

export const install = defineOperation({
  name: "tool.install",
  summary:
    "Install a tool into a project by its package manager, verify it, and undo everything if that fails; an agent's wish waits for a person",
  http: "POST /v1/tools/install",
  actor: "anyone",
  input: installInput,
  output: Installation,
  errors: installErrors,
  example: { tool: "eslint", dryRun: true },
});

export const uninstall = defineOperation({
  name: "tool.uninstall",
  summary: "Remove a tool from a project by its package manager",
  http: "POST /v1/tools/uninstall",
  actor: "user",
  input: installInput,
  output: Installation,
  errors: installErrors,
  example: { tool: "eslint", dryRun: true },
});
