/**
 * Load generator: claims at a steady rate, and subscribers of the event stream who see them happen.
 *
 *   claim due -> sent -> committed -> each reading subscriber; latency counts from the moment the claim was due,
 *   so it contains the claim itself
 *
 * Writer and readers share one process and so one clock. Readers parse nothing but sequence and subject.
 */
import { connect, type Socket } from "node:net";
import { percentile, summarize, type LatencySummary } from "../statistics.ts";
import { claimRequests } from "./claim-requests.ts";
import { openConnection, type Address } from "./wire-connection.ts";

type Plan = {
  readonly address: Address;
  readonly userToken: string;
  readonly fleet: string;
  /** Claims that earlier sides made on this store. */
  readonly skip: number;
  readonly perSecond: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly reading: number;
  /** Subscribers that open a stream and never read from it. */
  readonly stalled: number;
  /** The log's last sequence: readers begin here; those that stall begin at 0, with more to come than any buffer holds. */
  readonly after: number;
};

export type SubscribersResult = {
  readonly claims: LatencySummary;
  /** Null without reading subscribers. */
  readonly delivery: LatencySummary | null;
  readonly lateP99: number;
};

type Reader = { readonly sequences: number[]; close(): void };

export async function eventSubscribers(plan: Plan): Promise<SubscribersResult> {
  const { address, perSecond, warmUpSeconds, seconds, skip, after } = plan;
  const { request } = claimRequests(plan.fleet, { keyed: false, address: plan.address });
  const total = perSecond * (warmUpSeconds + seconds);
  const dueAt = new Map<string, number>();
  const delivered: number[] = [];
  const onFrame = (subject: string): void => {
    const due = dueAt.get(subject);
    if (due !== undefined) delivered.push(performance.now() - due);
  };
  const readers = await Promise.all(
    Array.from({ length: plan.reading }, () => subscribe(plan, { stalled: false, onFrame })),
  );
  const stalled = await Promise.all(
    Array.from({ length: plan.stalled }, () => subscribe(plan, { stalled: true, onFrame })),
  );

  const claims: number[] = [];
  const lateness: number[] = [];
  const free = await Promise.all(Array.from({ length: 64 }, () => openConnection(address)));
  const connections = [...free];
  const startAt = performance.now() + 50;
  const send = async (index: number, due: number): Promise<void> => {
    const connection = free.pop();
    if (connection === undefined) throw new Error(`${connections.length} claims wait for an answer at once`);
    const text = request(skip + index);
    const counts = index >= perSecond * warmUpSeconds;
    if (counts) dueAt.set(/work-items\/(\w+)\//.exec(text)![1]!, due);
    const { status, body } = await connection.send(text);
    if (status !== 200) throw new Error(`claim ${index} was answered with ${status}: ${body}`);
    if (counts) claims.push(performance.now() - due);
    free.push(connection);
  };
  const sent: Promise<void>[] = [];
  while (sent.length < total) {
    const due = startAt + (sent.length * 1000) / perSecond;
    const now = performance.now();
    if (due > now) await new Promise((resolve) => setTimeout(resolve, Math.min(1, due - now)));
    else {
      lateness.push(now - due);
      sent.push(send(sent.length, due));
    }
  }
  await Promise.all(sent);
  await everythingRead(readers, total, after);
  for (const subscriber of [...readers, ...stalled]) subscriber.close();
  for (const connection of connections) connection.close();
  return {
    claims: summarize(claims),
    delivery: delivered.length === 0 ? null : summarize(delivered),
    lateP99: percentile(lateness, 99),
  };
}

/** Resolves when the stream has begun. */
function subscribe(
  { address, userToken, after }: Plan,
  { stalled, onFrame }: { readonly stalled: boolean; readonly onFrame: (subject: string) => void },
): Promise<Reader> {
  const socket: Socket = "socket" in address ? connect(address.socket) : connect(address.port, "127.0.0.1");
  const sequences: number[] = [];
  let text = "";
  socket.setEncoding("latin1");
  socket.write(
    `GET /v1/events?after=${stalled ? 0 : after} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\nauthorization: Bearer ${userToken}\r\n\r\n`,
  );
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (text.includes(": connected")) resolve({ sequences, close: () => socket.destroy() });
      if (stalled) return void socket.pause();
      const end = text.lastIndexOf("\n\n");
      if (end < 0) return;
      for (const [, sequence, subject] of text.slice(0, end).matchAll(/^id: (\d+)$[^]*?"subject":"(\w+)"/gm)) {
        sequences.push(Number(sequence));
        onFrame(subject!);
      }
      text = text.slice(end);
    });
  });
}

/** Each reader has exactly the claims, without gap or duplicate: a figure about streams that lose events is none. */
async function everythingRead(readers: readonly Reader[], total: number, after: number): Promise<void> {
  for (const deadline = performance.now() + 10_000; ;) {
    if (readers.every(({ sequences }) => sequences.length >= total)) break;
    if (performance.now() > deadline) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const wrong = readers.filter(
    ({ sequences }) => sequences.length !== total || sequences.some((value, index) => value !== after + 1 + index),
  );
  if (wrong.length > 0)
    throw new Error(`${wrong.length} subscribers did not get exactly the ${total} events that were written`);
}
