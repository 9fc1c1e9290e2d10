import { describe, expect, it } from "vitest";
import { discoverChecks } from "./discover-checks.ts";

const discover = (files: Readonly<Record<string, string>>, userCommands = {}) =>
  discoverChecks({ ...base(files), userCommands });
const base = (files: Readonly<Record<string, string>>) => ({
  baseFile: async (path: string) => files[path],
  baseNames: async () => Object.keys(files),
  tree: "/nowhere",
});
const scripts = (named: object): Readonly<Record<string, string>> => ({
  "package.json": JSON.stringify({ scripts: named }),
});

describe("discoverChecks", () => {
  it("takes scripts of the base commit's package.json, and says so [RUN-6]", async () => {
    expect(await discover(scripts({ test: "vitest run", lint: "eslint ." }))).toEqual({
      tests: { argv: ["npm", "run", "--silent", "test"], source: 'script "test" of package.json at the base commit' },
      inspection: {
        argv: ["npm", "run", "--silent", "lint"],
        source: 'script "lint" of package.json at the base commit',
      },
    });
  });

  it.each(["lint", "typecheck", "type-check", "check-types"])(
    "takes the script %s for the inspection",
    async (name) => {
      expect((await discover(scripts({ [name]: "x" }))).inspection?.argv.at(-1)).toBe(name);
    },
  );

  it("prefers what the user says, for each check by itself [RUN-6]", async () => {
    const found = await discover(scripts({ test: "vitest run", lint: "eslint ." }), { test: ["pytest", "-q"] });
    expect(found.tests).toEqual({ argv: ["pytest", "-q"], source: "given by the user" });
    expect(found.inspection?.argv).toEqual(["npm", "run", "--silent", "lint"]);
    expect((await discover(scripts({ test: "x" }), { test: [] })).tests?.argv[0]).toBe("npm");
  });

  it("takes checks.test and checks.lint of the base commit's settings over scripts, and the user's word over both [RUN-6]", async () => {
    const files = {
      ...scripts({ test: "vitest run", lint: "eslint ." }),
      ".sylk/config.yaml": 'checks:\n  test: "pytest -q && echo ok"\n',
    };
    const source = "checks.test of .sylk/config.yaml at the base commit";
    expect((await discover(files)).tests).toEqual({ argv: ["sh", "-c", "pytest -q && echo ok"], source });
    expect((await discover(files)).inspection?.argv).toEqual(["npm", "run", "--silent", "lint"]);
    expect((await discover(files, { test: ["tox"] })).tests?.argv).toEqual(["tox"]);
    const own = { ...base(scripts({ test: "x" })), userCommands: {} };
    const found = await discoverChecks({ ...own, ownSettings: { test: "make test", lint: "" } });
    expect([found.tests, found.inspection]).toEqual([
      { argv: ["sh", "-c", "make test"], source: "checks.test of your own settings" },
      undefined,
    ]);
  });

  it("chooses no command where the settings of the base commit are wrong, and says which line [RUN-6]", async () => {
    const found = await discover({ ...scripts({ test: "x" }), ".sylk/config.yaml": "checks:\n  tests: pytest\n" });
    expect([found.tests, found.inspection]).toEqual([undefined, undefined]);
    expect(found.problem).toMatch(/^\.sylk\/config\.yaml:2:3 at the base commit: /);
  });

  it("knows go and cargo by their files", async () => {
    expect(await discover({ "go.mod": "module x" })).toMatchObject({
      tests: { argv: ["go", "test", "./..."] },
      inspection: { argv: ["go", "vet", "./..."] },
    });
    expect(await discover({ "Cargo.toml": "[package]" })).toMatchObject({
      tests: { argv: ["cargo", "test"] },
      inspection: { argv: ["cargo", "check"] },
    });
  });

  it.each([
    [
      "pytest by its settings",
      { "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n" },
      "pytest",
      "ruff check .",
    ],
    ["pytest by a requirement", { "requirements-dev.txt": "pytest>=8\npylint\n" }, "pytest", "pylint --recursive=y ."],
    ["a Cargo workspace", { "Cargo.toml": "[workspace]\n" }, "cargo test --workspace", "cargo check --workspace"],
    [
      "clippy where it is configured",
      { "Cargo.toml": "[package]\n", "clippy.toml": "" },
      "cargo test",
      "cargo clippy --all-targets",
    ],
    [
      "targets of a Makefile",
      { Makefile: "test: build\n\tx\nlint:\n\ty\n", "go.mod": "module x" },
      "make test",
      "make lint",
    ],
    ["golangci-lint", { "go.mod": "module x", ".golangci.yml": "" }, "go test ./...", "golangci-lint run ./..."],
    [
      "vitest without a script",
      { "package.json": '{"devDependencies":{"vitest":"5"}}', "tsconfig.json": "{}" },
      "node_modules/.bin/vitest run",
      "node_modules/.bin/tsc --noEmit",
    ],
    [
      "a locked poetry project",
      { "pyproject.toml": "[tool.pytest.ini_options]\n[tool.mypy]\n", "poetry.lock": "" },
      "poetry run pytest",
      "poetry run mypy .",
    ],
  ])("takes %s", async (_, files, tests, inspection) => {
    const found = await discover(files);
    expect([found.tests?.argv.join(" "), found.inspection?.argv.join(" ")]).toEqual([tests, inspection]);
  });

  it("takes no tool that only a CI file mentions", async () => {
    expect(await discover({ ".gitlab-ci.yml": "test: pytest", Makefile: "all:\n\tblack .\n" })).toEqual({
      tests: undefined,
      inspection: undefined,
    });
  });

  it.each([
    ["nothing", {}],
    ["npm init's placeholder", scripts({ test: 'echo "Error: no test specified" && exit 1' })],
    ["a package.json that is no JSON", { "package.json": "{" }],
    ["scripts that are no texts", { "package.json": '{"scripts":{"test":7,"lint":null}}' }],
    ["scripts that are no object", { "package.json": '{"scripts":"test"}' }],
    ["a package.json that is null", { "package.json": "null" }],
  ])("names no command for %s [RUN-11]", async (_, files) => {
    expect(await discover(files)).toEqual({ tests: undefined, inspection: undefined });
  });
});
