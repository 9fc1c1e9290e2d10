/** The Librarian's skills about tools: which ones a project uses, and how they are configured. It only reads. */
import type { ToolReport, ToolScan } from "../../../contract/index.ts";
import { invalidInput, tool as contract } from "../../../contract/index.ts";
import { choice, defineSkill, list, optional, text } from "../../../knowledge/skills/index.ts";
import { callable, type CallableSkill } from "../../skills/index.ts";
import { insideTree, inLines, type KnownFiles } from "../known-files/index.ts";

type Asked = {
  /** Relative to the tree. */
  readonly path: string;
  readonly category?: contract.ToolCategory | "all" | undefined;
  readonly languages?: readonly string[] | undefined;
};
export type ToolLook = {
  readonly files: KnownFiles;
  /** As remembered, for the questions of a session. */
  readonly toolsIn: (asked: Asked) => Promise<ToolReport>;
  /** The scan itself: discovery asks for it too. */
  readonly scanTools: (asked: Asked) => Promise<ToolScan>;
};

const tooling = { domain: "tooling", tier: "domain" } as const;
const path = text("Folder relative to the root; . for the whole tree");
const categories = ["all", ...contract.ToolCategory.options] as const;

const scanTools = defineSkill({
  ...tooling,
  name: "scan_tools",
  description: "Find the tools of a project from its config files, manifests and CI files, with their commands",
  keywords: ["tools", "linter", "formatter", "test framework", "type checker"],
  parameters: { path, category: optional(choice(categories, "Only this kind of tool; all by default")) },
  tokens: 106,
});

const identifyLanguages = defineSkill({
  ...tooling,
  name: "identify_languages",
  description: "Count the languages of a folder by its files",
  keywords: ["language", "languages"],
  parameters: { path },
  tokens: 58,
});

const identifyTooling = defineSkill({
  ...tooling,
  name: "identify_tooling",
  description: "List the tools of each language of a folder, with package managers and what is installed",
  keywords: ["tooling", "toolchain", "package manager"],
  parameters: { path, languages: optional(list(text("Name in small letters: go, python"), "Only these languages")) },
  tokens: 98,
});

const getToolConfig = defineSkill({
  ...tooling,
  name: "get_tool_config",
  description: "Read the file that configures a tool",
  keywords: ["config", "configuration", "settings of"],
  parameters: { tool: text("Name of the tool, for example eslint"), path },
  tokens: 78,
});

export const toolSkills = [scanTools, identifyLanguages, identifyTooling, getToolConfig];

export function toolCallables(look: ToolLook): readonly CallableSkill[] {
  return [
    callable(scanTools, "read", async ({ path: folder, category = "all" }) => {
      const { answers, languages, packageManagers } = await look.scanTools({ path: insideTree(folder), category });
      return { answers, languages, packageManagers };
    }),
    callable(identifyLanguages, "read", async ({ path: folder }) => {
      const { languages } = await look.toolsIn({ path: insideTree(folder) });
      return { languages };
    }),
    callable(identifyTooling, "read", async ({ path: folder, languages }) =>
      toolingOf(await look.toolsIn({ path: insideTree(folder), languages })),
    ),
    callable(getToolConfig, "read", ({ tool, path: folder }) => configOf(tool, folder, look)),
  ];
}

export function toolingOf({ languages, packageManagers, answers, unknownLanguages }: ToolReport) {
  return {
    languages,
    packageManagers,
    unknownLanguages,
    tools: answers.flatMap(({ tools }) => tools),
    missing: answers.filter(({ requiresUser }) => requiresUser).map(({ category, options }) => ({ category, options })),
  };
}

async function configOf(name: string, folder: string, { files, toolsIn }: ToolLook) {
  const { answers } = await toolsIn({ path: insideTree(folder) });
  const found = answers.flatMap(({ tools }) => tools).filter((tool) => tool.name === name);
  const configured = found.find(({ configPath }) => configPath !== undefined);
  if (configured?.configPath === undefined) {
    const message =
      found.length === 0
        ? `"${folder}" shows no tool "${name}"; scan_tools lists those that it shows`
        : `"${folder}" has no file that configures ${name}: ${found[0]!.rationale}`;
    throw invalidInput("tool", message, { sentence: message });
  }
  const inside = insideTree([insideTree(folder), configured.configPath].filter((part) => part !== "").join("/"));
  return { tool: name, config: inLines(await files.read(inside), { from: undefined, to: undefined }) };
}
