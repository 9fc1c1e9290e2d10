/**
 * The composition root: the only file that knows every folder. It wires stores, clocks and domain functions to the
 * operations of the contract.
 *
 *   settings, home -> store -> event log, bus -> coordination -> handlers -> dispatch -> surfaces (serve.ts)
 */
import { hostname } from "node:os";
import { createPluginDeclarations } from "./adapters/plugins/index.ts";
import { goneAmong, startTimeOf } from "./adapters/processes/index.ts";
import {
  type AgentId,
  type Authenticate,
  type ClientAdapterV1,
  type Dispatch,
  DomainError,
  type EventFeed,
  type Handlers,
  type LogEvent,
  type OutputOf,
} from "./contract/index.ts";
import { createToolCalls, createUnguardedCalls } from "./coordination/guard/index.ts";
import { sqliteImports } from "./coordination/beads/index.ts";
import {
  createAnnouncements,
  type Announcements,
  createCatchUpClock,
  createRecentReads,
  type CatchUpRules,
} from "./coordination/commits/index.ts";
import { endAgent } from "./coordination/departure/index.ts";
import { sqliteFindings } from "./coordination/findings/index.ts";
import { createBringBack, readHandoff, sqliteHandoffs } from "./coordination/handoff/index.ts";
import { createDeadlineClock, createLeaseClock, type LeaseRules } from "./coordination/leases/index.ts";
import { sqliteMail } from "./coordination/mail/index.ts";
import { listPresence } from "./coordination/presence/index.ts";
import {
  createAuthenticate,
  createLiveness,
  getAgent,
  registerAgent,
  sqliteAgents,
  sqliteProjects,
  sqliteTokens,
} from "./coordination/registry/index.ts";
import {
  acquireReservation,
  answerRequests,
  askForRelease,
  checkPaths,
  createRequestClock,
  createWaitLine,
  leadsOutByLink,
  forceRelease,
  listReservations,
  releaseReservation,
  renewReservation,
  reservationStats,
  sqliteReservations,
  waitForEnd,
} from "./coordination/reservations/index.ts";
import { startSweeper, watchProcesses } from "./coordination/sweeper/index.ts";
import { createProgressClock, sqliteWorkItems } from "./coordination/work-items/index.ts";
import { sqliteArchive } from "./knowledge/archive/index.ts";
import { createHealthTracker, sqliteHealth } from "./oversight/health/index.ts";
import { createContextFeed, sqliteLedger } from "./oversight/ledger/index.ts";
import { sqliteDags } from "./orchestration/dag-runs/index.ts";
import { sqliteCheckProcesses } from "./orchestration/quality/index.ts";
import { sqliteRuns } from "./orchestration/runs/index.ts";
import { sqliteSessions } from "./orchestration/sessions/index.ts";
import {
  healthHandlers,
  type HealthOperation,
  liveProjectsIn,
  outcomeIntake,
  reportCalls,
  reporting,
  whyNotEnforced,
} from "./compose-health.ts";
import { ledgerHandlers, type LedgerOperation } from "./compose-ledger.ts";
import { mailHandlers, type MailOperation } from "./compose-mail.ts";
import { removeOld } from "./compose-retention.ts";
import { type StatuslineParts, statuslineParts } from "./compose-statusline.ts";
import { type Audit, auditHandlers, type AuditOperation, composeAudit, trustUserToken } from "./compose-audit.ts";
import { asAgent, type Parts, type Repositories, type Terms } from "./compose-parts.ts";
import { type RecordOperation, recordHandlers, recordRestore } from "./compose-records.ts";
import { daemonStatus } from "./compose-status.ts";
import { guardHandlers, type GuardOperation, hookClients, isStrict, measureHook } from "./compose-guard.ts";
import { composePool } from "./compose-pool.ts";
import { composeRuntime, type RuntimeOperation } from "./compose-runtime.ts";
import { composeSkills, type SkillOperation } from "./compose-skills.ts";
import { composeWatch } from "./compose-watch.ts";
import { composeWork, workItemPorts, workItemSettings, type WorkOperation } from "./compose-work.ts";
import { actorOf } from "./platform/audit/index.ts";
import { createBus } from "./platform/bus/index.ts";
import { awakeClock, type Clock, systemClock } from "./platform/clock/index.ts";
import { createSettingsOfTree, type Settings } from "./platform/config/index.ts";
import { createEventFeed, readEventPage, sqliteEvents } from "./platform/event-log/index.ts";
import { randomIds } from "./platform/ids/index.ts";
import { sweepHome } from "./platform/home/index.ts";
import { createLog, type FileSink, fileSink, type Log } from "./platform/log/index.ts";
import { type Call, createDispatch, sqliteIdempotency } from "./platform/operations/index.ts";
import { createRedactor, type Redactor } from "./platform/redact/index.ts";
import { startRetention } from "./platform/retention.ts";
import { openSqliteStore, readMigrations, type Store } from "./platform/store/index.ts";
import { protocol, version } from "./platform/version.ts";
import { createDeliveries, type Guards, type HookPorts, replayOverrides } from "./surfaces/hooks/index.ts";
import { type BrowserSessions, createBrowserSessions, createHttpServer } from "./surfaces/http/index.ts";

