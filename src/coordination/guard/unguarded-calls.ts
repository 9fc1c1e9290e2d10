/**
 * Unguarded tool calls: their write targets were unknown, a program or tool was, or no daemon answered.
 *
 *   noted -> a durable row for each program of an agent in a tree, counted
 *         -> told once, at the agent's next hook, also after a restart, if others held files there meanwhile
 *         -> named by the commit gate until a commit of that tree went through
 *
 * Memory has the rows that must still be told or named: a hook with nothing to tell asks no store.
 */
import type { AgentId, AgentRef, ProjectId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { AgentRepository } from "../registry/index.ts";
import type { UnguardedCallRepository, UnguardedRecord } from "./store.ts";

export type UnguardedCall = {
  readonly project?: ProjectId | undefined;
  readonly agent: Pick<AgentRef, "name"> & { readonly id: string };
  readonly tree: string;
  /** The call and why, in a few words; its first word is the program. */
  readonly what: string;
  /** Whether it concerns others: they held files, or it is not known what happened. */
  readonly isAtStake: boolean;
};
export type UnguardedCalls = {
  /** Durable when it resolves. */
  note(call: UnguardedCall): Promise<void>;
  /** What the agent was not told yet; after this it is. */
  tell(agent: AgentId): Promise<readonly string[]>;
  /** The agent's last news did not reach it: its hook had given up. It is told again. */
  retell(agent: AgentId): void;
  inTree(tree: string): readonly Pick<UnguardedCall, "agent" | "what">[];
  settle(tree: string): void;
  /** Reads what an earlier daemon left. */
  load(): Promise<void>;
};

type Ports = {
  readonly store: Store<{ readonly unguardedCalls: UnguardedCallRepository; readonly agents: AgentRepository }>;
  readonly clock: Clock;
  readonly onFailed: (error: unknown) => void;
};

const mostKept = 1_000;

export function createUnguardedCalls({ store, clock, onFailed }: Ports): UnguardedCalls {
  const open = new Map<string, UnguardedRecord>();
  const lastTold = new Map<AgentId, readonly UnguardedRecord[]>();
  let loading: Promise<void> | undefined;

  function keep(record: UnguardedRecord): void {
    const key = keyOf(record);
    open.delete(key);
    if (!record.isAtStake || (record.toldAt !== undefined && record.isSettled)) return;
    if (open.size >= mostKept) open.delete(open.keys().next().value!);
    open.set(key, record);
  }

  function load(): Promise<void> {
    loading ??= store.reader.unguardedCalls.list().then((records) => records.forEach(keep));
    return loading;
  }

  /** A session may have been known by its key alone when its call was noted. */
  async function namesOf(agent: AgentId, untold: readonly UnguardedRecord[]): Promise<readonly string[]> {
    const isKeyed = untold.some((record) => record.agent !== "" && !record.agent.startsWith("agt_"));
    const key = isKeyed ? (await store.reader.agents.find(agent))?.sessionKey : undefined;
    return key === undefined ? [agent] : [agent, key];
  }

  return {
    load,
    async note({ project, agent, tree, what, isAtStake }) {
      await load();
      const call = {
        project,
        tree,
        agent: agent.id,
        agentName: agent.name,
        program: programIn(what),
        what,
        lastAt: clock.now(),
        isAtStake,
      };
      keep(await store.transact(project ?? "guard", (tx) => tx.unguardedCalls.add(call)));
    },
    async tell(agent) {
      await load();
      const untold = [...open.values()].filter(({ toldAt }) => toldAt === undefined);
      if (untold.length === 0) return [];
      const names = await namesOf(agent, untold);
      const own = untold.filter((record) => names.includes(record.agent));
      if (own.length === 0) return [];
      if (lastTold.size >= mostKept) lastTold.delete(lastTold.keys().next().value!);
      lastTold.set(agent, own);
      const toldAt = clock.now();
      for (const record of own) keep({ ...record, toldAt });
      await store.transact("guard", async (tx) => {
        for (const record of own) await tx.unguardedCalls.setTold(record, toldAt);
      });
      return own.map(({ what, times }) => (times === 1 ? what : `${what}, ${times} times`));
    },
    retell(agent) {
      const own = lastTold.get(agent) ?? [];
      lastTold.delete(agent);
      for (const record of own) keep(record);
      store
        .transact("guard", async (tx) => {
          for (const record of own) await tx.unguardedCalls.setTold(record, undefined);
        })
        .catch(onFailed);
    },
    inTree: (tree) =>
      [...open.values()]
        .filter((record) => record.tree === tree && !record.isSettled)
        .map(({ agent: id, agentName: name, what }) => ({ agent: { id, name }, what })),
    settle(tree) {
      const settled = [...open.values()].filter((record) => record.tree === tree && !record.isSettled);
      if (settled.length === 0) return;
      for (const record of settled) keep({ ...record, isSettled: true });
      store.transact("guard", (tx) => tx.unguardedCalls.settle(tree)).catch(onFailed);
    },
  };
}

function keyOf({ tree, agent, program }: Pick<UnguardedRecord, "tree" | "agent" | "program">): string {
  return [tree, agent, program].join("\0");
}

/** `npm test: …` is of npm, `git switch: …` of git switch, `$OUT: redirect` of $OUT. */
function programIn(what: string): string {
  return /^(?:git )?[^\s:]+/.exec(what)?.[0] ?? what;
}
