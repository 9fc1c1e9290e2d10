/**
 * The code of a repository, by questions: symbols, text, usages, dependents, structure, a map.
 *
 *   question -> tree of the caller -> index of its repository (facts by content hash) -> answer + what it rests on
 *
 * Invariants: no operation writes into a tree. An answer says of which tree and revision it speaks, which provider knew it,
 * how sure it is, and which files it does not cover; a file that is not indexed yet never looks like "none found".
 */
import * as z from "zod";
import { defineEvent, defineOperation } from "./define.ts";

const Count = z.int().min(0);
const Line = z.int().min(1).describe("From 1");
const Path = z.string().min(1).max(4096);
const Words = z.string().min(1).max(500);

export const CodeProvider = z
  .enum(["syntax", "text", "language-server", "scip"])
  .describe("syntax: parsed here; text: words and characters; language-server, scip: precise tools");
export type CodeProvider = z.infer<typeof CodeProvider>;
export const CodeConfidence = z
  .enum(["exact", "likely", "possible"])
  .describe("exact: this is it; likely: by name and imports; possible: by name alone");
export type CodeConfidence = z.infer<typeof CodeConfidence>;

export const CodeChoice = z
  .enum(["auto", "scip", "language-server", "syntax"])
  .default("auto")
  .describe("Tool to ask; auto takes the most precise one at hand");

export const CodeAbout = z.object({
  tree: z.string().describe("Working tree that the answer speaks of"),
  commit: z.string().nullable().describe("Commit of the tree; null before the first one"),
  branch: z.string().optional(),
  uncommitted: Count.describe("Changed and new files beside that commit; the answer covers them"),
  revision: z.string().describe("The same as a sentence"),
  files: Count.describe("Files of the tree that the index covers"),
  provider: CodeProvider,
  confidence: CodeConfidence,
  notIndexed: z
    .object({
      count: Count,
      waiting: Count.describe("Of them: still to be read; ask again"),
      examples: z.array(z.object({ path: z.string(), reason: z.string() })),
    })
    .describe("Files that the answer does not cover"),
  failed: z.array(z.object({ provider: CodeProvider, reason: z.string() })).describe("Providers that could not answer"),
  notes: z.array(z.string()),
});
export type CodeAbout = Readonly<z.infer<typeof CodeAbout>>;

export const CodeSymbol = z.object({
  name: z.string(),
  kind: z.string().describe("function, method, class, interface, type, enum, const, variable, …"),
  path: z.string(),
  line: Line,
  column: z.int().min(1),
  endLine: Line,
  container: z.string().optional().describe("Class, module or function around it"),
  signature: z.string(),
  doc: z.string().optional(),
  exported: z.boolean(),
  match: z.enum(["exact", "prefix", "part", "fuzzy"]).optional().describe("How the name fits the question"),
});
export type CodeSymbol = Readonly<z.infer<typeof CodeSymbol>>;

export const CodePlace = z.object({
  path: z.string(),
  line: Line,
  column: z.int().min(1),
  text: z.string().describe("The line"),
});
export type CodePlace = Readonly<z.infer<typeof CodePlace>>;

export const CodeMatch = CodePlace.extend({ endLine: Line.optional().describe("Last line of what a pattern matched") });
export type CodeMatch = Readonly<z.infer<typeof CodeMatch>>;

/** How far the index is with a tree. `incomplete`: reading stopped, because memory or disk ran short. */
export type CodeIndexState =
  | { readonly mode: "absent" | "indexed" }
  | { readonly mode: "indexing" | "incomplete"; readonly percent: number };

const common = {
  tree: Path.optional().describe("Working tree to ask about; default: the caller's own"),
  limit: z.int().min(1).max(500).default(50).describe("Most results to return"),
  waitMs: z
    .int()
    .min(0)
    .max(60_000)
    .default(10_000)
    .describe("How long to wait for files that are not indexed yet; 0 answers from what is known"),
};
const Files = Path.optional().describe("Only files whose path matches, for example src/**/*.ts");
const answer = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.object({ ...fields, more: z.boolean().describe("Whether the limit left results out"), about: CodeAbout });
const errors = [
  "input.invalid",
  "agent.unknown-project",
  "project.not-found",
  "caller.denied",
  "workspace.unavailable",
] as const;
const reads = { actor: "anyone", errors, verbatim: ["tree"] } as const;

