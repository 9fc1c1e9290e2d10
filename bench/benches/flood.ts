/**
 * What an ordinary client waits, and what the daemon weighs, beside clients that ask and do not read.
 *
 *   a fresh daemon for each flood -> the flood in batches, an ordinary client after each -> p99 of its waits, most memory
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createClient, socketTransport, type SylkClient } from "../../src/surfaces/client/index.ts";
import type { Bench, Figure } from "../bench.ts";
import { upDaemon, type Daemon } from "../processes/daemon.ts";
import { memoryOf } from "../processes/process-usage.ts";
import { scratchFolder } from "../processes/scratch-home.ts";
import { median, percentile } from "../statistics.ts";

const rounds = 3;
const batch = 20;
const asksPerBatch = 6;
const asksAfter = 60;
const mostP99Ms = 100;
const mostMb = 400;

type Flood = {
  readonly what: string;
  readonly connections: number;
  /** Each connection sends this once and reads no more than the beginning of the answer. */
  readonly request: (headers: string) => string;
};

const get = (path: string, headers: string): string => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
const floods: readonly Flood[] = [
  { what: "none", connections: 0, request: () => "" },
  {
    what: "100 connections with 50 unread documents of the routes each",
    connections: 100,
    request: (headers) => get("/openapi.json", headers).repeat(50),
  },
  {
    what: "30 connections with an unread list of 4 MB each",
    connections: 30,
    request: (headers) => get("/v1/work-items?limit=500", headers),
  },
  {
    what: "500 event streams that are not read",
    connections: 500,
    request: (headers) => get("/v1/events?after=0", `${headers}accept: text/event-stream\r\n`),
  },
  { what: "900 idle connections", connections: 900, request: () => "" },
];

export const flood: Bench = {
  name: "flood",
  method: `Clients that ask over the unix socket and do not read, ${batch} connections at a time; after each batch an ordinary client lists, changes and asks for the status, ${asksPerBatch} times, and ${asksAfter} times when all are there, each on a connection of its own; 500 work items of 8 KB; ${rounds} rounds, a fresh daemon for each flood.`,
  async run() {
    const figures: Figure[] = [];
    let floor: Figure["floor"];
    for (const one of floods) {
      const results: Result[] = [];
      for (let round = 0; round < rounds; round++) results.push(await measure(one));
      const p99s = results.map(({ p99 }) => p99);
      if (one.connections === 0) {
        floor = { what: "no flood, p99", value: median(p99s), unit: "ms" };
        continue;
      }
      figures.push({
        what: `p99 of an ordinary call, beside ${one.what}`,
        value: median(p99s),
        unit: "ms",
        rounds: p99s,
        ...(floor === undefined ? {} : { floor }),
        target: { text: `< ${mostP99Ms} ms`, met: median(p99s) < mostP99Ms },
      });
      const memories = results.map(({ rssMb }) => rssMb);
      figures.push({
        what: `most resident memory, beside ${one.what}`,
        value: median(memories),
        unit: "MB",
        rounds: memories,
        target: { text: `< ${mostMb} MB`, met: Math.max(...memories) < mostMb },
      });
    }
    return figures;
  },
};

type Result = { readonly p99: number; readonly rssMb: number };

async function measure({ connections, request }: Flood): Promise<Result> {
  using scratch = scratchFolder();
  await using daemon = await upDaemon(scratch.path);
  const client = createClient({
    transport: socketTransport(socketOf(daemon)),
    token: daemon.userToken,
    project: scratch.path,
  });
  await fill(client);
  const headers = `host: localhost\r\nauthorization: Bearer ${daemon.userToken}\r\nsylk-project: ${encodeURIComponent(scratch.path)}\r\n`;
  const [waits, opened]: [number[], Socket[]] = [[], []];
  let rssMb = 0;
  try {
    while (opened.length < connections) {
      const more = Math.min(batch, connections - opened.length);
      const bytes = request(headers);
      opened.push(...(await Promise.all(Array.from({ length: more }, () => openUnread(socketOf(daemon), bytes)))));
      waits.push(...(await ask(client, asksPerBatch)));
      rssMb = Math.max(rssMb, memoryOf(daemon.pid).rssMb);
    }
    waits.push(...(await ask(client, asksAfter)));
    rssMb = Math.max(rssMb, memoryOf(daemon.pid).rssMb);
  } finally {
    for (const socket of opened) socket.destroy();
  }
  return { p99: percentile(waits, 99), rssMb };
}

function socketOf({ unix }: Daemon): string {
  return (unix as { readonly socket: string }).socket;
}

async function fill(client: SylkClient): Promise<void> {
  const body = "x".repeat(8_000);
  for (let round = 0; round < 10; round++)
    await Promise.all(Array.from({ length: 50 }, () => client.call("work-item.create", { title: "Large", body })));
}

async function ask(client: SylkClient, count: number): Promise<readonly number[]> {
  const waits: number[] = [];
  for (let index = 0; index < count; index++) {
    const startedAt = performance.now();
    if (index % 3 === 0) await client.call("work-item.create", { title: "Beside" });
    else if (index % 3 === 1) await client.call("work-item.ready", { limit: 1 });
    else await client.call("daemon.status", {});
    waits.push(performance.now() - startedAt);
  }
  return waits;
}

/** Reads the beginning of the answer, and nothing after it. A connection that is closed meanwhile stays closed. */
async function openUnread(path: string, bytes: string): Promise<Socket> {
  const socket = connect({ path });
  socket.on("error", () => {}); // told by its end
  await once(socket, "connect");
  if (bytes === "") return socket;
  const begun = Promise.race([once(socket, "data"), once(socket, "close")]);
  socket.write(bytes);
  await begun;
  socket.pause();
  return socket;
}
