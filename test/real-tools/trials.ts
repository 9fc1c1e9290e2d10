/**
 * Trials of real tools: for each a project that it accepts and one with a mistake that it must find. The tools of npm are
 * pinned here and installed beside the caches; the others are tried where the machine has them.
 */
import type { ToolCategory } from "../../src/contract/tool.ts";

export const pinnedTools = {
  "@biomejs/biome": "2.6.7",
  "@astral-sh/ruff-wasm-nodejs": "0.17.3",
  eslint: "10.15.0",
  jest: "30.5.2",
  mocha: "12.0.3",
  oxlint: "1.93.0",
  prettier: "3.10.1",
  typescript: "7.0.2",
  vitest: "5.1.0",
} as const;

type Files = Readonly<Record<string, string>>;
export type Trial = {
  readonly tool: string;
  readonly category: ToolCategory;
  /** Besides the tool's own, which the manifest names. */
  readonly files: Files;
  readonly good: Files;
  /** Replaces the good ones. */
  readonly bad: Files;
  /** What it says of the mistake. */
  readonly says: RegExp;
};

const module = { "package.json": '{\n  "type": "module"\n}\n', ".gitignore": "node_modules\n" };
const goodScript = { "price.js": "export const price = 1;\n" };
const test = (body: string) => `import assert from "node:assert";\n${body}\n`;

