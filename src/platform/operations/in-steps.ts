/** For operations that work in several transactions around git or other programs. */
import type { Store } from "../store/index.ts";
import type { CallContext } from "./call.ts";

/**
 * The same call, without the idempotency of its `transact`: the first of several transactions is not the answer. Dispatch
 * keeps the whole answer for a retry, once the handler has it.
 */
export function inSteps<Repositories, Given extends CallContext<Repositories>>(
  call: Given,
  { transact }: Pick<Store<Repositories>, "transact">,
): Given {
  return { ...call, transact };
}
