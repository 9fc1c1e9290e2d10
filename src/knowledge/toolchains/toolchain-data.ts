/**
 * Every tool that Sylk knows: how a project shows that it uses it, how it is called, how it is installed. One table for
 * all roles; `languages.ts` names the recommended ones. Sorted by language; a later row is a later choice.
 *
 * Commands only look: a formatter reports and does not rewrite. Options that a tool changed depend on its version.
 */
import { isOlder, type CommandBuilder, type ToolDefinition } from "./tool-definition.ts";

const web = ["typescript", "javascript", "vue", "svelte"];
const scripts = ["typescript", "javascript"];
const c = ["c", "cpp"];

/** Where a language's own toolchain is explained. */
const toolchains: Readonly<Record<string, readonly [string, ...string[]]>> = {
  go: ["https://go.dev/dl"],
  gofmt: ["https://go.dev/dl"],
  cargo: ["https://rustup.rs"],
  dotnet: ["https://dotnet.microsoft.com/download"],
  mix: ["https://elixir-lang.org/install.html"],
  swift: ["https://www.swift.org/install"],
  zig: ["https://ziglang.org/download"],
  dart: ["https://dart.dev/get-dart"],
  terraform: ["https://developer.hashicorp.com/terraform/install"],
};

export const tools: readonly ToolDefinition[] = [
  // JavaScript, TypeScript, Vue, Svelte
  {
    name: "eslint",
    languages: web,
    ecosystem: "npm",
    // Before version 9 only .js files are read without --ext.
    uses: {
      linter: ({ version, language }) =>
        isOlder(version, 9) && language !== "javascript"
          ? ["eslint", ".", "--ext", ".js,.jsx,.mjs,.cjs,.ts,.tsx,.vue,.svelte"]
          : ["eslint", "."],
    },
    configFiles: ["eslint.config.*", ".eslintrc", ".eslintrc.*"],
    sections: ["package.json eslintConfig"],
    editor: ["dbaeumer.vscode-eslint", "eslint"],
    pros: ["rules and plugins for every framework"],
    cons: ["slower than the linters written in Rust"],
  },
  {
    name: "oxlint",
    languages: web,
    ecosystem: "npm",
    uses: { linter: words("oxlint") },
    configFiles: [".oxlintrc.json", "oxlint.config.*"],
    editor: ["oxc.oxc-vscode", "oxc"],
    pros: ["very fast", "works without configuration"],
    cons: ["fewer rules than eslint"],
  },
  {
    name: "biome",
    languages: scripts,
    ecosystem: "npm",
    package: "@biomejs/biome",
    uses: { linter: words("biome", "lint", "."), formatter: words("biome", "format", ".") },
    configFiles: ["biome.json", "biome.jsonc"],
    editor: ["biomejs.biome", "biome"],
    pros: ["linter and formatter in one program"],
    cons: ["few plugins"],
  },
  {
    name: "prettier",
    languages: web,
    ecosystem: "npm",
    uses: { formatter: words("prettier", "--check", ".") },
    configFiles: [".prettierrc", ".prettierrc.*", "prettier.config.*"],
    sections: ["package.json prettier"],
    editor: ["esbenp.prettier-vscode", "prettier"],
    pros: ["formats most file types of the web"],
    cons: ["few options"],
  },
  {
    name: "oxfmt",
    languages: scripts,
    ecosystem: "npm",
    uses: { formatter: words("oxfmt", "--check", ".") },
    configFiles: [".oxfmtrc.json", ".oxfmtrc.jsonc"],
    editor: ["oxc.oxc-vscode"],
    pros: ["very fast"],
    cons: ["young"],
  },
  {
    name: "eslint-plugin-vue",
    languages: ["vue"],
    ecosystem: "npm",
    program: "eslint",
    uses: { linter: words("eslint", ".") },
    mentions: [],
    pros: ["the official rules for Vue"],
  },
  {
    name: "eslint-plugin-svelte",
    languages: ["svelte"],
    ecosystem: "npm",
    program: "eslint",
    uses: { linter: words("eslint", ".") },
    mentions: [],
    pros: ["the official rules for Svelte"],
  },
  {
    name: "prettier-plugin-svelte",
    languages: ["svelte"],
    ecosystem: "npm",
    program: "prettier",
    uses: { formatter: words("prettier", "--check", ".") },
    mentions: [],
    pros: ["formats Svelte components"],
  },
  {
    name: "tsc",
    languages: ["typescript"],
    ecosystem: "npm",
    package: "typescript",
    uses: { type_checker: words("tsc", "--noEmit") },
    configFiles: ["tsconfig.json"],
    pros: ["the language's own checker"],
  },
  {
    name: "vue-tsc",
    languages: ["vue"],
    ecosystem: "npm",
    uses: { type_checker: words("vue-tsc", "--noEmit") },
    pros: ["checks templates too"],
  },
  {
    name: "svelte-check",
    languages: ["svelte"],
    ecosystem: "npm",
    uses: { type_checker: words("svelte-check") },
    pros: ["checks components too"],
  },
  {
    name: "vitest",
    languages: web,
    ecosystem: "npm",
    uses: { test_framework: words("vitest", "run") },
    configFiles: ["vitest.config.*", "vitest.workspace.*"],
    editor: ["vitest.explorer"],
    pros: ["TypeScript without set-up", "shares the configuration of vite"],
    cons: ["brings vite"],
  },
  {
    name: "jest",
    languages: web,
    ecosystem: "npm",
    uses: { test_framework: words("jest", "--ci") },
    configFiles: ["jest.config.*"],
    sections: ["package.json jest"],
    editor: ["orta.vscode-jest", "jest"],
    pros: ["widely used"],
    cons: ["TypeScript and ES modules need set-up"],
  },
  {
    name: "mocha",
    languages: scripts,
    ecosystem: "npm",
    uses: { test_framework: words("mocha") },
    configFiles: [".mocharc.*"],
    sections: ["package.json mocha"],
    pros: ["small"],
    cons: ["assertions and mocks come from other packages"],
  },
  {
    name: "node:test",
    languages: scripts,
    ecosystem: "system",
    program: "node",
    package: "node",
    uses: { test_framework: words("node", "--test") },
    dependencies: [],
    mentions: ["node --test"],
    install: ["https://nodejs.org/en/download"],
    pros: ["part of Node, no dependency"],
    cons: ["fewer features than vitest and jest"],
  },
  {
    name: "typescript-language-server",
    languages: scripts,
    ecosystem: "npm",
    uses: { lsp: words("typescript-language-server", "--stdio") },
  },
  {
    name: "vue-language-server",
    languages: ["vue"],
    ecosystem: "npm",
    package: "@vue/language-server",
    uses: { lsp: words("vue-language-server", "--stdio") },
  },
  {
    name: "svelte-language-server",
    languages: ["svelte"],
    ecosystem: "npm",
    program: "svelteserver",
    uses: { lsp: words("svelteserver", "--stdio") },
  },
  // Python
  {
    name: "ruff",
    languages: ["python"],
    ecosystem: "python",
    uses: {
      linter: words("ruff", "check", "."),
      formatter: words("ruff", "format", "--check", "."),
      // Built in since 0.4.5.
      lsp: ({ version }) => (isOlder(version, 0, 5) ? ["ruff-lsp"] : ["ruff", "server"]),
    },
    lesser: ["formatter", "lsp"],
    configFiles: ["ruff.toml", ".ruff.toml"],
    sections: ["pyproject.toml tool.ruff"],
    editor: ["charliermarsh.ruff", "ruff"],
    pros: ["very fast", "linter, formatter and language server in one program"],
    cons: ["does not check types"],
  },
  {
    name: "pylint",
    languages: ["python"],
    ecosystem: "python",
    // --recursive came with 2.13.
    uses: {
      linter: ({ version }) => (isOlder(version, 2, 13) ? ["pylint", "."] : ["pylint", "--recursive=y", "."]),
    },
    configFiles: [".pylintrc", "pylintrc", ".pylintrc.toml", "pylintrc.toml"],
    sections: ["pyproject.toml tool.pylint", "setup.cfg pylint.main", "setup.cfg pylint.master"],
    editor: ["ms-python.pylint", "pylint"],
    pros: ["deep checks"],
    cons: ["slow"],
  },
  {
    name: "flake8",
    languages: ["python"],
    ecosystem: "python",
    uses: { linter: words("flake8") },
    configFiles: [".flake8"],
    sections: ["setup.cfg flake8", "tox.ini flake8"],
    editor: ["ms-python.flake8", "flake8"],
    pros: ["many plugins"],
    cons: ["slower than ruff"],
  },
  {
    name: "black",
    languages: ["python"],
    ecosystem: "python",
    uses: { formatter: words("black", "--check", ".") },
    sections: ["pyproject.toml tool.black"],
    editor: ["ms-python.black-formatter", "black-formatter"],
    pros: ["one style for all projects"],
    cons: ["slower than ruff"],
  },
  {
    name: "mypy",
    languages: ["python"],
    ecosystem: "python",
    uses: { type_checker: words("mypy", ".") },
    configFiles: ["mypy.ini", ".mypy.ini"],
    sections: ["pyproject.toml tool.mypy", "setup.cfg mypy"],
    editor: ["ms-python.mypy-type-checker", "mypy-type-checker"],
    pros: ["plugins for frameworks"],
    cons: ["slower than pyright"],
  },
  {
    name: "pyright",
    languages: ["python"],
    ecosystem: "python",
    uses: { type_checker: words("pyright"), lsp: words("pyright-langserver", "--stdio") },
    lesser: ["lsp"],
    configFiles: ["pyrightconfig.json"],
    sections: ["pyproject.toml tool.pyright"],
    editor: ["ms-pyright.pyright"],
    pros: ["fast", "also a language server"],
    cons: ["no plugins"],
  },
  {
    name: "pytest",
    languages: ["python"],
    ecosystem: "python",
    uses: { test_framework: words("pytest") },
    configFiles: ["pytest.ini", ".pytest.ini", "conftest.py"],
    sections: ["pyproject.toml tool.pytest", "setup.cfg tool:pytest", "tox.ini pytest"],
    editor: ["python.testing.pytestEnabled"],
    pros: ["plain assertions", "many plugins"],
  },
  // Go
  {
    name: "golangci-lint",
    languages: ["go"],
    ecosystem: "go",
    package: "github.com/golangci/golangci-lint/v2/cmd/golangci-lint",
    uses: { linter: words("golangci-lint", "run", "./...") },
    configFiles: [".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"],
    dependencies: ["github.com/golangci/golangci-lint", "github.com/golangci/golangci-lint/v2"],
    editor: ["go.lintTool golangci-lint", "go.lintTool golangci-lint-v2"],
    pros: ["runs many linters at once"],
    cons: ["version 2 needs a new configuration"],
  },
  {
    name: "staticcheck",
    languages: ["go"],
    ecosystem: "go",
    package: "honnef.co/go/tools/cmd/staticcheck",
    uses: { linter: words("staticcheck", "./...") },
    configFiles: ["staticcheck.conf"],
    dependencies: ["honnef.co/go/tools", "honnef.co/go/tools/cmd/staticcheck"],
    editor: ["go.lintTool staticcheck"],
    pros: ["few false reports"],
  },
  comesWithGo("gofmt", "formatter", ["gofmt", "-l", "."]),
  {
    name: "goimports",
    languages: ["go"],
    ecosystem: "go",
    package: "golang.org/x/tools/cmd/goimports",
    uses: { formatter: words("goimports", "-l", ".") },
    editor: ["go.formatTool goimports"],
    pros: ["sorts imports too"],
  },
  comesWithGo("go vet", "type_checker", ["go", "vet", "./..."]),
  comesWithGo("go test", "test_framework", ["go", "test", "./..."]),
  {
    name: "gopls",
    languages: ["go"],
    ecosystem: "go",
    package: "golang.org/x/tools/gopls",
    uses: { lsp: words("gopls", "serve") },
    editor: ["golang.go"],
  },
  // Rust
  {
    name: "clippy",
    languages: ["rust"],
    ecosystem: "cargo",
    program: "cargo-clippy",
    uses: { linter: workspaceWide("cargo", "clippy", "--all-targets") },
    configFiles: ["clippy.toml", ".clippy.toml"],
    sections: ["Cargo.toml lints.clippy", "Cargo.toml workspace.lints.clippy"],
    comesWith: ["Cargo.toml"],
    dependencies: [],
    mentions: ["cargo clippy", "cargo-clippy"],
    install: ["rustup", "component", "add", "clippy"],
  },
  {
    name: "rustfmt",
    languages: ["rust"],
    ecosystem: "cargo",
    uses: {
      formatter: ({ hasSection }) =>
        hasSection("Cargo.toml workspace") ? ["cargo", "fmt", "--all", "--check"] : ["cargo", "fmt", "--check"],
    },
    configFiles: ["rustfmt.toml", ".rustfmt.toml"],
    comesWith: ["Cargo.toml"],
    dependencies: [],
    mentions: ["cargo fmt", "rustfmt"],
    install: ["rustup", "component", "add", "rustfmt"],
  },
  comesWithCargo("cargo check", "type_checker", workspaceWide("cargo", "check")),
  {
    name: "cargo-nextest",
    languages: ["rust"],
    ecosystem: "cargo",
    uses: { test_framework: workspaceWide("cargo", "nextest", "run") },
    configFiles: ["nextest.toml"],
    mentions: ["cargo nextest"],
    pros: ["runs each test in its own process"],
    cons: ["does not run tests in comments"],
  },
  comesWithCargo("cargo test", "test_framework", workspaceWide("cargo", "test")),
  {
    name: "rust-analyzer",
    languages: ["rust"],
    ecosystem: "cargo",
    uses: { lsp: words("rust-analyzer") },
    dependencies: [],
    editor: ["rust-lang.rust-analyzer", "rust-analyzer"],
    install: ["rustup", "component", "add", "rust-analyzer"],
  },
  // Ruby
  {
    name: "rubocop",
    languages: ["ruby"],
    ecosystem: "gem",
    uses: { linter: words("rubocop"), formatter: words("rubocop", "--only", "Layout") },
    lesser: ["formatter"],
    configFiles: [".rubocop.yml"],
    editor: ["rubocop.vscode-rubocop", "rubocop"],
  },
  {
    name: "standard",
    languages: ["ruby"],
    ecosystem: "gem",
    program: "standardrb",
    uses: { linter: words("standardrb"), formatter: words("standardrb") },
    configFiles: [".standard.yml"],
    pros: ["no configuration"],
  },
  {
    name: "sorbet",
    languages: ["ruby"],
    ecosystem: "gem",
    program: "srb",
    uses: { type_checker: words("srb", "tc") },
    configFiles: ["sorbet/config"],
  },
  {
    name: "rspec",
    languages: ["ruby"],
    ecosystem: "gem",
    uses: { test_framework: words("rspec") },
    configFiles: [".rspec"],
    dependencies: ["rspec", "rspec-rails", "rspec-core"],
  },
  {
    name: "minitest",
    languages: ["ruby"],
    ecosystem: "gem",
    program: "rake",
    uses: { test_framework: words("rake", "test") },
    mentions: ["rake test"],
    pros: ["part of most Ruby installations"],
  },
  {
    name: "ruby-lsp",
    languages: ["ruby"],
    ecosystem: "gem",
    uses: { lsp: words("ruby-lsp") },
    editor: ["Shopify.ruby-lsp", "rubyLsp"],
  },
  {
    name: "solargraph",
    languages: ["ruby"],
    ecosystem: "gem",
    uses: { lsp: words("solargraph", "stdio") },
    configFiles: [".solargraph.yml"],
    editor: ["castwide.solargraph", "solargraph"],
  },
  // Java, Kotlin
  {
    name: "checkstyle",
    languages: ["java"],
    ecosystem: "jvm",
    uses: { linter: build("checkstyle:check", "checkstyleMain") },
    configFiles: ["checkstyle.xml"],
    dependencies: ["maven-checkstyle-plugin", "checkstyle"],
    install: ["https://checkstyle.org"],
  },
  {
    name: "spotless",
    languages: ["java", "kotlin"],
    ecosystem: "jvm",
    uses: { formatter: build("spotless:check", "spotlessCheck") },
    dependencies: ["spotless-maven-plugin", "com.diffplug.spotless"],
    mentions: ["spotlessCheck", "spotless:check"],
    install: ["https://github.com/diffplug/spotless"],
  },
  {
    name: "google-java-format",
    languages: ["java"],
    ecosystem: "jvm",
    uses: { formatter: eachFile("google-java-format --dry-run --set-exit-if-changed", "*.java") },
    dependencies: ["google-java-format", "fmt-maven-plugin"],
    install: ["https://github.com/google/google-java-format/releases"],
  },
  {
    name: "ktlint",
    languages: ["kotlin"],
    ecosystem: "jvm",
    uses: { linter: words("ktlint"), formatter: words("ktlint") },
    dependencies: ["org.jlleitschuh.gradle.ktlint", "ktlint-maven-plugin"],
    install: ["https://pinterest.github.io/ktlint"],
  },
  {
    name: "detekt",
    languages: ["kotlin"],
    ecosystem: "jvm",
    uses: { linter: build("detekt:check", "detekt") },
    configFiles: ["detekt.yml", "detekt.yaml"],
    dependencies: ["io.gitlab.arturbosch.detekt", "dev.detekt"],
    install: ["https://detekt.dev"],
  },
  {
    name: "junit",
    languages: ["java", "kotlin"],
    ecosystem: "jvm",
    uses: { test_framework: build("test", "test") },
    dependencies: ["junit", "junit-jupiter", "junit-jupiter-api", "junit-jupiter-engine", "junit-bom", "kotlin-test"],
    mentions: ["mvn test", "mvn verify", "gradlew test", "gradle test"],
    install: ["https://junit.org"],
  },
  {
    name: "jdtls",
    languages: ["java"],
    ecosystem: "jvm",
    uses: { lsp: words("jdtls") },
    editor: ["redhat.java"],
    install: ["https://github.com/eclipse-jdtls/eclipse.jdt.ls"],
  },
  {
    name: "kotlin-language-server",
    languages: ["kotlin"],
    ecosystem: "jvm",
    uses: { lsp: words("kotlin-language-server") },
    install: ["https://github.com/fwcd/kotlin-language-server"],
  },
  // C, C++
  {
    name: "clang-tidy",
    languages: c,
    ecosystem: "system",
    uses: { linter: words("run-clang-tidy", "-p", "build") },
    program: "run-clang-tidy",
    configFiles: [".clang-tidy"],
    mentions: ["clang-tidy", "run-clang-tidy"],
    install: ["apt-get", "install", "clang-tidy"],
  },
  {
    name: "clang-format",
    languages: c,
    ecosystem: "system",
    uses: { formatter: eachFile("clang-format --dry-run --Werror", "*.c", "*.h", "*.cc", "*.cpp", "*.hpp") },
    configFiles: [".clang-format", "_clang-format"],
    install: ["apt-get", "install", "clang-format"],
  },
  {
    name: "clangd",
    languages: c,
    ecosystem: "system",
    uses: { lsp: words("clangd") },
    configFiles: [".clangd"],
    editor: ["llvm-vs-code-extensions.vscode-clangd", "clangd"],
    install: ["apt-get", "install", "clangd"],
  },
  {
    name: "ctest",
    languages: c,
    ecosystem: "system",
    uses: { test_framework: words("ctest", "--test-dir", "build", "--output-on-failure") },
    dependencies: ["enable_testing", "CTest"],
    install: ["apt-get", "install", "cmake"],
  },
  {
    name: "gtest",
    languages: ["cpp"],
    ecosystem: "system",
    program: "ctest",
    uses: { test_framework: words("ctest", "--test-dir", "build", "--output-on-failure") },
    dependencies: ["GTest", "googletest"],
    mentions: [],
    install: ["apt-get", "install", "libgtest-dev"],
  },
  // C#
  dotnet("dotnet format", {
    linter: dotnetWords("format", "analyzers", "--verify-no-changes"),
    formatter: dotnetWords("format", "--verify-no-changes"),
  }),
  dotnet("dotnet build", { type_checker: dotnetWords("build") }),
  dotnet("dotnet test", { test_framework: dotnetWords("test") }),
  {
    name: "omnisharp",
    languages: ["csharp"],
    ecosystem: "system",
    uses: { lsp: words("omnisharp", "-lsp") },
    configFiles: ["omnisharp.json"],
    editor: ["ms-dotnettools.csharp"],
    install: ["https://github.com/OmniSharp/omnisharp-roslyn/releases"],
  },
  // Elixir
  {
    name: "credo",
    languages: ["elixir"],
    ecosystem: "mix",
    program: "mix",
    uses: { linter: words("mix", "credo") },
    configFiles: [".credo.exs"],
    mentions: ["mix credo"],
  },
  comesWith("mix format", "elixir", "mix", ["mix.exs"], { formatter: words("mix", "format", "--check-formatted") }, [
    ".formatter.exs",
  ]),
  {
    name: "dialyzer",
    languages: ["elixir"],
    ecosystem: "mix",
    program: "mix",
    package: "dialyxir",
    uses: { type_checker: words("mix", "dialyzer") },
    mentions: ["mix dialyzer"],
  },
  comesWith("mix test", "elixir", "mix", ["mix.exs"], { test_framework: words("mix", "test") }),
  {
    name: "elixir-ls",
    languages: ["elixir"],
    ecosystem: "system",
    uses: { lsp: words("elixir-ls") },
    editor: ["JakeBecker.elixir-ls", "elixirLS"],
    install: ["https://github.com/elixir-lsp/elixir-ls/releases"],
  },
  // Bash
  {
    name: "shellcheck",
    languages: ["bash"],
    ecosystem: "system",
    uses: { linter: eachFile("shellcheck", "*.sh", "*.bash") },
    configFiles: [".shellcheckrc", "shellcheckrc"],
    editor: ["timonwong.shellcheck", "shellcheck"],
    install: ["apt-get", "install", "shellcheck"],
  },
  {
    name: "shfmt",
    languages: ["bash"],
    ecosystem: "system",
    uses: { formatter: words("shfmt", "-d", ".") },
    editor: ["foxundermoon.shell-format"],
    install: ["apt-get", "install", "shfmt"],
  },
  {
    name: "bats",
    languages: ["bash"],
    ecosystem: "system",
    uses: { test_framework: words("bats", "--recursive", ".") },
    configFiles: ["*.bats"],
    dependencies: ["bats"],
    install: ["apt-get", "install", "bats"],
  },
  {
    name: "bash-language-server",
    languages: ["bash"],
    ecosystem: "npm",
    uses: { lsp: words("bash-language-server", "start") },
    editor: ["mads-hartmann.bash-ide-vscode", "bashIde"],
  },
  // PHP
  {
    name: "phpstan",
    languages: ["php"],
    ecosystem: "composer",
    package: "phpstan/phpstan",
    uses: { linter: words("phpstan", "analyse"), type_checker: words("phpstan", "analyse") },
    configFiles: ["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"],
  },
  {
    name: "psalm",
    languages: ["php"],
    ecosystem: "composer",
    package: "vimeo/psalm",
    uses: { type_checker: words("psalm") },
    configFiles: ["psalm.xml", "psalm.xml.dist"],
  },
  {
    name: "phpcs",
    languages: ["php"],
    ecosystem: "composer",
    package: "squizlabs/php_codesniffer",
    uses: { linter: words("phpcs") },
    configFiles: ["phpcs.xml", "phpcs.xml.dist", ".phpcs.xml"],
  },
  {
    name: "php-cs-fixer",
    languages: ["php"],
    ecosystem: "composer",
    package: "friendsofphp/php-cs-fixer",
    uses: { formatter: words("php-cs-fixer", "fix", "--dry-run", "--diff") },
    configFiles: [".php-cs-fixer.php", ".php-cs-fixer.dist.php"],
  },
  {
    name: "phpunit",
    languages: ["php"],
    ecosystem: "composer",
    package: "phpunit/phpunit",
    uses: { test_framework: words("phpunit") },
    configFiles: ["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"],
  },
  {
    name: "pest",
    languages: ["php"],
    ecosystem: "composer",
    package: "pestphp/pest",
    uses: { test_framework: words("pest") },
  },
  {
    name: "intelephense",
    languages: ["php"],
    ecosystem: "npm",
    uses: { lsp: words("intelephense", "--stdio") },
    editor: ["bmewburn.vscode-intelephense-client", "intelephense"],
  },
  // Swift
  {
    name: "swiftlint",
    languages: ["swift"],
    ecosystem: "system",
    uses: { linter: words("swiftlint", "lint") },
    configFiles: [".swiftlint.yml"],
    dependencies: ["SwiftLint", "SwiftLintPlugins"],
    install: ["brew", "install", "swiftlint"],
  },
  {
    name: "swift-format",
    languages: ["swift"],
    ecosystem: "system",
    // Part of the toolchain since Swift 6.
    uses: {
      formatter: ({ version }) =>
        isOlder(version, 6)
          ? ["swift-format", "lint", "--recursive", "."]
          : ["swift", "format", "lint", "--recursive", "."],
    },
    configFiles: [".swift-format"],
    mentions: ["swift-format", "swift format"],
    install: ["brew", "install", "swift-format"],
  },
  comesWith("swift test", "swift", "swift", ["Package.swift"], { test_framework: words("swift", "test") }),
  {
    name: "sourcekit-lsp",
    languages: ["swift"],
    ecosystem: "system",
    uses: { lsp: words("sourcekit-lsp") },
    install: ["https://www.swift.org/install"],
  },
  // Zig
  comesWith("zig fmt", "zig", "zig", ["build.zig"], { formatter: words("zig", "fmt", "--check", ".") }),
  comesWith("zig test", "zig", "zig", ["build.zig"], { test_framework: words("zig", "build", "test") }),
  {
    name: "zls",
    languages: ["zig"],
    ecosystem: "system",
    uses: { lsp: words("zls") },
    configFiles: ["zls.json"],
    install: ["https://github.com/zigtools/zls/releases"],
  },
  // OCaml
  {
    name: "ocamlformat",
    languages: ["ocaml"],
    ecosystem: "system",
    uses: { formatter: words("dune", "build", "@fmt") },
    configFiles: [".ocamlformat"],
    mentions: ["ocamlformat", "dune fmt"],
    install: ["opam", "install", "ocamlformat"],
  },
  {
    name: "alcotest",
    languages: ["ocaml"],
    ecosystem: "system",
    program: "dune",
    uses: { test_framework: words("dune", "runtest") },
    mentions: ["dune runtest", "dune test"],
    install: ["opam", "install", "alcotest"],
  },
  {
    name: "ocaml-lsp",
    languages: ["ocaml"],
    ecosystem: "system",
    program: "ocamllsp",
    package: "ocaml-lsp-server",
    uses: { lsp: words("ocamllsp") },
    install: ["opam", "install", "ocaml-lsp-server"],
  },
  // Dart
  comesWith(
    "dart analyze",
    "dart",
    "dart",
    ["pubspec.yaml"],
    {
      linter: words("dart", "analyze"),
      type_checker: words("dart", "analyze"),
    },
    ["analysis_options.yaml"],
  ),
  comesWith("dart format", "dart", "dart", ["pubspec.yaml"], {
    formatter: words("dart", "format", "--output=none", "--set-exit-if-changed", "."),
  }),
  {
    name: "flutter test",
    languages: ["dart"],
    ecosystem: "pub",
    program: "flutter",
    uses: { test_framework: words("flutter", "test") },
    dependencies: ["flutter_test"],
    mentions: ["flutter test"],
    install: ["https://docs.flutter.dev/get-started/install"],
  },
  {
    name: "dart test",
    languages: ["dart"],
    ecosystem: "pub",
    program: "dart",
    package: "test",
    uses: { test_framework: words("dart", "test") },
    mentions: ["dart test"],
  },
  comesWith("dart", "dart", "dart", ["pubspec.yaml"], { lsp: words("dart", "language-server") }),
  // Terraform
  {
    name: "tflint",
    languages: ["terraform"],
    ecosystem: "system",
    uses: { linter: words("tflint", "--recursive") },
    configFiles: [".tflint.hcl"],
    install: ["https://github.com/terraform-linters/tflint/releases"],
  },
  comesWith("terraform fmt", "terraform", "terraform", ["*.tf"], {
    formatter: words("terraform", "fmt", "-check", "-recursive"),
  }),
  comesWith("terraform validate", "terraform", "terraform", ["*.tf"], {
    type_checker: words("terraform", "validate"),
  }),
  {
    name: "terratest",
    languages: ["terraform"],
    ecosystem: "go",
    program: "go",
    package: "github.com/gruntwork-io/terratest",
    uses: { test_framework: words("go", "test", "./...") },
    mentions: [],
    install: ["go", "get", "github.com/gruntwork-io/terratest"],
  },
  {
    name: "terraform-ls",
    languages: ["terraform"],
    ecosystem: "system",
    uses: { lsp: words("terraform-ls", "serve") },
    editor: ["hashicorp.terraform"],
    install: ["https://github.com/hashicorp/terraform-ls/releases"],
  },
  // Nix
  {
    name: "statix",
    languages: ["nix"],
    ecosystem: "system",
    uses: { linter: words("statix", "check") },
    configFiles: ["statix.toml"],
    install: ["nix", "profile", "install", "nixpkgs#statix"],
  },
  {
    name: "nixfmt",
    languages: ["nix"],
    ecosystem: "system",
    uses: { formatter: eachFile("nixfmt --check", "*.nix") },
    install: ["nix", "profile", "install", "nixpkgs#nixfmt"],
  },
  {
    name: "nixd",
    languages: ["nix"],
    ecosystem: "system",
    uses: { lsp: words("nixd") },
    install: ["nix", "profile", "install", "nixpkgs#nixd"],
  },
];

