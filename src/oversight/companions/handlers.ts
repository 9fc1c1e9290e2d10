/** Handler of companions: what `contract/companion.ts` names. The files are read by `adapters/installation`. */
import type { Companion } from "../../contract/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";

export function companionHandlers({
  companions,
}: {
  readonly companions: () => readonly Companion[];
}): OperationHandlers<object, OperationsOn<"companion">> {
  return { "companion.list": async () => ({ items: [...companions()] }) };
}
