import { describe, expect, it } from "vitest";
import type { MessageOf, NodeId, RunId } from "../../contract/index.ts";
import { acquireReservation, listReservations } from "../../coordination/reservations/index.ts";
import { minuteMs, repository, scratchPorts } from "../../coordination/testkit.ts";
import { messageOf } from "../guide/testkit.ts";
import { createEngineerSeats } from "./engineer-seats.ts";
import type { RunRecord } from "./store.ts";

const [node, other] = ["nod_0000000000000000000001", "nod_0000000000000000000002"] as [NodeId, NodeId];

function world() {
  const at = scratchPorts();
  at.processes.set(77, "s");
  const seats = createEngineerSeats({ ...at, pidOf: async () => 77 });
  const tree = repository(at.folder, "shop");
  const run = (id: string) => ({ id: id as RunId, workspace: { tree } }) as RunRecord;
  const wanted = { mode: "exclusive", scope: "tree", waitMs: 0 } as const;
  return { ...at, seats, run, wanted, [Symbol.dispose]: () => at[Symbol.dispose]() };
}

describe("the seat of an Engineer", () => {
  it("is an agent of its own in the run's tree, in the process of its worker; its end frees what it held", async () => {
    using at = world();
    const { caller, end } = await at.seats.open(at.run("run_1"), node);
    expect(await at.store.reader.agents.find(caller.agent.id)).toMatchObject({
      client: "sylk",
      capabilities: ["engineer"],
      pid: 77,
    });
    await acquireReservation(
      { ...at.wanted, patterns: [], paths: ["src/a.ts"] },
      { caller, transact: at.store.transact },
      at,
    );
    const held = async () =>
      (await listReservations({ limit: 9 }, { kind: "user", project: undefined }, at)).items.length;
    expect(await held()).toBe(1);
    await end();
    expect(await held()).toBe(0);
    expect((await at.store.reader.agents.find(caller.agent.id))?.endedAt).toBeDefined();
  });

  it("says with which worker it was registered, for its work and for no other message", async () => {
    using at = world();
    const { end } = await at.seats.open(at.run("run_1"), node);
    const work = (of: NodeId) => messageOf("TASK_DISPATCH", { node: { id: of } } as never);
    const worker = (run: string, message: MessageOf) => at.seats.workerFor(run as RunId, message);
    expect([worker("run_1", work(node)), worker("run_1", work(other)), worker("run_2", work(node))]).toEqual([
      77,
      undefined,
      undefined,
    ]);
    expect(worker("run_1", messageOf("USER_INPUT", { text: "hello" }))).toBe(undefined);
    await end();
    expect(worker("run_1", work(node))).toBe(undefined);
  });

  it("is found by its run and node while it is open, and by no other", async () => {
    using at = world();
    const { caller, end } = await at.seats.open(at.run("run_1"), node);
    const find = (run: string, of: NodeId) => at.seats.find(run as RunId, of);
    expect([find("run_1", node), find("run_1", other), find("run_2", node)]).toEqual([caller, undefined, undefined]);
    const second = await at.seats.open(at.run("run_1"), other);
    expect(second.caller.agent.id).not.toBe(caller.agent.id);
    await end();
    expect([find("run_1", node), find("run_1", other)]).toEqual([undefined, second.caller]);
  });

  it("lives as long as its worker gives signs of life, and a further attempt of its node is a new one", async () => {
    using at = world();
    const { caller, end } = await at.seats.open(at.run("run_1"), node);
    const silence = () => at.liveness.silenceMs(caller.agent.id);
    at.clock.advance(minuteMs);
    at.seats.touch("run_2" as RunId);
    expect(silence()).toBe(minuteMs);
    at.seats.touch("run_1" as RunId);
    expect(silence()).toBe(0);
    await end();
    const again = await at.seats.open(at.run("run_1"), node);
    expect((await at.store.reader.agents.find(again.caller.agent.id))?.endedAt).toBeUndefined();
  });
});
