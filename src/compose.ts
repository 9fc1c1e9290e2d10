/**
 * The composition root: the only file that knows every folder. It wires stores, clocks and domain functions to the
 * operations of the contract.
 *
 *   settings, home -> store -> event log, bus -> coordination -> handlers -> dispatch -> surfaces (serve.ts)
 */
import {
  type Authenticate,
  type Dispatch,
  DomainError,
  type EventFeed,
  type Handlers,
  type LogEvent,
  type OutputOf,
} from "./contract/index.ts";
import { endAgent } from "./coordination/departure/index.ts";
import { createLeaseClock } from "./coordination/leases/index.ts";
import {
  createAuthenticate,
  createLiveness,
  findAgent,
  heartbeatAgent,
  listAgents,
  registerAgent,
  sqliteAgents,
  sqliteProjects,
  sqliteTokens,
  viewAgent,
} from "./coordination/registry/index.ts";
import {
  acquireReservation,
  listReservations,
  releaseReservation,
  renewReservation,
  sqliteReservations,
} from "./coordination/reservations/index.ts";
import { startSweeper } from "./coordination/sweeper/index.ts";
import {
  claimWorkItem,
  closeWorkItem,
  createWorkItem,
  getWorkItem,
  giveUpWorkItem,
  listWorkItems,
  readyWorkItems,
  sqliteWorkItems,
} from "./coordination/work-items/index.ts";
import { sqliteArchive } from "./knowledge/archive/index.ts";
import { sqliteRuns } from "./orchestration/runs/index.ts";
import { type Audit, auditHandlers, type AuditOperation, composeAudit, trustUserToken } from "./compose-audit.ts";
import { asAgent, type Parts, type Repositories, type Terms } from "./compose-parts.ts";
import { type RecordOperation, recordHandlers, recordRestore } from "./compose-records.ts";
import { daemonStatus } from "./compose-status.ts";
import { composeRuns, type RunOperation } from "./compose-runs.ts";
import { actorOf, theDaemon } from "./platform/audit/index.ts";
import { createBus } from "./platform/bus/index.ts";
import { awakeClock, type Clock, systemClock } from "./platform/clock/index.ts";
import { createSettingsOfTree, type Settings } from "./platform/config/index.ts";
import { createEventFeed, readEventPage, sqliteEvents } from "./platform/event-log/index.ts";
import { randomIds } from "./platform/ids/index.ts";
import { createLog, type FileSink, fileSink, type Log } from "./platform/log/index.ts";
import { type Call, createDispatch, sqliteIdempotency } from "./platform/operations/index.ts";
import { createRedactor, type Redactor } from "./platform/redact/index.ts";
import { startRetention } from "./platform/retention.ts";
import { openSqliteStore, readMigrations, type Store } from "./platform/store/index.ts";
import { protocol, version } from "./platform/version.ts";
import { type BrowserSessions, createBrowserSessions, createHttpServer } from "./surfaces/http/index.ts";

/** For serve.ts, which loads all of this only after it holds the home's lock. */
export { awakeClock, createHttpServer, createSettingsOfTree, protocol, systemClock, version };

export type Engine = {
  readonly dispatch: Dispatch;
  readonly authenticate: Authenticate;
  readonly feed: EventFeed;
  readonly probe: () => Promise<void>;
  readonly newestEvent: () => Promise<number>;
  readonly browserSessions: BrowserSessions;
  /** The surfaces tell where they listen; `daemon.status` repeats it. */
  announce(url: string | null): void;
  /** Makes this the user's only token. */
  trustUserToken(token: string): Promise<void>;
  /** Enters a restore that was done while no daemon ran. */
  recordRestore(): Promise<void>;
  /** Before taking requests: ends whatever processes an earlier daemon's runs left. */
  endLeftovers(): Promise<void>;
  /** Goes on with the runs that were under way. */
  goOn(): Promise<void>;
  close(): Promise<void>;
};

const hourMs = 3_600_000;
const livenessChunk = 50;
const reservationHistoryMs = 7 * 24 * hourMs;

