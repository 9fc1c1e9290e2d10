/**
 * Load generator: many agents at the rhythm of real ones, each on a connection of its own, in one process.
 *
 *   per agent and minute: 6 edits (check, renew), 1 reserve and release, 0.2 claim and close, 1 inbox, 0.5 message;
 *   5 of 100 lose their process and come back with the same session key
 *
 * A call is due at a random instant and its latency counts from then on. An answer that the rhythm does not foresee is an
 * error; that another agent holds a shared file is not.
 */
import { seededRandom, type Random } from "../../test/crash/random.ts";
import { type LatencySummary, summarize } from "../statistics.ts";
import { readFleet } from "../store/fleet.ts";
import { openConnection, type Address, type WireConnection } from "./wire-connection.ts";

type Plan = {
  readonly address: Address;
  readonly fleet: string;
  readonly userToken: string;
  readonly project: string;
  readonly seconds: number;
  readonly seed: number;
};
export type SoakResult = LatencySummary & {
  readonly calls: number;
  readonly conflicts: number;
  readonly crashes: number;
  /** The first of each kind, with how often it came. */
  readonly errors: Readonly<Record<string, number>>;
};

const perMinute = { edit: 6, reserve: 2, work: 0.2, inbox: 1, message: 0.5, crash: 0.05 };
type Act = keyof typeof perMinute;
const awayMs = 5_000;
const sharedFiles = 1_000;

export async function soakAgents(plan: Plan): Promise<SoakResult> {
  const { agents, items } = readFleet(plan.fleet);
  const random = seededRandom(plan.seed);
  const seen = { latencies: [] as number[], conflicts: 0, crashes: 0, errors: {} as Record<string, number> };
  const pool = [...items];
  const started = Promise.withResolvers<void>();
  let ready = 0;
  /** Resolves for all when the last has come: no start disturbs a day that has begun. */
  const together = (): Promise<void> => {
    if (++ready === agents.length) started.resolve();
    return started.promise;
  };
  await Promise.all(
    agents.map(({ token }, index) =>
      liveAs({
        plan,
        index,
        token,
        together,
        seen,
        pool,
        crowd: agents.length,
        random: seededRandom(random.between(0, 2 ** 31)),
      }),
    ),
  );
  const { latencies, ...counts } = seen;
  return { ...summarize(latencies), calls: latencies.length, ...counts };
}

type Life = {
  readonly plan: Plan;
  readonly index: number;
  readonly token: string;
  readonly together: () => Promise<void>;
  readonly seen: {
    readonly latencies: number[];
    conflicts: number;
    crashes: number;
    readonly errors: Record<string, number>;
  };
  readonly pool: string[];
  readonly crowd: number;
  readonly random: Random;
};
type Body = { readonly reservation?: { readonly id: string; readonly fencingToken: number }; readonly token?: string };

function untilDue(at: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
}

async function liveAs({ plan, index, together, seen, pool, crowd, random, ...first }: Life): Promise<void> {
  const name = `agent-${index}`;
  let token = first.token;
  let connection: WireConnection = await openConnection(plan.address);
  let dueAt = performance.now();
  let held: Body["reservation"];
  let shared: Body["reservation"];
  const acts: Readonly<Record<Act, () => Promise<unknown>>> = {
    async edit() {
      if (held === undefined) await hold();
      const { id, fencingToken } = held!;
      await call("POST /v1/reservations/check", { paths: [`src/${name}.ts`], fencingToken });
      await call(`POST /v1/reservations/${id}/renew`);
    },
    /** Every second time it gives back what it took the time before: half a minute on average. */
    async reserve() {
      const taken = shared;
      shared = undefined;
      if (taken !== undefined) return call(`DELETE /v1/reservations/${taken.id}`);
      const file = `shared/${random.between(1, sharedFiles)}.ts`;
      shared = (await call("POST /v1/reservations", { paths: [file] })).reservation;
    },
    async work() {
      const item = pool.pop();
      if (item === undefined) throw new Error("the prepared store has too few work items");
      await call(`POST /v1/work-items/${item}/claim`);
      await call(`POST /v1/work-items/${item}/close`);
    },
    inbox: () => call("GET /v1/inbox"),
    message: () =>
      call("POST /v1/messages", { to: [`agent-${random.between(0, crowd - 1)}`], subject: "orders", body: "Rounded." }),
    async crash() {
      seen.crashes++;
      connection.close();
      dueAt += awayMs * (1 + 2 * random.next());
      await untilDue(dueAt);
      connection = await openConnection(plan.address);
      const registration = { sessionKey: name, client: "other", project: { path: plan.project } };
      token = (await call("POST /v1/agents", registration, plan.userToken)).token!;
      held = shared = undefined; // it has forgotten, and reserves again what is still its own
    },
  };
  await call("POST /v1/inbox/policy", { policy: "open" });
  await together();
  seen.latencies.length = 0;
  dueAt = performance.now();
  const endAt = dueAt + plan.seconds * 1000;
  for (let act = nextAct(); dueAt < endAt; act = nextAct()) {
    await untilDue(dueAt);
    await acts[act]();
  }
  connection.close();

  async function hold(): Promise<void> {
    held = (await call("POST /v1/reservations", { paths: [`src/${name}.ts`] })).reservation;
  }

  /** The next of all acts, at instants as if each had a rhythm of its own. */
  function nextAct(): Act {
    const names = Object.keys(perMinute) as Act[];
    const total = names.reduce((sum, one) => sum + perMinute[one], 0);
    dueAt += (-Math.log(1 - random.next()) * 60_000) / total;
    let left = random.next() * total;
    return names.find((one) => (left -= perMinute[one]) < 0) ?? "edit";
  }

  async function call(line: string, input?: object, as = token): Promise<Body> {
    const body = input === undefined ? "" : JSON.stringify(input);
    const type = body === "" ? "" : "content-type: application/json\r\n";
    const head = `${line} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${as}\r\n${type}content-length: ${body.length}\r\n\r\n`;
    if (connection.closed) connection = await openConnection(plan.address);
    const answer = await connection.send(head + body);
    const now = performance.now();
    seen.latencies.push(now - dueAt);
    dueAt = now; // the second call of an act is due when the first is answered
    if (answer.status === 409 && answer.body.includes('"reservation.conflict"')) seen.conflicts++;
    else if (answer.status >= 400) {
      const kind = `${line.replaceAll(/\w+_\w{10,}/g, "*")}: ${answer.status} ${/"code":"([^"]+)"/.exec(answer.body)?.[1] ?? ""}`;
      seen.errors[kind] = (seen.errors[kind] ?? 0) + 1;
    }
    return JSON.parse(answer.body) as Body;
  }
}
