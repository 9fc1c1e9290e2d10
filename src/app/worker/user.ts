/**
 * The user's seat in a run: what is asked there becomes an approval, and the decision its answer.
 *
 *   command of an Engineer  -> approval  -> yes | no
 *   CLARIFICATION_REQUEST   -> question  -> CLARIFICATION_RESPONSE
 *
 * Asked once per run: the answer that an earlier worker was given counts.
 */
import type { Approval } from "../../contract/index.ts";
import { answerMessages, type RoleHandler } from "../../orchestration/guide/index.ts";
import type { JournalEntry, RunContext } from "../../orchestration/runs/index.ts";
import { pause } from "../../platform/clock/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Redactor } from "../../platform/redact/index.ts";
import type { SylkClient } from "../../surfaces/client/index.ts";

type Ports = Pick<RunContext, "work" | "record" | "clock"> & {
  readonly user: SylkClient;
  readonly redactor: Redactor;
};
type Asked = Extract<JournalEntry, { kind: "approval" }>;
type Clarification = Pick<Approval, "node" | "deadlineAt" | "defaultAnswer">;

const pollMs = 500;
const mostApprovals = 500;

export function commandApproval(ports: Ports): (argv: readonly string[], signal: AbortSignal) => Promise<boolean> {
  return async (argv, signal) => {
    const question = `Run this command? ${argv.join(" ")}`;
    // Nobody approves what they are not shown: "[redacted]" could be anything.
    if (ports.redactor.text(question) !== question)
      throw new Error("the command holds what looks like a secret, so nobody can be asked about it; do without it");
    const asked: Asked = { kind: "approval", about: "command", question, details: [...argv] };
    return (await decided(asked, signal, ports)).status === "approved";
  };
}

export function userSeat(ports: Ports): RoleHandler {
  return answerMessages({
    async CLARIFICATION_REQUEST({ payload: { question, node, deadlineAt, defaultAnswer } }, signal) {
      const waits = {
        ...defined({ node, deadlineAt }),
        ...(defaultAnswer === undefined ? {} : { defaultAnswer: ports.redactor.text(defaultAnswer) }),
      };
      const details = await detailsOf(waits, ports);
      const asked: Asked = {
        kind: "approval",
        about: "question",
        question: ports.redactor.text(question),
        details,
        waits,
      };
      return { type: "CLARIFICATION_RESPONSE", payload: { answer: answerIn(await decided(asked, signal, ports)) } };
    },
  });
}

async function detailsOf(
  { node, deadlineAt, defaultAnswer }: Clarification,
  { work, user }: Ports,
): Promise<readonly string[]> {
  const { nodes } = (await user.call("run.get", { id: work.run.id })).run;
  const title = nodes.find(({ id }) => id === node)?.title;
  return [
    ...(title === undefined ? [] : [`asked while working on: ${title}`]),
    ...(deadlineAt === undefined || defaultAnswer === undefined
      ? []
      : [`without an answer until ${minuteOf(deadlineAt)} it goes on with: ${defaultAnswer}`]),
  ];
}

function minuteOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function answerIn({ status, answer, reason }: Approval): string {
  if (status === "answered" && answer !== undefined) return answer;
  return `The user gives no answer${reason === undefined ? "" : ` (${reason})`}: decide yourself, or give up`;
}

async function decided(asked: Asked, signal: AbortSignal, { work, record, clock, user }: Ports): Promise<Approval> {
  const { about, question, waits } = asked;
  const find = async () =>
    (await user.call("approval.list", { run: work.run.id, limit: mostApprovals })).items.find(
      (approval) => approval.kind === about && approval.question === question && approval.node === waits?.node,
    );
  if ((await find()) === undefined) await record(asked);
  for (;;) {
    const approval = await find();
    if (approval !== undefined && approval.status !== "waiting") return approval;
    await pause(pollMs, clock, signal, { keepAlive: true });
    signal.throwIfAborted();
  }
}
