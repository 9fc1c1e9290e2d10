/** go.mod by its lines: the module and its Go version are configuration, required modules are imports. */
import type { FileFacts, ImportFact, SymbolFact } from "../../knowledge/code-index/index.ts";
import { oneLine } from "./source-text.ts";

export function readGoMod(text: string): Omit<FileFacts, "language" | "isPartial"> {
  const symbols: SymbolFact[] = [];
  const imports: ImportFact[] = [];
  let block = "";
  text.split(/\r?\n/).forEach((raw, row) => {
    const line = raw.slice(0, 1_000).replace(/\/\/.*$/, "");
    const words = line.trim().split(/\s+/);
    if (words[0] === ")") block = "";
    else if (words[1] === "(") block = words[0]!;
    else if (words[0] !== "") read(block === "" ? words : [block, ...words], row, line);
  });
  return { symbols, imports, references: [], docs: [] };

  function read([directive, value]: readonly string[], row: number, line: string): void {
    if (value === undefined) return;
    if (directive === "require") imports.push({ module: value, names: [], line: row + 1 });
    else if (directive !== "exclude" && directive !== "retract")
      symbols.push({
        name: directive === "module" || directive === "go" ? directive : `${directive}.${value}`,
        kind: "config",
        line: row + 1,
        column: line.search(/\S/) + 1,
        endLine: row + 1,
        signature: oneLine(line, 200),
        exported: true,
      });
  }
}
