import { expect, it } from "vitest";
import type { SessionId } from "../../contract/index.ts";
import { agentIn, scratchArchive, sessionOf, shop } from "../../knowledge/archive/testkit.ts";
import { createSkillDesk } from "../skills/index.ts";
import { signal } from "../skills/testkit.ts";
import { historyAsk } from "./history-ask.ts";
import { archivalistCallables } from "./skill-handlers.ts";
import { archivalistRole } from "./skills.ts";

const [home, away] = [sessionOf(1), sessionOf(2)];
const runs = [
  { id: "run_4", session: away, title: "Add a discount to the cart", status: "verified", at: 4 },
  { id: "run_2", session: home, title: "Add a receipt", status: "failed", at: 2 },
  { id: "run_1", session: home, title: "Add a cart", status: "verified", at: 1 },
];

async function world() {
  const at = await scratchArchive();
  for (const { status, ...run } of runs)
    await at.store.transact("keep", (tx) =>
      tx.archive.keep(shop, { ...run, category: "workflow", content: { status, reason: `why ${run.id}` } }),
    );
  const deskOf = (session: SessionId) => {
    const call = { caller: agentIn(session), transact: at.store.transact };
    const callable = archivalistCallables(historyAsk(call, at.handlers));
    return createSkillDesk({ role: archivalistRole, session, callable });
  };
  const ids = async (name: string, input: object, session = home) => {
    const { entries } = (await deskOf(session).call(name, input, { signal })) as { entries: { id: string }[] };
    return entries.map(({ id }) => id);
  };
  return Object.assign(at, { deskOf, idsOf: ids });
}

it("looks into its own session, and into others only where that is asked for", async () => {
  using at = await world();
  expect(await at.idsOf("query", {})).toEqual(["run_2", "run_1"]);
  expect(await at.idsOf("query", { query: "CART" })).toEqual(["run_1"]);
  expect(await at.idsOf("cross_session_query", { query: "discount cart" })).toEqual(["run_4", "run_1"]);
  expect(await at.idsOf("cross_session_query", { query: "cart", session_ids: [home] })).toEqual(["run_1"]);
});

it("tells runs, failures and a session's course apart, within a limit", async () => {
  using at = await world();
  expect(await at.idsOf("workflow_history", {})).toEqual(["run_4", "run_2", "run_1"]);
  expect(await at.idsOf("workflow_history", { limit: -3 })).toEqual(["run_4"]);
  expect(await at.idsOf("workflow_history", { status: "verified" })).toEqual(["run_4", "run_1"]);
  expect(await at.idsOf("failure_search", {})).toEqual(["run_2"]);
  expect(await at.idsOf("failure_search", { query: "cart" })).toEqual([]);
  const course = async (input: object) => {
    const { items } = (await at.deskOf(home).call("session_timeline", input, { signal })) as {
      items: { id: string }[];
    };
    return items.map(({ id }) => id);
  };
  expect(await course({})).toEqual(["run_1", "run_2"]);
  expect(await course({ session_id: away })).toEqual(["run_4"]);
});

it("stores in its own session, promotes its own entries, and can change no other session", async () => {
  using at = await world();
  const desk = at.deskOf(home);
  const { entry } = (await desk.call("store", { title: "Prices are in cents", kind: "fact" }, { signal })) as {
    entry: { id: string; session: string };
  };
  expect(entry.session).toBe(home);
  const refused = desk.call("store", { title: "x" }, { signal, session: away });
  await expect(refused).rejects.toMatchObject({ code: "caller.denied" });
  expect(await at.idsOf("query", { query: "cents" }, away)).toEqual([]);
  await desk.call("promote_to_global", { entry_id: entry.id, reason: "holds everywhere" }, { signal });
  expect(await at.idsOf("query", { query: "cents" }, away)).toEqual([entry.id]);
});
