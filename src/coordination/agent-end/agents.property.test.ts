/** Any interleaving of what can happen to agents, against a model that knows only the sentences of the checklist. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { operations, parseInput, type DomainError } from "../../contract/index.ts";
import { heartbeatAgent, registerAgent } from "../registry/index.ts";
import { acquireReservation } from "../reservations/index.ts";
import { startSweeper } from "../sweeper/index.ts";
import { minuteMs, repository, scratchPorts, settled, type ScratchPorts } from "../testkit.ts";
import { claimWorkItem, createWorkItem } from "../work-items/index.ts";
import { endAgent } from "./end-agent.ts";

const user = { kind: "user", project: undefined } as const;
const keys = ["a", "b", "c", "d", "e"] as const;
type Key = (typeof keys)[number];
type Step =
  | { readonly do: "register"; readonly key: Key; readonly parent: Key | null; readonly pid: boolean }
  | { readonly do: "heartbeat" | "end" | "kill" | "claim"; readonly key: Key }
  | { readonly do: "reserve"; readonly key: Key; readonly path: number }
  | { readonly do: "silence"; readonly ms: number }
  | { readonly do: "sweep" }
  | { readonly do: "restart" };

const key = fc.constantFrom(...keys);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("register" as const),
      key,
      parent: fc.option(key, { freq: 2 }),
      pid: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("heartbeat" as const, "end", "kill", "claim"), key }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("reserve" as const), key, path: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("silence" as const),
      ms: fc.constantFrom(1_000, 3 * minuteMs, 6 * minuteMs),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("sweep" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
);

type Modelled = {
  parent: Key | undefined;
  status: "live" | "offline" | "ended";
  seen: number;
  pid: number | undefined;
  name: string;
};
type World = {
  ports: ScratchPorts;
  readonly model: Map<Key, Modelled>;
  readonly counts: { registered: number; returned: number; offline: number; ended: number };
  nextPid: number;
};

it("keeps one identity per key, unique names, no orphans, nothing held by the gone, nothing ended twice [IDN-1, IDN-2, IDN-5, IDN-6]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const world: World = {
        ports: scratchPorts(),
        model: new Map(),
        counts: { registered: 0, returned: 0, offline: 0, ended: 0 },
        nextPid: 100,
      };
      try {
        for (const one of steps) {
          await play(one, world);
          await check(world);
        }
      } finally {
        world.ports[Symbol.dispose]();
      }
    }),
    { numRuns: 25 },
  );
});

async function play(one: Step, world: World): Promise<void> {
  const { ports, model } = world;
  if (one.do === "silence") return ports.clock.advance(one.ms);
  if (one.do === "sweep") return sweep(world);
  if (one.do === "restart") {
    const processes = new Map(ports.processes);
    world.ports = ports.restart({ downMs: 30 * minuteMs });
    for (const [pid, start] of processes) world.ports.processes.set(pid, start);
    for (const agent of model.values()) agent.seen = world.ports.clock.monotonic();
    return;
  }
  if (one.do === "register") return register(one, world);
  const agent = model.get(one.key);
  if (agent === undefined) return;
  if (one.do === "kill") return void (agent.pid === undefined || ports.processes.delete(agent.pid));
  if (one.do === "end") return end(one.key, world);
  await act(one, agent, world);
}

async function register({ key: wantedKey, parent, pid }: Extract<Step, { do: "register" }>, world: World) {
  const { ports, model, counts } = world;
  const known = model.get(wantedKey);
  const parentKey = parent ?? known?.parent;
  const refused = refusalOf(wantedKey, parent ?? undefined, world);
  const newPid = pid ? world.nextPid++ : undefined;
  if (newPid !== undefined) ports.processes.set(newPid, `start-${newPid}`);
  const project = { path: repository(ports.folder, "shop") };
  const wanted = { sessionKey: wantedKey, client: "other", project, ...(parent === null ? {} : { parent }) } as const;
  const terms = { ...wanted, ...(newPid === undefined ? {} : { pid: newPid }) };
  const answer = await registerAgent(terms, ports.store, ports).catch((error: unknown) => error as DomainError);
  if ("code" in answer) return expect(answer.code).toBe(refused);
  expect(refused).toBeUndefined();
  if (known === undefined) counts.registered++;
  else expect(answer.agent.name).toBe(known.name);
  if (known?.status === "ended") counts.returned++;
  const runs = known?.pid !== undefined && ports.processes.has(known.pid);
  model.set(wantedKey, {
    parent: parentKey,
    status: known?.status === "offline" ? "offline" : "live",
    seen: 0,
    pid: runs ? known.pid : (newPid ?? known?.pid),
    name: answer.agent.name,
  });
  heard(wantedKey, world);
}

function refusalOf(wantedKey: Key, parent: Key | undefined, { model }: World): string | undefined {
  const known = model.get(wantedKey);
  const named = parent ?? known?.parent;
  if (named === undefined) return undefined;
  const found = model.get(named);
  if (found === undefined) return "agent.not-found";
  if (found.status === "ended") return "agent.ended";
  return known !== undefined && known.parent !== named ? "input.invalid" : undefined;
}

/** A call renews the agent and everyone above it; who was offline is back. */
function heard(first: Key, { ports, model, counts }: World): void {
  for (let at: Key | undefined = first; at !== undefined; at = model.get(at)!.parent) {
    const agent = model.get(at)!;
    agent.seen = ports.clock.monotonic();
    if (agent.status === "offline") counts.returned++;
    agent.status = "live";
  }
}

