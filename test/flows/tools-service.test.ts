/** The discovery service through its surfaces: what is asked and answered, whom it asks, what it knows by heart. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DiscoveredTool, OutputOf, SessionId, ToolAnswer, ToolReport } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { openScratchHome, writeTree } from "./scratch-home.ts";

type Messages = OutputOf<"session.messages">;
type Category = ToolAnswer["category"];

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon();
});
afterAll(() => daemon[Symbol.asyncDispose]());

let made = 0;
function project(files: Readonly<Record<string, string>>): string {
  const folder = join(daemon.root, `service-${++made}`);
  writeTree(folder, { ".git/HEAD": "ref: refs/heads/main\n", ...files });
  return folder;
}
const packageJson = (manifest: object) => `${JSON.stringify(manifest)}\n`;
const categories: readonly Category[] = ["linter", "formatter", "type_checker", "test_framework", "lsp"];

async function tools(folder: string, ...args: readonly string[]): Promise<ToolReport> {
  return jsonOf<ToolReport>(await daemon.sylk(["tools", folder, "--json", ...args]));
}
/** Of one category, by name. */
async function found(folder: string, category: Category): Promise<Readonly<Record<string, DiscoveredTool>>> {
  const { answers } = await daemon.user.call("tool.discover", { path: folder, category });
  return Object.fromEntries(answers[0]!.tools.map((tool) => [tool.name, tool]));
}
async function newSession(name: string): Promise<SessionId> {
  const { id } = jsonOf<{ session: { id: SessionId } }>(await daemon.sylk(["session", "new", name, "--json"])).session;
  await daemon.sylk(["session", "resume", id]);
  return id;
}

