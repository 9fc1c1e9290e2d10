import { afterEach, beforeEach, expect, it } from "vitest";
import { DomainError, type ProjectId, type SessionId } from "../../contract/index.ts";
import { withPreferences } from "./with-preferences.ts";
import { locateProject } from "../../coordination/registry/index.ts";
import { scratchSessions } from "./testkit.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";

type Started = Readonly<Record<string, unknown>>;
let at: Awaited<ReturnType<typeof scratchSessions>>;
let folder: ReturnType<typeof scratchFolder>;
let project: ProjectId;
let one: SessionId;
let other: SessionId;

beforeEach(async () => {
  at = await scratchSessions();
  folder = scratchFolder();
  project = at.ids.next("prj");
  const { path, name } = await locateProject(folder.path);
  await at.store.transact("project", (tx) => tx.projects.insert({ id: project, name, path }, 1));
  const created = async (title: string) => (await at.sessions.create({ project, name: title })).id;
  [one, other] = [await created("one"), await created("other")];
});
afterEach(() => {
  at[Symbol.dispose]();
  folder[Symbol.dispose]();
});

/** Starts by handlers that only say what they were given. */
function starting(refusal?: DomainError) {
  const echo = async (input: unknown) => {
    if (refusal !== undefined) throw refusal;
    return input;
  };
  const handlers = { "run.start": echo, "dag.run": echo, "ask.send": echo } as Parameters<typeof withPreferences>[0];
  const started = withPreferences(handlers, { reader: at.store.reader, preferences: at.sessions.preferences });
  return async (what: keyof typeof handlers, input: Started = {}): Promise<unknown> => {
    const call = { caller: { kind: "user", project: undefined } };
    return started[what]({ project: { path: folder.path }, ...input } as never, call as never);
  };
}

it("what is started in a session gets what the session prefers, unless it says otherwise itself [SM-32]", async () => {
  await at.sessions.set(one, { preferences: { provider: "acme", budget: "200" } });
  const start = starting();
  expect(await start("run.start", { session: one })).toMatchObject({ provider: "acme", budget: 200 });
  expect(await start("run.start", { session: one, budget: 5, provider: "own" })).toMatchObject({
    provider: "own",
    budget: 5,
  });
  expect(await start("dag.run", { session: one })).toMatchObject({ provider: "acme" });
  expect(await start("ask.send", { session: one })).toMatchObject({ provider: "acme" });
  for (const what of ["run.start", "dag.run", "ask.send"] as const)
    for (const input of [{ session: other }, {}]) expect(await start(what, input)).not.toHaveProperty("provider");
  await at.sessions.switch(one, `user ${project}`);
  expect(await start("ask.send")).toMatchObject({ provider: "acme" });
});

it("what is promoted is given where the session says nothing, or is yet to be made [SM-32]", async () => {
  await at.sessions.set(one, { preferences: { provider: "acme" } });
  await at.sessions.set(other, { preferences: { provider: "ours" } });
  await at.sessions.promote(one, "provider");
  const start = starting();
  expect(await start("run.start")).toMatchObject({ provider: "acme" });
  expect(await start("run.start", { session: other })).toMatchObject({ provider: "ours" });
});

it("a refusal because of a provider that the caller did not name says where it comes from", async () => {
  await at.sessions.set(one, { preferences: { provider: "gone" } });
  const start = starting(new DomainError("provider.not-found", 'There is no provider "gone"; known: none'));
  await expect(start("run.start", { session: one })).rejects.toThrow(/sylk session unset provider/);
  await expect(start("run.start", { session: other })).rejects.toThrow(/known: none$/);
});
