/**
 * How a project is tested and linted by its own tools: what a run takes where nothing else names a command. Only files at
 * the root count, and only what the project shows for sure: a build file's mention is not enough.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findPrograms } from "./find-programs.ts";
import { createToolRegistry, type ToolRegistry } from "./registry.ts";
import { type ProjectScan, ranks, scanFiles, toolsOf } from "./scan-project.ts";
import type { ToolCategory } from "./tool-definition.ts";

export type ToolCheck = { readonly argv: readonly [string, ...string[]]; readonly knownFrom: string };
export type ToolChecks = { readonly tests: ToolCheck | undefined; readonly inspection: ToolCheck | undefined };
type CheckPlace = {
  /** Names of the files at the root. */
  readonly names: readonly string[];
  readonly read: (name: string) => Promise<string | undefined>;
  /** Where the command will run: a virtual environment there is used. */
  readonly tree: string;
};

export async function findChecks({ names, read, tree }: CheckPlace): Promise<ToolChecks> {
  const registry = createToolRegistry();
  const files = { paths: names, folders: [], read, cut: false };
  const found = await scanFiles(files, findPrograms(tree, tree, {}), registry);
  const scan = { ...found, place: { ...found.place, isDirect: true } };
  const byTool = (category: ToolCategory, chosenOnly = false) => firstOf(scan, category, registry, chosenOnly);
  return {
    tests: makeTarget(scan, "test", tree) ?? byTool("test_framework"),
    // A linter that only comes with a toolchain may be absent; its compiler is not.
    inspection: makeTarget(scan, "lint", tree) ?? byTool("linter", true) ?? byTool("type_checker"),
  };
}

/** make does nothing, and ends well, for a target that is not phony and has a file or folder of its name. */
function makeTarget({ found: { makefile } }: ProjectScan, target: string, tree: string): ToolCheck | undefined {
  if (makefile?.targets.all.has(target) !== true) return undefined;
  if (!makefile.targets.phony.has(target) && existsSync(join(tree, target))) return undefined;
  return { argv: ["make", target], knownFrom: `target "${target}" of ${makefile.path}` };
}

function firstOf(
  scan: ProjectScan,
  category: ToolCategory,
  registry: ToolRegistry,
  chosenOnly: boolean,
): ToolCheck | undefined {
  const all = registry.languages.map(({ name }) => name);
  const [first] = toolsOf(scan, category, all, registry, { chosenOnly });
  if (first === undefined || ranks[first.confidence] < ranks.medium) return undefined;
  const [program, ...rest] = first.run;
  return { argv: [program!, ...rest], knownFrom: `${first.name}: ${first.rationale}` };
}
