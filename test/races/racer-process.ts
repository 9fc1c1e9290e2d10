/** A process of racers, started by run-races.ts: is told a wave, races through it with all its agents at once, reports. */
import { seededRandom } from "../crash/random.ts";
import { raceThrough, type Wave } from "./race-program.ts";
import { openRacer, type RaceLog, type RacerIdentity } from "./racer.ts";

export type RacerPlan = { readonly socket: string; readonly agents: readonly RacerIdentity[] };
export type WaveOrder = Wave & { readonly seed: number };
export type WaveReport = RaceLog & { readonly attempts: number };

const { socket, agents } = JSON.parse(process.argv[2]!) as RacerPlan;
let log: RaceLog = { claims: [], reserves: [] };
const racers = await Promise.all(agents.map((agent) => openRacer(socket, agent, () => log)));

process.on("message", ({ seed, ...wave }: WaveOrder) => {
  log = { claims: [], reserves: [] };
  const running = racers.map((racer, index) => raceThrough(wave, racer, seededRandom(seed + index)));
  void Promise.all(running).then((attempts) => {
    process.send!({ attempts: attempts.reduce((sum, count) => sum + count, 0), ...log } satisfies WaveReport);
  });
});
process.on("disconnect", () => process.exit(0));
process.send!("ready");
