/**
 * A paper of fixed structure: Summary, Background, Findings, Limits, then the sources.
 *
 *   topic -> one question for each section -> claims, each in the first section that has room for it -> Markdown
 *
 * Background and Limits hold statements that speak of reasons or of limits; Findings takes the others.
 */
import type { InputOf, ResearchPaper } from "../../contract/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { citationLine, claimLines } from "./answer-text.ts";
import { answerAll, type ResearchPorts } from "./ask-research.ts";
import { contentWords } from "./content-words.ts";
import { mergeAnswers } from "./merge-answers.ts";
import type { SourceRepositories } from "./ports.ts";
import { confidenceOf } from "./source-quality.ts";

const depths = {
  overview: { sources: 3, claims: 3 },
  detailed: { sources: 6, claims: 8 },
  comprehensive: { sources: 12, claims: 20 },
} as const;
const mostInSummary = 3;

const background = "definition define purpose reason because introduce motivation history provide let";
const limits = "limit limitation maximum minimum cost fail failure error warning unsupported cannot never must not";
type Section = {
  readonly heading: string;
  /** Words that the question has besides the topic. */
  readonly asks: string;
  /** A sentence of a source belongs here only if it has one of these words. */
  readonly holds?: ReadonlySet<string>;
};
/** In the order in which they choose; Findings gets what the others leave. */
const choosing: readonly Section[] = [
  { heading: "Summary", asks: "" },
  { heading: "Background", asks: background, holds: new Set(contentWords(background)) },
  { heading: "Limits", asks: limits, holds: new Set(contentWords(limits)) },
  { heading: "Findings", asks: "result behaviour rule" },
];
const shown = ["Summary", "Background", "Findings", "Limits"];

export async function writePaper(
  input: InputOf<"research.paper">,
  call: Call<SourceRepositories>,
  ports: ResearchPorts,
): Promise<ResearchPaper> {
  const { topic, depth, model, provider, rehearse } = input;
  const { sources: maxSources, claims: most } = depths[depth];
  const terms = { about: topic, ofDocument: most, maxSources, kind: undefined, model, provider, rehearse };
  const questions = choosing.map(({ asks }) => ({ ...terms, question: `${topic} ${asks}`.trim() }));
  const answers = await answerAll(questions, call, ports);
  const { claims, citations } = mergeAnswers(answers);
  const taken = new Set<string>();
  const chosen = choosing.map(({ heading, holds }, index) => {
    const offered = heading === "Findings" ? [...claims[index]!, ...claims[0]!] : claims[index]!;
    // A model answered the question of the section; a sentence of a source may have come for the topic alone.
    const isFree = holds === undefined || answers[index]!.method === "model";
    const fitting = offered.filter(({ text }) => isFree || contentWords(text).some((word) => holds.has(word)));
    const fresh = new Map(fitting.filter(({ text }) => !taken.has(text)).map((claim) => [claim.text, claim]));
    const own = [...fresh.values()].slice(0, heading === "Summary" ? Math.min(mostInSummary, most) : most);
    for (const { text } of own) taken.add(text);
    return { heading, claims: own };
  });
  const written = shown.map((heading) => chosen.find((section) => section.heading === heading)!);
  const all = written.flatMap((section) => section.claims);
  const used = new Set(all.map(({ citation }) => citation));
  const cited = citations.filter(({ number }) => used.has(number));
  const [first] = answers;
  const paper: Omit<ResearchPaper, "text"> = {
    title: topic,
    depth,
    outcome: all.length === 0 ? "no-source" : "answered",
    sections: written,
    citations: cited,
    confidence: confidenceOf(all, cited),
    method: first!.method,
    search: first!.search,
    sources: first!.sources,
  };
  return { ...paper, text: paperText(paper) };
}

function paperText(paper: Omit<ResearchPaper, "text">): string {
  const { title, outcome, sections: parts, citations, confidence, depth } = paper;
  const bodies = parts.flatMap(({ heading, claims }) => [
    `## ${heading}`,
    "",
    ...(claims.length === 0
      ? [outcome === "no-source" ? "No source says anything about this." : "The sources say nothing more."]
      : claims.flatMap((claim) => claimLines(claim).map((line) => (line.startsWith("  ") ? line : `- ${line}`)))),
    "",
  ]);
  const sources = citations.length === 0 ? ["None."] : citations.map((citation) => `- ${citationLine(citation)}`);
  return [
    `# ${title}`,
    "",
    `Depth: ${depth}. Confidence: ${confidence.toFixed(2)}.`,
    "",
    ...bodies,
    "## Sources",
    "",
    ...sources,
  ].join("\n");
}
