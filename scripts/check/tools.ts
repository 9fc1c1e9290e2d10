/**
 * The checks that are other people's tools: formatter, linter, compiler, finder of unused code.
 *
 * Each is called by its path under node_modules: names in `.bin` are not unique (two packages bring a `tsc`).
 */
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
