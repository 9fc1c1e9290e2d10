/** How much of the engine's claim rate is left when claims come over HTTP from another process. */
import { join } from "node:path";
import type { Bench, Figure } from "../bench.ts";
import { untilHealthy, upDaemon } from "../processes/daemon.ts";
import { keepChild, runChild } from "../processes/run-child.ts";
import { homeWithStore, scratchFolder } from "../processes/scratch-home.ts";
import { median, ratios } from "../statistics.ts";
import { requireClaims } from "../store/count-claims.ts";

const rounds = 3;
const agents = 1_000;
const loop = { loops: 64, warmUp: 1_500, measured: 4_500 };
const claims = loop.warmUp + loop.measured;
const leastRatio = 0.2;
/** Of the least that each could cost: SQLite alone, and a route that does nothing. */
const leastOfFloor = { engine: 0.5, unix: 0.3 };

type Way = "unix" | "tcp" | "keyed";

export const claimsThroughput: Bench = {
  name: "claims-throughput",
  method: `${loop.measured} durable claims (after ${loop.warmUp} to warm up) by ${loop.loops} closed loops for ${agents} agents, on a fresh copy of the same store each time; ${rounds} interleaved rounds; every run ends with a count of owners and events in the store.`,
  async run() {
    using scratch = scratchFolder();
    const prepared = join(scratch.path, "prepared");
    const fleet = join(scratch.path, "fleet.json");
    await runChild("prepare-store", { home: prepared, fleet, agents, items: claims });
    const freshHome = (): string => homeWithStore(join(scratch.path, "home"), prepared);

    const rates = { engine: [], sqlite: [], fastify: [], unix: [], tcp: [], keyed: [] } as Record<
      Way | "engine" | "sqlite" | "fastify",
      number[]
    >;
    for (let round = 0; round < rounds; round++) {
      rates.engine.push(await runChild("in-process-claims", { ...loop, fleet, home: freshHome() }));
      rates.unix.push(await overHttp(freshHome(), fleet, "unix"));
      rates.sqlite.push(await runChild("raw-sqlite-claims", { ...loop, fleet, home: freshHome() }));
      rates.tcp.push(await overHttp(freshHome(), fleet, "tcp"));
      rates.fastify.push(await bareFastify(join(scratch.path, `bare-${round}.sock`), fleet));
      rates.keyed.push(await overHttp(freshHome(), fleet, "keyed"));
    }
    return figuresOf(rates);
  },
};

async function overHttp(home: string, fleet: string, way: Way): Promise<number> {
  let rate: number;
  {
    await using daemon = await upDaemon(home);
    const address = way === "tcp" ? daemon.tcp : daemon.unix;
    rate = await runChild("closed-loop", { ...loop, fleet, address, keyed: way === "keyed" });
  }
  requireClaims(home, claims);
  return rate;
}

async function bareFastify(socket: string, fleet: string): Promise<number> {
  await using _server = keepChild("bare-fastify", { socket });
  await untilHealthy({ socket });
  return await runChild("closed-loop", { ...loop, fleet, address: { socket }, keyed: false }); // the server ends with this scope
}

function figuresOf(rates: Readonly<Record<Way | "engine" | "sqlite" | "fastify", readonly number[]>>): Figure[] {
  const perSecond = (what: string, rounds: readonly number[]): Figure => ({
    what,
    value: median(rounds),
    unit: "/s",
    rounds,
  });
  const ofEngine = (what: string, way: Way, hasTarget: boolean): Figure => {
    const rounds = ratios(rates[way], rates.engine);
    const value = median(rounds);
    const floor = { what: "in-process dispatch", value: median(rates.engine), unit: "/s" } as const;
    const target = { text: `>= ${leastRatio} x`, met: value >= leastRatio };
    return { what, value, unit: "x", rounds, floor, ...(hasTarget ? { target } : {}) };
  };
  const ofFloor = (what: string, way: "engine" | "unix", floor: "sqlite" | "fastify", floorName: string): Figure => {
    const rounds = ratios(rates[way], rates[floor]);
    const value = median(rounds);
    const least = leastOfFloor[way];
    return {
      what,
      value,
      unit: "x",
      rounds,
      floor: { what: floorName, value: median(rates[floor]), unit: "/s" },
      target: { text: `>= ${least} x`, met: value >= least },
    };
  };
  return [
    ofFloor("in-process / claims in SQLite alone", "engine", "sqlite", "claims in SQLite alone, group commit"),
    ofFloor("HTTP on the unix socket / an empty route", "unix", "fastify", "a fastify route that does nothing"),
    ofEngine("HTTP on the unix socket / in-process", "unix", true),
    ofEngine("HTTP on loopback TCP / in-process", "tcp", true),
    ofEngine("HTTP on the unix socket with Idempotency-Key / in-process without", "keyed", false),
    perSecond("claims over the unix socket", rates.unix),
    perSecond("claims over TCP", rates.tcp),
    perSecond("claims over the unix socket with Idempotency-Key", rates.keyed),
    perSecond("claims in-process (dispatch)", rates.engine),
    perSecond("floor: claims in SQLite alone, group commit", rates.sqlite),
    perSecond("floor: a fastify route that does nothing, unix socket", rates.fastify),
  ];
}
