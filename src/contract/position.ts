/**
 * Questions about a place in a file, as an editor asks them, and the tools that answer precisely: language servers and
 * imported SCIP indexes.
 *
 *   place -> imported index -> language server -> syntax       the first that can answer; `about.failed` names the others
 *
 * Invariant: a tool that failed never looks like one that found nothing.
 */
import * as z from "zod";
import { CodeAbout, CodeChoice } from "./code.ts";
import { defineOperation } from "./define.ts";
import { TimeMs } from "./page.ts";

const Count = z.int().min(0);
const Line = z.int().min(1).max(100_000_000);
const Path = z.string().min(1).max(4096);
const place = {
  path: Path.describe("File, from the tree's root"),
  line: Line.describe("From 1"),
  column: Line.describe("From 1, in UTF-16 units, as editors count"),
};
const common = {
  provider: CodeChoice,
  tree: Path.optional().describe("Working tree to ask about; default: the caller's own"),
};
const limit = z.int().min(1).max(500).default(100).describe("Most results to return");
const more = z.boolean().describe("Whether the limit left results out");
const errors = [
  "input.invalid",
  "project.not-found",
  "caller.denied",
  "agent.unknown-project",
  "workspace.unavailable",
] as const;
const reads = { actor: "anyone", errors, verbatim: ["tree", "path"] } as const;

export const CodeSpot = z.object({
  path: z.string().describe("From the tree's root; absolute, or an address, where it is outside the tree"),
  inTree: z.boolean(),
  line: Line,
  column: Line,
  text: z.string().describe("The line; empty outside the tree"),
  definition: z.boolean().optional().describe("Whether it defines the symbol, where that is known"),
});
export type CodeSpot = Readonly<z.infer<typeof CodeSpot>>;

export const hover = defineOperation({
  ...reads,
  name: "position.hover",
  summary: "Describe the symbol at a place in a file: its type and documentation",
  http: "GET /v1/positions/hover",
  input: z.strictObject({ ...place, ...common }),
  output: z.object({ text: z.string(), about: CodeAbout }),
  mcp: { untrusted: ["text"] },
  example: { path: "src/cart.ts", line: 2, column: 22 },
});

export const definition = defineOperation({
  ...reads,
  name: "position.definition",
  summary: "Find where the symbol at a place in a file is defined",
  http: "GET /v1/positions/definition",
  input: z.strictObject({ ...place, ...common, limit }),
  output: z.object({ items: z.array(CodeSpot), more, about: CodeAbout }),
  mcp: { untrusted: ["text"] },
  example: { path: "src/cart.ts", line: 2, column: 22 },
});

export const references = defineOperation({
  ...reads,
  name: "position.references",
  summary: "List every place of the symbol at a place in a file, its definition included",
  http: "GET /v1/positions/references",
  input: z.strictObject({ ...place, ...common, limit }),
  output: z.object({ items: z.array(CodeSpot), more, about: CodeAbout }),
  mcp: { untrusted: ["text"] },
  example: { path: "src/cart.ts", line: 2, column: 22 },
});

export const CodeDiagnosis = z.object({
  line: Line,
  column: Line,
  severity: z.enum(["error", "warning", "information", "hint"]),
  message: z.string(),
  code: z.string().optional(),
  source: z.string().optional().describe("Tool that says so"),
});
export type CodeDiagnosis = Readonly<z.infer<typeof CodeDiagnosis>>;

export const diagnostics = defineOperation({
  ...reads,
  errors: [...errors, "code.unanswered"],
  name: "position.diagnostics",
  summary: "List what a language server finds wrong with a file",
  http: "GET /v1/positions/diagnostics",
  input: z.strictObject({ path: place.path, tree: common.tree, limit }),
  output: z.object({ items: z.array(CodeDiagnosis), more, about: CodeAbout }),
  mcp: { untrusted: ["message"] },
  example: { path: "src/cart.ts" },
});

export const LanguageServer = z.object({
  server: z.string(),
  tree: z.string(),
  state: z
    .enum(["starting", "running", "waiting", "given-up", "ended"])
    .describe("waiting: it ended by itself and is left alone for a while; given-up: too often; ended: not needed now"),
  pid: z.int().optional(),
  sandboxed: z.boolean().optional().describe("Runs without network and cannot change the tree"),
  startedAt: TimeMs.optional(),
  questions: Count,
  crashes: Count.describe("Times in a row that it ended by itself"),
  lastFailure: z.string().optional(),
  retryInMs: Count.optional().describe("How long it is left alone yet"),
});
export type LanguageServer = Readonly<z.infer<typeof LanguageServer>>;

export const listServers = defineOperation({
  name: "language-server.list",
  summary: "List the language servers that run or ran, one for each working tree and language",
  http: "GET /v1/language-servers",
  actor: "anyone",
  input: z.strictObject({}),
  output: z.object({ items: z.array(LanguageServer) }),
  errors: [],
  mcp: { untrusted: ["lastFailure"] },
  example: {},
});

export const importScip = defineOperation({
  name: "scip.import",
  summary: "Import a SCIP index of the tree: it answers for every file that has not changed since",
  http: "POST /v1/scip-imports",
  actor: "anyone",
  input: z.strictObject({
    file: Path.default("index.scip").describe("The index, from the tree's root"),
    tree: common.tree,
  }),
  output: z.object({
    tool: z.string().describe("Program that made it"),
    documents: Count.describe("Files that it covers"),
    occurrences: Count,
    leftOut: z
      .object({ count: Count, examples: z.array(z.object({ path: z.string(), reason: z.string() })) })
      .describe("Files of the index that are not used: gone, changed after it was written, or another content"),
  }),
  errors: [...errors, "scip.refused"],
  verbatim: ["tree", "file"],
  example: {},
});

export const listScip = defineOperation({
  name: "scip.list",
  summary: "List the imported SCIP indexes, and how much of each is stale",
  http: "GET /v1/scip-imports",
  actor: "anyone",
  input: z.strictObject({ tree: common.tree }),
  output: z.object({
    items: z.array(
      z.object({
        source: z.string(),
        tool: z.string(),
        importedAt: TimeMs,
        documents: Count,
        stale: Count.describe("Of them: files that have changed since; they are not used"),
        leftOut: Count.describe("Files that were not imported"),
      }),
    ),
  }),
  errors,
  verbatim: ["tree"],
  example: {},
});
