/**
 * The user's seat in a run. A question to the user becomes an approval; its decision becomes the answer.
 *
 *   command of an Engineer  -> approval  -> yes | no
 *   CLARIFICATION_REQUEST   -> question  -> CLARIFICATION_RESPONSE
 *
 * Each question is asked once per run: an answer given before a crash still counts, and one about a command holds for every
 * Engineer of the run. A command whose asker leaves is no longer asked about.
 */
import type { Approval, ApprovalId, RunId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { defined } from "../../platform/defined.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { askPerson, type Question, settle } from "../approvals/index.ts";
import { answerMessages, type RoleHandler } from "../guide/index.ts";
import { nodesOf } from "./run-nodes.ts";
import type { RunTx } from "./store.ts";
import type { CommandQuestion } from "./worker-protocol.ts";

export type UserPorts = {
  readonly store: Store<RunTx>;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Calls back when an approval is decided. Returns a function that unsubscribes. */
  readonly onDecided: (listener: (id: ApprovalId) => void) => () => void;
  /** Removes secrets. */
  readonly clean: <T>(value: T) => T;
};

export async function approveCommand(
  run: RunId,
  { argv, unsandboxed, node }: CommandQuestion,
  signal: AbortSignal,
  ports: UserPorts,
): Promise<boolean> {
  const how = unsandboxed === undefined ? "" : ` without a sandbox (${unsandboxed})`;
  const question = `Run this command${how}? ${argv.join(" ")}`;
  // A person cannot approve a hidden command: "[redacted]" could be anything.
  if (ports.clean(question) !== question)
    throw new Error(
      "the command contains what looks like a secret, so it cannot be shown to the user for approval; run it without the secret",
    );
  const asked = { kind: "command", question, details: [...argv], ...defined({ node }) } as const;
  return (await decided(run, asked, signal, ports)).status === "approved";
}

export function userSeat(run: RunId, ports: UserPorts): RoleHandler {
  const { store, clean } = ports;
  return answerMessages({
    async CLARIFICATION_REQUEST({ payload: { question, node, deadlineAt, defaultAnswer } }, signal) {
      const waits = defined({ node, deadlineAt, defaultAnswer: clean(defaultAnswer) });
      const title = (await nodesOf(run, store.reader.dags)).find(({ id }) => id === node)?.spec.title;
      const details = [
        ...(title === undefined ? [] : [`asked while working on: ${title}`]),
        ...(deadlineAt === undefined || waits.defaultAnswer === undefined
          ? []
          : [`default answer after ${minuteOf(deadlineAt)}: ${waits.defaultAnswer}`]),
      ];
      const asked = { kind: "question", question: clean(question), details, ...waits } as const;
      const answer = answerIn(await decided(run, asked, signal, ports));
      return { type: "CLARIFICATION_RESPONSE", payload: { answer } };
    },
  });
}

function minuteOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function answerIn({ status, answer, reason }: Approval): string {
  if (status === "answered" && answer !== undefined) return answer;
  return `The user did not answer${reason === undefined ? "" : ` (${reason})`}. Decide yourself, or give up`;
}

async function decided(id: RunId, asked: Question, signal: AbortSignal, ports: UserPorts): Promise<Approval> {
  const { store, clock, ids, onDecided } = ports;
  const { id: approval } = await store.transact(id, async (tx) => {
    const known = await tx.approvals.list({ graph: id, project: undefined, waitingOnly: false });
    const same = known.find(
      ({ kind, question, node, status }) =>
        kind === asked.kind &&
        question === asked.question &&
        status !== "expired" &&
        (node === asked.node || (kind === "command" && status !== "waiting")),
    );
    return same ?? askPerson((await tx.runs.find(id))!, asked, tx, { ids, now: clock.now() });
  });
  const news = Promise.withResolvers<void>();
  const stop = onDecided((decidedId) => {
    if (decidedId === approval) news.resolve();
  });
  const abort = (): void => news.reject(signal.reason as Error);
  askers.set(approval, (askers.get(approval) ?? 0) + 1);
  signal.addEventListener("abort", abort, { once: true });
  try {
    signal.throwIfAborted();
    const before = (await store.reader.approvals.find(approval))!;
    if (before.status !== "waiting") return before;
    await news.promise;
    return (await store.reader.approvals.find(approval))!;
  } finally {
    stop();
    signal.removeEventListener("abort", abort);
    news.promise.catch(() => {}); // an abort that comes after the decision is not waited for
    const others = askers.get(approval)! - 1;
    if (others > 0) askers.set(approval, others);
    else askers.delete(approval);
    if (others === 0 && signal.aborted && asked.kind === "command") await withdraw(approval, ports);
  }
}

/** Conversations that wait for an approval, by its id. */
const askers = new Map<ApprovalId, number>();

async function withdraw(id: ApprovalId, { store, clock }: UserPorts): Promise<void> {
  await store.transact(id, async (tx) => {
    const asked = await tx.approvals.find(id);
    if (asked?.status === "waiting" && !askers.has(id))
      await settle(asked, asked.project, { status: "expired", reason: "its asker no longer waits" }, tx, clock);
  });
}