describe("a question about tools", () => {
  it("is about one of five categories or all, and answers with one of three confidences [TOOL-1, TOOL-2, TOOL-10]", async () => {
    const folder = project({
      "a.py": "",
      "ruff.toml": "",
      "requirements.txt": "pytest\n",
      Makefile: "types:\n\tmypy .\n",
    });
    const { answers } = await tools(folder);
    expect(
      answers.map(({ category, confidence, tools: [first] }) => [category, confidence, first?.confidence]),
    ).toEqual([
      ["linter", "high", "high"],
      ["formatter", "medium", "medium"],
      ["type_checker", "low", "low"],
      ["test_framework", "medium", "medium"],
      ["lsp", "medium", "medium"],
    ]);
    for (const category of categories)
      expect((await tools(folder, "--category", category)).answers.map((answer) => answer.category)).toEqual([
        category,
      ]);
    const wrong = await daemon.sylk(["tools", folder, "--category", "bundler"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("linter")]);
    expect((await daemon.sylk(["tools", folder, "--min-confidence", "certain"])).code).toBe(2);
  });

  it("names session, agent, category, path and languages; the answer has tier, confidence, tools and options [TOOL-3, TOOL-4, TOOL-9]", async () => {
    const folder = project({
      "a.py": "",
      "b.ts": "",
      "package.json": packageJson({ devDependencies: { oxlint: "1" } }),
    });
    const { client, agent } = await daemon.register("service-heron", { project: folder });
    const { session } = await client.call("session.create", { name: "tools" });
    await client.call("session.resume", { id: session.id });
    const asked = { session: session.id, category: "linter", path: folder } as const;
    const { items: before } = await client.call("session.messages", { id: session.id });
    const report = await client.call("tool.discover", { ...asked, languages: ["python"] });
    expect(report).toMatchObject({ path: folder, unknownLanguages: [], overrides: {}, cached: false });
    expect(report.answers).toMatchObject([
      {
        category: "linter",
        tier: 3,
        confidence: "low",
        tools: [],
        requiresUser: true,
        options: [{ language: "python" }, {}, {}],
      },
    ]);
    const typescript = (await client.call("tool.discover", { ...asked, languages: ["typescript"] })).answers;
    expect(typescript).toMatchObject([
      {
        category: "linter",
        tier: 1,
        confidence: "medium",
        tools: [{ name: "oxlint" }],
        requiresUser: false,
        options: [],
      },
    ]);
    const { items } = await client.call("session.messages", { id: session.id, type: "TOOLS_REQUEST" });
    expect([before, items.map(({ text }) => text)]).toEqual([
      [],
      ["python", "python", "typescript"].map((language) => `${agent.id} asks for the linter of ${folder}, ${language}`),
    ]);
    await expect(client.call("tool.discover", { session: "ses_01jd8q3m7k4x9t2v5b8n1c" })).rejects.toMatchObject({
      code: "session.not-found",
    });
  });

  it("describes a tool by name, language, version, config, commands, installed, source and reason [TOOL-5]", async () => {
    const folder = project({
      "a.ts": "",
      "b.ts": "",
      "eslint.config.js": "",
      "package.json": packageJson({ devDependencies: { eslint: "^9.1.0" } }),
      "node_modules/eslint/package.json": packageJson({ name: "eslint", version: "9.12.0" }),
      "node_modules/.bin/eslint": "#!/bin/sh\n",
    });
    chmodSync(join(folder, "node_modules/.bin/eslint"), 0o755);
    expect((await found(folder, "linter")).eslint).toEqual({
      name: "eslint",
      category: "linter",
      language: "typescript",
      version: "9.12.0",
      declared: "^9.1.0",
      configPath: "eslint.config.js",
      run: ["npx", "--no-install", "eslint", "."],
      install: ["npm", "install", "--save-dev", "eslint"],
      installed: true,
      program: join(folder, "node_modules/.bin/eslint"),
      confidence: "high",
      source: "config_file",
      rationale: "eslint.config.js configures it",
    });
  });

  it("offers tools with pros, cons and one recommendation where the project names none [TOOL-6]", async () => {
    const { answers } = await tools(project({ "a.py": "" }), "--category", "linter");
    const [{ options, notes }] = answers as [ToolAnswer];
    expect(options[0]).toMatchObject({ tool: "ruff", recommended: true, cons: ["does not check types"] });
    expect(options[0]!.pros).toContain("very fast");
    expect(options.filter(({ recommended }) => recommended)).toHaveLength(1);
    for (const { pros, cons } of options) expect([pros.length > 0, cons.length > 0]).toEqual([true, true]);
    expect(notes).toContain("no source has a clear recommendation, so you choose");
  });

  it("goes to the Librarian by a message of the session, which the Guide carries; a remembered answer needs none [TOOL-11, TOOL-12]", async () => {
    const folder = project({ "a.go": "", "go.mod": "module x\n", ".golangci.yml": "" });
    const session = await newSession("tools");
    const messages = async () =>
      jsonOf<Messages>(await daemon.sylk(["session", "messages", session, "--json"])).items.map(
        ({ from, to, type, channel, status }) => [from, to, type, channel, status],
      );
    const report = await tools(folder, "--category", "linter", "--session", session);
    expect(report.answers[0]?.tools[0]?.name).toBe("golangci-lint");
    const carried = [
      ["user", "librarian", "TOOLS_REQUEST", "requests", "processing"],
      ["librarian", "user", "TOOLS_RESPONSE", "responses", "completed"],
    ];
    expect(await messages()).toEqual(carried);
    expect((await tools(folder, "--category", "linter", "--session", session)).cached).toBe(true);
    expect(await messages()).toEqual(carried);
    const shown = await daemon.sylk(["session", "messages", session]);
    expect(shown.stdout).toMatch(/user +librarian +TOOLS_REQUEST +50 +user asks for the linter of /);
  });
});

