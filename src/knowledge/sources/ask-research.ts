/**
 * A question to its answer.
 *
 *   pre-research (kept already?) -> passages -> claims: extracted, or a model's -> kinds, confidence -> post-research (kept)
 */
import { hash } from "node:crypto";
import {
  type ArchiveSession,
  type Caller,
  type Claim,
  type Citation,
  type InputOf,
  type ProjectId,
  research as contract,
  type ResearchAnswer,
} from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Call } from "../../platform/operations/index.ts";
import { type Saving, tokensOf } from "../archive/index.ts";
import { extractClaims } from "./extract-answer.ts";
import { findPassages, type PassageQuestion, toCitation } from "./find-passages.ts";
import { judgeClaim } from "./judge-claim.ts";
import { mergeAnswers } from "./merge-answers.ts";
import type { SourcePorts, SourceRepositories } from "./ports.ts";
import { projectOf } from "./project-of.ts";
import { confidenceOf } from "./source-quality.ts";
import { answerText } from "./answer-text.ts";
import { answerPrompt, claimsOf } from "./write-answer.ts";

export type ResearchPorts = Pick<SourcePorts, "store" | "clock" | "hooks" | "write" | "vectors" | "sessionOf">;
export type ResearchQuestion = Omit<InputOf<"research.ask">, "fresh"> &
  Pick<PassageQuestion, "about" | "ofDocument"> & { readonly fresh?: boolean };
type Written = {
  readonly claims: readonly Claim[];
  readonly method: ResearchAnswer["method"];
  readonly model?: string;
  readonly label?: string | undefined;
  readonly tokens?: number | undefined;
};

const mostText = 500;

export async function askResearch(
  input: ResearchQuestion,
  call: Call<SourceRepositories>,
  ports: ResearchPorts,
): Promise<ResearchAnswer> {
  const project = projectOf(call.caller);
  const startedAt = ports.clock.monotonic();
  const answer = await answerQuestion(input, project, ports, call.signal);
  const ms = Math.round(ports.clock.monotonic() - startedAt);
  const savings = await savingsOf([answer], call.caller, ports);
  return call.transact(project, async (tx) => {
    for (const saving of savings) await tx.archive.addSaving(project, saving);
    await tx.events.append(project, contract.ResearchAnswered.of(project, factsOf(answer, ms)));
    return answer;
  });
}

/** Answers several questions in turn. Those that were kept count as cache hits of the caller's session. */
export async function answerAll(
  questions: readonly ResearchQuestion[],
  { caller, signal }: Pick<Call<SourceRepositories>, "caller" | "signal">,
  ports: ResearchPorts,
): Promise<readonly ResearchAnswer[]> {
  const project = projectOf(caller);
  const answers: ResearchAnswer[] = [];
  for (const question of questions) answers.push(await answerQuestion(question, project, ports, signal));
  const savings = await savingsOf(answers, caller, ports);
  // Not the call's own transaction: what that one returns is the answer to a repeated call.
  if (savings.length > 0)
    await ports.store.transact(project, async (tx) => {
      for (const saving of savings) await tx.archive.addSaving(project, saving);
    });
  return answers;
}

/** What the kept ones among these answers saved. */
async function savingsOf(
  answers: readonly ResearchAnswer[],
  caller: Caller,
  { sessionOf, clock }: ResearchPorts,
): Promise<readonly Saving[]> {
  const reused = answers.filter(({ cached }) => cached);
  const session = reused.length === 0 ? undefined : await sessionOf(caller);
  return session === undefined ? [] : reused.map((answer) => reuseOf(answer, session, clock.now()));
}

