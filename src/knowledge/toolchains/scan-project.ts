/**
 * Tier 1: everything that a project's own files tell about its tools, read once for all categories.
 *
 *   folder -> files -> evidence, languages, package managers, installed programs -> tools of each category
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CommandPlace, installCommand, runCommand } from "./build-command.ts";
import { type Evidence, findEvidence, type ProjectEvidence } from "./find-evidence.ts";
import { findPrograms, type Programs } from "./find-programs.ts";
import { inferLanguages, type LanguageCount, mainLanguages } from "./infer-languages.ts";
import { type PackageManager, packageManagerOf } from "./package-managers.ts";
import { type ProjectFiles, readFolder } from "./project-files.ts";
import type { ToolRegistry } from "./registry.ts";
import type { Confidence, ToolCategory, ToolDefinition } from "./tool-definition.ts";
import type { DiscoveredTool } from "../../contract/index.ts";

export type ProjectScan = {
  readonly languages: readonly LanguageCount[];
  readonly main: readonly string[];
  managersOf(languages: readonly string[]): readonly PackageManager[];
  readonly found: ProjectEvidence;
  readonly place: CommandPlace;
  readonly programs: Pick<Programs, "find">;
  readonly notes: readonly string[];
  /** Files and folders that it was read from, relative. */
  readonly sources: readonly string[];
};

export const ranks: Readonly<Record<Confidence, number>> = { low: 0, medium: 1, high: 2 };
const byRank: readonly Confidence[] = ["low", "medium", "high"];

export type ScanPorts = { readonly registry: ToolRegistry; readonly env: Readonly<Record<string, string | undefined>> };

export async function scanFolder(root: string, { registry, env }: ScanPorts): Promise<ProjectScan> {
  const top = repositoryAround(root);
  return scanFiles(await readFolder(root, top), findPrograms(root, top, env), registry);
}

/** The repository around a folder; the folder itself where there is none. */
export function repositoryAround(root: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return root;
  }
}

export async function scanFiles(files: ProjectFiles, programs: Programs, registry: ToolRegistry): Promise<ProjectScan> {
  const found = await findEvidence(files, registry.tools);
  const languages = inferLanguages(
    files.paths.filter((path) => !path.startsWith("../")),
    registry.languages,
  );
  const paths = new Set(files.paths);
  const terms = {
    paths,
    manifests: found.manifests,
    isInstalled: (program: string) => programs.onPath(program) !== undefined,
  };
  const managers = new Map(registry.languages.map((language) => [language.name, packageManagerOf(language, terms)]));
  const main = mainLanguages(languages, registry.languages);
  const managersOf = (names: readonly string[]) =>
    names.flatMap((name) => {
      const { isNamed: _isNamed, ...manager } = managers.get(name) ?? {};
      return "name" in manager ? [manager] : [];
    });
  return {
    languages,
    main,
    managersOf,
    found,
    programs,
    place: {
      paths,
      manifests: found.manifests,
      environment: programs.environment,
      managerOf: (language) => managers.get(language)?.name,
      namedManagerOf: (language) => {
        const manager = managers.get(language);
        return manager?.isNamed === true ? manager.name : undefined;
      },
    },
    notes: [...found.problems, ...(files.cut ? ["the folder has more files than were looked at"] : [])],
    sources: [...files.folders, ...found.read],
  };
}

/** Where a folder could not be scanned: nothing is known, and the note says why. */
export function emptyScan(note: string): ProjectScan {
  return {
    languages: [],
    main: [],
    managersOf: () => [],
    found: { evidence: [], manifests: new Map(), read: [], makefile: undefined, problems: [] },
    place: {
      paths: new Set(),
      manifests: new Map(),
      environment: undefined,
      managerOf: () => undefined,
      namedManagerOf: () => undefined,
    },
    programs: { find: () => undefined },
    notes: [note],
    sources: [],
  };
}

/** The tools of a category that the project shows, the surest first; of equals the recommended one, then the table's order. */
export function toolsOf(
  scan: ProjectScan,
  category: ToolCategory,
  languages: readonly string[],
  registry: ToolRegistry,
  { chosenOnly = false }: { readonly chosenOnly?: boolean } = {},
): readonly DiscoveredTool[] {
  const best = new Map<ToolDefinition, Evidence>();
  for (const evidence of scan.found.evidence) {
    const { tool } = evidence;
    if (chosenOnly && evidence.comesWith === true) continue;
    if (tool.uses[category] === undefined || !tool.languages.some((one) => languages.includes(one))) continue;
    const known = best.get(tool);
    if (known === undefined || ranks[evidence.confidence] > ranks[known.confidence])
      best.set(tool, { ...evidence, declared: evidence.declared ?? known?.declared });
    else if (known.declared === undefined && evidence.declared !== undefined)
      best.set(tool, { ...known, declared: evidence.declared });
  }
  return [...best.values()]
    .map((evidence) => ({ evidence, tool: describe(evidence, category, languages, scan) }))
    .sort((a, b) => orderOf(b, category, registry) - orderOf(a, category, registry))
    .map(({ tool }) => tool);
}

type Described = { readonly evidence: Evidence; readonly tool: DiscoveredTool };

/** What the project chose goes before what its toolchain brings. */
function orderOf({ evidence, tool }: Described, category: ToolCategory, registry: ToolRegistry): number {
  const usual = registry.defaultOf(tool.language, category);
  const isUsual = typeof usual === "object" && "name" in usual && usual.name === tool.name;
  return ranks[tool.confidence] * 8 + (evidence.comesWith === true ? 0 : 4) + (isUsual ? 2 : 0);
}

export function describe(
  { tool, confidence, source, path, rationale, declared }: Evidence,
  category: ToolCategory,
  languages: readonly string[],
  { programs, place }: ProjectScan,
): DiscoveredTool {
  const language = languages.find((one) => tool.languages.includes(one))!;
  const program = programs.find(tool);
  const lesser = tool.lesser?.includes(category) === true;
  const configPath = source === "config_file" ? path : undefined;
  const known = { language, version: program?.version ?? declared, configPath, isLocal: program?.isLocal === true };
  return {
    name: tool.name,
    category,
    language,
    ...(program?.version === undefined ? {} : { version: program.version }),
    ...(declared === undefined ? {} : { declared }),
    ...(configPath === undefined ? {} : { configPath }),
    run: [...runCommand(tool, category, known, place)],
    install: [...installCommand(tool, place)],
    installed: program !== undefined,
    ...(program === undefined ? {} : { program: program.path }),
    confidence: lesser ? byRank[Math.max(0, ranks[confidence] - 1)]! : confidence,
    source,
    rationale,
  };
}
