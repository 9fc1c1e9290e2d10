/**
 * An answer without a model: of each passage the sentence that has most of the question's words, word for word. Where none has
 * any, because vectors found the passage, the sentence that is most like the question. Pure.
 */
import type { Citation, Claim } from "../../contract/index.ts";
import { contentWords } from "./content-words.ts";
import type { VectorMethod } from "./hashing-vectors.ts";
import { judgeQuotation, oneSpaced } from "./judge-claim.ts";
import { splitSentences } from "./split-sentences.ts";

const mostSentences = 2;
const fewestWords = 3;

export function extractClaims(
  question: string,
  citations: readonly Citation[],
  vectors?: VectorMethod,
): readonly Claim[] {
  const wanted = new Set(contentWords(question));
  const seen = new Set<string>();
  return citations.flatMap((citation, index) =>
    sentencesOf(citation.text, { question, wanted, vectors })
      .filter((sentence) => !seen.has(sentence) && seen.add(sentence))
      .slice(0, index === 0 ? mostSentences : 1)
      .map((sentence) => ({
        text: `“${sentence}”`,
        citation: citation.number,
        ...judgeQuotation(sentence, citation.text),
      })),
  );
}

type Wanted = {
  readonly question: string;
  readonly wanted: ReadonlySet<string>;
  readonly vectors: VectorMethod | undefined;
};

function sentencesOf(text: string, { question, wanted, vectors }: Wanted): readonly string[] {
  const found = bestSentences(text, wanted);
  if (found.length > 0 || vectors === undefined) return found;
  const asked = vectors.embed(question);
  const [closest] = splitSentences(text)
    .filter((sentence) => contentWords(sentence.text).length >= fewestWords)
    .map((sentence) => ({
      text: oneSpaced(sentence.text),
      like: vectors.likeness(asked, vectors.embed(sentence.text)),
    }))
    .sort((a, b) => b.like - a.like);
  return closest === undefined ? [] : [closest.text];
}

function bestSentences(text: string, wanted: ReadonlySet<string>): readonly string[] {
  const ranked = splitSentences(text)
    .map((sentence, place) => {
      const words = contentWords(sentence.text);
      const shared = new Set(words.filter((word) => wanted.has(word))).size;
      return { text: oneSpaced(sentence.text), place, shared, length: words.length };
    })
    .filter(({ shared, length }) => shared > 0 && length >= fewestWords)
    .sort((a, b) => b.shared - a.shared || a.length - b.length || a.place - b.place);
  const [first] = ranked;
  return ranked.filter(({ shared }) => shared * 2 > (first?.shared ?? 0)).map((sentence) => sentence.text);
}