export function compose(terms: Terms): Engine {
  const { settings, clock, log } = terms;
  const audit = composeAudit(terms);
  const parts = assemble(terms, audit);
  const { store, liveness } = parts;
  const auditStarted = audit.start(parts);
  const address: Address = { url: null };
  const browserSessions = createBrowserSessions(clock);
  const sweeper = startSweeper({
    ...parts,
    staleAfterMs: settings["agents.staleAfterMs"],
    onFailed: (error) => log.warn("sweep.failed", { error }),
  });
  const retention = startRetention({
    clock,
    remove: () => auditStarted.then(() => removeOld(parts, settings)),
    onFailed: (error) => log.warn("retention.failed", { error }),
  });
  const runs = composeRuns(parts, terms);
  return {
    dispatch: createDispatch({
      handlers: {
        ...coordinationHandlers(parts, terms, address),
        ...runs.handlers,
        ...auditHandlers(parts, terms),
        ...recordHandlers(parts, terms),
        "dashboard.link": (_, call) => linkTo(address, browserSessions, call),
      },
      store,
      clock,
      log,
      idempotencyKeepMs: settings["idempotency.keepHours"] * hourMs,
      clean: terms.redactor.value,
    }),
    authenticate: createAuthenticate(parts),
    feed: createEventFeed({ reader: store.reader, bus: parts.bus }),
    probe: () => store.probe(),
    newestEvent: async () => (await store.reader.events.bounds()).newest,
    browserSessions,
    announce: (url) => void (address.url = url),
    trustUserToken: (token) => auditStarted.then(() => trustUserToken(token, parts)),
    recordRestore: () => auditStarted.then(() => recordRestore(parts, terms)),
    endLeftovers: () => runs.learnKeys().then(() => runs.workers.endLeftovers()),
    goOn: () => runs.workers.goOn({ autoResume: settings["runs.autoResume"] }),
    async close() {
      await runs.workers.close();
      sweeper.stop();
      retention.stop();
      await liveness.flush();
      liveness.stop();
      store.close();
    },
  };
}

type Address = { url: string | null };

function assemble({ paths, settings, clock, log }: Terms, audit: Audit): Parts {
  const ids = randomIds(clock);
  const bus = createBus<LogEvent>({
    onSubscriberError: ({ error, pattern }) => void log.error("bus.subscriber-failed", { error, pattern }),
  });
  const store: Store<Repositories> = openSqliteStore({
    file: paths.database,
    migrations: readMigrations(),
    repositories: {
      events: sqliteEvents({ clock, ids, onAppended: (event) => void bus.publish(`event.${event.type}`, event) }),
      idempotency: sqliteIdempotency,
      projects: sqliteProjects,
      agents: sqliteAgents,
      tokens: sqliteTokens,
      reservations: sqliteReservations,
      workItems: sqliteWorkItems,
      runs: sqliteRuns,
      archive: sqliteArchive,
      audit: audit.repository,
    },
    clock,
    onUpgrade: (step, facts) => log.info(`store.${step}`, facts),
    onDefect: (error) => void log.error("store.effect-failed", { error }),
  });
  const liveness = createLiveness({
    clock,
    staleAfterMs: settings["agents.staleAfterMs"],
    idleAfterMs: settings["agents.idleAfterMs"],
    // A few at a time, so that hundreds of busy agents never hold the writer for long.
    async write(seen) {
      const entries = [...seen];
      for (let start = 0; start < entries.length; start += livenessChunk) {
        await store.transact("liveness", async (tx) => {
          for (const [agent, at] of entries.slice(start, start + livenessChunk)) await tx.agents.setLastSeen(agent, at);
        });
      }
    },
    onWriteFailed: (error) => log.warn("liveness.write-failed", { error }),
  });
  return { store, bus, clock, ids, liveness, leases: createLeaseClock(clock) };
}

