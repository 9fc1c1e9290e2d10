/**
 * The package manager of each ecosystem: by the project's lock file, else by what its manifest names, else the first of
 * the list that is installed.
 */
import type { tool as contract } from "../../contract/index.ts";
import type { ManifestFacts } from "./read-manifest.ts";
import type { LanguageDefinition } from "./tool-definition.ts";

type Manager = { readonly name: string; readonly program: string; readonly marks: readonly string[] };
export type PackageManager = contract.ToolReport["packageManagers"][number];
/** `isNamed`: the project's files say so. */
export type ChosenManager = PackageManager & { readonly isNamed: boolean };

/** In order of preference where the project does not say. */
const managers: Readonly<Record<string, readonly Manager[]>> = {
  web: [
    manager("pnpm", "pnpm-lock.yaml", "pnpm-workspace.yaml"),
    manager("yarn", "yarn.lock"),
    manager("npm", "package-lock.json", "npm-shrinkwrap.json"),
    manager("bun", "bun.lock", "bun.lockb"),
  ],
  python: [
    manager("uv", "uv.lock"),
    manager("poetry", "poetry.lock"),
    manager("pdm", "pdm.lock"),
    { name: "pipenv", program: "pipenv", marks: ["Pipfile.lock", "Pipfile"] },
    { name: "pip", program: "pip", marks: ["requirements.txt", "requirements-dev.txt", "requirements/dev.txt"] },
  ],
  go: [{ name: "go mod", program: "go", marks: ["go.mod"] }],
  rust: [manager("cargo", "Cargo.lock", "Cargo.toml")],
  ruby: [{ name: "bundler", program: "bundle", marks: ["Gemfile.lock", "Gemfile"] }],
  jvm: [manager("gradle", "build.gradle", "build.gradle.kts"), { name: "maven", program: "mvn", marks: ["pom.xml"] }],
  csharp: [manager("dotnet")],
  elixir: [manager("mix", "mix.lock", "mix.exs")],
  php: [manager("composer", "composer.lock", "composer.json")],
  swift: [manager("swift", "Package.resolved", "Package.swift")],
  zig: [manager("zig", "build.zig.zon")],
  ocaml: [manager("opam", "dune-project")],
  dart: [{ name: "pub", program: "dart", marks: ["pubspec.lock", "pubspec.yaml"] }],
  terraform: [manager("terraform", ".terraform.lock.hcl")],
  nix: [manager("nix", "flake.lock", "flake.nix")],
};
/** Not taken by availability alone: a project says so when it uses one of them. */
const onlyByFile = new Set(["bun", "poetry", "pdm", "pipenv"]);

type Terms = {
  readonly paths: ReadonlySet<string>;
  readonly manifests: ReadonlyMap<string, ManifestFacts>;
  readonly isInstalled: (program: string) => boolean;
};

export function packageManagerOf(language: LanguageDefinition, terms: Terms): ChosenManager | undefined {
  const known = managers[language.family ?? language.name];
  if (known === undefined) return undefined;
  const answer = ({ name, program }: Manager, rationale: string, isNamed = true): ChosenManager => ({
    name,
    language: language.name,
    installed: terms.isInstalled(program),
    rationale,
    isNamed,
  });
  for (const one of known) {
    const mark = one.marks.find((file) => terms.paths.has(file));
    // A manifest that names its manager is surer than a second manifest that only exists.
    if (mark !== undefined && !isPlainManifest(mark)) return answer(one, `${mark} is its lock file`);
  }
  for (const [path, { manager: named }] of terms.manifests) {
    const one = known.find(({ name }) => name === named);
    if (one !== undefined) return answer(one, `${path} names it`);
  }
  for (const one of known) {
    const mark = one.marks.find((file) => terms.paths.has(file));
    if (mark !== undefined) return answer(one, `${mark} is its file`);
  }
  const usual = known.filter(({ name }) => !onlyByFile.has(name));
  const present = usual.find(({ program }) => terms.isInstalled(program));
  if (present !== undefined) return answer(present, "the project names none; it is installed", false);
  const usualOne = usual.find(({ name }) => name === language.toolset.packageManager) ?? usual.at(-1)!;
  return answer(usualOne, "recommended", false);
}

function isPlainManifest(file: string): boolean {
  return !/lock|shrinkwrap|resolved/i.test(file);
}

function manager(name: string, ...marks: readonly string[]): Manager {
  return { name, program: name, marks };
}
