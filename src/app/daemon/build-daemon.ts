/**
 * The composition root: with its parts beside it (`compose-*.ts`) the only place that knows every folder. It wires stores,
 * clocks and domain functions to the operations of the contract.
 *
 *   settings, home -> foundation: store, event log, bus, clocks -> handlers of each part -> dispatch -> surfaces (serve.ts)
 */
import { type Authenticate, type ClientAdapterV1, type Dispatch, type EventFeed } from "../../contract/index.ts";
import { createAnnouncements } from "../../coordination/commits/index.ts";
import { createToolCalls, createUnguardedCalls } from "../../coordination/guard/index.ts";
import { createAuthenticate } from "../../coordination/registry/index.ts";
import { auditHandlers, composeAudit, trustUserToken } from "./audit.ts";
import { coordinationHandlers, reservationPorts } from "./coordination.ts";
import { type Address, linkTo } from "./dashboard.ts";
import { assemble } from "./foundation.ts";
import { guardHandlers, hookClients, isStrict, measureHook } from "./guard.ts";
import { healthHandlers, outcomeIntake, reportCalls } from "./health.ts";
import { ledgerHandlers } from "./ledger.ts";
import { createDaemonLog } from "./log.ts";
import { mailHandlers } from "./mail.ts";
import type { Repositories, Terms } from "./parts.ts";
import { recordHandlers, recordRestore } from "./records.ts";
import { composeRuntime } from "./runtime.ts";
import { composeSkills } from "./skills.ts";
import { type StatuslineParts, statuslineParts } from "./statusline.ts";
import { type Failing, startUpkeep } from "./upkeep.ts";
import { composeWatch } from "./watch.ts";
import { composeWork, workItemPorts } from "./work.ts";
import { awakeClock, systemClock } from "../../platform/clock/index.ts";
import { createSettingsOfTree } from "../../platform/config/index.ts";
import { createEventFeed } from "../../platform/event-log/index.ts";
import { type Call, createDispatch, mergeHandlers } from "../../platform/operations/index.ts";
import { protocol, version } from "../../platform/version.ts";
import { createDeliveries, type Guards, type HookPorts, replayOverrides } from "../../surfaces/hooks/index.ts";
import { type BrowserSessions, createBrowserSessions, createHttpServer } from "../../surfaces/http/index.ts";

/** For serve.ts, which loads all of this only after it holds the home's lock. */
export {
  awakeClock,
  createDaemonLog,
  createHttpServer,
  createSettingsOfTree,
  protocol,
  replayOverrides,
  systemClock,
  version,
};

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

export function compose(terms: Terms): Engine {
  const { settings, clock, log } = terms;
  const audit = composeAudit(terms);
  const parts = assemble(terms, audit);
  const { store, liveness, health } = parts;
  const failing: Failing = (component, then) => (error) => {
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
  const upkeep = startUpkeep(parts, terms, { auditStarted, failing });
  // In a scratch home there are no files.
  const treeWatch = terms.scratch === true ? undefined : composeWatch({ ...parts, calls }, terms);
  const announcements = createAnnouncements({
    ...parts,
    onFailed: failing("announcements", (error) => log.warn("announcement.failed", { error })),
  });
  const guard = guardHandlers({ ...reservationPorts(parts, terms), unguarded, calls, takeInOutcomes }, terms);
  const skills = composeSkills(terms);
  const runtime = composeRuntime(parts, terms, skills.catalogue);
  const workItems = workItemPorts(parts, terms);
  return {
    dispatch: createDispatch({
      handlers: mergeHandlers(
        coordinationHandlers(parts, terms, address, announcements),
        composeWork(workItems),
        mailHandlers(parts, terms, workItems),
        runtime.handlers,
        auditHandlers(parts, terms),
        recordHandlers(parts, terms, runtime),
        healthHandlers(parts, terms),
        ledgerHandlers(parts, terms),
        skills.handlers,
        guard.handlers,
        { "dashboard.link": (_: unknown, call: Call<Repositories>) => linkTo(address, browserSessions, call) },
      ),
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
