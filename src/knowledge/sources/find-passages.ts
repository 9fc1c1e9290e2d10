/**
 * The passages that fit a question best.
 *
 *   words   -> BM25, at most 60 candidates -> share of the words they have, and have in their sentences \
 *   vectors -> the passages most like the question, where there are vectors  -> ranked -> a few of each document
 *
 * A passage with less than half of the question's words, and not like it either, is none: then "no source" is the answer.
 */
import { setImmediate } from "node:timers/promises"; // clock-exempt: other work comes between; no time is measured
import type { Citation, ProjectId, SourceKind } from "../../contract/index.ts";
import { canonical, contentWords, questionWords, stemOf } from "./content-words.ts";
import type { VectorMethod } from "./hashing-vectors.ts";
import { splitSentences } from "./split-sentences.ts";
import type { FoundPassage, SourceRepository } from "./store.ts";

export type PassageQuestion = {
  readonly question: string;
  /** The part of the question that a passage must be about; the whole question where it is absent. */
  readonly about?: string | undefined;
  readonly project: ProjectId;
  readonly kind?: SourceKind | undefined;
  readonly maxSources: number;
  /** Most passages of one document; 3 unless told. */
  readonly ofDocument?: number | undefined;
};
export type FoundPassages = { readonly passages: readonly FoundPassage[]; readonly search: string };
type Reader = Pick<SourceRepository, "search" | "vectorsOf" | "vectorsAfter" | "passagesOf">;

const mostCandidates = 60;
const mostPassages = 8;
const enoughWords = 0.5;
const vectorShare = 0.3;
/** From here on a passage counts as being about the question, whatever its words. */
const enoughLikeness = 0.4;
const vectorsAtOnce = 500;
const mostVectors = 20_000;
const mostLike = 8;

export async function findPassages(
  { question, about = question, project, kind, maxSources, ofDocument = 3 }: PassageQuestion,
  reader: Reader,
  vectors?: VectorMethod,
): Promise<FoundPassages> {
  const words = questionWords(question);
  const candidates = await reader.search({ project, words, kind, limit: mostCandidates });
  const needed = questionWords(about);
  const fitting = candidates
    .filter((passage) => shareOf(needed, passage) >= enoughWords)
    .map((passage) => ({ passage, share: 0.5 * shareOf(words, passage) + 0.5 * shareSaid(words, passage) }));
  const best = Math.max(0.001, ...fitting.map(({ passage }) => passage.score));
  const likeness = await likenessOf(
    question,
    fitting.map(({ passage }) => passage),
    reader,
    vectors,
  );
  const known = new Set(fitting.map(({ passage }) => passage.id));
  const alike = vectors === undefined ? [] : await passagesLike({ question, project, kind }, known, reader, vectors);
  const ranked = [
    ...fitting.map(({ passage, share }) => {
      const lexical = (passage.score / best) * (0.4 + 0.6 * share);
      const like = likeness?.get(passage.id);
      return { ...passage, score: like === undefined ? lexical : (1 - vectorShare) * lexical + vectorShare * like };
    }),
    ...alike.map((passage) => ({ ...passage, score: vectorShare * passage.score })),
  ].sort((a, b) => b.score - a.score || a.id - b.id);
  return {
    passages: aFewOfEach(ranked, maxSources, ofDocument),
    search:
      vectors === undefined || (likeness === undefined && alike.length === 0)
        ? "bm25"
        : `bm25 and ${vectors.name} vectors`,
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
  return shareIn(words, `${title} ${heading} ${text}`);
}

/** A title or an example names a thing; only a sentence says something about it. */
function shareSaid(words: readonly string[], { text }: FoundPassage): number {
  return shareIn(
    words,
    splitSentences(text)
      .map((sentence) => sentence.text)
      .join(" "),
  );
}

function shareIn(words: readonly string[], text: string): number {
  const has = new Set(contentWords(text));
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

/** Found by their vectors alone, some thousand vectors at most; the score is the likeness. */
async function passagesLike(
  { question, project, kind }: Pick<PassageQuestion, "question" | "project" | "kind">,
  known: ReadonlySet<number>,
  reader: Reader,
  { name: method, embed, likeness }: VectorMethod,
): Promise<readonly FoundPassage[]> {
  const asked = embed(question);
  const like = new Map<number, number>();
  for (let [after, read] = [0, 0]; read < mostVectors; read += vectorsAtOnce) {
    const some = await reader.vectorsAfter({ project, kind, method, after, limit: vectorsAtOnce });
    for (const { passage, vector } of some) {
      const found = known.has(passage) ? 0 : likeness(asked, vector);
      if (found >= enoughLikeness) like.set(passage, found);
    }
    after = some.at(-1)?.passage ?? after;
    if (some.length < vectorsAtOnce) break;
    await setImmediate();
  }
  const best = [...like].sort(([, a], [, b]) => b - a).slice(0, mostLike);
  const passages = await reader.passagesOf(best.map(([id]) => id));
  return passages.map((passage) => ({ ...passage, score: like.get(passage.id)! }));
}

function aFewOfEach(ranked: readonly FoundPassage[], maxSources: number, most: number): readonly FoundPassage[] {
  const [sources, ofDocument] = [new Set<string>(), new Map<string, number>()];
  const chosen: FoundPassage[] = [];
  for (const passage of ranked) {
    const document = `${passage.source} ${passage.location}`;
    const count = ofDocument.get(document) ?? 0;
    const isTooMany = !sources.has(passage.source) && sources.size >= maxSources;
    if (isTooMany || count >= most) continue;
    sources.add(passage.source);
    ofDocument.set(document, count + 1);
    chosen.push(passage);
    if (chosen.length >= mostPassages) break;
  }
  return chosen;
}
