/** Every rule of `npm run check` refuses a planted violation and names its place; the clean tree passes. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Check } from "../../scripts/check/check.ts";
import { clockUse } from "../../scripts/check/clock-use.ts";
import { compositionRoot } from "../../scripts/check/composition-root.ts";
import { coreClients } from "../../scripts/check/core-clients.ts";
import { fileNames } from "../../scripts/check/file-names.ts";
import { folderReadmes } from "../../scripts/check/folder-readmes.ts";
import { lockfile } from "../../scripts/check/lockfile.ts";
import { migrations } from "../../scripts/check/migrations.ts";
import { plainEnglish } from "../../scripts/check/plain-english.ts";
import { shellScripts } from "../../scripts/check/shell-scripts.ts";
import { structure } from "../../scripts/check/structure.ts";
import { testRules } from "../../scripts/check/test-rules.ts";
import { format, lint, programTypes, types, unused } from "../../scripts/check/tools.ts";
import { asJson, cleanTree } from "./clean-tree.ts";
import { repository, writeTree } from "./scratch-folder.ts";

type Planted = { violation: string; files: Record<string, string>; named: RegExp };

/** A test file of the tiny tree. */
const testFile = (body: string): string => `import { expect, it } from "vitest";\n\n${body}\n`;

describe("npm run check", () => {
  it("passes a clean tree, printing every check with its time [CORE-26]", () => {
    const run = runCheck(cleanTree());
    expect(run.output).toContain("check: ok");
    expect(run.status).toBe(0);
    for (const name of ["format", "lint", "types", "unused", "structure", "lockfile", "clock", "tests"]) {
      expect(run.output).toMatch(new RegExp(`^ok +${name} +\\d+\\.\\d s$`, "m"));
    }
  });

  it("reports all failing checks at once and ends with exit code 1 [CORE-26]", () => {
    const root = cleanTree();
    writeTree(root, {
      "src/coordination/helpers.ts": `export const pause = () => setTimeout(() => 1, 5)\n`,
      "src/knowledge/index.ts": `export const answer: string = 42;\n`,
    });
    const run = runCheck(root);
    expect(run.status).toBe(1);
    for (const name of ["format", "types", "unused", "clock", "names", "readmes"]) {
      expect(run.output).toMatch(new RegExp(`^FAIL +${name} `, "m"));
    }
    expect(run.output).toMatch(/check: failed \(.*types.*\)/);
  });
});

planted("format", format, [
  {
    violation: "a file in another format",
    files: { "src/contract/index.ts": `export {Thing} from './thing.ts'\n` },
    named: /src\/contract\/index\.ts/,
  },
]);

planted("lint", lint, [
  {
    violation: "a floating promise",
    files: { "src/main.ts": `const work = async (): Promise<void> => {};\nwork();\n` },
    named: /src\/main\.ts:2.*no-floating-promises/,
  },
  {
    violation: "a switch that forgets a case",
    files: {
      "src/main.ts":
        `type Kind = "a" | "b";\nexport function pick(kind: Kind): number {\n  switch (kind) {\n    case "a":\n` +
        `      return 1;\n  }\n  return 2;\n}\n`,
    },
    named: /src\/main\.ts:3.*switch-exhaustiveness-check/,
  },
  {
    violation: "a default export",
    files: { "src/main.ts": `export default 1;\n` },
    named: /src\/main\.ts:1.*no-default-export/,
  },
]);

planted("types", types, [
  {
    violation: "a type error",
    files: { "src/main.ts": `export const count: number = "one";\n` },
    named: /src\/main\.ts.*TS2322/,
  },
]);

planted("programs", programTypes, [
  {
    violation: "a name that a program does not have",
    files: { "src/adapters/tool/program.cjs": `const [home] = process.argv;\nconsole.log(hom);\n` },
    named: /src\/adapters\/tool\/program\.cjs.*TS2552/,
  },
]);

