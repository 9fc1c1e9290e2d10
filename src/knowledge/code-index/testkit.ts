/**
 * A code index over scratch repositories, all in this process: real git, real SQLite, and a parser of a few expressions in
 * place of the parse threads.
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises"; // clock-exempt: takes no time, lets others have their turn
import { promisify } from "node:util";
import { systemClock } from "../../platform/clock/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { type CodeIndexPorts, createCodeIndex } from "./code-index.ts";
import type { FileFacts, Syntax } from "./facts.ts";
import { defaultLimits, type ParseReply, type Parser, type ParseRequest } from "./ports.ts";
import { readContent } from "./read-content.ts";

const env = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_AUTHOR_NAME: "T",
  GIT_AUTHOR_EMAIL: "t@sylk.invalid",
  GIT_COMMITTER_NAME: "T",
  GIT_COMMITTER_EMAIL: "t@sylk.invalid",
};
const run = promisify(execFile);

export function gitIn(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Functions, imports, calls and comments of lines that look like them. */
const lineSyntax: Syntax = {
  languageOf: (path) => (/\.[jt]s$/.test(path) ? "typescript" : "text"),
  isWorn: () => false,
  readPattern: () => ({ state: "unknown", known: [] }),
  findPattern: () => ({ state: "found", places: [] }),
  extract(path, text) {
    const facts = { symbols: [], imports: [], references: [], docs: [] } as unknown as {
      -readonly [Field in "symbols" | "imports" | "references" | "docs"]: FileFacts[Field][number][];
    };
    for (const [index, line] of text.split("\n").entries()) readLine(line, index + 1, facts);
    return { language: this.languageOf(path), ...facts, isPartial: false };
  },
};

type Lists = { [Field in "symbols" | "imports" | "references" | "docs"]: FileFacts[Field][number][] };

function readLine(text: string, line: number, { symbols, imports, references, docs }: Lists): void {
  const defined = /^(export )?(function|const|class) (\w+)/.exec(text);
  if (defined !== null)
    symbols.push({
      name: defined[3]!,
      kind: defined[2] as "function",
      line,
      column: defined[0].length - defined[3]!.length + 1,
      endLine: line,
      signature: text,
      exported: defined[1] !== undefined,
    });
  const imported = /^import \{ ([^}]*) \} from "(.*)"/.exec(text);
  if (imported !== null) imports.push({ module: imported[2]!, names: imported[1]!.split(", "), line });
  for (const found of text.matchAll(/(\w+)\(/g))
    if (defined?.[3] !== found[1]) references.push({ name: found[1]!, line, column: found.index + 1, kind: "call" });
  const comment = /\/\/ (.*)/.exec(text);
  if (comment !== null) docs.push({ line, endLine: line, text: comment[1]! });
}

export const withoutPatterns: Pick<Parser, "readPattern" | "findPattern"> = {
  readPattern: async () => ({ state: "unknown", known: [] }),
  findPattern: async () => ({ state: "found", places: [] }),
};

export type ScratchIndex = ReturnType<typeof openScratchIndex>;

/** `parsed` names what was really parsed, in order. */
export function openScratchIndex(folder: string, given: Partial<CodeIndexPorts> = {}, patterns = withoutPatterns) {
  const parsed: string[] = [];
  const troubles: string[] = [];
  const limits = given.limits ?? defaultLimits;
  const fromGit = async (tree: string, hash: string) =>
    run("git", ["cat-file", "blob", hash], { cwd: tree, env, encoding: "buffer" }).then(
      ({ stdout }) => stdout,
      () => undefined,
    );
  async function parse(request: ParseRequest): Promise<ParseReply> {
    parsed.push(request.path);
    return readContent(request, { syntax: lineSyntax, maxFileBytes: limits.maxFileBytes, fromGit });
  }
  const index = createCodeIndex({
    folder,
    clock: systemClock(),
    git: async (tree, args) => (await run("git", [...args], { cwd: tree, env, maxBuffer: 1e8 })).stdout,
    parser: {
      width: 2,
      parse,
      ...patterns,
      cancel: async () => {},
    },
    freeBytes: () => Infinity,
    matcher: (pattern) => (path) => path.startsWith(pattern.replace(/\*.*$/, "")),
    measure: async (texts) => texts.map((text) => text.split(/\s+/).length),
    pause: () => setImmediate(),
    onProgress: () => {},
    onTrouble: (what) => troubles.push(what),
    ...given,
    limits,
  });
  return { ...index, parsed, troubles };
}

/** Folders of a test: a repository with one commit, and a place for indexes. */
export function scratchRepository(files: Readonly<Record<string, string>>, options: readonly string[] = []) {
  const folder = scratchFolder();
  const root = realpathSync(folder.path);
  const tree = join(root, "shop");
  mkdirSync(tree);
  gitIn(tree, "init", "--quiet", "--initial-branch=main", ...options);
  write(tree, files);
  gitIn(tree, "add", ".");
  gitIn(tree, "commit", "--quiet", "--allow-empty", "--message", "first");
  return { root, tree, home: (name: string) => join(root, name), [Symbol.dispose]: folder[Symbol.dispose] };
}

/** Null removes a file. */
export function write(tree: string, files: Readonly<Record<string, string | Buffer | null>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    if (content === null) rmSync(join(tree, path), { force: true });
    else writeFileSync(join(tree, path), content);
  }
}

const asked = { limit: 500, waitMs: 60_000, tree: undefined } as const;

/** All that an index says about a tree, without what differs by history: ranks, and the file it is in. */
export async function everythingOf(index: Pick<ScratchIndex, "ask">, tree: string) {
  const all = { ...asked, kind: "any", exact: false, in: undefined, name: undefined, files: undefined } as const;
  const text = { regex: false, ast: false, ranked: false, docs: false, ignoreCase: false } as const;
  const { about, items: symbols } = await index.ask("code.symbols", tree, all);
  const files = (await index.ask("code.files", tree, { ...asked, pattern: "*" })).items;
  const outline = await index.ask("code.outline", tree, { ...asked, path: "." });
  const found = (await index.ask("code.search", tree, { ...all, ...text, text: "value" })).items;
  const ranked = (await index.ask("code.search", tree, { ...all, ...text, ranked: true, text: "value other" })).items;
  const docs = (await index.ask("code.search", tree, { ...all, ...text, docs: true, text: "value" })).items;
  const usages = await Promise.all(
    ["alpha", "beta", "gamma"].map((symbol) => index.ask("code.usages", tree, { ...all, symbol, provider: "syntax" })),
  );
  const dependents = (await index.ask("code.dependents", tree, { ...asked, module: "./a.ts" })).items;
  const sorted = (items: readonly { path: string; line: number }[]) =>
    items.map(({ path, line }) => `${path}:${line}`).sort();
  return {
    about,
    symbols,
    files,
    folders: outline.folders,
    found,
    ranked: sorted(ranked),
    docs: sorted(docs),
    usages: usages.map(({ definitions, items }) => ({ definitions, items })),
    dependents,
  };
}
