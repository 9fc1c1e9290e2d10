/** The Inspector's skills with what they do. */
import type { Finding, Run } from "../../contract/index.ts";
import type { CheckHere, ToolsHere } from "../shared/checks/index.ts";
import { callable, type CallableSkill, insideRun } from "../skills/index.ts";
import { findFiles as findFilesIn, type KnownFiles } from "../shared/known-files/index.ts";
import { findFiles, getIssues, listAvailableTools, runLinter, validateTask } from "./skills.ts";

export type InspectorPorts = {
  readonly files: KnownFiles;
  readonly check: CheckHere;
  readonly tools: ToolsHere;
  /** The latest. */
  run(): Promise<Run>;
};
type FindingLevel = NonNullable<Finding["level"]>;
type Severity = "critical" | "high" | "medium" | "low" | "all";

const order: readonly FindingLevel[] = ["critical", "high", "medium", "low", "info"];

export function inspectorCallables({ files, check, tools, run }: InspectorPorts): readonly CallableSkill[] {
  return [
    insideRun(validateTask, "run_linter checks the tree as it is now"),
    callable(getIssues, "read", async ({ severity }) => issuesOf(await run(), severity)),
    callable(runLinter, "change", ({ path, verbose = false }, { signal }) =>
      check("inspection", { path, verbose, signal }),
    ),
    callable(listAvailableTools, "read", ({ path }) => tools(path)),
    findFilesIn(findFiles, files),
  ];
}

export function issuesOf({ id, session, status, findings }: Run, severity: Severity = "all") {
  const issues = findings
    .filter((finding) => severity === "all" || levelOf(finding) === severity)
    .sort((one, other) => order.indexOf(levelOf(one)) - order.indexOf(levelOf(other)));
  return { run: id, session, status, issues };
}

/** A checker's own scale where it has one; else what its severity means at the least. */
function levelOf({ level, severity }: Finding): FindingLevel {
  if (level !== undefined) return level;
  return severity === "blocking" ? "high" : severity === "important" ? "medium" : "low";
}
