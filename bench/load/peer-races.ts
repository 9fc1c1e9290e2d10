/** One racer: at instants that all racers know it goes for the same path as they; then it sends and reads by itself. */
import { openPeer } from "../peers/open-peer.ts";
import { nameOf, type PeerPlace, type Side } from "../peers/peer.ts";

type Plan = PeerPlace & {
  readonly side: Side;
  readonly rounds: number;
  /** On the machine's monotonic clock, in milliseconds: the same for all processes. */
  readonly startAt: number;
  readonly gapMs: number;
  /** Messages and looks into the inbox, after the races. */
  readonly operations: number;
};
export type PeerRaces = {
  readonly won: readonly boolean[];
  /** Refused with something else than "held": busy, locked. */
  readonly failed: number;
  readonly sendsPerSecond: number;
  readonly readsPerSecond: number;
};

export async function peerRaces(plan: Plan): Promise<PeerRaces> {
  const peer = await openPeer(plan.side, plan);
  const won: boolean[] = [];
  let failed = 0;
  for (let round = 0; round < plan.rounds; round++) {
    await until(plan.startAt + round * plan.gapMs);
    won.push(
      await peer.reserve(`src/round-${round}.ts`).catch(() => {
        failed++;
        return false;
      }),
    );
  }
  const other = nameOf(plan.racer + 1);
  const sendsPerSecond = await rate(plan.operations, (index) => peer.send(other, `message ${index}`));
  const readsPerSecond = await rate(plan.operations, () => peer.inbox());
  await peer.close();
  return { won, failed, sendsPerSecond, readsPerSecond };
}

/** Not by a timer alone, which is late by a different while in each process. Whoever is still busy comes as soon as it can. */
async function until(at: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - now() - 3)));
  while (now() < at);
}

function now(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

async function rate(times: number, act: (index: number) => Promise<void>): Promise<number> {
  if (times === 0) return 0;
  const startedAt = performance.now();
  let done = 0;
  for (let index = 0; index < times; index++)
    await act(index).then(
      () => done++,
      () => {}, // busy: not done
    );
  return done / ((performance.now() - startedAt) / 1000);
}
