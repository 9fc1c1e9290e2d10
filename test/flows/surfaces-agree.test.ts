/** One operation, seven ways in: whichever is taken, the answer, the refusal and the effect are the same. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  allOperations,
  errorFamilies,
  errorTable,
  operations,
  type ErrorCode,
  type OperationName,
} from "../../src/contract/index.ts";
import { agreementCases, type AgreementWorld, type Case } from "./agreement-cases.ts";
import { cancelRun, startRun, waitingApproval } from "./rehearsed-runs.ts";
import { openScratchDaemon } from "./scratch-daemon.ts";
import { waysInto, type Answer, type WayIn } from "./ways-in.ts";
import { requestFor, send } from "./wire.ts";

let world: AgreementWorld;
let ways: ReturnType<typeof waysInto>;

beforeAll(async () => {
  world = await openWorld();
  ways = waysInto(world.daemon);
});
afterAll(async () => {
  await ways[Symbol.asyncDispose]();
  await world.daemon[Symbol.asyncDispose]();
});

const names = allOperations().map(({ name }) => name);
const rows = names.flatMap((name) =>
  Object.entries(agreementCases[name]).map(([outcome, how]) => ({ name, outcome, how })),
);
const asked = rows.filter(({ how }) => !("notAsked" in how));
const answers = asked.filter(({ name, outcome }) => outcome === "ok" && name !== "daemon.stop");
const refusals = asked.filter(({ outcome }) => outcome !== "ok");

describe("the same answer over every way in", () => {
  it.each(answers)("$name [CORE-7]", async ({ name, how }) => {
    const asked = await askAll(name, how, { changes: operations[name].kind === "change" });
    for (const { way, answer } of asked) expect(answer.ok, `${way}: ${JSON.stringify(answer.body)}`).toBe(true);
    expectSame(
      name,
      asked.map(({ way, answer }) => ({ way, answer: withoutHidden(name, way, answer) })),
    );
  });

  it("daemon.stop; the command waits for the end and names the same process [CORE-7]", async () => {
    const seen = new Map<WayIn["name"], unknown>();
    await using daemon = await openScratchDaemon();
    await using own = waysInto(daemon);
    for (const way of own.all) {
      const { body } = await way.call("daemon.stop", {}, {});
      expect((body as { pid: number }).pid).toBe(daemon.pid);
      seen.set(way.name, { ...(body as object), pid: "<pid>" });
      await daemon.restart();
    }
    const { CLI, ...others } = Object.fromEntries(seen);
    expect(CLI).toEqual({ stopped: true, pid: "<pid>" });
    expect(new Set(Object.values(others).map((body) => JSON.stringify(body)))).toEqual(
      new Set([JSON.stringify({ stopping: true, pid: "<pid>" })]),
    );
  });
});

describe("the same refusal over every way in", () => {
  it("is tried for each error an operation declares", () => {
    for (const { name, errors } of allOperations()) {
      const tried = Object.keys(agreementCases[name]).filter((code) => code !== "ok");
      expect(tried.sort(), name).toEqual([...errors].sort());
    }
  });

  it.each(refusals)(
    "$name: $outcome, with the table's status and exit code [CORE-7, CORE-8]",
    async ({ name, outcome, how }) => {
      const asked = await askAll(name, how, { changes: false });
      const { family, ...row }: { family: keyof typeof errorFamilies; http?: number } =
        errorTable[outcome as ErrorCode];
      for (const { way, answer } of asked) {
        expect(answer.body, way).toMatchObject({ error: { code: outcome, message: expect.stringMatching(/\w/) } });
        if (answer.status !== undefined) expect(answer.status, way).toBe(row.http ?? errorFamilies[family].http);
        if (answer.exitCode !== undefined) expect(answer.exitCode, way).toBe(errorFamilies[family].exit);
      }
      expectSame(name, asked);
    },
  );

  it.each([1.5, "many", "1e3", "-0x1"])("limit: %j is read the same by all, as text too [CORE-7]", async (limit) => {
    const how: Case = ({ heron }) => ({ input: { limit }, sender: { token: heron.token } });
    expectSame("work-item.ready", await askAll("work-item.ready", how, { changes: false }));
  });

  it.each(allOperations().filter(({ name }) => name !== "daemon.stop"))(
    "$name names a field it does not have [CORE-6]",
    async ({ name, actor, example }) => {
      const sender = actor === "user" ? {} : { token: world.heron.token };
      const how: Case = () => ({ input: { ...example, bogusField: "x" }, sender });
      for (const { way, answer } of await askAll(name, how, { changes: false })) {
        expect(answer.ok, way).toBe(false);
        expect(answer.body, way).toMatchObject({
          error: { code: "input.invalid", message: expect.stringMatching(/bogus-?field/i) },
        });
        expect([answer.status ?? 400, answer.exitCode ?? 2], way).toEqual([400, 2]);
      }
    },
  );
});

it("shows a change made over one way to all the others", async () => {
  const { heron, otter } = world;
  for (const way of ways.all) {
    const made = await way.call("work-item.create", { title: `made over ${way.name}` }, { token: heron.token });
    const { id } = (made.body as { workItem: { id: string } }).workItem;
    const seen = await Promise.all(
      ways.all.map((other) => other.call("work-item.get", { id }, { token: otter.token })),
    );
    for (const { body } of seen)
      expect(body).toMatchObject({ workItem: { id, title: `made over ${way.name}`, status: "open" } });
  }
});

it("answers a repeated key over HTTP with the first answer, and refuses it for another body", async () => {
  const { daemon, heron } = world;
  const place = { socketPath: daemon.paths.socket };
  const create = allOperations().find(({ name }) => name === "work-item.create")!;
  const ask = (title: string, key: string) => {
    const terms = requestFor(create, { title });
    const headers = { ...terms.headers, authorization: `Bearer ${heron.token}`, "idempotency-key": key };
    return send(place, { ...terms, headers });
  };
  const [first, again, other] = [await ask("once", "k-1"), await ask("once", "k-1"), await ask("twice", "k-1")];
  expect(again).toMatchObject({ status: 200, body: first.body });
  expect(other.status).toBe(409);
  expect(JSON.parse(other.body)).toMatchObject({ error: { code: "idempotency.mismatch" } });
  const { items } = await heron.client.call("work-item.list", {});
  expect(items.filter(({ title }) => title === "once")).toHaveLength(1);
});

type Asked = { readonly way: WayIn["name"]; readonly answer: Answer };

/** A call that changes nothing is asked of all at once, about the same thing; a change gets a fresh one each time. */
async function askAll(name: OperationName, how: Case, { changes }: { readonly changes: boolean }): Promise<Asked[]> {
  if ("notAsked" in how) throw new Error(`${name}: ${how.notAsked}`);
  const { prepare, ways: wanted } = typeof how === "function" ? { prepare: how, ways: undefined } : how;
  const chosen = ways.all.filter((one) => wanted?.includes(one.name) ?? true);
  if (!changes) {
    const { input, sender } = await prepare(world);
    return Promise.all(chosen.map(async (way) => ({ way: way.name, answer: await way.call(name, input, sender) })));
  }
  const asked: Asked[] = [];
  for (const way of chosen) {
    const { input, sender } = await prepare(world);
    asked.push({ way: way.name, answer: await way.call(name, input, sender) });
  }
  return asked;
}

