/**
 * The gate watch: notices commits that went round the commit gate, in repositories where agents hold files.
 *
 *   holds came or went -> watched repositories: the tips of their branches are known from now on
 *   a branch moved     -> commits it got -> paths that another live agent holds in its tree -> let through by the gate? nothing
 *                                                                                           -> else a finding and an audit entry
 *   hooks changed      -> the gate is off where git does not run it any more: said once
 *
 * Git asks no hook with `core.hooksPath` set, for a reference written as a file, or after `rm .git/hooks/*`: what cannot be
 * stopped is found here, and is not called stopped. After a start, commits since the last event are looked at.
 */
import type { AgentRef, ProjectId } from "../../contract/index.ts";
import type { Timer } from "../../platform/clock/index.ts";
import { attribute } from "../attribution/index.ts";
import { headOf } from "../guard/index.ts";
import { glob, literal, matches } from "../globs/index.ts";
import type { ReservationRecord } from "../reservations/index.ts";
import type { BranchTip, BroughtCommit, GateState, GateWatchPorts } from "./ports.ts";
import { reportBypass, reportGateOff } from "./report-bypass.ts";

const lookAfterMs = 200;
/** Git moves a branch in several steps, which are one move. */
const gatherMs = 100;
const mostRepositories = 32;
/** Git counts time in seconds. */
const secondMs = 1_000;
/** Other hooks may run between the gate and the commit; a hold that begins meanwhile says nothing about the gate. */
const passSlackMs = 60_000;

type Known = { readonly tips: ReadonlyMap<string, string>; readonly gate: GateState["state"] };

