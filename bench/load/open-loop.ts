/**
 * Load generator: requests leave by the clock, whether or not earlier ones were answered.
 *
 *   scheduled time -> a free connection (or a queue for one) -> answer; latency counts from the scheduled time
 *
 * So a daemon that stalls is charged for everybody who came meanwhile, and the generator's own lateness counts too.
 */
import { summarize, percentile, type LatencySummary } from "../statistics.ts";
import { claimRequests } from "./claim-requests.ts";
import { openConnection, type Address, type WireConnection } from "./wire-connection.ts";

type Plan = {
  readonly address: Address;
  readonly connections: number;
  readonly perSecond: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly what: "claims" | "healthz";
  readonly fleet: string;
  /** Claims that earlier rounds on this store have made. */
  readonly skip: number;
};

export type OpenLoopResult = LatencySummary & { readonly lateP99: number };

export async function openLoop(plan: Plan): Promise<OpenLoopResult> {
  const { address, connections, perSecond, warmUpSeconds, seconds, skip } = plan;
  const request = requestOf(plan);
  const free = await Promise.all(Array.from({ length: connections }, () => openConnection(address)));
  const all = [...free];
  const total = perSecond * (warmUpSeconds + seconds);
  const latencies: number[] = [];
  const lateness: number[] = [];
  const queue: number[] = [];
  const finished = Promise.withResolvers<void>();
  const startAt = performance.now() + 50;
  const dueAt = (index: number): number => startAt + (index * 1000) / perSecond;
  const counts = (index: number): boolean => index >= perSecond * warmUpSeconds;
  let answered = 0;

  async function send(index: number, connection: WireConnection): Promise<void> {
    const { status, body } = await connection.send(request(skip + index));
    if (status !== 200) throw new Error(`request ${index} was answered with ${status}: ${body}`);
    if (counts(index)) latencies.push(performance.now() - dueAt(index));
    const waiting = queue.shift();
    if (waiting === undefined) free.push(connection);
    else launch(waiting, connection);
    if (++answered === total) finished.resolve();
  }
  function launch(index: number, connection: WireConnection): void {
    send(index, connection).catch(finished.reject);
  }
  function tick(next: number): void {
    const now = performance.now();
    let index = next;
    for (; index < total && dueAt(index) <= now; index++) {
      if (counts(index)) lateness.push(now - dueAt(index));
      const connection = free.pop();
      if (connection === undefined) queue.push(index);
      else launch(index, connection);
    }
    if (index < total) setTimeout(tick, 1, index);
  }
  tick(0);
  await finished.promise;
  for (const connection of all) connection.close();
  return { ...summarize(latencies), lateP99: percentile(lateness, 99) };
}

function requestOf({ what, fleet, address }: Plan): (index: number) => string {
  if (what === "healthz") return () => "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";
  return claimRequests(fleet, { keyed: false, address }).request;
}