function expectSame(name: OperationName, asked: readonly Asked[]): void {
  const [first, ...others] = asked.map(({ way, answer }) => ({ way, body: comparable(name, answer.body) }));
  for (const { way, body } of others) expect(body, `${way} against ${first!.way}`).toEqual(first!.body);
}

/** A model is not shown these fields; everyone else is. */
function withoutHidden(name: OperationName, way: WayIn["name"], answer: Answer): Answer {
  const { mcp }: { mcp?: { hidden?: readonly string[] } } = operations[name];
  const body = { ...(answer.body as Record<string, unknown>) };
  for (const field of mcp?.hidden ?? []) {
    expect(Object.hasOwn(body, field), `${field} over ${way}`).toBe(!way.startsWith("MCP"));
    delete body[field];
  }
  return { ...answer, body };
}

/** Ids, times, counters and secrets differ from call to call; everything else must not. */
function comparable(name: OperationName, body: unknown): unknown {
  const isCounter = (key: string) => counters.has(key) || (name.startsWith("history.") && archiveCounters.has(key));
  const text = JSON.stringify(body, (key, value: unknown) => (isCounter(key) ? `<${key}>` : value));
  return JSON.parse(
    text
      .replaceAll(/(prj|ses|agt|rsv|wrk|evt|run|apr|pln|nod|msg|fnd|inc|dag|ver|ent|src)_[0-9a-z]{22}/g, "<$1>")
      .replaceAll(/sylk_agt_[\w-]+/g, "<token>")
      .replaceAll(/hdl_[0-9a-f]+/g, "<handle>")
      .replaceAll(/\b1\d{12}\b/g, '"<time>"')
      .replaceAll(/run-[0-9a-z]{8}/g, "<tree>")
      .replaceAll(/code=[\w-]+/g, "code=<code>")
      .replaceAll(/fresh-\d+/g, "fresh")
      .replaceAll(/\b(\d+ (s|min)) (ago|more)\b/g, "<span> $3")
      .replaceAll(/\b(active|idle) (now|<span> ago)/g, "<seen>"),
  );
}
const counters = new Set([
  "bytes",
  "cursor",
  "event",
  "fencingToken",
  "sequence",
  "since",
  "lastSequence",
  "nextCursor",
  "retryAfterMs",
  "seen",
  "latencyMs",
  "secondsLeft",
]);
/** What the calls before have stored is there. */
const archiveCounters = new Set(["used", "stayed", "removed", "entries"]);