/** For serve.ts, which loads all of this only after it holds the home's lock. */
export { awakeClock, createHttpServer, createSettingsOfTree, protocol, replayOverrides, systemClock, version };

export type Engine = StatuslineParts & {
  readonly dispatch: Dispatch;
  readonly authenticate: Authenticate;
  readonly feed: EventFeed;
  readonly probe: () => Promise<void>;
  readonly newestEvent: () => Promise<number>;
  readonly browserSessions: BrowserSessions;
  readonly guards: Guards;
  readonly measureHook: HookPorts["measureHook"];
  readonly isStrict: HookPorts["isStrict"];
  readonly deliveries: HookPorts["deliveries"];
  /** Whose hooks are understood. */
  readonly clients: readonly ClientAdapterV1[];
  /** The surfaces tell where they listen; `daemon.status` repeats it. */
  announce(url: string | null): void;
  /** Makes this the user's only token. */
  trustUserToken(token: string): Promise<void>;
  /** Enters a restore that was done while no daemon ran. */
  recordRestore(): Promise<void>;
  /** Counts what hooks wrote down while no daemon answered. */
  takeInOutcomes(): Promise<void>;
  /** Before taking requests: ends whatever processes an earlier daemon's runs left. */
  endLeftovers(): Promise<void>;
  /** Goes on with the runs that were under way. */
  goOn(): Promise<void>;
  close(): Promise<void>;
};

const hourMs = 3_600_000;
const livenessChunk = 50;

export function compose(terms: Terms): Engine {
  const { settings, clock, log } = terms;
  const audit = composeAudit(terms);
  const parts = assemble(terms, audit);
  const { store, liveness, health } = parts;
  const failing = (component: string, then: (error: unknown) => void) => (error: unknown) => {
    health.report({ kind: "daemon", component, outcome: "failed", error: String(error) });
    then(error);
  };
  const unguarded = createUnguardedCalls();
  const calls = createToolCalls(clock);
  const intake = outcomeIntake(parts, unguarded, terms);
  const takeInOutcomes = () =>
    intake.takeIn().then(
      () => {},
      (error: unknown) => log.warn("hook-outcomes.failed", { error }), // the next one tries again
    );
  const auditStarted = audit.start(parts);
  const address: Address = { url: null };
  const browserSessions = createBrowserSessions(clock);
  const sweeper = startSweeper({
    ...parts,
    staleAfterMs: settings["agents.staleAfterMs"],
    answerWithinMs: settings["work.answerWithinMs"],
    maxClaimsPerAgent: settings["work.maxClaimsPerAgent"],
    onSwept: () => parts.health.report({ kind: "daemon", component: "sweeper", outcome: "ok" }),
    onFailed: failing("sweeper", (error) => log.warn("sweep.failed", { error })),
  });
  const processWatch = watchProcesses({
    ...parts,
    goneAmong,
    sweep: (gone) => sweeper.sweep(gone),
    onFailed: failing("process watch", (error) => log.warn("process-watch.failed", { error })),
  });
  const retention = startRetention({
    clock,
    remove: reporting(
      "retention",
      async () => {
        await auditStarted;
        await removeOld(parts, settings);
        sweepHome(terms.paths, { now: clock.now(), maxLogBytes: settings["log.maxBytes"] });
      },
      parts,
    ),
    onFailed: (error) => log.warn("retention.failed", { error }),
  });
  // In a scratch home there are no files.
  const treeWatch = terms.scratch === true ? undefined : composeWatch({ ...parts, calls }, terms);
  const announcements = createAnnouncements({
    ...parts,
    onFailed: failing("announcements", (error) => log.warn("announcement.failed", { error })),
  });
  const guard = guardHandlers({ ...reservationPorts(parts, terms), unguarded, calls, takeInOutcomes }, terms);
  const skills = composeSkills(terms);
  const runtime = composeRuntime(parts, terms, skills.catalogue);
  const records = recordHandlers(parts, terms);
  const workItems = workItemPorts(parts, terms);
  return {
    dispatch: createDispatch({
      handlers: {
        ...coordinationHandlers(parts, terms, address, announcements),
        ...composeWork(workItems),
        ...mailHandlers(parts, terms, workItems),
        ...runtime.handlers,
        ...auditHandlers(parts, terms),
        ...records,
        "project.forget": async (input, call) => {
          const forgotten = await records["project.forget"](input, call);
          await runtime.letGoOfForgotten();
          return forgotten;
        },
        ...healthHandlers(parts, terms),
        ...ledgerHandlers(parts, terms),
        ...skills.handlers,
        ...guard.handlers,
        "dashboard.link": (_, call) => linkTo(address, browserSessions, call),
      },
      store,
      clock,
      log,
      idempotencyKeepMs: settings["idempotency.keepHours"] * hourMs,
      clean: terms.redactor.value,
      onDone: reportCalls(health),
    }),
    authenticate: createAuthenticate(parts),
    feed: createEventFeed({ reader: store.reader, bus: parts.bus }),
    probe: () => store.probe(),
    newestEvent: async () => (await store.reader.events.bounds()).newest,
    browserSessions,
    clients: hookClients(settings, parts),
    guards: { edit: settings["guard.edit"], commit: settings["guard.commit"] },
    measureHook: () => measureHook(parts),
    deliveries: createDeliveries(),
    isStrict: (folder) => isStrict(folder, terms),
    ...statuslineParts(parts, unguarded, settings),
    announce: (url) => void (address.url = url),
    trustUserToken: (token) => auditStarted.then(() => trustUserToken(token, parts)),
    recordRestore: () => auditStarted.then(() => recordRestore(parts, terms)),
    takeInOutcomes,
    endLeftovers: runtime.endLeftovers,
    goOn: runtime.goOn,
    async close() {
      treeWatch?.stop();
      guard.indexKeeper.stop();
      await announcements.stop();
      await runtime.close();
      processWatch.stop();
      sweeper.stop();
      retention.stop();
      intake.stop();
      await liveness.flush();
      liveness.stop();
      health.stop();
      await health.flush().catch((error: unknown) => log.warn("health.write-failed", { error }));
      store.close();
    },
  };
}

