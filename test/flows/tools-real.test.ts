/** The commands that discovery builds really run: with this repository's own tools, on a fixture with a planted fault. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ToolAnswer, ToolReport } from "../../src/contract/index.ts";
import { jsonOf, repositoryRoot } from "./run-sylk.ts";
import { openScratchHome, type ScratchHome, writeTree } from "./scratch-home.ts";
import { shopEnv } from "./scratch-shop.ts";

let home: ScratchHome;
beforeAll(() => {
  home = openScratchHome({ env: shopEnv });
});
afterAll(() => home[Symbol.asyncDispose]());

const good = {
  "package.json": `{
  "type": "module",
  "devDependencies": {
    "oxfmt": "0",
    "oxlint": "1",
    "typescript": "6.0.3",
    "vitest": "5.1.0"
  }
}
`,
  ".gitignore": "node_modules/\n.git/\n",
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["src"] }\n',
  ".oxlintrc.json": '{ "rules": { "no-debugger": "error" } }\n',
  ".oxfmtrc.json": "{}\n",
  "vitest.config.ts": "export default {};\n",
  "src/price.ts": "export const price: number = 1;\n",
  "test/price.test.ts": 'import { expect, it } from "vitest";\nit("is one", () => expect(1).toBe(1));\n',
};

/** Two packages here bring a tsc. */
const programs: Readonly<Record<string, string>> = { tsc: "typescript/bin/tsc" };

function project(name: string, changes: Readonly<Record<string, string>>): string {
  const folder = join(home.root, name);
  mkdirSync(folder);
  writeTree(folder, { ...good, ...changes });
  const own = join(repositoryRoot, "node_modules");
  mkdirSync(join(folder, "node_modules", ".bin"), { recursive: true });
  execFileSync("git", ["init", "--quiet", folder], { env: { ...home.env } });
  for (const one of ["oxlint", "oxfmt", "typescript", "vitest"])
    symlinkSync(join(own, one), join(folder, "node_modules", one));
  for (const program of ["oxlint", "oxfmt", "tsc", "vitest"])
    symlinkSync(join(own, programs[program] ?? `.bin/${program}`), join(folder, "node_modules", ".bin", program));
  return folder;
}

async function endsOf(folder: string, category: ToolAnswer["category"], tool: string): Promise<number | null> {
  const { answers } = jsonOf<ToolReport>(await home.sylk(["tools", folder, "--category", category, "--json"]));
  const found = answers[0]!.tools.find(({ name }) => name === tool)!;
  expect([found.name, found.installed]).toEqual([tool, true]);
  const [program, ...args] = found.run;
  return spawnSync(program!, args, { cwd: folder, env: { ...home.env, ...shopEnv }, timeout: 60_000 }).status;
}

it.each([
  ["linter", "oxlint", { "src/price.ts": "export const price = 1;\ndebugger;\n" }],
  ["formatter", "oxfmt", { "src/price.ts": "export   const price=1\n" }],
  ["type_checker", "tsc", { "src/price.ts": 'export const price: number = "one";\n' }],
  ["test_framework", "vitest", { "test/price.test.ts": good["test/price.test.ts"].replace("toBe(1)", "toBe(2)") }],
  [
    "test_framework",
    "node:test",
    {
      "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      "test/price.test.ts": "",
      "test/b.test.js": "process.exit(1);\n",
    },
  ],
] as const)(
  "runs the %s %s by the command that it says: well on a sound project, badly on a planted fault",
  async (category, tool, fault) => {
    const script = tool === "node:test" ? { "package.json": fault["package.json"], "test/price.test.ts": "" } : {};
    expect(await endsOf(project(`${tool.replace(":", "-")}-good`, script), category, tool)).toBe(0);
    expect(await endsOf(project(`${tool.replace(":", "-")}-bad`, fault), category, tool)).not.toBe(0);
  },
  120_000,
);

it("tells the installed version of a tool from its files, and runs no program of the project to find it", async () => {
  const folder = project("hostile", {});
  const trap = join(folder, ".venv", "bin");
  mkdirSync(trap, { recursive: true });
  const mark = join(home.root, "was-run");
  writeTree(folder, { "pyproject.toml": "[tool.pytest.ini_options]\n", "a.py": "", "b.py": "", "c.py": "" });
  for (const name of ["pytest", "python", "ruff", "uv"])
    writeFileSync(join(trap, name), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  writeFileSync(join(folder, ".venv", "pyvenv.cfg"), "");
  writeTree(folder, { ".venv/lib/python3.12/site-packages/pytest-8.3.3.dist-info/METADATA": "" });
  const PATH = `${trap}:${shopEnv.PATH}`;
  const { answers } = jsonOf<ToolReport>(await home.sylk(["tools", folder, "--json"], { env: { PATH } }));
  const tools = answers.flatMap((answer) => answer.tools);
  expect(tools.find(({ name }) => name === "oxlint")?.version).toMatch(/^\d+\.\d+\.\d+/);
  expect(tools.find(({ name }) => name === "pytest")).toMatchObject({ version: "8.3.3", run: [".venv/bin/pytest"] });
  expect(execFileSync("ls", [home.root], { encoding: "utf8" })).not.toContain("was-run");
});
