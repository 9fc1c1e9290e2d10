/**
 * Idempotency: the same key with the same input gets the first answer again; with another input it is refused.
 *
 *   key unknown -> run, keep the answer in the same transaction -> acknowledge
 *   key known   -> the kept answer, also when it was a refusal
 *
 * An answer that comes before any transaction, or without one, is kept afterwards as a whole.
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
  /** Answers to these callers, and answers to other callers that mention one of the ids. */
  removeAbout(callers: readonly string[], ids: readonly string[]): Promise<number>;
};
export type KeyScope = { readonly caller: string; readonly operation: string; readonly key: string };

export type WithIdempotency = { readonly idempotency: IdempotencyRepository };

type Answer = ({ readonly value: unknown } | ErrorBody) & {
  /** The operation's own answer; otherwise its transaction's, which the operation may still add to. */
  readonly whole?: true;
};
/** The first caller gets a refusal as it was thrown, with its cause; later ones get what was kept of it. */
type Answered = { readonly answer: Answer; readonly refusal?: DomainError };

type KeyTerms = {
  readonly scope: KeyScope;
  readonly inputHash: string;
  readonly clock: Clock;
  /** Takes secrets out of what is kept. */
  readonly clean: <T>(value: T) => T;
  readonly keepMs: number;
};
type Handle<Repositories> = (transact: Store<Repositories>["transact"]) => Promise<unknown>;

/** Runs an operation for one call with a key: once, whatever becomes of the connection. */
export async function runOnce<Repositories extends WithIdempotency>(
  store: Store<Repositories>,
  terms: KeyTerms,
  handle: Handle<Repositories>,
): Promise<unknown> {
  const known = keptAnswer(await findEarlier(store, terms), terms);
  if (known?.whole) return valueOf({ answer: known });
  const once = transactOnce(store, terms);
  let entered = false;
  const transact: Store<Repositories>["transact"] = (lock, work) => {
    entered = true;
    return once(lock, work);
  };
  const keepWhole = (answer: Answer): Promise<void> =>
    store
      .transact(terms.scope.key, async (tx) => {
        if (keptAnswer(await tx.idempotency.find(terms.scope), terms) !== undefined) return;
        await keep(tx, { ...answer, whole: true }, terms);
      })
      .catch(unlessUnavailable); // what was done without the store stays done; it just cannot be told again
  try {
    const value = await handle(transact);
    if (!entered) await keepWhole({ value });
    return value;
  } catch (error) {
    if (!entered && error instanceof DomainError && error.isRefusal) await keepWhole(toErrorBody(error));
    throw error;
  }
}

/** Operations that need no store, such as stopping the daemon, work on when it cannot be read. */
function findEarlier<Repositories extends WithIdempotency>(
  { reader }: Store<Repositories>,
  { scope }: KeyTerms,
): Promise<KeptAnswer | undefined> {
  return reader.idempotency.find(scope).catch(unlessUnavailable);
}

function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof DomainError && error.family === "unavailable")) throw error;
  return undefined;
}

/** Wraps `transact`: the answer is kept with the change itself. */
function transactOnce<Repositories extends WithIdempotency>(
  store: Pick<Store<Repositories>, "transact">,
  terms: KeyTerms,
): Store<Repositories>["transact"] {
  return async function transact<T>(lock: string, work: (tx: Repositories & Transaction) => Promise<T>): Promise<T> {
    const answered = await store.transact(lock, async (tx): Promise<Answered> => {
      const kept = keptAnswer(await tx.idempotency.find(terms.scope), terms);
      if (kept !== undefined) return { answer: kept };
      const outcome = await tx.attempt(() => work(tx));
      const fresh = outcome.ok ? { answer: { value: outcome.value } } : refused(outcome.error);
      await keep(tx, fresh.answer, terms);
      return fresh;
    });
    return valueOf(answered) as T;
  };
}

function keptAnswer(kept: KeptAnswer | undefined, { scope, inputHash, clock, keepMs }: KeyTerms): Answer | undefined {
  if (kept === undefined || kept.at <= clock.now() - keepMs) return undefined;
  if (kept.inputHash !== inputHash) throw mismatch(scope);
  return JSON.parse(kept.answer) as Answer;
}

/** The input of a transaction was cleaned when it came in; a refusal or an answer from elsewhere may quote anything. */
async function keep(tx: WithIdempotency, answer: Answer, { scope, inputHash, clock, clean }: KeyTerms): Promise<void> {
  const kept = "error" in answer || answer.whole ? clean(answer) : answer;
  await tx.idempotency.keep(scope, { inputHash, answer: JSON.stringify(kept), at: clock.now() });
}

function valueOf({ answer, refusal }: Answered): unknown {
  if ("error" in answer) throw refusal ?? fromErrorBody(answer);
  return answer.value;
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
