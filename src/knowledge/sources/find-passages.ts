/**
 * The passages that fit a question best.
 *
 *   words -> BM25, at most 60 candidates -> share of the words they have, vectors where there are any -> a few of each document
 *
 * A passage with less than half of the question's words is none: then "no source" is the answer.
 */
import type { Citation, ProjectId, SourceKind } from "../../contract/index.ts";
import { canonical, contentWords, questionWords, stemOf } from "./content-words.ts";
import type { VectorMethod } from "./hashing-vectors.ts";
import type { FoundPassage, SourceRepository } from "./store.ts";

export type PassageQuestion = {
  readonly question: string;
  readonly project: ProjectId;
  readonly kind?: SourceKind | undefined;
  readonly maxSources: number;
};
export type FoundPassages = { readonly passages: readonly FoundPassage[]; readonly search: string };
type Reader = Pick<SourceRepository, "search" | "vectorsOf">;

const mostCandidates = 60;
const mostPassages = 8;
const mostOfDocument = 3;
const enoughWords = 0.5;
const vectorShare = 0.3;

export async function findPassages(
  { question, project, kind, maxSources }: PassageQuestion,
  reader: Reader,
  vectors?: VectorMethod,
): Promise<FoundPassages> {
  const words = questionWords(question);
  const candidates = await reader.search({ project, words, kind, limit: mostCandidates });
  const fitting = candidates
    .map((passage) => ({ passage, share: shareOf(words, passage) }))
    .filter(({ share }) => share >= enoughWords);
  const best = Math.max(0.001, ...fitting.map(({ passage }) => passage.score));
  const likeness = await likenessOf(
    question,
    fitting.map(({ passage }) => passage),
    reader,
    vectors,
  );
  const ranked = fitting
    .map(({ passage, share }) => {
      const lexical = (passage.score / best) * (0.4 + 0.6 * share);
      const like = likeness?.get(passage.id);
      return { ...passage, score: like === undefined ? lexical : (1 - vectorShare) * lexical + vectorShare * like };
    })
    .sort((a, b) => b.score - a.score || a.id - b.id);
  return {
    passages: aFewOfEach(ranked, maxSources),
    search: vectors === undefined || likeness === undefined ? "bm25" : `bm25 and ${vectors.name} vectors`,
  };
}

export function toCitation(passage: FoundPassage, number: number): Citation {
  const { source, kind, title, location, heading, start, line, text, quality } = passage;
  const lines = text.replace(/\n+$/, "").split("\n").length;
  return {
    number,
    source,
    kind,
    title,
    location,
    ...(heading === "" ? {} : { heading }),
    lines: { from: line, to: line + lines - 1 },
    span: { start, end: start + text.length },
    quality,
    text: text.trimEnd(),
  };
}

function shareOf(words: readonly string[], { title, heading, text }: FoundPassage): number {
  const has = new Set(contentWords(`${title} ${heading} ${text}`));
  const found = words.filter((word) =>
    contentWords(word).every((part) => has.has(part) || has.has(canonical(stemOf(part)))),
  );
  return words.length === 0 ? 0 : found.length / words.length;
}

async function likenessOf(
  question: string,
  passages: readonly FoundPassage[],
  reader: Reader,
  vectors: VectorMethod | undefined,
): Promise<ReadonlyMap<number, number> | undefined> {
  if (vectors === undefined || passages.length === 0) return undefined;
  const stored = await reader.vectorsOf(
    vectors.name,
    passages.map(({ id }) => id),
  );
  if (stored.size === 0) return undefined;
  const asked = vectors.embed(question);
  return new Map([...stored].map(([id, vector]) => [id, vectors.likeness(asked, vector)]));
}

function aFewOfEach(ranked: readonly FoundPassage[], maxSources: number): readonly FoundPassage[] {
  const [sources, ofDocument] = [new Set<string>(), new Map<string, number>()];
  const chosen: FoundPassage[] = [];
  for (const passage of ranked) {
    const document = `${passage.source} ${passage.location}`;
    const count = ofDocument.get(document) ?? 0;
    const isTooMany = !sources.has(passage.source) && sources.size >= maxSources;
    if (isTooMany || count >= mostOfDocument) continue;
    sources.add(passage.source);
    ofDocument.set(document, count + 1);
    chosen.push(passage);
    if (chosen.length >= mostPassages) break;
  }
  return chosen;
}
