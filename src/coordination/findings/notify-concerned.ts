/**
 * A blocking finding concerns live agents that hold one of its files, work in the same thread or for the same run.
 * Each gets an urgent notice, which `agent.heartbeat` counts, so that a hook sees it at the agent's next call.
 */
import {
  MessageId,
  WorkItemId,
  type AgentCaller,
  type AgentRef,
  type Importance,
  type PublishedFinding,
} from "../../contract/index.ts";
import { postMessage } from "../mail/index.ts";
import { glob, literal, matches } from "../globs/index.ts";
import { refOf } from "../registry/index.ts";
import type { FindingPorts, FindingTx } from "./ports.ts";

const evidenceInNotice = 2_000;

export async function agentsConcerned(
  finding: PublishedFinding,
  keysOfRun: readonly string[],
  { agent: reporter, project }: AgentCaller,
  tx: FindingTx,
  { liveness, leases }: FindingPorts,
): Promise<readonly AgentRef[]> {
  const held = (await tx.reservations.live(project.id)).filter(
    (held) => leases.isLive(held) && covers(held, finding.files),
  );
  const concerned = new Set<string>([
    ...held.map(({ holder }) => holder.id),
    ...(await tx.findings.reporters({ project: project.id, thread: finding.thread, run: finding.run })),
    ...(await agentsOfThread(finding.thread, tx)),
  ]);
  const live = (await tx.agents.list({ project: project.id, includeGone: false })).filter(
    (record) => liveness.statusOf(record) !== "offline",
  );
  return live
    .filter(({ id, sessionKey }) => id !== reporter.id && (concerned.has(id) || keysOfRun.includes(sessionKey)))
    .map(refOf);
}

/** A thread may be a message's or a work item's; then those who take part in it belong to it too. */
async function agentsOfThread(thread: string | undefined, tx: FindingTx): Promise<readonly string[]> {
  const message = MessageId.safeParse(thread);
  if (message.success) return tx.mail.participants(message.data);
  const item = WorkItemId.safeParse(thread);
  const owner = item.success ? (await tx.workItems.find(item.data))?.owner : undefined;
  return owner === undefined ? [] : [owner.id];
}

/** Whether a reservation holds one of these files; the one matcher of paths decides. */
export function covers(
  { paths, patterns }: { readonly paths: readonly string[]; readonly patterns: readonly string[] },
  files: PublishedFinding["files"],
): boolean {
  const held = [...paths.map((path) => literal(path)), ...patterns.map((text) => glob(text))];
  return files.some(({ path }) => held.some((one) => matches(one, path)));
}

export async function notifyOf(
  { id, summary, files, evidence = "" }: PublishedFinding,
  { agent: from, project }: Pick<AgentCaller, "agent" | "project">,
  to: readonly AgentRef[],
  tx: FindingTx,
  { ids, clock }: Pick<FindingPorts, "ids" | "clock">,
  importance: Importance = "urgent",
): Promise<void> {
  if (to.length === 0) return;
  const message = ids.next("msg");
  const places = files.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`));
  await postMessage(
    {
      id: message,
      thread: message,
      project: project.id,
      from,
      audience: "agents",
      to,
      content: { kind: "finding", finding: id },
      subject: summary.slice(0, 300),
      body: [...places, evidence.slice(0, evidenceInNotice)].filter((part) => part !== "").join("\n"),
      importance,
      sentAt: clock.now(),
    },
    tx,
  );
}
