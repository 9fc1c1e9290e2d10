/**
 * The Librarian's scan_tools: the tools that a folder's own files show, and those that people named for it.
 *
 *   folder -> scan, read once -> an answer for each category -> with the files that it was read from
 */
import type { ToolScan, ToolScanRequest } from "../../contract/index.ts";
import { answerCategory } from "./answer-category.ts";
import type { ToolRegistry } from "./registry.ts";
import { type ProjectScan, scanFolder, type ScanPorts } from "./scan-project.ts";
import { categories } from "./tool-definition.ts";

export async function scanTools(request: ToolScanRequest, ports: ScanPorts): Promise<ToolScan> {
  return answerScan(await scanFolder(request.path, ports), request, ports.registry);
}

export function answerScan(scan: ProjectScan, request: ToolScanRequest, registry: ToolRegistry): ToolScan {
  const { category, minConfidence, choices, languages = scan.main } = request;
  const wanted = category === "all" ? categories : [category];
  return {
    languages: [...scan.languages],
    packageManagers: [...scan.managersOf(languages)],
    answers: wanted.map((one) => answerCategory({ category: one, languages, minConfidence, choices }, scan, registry)),
    sources: [...scan.sources],
  };
}

/** A tool that research found for a language. */
export type FoundTool = { readonly name: string; readonly language: string; readonly rationale: string };

/** Tier 2: the scan again, with what research found where the project shows nothing. Without a finding it answers nothing. */
export async function scanWithResearch(
  request: ToolScanRequest,
  found: readonly FoundTool[],
  ports: ScanPorts,
): Promise<ToolScan> {
  // What files show, the Librarian has said.
  if (found.length === 0) return { languages: [], packageManagers: [], answers: [], sources: [] };
  const { chosen, preferred } = request.choices;
  const names = found.map(({ name }) => name);
  const scan = await scanTools({ ...request, choices: { chosen, preferred: [...preferred, ...names] } }, ports);
  const answers = scan.answers.map((answer) => {
    const tools = answer.tools.map((tool) => {
      const own = preferred.includes(tool.name) ? undefined : found.find(({ name }) => name === tool.name);
      if (own === undefined || tool.source !== "user_preference") return tool;
      return { ...tool, source: "academic_research" as const, confidence: "medium" as const, rationale: own.rationale };
    });
    const isFound = tools.some(({ source }) => source === "academic_research");
    const known = { ...answer, tools };
    return answer.requiresUser || !isFound ? known : { ...known, tier: 2, confidence: "medium" as const };
  });
  return { ...scan, answers };
}
