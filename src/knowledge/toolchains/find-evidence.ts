/**
 * How a project shows which tools it uses. Files are only read.
 *
 *   config file, section of a manifest       -> high
 *   dependency, script, toolchain's own tool -> medium
 *   build file, CI file, editor setting      -> low
 */
import type { tool as contract } from "../../contract/index.ts";
import type { ProjectFiles } from "./project-files.ts";
import { calledWords, editorNames, isBuildFile, isEditorFile, isMakefile, makeTargets } from "./read-build-file.ts";
import { isManifest, type ManifestFacts, readManifest } from "./read-manifest.ts";
import type { Confidence, ToolDefinition } from "./tool-definition.ts";

export type Evidence = {
  readonly tool: ToolDefinition;
  readonly confidence: Confidence;
  readonly source: contract.ToolSource;
  readonly path: string;
  readonly rationale: string;
  /** Version range of the manifest. */
  readonly declared?: string | undefined;
  /** A part of the language's toolchain: the project did not choose it. */
  readonly comesWith?: true;
};
export type ProjectEvidence = {
  readonly evidence: readonly Evidence[];
  readonly manifests: ReadonlyMap<string, ManifestFacts>;
  /** Files that were read. */
  readonly read: readonly string[];
  /** Of the Makefile at the root. */
  readonly makefile: { readonly path: string; readonly targets: ReturnType<typeof makeTargets> } | undefined;
  readonly problems: readonly string[];
};

/** Packages of a monorepo have their manifests some folders down; generated trees have thousands. */
const deepestManifest = 4;
const mostManifests = 100;
const mostBuildFiles = 40;

export async function findEvidence(files: ProjectFiles, tools: readonly ToolDefinition[]): Promise<ProjectEvidence> {
  const paths = files.paths.filter((path) => path.split("/").length <= deepestManifest);
  const texts = async (wanted: readonly string[]) =>
    Promise.all(wanted.map(async (path) => ({ path, text: await files.read(path) })));
  const manifests = new Map<string, ManifestFacts>();
  for (const { path, text } of await texts(paths.filter(isManifest).slice(0, mostManifests)))
    manifests.set(path, text === undefined ? unread(path) : await readManifest(path, text));
  const builds = await texts(paths.filter((path) => isBuildFile(path) || isEditorFile(path)).slice(0, mostBuildFiles));
  const make = builds.find(({ path, text }) => isMakefile(path) && text !== undefined);
  return {
    evidence: [
      ...ofConfigFiles(paths, tools),
      ...[...manifests].flatMap(([path, facts]) => ofManifest(path, facts, tools)),
      ...ofToolchains(paths, tools),
      ...builds.flatMap(({ path, text }) => (text === undefined ? [] : ofBuildFile(path, text, tools))),
    ],
    manifests,
    read: [...manifests.keys(), ...builds.map(({ path }) => path)],
    makefile: make === undefined ? undefined : { path: make.path, targets: makeTargets(make.text!) },
    problems: [...manifests.values()].flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
  };
}

function unread(path: string): ManifestFacts {
  const problem = `${path} cannot be read: it is not a plain file of at most 1 MB`;
  return { dependencies: new Map(), sections: new Set(), scripts: {}, problem };
}

/** Matches names with `*`, and paths with a folder as they are. */
function fitsName(path: string, pattern: string): boolean {
  if (pattern.includes("/")) return path === pattern;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const star = pattern.indexOf("*");
  if (star < 0) return name === pattern;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
}

function ofConfigFiles(paths: readonly string[], tools: readonly ToolDefinition[]): readonly Evidence[] {
  return tools.flatMap((tool) => {
    const path = paths.find((one) => tool.configFiles?.some((pattern) => fitsName(one, pattern)));
    if (path === undefined) return [];
    return [{ tool, confidence: "high", source: "config_file", path, rationale: `${path} configures it` }];
  });
}

function ofManifest(path: string, facts: ManifestFacts, tools: readonly ToolDefinition[]): readonly Evidence[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const called = [...new Set(Object.values(facts.scripts).flatMap((line) => [...calledWords(line)]))];
  return tools.flatMap((tool): readonly Evidence[] => {
    const section = (tool.sections ?? []).find((one) => {
      const [file, key] = one.split(" ") as [string, string];
      return file === name && facts.sections.has(key);
    });
    const dependency = dependenciesOf(tool).find((one) => facts.dependencies.has(one));
    const declared = dependency === undefined ? undefined : facts.dependencies.get(dependency) || undefined;
    const common = { tool, path, declared };
    if (section !== undefined) {
      const rationale = `"${section.split(" ")[1]}" of ${path} configures it`;
      return [{ ...common, confidence: "high", source: "config_file", rationale }];
    }
    if (dependency !== undefined && isOwnManifest(tool, name))
      return [{ ...common, confidence: "medium", source: "manifest", rationale: `${path} depends on ${dependency}` }];
    const script = mentionsOf(tool).find((word) => called.includes(word));
    if (script === undefined) return [];
    return [{ ...common, confidence: "medium", source: "manifest", rationale: `a script of ${path} calls ${script}` }];
  });
}

function ofToolchains(paths: readonly string[], tools: readonly ToolDefinition[]): readonly Evidence[] {
  return tools.flatMap((tool) => {
    const path = paths.find((one) => tool.comesWith?.some((pattern) => fitsName(one, pattern)));
    if (path === undefined) return [];
    const rationale = `part of the toolchain of ${path}`;
    return [{ tool, confidence: "medium", source: "manifest", path, rationale, comesWith: true }];
  });
}

function ofBuildFile(path: string, text: string, tools: readonly ToolDefinition[]): readonly Evidence[] {
  if (isEditorFile(path)) {
    const names = editorNames(text);
    return tools.flatMap((tool) => {
      const name = tool.editor?.find((one) => names.has(one));
      return name === undefined
        ? []
        : [{ tool, confidence: "low", source: "editor", path, rationale: `${path} names ${name}` }];
    });
  }
  const words = calledWords(text);
  return tools.flatMap((tool) => {
    const word = mentionsOf(tool).find((one) => words.has(one));
    return word === undefined
      ? []
      : [{ tool, confidence: "low", source: "build_file", path, rationale: `${path} calls ${word}` }];
  });
}

function dependenciesOf({ name, package: own = name, dependencies = [own] }: ToolDefinition): readonly string[] {
  return dependencies;
}

function mentionsOf({ name, program = name, mentions = [program] }: ToolDefinition): readonly string[] {
  return mentions;
}

const ownManifests: Readonly<Record<ToolDefinition["ecosystem"], RegExp>> = {
  npm: /^package\.json$/,
  python: /^(pyproject\.toml|setup\.cfg|tox\.ini|Pipfile|.*\.(txt|in))$/,
  go: /^go\.(mod|work)$/,
  cargo: /^Cargo\.toml$/,
  gem: /^(Gemfile|.*\.gemspec)$/,
  composer: /^composer\.json$/,
  jvm: /^(pom\.xml|build\.gradle(\.kts)?)$/,
  pub: /^pubspec\.yaml$/,
  mix: /^mix\.exs$/,
  system: /./,
};

/** A package of the same name elsewhere is another one. */
function isOwnManifest({ ecosystem }: ToolDefinition, name: string): boolean {
  return ownManifests[ecosystem].test(name);
}
