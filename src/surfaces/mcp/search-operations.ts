/**
 * Finds operations by words, best first: a word of the name counts more than one of the summary, and that more than a
 * field's; a word counts half where only its beginning agrees ("reserve" finds "reservation").
 */
import { allOperations } from "../../contract/index.ts";
import { toolNameOf, type NamedOperation } from "./tool-names.ts";

const shortestWord = 3;
const weights = { name: 6, summary: 3, field: 1 };

/** What agrees less than half as well as the best is left out: every match costs its reader tokens. */
export function searchOperations(text: string, among: readonly NamedOperation[]): readonly NamedOperation[] {
  const sought = wordsOf(text).filter((word) => word.length >= shortestWord);
  const scored = among
    .map((operation) => ({ operation, score: sought.reduce((sum, word) => sum + scoreOf(word, operation), 0) }))
    .sort((a, b) => b.score - a.score);
  const best = scored[0]?.score ?? 0;
  return scored.filter(({ score }) => score > 0 && score >= best / 2).map(({ operation }) => operation);
}

/** Tool names that were probably meant. */
export function nearToolNames(wanted: string): readonly string[] {
  return searchOperations(wanted, allOperations()).slice(0, 3).map(toolNameOf);
}

function scoreOf(word: string, operation: NamedOperation): number {
  const names = wordsOf(`${operation.name} ${operation.mcp?.name ?? ""}`);
  return (
    weights.name * agreement(word, names) +
    weights.summary * agreement(word, wordsOf(operation.summary)) +
    weights.field * agreement(word, Object.keys(operation.input.shape).flatMap(wordsOf))
  );
}

function agreement(word: string, others: readonly string[]): number {
  if (others.includes(word)) return 1;
  return others.some((other) => beginAlike(word, other)) ? 0.5 : 0;
}

function beginAlike(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  while (same < shorter && a[same] === b[same]) same++;
  return same >= Math.max(shortestWord, shorter * 0.75);
}

/** Splits camelCase, snake_case, dots and dashes alike. */
function wordsOf(text: string): readonly string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}
