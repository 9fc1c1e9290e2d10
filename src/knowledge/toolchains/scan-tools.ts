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
