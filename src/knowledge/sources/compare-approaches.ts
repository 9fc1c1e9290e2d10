/** Approaches side by side: what the sources say of each, and of which they say nothing. */
import { invalidInput, type InputOf, type OutputOf } from "../../contract/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { citationLine, claimLines } from "./answer-text.ts";
import { answerAll, type ResearchPorts } from "./ask-research.ts";
import { mergeAnswers } from "./merge-answers.ts";
import type { SourceRepositories } from "./ports.ts";

type Comparison = OutputOf<"research.compare">;

const maxSources = 5;
const between = /\s+(?:vs\.?|versus|or|compared (?:to|with)|against)\s+/i;

export async function compareApproaches(
  { topic, approaches, model, provider, rehearse }: InputOf<"research.compare">,
  call: Call<SourceRepositories>,
  ports: ResearchPorts,
): Promise<Comparison> {
  const named = approaches.length > 0 ? approaches : approachesIn(topic);
  const about = approaches.length > 0 ? topic : "";
  const questions = named.map((name) => ({
    question: `${name} ${about}`,
    maxSources,
    kind: undefined,
    model,
    provider,
    rehearse,
  }));
  const answers = (await answerAll(questions, call, ports)).map((answer, index) => {
    const isAbout = answer.claims.filter(({ text, evidence = "" }) => mentions(`${text} ${evidence}`, named[index]!));
    return { ...answer, claims: isAbout };
  });
  const { claims, citations } = mergeAnswers(answers);
  const compared = named.map((name, index) => ({
    name,
    outcome: claims[index]!.length === 0 ? ("no-source" as const) : ("answered" as const),
    claims: [...claims[index]!],
    confidence: claims[index]!.length === 0 ? 0 : answers[index]!.confidence,
  }));
  return { topic, approaches: compared, citations, text: textOf(compared, citations) };
}

function approachesIn(topic: string): readonly string[] {
  const named = topic
    .replace(/[?.!]+$/, "")
    .split(between)
    .map((part) => part.trim())
    .filter(Boolean);
  if (named.length > 1) return named;
  const message = `names one approach only; write "X vs Y", or name them`;
  throw invalidInput("topic", message, { sentence: `The topic ${message}` });
}

function mentions(text: string, name: string): boolean {
  const words = name.toLowerCase().split(/\s+/);
  return words.some((word) => text.toLowerCase().includes(word.replace(/s$/, "")));
}

function textOf(compared: Comparison["approaches"], citations: Comparison["citations"]): string {
  const parts = compared.flatMap(({ name, claims, confidence }) => [
    `${name} (confidence ${confidence.toFixed(2)})`,
    ...(claims.length === 0
      ? ["  No source says anything about this"]
      : claims.flatMap(claimLines).map((line) => `  ${line}`)),
  ]);
  return [...parts, "", ...citations.map(citationLine)].join("\n");
}
