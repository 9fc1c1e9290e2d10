/** `sylk` without a command: help, version, or what was probably meant. */
import { DomainError } from "../../contract/errors.ts";
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
  const group = commandTable.filter(({ words }) => words.startsWith(`${first} `));
  if (group.length > 0) {
    out.table(
      ["command", "what it does"],
      group.map(({ words, summary }) => [`sylk ${words}`, summary]),
    );
    return argv.length === 1 ? 0 : 2;
  }
  throw unknownCommand(argv);
}

async function showCommandHelp(words: readonly string[], out: Output): Promise<number> {
  const { findCommand } = await import("./command-table.ts");
  const found = findCommand(words);
  if (found === undefined) throw unknownCommand(words);
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

function unknownCommand(argv: readonly string[]): DomainError {
  const typed = argv.slice(0, 2).join(" ");
  const near =
    nearestName(
      typed,
      commandTable.map(({ words }) => words),
    ) ??
    nearestName(
      argv[0] ?? "",
      commandTable.map(({ words }) => words),
    );
  const hint = near === undefined ? '"sylk --help" lists the commands' : `did you mean "sylk ${near}"?`;
  return new DomainError("input.invalid", `There is no command "${argv[0]}"; ${hint}`, {
    details: { problems: [{ path: "", message: `unknown command ${argv[0]}` }] },
  });
}
