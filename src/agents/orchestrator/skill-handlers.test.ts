import { expect, it } from "vitest";
import type { DagId, SessionId } from "../../contract/index.ts";
import { createSkillDesk } from "../skills/index.ts";
import { session, signal } from "../skills/testkit.ts";
import { orchestratorCallables, type OrchestratorPorts } from "./skill-handlers.ts";
import { orchestratorRole } from "./skills.ts";

const home = session("home");
const idOf = (end: string) => `dag_0000000000000000000${end}` as DagId;
const whose: Readonly<Record<DagId, SessionId>> = { [idOf("001")]: home, [idOf("002")]: session("other") };

function world() {
  const done: unknown[] = [];
  const doing =
    (what: string) =>
    async (id: DagId, ...rest: unknown[]) => {
      if (what !== "show") done.push([what, id, ...rest]);
      return { dag: { id, session: whose[id] } } as never;
    };
  const ports: OrchestratorPorts = {
    list: async (at) => ({
      items: Object.entries(whose).flatMap(([id, of]) => (of === at ? [{ id } as never] : [])),
    }),
    show: doing("show"),
    cancel: doing("cancel"),
    pause: doing("pause"),
    resume: doing("resume"),
    retry: doing("retry"),
    skip: doing("skip"),
  };
  const callable = orchestratorCallables(ports);
  const desk = (at: SessionId) => createSkillDesk({ role: orchestratorRole, session: at, callable });
  return { done, call: (name: string, input: object, at = home) => desk(at).call(name, input, { signal }) };
}

it("acts on the named graph, or on the session's newest one", async () => {
  const { call, done } = world();
  await call("pause_execution", {});
  await call("skip_node", { node_id: "a", dag_id: idOf("001"), treat_as_done: true });
  await call("retry_node", { node_id: "a" });
  expect(done).toEqual([
    ["pause", idOf("001")],
    ["skip", idOf("001"), "a", true],
    ["retry", idOf("001"), "a"],
  ]);
});

it("shows a graph of another session and changes none, whatever the skill [COMMON-10]", async () => {
  const { call, done } = world();
  const dag_id = idOf("002");
  expect(await call("get_status", { dag_id })).toMatchObject({ dag: { id: dag_id } });
  expect(await call("get_node_result", { dag_id, node_id: "a" })).toMatchObject({ dag: { id: dag_id } });
  for (const name of ["cancel_execution", "pause_execution", "resume_execution"])
    await expect(call(name, { dag_id }), name).rejects.toThrow("sylk session switch ses_other");
  for (const name of ["retry_node", "skip_node"])
    await expect(call(name, { dag_id, node_id: "a" }), name).rejects.toMatchObject({ code: "caller.denied" });
  expect(done).toEqual([]);
});

it("says what to do where there is no graph, where the id is none, and where only a run acts", async () => {
  const { call } = world();
  await expect(call("cancel_execution", {}, session("empty"))).rejects.toMatchObject({ code: "dag.not-found" });
  await expect(call("cancel_execution", { dag_id: "nope" })).rejects.toThrow("get_status lists");
  await expect(call("execute_dag", { round: 0, nodes: [] })).rejects.toThrow("acts inside a run only; sylk dag run");
});