describe("what detection knows", () => {
  const python = { "a.py": "" };
  const web = { "a.ts": "" };

  it("maps the names of config files to tools, each with that file as its configuration [TOOL-7, TOOL-17, TOOL-23]", async () => {
    const rows: readonly (readonly [string, Category, string, Readonly<Record<string, string>>])[] = [
      ["eslint.config.mjs", "linter", "eslint", web],
      [".eslintrc.json", "linter", "eslint", web],
      [".oxlintrc.json", "linter", "oxlint", web],
      ["biome.jsonc", "formatter", "biome", web],
      ["prettier.config.js", "formatter", "prettier", web],
      ["tsconfig.json", "type_checker", "tsc", web],
      ["jest.config.ts", "test_framework", "jest", web],
      ["vitest.config.mts", "test_framework", "vitest", web],
      [".mocharc.json", "test_framework", "mocha", web],
      [".ruff.toml", "linter", "ruff", python],
      ["pylintrc", "linter", "pylint", python],
      [".flake8", "linter", "flake8", python],
      ["mypy.ini", "type_checker", "mypy", python],
      ["pyrightconfig.json", "type_checker", "pyright", python],
      ["pytest.ini", "test_framework", "pytest", python],
      [".golangci.yaml", "linter", "golangci-lint", { "a.go": "" }],
      ["clippy.toml", "linter", "clippy", { "a.rs": "" }],
      ["rustfmt.toml", "formatter", "rustfmt", { "a.rs": "" }],
      [".rubocop.yml", "linter", "rubocop", { "a.rb": "" }],
      [".clang-tidy", "linter", "clang-tidy", { "a.c": "" }],
      [".clang-format", "formatter", "clang-format", { "a.cpp": "" }],
      [".shellcheckrc", "linter", "shellcheck", { "a.sh": "" }],
      ["phpstan.neon", "linter", "phpstan", { "a.php": "" }],
      ["phpunit.xml", "test_framework", "phpunit", { "a.php": "" }],
      [".credo.exs", "linter", "credo", { "a.ex": "" }],
      [".tflint.hcl", "linter", "tflint", { "a.tf": "" }],
    ];
    for (const [file, category, name, files] of rows) {
      const tool = (await found(project({ ...files, [`conf/${file}`]: "" }), category))[name];
      expect([file, tool?.configPath, tool?.confidence, tool?.source]).toEqual([
        file,
        `conf/${file}`,
        "high",
        "config_file",
      ]);
    }
  }, 60_000);

  it("maps dependencies of each kind of manifest to tools [TOOL-8, TOOL-18, TOOL-24]", async () => {
    const rows: readonly (readonly [string, string, Category, string, Readonly<Record<string, string>>])[] = [
      ["package.json", packageJson({ dependencies: { "@biomejs/biome": "2.0.0" } }), "linter", "biome", web],
      ["package.json", packageJson({ devDependencies: { typescript: "~6.0" } }), "type_checker", "tsc", web],
      ["pyproject.toml", '[project]\nname = "x"\ndependencies = ["pylint>=3"]\n', "linter", "pylint", python],
      ["pyproject.toml", '[dependency-groups]\ndev = ["black"]\n', "formatter", "black", python],
      ["requirements-dev.txt", "mypy==1.11.0\n", "type_checker", "mypy", python],
      ["Pipfile", '[dev-packages]\npytest = "*"\n', "test_framework", "pytest", python],
      ["go.mod", "module x\n\ntool golang.org/x/tools/cmd/goimports\n", "formatter", "goimports", { "a.go": "" }],
      ["go.mod", "module x\n\ntool honnef.co/go/tools/cmd/staticcheck\n", "linter", "staticcheck", { "a.go": "" }],
      ["Cargo.toml", '[package]\nname = "x"\n', "test_framework", "cargo test", { "a.rs": "" }],
      ["Gemfile", 'gem "rubocop", "~> 1.0"\n', "linter", "rubocop", { "a.rb": "" }],
      ["Gemfile", 'gem "rspec"\n', "test_framework", "rspec", { "a.rb": "" }],
      [
        "composer.json",
        packageJson({ "require-dev": { "phpunit/phpunit": "^11" } }),
        "test_framework",
        "phpunit",
        { "a.php": "" },
      ],
      ["mix.exs", 'defp deps do\n  [{:credo, "~> 1.7"}]\nend\n', "linter", "credo", { "a.ex": "" }],
    ];
    for (const [file, text, category, name, files] of rows) {
      const tool = (await found(project({ ...files, [file]: text }), category))[name];
      expect([file, name, tool?.confidence, tool?.source]).toEqual([file, name, "medium", "manifest"]);
      expect(tool?.rationale).toContain(file);
    }
    const both = await found(
      project({ ...web, "package.json": packageJson({ devDependencies: { jest: "1", vitest: "1" } }) }),
      "test_framework",
    );
    expect(Object.keys(both), "all of them, the recommended one first").toEqual(["vitest", "jest"]);
  }, 60_000);

  it("has a toolset for each language: package manager and five tools, each with its install command [TOOL-26, TOOL-27, TOOL-28]", async () => {
    const languages =
      "go python javascript typescript rust ruby java kotlin c cpp csharp elixir bash php swift zig ocaml dart terraform nix vue svelte";
    const folder = project({});
    for (const language of languages.split(" ")) {
      const { answers, packageManagers, unknownLanguages } = await daemon.user.call("tool.discover", {
        path: folder,
        languages: [language],
      });
      expect(unknownLanguages).toEqual([]);
      const hasManager = !["c", "cpp", "bash"].includes(language);
      expect(packageManagers.map((manager) => manager.language)).toEqual(hasManager ? [language] : []);
      expect(answers.map(({ category }) => category)).toEqual(categories);
      for (const { options, notes } of answers) {
        const usual = options.find(({ recommended }) => recommended);
        if (usual === undefined) expect(notes[0], "a reason instead").toMatch(new RegExp(`^${language}: `));
        else expect([usual.tool.length, usual.install.length].every((length) => length > 0)).toBe(true);
      }
    }
  }, 60_000);
});

