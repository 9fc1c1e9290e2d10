/**
 * Manifests as facts: which packages they name, which sections they have, which scripts. The text is a stranger's: what
 * cannot be parsed gives no facts and says so.
 */
export type ManifestFacts = {
  /** Package to version range, where one is written. */
  readonly dependencies: ReadonlyMap<string, string>;
  /** Dotted names of sections: "tool.ruff.lint" is also "tool.ruff". */
  readonly sections: ReadonlySet<string>;
  readonly scripts: Readonly<Record<string, string>>;
  /** The package manager that the manifest names. */
  readonly manager?: string | undefined;
  readonly problem?: string | undefined;
};
type Facts = {
  dependencies: Map<string, string>;
  sections: Set<string>;
  scripts: Record<string, string>;
  manager?: string;
};
type Reader = (text: string, facts: Facts) => void | Promise<void>;
type Tables = Readonly<Record<string, unknown>>;

const mostEntries = 5_000;
const longestLine = 2_000;
const deepestSection = 4;

/** By name of the file; the first that fits. */
const readers: readonly (readonly [RegExp, Reader])[] = [
  [/^package\.json$/, packageJson],
  [/^composer\.json$/, composerJson],
  [/^pyproject\.toml$/, pyproject],
  [/^(Cargo\.toml|Pipfile)$/, tomlManifest],
  [/^(setup\.cfg|tox\.ini)$/, iniManifest],
  [/^([\w-]*requirements[\w.-]*|constraints)\.(txt|in)$/, requirements],
  [/^(go\.mod|go\.work)$/, goMod],
  [
    /^(Gemfile|[\w.-]+\.gemspec)$/,
    eachMatch(/(?:^|\s)(?:gem|add_\w*dependency)[\s(]+["']([\w.-]+)["'](?:\s*,\s*["']([^"']+)["'])?/),
  ],
  [/^mix\.exs$/, eachMatch(/\{:(\w+),\s*"([^"]*)"/)],
  [/^pubspec\.yaml$/, pubspec],
  [/^pom\.xml$/, eachMatch(/<artifactId>\s*([\w.-]+)\s*<\/artifactId>/)],
  [/^build\.gradle(\.kts)?$/, gradle],
  [/^(CMakeLists\.txt)$/, cmake],
  [/^Package\.swift$/, eachMatch(/url:\s*"[^"]*\/([\w.-]+?)(?:\.git)?"/)],
  [/^(dune-project|[\w.-]+\.opam)$/, eachMatch(/[("\s]([\w-]+)["\s)]/)],
  [/^[\w.-]+\.(csproj|props)$/, eachMatch(/<PackageReference\s+Include="([\w.-]+)"(?:\s+Version="([^"]+)")?/)],
];

export function isManifest(path: string): boolean {
  return readerOf(path) !== undefined;
}

export async function readManifest(path: string, text: string): Promise<ManifestFacts> {
  const facts: Facts = {
    dependencies: new Map(),
    sections: new Set(),
    scripts: Object.create(null) as Record<string, string>,
  };
  try {
    await readerOf(path)?.(text, facts);
    return facts;
  } catch {
    // The library's message quotes the file, which is a stranger's text.
    return { ...facts, problem: `${path} cannot be read: it is not valid ${formatOf(path)}` };
  }
}

function formatOf(path: string): string {
  if (path.endsWith(".json")) return "JSON";
  return path.endsWith(".yaml") ? "YAML" : "TOML";
}

function readerOf(path: string): Reader | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/^requirements\/[\w.-]+\.(txt|in)$/.test(path)) return requirements;
  return readers.find(([pattern]) => pattern.test(name))?.[1];
}

function packageJson(text: string, facts: Facts): void {
  const manifest = tableOf(JSON.parse(text));
  for (const key of ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"])
    addTable(tableOf(manifest[key]), facts);
  for (const key of Object.keys(manifest).slice(0, mostEntries)) facts.sections.add(key);
  addScripts(manifest.scripts, facts);
  if (typeof manifest.packageManager === "string") facts.manager = manifest.packageManager.split("@")[0]!.slice(0, 20);
}

function composerJson(text: string, facts: Facts): void {
  const manifest = tableOf(JSON.parse(text));
  for (const key of ["require", "require-dev"]) addTable(tableOf(manifest[key]), facts);
  addScripts(manifest.scripts, facts);
}

async function pyproject(text: string, facts: Facts): Promise<void> {
  const manifest = await parseToml(text);
  addSections(manifest, "", facts);
  const project = tableOf(manifest.project);
  const tool = tableOf(manifest.tool);
  const poetry = tableOf(tool.poetry);
  addSpecs(project.dependencies, facts);
  addGroups(project["optional-dependencies"], facts);
  addGroups(manifest["dependency-groups"], facts);
  addSpecs(tableOf(tool.uv)["dev-dependencies"], facts);
  addGroups(tableOf(tool.pdm)["dev-dependencies"], facts);
  for (const environment of Object.values(tableOf(tableOf(tool.hatch).envs)).slice(0, 100))
    addSpecs(tableOf(environment).dependencies, facts);
  for (const table of [poetry.dependencies, poetry["dev-dependencies"]]) addTable(tableOf(table), facts);
  for (const group of Object.values(tableOf(poetry.group)).slice(0, 100))
    addTable(tableOf(tableOf(group).dependencies), facts);
  for (const manager of ["poetry", "pdm", "uv"]) if (tool[manager] !== undefined) facts.manager = manager;
}

async function tomlManifest(text: string, facts: Facts): Promise<void> {
  const manifest = await parseToml(text);
  addSections(manifest, "", facts);
  for (const key of ["dependencies", "dev-dependencies", "packages", "dev-packages"])
    addTable(tableOf(manifest[key]), facts);
}

function iniManifest(text: string, facts: Facts): void {
  for (const line of linesOf(text)) {
    const [, section] = /^\[([^\]\s][^\]]*)\]/.exec(line) ?? [];
    if (section !== undefined) facts.sections.add(section.trim());
    else addSpec(line.replace(/^[\w-]+\s*[=:]\s*/, ""), facts);
  }
}

function requirements(text: string, facts: Facts): void {
  for (const line of linesOf(text)) addSpec(line, facts);
}

function goMod(text: string, facts: Facts): void {
  for (const line of linesOf(text)) {
    const [, name, version] =
      /^\s*(?:require\s+|tool\s+)?([\w.-]+\.[\w.-]+\/[^\s()]+)(?:\s+(v[\w.+-]+))?/.exec(line) ?? [];
    if (name !== undefined) facts.dependencies.set(name, version ?? "");
  }
}

async function pubspec(text: string, facts: Facts): Promise<void> {
  const { parsePlacedYaml } = await import("../../platform/placed-yaml.ts");
  const parsed = parsePlacedYaml(text);
  if ("problems" in parsed) throw new Error("not YAML");
  const manifest = tableOf(parsed.value);
  for (const key of ["dependencies", "dev_dependencies"]) addTable(tableOf(manifest[key]), facts);
}

/** Plugins by id or by their own word, dependencies by group and name. */
function gradle(text: string, facts: Facts): void {
  for (const line of linesOf(text)) {
    const [, id] = /\bid[\s(]+["']([\w.-]+)["']/.exec(line) ?? [];
    const [, name, version] = /["'][\w.-]+:([\w.-]+)(?::([\w.+-]+))?["']/.exec(line) ?? [];
    const [, word] = /^\s*`?([a-z][\w-]*)`?\s*$/.exec(line) ?? [];
    if (id !== undefined) facts.dependencies.set(id, "");
    if (name !== undefined) facts.dependencies.set(name, version ?? "");
    if (word !== undefined) facts.dependencies.set(word, "");
  }
}

function cmake(text: string, facts: Facts): void {
  for (const line of linesOf(text)) {
    if (/^\s*#/.test(line)) continue;
    if (/\benable_testing\s*\(/i.test(line)) facts.dependencies.set("enable_testing", "");
    const [, name] = /\b(?:find_package|include|FetchContent_Declare)\s*\(\s*([\w-]+)/i.exec(line) ?? [];
    if (name !== undefined) facts.dependencies.set(name, "");
  }
}

/** One package, and perhaps its range, a line. */
function eachMatch(pattern: RegExp): Reader {
  return (text, facts) => {
    for (const line of linesOf(text)) {
      const [, name, range] = pattern.exec(line) ?? [];
      if (name !== undefined) facts.dependencies.set(name, range ?? "");
    }
  };
}

async function parseToml(text: string): Promise<Tables> {
  const { parse } = await import("smol-toml");
  return tableOf(parse(text, { maxDepth: 60 }));
}

function addSections(table: Tables, prefix: string, facts: Facts, depth = 0): void {
  if (depth >= deepestSection) return;
  for (const [key, value] of Object.entries(table).slice(0, mostEntries)) {
    if (typeof value !== "object" || value === null || facts.sections.size > mostEntries) continue;
    facts.sections.add(prefix + key);
    if (!Array.isArray(value)) addSections(value as Tables, `${prefix}${key}.`, facts, depth + 1);
  }
}

function addTable(table: Tables, facts: Facts): void {
  for (const [name, range] of Object.entries(table).slice(0, mostEntries)) {
    const version = typeof range === "string" ? range : tableOf(range).version;
    facts.dependencies.set(name, typeof version === "string" ? version.slice(0, 100) : "");
  }
}

function addGroups(groups: unknown, facts: Facts): void {
  for (const group of Object.values(tableOf(groups)).slice(0, 100)) addSpecs(group, facts);
}

function addSpecs(specs: unknown, facts: Facts): void {
  if (!Array.isArray(specs)) return;
  for (const spec of specs.slice(0, mostEntries))
    if (typeof spec === "string") addSpec(spec.slice(0, longestLine), facts);
}

/** `pytest>=8 ; python_version > "3.9"`, names as the index compares them. */
function addSpec(spec: string, facts: Facts): void {
  const [, name, range = ""] =
    /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*((?:[=<>!~^]=?[^;#\s]*)?)/.exec(spec) ?? [];
  if (name !== undefined) facts.dependencies.set(name.toLowerCase().replaceAll(/[-_.]+/g, "-"), range.slice(0, 100));
}

function addScripts(scripts: unknown, facts: Facts): void {
  for (const [name, line] of Object.entries(tableOf(scripts)).slice(0, mostEntries))
    if (typeof line === "string") facts.scripts[name] = line.slice(0, longestLine);
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/, 20_000).map((line) => line.slice(0, longestLine));
}

function tableOf(value: unknown): Tables {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Tables) : {};
}
