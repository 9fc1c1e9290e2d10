/**
 * How full each session's context is now, as its client says at every turn: the effective meter, beside what was billed.
 * In memory only: a closed window says nothing.
 */
import type { Clock } from "../../platform/clock/index.ts";

export type ContextNow = { readonly used: number; readonly size: number | undefined; readonly at: number };
export type ContextFeed = {
  note(session: string, context: Omit<ContextNow, "at">): void;
  of(session: string): ContextNow | undefined;
};

const mostSessions = 1_000;

export function createContextFeed(clock: Clock): ContextFeed {
  const known = new Map<string, ContextNow>();
  return {
    note(session, context) {
      known.delete(session);
      known.set(session, { ...context, at: clock.now() });
      if (known.size > mostSessions) known.delete(known.keys().next().value!);
    },
    of: (session) => known.get(session),
  };
}
