/**
 * A paper of fixed structure: Summary, Background, Findings, Limits, then the sources.
 *
 *   topic -> one question for each section -> claims, each only where it stands first -> Markdown
 */
import type { InputOf, ProjectId, ResearchPaper } from "../../contract/index.ts";
import { citationLine, claimLines } from "./answer-text.ts";
import { answerQuestion, type ResearchPorts } from "./ask-research.ts";
import { mergeAnswers } from "./merge-answers.ts";
import { confidenceOf } from "./source-quality.ts";

const depths = {
  overview: { sources: 3, claims: 3 },
  detailed: { sources: 6, claims: 8 },
  comprehensive: { sources: 12, claims: 20 },
} as const;
const sections: readonly { readonly heading: string; readonly ask: (topic: string) => string }[] = [
  { heading: "Summary", ask: (topic) => topic },
  { heading: "Background", ask: (topic) => `${topic} definition purpose reason` },
  { heading: "Findings", ask: (topic) => `${topic} result behaviour rule` },
  { heading: "Limits", ask: (topic) => `${topic} limit cost failure` },
];

export async function writePaper(
  input: InputOf<"research.paper">,
  project: ProjectId,
  ports: ResearchPorts,
  signal?: AbortSignal,
): Promise<ResearchPaper> {
  const { topic, depth, model, provider, rehearse } = input;
  const { sources: maxSources, claims: most } = depths[depth];
  const answers = [];
  for (const { ask } of sections) {
    const question = { question: ask(topic), maxSources, kind: undefined, model, provider, rehearse };
    answers.push(await answerQuestion(question, project, ports, signal));
  }
  const { claims, citations } = mergeAnswers(answers);
  const seen = new Set<string>();
  const written = sections.map(({ heading }, index) => ({
    heading,
    claims: claims[index]!.filter(({ text }) => !seen.has(text) && seen.add(text)).slice(0, most),
  }));
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

function paperText({ title, sections: parts, citations, confidence, depth }: Omit<ResearchPaper, "text">): string {
  const bodies = parts.flatMap(({ heading, claims }) => [
    `## ${heading}`,
    "",
    ...(claims.length === 0
      ? ["No source says anything about this."]
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