function coordinationHandlers(
  parts: Parts,
  terms: Terms,
  address: Address,
): Omit<Handlers<Call<Repositories>>, RunOperation | AuditOperation | RecordOperation | "dashboard.link"> {
  const reservations = {
    ...parts,
    settingsFor: async (tree: string) => reservationSettings(await terms.settingsOfTree(tree)),
  };
  const workItems = {
    ...parts,
    settingsFor: async (tree: string) => workItemSettings(await terms.settingsOfTree(tree)),
  };
  return {
    "agent.register": (input, call) => registerAgent(input, call, parts),
    "agent.list": (input, { caller }) => listAgents(input, caller, parts),
    "agent.get": async ({ id }, { caller }) => ({
      agent: viewAgent(await findAgent(id, caller, parts), parts.liveness),
    }),
    "agent.heartbeat": async ({ id }, { caller }) => ({ agent: await heartbeatAgent(id, caller, parts) }),
    "agent.end": ({ id }, call) => endAgent(id, call, parts),
    "reservation.acquire": (input, call) => acquireReservation(input, asAgent(call), reservations),
    "reservation.list": (input, { caller }) => listReservations(input, caller, reservations),
    "reservation.renew": ({ id }, call) => renewReservation(id, asAgent(call), reservations),
    "reservation.release": ({ id }, call) => releaseReservation(id, asAgent(call), reservations),
    "work-item.create": (input, call) => createWorkItem(input, asAgent(call), workItems),
    "work-item.list": (input, { caller }) => listWorkItems(input, caller, workItems),
    "work-item.ready": (input, { caller }) => readyWorkItems(input, caller, workItems),
    "work-item.get": ({ id }, { caller }) => getWorkItem(id, caller, workItems),
    "work-item.claim": ({ id }, call) => claimWorkItem(id, asAgent(call), workItems),
    "work-item.unclaim": ({ id }, call) => giveUpWorkItem(id, "kept", asAgent(call), workItems),
    "work-item.release": ({ id }, call) => giveUpWorkItem(id, "reopened", asAgent(call), workItems),
    "work-item.close": (input, call) => closeWorkItem(input, asAgent(call), workItems),
    "event.list": async ({ after, limit, type }, { caller }) => {
      const { events, lastSequence, more } = await readEventPage(
        { after, limit, type, project: caller.project?.id },
        parts.store,
      );
      return { items: [...events], lastSequence, ...(more ? { nextCursor: String(lastSequence) } : {}) };
    },
    "daemon.status": () => daemonStatus(parts, terms, address.url),
    "daemon.stop": async ({ pid }) => {
      const stopping = pid === undefined || pid === process.pid;
      if (stopping) setImmediate(terms.onStop);
      return { stopping, pid: process.pid };
    },
  };
}

async function linkTo(
  { url }: Address,
  browserSessions: BrowserSessions,
  { caller, transact }: Call<Repositories>,
): Promise<OutputOf<"dashboard.link">> {
  if (url === null)
    throw new DomainError(
      "settings.invalid",
      'The page needs HTTP, which is switched off; set "http.enabled" to true, then "sylk down" and "sylk up"',
      { details: { problems: [{ key: "http.enabled", message: "is false" }] } },
    );
  // Whoever opens it has the user's authority.
  await transact("dashboard", (tx) =>
    tx.audit.append({ actor: actorOf(caller), action: "dashboard.link-made", subject: "user", project: undefined }),
  );
  const { code, expiresAt } = browserSessions.makeLink();
  return { url: `${url}/signin?code=${code}`, expiresAt };
}

async function removeOld({ store, clock }: Parts, settings: Settings): Promise<void> {
  const now = clock.now();
  await store.transact("retention", async (tx) => {
    const before = now - settings["events.retentionDays"] * 24 * hourMs;
    const removed = await tx.events.truncate(before, settings["events.maxCount"]);
    if (removed > 0)
      await tx.audit.append({
        actor: theDaemon,
        action: "events.removed",
        subject: "events",
        project: undefined,
        details: { removed, before, maxCount: settings["events.maxCount"] },
      });
    await tx.idempotency.removeBefore(now - settings["idempotency.keepHours"] * hourMs);
    await tx.reservations.removeEndedBefore(now - reservationHistoryMs);
  });
}

function reservationSettings({ "reservations.ttlMs": ttlMs, "reservations.maxPerAgent": maxPerAgent }: Settings) {
  return { ttlMs, maxPerAgent };
}

function workItemSettings({ "work.claimTtlMs": claimTtlMs, "work.maxClaimsPerAgent": maxClaimsPerAgent }: Settings) {
  return { claimTtlMs, maxClaimsPerAgent };
}

export function createDaemonLog(
  dir: string,
  settings: Settings,
  clock: Clock,
): { readonly log: Log; readonly redactor: Redactor; readonly logTrouble: FileSink["trouble"]; closeLog(): void } {
  const sink = fileSink({ dir, maxBytes: settings["log.maxBytes"], keep: settings["log.keep"], clock });
  const redactor = createRedactor();
  const log = createLog({ level: settings["log.level"], write: sink.write, clock, redact: redactor.text });
  return { log, redactor, logTrouble: sink.trouble, closeLog: sink.close };
}
