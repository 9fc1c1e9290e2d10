import { expect, it } from "vitest";
import type { ProjectId, SessionId } from "../../contract/index.ts";
import { scratchSessions } from "./testkit.ts";

async function world() {
  const at = await scratchSessions();
  const other = at.ids.next("prj");
  await at.store.transact("project", (tx) => tx.projects.insert({ id: other, name: "till", path: "/srv/till" }, 1));
  const ids: SessionId[] = [];
  for (const project of [at.project, other, at.project])
    ids.push((await at.sessions.create({ project, name: "x" })).id);
  for (const id of ids) await at.sessions.resume(id);
  return { at, other, ids: ids as [SessionId, SessionId, SessionId], [Symbol.dispose]: () => at[Symbol.dispose]() };
}

it("lists by project, state and page, newest first, and counts by project or all of them [SM-4]", async () => {
  using here = await world();
  const { at, other, ids } = here;
  await at.sessions.pause(ids[0]);
  const list = async (query: {
    project?: ProjectId;
    state?: "paused" | "active";
    before?: SessionId;
    limit?: number;
  }) => {
    const all = { project: undefined, before: undefined, limit: 10, ...query };
    return (await at.sessions.list(all)).map(({ id }) => ids.indexOf(id));
  };
  expect(await list({})).toEqual([2, 1, 0]);
  expect(await list({ project: other })).toEqual([1]);
  expect(await list({ state: "paused" })).toEqual([0]);
  expect(await list({ project: at.project, state: "active" })).toEqual([2]);
  expect([await list({ limit: 1 }), await list({ before: ids[1] })]).toEqual([[2], [0]]);
  const active = async (project?: ProjectId) => (await at.sessions.stats(project)).states.active;
  expect([await active(at.project), await active(other), await active()]).toEqual([1, 1, 2]);
});

it("gives a promoted preference to the sessions of its own project only [SM-32]", async () => {
  using here = await world();
  const { at, ids } = here;
  (await at.sessions.context(ids[0])).preferences.set("style", "terse");
  await at.sessions.promote(ids[0], "style");
  expect(await Promise.all(ids.map((id) => at.sessions.preferences(id)))).toEqual([
    { style: "terse" },
    {},
    { style: "terse" },
  ]);
});

it("tells who looks where, once, and forgets what was saved of a session that ended [SM-15]", async () => {
  using here = await world();
  const { at, ids } = here;
  for (const id of [ids[0], ids[2], ids[2]]) await at.sessions.switch(id, "ada");
  const told = (await at.events()).filter(({ type }) => type === "session.focused");
  expect(told.map(({ data }) => data)).toMatchObject([
    { client: "ada", session: ids[0] },
    { client: "ada", session: ids[2], previous: ids[0] },
  ]);
  expect(await at.store.reader.sessions.findSnapshot(ids[0])).toBeDefined();
  await at.sessions.close(ids[0]);
  expect(await at.store.reader.sessions.findSnapshot(ids[0])).toBeUndefined();
});
