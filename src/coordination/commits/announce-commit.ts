/**
 * Announces a commit: agents that hold, have just held or have just read one of its paths get a notice; no other agent
 * hears of it. While a project commits a lot the notice is left to their next edit, where all of them come at once.
 */
import {
  commit as contract,
  invalidInput,
  type AgentCaller,
  type AgentRef,
  type InputOf,
  type OutputOf,
} from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import type { Transaction } from "../../platform/store/index.ts";
import { postMessage, type MailRepositories } from "../mail/index.ts";
import { canBeHeld, glob, InvalidPattern, matches, normalizePath } from "../globs/index.ts";
import { refOf, requireLiveAgent, type Liveness } from "../registry/index.ts";
import type { HeldPaths, ReservationRepository } from "../reservations/index.ts";
import type { CatchUpClock } from "./catch-up-clock.ts";
import type { RecentReads } from "./recent-reads.ts";

export type CommitRepositories = MailRepositories & {
  readonly reservations: ReservationRepository;
  readonly events: EventRepository;
};
export type AnnounceCall = AgentCall<CommitRepositories>;
export type CommitPorts = {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly liveness: Liveness;
  readonly catchUp: CatchUpClock;
  readonly reads: RecentReads;
};

/** An agent that worked on a path this recently still has it in mind. */
const recentMs = 10 * 60_000;

/** As many paths as one announcement may name. */
const mostAnnounced = 500;

/** Of any size, with any names; a path that cannot be reserved has no holder. */
export async function announceAll(
  {
    commit,
    paths: all,
    subject,
  }: { readonly commit: string; readonly paths: readonly string[]; readonly subject: string },
  call: AnnounceCall,
  ports: CommitPorts,
): Promise<readonly AgentRef[]> {
  const paths = all.filter(canBeHeld);
  const told = new Map<string, AgentRef>();
  for (let at = 0; at < paths.length; at += mostAnnounced) {
    const part = { commit, paths: paths.slice(at, at + mostAnnounced), subject: subject.slice(0, 300) };
    for (const agent of (await announceCommit(part, call, ports)).told) told.set(agent.id, agent);
  }
  return [...told.values()];
}

/** `isLate`: it was accepted before, and is told even where its agent has ended meanwhile. */
export function announceCommit(
  { commit, paths: given, subject }: InputOf<"commit.announce">,
  { caller, transact }: AnnounceCall,
  ports: CommitPorts,
  { isLate = false } = {},
): Promise<OutputOf<"commit.announce">> {
  const paths = checkedPaths(given);
  return transact(caller.project.id, async (tx) => {
    if (!isLate) await requireLiveAgent(caller, tx);
    const told = await agentsConcerned(paths, caller, tx, ports);
    if (told.length > 0 && !ports.catchUp.isLazy(caller.project.id)) {
      const id = ports.ids.next("msg");
      await postMessage(
        {
          id,
          thread: id,
          project: caller.project.id,
          from: caller.agent,
          audience: "agents",
          to: told,
          content: { kind: "commit-notice", commit, paths },
          subject,
          body: "",
          importance: "normal",
          sentAt: ports.clock.now(),
        },
        tx,
      );
    }
    await tx.events.append(
      caller.project.id,
      contract.CommitAnnounced.of(commit, { commit, paths, by: caller.agent, told: [...told] }),
    );
    tx.afterCommit(() =>
      ports.catchUp.committed(
        caller.project.id,
        paths,
        told.map(({ id }) => id),
      ),
    );
    return { told: [...told] };
  });
}

export function checkedPaths(given: readonly string[]): string[] {
  return [...new Set(given.map(inRepository))];
}

function inRepository(path: string, index: number): string {
  try {
    return normalizePath(path);
  } catch (error) {
    if (!(error instanceof InvalidPattern)) throw error;
    throw invalidInput(`paths.${index}`, error.message);
  }
}

async function agentsConcerned(
  paths: readonly string[],
  { agent, project }: AgentCaller,
  tx: CommitRepositories & Transaction,
  { clock, liveness, reads }: CommitPorts,
): Promise<readonly AgentRef[]> {
  const changed = new Set(paths);
  const held = await tx.reservations.heldSince(project.id, clock.now() - recentMs, paths);
  const concerned = new Set(held.filter((record) => covers(record, changed)).map(({ holder }) => holder));
  for (const reader of reads.readersOf(changed, recentMs)) concerned.add(reader);
  concerned.delete(agent.id);
  const told: AgentRef[] = [];
  for (const id of concerned) {
    const record = await tx.agents.find(id);
    if (record === undefined || record.project.id !== project.id) continue;
    if (!["ended", "offline"].includes(liveness.statusOf(record))) told.push(refOf(record));
  }
  return told;
}

function covers({ paths, patterns }: HeldPaths, changed: ReadonlySet<string>): boolean {
  if (paths.some((path) => changed.has(path))) return true;
  return patterns.map((text) => glob(text)).some((one) => [...changed].some((path) => matches(one, path)));
}
