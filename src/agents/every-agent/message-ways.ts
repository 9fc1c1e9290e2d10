/** Who may send what to whom, as the registry of messages says. */
import { messageTypes, type MessageType, type RoleName } from "../../contract/index.ts";

type Way = { readonly from: readonly RoleName[]; readonly to: readonly RoleName[] };

export function maySend(type: MessageType, { from, to }: { readonly from?: RoleName; readonly to: RoleName }): boolean {
  const ways: readonly Way[] = messageTypes[type].ways;
  return ways.some((way) => way.to.includes(to) && (from === undefined || way.from.includes(from)));
}

/** Message types somebody is asked by. */
export function askedBy(to: RoleName): readonly MessageType[] {
  return (Object.keys(messageTypes) as MessageType[]).filter((type) => maySend(type, { to }));
}