type Address = { url: string | null };

function assemble({ paths, settings, settingsOfTree, clock, log, redactor, env, scratch }: Terms, audit: Audit): Parts {
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
      imports: sqliteImports,
      handoffs: sqliteHandoffs,
      mail: sqliteMail,
      findings: sqliteFindings,
      health: sqliteHealth,
      ledger: sqliteLedger,
      sessions: sqliteSessions,
      runs: sqliteRuns,
      dags: sqliteDags,
      checkProcesses: sqliteCheckProcesses,
      archive: sqliteArchive,
      audit: audit.repository,
    },
    clock,
    durable: scratch !== true,
    onUpgrade: (step, facts) => log.info(`store.${step}`, facts),
    onDefect: (error) => void log.error("store.effect-failed", { error }),
  });
  const health = createHealthTracker({
    store,
    clock,
    ids,
    clean: redactor.text,
    liveProjects: liveProjectsIn(store),
    onFailed: (error) => log.warn("health.write-failed", { error }),
  });
  const liveness = createLiveness({
    clock,
    staleAfterMs: settings["agents.staleAfterMs"],
    idleAfterMs: settings["agents.idleAfterMs"],
    // A few at a time, so that hundreds of busy agents never hold the writer for long.
    write: reporting("liveness", (seen) => writeLastSeen([...seen], store), { clock, health }),
    onWriteFailed: (error) => log.warn("liveness.write-failed", { error }),
  });
  const leases = createLeaseClock({ clock, liveness, rules: leaseRules(settings) });
  const basics = {
    store,
    bus,
    clock,
    ids,
    liveness,
    leases,
    line: createWaitLine({ bus, clock }),
    // In a scratch home nothing links anywhere, and time is moved by hand: nobody waits for a disk.
    ...(scratch === true ? {} : { leadsOut: leadsOutByLink }),
    requests: createRequestClock(clock, requestLimits(settings)),
    deadlines: createDeadlineClock(clock),
    progress: createProgressClock(clock),
    reads: createRecentReads(clock),
    catchUp: createCatchUpClock(clock, catchUpRules(settings)),
    health,
    pool: composePool(settings, clock),
    contexts: createContextFeed(clock),
  };
  const bringBack = createBringBack({
    ...basics,
    answerWithinMs: settings["work.answerWithinMs"],
    settingsFor: async (tree) => coordinationSettings(await settingsOfTree(tree)),
  });
  const declaredByPlugins = createPluginDeclarations({ clock, env });
  return { ...basics, bringBack, startTimeOf, declaredByPlugins, host: hostname() };
}

