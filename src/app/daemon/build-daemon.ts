/**
 * Builds a daemon. Only this file and its neighbours know every folder. They construct and connect; the features have the
 * rules.
 *
 *   settings, home -> foundation: store, event log, bus, clocks -> handlers of each feature -> dispatch -> surfaces (serve.ts)
 */
import { type Authenticate, type ClientAdapterV1, type Dispatch, type EventFeed } from "../../contract/index.ts";
import { callSessionFields } from "../../adapters/client-sessions/index.ts";
import { startTimeOf } from "../../adapters/processes/index.ts";
import { createAnnouncements } from "../../coordination/commits/index.ts";
import { createGatePasses, createToolCalls, createUnguardedCalls, isStrict } from "../../coordination/guard/index.ts";
import { createAuthenticate, trustUserToken } from "../../coordination/registry/index.ts";
import { failureOf, measureHook, reportCalls } from "../../oversight/health/index.ts";
import { composeAudit } from "./audit.ts";
import { composeCodeIndex } from "./code-index.ts";
import { coordinationHandlers } from "./coordination.ts";
import { composeFileHistory } from "./file-history.ts";
import { assemble } from "./foundation.ts";
import { composeConfinement } from "./confinement.ts";
import { composeGuard } from "./guard.ts";
import { hookClients } from "./hook-clients.ts";
import { composeInstalls } from "./installs.ts";
import { createDaemonLog } from "./log.ts";
import { type Address, outcomeIntake, oversightHandlers } from "./oversight.ts";
import type { Repositories, DaemonTerms } from "./parts.ts";
import { recordHandlers } from "./records.ts";
import { composeRuntime } from "./runtime.ts";
import { policyOf } from "./settings.ts";
import { type StatuslineParts, statuslineParts } from "./statusline.ts";
import { composeTools } from "./tools.ts";
import { startUpkeep } from "./upkeep.ts";
import { composeGateWatch, composeWatch } from "./watch.ts";
import { recordRestore } from "../../data/index.ts";
import { awakeClock, systemClock } from "../../platform/clock/index.ts";
import { consentsIn, createSettingsOfTree } from "../../platform/config/index.ts";
import { createEventFeed } from "../../platform/event-log/index.ts";
import { createDispatch, mergeHandlers } from "../../platform/operations/index.ts";
import { protocol, version } from "../../platform/version.ts";
import { createDeliveries, type Guards, type HookPorts, replayOverrides } from "../../surfaces/hooks/index.ts";
import { composeNotifier } from "./notifier.ts";
import { browsersFile } from "../../platform/home/index.ts";
import { type BrowserSessions, createBrowserSessions, createHttpServer } from "../../surfaces/http/index.ts";

/** For serve.ts, which loads this module only after it has locked the home. */
export {
  awakeClock,
  createDaemonLog,
  createHttpServer,
  consentsIn,
  createSettingsOfTree,
  protocol,
  replayOverrides,
  startTimeOf,
  systemClock,
  version,
};

export type Daemon = StatuslineParts & {
  readonly dispatch: Dispatch;
  readonly authenticate: Authenticate;
  readonly feed: EventFeed;
  readonly probe: () => Promise<void>;
  readonly newestEvent: () => Promise<number>;
  readonly browserSessions: BrowserSessions;
  readonly guards: Guards;
  readonly measureHook: HookPorts["measureHook"];
  readonly examineInstalls: HookPorts["examineInstalls"];
  readonly isStrict: HookPorts["isStrict"];
  readonly deliveries: HookPorts["deliveries"];
  readonly retell: HookPorts["retell"];
  /** The clients that have an adapter for their hooks. */
  readonly clients: readonly ClientAdapterV1[];
  readonly callSessionFields: typeof callSessionFields;
  /** Sets the addresses of the surfaces, which `daemon.status` shows. */
  announce(url: string | null): void;
  /** Replaces the user's token with this one. */
  trustUserToken(token: string): Promise<void>;
  /** Records in the audit a restore that was done while no daemon ran. */
  recordRestore(): Promise<void>;
  /** Counts the hooks that ran while no daemon answered. */
  ingestOutcomes(): Promise<void>;
  /** Call this before taking requests: kills leftover processes of an earlier daemon's runs. */
  endLeftovers(): Promise<void>;
  /** Continues the runs and graphs that were running. */
  resumeAll(): Promise<void>;
  close(): Promise<void>;
};

const hourMs = 3_600_000;

