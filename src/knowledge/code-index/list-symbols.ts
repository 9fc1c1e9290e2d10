/**
 * Symbols by name: exact ones first, then those that begin with it, those that have it as a part, and near ones where
 * nothing else fits.
 */
import type { CodeSymbol, InputOf } from "../../contract/index.ts";
import type { SqlRow } from "../../platform/store/index.ts";
import { wordsOfQuestion } from "./identifier-words.ts";
import { matchAll, matchAny, nearness } from "./trigrams.ts";
import type { Answered, View } from "./view.ts";

type Question = Pick<InputOf<"code.symbols">, "name" | "kind" | "in" | "exact" | "limit">;
type Match = NonNullable<CodeSymbol["match"]>;

/** The four kinds that people ask for, over those of the languages. */
const kindGroups: Readonly<Record<string, readonly string[]>> = {
  function: ["function", "method", "constructor", "macro"],
  type: ["class", "interface", "struct", "type", "enum"],
  const: ["const", "enum-member"],
  var: ["var", "field"],
};
const mostNames = 2_000;
const mostNear = 5_000;
const nearEnough = 0.45;

export function listSymbols(question: Question, view: View): Answered<{ items: CodeSymbol[]; more: boolean }> {
  const { name, limit } = question;
  const found =
    name === undefined ? symbolsIn(view, question, limit + 1) : symbolsNamed(name.trim(), question, view, limit + 1);
  return {
    items: found.slice(0, limit),
    more: found.length > limit,
    rests: { provider: "syntax", confidence: "exact" },
  };
}

function symbolsNamed(name: string, question: Question, view: View, most: number): CodeSymbol[] {
  const dot = Math.max(name.lastIndexOf("."), name.lastIndexOf("::") + 1, name.lastIndexOf("#"));
  const plain = dot > 0 ? name.slice(dot + 1) : name;
  const container = dot > 0 ? name.slice(0, dot).replace(/:+$/, "") : undefined;
  const isInside = (symbol: CodeSymbol): boolean =>
    container === undefined || symbol.container === container || (symbol.container?.endsWith(`.${container}`) ?? false);
  const found: CodeSymbol[] = [];
  const seen = new Set<number>();
  for (const [match, names] of tiers(plain, question.exact, view)) {
    if (found.length >= most || (match === "fuzzy" && found.length > 0)) break;
    const ids = names().filter((id) => !seen.has(id));
    for (const id of ids) seen.add(id);
    if (ids.length === 0) continue;
    const symbols = symbolsIn(view, { ...question, names: ids }, most - found.length);
    found.push(...symbols.filter(isInside).map((symbol) => ({ ...symbol, match })));
  }
  return found;
}

/** Numbers of names, tier by tier; a later tier is asked only while there is room. */
function* tiers(name: string, isExact: boolean, { sql }: View): Generator<[Match, () => readonly number[]]> {
  const ids = (text: string, ...values: (string | number)[]): number[] =>
    sql.all(text, ...values).map(({ id }) => id as number);
  const lower = name.toLowerCase();
  yield ["exact", () => ids("SELECT id FROM name WHERE text = ? AND is_symbol = 1", name)];
  if (isExact) return;
  yield ["exact", () => ids("SELECT id FROM name WHERE lower = ? AND is_symbol = 1", lower)];
  const inRange =
    "SELECT id FROM name WHERE lower >= ? AND lower < ? AND is_symbol = 1 ORDER BY length(text), text LIMIT ?";
  yield ["prefix", () => ids(inRange, lower, `${lower}\u{10ffff}`, mostNames)];
  yield ["part", () => partly(lower, sql)];
  yield ["fuzzy", () => near(lower, sql)];
}

