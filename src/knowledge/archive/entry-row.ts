/** An entry as a row of the store, and back. */
import { hash } from "node:crypto";
import type { ArchiveSession, HistoryEntry } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { SqlRow } from "../../platform/store/index.ts";

const longestWords = 4_000;
const charactersPerToken = 4;

/** Estimated: four characters a token. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** The texts of a value, for the index; names of fields are no content. */
export function wordsIn(content: Readonly<Record<string, unknown>>): string {
  const texts: string[] = [];
  let room = longestWords;
  const collect = (value: unknown): void => {
    if (room <= 0) return;
    if (typeof value === "string" || typeof value === "number") {
      const text = String(value).slice(0, room);
      texts.push(text);
      room -= text.length + 1;
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  collect(content);
  return texts.join("\n");
}

/** Statuses of work that did not end well. */
const unwell: ReadonlySet<unknown> = new Set(["failed", "unverified"]);

/** The same for failures that look alike: numbers, ids, quoted parts and paths do not count. */
export function failureKeyOf({ category, title, content }: Pick<HistoryEntry, "category" | "title" | "content">) {
  const isFailure = category === "failure" || unwell.has(content.status);
  if (!isFailure) return undefined;
  const told = typeof content.reason === "string" && content.reason !== "" ? content.reason : title;
  const plain = told
    .toLowerCase()
    .replaceAll(/\b[a-z]{3}_[0-9a-z]{22}\b/g, "#")
    .replaceAll(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g, "#")
    .replaceAll(/[^\s:]*[/\\][^\s:]*/g, "#")
    .replaceAll(/[0-9a-f]{7,}|\d+/g, "#")
    .replaceAll(/\s+/g, " ")
    .slice(0, 200);
  return hash("sha256", plain, "hex").slice(0, 16);
}

export function toEntry(row: SqlRow): HistoryEntry {
  const promoted = row.promotion === null ? undefined : (JSON.parse(String(row.promotion)) as HistoryEntry["promoted"]);
  return {
    id: String(row.id),
    session: row.session as ArchiveSession,
    category: String(row.category),
    kind: row.kind as NonNullable<HistoryEntry["kind"]>,
    title: String(row.title),
    content: JSON.parse(String(row.content)) as HistoryEntry["content"],
    source: String(row.source),
    at: Number(row.at),
    tokens: Number(row.tokens),
    kept: row.kept === 1,
    archived: row.archived === 1,
    ...defined({ promoted }),
  };
}
