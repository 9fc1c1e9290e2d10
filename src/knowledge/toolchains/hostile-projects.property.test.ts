/** Discovery over projects of strangers: whatever their files hold, it answers, and reads only what it may. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { tool } from "../../contract/index.ts";
import { answerCategory } from "./answer-category.ts";
import { createToolRegistry } from "./registry.ts";
import { scanFiles, scanFolder } from "./scan-project.ts";
import { noChoices } from "./tool-choices.ts";
import { categories } from "./tool-definition.ts";

const registry = createToolRegistry();
const noPrograms = { find: () => undefined, onPath: () => undefined, environment: undefined };
const names = [
  "package.json",
  "pyproject.toml",
  "Cargo.toml",
  "Pipfile",
  "setup.cfg",
  "tox.ini",
  "requirements.txt",
  "go.mod",
  "Gemfile",
  "composer.json",
  "pom.xml",
  "build.gradle",
  "mix.exs",
  "pubspec.yaml",
  "CMakeLists.txt",
  "dune-project",
  "Makefile",
  ".gitlab-ci.yml",
  ".vscode/settings.json",
  ".github/workflows/ci.yml",
];
const words = fc.constantFrom(
  "dependencies", "devDependencies", "tool", "scripts", "__proto__", "constructor", "toString", "eslint", "pytest", "[", "]",
  "[[", "=", "{", "}", '"', "'", "\n", "\t", ":", "- ", ".PHONY:", "test:", "&a", "*a", "<<", "\0", "\uFFFD", "1e999", "null",
); // prettier-ignore
const text = fc.oneof(
  fc.string({ maxLength: 200, unit: "binary" }),
  fc.array(words, { maxLength: 60 }).map((parts) => parts.join("")),
  fc.json({ maxDepth: 4 }),
  fc.constantFrom(
    "[".repeat(50_000),
    '{"a":'.repeat(20_000),
    "a.".repeat(30_000),
    "a=".repeat(30_000),
    `x = ${"[".repeat(5_000)}`,
  ),
);

it("answers for any content of any manifest and build file, in the shape of the contract", async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), text, { maxKeys: 6 }), async (files) => {
      const source = { paths: Object.keys(files), folders: [], cut: false, read: async (path: string) => files[path] };
      const scan = await scanFiles(source, noPrograms, registry);
      for (const category of categories) {
        const languages = ["typescript", "python", "go"];
        const wanted = { category, languages, minConfidence: "medium", choices: noChoices } as const;
        expect(tool.ToolAnswer.safeParse(answerCategory(wanted, scan, registry)).success).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
}, 60_000);

it("opens no pipe, no link out of the project and no large file, and ends in a loop of links", async () => {
  const root = mkdtempSync(join(tmpdir(), "hostile-"));
  try {
    const project = join(root, "project");
    mkdirSync(join(project, "a"), { recursive: true });
    mkdirSync(join(project, ".git"));
    writeFileSync(join(root, "secret.json"), '{"devDependencies":{"eslint":"9"}}');
    symlinkSync(join(root, "secret.json"), join(project, "composer.json"));
    symlinkSync(join(root, "secret.json"), join(project, "package.json"));
    execFileSync("mkfifo", [join(project, "pyproject.toml")]);
    writeFileSync(join(project, "requirements.txt"), `pytest\n${"#".repeat(1_100_000)}`);
    symlinkSync("..", join(project, "a", "loop"));
    symlinkSync("self", join(project, ".venv"));
    const { found, languages, notes } = await scanFolder(project, { registry, env: { PATH: "/usr/bin:.:relative" } });
    expect([found.evidence, languages]).toEqual([[], []]);
    expect(notes).toEqual(["requirements.txt cannot be read: it is not a plain file of at most 1 MB"]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
