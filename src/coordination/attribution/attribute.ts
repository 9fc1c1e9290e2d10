/**
 * Finds the agents that may have changed a file, from the tool calls around the change. Pure; says what the answer rests on
 * and claims no more than that.
 *
 *   named        a call under way said that it would write this file
 *   under-way    a call with unknown write targets was under way: it has not reported its end
 *   time-window  such a call has just ended, or is recent and its client never reports an end
 *   unknown      no such call is known
 *
 * The first that holds is the answer. What a call named was read at its end, so a later change of it is another's.
 */
import type { AgentRef } from "../../contract/index.ts";
import { glob, InvalidPattern, matches } from "../globs/index.ts";
import { lateMs, type ToolCall } from "../guard/index.ts";

export type Attribution<Call extends ToolCall = ToolCall> =
  | { readonly basis: "named" | "under-way" | "time-window"; readonly calls: readonly [Call, ...Call[]] }
  | { readonly basis: "unknown"; readonly calls: readonly [] };

/** How long a call counts whose client never reports an end. */
export const endlessMs = 120_000;

const ranks = ["named", "under-way", "time-window"] as const;

/** `at` on the monotonic clock; `calls` of the file's tree. One pass: this runs before every write of a changed file. */
export function attribute<Call extends ToolCall>(
  path: string,
  at: number,
  calls: readonly Call[],
  /** Where contents are not kept, a change that is seen late cannot be told from a later one. */
  namedLateMs = 0,
): Attribution<Call> {
  const found: Record<(typeof ranks)[number], Call[]> = { named: [], "under-way": [], "time-window": [] };
  for (const call of calls) {
    if (call.startedAt > at) continue;
    const isOpen = call.endedAt === undefined || at <= call.endedAt + namedLateMs;
    const isNamed = isOpen && !isStale(call, at) && names(call, path);
    const basis = isNamed ? "named" : call.unknown ? basisOf(call, at) : undefined;
    if (basis !== undefined) found[basis].push(call);
  }
  for (const basis of ranks) {
    const [first, ...rest] = found[basis];
    if (first !== undefined) return { basis, calls: [first, ...rest] };
  }
  return { basis: "unknown", calls: [] };
}

function basisOf(call: ToolCall, at: number): "under-way" | "time-window" | undefined {
  if (call.endedAt !== undefined && at > call.endedAt) return at <= call.endedAt + lateMs ? "time-window" : undefined;
  if (call.endedAt !== undefined || call.endsAreTold) return "under-way";
  return isStale(call, at) ? undefined : "time-window";
}

function isStale({ startedAt, endedAt, endsAreTold }: ToolCall, at: number): boolean {
  return endedAt === undefined && !endsAreTold && at > startedAt + endlessMs;
}

function names({ paths, patterns }: ToolCall, path: string): boolean {
  return paths.includes(path) || patterns.some((text) => matchesGlob(text, path));
}

function matchesGlob(text: string, path: string): boolean {
  try {
    return matches(glob(text), path);
  } catch (error) {
    if (error instanceof InvalidPattern) return false; // a call was let pass with it all the same
    throw error;
  }
}

export function distinctAgents(calls: readonly ToolCall[]): readonly AgentRef[] {
  return [...new Map(calls.map(({ agent }) => [agent.id, agent])).values()];
}