export const trials: readonly Trial[] = [
  {
    tool: "eslint",
    category: "linter",
    files: { ...module, "eslint.config.js": 'export default [{ rules: { "no-debugger": "error" } }];\n' },
    good: goodScript,
    bad: { "price.js": "debugger;\n" },
    says: /no-debugger/,
  },
  {
    tool: "oxlint",
    category: "linter",
    files: { ...module, ".oxlintrc.json": '{ "rules": { "no-debugger": "error" } }\n' },
    good: goodScript,
    bad: { "price.js": "debugger;\n" },
    says: /no-debugger/,
  },
  {
    tool: "biome",
    category: "linter",
    files: { ...module, "biome.json": "{}\n" },
    good: goodScript,
    bad: { "price.js": "export const price = 1;\ndebugger;\n" },
    says: /noDebugger/,
  },
  {
    tool: "biome",
    category: "formatter",
    files: { ...module, "biome.json": '{\n  "formatter": { "indentStyle": "space" }\n}\n' },
    good: goodScript,
    bad: { "price.js": "export   const price=1\n" },
    says: /price\.js/,
  },
  {
    tool: "prettier",
    category: "formatter",
    files: { ...module, ".prettierrc": "{}\n" },
    good: goodScript,
    bad: { "price.js": "export   const price=1\n" },
    says: /price\.js/,
  },
  {
    tool: "tsc",
    category: "type_checker",
    files: {
      ...module,
      "tsconfig.json": '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["*.ts"] }\n',
    },
    good: { "price.ts": "export const price: number = 1;\n" },
    bad: { "price.ts": 'export const price: number = "one";\n' },
    says: /TS2322/,
  },
  {
    tool: "vitest",
    category: "test_framework",
    files: { ...module, "vitest.config.js": "export default {};\n" },
    good: { "price.test.js": 'import { expect, it } from "vitest";\nit("adds", () => expect(1 + 1).toBe(2));\n' },
    bad: { "price.test.js": 'import { expect, it } from "vitest";\nit("adds", () => expect(1 + 1).toBe(3));\n' },
    says: /1 failed/,
  },
  {
    tool: "jest",
    category: "test_framework",
    files: { "package.json": "{}\n", "jest.config.cjs": "module.exports = {};\n" },
    good: { "price.test.js": 'test("adds", () => expect(1 + 1).toBe(2));\n' },
    bad: { "price.test.js": 'test("adds", () => expect(1 + 1).toBe(3));\n' },
    says: /1 failed/,
  },
  {
    tool: "mocha",
    category: "test_framework",
    files: { ...module, ".mocharc.json": "{}\n" },
    good: { "test/price.js": test('it("adds", () => assert.equal(1 + 1, 2));') },
    bad: { "test/price.js": test('it("adds", () => assert.equal(1 + 1, 3));') },
    says: /1 failing/,
  },
  {
    tool: "node:test",
    category: "test_framework",
    files: { "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n' },
    good: { "price.test.js": test('import { test } from "node:test";\ntest("adds", () => assert.equal(1 + 1, 2));') },
    bad: { "price.test.js": test('import { test } from "node:test";\ntest("adds", () => assert.equal(1 + 1, 3));') },
    says: /fail 1/,
  },
  ...python(),
  {
    tool: "go test",
    category: "test_framework",
    files: { "go.mod": "module example.com/shop\n\ngo 1.21\n" },
    good: { "price_test.go": goTest(2) },
    bad: { "price_test.go": goTest(3) },
    says: /FAIL/,
  },
  {
    tool: "go vet",
    category: "type_checker",
    files: { "go.mod": "module example.com/shop\n\ngo 1.21\n" },
    good: { "price.go": "package shop\n\nvar Price int = 1\n" },
    bad: { "price.go": 'package shop\n\nvar Price int = "one"\n' },
    says: /price\.go/,
  },
  ...rust(),
  {
    tool: "shellcheck",
    category: "linter",
    files: { ".shellcheckrc": "" },
    good: { "price.sh": '#!/bin/sh\necho "$1"\n' },
    bad: { "price.sh": "#!/bin/sh\necho $1\n" },
    says: /SC2086/,
  },
];

function python(): readonly Trial[] {
  const config = (section: string) => ({ "pyproject.toml": `[${section}]\n` });
  return [
    {
      tool: "ruff",
      category: "linter",
      files: config("tool.ruff"),
      good: { "price.py": "price = 1\n" },
      bad: { "price.py": "import os\n" },
      says: /F401/,
    },
    {
      tool: "pytest",
      category: "test_framework",
      files: config("tool.pytest.ini_options"),
      good: { "test_price.py": "def test_price():\n    assert 1 + 1 == 2\n" },
      bad: { "test_price.py": "def test_price():\n    assert 1 + 1 == 3\n" },
      says: /1 failed/,
    },
    {
      tool: "mypy",
      category: "type_checker",
      files: config("tool.mypy"),
      good: { "price.py": "price: int = 1\n" },
      bad: { "price.py": 'price: int = "one"\n' },
      says: /Incompatible types/,
    },
    {
      tool: "black",
      category: "formatter",
      files: config("tool.black"),
      good: { "price.py": "price = 1\n" },
      bad: { "price.py": "price=1\n" },
      says: /would reformat/,
    },
  ];
}

function rust(): readonly Trial[] {
  const files = { "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n' };
  const main = (body: string) => ({ "src/main.rs": `fn main() {\n    ${body}\n}\n` });
  const tested = (sum: number) => ({
    "src/lib.rs": `#[test]\nfn adds() {\n    assert_eq!(1 + 1, ${sum});\n}\n`,
  });
  return [
    { tool: "cargo test", category: "test_framework", files, good: tested(2), bad: tested(3), says: /1 failed/ },
    {
      tool: "cargo check",
      category: "type_checker",
      files,
      good: main("let _price: u32 = 1;"),
      bad: main('let _price: u32 = "one";'),
      says: /E0308/,
    },
    {
      tool: "rustfmt",
      category: "formatter",
      files: { ...files, "rustfmt.toml": "" },
      good: main("let _price = 1;"),
      bad: main("let   _price=1;"),
      says: /Diff in/,
    },
  ];
}

function goTest(sum: number): string {
  return `package shop\n\nimport "testing"\n\nfunc TestPrice(t *testing.T) {\n\tif 1+1 != ${sum} {\n\t\tt.Fatal("sum")\n\t}\n}\n`;
}
