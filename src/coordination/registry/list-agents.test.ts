import { expect, it } from "vitest";
import { operations, parseInput, type RawInputOf } from "../../contract/index.ts";
import { hashToken } from "../../platform/tokens.ts";
import { endAgent } from "../agent-end/index.ts";
import { minuteMs, repository, scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { findAgent, listAgents } from "./list-agents.ts";
import { registerAgent } from "./register-agent.ts";

const list = (ports: ScratchPorts, { caller }: Pick<AgentCall, "caller">, query: RawInputOf<"agent.list"> = {}) =>
  listAgents(parseInput(operations["agent.list"], query), caller, ports);
const namesOf = async (answer: ReturnType<typeof list>) => (await answer).items.map(({ name }) => name);

async function enrol(ports: ScratchPorts, name: string, ...capabilities: string[]) {
  const project = { path: repository(ports.folder, "shop") };
  return registerAgent({ sessionKey: name, client: "other", project, name, capabilities }, ports.store, ports);
}

it("lists the live agents of the project, the most recently active first", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const otter = await ports.caller("otter");
  await ports.caller("lynx", repository(ports.folder, "bank"));
  ports.clock.advance(1_000);
  ports.hear(heron);
  expect(await namesOf(list(ports, heron))).toEqual(["heron", "otter"]);
  ports.clock.advance(1_000);
  ports.hear(otter);
  expect(await namesOf(list(ports, heron))).toEqual(["otter", "heron"]);
});

it("leaves out silent and ended agents unless they are asked for by status", async () => {
  using ports = scratchPorts();
  const [heron, otter, lynx] = [await ports.caller("heron"), await ports.caller("otter"), await ports.caller("lynx")];
  await ports.caller("wren");
  await endAgent(otter.caller.agent.id, otter, ports);
  ports.clock.advance(4 * minuteMs);
  ports.hear(lynx);
  ports.clock.advance(minuteMs);
  ports.hear(heron);
  expect(await namesOf(list(ports, heron))).toEqual(["heron", "lynx"]);
  expect(await namesOf(list(ports, heron, { status: "active" }))).toEqual(["heron"]);
  expect(await namesOf(list(ports, heron, { status: "idle" }))).toEqual(["lynx"]);
  expect(await namesOf(list(ports, heron, { status: "offline" }))).toEqual(["wren"]);
  expect(await namesOf(list(ports, heron, { status: "ended" }))).toEqual(["otter"]);
});

it("finds agents by capability and by language [CAP-2]", async () => {
  using ports = scratchPorts();
  await enrol(ports, "heron", "code-review", "lang:rust");
  await enrol(ports, "otter", "lang:rust");
  await enrol(ports, "lynx", "rust");
  const wren = await ports.caller("wren");
  expect(await namesOf(list(ports, wren, { capability: "code-review" }))).toEqual(["heron"]);
  expect((await namesOf(list(ports, wren, { language: "rust" }))).toSorted()).toEqual(["heron", "otter"]);
  expect(await namesOf(list(ports, wren, { language: "rust", capability: "code-review" }))).toEqual(["heron"]);
  expect(await namesOf(list(ports, wren, { capability: "rust" }))).toEqual(["lynx"]);
});

it("gives pages that join without gap or repetition", async () => {
  using ports = scratchPorts();
  const names = ["heron", "otter", "lynx", "wren", "ibis"];
  for (const name of names) {
    await ports.caller(name);
    ports.clock.advance(1);
  }
  const reader = await ports.caller("ibis");
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(ports, reader, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...page.items.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(names.toReversed());
});

it("shows an agent to its own project and to the user, to no other agent", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  const { id } = heron.caller.agent;
  expect((await findAgent(id, heron.caller, ports)).name).toBe("heron");
  expect((await findAgent(id, { kind: "user", project: undefined }, ports)).name).toBe("heron");
  await expect(findAgent(id, lynx.caller, ports)).rejects.toMatchObject({ code: "caller.denied" });
  const unknown = ports.ids.next("agt");
  await expect(findAgent(unknown, heron.caller, ports)).rejects.toMatchObject({
    code: "agent.not-found",
    details: { id: unknown },
  });
});

it("compacts who is gone for longer than the retention time; the name stays its own and comes back with it [IDN-9]", async () => {
  using ports = scratchPorts();
  const project = { path: repository(ports.folder, "shop") };
  const session = { sessionKey: "heron", client: "other", project, name: "heron" } as const;
  const { agent, token } = await registerAgent({ ...session, capabilities: ["tests"] }, ports.store, ports);
  const otter = await ports.caller("otter");
  const compact = () => ports.store.transact("retention", (tx) => tx.agents.compactGoneBefore(ports.clock.now()));
  await endAgent(agent.id, { caller: { kind: "user", project: undefined }, transact: ports.store.transact }, ports);
  expect(await compact()).toEqual([]); // not before it has been gone for a while
  ports.clock.advance(1);
  expect([await compact(), await compact()]).toEqual([[agent.id], []]);
  expect(await namesOf(list(ports, otter, { status: "ended" }))).toEqual([]);
  expect(await namesOf(list(ports, otter))).toEqual(["otter"]);
  expect(await findAgent(agent.id, otter.caller, ports)).toMatchObject({ name: "heron", capabilities: [] });
  expect(await ports.store.reader.tokens.find(hashToken(token))).toBeUndefined();
  const { agent: other } = await registerAgent({ ...session, sessionKey: "another" }, ports.store, ports);
  expect(other.name).toBe("heron-2");
  const back = await registerAgent(session, ports.store, ports);
  expect(back.agent).toMatchObject({ id: agent.id, name: "heron", status: "active" });
  expect(await namesOf(list(ports, otter))).toContain("heron");
});
