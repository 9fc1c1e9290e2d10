/**
 * Tool calls as hooks tell of them: whose, in which working tree, since when, and what they said they would write. The
 * tree watch and local history ask here who may have changed a file.
 *
 *   began -> under way -> ended by its own end: its id, its command, the files it wrote, the end of its turn or of its agent
 *
 * In memory: a daemon knows nothing of calls that began before it, until their agent is heard of. `isUnheard` says so.
 */
import type { AgentId, AgentRef, InputOf } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";

export type ToolCall = {
  readonly agent: AgentRef;
  readonly tree: string;
  /** From the root of the tree. */
  readonly paths: readonly string[];
  readonly patterns: readonly string[];
  /** It may write something else besides. */
  readonly unknown: boolean;
  /** The client's own name for the call. */
  readonly id?: string | undefined;
  /** The tool and its command line, where the client tells them. */
  readonly command?: string | undefined;
  /** On the monotonic clock. */
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** Its agent has reported ends: without one, the call is still under way. */
  readonly endsAreTold: boolean;
};
type KeptCall = Omit<ToolCall, "endedAt" | "endsAreTold"> & { endedAt: number | undefined; endsAreTold: boolean };
export type ToolCalls = {
  began(call: Omit<ToolCall, "startedAt" | "endedAt" | "endsAreTold">): void;
  /** These calls have ended, and with them those that named one of the files. */
  ended(
    agent: AgentId,
    calls: InputOf<"guard.used">["ended"],
    wrote?: { readonly tree: string; readonly paths: readonly string[] },
  ): void;
  /** Its turn, or the agent itself, is over: it has no call under way. `isGone`: it will report nothing more. */
  endedAll(agent: AgentId, isGone?: boolean): void;
  inTree(tree: string): readonly ToolCall[];
  /** Whether writes of this agent are told at all. */
  isTold(agent: AgentId): boolean;
  /** This agent may have calls under way that began before the daemon: it was registered then, and not heard of since. */
  isUnheard(agent: { readonly id: AgentId; readonly registeredAt: number }): boolean;
  /** A merge that Sylk itself makes writes files in a tree, until the answer is called; whom it concerns hears of it anyway. */
  merging(tree: string): () => void;
  wasMerging(tree: string, at: number): boolean;
};

const mostKept = 2_000;
const mostLookedAt = 50;
const mostAgents = 10_000;
const keptMs = 10 * 60_000;
/** An agent that is silent this long after a restart has no call that still counts. */
const unheardMs = 10 * 60_000;
/** Formatters and file systems are late. */
export const lateMs = 2_000;

export function createToolCalls(clock: Clock): ToolCalls {
  /** The oldest first, changed in place: a copy of two thousand for each hook would keep the collector busy. */
  const calls = new Set<KeptCall>();
  /** Of them those under way: the end of a call looks at its own agent's alone. */
  const underWay = new Map<AgentId, Set<KeptCall>>();
  const told = new Set<AgentId>();
  const heard = new Set<AgentId>();
  const ending = new Set<AgentId>();
  const merges = new Map<string, { under: number; lastAt: number }>();
  const started = { at: clock.now(), monotonic: clock.monotonic() };

  function add(agents: Set<AgentId>, agent: AgentId): void {
    if (agents.size >= mostAgents) agents.delete(agents.values().next().value!);
    agents.add(agent);
  }

  /** One that has ended is kept a while; one under way as long as there is room. */
  function isOld({ startedAt, endedAt, endsAreTold }: ToolCall, now: number): boolean {
    if (endedAt === undefined && endsAreTold) return false;
    return now - (endedAt ?? startedAt) >= keptMs;
  }

  function makeRoom(now: number): void {
    for (const call of calls) {
      if (!isOld(call, now)) break;
      forget(call);
    }
    if (calls.size >= mostKept) forget(dispensable());
  }

  /** One that has ended, among the oldest: a look at all would cost every hook of a client that reports no ends. */
  function dispensable(): KeptCall {
    let left = mostLookedAt;
    for (const call of calls) {
      if (call.endedAt !== undefined) return call;
      if (--left === 0) break;
    }
    return calls.values().next().value!;
  }

  function forget(call: KeptCall): void {
    calls.delete(call);
    leave(call);
  }

  function leave(call: KeptCall): void {
    const own = underWay.get(call.agent.id);
    if (own?.delete(call) === true && own.size === 0) underWay.delete(call.agent.id);
  }

  function endWhere(agent: AgentId, isOver: (call: ToolCall) => boolean): void {
    const endedAt = clock.monotonic();
    for (const call of underWay.get(agent) ?? [])
      if (isOver(call)) {
        call.endedAt = endedAt;
        leave(call);
      }
  }

  function tellsEnds(agent: AgentId): void {
    add(heard, agent);
    if (ending.has(agent)) return;
    add(ending, agent);
    for (const call of underWay.get(agent) ?? []) call.endsAreTold = true;
  }

  return {
    began(call) {
      const now = clock.monotonic();
      makeRoom(now);
      const kept = { ...call, startedAt: now, endedAt: undefined, endsAreTold: ending.has(call.agent.id) };
      calls.add(kept);
      const own = underWay.get(call.agent.id);
      if (own === undefined) underWay.set(call.agent.id, new Set([kept]));
      else own.add(kept);
      add(told, call.agent.id);
      add(heard, call.agent.id);
    },
    ended(agent, ended, wrote) {
      if (ended.length > 0) tellsEnds(agent);
      endWhere(
        agent,
        (call) =>
          ended.some(({ call: id, command }) =>
            id !== undefined && call.id !== undefined
              ? id === call.id
              : command !== undefined && command === call.command,
          ) ||
          (wrote?.tree === call.tree && call.paths.some((path) => wrote.paths.includes(path))),
      );
    },
    endedAll(agent, isGone = false) {
      if (isGone) heard.delete(agent);
      else add(heard, agent);
      endWhere(agent, () => true);
    },
    inTree: (tree) => [...calls].filter((call) => call.tree === tree).map((call) => ({ ...call })),
    isTold: (agent) => told.has(agent),
    isUnheard: ({ id, registeredAt }) =>
      registeredAt < started.at && !heard.has(id) && clock.monotonic() - started.monotonic < unheardMs,
    merging(tree) {
      const merge = merges.get(tree) ?? { under: 0, lastAt: 0 };
      merges.set(tree, merge);
      merge.under++;
      return () => {
        merge.under--;
        merge.lastAt = clock.monotonic();
      };
    },
    wasMerging(tree, at) {
      const merge = merges.get(tree);
      return merge !== undefined && (merge.under > 0 || at <= merge.lastAt + lateMs);
    },
  };
}
