/** Tool discovery as users meet it: `sylk tools` in projects of several languages, its cache, and what runs make of it. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DiscoveredTool, ToolAnswer, ToolReport } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { openScratchHome, writeTree } from "./scratch-home.ts";
import { goodChange, makeShop, shopEnv } from "./scratch-shop.ts";
import { jsonOf } from "./run-sylk.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

let made = 0;
function project(files: Readonly<Record<string, string>>): string {
  const folder = join(daemon.root, `tools-${++made}`);
  writeTree(folder, files);
  return folder;
}
const packageJson = (manifest: object) => `${JSON.stringify(manifest)}\n`;
const goProject = {
  "go.mod": "module example.com/shop\n\ngo 1.23\n",
  "main.go": "package main\n\nfunc main() {}\n",
  ".golangci.yml": 'version: "2"\n',
};
const typescriptProject = {
  "package.json": packageJson({ devDependencies: { eslint: "^9.12.0", vitest: "~5.1.0" } }),
  "package-lock.json": "{}\n",
  "src/price.ts": "export const price = 1;\n",
  "tsconfig.json": "{}\n",
};
const pythonProject = {
  "pyproject.toml": `[project]
name = "shop"
[dependency-groups]
dev = ["mypy>=1.11"]
[tool.pytest.ini_options]
testpaths = ["tests"]
[tool.ruff]
line-length = 100
`,
  "shop/price.py": "price = 1\n",
  "tests/test_price.py": "def test_price():\n    assert True\n",
};

async function tools(folder: string, ...args: readonly string[]): Promise<ToolReport> {
  return jsonOf<ToolReport>(await daemon.sylk(["tools", folder, "--json", ...args]));
}
function answerOf({ answers }: ToolReport, category: ToolAnswer["category"]): ToolAnswer {
  return answers.find((answer) => answer.category === category)!;
}
function toolIn(report: ToolReport, category: ToolAnswer["category"]): DiscoveredTool | undefined {
  return answerOf(report, category).tools[0];
}

it("the table of each language takes tools of the user's own while the daemon runs, also without a daemon [LIB-30]", async () => {
  const folder = project({ "a.rb": "x = 1\n", ".house.yml": "" });
  const file = join(daemon.paths.home, "tools.json");
  const tool = { name: "house-lint", languages: ["ruby"], configFiles: [".house.yml"] };
  const own = { ...tool, commands: { linter: ["house-lint", "."], lsp: ["house-lint", "--lsp"] } };
  const shipped = answerOf(await tools(folder), "linter");
  expect([shipped.tools, shipped.options.map((option) => option.tool)]).toEqual([
    [],
    expect.arrayContaining(["rubocop"]),
  ]);
  writeFileSync(file, JSON.stringify({ tools: [own] }));
  const found = await tools(folder);
  expect(toolIn(found, "linter")).toMatchObject({ name: "house-lint", confidence: "high", run: ["house-lint", "."] });
  expect(toolIn(found, "lsp")).toMatchObject({ name: "house-lint", run: ["house-lint", "--lsp"] });
  expect(answerOf(found, "formatter").options.map((option) => option.tool)).toContain("rubocop");
  await using alone = openScratchHome();
  writeTree(alone.paths.home, { "tools.json": JSON.stringify({ tools: [own] }) });
  const report = jsonOf<ToolReport>(await alone.sylk(["tools", folder, "--json"]));
  expect(toolIn(report, "linter")?.name).toBe("house-lint");
  writeFileSync(file, JSON.stringify({ tools: [{ ...own, languages: ["cobol"] }] }));
  const { stdout, stderr } = await daemon.sylk(["tools", folder]);
  expect([stdout.includes("house-lint"), stderr]).toEqual([
    false,
    expect.stringContaining('"cobol" is not a known language'),
  ]);
  rmSync(file);
});

describe("sylk tools", () => {
  it("finds golangci-lint by its config file in a Go project: tier 1, high, with the file [TOOL-92, TOOL-81]", async () => {
    const report = await tools(project(goProject), "--category", "linter");
    expect(report.answers).toMatchObject([
      {
        category: "linter",
        tier: 1,
        confidence: "high",
        requiresUser: false,
        options: [],
        tools: [
          {
            name: "golangci-lint",
            language: "go",
            configPath: ".golangci.yml",
            run: ["golangci-lint", "run", "./..."],
            install: ["go", "install", "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@latest"],
            source: "config_file",
            rationale: ".golangci.yml configures it",
          },
        ],
      },
    ]);
  });

  it("finds eslint by a dependency of package.json: tier 1, medium, with its declared version [TOOL-93, TOOL-82]", async () => {
    const linter = answerOf(await tools(project(typescriptProject)), "linter");
    expect(linter).toMatchObject({ tier: 1, confidence: "medium", requiresUser: false });
    expect(linter.tools).toMatchObject([
      {
        name: "eslint",
        declared: "^9.12.0",
        installed: false,
        run: ["npx", "--no-install", "eslint", "."],
        install: ["npm", "install", "--save-dev", "eslint"],
        source: "manifest",
      },
    ]);
    const older = { ...typescriptProject, "package.json": packageJson({ devDependencies: { eslint: "8.57.0" } }) };
    expect(toolIn(await tools(project(older)), "linter")?.run, "before 9 it reads .ts files only by --ext").toContain(
      "--ext",
    );
  });

  it("finds the tools of Go, TypeScript and Python projects, each with its command [TOOL-89]", async () => {
    const commandsOf = async (files: Readonly<Record<string, string>>) => {
      const { answers, languages } = await tools(project(files));
      return [
        languages[0]!.name,
        ...answers.map(({ tier, tools: [tool] }) => `${tier} ${tool?.confidence} ${tool?.run.join(" ")}`),
      ];
    };
    expect(await commandsOf(goProject)).toEqual([
      "go",
      "1 high golangci-lint run ./...",
      "1 medium gofmt -l .",
      "1 medium go vet ./...",
      "1 medium go test ./...",
      "3 undefined undefined",
    ]);
    expect(await commandsOf(typescriptProject)).toEqual([
      "typescript",
      "1 medium npx --no-install eslint .",
      "3 undefined undefined",
      "1 high npx --no-install tsc --noEmit",
      "1 medium npx --no-install vitest run",
      "3 undefined undefined",
    ]);
    expect(await commandsOf(pythonProject)).toEqual([
      "python",
      "1 high ruff check .",
      "1 medium ruff format --check .",
      "1 medium mypy .",
      "1 high pytest",
      "1 medium ruff server",
    ]);
  });

  it("asks for a choice where a project names no tool, the recommended one first", async () => {
    const report = await tools(project({ "a.py": "x = 1\n" }), "--category", "linter");
    expect(report.answers).toMatchObject([{ tier: 3, confidence: "low", requiresUser: true, tools: [] }]);
    const { options } = answerOf(report, "linter");
    expect(options.map(({ tool, recommended }) => [tool, recommended])).toEqual([
      ["ruff", true],
      ["pylint", false],
      ["flake8", false],
    ]);
    for (const { pros, run, install } of options)
      expect([pros.length, run.length, install.length].every((length) => length > 0)).toBe(true);
  });

  it("prints a table with command, confidence and how each tool is known", async () => {
    const { stdout, code } = await daemon.sylk(["tools", project(goProject)]);
    expect(code).toBe(0);
    const lines = stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, " | "));
    expect(lines).toContain("category | tool | version | installed | command | confidence | known from");
    expect(lines.find((line) => line.includes("golangci-lint"))).toMatch(
      /^linter \| golangci-lint \| - \| (yes|no) \| golangci-lint run \.\/\.\.\. \| high \| \.golangci\.yml configures it$/,
    );
  });

  it("works without a daemon and without a home, and starts and writes nothing", async () => {
    await using home = openScratchHome();
    writeTree(home.repository, goProject);
    const { answers } = jsonOf<ToolReport>(await home.sylk(["tools", "--json", "--category", "linter"]));
    expect(answers[0]?.tools[0]?.name).toBe("golangci-lint");
    expect(existsSync(home.paths.home)).toBe(false);
  });
});

describe("detection", () => {
  const namesIn = ({ answers }: ToolReport, category?: ToolAnswer["category"]) =>
    answers
      .filter((one) => category === undefined || one.category === category)
      .flatMap(({ tools: found }) => found.map(({ name }) => name));
  const empty = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, ""]));

  it("covers the tools of JavaScript and TypeScript by their config files and by package.json [TOOL-19]", async () => {
    const known = ["eslint", "oxlint", "prettier", "biome", "jest", "vitest", "mocha", "tsc"];
    const byFile = empty(
      "eslint.config.mjs",
      ".oxlintrc.json",
      ".prettierrc",
      "biome.json",
      "jest.config.cjs",
      "vitest.config.ts",
      ".mocharc.yml",
      "tsconfig.json",
      "a.ts",
    );
    const named = ["eslint", "oxlint", "prettier", "@biomejs/biome", "jest", "vitest", "mocha", "typescript"];
    const byPackage = {
      "a.ts": "",
      "package.json": packageJson({ devDependencies: Object.fromEntries(named.map((name) => [name, "1.0.0"])) }),
    };
    for (const [files, confidence] of [
      [byFile, "high"],
      [byPackage, "medium"],
    ] as const) {
      const report = await tools(project(files));
      expect(new Set(namesIn(report)), confidence).toEqual(new Set(known));
      for (const { tools: found } of report.answers) for (const tool of found) expect(tool.confidence).toBe(confidence);
    }
  });

  it("covers the tools of Python by config files, sections and requirements [TOOL-20]", async () => {
    const known = new Set(["ruff", "black", "pylint", "mypy", "pyright", "pytest"]);
    const sections = [...known].map((name) => `[tool.${name}]\n`).join("");
    const places = [
      empty("ruff.toml", ".pylintrc", "mypy.ini", "pyrightconfig.json", "pytest.ini", "a.py"),
      { "a.py": "", "pyproject.toml": sections },
      { "a.py": "", "requirements-dev.txt": [...known].map((name) => `${name}>=1\n`).join("") },
      { "a.py": "", "pyproject.toml": `[project]\nname = "x"\ndependencies = ${JSON.stringify([...known])}\n` },
    ];
    const found = await Promise.all(places.map(async (files) => new Set(namesIn(await tools(project(files))))));
    expect(found[0]).toEqual(new Set(["ruff", "pylint", "mypy", "pyright", "pytest"])); // black has no file of its own
    for (const others of found.slice(1)) expect(others).toEqual(known);
  });

  it("covers the tools of Go and Rust by their files and their toolchains [TOOL-21, TOOL-22]", async () => {
    const goTools = await tools(
      project({ "go.mod": "module x\n\ntool golang.org/x/tools/cmd/goimports\n", "a.go": "", ".golangci.toml": "" }),
    );
    expect(new Set(namesIn(goTools))).toEqual(new Set(["golangci-lint", "gofmt", "goimports", "go vet", "go test"]));
    const rustTools = await tools(
      project({ "Cargo.toml": "[workspace]\n", "a.rs": "", "clippy.toml": "", "rustfmt.toml": "" }),
    );
    expect(new Set(namesIn(rustTools))).toEqual(new Set(["clippy", "rustfmt", "cargo check", "cargo test"]));
    expect(toolIn(rustTools, "linter")).toMatchObject({
      confidence: "high",
      run: ["cargo", "clippy", "--all-targets", "--workspace"],
    });
  });

  it("takes CI, build and editor files for a hint only: low, and a person is asked [TOOL-66, TOOL-67, TOOL-14]", async () => {
    for (const [path, content, name] of [
      ["Makefile", "check:\n\tflake8 src\n", "flake8"],
      [".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - run: poetry run pylint src\n", "pylint"],
      [".gitlab-ci.yml", "lint:\n  script:\n    - ruff check .\n", "ruff"],
      [".vscode/settings.json", '{ "ruff.enable": true }\n', "ruff"],
    ] as const) {
      const report = await tools(project({ "a.py": "", [path]: content }), "--category", "linter");
      const linter = answerOf(report, "linter");
      expect(linter).toMatchObject({ tier: 3, confidence: "low", requiresUser: true });
      expect(linter.tools).toMatchObject([{ name, confidence: "low" }]);
      expect(linter.tools[0]?.rationale).toContain(path);
      expect(linter.options.length).toBeGreaterThan(1);
    }
    const strict = await tools(project(typescriptProject), "--category", "linter", "--min-confidence", "high");
    expect(answerOf(strict, "linter"), "a strict caller").toMatchObject({ tier: 3, requiresUser: true });
  });

  it("prefers the project's own configuration to the recommended tool, and reads the languages off its files [TOOL-25]", async () => {
    const report = await tools(
      project({
        ...empty("a.py", "b.py", "c.ts", "pyrightconfig.json"),
        "setup.cfg": "[flake8]\n",
        "package.json": "{}",
      }),
    );
    expect(report.languages).toEqual([
      { name: "python", files: 2 },
      { name: "typescript", files: 1 },
    ]);
    expect(toolIn(report, "linter")).toMatchObject({ name: "flake8", configPath: "setup.cfg" });
    expect(toolIn(report, "type_checker")?.name).toBe("pyright");
    expect(
      answerOf(report, "linter").options.map(({ language }) => language),
      "TypeScript has none",
    ).toContain("typescript");
  });

  it("is the Librarian's scan_tools, with and without a category [TOOL-63, TOOL-64, TOOL-65]", async () => {
    const folder = project({ ...typescriptProject, ".git/HEAD": "ref: refs/heads/main\n", ".oxlintrc.json": "{}" });
    const { client } = await daemon.register("tools-crow", { project: folder });
    const scan = async (input: Readonly<Record<string, unknown>>) =>
      (await client.call("skill.call", { name: "scan_tools", role: "librarian", input })).result as ToolReport;
    const one = await scan({ path: ".", category: "linter" });
    expect(namesIn(one)).toEqual(["oxlint", "eslint"]);
    expect((await scan({ path: ".", category: "all" })).answers).toHaveLength(5);
    expect((await scan({ path: "." })).answers).toHaveLength(5);
    await expect(scan({ category: "linter" })).rejects.toMatchObject({ code: "input.invalid" });
    await expect(scan({ path: "../.." })).rejects.toMatchObject({ code: "caller.denied" });
  });
});

describe("the cache of tools", () => {
  it("answers a second session of the same project at once, and scans nothing [TOOL-96, TOOL-85]", async () => {
    const folder = project({ ...typescriptProject, ".git/HEAD": "ref: refs/heads/main\n" });
    const heron = await daemon.register("tools-heron", { project: folder });
    const otter = await daemon.register("tools-otter", { project: folder });
    const sessionOf = async ({ client }: typeof heron, name: string) => {
      const { session } = await client.call("session.create", { name });
      await client.call("session.resume", { id: session.id });
      return { session: session.id };
    };
    const [hers, his] = [await sessionOf(heron, "one"), await sessionOf(otter, "two")];
    const first = await heron.client.call("tool.discover", hers);
    const second = await otter.client.call("tool.discover", his);
    const third = await otter.client.call("tool.discover", { ...his, category: "linter" });
    expect([first.cached, second.cached, third.cached]).toEqual([false, true, true]);
    expect(second).toEqual({ ...first, cached: true });
    expect(third.answers).toEqual([answerOf(first, "linter")]);
  });

  it("looks again when a config file changes, when git's HEAD moves, and on request [TOOL-86, TOOL-57]", async () => {
    const folder = project({ ...typescriptProject, ".git/HEAD": "ref: refs/heads/main\n" });
    const linter = async (...args: readonly string[]) => {
      const report = await tools(folder, "--category", "linter", ...args);
      const tool = toolIn(report, "linter");
      return [report.cached, tool?.name, tool?.confidence];
    };
    expect(await linter()).toEqual([false, "eslint", "medium"]);
    expect(await linter()).toEqual([true, "eslint", "medium"]);
    writeFileSync(join(folder, "eslint.config.js"), "export default [];\n");
    expect(await linter()).toEqual([false, "eslint", "high"]);
    expect(await linter()).toEqual([true, "eslint", "high"]);
    rmSync(join(folder, "eslint.config.js"));
    writeFileSync(join(folder, "package.json"), packageJson({ devDependencies: { oxlint: "1.89.0" } }));
    expect(await linter()).toEqual([false, "oxlint", "medium"]);
    expect(await linter()).toEqual([true, "oxlint", "medium"]);
    writeFileSync(join(folder, ".git", "HEAD"), "ref: refs/heads/other\n");
    expect(await linter()).toEqual([false, "oxlint", "medium"]);
    expect(await linter()).toEqual([true, "oxlint", "medium"]);
    expect(await linter("--refresh")).toEqual([false, "oxlint", "medium"]);
  });
});

describe.concurrent("a run", { timeout: 180_000 }, () => {
  it("is tested by the target of a Makefile, which checks.test overrides", async () => {
    const makefile = ".PHONY: test\ntest:\n\tnode test/format.test.ts\nlint:\n\t@echo fine\n";
    const shop = makeShop(daemon, { "package.json": '{ "type": "module" }\n', Makefile: makefile });
    const { run } = await shop.run(goodChange());
    expect(run.checks.map(({ kind, outcome, command, source }) => [kind, outcome, command, source])).toEqual([
      ["inspection", "pass", ["make", "lint"], 'target "lint" of Makefile at the base commit'],
      ["tests", "pass", ["make", "test"], 'target "test" of Makefile at the base commit'],
    ]);
    expect(run.status).toBe("verified");
    shop.commit({ ".sylk/config.yaml": "checks:\n  test: node test/format.test.ts\n" });
    const other = await shop.run(goodChange(["other"]));
    expect(other.run.checks.at(-1)).toMatchObject({
      outcome: "pass",
      command: ["sh", "-c", "node test/format.test.ts"],
    });
  });

  it("is tested by pytest of the project's own environment; an absent one is said and never green", async () => {
    const files = { "package.json": null, "pyproject.toml": "[tool.pytest.ini_options]\n", ".gitignore": ".venv/\n" };
    const shop = makeShop(daemon, files);
    const environment = join(shop.repository, ".venv");
    mkdirSync(join(environment, "bin"), { recursive: true });
    writeFileSync(join(environment, "pyvenv.cfg"), "");
    writeFileSync(join(environment, "bin", "pytest"), '#!/bin/sh\nexec node --test "test/*.test.ts"\n');
    chmodSync(join(environment, "bin", "pytest"), 0o755);
    const { run } = await shop.run(goodChange());
    expect(run.checks.at(-1)).toMatchObject({
      outcome: "pass",
      command: [".venv/bin/pytest"],
      source: 'pytest: "tool.pytest" of pyproject.toml configures it at the base commit',
    });
    const bare = makeShop(daemon, { ...files, "pyproject.toml": "[tool.pytest.ini_options]\n[tool.uv]\n" });
    const absent = (await bare.run(goodChange(), { env: { PATH: shopEnv.PATH! } })).run;
    expect(absent.checks.at(-1)).toMatchObject({ outcome: "not-run", command: ["uv", "run", "pytest"] });
    expect(absent.checks.at(-1)!.summary).toBe("command not found: uv");
    expect(absent.status).toBe("unverified");
  });

  it("is tested by go test in a Go module and by cargo test in a Cargo workspace, without being told", async () => {
    const go = { "go.mod": "module example.com/shop\n", "price_test.go": "package shop\n" };
    const cargo = {
      "Cargo.toml": '[workspace]\nmembers = ["core"]\n',
      "core/Cargo.toml": '[package]\nname = "core"\n',
    };
    const path = join(daemon.root, "no-toolchains");
    for (const name of ["node", "git", "sh"]) {
      mkdirSync(path, { recursive: true });
      const found = execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8", env: shopEnv }).trim();
      symlinkSync(found, join(path, name));
    }
    for (const [files, command, source] of [
      [go, ["go", "test", "./..."], "go test: part of the toolchain of go.mod at the base commit"],
      [cargo, ["cargo", "test", "--workspace"], "cargo test: part of the toolchain of Cargo.toml at the base commit"],
    ] as const) {
      const { run } = await makeShop(daemon, { "package.json": null, ...files }).run(goodChange(), {
        env: { PATH: path },
      });
      expect(run.checks.at(-1)).toMatchObject({ outcome: "not-run", command, source });
      expect([run.checks.at(-1)!.summary, run.status]).toEqual([`command not found: ${command[0]}`, "unverified"]);
    }
  });
});
