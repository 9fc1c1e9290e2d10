/** Facts as a table that a person can write and read: one line for each symbol, import, line with references, comment. */
import type { FileFacts, Syntax } from "../../../knowledge/code-index/index.ts";
import { openSyntax } from "../open-syntax.ts";

let opened: Promise<Syntax> | undefined;

/** One for all tests of a process: grammars are loaded once. Its clock stands still, so no parse is late. */
export function sharedSyntax(): Promise<Syntax> {
  return (opened ??= openSyntax({ clock: { monotonic: () => 0 } }));
}

export function tableOf(facts: FileFacts): string {
  const { language, symbols, imports, references, docs, isPartial, partialReason } = facts;
  return [
    `language ${language}${isPartial ? ` (partial: ${partialReason})` : ""}`,
    ...section(
      "symbols: place, + where other files see it, kind, name, signature, documentation",
      symbols.map(({ name, kind, line, column, endLine, container, signature, doc, exported }) =>
        [
          `${line}:${column}-${endLine} ${exported ? "+" : "-"} ${kind} ${container === undefined ? "" : `${container}.`}${name}`,
          `| ${signature}`,
          ...(doc === undefined ? [] : [`| ${doc}`]),
        ].join(" "),
      ),
    ),
    ...section(
      "imports",
      imports.map(({ module, names, line }) => `${line} ${module}${names.length === 0 ? "" : `: ${names.join(", ")}`}`),
    ),
    ...section(
      "references: line, names; () is a call, ^ a type, < an import",
      [...Map.groupBy(references, ({ line }) => line)].map(
        ([line, found]) => `${line} ${found.map(({ name, kind }) => name + marks[kind]).join(" ")}`,
      ),
    ),
    ...section(
      "docs",
      docs.map(
        ({ line, endLine, text, symbol }) => `${line}-${endLine} ${symbol ?? "-"}: ${text.replaceAll("\n", "⏎")}`,
      ),
    ),
    "",
  ].join("\n");
}

const marks = { call: "()", type: "^", use: "", import: "<" } as const;

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];
}
