/**
 * Dispatch: the one function all surfaces call.
 *
 *   name, raw input, caller -> validate -> authorise -> take out secrets -> handler(input, call) -> output
 *
 * A handler changes the store only through `call.transact`, which knows the caller's idempotency key; so no operation
 * can forget it.
 */
import {
  DomainError,
  operations,
  parseInput,
  type Caller,
  type Dispatch,
  type Operation,
  type OperationName,
} from "../../contract/index.ts";
import type { Clock } from "../clock/index.ts";
import { defined } from "../defined.ts";
import type { Log } from "../log/index.ts";
import type { Store } from "../store/index.ts";
import type { Call, OperationHandlers } from "./call.ts";
import { callerKey, hashInput, runOnce, type WithIdempotency } from "./idempotency.ts";

type DispatchPorts<Repositories> = {
  readonly handlers: OperationHandlers<Repositories>;
  readonly store: Store<Repositories>;
  readonly clock: Clock;
  readonly log: Log;
  readonly idempotencyKeepMs: number;
  /** Takes secrets out of a change's input. */
  readonly clean: <T>(value: T) => T;
  /** Told how every call ended. */
  readonly onDone?: (done: CallDone) => void;
};

export type CallDone = {
  readonly operation: OperationName;
  readonly kind: Operation["kind"];
  readonly ms: number;
  readonly error?: DomainError;
};

export function createDispatch<Repositories extends WithIdempotency>({
  handlers,
  store,
  clock,
  log,
  idempotencyKeepMs,
  clean,
  onDone,
}: DispatchPorts<Repositories>): Dispatch {
  return async (name, raw, caller, { idempotencyKey, signal } = {}) => {
    const startedAt = clock.monotonic();
    const done = (error?: DomainError): void =>
      onDone?.({
        operation: name,
        kind: operations[name].kind,
        ms: clock.monotonic() - startedAt,
        ...defined({ error }),
      });
    try {
      const operation = operations[name];
      const input = parseInput(operation, raw);
      authorise(operation, caller);
      // The one place that narrows a caller: from here on it is of the kind that the handler's type names.
      const handler = handlers[name] as (input: unknown, call: Call<Repositories>) => Promise<never>;
      const cleaned = cleanInput(operation, input, clean);
      const answer = await answered(handler, cleaned, { caller, transact: store.transact, signal }, input);
      done();
      return answer as never;
    } catch (error) {
      const told = asDomainError(error, name, log);
      done(told);
      throw told;
    }

    function answered(
      handler: (input: unknown, call: Call<Repositories>) => Promise<unknown>,
      cleaned: object,
      call: Call<Repositories>,
      input: unknown,
    ): Promise<unknown> {
      if (idempotencyKey === undefined) return handler(cleaned, call);
      const terms = { ...keyTerms(name, input, caller, idempotencyKey), clock, clean, keepMs: idempotencyKeepMs };
      return runOnce(store, terms, (transact) => handler(cleaned, { ...call, transact }));
    }
  };
}

/** Here, because whatever a handler gets may be stored; what a read is asked for is not. */
function cleanInput(
  { kind, verbatim = [] }: Pick<Operation, "kind"> & { readonly verbatim?: readonly string[] },
  input: object,
  clean: <T>(value: T) => T,
): object {
  if (kind === "read") return input;
  const kept = Object.entries(input).filter(([field]) => verbatim.includes(field));
  return kept.length === 0 ? clean(input) : { ...clean(input), ...Object.fromEntries(kept) };
}

function keyTerms(operation: OperationName, input: unknown, caller: Caller, key: string) {
  return { scope: { caller: callerKey(caller), operation, key }, inputHash: hashInput(input) };
}

function authorise({ name, actor }: (typeof operations)[OperationName], caller: Caller): void {
  if (actor === "anyone" || actor === caller.kind) return;
  const needed = actor === "agent" ? "an agent's token, or the user's token with a project" : "the user's token";
  throw new DomainError("caller.denied", `${name} needs ${needed}`, { details: { needed: actor } });
}

/** Anything that is not one of our errors is a defect: logged once with its cause, answered with a reference to that line. */
function asDomainError(error: unknown, operation: string, log: Log): DomainError {
  if (error instanceof DomainError && error.code !== "internal") return error;
  const reference = log.error("operation.defect", { operation, error });
  return new DomainError(
    "internal",
    `A defect in Sylk stopped ${operation}; "sylk logs" shows the details under ${reference}`,
    {
      details: { reference, operation },
      cause: error,
    },
  );
}
