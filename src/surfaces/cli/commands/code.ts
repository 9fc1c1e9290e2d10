/** Questions about the code on the command line; `find` and `map` need no daemon. */
import { resolve } from "node:path";
import { loadOperation, parseInput } from "../../../contract/calling.ts";
import type { CodeAbout, CodePlace, CodeSymbol, OperationName } from "../../../contract/index.ts";
import type { SylkClient } from "../../client/index.ts";
import type { CommandContext } from "../command.ts";
import { findDaemon } from "../daemon-link.ts";
import { entryPoints } from "../entry-points.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { placeOf, printAbout } from "../print-code.ts";
import { repositoryPath, treeRoot } from "../repository-path.ts";
import { counted } from "../wording.ts";

type Fields = Record<string, unknown>;

export const find = operationCommand("code.find", {
  example: "sylk find parse order",
  details: "Works without a daemon: the index is then read and written by this command itself.",
  arguments: [{ name: "words", describe: "a name, a part of one, or some words", required: true, variadic: true }],
  without: ["text"],
  adjust: (input, context) => inTree({ ...input, text: wordsOf(context) }, context),
  connect: daemonOrHere,
  print({ exists, symbols, files, places, more, about }, out) {
    printSymbols(symbols, out);
    for (const { path, lines } of files) out.line(`${out.paint("cyan", path)}  ${counted(lines, "line")}`);
    printPlaces(places, out);
    if (symbols.length + files.length + places.length === 0) printNone(about, out);
    else if (exists === "yes") out.note("A symbol or file of this name exists already");
    printAbout(about, more, out);
  },
});

export const search = operationCommand("code.search", {
  example: 'sylk search "new Date" --files "src/**/*.ts"',
  details:
    "--ast reads the text as code of the file's own language: $A is one node, $$$ any number. Quote it: sylk search --ast 'fetch($URL, $$$)'",
  fields: ["text"],
  adjust: inTree,
  print({ items, more, about }, out) {
    printPlaces(items, out);
    if (items.length === 0) printNone(about, out);
    printAbout(about, more, out);
  },
});

export const symbols = operationCommand("code.symbols", {
  example: "sylk symbols parseOrder --kind function",
  fields: ["name"],
  adjust: inTree,
  print({ items, more, about }, out) {
    printSymbols(items, out);
    if (items.length === 0) printNone(about, out);
    printAbout(about, more, out);
  },
});

export const usages = operationCommand("code.usages", {
  example: "sylk usages parseOrder",
  fields: ["symbol"],
  adjust: inTree,
  print({ definitions, items, more, about }, out) {
    printSymbols(definitions, out);
    for (const { path, line, column, text, confidence, within } of items) {
      const around = within === undefined ? "" : out.paint("dim", `  in ${within}`);
      out.line(
        `${placeOf({ path, line, column }, out)}  ${text}${around}${confidence === "possible" ? "  (by name alone)" : ""}`,
      );
    }
    if (definitions.length + items.length === 0) printNone(about, out);
    printAbout(about, more, out);
  },
});

export const dependents = operationCommand("code.dependents", {
  example: "sylk dependents node:fs",
  fields: ["module"],
  adjust: inTree,
  print({ items, more, about }, out) {
    for (const { path, line, module, names } of items)
      out.line(`${placeOf({ path, line }, out)}  ${module}${names.length === 0 ? "" : `  ${names.join(", ")}`}`);
    if (items.length === 0) printNone(about, out);
    printAbout(about, more, out);
  },
});

export const outline = operationCommand("code.outline", {
  example: "sylk outline src/orders.ts",
  fields: ["path"],
  adjust: (input, context) =>
    inTree(
      {
        ...input,
        ...(typeof input.path === "string" && input.path !== "." ? { path: fromRoot(input.path, context) } : {}),
      },
      context,
    ),
  print({ path, folders, files, symbols: own, imports, more, about }, out) {
    for (const { path: folder, files: count } of folders) out.line(`${folder}/  ${counted(count, "file")}`);
    for (const file of files)
      out.line(`${out.paint("cyan", file.path)}  ${counted(file.lines, "line")}, ${counted(file.symbols, "symbol")}`);
    printSymbols(own, out);
    for (const { line, module } of imports) out.line(`${placeOf({ path, line }, out)}  imports ${module}`);
    printAbout(about, more, out);
  },
});

export const files = operationCommand("code.files", {
  example: 'sylk files "src/**/*.ts"',
  fields: ["pattern"],
  adjust: inTree,
  print({ items, more, about }, out) {
    for (const { path, lines } of items) out.line(`${out.paint("cyan", path)}  ${counted(lines, "line")}`);
    if (items.length === 0) printNone(about, out);
    printAbout(about, more, out);
  },
});

