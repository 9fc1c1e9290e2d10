/** `sylk` without a command: help, version, or what was probably meant. */
import { type DomainError, invalidInput } from "../../contract/errors.ts";
import { nearestName } from "../../platform/nearest-name.ts";
import { version } from "../../platform/version.ts";
import { commandTable, findCommand, loadFound } from "./command-table.ts";
import { dayCommands } from "./day-commands.ts";
import { entryPoints } from "./entry-points.ts";
import { aliases, foreignWords } from "./other-words.ts";
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
  if (first === undefined || first === "--help" || first === "-h" || first === "help")
    return rest.every((word) => word === "--all" || word === "-a")
      ? showHelp(rest.length > 0, out)
      : showHelpOf(rest, out);
  return showGroup(argv, out);
}

/** The commands that begin with a word; those for hooks and scripts only where there are no others. */
function showGroup([first = "", ...rest]: readonly string[], out: Output): number {
  const all = commandTable.filter(({ words }) => words.startsWith(`${first} `));
  const listed = all.filter(({ group }) => group !== "Plumbing");
  const isQuestion = rest.every((word) => word === "--help" || word === "-h");
  if (all.length === 0 || !isQuestion) throw unknownCommand([first, ...rest]);
  out.table(
    ["command", "what it does"],
    (listed.length > 0 ? listed : all).map(({ words, summary }) => [`sylk ${words}`, summary]),
  );
  return 0;
}

async function showHelpOf(typed: readonly string[], out: Output): Promise<number> {
  const words = typed.filter((word) => !word.startsWith("-"));
  const found = findCommand(words);
  if (found === undefined) return showGroup(words, out);
  const { parseArguments } = await import("./parse-arguments.ts");
  const parsed = parseArguments(await loadFound(found), ["--help"], out);
  if ("help" in parsed) out.line(parsed.help.trimEnd());
  return 0;
}

function showHelp(isAll: boolean, out: Output): number {
  out.line(`${out.paint("bold", "sylk")} ${version}  many agents, one repository, nothing lost`);
  if (isAll) listAll(out);
  else listDay(out);
  return 0;
}

function listDay(out: Output): void {
  const width = Math.max(...Object.values(dayCommands).flatMap((rows) => rows.map(([words]) => words.length)));
  for (const [group, rows] of Object.entries(dayCommands)) {
    out.line(out.paint("bold", group));
    for (const [words, what] of rows) out.line(`  ${words.padEnd(width)}  ${what}`);
  }
  out.line();
  out.line("Each has --help with an example. All commands: sylk help --all. Tour: sylk demo");
}

function listAll(out: Output): void {
  for (const group of new Set(commandTable.map((row) => row.group))) {
    if (group === "Plumbing") continue;
    out.line();
    out.line(out.paint("bold", group));
    out.table(
      ["", ""],
      commandTable.filter((row) => row.group === group).map(({ words, summary }) => [`  ${words}`, summary]),
    );
  }
  out.line();
  out.line("Every command has --help with an example, --json, and -C <folder>.");
}

function unknownCommand([first = "", second = ""]: readonly string[]): DomainError {
  const subcommands = commandTable.flatMap(({ words }) =>
    words.startsWith(`${first} `) ? [words.slice(first.length + 1)] : [],
  );
  const isGroup = subcommands.length > 0;
  const unknown = isGroup ? `${first} ${second}` : first;
  const meant = isGroup ? nearestSubcommand(first, second, subcommands) : nearestCommand(first, second);
  const list = isGroup ? `"sylk ${first}" lists the commands` : '"sylk help --all" lists the commands';
  const hint = meant === undefined ? list : `did you mean "sylk ${meant}"?`;
  return invalidInput("", `unknown command ${unknown}`, { sentence: `There is no command "${unknown}"; ${hint}` });
}

/** By its own words, an alias, or a word of another tool: `session rm` is `session close`. */
function nearestSubcommand(first: string, second: string, subcommands: readonly string[]): string | undefined {
  const usual = endings[second]?.find((word) => subcommands.includes(word));
  const near = usual ?? nearestName(second, subcommands);
  if (near !== undefined) return `${first} ${near}`;
  const aliased = Object.keys(aliases).filter((alias) => alias.startsWith(`${first} `));
  return nearestName(`${first} ${second}`, aliased);
}

/** What other tools call the ends of their commands. */
const endings: Readonly<Record<string, readonly string[]>> = {
  ls: ["list", "inbox"],
  get: ["show", "list"],
  view: ["show"],
  create: ["new", "add"],
  rm: ["remove", "close", "cancel", "forget"],
  delete: ["remove", "close", "cancel", "forget"],
  stop: ["cancel", "pause", "end", "close"],
  kill: ["cancel", "end"],
  start: ["run", "new", "add", "resume"],
  edit: ["update", "set", "adjust"],
  read: ["show", "inbox"],
};

function nearestCommand(first: string, second: string): string | undefined {
  if (Object.hasOwn(foreignWords, first)) return foreignWords[first];
  const all = commandTable.filter(({ group }) => group !== "Plumbing").map(({ words }) => words);
  const groups = all.flatMap((words) => (words.includes(" ") ? [words.split(" ")[0]!] : []));
  const known = [...all, ...groups, ...Object.keys(aliases), ...Object.keys(foreignWords)];
  const near = nearestName(`${first} ${second}`.trim(), known) ?? nearestName(first, known);
  return near === undefined || !Object.hasOwn(foreignWords, near) ? near : foreignWords[near];
}