async function writeLastSeen(entries: readonly (readonly [AgentId, number])[], store: Store<Repositories>) {
  for (let start = 0; start < entries.length; start += livenessChunk) {
    await store.transact("liveness", async (tx) => {
      for (const [agent, at] of entries.slice(start, start + livenessChunk)) await tx.agents.setLastSeen(agent, at);
    });
  }
}

function coordinationHandlers(
  parts: Parts,
  terms: Terms,
  address: Address,
  announcements: Announcements,
): Omit<
  Handlers<Call<Repositories>>,
  | RuntimeOperation
  | WorkOperation
  | MailOperation
  | AuditOperation
  | RecordOperation
  | HealthOperation
  | LedgerOperation
  | SkillOperation
  | GuardOperation
  | "dashboard.link"
> {
  const reservations = reservationPorts(parts, terms);
  /** Who reserves or renews is editing: that moves the work it has claimed. */
  const edited = async <T>(call: Call<Repositories>, granted: Promise<T>): Promise<T> => {
    const answer = await granted;
    parts.progress.worked(asAgent(call).caller.agent.id);
    return answer;
  };
  return {
    "agent.register": (input, call) => registerAgent(input, call, parts),
    "agent.list": async (input, { caller }) => {
      const notEnforced = await whyNotEnforced(parts);
      return { ...(await listPresence(input, caller, parts)), ...(notEnforced === undefined ? {} : { notEnforced }) };
    },
    "agent.get": ({ id }, { caller }) => getAgent(id, caller, parts),
    "agent.end": ({ id }, call) => endAgent(id, call, parts),
    "agent.handoff": ({ id }, { caller }) => readHandoff(id, caller, parts),
    "reservation.acquire": (input, call) => edited(call, acquireReservation(input, asAgent(call), reservations)),
    "reservation.list": (input, { caller }) => listReservations(input, caller, reservations),
    "reservation.renew": (input, call) => {
      const renewed = renewReservation(input, asAgent(call), reservations);
      return input.changed ? edited(call, renewed) : renewed;
    },
    "reservation.check": (input, call) => checkPaths(input, asAgent(call).caller, reservations),
    "reservation.wait": (input, call) => waitForEnd(input, asAgent(call), reservations),
    "reservation.ask": (input, call) => askForRelease(input, asAgent(call), reservations),
    "reservation.answer": (input, call) => answerRequests(input, asAgent(call), reservations),
    "reservation.force": (input, call) => forceRelease(input, asAgent(call), reservations),
    "reservation.release": ({ id }, call) => releaseReservation(id, asAgent(call), reservations),
    "reservation.stats": (input, { caller }) => reservationStats(input, caller, parts),
    "commit.announce": (input, call) => edited(call, announcements.announce(input, asAgent(call))),
    "commit.catch-up": async (_, call) => {
      const { project, agent } = asAgent(call).caller;
      const { nextInMs, refresh, ...due } = parts.catchUp.take(project.id, agent.id);
      return { ...due, refresh: [...refresh], ...(nextInMs === undefined ? {} : { nextInMs: Math.ceil(nextInMs) }) };
    },
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

function reservationPorts(parts: Parts, { settingsOfTree }: Terms) {
  return { ...parts, settingsFor: async (tree: string) => reservationSettings(await settingsOfTree(tree)) };
}

function reservationSettings({ "reservations.ttlMs": ttlMs, "reservations.maxPerAgent": maxPerAgent }: Settings) {
  return { ttlMs, maxPerAgent };
}

function requestLimits(settings: Settings) {
  return { normal: settings["reservations.askMs"], urgent: settings["reservations.urgentAskMs"] };
}

function leaseRules(settings: Settings): LeaseRules {
  return {
    maxTtlMs: settings["reservations.maxTtlMs"],
    graceMs: settings["reservations.graceMs"],
    contestedMaxMs: settings["reservations.contestedMaxMs"],
    signsOfLifeRenew: true,
  };
}

function catchUpRules(settings: Settings): CatchUpRules {
  return {
    refreshEveryMs: settings["commits.refreshEveryMs"],
    syncEveryMs: settings["commits.syncEveryMs"],
    batchEveryMs: settings["commits.batchEveryMs"],
    busyCommitsPerHour: settings["commits.busyPerHour"],
  };
}

/** What an agent that comes back is measured by. */
function coordinationSettings(settings: Settings) {
  return { ...reservationSettings(settings), ...workItemSettings(settings) };
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
