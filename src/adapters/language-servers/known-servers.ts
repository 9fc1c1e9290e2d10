/**
 * Language servers by what they read. A program that is not installed is not missed: the answer says so.
 *
 * No server may write into a tree or run a project's own code where it has a switch for that: clangd keeps its index in
 * memory, rust-analyzer runs neither build scripts nor macros, the TypeScript server fetches no types.
 */
export type ServerDefinition = {
  /** For people; one process of it serves all its languages in a tree. */
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  /** Ending of a file to the language as the protocol names it. */
  readonly languages: Readonly<Record<string, string>>;
  /** One of them, in the file's folder or above, sets the project up. Without one the server guesses. */
  readonly projectFiles: readonly string[];
  readonly initializationOptions?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** quiescent: it says itself when the project is loaded, and answers too little before. */
  readonly ready?: "quiescent";
  /** tsserver: it can be asked which project file covers a file. */
  readonly projectOf?: "tsserver";
};

const memoryOfNode = { NODE_OPTIONS: "--max-old-space-size=2048" };

export const knownServers: readonly ServerDefinition[] = [
  {
    name: "typescript-language-server",
    argv: ["typescript-language-server", "--stdio"],
    languages: {
      ts: "typescript",
      mts: "typescript",
      cts: "typescript",
      tsx: "typescriptreact",
      js: "javascript",
      mjs: "javascript",
      cjs: "javascript",
      jsx: "javascriptreact",
    },
    projectFiles: ["tsconfig.json", "jsconfig.json"],
    initializationOptions: {
      disableAutomaticTypingAcquisition: true,
      maxTsServerMemory: 2_048,
      tsserver: { useSyntaxServer: "never" },
    },
    projectOf: "tsserver",
  },
  {
    name: "pyright",
    argv: ["pyright-langserver", "--stdio"],
    languages: { py: "python", pyi: "python" },
    projectFiles: ["pyrightconfig.json", "pyproject.toml", "setup.py", "setup.cfg"],
    env: memoryOfNode,
  },
  {
    name: "gopls",
    argv: ["gopls", "serve"],
    languages: { go: "go" },
    projectFiles: ["go.mod", "go.work"],
    env: { GOMEMLIMIT: "2GiB", GOFLAGS: "-mod=readonly" },
  },
  {
    name: "rust-analyzer",
    argv: ["rust-analyzer"],
    languages: { rs: "rust" },
    projectFiles: ["Cargo.toml", "rust-project.json"],
    initializationOptions: {
      cargo: { buildScripts: { enable: false } },
      procMacro: { enable: false },
      checkOnSave: false,
    },
    ready: "quiescent",
  },
  {
    name: "clangd",
    argv: ["clangd", "--background-index=false"],
    languages: { c: "c", h: "c", cc: "cpp", cpp: "cpp", cxx: "cpp", hh: "cpp", hpp: "cpp", hxx: "cpp" },
    projectFiles: ["compile_commands.json", "compile_flags.txt", ".clangd"],
  },
  {
    name: "bash-language-server",
    argv: ["bash-language-server", "start"],
    languages: { sh: "shellscript", bash: "shellscript" },
    projectFiles: [],
    env: memoryOfNode,
  },
  {
    name: "intelephense",
    argv: ["intelephense", "--stdio"],
    languages: { php: "php" },
    projectFiles: ["composer.json"],
    env: memoryOfNode,
  },
  { name: "solargraph", argv: ["solargraph", "stdio"], languages: { rb: "ruby" }, projectFiles: ["Gemfile"] },
  { name: "zls", argv: ["zls"], languages: { zig: "zig" }, projectFiles: ["build.zig"] },
  {
    name: "ocamllsp",
    argv: ["ocamllsp"],
    languages: { ml: "ocaml", mli: "ocaml.interface" },
    projectFiles: ["dune-project"],
  },
  {
    name: "dart",
    argv: ["dart", "language-server", "--protocol=lsp"],
    languages: { dart: "dart" },
    projectFiles: ["pubspec.yaml"],
  },
];

export function serverFor(path: string, servers: readonly ServerDefinition[]): ServerDefinition | undefined {
  const ending = endingOf(path);
  return servers.find(({ languages }) => Object.hasOwn(languages, ending));
}

export function languageIdOf(path: string, { languages }: ServerDefinition): string {
  return languages[endingOf(path)] ?? "plaintext";
}

export function endingOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}
