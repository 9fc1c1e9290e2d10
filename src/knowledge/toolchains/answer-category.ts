/**
 * The answer for one category, from a scan: the tools that the project shows, and for each of its languages that has none
 * what a person can choose from.
 *
 *   found with enough confidence -> tier 1      found by research -> tier 2      else -> tier 3, a person chooses
 */
import type { DiscoveredTool, ToolAnswer, ToolOption } from "../../contract/index.ts";
import { installCommand, runCommand } from "./build-command.ts";
import type { ToolRegistry } from "./registry.ts";
import { type ProjectScan, ranks, toolsOf } from "./scan-project.ts";
import type { Confidence, ToolCategory, ToolDefinition } from "./tool-definition.ts";

export type Wanted = {
  readonly category: ToolCategory;
  readonly languages: readonly string[];
  readonly minConfidence: Confidence;
};

export function answerCategory(wanted: Wanted, scan: ProjectScan, registry: ToolRegistry): ToolAnswer {
  const { category, languages, minConfidence } = wanted;
  const tools = toolsOf(scan, category, withRelatives(languages, scan, registry), registry);
  const enough = tools.filter((tool) => ranks[tool.confidence] >= ranks[minConfidence]);
  const notes = [...scan.notes];
  const open: string[] = [];
  for (const language of languages) {
    if (enough.some((tool) => serves(tool, language, registry))) continue;
    const usual = registry.defaultOf(language, category);
    if (typeof usual === "object" && "none" in usual) notes.push(`${language}: ${usual.none}`);
    else if (usual !== "unknown") open.push(language);
  }
  const requiresUser = open.length > 0;
  return {
    category,
    tier: requiresUser ? 3 : 1,
    confidence: confidenceOf(tools, requiresUser),
    tools: [...tools],
    requiresUser,
    options: open.flatMap((language) => optionsFor(language, category, scan, registry)),
    notes,
  };
}

/** A project of TypeScript may name a tool for its few JavaScript files too. */
function withRelatives(languages: readonly string[], scan: ProjectScan, registry: ToolRegistry): readonly string[] {
  const families = new Set(languages.map((name) => familyOf(name, registry)));
  const relatives = scan.languages
    .map(({ name }) => name)
    .filter((name) => !languages.includes(name) && families.has(familyOf(name, registry)));
  return [...languages, ...relatives];
}

function serves({ name }: DiscoveredTool, language: string, registry: ToolRegistry): boolean {
  const tool = registry.find(name);
  return tool?.languages.some((one) => familyOf(one, registry) === familyOf(language, registry)) === true;
}

function familyOf(name: string, { languages }: ToolRegistry): string {
  return languages.find((language) => language.name === name)?.family ?? name;
}

/** That of the surest tool; low where a language has none. */
function confidenceOf(tools: readonly DiscoveredTool[], requiresUser: boolean): Confidence {
  return requiresUser ? "low" : (tools[0]?.confidence ?? "low");
}

function optionsFor(
  language: string,
  category: ToolCategory,
  scan: ProjectScan,
  registry: ToolRegistry,
): readonly ToolOption[] {
  const usual = registry.defaultOf(language, category);
  const known = registry.toolsFor(language, category);
  return [...known.filter((tool) => tool === usual), ...known.filter((tool) => tool !== usual)].map((tool) =>
    optionOf(tool, language, category, scan, tool === usual),
  );
}

function optionOf(
  tool: ToolDefinition,
  language: string,
  category: ToolCategory,
  { programs, place }: ProjectScan,
  recommended: boolean,
): ToolOption {
  const program = programs.find(tool);
  const known = { language, version: program?.version, isLocal: program?.isLocal === true };
  return {
    tool: tool.name,
    language,
    pros: [...(tool.pros ?? [])],
    cons: [...(tool.cons ?? [])],
    recommended,
    installed: program !== undefined,
    run: [...runCommand(tool, category, known, place)],
    install: [...installCommand(tool, place)],
  };
}