export async function answerQuestion(
  input: ResearchQuestion,
  project: ProjectId,
  ports: ResearchPorts,
  signal: AbortSignal = new AbortController().signal,
): Promise<ResearchAnswer> {
  const { sources } = ports.store.reader;
  const asked = {
    project,
    question: input.question,
    key: await keyOf(input, project, ports),
    fresh: input.fresh ?? false,
  };
  const kept = await ports.hooks.before("pre-research", asked);
  if (kept !== undefined) return { ...kept, cached: true };
  const { passages, search } = await findPassages({ ...input, project }, sources, ports.vectors);
  const citations = passages.map((passage, index) => toCitation(passage, index + 1));
  const written = await writeClaims(input, citations, ports, signal);
  // Numbered as they are cited: the first source that is named is [1].
  const { claims: merged, citations: shown } = mergeAnswers([{ claims: [...written.claims], citations }]);
  const claims = merged[0] ?? [];
  const count = await sources.count(project, input.kind);
  const whole: Omit<ResearchAnswer, "text"> = {
    question: input.question,
    outcome: claims.length === 0 ? "no-source" : "answered",
    claims: [...claims],
    citations: shown,
    confidence: confidenceOf(claims, shown),
    method: written.method,
    search,
    sources: count,
    cached: false,
    at: ports.clock.now(),
    ...defined({ model: written.model, label: written.label, tokens: written.tokens }),
    notes: count === 0 ? ["this project has no source yet: sylk research add <folder, file or address>"] : [],
  };
  const answer = { ...whole, text: answerText(whole) };
  await ports.hooks.after("post-research", { ...asked, answer });
  return answer;
}

async function writeClaims(
  { question, model, provider, rehearse }: ResearchQuestion,
  citations: readonly Citation[],
  { write, vectors }: ResearchPorts,
  signal: AbortSignal,
): Promise<Written> {
  const wantsModel = model || provider !== undefined || rehearse !== undefined;
  // Without a passage there is nothing that a model could say.
  if (!wantsModel || citations.length === 0)
    return { claims: extractClaims(question, citations, vectors), method: "extractive" };
  const said = await write({ ...answerPrompt(question, citations), provider, rehearse, signal });
  const { model: writer, label, usage } = said;
  const tokens = usage === undefined ? undefined : usage.inputTokens + usage.outputTokens;
  return { claims: claimsOf(said.text, citations), method: "model", model: writer, label, tokens };
}

/** An answer that no model wrote saves no call. Unknown cost is estimated by question and answer. */
function reuseOf({ question, text, method, tokens }: ResearchAnswer, session: ArchiveSession, at: number): Saving {
  const estimated = method === "model" ? tokensOf(question) + tokensOf(text) : 0;
  return {
    session,
    kind: "cache-hit",
    what: "research",
    avoided: tokens ?? estimated,
    isMeasured: tokens !== undefined,
    context: 0,
    serving: 0,
    at,
  };
}

export async function checkClaim(
  { claim }: InputOf<"research.check">,
  caller: Pick<Caller, "project">,
  ports: Pick<ResearchPorts, "store" | "vectors">,
): Promise<{ readonly claim: Claim; readonly citations: Citation[] }> {
  const project = projectOf(caller);
  const wanted = { question: claim, project, maxSources: 20 };
  const { passages } = await findPassages(wanted, ports.store.reader.sources, ports.vectors);
  let refused: Claim = { text: claim, kind: "unsupported", reason: "no source says anything about it" };
  for (const [index, passage] of passages.entries()) {
    const citation = toCitation(passage, 1);
    const judged = judgeClaim(claim, citation.text);
    if (judged.kind !== "unsupported") return { claim: { text: claim, citation: 1, ...judged }, citations: [citation] };
    if (index === 0) refused = { text: claim, ...judged };
  }
  return { claim: refused, citations: [] };
}

/** Another question, other terms or other sources: another answer. */
async function keyOf(input: ResearchQuestion, project: ProjectId, { store, vectors }: ResearchPorts): Promise<string> {
  const { question, about, ofDocument, maxSources, kind, model, provider, rehearse } = input;
  const words = question.toLowerCase().replaceAll(/\s+/g, " ").trim();
  const stamp = await store.reader.sources.stamp(project);
  const terms = [words, about, ofDocument, maxSources, kind, model, provider, rehearse, vectors?.name, stamp];
  return hash("sha256", JSON.stringify(terms), "hex").slice(0, 32);
}

function factsOf({ question, outcome, claims, confidence, cached, model }: ResearchAnswer, ms: number) {
  const count = (kind: Claim["kind"]): number => claims.filter((claim) => claim.kind === kind).length;
  return {
    question: question.slice(0, mostText),
    outcome,
    quoted: count("quoted"),
    supported: count("supported"),
    unsupported: count("unsupported"),
    confidence,
    cached,
    ...defined({ model }),
    ms,
  };
}
