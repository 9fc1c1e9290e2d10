/** The recommended tools of every language, as a project that names none is offered them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ToolReport } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchHome, type ScratchHome, writeTree } from "./scratch-home.ts";

let home: ScratchHome;
let empty: string;
beforeAll(() => {
  home = openScratchHome();
  empty = join(home.root, "empty");
  mkdirSync(empty);
});
afterAll(() => home[Symbol.asyncDispose]());

async function ask(folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return jsonOf<ToolReport>(await home.sylk(["tools", folder, "--json", ...args], { env }));
}

/** Package manager, linter, formatter, type checker, test framework, language server; "none" where notes say why. */
async function defaultsOf(...languages: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const wanted = languages.flatMap((language) => ["--languages", language]);
  const { answers, packageManagers } = await ask(empty, wanted, { PATH: "/nowhere" });
  const entries = languages.map((language) => {
    const manager = packageManagers.find((one) => one.language === language)?.name ?? "none";
    const tools = answers.map(({ options, notes, tier }) => {
      const first = options.find((option) => option.language === language);
      if (first === undefined) return notes.some((note) => note.startsWith(`${language}: `)) ? "none" : "?";
      expect([tier, first.recommended, first.run.length > 0, first.install.length > 0]).toEqual([3, true, true, true]);
      return first.tool;
    });
    return [language, [manager, ...tools].join(", ")];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

it("knows the defaults of Go, Python, JavaScript and TypeScript [TOOL-30, TOOL-31, TOOL-32, TOOL-33]", async () => {
  expect(await defaultsOf("go", "python", "javascript", "typescript")).toEqual({
    go: "go mod, golangci-lint, gofmt, go vet, go test, gopls",
    python: "uv, ruff, ruff, none, pytest, ruff",
    javascript: "npm, oxlint, prettier, none, vitest, typescript-language-server",
    typescript: "npm, oxlint, prettier, tsc, vitest, typescript-language-server",
  });
});

it("knows the defaults of Rust, Ruby, Java and Kotlin [TOOL-34, TOOL-35, TOOL-36, TOOL-37]", async () => {
  expect(await defaultsOf("rust", "ruby", "java", "kotlin")).toEqual({
    rust: "cargo, clippy, rustfmt, cargo check, cargo test, rust-analyzer",
    ruby: "bundler, rubocop, rubocop, none, rspec, ruby-lsp",
    java: "maven, checkstyle, google-java-format, none, junit, jdtls",
    kotlin: "gradle, ktlint, ktlint, none, junit, kotlin-language-server",
  });
});

it("knows the defaults of C, C++, C#, Elixir and Bash [TOOL-38, TOOL-39, TOOL-40, TOOL-41]", async () => {
  expect(await defaultsOf("c", "cpp", "csharp", "elixir", "bash")).toEqual({
    c: "none, clang-tidy, clang-format, none, ctest, clangd",
    cpp: "none, clang-tidy, clang-format, none, gtest, clangd",
    csharp: "dotnet, dotnet format, dotnet format, dotnet build, dotnet test, omnisharp",
    elixir: "mix, credo, mix format, dialyzer, mix test, elixir-ls",
    bash: "none, shellcheck, shfmt, none, bats, bash-language-server",
  });
});

it("knows the defaults of PHP, Swift, Zig and OCaml [TOOL-42, TOOL-43, TOOL-44, TOOL-45]", async () => {
  expect(await defaultsOf("php", "swift", "zig", "ocaml")).toEqual({
    php: "composer, phpstan, php-cs-fixer, phpstan, phpunit, intelephense",
    swift: "swift, swiftlint, swift-format, none, swift test, sourcekit-lsp",
    zig: "zig, none, zig fmt, none, zig test, zls",
    ocaml: "opam, none, ocamlformat, none, alcotest, ocaml-lsp",
  });
});

it("knows the defaults of Dart, Terraform and Nix [TOOL-46, TOOL-47, TOOL-48]", async () => {
  expect(await defaultsOf("dart", "terraform", "nix")).toEqual({
    dart: "pub, dart analyze, dart format, dart analyze, dart test, dart",
    terraform: "terraform, tflint, terraform fmt, terraform validate, terratest, terraform-ls",
    nix: "nix, statix, nixfmt, none, none, nixd",
  });
});

it("knows the defaults of Vue and Svelte, and says of a language that it is unknown [TOOL-49, TOOL-50, TOOL-29]", async () => {
  expect(await defaultsOf("vue", "svelte")).toEqual({
    vue: "npm, eslint-plugin-vue, prettier, vue-tsc, vitest, vue-language-server",
    svelte: "npm, eslint-plugin-svelte, prettier-plugin-svelte, svelte-check, vitest, svelte-language-server",
  });
  const { unknownLanguages, answers } = await ask(empty, ["--languages", "cobol"]);
  expect([unknownLanguages, answers.flatMap(({ options }) => options)]).toEqual([["cobol"], []]);
});

it("chooses the package manager by lock file, then by manifest, then by what is installed [TOOL-52]", async () => {
  const programs = join(home.root, "programs");
  mkdirSync(programs);
  const env = { PATH: programs };
  const managerOf = async (language: string, files: Readonly<Record<string, string>>) => {
    const folder = join(home.root, `manager-${language}-${Object.keys(files).join("-")}`);
    mkdirSync(folder);
    writeTree(folder, files);
    return (await ask(folder, ["--languages", language], env)).packageManagers[0]?.name;
  };
  const available = (name: string) => writeFileSync(join(programs, name), "", { mode: 0o755 });
  available("npm");
  available("pip");
  expect([await managerOf("javascript", {}), await managerOf("python", {})]).toEqual(["npm", "pip"]);
  for (const name of ["yarn", "uv"]) available(name);
  expect(await managerOf("typescript", { "a.ts": "" })).toBe("yarn");
  available("pnpm");
  expect(await managerOf("typescript", { "b.ts": "" })).toBe("pnpm");
  expect(await managerOf("python", { "a.py": "" })).toBe("uv");
  expect(await managerOf("typescript", { "package-lock.json": "{}" })).toBe("npm");
  const field = { "package.json": '{"packageManager":"yarn@4.5.0"}' };
  expect(await managerOf("typescript", field)).toBe("yarn");
  expect(await managerOf("javascript", { ...field, "pnpm-lock.yaml": "" })).toBe("pnpm");
  expect(await managerOf("python", { "poetry.lock": "" })).toBe("poetry");
  expect([await managerOf("ruby", {}), await managerOf("rust", {}), await managerOf("go", {})]).toEqual([
    "bundler",
    "cargo",
    "go mod",
  ]);
});
