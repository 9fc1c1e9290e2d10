/**
 * Questions of Engineers.
 *
 *   TASK_HELP of an Engineer -> the Architect -> its answer, or "only the user can answer"
 *   a blocked node           -> the Architect asks the user -> the answer -> the node continues
 *
 * A blocked node is recorded with its question, so after a crash the next daemon asks again.
 */
import { type MessageOf, NodeId } from "../../contract/index.ts";
import type { BlockRequest, DagRun, NodeRecord } from "../../orchestration/dag/index.ts";
import type { Answer, SessionRouter } from "../../orchestration/guide/index.ts";
import { runDeadlineMs } from "../../orchestration/runs/index.ts";

type Ports = { readonly guide: Pick<SessionRouter, "ask"> };

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

/** Gets an answer for every node that a question blocks, now or later. */
export function answerBlocked(
  run: Pick<DagRun, "subscribe" | "unblock">,
  restored: ReadonlyMap<string, NodeRecord>,
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
    const terms = { deadlineMs: runDeadlineMs, signal: AbortSignal.any([signal, leaving.signal]) };
    const answer = await guide
      .ask("orchestrator", "architect", "TASK_HELP", { node: NodeId.parse(node), question, forUser }, terms)
      .then(
        ({ payload }) => String(payload.answer),
        // Nothing else unblocks the node. The Engineer can still decide, or give up.
        (error: unknown) => `the user could not be asked (${error instanceof Error ? error.message : String(error)})`,
      );
    if (terms.signal.aborted) return;
    // The engine refuses this when the node no longer waits. A failing journal ends the run anyway.
    await run.unblock(node, answer).catch(() => {});
  }
  run.subscribe(({ node, from, to, block }) => {
    if (from === "blocked") waiting.get(node)?.abort();
    if (to === "blocked" && block?.on === "clarification") void ask(node, block);
  });
  for (const [node, { state, block }] of restored)
    if (state === "blocked" && block?.on === "clarification") void ask(node, block);
}
