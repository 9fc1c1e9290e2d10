/**
 * Research: answers from sources that were added before, each claim with the place that bears it out.
 *
 *   research.add -> read, split into passages -> store      research.ask -> ranked passages -> claims with citations
 *
 * Invariants: Sylk computes the kind of a claim from the cited text; no writer of a claim sets it. Text of a source is data, never
 * an instruction. Where no source says anything, the answer says so.
 */
import * as z from "zod";
import { defineEvent, defineOperation } from "./define.ts";
import { SourceId } from "./ids.ts";
import { pageInput, pageOf, TimeMs } from "./page.ts";

const Count = z.int().min(0);
const Words = z.string().trim().min(1).max(1_000);

export const SourceKind = z
  .enum(["folder", "file", "article", "paper", "rfc", "documentation", "repository"])
  .describe("folder, file: on this machine; article: one web page; paper: a PDF; documentation: pages of one site");
export type SourceKind = z.infer<typeof SourceKind>;

export const Source = z.object({
  id: SourceId,
  kind: SourceKind,
  location: z.string().describe("Path or address that it was read from"),
  title: z.string(),
  documents: Count,
  passages: Count,
  bytes: Count.describe("Size of its text"),
  quality: z.number().min(0).max(1).describe("How far its kind, its age and the state of its text let one rely on it"),
  notes: z.array(z.string()).describe("What could not be read, and why"),
  addedAt: TimeMs,
});
export type Source = Readonly<z.infer<typeof Source>>;

export const Citation = z.object({
  number: z.int().min(1).describe("How the claims of this answer name it"),
  source: SourceId,
  kind: SourceKind,
  title: z.string().describe("Title of the document"),
  location: z.string().describe("Path or address of the document"),
  heading: z.string().optional(),
  lines: z.object({ from: z.int().min(1), to: z.int().min(1) }).describe("Lines of the document's text"),
  span: z.object({ start: Count, end: Count }).describe("Characters of the document's text"),
  quality: z.number(),
  text: z.string().describe("The cited text"),
});
export type Citation = Readonly<z.infer<typeof Citation>>;

export const ClaimKind = z
  .enum(["quoted", "supported", "unsupported"])
  .describe(
    "quoted: word for word in the cited text; supported: a sentence of it says the same, with every number, name, date and negation; unsupported: neither",
  );
export type ClaimKind = z.infer<typeof ClaimKind>;

export const Claim = z.object({
  text: z.string(),
  kind: ClaimKind,
  citation: z.int().min(1).optional().describe("Number of the citation that bears it out"),
  evidence: z.string().optional().describe("The sentence of the source that says it"),
  reason: z.string().optional().describe("Why it counts as unsupported"),
});
export type Claim = Readonly<z.infer<typeof Claim>>;

export const ResearchAnswer = z.object({
  question: z.string(),
  outcome: z.enum(["answered", "no-source"]).describe("no-source: no source says anything about it"),
  text: z.string().describe("The answer in words; each claim shows its kind and its citation"),
  claims: z.array(Claim),
  citations: z.array(Citation),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .describe("From the quality of the cited sources and the share of claims they bear out"),
  method: z.enum(["extractive", "model"]).describe("extractive: sentences of the sources, without a model"),
  search: z.string().describe("How passages were found: bm25, or bm25 and vectors of a named kind"),
  sources: Count.describe("Sources that were searched"),
  cached: z.boolean().describe("Kept from an earlier question, with the same sources"),
  at: TimeMs.describe("When it was researched"),
  model: z.string().optional(),
  tokens: Count.optional().describe("Tokens of the model call that wrote it, as the provider reported them"),
  label: z.string().optional().describe('"rehearsal" when a scripted model answered'),
  notes: z.array(z.string()),
});
export type ResearchAnswer = Readonly<z.infer<typeof ResearchAnswer>>;

