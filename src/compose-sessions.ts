/** Sessions in the daemon: made from the same engine as `sylk/engine`, with the daemon's runs as work of its sessions. */
import { type Handlers, type LogEvent, type OperationName, type SessionId, type Workflow } from "./contract/index.ts";
import { asAgent, type Parts, type Repositories, type Terms } from "./compose-parts.ts";
import { createEngine, type Engine, type EnginePorts, poolFigures } from "./orchestration/engine/index.ts";
import type { SessionRouter } from "./orchestration/guide/index.ts";
import { sessionOperations } from "./orchestration/sessions/index.ts";
import type { Call } from "./platform/operations/index.ts";

export type SessionOperation = Extract<OperationName, `session.${string}`>;
type SessionHandlers = Pick<Handlers<Call<Repositories>>, SessionOperation>;
type DaemonParts = { readonly router: SessionRouter };
type DaemonEngine = Engine<Repositories, DaemonParts>;
type Ports = Pick<EnginePorts<Repositories, DaemonParts>, "work" | "carryOut" | "endGroup" | "reservations"> & {
  readonly openRouter: (session: SessionId) => SessionRouter;
};

/** Roles that every session has topics for. */
const agents = ["architect", "orchestrator", "engineer", "librarian", "archivalist", "inspector", "tester"];

export function composeSessions(parts: Parts, { settings, log }: Terms, { openRouter, ...ports }: Ports) {
  const engine = createEngine<Repositories, DaemonParts>({
    ...parts,
    ...ports,
    // A node that waits for its next attempt keeps no daemon from ending.
    clock: { ...parts.clock, after: (ms, run) => parts.clock.after(ms, run) },
    log,
    random: Math.random, // clock-exempt: jitter of retries
    limits: { max: settings["sessions.max"], maxWaiting: settings["sessions.maxWaiting"] },
    onBlur: settings["sessions.onBlur"],
    agents,
    parts: { router: ({ id }) => openRouter(id) },
    archive: (session, tx) =>
      tx.archive.keep(session.project, {
        id: session.id,
        session: session.id,
        category: "session",
        title: session.name,
        content: { ...session },
        at: session.updatedAt,
      }),
    onSubscriberError: (error) => log.error("session.subscriber-failed", { error }),
  });
  const unfollow = followRuns(engine, parts);
  return {
    refuseFull: engine.sessions.refuseFull,
    dags: engine.dags,
    /** Of a session that is open. */
    routerOf: async (session: SessionId) => (await engine.sessions.context(session)).parts.router,
    letGoOfForgotten: engine.sessions.letGoOfForgotten,
    handlers: handlersOf(engine, parts),
    /** After a start: what was in memory is there again, with its topics. */
    async takeUp(): Promise<void> {
      for (const id of await parts.store.reader.sessions.openIds())
        await engine.sessions
          .context(id)
          .catch((error: unknown) => log.warn("session.not-taken-up", { session: id, error }));
    },
    async close(): Promise<void> {
      unfollow();
      await engine.close().catch((error: unknown) => log.error("sessions.not-saved", { error }));
    },
  };
}

function handlersOf({ sessions, pool }: DaemonEngine, { store }: Parts): SessionHandlers {
  const operations = sessionOperations(sessions, store.reader);
  return {
    "session.create": (input, call) => operations.create(input, asAgent(call)),
    "session.list": (input, { caller }) => operations.list(input, caller),
    "session.get": (input, { caller }) => operations.get(input, caller),
    "session.switch": operations.switch,
    "session.pause": operations.pause,
    "session.resume": operations.resume,
    "session.suspend": operations.suspend,
    "session.close": operations.close,
    "session.stats": async (_, { caller }) => ({
      ...(await sessions.stats(caller.project?.id)),
      pool: poolFigures(pool.metrics()),
    }),
  };
}

/** What a session is at follows from its runs' own events. */
function followRuns({ sessions }: DaemonEngine, { bus, store }: Parts): () => void {
  return bus.subscribe("event.run.*", async ({ type, data }: LogEvent) => {
    const { run, session, to, check } = data as {
      readonly run: string;
      readonly session: SessionId;
      readonly to?: unknown;
      readonly check?: { readonly kind: string };
    };
    const context = sessions.inMemory(session);
    if (context === undefined) return;
    if (type === "run.checked") context.setWorkflow({ phase: check?.kind === "tests" ? "testing" : "inspection" });
    if (type === "run.status-changed") context.setWorkflow({ dag: run, phase: phaseOf(to) });
    if (type === "run.planned" || type === "run.node-changed") {
      const nodes = await store.reader.runs.nodesOf(run as never);
      const done = nodes.filter(({ state }) => state === "succeeded").length;
      context.setWorkflow({ dag: run, progress: { done, total: nodes.length } });
    }
  });
}

function phaseOf(status: unknown): Workflow["phase"] {
  if (status === "planning" || status === "awaiting_approval") return "planning";
  return status === "running" || status === "paused" || status === "blocked" ? "execution" : "complete";
}
