/** What the DAG engine itself costs: per empty node in memory, as graphs grow, and for a graph of 100 nodes. */
import type { Bench, Figure } from "../bench.ts";
import { barePromiseAll, emptyChain, emptyFan, runEmpty } from "../load/empty-dags.ts";
import { median, ratios } from "../statistics.ts";

const rounds = 7;
const [small, large, hundred] = [1_000, 100_000, 100];
const graphs = large / small;
const mostMicroseconds = 20;
const mostGrowth = 1.3;
const shapes = { chain: emptyChain, "fan-out": emptyFan } as const;

export const dag: Bench = {
  name: "dag",
  method: `Graphs of nodes that do nothing, run in this process with a journal in memory; processor time (user and system) per node, ${rounds} interleaved rounds after one to warm up: ${graphs} graphs of ${small.toLocaleString("en")} nodes one after the other, then one of ${large.toLocaleString("en")}; and ${graphs} graphs of ${hundred} nodes beside Promise.all over ${hundred} empty calls.`,
  async run() {
    const figures: Figure[] = [];
    for (const [shape, make] of Object.entries(shapes)) figures.push(...(await grow(shape, make)));
    return [...figures, ...(await oneHundred())];
  },
};

async function grow(shape: string, make: (size: number) => Parameters<typeof runEmpty>[0]): Promise<readonly Figure[]> {
  const [atSmall, atLarge]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    const many = Array.from({ length: graphs }, () => make(small));
    const one = make(large);
    atSmall.push((await processorTime(() => runAll(many))) / large);
    atLarge.push((await processorTime(async () => void (await runEmpty(one)))) / large);
  }
  const [perSmall, perLarge] = [atSmall.slice(1), atLarge.slice(1)];
  const growth = ratios(perLarge, perSmall);
  return [
    perNode(`per node, ${shape} of ${small.toLocaleString("en")}`, perSmall),
    perNode(`per node, ${shape} of ${large.toLocaleString("en")}`, perLarge),
    {
      what: `per node, ${shape} of ${large.toLocaleString("en")} / of ${small.toLocaleString("en")}`,
      value: median(growth),
      unit: "x",
      rounds: growth,
      target: { text: `<= ${mostGrowth} x`, met: median(growth) <= mostGrowth },
    },
  ];
}

function perNode(what: string, micros: readonly number[]): Figure {
  const value = median(micros);
  const target = { text: `<= ${mostMicroseconds} µs`, met: value <= mostMicroseconds };
  return { what, value, unit: "µs", rounds: micros, target };
}

async function oneHundred(): Promise<readonly Figure[]> {
  const [engine, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    const many = Array.from({ length: graphs }, () => emptyFan(hundred));
    engine.push((await processorTime(() => runAll(many))) / graphs);
    bare.push(
      (await processorTime(async () => {
        for (let turn = 0; turn < graphs; turn++) await barePromiseAll(hundred);
      })) / graphs,
    );
  }
  const floor = { what: `Promise.all over ${hundred} empty calls`, value: median(bare.slice(1)), unit: "µs" as const };
  return [
    { what: `a graph of ${hundred} nodes`, value: median(engine.slice(1)), unit: "µs", rounds: engine.slice(1), floor },
  ];
}

async function runAll(many: readonly Parameters<typeof runEmpty>[0][]): Promise<void> {
  for (const graph of many) await runEmpty(graph);
}

/** In microseconds. Other processes on the machine take time away, but none of this. */
async function processorTime(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
