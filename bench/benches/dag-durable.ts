/** What a durable step of a DAG run costs the processor, and whether it costs more in a large graph. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Figure } from "../bench.ts";
import { changeOneRow, type Durability, type DurableShape, runDurable } from "../load/durable-dags.ts";
import { installPeer } from "../peers/install-peer.ts";
import { runChild } from "../processes/run-child.ts";
import { scratchFolder } from "../processes/scratch-home.ts";
import { median, ratios } from "../statistics.ts";

const rounds = 5;
const peerRounds = 3;
const [chainSize, fanSize, small, large] = [300, 1_000, 1_000, 100_000];
const mostMicroseconds = 150;
const mostGrowth = 1.3;
const leastTimes = 10;
const peerNames = ["LangGraph.js with SqliteSaver", "Mastra with LibSQL"] as const;
const many = (count: number): string => count.toLocaleString("en");

export const dagDurable: Bench = {
  name: "dag-durable",
  method: `DAG runs carried by the daemon's own host over a store of their own in this process, every change on disk before it is acted on; the commands do nothing. Processor time (user and system) per node, ${rounds} rounds after one to warm up. "Without waiting for the disk": the same host with SQLite's synchronous = NORMAL, as the peers' stores have it; peers run in a process of their own, ${peerRounds} rounds, each after a run to warm up.`,
  async run({ peer }) {
    using scratch = scratchFolder();
    const floors: number[] = [];
    for (let round = 0; round <= rounds; round++)
      floors.push(await changeOneRow(made(scratch.path, `floor-${round}`), chainSize));
    const floor = {
      what: "a change of one row in the same store",
      value: median(floors.slice(1)),
      unit: "µs" as const,
    };
    const chain = await perNode(scratch.path, "chain", chainSize, rounds + 1);
    const fan = await perNode(scratch.path, "fan-out", fanSize, rounds + 1);
    const [atSmall, atLarge] = [
      await perNode(scratch.path, "fan-out", small, 4),
      await perNode(scratch.path, "fan-out", large, 4),
    ];
    const relaxed = await perNode(scratch.path, "chain", chainSize, rounds + 1, "at-checkpoints");
    const relaxedFan = await perNode(scratch.path, "fan-out", fanSize, rounds + 1, "at-checkpoints");
    const growth = ratios(atLarge, atSmall);
    return [
      figureOf(`per durable step, chain of ${many(chainSize)}`, chain, floor),
      figureOf(`per durable step, fan-out of ${many(fanSize)}`, fan, floor),
      {
        what: `per durable step, fan-out of ${many(large)} / of ${many(small)}`,
        value: median(growth),
        unit: "x",
        rounds: growth,
        target: { text: `<= ${mostGrowth} x`, met: median(growth) <= mostGrowth },
      },
      plain(`without waiting for the disk: per step, chain of ${many(chainSize)}`, relaxed),
      plain(`without waiting for the disk: per step, fan-out of ${many(fanSize)}`, relaxedFan),
      ...(await others(scratch.path, peer, { relaxed, full: chain })),
    ];
  },
};

type OwnChains = { readonly relaxed: readonly number[]; readonly full: readonly number[] };

/** The same steps by others, with the store each of them brings along, and how many times more theirs take. */
async function others(scratch: string, wanted: boolean, own: OwnChains): Promise<readonly Figure[]> {
  const folder = made(scratch, "peers");
  if (wanted) await installPeer(folder, "steps");
  const figures: Figure[] = [];
  for (const peer of peerNames) {
    const measured = async (shape: DurableShape, size: number): Promise<Figure> => {
      const micros: number[] = [];
      for (let round = 0; wanted && round < peerRounds; round++)
        micros.push((await runChild("peer-steps", { peer, folder, shape, size })).micros);
      const what = `${peer}: per step, ${shape} of ${many(size)}`;
      return wanted ? plain(what, micros) : notMeasured(`${what} (npm run bench -- --only dag-durable --peer)`);
    };
    const chain = await measured("chain", chainSize);
    figures.push(chain, await measured("fan-out", fanSize));
    if (wanted) figures.push(...timesMore(peer, chain.value, own));
  }
  return figures;
}

function timesMore(peer: string, theirs: number, { relaxed, full }: OwnChains): readonly Figure[] {
  const equal = theirs / median(relaxed);
  return [
    {
      what: `${peer} / ours, chain, equal durability`,
      value: equal,
      unit: "x",
      rounds: [],
      target: { text: `>= ${leastTimes} x`, met: equal >= leastTimes },
    },
    { what: `${peer} / ours, chain, ours waiting for the disk`, value: theirs / median(full), unit: "x", rounds: [] },
  ];
}

function plain(what: string, micros: readonly number[]): Figure {
  return { what, value: median(micros), unit: "µs", rounds: micros };
}

function notMeasured(what: string): Figure {
  return { what, value: NaN, unit: "µs", rounds: [] };
}

async function perNode(
  folder: string,
  shape: DurableShape,
  size: number,
  turns: number,
  durable: Durability = true,
): Promise<readonly number[]> {
  const micros: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const own = made(folder, `${shape}-${size}-${turn}-${durable}`);
    micros.push((await runDurable(own, shape, size, durable)).micros / size);
  }
  return micros.slice(1);
}

function made(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

function figureOf(what: string, rounds: readonly number[], floor: NonNullable<Figure["floor"]>): Figure {
  const value = median(rounds);
  const target = { text: `<= ${mostMicroseconds} µs`, met: value <= mostMicroseconds };
  return { what, value, unit: "µs", rounds, floor, target };
}
