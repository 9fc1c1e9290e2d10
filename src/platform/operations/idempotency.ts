/**
 * Idempotency: the same key with the same input gets the first answer again; with another input it is refused.
 *
 *   key unknown -> run, keep the answer in the same transaction -> acknowledge
 *   key known   -> the kept answer, also when it was a refusal
 *
 * Scope: caller + operation. Failures (`unavailable`, defects) are never kept: a retry tries again.
 */
import { hash } from "node:crypto";
import { DomainError, fromErrorBody, toErrorBody, type Caller, type ErrorBody } from "../../contract/index.ts";
import type { Clock } from "../clock/index.ts";
import type { Store, Transaction } from "../store/index.ts";

export type KeptAnswer = { readonly inputHash: string; readonly answer: string; readonly at: number };

export type IdempotencyRepository = {
  find(scope: KeyScope): Promise<KeptAnswer | undefined>;
  keep(scope: KeyScope, kept: KeptAnswer): Promise<void>;
  removeBefore(at: number): Promise<number>;
};
export type KeyScope = { readonly caller: string; readonly operation: string; readonly key: string };

export type WithIdempotency = { readonly idempotency: IdempotencyRepository };

type Answer = { readonly value: unknown } | ErrorBody;
/** The first caller gets a refusal as it was thrown, with its cause; later ones get what was kept of it. */
type Answered = { readonly answer: Answer; readonly refusal?: DomainError };

/** Wraps `transact` for one call with a key: the work runs once, whatever becomes of the connection. */
export function transactOnce<Repositories extends WithIdempotency>(
  store: Pick<Store<Repositories>, "transact">,
  { scope, inputHash, clock, keepMs }: { scope: KeyScope; inputHash: string; clock: Clock; keepMs: number },
): Store<Repositories>["transact"] {
  return async function transact<T>(lock: string, work: (tx: Repositories & Transaction) => Promise<T>): Promise<T> {
    const { answer, refusal } = await store.transact(lock, async (tx): Promise<Answered> => {
      const kept = await tx.idempotency.find(scope);
      if (kept !== undefined && kept.at > clock.now() - keepMs) {
        if (kept.inputHash !== inputHash) throw mismatch(scope);
        return { answer: JSON.parse(kept.answer) as Answer };
      }
      const outcome = await tx.attempt(() => work(tx));
      const fresh = outcome.ok ? { answer: { value: outcome.value } } : refused(outcome.error);
      await tx.idempotency.keep(scope, { inputHash, answer: JSON.stringify(fresh.answer), at: clock.now() });
      return fresh;
    });
    if ("error" in answer) throw refusal ?? fromErrorBody(answer);
    return answer.value as T;
  };
}

function refused(error: unknown): Answered {
  if (error instanceof DomainError && error.isRefusal) return { answer: toErrorBody(error), refusal: error };
  throw error;
}

export function callerKey(caller: Caller): string {
  return caller.kind === "agent" ? caller.agent.id : "user";
}

export function hashInput(input: unknown): string {
  return hash("sha256", canonical(input), "hex");
}

/** Key order must not matter: the same body written by another client is the same body. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(",")}}`;
}

function mismatch({ operation }: KeyScope): DomainError {
  return new DomainError(
    "idempotency.mismatch",
    `This Idempotency-Key was used for another ${operation} request; use a new key for a new request`,
    {
      details: { operation },
    },
  );
}
