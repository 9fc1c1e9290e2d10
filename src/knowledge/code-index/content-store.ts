/**
 * Facts by content: written once for each hash and variant, whichever tree has it. A second write of the same changes
 * nothing, so a second writer is harmless.
 */
import type { DerivedFile } from "../../platform/store/index.ts";
import type { ParsedContent } from "./ports.ts";

export type ContentKey = { readonly hash: string; readonly variant: string };

const mostNames = 200_000;

export function createContentStore(sql: DerivedFile, now: () => number) {
  const names = new Map<string, number>();

  function nameId(text: string): number {
    const known = names.get(text);
    if (known !== undefined) return known;
    sql.run("INSERT OR IGNORE INTO name (text, lower) VALUES (?, ?)", text, text.toLowerCase());
    const id = sql.get("SELECT id FROM name WHERE text = ?", text)!.id as number;
    if (names.size >= mostNames) names.clear();
    names.set(text, id);
    return id;
  }

  /** Names that symbols have can be found by a part of them. */
  function symbolName(text: string): number {
    const id = nameId(text);
    const { changes } = sql.run("UPDATE name SET is_symbol = 1 WHERE id = ? AND is_symbol = 0", id);
    if (changes > 0) sql.run("INSERT INTO name_part (rowid, text) VALUES (?, ?)", id, text);
    return id;
  }

  function writeFacts(blob: number, { facts }: ParsedContent): void {
    facts.symbols.forEach((symbol, ord) =>
      sql.run(
        "INSERT INTO symbol VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        blob,
        ord,
        symbolName(symbol.name),
        symbol.kind,
        symbol.line,
        symbol.column,
        symbol.endLine,
        symbol.container ?? null,
        symbol.signature,
        symbol.doc ?? null,
        symbol.exported ? 1 : 0,
      ),
    );
    facts.imports.forEach(({ module, names: imported, line }, ord) =>
      sql.run("INSERT INTO import_of VALUES (?, ?, ?, ?, ?)", blob, ord, nameId(module), imported.join(","), line),
    );
    for (const [name, places] of placesByName(facts.references))
      sql.run("INSERT INTO reference VALUES (?, ?, ?)", nameId(name), blob, places.join(" "));
    facts.docs.forEach(({ line, endLine, text, symbol }, ord) =>
      sql.run("INSERT INTO doc VALUES (?, ?, ?, ?, ?, ?)", blob, ord, line, endLine, text, symbol ?? null),
    );
  }

  return {
    /** The number of a content; a new one waits for its facts. */
    idOf({ hash, variant }: ContentKey): number {
      const bytes = Buffer.from(hash, "hex");
      sql.run(
        "INSERT OR IGNORE INTO blob (hash, variant, state, seen_at) VALUES (?, ?, 'waiting', ?)",
        bytes,
        variant,
        now(),
      );
      return sql.get("SELECT id FROM blob WHERE hash = ? AND variant = ?", bytes, variant)!.id as number;
    },
    /** False when another writer was faster. */
    write(blob: number, content: ParsedContent): boolean {
      if (sql.get("SELECT 1 FROM blob WHERE id = ? AND state = 'waiting'", blob) === undefined) return false;
      const { facts, words, text, bytes, lines } = content;
      writeFacts(blob, content);
      sql.run("INSERT INTO trigram (rowid, body) VALUES (?, ?)", blob, text);
      sql.run(
        "INSERT INTO words (rowid, names, docs, body) VALUES (?, ?, ?, ?)",
        blob,
        words.names,
        words.docs,
        words.body,
      );
      sql.run(
        "UPDATE blob SET state = 'indexed', language = ?, bytes = ?, lines = ?, partial = ? WHERE id = ?",
        facts.language,
        bytes,
        lines,
        facts.isPartial ? (facts.partialReason ?? "syntax") : null,
        blob,
      );
      return true;
    },
    leaveOut(blob: number, reason: string): void {
      sql.run("UPDATE blob SET state = 'left-out', reason = ? WHERE id = ? AND state = 'waiting'", reason, blob);
    },
    /** Contents that no tree has, the oldest first; answers how many left. */
    evict(most: number): number {
      const rows = sql.all(
        `SELECT id FROM blob b WHERE NOT EXISTS (SELECT 1 FROM tree_file f WHERE f.blob = b.id)
         ORDER BY seen_at, id LIMIT ?`,
        most,
      );
      for (const { id } of rows) removeContent(sql, id as number);
      return rows.length;
    },
    /** Names that no content has any more; and what full-text tables keep of removed rows. */
    evictNames(): void {
      names.clear();
      const unused = `SELECT id FROM name n WHERE NOT EXISTS (SELECT 1 FROM symbol WHERE name = n.id)
        AND NOT EXISTS (SELECT 1 FROM reference WHERE name = n.id) AND NOT EXISTS (SELECT 1 FROM import_of WHERE module = n.id)`;
      for (const { id } of sql.all(unused)) {
        sql.run("DELETE FROM name_part WHERE rowid = ?", id!);
        sql.run("DELETE FROM name WHERE id = ?", id!);
      }
      for (const table of ["trigram", "words", "name_part"])
        sql.run(`INSERT INTO ${table} (${table}) VALUES ('optimize')`);
    },
  };
}
export type ContentStore = ReturnType<typeof createContentStore>;

function removeContent(sql: DerivedFile, blob: number): void {
  for (const table of ["symbol", "import_of", "reference", "doc"]) sql.run(`DELETE FROM ${table} WHERE blob = ?`, blob);
  for (const table of ["trigram", "words"]) sql.run(`DELETE FROM ${table} WHERE rowid = ?`, blob);
  sql.run("DELETE FROM blob WHERE id = ?", blob);
}

/** `line:column:k` each, k the first letter of its kind. */
function placesByName(references: ParsedContent["facts"]["references"]): ReadonlyMap<string, string[]> {
  const places = new Map<string, string[]>();
  for (const { name, line, column, kind } of references) {
    const place = `${line}:${column}:${kind[0]!}`;
    const known = places.get(name);
    if (known === undefined) places.set(name, [place]);
    else known.push(place);
  }
  return places;
}

const kinds: Readonly<Record<string, string>> = { c: "call", t: "type", u: "use", i: "import" };

export function readPlaces(places: string): readonly { line: number; column: number; kind: string }[] {
  return places.split(" ").map((place) => {
    const [line, column, kind = "u"] = place.split(":");
    return { line: Number(line), column: Number(column), kind: kinds[kind] ?? "use" };
  });
}
