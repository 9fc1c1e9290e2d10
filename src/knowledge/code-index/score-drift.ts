/**
 * How far a document has drifted from the code it speaks of.
 *
 *   changes of symbols and paths + mentions of a document -> reasons -> score in [0, 1)
 *
 * Each distinct reason takes its weight from what is left of 1, so more reasons never lower a score. Invariants: without
 * a change there is no reason; a name that is still defined is never a reason. Pure.
 */
import { posix } from "node:path";
import type { SymbolChange } from "./compare-symbols.ts";
import { looksLikeName, type Mention, readMentions } from "./read-mentions.ts";

export type GonePath = { readonly kind: "path-gone"; readonly name: string; readonly was: { readonly path: string } };
export type DriftChange = SymbolChange | GonePath;
export type DriftReason = { readonly change: DriftChange; readonly line: number; readonly column: number };
export type Drift = { readonly score: number; readonly reasons: readonly DriftReason[] };

const weights = { "symbol-removed": 0.6, "path-gone": 0.6, "signature-changed": 0.25 } as const;
/** Of a name in plain text. */
const plainShare = 0.6;
const shortestName = 3;

export function scoreDrift(document: { path: string; text: string }, changes: readonly DriftChange[]): Drift {
  if (changes.length === 0) return { score: 0, reasons: [] };
  const { names, paths } = readMentions(document.text);
  const byName = Map.groupBy(
    changes.filter((change) => change.kind !== "path-gone"),
    (change) => change.name,
  );
  const gone = new Map(changes.filter((change) => change.kind === "path-gone").map((change) => [change.name, change]));
  const found = new Map<DriftChange, { mention: Mention; share: number }>();
  const meet = (change: DriftChange, mention: Mention): void => {
    const share = mention.isCode ? 1 : plainShare;
    if (share > (found.get(change)?.share ?? 0)) found.set(change, { mention, share });
  };
  for (const mention of names)
    if (isName(mention)) for (const change of byName.get(mention.text) ?? []) meet(change, mention);
  const folder = posix.dirname(document.path);
  for (const mention of paths)
    for (const place of placesMeant(mention.text, folder)) {
      const change = gone.get(place);
      if (change !== undefined) meet(change, mention);
    }
  const reasons = [...found].map(([change, { mention }]) => ({ change, line: mention.line, column: mention.column }));
  const left = [...found].reduce((rest, [{ kind }, { share }]) => rest * (1 - weights[kind] * share), 1);
  return {
    score: Math.min(0.99, Math.round((1 - left) * 100) / 100),
    reasons: reasons.sort((a, b) => a.line - b.line || a.column - b.column),
  };
}

function isName({ text, isCode, isAlone }: Mention): boolean {
  if (text.length < shortestName) return false;
  return isAlone || looksLikeName(text) || (isCode && /^\p{Lu}/u.test(text));
}

/** From the root of the tree, or from the document's folder; a folder without its slash. */
function placesMeant(text: string, folder: string): readonly string[] {
  const plain = (place: string): string => posix.normalize(place).replace(/\/$/, "");
  return [...new Set([plain(text.replace(/^\/+/, "")), plain(posix.join(folder, text))])];
}

export function sentenceOf(change: DriftChange, changedIn: string): string {
  if (change.kind === "path-gone") return `${change.was.path} was removed in ${changedIn}`;
  const whole = change.container === undefined ? change.name : `${change.container}.${change.name}`;
  const place = `${change.was.path}:${change.was.line}`;
  if (change.kind === "symbol-removed") return `${whole} (${place}) was removed in ${changedIn}`;
  return `${whole} (${change.now!.path}:${change.now!.line}) changed its signature in ${changedIn}: ${change.was.signature} is now ${change.now!.signature}`;
}
