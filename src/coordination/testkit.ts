/**
 * Coordination as the daemon wires it, over a real SQLite file in a scratch folder, with a clock moved by hand.
 *
 *   using ports = scratchPorts();
 *   const heron = await ports.caller("heron");     // registered in the scratch repository "shop"
 *   await acquireReservation(wanted, heron, ports);
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentCaller, DomainError, LogEvent } from "../contract/index.ts";
import { sqliteAudit, type AuditRepository } from "../platform/audit/index.ts";
import { createBus, type Bus } from "../platform/bus/index.ts";
import { manualClock, type ManualClock } from "../platform/clock/index.ts";
import { sqliteEvents, type EventRepository } from "../platform/event-log/index.ts";
import { randomIds, type IdSource } from "../platform/ids/index.ts";
import { sqliteIdempotency, type Call, type IdempotencyRepository } from "../platform/operations/index.ts";
import { openSqliteStore, type Store } from "../platform/store/index.ts";
import { migratedFile, scratchFolder, type ScratchFolder } from "../platform/store/testkit.ts";
import { sqliteFindings, type FindingRepository } from "./findings/index.ts";
import { sqliteUnguardedCalls, type UnguardedCallRepository } from "./guard/index.ts";
import { createBringBack, sqliteHandoffs, type HandoffRepository } from "./handoff/index.ts";
import {
  createDeadlineClock,
  createLeaseClock,
  type DeadlineClock,
  type LeaseClock,
  type LeaseRules,
} from "./leases/index.ts";
import { createRateWindow, sqliteMail, type MailPorts, type MailRepository, type MailSettings } from "./mail/index.ts";
import {
  createLiveness,
  registerAgent,
  sqliteAgents,
  sqliteProjects,
  sqliteTokens,
  writeLastSeen,
  type RegistryPorts,
  type RegistryRepositories,
} from "./registry/index.ts";
import {
  createRequestClock,
  createWaitLine,
  sqliteReservations,
  type RequestClock,
  type ReservationRepository,
  type ReservationSettings,
  type WaitLine,
} from "./reservations/index.ts";
import {
  createProgressClock,
  sqliteImports,
  sqliteWorkItems,
  type ImportRepository,
  type ProgressClock,
  type WorkItemRepository,
  type WorkItemSettings,
} from "./work-items/index.ts";

export const minuteMs = 60_000;

export type ScratchRepositories = RegistryRepositories & {
  readonly events: EventRepository;
  readonly idempotency: IdempotencyRepository;
  readonly reservations: ReservationRepository;
  readonly workItems: WorkItemRepository;
  readonly imports: ImportRepository;
  readonly handoffs: HandoffRepository;
  readonly mail: MailRepository;
  readonly findings: FindingRepository;
  readonly unguardedCalls: UnguardedCallRepository;
  readonly audit: AuditRepository;
};
/** The call that a handler of an agent's operation gets. */
export type AgentCall = Call<ScratchRepositories, AgentCaller>;

type Settings = ReservationSettings &
  WorkItemSettings &
  LeaseRules &
  MailSettings & {
    readonly idleAfterMs: number;
    readonly staleAfterMs: number;
    readonly answerWithinMs: number;
  };

/** The product's defaults. */
const defaults: Settings = {
  ttlMs: 5 * minuteMs,
  maxPerAgent: 40,
  maxTtlMs: 30 * minuteMs,
  graceMs: 2 * minuteMs,
  contestedMaxMs: 15 * minuteMs,
  signsOfLifeRenew: true,
  claimTtlMs: 30 * minuteMs,
  maxClaimsPerAgent: 3,
  stallAfterMs: 60 * minuteMs,
  answerWithinMs: 10 * minuteMs,
  maxPerMinute: 60,
  maxPerPairPerMinute: 20,
  idleAfterMs: minuteMs,
  staleAfterMs: 5 * minuteMs,
};

export type ScratchPorts = Disposable &
  Omit<RegistryPorts, "store"> & {
    readonly folder: ScratchFolder;
    readonly store: Store<ScratchRepositories>;
    readonly bus: Bus<LogEvent>;
    readonly clock: ManualClock;
    readonly leases: LeaseClock;
    readonly line: WaitLine;
    readonly requests: RequestClock;
    readonly deadlines: DeadlineClock;
    readonly progress: ProgressClock;
    readonly rates: MailPorts["rates"];
    /** Processes of the scratch host, by pid: their start times. */
    readonly processes: Map<number, string>;
    readonly staleAfterMs: number;
    readonly answerWithinMs: number;
    readonly maxClaimsPerAgent: number;
    readonly settingsFor: () => Promise<Settings>;
    /** The agent of that name in a folder (by default the repository "shop"): registered, or found again. */
    caller(name: string, folder?: string): Promise<AgentCall>;
    /** Any call of these agents: what authentication does for each. */
    hear(...calls: readonly AgentCall[]): void;
    /** Everything in the log, and its types alone. */
    events(): Promise<readonly LogEvent[]>;
    eventTypes(): Promise<readonly string[]>;
    /** The same home in the next life of the daemon; this one is over. */
    restart(terms?: { readonly downMs?: number }): ScratchPorts;
  };

