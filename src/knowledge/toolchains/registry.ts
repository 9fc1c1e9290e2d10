/**
 * The registry of tools: the table that Sylk ships, and what the user adds to it at run time. Detection, the roles and the
 * installer read the same one.
 */
import { join } from "node:path";
import { languages as shippedLanguages } from "./languages.ts";
import { type OwnTools, ownToolsIn } from "./own-tools.ts";
import type { LanguageDefinition, ToolCategory, ToolDefinition, Toolset } from "./tool-definition.ts";
import { tools as shippedTools } from "./toolchain-data.ts";

export type ToolRegistry = {
  readonly tools: readonly ToolDefinition[];
  readonly languages: readonly LanguageDefinition[];
  find(name: string): ToolDefinition | undefined;
  /** Recommended tools of a language; "unknown" for a language that is not in the table. */
  defaultsOf(language: string): Toolset | "unknown";
  defaultOf(language: string, category: ToolCategory): ToolDefinition | { readonly none: string } | "unknown";
  /** In the order of the table. */
  toolsFor(language: string, category: ToolCategory): readonly ToolDefinition[];
  /** What was added at run time, and what was wrong with it. */
  own(): OwnTools;
};

/** Of a server in the table; no project tells its version here. */
export function languageServerCommand(name: string): readonly [string, ...string[]] {
  const { lsp } = shippedTools.find((tool) => tool.name === name)!.uses;
  return lsp!({ version: undefined, configPath: undefined, language: "", has: () => false, hasSection: () => false });
}

/** `own` is asked at each use: what it adds goes before a tool of the same name. */
export function createToolRegistry(own: () => OwnTools = () => none): ToolRegistry {
  const byLanguage = new Map(shippedLanguages.map((language) => [language.name, language]));
  const defaultsOf = (language: string): Toolset | "unknown" => byLanguage.get(language)?.toolset ?? "unknown";
  let table = { stamp: "", byName: new Map(shippedTools.map((tool) => [tool.name, tool])) };
  const byName = (): ReadonlyMap<string, ToolDefinition> => {
    const { stamp, tools } = own();
    if (stamp !== table.stamp)
      table = { stamp, byName: new Map([...shippedTools, ...tools].map((tool) => [tool.name, tool])) };
    return table.byName;
  };
  return {
    get tools() {
      return [...byName().values()];
    },
    languages: shippedLanguages,
    find: (name) => byName().get(name),
    defaultsOf,
    defaultOf(language, category) {
      const toolset = defaultsOf(language);
      if (toolset === "unknown") return "unknown";
      const choice = toolset.tools[category];
      return typeof choice === "string" ? byName().get(choice)! : choice;
    },
    toolsFor: (language, category) =>
      [...byName().values()].filter((tool) => tool.languages.includes(language) && tool.uses[category] !== undefined),
    own,
  };
}

/** The table with what the home adds to it. */
export function registryOfHome(home: string): ToolRegistry {
  return createToolRegistry(ownToolsIn(join(home, "tools.json"), shippedLanguages));
}

const none: OwnTools = { tools: [], stamp: "" };
