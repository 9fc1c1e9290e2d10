/**
 * Messages of a session as a caller asks for them.
 *
 *   session, type, priority -> those that are kept -> none? a filtered subscription until one passes, or the time is over
 */
import type { InputOf, OutputOf } from "../../contract/index.ts";
import { type Clock, pause } from "../../platform/clock/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Guide } from "./guide.ts";
import { messageFilter } from "./message-filter.ts";

type Ports = { readonly guide: Pick<Guide, "messages" | "watch">; readonly clock: Clock };

export async function readMessages(
  { id: session, type, minPriority, after, limit, waitMs }: InputOf<"session.messages">,
  { guide, clock }: Ports,
  signal?: AbortSignal,
): Promise<OutputOf<"session.messages">> {
  const filter = { session, ...defined({ types: type && [type], minPriority }) };
  const accepts = messageFilter(filter);
  const found = () =>
    guide.messages(session).items.filter((each) => each.sequence > after && accepts({ ...each, session }));
  if (waitMs > 0 && found().length === 0) {
    const seen = new AbortController();
    const stop = guide.watch("**", () => seen.abort(), filter);
    await pause(waitMs, clock, signal === undefined ? seen.signal : AbortSignal.any([signal, seen.signal]));
    stop();
  }
  const { lastSequence, forgotten } = guide.messages(session);
  return { items: found().slice(-limit), lastSequence, forgotten };
}
