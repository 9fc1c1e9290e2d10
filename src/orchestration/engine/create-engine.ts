/**
 * The runtime inside one process: sessions with a bus and a fair pool, and graphs that run in them.
 *
 *   createEngine(store, pool, …) -> sessions.create -> startDag(session, dag) -> each node a job of its session in the pool
 *   pause or suspend a session -> its graphs stop -> resume -> they go on          close -> all saved, nothing left behind
 */
import type { Session, SessionId } from "../../contract/index.ts";
import { type Bus, createBus } from "../../platform/bus/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Pool } from "../../platform/pool/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { DagRun } from "../dag/index.ts";
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
import { createSessionDags, type DagPart, type StartDag } from "./session-dags.ts";

export type EnginePorts<Tx, Parts> = {
  readonly store: Store<Tx>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly pool: Pool;
  /** From 0 to below 1; for the waits between retries. */
  readonly random: () => number;
  readonly limits: { readonly max: number; readonly maxWaiting: number };
  readonly onBlur: OnBlur;
  /** Agents whose topics every session has from its start. */
  readonly agents: readonly string[];
  /** What else every session has of its own, such as a router. */
  readonly parts: PartFactories<Parts>;
  /** What else stops and goes on with a session. */
  readonly work: readonly SessionWork<Tx>[];
  readonly archive?: (session: Session, tx: Tx) => Promise<void>;
  /** A subscriber of the bus failed; the others have the message. */
  readonly onSubscriberError: (error: unknown) => void;
};

type AllParts<Parts> = Parts & { readonly dags: DagPart };

export type Engine<Tx, Parts extends Record<string, SessionPart>> = {
  readonly sessions: Sessions<Tx, AllParts<Parts>>;
  readonly bus: Bus<SessionMessage>;
  readonly pool: Pool;
  /** Runs a graph in a session; one of that id that was cut off goes on where its session was last saved. */
  startDag(session: SessionId, terms: StartDag): Promise<DagRun>;
  /** Stops what runs, saves every session, and leaves no timer, topic or subscription. */
  close(): Promise<void>;
};

export function createEngine<Tx extends SessionTx, Parts extends Record<string, SessionPart>>(
  ports: EnginePorts<Tx, Parts>,
): Engine<Tx, Parts> {
  const { pool, agents } = ports;
  const bus = createBus<SessionMessage>({ onSubscriberError: ({ error }) => ports.onSubscriberError(error) });
  const dags = createSessionDags(ports);
  const sessions = createSessions<Tx, AllParts<Parts>>({
    ...ports,
    work: [...ports.work, dags.work],
    context: {
      openBus: (session) => openSessionBus(bus, session, agents),
      parts: { ...ports.parts, dags: dags.part } as PartFactories<AllParts<Parts>>,
    },
    onClosed: (session) => pool.closeGroup(session),
  });
  return {
    sessions,
    bus,
    pool,
    async startDag(session, terms) {
      return dags.start(await sessions.context(session), terms);
    },
    async close() {
      await dags.close();
      await sessions.shutdown();
      pool.close();
    },
  };
}
