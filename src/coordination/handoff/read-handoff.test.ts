import { expect, it } from "vitest";
import { operations, parseInput, type AgentId, type LogEvent } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { registerAgent } from "../registry/index.ts";
import { acquireReservation, releaseReservation } from "../reservations/index.ts";
import { repository, scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { claimWorkItem, createWorkItem } from "../work-items/index.ts";
import { readHandoff } from "./read-handoff.ts";
import { readTrail } from "./read-trail.ts";

const hold = async (call: AgentCall, ports: ScratchPorts, path: string) =>
  (await acquireReservation(parseInput(operations["reservation.acquire"], { paths: [path] }), call, ports)).reservation;

it("says of a live agent what it would leave, and of one that is gone what it left, to its own project alone [CRSH-5]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  const { id } = heron.caller.agent;
  await hold(heron, ports, "a.ts");
  const early = await hold(heron, ports, "b.ts");
  await releaseReservation(early.id, heron, ports);
  await hold(otter, ports, "c.ts");
  const item = parseInput(operations["work-item.create"], { title: "Tidy up" });
  const { workItem } = await createWorkItem(item, heron, ports);
  await claimWorkItem(workItem.id, heron, ports);
  const child = { sessionKey: "child", client: "other", project: { path: heron.caller.tree }, name: "wren" } as const;
  await registerAgent({ ...child, parent: "heron" }, ports.store, ports);
  const left = {
    agent: { name: "heron" },
    branch: "main",
    reservations: [{ paths: ["a.ts"], mode: "exclusive" }],
    workItems: [{ id: workItem.id, title: "Tidy up" }],
    children: [{ name: "wren" }],
    touched: ["b.ts", "a.ts"],
    findings: [],
  };
  const live = (await readHandoff(id, otter.caller, ports)).handoff;
  expect(live).toMatchObject({ ...left, status: "active", step: { type: "agent.registered", what: "wren" } });
  expect(live.leftAt).toBeUndefined();

  await endAgent(id, heron, ports);
  await hold(otter, ports, "a.ts");
  const gone = (await readHandoff(id, otter.caller, ports)).handoff;
  expect(gone).toMatchObject({ ...left, status: "ended", reason: "ended", leftAt: ports.clock.now() });
  await expect(readHandoff(id, lynx.caller, ports)).rejects.toMatchObject({ code: "caller.denied" });
});

const agent = "agt_0000000000000000heron0" as AgentId;
function event(type: string, subject: string, data: LogEvent["data"] = {}): LogEvent {
  return { sequence: 0, id: "evt_0" as never, project: "prj_0" as never, version: 1, at: 0, type, subject, data };
}

it("reads the log back to the agent's last coming and no further", () => {
  const before = event("reservation.acquired", "rsv-1", { reservation: { paths: ["old.ts"], patterns: [] } });
  const since = event("reservation.acquired", "rsv-2", { reservation: { paths: [], patterns: ["new/**"] } });
  for (const type of ["agent.returned", "agent.registered"])
    expect(readTrail([since, event(type, agent), before], agent).touched).toEqual(["new/**"]);
  expect(readTrail([since, event("agent.registered", "agt-child"), before], agent).touched).toEqual([
    "new/**",
    "old.ts",
  ]);
});

it("takes for the step in progress the last one that was not given back or finished, and lists findings apart [CRSH-6]", () => {
  const acquired = event("reservation.acquired", "rsv-1", { reservation: { paths: ["a.ts"], patterns: [] } });
  const claimed = event("work-item.claimed", "wrk-1", { workItem: { title: "Tidy up" }, ttlMs: 1 });
  const found = event("finding.published", "fnd-1", { finding: { summary: "No test fails" } });
  const newest = [
    event("agent.offline", agent),
    event("reservation.released", "rsv-1"),
    acquired,
    found,
    claimed,
    event("agent.registered", agent, { agent: { name: "heron" } }),
  ];
  const trail = readTrail(newest, agent);
  expect(trail.step).toMatchObject({ type: "finding.published", what: "No test fails" });
  expect(trail.findings).toMatchObject([{ subject: "fnd-1", what: "No test fails" }]);
  expect(trail.steps.map(({ type }) => type)).not.toContain("agent.offline");
  expect(readTrail([event("work-item.closed", "wrk-1"), claimed], agent).step?.type).toBe("work-item.closed");
  expect(readTrail([], agent)).toEqual({ touched: [], findings: [], steps: [] });
});