export const CodeFile = z.object({ path: z.string(), language: z.string(), lines: Count });
export type CodeFile = Readonly<z.infer<typeof CodeFile>>;

export const find = defineOperation({
  ...reads,
  name: "code.find",
  summary: "Find symbols, files and text by words, the best matches first; says whether it exists already",
  http: "GET /v1/code/find",
  input: z.strictObject({ text: Words.describe("A name, a part of one, or some words"), ...common }),
  output: answer({
    exists: z
      .enum(["yes", "similar", "no", "unknown"])
      .describe(
        "yes: a symbol or file has this name; similar: names that are close; no: none found in all indexed files; unknown: files are not indexed yet",
      ),
    symbols: z.array(CodeSymbol),
    files: z.array(CodeFile),
    places: z.array(CodePlace),
  }),
  mcp: { untrusted: ["signature", "doc", "text"] },
  example: { text: "parse order" },
});

export const search = defineOperation({
  ...reads,
  name: "code.search",
  summary:
    "Search the content of files: a text, a regular expression, a pattern of code, or words ranked by how well files fit",
  http: "GET /v1/code/search",
  input: z.strictObject({
    text: Words.describe("Text to find"),
    regex: z.boolean().default(false).describe("Read the text as a regular expression"),
    ast: z
      .boolean()
      .default(false)
      .describe(
        "Read the text as code with metavariables: $A is one node, $$$ any number, for example fetch($URL, $$$)",
      ),
    language: z.string().min(1).max(40).optional().describe("Language of the code pattern; default: that of each file"),
    ranked: z.boolean().default(false).describe("Read the text as words and return the best places first"),
    docs: z.boolean().default(false).describe("Only comments and documentation; ranked"),
    ignoreCase: z.boolean().default(false).describe("Do not distinguish upper and lower case"),
    files: Files,
    ...common,
  }),
  output: answer({ items: z.array(CodeMatch) }),
  mcp: { untrusted: ["text"] },
  example: { text: "TODO", files: "src/**/*.ts" },
});

export const symbols = defineOperation({
  ...reads,
  name: "code.symbols",
  summary: "List symbols by name and kind: exact names first, then prefixes, parts and near ones",
  http: "GET /v1/code/symbols",
  input: z.strictObject({
    name: Words.optional().describe("Name or a part of it; default: all symbols"),
    kind: z
      .string()
      .min(1)
      .max(40)
      .default("any")
      .describe("function, type, const, var, any, or a kind of the language, such as method"),
    in: Path.optional().describe("Only in this file, or below this folder"),
    exact: z.boolean().default(false).describe("Only symbols with exactly this name"),
    ...common,
  }),
  output: answer({ items: z.array(CodeSymbol) }),
  mcp: { untrusted: ["signature", "doc"] },
  example: { name: "parseOrder", kind: "function" },
});

export const CodeUsage = CodePlace.extend({
  kind: z.string().describe("call, type, import, read, …"),
  confidence: CodeConfidence,
  within: z.string().optional().describe("Symbol around it"),
});
export type CodeUsage = Readonly<z.infer<typeof CodeUsage>>;

export const usages = defineOperation({
  ...reads,
  name: "code.usages",
  summary: "List where a symbol is defined and where it is used, the surest first",
  http: "GET /v1/code/usages",
  input: z.strictObject({
    symbol: Words.describe("Name of the symbol"),
    files: Files,
    provider: CodeChoice,
    ...common,
  }),
  output: answer({ definitions: z.array(CodeSymbol), items: z.array(CodeUsage) }),
  mcp: { untrusted: ["signature", "doc", "text"] },
  example: { symbol: "parseOrder" },
});

export const CodeImport = z.object({
  path: z.string(),
  line: Line,
  module: z.string().describe("As the file writes it"),
  names: z.array(z.string()),
  resolved: z.string().optional().describe("File of the tree that it means, where it is known"),
});
export type CodeImport = Readonly<z.infer<typeof CodeImport>>;

export const dependents = defineOperation({
  ...reads,
  name: "code.dependents",
  summary: "List the files that import a package, a module or a file of the tree",
  http: "GET /v1/code/dependents",
  input: z.strictObject({
    module: Words.describe("Package, module or path from the tree's root"),
    ...common,
  }),
  output: answer({ items: z.array(CodeImport) }),
  example: { module: "node:fs" },
});

