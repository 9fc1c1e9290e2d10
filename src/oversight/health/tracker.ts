/**
 * The tracker: counts every report in memory, decides on incidents, and writes both down every few seconds.
 *
 *   report -> counters, decideIncidents -> (at most every 5 s; at once for an incident) one transaction:
 *             counters, failures, incidents, their events, how far a file of outcomes was read
 *
 * A report neither waits nor fails. While the store cannot be written everything is kept and written later.
 */
import { health, type EventDraft, type IncidentId, type ProjectId } from "../../contract/index.ts";
import type { Timer } from "../../platform/clock/index.ts";
import { counted, type Counters, noCounters } from "./counters.ts";
import {
  type Change,
  decideIncidents,
  type Failure,
  type HealthState,
  noTrouble,
  rules,
  withoutIncident,
} from "./decide-incidents.ts";
import { incidentView } from "./incident-view.ts";
import type { HealthPorts } from "./ports.ts";
import { componentKey, isFailing, type Report } from "./report.ts";
import type { IncidentRecord, IntakeMark } from "./store.ts";

export type HealthTracker = {
  /** Of now. */
  report(...reports: readonly Omit<Report, "at">[]): void;
  /** Of earlier times, in their order; counted in the same transaction that says so. */
  ingest(reports: readonly Report[], mark: IntakeMark): Promise<void>;
  /** Bytes of a file that were taken in, by this daemon or by one before. */
  ingestedBytes(file: string): Promise<number>;
  components(): Promise<readonly Counters[]>;
  incidents(): readonly IncidentRecord[];
  /** It is resolved in the store. */
  resolved(incident: IncidentRecord): void;
  forget(project: ProjectId): void;
  removeOld(before: number): Promise<void>;
  flush(): Promise<void>;
  stop(): void;
};

const writeEveryMs = 5_000;
/** The daemon's own successes: they alone are not worth a write to the disk. */
const writeOwnEveryMs = 30_000;
const lookEveryMs = 30_000;
const mostComponents = 2_000;
const mostWaiting = 10_000;
const mostFailures = 1_000;
const longestError = 300;

