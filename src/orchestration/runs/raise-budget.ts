/**
 * Raises the token limit of a run: the user's override of a gate that otherwise only refuses.
 *
 *   limit used up -> the node fails -> a higher limit with a reason, in the audit -> run.retry repeats the node
 */
import { type Caller, DomainError, type InputOf, invalidInput, run as contract } from "../../contract/index.ts";
import { actorOf } from "../../platform/audit/index.ts";
import { refuseClosed } from "./guard-run.ts";
import type { RunPorts } from "./run-ports.ts";
import type { RunRecord } from "./store.ts";

/** Check and change share one transaction: what the run spends meanwhile counts. */
export async function raiseBudget(
  { id, tokens, reason }: InputOf<"run.budget">,
  caller: Caller,
  { store, clock }: RunPorts,
): Promise<void> {
  await store.transact(id, async (tx) => {
    const run = (await tx.runs.find(id))!;
    refuseClosed(run);
    const { from, used } = limitOf(run);
    if (tokens <= Math.max(from, used)) throw tooLow(run, tokens, { from, used });
    await tx.runs.setBudget(id, tokens, clock.now());
    const change = { from, to: tokens, reason };
    await tx.events.append(run.project, contract.RunBudgetRaised.of(id, { run: id, session: run.session, ...change }));
    await tx.audit.append({
      actor: actorOf(caller),
      action: "run.budget-raised",
      subject: id,
      project: run.project,
      details: { ...change, used },
    });
  });
}

function limitOf({ id, status, options, cost }: RunRecord): { readonly from: number; readonly used: number } {
  if (options.budget !== undefined) return { from: options.budget, used: cost.inputTokens + cost.outputTokens };
  throw new DomainError("run.not-possible", `Run ${id} has no token limit, so there is none to raise.`, {
    details: { status },
  });
}

function tooLow({ id }: RunRecord, tokens: number, { from, used }: { readonly from: number; readonly used: number }) {
  return invalidInput("tokens", "must be above the limit so far and above what was used", {
    sentence: `${tokens} tokens are not enough: run ${id} has a limit of ${from} and has used ${used}. Name a higher number.`,
  });
}