export const map = operationCommand("code.map", {
  example: "sylk map --tokens 1000",
  details: "Works without a daemon: the index is then read and written by this command itself.",
  adjust: inTree,
  connect: daemonOrHere,
  print({ text, tokens, files: shown, left, about }, out) {
    for (const line of text === "" ? [] : text.split("\n")) out.line(line);
    out.note(
      `${counted(tokens, "token")}; ${counted(shown, "file")}${left > 0 ? `, ${left} more had no room: raise --tokens` : ""}`,
    );
    printAbout(about, false, out);
  },
});

export const drift = operationCommand("code.drift", {
  example: "sylk drift docs --since HEAD~10",
  details:
    "Exit code 0 when no document mentions a change, 5 when one does, 7 when it is unknown because something could not be read.",
  fields: ["path"],
  adjust: (input, context) =>
    inTree({ ...input, ...(typeof input.path === "string" ? { path: fromRoot(input.path, context) } : {}) }, context),
  exitCode: ({ verdict }) => ({ none: 0, drift: 5, unknown: 7 })[verdict],
  print({ verdict, since, changes, documents, unread, more, about }, out) {
    for (const { path, score, reasons, moreReasons } of documents) {
      out.line(`${out.paint("bold", path)}  drift ${score.toFixed(2)}`);
      for (const reason of reasons) out.line(`  ${placeOf({ path, ...reason }, out)}  ${reason.sentence}`);
      if (moreReasons > 0) out.line(`  and ${counted(moreReasons, "more reason")}`);
    }
    const range = since.commit === null ? "there is no commit yet" : `${since.asked} (${since.commit.slice(0, 8)})`;
    const all = `${counted(changes.removed, "symbol")} removed, ${changes.signatures} with another signature, ${counted(changes.paths, "path")} gone`;
    if (verdict === "none") out.line(`No drift: no document mentions a change since ${range}`);
    if (verdict === "unknown") out.line(`Unknown: no drift found since ${range}, but not everything could be read`);
    for (const { path, reason } of unread) out.note(`not compared: ${path}: ${reason}`);
    out.note(`since ${range}: ${counted(changes.files, "changed file")}, ${all}`);
    if (changes.files === 0 && since.asked === "HEAD")
      out.note("There are no uncommitted changes; --since <revision> compares with an earlier commit");
    printAbout(about, more, out);
  },
});

/** The same answer from this process, where no daemon runs. */
async function daemonOrHere(context: CommandContext): Promise<SylkClient> {
  if ((await findDaemon(context.paths)) !== "absent") return context.connect();
  const call = async (name: OperationName, given: unknown) => {
    const input = parseInput(await loadOperation(name), given);
    return context.out.progress(
      "reading the code",
      entryPoints().codeIndex(name as "code.find", input as never, context),
    );
  };
  return { call } as unknown as SylkClient;
}

function wordsOf({ args }: CommandContext): string {
  return args.flat().join(" ");
}

function inTree(input: Fields, { cwd }: CommandContext): Fields {
  const tree = typeof input.tree === "string" ? resolve(cwd, input.tree) : treeRoot(cwd);
  const place = typeof input.in === "string" ? { in: fromRoot(input.in, { cwd }) } : {};
  return { ...input, ...place, tree };
}

/** As typed in the current folder; the root itself is ".". */
function fromRoot(typed: string, { cwd }: Pick<CommandContext, "cwd">): string {
  return resolve(cwd, typed) === treeRoot(cwd) ? "." : repositoryPath(typed, cwd);
}

function printSymbols(all: readonly CodeSymbol[], out: Output): void {
  for (const symbol of all) {
    const { kind, container, name, signature } = symbol;
    const whole = container === undefined ? name : `${container}.${name}`;
    out.line(`${placeOf(symbol, out)}  ${kind} ${out.paint("bold", whole)}  ${out.paint("dim", signature)}`);
  }
}

function printPlaces(places: readonly CodePlace[], out: Output): void {
  for (const place of places) out.line(`${placeOf(place, out)}  ${place.text.trim()}`);
}

/** None found is one thing, not looked at is another. */
function printNone({ files: indexed, notIndexed: { waiting }, failed }: CodeAbout, out: Output): void {
  if (waiting > 0)
    out.line(`Nothing found yet: ${counted(waiting, "file")} of the tree are still to be read; ask again`);
  else if (failed.length > 0) out.line("Nothing found in what was looked at; not everything was");
  else out.line(`Nothing found in ${counted(indexed, "indexed file")}`);
}