export function watchGate(ports: GateWatchPorts): { stop(): void } {
  const { bus, clock, store, branches } = ports;
  const known = new Map<ProjectId, Known>();
  const projectOf = new Map<string, ProjectId>();
  const moved = new Set<ProjectId>();
  const startedAt = clock.now();
  const stoppedAt = lastEventAt(ports);
  let isFirstLook = true;
  let looking: Promise<void> = Promise.resolve();
  let timer: Timer | undefined;
  let gathering: Timer | undefined;
  let stopped = false;

  const watcher = ports.openWatcher((tree) => {
    const project = projectOf.get(tree);
    if (project === undefined || stopped) return;
    moved.add(project);
    gathering ??= clock.after(gatherMs, () => {
      gathering = undefined;
      const projects = [...moved];
      moved.clear();
      inTurn(async () => {
        for (const one of projects) await examine(one, await liveHolds(one)).catch(unlessStopped);
      });
    });
  });
  const unsubscribe = bus.subscribe("event.reservation.*", scheduleLook);

  function scheduleLook(): void {
    if (stopped) return;
    timer ??= clock.after(lookAfterMs, () => {
      timer = undefined;
      inTurn(look);
    });
  }

  function inTurn(work: () => Promise<void>): void {
    looking = looking.then(work).catch(unlessStopped);
  }

  function unlessStopped(error: unknown): void {
    if (!stopped) ports.onFailed(error);
  }

  async function look(): Promise<void> {
    const holds = Map.groupBy(await liveHolds(undefined), ({ project }) => project);
    const trees = new Map<ProjectId, string>();
    for (const [project, records] of holds) {
      const { tree } = records[0]!;
      if (trees.size < mostRepositories && (await ports.isOn(tree))) trees.set(project, tree);
    }
    if (stopped) return;
    for (const project of known.keys()) if (!trees.has(project)) known.delete(project);
    projectOf.clear();
    for (const [project, tree] of trees) projectOf.set(tree, project);
    const troubles = await watcher.watch([...trees.values()]);
    for (const project of trees.keys())
      if (!known.has(project)) await examine(project, holds.get(project)!).catch(unlessStopped);
    isFirstLook = false;
    if (!stopped) ports.onWatched(troubles);
  }

  async function liveHolds(project: ProjectId | undefined): Promise<readonly ReservationRecord[]> {
    const live = await store.reader.reservations.live(project);
    // A run commits for its own agents.
    return live.filter((record) => ports.leases.isLive(record) && record.holder.client !== "sylk");
  }

  async function examine(project: ProjectId, holds: readonly ReservationRecord[]): Promise<void> {
    const tree = holds[0]?.tree;
    if (tree === undefined || stopped) return;
    const before = known.get(project);
    const tips = await branches.tips(tree);
    const gate = await branches.gate(tree);
    known.set(project, { tips: new Map(tips.map(({ branch, commit }) => [branch, commit])), gate: gate.state });
    for (const tip of tips) {
      if (tip.tree === undefined || before?.tips.get(tip.branch) === tip.commit) continue;
      const inTree = holds
        .filter((record) => record.tree === tip.tree || record.scope === "repository")
        .filter((record) => before !== undefined || record.acquiredAt < startedAt);
      for (const commit of inTree.length === 0 ? [] : await commitsOf(tip, before))
        await judge(commit, tip, inTree, before === undefined);
    }
    const isOff = gate.state === "off" || (gate.state === "absent" && before !== undefined);
    if (isOff && before?.gate !== gate.state) {
      const why = gate.state === "off" ? gate.why : "its hooks are gone";
      await reportGateOff({ ...(await placeOf(holds)), why }, ports);
    }
  }

  async function commitsOf(tip: BranchTip, before: Known | undefined): Promise<readonly BroughtCommit[]> {
    const at = tip.tree!;
    if (before !== undefined)
      return branches.brought(at, {
        from: before.tips.get(tip.branch),
        to: tip.commit,
        known: [...before.tips.values()],
      });
    const since = isFirstLook ? await stoppedAt : undefined;
    return since === undefined ? [] : branches.since(at, tip.commit, since);
  }

  async function judge(
    { commit, at, paths }: BroughtCommit,
    { branch, tree }: BranchTip,
    holds: readonly ReservationRecord[],
    isPast: boolean,
  ): Promise<void> {
    const held = holds
      .filter((record) => record.acquiredAt <= at + secondMs)
      .map((record) => ({ record, paths: heldPaths(record, paths) }))
      .filter((one) => one.paths.length > 0);
    const newest = Math.max(...held.map(({ record }) => record.acquiredAt));
    const project = held[0]?.record.project;
    if (project === undefined || stopped) return;
    if (ports.passes.take(project, [...new Set(held.flatMap((one) => one.paths))], newest - passSlackMs)) return;
    const { calls } = attribute("", clock.monotonic(), ports.calls.inTree(tree!));
    const { agents } = store.reader;
    const suspects = distinct(calls.map(({ agent }) => agent));
    const heads = await Promise.all(suspects.map(({ id }) => headOf(id, agents)));
    const others: typeof held = [];
    for (const one of held) {
      const head = await headOf(one.record.holder.id, agents);
      const isOwn = heads.length > 0 && heads.every((id) => id === head);
      if (!isOwn) others.push(one);
    }
    if (others.length === 0) return;
    const place = await placeOf(others.map(({ record }) => record));
    const all = [...new Set(others.flatMap((one) => one.paths))];
    await reportBypass({ ...place, branch, commit, paths: all, suspects, isPast }, ports);
  }

  async function placeOf(records: readonly ReservationRecord[]) {
    const [{ holder, tree }] = records as [ReservationRecord];
    const { project } = (await store.reader.agents.find(holder.id))!;
    return { project, tree, holders: distinct(records.map((record) => record.holder)) };
  }

  scheduleLook();
  return {
    stop() {
      stopped = true;
      unsubscribe();
      timer?.cancel();
      gathering?.cancel();
      watcher.stop();
    },
  };
}

/** When the last daemon was at work; undefined in a new home. */
async function lastEventAt({ store }: GateWatchPorts): Promise<number | undefined> {
  const { newest } = await store.reader.events.bounds();
  const query = { after: newest - 1, types: undefined, project: undefined, limit: 1 };
  return newest === 0 ? undefined : (await store.reader.events.page(query)).events[0]?.at;
}

function heldPaths({ paths: held, patterns }: ReservationRecord, paths: readonly string[]): readonly string[] {
  const covers = [...held.map((path) => literal(path)), ...patterns.map((text) => glob(text))];
  return paths.filter((path) => covers.some((one) => matches(one, path)));
}

function distinct(agents: readonly AgentRef[]): readonly AgentRef[] {
  return [...new Map(agents.map((agent) => [agent.id, agent])).values()];
}
