/**
 * Publishing a finding during the work.
 *
 *   report -> findings near it (same category, same file, a few lines apart) -> one finding, the oldest id -> event
 *             blocking, or blocking now -> a notice to every live agent it concerns, in the same transaction
 *
 * "Near" is taken together with all that is near that again, so which reports are one finding does not depend on the
 * order in which they came.
 */
import {
  type AgentCaller,
  type AgentRef,
  type Finding,
  finding as contract,
  type InputOf,
  invalidInput,
  type OutputOf,
} from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { plainText } from "../../platform/untrusted-text.ts";
import { InvalidPattern, literal } from "../globs/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import { agentsConcerned, notifyOf } from "./notify-concerned.ts";
import { viewFinding } from "./finding-view.ts";
import type { FindingPorts, FindingRepositories, FindingTx } from "./ports.ts";
import type { FindingRecord, FindingReport, FindingState } from "./store.ts";

type Wanted = InputOf<"finding.add">;

const linesApart = 3;
const severities = ["blocking", "important", "informational"] as const;
const severityOfLevel = {
  critical: "blocking",
  high: "blocking",
  medium: "important",
  low: "informational",
  info: "informational",
} as const;

export async function addFinding(
  wanted: Wanted,
  { caller, transact }: AgentCall<FindingRepositories>,
  ports: FindingPorts,
): Promise<OutputOf<"finding.add">> {
  const terms = termsOf(wanted);
  const keysOfRun = wanted.run === undefined ? [] : await ports.sessionKeysOfRun(wanted.run);
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const { newlyBlocking, ...published } = await publish(terms, caller, tx, ports);
    const { finding } = published;
    const concerned = newlyBlocking ? await agentsConcerned(finding, keysOfRun, caller, tx, ports) : [];
    await notifyOf(finding, caller, concerned, tx, ports);
    return { ...published, notified: [...concerned] };
  });
}

/**
 * A finding of the daemon itself; its author need not be live. Those named are told of this report, however often
 * the finding was reported before.
 */
export async function addOwnFinding(
  wanted: Wanted,
  author: Author,
  tell: readonly AgentRef[],
  tx: FindingTx,
  ports: Pick<FindingPorts, "ids" | "clock">,
): Promise<void> {
  const terms = termsOf(wanted);
  const { finding } = await publish(terms, author, tx, ports);
  const { evidence = "" } = terms;
  await notifyOf({ ...finding, summary: terms.summary, evidence }, author, tell, tx, ports, "high");
}

type Author = Pick<AgentCaller, "agent" | "project">;

async function publish(
  terms: Terms,
  { agent, project }: Author,
  tx: FindingTx,
  ports: Pick<FindingPorts, "ids" | "clock">,
) {
  const id = ports.ids.next("fnd");
  const report: FindingReport = {
    ...terms,
    id,
    root: id,
    project: project.id,
    agent,
    publishedAt: ports.clock.now(),
  };
  const { record, wasBlocking, merged } = await store(report, tx);
  const finding = viewFinding(record);
  await tx.events.append(report.project, contract.FindingPublished.of(record.id, { finding, merged }));
  return { finding, merged, newlyBlocking: record.state.worst === "blocking" && !wasBlocking };
}

type Stored = { readonly record: FindingRecord; readonly wasBlocking: boolean; readonly merged: boolean };

async function store(report: FindingReport, tx: FindingTx): Promise<Stored> {
  const roots = [...(await tx.findings.near(report, linesApart))].sort();
  const known: FindingRecord[] = [];
  for (const root of roots) known.push((await tx.findings.find(root))!);
  const wasBlocking = known.some(({ state }) => state.worst === "blocking");
  const [oldest] = known;
  if (oldest === undefined) {
    await tx.findings.insert(report, freshState(report.severity));
    return { record: (await tx.findings.find(report.id))!, wasBlocking, merged: false };
  }
  if (!known.some(({ reports }) => reports.some((other) => saysTheSame(other, report))))
    await tx.findings.insert({ ...report, root: oldest.id }, freshState(report.severity));
  await tx.findings.join(oldest.id, roots.slice(1));
  await tx.findings.setState(oldest.id, together(known, report.severity));
  return { record: (await tx.findings.find(oldest.id))!, wasBlocking, merged: true };
}

function freshState(worst: Finding["severity"]): FindingState {
  return { worst, status: "open", mark: undefined, workItem: undefined };
}

/** When two findings turn out to be one, an accepted one stays accepted, and a work item stays linked. */
function together(known: readonly FindingRecord[], severity: Finding["severity"]): FindingState {
  const states = known.map(({ state }) => state);
  const accepted = states.find(({ status }) => status === "accepted");
  return {
    worst: severities.find((one) => one === severity || states.some(({ worst }) => worst === one))!,
    status: accepted?.status ?? "open",
    mark: accepted?.mark,
    workItem: states.find(({ workItem }) => workItem !== undefined)?.workItem,
  };
}

/** The same agent repeating itself adds nothing. */
function saysTheSame(one: FindingReport, other: FindingReport): boolean {
  const said = ({ agent, model, severity, files }: FindingReport) => JSON.stringify([agent.id, model, severity, files]);
  return said(one) === said(other);
}

type Terms = Omit<FindingReport, "id" | "root" | "project" | "agent" | "publishedAt">;

function termsOf({ summary, severity, level, category, files, evidence, thread, run, model }: Wanted): Terms {
  const derived = severity ?? (level === undefined ? undefined : severityOfLevel[level]);
  if (derived === undefined)
    throw invalidInput("severity", "say blocking, important or informational, or give a level");
  const words = plainText(summary).replaceAll(/\s+/g, " ").trim();
  if (words === "") throw invalidInput("summary", "has no printable character");
  return {
    summary: words,
    severity: derived,
    ...defined({ level }),
    category,
    files: files.map(({ path, line }, index) => ({
      path: checkedPath(path, `files.${index}.path`),
      ...defined({ line }),
    })),
    ...(evidence === undefined ? {} : { evidence: plainText(evidence) }),
    ...defined({ thread, run }),
    model,
  };
}

/** As reservations name it, so that both mean the same file. */
export function checkedPath(path: string, field: string): string {
  try {
    return literal(path).source;
  } catch (error) {
    if (!(error instanceof InvalidPattern)) throw error;
    throw invalidInput(field, error.message, error);
  }
}
