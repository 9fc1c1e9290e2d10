/**
 * Where a symbol is used: every reference to its name, with its definitions apart. By syntax alone two symbols of one name
 * are not told apart, so each place says how sure it is:
 *
 *   likely    the file defines it, imports its name, or there is one definition only
 *   possible  the name alone
 */
import type { CodeSymbol, CodeUsage, InputOf } from "../../contract/index.ts";
import { readPlaces } from "./content-store.ts";
import { listSymbols, symbolsIn } from "./list-symbols.ts";
import { readNow } from "./search-text.ts";
import type { Answered, QuestionPorts, View } from "./view.ts";

type Question = Pick<InputOf<"code.usages">, "symbol" | "files" | "limit">;
type Place = {
  readonly path: string;
  readonly blob: number;
  readonly line: number;
  readonly column: number;
  readonly kind: string;
};

const mostDefinitions = 50;
const longestLine = 400;

export function listUsages(
  { symbol, files, limit }: Question,
  view: View,
  { matcher }: Pick<QuestionPorts, "matcher">,
): Answered<{ definitions: CodeSymbol[]; items: CodeUsage[]; more: boolean }> {
  const fits = files === undefined ? () => true : matcher(files, "files");
  const name = /[^.:#]+$/.exec(symbol.trim())?.[0] ?? symbol;
  const definitions = listSymbols(
    { name: symbol, kind: "any", in: undefined, exact: true, limit: mostDefinitions },
    view,
  ).items;
  const defining = new Set(definitions.map(({ path }) => path));
  const importing = filesImporting(name, view);
  const isOnly = defining.size === 1;
  const sure = ({ path }: Place): CodeUsage["confidence"] =>
    defining.size > 0 && (isOnly || defining.has(path) || importing.has(path)) ? "likely" : "possible";
  const all = placesNamed(name, view)
    .filter(({ path }) => fits(path))
    .map((place) => ({ place, confidence: sure(place) }))
    .sort((a, b) => rank(a.confidence) - rank(b.confidence));
  const items = all.slice(0, limit).map(({ place, confidence }) => ({ ...shown(place, view), confidence }));
  return {
    definitions,
    items,
    more: all.length > limit,
    rests: { provider: "syntax", confidence: defining.size > 0 && isOnly ? "likely" : "possible" },
  };
}

function rank(confidence: CodeUsage["confidence"]): number {
  return confidence === "possible" ? 1 : 0;
}

function placesNamed(name: string, { sql, tree }: View): readonly Place[] {
  const rows = sql.all(
    `SELECT p.text AS path, r.blob, r.places FROM name n CROSS JOIN reference r ON r.name = n.id
     CROSS JOIN tree_file f ON f.blob = r.blob AND f.tree = ? CROSS JOIN path p ON p.id = f.path WHERE n.text = ? ORDER BY 1`,
    tree,
    name,
  );
  return rows.flatMap(({ path, blob, places }) =>
    readPlaces(places as string).map((place) => ({ path: path as string, blob: blob as number, ...place })),
  );
}

function filesImporting(name: string, { sql, tree }: View): ReadonlySet<string> {
  const rows = sql.all(
    `SELECT DISTINCT p.text AS path FROM name n CROSS JOIN reference r ON r.name = n.id CROSS JOIN import_of i ON i.blob = r.blob
     CROSS JOIN tree_file f ON f.blob = r.blob AND f.tree = ? CROSS JOIN path p ON p.id = f.path
     WHERE n.text = ? AND instr(',' || i.names || ',', ',' || ? || ',') > 0`,
    tree,
    name,
    name,
  );
  return new Set(rows.map(({ path }) => path as string));
}

function shown({ path, blob, line, column, kind }: Place, view: View): Omit<CodeUsage, "confidence"> {
  const text = readNow(view.root, path)?.split("\n")[line - 1] ?? "";
  const around = symbolsIn(view, { kind: "any", in: path, blob }, 5_000).filter(
    (symbol) => symbol.line <= line && line <= symbol.endLine && !(symbol.line === line && symbol.column === column),
  );
  const within = around.at(-1)?.name;
  return {
    path,
    line,
    column,
    kind,
    text: text.slice(0, longestLine).trim(),
    ...(within === undefined ? {} : { within }),
  };
}
