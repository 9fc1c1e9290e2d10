/** Side by side in one run: who wins a race for one file, and how many messages a second, against others and the naive way. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Figure } from "../bench.ts";
import type { PeerRaces } from "../load/peer-races.ts";
import { installPeer } from "../peers/install-peer.ts";
import type { Side } from "../peers/peer.ts";
import { upDaemon } from "../processes/daemon.ts";
import { runChild } from "../processes/run-child.ts";
import { homeWithStore, scratchFolder } from "../processes/scratch-home.ts";
import { readFleet } from "../store/fleet.ts";

const racers = 4;
const rounds = 100;
const gapMs = 120;
const operations = 200;
const startWithinMs = 8_000;

export const peers: Bench = {
  name: "peers",
  method: `${racers} processes go for the same file at the same instant, ${rounds} rounds with a new file each; then one of them sends ${operations} messages and looks ${operations} times into its inbox, one after the other. Sylk over its unix socket, every change on disk before its answer; a naive client that looks into a shared SQLite file and then adds a row, which reaches the disk some time later; the npm package swarm-mail, installed with --peer, the library in each process on its shared store.`,
  async run({ peer }) {
    using scratch = scratchFolder();
    const sylk = await raceSylk(scratch.path);
    const naive = await race("naive", made(join(scratch.path, "naive")), () => ({}));
    const figures = [...figuresOf("Sylk", sylk), ...figuresOf("naive SQLite client", naive)];
    if (!peer) return [...figures, ...["one winner", "sends", "inbox reads"].map(notMeasured)];
    const folder = made(join(scratch.path, "peer"));
    await installPeer(folder, "mail");
    return [...figures, ...figuresOf("swarm-mail", await race("swarm-mail", folder, () => ({})))];
  },
};

async function raceSylk(folder: string): Promise<SideResult> {
  const fleetFile = join(folder, "fleet.json");
  const prepared = join(folder, "prepared");
  await runChild("prepare-store", { home: prepared, fleet: fleetFile, agents: racers + 1, items: 1 });
  const { agents } = readFleet(fleetFile);
  const limits = {
    SYLK_RESERVATIONS_MAX_PER_AGENT: "1000",
    SYLK_MAIL_MAX_PER_MINUTE: "100000",
    SYLK_MAIL_MAX_PER_PAIR_PER_MINUTE: "100000",
  };
  await using daemon = await upDaemon(homeWithStore(join(folder, "home"), prepared), limits);
  const { socket } = daemon.unix as { readonly socket: string };
  return await race("sylk", folder, (racer) => ({ socket, token: agents[racer]!.token }));
}

type SideResult = { readonly races: readonly PeerRaces[]; readonly alone: PeerRaces };

async function race(
  side: Side,
  folder: string,
  own: (racer: number) => { readonly socket?: string; readonly token?: string },
): Promise<SideResult> {
  const startAt = Number(process.hrtime.bigint() / 1000n) / 1000 + startWithinMs;
  const plan = { side, folder, startAt, gapMs };
  const races = await Promise.all(
    Array.from({ length: racers }, (_, racer) =>
      runChild("peer-races", { ...plan, ...own(racer), racer, rounds, operations: 0 }),
    ),
  );
  return { races, alone: await runChild("peer-races", { ...plan, ...own(0), racer: 0, rounds: 0, operations }) };
}

function figuresOf(who: string, { races: results, alone }: SideResult): readonly Figure[] {
  const winners = Array.from({ length: rounds }, (_, round) => results.filter(({ won }) => won[round]).length);
  const having = (count: (winners: number) => boolean): number => winners.filter(count).length;
  const [sends, reads] = [alone.sendsPerSecond, alone.readsPerSecond];
  const one = having((count) => count === 1);
  const failed = results.reduce((total, result) => total + result.failed, 0);
  const rest = `${having((count) => count > 1)} with more, up to ${Math.max(...winners)}; ${having((count) => count === 0)} with none; ${failed} attempts failed`;
  return [
    {
      what: `${who}: of ${rounds} rounds with exactly one winner (${rest})`,
      value: one,
      unit: "rounds",
      rounds: [one],
      ...(who === "Sylk" ? { target: { text: `${rounds} rounds`, met: one === rounds } } : {}),
    },
    { what: `${who}: sends`, value: sends, unit: "/s", rounds: [sends] },
    { what: `${who}: inbox reads`, value: reads, unit: "/s", rounds: [reads] },
  ];
}

function notMeasured(what: string): Figure {
  return { what: `swarm-mail: ${what} (npm run bench -- --only peers --peer)`, value: NaN, unit: "/s", rounds: [] };
}

function made(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}