export function scratchPorts(settings: Partial<Settings> = {}): ScratchPorts {
  return openPorts(scratchFolder(), manualClock(), { ...defaults, ...settings });
}

type Basics = {
  readonly clock: ManualClock;
  readonly ids: IdSource;
  readonly bus: Bus<LogEvent>;
};

export function coordinationRepositories({ clock, ids, bus }: Basics) {
  return {
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
    unguardedCalls: sqliteUnguardedCalls,
    audit: sqliteAudit({ clock, clean: (value) => value, onAppended: () => {} }),
  };
}

/** Everything that coordination's handlers are given, over a store that is open. */
export function coordinationParts<Repositories extends ScratchRepositories>(
  store: Store<Repositories>,
  { clock, ids, bus }: Basics,
  changes: Partial<Settings> = {},
) {
  const settings = { ...defaults, ...changes };
  const { idleAfterMs, staleAfterMs, answerWithinMs, maxClaimsPerAgent } = settings;
  const liveness = createLiveness({
    clock,
    idleAfterMs,
    staleAfterMs,
    write: (seen) => writeLastSeen(seen, store),
    // A test may be over before the last write.
    onWriteFailed: (error) => void ((error as DomainError).code === "daemon.stopping" || fail(error)),
  });
  const settingsFor = async () => settings;
  const basics = {
    store,
    bus,
    clock,
    ids,
    liveness,
    leases: createLeaseClock({ clock, liveness, rules: settings }),
    line: createWaitLine({ bus, clock }),
    requests: createRequestClock(clock, { normal: 10 * minuteMs, urgent: 5 * minuteMs }),
    deadlines: createDeadlineClock(clock),
    progress: createProgressClock(clock),
    staleAfterMs,
    answerWithinMs,
    maxClaimsPerAgent,
    settingsFor,
  };
  const processes = new Map<number, string>();
  return {
    ...basics,
    processes,
    host: "scratch",
    startTimeOf: async (pid: number) => processes.get(pid),
    bringBack: createBringBack(basics),
    rates: createRateWindow(clock),
  };
}

function fail(error: unknown): void {
  throw error;
}

function openPorts(folder: ScratchFolder, clock: ManualClock, settings: Settings): ScratchPorts {
  const ids = randomIds(clock);
  const bus = createBus<LogEvent>({ onSubscriberError: ({ error }) => fail(error) });
  const store: Store<ScratchRepositories> = openSqliteStore({
    ...migratedFile(join(folder.path, "sylk.db")),
    repositories: coordinationRepositories({ clock, ids, bus }),
    onDefect: fail,
  });
  const parts = coordinationParts(store, { clock, ids, bus }, settings);
  const { liveness } = parts;
  const events: ScratchPorts["events"] = async () => {
    const query = { after: 0, limit: 10_000, types: undefined, project: undefined };
    return (await store.reader.events.page(query)).events;
  };
  return {
    ...parts,
    folder,
    async caller(name, place = repository(folder, "shop")) {
      const wanted = { sessionKey: name, client: "other", project: { path: place }, name } as const;
      const { agent } = await registerAgent(wanted, store, parts);
      const { id, project, tree } = agent;
      const caller: AgentCaller = { kind: "agent", agent: { id, name: agent.name, client: "other" }, project, tree };
      return { caller, transact: store.transact };
    },
    hear: (...calls) => calls.forEach(({ caller }) => liveness.touch(caller.agent.id)),
    events,
    eventTypes: async () => (await events()).map(({ type }) => type),
    restart({ downMs = 0 } = {}) {
      liveness.stop();
      store.close();
      // Another process: the wall clock has gone on, the monotonic one begins anew.
      return openPorts(folder, manualClock({ wall: clock.now() + downMs, monotonic: 50 }), settings);
    },
    [Symbol.dispose]() {
      liveness.stop();
      store.close();
      folder[Symbol.dispose]();
    },
  };
}

/** A folder as `git init` leaves it, as far as Sylk reads it. */
export function repository({ path }: Pick<ScratchFolder, "path">, name: string): string {
  const tree = join(path, name);
  mkdirSync(join(tree, ".git"), { recursive: true });
  writeFileSync(join(tree, ".git", "HEAD"), "ref: refs/heads/main\n");
  return tree;
}

/** A second working tree of a repository, as `git worktree add` leaves it. */
export function worktree({ path }: Pick<ScratchFolder, "path">, of: string, name: string): string {
  const tree = join(path, name);
  const gitDirectory = join(of, ".git", "worktrees", name);
  mkdirSync(tree, { recursive: true });
  mkdirSync(gitDirectory, { recursive: true });
  writeFileSync(join(gitDirectory, "commondir"), "../..\n");
  writeFileSync(join(tree, ".git"), `gitdir: ${gitDirectory}\n`);
  return tree;
}

/** Work that a timer started continues by microtasks and commits: some idle turns later it is done. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve));
}
