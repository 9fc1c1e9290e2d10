/** What must not compile: the compiler is run on small programs and asked what it says. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

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

it("does not compile without a handler for each operation, and names the one that is missing [CORE-6]", async () => {
  const given = `import type { Handlers } from ${JSON.stringify(contract)};\ndeclare const all: Handlers<unknown>;\n`;
  const complaints = await complaintsAbout({
    "complete.mts": `${given}export const handlers: Handlers<unknown> = { ...all };`,
    "missing.mts": `${given}const { "work-item.claim": _left, ...others } = all;
      export const handlers: Handlers<unknown> = others;`,
    "wrong.mts": `${given}export const handlers: Handlers<unknown> = { ...all, "work-item.claim": async () => ({ won: true }) };`,
  });
  const about = (file: string) => complaints.filter((line) => line.includes(file));
  expect(about("complete.mts")).toEqual([]);
  expect(about("missing.mts")).toEqual([expect.stringMatching(/TS2741.*"work-item\.claim"/)]);
  expect(about("wrong.mts")).toEqual([expect.stringMatching(/TS2322/)]);
}, 60_000);

it("does not compile when a merge lacks an operation, or when a handler expects another caller [CORE-6, CORE-35]", async () => {
  const given = `import type { AgentCaller, Handlers } from ${JSON.stringify(contract)};
    import { mergeHandlers } from ${JSON.stringify(dispatching)};
    declare const all: Handlers<unknown>;
    const { "work-item.claim": claim, ...others } = all;\n`;
  const complaints = await complaintsAbout({
    "merged.mts": `${given}export const handlers: Handlers<unknown> = mergeHandlers(others, { "work-item.claim": claim });`,
    "lacking.mts": `${given}export const handlers: Handlers<unknown> = mergeHandlers(others, {});`,
    "agent.mts": `${given}export const handlers: Pick<Handlers<unknown>, "work-item.claim"> = {
      "work-item.claim": (input, { caller }) => claim({ id: input.id }, { caller: caller satisfies AgentCaller }) };`,
    "user.mts": `${given}export const handlers: Pick<Handlers<unknown>, "store.purge"> = {
      "store.purge": (input, { caller }) => all["store.purge"](input, { caller: caller satisfies AgentCaller }) };`,
  });
  const about = (file: string) => complaints.filter((line) => line.includes(file));
  expect(about("merged.mts")).toEqual([]);
  expect(about("lacking.mts")).toEqual([expect.stringMatching(/TS2\d+.*"work-item\.claim"/)]);
  expect(about("agent.mts")).toEqual([]);
  expect(about("user.mts")).not.toEqual([]);
}, 60_000);