describe("tools that people name", () => {
  const linters = async (folder: string, ...args: readonly string[]) => {
    const { answers, overrides } = await tools(folder, "--category", "linter", ...args);
    const [{ tier, requiresUser, tools: all, options }] = answers as [ToolAnswer];
    return { names: all.map(({ name, source }) => `${name} ${source}`), tier, requiresUser, options, overrides };
  };

  it("come in order: chosen for the project, shown by its files, preferred by the user, recommended, others [TOOL-51]", async () => {
    await using other = await openScratchDaemon({ env: { SYLK_TOOLS_PREFER: "flake8, jest" } });
    const linterIn = async (files: Readonly<Record<string, string>>) => {
      const folder = join(other.root, `prefer-${++made}`);
      writeTree(folder, { ".git/HEAD": "ref: refs/heads/main\n", "a.py": "", ...files });
      const { answers } = jsonOf<ToolReport>(await other.sylk(["tools", folder, "--json", "--category", "linter"]));
      const [{ tier, tools: all, options }] = answers as [ToolAnswer];
      return [tier, ...all.map(({ name, source }) => `${name} ${source}`), ...options.map(({ tool }) => tool)];
    };
    expect(await linterIn({ pylintrc: "" }), "its own configuration wins").toEqual([1, "pylint config_file"]);
    expect(await linterIn({}), "else what the user prefers").toEqual([1, "flake8 user_preference"]);
    expect(await linterIn({ Makefile: "lint:\n\tpylint .\n" }), "a hint is less").toEqual([
      1,
      "flake8 user_preference",
      "pylint build_file",
    ]);
    const chosen = { pylintrc: "", ".sylk/config.yaml": "tools:\n  prefer: ruff, pytest\n" };
    expect(await linterIn(chosen), "the project's own choice").toEqual([
      1,
      "ruff user_preference",
      "pylint config_file",
    ]);
    expect(
      (await linters(project({ "a.py": "" }))).options.map(({ tool }) => tool),
      "without a preference",
    ).toEqual(["ruff", "pylint", "flake8"]);
    const { options } = (await tools(project({ "a.ts": "" }), "--category", "linter")).answers[0]!;
    expect(options[0]?.tool, "recommended for TypeScript").toBe("oxlint");
  });

  it("count before what the files show in the session that chose them, and in all once promoted", async () => {
    const folder = project({ "a.py": "", pylintrc: "" });
    const [one, two] = [await newSession("one"), await newSession("two")];
    await daemon.sylk(["session", "set", "linter", "ruff", "--session", one]);
    const own = await linters(folder, "--session", one);
    expect(own).toMatchObject({
      names: ["ruff user_preference", "pylint config_file"],
      overrides: { linter: ["ruff"] },
    });
    expect(await linters(folder, "--session", two)).toMatchObject({ names: ["pylint config_file"], overrides: {} });
    await daemon.sylk(["session", "promote", "linter", "--session", one]);
    expect((await linters(folder, "--session", two)).names[0]).toBe("ruff user_preference");
    await daemon.sylk(["session", "promote", "linter", "--session", one, "--withdraw"]);
    await daemon.sylk(["session", "set", "linter", "rufus", "--session", two]);
    const { answers } = await tools(folder, "--category", "linter", "--session", two);
    expect(answers[0]?.notes).toEqual(['"rufus" is not a tool that Sylk knows']);
  });

  it("are the same without a daemon", async () => {
    await using home = openScratchHome({ env: { SYLK_TOOLS_PREFER: "flake8" } });
    writeTree(home.repository, { "shop/a.py": "" });
    const { answers } = jsonOf<ToolReport>(await home.sylk(["tools", "shop", "--json", "--category", "linter"]));
    expect(answers[0]).toMatchObject({ tier: 1, requiresUser: false, tools: [{ name: "flake8" }] });
  });
});