export function buildDaemon(terms: DaemonTerms): Daemon {
  const { settings, clock, log } = terms;
  const audit = composeAudit(terms);
  const parts = assemble(terms, audit);
  const { store, liveness, health } = parts;
  const failed = (component: string, event: string) => (error: unknown) => {
    health.report(failureOf(component, error));
    log.warn(event, { error });
  };
  const unguarded = createUnguardedCalls({ store, clock, onFailed: failed("guard", "unguarded-calls.failed") });
  const calls = createToolCalls(clock);
  const passes = createGatePasses(clock);
  const intake = outcomeIntake(parts, unguarded, terms);
  const ingestOutcomes = () =>
    unguarded
      .load()
      .then(intake.ingest)
      .then(
        () => {},
        (error: unknown) => log.warn("hook-outcomes.failed", { error }), // the next one tries again
      );
  const auditStarted = audit.start(parts);
  const address: Address = { url: null };
  const browserSessions = createBrowserSessions(clock, browsersFile(terms.paths.browsers));
  const history = composeFileHistory({ ...parts, calls }, terms);
  const upkeep = startUpkeep(parts, terms, { auditStarted, failed, sweepContents: history.fileHistory.sweep });
  // In a scratch home there are no files.
  const confined = composeConfinement(parts, terms);
  const watched = { ...parts, calls, passes, kept: history.kept };
  const treeWatch = terms.scratch === true ? undefined : composeWatch(watched, terms, confined.follower.soon);
  const gateWatch = terms.scratch === true ? undefined : composeGateWatch(watched, terms);
  const announcements = createAnnouncements({
    ...parts,
    onFailed: failed("announcements", "announcement.failed"),
  });
  const installs = composeInstalls(parts, terms);
  const guard = composeGuard(parts, terms, {
    installs: installs.news,
    unguarded,
    calls,
    passes,
    announcements,
    ingestOutcomes,
    kept: history.fileHistory,
    changedBy: history.changedBy,
    lastWriters: history.lastWriters,
    confined,
  });
  const tools = composeTools(parts, terms, () => runtime);
  const codeIndex = composeCodeIndex(parts, terms, failed("code index", "code-index.failed"));
  const runtime = composeRuntime(parts, terms, {
    tools,
    index: codeIndex.index,
    dispatch: () => dispatch,
    wrap: confined.wrap,
    mergeChange: guard.mergeChange,
  });
  const dispatch: Dispatch = createDispatch<Repositories>({
    handlers: mergeHandlers(
      coordinationHandlers(parts, terms, { ...history, shells: confined.shells, installs: installs.news }),
      guard.handlers,
      history.handlers,
      oversightHandlers(parts, terms, { address, browserSessions, companions: installs.companions }),
      runtime.handlers,
      tools.handlers,
      codeIndex.handlers,
      recordHandlers(parts, terms, { ...runtime, ...history, codeIndex }),
    ),
    store,
    clock,
    log,
    idempotencyKeepMs: settings["idempotency.keepHours"] * hourMs,
    clean: terms.redactor.value,
    onDone: reportCalls(health),
  });
  const notifier = composeNotifier(parts, terms, { dispatch, onFailed: failed("notifier", "notice.failed") });
  return {
    dispatch,
    authenticate: createAuthenticate(parts),
    feed: createEventFeed({ reader: store.reader, bus: parts.bus }),
    probe: () => store.probe(),
    newestEvent: async () => (await store.reader.events.bounds()).newest,
    browserSessions,
    clients: hookClients(settings, parts),
    callSessionFields,
    guards: { edit: settings["guard.edit"], commit: settings["guard.commit"] },
    measureHook: () => measureHook(parts),
    examineInstalls: installs.look,
    deliveries: createDeliveries(),
    retell: unguarded.retell,
    isStrict: (folder) => isStrict(folder, { policyFor: policyOf(terms) }),
    ...statuslineParts(parts, { inTree: unguarded.inTree, indexStates: codeIndex.states }, settings),
    announce: (url) => void (address.url = url),
    trustUserToken: (token) => auditStarted.then(() => trustUserToken(token, parts)),
    recordRestore: () => auditStarted.then(() => recordRestore({ store, database: terms.paths.database, log })),
    ingestOutcomes,
    endLeftovers: runtime.endLeftovers,
    async resumeAll() {
      await runtime.resumeAll();
      void notifier.look(); // what came up to be asked while no daemon ran
    },
    async close() {
      notifier.stop();
      treeWatch?.stop();
      gateWatch?.stop();
      await history.fileHistory.close();
      guard.indexKeeper.stop();
      confined.follower.stop();
      await announcements.stop();
      await runtime.close();
      await codeIndex.stop();
      upkeep.stop();
      intake.stop();
      await liveness.flush();
      liveness.stop();
      health.stop();
      await health.flush().catch((error: unknown) => log.warn("health.write-failed", { error }));
      store.close();
    },
  };
}