planted("shell", shellScripts, [
  {
    violation: "a script that does not parse",
    files: { "src/adapters/tool/program.sh": `if true; then\n` },
    named: /src\/adapters\/tool\/program\.sh: .*(end of file|EOF|fi)/i,
  },
  {
    violation: "a test that only bash knows",
    files: { "src/adapters/tool/program.sh": `#!/bin/sh\nif [[ -n $HOME ]]; then exit 1; fi\n` },
    named: /src\/adapters\/tool\/program\.sh:2: \[\[ is not POSIX/,
  },
]);

planted("unused", unused, [
  {
    violation: "an unused export",
    files: { "src/platform/clock/index.ts": `export const now = (): number => 1;\nexport const later = 2;\n` },
    named: /Unused exports[^]*src\/platform\/clock\/index\.ts: later/,
  },
  {
    violation: "an unused file",
    files: { "src/coordination/things/forgotten.ts": `export const forgotten = 1;\n` },
    named: /Unused files[^]*forgotten\.ts/,
  },
  {
    violation: "an unlisted package",
    files: { "src/main.ts": `import { parse } from "yaml";\nconsole.log(parse("a"));\n` },
    named: /Unlisted dependencies[^]*yaml/,
  },
]);

planted("structure", structure, [
  {
    violation: "an import against the direction",
    files: { "src/platform/clock/index.ts": `export { addThing as now } from "../../coordination/things/index.ts";\n` },
    named: /src\/platform\/clock\/index\.ts -> .*platform-direction/,
  },
  {
    violation: "a middle folder that imports its neighbour",
    files: { "src/oversight/index.ts": `export { addThing } from "../coordination/things/index.ts";\n` },
    named: /src\/oversight\/index\.ts -> .*oversight-direction/,
  },
  {
    violation: "wiring beside the composition root",
    files: { "src/compose-things.ts": `export { addThing } from "./coordination/things/index.ts";\n` },
    named: /src\/compose-things\.ts -> .*only-app-wires/,
  },
  {
    violation: "a new folder between two domain folders",
    files: {
      "src/knowledge/index.ts": `export const answer = 42;\n`,
      "src/glue/index.ts": `export { addThing } from "../coordination/things/index.ts";\nexport { answer } from "../knowledge/index.ts";\n`,
    },
    named:
      /src\/glue\/index\.ts -> src\/coordination\/things\/index\.ts: only-known-folders[^]*src\/glue\/index\.ts -> src\/knowledge/,
  },
  {
    violation: "anything but zod in the contract",
    files: { "src/contract/thing.ts": `import { readFileSync } from "node:fs";\nexport const Thing = readFileSync;\n` },
    named: /src\/contract\/thing\.ts -> .*contract-imports-zod-only/,
  },
  {
    violation: "a surface that opens the store",
    files: { "src/surfaces/client/index.ts": `export { open } from "../../platform/store/index.ts";\n` },
    named: /src\/surfaces\/client\/index\.ts -> .*surfaces-know-no-store/,
  },
  {
    violation: "a cycle",
    files: {
      "src/coordination/things/index.ts": `export { addThing } from "./add-thing.ts";\nexport const limit = 3;\n`,
      "src/coordination/things/add-thing.ts": `import { limit } from "./index.ts";\nexport const addThing = () => limit;\n`,
    },
    named: /things\/.*->.*no-cycle/,
  },
  {
    violation: "a cycle of type imports only",
    files: {
      "src/contract/thing.ts": `import type { Box } from "./box.ts";\nexport type Thing = { box: Box };\n`,
      "src/contract/box.ts": `import type { Thing } from "./thing.ts";\nexport type Box = { thing: Thing };\n`,
    },
    named: /contract\/.*->.*no-cycle/,
  },
  {
    violation: "a deep import into another top folder",
    files: {
      "src/app/daemon/build-daemon.ts": `export { addThing as buildDaemon } from "../../coordination/things/add-thing.ts";\n`,
    },
    named: /src\/app\/daemon\/build-daemon\.ts -> src\/coordination\/things\/add-thing\.ts: enter-folders-by-index/,
  },
  {
    violation: "a deep import into a neighbouring noun",
    files: { "src/coordination/plans/index.ts": `export { addThing } from "../things/add-thing.ts";\n` },
    named: /src\/coordination\/plans\/index\.ts -> .*enter-nouns-by-index/,
  },
  {
    violation: "a cruise that did not read every source",
    files: { "src/platform/dist.ts": `export const unseen = 1;\n`, ".dependency-cruiser.cjs": blindCruiser() },
    named: /src\/platform\/dist\.ts: not read by dependency-cruiser/,
  },
]);

planted("lockfile", lockfile, [
  {
    violation: "a lockfile without better-sqlite3 13",
    files: { "package-lock.json": asJson({ packages: { "node_modules/better-sqlite3": { version: "12.4.1" } } }) },
    named: /better-sqlite3 13 is needed.*found 12\.4\.1/,
  },
  {
    violation: "a version range",
    files: { "package.json": asJson({ dependencies: { zod: "^4.6.7" }, allowScripts: { "better-sqlite3": false } }) },
    named: /zod is "\^4\.6\.7"; pin an exact version/,
  },
  {
    violation: "better-sqlite3 left to the compiler",
    files: { "package.json": asJson({ dependencies: { zod: "4.6.7" } }) },
    named: /allowScripts must keep "better-sqlite3": false/,
  },
  {
    violation: "a registry's address",
    files: { "package-lock.json": lockWith({ version: "1.0.0", resolved: "https://registry.example/x.tgz" }) },
    named: /names a registry: registry\.example/,
  },
  {
    violation: "a platform's binary dropped from the lockfile",
    files: {
      "package-lock.json": lockWith({ version: "1.0.0", optionalDependencies: { "tool-darwin-arm64": "1.0.0" } }),
    },
    named: /lacks its optional tool-darwin-arm64/,
  },
]);

planted("migrations", migrations, [
  {
    violation: "a gap in the numbers",
    files: { "src/platform/store/migrations/0004-late.sql": "" },
    named: /0004-late\.sql: gap in the sequence, 0003 is missing/,
  },
  {
    violation: "a number used twice",
    files: { "src/platform/store/migrations/0002-again.sql": "" },
    named: /same number as .*0002-/,
  },
  {
    violation: "a name without a number",
    files: { "src/platform/store/migrations/more.sql": "" },
    named: /more\.sql: migrations are named/,
  },
]);

planted("wiring", compositionRoot, [
  {
    violation: "a refusal in the composition root",
    files: {
      "src/app/daemon/serve.ts": `import { DomainError } from "../../contract/index.ts";\n\nthrow new DomainError("input.invalid", "no");\n`,
    },
    named: /src\/app\/daemon\/serve\.ts:3: new DomainError: src\/app refuses nothing/,
  },
  {
    violation: "a transaction in the composition root",
    files: {
      "src/app/daemon/serve.ts": `import { store } from "./build-daemon.ts";\n\nawait store.transact("audit", () => 1);\n`,
    },
    named: /src\/app\/daemon\/serve\.ts:3: transact\(: src\/app changes nothing/,
  },
]);

planted("english", plainEnglish, [
  {
    violation: "a message without a subject",
    files: { "src/main.ts": `export const message = "nobody answers";\n` },
    named: /^src\/main\.ts:1: "nobody": name the subject/,
  },
  {
    violation: "a page that says whoever",
    files: { "docs/page.md": `# Page\n\nWhoever reads this goes on.\n` },
    named: /^docs\/page\.md:3: "Whoever": name the subject/,
  },
  {
    violation: "a Perl program that says somebody",
    files: { "src/adapters/run.pl": `print "somebody holds it";\n` },
    named: /^src\/adapters\/run\.pl:1: "somebody": name the subject/,
  },
]);

planted("core-clients", coreClients, [
  {
    violation: "a client's name in the core",
    files: {
      "src/contract/agent.ts": `export const example = 1;\nexport const operation = { example: { client: "codex" } };\nexport const known = ["codex"];\n`,
    },
    named: /^src\/contract\/agent\.ts:3: names the client codex; only src\/adapters knows clients$/,
  },
  {
    violation: "a client's name in a comment of a migration",
    files: { "src/coordination/things/migrations/0001-things.sql": `-- for Claude Code\n` },
    named: /0001-things\.sql:1: names the client Claude Code/,
  },
]);

planted("clock", clockUse, [
  ...["Date.now()", "performance.now()", "Math.random()", "setTimeout(() => {}, 1)", "new Date()"].map((use) => ({
    violation: `${use} in the product`,
    files: { "src/main.ts": `console.log(${use});\n` },
    named: /src\/main\.ts:1: .*from a port/,
  })),
  {
    violation: "a sleeping test",
    files: {
      "test/flows/slow.test.ts": testFile(
        `it("waits", async () => {\n  await new Promise((r) => setTimeout(r, 9));\n});`,
      ),
    },
    named: /test\/flows\/slow\.test\.ts:4: setTimeout: wait for a condition/,
  },
  {
    violation: "a sleep through node:timers/promises",
    files: {
      "test/flows/slow.test.ts": `import { setTimeout as pause } from "node:timers/promises";\nawait pause(9);\n`,
    },
    named: /slow\.test\.ts:1: import of node:timers\/promises/,
  },
]);

planted("tests", testRules, [
  {
    violation: "a title without a subject",
    files: { "src/contract/thing.test.ts": testFile(`it("goes on", () => expect(1).toBe(1));`) },
    named: /^src\/contract\/thing\.test\.ts:3: "goes on": name the subject/,
  },
  {
    violation: "an id nobody wrote down",
    files: { "src/main.test.ts": testFile(`it("works [CORE-99]", () => expect(1).toBe(1));`) },
    named: /src\/main\.test\.ts:3: CORE-99 is not in docs\/requirements/,
  },
  {
    violation: "five ids in one title",
    files: {
      "src/main.test.ts": testFile(`it("works [CORE-1, CORE-2, CORE-1, CORE-2, CORE-1]", () => expect(1).toBe(1));`),
    },
    named: /5 ids in one title/,
  },
  {
    violation: "five ids by way of the describe around a test",
    files: {
      "src/main.test.ts": testFile(
        `describe("all [CORE-1, CORE-2]", () => {\n  it("works [CORE-1, CORE-2, CORE-1]", () => expect(1).toBe(1));\n});`,
      ),
    },
    named: /src\/main\.test\.ts:4: 5 ids in one title/,
  },
  {
    violation: "ids in another notation",
    files: { "src/main.test.ts": testFile(`it("works [CORE-1 CORE-2]", () => expect(1).toBe(1));`) },
    named: /write ids as \[A-1, B-2\]/,
  },
  {
    violation: "a focused test",
    files: { "src/main.test.ts": testFile(`it.only("works", () => expect(1).toBe(1));`) },
    named: /remove \.only/,
  },
  {
    violation: "a test skipped without a reason",
    files: { "src/main.test.ts": testFile(`it.skip("works", () => expect(1).toBe(1));`) },
    named: /skip inside the test, with its reason/,
  },
  {
    violation: "a conditional skip without a reason",
    files: { "src/main.test.ts": testFile(`it("works", ({ skip }) => skip(process.platform === "win32"));`) },
    named: /skip\(\) needs its reason/,
  },
  ...["[%s]", "[$id]"].map((filled) => ({
    violation: `an id by interpolation, ${filled}, from a table that is computed`,
    files: {
      "src/main.test.ts": testFile(`it.each(names())("works ${filled}", () => expect(1).toBe(1));`),
    },
    named: /src\/main\.test\.ts:3: an id by interpolation needs a row of its own/,
  })),
  {
    violation: "an id by a template literal",
    files: { "src/main.test.ts": testFile("it(`works [${id}]`, () => expect(1).toBe(1));") },
    named: /src\/main\.test\.ts:3: an id by interpolation/,
  },
  {
    violation: "a row without an id where the title takes its id from the row",
    files: {
      "src/main.test.ts": testFile(`it.each([["CORE-1"], ["none"]])("works [%s]", () => expect(1).toBe(1));`),
    },
    named: /an id by interpolation/,
  },
  {
    violation: "an id over a role that the test defines",
    files: {
      "src/main.test.ts": testFile(`it("works [CORE-1]", () => expect(defineRole({ core: [] })).toBe(1));`),
    },
    named: /src\/main\.test\.ts:3: the subject is made in the test \(defineRole\)/,
  },
  {
    violation: "an id over a role that a helper of the test's file defines",
    files: {
      "src/main.test.ts": testFile(
        `const role = defineRole({ core: [] });\nfunction made() {\n  return role;\n}\nit("works [CORE-1]", () => expect(made()).toBe(1));`,
      ),
    },
    named: /src\/main\.test\.ts:7: the subject is made in the test \(defineRole\)/,
  },
  {
    violation: "an id over a store that the test writes",
    files: {
      "src/main.test.ts": testFile(`it("works [CORE-1]", () => expect(use({ store: { find: () => 1 } })).toBe(1));`),
    },
    named: /the subject is made in the test \(a store of its own\)/,
  },
  {
    violation: "an id of a test that may be skipped, which another test carries too",
    files: {
      "src/main.test.ts": testFile(
        `it("works [CORE-1]", ({ skip }) => skip(true, "no network"));\nit("works too [CORE-1]", () => expect(1).toBe(1));`,
      ),
    },
    named: /src\/main\.test\.ts:3: may be skipped, and another test carries CORE-1/,
  },
]);

it("takes ids that each stand in a row of the table, and an id that only a skippable test carries [CORE-26]", async () => {
  const root = cleanTree();
  const table = `const rows = [["CORE-1"], ["CORE-2"]] as const;\n`;
  writeTree(root, {
    "src/main.test.ts": testFile(
      `${table}it.each(rows.map(([id]) => ({ id })))("works [$id]", () => expect(1).toBe(1));`,
    ),
  });
  expect(await testRules.run(root)).toEqual([]);
  writeTree(root, {
    "src/main.test.ts": testFile(`it("works [CORE-2]", ({ skip }) => skip(true, "no network"));`),
  });
  expect(await testRules.run(root)).toEqual([]);
});

planted("names", fileNames, [
  ...["utils.ts", "types.ts", "session-manager.ts", "new-store.ts", "store-v2.ts", "common/index.ts"].map((name) => ({
    violation: `a file called ${name}`,
    files: { [`src/platform/${name}`]: "" },
    named: /the name fits anything/,
  })),
  {
    violation: "a name that is not kebab-case",
    files: { "src/platform/eventLog.ts": "" },
    named: /src\/platform\/eventLog\.ts: file and folder names are kebab-case/,
  },
]);

planted("readmes", folderReadmes, [
  {
    violation: "a top folder without a README",
    files: { "src/oversight/index.ts": "" },
    named: /src\/oversight\/README\.md is missing/,
  },
  {
    violation: "a README of 41 lines",
    files: { "src/platform/README.md": "line\n".repeat(41) },
    named: /src\/platform\/README\.md has 41 lines/,
  },
]);

it("accepts a clock use and a skip that give their reasons [CORE-26]", async () => {
  const root = cleanTree();
  writeTree(root, {
    "src/main.ts": `console.log(Date.now()); // clock-exempt: printed for people only\n`,
    "src/main.test.ts": testFile(`it("works", ({ skip }) => {\n  skip(true, "no network here");\n});`),
  });
  expect([...(await clockUse.run(root)), ...(await testRules.run(root))]).toEqual([]);
});

function planted(name: string, check: Check, cases: Planted[]): void {
  describe(`check ${name}`, () => {
    it.each(cases)("refuses $violation [CORE-26]", async ({ files, named }) => {
      const root = cleanTree();
      writeTree(root, files);
      expect((await check.run(root)).join("\n")).toMatch(named);
    });
  });
}

function runCheck(root: string): { status: number | null; output: string } {
  const args = [join(repository, "scripts", "check.ts"), "--root", root];
  const run = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 50_000 });
  return { status: run.status, output: run.stdout + run.stderr };
}

/** A configuration that leaves a source out, as a cruiser without a fitting compiler would. */
function blindCruiser(): string {
  return `module.exports = { forbidden: [], options: { exclude: { path: "dist" }, tsPreCompilationDeps: true } };\n`;
}

function lockWith(entry: Record<string, unknown>): string {
  return asJson({ packages: { "node_modules/better-sqlite3": { version: "13.0.3" }, "node_modules/tool": entry } });
}
