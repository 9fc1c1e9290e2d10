/**
 * One simulated agent: claims an item, edits files under reservations, commits, gives them back; pauses, waits, crashes.
 *
 *   ready -> claim -> (reserve files, edit, think)* -> commit -> … -> close -> next
 *
 * It decides nothing about coordination: every step is an operation of the product, and the agent obeys the answer.
 */
import { type CommitMode, DomainError, type OutputOf, type Rhythm } from "../../contract/index.ts";
import type { Meter } from "./meter.ts";
import type { Chance } from "./random.ts";
import type { Seat, World } from "./world.ts";

type Terms = {
  readonly seat: Seat;
  readonly world: World;
  readonly rhythm: Rhythm;
  readonly commits: CommitMode;
  readonly chance: Chance;
  readonly meter: Meter;
};
type Item = { readonly id: string; readonly title: string };
type Hold = OutputOf<"reservation.acquire">["reservation"];

/** Thrown in the middle of whatever the agent does: it is gone, and gives nothing back. */
class Crash extends Error {}

const idleSeconds = 30;

/** Never resolves: a life ends with its world. */
export async function liveAgent({ seat: first, world, rhythm, commits: mode, chance, meter }: Terms): Promise<never> {
  const { name } = first;
  let seat = first;
  let item: Item | undefined;
  let commits = 0;

  function rest(seconds: number): Promise<void> {
    return new Promise((resolve) => void world.clock.after(Math.round(seconds * 1_000), resolve));
  }

  /** A pause in which it is heard of now and then. */
  async function pause(seconds: number): Promise<void> {
    const every = rhythm.heartbeatSeconds === 0 ? Infinity : rhythm.heartbeatSeconds;
    for (let left = seconds; left > 0; left -= every) {
      await rest(Math.min(left, every));
      if (left > every) await seat.call("agent.heartbeat", { id: seat.id });
    }
  }

  async function workOn(area: number): Promise<void> {
    const holds: Hold[] = [];
    const paths = new Set<string>();
    for (let file = 0; file < rhythm.filesPerCommit; file++) {
      const path = choosePath(area);
      const hold = await reserve(path);
      if (hold === undefined) continue;
      if (!holds.some(({ id }) => id === hold.id)) holds.push(hold);
      paths.add(path);
      await edit(path, hold, holds);
    }
    if (paths.size > 0) await commit([...paths], holds);
  }

  function choosePath(area: number): string {
    if (rhythm.hotFiles > 0 && chance.happens(rhythm.hotShare)) return `hot/${chance.below(rhythm.hotFiles)}.ts`;
    return `area-${area}/${chance.below(rhythm.filesPerArea)}.ts`;
  }

  /** Undefined when it waited in vain: then it does without this file. */
  async function reserve(path: string): Promise<Hold | undefined> {
    const asked = world.clock.monotonic();
    try {
      const wanted = { paths: [path], waitMs: rhythm.patienceSeconds * 1_000 };
      const { reservation } = await seat.call("reservation.acquire", wanted);
      meter.reserved(world.clock.monotonic() - asked);
      return reservation;
    } catch (error) {
      if (!isRefusal(error, "reservation.conflict", "reservation.limit")) throw error;
      meter.waitedInVain(world.clock.monotonic() - asked);
      return undefined;
    }
  }

  async function edit(path: string, granted: Hold, holds: Hold[]): Promise<void> {
    let hold: Hold | undefined = granted;
    for (let edits = 0; edits < rhythm.editsPerFile && hold !== undefined; edits++) {
      const isHalfDone = edits === Math.floor(rhythm.editsPerFile / 2);
      if (isHalfDone && chance.happens(rhythm.thinkShare)) await pause(chance.about(rhythm.thinkSeconds));
      await rest(chance.about(rhythm.editEverySeconds));
      mayCrash(rhythm.editEverySeconds);
      await catchUp();
      hold = await keep(path, hold, holds);
    }
  }

  /** Before each edit, as the guard of an editor does; a hold that was lost is asked for anew. */
  async function keep(path: string, hold: Hold, holds: Hold[]): Promise<Hold | undefined> {
    try {
      return (await seat.call("reservation.renew", { id: hold.id })).reservation;
    } catch (error) {
      if (!isRefusal(error, "lease.lost", "reservation.not-found")) throw error;
      meter.lostHold();
      holds.splice(holds.findIndex(({ id }) => id === hold.id) >>> 0, 1);
      const again = await reserve(path);
      if (again !== undefined) holds.push(again);
      return again;
    }
  }

  /** What others have committed since: taken over when it is due, and not before. */
  async function catchUp(): Promise<void> {
    const { refresh, sync } = await seat.call("commit.catch-up", {});
    if (refresh.length > 0) {
      meter.refreshed();
      await rest(rhythm.refreshSeconds);
    }
    if (sync) {
      meter.synced();
      await rest(rhythm.syncSeconds);
    }
  }

  /** The tree is shared, and so is the branch: overlapping commits wait, in the other mode all of them. */
  async function makeCommit(paths: readonly string[]): Promise<void> {
    if (rhythm.commitSeconds === 0) return;
    const asked = world.clock.monotonic();
    await world.inTurn(mode === "project" ? ["project"] : paths, async () => {
      meter.waitedToCommit(world.clock.monotonic() - asked);
      await rest(rhythm.commitSeconds);
    });
  }

  async function commit(paths: readonly string[], holds: readonly Hold[]): Promise<void> {
    await makeCommit(paths);
    const { told } = await seat.call("commit.announce", { commit: hashOf(++commits), paths: [...paths] });
    meter.committed(told.length);
    if (chance.happens(rhythm.forgetShare)) return;
    for (const { id } of holds) {
      try {
        await seat.call("reservation.release", { id });
      } catch (error) {
        if (!isRefusal(error, "lease.lost", "reservation.not-found")) throw error;
      }
    }
  }

  function mayCrash(livedSeconds: number): void {
    if (chance.happens((rhythm.crashesPerAgentHour * livedSeconds) / 3_600)) throw new Crash();
  }

  async function takeItem(): Promise<Item | undefined> {
    const { items } = await seat.call("work-item.ready", { for: "me", limit: 5 });
    for (const { id, title, createdAt } of items) {
      try {
        await seat.call("work-item.claim", { id });
        meter.claimed(world.clock.now() - createdAt);
        return { id, title };
      } catch (error) {
        if (!isRefusal(error, "claim.taken", "claim.limit", "work-item.closed", "work-item.blocked")) throw error;
      }
    }
    return undefined;
  }

  async function doItem(): Promise<void> {
    item ??= await takeItem();
    if (item === undefined) return pause(idleSeconds);
    const area = Number(/\d+$/.exec(item.title)?.[0] ?? 0);
    for (let part = 0; part < rhythm.commitsPerItem; part++) await workOn(area);
    try {
      await seat.call("work-item.close", { id: item.id, reason: "done" });
      meter.closed(name);
    } catch (error) {
      if (!isRefusal(error, "claim.taken", "work-item.closed", "caller.denied")) throw error;
    }
    item = undefined;
  }

  /** The item it had is still its own, or belongs to another agent by now. */
  async function rejoin(): Promise<void> {
    seat = await world.join(name);
    if (item === undefined) return;
    try {
      await seat.call("work-item.claim", { id: item.id });
    } catch (error) {
      if (!isRefusal(error, "claim.taken", "claim.limit", "work-item.closed")) throw error;
      item = undefined;
    }
  }

  for (;;) {
    try {
      await doItem();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      await rest(chance.about(rhythm.awaySeconds));
      await rejoin();
    }
  }
}

function hashOf(number: number): string {
  return number.toString(16).padStart(7, "0");
}

function isRefusal(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof DomainError && codes.includes(error.code);
}
