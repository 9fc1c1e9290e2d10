/** How long an agent waits for its inbox and for a search, with a million messages in the store. */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Bench, Figure } from "../bench.ts";
import { upDaemon } from "../processes/daemon.ts";
import { runChild } from "../processes/run-child.ts";
import { homeWithStore, scratchFolder } from "../processes/scratch-home.ts";
import { percentile } from "../statistics.ts";
import { type Fleet, readFleet } from "../store/fleet.ts";

const messages = 1_000_000;
const agents = 200;
const rounds = 3;
const warmUp = 100;
const measured = 400;
const mostInboxP99Ms = 5;
const mostSearchP95Ms = 20;

type Kind = "healthz" | "inbox" | "backlog" | "common" | "rare" | "two";
/** The words of the prepared mail by how often they occur: word0 in about every hundredth message, word9000 hardly ever. */
const queries = {
  common: () => "word0",
  rare: (index: number) => `word${9_000 + (index % 1_000)}`,
  two: (index: number) => `word1 word${2 + (index % 40)}`,
} as const;

export const mail: Bench = {
  name: "mail",
  method: `${messages.toLocaleString("en")} messages of 17 words among ${agents} agents of one project, two thirds direct; GET /v1/inbox and GET /v1/messages?query= over loopback TCP by one sequential client in another process, for ${agents - 1} agents in turn; ${rounds} interleaved rounds of ${measured} calls (after ${warmUp} to warm up each); percentiles over all rounds.`,
  async run() {
    using scratch = scratchFolder();
    const fleetFile = join(scratch.path, "fleet.json");
    const prepared = join(scratch.path, "prepared");
    await runChild("prepare-store", { home: prepared, fleet: fleetFile, agents, items: 10 });
    await runChild("prepare-mail", { home: prepared, fleet: fleetFile, messages });
    const home = homeWithStore(join(scratch.path, "home"), prepared);
    const latencies: Record<Kind, (readonly number[])[]> = {
      healthz: [],
      inbox: [],
      backlog: [],
      common: [],
      rare: [],
      two: [],
    };
    {
      await using daemon = await upDaemon(home);
      const { port } = daemon.tcp as { readonly port: number };
      for (let round = 0; round < rounds; round++)
        for (const kind of Object.keys(latencies) as Kind[])
          latencies[kind].push(await runChild("http-gets", { port, warmUp, gets: getsOf(kind, readFleet(fleetFile)) }));
    }
    requireMessages(home);
    return [
      ...figures("inbox, up to 1,000 unread", latencies.inbox, latencies.healthz, {
        percent: 99,
        mostMs: mostInboxP99Ms,
      }),
      ...figures("inbox, nothing ever read", latencies.backlog, latencies.healthz, {
        percent: 99,
        mostMs: mostInboxP99Ms,
      }),
      ...figures("search, one frequent word", latencies.common, latencies.healthz, {
        percent: 95,
        mostMs: mostSearchP95Ms,
      }),
      ...figures("search, one rare word", latencies.rare, latencies.healthz, { percent: 95, mostMs: mostSearchP95Ms }),
      ...figures("search, two words", latencies.two, latencies.healthz, { percent: 95, mostMs: mostSearchP95Ms }),
    ];
  },
};

function getsOf(kind: Kind, { agents: fleet }: Fleet) {
  return Array.from({ length: warmUp + measured }, (_, index) => {
    const { token } = fleet[kind === "backlog" ? 0 : 1 + (index % (fleet.length - 1))]!;
    if (kind === "healthz") return { path: "/healthz", token };
    if (kind === "inbox" || kind === "backlog") return { path: "/v1/inbox", token };
    return { path: `/v1/messages?query=${encodeURIComponent(queries[kind](index))}`, token };
  });
}

function figures(
  what: string,
  latencies: readonly (readonly number[])[],
  healthz: readonly (readonly number[])[],
  target: { readonly percent: number; readonly mostMs: number },
): readonly Figure[] {
  return [50, target.percent].map((percent): Figure => {
    const value = percentile(latencies.flat(), percent);
    return {
      what: `p${percent}, ${what}`,
      value,
      unit: "ms",
      rounds: latencies.map((round) => percentile(round, percent)),
      floor: { what: "/healthz, same client", value: percentile(healthz.flat(), percent), unit: "ms" },
      ...(percent === target.percent ? { target: { text: `< ${target.mostMs} ms`, met: value < target.mostMs } } : {}),
    };
  });
}

/** Nothing was lost, and the index holds as many as the table. */
function requireMessages(home: string): void {
  const store = new Database(join(home, "sylk.db"), { readonly: true });
  const { stored } = store.prepare("SELECT count(*) AS stored FROM messages").get() as { stored: number };
  const { indexed } = store.prepare("SELECT count(*) AS indexed FROM message_search_docsize").get() as {
    indexed: number;
  };
  store.close();
  if (stored !== messages || indexed !== messages)
    throw new Error(`expected ${messages} messages, found ${stored}, indexed ${indexed}`);
}
