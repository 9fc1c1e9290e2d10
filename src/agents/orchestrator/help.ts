/**
 * Questions of Engineers.
 *
 *   TASK_HELP of an Engineer -> the Architect -> its answer, or "only the user can say it"
 *   a node that is blocked   -> the Architect asks the user -> the answer -> the node goes on
 *
 * A blocked node is on record with its question, so a later worker asks on where this one was cut off.
 */
import { type Message, type MessageOf, NodeId } from "../../contract/index.ts";
import type { BlockRequest, DagRun, NodeRecord } from "../../orchestration/dag/index.ts";
import type { Answer } from "../../orchestration/guide/index.ts";
import { type RunContext, runDeadlineMs } from "../../orchestration/runs/index.ts";

type Ports = Pick<RunContext, "guide">;

const minuteMs = 60_000;
const helpDeadlineMs = 5 * minuteMs;

export async function passOnHelp(
  parent: MessageOf<"TASK_HELP">,
  signal: AbortSignal,
  { guide }: Ports,
): Promise<Answer<"TASK_HELP">> {
  const terms = { parent, deadlineMs: helpDeadlineMs, signal };
  const { payload } = await guide.ask("orchestrator", "architect", "TASK_HELP", parent.payload, terms);
  return { type: "ACK", payload };
}

/** Sees to it that whatever is blocked by a question, now or later, gets its answer. */
export function answerBlocked(
  run: Pick<DagRun, "subscribe" | "unblock">,
  restored: ReadonlyMap<string, NodeRecord>,
  parent: Message,
  signal: AbortSignal,
  { guide }: Ports,
): void {
  const waiting = new Map<string, AbortController>();
  async function ask(node: string, { question, deadlineAt, defaultAnswer }: BlockRequest): Promise<void> {
    const leaving = new AbortController();
    waiting.set(node, leaving);
    const forUser = {
      ...(deadlineAt === undefined ? {} : { deadlineAt }),
      ...(typeof defaultAnswer === "string" ? { defaultAnswer } : {}),
    };
    const terms = { parent, deadlineMs: runDeadlineMs, signal: AbortSignal.any([signal, leaving.signal]) };
    const answer = await guide
      .ask("orchestrator", "architect", "TASK_HELP", { node: NodeId.parse(node), question, forUser }, terms)
      .then(
        ({ payload }) => String(payload.answer),
        // Nobody unblocks it otherwise; who asked can still decide, or give up.
        (error: unknown) => `nobody could be asked (${error instanceof Error ? error.message : String(error)})`,
      );
    if (terms.signal.aborted) return;
    // Refused when it no longer waits; a journal that fails ends the run by itself.
    await run.unblock(node, answer).catch(() => {});
  }
  run.subscribe(({ node, from, to, block }) => {
    if (from === "blocked") waiting.get(node)?.abort();
    if (to === "blocked" && block !== undefined) void ask(node, block);
  });
  for (const [node, { state, block }] of restored)
    if (state === "blocked" && block !== undefined) void ask(node, block);
}
