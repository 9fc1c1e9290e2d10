/**
 * A task of a client's own list, mirrored as a work item that names it as its `externalId`.
 *
 *   created   -> unknown here: added, open           -> known: nothing
 *   completed -> unknown here: added, closed         -> open here: closed   -> held or closed here: nothing
 *
 * Our work items are the truth: what was changed here stays, a claim is not ended by another list, and whatever that list
 * leaves undone stays in the queue. So an event that comes twice, late, or never loses nothing.
 */
import { DomainError, type AgentCaller, type ClientTask, type Dispatch } from "../../contract/index.ts";

type Change = { readonly change: "created" | "completed"; readonly task: ClientTask };

export async function mirrorTask({ change, task }: Change, caller: AgentCaller, dispatch: Dispatch): Promise<void> {
  const id = task.key;
  const reason = `completed in ${task.list}${task.by === undefined ? "" : ` by ${task.by}`}`;
  const known = await dispatch("work-item.get", { id }, caller).catch(unless("work-item.not-found"));
  if (known === undefined) {
    const state = change === "created" ? { status: "open" } : { status: "closed", close_reason: reason };
    const line = { id, title: task.title, description: task.details, issue_type: "task", labels: ["agent-teams"] };
    await dispatch("work-item.import", { lines: [JSON.stringify({ ...line, ...state })] }, caller);
  } else if (change === "completed")
    await dispatch("work-item.close", { id, reason }, caller).catch(unless("claim.taken", "work-item.closed"));
}

function unless(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof DomainError && codes.includes(error.code))) throw error;
    return undefined;
  };
}
