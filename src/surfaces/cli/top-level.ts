/** `sylk` without a command: help, version, or what was probably meant. */
import { type DomainError, invalidInput } from "../../contract/errors.ts";
import { nearestName } from "../../platform/nearest-name.ts";
import { version } from "../../platform/version.ts";
import { commandTable } from "./command-table.ts";
import { entryPoints } from "./entry-points.ts";
import type { Output } from "./output.ts";

export async function runTopLevel(argv: readonly string[], out: Output): Promise<number> {
  const [first, ...rest] = argv;
  if (first === "--version" || first === "-V") {
    out.line(version);
    return 0;
  }
  if (first === "__worker") {
    await entryPoints().work();
    return 0;
  }
  if (first === "__copy") {
    const [from = "", to = ""] = rest;
    out.json((await entryPoints().store()).copy(from, to));
    return 0;
  }
  if (first === "__complete") {
    const { complete } = await import("./complete.ts");
    for (const candidate of await complete(rest)) out.line(candidate);
    return 0;
  }
  if (first === undefined || first === "--help" || first === "-h" || first === "help") {
    if (rest.length > 0) return showCommandHelp(rest, out);
    showHelp(out);
    return 0;
  }
  return showGroup(argv, out);
}

function showGroup([first = "", ...rest]: readonly string[], out: Output): number {
  const group = commandTable.filter(({ words }) => words.startsWith(`${first} `));
  const isQuestion = rest.every((word) => word === "--help" || word === "-h");
  if (group.length === 0 || !isQuestion) throw unknownCommand([first, ...rest]);
  out.table(
    ["command", "what it does"],
    group.map(({ words, summary }) => [`sylk ${words}`, summary]),
  );
  return 0;
}

async function showCommandHelp(words: readonly string[], out: Output): Promise<number> {
  const { findCommand } = await import("./command-table.ts");
  const found = findCommand(words);
  if (found === undefined) return showGroup(words, out);
  const { parseArguments } = await import("./parse-arguments.ts");
  const parsed = parseArguments(await found.row.load(), ["--help"]);
  if ("help" in parsed) out.line(parsed.help.trimEnd());
  return 0;
}

function showHelp(out: Output): void {
  out.line(`${out.paint("bold", "sylk")} ${version}  many agents, one repository, nothing lost`);
  out.line();
  for (const group of new Set(commandTable.map((row) => row.group))) {
    out.line(out.paint("bold", group));
    out.table(
      ["", ""],
      commandTable.filter((row) => row.group === group).map(({ words, summary }) => [`  ${words}`, summary]),
    );
    out.line();
  }
  out.line('Every command has --help with an example, and --json. Start with "sylk demo".');
}

function unknownCommand([first = "", second = ""]: readonly string[]): DomainError {
  const group = commandTable.flatMap(({ words }) =>
    words.startsWith(`${first} `) ? [words.slice(first.length + 1)] : [],
  );
  const all = commandTable.map(({ words }) => words);
  const near =
    group.length > 0
      ? nearestName(second, group)
      : (nearestName(`${first} ${second}`.trim(), all) ?? nearestName(first, all));
  const [unknown, list] = group.length > 0 ? [`${first} ${second}`, first] : [first, "--help"];
  const meant = group.length > 0 ? `${first} ${near}` : near;
  const hint = near === undefined ? `"sylk ${list}" lists the commands` : `did you mean "sylk ${meant}"?`;
  return invalidInput("", `unknown command ${unknown}`, { sentence: `There is no command "${unknown}"; ${hint}` });
}
