/** Connects the daemon's sessions: the engine of `sylk/engine`, with runs as work of the sessions. */
import type { SessionId } from "../../contract/index.ts";
import type { DaemonParts, Repositories, DaemonTerms } from "./parts.ts";
import { createEngine, type EnginePorts, poolFigures } from "../../orchestration/runtime/index.ts";
import { type Guide, readMessages, type SessionRouter } from "../../orchestration/guide/index.ts";
import type { RunPorts } from "../../orchestration/runs/index.ts";
import {
  followWeights,
  keepEndedSession,
  loadOpenSessions,
  sessionHandlers,
  watchEndedWork,
} from "../../orchestration/sessions/index.ts";

type PartsOfSession = { readonly router: SessionRouter };
type SessionWiring = Pick<
  EnginePorts<Repositories, PartsOfSession>,
  "work" | "carryOut" | "processes" | "reservations" | "followerOf" | "companionOf" | "describeRun"
> & {
  readonly openRouter: (session: SessionId) => SessionRouter;
  readonly checkModel: RunPorts["checkModel"];
  readonly guide: Guide;
};

/** Roles that every session has topics for. */
const agents = ["architect", "orchestrator", "engineer", "librarian", "archivalist", "inspector", "tester"];

export function composeSessions(
  parts: DaemonParts,
  { settings, log }: DaemonTerms,
  { openRouter, checkModel, guide, ...wiring }: SessionWiring,
) {
  const { store, bus, clock } = parts;
  const engine = createEngine<Repositories, PartsOfSession>({
    ...parts,
    ...wiring,
    // A node that waits for its next attempt must not keep the daemon from stopping.
    clock: { ...clock, after: (ms, run) => clock.after(ms, run) },
    log,
    random: Math.random, // clock-exempt: jitter of retries
    limits: { max: settings["sessions.max"], maxWaiting: settings["sessions.maxWaiting"] },
    onBlur: settings["sessions.onBlur"],
    agents,
    parts: { router: ({ id }) => openRouter(id) },
    archive: keepEndedSession,
    onSubscriberError: (error) => log.error("session.subscriber-failed", { error }),
  });
  const { sessions, pool } = engine;
  const stopWatching = watchEndedWork(bus, sessions.workEnded);
  const weights = followWeights({ bus, reader: store.reader, sessions, pool });
  return {
    sessions,
    dags: engine.dags,
    /** The router of an open session. */
    routerOf: async (session: SessionId) => (await sessions.context(session)).parts.router,
    handlers: sessionHandlers({
      sessions,
      reader: store.reader,
      checkProvider: (provider) => checkModel({ provider, rehearse: undefined }),
      messages: (query, signal) => readMessages(query, { guide, clock }, signal),
      poolFigures: () => poolFigures(pool.metrics()),
    }),
    async loadOpen(): Promise<void> {
      await loadOpenSessions(sessions, store.reader, (session, error) =>
        log.warn("session.not-taken-up", { session, error }),
      );
      await weights.start();
    },
    async close(): Promise<void> {
      stopWatching();
      weights.stop();
      await engine.close().catch((error: unknown) => log.error("sessions.not-saved", { error }));
    },
  };
}
