/**
 * What happens to sessions, told to the archive: callbacks run when one is created, closed or switched to.
 *
 *   event log -> session.created, session.changed to its end, session.focused -> callbacks, in the order they were added
 *
 * The archive's own callback writes the step into the session's timeline.
 */
import type { LogEvent, ProjectId, Session, SessionId } from "../../contract/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { ArchiveRepository } from "./store.ts";

export type SessionStep = {
  readonly step: "create" | "close" | "switch";
  readonly session: SessionId;
  readonly project: ProjectId;
  readonly at: number;
  /** For a create and a close. */
  readonly name?: string | undefined;
  readonly state?: string | undefined;
};
type Callback = (step: SessionStep) => Promise<void>;
type Ports = {
  /** Calls back with each committed event of a type, until the answer is called. */
  readonly subscribe: (type: string, handle: (event: LogEvent) => void) => () => void;
  readonly onFailed: (error: unknown) => void;
};
export type SessionLife = {
  /** Returns how to remove it. */
  add(callback: Callback): () => void;
  /** Resolves when the callbacks of all steps so far have run. */
  settled(): Promise<void>;
  stop(): void;
};

const ended: ReadonlySet<string> = new Set(["completed", "failed"]);

export function followSessions({ subscribe, onFailed }: Ports): SessionLife {
  const callbacks: Callback[] = [];
  let last: Promise<void> = Promise.resolve();
  async function tellAfter(earlier: Promise<void>, step: SessionStep): Promise<void> {
    await earlier;
    for (const run of callbacks) await run(step).catch(onFailed);
  }
  const tell = (step: SessionStep): void => void (last = tellAfter(last, step));
  const stops = [
    subscribe("session.created", (event) => tell(stepOf("create", event))),
    subscribe("session.changed", (event) => {
      if (ended.has(String(event.data.to))) tell(stepOf("close", event));
    }),
    subscribe("session.focused", (event) => tell(stepOf("switch", event))),
  ];
  return {
    add(callback) {
      callbacks.push(callback);
      return () => void callbacks.splice(callbacks.indexOf(callback), 1);
    },
    settled: () => last,
    stop: () => stops.forEach((stop) => stop()),
  };
}

function stepOf(step: SessionStep["step"], { subject, project, at, data }: LogEvent): SessionStep {
  const { name, state } = (data.session ?? {}) as Partial<Session>;
  return { step, session: subject as SessionId, project, at, name, state };
}

const told = { create: "session created", close: "session closed", switch: "switched to this session" } as const;

/** Only timelines show the steps: queries are about work. */
export function keepSteps(
  store: Pick<Store<{ readonly archive: ArchiveRepository }>, "transact">,
  ids: IdSource,
): Callback {
  return async ({ step, session, project, at, name, state }) => {
    const id = ids.next("ent");
    const title = name === undefined ? told[step] : `${told[step]}: ${name}`;
    const content = state === undefined ? {} : { state };
    await store.transact(project, async (tx) => {
      await tx.archive.keep(project, { id, session, category: "timeline", title, content, source: "daemon", at });
      await tx.archive.mark(id, project, "archive");
    });
  };
}
