/** Who may send what to whom, as the registry of messages says. */
import { messageTypes, type MessageType, type RoleName } from "../../contract/index.ts";

export function maySend(type: MessageType, { from, to }: { readonly from?: RoleName; readonly to: RoleName }): boolean {
  const terms: { readonly from: readonly RoleName[]; readonly to: readonly RoleName[] } = messageTypes[type];
  return terms.to.includes(to) && (from === undefined || terms.from.includes(from));
}

/** Message types somebody is asked by. */
export function askedBy(to: RoleName): readonly MessageType[] {
  return (Object.keys(messageTypes) as MessageType[]).filter((type) => maySend(type, { to }));
}
