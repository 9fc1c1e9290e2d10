/**
 * Past entries like a text: by BM25 over titles and contents, or by an embedding adapter where one is set.
 *
 *   text -> words -> candidates of the kind by BM25 -> score, or vectors of text and candidates -> cosine -> best first
 */
import type { Caller, FoundEntry, InputOf, OutputOf, SearchAbout } from "../../contract/index.ts";
import { scopeOf } from "./archive-scope.ts";
import type { QueryPorts } from "./list-history.ts";
import { queryWords } from "./query-words.ts";
import type { EntryFilter } from "./store.ts";

/** Turns texts into vectors of one length. The default is to have none: BM25 needs no model. */
export type Embedder = { readonly embed: (texts: readonly string[]) => Promise<readonly (readonly number[])[]> };
export type SimilarPorts = QueryPorts & { readonly embedder?: Embedder | undefined };
type Kind = InputOf<"history.similar">["of"];

const mostCandidates = 200;
const longestText = 1_000;
const filters: Readonly<Record<Kind, Pick<EntryFilter, "category" | "failures">>> = {
  workflow: { category: "workflow" },
  failure: { failures: true },
  decision: { category: "decision" },
  pattern: { category: "pattern" },
};

export async function similarEntries(
  { text, of, minScore, limit, ...asked }: InputOf<"history.similar">,
  caller: Caller,
  ports: SimilarPorts,
): Promise<OutputOf<"history.similar">> {
  const { own, ...scope } = await scopeOf(asked, caller, ports);
  const search = { ...scope, ...filters[of], words: queryWords(text) };
  const most = ports.embedder === undefined ? limit : mostCandidates;
  const found = await ports.store.reader.archive.search({ ...search, limit: most });
  const ranked = ports.embedder === undefined ? found : await byVectors(text, found.items, found.about, ports.embedder);
  const items = ranked.items.filter(({ score = 0 }) => score >= minScore).slice(0, limit);
  ports.hooks.postQuery({ ...scope, own, found: items.length, cached: false });
  return { items, about: { ...ranked.about, commonWords: [...ranked.about.commonWords], threshold: minScore } };
}

async function byVectors(
  text: string,
  items: readonly FoundEntry[],
  about: SearchAbout,
  { embed }: Embedder,
): Promise<{ readonly items: readonly FoundEntry[]; readonly about: SearchAbout }> {
  const [wanted, ...vectors] = await embed([text, ...items.map(textOf)]);
  const scored = items.map((entry, index) => ({ ...entry, score: cosine(wanted!, vectors[index]!) }));
  return { items: scored.sort((a, b) => b.score - a.score || b.at - a.at), about: { ...about, method: "embedding" } };
}

function textOf({ title, content }: FoundEntry): string {
  return `${title} ${JSON.stringify(content)}`.slice(0, longestText);
}

function cosine(one: readonly number[], other: readonly number[]): number {
  const length = (vector: readonly number[]): number => Math.hypot(...vector);
  const product = one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
  const lengths = length(one) * length(other);
  return lengths === 0 ? 0 : Number((product / lengths).toPrecision(4));
}
