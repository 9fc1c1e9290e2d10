/**
 * One agent count, simulated: a world, its agents, and the clock moved from one thing that is due to the next.
 *
 *   arrivals -> work items -> agents -> operations -> timers -> the clock jumps to the next one -> …
 *
 * Invariant: the same terms give the same measurement to the last digit; nothing here reads the machine's time or chance.
 */
import type { CommitMode, DampingRule, Measurement, Rhythm } from "../../contract/index.ts";
import { liveAgent } from "./agent-life.ts";
import { measure } from "./measure.ts";
import { createMeter } from "./meter.ts";
import { createChance, type Chance } from "./random.ts";
import type { OpenWorld, Seat, World } from "./world.ts";

export type CountTerms = {
  readonly agents: number;
  readonly minutes: number;
  readonly seed: number;
  readonly off: readonly DampingRule[];
  readonly commits: CommitMode;
  readonly rhythm: Rhythm;
  /** Told now and then how much of the time has passed, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal | undefined;
};

const minuteMs = 60_000;
/** Until every agent has an item; not measured, and never longer than what is. */
const warmUpMinutes = 15;

export async function simulateCount(terms: CountTerms, openWorld: OpenWorld): Promise<Measurement> {
  const { agents, minutes, seed, rhythm, commits, off } = terms;
  const world = await openWorld({ off });
  try {
    const begin = world.clock.monotonic() + Math.min(warmUpMinutes, minutes) * minuteMs;
    const half = (): 0 | 1 | undefined => {
      const passed = world.clock.monotonic() - begin;
      return passed < 0 ? undefined : passed < (minutes * minuteMs) / 2 ? 0 : 1;
    };
    const meter = createMeter(half);
    const failed = Promise.withResolvers<never>();
    const life = (work: Promise<unknown>): void => void work.catch(failed.reject);
    life(bringWork(await world.join("planner"), world, agents, rhythm, createChance(seed, "arrivals")));
    for (let index = 0; index < agents; index++) {
      const name = `sim-${index + 1}`;
      const seat = await world.join(name);
      life(liveAgent({ seat, world, rhythm, commits, meter, chance: createChance(seed, name) }));
    }
    const end = begin + minutes * minuteMs;
    await Promise.race([failed.promise, passTime(world, end, terms)]);
    return await measure(terms, meter.read(), world);
  } finally {
    await world.close();
  }
}

/** Work arrives whether or not an agent has time for it. */
async function bringWork(planner: Seat, world: World, agents: number, rhythm: Rhythm, chance: Chance): Promise<void> {
  const add = (): Promise<unknown> =>
    planner.call("work-item.create", { title: `Change area ${chance.below(rhythm.areas)}` });
  for (let first = 0; first < agents; first++) await add();
  const everyMs = 3_600_000 / (rhythm.itemsPerAgentHour * agents);
  while (Number.isFinite(everyMs)) {
    await new Promise<void>((resolve) => void world.clock.after(Math.round(chance.about(everyMs)), resolve));
    await add();
  }
}

async function passTime({ clock, settled }: World, end: number, { onProgress, signal }: CountTerms): Promise<void> {
  const start = clock.monotonic();
  await settled();
  for (let steps = 0; clock.monotonic() < end; steps++) {
    signal?.throwIfAborted();
    clock.advance(Math.min(clock.nextTimerInMs() ?? Infinity, end - clock.monotonic()));
    await settled();
    if (steps % 200 === 0) onProgress?.((clock.monotonic() - start) / (end - start));
  }
}
