/** What must not compile: the compiler is run once on small programs and asked what it says. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";

const repository = join(import.meta.dirname, "..", "..");
const compiler = join(repository, "node_modules", "ts7", "bin", "tsc");
const contract = join(import.meta.dirname, "index.ts");
const dispatching = join(import.meta.dirname, "..", "platform", "operations", "index.ts");

/** Complaints of the compiler, line by line. */
async function complaintsAbout(programs: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "sylk-types-"));
  try {
    for (const [file, text] of Object.entries(programs)) writeFileSync(join(folder, file), text);
    const compilerOptions = { types: [], rewriteRelativeImportExtensions: false };
    const config = { extends: join(repository, "tsconfig.json"), include: ["*.mts"], compilerOptions };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, [compiler, "-p", folder, "--pretty", "false"], (_error, stdout) => resolve(stdout));
    });
    return output.split("\n").filter((line) => /^\S.*error TS/.test(line));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const given = `import type { AgentCaller, Handlers } from ${JSON.stringify(contract)};
  import { mergeHandlers } from ${JSON.stringify(dispatching)};
  declare const all: Handlers<unknown>;
  const { "work-item.claim": claim, ...others } = all;\n`;
const programs: Readonly<Record<string, string>> = {
  "complete.mts": `export const handlers: Handlers<unknown> = { ...all };`,
  "missing.mts": `export const handlers: Handlers<unknown> = others;`,
  "wrong.mts": `export const handlers: Handlers<unknown> = { ...all, "work-item.claim": async () => ({ won: true }) };`,
  "merged.mts": `export const handlers: Handlers<unknown> = mergeHandlers(others, { "work-item.claim": claim });`,
  "lacking.mts": `export const handlers: Handlers<unknown> = mergeHandlers(others, {});`,
  "agent.mts": `export const handlers: Pick<Handlers<unknown>, "work-item.claim"> = {
    "work-item.claim": (input, { caller }) => claim({ id: input.id }, { caller: caller satisfies AgentCaller }) };`,
  "user.mts": `export const handlers: Pick<Handlers<unknown>, "store.purge"> = {
    "store.purge": (input, { caller }) => all["store.purge"](input, { caller: caller satisfies AgentCaller }) };`,
};
const used = "\nexport const all_ = [claim, others, mergeHandlers];\nexport type Caller_ = AgentCaller;";
let complaints: readonly string[];
beforeAll(async () => {
  const texts = Object.entries(programs).map(([file, text]) => [file, `${given}${text}${used}`]);
  complaints = await complaintsAbout(Object.fromEntries(texts));
}, 60_000);
const about = (file: string) => complaints.filter((line) => line.includes(file));

it("does not compile without a handler for each operation, and names the one that is missing [CORE-6]", () => {
  expect(about("complete.mts")).toEqual([]);
  expect(about("missing.mts")).toEqual([expect.stringMatching(/TS2741.*"work-item\.claim"/)]);
  expect(about("wrong.mts")).toEqual([expect.stringMatching(/TS2322/)]);
});

it("does not compile when a merge lacks an operation, or when a handler expects another caller [CORE-6, CORE-35]", () => {
  expect(about("merged.mts")).toEqual([]);
  expect(about("lacking.mts")).toEqual([expect.stringMatching(/TS2\d+.*"work-item\.claim"/)]);
  expect(about("agent.mts")).toEqual([]);
  expect(about("user.mts")).not.toEqual([]);
});
