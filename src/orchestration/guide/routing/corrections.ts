/** Corrections of wrong routes by people: the last fifty, kept as examples that later decisions look at. */
import type { RoleName } from "../../../contract/index.ts";
import { routeKey } from "./route-cache.ts";

export type Correction = { readonly text: string; readonly to: RoleName };

export interface Corrections {
  add(correction: Correction): void;
  /** The correction of this very text. */
  exact(text: string): RoleName | undefined;
  /** The newest one that shares most of its words with the text. */
  alike(words: ReadonlySet<string>): RoleName | undefined;
  /** Whether what was said here bears on this text. */
  concern(text: string): boolean;
  list(): readonly Correction[];
}

const mostCorrections = 50;
const alikeFrom = 0.5;

export function createCorrections(): Corrections {
  let kept: (Correction & { readonly key: string; readonly words: ReadonlySet<string> })[] = [];
  const alike = (words: ReadonlySet<string>): RoleName | undefined =>
    kept.findLast((each) => likeness(each.words, words) >= alikeFrom)?.to;
  return {
    add({ text, to }) {
      const key = routeKey(text);
      kept = [...kept.filter((other) => other.key !== key), { text, to, key, words: wordsOf(key) }];
      kept = kept.slice(-mostCorrections);
    },
    exact: (text) => (kept.length === 0 ? undefined : kept.find(({ key }) => key === routeKey(text))?.to),
    alike,
    concern: (text) => kept.length > 0 && alike(wordsOf(routeKey(text))) !== undefined,
    list: () => kept.map(({ text, to }) => ({ text, to })),
  };
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}\p{N}_-]+/gu));
}

/** Shared words, as a part of all words of both. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}
