/** What everything else stands on: store, bus, and the clocks and trackers that each daemon has one of. */
import { hostname } from "node:os";
import { createPluginDeclarations } from "../../adapters/plugins/index.ts";
import { startTimeOf } from "../../adapters/processes/index.ts";
import type { AgentId, LogEvent } from "../../contract/index.ts";
import { createCatchUpClock, createRecentReads, type CatchUpRules } from "../../coordination/commits/index.ts";
import { createBringBack } from "../../coordination/handoff/index.ts";
import { createDeadlineClock, createLeaseClock, type LeaseRules } from "../../coordination/leases/index.ts";
import { createLiveness } from "../../coordination/registry/index.ts";
import { createRequestClock, createWaitLine, leadsOutByLink } from "../../coordination/reservations/index.ts";
import { createProgressClock } from "../../coordination/work-items/index.ts";
import { createHealthTracker } from "../../oversight/health/index.ts";
import { createContextFeed } from "../../oversight/ledger/index.ts";
import type { Audit } from "./audit.ts";
import { reservationSettings } from "./coordination.ts";
import { liveProjectsIn, reporting } from "./health.ts";
import type { Parts, Repositories, Terms } from "./parts.ts";
import { composePool } from "./pool.ts";
import { composeStore } from "./store.ts";
import { workItemSettings } from "./work.ts";
import { createBus } from "../../platform/bus/index.ts";
import type { Settings } from "../../platform/config/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";

const livenessChunk = 50;

export function assemble(terms: Terms, audit: Audit): Parts {
  const { settings, settingsOfTree, clock, log, redactor, env, scratch } = terms;
  const ids = randomIds(clock);
  const bus = createBus<LogEvent>({
    onSubscriberError: ({ error, pattern }) => void log.error("bus.subscriber-failed", { error, pattern }),
  });
  const store = composeStore(terms, { ids, bus }, audit);
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
