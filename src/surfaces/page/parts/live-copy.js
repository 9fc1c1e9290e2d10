/**
 * A copy of what the daemon knows, kept up to date by its events. It touches neither the document nor the network itself.
 *
 *   session -> cursor -> stream from there -> everything read once
 *   event -> what it concerns is marked -> marked things are read again, at most once per frame and never twice at a time
 *
 * Invariant: the cursor is older than every reading, so nothing falls between the two.
 */
import { concerns, runOf } from "./concerns.js";
import { Refused } from "./read-daemon.js";

/**
 * @import { Agent, DaemonStatus, InboxItem, OutputOf, Run } from "../../../contract/index.ts"
 * @import { Thing } from "./concerns.js"
 *
 * @typedef {OutputOf<"run.list">["items"][number]} RunSummary
 * @typedef {OutputOf<"reservation.list">["items"][number]} HeldReservation
 * @typedef {"connecting" | "live" | "reconnecting" | "signed-out"} Connection
 */
/**
 * @template T
 * @typedef {{ readonly items: readonly T[], readonly nextCursor?: string | undefined }} Page
 */
/**
 * @typedef {object} Copy
 * @property {Connection} connection
 * @property {DaemonStatus} [status]
 * @property {Page<Agent>} [agents]
 * @property {Page<HeldReservation>} [reservations]
 * @property {Page<InboxItem>} [approvals]
 * @property {Page<RunSummary>} [runs]
 * @property {Run} [run] the one that is shown
 * @property {string} [runProblem] why it cannot be shown
 *
 * @typedef {{ readonly type: string, readonly data: Readonly<Record<string, unknown>> }} StreamEvent
 * @typedef {object} StreamListener
 * @property {() => void} onOpen
 * @property {(event: StreamEvent) => void} onEvent
 * @property {(isFinal: boolean) => void} onLost with true the stream does not come back by itself
 *
 * @typedef {object} Ports
 * @property {(path: string) => Promise<unknown>} read
 * @property {(after: number, listener: StreamListener) => { close(): void }} openStream
 * @property {(work: () => void) => void} nextFrame
 * @property {(ms: number, work: () => void) => void} later
 * @property {() => void} onChange
 */

/** @type {readonly Thing[]} */
const everything = ["status", "agents", "reservations", "approvals", "runs", "run"];
/** @type {Readonly<Record<Exclude<Thing, "run">, string>>} */
const paths = {
  status: "/v1/status",
  agents: "/v1/agents?limit=200",
  reservations: "/v1/reservations?limit=200",
  approvals: "/v1/approvals",
  runs: "/v1/runs?limit=5",
};
const retryMs = 2_000;

/**
 * @param {Ports} ports
 * @param {string | undefined} firstRun id of the run to show; without one the newest is followed
 */
export function createLiveCopy({ read, openStream, nextFrame, later, onChange }, firstRun) {
  /** @type {Copy} */
  const copy = { connection: "connecting" };
  /** @type {Set<Thing>} */
  const marked = new Set();
  /** @type {Set<Thing>} */
  const underWay = new Set();
  let chosenRun = firstRun;
  let scheduled = false;
  /** @type {{ close(): void } | undefined} */
  let stream;

  const shownRun = () => chosenRun ?? copy.runs?.items[0]?.id;

  /** @param {readonly Thing[]} things */
  function mark(things) {
    for (const thing of things) marked.add(thing);
    if (scheduled || marked.size === 0 || copy.connection === "signed-out") return;
    scheduled = true;
    nextFrame(() => {
      scheduled = false;
      for (const thing of marked) if (!underWay.has(thing)) void reread(thing);
    });
  }

  /** @param {Thing} thing */
  async function reread(thing) {
    marked.delete(thing);
    underWay.add(thing);
    try {
      await (thing === "run" ? readRun() : readList(thing));
    } catch (error) {
      if (isSignedOut(error)) signOut();
      else later(retryMs, () => mark([thing]));
    }
    underWay.delete(thing);
    onChange();
    mark([]); // what was marked meanwhile
  }

  /** @param {Exclude<Thing, "run">} thing */
  async function readList(thing) {
    const before = shownRun();
    Object.assign(copy, { [thing]: await read(paths[thing]) });
    if (shownRun() !== before) mark(["run"]);
  }

  async function readRun() {
    const id = shownRun();
    try {
      const found = id && /** @type {{ run: Run }} */ (await read(`/v1/runs/${encodeURIComponent(id)}`));
      if (id !== shownRun()) return mark(["run"]);
      Object.assign(copy, { run: found ? found.run : undefined, runProblem: undefined });
    } catch (error) {
      if (!(error instanceof Refused) || (error.status !== 404 && error.status !== 400)) throw error;
      Object.assign(copy, { run: undefined, runProblem: error.message });
    }
  }

  /** @param {StreamEvent} event */
  function onEvent(event) {
    const other = runOf(event) !== shownRun();
    mark((concerns[event.type] ?? []).filter((thing) => thing !== "run" || !other));
  }

  /** @param {Connection} connection */
  function become(connection) {
    copy.connection = connection;
    onChange();
  }

  function signOut() {
    stream?.close();
    stream = undefined;
    marked.clear();
    become("signed-out");
  }

  async function connect() {
    try {
      const { cursor } = /** @type {{ cursor: number }} */ (await read("/session"));
      stream?.close();
      stream = openStream(cursor, {
        onOpen: () => become("live"),
        onEvent,
        onLost(isFinal) {
          become("reconnecting");
          if (isFinal) later(retryMs, () => void connect());
        },
      });
      if (copy.connection === "signed-out") copy.connection = "connecting";
      mark(everything);
    } catch (error) {
      if (isSignedOut(error)) return signOut();
      become("reconnecting");
      later(retryMs, () => void connect());
    }
  }

  return {
    copy,
    connect,
    mark,
    /** @param {string | undefined} id */
    show(id) {
      chosenRun = id;
      mark(["run"]);
      onChange();
    },
    shownRun,
    isFollowing: () => chosenRun === undefined,
  };
}

/** @param {unknown} error */
function isSignedOut(error) {
  return error instanceof Refused && error.status === 401;
}
