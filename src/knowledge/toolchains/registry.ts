/**
 * The registry of tools: the table that Sylk ships, and what is added to it at run time. Detection, the roles and the
 * installer read the same one.
 */
import { invalidInput } from "../../contract/index.ts";
import { languages as shippedLanguages } from "./languages.ts";
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
  /** Goes before a tool of the same name. */
  add(tool: ToolDefinition): void;
};

/** Of a server in the table; no project tells its version here. */
export function languageServerCommand(name: string): readonly [string, ...string[]] {
  const { lsp } = shippedTools.find((tool) => tool.name === name)!.uses;
  return lsp!({ version: undefined, configPath: undefined, language: "", has: () => false, hasSection: () => false });
}

export function createToolRegistry(): ToolRegistry {
  const byName = new Map(shippedTools.map((tool) => [tool.name, tool]));
  const byLanguage = new Map(shippedLanguages.map((language) => [language.name, language]));
  const defaultsOf = (language: string): Toolset | "unknown" => byLanguage.get(language)?.toolset ?? "unknown";
  return {
    get tools() {
      return [...byName.values()];
    },
    languages: shippedLanguages,
    find: (name) => byName.get(name),
    defaultsOf,
    defaultOf(language, category) {
      const toolset = defaultsOf(language);
      if (toolset === "unknown") return "unknown";
      const choice = toolset.tools[category];
      return typeof choice === "string" ? byName.get(choice)! : choice;
    },
    toolsFor: (language, category) =>
      [...byName.values()].filter((tool) => tool.languages.includes(language) && tool.uses[category] !== undefined),
    add(tool) {
      const unknown = tool.languages.find((language) => !byLanguage.has(language));
      if (unknown !== undefined)
        throw invalidInput("languages", `"${unknown}" is not a language of the registry`, {
          sentence: `${tool.name}: "${unknown}" is not a known language; known are ${[...byLanguage.keys()].join(", ")}`,
        });
      byName.set(tool.name, tool);
    },
  };
}