/** Names that have all its words, in whatever order and spelling. */
function partly(lower: string, sql: View["sql"]): readonly number[] {
  const words = [...new Set([lower, ...lower.split(/[\s_$-]+/)])].filter(Boolean);
  const whole = lower.includes(" ") ? words.filter((word) => !word.includes(" ")) : [lower];
  const match = matchAll(whole);
  const rows =
    match === undefined
      ? sql.all("SELECT id, lower FROM name WHERE is_symbol = 1 AND instr(lower, ?) > 0 LIMIT ?", whole[0]!, mostNames)
      : sql.all(
          "SELECT n.id, n.lower FROM name_part t CROSS JOIN name n ON n.id = t.rowid WHERE name_part MATCH ? LIMIT ?",
          match,
          mostNames,
        );
  return rows
    .filter((row) => whole.every((word) => (row.lower as string).includes(word)))
    .sort(
      (a, b) =>
        (a.lower as string).length - (b.lower as string).length || ((a.lower as string) < (b.lower as string) ? -1 : 1),
    )
    .map(({ id }) => id as number);
}

/** For names that were typed wrong, or remembered in part. */
function near(lower: string, sql: View["sql"]): readonly number[] {
  const squeezed = wordsOfQuestion(lower).join("") || lower;
  const match = matchAny(squeezed);
  if (match === undefined) return [];
  return sql
    .all(
      "SELECT n.id, n.lower FROM name_part t CROSS JOIN name n ON n.id = t.rowid WHERE name_part MATCH ? LIMIT ?",
      match,
      mostNear,
    )
    .map((row) => ({ id: row.id as number, score: nearness(squeezed, row.lower as string) }))
    .filter(({ score }) => score >= nearEnough)
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, 50)
    .map(({ id }) => id);
}

type Among = Pick<Question, "kind" | "in"> & { readonly names?: readonly number[]; readonly blob?: number };

const columns = `n.text AS name, s.kind, p.text AS path, s.line, s.col, s.end_line, s.container, s.signature, s.doc, s.exported`;

export function symbolsIn({ sql, tree }: View, { kind, in: folder, names, blob }: Among, most: number): CodeSymbol[] {
  const wanted = kindGroups[kind] ?? [kind];
  const place = folder === undefined || folder === "." ? undefined : folder.replace(/^\.\//, "").replace(/\/+$/, "");
  const conditions = [
    names === undefined ? "" : "AND s.name IN (SELECT value FROM json_each(?))",
    blob === undefined ? "" : "AND s.blob = ?",
    kind === "any" ? "" : "AND s.kind IN (SELECT value FROM json_each(?))",
    place === undefined ? "" : "AND (p.text = ? OR (p.text >= ? AND p.text < ?))",
  ];
  const values = [
    ...(names === undefined ? [] : [JSON.stringify(names)]),
    ...(blob === undefined ? [] : [blob]),
    ...(kind === "any" ? [] : [JSON.stringify(wanted)]),
    ...(place === undefined ? [] : [place, `${place}/`, `${place}0`]), // "0" comes after "/"
  ];
  const order =
    names === undefined
      ? "p.text, s.ord"
      : "s.kind = 'heading', length(n.text), n.text, s.exported DESC, p.text, s.ord";
  // Without an order of ours SQLite walks all files of the tree for one name.
  const join = names === undefined && blob === undefined ? "JOIN" : "CROSS JOIN";
  return sql
    .all(
      `SELECT ${columns} FROM symbol s ${join} name n ON n.id = s.name ${join} tree_file f ON f.blob = s.blob AND f.tree = ?
       ${join} path p ON p.id = f.path WHERE 1 ${conditions.join(" ")} ORDER BY ${order} LIMIT ?`,
      tree,
      ...values,
      most,
    )
    .map(readSymbol);
}

function readSymbol(row: SqlRow): CodeSymbol {
  return {
    name: row.name as string,
    kind: row.kind as string,
    path: row.path as string,
    line: row.line as number,
    column: row.col as number,
    endLine: row.end_line as number,
    ...(row.container === null ? {} : { container: row.container as string }),
    signature: row.signature as string,
    ...(row.doc === null ? {} : { doc: row.doc as string }),
    exported: row.exported === 1,
  };
}
