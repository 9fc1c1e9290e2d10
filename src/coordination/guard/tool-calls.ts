/**
 * Tool calls as hooks tell of them: whose, in which working tree, since when, and what they said they would write. The
 * tree watch asks here who may have changed a file. In memory: after a restart no agent is known to be writing.
 */
import type { AgentId, AgentRef } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";

export type ToolCall = {
  readonly agent: AgentRef;
  readonly tree: string;
  /** From the root of the tree. */
  readonly paths: readonly string[];
  readonly patterns: readonly string[];
  /** It may write something else besides. */
  readonly unknown: boolean;
  /** The tool and its command line, where the client tells them. */
  readonly command?: string | undefined;
  /** On the monotonic clock. */
  readonly startedAt: number;
  readonly endedAt: number | undefined;
};
export type ToolCalls = {
  began(call: Omit<ToolCall, "startedAt" | "endedAt">): void;
  /** Its tools have written these; of a call whose end is never told only its age is known. */
  wrote(agent: AgentId, tree: string, paths: readonly string[]): void;
  inTree(tree: string): readonly ToolCall[];
  /** Whether writes of this agent are told at all. */
  isTold(agent: AgentId): boolean;
  /** A merge that Sylk itself makes writes files in a tree, until the answer is called; whom it concerns hears of it anyway. */
  merging(tree: string): () => void;
  wasMerging(tree: string, at: number): boolean;
};

const mostKept = 2_000;
const mostAgents = 10_000;
const keptMs = 10 * 60_000;
/** Formatters and file systems are late. */
export const lateMs = 2_000;

export function createToolCalls(clock: Clock): ToolCalls {
  /** The oldest first, changed in place: a copy of two thousand for each hook would keep the collector busy. */
  const calls: ToolCall[] = [];
  const told = new Set<AgentId>();
  const merges = new Map<string, { under: number; lastAt: number }>();
  return {
    began(call) {
      const now = clock.monotonic();
      const isKept = (oldest: ToolCall): boolean => calls.length < mostKept && now - oldest.startedAt < keptMs;
      while (calls.length > 0 && !isKept(calls[0]!)) calls.shift();
      calls.push({ ...call, startedAt: now, endedAt: undefined });
      if (told.size >= mostAgents) told.delete(told.values().next().value!);
      told.add(call.agent.id);
    },
    wrote(agent, tree, paths) {
      const endedAt = clock.monotonic();
      const isOver = (call: ToolCall): boolean =>
        call.endedAt === undefined &&
        call.agent.id === agent &&
        call.tree === tree &&
        call.paths.some((path) => paths.includes(path));
      for (const [at, call] of calls.entries()) if (isOver(call)) calls[at] = { ...call, endedAt };
    },
    inTree: (tree) => calls.filter((call) => call.tree === tree),
    isTold: (agent) => told.has(agent),
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
