/** Connects health, ledger, audit, event log and the daemon's own operations. */
import { join } from "node:path";
import { setImmediate } from "node:timers/promises"; // clock-exempt: takes no time, lets others have their turn
import { clientUsages } from "../../adapters/client-usages/index.ts";
import type { Companion } from "../../contract/index.ts";
import { usageSources } from "../../adapters/transcripts/index.ts";
import { noteUnanswered, type UnguardedCalls } from "../../coordination/guard/index.ts";
import { agentsNow, identifyHook, projectsWithAgents } from "../../coordination/registry/index.ts";
import { busySessions } from "../../orchestration/runs/index.ts";
import { companionHandlers } from "../../oversight/companions/index.ts";
import { daemonHandlers } from "../../oversight/daemon/index.ts";
import {
  createOutcomeIntake,
  healthHandlers,
  type OutcomeIntake,
  whyNotEnforced,
} from "../../oversight/health/index.ts";
import { ledgerHandlers } from "../../oversight/ledger/index.ts";
import { auditHandlers } from "../../platform/audit/index.ts";
import { consentsIn } from "../../platform/config/index.ts";
import { configHandlers } from "../../platform/settings-consent/index.ts";
import { eventHandlers } from "../../platform/event-log/index.ts";
import { mergeHandlers } from "../../platform/operations/index.ts";
import { protocol, version } from "../../platform/version.ts";
import { type BrowserSessions, readAllowedHosts } from "../../surfaces/http/index.ts";
import { pricesOf } from "../command-line/standalone-ledger.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";

/** Far above what a project has; the newest count. */
const mostSessions = 100_000;

/** The addresses of the surfaces, once they listen. */
export type Address = { url: string | null };

export function oversightHandlers(
  parts: DaemonParts,
  terms: DaemonTerms,
  {
    address,
    browserSessions,
    companions,
  }: {
    readonly address: Address;
    readonly browserSessions: BrowserSessions;
    readonly companions: () => readonly Companion[];
  },
) {
  const { store, health: tracker, clock, contexts, pool } = parts;
  const { settings, paths, env, startedAt, logTrouble, onStop, examine } = terms;
  return mergeHandlers(
    healthHandlers({
      ...parts,
      tracker,
      liveProjects: () => projectsWithAgents(store),
      agentsNow: (caller) => agentsNow(caller, parts),
      whyNotEnforced: () => whyNotEnforced(store),
      guards: { edit: settings["guard.edit"], commit: settings["guard.commit"] },
    }),
    ledgerHandlers({
      store,
      contexts,
      ...usageSources(clientUsages, env),
      prices: () => pricesOf(paths),
      sessionKeys: async () => {
        const agents = await store.reader.agents.list({ project: undefined, includeGone: true });
        return new Map(agents.map(({ id, sessionKey }) => [id, sessionKey]));
      },
      sessionsOf: async (project) => {
        const agents = await store.reader.agents.list({ project, includeGone: true });
        const sessions = await store.reader.sessions.list({ project, before: undefined, limit: mostSessions });
        return new Set([...agents.map(({ sessionKey }) => sessionKey), ...sessions.map(({ id }) => id)]);
      },
      now: () => clock.now(),
      pause: () => setImmediate(),
    }),
    companionHandlers({ companions }),
    auditHandlers({ store, headFile: auditHeadFile(paths) }),
    eventHandlers({ store }),
    configHandlers({ consents: consentsIn(paths.trustedSettings), clock, userFile: paths.config }),
    daemonHandlers({
      ...paths,
      pid: process.pid,
      version,
      protocol,
      startedAt,
      logTrouble,
      noticeFailures: () => store.reader.notices.failures(),
      whyHomeLost: () => terms.hold?.whyLost(),
      tracker,
      store,
      url: () => address.url,
      makeLink: browserSessions.makeLink,
      allowedHosts: () => [...readAllowedHosts(settings["http.allowedHosts"])],
      liveAgents: async () => (await agentsNow({ kind: "user", project: undefined }, parts)).length,
      busySessions: () => busySessions(store.reader.runs),
      pool: pool.metrics,
      stop: onStop,
      examine,
    }),
  );
}

/** Ingests what hooks wrote into the log's folder while no daemon answered. */
export function outcomeIntake(
  parts: DaemonParts,
  unguarded: UnguardedCalls,
  { paths, log }: DaemonTerms,
): OutcomeIntake {
  return createOutcomeIntake({
    ...parts,
    tracker: parts.health,
    folder: paths.logs,
    onFailed: (error) => log.warn("hook-outcomes.failed", { error }),
    onUnanswered: (hook) => noteUnanswered(hook, unguarded, parts.store.reader.projects),
    onTaken: (facts) => log.info("hook-outcomes.taken", facts),
    resolve: (named) => identifyHook(named, parts.store),
  });
}

export function auditHeadFile({ home }: DaemonTerms["paths"]): string {
  return join(home, "audit-head");
}
