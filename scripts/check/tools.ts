/**
 * The checks that are other people's tools: formatter, linter, compiler, finder of unused code.
 *
 * Each is called by its path under node_modules: names in `.bin` are not unique (two packages bring a `tsc`).
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "./check.ts";
import { runTool } from "./run-tool.ts";

export const format = toolCheck("format", ["node_modules/oxfmt/bin/oxfmt", "--check", "."]);

/** Without --deny-warnings a warning would exit 0. */
export const lint = toolCheck("lint", [
  "node_modules/oxlint/bin/oxlint",
  "--type-aware",
  "--deny-warnings",
  "--format=unix",
  ".",
]);

export const types = toolCheck("types", ["node_modules/ts7/bin/tsc", "-p", ".", "--pretty", "false"]);

/** The dashboard runs in a browser and has the types of one. */
export const dashboardTypes = projectTypes("dashboard", "dashboard/tsconfig.json");

/** Programs that clients and hooks run are plain JavaScript with placeholders. */
export const programTypes = projectTypes("programs", "tsconfig.programs.json");

export const unused = toolCheck("unused", [
  "node_modules/knip/bin/knip.js",
  "--no-progress",
  "--no-config-hints",
  "--reporter=compact",
]);

function toolCheck(name: string, command: [string, ...string[]]): Check {
  return {
    name,
    run: async (root) => {
      const { status, output } = await runTool(root, command);
      return status === 0 ? [] : [output.trim() || `${command[0]} ended with ${status} and said nothing`];
    },
  };
}

/** A tree without the project has nothing to check. */
function projectTypes(name: string, project: string): Check {
  const compiler = toolCheck(name, ["node_modules/ts7/bin/tsc", "-p", project, "--noEmit", "--pretty", "false"]);
  return { name, run: async (root) => (existsSync(join(root, project)) ? compiler.run(root) : []) };
}
