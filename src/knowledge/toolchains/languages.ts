/**
 * Every language that Sylk knows, with the files that are written in it and its recommended tools. The project's own
 * configuration goes before them. `toolchain-data.ts` has the tools themselves.
 */
import type { LanguageDefinition, Toolset } from "./tool-definition.ts";

const compiler = { none: "the compiler checks types" };
const untyped = { none: "the language has no type checker of its own" };

export const languages: readonly LanguageDefinition[] = [
  language("go", ["go"], set("go mod", "golangci-lint", "gofmt", "go vet", "go test", "gopls")),
  language(
    "python",
    ["py", "pyi"],
    set("uv", "ruff", "ruff", { none: "ruff does not check types; configure pyright or mypy" }, "pytest", "ruff"),
  ),
  language(
    "javascript",
    ["js", "jsx", "mjs", "cjs"],
    set("npm", "oxlint", "prettier", untyped, "vitest", "typescript-language-server"),
    "web",
  ),
  language(
    "typescript",
    ["ts", "tsx", "mts", "cts"],
    set("npm", "oxlint", "prettier", "tsc", "vitest", "typescript-language-server"),
    "web",
  ),
  language("rust", ["rs"], set("cargo", "clippy", "rustfmt", "cargo check", "cargo test", "rust-analyzer")),
  language("ruby", ["rb", "rake"], set("bundler", "rubocop", "rubocop", untyped, "rspec", "ruby-lsp")),
  language("java", ["java"], set("maven", "checkstyle", "google-java-format", compiler, "junit", "jdtls"), "jvm"),
  language(
    "kotlin",
    ["kt", "kts"],
    set("gradle", "ktlint", "ktlint", compiler, "junit", "kotlin-language-server"),
    "jvm",
  ),
  language("c", ["c", "h"], set("none", "clang-tidy", "clang-format", compiler, "ctest", "clangd"), "c"),
  language(
    "cpp",
    ["cc", "cpp", "cxx", "hpp", "hh", "hxx"],
    set("none", "clang-tidy", "clang-format", compiler, "gtest", "clangd"),
    "c",
  ),
  language(
    "csharp",
    ["cs"],
    set("dotnet", "dotnet format", "dotnet format", "dotnet build", "dotnet test", "omnisharp"),
  ),
  language("elixir", ["ex", "exs"], set("mix", "credo", "mix format", "dialyzer", "mix test", "elixir-ls")),
  language("bash", ["sh", "bash", "bats"], set("none", "shellcheck", "shfmt", untyped, "bats", "bash-language-server")),
  language("php", ["php"], set("composer", "phpstan", "php-cs-fixer", "phpstan", "phpunit", "intelephense")),
  language("swift", ["swift"], set("swift", "swiftlint", "swift-format", compiler, "swift test", "sourcekit-lsp")),
  language(
    "zig",
    ["zig"],
    set("zig", { none: "the compiler reports problems" }, "zig fmt", compiler, "zig test", "zls"),
  ),
  language(
    "ocaml",
    ["ml", "mli"],
    set("opam", { none: "the compiler reports problems" }, "ocamlformat", compiler, "alcotest", "ocaml-lsp"),
  ),
  language("dart", ["dart"], set("pub", "dart analyze", "dart format", "dart analyze", "dart test", "dart")),
  language(
    "terraform",
    ["tf", "tfvars"],
    set("terraform", "tflint", "terraform fmt", "terraform validate", "terratest", "terraform-ls"),
  ),
  language(
    "nix",
    ["nix"],
    set("nix", "statix", "nixfmt", untyped, { none: "Nix has no common test framework" }, "nixd"),
  ),
  language(
    "vue",
    ["vue"],
    set("npm", "eslint-plugin-vue", "prettier", "vue-tsc", "vitest", "vue-language-server"),
    "web",
  ),
  language(
    "svelte",
    ["svelte"],
    set("npm", "eslint-plugin-svelte", "prettier-plugin-svelte", "svelte-check", "vitest", "svelte-language-server"),
    "web",
  ),
];

type Choice = Toolset["tools"]["linter"];

function set(
  packageManager: string,
  linter: Choice,
  formatter: Choice,
  typeChecker: Choice,
  testFramework: Choice,
  lsp: Choice,
): Toolset {
  return {
    packageManager,
    tools: { linter, formatter, type_checker: typeChecker, test_framework: testFramework, lsp },
  };
}

function language(
  name: string,
  extensions: readonly string[],
  toolset: Toolset,
  family: string = name,
): LanguageDefinition {
  return { name, family, extensions, toolset };
}