async function act(
  one: Exclude<Step, { do: "register" | "silence" | "sweep" | "restart" }>,
  agent: Modelled,
  world: World,
) {
  const { ports } = world;
  const record = await recordOf(one.key, world);
  const beat = await heartbeatAgent(record.id, user, ports).catch((error: unknown) => error as DomainError);
  if ("code" in beat) return expect([beat.code, agent.status]).toEqual(["agent.ended", "ended"]);
  expect(beat.agent.status).toBe("active");
  heard(one.key, world);
  const { id, name, client, project, tree } = beat.agent;
  const call = {
    caller: { kind: "agent", agent: { id, name, client }, project, tree },
    transact: ports.store.transact,
  } as const;
  if (one.do === "reserve") {
    const wanted = parseInput(operations["reservation.acquire"], { paths: [`${one.path}.ts`] });
    await acquireReservation(wanted, call, ports).catch((error: unknown) =>
      expect(error).toMatchObject({ code: "reservation.conflict" }),
    );
  }
  if (one.do === "claim") {
    const { workItem } = await createWorkItem(
      parseInput(operations["work-item.create"], { title: "Work" }),
      call,
      ports,
    );
    await claimWorkItem(workItem.id, call, ports).catch((error: unknown) =>
      expect(error).toMatchObject({ code: "claim.limit" }),
    );
  }
}

async function end(first: Key, world: World): Promise<void> {
  const { ports, model, counts } = world;
  const family = below(first, model).filter((one) => model.get(one)!.status !== "ended");
  const wasEnded = model.get(first)!.status === "ended";
  await endAgent((await recordOf(first, world)).id, { caller: user, transact: ports.store.transact }, ports);
  if (wasEnded) return;
  for (const one of family) model.get(one)!.status = "ended";
  counts.ended += family.length;
}

async function sweep(world: World): Promise<void> {
  const { ports, model, counts } = world;
  const watched = await ports.store.reader.agents.watchedProcesses();
  const gone = watched.filter(({ pid, start }) => ports.processes.get(pid) !== start);
  const sweeper = startSweeper({ ...ports, onFailed: (error) => expect.fail(String(error)) });
  await sweeper.sweep(gone);
  await settled();
  sweeper.stop();
  const now = ports.clock.monotonic();
  const leave = (why: (agent: Modelled) => boolean): void => {
    const first = keys.filter((one) => model.get(one)?.status === "live" && why(model.get(one)!));
    for (const member of new Set(first.flatMap((one) => below(one, model)))) {
      const agent = model.get(member)!;
      if (agent.status !== "live") continue;
      agent.status = "offline";
      counts.offline++;
      // Seen to be gone: not asked for any more.
      if (why === hasNoProcess && hasNoProcess(agent)) agent.pid = undefined;
    }
  };
  const hasNoProcess = ({ pid }: Modelled): boolean => pid !== undefined && !ports.processes.has(pid);
  // A sweeper that starts looks for silence first, before anybody has looked at processes.
  leave(({ seen }) => now - seen >= ports.staleAfterMs);
  leave(hasNoProcess);
  for (const one of model.keys()) {
    const record = await recordOf(one, world);
    const status = ports.liveness.statusOf(record);
    expect(status === "active" || status === "idle" ? "live" : status).toBe(model.get(one)!.status);
    if (model.get(one)!.status === "live") continue;
    expect(await ports.store.reader.reservations.liveOf(record.project.id, record.id)).toEqual([]);
    expect(await ports.store.reader.workItems.ownedBy(record.id)).toEqual([]);
  }
}

function below(first: Key, model: World["model"]): readonly Key[] {
  const found = [first];
  for (const one of found) found.push(...keys.filter((other) => model.get(other)?.parent === one));
  return found;
}

async function recordOf(one: Key, { ports }: World) {
  const all = await ports.store.reader.agents.list({ project: undefined, includeGone: true });
  const found = all.filter(({ sessionKey }) => sessionKey === one);
  expect(found).toHaveLength(1);
  return found[0]!;
}

async function check({ ports, model, counts }: World): Promise<void> {
  const all = await ports.store.reader.agents.list({ project: undefined, includeGone: true });
  expect(all.map(({ sessionKey }) => sessionKey).toSorted()).toEqual([...model.keys()].toSorted());
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const agent of all) {
    const parent = all.find(({ id }) => id === agent.parent);
    if (parent?.endedAt !== undefined) expect(agent.endedAt).toBeDefined();
    if (parent?.offlineAt !== undefined) expect(agent.offlineAt ?? agent.endedAt).toBeDefined();
  }
  const types = await ports.eventTypes();
  const count = (type: string) => types.filter((other) => other === type).length;
  expect({
    registered: count("agent.registered"),
    returned: count("agent.returned"),
    offline: count("agent.offline"),
    ended: count("agent.ended"),
  }).toEqual(counts);
}
