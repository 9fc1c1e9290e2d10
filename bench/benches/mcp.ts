/** How long an agent waits for a tool, and what the default tool list costs it in tokens. */
import { Agent } from "node:http";
import { join } from "node:path";
import type { Bench, Figure } from "../bench.ts";
import { exchange } from "../load/mcp-calls.ts";
import { type Daemon, upDaemon } from "../processes/daemon.ts";
import { runChild } from "../processes/run-child.ts";
import { homeWithStore, scratchFolder } from "../processes/scratch-home.ts";
import { percentile } from "../statistics.ts";
import { type Fleet, readFleet } from "../store/fleet.ts";

const rounds = 3;
const warmUp = 100;
const measured = 300;
const perRound = warmUp + measured;
const agents = 1_000;
const claimed = 1_000;
const mostP99Ms = 5;
const mostTokens = 1_500;

export const mcp: Bench = {
  name: "mcp",
  method: `tools/call over HTTP on loopback TCP by one sequential client in another process, ${rounds} interleaved rounds of ${measured} calls (after ${warmUp} to warm up each); percentiles over all rounds. Reading: work_item_ready with 5 items of 4,000; changing: work_item_claim and work_item_release in turn, both durable. Last, reading again after ${claimed.toLocaleString("en")} agents have claimed an item each.`,
  async run() {
    using scratch = scratchFolder();
    const fleetFile = join(scratch.path, "fleet.json");
    const prepared = join(scratch.path, "prepared");
    await runChild("prepare-store", { home: prepared, fleet: fleetFile, agents, items: 4_000 });
    await using daemon = await upDaemon(homeWithStore(join(scratch.path, "home"), prepared));
    const fleet = readFleet(fleetFile);
    const calls = await measure(daemon, fleet);
    const loop = { loops: 16, warmUp: 1, measured: claimed - 1, keyed: false };
    await runChild("closed-loop", { ...loop, fleet: fleetFile, address: daemon.unix });
    const busyRead = await runChild("mcp-calls", { ...clientOf(daemon, fleet, rounds), by: "raw", calls: reading });
    return [
      ...latencyFigures("raw JSON-RPC, reading", calls.read, calls.healthz, true),
      ...latencyFigures("raw JSON-RPC, changing", calls.change, calls.healthz, true),
      ...latencyFigures("client library, reading", calls.library, calls.healthz, false),
      ...latencyFigures(`raw JSON-RPC, reading beside ${claimed} claimed items`, [busyRead], calls.healthz, false),
      await tokenFigure(daemon),
    ];
  },
};

type Kind = "healthz" | "read" | "change" | "library";

const reading = Array.from({ length: perRound }, () => ({ name: "work_item_ready", arguments: { limit: 5 } }));

async function measure(daemon: Daemon, fleet: Fleet): Promise<Record<Kind, (readonly number[])[]>> {
  const calls: Record<Kind, (readonly number[])[]> = { healthz: [], read: [], change: [], library: [] };
  const changing = Array.from({ length: perRound }, (_, index) => ({
    name: index % 2 === 0 ? "work_item_claim" : "work_item_release",
    arguments: { id: fleet.items[claimed + (index >> 1)]! },
  }));
  for (let round = 0; round < rounds; round++) {
    const client = clientOf(daemon, fleet, round);
    calls.healthz.push(await runChild("mcp-calls", { ...client, by: "healthz", calls: reading }));
    calls.read.push(await runChild("mcp-calls", { ...client, by: "raw", calls: reading }));
    calls.change.push(await runChild("mcp-calls", { ...client, by: "raw", calls: changing }));
    calls.library.push(await runChild("mcp-calls", { ...client, by: "library", calls: reading }));
  }
  return calls;
}

function clientOf({ tcp }: Daemon, { agents }: Fleet, index: number) {
  return { ...(tcp as { readonly port: number }), token: agents[index]!.token, warmUp };
}

function latencyFigures(
  what: string,
  latencies: readonly (readonly number[])[],
  healthz: readonly (readonly number[])[],
  hasTarget: boolean,
): Figure[] {
  return [50, 99].map((percent): Figure => {
    const value = percentile(latencies.flat(), percent);
    return {
      what: `p${percent} of a call, ${what}`,
      value,
      unit: "ms",
      rounds: latencies.map((round) => percentile(round, percent)),
      floor: { what: "/healthz, same client", value: percentile(healthz.flat(), percent), unit: "ms" },
      ...(percent === 99 && hasTarget ? { target: { text: `< ${mostP99Ms} ms`, met: value < mostP99Ms } } : {}),
    };
  });
}

async function tokenFigure({ tcp, userToken }: Daemon): Promise<Figure> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const agent = new Agent();
  const text = await exchange({
    ...(tcp as { readonly port: number }),
    agent,
    path: "/mcp",
    method: "POST",
    headers: {
      authorization: `Bearer ${userToken}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });
  agent.destroy();
  const { tools } = resultOf(text);
  const value = countTokens(JSON.stringify({ tools }));
  return {
    what: `default tool list, ${tools.length} tools (o200k)`,
    value,
    unit: "tokens",
    rounds: [value],
    target: { text: `< ${mostTokens} tokens`, met: value < mostTokens },
  };
}

/** The answer comes as JSON or as the one event of a stream. */
function resultOf(text: string): { readonly tools: readonly unknown[] } {
  const [, data = text] = /^data: (.*)$/m.exec(text) ?? [];
  return (JSON.parse(data) as { result: { tools: unknown[] } }).result;
}