function words(...argv: readonly [string, ...string[]]): CommandBuilder {
  return () => argv;
}

/** Tools that take files and no folder, over the files that git does not ignore; without git it fails: nothing was looked at. */
function eachFile(command: string, ...patterns: readonly string[]): CommandBuilder {
  const listed = patterns.map((pattern) => `'${pattern}'`).join(" ");
  const files = `git ls-files -z --cached --others --exclude-standard ${listed}`;
  return () => ["sh", "-c", `git rev-parse --git-dir > /dev/null && ${files} | xargs -0 -r ${command}`];
}

/** By the build tool of the project, and by its wrapper where there is one. */
function build(mavenGoal: string, gradleTask: string): CommandBuilder {
  return ({ has }) => {
    if (has("gradlew")) return ["./gradlew", gradleTask];
    if (has("build.gradle") || has("build.gradle.kts")) return ["gradle", gradleTask];
    return [has("mvnw") ? "./mvnw" : "mvn", "--batch-mode", mavenGoal];
  };
}

function workspaceWide(...argv: readonly [string, ...string[]]): CommandBuilder {
  return ({ hasSection }) => (hasSection("Cargo.toml workspace") ? [...argv, "--workspace"] : argv);
}

type Uses = ToolDefinition["uses"];

function comesWith(
  name: string,
  language: string,
  program: string,
  manifests: readonly string[],
  uses: Uses,
  configFiles: readonly string[] = [],
): ToolDefinition {
  return {
    name,
    languages: [language],
    ecosystem: "system",
    program,
    uses,
    configFiles,
    comesWith: manifests,
    dependencies: [],
    mentions: [name],
    install: toolchains[program] ?? [program],
    pros: ["part of the language's toolchain"],
  };
}

function comesWithGo(name: string, category: keyof Uses, argv: readonly [string, ...string[]]): ToolDefinition {
  return comesWith(name, "go", argv[0], ["go.mod", "go.work"], { [category]: words(...argv) });
}

function comesWithCargo(name: string, category: keyof Uses, command: CommandBuilder): ToolDefinition {
  return comesWith(name, "rust", "cargo", ["Cargo.toml"], { [category]: command });
}

function dotnet(name: string, uses: Uses): ToolDefinition {
  return comesWith(name, "csharp", "dotnet", ["*.csproj", "*.sln", "*.slnx"], uses);
}

function dotnetWords(...args: readonly string[]): CommandBuilder {
  return () => ["dotnet", ...args];
}