/** With more events than the log keeps, so that a cursor can be too old. */
async function openWorld(): Promise<AgreementWorld> {
  const env = { SYLK_EVENTS_MAX_COUNT: "1000", SYLK_RESERVATIONS_URGENT_ASK_MS: "0", SYLK_SESSIONS_MAX: "300" };
  const daemon = await openScratchDaemon({ env });
  const [heron, otter, busy, ended] = await Promise.all(
    ["heron", "otter", "busy", "gone"].map((name) => daemon.register(name)),
  );
  const crow = await daemon.register("crow", { project: daemon.addRepository("nest") });
  await otter!.client.call("reservation.acquire", { paths: ["held/by-otter.ts"], ttlMs: 1_800_000 });
  for (let claims = 0; claims < 3; claims++) {
    const { workItem } = await busy!.client.call("work-item.create", { title: "Busy with this" });
    await busy!.client.call("work-item.claim", { id: workItem.id });
  }
  for (let closed = 0; closed < 3; closed++) {
    const { workItem } = await heron!.client.call("work-item.create", { title: "Long done" });
    await heron!.client.call("work-item.close", { id: workItem.id });
  }
  await crow.client.call("work-item.create", { title: "Ready in the other project" });
  await daemon.user.call("agent.end", { id: ended!.agent.id });
  const rejected = await waitingApproval(await startRun({ daemon }), { daemon });
  await daemon.user.call("approval.decide", { id: rejected.id, decision: "reject" });
  const [cancelledRun, discardedRun] = [
    await cancelRun(await startRun({ daemon }), { daemon }),
    await cancelRun(await startRun({ daemon }), { daemon }),
  ];
  await daemon.user.call("run.discard", { id: discardedRun });
  const bareFolder = join(daemon.root, "bare");
  mkdirSync(bareFolder);
  await fillLog(busy!.client, 550);
  await daemon.kill();
  await daemon.restart();
  const truncated = await daemon.user.call("event.list", { after: 0 }).catch((error: unknown) => error);
  const { oldest } = (truncated as { details: { oldest: number } }).details;
  return {
    daemon,
    heron: heron!,
    otter: otter!,
    busy: busy!,
    ended: ended!,
    crow,
    cancelledRun,
    discardedRun,
    rejected,
    bareFolder,
    oldestCursor: oldest,
  };
}

/** Two events each. */
async function fillLog(client: AgreementWorld["heron"]["client"], rounds: number): Promise<void> {
  const workers = Array.from({ length: 10 }, async (_, worker) => {
    for (let round = 0; round < rounds / 10; round++) {
      const { reservation } = await client.call("reservation.acquire", { paths: [`log/${worker}-${round}.ts`] });
      await client.call("reservation.release", { id: reservation.id });
    }
  });
  await Promise.all(workers);
}