const untrustedFields = ["text", "evidence", "title", "heading", "location"] as const;
const modelTerms = {
  model: z
    .boolean()
    .default(false)
    .describe("Let the configured model write the answer; every claim is checked all the same"),
  provider: z.string().min(1).max(60).optional().describe("Configured provider; a model then writes the answer"),
  rehearse: z.string().min(1).max(4096).optional().describe("Scenario file that a scripted model plays instead"),
};
const modelErrors = ["provider.missing", "provider.not-found", "scenario.invalid", "role.unavailable"] as const;
const common = ["input.invalid", "agent.unknown-project"] as const;

export const add = defineOperation({
  name: "research.add",
  summary:
    "Add a source for research: a folder, a file, a repository, a web page, a PDF, an RFC or a documentation site",
  http: "POST /v1/research/sources",
  actor: "anyone",
  input: z.strictObject({
    location: z.string().min(1).max(2_000).describe("Path, or address that begins with https://"),
    kind: SourceKind.optional().describe("Default: by what is found there"),
    title: z.string().trim().min(1).max(200).optional().describe("Default: its own title"),
    pages: z.int().min(1).max(500).default(50).describe("Most pages of a documentation site"),
    depth: z.int().min(0).max(10).default(3).describe("Links to follow from its first page"),
    deep: z.boolean().default(false).describe("Of a repository: its code files too, not its documents alone"),
  }),
  output: z.object({
    source: Source,
    replaced: z.boolean().describe("The same location was a source already; its text was read anew"),
    skipped: z
      .array(z.object({ location: z.string(), reason: z.string() }))
      .describe("The first ones that were not read"),
    skippedCount: Count,
  }),
  errors: [...common, "caller.denied", "source.unreadable", "source.unreachable", "workspace.unavailable"],
  mcp: { untrusted: ["title", "location"] },
  verbatim: ["location"],
  example: { location: "docs" },
});

export const sources = defineOperation({
  name: "research.sources",
  summary: "List the sources that research in this project can use, newest first",
  http: "GET /v1/research/sources",
  actor: "anyone",
  input: z.strictObject({ kind: SourceKind.optional(), ...pageInput }),
  output: pageOf(Source),
  errors: ["input.invalid"],
  mcp: { untrusted: ["title", "location"] },
  example: {},
});

export const remove = defineOperation({
  name: "research.remove",
  summary: "Remove a source with all of its text",
  http: "DELETE /v1/research/sources/{id}",
  actor: "anyone",
  input: z.strictObject({ id: SourceId.describe("Source id") }),
  output: z.object({ source: Source }),
  errors: [...common, "source.not-found"],
  mcp: { untrusted: ["title", "location"] },
  example: { id: "src_01jd8q3m7k4x9t2v5b8n1c" },
});

export const ask = defineOperation({
  name: "research.ask",
  summary: "Answer a question from the sources; each claim shows how its source bears it out",
  http: "POST /v1/research",
  actor: "anyone",
  input: z.strictObject({
    question: Words.describe("What you want to know"),
    maxSources: z.int().min(1).max(20).default(5).describe("Most sources to cite"),
    kind: SourceKind.optional().describe("Only sources of this kind"),
    fresh: z.boolean().default(false).describe("Research again, although the answer is kept"),
    ...modelTerms,
  }),
  output: ResearchAnswer,
  errors: [...common, ...modelErrors],
  mcp: { untrusted: untrustedFields },
  verbatim: ["rehearse"],
  example: { question: "how long is a lease kept after a restart?" },
});

export const check = defineOperation({
  name: "research.check",
  summary: "Check one claim against the sources: quoted, supported or unsupported, with the sentence that decides it",
  http: "GET /v1/research/check",
  actor: "anyone",
  input: z.strictObject({
    claim: Words.describe("One sentence; what stands in quotation marks must be word for word"),
  }),
  output: z.object({ claim: Claim, citations: z.array(Citation) }),
  errors: [...common],
  mcp: { untrusted: untrustedFields },
  example: { claim: "A lease ends after 300 seconds" },
});

