/**
 * Work that runs in a process of its own, by name: load generators, floors, and the engine without its surfaces.
 * Loaded on demand, so that a child carries nothing but its own imports.
 */
const childTable = {
  "prepare-store": async () => (await import("./store/prepare-store.ts")).prepareStore,
  "in-process-claims": async () => (await import("./load/in-process-claims.ts")).inProcessClaims,
  "closed-loop": async () => (await import("./load/closed-loop.ts")).closedLoop,
  "open-loop": async () => (await import("./load/open-loop.ts")).openLoop,
  "event-subscribers": async () => (await import("./load/event-subscribers.ts")).eventSubscribers,
  "mcp-calls": async () => (await import("./load/mcp-calls.ts")).mcpCalls,
  "prepare-mail": async () => (await import("./store/prepare-mail.ts")).prepareMail,
  "prepare-reservations": async () => (await import("./store/prepare-reservations.ts")).prepareReservations,
  "conflict-checks": async () => (await import("./load/conflict-checks.ts")).conflictChecks,
  "soak-agents": async () => (await import("./load/soak-agents.ts")).soakAgents,
  "peer-races": async () => (await import("./load/peer-races.ts")).peerRaces,
  "peer-steps": async () => (await import("./load/peer-steps.ts")).peerSteps,
  "http-gets": async () => (await import("./load/http-gets.ts")).httpGets,
  "raw-sqlite-claims": async () => (await import("./floors/raw-sqlite-claims.ts")).rawSqliteClaims,
  "bare-fastify": async () => (await import("./floors/bare-fastify.ts")).bareFastify,
};

export type ChildName = keyof typeof childTable;
type Work<Name extends ChildName> = Awaited<ReturnType<(typeof childTable)[Name]>>;
export type PlanOf<Name extends ChildName> = Parameters<Work<Name>>[0];
export type ResultOf<Name extends ChildName> = Awaited<ReturnType<Work<Name>>>;

/** The child's side: its plan came as an argument, its result leaves as one line of JSON. */
export async function actAsChild(name: string, plan: string): Promise<void> {
  const work = (await childTable[name as ChildName]()) as (plan: unknown) => Promise<unknown>;
  process.stdout.write(`${JSON.stringify((await work(JSON.parse(plan))) ?? null)}\n`);
}
