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
import { openSqliteStore, readMigrations, type Store } from "../platform/store/index.ts";
import { scratchFolder, type ScratchFolder } from "../platform/store/testkit.ts";
import { createLeaseClock, type LeaseClock } from "./leases/index.ts";
import {
  createLiveness,
  registerAgent,
  sqliteAgents,
  sqliteProjects,
  sqliteTokens,
  type Liveness,
  type RegistryRepositories,
} from "./registry/index.ts";
import { sqliteReservations, type ReservationRepository, type ReservationSettings } from "./reservations/index.ts";
import { sqliteWorkItems, type WorkItemRepository, type WorkItemSettings } from "./work-items/index.ts";

export const minuteMs = 60_000;

export type ScratchRepositories = RegistryRepositories & {
  readonly events: EventRepository;
  readonly idempotency: IdempotencyRepository;
  readonly reservations: ReservationRepository;
  readonly workItems: WorkItemRepository;
  readonly audit: AuditRepository;
};
/** What a handler of an agent's operation is given. */
export type AgentCall = Call<ScratchRepositories> & { readonly caller: AgentCaller };

type Settings = ReservationSettings &
  WorkItemSettings & { readonly idleAfterMs: number; readonly staleAfterMs: number };

/** The product's defaults. */
const defaults: Settings = {
  ttlMs: 5 * minuteMs,
  maxPerAgent: 40,
  claimTtlMs: 30 * minuteMs,
  maxClaimsPerAgent: 3,
  idleAfterMs: minuteMs,
  staleAfterMs: 5 * minuteMs,
};

export type ScratchPorts = Disposable & {
  readonly folder: ScratchFolder;
  readonly store: Store<ScratchRepositories>;
  readonly bus: Bus<LogEvent>;
  readonly clock: ManualClock;
  readonly ids: IdSource;
  readonly leases: LeaseClock;
  readonly liveness: Liveness;
  readonly staleAfterMs: number;
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

function openPorts(folder: ScratchFolder, clock: ManualClock, settings: Settings): ScratchPorts {
  const { idleAfterMs, staleAfterMs } = settings;
  const ids = randomIds(clock);
  const fail = (error: unknown): void => {
    throw error;
  };
  const bus = createBus<LogEvent>({ onSubscriberError: ({ error }) => fail(error) });
  const store: Store<ScratchRepositories> = openSqliteStore({
    file: join(folder.path, "sylk.db"),
    migrations: readMigrations(),
    repositories: {
      events: sqliteEvents({ clock, ids, onAppended: (event) => void bus.publish(`event.${event.type}`, event) }),
      idempotency: sqliteIdempotency,
      projects: sqliteProjects,
      agents: sqliteAgents,
      tokens: sqliteTokens,
      reservations: sqliteReservations,
      workItems: sqliteWorkItems,
      audit: sqliteAudit({ clock, clean: (value) => value, onAppended: () => {} }),
    },
    onDefect: fail,
  });
  const liveness = createLiveness({
    clock,
    idleAfterMs,
    staleAfterMs,
    write: (seen) =>
      store.transact("liveness", async (tx) => {
        for (const [agent, at] of seen) await tx.agents.setLastSeen(agent, at);
      }),
    // A test may be over before the last write.
    onWriteFailed: (error) => void ((error as DomainError).code === "daemon.stopping" || fail(error)),
  });
  const parts = { store, bus, clock, ids, liveness, leases: createLeaseClock(clock), staleAfterMs };
  const events: ScratchPorts["events"] = async () => {
    const query = { after: 0, limit: 10_000, types: undefined, project: undefined };
    return (await store.reader.events.page(query)).events;
  };
  return {
    ...parts,
    folder,
    settingsFor: async () => settings,
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

/** What was started by a timer goes on by microtasks and commits: some idle turns later it is done. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve));
}
