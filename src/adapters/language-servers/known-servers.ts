/**
 * Language servers by what they read. The table of tools says how each is called; options of ours come after it. A program
 * that is not installed is not missed: the answer says so.
 *
 * No server may write into a tree or run a project's own code where it has a switch for that: clangd keeps its index in
 * memory, rust-analyzer runs neither build scripts nor macros, the TypeScript server fetches no types.
 */
import { languageServerCommand } from "../../knowledge/toolchains/index.ts";

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
    ...called("typescript-language-server"),
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
    ...called("pyright"),
    languages: { py: "python", pyi: "python" },
    projectFiles: ["pyrightconfig.json", "pyproject.toml", "setup.py", "setup.cfg"],
    env: memoryOfNode,
  },
  {
    ...called("gopls"),
    languages: { go: "go" },
    projectFiles: ["go.mod", "go.work"],
    env: { GOMEMLIMIT: "2GiB", GOFLAGS: "-mod=readonly" },
  },
  {
    ...called("rust-analyzer"),
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
    ...called("clangd", "--background-index=false"),
    languages: { c: "c", h: "c", cc: "cpp", cpp: "cpp", cxx: "cpp", hh: "cpp", hpp: "cpp", hxx: "cpp" },
    projectFiles: ["compile_commands.json", "compile_flags.txt", ".clangd"],
  },
  {
    ...called("bash-language-server"),
    languages: { sh: "shellscript", bash: "shellscript" },
    projectFiles: [],
    env: memoryOfNode,
  },
  {
    ...called("intelephense"),
    languages: { php: "php" },
    projectFiles: ["composer.json"],
    env: memoryOfNode,
  },
  { ...called("solargraph"), languages: { rb: "ruby" }, projectFiles: ["Gemfile"] },
  { ...called("zls"), languages: { zig: "zig" }, projectFiles: ["build.zig"] },
  {
    ...called("ocaml-lsp"),
    languages: { ml: "ocaml", mli: "ocaml.interface" },
    projectFiles: ["dune-project"],
  },
  {
    ...called("dart", "--protocol=lsp"),
    languages: { dart: "dart" },
    projectFiles: ["pubspec.yaml"],
  },
];

function called(name: string, ...options: readonly string[]): Pick<ServerDefinition, "name" | "argv"> {
  return { name, argv: [...languageServerCommand(name), ...options] };
}

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
