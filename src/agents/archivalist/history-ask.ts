/** The operations on the archive, as the role calls them: for the caller that asked it, with the operation's own defaults. */
import { operations, type OutputOf, parseInput, type RawInputOf } from "../../contract/index.ts";
import type { AgentCall, OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";

type HistoryOperation = OperationsOn<"history">;
export type HistoryAsk = <Name extends HistoryOperation>(
  name: Name,
  input: RawInputOf<Name>,
) => Promise<OutputOf<Name>>;

export function historyAsk<Tx>(call: AgentCall<Tx>, handlers: OperationHandlers<Tx, HistoryOperation>): HistoryAsk {
  return (name, input) => {
    const handler = handlers[name] as (input: unknown, call: AgentCall<Tx>) => Promise<never>;
    return handler(parseInput(operations[name], input), call);
  };
}
