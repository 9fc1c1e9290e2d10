/** Sessions in the daemon: made from the same engine as `sylk/engine`, with the daemon's runs as work of its sessions. */
import type { OperationName, SessionId } from "../../contract/index.ts";
import type { Parts, Repositories, Terms } from "./parts.ts";
import { createEngine, type Engine, type EnginePorts, poolFigures } from "../../orchestration/runtime/index.ts";
import type { SessionRouter } from "../../orchestration/guide/index.ts";
import type { RunPorts } from "../../orchestration/runs/index.ts";
import { sessionOperations } from "../../orchestration/sessions/index.ts";
import type { OperationHandlers } from "../../platform/operations/index.ts";

export type SessionOperation = Extract<OperationName, `session.${string}`>;
type SessionHandlers = OperationHandlers<Repositories, SessionOperation>;
type DaemonParts = { readonly router: SessionRouter };
type DaemonEngine = Engine<Repositories, DaemonParts>;
type Ports = Pick<EnginePorts<Repositories, DaemonParts>, "work" | "carryOut" | "processes" | "reservations"> & {
  readonly openRouter: (session: SessionId) => SessionRouter;
  readonly checkModel: RunPorts["checkModel"];
};

/** Roles that every session has topics for. */
const agents = ["architect", "orchestrator", "engineer", "librarian", "archivalist", "inspector", "tester"];

export function composeSessions(parts: Parts, { settings, log }: Terms, { openRouter, checkModel, ...ports }: Ports) {
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
  const stopListening = [
    parts.bus.subscribe("event.run.status-changed", () => engine.sessions.workEnded()),
    parts.bus.subscribe("event.dag.changed", ({ data }) => {
      if (data.status !== undefined) engine.sessions.workEnded();
    }),
  ];
  return {
    refuseFull: engine.sessions.refuseFull,
    dags: engine.dags,
    /** Of a session that is open. */
    routerOf: async (session: SessionId) => (await engine.sessions.context(session)).parts.router,
    phaseOf: async (session: SessionId) => (await engine.sessions.workflow(session)).phase,
    evictForgotten: engine.sessions.evictForgotten,
    preferences: engine.sessions.preferences,
    handlers: handlersOf(engine, parts, checkModel),
    /** After a start: what was in memory is there again, with its topics. */
    async takeUp(): Promise<void> {
      for (const id of await parts.store.reader.sessions.openIds())
        await engine.sessions
          .context(id)
          .catch((error: unknown) => log.warn("session.not-taken-up", { session: id, error }));
    },
    async close(): Promise<void> {
      for (const stop of stopListening) stop();
      await engine.close().catch((error: unknown) => log.error("sessions.not-saved", { error }));
    },
  };
}

function handlersOf(
  { sessions, pool }: DaemonEngine,
  { store }: Parts,
  checkModel: Ports["checkModel"],
): SessionHandlers {
  const operations = sessionOperations(sessions, store.reader);
  const refuseUnknown = (provider: string) => checkModel({ provider, rehearse: undefined });
  return {
    "session.create": (input, call) => operations.create(input, call),
    "session.list": (input, { caller }) => operations.list(input, caller),
    "session.get": (input, { caller }) => operations.get(input, caller),
    "session.switch": operations.switch,
    "session.pause": operations.pause,
    "session.resume": operations.resume,
    "session.suspend": operations.suspend,
    "session.close": operations.close,
    "session.set": async (input, call) => {
      if (input.name === "provider") await refuseUnknown(input.value);
      return operations.set(input, call);
    },
    "session.unset": operations.unset,
    "session.promote": operations.promote,
    "session.note": operations.note,
    "session.stats": async (_, { caller }) => ({
      ...(await sessions.stats(caller.project?.id)),
      pool: poolFigures(pool.metrics()),
    }),
  };
}
