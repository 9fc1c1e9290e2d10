/** The reference of commands. */
import type { Command } from "../../src/surfaces/cli/command.ts";
import { commandTable } from "../../src/surfaces/cli/command-table.ts";
import { page, table } from "./page.ts";

export async function commandPage(): Promise<string> {
  const commands = await Promise.all(commandTable.map(({ load }) => load()));
  const intro =
    "Every command takes `--json`, `--help`, `-C, --folder <folder>` (before or after its words) and `--as <agent>`. Where it takes " +
    "an id, a part of the id that is unique or a name will do. Exit codes follow the " +
    "[error families](errors.md).";
  return page("Commands", intro, commands.map(describe));
}

function describe({ words, summary, details, example, arguments: args = [], flags = {} }: Command): string {
  const usage = [
    `sylk ${words}`,
    ...args.map(({ name, required, variadic }) => wrap(variadic ? `${name}...` : name, required === true)),
  ].join(" ");
  const rows = Object.entries(flags).map(([name, { value, describe: meaning, choices }]) => [
    `\`--${name}${value === undefined ? "" : ` <${value}>`}\``,
    [meaning, choices?.join(", ")].filter(Boolean).join(": "),
  ]);
  return [
    `## sylk ${words}`,
    [summary, details].filter(Boolean).join(". ").replace(/\.?$/, "."),
    `Usage: \`${usage}\`. Example: \`${example}\``,
    ...(rows.length === 0 ? [] : [table(["flag", "meaning"], rows)]),
  ].join("\n\n");
}

function wrap(name: string, required: boolean): string {
  return required ? `<${name}>` : `[${name}]`;
}
