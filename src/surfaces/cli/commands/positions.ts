/** Questions about a place in a file, on the command line; the tools that answer them. */
import { resolve } from "node:path";
import type { CodeAbout, CodeSpot } from "../../../contract/index.ts";
import { invalidInput } from "../../../contract/errors.ts";
import type { CommandContext } from "../command.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { placeOf, printAbout } from "../print-code.ts";
import { repositoryPath, treeRoot } from "../repository-path.ts";
import { counted } from "../wording.ts";

type Fields = Record<string, unknown>;

const place = [{ name: "place", describe: "file:line:column, as answers show it", required: true }];
const atPlace = { arguments: place, without: ["path", "line", "column"], adjust: withPlace };

export const hover = operationCommand("position.hover", {
  ...atPlace,
  example: "sylk hover src/cart.ts:2:22",
  print({ text, about }, out) {
    if (text === "") out.line("Nothing is known about this place");
    for (const line of text === "" ? [] : text.split("\n")) out.line(line);
    printAbout(about, false, out);
  },
});

export const definition = operationCommand("position.definition", {
  ...atPlace,
  example: "sylk definition src/cart.ts:2:22",
  print: ({ items, more, about }, out) => printSpots(items, more, about, out),
});

export const references = operationCommand("position.references", {
  ...atPlace,
  example: "sylk references src/price.ts:1:17 --provider language-server",
  print: ({ items, more, about }, out) => printSpots(items, more, about, out),
});

export const diagnostics = operationCommand("position.diagnostics", {
  example: "sylk diagnostics src/cart.ts",
  fields: ["path"],
  adjust: (input, context) => inTree({ ...input, path: pathOf(String(input.path), context) }, context),
  print({ items, more, about }, out, { args }) {
    const path = String(args[0]);
    for (const { line, column, severity, message, code } of items)
      out.line(
        `${placeOf({ path, line, column }, out)}  ${severity}${code === undefined ? "" : ` ${code}`}  ${message}`,
      );
    if (items.length === 0) out.line("Nothing is wrong with this file");
    printAbout(about, more, out);
  },
});

export const servers = operationCommand("language-server.list", {
  details:
    "A language server is started by the first question that needs it and ended when it is idle. In a sandbox it has no network and cannot change the tree.",
  print({ items }, out) {
    if (items.length === 0) return out.line("No language server runs; the first question that needs one starts it");
    out.table(
      ["server", "state", "pid", "sandbox", "questions", "tree"],
      items.map(({ server, state, pid, sandboxed, questions, tree }) => [
        server,
        state,
        String(pid ?? "-"),
        sandboxed === undefined ? "-" : sandboxed ? "yes" : "no",
        String(questions),
        tree,
      ]),
    );
    for (const { server, lastFailure } of items) if (lastFailure !== undefined) out.line(`${server}: ${lastFailure}`);
  },
});

export const importScip = operationCommand("scip.import", {
  example: "sylk scip import",
  details: "An indexer such as scip-typescript, scip-python or rust-analyzer writes index.scip.",
  fields: ["file"],
  adjust: (input, context) =>
    inTree(typeof input.file === "string" ? { ...input, file: pathOf(input.file, context) } : input, context),
  print({ tool, documents, occurrences, leftOut }, out) {
    out.line(`Imported ${counted(documents, "file")} with ${counted(occurrences, "place")}, made by ${tool}`);
    if (leftOut.count > 0) out.note(`left out: ${counted(leftOut.count, "file")}`);
    for (const { path, reason } of leftOut.examples) out.note(`${path}: ${reason}`);
  },
});

export const listScip = operationCommand("scip.list", {
  adjust: inTree,
  print({ items }, out) {
    if (items.length === 0) return out.line('No SCIP index was imported; "sylk scip import" reads index.scip');
    out.table(
      ["index", "made by", "files", "stale"],
      items.map(({ source, tool, documents, stale }) => [source, tool, String(documents), String(stale)]),
    );
  },
});

function printSpots(items: readonly CodeSpot[], more: boolean, about: CodeAbout, out: Output): void {
  for (const spot of items) {
    const mark = spot.inTree ? "" : out.paint("dim", "outside the tree");
    out.line(`${placeOf(spot, out)}  ${spot.text}${mark}`);
  }
  const hasFailed = about.failed.length > 0;
  if (items.length === 0) out.line(hasFailed ? "Nothing found by syntax, and a precise tool failed" : "Nothing found");
  printAbout(about, more, out);
}

function withPlace(input: Fields, context: CommandContext): Fields {
  const typed = String(context.args[0]);
  const found = /^(.+?):(\d{1,9}):(\d{1,9})$/.exec(typed);
  if (found === null)
    throw invalidInput("place", "must be file:line:column", {
      sentence: `"${typed}" is not a place; type file:line:column, for example src/cart.ts:2:22`,
    });
  const [, path = "", line, column] = found;
  return inTree({ ...input, path: pathOf(path, context), line: Number(line), column: Number(column) }, context);
}

function pathOf(typed: string, { cwd }: Pick<CommandContext, "cwd">): string {
  return repositoryPath(typed, cwd);
}

function inTree(input: Fields, { cwd }: CommandContext): Fields {
  return { ...input, tree: typeof input.tree === "string" ? resolve(cwd, input.tree) : treeRoot(cwd) };
}
