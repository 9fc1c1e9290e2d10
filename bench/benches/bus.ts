/** What a delivery costs inside the process, and that it costs by the depth of its topic, not by who else subscribes. */
import { createBus, createDeadLetters } from "../../src/platform/bus/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import type { Bench, Figure } from "../bench.ts";
import { median } from "../statistics.ts";

const rounds = 5;
const deliveries = 500_000;
const sessions = 100;
const manySubscriptions = 100_000;
const wantedPerSecond = 500_000;
const batch = 200;

export const bus: Bench = {
  name: "bus",
  method: `${deliveries.toLocaleString("en")} messages to ${sessions} four-part session topics with one subscriber each, in this process, ${rounds} rounds after one to warm up; alone, then beside ${manySubscriptions.toLocaleString("en")} other subscriptions, then through bounded queues (batches of ${batch}).`,
  async run() {
    const alone = await measure({ others: 0, queued: false });
    const beside = await measure({ others: manySubscriptions, queued: false });
    const queued = await measure({ others: 0, queued: true });
    const ratio = median(alone) / median(beside);
    return [
      rate("deliveries, direct", alone),
      rate(`deliveries, direct, beside ${manySubscriptions.toLocaleString("en")} subscriptions`, beside),
      rate("deliveries, queued", queued),
      {
        what: `time per delivery beside ${manySubscriptions.toLocaleString("en")} subscriptions, against alone`,
        value: ratio,
        unit: "x",
        rounds: [],
        target: { text: "≤ 1.5 x", met: ratio <= 1.5 },
      },
    ];
  },
};

function rate(what: string, perSecond: readonly number[]): Figure {
  const value = median(perSecond);
  const target = { text: "≥ 500,000 /s", met: value >= wantedPerSecond };
  return { what, value, unit: "/s", rounds: perSecond, target };
}

async function measure({ others, queued }: { readonly others: number; readonly queued: boolean }): Promise<number[]> {
  const busInUse = createBus<number>({
    deadLetters: createDeadLetters({ clock: systemClock() }),
    onSubscriberError: ({ error }) => {
      throw error;
    },
  });
  let delivered = 0;
  const topics = Array.from({ length: sessions }, (_, index) => `session.s${index}.librarian.requests`);
  const count = (): void => void delivered++;
  for (const topic of topics) busInUse.subscribe(topic, count, queued ? { queue: { whenFull: "reject" } } : {});
  for (let index = 0; index < others; index++) busInUse.subscribe(`session.other${index}.librarian.requests`, count);
  const perSecond: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    delivered = 0;
    const start = performance.now();
    for (let index = 0; index < deliveries; index++) {
      busInUse.publish(topics[index % sessions]!, index);
      if (queued && index % batch === batch - 1) await Promise.resolve();
    }
    await new Promise((resolve) => setImmediate(resolve));
    perSecond.push((delivered / (performance.now() - start)) * 1000);
    if (delivered !== deliveries) throw new Error(`${delivered} of ${deliveries} messages were delivered`);
  }
  return perSecond.slice(1);
}
