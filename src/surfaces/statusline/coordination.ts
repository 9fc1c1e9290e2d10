/** Collects the daemon's facts about a session's repository through its own operations: nothing is changed, no agent registered. */
import type { Caller, Dispatch } from "../../contract/index.ts";
import type { Form } from "./update-policy.ts";

export type Present = {
  readonly name: string;
  readonly files: readonly string[];
  readonly workItems: readonly { readonly title: string }[];
  /** Whether files of others are read-only for its shell commands. */
  readonly shell?: "enforced" | "not-enforced" | "unknown" | "person";
};
export type Coordination = {
  /** The session's own agent, if it has one. */
  readonly own: Present | undefined;
  readonly others: readonly Present[];
  readonly form: Form;
  readonly runs: readonly {
    readonly request: string;
    readonly nodes: { readonly total: number; readonly succeeded: number };
    readonly budget: number | undefined;
    readonly spent: number;
  }[];
  /** What is unresolved, in words. */
  readonly incidents: readonly string[];
  /** Tool calls that lately ran without their guard. */
  readonly unguarded: number;
  /** Clients here whose hooks are missing or not trusted, a sentence each. */
  readonly notInstalled: readonly string[];
  /** False while the store refuses changes: agents are not kept apart then. */
  readonly enforced: boolean;
  /** The last changes, in live mode. */
  readonly changes: readonly string[];
};
type Known = Omit<Coordination, "form" | "changes">;

/** As long does a call without protection stay in sight. */
const unguardedForMs = 3_600_000;

type Ports = {
  readonly dispatch: Dispatch;
  readonly now: number;
  /** Calls in a working tree since its last commit with unknown write targets. */
  readonly unguardedIn: (tree: string) => number;
};

export async function coordinationOf(caller: Caller, { dispatch, now, unguardedIn }: Ports): Promise<Known> {
  const own = caller.kind === "agent" ? caller.agent.id : undefined;
  const [agents, running, health] = await Promise.all([
    dispatch("agent.list", {}, caller),
    dispatch("run.list", { status: "running", limit: 5 }, caller),
    dispatch("health.show", { kind: "hook" }, caller),
  ]);
  return {
    own: agents.items.find(({ id }) => id === own),
    others: agents.items.filter(({ id, parent, client, files }) => {
      if (id === own || (own !== undefined && parent === own)) return false;
      return client !== "human" || files.length > 0; // a person who only typed a command is not at work here
    }),
    runs: running.items.map(({ request, nodes, budget, cost }) => ({
      request,
      nodes,
      budget,
      spent: cost.inputTokens + cost.outputTokens,
    })),
    incidents: health.incidents.map(({ summary }) => summary),
    // The same call may be in both: an unanswered one is counted, and is looked for in the tree.
    unguarded: Math.max(
      caller.kind === "agent" ? unguardedIn(caller.tree) : 0,
      health.components
        .filter(({ lastFailureAt = 0 }) => now - lastFailureAt < unguardedForMs)
        .reduce((sum, { degraded }) => sum + degraded, 0),
    ),
    notInstalled: agents.notInstalled ?? [],
    enforced: health.enforced,
  };
}
