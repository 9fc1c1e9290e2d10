/**
 * Two small repositories of strangers, and what a scripted model answers when their owner asks for a change: a plan with
 * one step, then the file that is wrong and a test for it.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeTree } from "../flows/scratch-home.ts";
import { finish, read, type Turn, write } from "../flows/scenario-turns.ts";

export type StrangersProject = {
  readonly language: string;
  readonly files: Readonly<Record<string, string>>;
  /** The file that two sessions want, and the run changes. */
  readonly contested: string;
  /** What the model writes. */
  readonly changed: Readonly<Record<string, string>>;
};

export const typescript: StrangersProject = {
  language: "typescript",
  contested: "src/slug.ts",
  files: {
    "package.json": '{ "name": "slugs", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/slug.ts": [
      "export function slug(title: string): string {",
      '  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");',
      "}",
      "",
    ].join("\n"),
    "test/slug.test.ts": [
      'import assert from "node:assert/strict";',
      'import { test } from "node:test";',
      'import { slug } from "../src/slug.ts";',
      "",
      'test("words are joined by hyphens", () => assert.equal(slug("Big World"), "big-world"));',
      "",
    ].join("\n"),
  },
  changed: {
    "src/slug.ts": [
      "export function slug(title: string): string {",
      "  const words = title.toLowerCase().split(/[^a-z0-9]+/);",
      '  return words.filter((word) => word !== "").join("-");',
      "}",
      "",
    ].join("\n"),
    "test/ends.test.ts": [
      'import assert from "node:assert/strict";',
      'import { test } from "node:test";',
      'import { slug } from "../src/slug.ts";',
      "",
      'test("no hyphen is left at either end", () => assert.equal(slug(" Hello! "), "hello"));',
      "",
    ].join("\n"),
  },
};

export const python: StrangersProject = {
  language: "python",
  contested: "slugs.py",
  files: {
    "slugs.py": [
      "import re",
      "",
      "",
      "def slug(title: str) -> str:",
      '    return re.sub(r"[^a-z0-9]+", "-", title.lower())',
      "",
    ].join("\n"),
    "tests/__init__.py": "",
    "tests/test_slugs.py": pythonTest("words_are_joined_by_hyphens", "Big World", "big-world"),
  },
  changed: {
    "slugs.py": [
      "import re",
      "",
      "",
      "def slug(title: str) -> str:",
      '    words = re.split(r"[^a-z0-9]+", title.lower())',
      '    return "-".join(word for word in words if word)',
      "",
    ].join("\n"),
    "tests/test_ends.py": pythonTest("no_hyphen_is_left_at_either_end", " Hello! ", "hello"),
  },
};

/** A repository with one commit, in a folder named slugs. */
export function makeProject(folder: string, { files }: StrangersProject): string {
  const repository = join(folder, "slugs");
  mkdirSync(repository);
  writeTree(repository, files);
  const git = (...args: string[]): unknown => execFileSync("git", args, { cwd: repository, stdio: "pipe" });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Slugs");
  return repository;
}

export function turnsOf({ changed }: StrangersProject): readonly Turn[] {
  const prompt = "Let slug() drop empty words, so that no hyphen is left at either end, and test it.";
  const node = { key: "ends", title: "slug() leaves no hyphen at either end", role: "engineer", prompt, dependsOn: [] };
  const steps = [
    [read(Object.keys(changed)[0]!)],
    Object.entries(changed).map(([path, content]) => write(path, content)),
    [finish("Empty words are dropped before the rest is joined; a test shows it.")],
  ];
  // Else it would be guessed from what was sent, which names folders of the machine.
  const usage = { input: 500, output: 50 };
  return [
    {
      when: { tool: "propose_plan" },
      reply: [{ tool: "propose_plan", input: { summary: "Drop empty words before joining.", nodes: [node] } }],
      usage,
    },
    ...steps.map((reply, turn) => ({ when: { tool: "finish", mentions: prompt, turn }, reply, usage })),
    { when: {}, reply: [{ text: "Hello" }], usage },
  ];
}

function pythonTest(name: string, title: string, slug: string): string {
  return [
    "import unittest",
    "",
    "from slugs import slug",
    "",
    "",
    "class SlugTest(unittest.TestCase):",
    `    def test_${name}(self):`,
    `        self.assertEqual(slug("${title}"), "${slug}")`,
    "",
  ].join("\n");
}
