/**
 * The runtime inside one process: sessions with a bus and a fair pool, and graphs that run in them.
 *
 *   createEngine(store, pool, …) -> sessions.create -> dags.launch -> each node a job of its session in the pool
 *   pause or suspend a session -> its graphs stop -> resume -> they go on          close -> all saved, nothing left behind
 *
 * Graphs are durable: every change of a node is in the store before it is acted on, so `dags.resumeAll` continues them
 * after a crash.
 */
import type { Session, SessionId } from "../../contract/index.ts";
import { type Bus, createBus } from "../../platform/bus/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Pool } from "../../platform/pool/index.ts";
import {
  createGraphHost,
  type DescribedWork,
  type GraphHost,
  type GraphRecord,
  graphsOfSessions,
  type GraphTx,
  type HostPorts,
} from "../graphs/index.ts";
import { openSessionBus } from "../guide/index.ts";
import {
  createSessions,
  type OnBlur,
  type PartFactories,
  type SessionMessage,
  type SessionPart,
  type Sessions,
  type SessionTx,
  type SessionWork,
} from "../sessions/index.ts";

export type EngineTx = SessionTx & GraphTx;
export type EnginePorts<Tx extends EngineTx, Parts> = Omit<HostPorts<Tx>, "sessionContext"> & {
  /** What a session is told of a run, in the words of runs. */
  readonly describeRun?: ((graph: GraphRecord, tx: Tx) => Promise<DescribedWork>) | undefined;
  readonly ids: IdSource;
  readonly pool: Pool;
  readonly limits: { readonly max: number; readonly maxWaiting: number };
  readonly onBlur: OnBlur;
  /** Agents whose topics every session has from its start. */
  readonly agents: readonly string[];
  /** What else every session has of its own, such as a router. */
  readonly parts: PartFactories<Parts>;
  /** Other work that pauses and resumes with a session. */
  readonly work: readonly SessionWork<Tx>[];
  readonly archive?: (session: Session, tx: Tx) => Promise<void>;
  /** A subscriber of the bus failed; the others have the message. */
  readonly onSubscriberError: (error: unknown) => void;
};

export type Engine<Tx extends EngineTx, Parts extends Record<string, SessionPart>> = {
  readonly sessions: Sessions<Tx, Parts>;
  readonly bus: Bus<SessionMessage>;
  readonly pool: Pool;
  readonly dags: GraphHost<Tx>;
  /** Stops what runs, saves every session, and leaves no timer, topic or subscription. */
  close(): Promise<void>;
};

export function createEngine<Tx extends EngineTx, Parts extends Record<string, SessionPart>>(
  ports: EnginePorts<Tx, Parts>,
): Engine<Tx, Parts> {
  const { pool, agents } = ports;
  const bus = createBus<SessionMessage>({ onSubscriberError: ({ error }) => ports.onSubscriberError(error) });
  const dags = createGraphHost({ ...ports, sessionContext: (id) => sessionContextOf(id, sessions) });
  const sessions: Sessions<Tx, Parts> = createSessions<Tx, Parts>({
    ...ports,
    work: [...ports.work, graphsOfSessions({ ...ports, host: dags })],
    context: { openBus: (session: SessionId) => openSessionBus(bus, session, agents), parts: ports.parts },
    onClosed: (session) => pool.closeGroup(session),
  });
  return {
    sessions,
    bus,
    pool,
    dags,
    async close() {
      await dags.close();
      await sessions.shutdown();
      pool.close();
    },
  };
}

/** What every node of the session's graphs is told of it. */
async function sessionContextOf(
  session: SessionId,
  sessions: Pick<Sessions<unknown, Record<string, SessionPart>>, "get" | "preferences">,
): Promise<Readonly<Record<string, unknown>>> {
  const { id, name, description, branch, metadata: notes } = await sessions.get(session);
  const preferences = await sessions.preferences(session);
  return { id, name, description, ...(branch === undefined ? {} : { branch }), notes, preferences };
}