export const CodeExample = z.object({
  code: z.string(),
  language: z.string().optional(),
  citation: z.int().min(1),
});
export type CodeExample = Readonly<z.infer<typeof CodeExample>>;

export const examples = defineOperation({
  name: "research.examples",
  summary: "Find code examples about a topic in the sources",
  http: "GET /v1/research/examples",
  actor: "anyone",
  input: z.strictObject({
    topic: Words.describe("What the example should show"),
    language: z.string().min(1).max(40).optional().describe("Only code that is marked as this language"),
    limit: z.int().min(1).max(50).default(5).describe("Most examples to return"),
  }),
  output: z.object({ items: z.array(CodeExample), citations: z.array(Citation), search: z.string() }),
  errors: [...common],
  mcp: { untrusted: [...untrustedFields, "code"] },
  example: { topic: "open a connection", language: "ts" },
});

export const ResearchPaper = z.object({
  title: z.string(),
  depth: z.enum(["overview", "detailed", "comprehensive"]),
  outcome: z.enum(["answered", "no-source"]),
  sections: z
    .array(z.object({ heading: z.string(), claims: z.array(Claim) }))
    .describe("Always Summary, Background, Findings, Limits, in this order; one without claims says so"),
  citations: z.array(Citation),
  confidence: z.number(),
  method: z.enum(["extractive", "model"]),
  search: z.string(),
  sources: Count,
  text: z.string().describe("The paper as Markdown"),
});
export type ResearchPaper = Readonly<z.infer<typeof ResearchPaper>>;

export const paper = defineOperation({
  name: "research.paper",
  summary: "Write a research paper of fixed structure from the sources, every claim with its citation and kind",
  http: "POST /v1/research/papers",
  actor: "anyone",
  input: z.strictObject({
    topic: Words.describe("What it is about"),
    depth: ResearchPaper.shape.depth.default("detailed").describe("How much of the sources goes in"),
    ...modelTerms,
  }),
  output: ResearchPaper,
  errors: [...common, ...modelErrors],
  mcp: { untrusted: untrustedFields },
  verbatim: ["rehearse"],
  example: { topic: "leases and fencing tokens", depth: "overview" },
});

export const compare = defineOperation({
  name: "research.compare",
  summary: "Compare approaches to a topic by what the sources say of each",
  http: "POST /v1/research/compare",
  actor: "anyone",
  input: z.strictObject({
    topic: Words.describe('What is compared; "X vs Y" names the approaches'),
    approaches: z
      .array(z.string().trim().min(1).max(200))
      .max(10)
      .default([])
      .describe("Approaches; default: those of the topic"),
    ...modelTerms,
  }),
  output: z.object({
    topic: z.string(),
    approaches: z.array(
      z.object({
        name: z.string(),
        outcome: z.enum(["answered", "no-source"]),
        claims: z.array(Claim),
        confidence: z.number(),
      }),
    ),
    citations: z.array(Citation),
    text: z.string(),
  }),
  errors: [...common, ...modelErrors],
  mcp: { untrusted: [...untrustedFields, "name"] },
  verbatim: ["rehearse"],
  example: { topic: "leases vs locks" },
});

export const SourceAdded = defineEvent(
  "research.source-added",
  1,
  "A source can be used for research",
  z.object({ source: Source }),
);
export const SourceRemoved = defineEvent(
  "research.source-removed",
  1,
  "A source and all of its text was removed",
  z.object({ source: SourceId, location: z.string() }),
);
export const ResearchAnswered = defineEvent(
  "research.answered",
  1,
  "A question was answered from the sources, or no source said anything",
  z.object({
    question: z.string(),
    outcome: z.enum(["answered", "no-source"]),
    quoted: Count,
    supported: Count,
    unsupported: Count,
    confidence: z.number(),
    cached: z.boolean(),
    model: z.string().optional(),
    ms: z.int(),
  }),
);
