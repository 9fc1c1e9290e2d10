/**
 * A tiny repository under the real rules: our tool configurations, a few files in four folders, nothing wrong.
 * Tests plant one violation in it.
 */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { copyFromRepository, repository, scratchFolder, writeTree } from "./scratch-folder.ts";

const CONFIGS = [
  ".dependency-cruiser.cjs",
  ".oxfmtrc.json",
  ".oxlintrc.json",
  "knip.json",
  "tsconfig.json",
  "tsconfig.programs.json",
];
const README = "# What it is for\n";

export function cleanTree(): string {
  const root = scratchFolder();
  copyFromRepository(root, CONFIGS);
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  writeTree(root, {
    "package.json": asJson({
      name: "tiny",
      type: "module",
      dependencies: { "better-sqlite3": "13.0.3", zod: "4.6.7" },
      devDependencies: { "@types/better-sqlite3": "9.6.0", "@types/node": "24.19.2", vitest: "5.1.0" },
      allowScripts: { "better-sqlite3": false },
    }),
    "package-lock.json": asJson({
      packages: {
        "node_modules/better-sqlite3": { version: "13.0.3" },
        "node_modules/some-tool": { version: "1.0.0", optionalDependencies: { "some-tool-linux": "1.0.0" } },
        "node_modules/some-tool-linux": { version: "1.0.0" },
      },
    }),
    "docs/requirements/product.md":
      "| Id | Requirement |\n|---|---|\n| CORE-1 | It works. |\n| CORE-2 | It is fast. |\n",
    "src/contract/README.md": README,
    "src/contract/index.ts": `export { Thing } from "./thing.ts";\n`,
    "src/contract/thing.ts": `import { z } from "zod";\n\nexport const Thing = z.object({ id: z.string() });\n`,
    "src/platform/README.md": README,
    "src/platform/clock/index.ts": `export const now = (): number => Date.now();\n`,
    "src/platform/store/index.ts":
      `import Database from "better-sqlite3";\n\n` +
      `export const open = (): Database.Database => new Database(":memory:");\n`,
    "src/platform/store/migrations/0001-things.sql": "CREATE TABLE thing (id TEXT);\n",
    "src/coordination/README.md": README,
    "src/coordination/things/index.ts": `export { addThing } from "./add-thing.ts";\n`,
    "src/coordination/things/add-thing.ts":
      `import { Thing } from "../../contract/index.ts";\nimport { now } from "../../platform/clock/index.ts";\n\n` +
      `export const addThing = (): string => Thing.parse({ id: String(now()) }).id;\n`,
    "src/coordination/things/add-thing.test.ts":
      `import { expect, it } from "vitest";\nimport { addThing } from "./add-thing.ts";\n\n` +
      `it("adds a thing [CORE-1]", () => {\n  expect(addThing()).not.toBe("");\n});\n`,
    "src/coordination/plans/migrations/0002-plans.sql": "CREATE TABLE plan (id TEXT);\n",
    "src/adapters/README.md": README,
    "src/adapters/tool/program.cjs": `console.log(process.argv);\n`,
    "src/adapters/tool/program.sh": `#!/bin/sh\necho "$HOME"\n`,
    "src/surfaces/README.md": README,
    "src/surfaces/client/index.ts": `export { Thing } from "../../contract/index.ts";\n`,
    "src/app/README.md": README,
    "src/app/daemon/build-daemon.ts":
      `import { addThing } from "../../coordination/things/index.ts";\nimport { open } from "../../platform/store/index.ts";\n\n` +
      `export const buildDaemon = (): string => addThing() + open().name;\n`,
    "src/app/daemon/serve.ts": `import { buildDaemon } from "./build-daemon.ts";\n\nexport const serve = (): string => buildDaemon();\n`,
    "src/main.ts": `import { serve } from "./app/daemon/serve.ts";\n\nconsole.log(serve());\n`,
  });
  return root;
}

export function asJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
