/** A handler's view of a call: its caller, its transaction, its signal. */
import type { AgentCaller, Caller, Handlers, OperationName } from "../../contract/index.ts";
import type { Store } from "../store/index.ts";

/** The part of a call that does not depend on its operation. */
export type CallContext<Repositories> = {
  /** Knows the caller's idempotency key: the first transaction keeps the answer for retries. */
  readonly transact: Store<Repositories>["transact"];
  /** Aborted when the caller no longer waits for the answer. */
  readonly signal?: AbortSignal | undefined;
};

export type Call<Repositories, Who extends Caller = Caller> = CallContext<Repositories> & { readonly caller: Who };

/** A call of an operation whose actor is "agent". */
export type AgentCall<Repositories> = Call<Repositories, AgentCaller>;

/** All operations of a noun: `OperationsOn<"mail">` is "mail.send" | "mail.inbox" | … */
export type OperationsOn<Noun extends string> = Extract<OperationName, `${Noun}.${string}`>;

/** Handlers of the named operations, over a store that has at least these repositories. */
export type OperationHandlers<Repositories, Name extends OperationName = OperationName> = Pick<
  Handlers<CallContext<Repositories>>,
  Name
>;
