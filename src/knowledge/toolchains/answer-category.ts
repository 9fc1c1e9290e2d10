/**
 * The answer for one category, from a scan: the tools that the project shows or that people named, and for each of its
 * languages that has none what a person can choose from.
 *
 *   chosen for the session or by the project -> shown by its files -> preferred by the user -> options, recommended first
 */
import type { DiscoveredTool, ToolAnswer, ToolChoices, ToolOption } from "../../contract/index.ts";
import { installCommand, runCommand } from "./build-command.ts";
import type { ToolRegistry } from "./registry.ts";
import { describe, type ProjectScan, ranks, toolsOf } from "./scan-project.ts";
import type { Confidence, ToolCategory, ToolDefinition } from "./tool-definition.ts";

export type Wanted = {
  readonly category: ToolCategory;
  readonly languages: readonly string[];
  readonly minConfidence: Confidence;
  readonly choices: ToolChoices;
};

export function answerCategory(wanted: Wanted, scan: ProjectScan, registry: ToolRegistry): ToolAnswer {
  const { category, languages, minConfidence, choices } = wanted;
  const shown = toolsOf(scan, category, withRelatives(languages, scan, registry), registry);
  const named = (names: readonly string[], rationale: string, ofLanguages = languages) =>
    toolsNamed(names, rationale, { category, languages: ofLanguages, shown }, scan, registry);
  const chosenNames = choices.chosen[category] ?? [];
  const chosen = named(chosenNames, "chosen for this session or this project");
  const isSure = ({ source, confidence }: DiscoveredTool): boolean =>
    source === "user_preference" || ranks[confidence] >= ranks[minConfidence];
  const without = (tools: readonly DiscoveredTool[]): readonly string[] =>
    languages.filter((language) => !tools.some((tool) => isSure(tool) && serves(tool, language, registry)));
  const found = firstOfEach([...chosen, ...shown.filter(isSure)]);
  const preferred = named(choices.preferred, "preferred by your settings (tools.prefer)", without(found));
  const tools = firstOfEach([...found, ...preferred, ...shown]);
  const unknown = [...chosenNames, ...choices.preferred].filter((name) => registry.find(name) === undefined);
  const notes = [...scan.notes, ...unknown.map((name) => `"${name}" is not a tool that Sylk knows`)];
  const open: string[] = [];
  for (const language of without(tools)) {
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

/** People named them: the first that fits each language. */
function toolsNamed(
  names: readonly string[],
  rationale: string,
  {
    category,
    languages,
    shown,
  }: Pick<Wanted, "category" | "languages"> & { readonly shown: readonly DiscoveredTool[] },
  scan: ProjectScan,
  registry: ToolRegistry,
): readonly DiscoveredTool[] {
  const fitting = languages.flatMap((language) => {
    const known = new Map(registry.toolsFor(language, category).map((tool) => [tool.name, tool]));
    const name = names.find((one) => known.has(one));
    return name === undefined ? [] : [known.get(name)!];
  });
  const said = { confidence: "high", source: "user_preference", rationale } as const;
  return fitting.map((tool) => ({
    ...(shown.find(({ name }) => name === tool.name) ??
      describe({ ...said, tool, path: "" }, category, languages, scan)),
    ...said,
  }));
}

function firstOfEach(tools: readonly DiscoveredTool[]): readonly DiscoveredTool[] {
  return tools.filter(({ name }, index) => tools.findIndex((other) => other.name === name) === index);
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