export function createHealthTracker(ports: HealthPorts): HealthTracker {
  const { store, clock, ids } = ports;
  const components = new Map<string, Counters>();
  let state: HealthState = noTrouble;
  const idOf = new Map<string, IncidentId>();
  /** Reports from before the earlier counters were read. */
  let waiting: { readonly report: Report; readonly now: number }[] | undefined = [];
  let loading: Promise<void> | undefined;
  let unwritten = nothing();
  let flushing: Promise<void> = Promise.resolve();
  let timer: { readonly at: number; readonly timer: Timer } | undefined;
  let look: Timer | undefined;
  let stopped = false;

  function load(): Promise<void> {
    loading ??= loadEarlier().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  async function loadEarlier(): Promise<void> {
    const { health: kept } = store.reader;
    const earlier = await kept.components();
    const failures = await kept.failuresSince(clock.now() - rules.agentWithinMs);
    const open = await kept.openIncidents();
    for (const counters of earlier) components.set(componentKey(counters), counters);
    for (const { key, id } of open) idOf.set(key, id);
    state = { failures, incidents: open };
    const missed = waiting ?? [];
    waiting = undefined;
    for (const { report, now } of missed) count(report, now);
    scheduleResolve();
  }

  function take(report: Report, now: number): void {
    const { error } = report;
    const clean = error === undefined ? report : { ...report, error: ports.clean(error.slice(0, 4 * longestError)) };
    const short = clean.error === undefined ? clean : { ...clean, error: clean.error.slice(0, longestError) };
    if (waiting === undefined) return count(short, now);
    waiting = [...waiting.slice(-mostWaiting), { report: short, now }];
    writeWithin(writeEveryMs);
  }

  function count(report: Report, now: number): void {
    const key = keyFor(report);
    components.set(key, counted(components.get(key) ?? noCounters(report), report));
    unwritten.components.add(key);
    const known = state.failures;
    decide(report, now);
    const failure = state.failures === known ? undefined : state.failures.at(-1);
    if (failure !== undefined) unwritten.failures = [...unwritten.failures.slice(1 - mostFailures), failure];
    writeWithin(report.kind === "daemon" && !isFailing(report) ? writeOwnEveryMs : writeEveryMs);
  }

  /** A reporter that makes up names cannot fill the memory. */
  function keyFor(report: Report): string {
    const key = componentKey(report);
    if (components.has(key) || components.size < mostComponents) return key;
    return componentKey({ kind: report.kind, component: "(others)" });
  }

  function decide(report: Report | undefined, now: number): void {
    const decision = decideIncidents(state, report, now);
    state = decision.state;
    for (const change of decision.changes) note(change);
    scheduleResolve();
  }

  function note(change: Change): void {
    const { key } = change.incident;
    const id = idOf.get(key) ?? ids.next("inc");
    idOf.set(key, id);
    const over = change.what === "resolved";
    const record: IncidentRecord = {
      ...change.incident,
      id,
      resolvedAt: over ? clock.now() : undefined,
      resolution: over ? change.how : undefined,
      resolvedWhy: undefined,
    };
    if (over) idOf.delete(key);
    unwritten.incidents.set(id, record);
    const event = eventOf(change.what, record);
    if (event === undefined) return;
    unwritten.events.push({ event, projects: record.projects });
    writeWithin(0);
  }

  /** Time alone may end an incident. */
  function scheduleResolve(): void {
    if (stopped || look !== undefined || state.incidents.length === 0) return;
    look = clock.after(lookEveryMs, () => {
      look = undefined;
      decide(undefined, clock.now());
    });
  }

  function writeWithin(ms: number): void {
    const at = clock.monotonic() + ms;
    if (stopped || (timer !== undefined && timer.at <= at)) return;
    timer?.timer.cancel();
    timer = { at, timer: clock.after(ms, writeNow) };
  }

  function writeNow(): void {
    timer = undefined;
    flush().catch((error: unknown) => {
      if (stopped) return;
      ports.onFailed(error);
      writeWithin(writeEveryMs);
    });
  }

  /** One at a time: what a failed one could not write is given back before the next one looks. */
  function flush(): Promise<void> {
    const next = flushing.catch(() => {}).then(write);
    flushing = next.catch(() => {});
    return next;
  }

  async function write(): Promise<void> {
    await load();
    const batch = unwritten;
    unwritten = nothing();
    if (isNothing(batch)) return;
    try {
      const everywhere = batch.events.some(({ projects }) => projects.length === 0) ? await ports.liveProjects() : [];
      await store.transact("health", async (tx) => {
        for (const key of batch.components) {
          const counters = components.get(key);
          if (counters !== undefined) await tx.health.setComponent(counters);
        }
        if (batch.failures.length > 0) await tx.health.addFailures(batch.failures, clock.now() - rules.agentWithinMs);
        for (const incident of batch.incidents.values()) await tx.health.setIncident(incident);
        for (const mark of batch.marks.values()) await tx.health.setIntake(mark, clock.now());
        for (const { event, projects } of batch.events)
          for (const project of projects.length === 0 ? everywhere : projects) await tx.events.append(project, event);
      });
    } catch (error) {
      unwritten = together(batch, unwritten);
      throw error;
    }
  }

  void load().catch(() => {}); // tried again by the first write
  return {
    report(...reports) {
      const at = clock.now();
      for (const report of reports) take({ ...report, at }, at);
    },
    async ingest(reports, mark) {
      await load();
      for (const report of [...reports].sort((a, b) => a.at - b.at)) take(report, report.at);
      unwritten.marks.set(mark.file, mark);
      await flush();
    },
    async ingestedBytes(file) {
      return unwritten.marks.get(file)?.bytes ?? (await store.reader.health.intakeOf(file)) ?? 0;
    },
    async components() {
      await load();
      return [...components.values()];
    },
    incidents: () =>
      state.incidents.map((incident) => ({
        ...incident,
        id: idOf.get(incident.key)!,
        resolvedAt: undefined,
        resolution: undefined,
        resolvedWhy: undefined,
      })),
    resolved({ key, id }) {
      state = withoutIncident(state, key);
      idOf.delete(key);
      unwritten.incidents.delete(id);
    },
    forget(project) {
      for (const [key, counters] of components) if (counters.project === project) components.delete(key);
      unwritten.components.forEach((key) => components.has(key) || unwritten.components.delete(key));
      for (const { key, projects } of state.incidents)
        if (projects.includes(project)) {
          state = withoutIncident(state, key);
          unwritten.incidents.delete(idOf.get(key)!);
          idOf.delete(key);
        }
      state = { ...state, failures: state.failures.filter((failure) => failure.project !== project) };
      unwritten.failures = unwritten.failures.filter((failure) => failure.project !== project);
      unwritten.events = unwritten.events.filter(({ projects }) => !projects.includes(project));
    },
    async removeOld(before) {
      await load();
      await store.transact("retention", (tx) => tx.health.removeOld(before, clock.now() - rules.agentWithinMs));
      for (const [key, { lastReportAt }] of components) if (lastReportAt < before) components.delete(key);
    },
    flush,
    stop() {
      stopped = true;
      timer?.timer.cancel();
      look?.cancel();
    },
  };
}

type Unwritten = {
  readonly components: Set<string>;
  failures: Failure[];
  readonly incidents: Map<IncidentId, IncidentRecord>;
  readonly marks: Map<string, IntakeMark>;
  events: { readonly event: EventDraft; readonly projects: readonly ProjectId[] }[];
};

function nothing(): Unwritten {
  return { components: new Set(), failures: [], incidents: new Map(), marks: new Map(), events: [] };
}

function isNothing({ components, failures, incidents, marks, events }: Unwritten): boolean {
  return components.size + failures.length + incidents.size + marks.size + events.length === 0;
}

function together(earlier: Unwritten, later: Unwritten): Unwritten {
  return {
    components: new Set([...earlier.components, ...later.components]),
    failures: [...earlier.failures, ...later.failures],
    incidents: new Map([...earlier.incidents, ...later.incidents]),
    marks: new Map([...earlier.marks, ...later.marks]),
    events: [...earlier.events, ...later.events],
  };
}

function eventOf(what: Change["what"], record: IncidentRecord): EventDraft | undefined {
  const fact = { incident: incidentView(record) };
  switch (what) {
    case "opened":
      return health.IncidentOpened.of(record.id, fact);
    case "escalated":
      return health.IncidentEscalated.of(record.id, fact);
    case "resolved":
      return health.IncidentResolved.of(record.id, fact);
    case "joined":
    case "recovering":
      return undefined;
  }
}
