/** Builds the store, the bus, the clocks and the trackers, of which a daemon has one each. */
import { hostname } from "node:os";
import { createPluginDeclarations } from "../../adapters/plugins/index.ts";
import { clientOfToolServer } from "../../adapters/commit-gate/index.ts";
import { startTimeOf } from "../../adapters/processes/index.ts";
import type { LogEvent } from "../../contract/index.ts";
import { createCatchUpClock, createRecentReads } from "../../coordination/commits/index.ts";
import { createBringBack } from "../../coordination/handoff/index.ts";
import { createDeadlineClock, createLeaseClock } from "../../coordination/leases/index.ts";
import { createLiveness, projectsWithAgents, writeLastSeen } from "../../coordination/registry/index.ts";
import { createRequestClock, createWaitLine, resolveByDisk } from "../../coordination/reservations/index.ts";
import { createProgressClock } from "../../coordination/work-items/index.ts";
import { createArchiveMemory } from "../../knowledge/archive/index.ts";
import { createHealthTracker, reporting } from "../../oversight/health/index.ts";
import { createContextFeed } from "../../oversight/ledger/index.ts";
import type { Audit } from "./audit.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";
import { composePool } from "./pool.ts";
import { composeStore } from "./store.ts";
import { createLeftNews } from "../../coordination/left-processes/index.ts";
import { catchUpRules, leaseRules, requestLimits, reservationSettings, workItemSettings } from "./settings.ts";
import { createBus } from "../../platform/bus/index.ts";
import { readUserToken } from "../../platform/home/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { mcpKeyOf } from "../../platform/tokens.ts";

export function assemble(terms: DaemonTerms, audit: Audit): DaemonParts {
  const { settings, settingsOfTree, clock, log, paths, redactor, env, scratch } = terms;
  const ids = randomIds(clock);
  const bus = createBus<LogEvent>({
    onSubscriberError: ({ error, pattern }) => void log.error("bus.subscriber-failed", { error, pattern }),
  });
  const archiving = createArchiveMemory();
  const store = composeStore(terms, { ids, bus, archiving }, audit);
  const health = createHealthTracker({
    store,
    clock,
    ids,
    clean: redactor.text,
    liveProjects: () => projectsWithAgents(store),
    onFailed: (error) => log.warn("health.write-failed", { error }),
  });
  const liveness = createLiveness({
    clock,
    staleAfterMs: settings["agents.staleAfterMs"],
    idleAfterMs: settings["agents.idleAfterMs"],
    write: reporting("liveness", (seen) => writeLastSeen(seen, store), { clock, health }),
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
    // A scratch home has no links, and a test moves its clock, so callers must not wait for a disk.
    ...(scratch === true ? {} : { resolveName: resolveByDisk }),
    requests: createRequestClock(clock, requestLimits(settings)),
    deadlines: createDeadlineClock(clock),
    progress: createProgressClock(clock),
    reads: createRecentReads(clock),
    leftNews: createLeftNews({ store, clock, bus }),
    catchUp: createCatchUpClock(clock, catchUpRules(settings)),
    health,
    archiving,
    pool: composePool(settings, clock),
    contexts: createContextFeed(clock),
  };
  const bringBack = createBringBack({
    ...basics,
    answerWithinMs: settings["work.answerWithinMs"],
    settingsFor: async (tree) => {
      const here = await settingsOfTree(tree);
      return { ...reservationSettings(here), ...workItemSettings(here) };
    },
  });
  const declaredByPlugins = createPluginDeclarations({ clock, env });
  const mcpKey = (): string | undefined => {
    const token = readUserToken(paths.token);
    return token === undefined ? undefined : mcpKeyOf(token);
  };
  return { ...basics, bringBack, startTimeOf, clientOfToolServer, declaredByPlugins, mcpKey, host: hostname() };
}