export const outline = defineOperation({
  ...reads,
  name: "code.outline",
  summary: "Show what is in a folder or a file: folders, files, symbols, imports",
  http: "GET /v1/code/outline",
  input: z.strictObject({ path: Path.default(".").describe("File or folder; default: the whole tree"), ...common }),
  output: answer({
    path: z.string(),
    folders: z.array(z.object({ path: z.string(), files: Count })),
    files: z.array(CodeFile.extend({ symbols: Count })),
    symbols: z.array(CodeSymbol).describe("Of a file"),
    imports: z.array(CodeImport).describe("Of a file"),
  }),
  mcp: { untrusted: ["signature", "doc"] },
  example: { path: "src/orders.ts" },
});

export const files = defineOperation({
  ...reads,
  name: "code.files",
  summary: "List the indexed files whose path matches a pattern",
  http: "GET /v1/code/files",
  input: z.strictObject({ pattern: Path.describe("Pattern of paths, for example src/**/*.ts"), ...common }),
  output: answer({ items: z.array(CodeFile) }),
  example: { pattern: "src/**/*.ts" },
});

export const map = defineOperation({
  ...reads,
  name: "code.map",
  summary: "Map the repository: the most important files and their symbols, within a number of tokens",
  http: "GET /v1/code/map",
  input: z.strictObject({
    tokens: z.int().min(50).max(200_000).default(2_000).describe("Most tokens of the map"),
    in: Path.optional().describe("Only below this folder"),
    tree: common.tree,
    waitMs: common.waitMs,
  }),
  output: z.object({
    text: z.string().describe("Paths, each with the lines and signatures of its symbols"),
    tokens: Count.describe("Tokens that the map has"),
    files: Count.describe("Files in the map"),
    left: Count.describe("Files that had no room"),
    about: CodeAbout,
  }),
  mcp: { untrusted: ["text"] },
  example: { tokens: 1_000 },
});

export const CodeDriftReason = z.object({
  kind: z.enum(["symbol-removed", "signature-changed", "path-gone"]),
  name: z.string().describe("Symbol or path that the document mentions"),
  line: Line.describe("Where the document mentions it, from 1"),
  column: z.int().min(1),
  was: z
    .object({ path: z.string(), line: Line.optional(), signature: z.string().optional() })
    .describe("Where it was at the revision"),
  changedIn: z.string().describe("The commit, or the working tree"),
  sentence: z.string(),
});

export const drift = defineOperation({
  ...reads,
  name: "code.drift",
  summary: "List documents that mention symbols or paths that were changed or removed since a revision, with a score",
  http: "GET /v1/code/drift",
  input: z.strictObject({
    path: Path.optional().describe("Only this document, or documents below this folder"),
    since: Words.default("HEAD").describe("Revision to compare with; HEAD compares uncommitted changes alone"),
    ...common,
  }),
  output: answer({
    verdict: z
      .enum(["drift", "none", "unknown"])
      .describe("none: all was read and no document mentions a change; unknown: something could not be read"),
    since: z.object({ asked: z.string(), commit: z.string().nullable().describe("Null before the first commit") }),
    changes: z
      .object({
        files: Count,
        removed: Count.describe("Symbols that are gone"),
        signatures: Count.describe("Symbols with another signature"),
        paths: Count.describe("Files and folders that are gone"),
      })
      .describe("Changes since the revision"),
    documents: z
      .array(
        z.object({
          path: z.string(),
          score: z.number().min(0).max(1).describe("0: nothing mentioned has changed; near 1: much has"),
          reasons: z.array(CodeDriftReason),
          moreReasons: Count,
        }),
      )
      .describe("The highest score first"),
    unread: z
      .array(z.object({ path: z.string(), reason: z.string() }))
      .describe("Changed files and documents that could not be compared"),
  }),
  mcp: { untrusted: ["sentence", "signature"] },
  example: { since: "HEAD~10" },
});

const progress = z.object({
  tree: z.string(),
  files: Count.describe("Files of the tree"),
  waiting: Count.describe("Files still to be read"),
});
export const CodeIndexProgress = defineEvent(
  "code.index-progress",
  1,
  "Files of a tree are being read into the index; at most once a second",
  progress,
);
export const CodeIndexUpdated = defineEvent(
  "code.index-updated",
  1,
  "The index covers the tree again after files changed",
  progress.extend({
    revision: z.string(),
    parsed: Count.describe("Contents that were read because no tree had them before"),
  }),
);
