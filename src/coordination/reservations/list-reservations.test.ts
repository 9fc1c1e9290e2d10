import { expect, it } from "vitest";
import { operations, parseInput, type Caller, type RawInputOf } from "../../contract/index.ts";
import { minuteMs, repository, scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { acquireReservation, listReservations } from "./index.ts";

async function hold(call: AgentCall, ports: ScratchPorts, wanted: RawInputOf<"reservation.acquire">) {
  const input = parseInput(operations["reservation.acquire"], wanted);
  return (await acquireReservation(input, call, ports)).reservation;
}
const list = (ports: ScratchPorts, caller: Caller, query: RawInputOf<"reservation.list"> = {}) =>
  listReservations(parseInput(operations["reservation.list"], query), caller, ports);

it("lists the live reservations of the project with the liveness of their holders", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  await hold(lynx, ports, { paths: ["a.ts"] });
  await hold(heron, ports, { paths: ["gone.ts"], ttlMs: 1_000 });
  const held = await hold(heron, ports, { paths: ["a.ts"] });
  ports.clock.advance(2 * minuteMs);
  ports.hear(otter);
  const { items } = await list(ports, otter.caller);
  expect(items).toEqual([
    {
      ...held,
      holder: { ...heron.caller.agent, status: "idle", lastSeenAt: ports.clock.now() - 2 * minuteMs },
      project: heron.caller.project.id,
    },
  ]);
});

it("finds what covers a path, literally or by a pattern", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const [glob, literal] = [
    await hold(heron, ports, { patterns: ["src/**/*.ts"], mode: "shared" }),
    await hold(otter, ports, { paths: ["src/[id].ts"], mode: "shared" }),
  ];
  const covering = async (path: string) => (await list(ports, heron.caller, { path })).items.map(({ id }) => id);
  expect((await covering("src/[id].ts")).toSorted()).toEqual([glob.id, literal.id].toSorted());
  expect(await covering("src/x/y.ts")).toEqual([glob.id]);
  expect(await covering("docs/a.md")).toEqual([]);
});

it("gives pages that join without gap or repetition", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const held: string[] = [];
  for (const path of ["a", "b", "c", "d", "e"]) {
    held.push((await hold(heron, ports, { paths: [path] })).id);
    ports.clock.advance(1);
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(ports, heron.caller, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(held);
});

it("shows the user the reservations of every project, or of the one that was named", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  await hold(heron, ports, { paths: ["a.ts"] });
  await hold(lynx, ports, { paths: ["a.ts"] });
  expect((await list(ports, { kind: "user", project: undefined })).items).toHaveLength(2);
  const inBank = await list(ports, { kind: "user", project: lynx.caller.project });
  expect(inBank.items.map(({ holder }) => holder.name)).toEqual(["lynx"]);
});
