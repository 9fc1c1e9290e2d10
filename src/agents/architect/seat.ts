/**
 * The Architect's seat in a run: what needs no model is answered here, the rest by its worker.
 *
 *   VALIDATION_CORRECTIONS, TEST_CORRECTIONS -> kept for the check's result, which is judged
 *   TASK_HELP of a blocked node              -> CLARIFICATION_REQUEST to the user -> the answer
 *   USER_INPUT                               -> with a briefing from the archive to the worker, where the model is
 *   TASK_HELP                                -> the worker
 */
import type { MessageOf, RunId } from "../../contract/index.ts";
import type { RoleHandler, SessionRouter } from "../../orchestration/guide/index.ts";
import { runDeadlineMs } from "../../orchestration/runs/index.ts";
import type { Corrections } from "../shared/checks/index.ts";

type Ports = {
  readonly run: RunId;
  readonly guide: Pick<SessionRouter, "ask">;
  readonly corrections: Corrections;
  readonly worker: RoleHandler;
  /** What the archive knows about a request; undefined where it knows nothing, or is not asked. */
  readonly brief: (request: string) => Promise<string | undefined>;
};

export function architectSeat({ run, guide, corrections, worker, brief }: Ports): RoleHandler {
  return async (message, signal) => {
    if (message.type === "VALIDATION_CORRECTIONS" || message.type === "TEST_CORRECTIONS") {
      const taken = corrections.add(run, message.from, message.payload.findings);
      return { type: "ACK", payload: { taken } };
    }
    if (message.type === "TASK_HELP" && message.payload.forUser !== undefined)
      return { type: "ACK", payload: { answer: await askUser(message, signal, guide) } };
    if (message.type !== "USER_INPUT") return worker(message, signal);
    const { payload } = message;
    const briefing = await brief(payload.text);
    const briefed = briefing === undefined ? payload : { ...payload, data: { ...payload.data, briefing } };
    return worker({ ...message, payload: briefed }, signal);
  };
}

async function askUser(parent: MessageOf<"TASK_HELP">, signal: AbortSignal, guide: Ports["guide"]): Promise<string> {
  const { node, question, forUser } = parent.payload;
  const { payload } = await guide.ask(
    "architect",
    "user",
    "CLARIFICATION_REQUEST",
    { question, onBehalfOf: "engineer", node, ...forUser },
    { parent, deadlineMs: runDeadlineMs, signal },
  );
  return payload.answer;
}
