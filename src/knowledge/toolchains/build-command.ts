/** The commands of a tool in a project: how it is called, and how it is installed, by the project's own package manager. */
import { isManifest, type ManifestFacts } from "./read-manifest.ts";
import {
  type Ecosystem,
  parseVersion,
  type ToolCategory,
  type ToolDefinition,
  type ToolUse,
} from "./tool-definition.ts";

export type CommandPlace = {
  readonly paths: ReadonlySet<string>;
  readonly manifests: ReadonlyMap<string, ManifestFacts>;
  /** Programs of node_modules by their path: the manager would look for absent ones in the network. */
  readonly isDirect?: boolean;
  /** The project's own virtual environment, relative. */
  readonly environment: string | undefined;
  /** By language. */
  managerOf(language: string): string | undefined;
  /** Only one that the project names: another would set up the project anew. */
  namedManagerOf(language: string): string | undefined;
};
type Known = {
  readonly language: string;
  readonly version?: string | undefined;
  readonly configPath?: string | undefined;
  /** Found in a folder of the project. */
  readonly isLocal: boolean;
};
type Argv = readonly [string, ...string[]];

export function runCommand(tool: ToolDefinition, category: ToolCategory, known: Known, place: CommandPlace): Argv {
  const use: ToolUse = {
    version: parseVersion(known.version),
    configPath: known.configPath,
    language: known.language,
    has: (path) => place.paths.has(path),
    hasSection: (section) => hasSection(section, place.manifests),
  };
  const argv = tool.uses[category]!(use);
  return [...prefixOf(tool.ecosystem, argv[0], known.isLocal, place), ...argv.slice(1)] as unknown as Argv;
}

/** The words before the tool's own options: through the manager where the project has one, else the program alone. */
function prefixOf(ecosystem: Ecosystem, program: string, isLocal: boolean, place: CommandPlace): readonly string[] {
  const { paths, environment, namedManagerOf: managerOf } = place;
  switch (ecosystem) {
    case "npm":
      if (place.isDirect === true && !paths.has(".pnp.cjs")) return [`node_modules/.bin/${program}`];
      return isLocal || [...paths].some((path) => /^(\.\.\/)*package\.json$/.test(path))
        ? [...(runners[managerOf("javascript") ?? "npm"] ?? runners.npm!), program]
        : [program];
    case "python":
      if (isLocal && environment !== undefined) return [`${environment}/bin/${program}`];
      return [...(runners[managerOf("python") ?? "pip"] ?? []), program];
    case "gem":
      return paths.has("Gemfile") ? ["bundle", "exec", program] : [program];
    case "composer":
      return paths.has("composer.json") ? [`vendor/bin/${program}`] : [program];
    default:
      return [program];
  }
}

const runners: Readonly<Record<string, readonly string[]>> = {
  npm: ["npx", "--no-install"],
  pnpm: ["pnpm", "exec"],
  yarn: ["yarn", "run"],
  bun: ["bun", "run"],
  uv: ["uv", "run"],
  poetry: ["poetry", "run"],
  pdm: ["pdm", "run"],
  pipenv: ["pipenv", "run"],
};

export function installCommand(tool: ToolDefinition, place: CommandPlace): Argv {
  const { name, package: own = name, ecosystem, install } = tool;
  if (install !== undefined) return install;
  switch (ecosystem) {
    case "npm":
      return [...adders[managerOf(place, "javascript", "npm")]!, ...withHost(own)] as unknown as Argv;
    case "python":
      return pythonInstall(own, place);
    case "go":
      return ["go", "install", `${own}@latest`];
    case "cargo":
      return ["cargo", "install", own];
    case "gem":
      return place.paths.has("Gemfile") ? ["bundle", "add", own, "--group", "development"] : ["gem", "install", own];
    case "composer":
      return ["composer", "require", "--dev", own];
    case "pub":
      return ["dart", "pub", "add", `dev:${own}`];
    case "mix":
      return [`https://hex.pm/packages/${own}`];
    default:
      return [own];
  }
}

/** Undefined where the project's manager has no such command. */
export function uninstallCommand(tool: ToolDefinition, place: CommandPlace): Argv | undefined {
  const { name, package: own = name, ecosystem, program = name, install } = tool;
  switch (ecosystem) {
    case "npm":
      return [...removers[managerOf(place, "javascript", "npm")]!, own] as unknown as Argv;
    case "python":
      return pythonUninstall(own, place);
    case "go":
      return install === undefined ? ["go", "clean", "-i", own] : undefined;
    case "cargo":
      return install?.[0] === "rustup"
        ? ["rustup", "component", "remove", name]
        : ["cargo", "uninstall", own ?? program];
    default:
      return undefined;
  }
}

const removers: Readonly<Record<string, readonly string[]>> = {
  npm: ["npm", "uninstall"],
  pnpm: ["pnpm", "remove"],
  yarn: ["yarn", "remove"],
  bun: ["bun", "remove"],
};

function pythonUninstall(own: string, place: CommandPlace): Argv {
  const [program, second] = pythonInstall(own, place);
  if (program === "poetry") return ["poetry", "remove", "--group", "dev", own];
  if (program === "pdm") return ["pdm", "remove", "--dev", own];
  if (program === "pipenv") return ["pipenv", "uninstall", own];
  if (program === "uv") return second === "add" ? ["uv", "remove", "--dev", own] : ["uv", "pip", "uninstall", own];
  return [program, "-m", "pip", "uninstall", "--yes", own];
}

const adders: Readonly<Record<string, readonly string[]>> = {
  npm: ["npm", "install", "--save-dev"],
  pnpm: ["pnpm", "add", "--save-dev"],
  yarn: ["yarn", "add", "--dev"],
  bun: ["bun", "add", "--dev"],
};

/** A plugin is of no use without its program. */
function withHost(own: string): readonly string[] {
  const [, host] = /^(eslint|prettier)-plugin-/.exec(own) ?? [];
  return host === undefined ? [own] : [host, own];
}

/** Into the project's environment where there is one: pip outside of it would change the machine's Python. */
function pythonInstall(own: string, place: CommandPlace): Argv {
  const manager = managerOf(place, "python", "pip");
  if (manager === "poetry") return ["poetry", "add", "--group", "dev", own];
  if (manager === "pdm") return ["pdm", "add", "--dev", own];
  if (manager === "pipenv") return ["pipenv", "install", "--dev", own];
  const isProject = hasSection("pyproject.toml project", place.manifests);
  if (manager === "uv") return isProject ? ["uv", "add", "--dev", own] : ["uv", "pip", "install", own];
  const python = place.environment === undefined ? "python3" : `${place.environment}/bin/python`;
  return [python, "-m", "pip", "install", own];
}

function managerOf(place: CommandPlace, language: string, usual: string): string {
  const named = place.managerOf(language);
  return named !== undefined && (named in adders || named in runners) ? named : usual;
}

/** "Cargo.toml workspace", of the manifest at the root. */
function hasSection(wanted: string, manifests: ReadonlyMap<string, ManifestFacts>): boolean {
  const [file, key] = wanted.split(" ") as [string, string];
  return isManifest(file) && manifests.get(file)?.sections.has(key) === true;
}
