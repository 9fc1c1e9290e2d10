/**
 * An answer by a model, and what is left of it: every sentence is a claim, and its kind is computed from the passage it cites.
 *
 *   passages, fenced as data -> model -> sentences with [n] -> judged one by one
 *
 * The model decides nothing about kinds, and an answer without a source for a sentence shows that sentence as unsupported.
 */
import type { Citation, Claim } from "../../contract/index.ts";
import { readPrompt } from "../../platform/shipped-files.ts";
import { untrusted } from "../../platform/untrusted-text.ts";
import { judgeClaim, oneSpaced } from "./judge-claim.ts";
import { splitSentences } from "./split-sentences.ts";

const mostClaims = 60;
const marker = /\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g;
const noSource = /^\W*no source\W*$/i;

export function answerPrompt(
  question: string,
  citations: readonly Citation[],
): { readonly system: string; readonly prompt: string } {
  const passages = citations.map(
    ({ number, title, text }) => `[${number}]\n${untrusted(text, `source ${number} ${title}`)}`,
  );
  return {
    system: readPrompt("knowledge/sources/answer-prompt.md"),
    prompt: `Question: ${question}\n\nPassages:\n${passages.join("\n\n")}`,
  };
}

/** None where the model says that no passage answers. */
export function claimsOf(answer: string, citations: readonly Citation[]): readonly Claim[] {
  if (noSource.test(answer)) return [];
  // A mark behind the full stop belongs to the sentence before it.
  const text = answer.replaceAll(/([.!?]["'”]?)((?:\s*\[\d{1,3}(?:\s*,\s*\d{1,3})*\])+)/g, "$2$1");
  return splitSentences(text)
    .slice(0, mostClaims)
    .flatMap((sentence) => {
      const plain = oneSpaced(sentence.text.replaceAll(marker, " ")).replaceAll(/\s+([.,;:!?])/g, "$1");
      return /[\p{L}\p{N}]/u.test(plain) ? [claimOf(plain, numbersIn(sentence.text), citations)] : [];
    });
}

function numbersIn(sentence: string): readonly number[] {
  return [...sentence.matchAll(marker)].flatMap(([, list = ""]) => list.split(",").map(Number));
}

function claimOf(text: string, cited: readonly number[], citations: readonly Citation[]): Claim {
  if (cited.length === 0) return { text, kind: "unsupported", reason: "it names no source" };
  let refused: Claim = { text, kind: "unsupported", reason: `there is no source [${cited.join(", ")}]` };
  for (const number of cited) {
    const citation = citations.find((one) => one.number === number);
    if (citation === undefined) continue;
    const judged = judgeClaim(text, citation.text);
    if (judged.kind !== "unsupported") return { text, citation: number, ...judged };
    refused = { text, citation: number, ...judged };
  }
  return refused;
}
