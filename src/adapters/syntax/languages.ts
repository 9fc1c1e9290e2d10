/**
 * The languages that have a grammar: which files are theirs, which queries read them, which names other files can see.
 *
 * `queries` are files of `queries/`, joined. A language without `grammar` is read by code of this folder.
 */
import { type ExportRule, exportRules } from "./export-rules.ts";

export type Language = {
  readonly name: string;
  /** The name in `tree-sitter-wasm`. */
  readonly grammar: string;
  readonly queries: readonly string[];
  /** File name endings, without the dot. */
  readonly endings: readonly string[];
  readonly fileNames?: readonly string[];
  readonly shebangs?: readonly string[];
  readonly isExported: ExportRule;
  /** Between the parts of a path in an import, where one statement names module and member at once. */
  readonly separator?: string;
};

const { everything, exportKeyword, capitalised, noUnderscore, pub, statedMembers, notPrivate, notStatic } = exportRules;

/** name, grammar, queries, file endings, who sees it, the rest. */
const rows: readonly Language[] = [
  language("typescript", "typescript", ["javascript", "typescript"], "ts mts cts", exportKeyword),
  language("tsx", "tsx", ["javascript", "jsx", "typescript"], "tsx", exportKeyword),
  language("javascript", "javascript", ["javascript", "javascript-names", "jsx"], "js mjs cjs jsx", exportKeyword, {
    shebangs: ["node", "deno", "bun"],
  }),
  language("go", "go", ["go"], "go", capitalised),
  language("python", "python", ["python"], "py pyi pyw", noUnderscore, { shebangs: ["python", "python3"] }),
  language("rust", "rust", ["rust"], "rs", pub, { separator: "::" }),
  language("java", "java", ["java"], "java", notPrivate),
  language("c", "c", ["c"], "c h", notStatic),
  language("cpp", "cpp", ["cpp", "c"], "cc cpp cxx c++ hh hpp hxx h++ ipp cu cuh", notStatic),
  language("csharp", "c_sharp", ["csharp"], "cs csx", statedMembers),
  language("ruby", "ruby", ["ruby"], "rb rake gemspec ru", everything, {
    fileNames: ["Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Fastfile", "Podfile"],
    shebangs: ["ruby"],
  }),
  language("php", "php", ["php"], "php phtml", notPrivate, { separator: "\\", shebangs: ["php"] }),
  language("bash", "bash", ["bash"], "sh bash zsh ksh bats", everything, {
    fileNames: [".bashrc", ".bash_profile", ".profile", ".zshrc"],
    shebangs: ["sh", "bash", "zsh", "ksh", "dash", "bats"],
  }),
  language("kotlin", "kotlin", ["kotlin"], "kt kts", notPrivate),
  language("elixir", "elixir", ["elixir"], "ex exs", notPrivate, { shebangs: ["elixir"] }),
  language("swift", "swift", ["swift"], "swift", notPrivate),
  language("zig", "zig", ["zig"], "zig zon", pub),
  language("ocaml", "ocaml", ["ocaml"], "ml", everything),
  language("dart", "dart", ["dart"], "dart", noUnderscore),
  language("terraform", "terraform", ["terraform"], "tf tfvars hcl", everything),
  language("nix", "nix", ["nix"], "nix", everything),
  language("vue", "vue", ["components"], "vue", everything),
  language("svelte", "svelte", ["components"], "svelte", everything),
  language("json", "json", ["json"], "json jsonc json5 webmanifest", everything),
  language("toml", "toml", ["toml"], "toml", everything, { fileNames: ["Cargo.lock", "Pipfile"] }),
  language("yaml", "yaml", ["yaml"], "yaml yml", everything),
];

export const languages: ReadonlyMap<string, Language> = new Map(rows.map((row) => [row.name, row]));

function language(
  name: string,
  grammar: string,
  queries: readonly string[],
  endings: string,
  isExported: ExportRule,
  more: Partial<Language> = {},
): Language {
  return { name, grammar, queries, endings: endings.split(" "), isExported, ...more };
}
